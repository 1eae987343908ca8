"""Trigonometric and hyperbolic functions, and their inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..record import Public, sample
from ..rule_functions import ONES
from .unary import UNIT, unary

ABOVE_1 = (sample((2, 3), domain=(1.2, 4.0)), sample((), domain=(1.2, 4.0)), sample((0, 3)))

# ----- angles in radians -------------------------------------------------------------------------


@unary("y = sin x", numpy=np.sin)
def sin(xp: Any, x: Any) -> Any:
    """The sine of every element, in radians.

    >>> paddle.sin(paddle.to_tensor([0.0, np.pi / 2])).tolist()
    [0.0, 1.0]
    """
    return xp.sin(x)


sin.grad(lambda F, dout, x: dout * F.cos(x))


@unary("y = cos x", numpy=np.cos)
def cos(xp: Any, x: Any) -> Any:
    """The cosine of every element, in radians.

    >>> paddle.cos(paddle.to_tensor([0.0])).tolist()
    [1.0]
    """
    return xp.cos(x)


cos.grad(lambda F, dout, x: -dout * F.sin(x))


@unary(
    "y = tan x",
    samples=(sample((2, 3), domain=(-1.2, 1.2)), sample((), domain=(-1.2, 1.2)), sample((0, 3))),
    numpy=np.tan,
)
def tan(xp: Any, x: Any) -> Any:
    """The tangent of every element, in radians.

    >>> paddle.tan(paddle.zeros([2])).tolist()
    [0.0, 0.0]
    """
    return xp.tan(x)


tan.grad(lambda F, dout, x: dout * (1.0 + F.square(F.tan(x))))


@unary("y = arcsin x", samples=UNIT, numpy=np.arcsin)
def asin(xp: Any, x: Any) -> Any:
    """The angle in [-π/2, π/2] whose sine is x; NaN outside of [-1, 1].

    >>> paddle.asin(paddle.to_tensor([0.0, 2.0])).tolist()
    [0.0, nan]
    """
    return xp.arcsin(x)


asin.grad(lambda F, dout, x: dout / F.sqrt((1.0 - x) * (1.0 + x)))


@unary("y = arccos x", samples=UNIT, numpy=np.arccos)
def acos(xp: Any, x: Any) -> Any:
    """The angle in [0, π] whose cosine is x; NaN outside of [-1, 1].

    >>> paddle.acos(paddle.to_tensor([1.0, 2.0])).tolist()
    [0.0, nan]
    """
    return xp.arccos(x)


acos.grad(lambda F, dout, x: -dout / F.sqrt((1.0 - x) * (1.0 + x)))


@unary("y = arctan x", numpy=np.arctan)
def atan(xp: Any, x: Any) -> Any:
    """The angle in (-π/2, π/2) whose tangent is x.

    >>> paddle.atan(paddle.zeros([2])).tolist()
    [0.0, 0.0]
    """
    return xp.arctan(x)


atan.grad(lambda F, dout, x: dout / (1.0 + x * x))


# ----- hyperbolic --------------------------------------------------------------------------------


@unary("y = tanh x", numpy=np.tanh, public=Public(inplace=True, functional=True))
def tanh(xp: Any, x: Any) -> Any:
    """Squash every element into (-1, 1).

    >>> [f"{y:.4f}" for y in paddle.tanh(paddle.to_tensor([0.0, 0.5, 100.0])).tolist()]
    ['0.0000', '0.4621', '1.0000']
    """
    return xp.tanh(x)


@tanh.grad
def tanh_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * (1.0 - out * out)


@tanh.fused
def tanh_fused(F: Any, dout: Any, out: Any) -> Any:
    if F.xp is not np or not out.ndim:
        return tanh_grad(F, dout, out)
    slope = out * out
    return dout * np.subtract(ONES[out.dtype], slope, out=slope)


@unary("y = sinh x", numpy=np.sinh)
def sinh(xp: Any, x: Any) -> Any:
    """The hyperbolic sine of every element: (eˣ − e⁻ˣ) / 2.

    >>> paddle.sinh(paddle.zeros([2])).tolist()
    [0.0, 0.0]
    """
    return xp.sinh(x)


sinh.grad(lambda F, dout, x: dout * F.cosh(x))


@unary("y = cosh x", numpy=np.cosh)
def cosh(xp: Any, x: Any) -> Any:
    """The hyperbolic cosine of every element: (eˣ + e⁻ˣ) / 2.

    >>> paddle.cosh(paddle.zeros([2])).tolist()
    [1.0, 1.0]
    """
    return xp.cosh(x)


cosh.grad(lambda F, dout, x: dout * F.sinh(x))


@unary("y = arsinh x", numpy=np.arcsinh)
def asinh(xp: Any, x: Any) -> Any:
    """The number whose hyperbolic sine is x.

    >>> paddle.asinh(paddle.zeros([2])).tolist()
    [0.0, 0.0]
    """
    return xp.arcsinh(x)


asinh.grad(lambda F, dout, x: dout / F.sqrt(x * x + 1.0))


@unary("y = arcosh x", samples=ABOVE_1, numpy=np.arccosh)
def acosh(xp: Any, x: Any) -> Any:
    """The number ≥ 0 whose hyperbolic cosine is x; NaN below 1.

    >>> paddle.acosh(paddle.to_tensor([1.0, 0.0])).tolist()
    [0.0, nan]
    """
    return xp.arccosh(x)


# x² − 1 loses all digits near 1.
acosh.grad(lambda F, dout, x: dout / F.sqrt((x - 1.0) * (x + 1.0)))


@unary("y = artanh x", samples=UNIT, numpy=np.arctanh)
def atanh(xp: Any, x: Any) -> Any:
    """The number whose hyperbolic tangent is x; NaN outside of [-1, 1].

    >>> paddle.atanh(paddle.to_tensor([0.0, 1.0])).tolist()
    [0.0, inf]
    """
    return xp.arctanh(x)


atanh.grad(lambda F, dout, x: dout / ((1.0 - x) * (1.0 + x)))
