"""Ops of neural networks that are neither activation nor loss: dropout, embedding, clipping."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import random
from ...engine.dtypes import as_positions
from ...engine.meta import Meta, no_kernel, unchanged
from .. import errors
from ..arguments import read_axes, read_number
from ..indexing.join_at import add_to_zeros
from ..op_spec import internal
from ..record import Formula, Results, Static, sample
from ..rule_functions import host_check

# ----- dropout and embedding ---------------------------------------------------------------------


def _dropout_infer(x: Meta, *, axis: Any, **_rest: Any) -> list[Meta]:
    if x.dtype.kind != "f":
        raise no_kernel("dropout", "x", x)
    return [x, Meta(_mask_shape(x.shape, axis), x.dtype)]


def _mask_shape(shape: Any, axis: Any) -> tuple[int, ...]:
    """Return the shape of the mask: 1 for every axis not in `axis`."""
    if axis is None:
        return tuple(shape)
    named = {a % len(shape) for a in ((axis,) if isinstance(axis, int) else axis)}
    return tuple(n if d in named else 1 for d, n in enumerate(shape))


def _keep_probability(p: float) -> float:
    """Return 1 − p as Paddle computes it, in float32 for every dtype."""
    return float(np.float32(1) - np.float32(p))


def _dropout_formula(attrs: dict[str, Any]) -> str:
    p, upscales = attrs["p"], attrs["mode"] == "upscale_in_train"
    if attrs["is_test"]:
        return "y = x" if upscales or p == 0 else "y = x · (1 − p)"
    return "y = x · mask / (1 − p)" if upscales and 0 < p < 1 else "y = x · mask"


@internal(
    infer=_dropout_infer,
    canon={"p": read_number, "axis": read_axes},
    results=Results(("out", "mask"), stopped=("mask",)),
    formula=Formula(_dropout_formula),
    samples=(
        sample((3, 4), seed=7),
        sample((2, 3), p=0.25, seed=7, mode="downscale_in_infer"),
        sample((4, 3), axis=0, seed=7),
        sample((3,), is_test=True),
        sample((3,), p=0.2, is_test=True, mode="downscale_in_infer"),
    ),
    static=Static(
        "dropout",
        attrs={"p": "dropout_prob", "mode": "dropout_implementation"},
    ),
)
def dropout(
    xp: Any,
    x: Any,
    *,
    p: float = 0.5,
    axis: Any = None,
    is_test: bool = False,
    mode: str = "upscale_in_train",
    seed: int = 0,
) -> Any:
    """x with random elements set to 0, and the mask: 1 where an element is kept."""
    shape = _dropout_infer(Meta(x.shape, x.dtype), axis=axis)[1].shape
    if is_test or p in (0, 1):  # no numbers are drawn
        mask = xp.full(shape, is_test or p == 0, x.dtype)
    else:
        mask = xp.asarray(random.dropout_mask(shape, p, seed=seed)).astype(x.dtype)
    if p == 1 and not is_test:
        return xp.zeros_like(x), mask
    if is_test or axis is not None:
        return _apply_mask(x, mask, p, axis, is_test, mode), mask
    scaled = x / _keep_probability(p) if mode == "upscale_in_train" else x
    return xp.where(mask != 0, scaled, xp.zeros((), x.dtype)), mask  # no product: 0 · inf is NaN


def _apply_mask(x: Any, mask: Any, p: float, axis: Any, is_test: bool, mode: str) -> Any:
    """Multiply x, or a gradient, by the mask and the scale."""
    upscale = mode == "upscale_in_train"
    if is_test:
        return x * 1.0 if upscale else x * _keep_probability(p)
    if not upscale or p == 1:
        return x * mask
    # With an axis Paddle multiplies by 1 / (1 − p), in double precision.
    return x * mask / _keep_probability(p) if axis is None else x * (1.0 / (1.0 - p)) * mask


@dropout.grad
def dropout_grad(
    F: Any, dout: Any, mask: Any, *, p: float, axis: Any, is_test: bool, mode: str
) -> Any:
    return _apply_mask(dout, mask, p, axis, is_test, mode)


@host_check(same_between=lambda ids, count: (ids, 0, count - 1))
def _check_ids(xp: Any, ids: Any, count: int) -> None:
    """Raise an error for numbers without a row in the table."""
    if ids.size and (int(ids.min()) < 0 or int(ids.max()) >= count):
        bad = int(ids.min()) if int(ids.min()) < 0 else int(ids.max())
        raise errors.outside_table(bad, count)


def _embedding_infer(x: Meta, weight: Meta, *, padding_idx: int) -> Meta:
    return Meta((*x.shape, weight.shape[-1]), weight.dtype)


@internal(
    infer=_embedding_infer,
    formula=Formula(
        lambda attrs: (
            "y = weight[x]"
            if (padding := attrs["padding_idx"]) < 0
            else f"y = weight[x], y[x = {padding}] = 0"
        ),
        lambda attrs: (
            "dweight = 0, dweight[x] += dy"
            if (padding := attrs["padding_idx"]) < 0
            else f"dweight = 0, dweight[x[x ≠ {padding}]] += dy[x ≠ {padding}]"
        ),
    ),
    samples=(sample((2, 3), (5, 2), ints={"x": 5}), sample((3,), (4, 2), ints={"x": 4})),
    static=Static("lookup_table_v2", slots={"x": "Ids", "weight": "W"}, prefix="embedding"),
)
def embedding(xp: Any, x: Any, weight: Any, *, padding_idx: int = -1) -> Any:
    """The row of `weight` for each number in x; zeros for padding_idx."""
    _check_ids(xp, x, weight.shape[0])
    out = xp.take(weight, as_positions(x), 0)
    if padding_idx != -1:
        out[x == padding_idx] = 0
    return out


@embedding.grad
def embedding_grad(F: Any, dout: Any, x: Any, weight_shape: Any, *, padding_idx: int) -> Any:
    return None, F.embedding_rows(dout, x, count=weight_shape[0], padding_idx=padding_idx)


@internal(
    infer=lambda x, ids, *, count, padding_idx: Meta((count, x.shape[-1]), x.dtype),
    formula=Formula("y = 0, y[ids] += x"),
    samples=(sample((2, 3, 2), (2, 3), ints={"ids": 5}, count=5),),
)
def embedding_rows(xp: Any, x: Any, ids: Any, *, count: int, padding_idx: int = -1) -> Any:
    """The sums of the rows of x with the same id."""
    width = x.shape[-1]
    total = add_to_zeros(xp, (count, width), ids.reshape(-1), x.reshape(-1, width))
    if padding_idx != -1:
        total[padding_idx] = 0
    return total


@embedding_rows.grad
def embedding_rows_grad(F: Any, dout: Any, ids: Any, *, padding_idx: int) -> Any:
    return F.embedding(ids, dout, padding_idx=padding_idx), None


# ----- clipping by a norm -------------------------------------------------------------------------


@internal(
    infer=lambda x: Meta((1,), x.dtype),
    formula=Formula("y = Σ x²", "dx = dy · 2x"),
    samples=(sample((2, 3)), sample(()), sample((0, 2))),
)
def squared_l2_norm(xp: Any, x: Any) -> Any:
    """The sum of the squares of all elements."""
    flat = x.reshape(-1)
    return xp.dot(flat, flat).reshape(1)


squared_l2_norm.grad(lambda F, dout, x: F.reshape(dout, shape=()) * 2.0 * x)


@internal(
    infer=unchanged,
    gradless="optimizers call it on gradients",
    formula=Formula("y = x · min(1, max_norm / ‖x‖)"),
    samples=(
        sample((2, 3), max_norm=0.5),
        sample((2,), max_norm=100.0),
        sample((), max_norm=0.1),
        sample((0, 2), max_norm=1.0),
    ),
)
def clip_by_norm(xp: Any, x: Any, *, max_norm: float) -> Any:
    """x itself if its norm is at most max_norm, else x scaled to that norm."""
    norm = xp.sqrt((x * x).sum())
    return x * (max_norm / xp.maximum(norm, max_norm))
