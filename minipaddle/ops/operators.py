"""What `+`, `*`, `[]` and the comparisons mean, for Tensors and for Variables alike."""

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


def _fits(x: Any, value: Any) -> Any:
    """x in a dtype that can take this Python number, as Paddle promotes it."""
    kind = x._data.dtype.kind if isinstance(x, Tensor) else DType.of(x.dtype).numpy.kind
    if value.__class__ in COMPLEX and kind != "c":
        wide = DType.of(x.dtype).numpy == np.float64
        return _cast(x, dtype="complex128" if wide else "complex64")
    if kind == "f":
        return x
    if isinstance(value, (float, np.floating)) and kind in "biu":
        return _cast(x, dtype=dtypes.get_default())
    if kind == "b" and not isinstance(value, (bool, np.bool_)):
        return _cast(x, dtype="int64")
    return x


def _beside(x: Any, value: Any) -> Any:
    """A NumPy number that is no Python number: beside integers it takes their dtype, as in Paddle,
    so np.float32(2.5) is 2 there."""
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


def _operand(x: Any, value: Any, symbol: str) -> Any:
    """The other operand as a tensor: a NumPy array is wrapped, a number made a constant."""
    if isinstance(value, NUMBERS):
        return constant(value, x)
    if isinstance(value, np.ndarray):
        array = value.copy()
        return Tensor(beside(array, x._data) if isinstance(x, Tensor) else array)
    raise errors.no_operand(symbol, value)


def _repeats(self: Any, other: Any, symbol: str) -> bool:
    """Whether this is `[1] * n`: a whole number in a 0-D tensor repeats a sequence."""
    if symbol != "mul" or not isinstance(other, (list, tuple, str)) or self.ndim:
        return False
    return DType.of(self.dtype).numpy.kind in "iu"


def _plain(symbol: str, call: Callable[..., Any]) -> tuple[Any, Any]:
    """An operator and its reflection that always need two tensors."""

    def forward(self: Any, other: Any) -> Any:
        if not hasattr(other, "stop_gradient"):
            if other.__class__ in NARROW:
                other = _beside(self, other)
            self = _fits(self, other)
            other = _operand(self, other, symbol)
        return call(self, other)

    def reflected(self: Any, other: Any) -> Any:
        if other.__class__ in NARROW:
            other = _beside(self, other)
        self = _fits(self, other)
        return call(_operand(self, other, "r" + symbol), self)

    return forward, reflected


def _scaling_operator(
    symbol: str, op: Any, ours: Callable[[Any], Any], theirs: Callable[[Any], Any]
) -> tuple[Any, Any]:
    """An operator that is `scale` when the other operand is a number n.

    `ours(n)` gives the attributes for x . n, `theirs(n)` those for n . x.
    """
    call = op.call

    def by_number(self: Any, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            if other.__class__ in NARROW:
                other = _beside(self, other)
            return _scale(_fits(self, other), ours(other))
        if _repeats(self, other, symbol):
            return NotImplemented
        return call(self, _operand(self, other, symbol))

    forward = fast_paths.binary(op, otherwise=by_number)

    def reflected(self: Any, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            if other.__class__ in NARROW:
                other = _beside(self, other)
            return _scale(_fits(self, other), theirs(other))
        if _repeats(self, other, symbol):
            return NotImplemented
        return call(_operand(self, other, "r" + symbol), self)

    return forward, reflected


def _plus(n: Any) -> dict[str, Any]:
    return {"scale": 1.0, "bias": n}


def _minus(n: Any) -> dict[str, Any]:
    return {"scale": 1.0, "bias": -n or -0.0}  # so that a picture tells x - 0 from x + 0


def _times(n: Any) -> dict[str, Any]:
    return {"scale": n}  # no bias: x * 1 is not x + 0


def _pow(self: Any, other: Any) -> Any:
    if isinstance(other, NUMBERS):
        if other.__class__ in NARROW:
            other = _beside(self, other)
        return a.pow(_fits(self, other), other)
    if hasattr(other, "stop_gradient"):
        return a.pow(self, other)
    return a.pow(self, _operand(self, other, "pow"))


def _rpow(self: Any, other: Any) -> Any:
    if other.__class__ in NARROW:
        other = _beside(self, other)
    self = _fits(self, other)
    return a.elementwise_pow.call(_operand(self, other, "rpow"), self)


def _compare(symbol: str, call: Callable[..., Any], strangers: bool | None = None) -> Any:
    """A comparison; `strangers`: the answer to `== None` and to other kinds of object."""

    def forward(self: Any, other: Any) -> Any:
        if hasattr(other, "stop_gradient"):
            return call(self, other)
        if strangers is not None and not isinstance(other, (*NUMBERS, np.ndarray)):
            if isinstance(other, str):
                return creation.full_like(self, strangers, "bool")
            return strangers if other is None else NotImplemented
        self = _fits(self, other)
        return call(self, _operand(self, other, symbol))

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
    cls.__pow__, cls.__rpow__ = _pow, _rpow
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
