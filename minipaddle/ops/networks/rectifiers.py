"""Piecewise linear activations: relu and its variants, shrinking, limiting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import random
from ...device import to_numpy
from ...engine.dtypes import DType
from ...engine.meta import Meta, broadcast, floats_only, no_kernel
from .. import errors
from ..arguments import float32_reader, readers_for, real_reader
from ..elementwise.scaling import write_number
from ..op_spec import internal, op
from ..record import Formula, Operands, Public, Results, Static, sample
from .activations import activation, bounded_reader

AWAY_FROM_0 = (sample((2, 3), domain=(0.3, 2.0)), sample((4,), domain=(-2.0, -0.3)))
SIDES = (
    *AWAY_FROM_0,
    sample((), domain=(0.3, 2.0)),
    sample((0, 3)),
    sample((3,), domain=(0.6, 0.9)),
    sample((3,), domain=(-0.9, -0.6)),
)


def _is_between(F: Any, x: Any, low: float, high: float) -> Any:
    """Return where x lies between two numbers."""
    return F.logical_and(x > low, x < high)


# ----- relu and its variants ---------------------------------------------------------------------


@op(
    infer=floats_only("relu"),
    formula=Formula("y = max(0, x)"),
    samples=AWAY_FROM_0,
    public=Public(inplace=True, functional=True),
)
def relu(xp: Any, x: Any) -> Any:
    """max(0, x).

    >>> paddle.nn.functional.relu(paddle.to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    return xp.maximum(x, 0.0)  # integers become floats; inference raises the error


relu.grad(lambda F, dout, out: dout * F.cast(out > 0, dtype=DType.of(dout.dtype)))


@relu.fused
def relu_fused(F: Any, dout: Any, out: Any) -> Any:
    dx = F.cast(out > 0, dtype=DType.of(dout.dtype))
    dx *= dout
    return dx


@activation(
    extra={"threshold": 6.0},
    formula=Formula("y = min(max(0, x), 6)"),
    samples=(*AWAY_FROM_0, sample((3,), domain=(6.5, 8.0))),
)
def relu6(xp: Any, x: Any) -> Any:
    """min(max(0, x), 6).

    >>> paddle.nn.functional.relu6(paddle.to_tensor([-1.0, 2.0, 7.0])).tolist()
    [0.0, 2.0, 6.0]
    """
    return xp.minimum(xp.maximum(x, 0.0), 6.0)


@relu6.grad
def relu6_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * F.cast(_is_between(F, out, 0.0, 6.0), dtype=DType.of(dout.dtype))


@activation(
    attrs={"negative_slope": "alpha"},
    canon={"negative_slope": real_reader("leaky_relu", "negative_slope")},
    formula=Formula("y = x · ([x ≥ 0] + negative_slope · [x < 0])"),
    samples=(*AWAY_FROM_0, sample((3,), domain=(-2.0, -0.3), negative_slope=0.3)),
)
def leaky_relu(xp: Any, x: Any, *, negative_slope: float = 0.01) -> Any:
    """x where x is positive, else negative_slope · x.

    >>> paddle.nn.functional.leaky_relu(paddle.to_tensor([-1.0, 2.0]), 0.5).tolist()
    [-0.5, 2.0]
    """
    return xp.where(x < 0, x * negative_slope, x)


leaky_relu.grad(lambda F, dout, x, *, negative_slope: F.where(x < 0, dout * negative_slope, dout))


@activation(
    canon=readers_for(real_reader, "thresholded_relu", "threshold", "value"),
    formula=Formula("y = x · [x > threshold] + value · [x ≤ threshold]"),
    samples=(
        sample((2, 3), domain=(1.2, 2.0)),
        sample((4,), domain=(-2.0, 0.9)),
        sample((3,), domain=(0.5, 2.0), threshold=0.3, value=2.0),
        sample((0, 3)),
    ),
)
def thresholded_relu(xp: Any, x: Any, *, threshold: float = 1.0, value: float = 0.0) -> Any:
    """x where x is above the threshold, else value.

    >>> paddle.nn.functional.thresholded_relu(paddle.to_tensor([0.5, 2.0])).tolist()
    [0.0, 2.0]
    """
    return xp.where(x <= threshold, xp.asarray(value, _real_kind(x)), x)  # NaN stays NaN


@thresholded_relu.grad
def thresholded_relu_grad(F: Any, dout: Any, x: Any, *, threshold: float) -> Any:
    return dout * F.cast(x > threshold, dtype=DType.of(dout.dtype))


def _real_kind(x: Any) -> Any:
    """Return the dtype of a float array, float64 for others (inference raises the error)."""
    return x.dtype if x.dtype.kind in "fc" else "float64"


# ----- learned and random slopes -----------------------------------------------------------------


def _prelu_infer(x: Meta, weight: Meta) -> Meta:
    if x.dtype.kind != "f":
        raise no_kernel("prelu", "x", x)
    if weight.dtype != x.dtype:
        raise errors.other_dtype("prelu", x=x, weight=weight)
    return Meta(broadcast("prelu", x, weight), x.dtype)


@internal(
    infer=_prelu_infer,
    operands=Operands(broadcasts=True),
    formula=Formula("y = x · ([x > 0] + weight · [x ≤ 0])"),
    samples=(
        sample((2, 3), (3,), domain=(0.3, 2.0)),
        sample((2, 3), (1,), domain=(-2.0, -0.3)),
        sample((2, 3, 2), (3, 1), domain=(-2.0, -0.3)),
    ),
    static=Static("prelu", slots={"weight": "Alpha"}),
)
def prelu(xp: Any, x: Any, weight: Any) -> Any:
    """x where it is positive, elsewhere x times a slope."""
    _prelu_infer(Meta(x.shape, x.dtype), Meta(weight.shape, weight.dtype))
    return xp.where(x > 0, x, x * weight)


@prelu.grad
def prelu_grad(F: Any, dout: Any, x: Any, weight: Any) -> Any:
    positive = x > 0
    return F.where(positive, dout, dout * weight), F.where(positive, dout * 0.0, dout * x)


@internal(
    infer=floats_only("rrelu"),
    results=Results(random=True),
    formula=Formula("y = [x ≥ 0] + u · [x < 0], u ~ U(lower, upper)"),
    samples=(sample((2, 3), lower=0.1, upper=0.3), sample((), lower=0.1, upper=0.3)),
)
def random_slopes(xp: Any, x: Any, *, lower: float, upper: float) -> Any:
    """1 where x is not negative, else a random number in [lower, upper)."""
    negative = to_numpy(x) < 0
    slopes = np.ones(x.shape, x.dtype)
    slopes[negative] = random.uniform((int(negative.sum()),), "float32", lower, upper)
    return xp.asarray(slopes)


# ----- limits ------------------------------------------------------------------------------------


@activation(
    spelling="brelu",
    attrs={"min": "t_min", "max": "t_max"},
    canon=readers_for(float32_reader, "hardtanh", "min", "max"),
    formula=Formula(
        lambda attrs: f"y = min(max(x, {write_number(attrs['min'])}), {write_number(attrs['max'])})"
    ),
    samples=(*SIDES, sample((3, 4), min=-0.7, max=0.9)),
)
def hardtanh(xp: Any, x: Any, *, min: float = -1.0, max: float = 1.0) -> Any:
    """x, limited to [min, max].

    >>> paddle.nn.functional.hardtanh(paddle.to_tensor([-3.0, 0.5])).tolist()
    [-1.0, 0.5]
    """
    return xp.minimum(xp.maximum(x, min), max)


@hardtanh.grad
def hardtanh_grad(F: Any, dout: Any, x: Any, *, min: float, max: float) -> Any:
    return dout * F.cast(_is_between(F, x, min, max), dtype=DType.of(dout.dtype))


@activation(
    spelling="hard_sigmoid",
    canon=readers_for(float32_reader, "hardsigmoid", "slope", "offset"),
    formula=Formula("y = min(max(slope · x + offset, 0), 1)"),
    samples=(sample((2, 3)), sample(()), sample((3,), slope=0.3), sample((2,), domain=(4.0, 5.0))),
)
def hardsigmoid(xp: Any, x: Any, *, slope: float = 0.1666667, offset: float = 0.5) -> Any:
    """slope · x + offset, limited to [0, 1].

    >>> paddle.nn.functional.hardsigmoid(paddle.to_tensor([-4.0, 0.0, 4.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    return xp.minimum(xp.maximum(x * slope + offset, 0.0), 1.0)


@hardsigmoid.grad
def hardsigmoid_grad(F: Any, dout: Any, out: Any, *, slope: float) -> Any:
    inside = F.cast(_is_between(F, out, 0.0, 1.0), dtype=DType.of(dout.dtype))
    return dout * inside * slope


@activation(
    infer=floats_only("hardswish", "fc"),
    spelling="hard_swish",
    extra={"threshold": 6.0, "scale": 6.0, "offset": 3.0},
    formula=Formula("y = x · min(max(x + 3, 0), 6) / 6"),
    samples=(sample((2, 3)), sample(()), sample((2,), domain=(3.5, 5.0)), sample((0, 3))),
)
def hardswish(xp: Any, x: Any) -> Any:
    """0 below -3, x above 3, a parabola between.

    >>> paddle.nn.functional.hardswish(paddle.to_tensor([-4.0, 0.0, 4.0])).tolist()
    [-0.0, 0.0, 4.0]
    """
    return x * xp.minimum(xp.maximum(x + 3.0, 0.0), 6.0) / 6.0


@hardswish.grad
def hardswish_grad(F: Any, dout: Any, x: Any) -> Any:
    curved = F.where(x > -3.0, dout * (x / 3.0 + 0.5), dout * 0.0)
    return F.where(x < 3.0, curved, dout)


# ----- shrinking ---------------------------------------------------------------------------------


@activation(
    spelling="hard_shrink",
    canon={"threshold": real_reader("hardshrink", "threshold")},
    formula=Formula("y = x · [|x| ≥ threshold]", "dx = dy · [|x| ≥ threshold]"),
    samples=(*SIDES, sample((3,), domain=(0.1, 0.4)), sample((3,), threshold=3.0)),
)
def hardshrink(xp: Any, x: Any, *, threshold: float = 0.5) -> Any:
    """x, or 0 where |x| < threshold.

    >>> paddle.nn.functional.hardshrink(paddle.to_tensor([-1.0, 0.3])).tolist()
    [-1.0, 0.0]
    """
    return xp.where(xp.abs(x) < threshold, xp.asarray(0.0, _real_kind(x)), x)


@hardshrink.grad
def hardshrink_grad(F: Any, dout: Any, x: Any, *, threshold: float) -> Any:
    return F.where(_is_between(F, x, -threshold, threshold), dout * 0.0, dout)


@activation(
    attrs={"threshold": "lambda"},
    canon={
        "threshold": bounded_reader("softshrink", "threshold >= 0", lambda t: t >= 0, real_reader)
    },
    formula=Formula("y = sign x · max(|x| − threshold, 0)"),
    samples=(*SIDES, sample((3,), domain=(0.1, 0.4)), sample((3,), threshold=3.0)),
)
def softshrink(xp: Any, x: Any, *, threshold: float = 0.5) -> Any:
    """x, moved towards 0 by at most the threshold.

    >>> paddle.nn.functional.softshrink(paddle.to_tensor([-1.0, 0.3])).tolist()
    [-0.5, 0.0]
    """
    return x - xp.minimum(xp.maximum(x, -threshold), threshold)


@softshrink.grad
def softshrink_grad(F: Any, dout: Any, x: Any, *, threshold: float) -> Any:
    return dout * F.cast(F.abs(x) > threshold, dtype=DType.of(dout.dtype))
