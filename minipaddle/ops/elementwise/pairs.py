"""Further functions of two tensors: angles, signs, steps, divisors, interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...device import to_numpy
from ...engine.dtypes import DType
from ...engine.meta import Meta, broadcast, floats_widen, no_kernel
from ...messages import Message
from .. import errors
from ..arguments import SCALARS, make_operand, require_one_dtype
from ..catalog import public, publish, publish_with_number
from ..op_spec import Kernel, Op, op
from ..record import Formula, Operands, Public, Static, sample
from ..rule_functions import GRAPH as F
from ..widening import round_once
from .arithmetic import AWAY_FROM_0, binary, same_dtype

# ----- angles and signs --------------------------------------------------------------------------


def _atan2_infer(x: Meta, y: Meta) -> Meta:
    if x.dtype.kind in "bc":
        raise no_kernel("atan2", "x", x)
    return Meta(broadcast("atan2", x, y), x.dtype if x.dtype.kind == "f" else np.dtype("float64"))


@binary(
    promotes=floats_widen,
    infer=_atan2_infer,
    formula=Formula("z = atan2(x, y)"),
    static=Static("atan2", slots={"x": "X1", "y": "X2"}),
)
def atan2(xp: Any, x: Any, y: Any) -> Any:
    """The angle in (-π, π] with the tangent x / y, by the signs of both; integers give float64.

    >>> paddle.atan2(paddle.to_tensor([0.0, 0.0]), paddle.to_tensor([1.0, -1.0])).tolist()
    [0.0, 3.1415927410125732]
    """
    return xp.arctan2(x, y)


@atan2.grad
def atan2_grad(F: Any, dout: Any, x: Any, y: Any) -> Any:
    scaled = dout / (x * x + y * y)
    return scaled * y, -scaled * x


@binary(
    infer=same_dtype("copysign", refused="c"),
    formula=Formula("z = |x| · sign y", "dx = dz · sign x · sign y, dy = 0"),
    samples=AWAY_FROM_0,
    public=Public(inplace=True),
)
def copysign(xp: Any, x: Any, y: Any) -> Any:
    """The absolute value of x with the sign of y, a tensor or a number, also of -0.0.

    >>> paddle.copysign(paddle.to_tensor([1.0, -2.0]), paddle.to_tensor([-3.0])).tolist()
    [-1.0, -2.0]
    """
    return xp.copysign(x, y)


@copysign.grad
def copysign_grad(F: Any, dout: Any, x: Any, y: Any) -> Any:
    sign = F.sign(x)
    return dout * sign * F.copysign(sign, y), dout * 0.0


publish_with_number(copysign, inplace=True)


def _heaviside_infer(x: Meta, y: Meta) -> Meta:
    for label, meta in (("y", y), ("x", x)):
        if meta.dtype.kind == "c" or (label == "y" and meta.dtype.kind == "b"):
            raise no_kernel("heaviside", label, meta)
    if x.dtype != y.dtype:
        raise errors.other_dtype("heaviside", x=x, y=y)
    return Meta(broadcast("heaviside", x, y), x.dtype)


@binary(
    promotes=None,
    checked=True,
    infer=_heaviside_infer,
    formula=Formula("z = y · [x = 0] + [x > 0]"),
    static=Static("elementwise_heaviside"),
)
def heaviside(xp: Any, x: Any, y: Any) -> Any:
    """The step function: 0 for negative x, 1 for positive x, y where x is 0.

    >>> paddle.heaviside(paddle.to_tensor([-1.0, 0.0, 2.0]), paddle.to_tensor([0.5])).tolist()
    [0.0, 0.5, 1.0]
    """
    return xp.where(x == 0, y, (x > 0).astype(x.dtype))


@heaviside.grad
def heaviside_grad(F: Any, dout: Any, x: Any) -> Any:
    zero = dout * 0.0
    return zero, F.where(x == 0.0, dout, zero)


@binary(
    promotes=floats_widen,
    numpy=np.nextafter,
    infer=same_dtype("nextafter", refused="biuc"),
    gradless="a step of rounding has no gradient in Paddle",
    formula=Formula("z = x + ulp(x) · sgn(y − x)"),
)
def nextafter(xp: Any, x: Any, y: Any) -> Any:
    """The next number of the dtype after x in the direction of y.

    >>> paddle.nextafter(paddle.to_tensor([1.0]), paddle.to_tensor([2.0])).tolist()
    [1.0000001192092896]
    """
    return xp.nextafter(x, y)


# ----- integers ----------------------------------------------------------------------------------


def _integer_op(changes: int | Callable[..., int]) -> Callable[[Kernel], Op]:
    """Register an op on integers; `changes`: number of changes of its in-place form."""

    def register(kernel: Kernel) -> Op:
        name = kernel.__name__

        def infer(x: Meta, y: Meta) -> Meta:
            for label, meta in (("x", x), ("y", y)):
                if meta.dtype.kind not in "iu":
                    raise no_kernel(name, label, meta, Message("an integer tensor"), "int64")
            return Meta(broadcast(name, x, y), x.dtype)

        return binary(
            promotes=floats_widen,
            infer=infer,
            gradless="of integers",
            formula=Formula(f"z = {name}(x, y)"),
            samples=(sample((2, 3), (3,), ints={"x": 30, "y": 30}),),
            public=Public(inplace=True, changes=changes),
        )(kernel)

    return register


def _divisor_changes(x: Any, y: Any, name: str | None = None) -> int:
    """Return the number of in-place changes of Paddle's gcd_: two for each division."""
    x, y, changes = abs(to_numpy(x._data)), abs(to_numpy(y._data)), 1
    while y.any():
        x, y, changes = y, np.where(y == 0, 0, x % np.where(y == 0, 1, y)), changes + 2
        x, y = np.maximum(x, y), np.minimum(x, y)
    return changes


