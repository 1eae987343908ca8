"""Python operators (`+`, `*`, `[]`, comparisons) of Tensors and of Variables."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..device import beside
from ..engine import dtypes, fast_paths, source_line
from ..engine.dtypes import DType
from ..engine.tensor import Tensor
from ..messages import Message
from . import errors
from .elementwise import arithmetic as a
from .elementwise import comparison as c
from .elementwise import scaling
from .indexing import index
from .making import convert, creation
from .matrices import products
from .scalars import constant

NUMBERS = (int, float, bool, complex, np.bool_, np.number)
NARROW: set[Any] = {np.float16, np.float32}
COMPLEX = {complex, np.complex64, np.complex128}
_scale = scaling.scale_.call.direct  # type: ignore[attr-defined]
_cast = convert.cast.call


def _fits(x: Any, value: Any) -> tuple[Any, Any]:
    """Return x in a dtype that can take a number, and the number, as Paddle promotes them."""
    if value.__class__ in NARROW:
        value = _beside(x, value)
    kind = x._data.dtype.kind if isinstance(x, Tensor) else DType.of(x.dtype).numpy.kind
    if value.__class__ in COMPLEX and kind != "c":
        wide = DType.of(x.dtype).numpy == np.float64
        return _cast(x, dtype="complex128" if wide else "complex64"), value
    if kind == "f":
        return x, value
    if isinstance(value, (float, np.floating)) and kind in "biu":
        return _cast(x, dtype=dtypes.get_default()), value
    if kind == "b" and not isinstance(value, (bool, np.bool_)):
        return _cast(x, dtype="int64"), value
    return x, value


def _beside(x: Any, value: Any) -> Any:
    """Give a NumPy number, which is no Python number, x's dtype where that is of integers.

    So np.float32(2.5) is 2 there, as in Paddle.
    """
    kind = DType.of(x.dtype)
    if kind.numpy.kind not in "iu" or not np.isfinite(value):
        return value
    if int(value) != value:
        text = Message(
            "{written} beside a tensor of {dtype} is {whole}, as in Paddle; "
            "float({value}) gives a result of floats.",
            written=repr(value),
            dtype=kind.name,
            whole=int(value),
            value=value,
        )
        warnings.warn("\n".join(text), stacklevel=source_line.stacklevel())
    return int(value)


def _both(x: Any, value: Any, symbol: str) -> tuple[Any, Any]:
    """Return x and the other operand as tensors that fit each other."""
    x, value = _fits(x, value)
    return x, _tensor(x, value, symbol)


def _tensor(x: Any, value: Any, symbol: str) -> Any:
    """Wrap a NumPy array, or make a number a constant."""
    if isinstance(value, NUMBERS):
        return constant(value, x)
    if isinstance(value, np.ndarray):
        array = value.copy()
        return Tensor(beside(array, x._data) if isinstance(x, Tensor) else array)
    raise errors.no_operand(symbol, value)


def _repeats(self: Any, other: Any, symbol: str) -> bool:
    """Return whether this is `[1] * n`: a whole number in a 0-D tensor repeats a sequence."""
    if symbol != "mul" or not isinstance(other, (list, tuple, str)) or self.ndim:
        return False
    return DType.of(self.dtype).numpy.kind in "iu"


def _plain(symbol: str, call: Callable[..., Any]) -> tuple[Any, Any]:
    """Make an operator and its reflection that always need two tensors."""

    def forward(self: Any, other: Any) -> Any:
        if not hasattr(other, "stop_gradient"):
            self, other = _both(self, other, symbol)
        return call(self, other)

    def reflected(self: Any, other: Any) -> Any:
        self, other = _both(self, other, "r" + symbol)
        return call(other, self)

    return forward, reflected


def _scaling_operator(
    symbol: str, op: Any, ours: Callable[[Any], Any], theirs: Callable[[Any], Any]
) -> tuple[Any, Any]:
    """Make an operator that is `scale` when the other operand is a number n.

    `ours(n)` gives the attributes for x . n, `theirs(n)` those for n . x.
    """

    def by_number(self: Any, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            self, other = _fits(self, other)
            return _scale(self, ours(other))
        if _repeats(self, other, symbol):
            return NotImplemented
        return op.call(self, _tensor(self, other, symbol))

    def reflected(self: Any, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            self, other = _fits(self, other)
            return _scale(self, theirs(other))
        if _repeats(self, other, symbol):
            return NotImplemented
        return op.call(_tensor(self, other, "r" + symbol), self)

    return fast_paths.binary(op, otherwise=by_number), reflected


def _plus(n: Any) -> dict[str, Any]:
    return {"scale": 1.0, "bias": n}


def _minus(n: Any) -> dict[str, Any]:
    return {"scale": 1.0, "bias": -n or -0.0}  # so that a picture tells x - 0 from x + 0


def _times(n: Any) -> dict[str, Any]:
    return {"scale": n}  # no bias: x * 1 is not x + 0


def _pow(self: Any, other: Any) -> Any:
    if isinstance(other, NUMBERS):
        return a.pow(*_fits(self, other))
    return a.pow(self, other if hasattr(other, "stop_gradient") else _tensor(self, other, "pow"))


def _compare(symbol: str, call: Callable[..., Any], strangers: bool | None = None) -> Any:
    """Make a comparison; `strangers` is the answer to `== None` and to other kinds of object."""

    def forward(self: Any, other: Any) -> Any:
        if hasattr(other, "stop_gradient"):
            return call(self, other)
        if strangers is not None and not isinstance(other, (*NUMBERS, np.ndarray)):
            if isinstance(other, str):
                return creation.full_like(self, strangers, "bool")
            return strangers if other is None else NotImplemented
        other = other.item() if other.__class__ in NARROW else other  # here 2.5 is not 2
        return call(*_both(self, other, symbol))

    return forward


def install(cls: Any) -> None:
    """Give a class of tensors its operators."""
    pairs = {
        "add": _scaling_operator("add", a.add, _plus, _plus),
        "sub": _scaling_operator("sub", a.subtract, _minus, lambda n: {"scale": -1.0, "bias": n}),
        "mul": _scaling_operator("mul", a.multiply, _times, _times),
        "truediv": _plain("truediv", a.divide.call),
        "floordiv": _plain("floordiv", a.floor_divide.call),
        "mod": _plain("mod", a.remainder.call),
        "matmul": _plain("matmul", products.matmul_.call),
    }
    for symbol, (forward, reflected) in pairs.items():
        setattr(cls, f"__{symbol}__", forward)
        setattr(cls, f"__r{symbol}__", reflected)
    cls.__pow__, cls.__rpow__ = _pow, _plain("pow", a.elementwise_pow.call)[1]
    cls.__neg__ = lambda self: _scale(self, _times(-1.0))
    cls.__pos__ = lambda self: self
    cls.__abs__ = lambda self: self.abs()
    cls.__eq__ = _compare("eq", c.equal.call, strangers=False)
    cls.__ne__ = _compare("ne", c.not_equal.call, strangers=True)
    cls.__lt__ = _compare("lt", c.less_than.call)
    cls.__le__ = _compare("le", c.less_equal.call)
    cls.__gt__ = _compare("gt", c.greater_than.call)
    cls.__ge__ = _compare("ge", c.greater_equal.call)
    for symbol, call in (
        ("and", c.bitwise_and.call),
        ("or", c.bitwise_or.call),
        ("xor", c.bitwise_xor.call),
    ):
        setattr(cls, f"__{symbol}__", call)  # as in Paddle, a number may only stand on the left
        setattr(cls, f"__r{symbol}__", _plain(symbol, call)[1])
    for symbol, op in (("lshift", c.bitwise_left_shift), ("rshift", c.bitwise_right_shift)):
        forward, reflected = _plain(symbol, op.call)
        setattr(cls, f"__{symbol}__", forward)
        setattr(cls, f"__r{symbol}__", reflected)
    cls.__invert__ = c.bitwise_not.call
    cls.__hash__ = object.__hash__
    cls.__getitem__ = index.read
    cls.__array_ufunc__ = None  # ndarray + tensor asks the tensor
