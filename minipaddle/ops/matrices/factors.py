"""LU: matrices as rows in another order, a lower triangle with ones, and an upper triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.errors import InvalidArgument
from ...engine.meta import Meta
from ...errors import require
from .. import errors
from ..catalog import public
from ..indexing.gathering import require_positions
from ..indexing.picking import refuse_outside
from ..op_spec import internal
from ..record import Formula, Results, Static, sample
from ..registry import REGISTRY
from .linalg import prepare_samples, require_precise
from .products import swap_axes


def _with_far_pivots(arrays: list[Any]) -> list[Any]:
    """Prepare samples whose largest elements are beside the diagonal, so that rows are swapped."""
    (x,) = arrays
    m, n = x.shape[-2:]
    return [(x * 0.2 + np.eye(m, n, k=1) * 3.0).astype(x.dtype)]


SHAPES = prepare_samples(_with_far_pivots, *map(sample, ((3, 3), (2, 2, 3), (4, 2))))


def _lu_infer(x: Meta) -> list[Meta]:
    require_precise("lu", x, "fc")
    errors.require_rank("lu", 2, None, x=x)
    *lead, m, n = x.shape
    int32 = np.dtype("int32")
    return [x, Meta((*lead, -1 if -1 in (m, n) else min(m, n)), int32), Meta(tuple(lead), int32)]


# Formula of the gradient of a square matrix.
SLOPE = "dx = P @ L⁻ᵀ @ (tril(Lᵀ @ tril(dout, −1), −1) + triu(triu(dout) @ Uᵀ)) @ U⁻ᵀ"


@internal(
    infer=_lu_infer,
    checked=True,
    results=Results(("out", "pivots", "infos"), stopped=("pivots", "infos")),
    formula=Formula("x = P @ L @ U", SLOPE, symbol="P, L, U"),
    samples=SHAPES,
    static=Static("lu", {"pivots": "Pivots", "infos": "Infos"}, extra={"pivot": True}),
)
def lu_(xp: Any, x: Any) -> Any:
    """Both triangles in one matrix, the row swapped with each row, the first pivot of 0 or 0."""
    *lead, m, n = x.shape
    a, k = x.reshape((-1, m, n)).copy(), min(m, n)
    each = xp.arange(len(a))
    pivots, infos = xp.zeros((len(a), k), np.int32), xp.zeros(len(a), np.int32)
    for j in range(k):
        column = a[:, j:, j]
        if a.dtype.kind == "c":
            column = xp.abs(column.real) + xp.abs(column.imag)  # as LAPACK compares
        best = j + xp.abs(column).argmax(axis=1)
        pivots[:, j] = best + 1
        a[each, j], a[each, best] = a[each, best], a[each, j]
        pivot = a[:, j, j]
        infos = xp.where((infos == 0) & (pivot == 0), j + 1, infos).astype(np.int32)
        a[:, j + 1 :, j] /= xp.where(pivot == 0, 1, pivot)[:, None]
        a[:, j + 1 :, j + 1 :] -= a[:, j + 1 :, j, None] * a[:, j, None, j + 1 :]
    return a.reshape(x.shape), pivots.reshape((*lead, k)), infos.reshape(tuple(lead))


@lu_.grad
def lu_grad(F: Any, dout: Any, out: Any, pivots: Any) -> Any:
    lower, upper, order = F.lu_unpack(out, pivots)
    (m, k), n = F.sizes(lower)[-2:], F.sizes(upper)[-1]
    corner, dcorner = out[..., :k, :k], dout[..., :k, :k]

    def divide_by_lower(y: Any) -> Any:
        how = {"upper": False, "transpose": True, "unitriangular": True}
        return F.triangular_solve(corner, y, **how)

    def divide_by_upper(y: Any) -> Any:
        return swap_axes(F, F.triangular_solve(corner, swap_axes(F, y)))

    left = F.matmul(swap_axes(F, lower[..., :k, :]), F.tril(dcorner, diagonal=-1))
    right = F.matmul(F.triu(dcorner), swap_axes(F, upper[..., :k]))
    if n > k:
        left = left - F.matmul(dout[..., k:], swap_axes(F, upper[..., k:]))
    if m > k:
        right = right - F.matmul(swap_axes(F, lower[..., k:, :]), dout[..., k:, :])
    dx = F.tril(left, diagonal=-1) + F.triu(right)
    dx = divide_by_lower(divide_by_upper(dx))
    if n > k:
        dx = F.concat([dx, divide_by_lower(dout[..., k:])], axis=-1)
    if m > k:
        dx = F.concat([dx, divide_by_upper(dout[..., k:, :])], axis=-2)
    return F.matmul(order, dx)


@public(function=False)
def lu(x: Any, pivot: bool = True, get_infos: bool = False, name: str | None = None) -> Any:
    """x as P @ L @ U: both triangles in one matrix, and the row swapped with each row, from 1 on.

    L has ones on its diagonal, which are left out; `lu_unpack` makes the three matrices.
    `get_infos` returns also the first pivot of 0, or 0 if there is none.

    Shapes: for example x [3, 2] gives [3, 2] and [2].
    Dtypes: float32, float64, complex kept; int32 for the rows.
    Errors: ValueError if x is not a Tensor or has fewer than 2 axes, or for pivot=False, which
    Paddle has on a GPU only; RuntimeError for integers, bool, float16.

    >>> both, rows = paddle.linalg.lu(paddle.to_tensor([[1.0, 2.0], [4.0, 4.0]]))
    >>> both.tolist(), rows.tolist()
    ([[4.0, 4.0], [0.25, 1.0]], [2, 2])
    """
    require(pivot, "lu", "pivot=True", pivot=pivot)
    factors = lu_.call(x)
    return factors if get_infos else factors[:2]


# ----- three matrices ----------------------------------------------------------------------------


def _unpack_infer(x: Meta, y: Meta) -> list[Meta]:
    require_precise("lu_unpack", x, "fc")
    errors.require_rank("lu_unpack", 2, None, x=x)
    errors.require_rank("lu_unpack", 1, None, y=y)
    require_positions("lu_unpack", y, "y")
    *lead, m, n = x.shape
    k = -1 if -1 in (m, n) else min(m, n)
    return [Meta((*lead, *sizes), x.dtype) for sizes in ((m, k), (k, n), (m, m))]


def _with_rows(arrays: list[Any]) -> list[Any]:
    """Return a matrix and valid swaps of its rows."""
    x = arrays[0]
    k, m = min(x.shape[-2:]), x.shape[-2]
    return [x, np.broadcast_to(np.full(k, m, "int32"), (*x.shape[:-2], k)).copy()]


@internal(
    infer=_unpack_infer,
    checked=True,
    results=Results(("l", "u", "p"), stopped=("p",)),
    formula=Formula(
        "l = tril(x, −1) + I, u = triu(x), p = P(y)",
        "dx = tril(dl, −1) + triu(du)",
        symbol="L, U, P",
    ),
    samples=prepare_samples(
        _with_rows,
        sample((3, 3), (3,), ints={"y": 3}),
        sample((2, 2, 3), (2, 2), ints={"y": 2}),
        sample((4, 2), (2,), ints={"y": 2}),
    ),
    static=Static("lu_unpack", {"y": "Pivots", "p": "Pmat", "l": "L", "u": "U"}),
)
def lu_unpack_(xp: Any, x: Any, y: Any) -> Any:
    """The lower triangle with ones, the upper triangle, the order of the rows."""
    *lead, m, n = x.shape
    k, rows = min(m, n), y.reshape((-1, y.shape[-1])) - 1
    refuse_outside(xp, "lu_unpack", rows, (m,), 0, InvalidArgument, 0)
    each, order = xp.arange(len(rows)), xp.zeros((len(rows), m), np.int64) + xp.arange(m)
    for j in range(rows.shape[-1]):
        order[each, j], order[each, rows[:, j]] = order[each, rows[:, j]], order[each, j]
    p = xp.eye(m, dtype=x.dtype)[order].swapaxes(-1, -2).reshape((*lead, m, m))
    return xp.tril(x[..., :k], -1) + xp.eye(m, k, dtype=x.dtype), xp.triu(x[..., :k, :]), p


@lu_unpack_.grad
def lu_unpack_grad(F: Any, dl: Any, du: Any, x_shape: Any) -> Any:
    m, n = x_shape[-2:]
    below, above = F.tril(dl, diagonal=-1), F.triu(du)
    if n > m:
        below = F.concat([below, F.fill_like(du[..., m:])], axis=-1)
    if m > n:
        above = F.concat([above, F.fill_like(dl[..., n:, :])], axis=-2)
    return below + above, None


@public(function=False)
def lu_unpack(
    x: Any,
    y: Any,
    unpack_ludata: bool = True,
    unpack_pivots: bool = True,
    name: str | None = None,
) -> Any:
    """P, L and U with P @ L @ U = A, from what `lu(A)` returned.

    Without `unpack_ludata` L and U are empty, without `unpack_pivots` P is.

    Shapes: for example x [3, 2], y [2] gives [3, 3], [3, 2] and [2, 2].
    Dtypes: float32, float64, complex kept; int32, int64 for y.
    Errors: ValueError if x is not a Tensor, for too few axes, rows outside or rows that are no
    integers; RuntimeError for integers, bool, float16.

    >>> A = paddle.to_tensor([[1.0, 2.0], [4.0, 4.0]])
    >>> P, L, U = paddle.linalg.lu_unpack(*paddle.linalg.lu(A))
    >>> (P @ L @ U).tolist()
    [[1.0, 2.0], [4.0, 4.0]]
    """

    def empty() -> Any:
        return REGISTRY["full"].call(shape=[0], fill_value=0.0, dtype="float32")

    lower, upper, order = lu_unpack_.call(x, y)
    triangles = (lower, upper) if unpack_ludata else (empty(), empty())
    return (order if unpack_pivots else empty(), *triangles)
