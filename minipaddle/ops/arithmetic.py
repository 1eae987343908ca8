"""Ops on two tensors that broadcast against each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import DType
from ..errors import PreconditionNotMet
from ..meta import Meta, broadcast, no_kernel, promoted
from .records import Static, sample
from .registry import Kernel, Op, op

PAIRS = (sample((2, 3), (2, 3)), sample((2, 3), (3,)), sample((2, 1), (1, 3)), sample((), (2,)))
AWAY_FROM_0 = tuple(s._replace(domain=(0.4, 2.0)) for s in PAIRS)


def _both(name: str) -> Any:
    def infer(x: Meta, y: Meta) -> Meta:
        return Meta(broadcast(name, x, y), promoted(name, x, y))

    return infer


def _subtract_infer(x: Meta, y: Meta) -> Meta:
    dtype = promoted("subtract", x, y)
    if dtype.kind == "b":
        raise no_kernel("subtract", "x", x)
    return Meta(broadcast("subtract", x, y), dtype)


def _compare(name: str) -> Any:
    def infer(x: Meta, y: Meta) -> Meta:
        promoted(name, x, y)
        return Meta(broadcast(name, x, y), np.dtype(bool))

    return infer


def binary(name: str, paddle_type: str, **record: Any) -> Callable[[Kernel], Op]:
    """Register an op on two tensors that broadcast, with Paddle's static operator type."""
    return op(
        name, broadcasts=True,
        **{"infer": _both(name), "static": Static(paddle_type, extra={"axis": -1}), **record},
    )  # fmt: skip


# ----- arithmetic --------------------------------------------------------------------------------


@binary(
    "add", "elementwise_add", inplace=True, symbol="+", samples=PAIRS,
    formula="z = x + y", grad_formula="dx = dz, dy = dz",
)  # fmt: skip
def add(xp: Any, x: Any, y: Any) -> Any:
    """x + y, element by element."""
    return xp.add(x, y)


@add.grad
def add_grad(F: Any, dout: Any) -> Any:
    return dout, dout


@binary(
    "subtract", "elementwise_sub", inplace=True, infer=_subtract_infer, symbol="−", samples=PAIRS,
    formula="z = x − y", grad_formula="dx = dz, dy = −dz",
)  # fmt: skip
def subtract(xp: Any, x: Any, y: Any) -> Any:
    """x - y, element by element."""
    return xp.subtract(x, y)


@subtract.grad
def subtract_grad(F: Any, dout: Any) -> Any:
    return dout, -dout


@binary(
    "multiply", "elementwise_mul", inplace=True, symbol="×", saves=("x", "y"), samples=PAIRS,
    formula="z = x · y", grad_formula="dx = dz · y, dy = dz · x",
)  # fmt: skip
def multiply(xp: Any, x: Any, y: Any) -> Any:
    """x times y, element by element."""
    return xp.multiply(x, y)


@multiply.grad
def multiply_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    return dout * y if needs[0] else None, dout * x if needs[1] else None


def _divide_infer(x: Meta, y: Meta) -> Meta:
    dtype = promoted("divide", x, y)
    return Meta(broadcast("divide", x, y), dtype if dtype.kind in "fc" else np.dtype("float32"))


@binary(
    "divide", "elementwise_div", inplace=True, infer=_divide_infer, symbol="÷", saves=("x", "y"),
    samples=AWAY_FROM_0,
    formula="z = x / y", grad_formula="dx = dz / y, dy = −dz · x / y²",
)  # fmt: skip
def divide(xp: Any, x: Any, y: Any) -> Any:
    """x / y, element by element; integers give float32."""
    return xp.true_divide(x, y)


@divide.grad
def divide_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    dx = dout / y
    return dx if needs[0] else None, -dx * x / y if needs[1] else None


@binary(
    "elementwise_pow", "elementwise_pow", symbol="^", saves=("x", "y", "out"), public=False,
    method=False, samples=AWAY_FROM_0,
    formula="z = xʸ", grad_formula="dx = dz · y · xʸ⁻¹, dy = dz · z · ln x",
)  # fmt: skip
def elementwise_pow(xp: Any, x: Any, y: Any) -> Any:
    """x to the power of y, element by element."""
    return xp.power(x, y)


@elementwise_pow.grad
def elementwise_pow_grad(F: Any, dout: Any, x: Any, y: Any, out: Any, *, needs: list[bool]) -> Any:
    dx = dout * y * F.elementwise_pow(x, y - 1.0) if needs[0] else None
    return dx, dout * out * F.log(x) if needs[1] else None


def _share(F: Any, dout: Any, x: Any, y: Any) -> Any:
    """The gradient where x > y, and where x < y; half to each where they are equal."""
    dtype = DType.of(dout.dtype)
    above, below = F.cast(x > y, dtype=dtype), F.cast(x < y, dtype=dtype)
    ties = (1.0 - above - below) * 0.5
    return dout * (above + ties), dout * (below + ties)


@binary(
    "maximum", "elementwise_max", saves=("x", "y"), symbol="max", samples=PAIRS,
    formula="z = max(x, y)", grad_formula="dx = dz · (x > y), dy = dz · (y > x); x = y: ½ dz",
)  # fmt: skip
def maximum(xp: Any, x: Any, y: Any) -> Any:
    """The larger of x and y, element by element; equal elements share the gradient."""
    return xp.maximum(x, y)


