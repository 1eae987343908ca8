"""Arrays and a namespace that record the calls of kernels.

They compute as NumPy does. A recorder decides what is recorded and how values are numbered: one
makes plans of Programs (`static/plan/recording.py`), one the instructions of a page
(`viz/whatif/listing.py`). A recorder has the methods `call`, which takes a `Call`, `number` and
`check`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..engine.guard import Guard, override_variable

# Functions whose result shapes depend only on shapes of arguments.
_FUNCTIONS = """
    all any arange argmax argmin argsort array array_split asarray ascontiguousarray broadcast_to
    clip concatenate copyto cross cumprod cumsum diagonal dot einsum empty empty_like expand_dims
    eye flip full full_like inner isclose isin isreal kron mean moveaxis ones ones_like outer prod
    put_along_axis repeat reshape roll rot90 round searchsorted sort split squeeze stack std sum
    swapaxes take take_along_axis tensordot tile trace transpose tri tril triu var where zeros
    zeros_like
"""
_METHODS = """
    all any argmax argmin argsort astype clip copy cumsum diagonal dot fill flatten max mean min
    prod ravel repeat reshape round squeeze std sum swapaxes take trace transpose var
"""
FUNCTIONS, METHODS = frozenset(_FUNCTIONS.split()), frozenset(_METHODS.split())
REDUCTIONS = {"max": "maximum", "min": "minimum"}  # ufuncs that ndarray.max and min call
PLAIN = frozenset(("dtype", "itemsize", "nbytes", "ndim", "shape", "size", "strides"))
UFUNC_METHODS = frozenset(("accumulate", "at", "outer", "reduce", "reduceat"))
WITH_OUT = frozenset(("concatenate", "dot", "empty", "full", "stack", "zeros"))

active_recorder: ContextVar[Any] = ContextVar("minipaddle_recorder", default=None)


def record_with(recorder: Any) -> Guard:
    """Return a context in which this recorder records the uses of Traced values."""
    return override_variable(active_recorder, recorder)


class Untraceable(Exception):
    """Error of a kernel whose calls cannot be recorded."""


class Traced:
    """An array whose uses are recorded."""

    __array_ufunc__ = None
    __slots__ = ("_array", "_number")

    def __init__(self, array: Any, number: int) -> None:
        self._array = array
        self._number = number

    def __getattr__(self, name: str) -> Any:
        if name in PLAIN:
            raise AttributeError(name)  # of a number, which has no dtype
        if name not in METHODS:
            raise Untraceable(f".{name}")
        if name in REDUCTIONS:
            reduce = getattr(RECORDING, REDUCTIONS[name]).reduce
            return lambda axis=None, **named: reduce(self, axis=axis, **named)

        def method(*args: Any, **kwargs: Any) -> Any:
            def call(array: Any, *rest: Any, **named: Any) -> Any:
                return getattr(array, name)(*rest, **named)

            fills = name in ("astype", "copy", "dot")
            return active_recorder.get().call(Call(f".{name}", call, (self, *args), kwargs, fills))

        return method

    @property
    def T(self) -> Any:
        return active_recorder.get().call(Call(".T", lambda array: array.T, (self,), {}))

    def item(self) -> TracedNumber:
        """Return the one element as a TracedNumber."""
        return active_recorder.get().number(".item", lambda a: a.item(), (self,))

    def __array_namespace__(self) -> Any:
        return RECORDING

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Any:
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index: Any) -> Any:
        if any(t._array.dtype == bool for t in find_traced(index)):
            raise Untraceable("the shape of x[mask] depends on the mask")
        return active_recorder.get().call(Call("[]", operator.getitem, (self, index), {}))

    def __setitem__(self, index: Any, value: Any) -> None:
        active_recorder.get().call(Call("[]=", operator.setitem, (self, index, value), {}))

    def _refuse_value(self, *_args: Any) -> NoReturn:
        raise Untraceable("the kernel asks for a value")

    __bool__ = __int__ = __float__ = __index__ = __array__ = _refuse_value


def find_traced(value: Any) -> list[Traced]:
    """List the traced values among arguments."""
    if isinstance(value, Traced):
        return [value]
    if isinstance(value, dict):
        value = tuple(value.values())
    found: list[Traced] = []
    if isinstance(value, (tuple, list)):
        for item in value:
            if item.__class__ is Traced:
                found.append(item)
            else:
                found += find_traced(item)
    return found


def untrace(value: Any) -> Any:
    """Return arguments as NumPy takes them."""
    if isinstance(value, Traced):
        return value._array
    if isinstance(value, (tuple, list)):
        return type(value)([untrace(item) for item in value])
    return {k: untrace(v) for k, v in value.items()} if isinstance(value, dict) else value


class Call(NamedTuple):
    """A call of a NumPy function; `fills`: whether it can write into given memory."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    fills: bool = False
    elementwise: bool = False

    def compute(self) -> Any:
        args = [each._array if each.__class__ is Traced else untrace(each) for each in self.args]
        return self.function(*args, **untrace(self.kwargs)) if self.kwargs else self.function(*args)