@_integer_op(changes=_divisor_changes)
def gcd(xp: Any, x: Any, y: Any) -> Any:
    """The greatest common divisor, never negative.

    >>> paddle.gcd(paddle.to_tensor([12, 0]), paddle.to_tensor([18, 5])).tolist()
    [6, 5]
    """
    return xp.gcd(x, y)


@_integer_op(changes=4)
def lcm(xp: Any, x: Any, y: Any) -> Any:
    """The least common multiple, never negative.

    >>> paddle.lcm(paddle.to_tensor([12, 0]), paddle.to_tensor([18, 5])).tolist()
    [36, 0]
    """
    return xp.lcm(x, y)


# ----- interpolation -----------------------------------------------------------------------------


def _lerp_infer(x: Meta, y: Meta, weight: Meta) -> Meta:
    require_one_dtype("lerp", "f", x=x, y=y, weight=weight)
    ends = Meta(broadcast("lerp", x, y), x.dtype)
    return Meta(broadcast("lerp", ends, weight), x.dtype)


@op(
    infer=_lerp_infer,
    checked=True,
    operands=Operands(broadcasts=True),
    formula=Formula("z = x + weight · (y − x)", symbol="lerp"),
    samples=(sample((2, 3), (2, 3), ()), sample((2, 3), (3,), (2, 1)), sample((3,), (2, 3), (3,))),
    public=Public(inplace=True),
)
def lerp_(xp: Any, x: Any, y: Any, weight: Any) -> Any:
    """The point between x and y at `weight`, a number or a tensor: 0 gives x, 1 gives y.

    >>> paddle.lerp(paddle.zeros([2]), paddle.to_tensor([10.0, 20.0]), 0.5).tolist()
    [5.0, 10.0]
    """
    return x + weight * (y - x)


lerp_.grad(lambda F, dout, x, y, weight: (dout * (1.0 - weight), dout * weight, dout * (y - x)))


def lerp(x: Any, y: Any, weight: Any, name: str | None = None) -> Any:
    return lerp_.call(x, y, make_operand(weight, x) if isinstance(weight, SCALARS) else weight)


publish(lerp_, lerp, inplace=True)


# ----- composed functions ------------------------------------------------------------------------


def _needs_tensor(function: str, name: str, value: Any) -> None:
    if not hasattr(value, "stop_gradient"):
        raise errors.no_tensor(function, name, value)


@public(inplace=True, changes=3)
@round_once
def hypot(x: Any, y: Any, name: str | None = None) -> Any:
    """√(x² + y²), the length of the longest side of a right triangle.

    Shapes: for example x [1], y [1] gives [1].
    Dtypes: floating, complex kept; int32, int64 give float32.
    Errors: TypeError if x is not a Tensor; RuntimeError for bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.hypot(paddle.to_tensor([3.0]), paddle.to_tensor([4.0])).tolist()
    [5.0]
    """
    _needs_tensor("hypot", "x", x)
    _needs_tensor("hypot", "y", y)
    return F.sqrt(F.add(F.square(x), F.square(y)))


@public()
@round_once
def logaddexp(x: Any, y: Any, name: str | None = None) -> Any:
    """ln(eˣ + eʸ), without overflow.

    Shapes: for example x [1], y [1] gives [1].
    Dtypes: floating kept; int32, int64 give float32.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.logaddexp(paddle.to_tensor([1000.0]), paddle.to_tensor([1000.0])).tolist()
    [1000.6931762695312]
    """
    difference = F.abs(F.subtract(x, y))
    tail = F.log1p(F.exp(-difference))
    top = F.maximum(x, y)
    integers = DType.of(top.dtype).numpy.kind in "iu"
    return F.add(top.astype(tail.dtype) if integers else top, tail)


@public(inplace=True, changes=2)
def ldexp(x: Any, y: Any, name: str | None = None) -> Any:
    """x times 2ʸ, in float32, or in float64 if x or y is.

    Shapes: for example x [2], y [2] gives [2].
    Dtypes: float32, float64 kept; complex, integers, bool, float16 give float32.
    Errors: TypeError if x is not a Tensor; ValueError if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> paddle.ldexp(paddle.to_tensor([1.0, 3.0]), paddle.to_tensor([2, 4])).tolist()
    [4.0, 48.0]
    """
    _needs_tensor("ldexp", "x", x)
    _needs_tensor("ldexp", "y", y)
    wide = "float64" if "float64" in (x.dtype.name, y.dtype.name) else "float32"
    x, y = F.cast(x, dtype=wide), F.cast(y, dtype=wide)
    return F.multiply(x, F.elementwise_pow(make_operand(2.0, y), y))
