"""Ops that treat every element by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DType
from ..meta import Meta, boolean, floating, floats_only, unchanged
from .arguments import number
from .records import Static, sample
from .registry import op

ANY = (sample((2, 3)), sample(()), sample((0, 3)))
POSITIVE = (sample((2, 3), domain=(0.2, 3.0)), sample((), domain=(0.2, 3.0)))
AWAY_FROM_0 = (sample((2, 3), domain=(0.3, 2.0)), sample((4,), domain=(-2.0, -0.3)))

# ----- smooth functions --------------------------------------------------------------------------


@op(
    "tanh", inplace=True, infer=floating, saves=("out",), samples=ANY,
    formula="y = tanh x", grad_formula="dx = dy · (1 − y²)",
)  # fmt: skip
def tanh(xp: Any, x: Any) -> Any:
    """Squash every element into (-1, 1)."""
    return xp.tanh(x)


@tanh.grad
def tanh_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * (1.0 - out * out)


@op(
    "sigmoid", inplace=True, infer=floating, saves=("out",), samples=ANY,
    formula="y = 1 / (1 + e⁻ˣ)", grad_formula="dx = dy · y · (1 − y)",
)  # fmt: skip
def sigmoid(xp: Any, x: Any) -> Any:
    """Squash every element into (0, 1)."""
    return 0.5 * (xp.tanh(0.5 * x) + 1.0)


@sigmoid.grad
def sigmoid_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * out * (1.0 - out)


@op(
    "exp", inplace=True, infer=floating, saves=("out",), samples=ANY,
    formula="y = eˣ", grad_formula="dx = dy · y",
)  # fmt: skip
def exp(xp: Any, x: Any) -> Any:
    """e to the power of every element."""
    return xp.exp(x)


@exp.grad
def exp_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * out


@op(
    "log", inplace=True, infer=floating, saves=("x",), samples=POSITIVE,
    formula="y = ln x", grad_formula="dx = dy / x",
)  # fmt: skip
def log(xp: Any, x: Any) -> Any:
    """The natural logarithm of every element."""
    return xp.log(x)


@log.grad
def log_grad(F: Any, dout: Any, x: Any) -> Any:
    return dout / x


@op(
    "sqrt", inplace=True, infer=floating, saves=("out",), samples=POSITIVE,
    formula="y = √x", grad_formula="dx = dy / (2y)",
)  # fmt: skip
def sqrt(xp: Any, x: Any) -> Any:
    """The square root of every element."""
    return xp.sqrt(x)


@sqrt.grad
def sqrt_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * 0.5 / out


@op(
    "rsqrt", inplace=True, infer=floating, saves=("out",), samples=POSITIVE,
    formula="y = 1 / √x", grad_formula="dx = −dy · y³ / 2",
)  # fmt: skip
def rsqrt(xp: Any, x: Any) -> Any:
    """One over the square root of every element."""
    return 1.0 / xp.sqrt(x)


@rsqrt.grad
def rsqrt_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * -0.5 * out * out * out


@op(
    "square", inplace=True, infer=unchanged, saves=("x",), samples=ANY,
    formula="y = x²", grad_formula="dx = dy · 2x",
)  # fmt: skip
def square(xp: Any, x: Any) -> Any:
    """Every element times itself."""
    return xp.square(x)


@square.grad
def square_grad(F: Any, dout: Any, x: Any) -> Any:
    return dout * 2.0 * x


@op(
    "reciprocal", inplace=True, infer=floating, saves=("out",), samples=AWAY_FROM_0,
    formula="y = 1 / x", grad_formula="dx = −dy · y²",
)  # fmt: skip
def reciprocal(xp: Any, x: Any) -> Any:
    """One over every element."""
    return 1.0 / x


@reciprocal.grad
def reciprocal_grad(F: Any, dout: Any, out: Any) -> Any:
    return -dout * out * out


@op(
    "sin", inplace=True, infer=floating, saves=("x",), samples=ANY,
    formula="y = sin x", grad_formula="dx = dy · cos x",
)  # fmt: skip
def sin(xp: Any, x: Any) -> Any:
    """The sine of every element, in radians."""
    return xp.sin(x)


@sin.grad
def sin_grad(F: Any, dout: Any, x: Any) -> Any:
    return dout * F.cos(x)


@op(
    "cos", inplace=True, infer=floating, saves=("x",), samples=ANY,
    formula="y = cos x", grad_formula="dx = −dy · sin x",
)  # fmt: skip
def cos(xp: Any, x: Any) -> Any:
    """The cosine of every element, in radians."""
    return xp.cos(x)


@cos.grad
def cos_grad(F: Any, dout: Any, x: Any) -> Any:
    return -dout * F.sin(x)


# ----- functions with a corner -------------------------------------------------------------------


@op(
    "relu", inplace=True, infer=floats_only("relu"), saves=("out",), samples=AWAY_FROM_0,
    formula="y = max(0, x)", grad_formula="dx = dy · (y > 0)",
)  # fmt: skip
def relu(xp: Any, x: Any) -> Any:
    """Keep positive elements, replace the others by 0."""
    return xp.maximum(x, 0.0)  # of integers this is a float, which inference then refuses


@relu.grad
def relu_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * F.cast(out > 0, dtype=_same(dout))


@op(
    "abs", inplace=True, infer=unchanged, saves=("x",), samples=AWAY_FROM_0,
    formula="y = |x|", grad_formula="dx = dy · sign x",
)  # fmt: skip
def abs(xp: Any, x: Any) -> Any:
    """The absolute value of every element."""
    return xp.abs(x)


@abs.grad
def abs_grad(F: Any, dout: Any, x: Any) -> Any:
    return dout * F.sign(x)


# ----- steps: their gradient is 0 everywhere -----------------------------------------------------


@op(
    "sign", infer=unchanged, samples=AWAY_FROM_0,
    formula="y = sign x", grad_formula="dx = 0",
)  # fmt: skip
def sign(xp: Any, x: Any) -> Any:
    """-1, 0 or 1: the sign of every element."""
    return xp.sign(x)


@sign.grad
def sign_grad(F: Any, dout: Any) -> Any:
    return dout * 0.0


@op(
    "floor", inplace=True, infer=unchanged, samples=AWAY_FROM_0,
    formula="y = ⌊x⌋", grad_formula="dx = 0",
)  # fmt: skip
def floor(xp: Any, x: Any) -> Any:
    """The largest integer not above every element."""
    return xp.floor(x)


@floor.grad
def floor_grad(F: Any, dout: Any) -> Any:
    return dout * 0.0


@op(
    "ceil", inplace=True, infer=unchanged, samples=AWAY_FROM_0,
    formula="y = ⌈x⌉", grad_formula="dx = 0",
)  # fmt: skip
def ceil(xp: Any, x: Any) -> Any:
    """The smallest integer not below every element."""
    return xp.ceil(x)


@ceil.grad
def ceil_grad(F: Any, dout: Any) -> Any:
    return dout * 0.0


@op(
    "round", inplace=True, infer=unchanged, samples=AWAY_FROM_0,
    formula="y = round x", grad_formula="dx = 0",
)  # fmt: skip
def round(xp: Any, x: Any) -> Any:
    """Every element to the nearest integer, halves to the even one."""
    return xp.round(x)


@round.grad
def round_grad(F: Any, dout: Any) -> Any:
    return dout * 0.0


# ----- with attributes ---------------------------------------------------------------------------


def _same(x: Any) -> Any:
    """The dtype of an array, Tensor or Variable, in the form that cast takes."""
    return DType.of(x.dtype)


def _scale_formula(attrs: dict[str, Any]) -> str:
    scale, bias = attrs["scale"], attrs["bias"]
    if scale == -1:
        return f"y = {bias:g} − x" if bias else "y = −x"
    product = "x" if scale == 1 else f"{scale:g} · x"
    if not bias:
        return f"y = {product}"
    return f"y = {product} − {-bias:g}" if bias < 0 else f"y = {product} + {bias:g}"


def _scale_grad_formula(attrs: dict[str, Any]) -> str:
    scale = attrs["scale"]
    return {1: "dx = dy", -1: "dx = −dy"}.get(scale, f"dx = {scale:g} · dy")


def _scale_symbol(attrs: dict[str, Any]) -> str:
    scale, bias = attrs["scale"], attrs["bias"]
    if scale == 1:
        return f"+ {bias:g}" if bias >= 0 else f"− {-bias:g}"
    if scale == -1:
        return f"{bias:g} −" if bias else "−"
    return f"× {scale:g}" if not bias else f"× {scale:g} + {bias:g}"


@op(
    "scale", inplace=True, infer=unchanged, symbol=_scale_symbol,
    canon={"scale": number, "bias": number},
    static=Static("scale", extra={"bias_after_scale": True}),
    formula=_scale_formula, grad_formula=_scale_grad_formula,
    samples=(sample((2, 3), scale=-2.5, bias=1.0), sample((), scale=3.0), sample((2,), bias=1.0)),
)  # fmt: skip
def scale(
    xp: Any, x: Any, *, scale: float = 1.0, bias: float = 0.0, bias_after_scale: bool = True
) -> Any:
    """scale · x + bias, or scale · (x + bias) if bias_after_scale is False."""
    if not bias_after_scale:
        bias = bias * scale
    if x.dtype.kind == "u":  # they wrap, and NumPy takes no number outside of their range
        return (x.astype(np.int64) * scale + bias).astype(x.dtype)
    if scale == -1:
        return bias - x if bias else -x
    if scale == 1:
        return x + bias if bias else x.copy()
    return x * scale + bias if bias else x * scale


@scale.grad
def scale_grad(F: Any, dout: Any, *, scale: float) -> Any:
    return F.scale(dout, scale=scale)


@op(
    "pow", infer=unchanged, saves=("x",), symbol=lambda attrs: f"^ {attrs['factor']:g}",
    canon={"factor": number},
    formula=lambda attrs: f"y = x^{attrs['factor']:g}",
    grad_formula=lambda attrs: f"dx = dy · {attrs['factor']:g} · x^{attrs['factor'] - 1:g}",
    public=False, method=False,
    samples=(sample((2, 3), domain=(0.3, 2.0), factor=3.0), sample((2,), factor=2)),
)  # fmt: skip
def pow_(xp: Any, x: Any, *, factor: float) -> Any:
    """Every element to the power of one number."""
    return xp.power(x, factor) if x.dtype.kind == "f" or factor >= 0 else 1 // xp.power(x, -factor)


@pow_.grad
def pow_grad(F: Any, dout: Any, x: Any, *, factor: float) -> Any:
    return dout * factor if factor == 1 else dout * (factor * F.pow(x, factor=factor - 1))


def _clip_infer(x: Meta, *, min: Any, max: Any) -> Meta:
    return Meta(x.shape, _clip_dtype(x.dtype, min, max))


def _clip_dtype(dtype: Any, *limits: Any) -> Any:
    """Integers stay what they are unless a limit is a fraction."""
    fraction = dtype.kind in "iu" and any(isinstance(limit, float) for limit in limits)
    return np.dtype("float32") if fraction else dtype


@op(
    "clip", inplace=True, infer=_clip_infer, saves=("x",), canon={"min": number, "max": number},
    formula="y = min(max(x, lo), hi)", grad_formula="dx = dy · (lo ≤ x ≤ hi)",
    samples=(sample((3, 4), min=-0.7, max=0.9), sample((4,), min=0.1), sample((4,), max=0.1)),
)  # fmt: skip
def clip(xp: Any, x: Any, *, min: Any = None, max: Any = None) -> Any:
    """Limit every element to [min, max]; None means no limit on that side."""
    out = x.astype(_clip_dtype(x.dtype, min, max), copy=False)
    out = out if min is None else xp.maximum(out, xp.asarray(min, out.dtype))
    out = out if max is None else xp.minimum(out, xp.asarray(max, out.dtype))
    return out.copy() if out is x else out


@clip.grad
def clip_grad(F: Any, dout: Any, x: Any, *, min: Any, max: Any) -> Any:
    inside = dout
    if min is not None:
        inside = inside * F.cast(x >= min, dtype=_same(dout))
    if max is not None:
        inside = inside * F.cast(x <= max, dtype=_same(dout))
    return inside


# ----- questions: bool results, no gradient ------------------------------------------------------


@op(
    "isnan",
    gradless="answers with bools or positions",
    infer=boolean,
    samples=(sample((2, 3)),),
    formula="y = isnan(x)",
)
def isnan(xp: Any, x: Any) -> Any:
    """Whether each element is NaN."""
    return xp.isnan(x)


@op(
    "isinf",
    gradless="answers with bools or positions",
    infer=boolean,
    samples=(sample((2, 3)),),
    formula="y = isinf(x)",
)
def isinf(xp: Any, x: Any) -> Any:
    """Whether each element is infinite."""
    return xp.isinf(x)


@op(
    "isfinite",
    gradless="answers with bools or positions",
    infer=boolean,
    samples=(sample((2, 3)),),
    formula="y = isfinite(x)",
)
def isfinite(xp: Any, x: Any) -> Any:
    """Whether each element is neither NaN nor infinite."""
    return xp.isfinite(x)


@op(
    "logical_not",
    gradless="answers with bools or positions",
    infer=boolean,
    samples=(sample((2, 3)),),
    formula="y = ¬x",
    symbol="not",
)
def logical_not(xp: Any, x: Any) -> Any:
    """The opposite of every element's truth."""
    return xp.logical_not(x)