def _operator_method(ufunc: str, in_place: bool = False, reflected: bool = False) -> Any:
    def method(self: Traced, other: Any) -> Any:
        pair = (other, self) if reflected else (self, other)
        return getattr(RECORDING, ufunc)(*pair, **({"out": self} if in_place else {}))

    return method


for _name in PLAIN:
    setattr(Traced, _name, property(operator.attrgetter(f"_array.{_name}")))
for _name, _ufunc in {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide",
    "floordiv": "floor_divide", "mod": "remainder", "pow": "power", "matmul": "matmul",
    "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
}.items():  # fmt: skip
    setattr(Traced, f"__{_name}__", _operator_method(_ufunc))
    setattr(Traced, f"__r{_name}__", _operator_method(_ufunc, reflected=True))
    setattr(Traced, f"__i{_name}__", _operator_method(_ufunc, in_place=True))
for _name, _ufunc in {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal",
}.items():  # fmt: skip
    setattr(Traced, f"__{_name}__", _operator_method(_ufunc))
for _name, _ufunc in {"neg": "negative", "abs": "absolute", "invert": "invert"}.items():
    setattr(Traced, f"__{_name}__", lambda self, ufunc=_ufunc: getattr(RECORDING, ufunc)(self))


class TracedNumber(Traced):
    """A Python number from an array, such as a learning rate."""

    __slots__ = ()

    def __neg__(self) -> Any:
        return active_recorder.get().number("*", operator.mul, (self, -1.0))


def _number_method(symbol: str, function: Callable[..., Any], reflected: bool = False) -> Any:
    def method(self: TracedNumber, other: Any) -> Any:
        if isinstance(other, Traced) and not isinstance(other, TracedNumber):
            return NotImplemented
        pair = (other, self) if reflected else (self, other)
        return active_recorder.get().number(symbol, function, pair)

    return method


for _name, _symbol in {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**"}.items():
    _function = getattr(operator, _name)
    setattr(TracedNumber, f"__{_name}__", _number_method(_symbol, _function))
    setattr(TracedNumber, f"__r{_name}__", _number_method(_symbol, _function, reflected=True))


class RecordingUfunc:
    """A ufunc that records its calls and those of its methods."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self.ufunc = ufunc
        self.name = f"np.{ufunc.__name__}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        one = self.ufunc.nout == 1
        elementwise = one and self.ufunc.signature is None
        return active_recorder.get().call(
            Call(self.name, self.ufunc, args, kwargs, one, elementwise)
        )

    def __getattr__(self, name: str) -> Any:
        if name not in UFUNC_METHODS:
            return getattr(self.ufunc, name)
        method = getattr(self.ufunc, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            fills = name == "reduce"
            return active_recorder.get().call(
                Call(f"{self.name}.{name}", method, args, kwargs, fills)
            )

        return call


class RecordingNamespace:
    """NumPy with every call recorded: the `xp` of kernels whose calls are recorded."""

    @property
    def lib(self) -> Any:
        """Part of np.lib that kernels use: as_strided."""
        tricks = np.lib.stride_tricks
        view = self._function("lib.stride_tricks.as_strided", tricks.as_strided)
        return SimpleNamespace(stride_tricks=SimpleNamespace(as_strided=view))

    def __getattr__(self, name: str) -> Any:
        if not hasattr(np, name):
            raise Untraceable(f"xp.{name}")
        numpys = getattr(np, name)
        if isinstance(numpys, np.ufunc):
            recording: Any = RecordingUfunc(numpys)
        elif isinstance(numpys, type) or not callable(numpys):
            recording = numpys
        elif name in FUNCTIONS:
            recording = self._function(name, numpys)
        else:
            raise Untraceable(f"np.{name}")
        setattr(self, name, recording)
        return recording

    @staticmethod
    def _function(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if (name == "where" and len(args) < 3) or (name == "repeat" and find_traced(args[1:])):
                raise Untraceable(f"the shape of np.{name}() depends on values")
            fills = name in WITH_OUT
            return active_recorder.get().call(Call(f"np.{name}", function, args, kwargs, fills))

        return call

    def record_check(self, function: Callable[..., Any], *args: Any) -> Any:
        """Record a check of values by a kernel; see `rule_functions.host_check`."""
        return active_recorder.get().check(function, args)


RECORDING: Any = RecordingNamespace()
