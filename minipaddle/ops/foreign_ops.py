"""Records of ops that another framework computes as one, for recorded programs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.meta import Meta
from .matrices.products import swap_axes
from .op_spec import Op, op
from .record import Formula, each_of
from .registry import REGISTRY

FOREIGN_OPS: dict[str, Op] = {}
foreign = partial(op, registry=FOREIGN_OPS, public=None)

# ----- linear ------------------------------------------------------------------------------------


def _linear_infer(x: Meta, weight: Meta, bias: Meta | None = None) -> Meta:
    return Meta((*x.shape[:-1], *weight.shape[:-1]), x.dtype)


def _linear_formulas(attrs: dict[str, Any]) -> tuple[str, str]:
    """Return the formulas of `linear`, which flattens the axes of rows for its weight."""
    rows = "flatten(x)" if attrs.get("rank", 2) > 2 else "x"
    dout = "flatten(dy)" if attrs.get("rank", 2) > 2 else "dy"
    backward = f"dx = dy @ weight, dweight = {dout}ᵀ @ {rows}"
    return "y = x @ weightᵀ + bias", f"{backward}, dbias = Σ dy"


@foreign(
    infer=_linear_infer,
    formula=Formula(*each_of(_linear_formulas)),
)
def linear(xp: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    """The matrix product of x and the transposed weight, plus a bias."""
    product = xp.matmul(x, weight.T)
    return product if bias is None else product + bias


@linear.grad
def linear_grad(F: Any, dout: Any, x: Any, weight: Any, *, needs: list[bool]) -> Any:
    dx = F.matmul(dout, weight) if needs[0] else None
    if x.ndim > 2:
        x, dout = (F.flatten(t, start_axis=0, stop_axis=-2) for t in (x, dout))
    dweight = F.matmul(dout.T, x) if needs[1] else None
    return dx, dweight, F.sum(dout, axis=0) if needs[2] else None


# ----- matmul ------------------------------------------------------------------------------------


@foreign(
    infer=lambda x, y: Meta((*x.shape[:-1], y.shape[-2]), x.dtype),
    formula=Formula("z = x @ yᵀ", "dx = dz @ y, dy = dzᵀ @ x", symbol="matmul"),
)
def matmul_transposed(xp: Any, x: Any, y: Any) -> Any:
    """The matrix product of x and the transposed y, both of one batch."""
    return xp.matmul(x, xp.swapaxes(y, -1, -2))


@matmul_transposed.grad
def matmul_transposed_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    dx = F.matmul(dout, y) if needs[0] else None
    return dx, F.matmul(swap_axes(F, dout), x) if needs[1] else None


# ----- convolution -------------------------------------------------------------------------------

conv2d = REGISTRY["conv2d"]


@foreign(
    infer=lambda x, weight, bias, **attrs: conv2d.infer(x, weight, **attrs),
    attributes=conv2d.collected,
    canon=conv2d.canon,
    formula=Formula("y = x ∗ weight + bias", symbol="conv"),
)
def conv2d_with_bias(
    xp: Any, x: Any, weight: Any, bias: Any, *, groups: int = 1, **windows: Any
) -> Any:
    """The convolution of images, plus one number for each filter."""
    response = conv2d.kernel(xp, x, weight, groups=groups, **windows)
    return response + bias.reshape(-1, 1, 1)


@conv2d_with_bias.grad
def conv2d_with_bias_grad(
    F: Any, dout: Any, x: Any, weight: Any, *, needs: list[bool], **attrs: Any
) -> Any:
    dx, dweight = conv2d.rule(F, dout, x, weight, needs=needs[:2], **attrs)
    return dx, dweight, F.sum(dout, axis=(0, 2, 3)) if needs[2] else None


# ----- losses ------------------------------------------------------------------------------------


def _loss_infer(x: Meta, label: Meta) -> Meta:
    return Meta((), x.dtype)


@foreign(
    infer=_loss_infer,
    formula=Formula(
        "loss = mean(−ln softmax(x)[i, labelᵢ])",
        "dx[i, j] = dloss · (softmax(x)[i, j] − [j = labelᵢ]) / numel(label)",
    ),
)
def cross_entropy(xp: Any, x: Any, label: Any) -> Any:
    """The mean over all rows of minus the logarithm of the softmax at the label."""
    _, losses = REGISTRY["softmax_with_cross_entropy"].kernel(xp, x, label.reshape(-1, 1))
    return losses.mean()


@cross_entropy.grad
def cross_entropy_grad(F: Any, dout: Any, x: Any, label: Any) -> Any:
    hot = F.hot_rows(F.unsqueeze(label, axis=-1), classes=x.shape[-1], dtype=DType.of(x.dtype))
    return (F.softmax(x) - hot) * (dout / x.shape[0]), None


@foreign(
    infer=_loss_infer,
    formula=Formula("loss = mean((x − y)²)", "dx = dloss · 2 (x − y) / n, dy = −dx"),
)
def mse_loss(xp: Any, x: Any, y: Any) -> Any:
    """The mean of the squared differences."""
    return xp.square(x - y).mean()


@mse_loss.grad
def mse_loss_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    dx = (x - y) * (dout * (2.0 / int(np.prod(x.shape))))
    return dx, -dx if needs[1] else None
