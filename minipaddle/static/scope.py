"""Scope: storage of parameters and other persistable values between runs, as DenseTensors."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..device import place_of, to_numpy
from ..engine.errors import OutOfRange
from ..engine.guard import Guard, override_variable
from ..errors import misfit
from . import errors
from .errors import require_type


class DenseTensor:
    """Array that NumPy functions take directly; `np.array(x)` makes it an ordinary one.

    It has no operators, as in Paddle: `x + 1` is a TypeError that says so. `x.shape()` is a
    method.

    Source: Paddle's `paddle.static.DenseTensor`.

    >>> x = DenseTensor(np.float32([1.0, 2.5]))
    >>> np.square(x)
    array([1.  , 6.25], dtype=float32)
    >>> print(x)
      - shape: [2]
      - layout: NCHW
      - place: Place(cpu)
      - dtype: float32
      - data: [1 2.5]
    """

    def __init__(self, array: Any = None, fixed: bool = False) -> None:
        self.array = array
        self._fixed = fixed  # True for an input of py_func, which must not change

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise errors.never_shared()
        return np.array(self._host_values(), dtype=dtype)

    def _host_values(self) -> Any:
        if self.array is None:
            raise errors.empty()
        return to_numpy(self.array)

    def shape(self) -> list[int]:
        """Return the sizes as a list."""
        return [] if self.array is None else list(self.array.shape)

    def set(self, array: Any, place: Any = None) -> None:  # noqa: ARG002  (a run puts it in place)
        """Replace the values by a copy of these."""
        if self._fixed:
            raise errors.input_set()
        values = np.array(array)
        if values.dtype.kind not in "biufc":
            raise errors.no_numbers(array)
        self.array = values

    def __getitem__(self, item: Any) -> DenseTensor:
        part = slice(item, item + 1 or None) if isinstance(item, int) else item
        values = self._host_values()[part]
        if isinstance(item, int) and not values.shape[0]:
            raise misfit(
                "DenseTensor", f"an index into shape {self.shape()}", OutOfRange, index=item
            )
        return DenseTensor(values.copy())

    def __repr__(self) -> str:
        kind = "uninitialized" if self.array is None else self.array.dtype.name
        return f"DenseTensor(shape={self.shape()}, dtype={kind})"

    def __str__(self) -> str:
        if self.array is None:
            return "  - shape: []\n  - layout: NCHW\nuninited\n"
        values = self._host_values()
        form = "{:g}" if values.dtype.kind == "f" else "{:d}"
        data = " ".join(form.format(value) for value in values.ravel().tolist())
        return (
            f"  - shape: {self.shape()}\n  - layout: NCHW\n  - place: {place_of(self.array)}\n"
            f"  - dtype: {values.dtype.name}\n  - data: [{data}]"
        )


def _make_refusal(symbol: str, unary: bool = False) -> Callable[..., Any]:
    def operator(self: DenseTensor, other: Any = None) -> Any:
        if isinstance(other, (np.ndarray, np.generic)):
            return NotImplemented  # Python tries the array's operator next
        raise errors.no_operator(self, symbol, () if unary else (other,))

    return operator


_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@",
}  # fmt: skip
for _name, _symbol in _BINARY.items():
    setattr(DenseTensor, f"__{_name}__", _make_refusal(_symbol))
    setattr(DenseTensor, f"__r{_name}__", _make_refusal(_symbol))
for _name, _symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(DenseTensor, f"__{_name}__", _make_refusal(_symbol))
for _name, _symbol in {"neg": "unary -", "abs": "abs()"}.items():
    setattr(DenseTensor, f"__{_name}__", _make_refusal(_symbol, unary=True))


# ----- scopes ------------------------------------------------------------------------------------


class ScopeVariable:
    """Named value of a Scope."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tensor = DenseTensor()

    def get_tensor(self) -> DenseTensor:
        """Return the value: `np.array(tensor)` reads it, `tensor.set(array, place)` replaces it."""
        return self.tensor


