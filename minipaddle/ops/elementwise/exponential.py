"""Exponentials, logarithms, roots, fixed powers, and curves made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...engine.dtypes import DType
from ...engine.meta import SMALL, numbers
from ..arguments import COMPLEX, float32_reader, readers_for, real_reader
from ..record import Formula, Public, sample
from .unary import AWAY_FROM_0, POSITIVE, unary

# ----- exponentials ------------------------------------------------------------------------------


@unary("y = eˣ", SMALL, numpy=np.exp)
def exp(xp: Any, x: Any) -> Any:
    """e to the power of every element.

    >>> [f"{y:.4f}" for y in paddle.exp(paddle.to_tensor([0.0, 1.0])).tolist()]
    ['1.0000', '2.7183']
    """
    return xp.exp(x)


exp.grad(lambda F, dout, out: dout * out)


@unary("y = eˣ − 1", SMALL, numpy=np.expm1)
def expm1(xp: Any, x: Any) -> Any:
    """e to the power of every element, minus 1, exact also for tiny x.

    >>> paddle.expm1(paddle.to_tensor([0.0, 1e-8])).tolist()
    [0.0, 9.99999993922529e-09]
    """
    return xp.expm1(x)


expm1.grad(lambda F, dout, out: dout * (out + 1.0))


# ----- logarithms --------------------------------------------------------------------------------


@unary("y = ln x", SMALL, samples=POSITIVE, numpy=np.log)
def log(xp: Any, x: Any) -> Any:
    """The natural logarithm of every element.

    >>> [f"{y:.4f}" for y in paddle.log(paddle.to_tensor([1.0, np.e])).tolist()]
    ['0.0000', '1.0000']
    """
    return xp.log(x)


log.grad(lambda F, dout, x: dout / x)


@unary("y = log₂ x", SMALL, samples=POSITIVE, numpy=np.log2)
def log2(xp: Any, x: Any) -> Any:
    """The logarithm to base 2 of every element.

    >>> paddle.log2(paddle.to_tensor([1.0, 8.0])).tolist()
    [0.0, 3.0]
    """
    return xp.log2(x)


log2.grad(lambda F, dout, x: dout / (x * math.log(2.0)))


@unary("y = log₁₀ x", SMALL, samples=POSITIVE, numpy=np.log10)
def log10(xp: Any, x: Any) -> Any:
    """The logarithm to base 10 of every element.

    >>> paddle.log10(paddle.to_tensor([1.0, 10.0])).tolist()
    [0.0, 1.0]
    """
    return xp.log10(x)


log10.grad(lambda F, dout, x: dout / (x * math.log(10.0)))


@unary(
    "y = ln(1 + x)",
    SMALL,
    samples=(sample((2, 3), domain=(-0.8, 3.0)), sample((), domain=(-0.8, 3.0))),
    numpy=np.log1p,
)
def log1p(xp: Any, x: Any) -> Any:
    """The natural logarithm of 1 + x for every element, exact also for tiny x.

    >>> paddle.log1p(paddle.to_tensor([0.0, 1e-8])).tolist()
    [0.0, 9.99999993922529e-09]
    """
    return xp.log1p(x)


log1p.grad(lambda F, dout, x: dout / (x + 1.0))


# ----- roots, squares, inverses ------------------------------------------------------------------


@unary("y = √x", samples=POSITIVE, numpy=np.sqrt)
def sqrt(xp: Any, x: Any) -> Any:
    """The square root of every element.

    >>> paddle.sqrt(paddle.to_tensor([4.0, 9.0])).tolist()
    [2.0, 3.0]
    """
    return xp.sqrt(x)


sqrt.grad(lambda F, dout, out: dout * 0.5 / out)


@unary("y = 1 / √x", COMPLEX, samples=POSITIVE)
def rsqrt(xp: Any, x: Any) -> Any:
    """One over the square root of every element.

    >>> paddle.rsqrt(paddle.to_tensor([4.0, 0.25])).tolist()
    [0.5, 2.0]
    """
    return 1.0 / xp.sqrt(x)


rsqrt.grad(lambda F, dout, out: dout * -0.5 * out * out * out)


@unary(Formula("y = x²", "dx = dy · 2x"), infer=numbers("square"))
def square(xp: Any, x: Any) -> Any:
    """Every element times itself.

    >>> paddle.square(paddle.to_tensor([-3.0, 2.0])).tolist()
    [9.0, 4.0]
    """
    return xp.square(x if x.dtype.kind in "fc" else square.infer(x))


square.grad(lambda F, dout, x: dout * 2.0 * x)


@unary("y = 1 / x", samples=AWAY_FROM_0)
def reciprocal(xp: Any, x: Any) -> Any:
    """One over every element.

    >>> paddle.reciprocal(paddle.to_tensor([4.0, -0.5])).tolist()
    [0.25, -2.0]
    """
    return 1.0 / x


reciprocal.grad(lambda F, dout, out: -dout * out * out)


# ----- sigmoid, its inverse, tanh ----------------------------------------------------------------


@unary("y = 1 / (1 + e⁻ˣ)", public=Public(inplace=True, functional=True))
def sigmoid(xp: Any, x: Any) -> Any:
    """Squash every element into (0, 1).

    >>> paddle.sigmoid(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.5, 1.0]
    """
    return 1.0 / (1.0 + xp.exp(-x))  # an overflow of e⁻ˣ gives the right quotient 0


sigmoid.grad(lambda F, dout, out: dout * out * (1.0 - out))


def _logit_formula(attrs: dict[str, Any]) -> str:
    if not attrs["eps"]:
        return "y = ln(x / (1 − x))"
    low, high = attrs["eps"], 1 - attrs["eps"]
    return f"y = ln(t / (1 − t)), t = min(max(x, {low:g}), {high:g})"


def _logit_grad_formula(attrs: dict[str, Any]) -> str:
    slope = "dx = dy / (x · (1 − x))"
    low, high = attrs["eps"] or 0, 1 - (attrs["eps"] or 0)
    return f"{slope} · [{low:g} ≤ x ≤ {high:g}]" if attrs["eps"] else slope


@unary(
    Formula(_logit_formula, _logit_grad_formula),
    COMPLEX,
    canon={"eps": real_reader("logit", "eps", none=True)},
    samples=(
        sample((2, 3), domain=(0.1, 0.9)),
        sample((), domain=(0.2, 0.8), eps=0.1),
        sample((3, 4), domain=(0.01, 0.99), eps=0.3),
    ),
)
def logit(xp: Any, x: Any, *, eps: float | None = None) -> Any:
    """The inverse of sigmoid; with eps x is first limited to [eps, 1 - eps].

    >>> paddle.logit(paddle.to_tensor([0.0, 0.5]), eps=0.5).tolist()
    [0.0, 0.0]
    """
    if eps is not None and eps > 0.0:
        x = xp.maximum(xp.minimum(x, 1.0 - eps), eps)
    return xp.log(x / (1.0 - x))


@logit.grad
def logit_grad(F: Any, dout: Any, x: Any, *, eps: float | None) -> Any:
    if not eps:
        root = F.sqrt(x * (1.0 - x))  # NaN outside of [0, 1], like logit
        return dout / (root * root)
    inside = F.logical_and(x >= eps, x <= 1.0 - eps)
    dtype = DType.of(dout.dtype)
    x = F.where(inside, x, F.fill_like(x, value=0.5, dtype=dtype))  # far from the poles
    return F.where(inside, dout / (x * (1.0 - x)), F.fill_like(dout))


@unary(
    lambda attrs: f"y = {attrs['scale_b']:g} · tanh({attrs['scale_a']:g} · x)",
    canon=readers_for(float32_reader, "stanh", "scale_a", "scale_b"),
    samples=(sample((2, 3)), sample((), scale_a=-0.5, scale_b=2.0), sample((0, 3))),
    public=Public(),
)
def stanh(xp: Any, x: Any, *, scale_a: float = 0.67, scale_b: float = 1.7159) -> Any:
    """A stretched tanh: scale_b · tanh(scale_a · x).

    >>> paddle.stanh(paddle.to_tensor([0.0, 1.0]), scale_a=1.0, scale_b=0.0).tolist()
    [0.0, 0.0]
    """
    return xp.tanh(x * scale_a) * scale_b


@stanh.grad
def stanh_grad(F: Any, dout: Any, x: Any, *, scale_a: float, scale_b: float) -> Any:
    t = F.tanh(x * scale_a)
    return dout * (scale_a * scale_b) * (1.0 - t * t)