@maximum.grad
def maximum_grad(F: Any, dout: Any, x: Any, y: Any) -> Any:
    return _share(F, dout, x, y)


@binary(
    "minimum", "elementwise_min", saves=("x", "y"), symbol="min", samples=PAIRS,
    formula="z = min(x, y)", grad_formula="dx = dz · (x < y), dy = dz · (y < x); x = y: ½ dz",
)  # fmt: skip
def minimum(xp: Any, x: Any, y: Any) -> Any:
    """The smaller of x and y, element by element; equal elements share the gradient."""
    return xp.minimum(x, y)


@minimum.grad
def minimum_grad(F: Any, dout: Any, x: Any, y: Any) -> Any:
    return _share(F, dout, y, x)


def _no_integer_zero(xp: Any, y: Any, name: str) -> None:
    if y.dtype.kind in "iu" and not xp.all(y):
        raise PreconditionNotMet(
            f"{name}(): Integer division by zero encountered.",
            expected="a divisor without zeros, for integers",
            received="at least one 0 in y",
            fix="check the divisor, or compute in float32 where x / 0 is inf",
        )


@binary(
    "floor_divide", "elementwise_floordiv", inplace=True,
    gradless="a step function without a gradient in Paddle", symbol="//", samples=AWAY_FROM_0,
    formula="z = ⌊x / y⌋",
)  # fmt: skip
def floor_divide(xp: Any, x: Any, y: Any) -> Any:
    """The floor of x / y, element by element."""
    _no_integer_zero(xp, y, "floor_divide")
    return xp.floor_divide(x, y)


@binary(
    "remainder", "elementwise_mod", inplace=True, aliases=("mod", "floor_mod"), saves=("x", "y"),
    symbol="mod", samples=AWAY_FROM_0,
    formula="z = x − y · ⌊x / y⌋", grad_formula="dx = dz, dy = −dz · ⌊x / y⌋",
)  # fmt: skip
def remainder(xp: Any, x: Any, y: Any) -> Any:
    """What is left of x after dividing by y, with the sign of y."""
    _no_integer_zero(xp, y, "remainder")
    return xp.remainder(x, y)


@remainder.grad
def remainder_grad(F: Any, dout: Any, x: Any, y: Any) -> Any:
    return dout, -dout * F.floor(x / y)


# ----- bits: integers and bools, no gradient ------------------------------------------------------


def _bits(name: str) -> Any:
    def infer(x: Meta, y: Meta | None = None) -> Meta:
        y = x if y is None else y
        for label, meta in (("x", x), ("y", y)):
            if meta.dtype.kind not in "biu":
                raise no_kernel(name, label, meta, "an integer or bool tensor", "int64")
        return Meta(broadcast(name, x, y), promoted(name, x, y))

    return infer


def _bitwise(name: str, symbol: str, word: str) -> Op:
    def kernel(xp: Any, x: Any, y: Any) -> Any:
        return getattr(xp, name)(x, y)

    kernel.__doc__ = f"The {word} of the bits of x and y; of bools, of their truth."
    return binary(
        name, name, infer=_bits(name), symbol=symbol, gradless="works on the bits of integers",
        formula=f"z = x {symbol} y",
        samples=(sample((2, 3), (3,), ints={"x": 8, "y": 8}),),
    )(kernel)  # fmt: skip


bitwise_and = _bitwise("bitwise_and", "&", "and")
bitwise_or = _bitwise("bitwise_or", "|", "or")
bitwise_xor = _bitwise("bitwise_xor", "^", "exclusive or")


@op(
    "bitwise_not", gradless="works on the bits of integers", infer=_bits("bitwise_not"),
    symbol="~", formula="y = ~x",
    samples=(sample((2, 3), ints={"x": 8}),),
)  # fmt: skip
def bitwise_not(xp: Any, x: Any) -> Any:
    """The opposite of every bit of x; of bools, of their truth."""
    return xp.invert(x)


# ----- comparisons and logic: bool results, no gradient -------------------------------------------


def _comparison(name: str, ufunc: str, symbol: str, doc: str) -> Op:
    def kernel(xp: Any, x: Any, y: Any) -> Any:
        return getattr(xp, ufunc)(x, y)

    kernel.__doc__ = doc
    return binary(
        name,
        name,
        infer=_compare(name),
        symbol=symbol,
        samples=PAIRS,
        formula=f"z = x {symbol} y",
        gradless="answers with bools",
    )(kernel)


equal = _comparison("equal", "equal", "=", "Whether x equals y, element by element.")
not_equal = _comparison("not_equal", "not_equal", "≠", "Whether x differs from y.")
less_than = _comparison("less_than", "less", "<", "Whether x is less than y.")
less_equal = _comparison("less_equal", "less_equal", "≤", "Whether x is at most y.")
greater_than = _comparison("greater_than", "greater", ">", "Whether x is greater than y.")
greater_equal = _comparison("greater_equal", "greater_equal", "≥", "Whether x is at least y.")
logical_and = _comparison("logical_and", "logical_and", "and", "Whether x and y are both true.")
logical_or = _comparison("logical_or", "logical_or", "or", "Whether x or y is true.")
logical_xor = _comparison("logical_xor", "logical_xor", "xor", "Whether one of x and y is true.")