class Scope:
    """Values by name; runs in different scopes do not see each other's parameters.

    Errors: none.
    Source: Paddle's `paddle.static.Scope`.

    >>> import numpy as np
    >>> scope = Scope()
    >>> scope.var("w").get_tensor().set(np.float32([1.0]))
    >>> np.array(scope.find_var("w").get_tensor())
    array([1.], dtype=float32)
    >>> scope.find_var("nope") is None
    True
    """

    def __init__(self) -> None:
        self._variables: dict[str, ScopeVariable] = {}

    def var(self, name: str) -> ScopeVariable:
        """Return the value of this name; make it if it does not exist."""
        if name not in self._variables:
            self._variables[name] = ScopeVariable(name)
        return self._variables[name]

    def find_var(self, name: str) -> ScopeVariable | None:
        """Return the value of this name, or None."""
        return self._variables.get(name)

    def local_var_names(self) -> list[str]:
        """Return all names."""
        return list(self._variables)

    def erase(self, names: Any) -> None:
        """Remove these names; plans cache values by name, and look them up again after this."""
        gone = set(names)
        self._variables = {n: v for n, v in self._variables.items() if n not in gone}

    def read(self, name: str) -> Any:
        """Return the array of a name, or None if it has none."""
        variable = self._variables.get(name)
        return None if variable is None else variable.tensor.array

    def write(self, name: str, array: Any) -> None:
        """Store an array under a name."""
        self.var(name).tensor.array = array


_process_default = Scope()
_current: ContextVar[Scope | None] = ContextVar("minipaddle_scope", default=None)


def global_scope() -> Scope:
    """Return the Scope that an Executor uses by default.

    Errors: none.
    Source: Paddle's `paddle.static.global_scope`.

    >>> import minipaddle as paddle
    >>> paddle.static.global_scope().find_var("nobody made this") is None
    True
    """
    return _current.get() or _process_default


def scope_guard(scope: Scope) -> Guard:
    """Use this Scope inside the block, in this thread or task.

    Errors: TypeError for anything but a Scope.
    Source: Paddle's `paddle.static.scope_guard`.

    >>> import minipaddle as paddle
    >>> mine = paddle.static.Scope()
    >>> with paddle.static.scope_guard(mine):
    ...     paddle.static.global_scope() is mine
    True
    """
    require_type(scope, (Scope,), "scope", "scope_guard")
    return override_variable(_current, scope)


def scope_or_global(scope: Scope | None, function: str) -> Scope:
    """Return the argument `scope`, or for None the global Scope."""
    require_type(scope, (Scope, type(None)), "scope", function)
    return global_scope() if scope is None else scope


def reset_global_scope() -> None:
    """Forget all values, as at the start of a process.

    Errors: none.
    Source: minipaddle's own.

    >>> before = paddle.static.global_scope()
    >>> paddle.static.reset_global_scope()
    >>> paddle.static.global_scope() is before
    False
    """
    global _process_default
    _process_default = Scope()
    _current.set(None)


# ----- one value ----------------------------------------------------------------------------------


def get_value(name: str, scope: Scope | None) -> DenseTensor:
    """Return the value of a name in a scope, by default the global one; raise if missing."""
    variable = scope_or_global(scope, "get_value").find_var(name)
    if variable is None or variable.tensor.array is None:
        raise errors.not_in_scope(name)
    return variable.tensor


def set_value(name: str, value: Any, scope: Scope | None, dtype: Any) -> None:
    """Replace the value of a name by an array of equal shape, cast to this dtype."""
    require_type(value, (np.ndarray, DenseTensor), "value", "set_value")
    tensor, array = get_value(name, scope), np.asarray(value)
    if list(array.shape) != tensor.shape():
        raise errors.shape_of_value(name, tensor.shape(), array.shape)
    tensor.set(array.astype(dtype))
