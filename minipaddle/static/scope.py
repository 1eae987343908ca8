"""Scope: storage of parameters and other persistable values between runs."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import numpy as np

from ..engine.guard import Guard, held
from . import run_errors
from .checks import require_type
from .dense_tensor import DenseTensor


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
        return self._variables.setdefault(name, ScopeVariable(name))

    def find_var(self, name: str) -> ScopeVariable | None:
        """Return the value of this name, or None."""
        return self._variables.get(name)

    def local_var_names(self) -> list[str]:
        """Return all names."""
        return list(self._variables)

    def erase(self, names: Any) -> None:
        """Remove these names; plans, which cache values by name, look them up again."""
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
    return held(_current, scope)


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
        raise run_errors.not_in_scope(name)
    return variable.tensor


def set_value(name: str, value: Any, scope: Scope | None, dtype: Any) -> None:
    """Replace the value of a name by an array of equal shape, cast to this dtype."""
    require_type(value, (np.ndarray, DenseTensor), "value", "set_value")
    tensor, array = get_value(name, scope), np.asarray(value)
    if list(array.shape) != tensor.shape():
        raise run_errors.shape_of_value(name, tensor.shape(), array.shape)
    tensor.set(array.astype(dtype))
