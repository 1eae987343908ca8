"""What clipping gradients by their norm needs; `nn.ClipGradByNorm` and its kin use it."""

from __future__ import annotations

from typing import Any

from ...engine.meta import Meta, unchanged
from ..op_spec import op
from ..record import Formula, Static, sample


@op(
    "squared_l2_norm",
    infer=lambda x: Meta((1,), x.dtype),
    saves=("x",),
    formula=Formula("y = Σ x²", "dx = dy · 2x"),
    samples=(sample((2, 3)), sample(()), sample((0, 2))),
    public=None,
    static=Static("squared_l2_norm", prefix="squared_l2_norm"),
)
def squared_l2_norm(xp: Any, x: Any) -> Any:
    """The sum of the squares of all elements."""
    flat = x.reshape(-1)
    return xp.dot(flat, flat).reshape(1)


@squared_l2_norm.grad
def squared_l2_norm_grad(F: Any, dout: Any, x: Any) -> Any:
    return F.reshape(dout, shape=()) * 2.0 * x


@op(
    "clip_by_norm",
    infer=unchanged,
    gradless="optimizers call it on gradients",
    formula=Formula("y = x · min(1, max_norm / ‖x‖)"),
    samples=(
        sample((2, 3), max_norm=0.5),
        sample((2,), max_norm=100.0),
        sample((), max_norm=0.1),
        sample((0, 2), max_norm=1.0),
    ),
    public=None,
    static=Static("clip_by_norm", prefix="clip_by_norm"),
)
def clip_by_norm(xp: Any, x: Any, *, max_norm: float) -> Any:
    """x itself if its norm is at most max_norm, else x scaled to that norm."""
    norm = xp.sqrt((x * x).sum())
    return x * (max_norm / xp.maximum(norm, max_norm))
