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
from .arguments import make_operand
from .elementwise import arithmetic as a
from .elementwise import comparison as c
from .elementwise import scaling
from .indexing import index
from .making import creation
from .matrices import products

NUMBERS = (int, float, bool, complex, np.bool_, np.number)
NARROW: set[Any] = {np.float16, np.float32}
COMPLEX = {complex, np.complex64, np.complex128}
_scale = scaling.scale_.call.direct  # type: ignore[attr-defined]
_cast = creation.cast.call


def _promote(x: Any, value: Any) -> tuple[Any, Any]:
    """Return x, promoted for an operation with a number as in Paddle, and the number."""
    if value.__class__ in NARROW:
        value = _as_integer(x, value)
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


def _as_integer(x: Any, value: Any) -> Any:
    """Return a NumPy number as an int if x is of integers: np.float32(2.5) is 2, as in Paddle."""
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


def _as_operands(x: Any, value: Any, symbol: str) -> tuple[Any, Any]:
    """Return x and the other operand as tensors for one op."""
    x, value = _promote(x, value)
    return x, _as_operand(x, value, symbol)


def _as_operand(x: Any, value: Any, symbol: str) -> Any:
    """Return an operand as a tensor: a NumPy array or a number becomes one."""
    if isinstance(value, NUMBERS):
        return make_operand(value, x)
    if isinstance(value, np.ndarray):
        array = value.copy()
        return Tensor(beside(array, x._data) if isinstance(x, Tensor) else array)
    raise errors.no_operand(symbol, value)


def _is_repetition(self: Any, other: Any, symbol: str) -> bool:
    """Return whether this is `[1] * n`: an integer in a 0-D tensor repeats a sequence."""
    if symbol != "mul" or not isinstance(other, (list, tuple, str)) or self.ndim:
        return False
    return DType.of(self.dtype).numpy.kind in "iu"


def _tensor_operator(symbol: str, call: Callable[..., Any]) -> tuple[Any, Any]:
    """Make an operator on two tensors, and its reflection."""

    def forward(self: Any, other: Any) -> Any:
        if not hasattr(other, "stop_gradient"):
            self, other = _as_operands(self, other, symbol)
        return call(self, other)

    def reflected(self: Any, other: Any) -> Any:
        self, other = _as_operands(self, other, "r" + symbol)
        return call(other, self)

    return forward, reflected


def _scaling_operator(
    symbol: str, op: Any, right: Callable[[Any], Any], left: Callable[[Any], Any]
) -> tuple[Any, Any]:
    """Make an operator that calls `scale` if the other operand is a number n.

    `right(n)` returns the attributes of `scale` for x . n, `left(n)` those for n . x.
    """

    def by_number(self: Any, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            self, other = _promote(self, other)
            return _scale(self, right(other))
        if _is_repetition(self, other, symbol):
            return NotImplemented
        return op.call(self, _as_operand(self, other, symbol))

    def reflected(self: Any, other: Any) -> Any:
        if isinstance(other, NUMBERS):
            self, other = _promote(self, other)
            return _scale(self, left(other))
        if _is_repetition(self, other, symbol):
            return NotImplemented
        return op.call(_as_operand(self, other, "r" + symbol), self)

    return fast_paths.binary(op, otherwise=by_number), reflected


def _add_attrs(n: Any) -> dict[str, Any]:
    return {"scale": 1.0, "bias": n}


def _subtract_attrs(n: Any) -> dict[str, Any]:
    return {"scale": 1.0, "bias": -n or -0.0}  # a picture shows x - 0, not x + 0


def _multiply_attrs(n: Any) -> dict[str, Any]:
    return {"scale": n}  # no bias: x * 1 is not shown as x + 0


def _pow(self: Any, other: Any) -> Any:
    if isinstance(other, NUMBERS):
        return a.pow(*_promote(self, other))
    return a.pow(
        self, other if hasattr(other, "stop_gradient") else _as_operand(self, other, "pow")
    )


def _comparison_operator(
    symbol: str, call: Callable[..., Any], otherwise: bool | None = None
) -> Any:
    """Make a comparison; `otherwise` is the result for None and other kinds of objects."""

    def forward(self: Any, other: Any) -> Any:
        if hasattr(other, "stop_gradient"):
            return call(self, other)
        if otherwise is not None and not isinstance(other, (*NUMBERS, np.ndarray)):
            if isinstance(other, str):
                return creation.full_like(self, otherwise, "bool")
            return otherwise if other is None else NotImplemented
        other = other.item() if other.__class__ in NARROW else other  # 2.5 stays 2.5
        return call(*_as_operands(self, other, symbol))

    return forward


def install(cls: Any) -> None:
    """Give a class of tensors its operators."""
    pairs = {
        "add": _scaling_operator("add", a.add, _add_attrs, _add_attrs),
        "sub": _scaling_operator(
            "sub", a.subtract, _subtract_attrs, lambda n: {"scale": -1.0, "bias": n}
        ),
        "mul": _scaling_operator("mul", a.multiply, _multiply_attrs, _multiply_attrs),
        "truediv": _tensor_operator("truediv", a.divide.call),
        "floordiv": _tensor_operator("floordiv", a.floor_divide.call),
        "mod": _tensor_operator("mod", a.remainder.call),
        "matmul": _tensor_operator("matmul", products.matmul_.call),
    }
    for symbol, (forward, reflected) in pairs.items():
        setattr(cls, f"__{symbol}__", forward)
        setattr(cls, f"__r{symbol}__", reflected)
    cls.__pow__, cls.__rpow__ = _pow, _tensor_operator("pow", a.elementwise_pow.call)[1]
    cls.__neg__ = lambda self: _scale(self, _multiply_attrs(-1.0))
    cls.__pos__ = lambda self: self
    cls.__abs__ = lambda self: self.abs()
    cls.__eq__ = _comparison_operator("eq", c.equal.call, otherwise=False)
    cls.__ne__ = _comparison_operator("ne", c.not_equal.call, otherwise=True)
    cls.__lt__ = _comparison_operator("lt", c.less_than.call)
    cls.__le__ = _comparison_operator("le", c.less_equal.call)
    cls.__gt__ = _comparison_operator("gt", c.greater_than.call)
    cls.__ge__ = _comparison_operator("ge", c.greater_equal.call)
    for symbol, call in (
        ("and", c.bitwise_and.call),
        ("or", c.bitwise_or.call),
        ("xor", c.bitwise_xor.call),
    ):
        setattr(cls, f"__{symbol}__", call)  # a number only on the left, as in Paddle
        setattr(cls, f"__r{symbol}__", _tensor_operator(symbol, call)[1])
    for symbol, op in (("lshift", c.bitwise_left_shift), ("rshift", c.bitwise_right_shift)):
        forward, reflected = _tensor_operator(symbol, op.call)
        setattr(cls, f"__{symbol}__", forward)
        setattr(cls, f"__r{symbol}__", reflected)
    cls.__invert__ = c.bitwise_not.call
    cls.__hash__ = object.__hash__
    cls.__getitem__ = index.read
    cls.__array_ufunc__ = None  # ndarray + tensor then calls the tensor's operator
