"""Records of ops that another framework computes as one, for recorded programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.meta import Meta
from .matrices.products import swap_axes
from .op_spec import Op
from .record import Formula
from .registry import REGISTRY

# ----- linear ------------------------------------------------------------------------------------


def _linear_infer(x: Meta, weight: Meta, bias: Meta | None = None) -> Meta:
    return Meta((*x.shape[:-1], *weight.shape[:-1]), x.dtype)


def _linear(xp: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    """The matrix product of x and the transposed weight, plus a bias."""
    product = xp.matmul(x, weight.T)
    return product if bias is None else product + bias


def _linear_grad(F: Any, dout: Any, x: Any, weight: Any, *, needs: list[bool]) -> Any:
    dx = F.matmul(dout, weight) if needs[0] else None
    if x.ndim > 2:
        x, dout = (F.flatten(t, start_axis=0, stop_axis=-2) for t in (x, dout))
    dweight = F.matmul(dout.T, x) if needs[1] else None
    return dx, dweight, F.sum(dout, axis=0) if needs[2] else None


def _linear_formulas(attrs: dict[str, Any]) -> tuple[str, str]:
    """Return the formulas of `linear`, which flattens the axes of rows for its weight."""
    rows = "flatten(x)" if attrs.get("rank", 2) > 2 else "x"
    dout = "flatten(dy)" if attrs.get("rank", 2) > 2 else "dy"
    backward = f"dx = dy @ weight, dweight = {dout}ᵀ @ {rows}"
    return "y = x @ weightᵀ + bias", f"{backward}, dbias = Σ dy"


linear = Op(
    "linear",
    _linear,
    infer=_linear_infer,
    formula=Formula(
        lambda attrs: _linear_formulas(attrs)[0], lambda attrs: _linear_formulas(attrs)[1]
    ),
    public=None,
)
linear.grad(_linear_grad)

# ----- matmul ------------------------------------------------------------------------------------


def _matmul_transposed_infer(x: Meta, y: Meta) -> Meta:
    return Meta((*x.shape[:-1], y.shape[-2]), x.dtype)


def _matmul_transposed(xp: Any, x: Any, y: Any) -> Any:
    """The matrix product of x and the transposed y, both of one batch."""
    return xp.matmul(x, xp.swapaxes(y, -1, -2))


def _matmul_transposed_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    dx = F.matmul(dout, y) if needs[0] else None
    return dx, F.matmul(swap_axes(F, dout), x) if needs[1] else None


matmul_transposed = Op(
    "matmul_transposed",
    _matmul_transposed,
    infer=_matmul_transposed_infer,
    formula=Formula("z = x @ yᵀ", "dx = dz @ y, dy = dzᵀ @ x", symbol="matmul"),
    public=None,
)
matmul_transposed.grad(_matmul_transposed_grad)

# ----- convolution -------------------------------------------------------------------------------


def _conv2d_with_bias_infer(x: Meta, weight: Meta, bias: Meta, **attrs: Any) -> Any:
    return REGISTRY["conv2d"].infer(x, weight, **attrs)


def _conv2d_with_bias(
    xp: Any, x: Any, weight: Any, bias: Any, *, groups: int = 1, **windows: Any
) -> Any:
    """The convolution of images, plus one number for each filter."""
    response = REGISTRY["conv2d"].kernel(xp, x, weight, groups=groups, **windows)
    return response + bias.reshape(-1, 1, 1)


def _conv2d_with_bias_grad(
    F: Any, dout: Any, x: Any, weight: Any, *, needs: list[bool], **attrs: Any
) -> Any:
    dx, dweight = REGISTRY["conv2d"].rule(F, dout, x, weight, needs=needs[:2], **attrs)
    return dx, dweight, F.sum(dout, axis=(0, 2, 3)) if needs[2] else None


conv2d_with_bias = Op(
    "conv2d_with_bias",
    _conv2d_with_bias,
    infer=_conv2d_with_bias_infer,
    attributes=REGISTRY["conv2d"].collected,
    canon=REGISTRY["conv2d"].canon,
    formula=Formula("y = x ∗ weight + bias", symbol="conv"),
    public=None,
)
conv2d_with_bias.grad(_conv2d_with_bias_grad)

# ----- losses ------------------------------------------------------------------------------------


def _loss_infer(x: Meta, label: Meta) -> Meta:
    return Meta((), x.dtype)


def _cross_entropy(xp: Any, x: Any, label: Any) -> Any:
    """The mean over all rows of minus the logarithm of the softmax at the label."""
    _, losses = REGISTRY["softmax_with_cross_entropy"].kernel(xp, x, label.reshape(-1, 1))
    return losses.mean()


def _cross_entropy_grad(F: Any, dout: Any, x: Any, label: Any) -> Any:
    hot = F.hot_rows(F.unsqueeze(label, axis=-1), classes=x.shape[-1], dtype=DType.of(x.dtype))
    return (F.softmax(x) - hot) * (dout / x.shape[0]), None


cross_entropy = Op(
    "cross_entropy",
    _cross_entropy,
    infer=_loss_infer,
    formula=Formula(
        "loss = mean(−ln softmax(x)[i, labelᵢ])",
        "dx[i, j] = dloss · (softmax(x)[i, j] − [j = labelᵢ]) / numel(label)",
    ),
    public=None,
)
cross_entropy.grad(_cross_entropy_grad)


def _mse_loss(xp: Any, x: Any, y: Any) -> Any:
    """The mean of the squared differences."""
    return xp.square(x - y).mean()


def _mse_loss_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    dx = (x - y) * (dout * (2.0 / int(np.prod(x.shape))))
    return dx, -dx if needs[1] else None


mse_loss = Op(
    "mse_loss",
    _mse_loss,
    infer=_loss_infer,
    formula=Formula("loss = mean((x − y)²)", "dx = dloss · 2 (x − y) / n, dy = −dx"),
    public=None,
)
mse_loss.grad(_mse_loss_grad)

_OPS = linear, matmul_transposed, conv2d_with_bias, cross_entropy, mse_loss
FOREIGN_OPS = {op.name: op for op in _OPS}
