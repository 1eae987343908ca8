"""Sorting, and elements by order: the k largest, the k-th, the most frequent.

Equal elements keep their order: the sort is always stable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...engine.dispatch import store
from ...engine.errors import PreconditionNotMet
from ...engine.meta import SMALL, Meta, axis_of, numbers
from ...errors import misfit
from .. import errors
from ..arguments import COMPLEX, is_variable, read_integer, shapes_differ
from ..catalog import public
from ..op_spec import Kernel, Op, internal, op
from ..record import Formula, Results, Static, Text, at_axis, of_elements, sample
from ..rule_functions import GRAPH as F
from .lines import call_along, part_of
from .scan import accumulate, positions_along


def sort_positions(xp: Any, x: Any, axis: int, descending: bool = False) -> Any:
    """Return the positions that sort the elements; NaN counts as larger than all numbers."""
    if not descending:
        return xp.argsort(x, axis=axis, kind="stable").astype("int64", copy=False)
    return x.shape[axis] - 1 - xp.flip(sort_positions(xp, xp.flip(x, axis), axis), axis)


def selection(forward: Text, **record: Any) -> Callable[[Kernel], Op]:
    """Register an op that returns elements of x and their positions.

    The gradient goes to the returned elements.
    """

    def rule(F: Any, dout: Any, x_shape: Any, indices: Any, *, axis: int) -> Any:
        return F.along_back(dout, indices, shape=x_shape, axis=axis % len(x_shape))

    def rule_of_one(
        F: Any, dout: Any, x_shape: Any, indices: Any, *, axis: int, keepdim: bool
    ) -> Any:
        axis = axis % len(x_shape)
        if not keepdim:
            dout, indices = F.unsqueeze(dout, axis=axis), F.unsqueeze(indices, axis=axis)
        return rule(F, dout, x_shape, indices, axis=axis)

    def register(kernel: Kernel) -> Op:
        usual: dict[str, Any] = {
            "checked": True,
            "canon": {"axis": read_integer},
            "results": Results(("out", "indices"), stopped=("indices",)),
            "formula": Formula(forward, of_elements("dx = 0, dx§ += dout@")),
            "public": None,
        }
        made = op(**usual | record)(kernel)
        made.grad(rule_of_one if "keepdim" in made.attributes else rule)
        return made

    return register


def _check_k(op_name: str, x: Meta, k: int, axis: int) -> None:
    n = x.shape[axis]
    if k < 1 or -1 < n < k:
        most = "" if n == -1 else f" <= {n}, the size of axis {axis}"
        raise misfit(op_name, f"1 <= k{most}", k=k, x=x)


# ----- sorting -----------------------------------------------------------------------------------


def _sort_infer(x: Meta, *, axis: int, descending: bool, stable: bool) -> list[Meta]:
    axis_of("argsort", x, axis)
    return [numbers("argsort", "b" + COMPLEX)(x), Meta(x.shape, np.dtype("int64"))]


@selection(
    lambda attrs: (
        f"[out, indices] = sort(x, axis={attrs['axis']}{', descending=True' * attrs['descending']})"
    ),
    infer=_sort_infer,
    samples=(
        sample((2, 4)),
        sample((4, 2), axis=0, descending=True),
        sample((5,), stable=True),
        sample((2, 0)),
    ),
)
def _argsort(
    xp: Any, x: Any, *, axis: int = -1, descending: bool = False, stable: bool = False
) -> Any:
    """The elements in order along `axis`, and their positions in x."""
    indices = sort_positions(xp, x, axis, descending)
    return xp.take_along_axis(x, indices, axis), indices


@public()
def sort(
    x: Any, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None
) -> Any:
    """The elements in order along `axis`, the smallest first unless descending.

    Shapes: for example x [3], descending=True gives [3].
    Dtypes: floating, uint8, int16, int32, int64 kept.
    Errors: ValueError if x is not a Tensor, if there is no such axis; RuntimeError for complex,
    bool, int8.

    >>> import minipaddle as paddle
    >>> paddle.sort(paddle.to_tensor([2, 3, 1]), descending=True).tolist()
    [3, 2, 1]
    """
    return call_along(_argsort.call, x, read_integer(axis), descending=descending, stable=stable)[0]


@public()
def argsort(
    x: Any, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None
) -> Any:
    """The positions that sort x along `axis`; equal elements keep their order.

    >>> import minipaddle as paddle
    >>> paddle.argsort(paddle.to_tensor([2, 3, 1])).tolist()
    [2, 0, 1]
    """
    return call_along(_argsort.call, x, read_integer(axis), descending=descending, stable=stable)[1]


@public()
def msort(input: Any, *, out: Any = None) -> Any:
    """The elements in order along the first axis.

    Shapes: for example input [2, 2] gives [2, 2].
    Dtypes: floating, uint8, int16, int32, int64 kept.
    Errors: ValueError if input is not a Tensor; RuntimeError for complex, bool, int8.

    >>> import minipaddle as paddle
    >>> paddle.msort(paddle.to_tensor([[2, 1], [1, 3]])).tolist()
    [[1, 1], [2, 3]]
    """
    return store(out, sort(input, axis=0), "msort")


# ----- the k largest, the k-th -------------------------------------------------------------------


def _topk_infer(x: Meta, *, k: int, axis: int, largest: bool, sorted: bool) -> list[Meta]:
    where = axis_of("topk", x, axis)
    _check_k("topk", x, k, where)
    shape = (*x.shape[:where], k, *x.shape[where + 1 :])
    return [Meta(shape, numbers("topk", SMALL + COMPLEX)(x).dtype), Meta(shape, np.dtype("int64"))]


@selection(
    lambda attrs: (
        f"[out, indices] = topk(x, {attrs['k']}, axis={attrs['axis']}"
        f"{', largest=False' * (not attrs['largest'])})"
    ),
    infer=_topk_infer,
    canon={"k": read_integer, "axis": read_integer},
    samples=(sample((2, 4), k=2), sample((4, 2), k=3, axis=0, largest=False), sample((5,), k=1)),
    static=Static("top_k_v2", prefix="topk"),
)
def _topk(
    xp: Any, x: Any, *, k: int, axis: int = -1, largest: bool = True, sorted: bool = True
) -> Any:
    """The k largest (or smallest) elements along `axis` in order, and their positions."""
    indices = sort_positions(xp, x, axis, descending=largest)[part_of(axis, x.ndim, None, k)]
    return xp.take_along_axis(x, indices, axis), indices


class TopKRetType(NamedTuple):
    """Result of topk, with Paddle's name."""

    values: Any
    indices: Any


@public()
def topk(
    x: Any,
    k: Any,
    axis: int | None = None,
    largest: bool = True,
    sorted: bool = True,
    name: str | None = None,
    *,
    out: tuple[Any, Any] | None = None,
) -> TopKRetType:
    """The k largest (or smallest) elements along `axis`, in order, and their positions.

    >>> import minipaddle as paddle
    >>> values, indices = paddle.topk(paddle.to_tensor([1, 5, 3]), k=2)
    >>> values.tolist(), indices.tolist()
    ([5, 3], [1, 2])
    """
    axis = -1 if axis is None else axis
    if is_variable(k):  # sort all, then slice the first k at run time
        whole = topk(x, x.shape[axis], axis, largest, sorted)
        return TopKRetType(*(one[part_of(axis, len(x.shape), 0, k)] for one in whole))
    pair = call_along(_topk.call, x, axis, k=k, largest=largest, sorted=sorted)
    return TopKRetType(*store(out, pair, "topk"))


def _one_per_row(op_name: str, x: Meta, axis: int, keepdim: bool) -> list[Meta]:
    where = axis_of(op_name, x, axis)
    shape = (*x.shape[:where], *((1,) if keepdim else ()), *x.shape[where + 1 :])
    kind = numbers(op_name, SMALL + COMPLEX)(x).dtype
    return [Meta(shape, kind), Meta(shape, np.dtype("int64"))]


def _take_one(xp: Any, x: Any, indices: Any, axis: int, keepdim: bool) -> tuple[Any, Any]:
    """Return the elements at one position per row, and the positions."""
    taken = xp.take_along_axis(x, indices, axis)
    return (taken, indices) if keepdim else (taken.squeeze(axis), indices.squeeze(axis))


def _kth_infer(x: Meta, *, k: int, axis: int, keepdim: bool) -> list[Meta]:
    metas = _one_per_row("kthvalue", x, axis, keepdim)
    _check_k("kthvalue", x, k, axis_of("kthvalue", x, axis))
    return metas


@selection(
    lambda attrs: f"out = sort(x, axis={attrs['axis']}){at_axis('[k − 1]')(attrs)}",
    infer=_kth_infer,
    canon={"k": read_integer, "axis": read_integer},
    samples=(sample((2, 4), k=2), sample((4, 2), k=3, axis=0, keepdim=True), sample((5,), k=5)),
)
def _kthvalue(xp: Any, x: Any, *, k: int, axis: int = -1, keepdim: bool = False) -> Any:
    """The k-th smallest element along `axis`, and its position."""
    indices = sort_positions(xp, x, axis)[part_of(axis, x.ndim, k - 1, k)]
    return _take_one(xp, x, indices, axis, keepdim)


@public()
def kthvalue(
    x: Any, k: int, axis: int | None = None, keepdim: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """The k-th smallest element along `axis` (the last one if None), and its position.

    >>> import minipaddle as paddle
    >>> [t.item() for t in paddle.kthvalue(paddle.to_tensor([5, 1, 3]), 2)]
    [3, 2]
    """
    return _one_on_line(_kthvalue, x, -1 if axis is None else axis, keepdim, k=k)


def _one_on_line(record: Op, x: Any, axis: int, keepdim: bool, **attrs: Any) -> tuple[Any, Any]:
    """Call an op that returns one element per row; a 0-D tensor keeps its temporary axis."""
    keepdim = keepdim or len(getattr(x, "shape", ())) == 0
    return call_along(record.call, x, axis, keepdim=keepdim, **attrs)


# ----- the most frequent -------------------------------------------------------------------------


def _mode_infer(x: Meta, *, axis: int, keepdim: bool) -> list[Meta]:
    metas = _one_per_row("mode", x, axis, keepdim)
    if x.shape[axis] == 0 and 0 not in metas[0].shape:
        raise errors.empty("mode", axis, x=x)
    return metas


@selection(
    lambda attrs: f"out = mode(x, axis={attrs['axis']})",
    infer=_mode_infer,
    checked=False,
    samples=(sample((2, 4)), sample((4, 2), axis=0, keepdim=True), sample((5,))),
)
def _mode(xp: Any, x: Any, *, axis: int = -1, keepdim: bool = False) -> Any:
    """The most frequent element along `axis`, the smallest of several, and its last position."""
    metas = _mode_infer(Meta(x.shape, x.dtype), axis=axis, keepdim=keepdim)
    if 0 in x.shape:
        return tuple(xp.empty(meta.shape, meta.dtype) for meta in metas)
    indices = sort_positions(xp, x, axis)
    values = xp.take_along_axis(x, indices, axis)
    here = positions_along(xp, x, axis)
    late, early = part_of(axis, x.ndim, 1, None), part_of(axis, x.ndim, None, -1)
    new = xp.ones(x.shape, bool)
    new[late] = values[late] != values[early]
    length = here - accumulate(xp, xp.where(new, here, 0), axis, xp.maximum)
    last = xp.expand_dims(xp.argmax(length, axis=axis), axis)
    return _take_one(xp, x, xp.take_along_axis(indices, last, axis), axis, keepdim)


@public()
def mode(x: Any, axis: int = -1, keepdim: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """The most frequent element along `axis`, the smallest of several, and its last position.

    >>> import minipaddle as paddle
    >>> [t.item() for t in paddle.mode(paddle.to_tensor([2, 1, 2, 3]))]
    [2, 2]
    """
    return _one_on_line(_mode, x, read_integer(axis), keepdim)


# ----- positions in sorted rows ------------------------------------------------------------------


def _searchsorted_infer(
    sorted_sequence: Meta, values: Meta, *, out_int32: bool, right: bool
) -> Meta:
    for meta in (sorted_sequence, values):
        numbers("searchsorted")(meta)
    rows, wanted = sorted_sequence.shape, values.shape
    if not rows:
        raise errors.rank("searchsorted", 1, None, sorted_sequence=sorted_sequence)
    if len(rows) > 1 and shapes_differ(rows[:-1], wanted[:-1]):
        pairs = {"values": values, "sorted_sequence": sorted_sequence}
        raise errors.shape("searchsorted", (*rows[:-1], "k"), PreconditionNotMet, **pairs)
    return Meta(wanted, np.dtype("int32" if out_int32 else "int64"))


@internal(
    infer=_searchsorted_infer,
    checked=True,
    gradless="answers with positions",
    formula=Formula(
        lambda attrs: f"y = Σ [sorted_sequence {'≤' if attrs['right'] else '<'} values]"
    ),
    samples=(
        sample((4,), (2, 3)),
        sample((2, 3), (2, 4), right=True),
        sample((3,), (), out_int32=True),
        sample((0,), (2,)),
    ),
    static=Static("searchsorted", slots={"sorted_sequence": "SortedSequence"}),
)
def _searchsorted(
    xp: Any, sorted_sequence: Any, values: Any, *, out_int32: bool = False, right: bool = False
) -> Any:
    """The position at which each value can be inserted into its sorted row."""
    dtype = "int32" if out_int32 else "int64"
    if sorted_sequence.ndim == 1:
        side = "right" if right else "left"
        positions = xp.searchsorted(sorted_sequence, values.reshape(-1), side=side)
        return positions.reshape(values.shape).astype(dtype)
    row, value = sorted_sequence[..., None, :], values[..., None]
    after = row > value if right else row >= value  # False for NaN
    return xp.sum(~after, axis=-1, dtype=dtype)


@public(method=False)
def searchsorted(
    sorted_sequence: Any,
    values: Any,
    out_int32: bool = False,
    right: bool = False,
    name: str | None = None,
    *,
    side: str | None = None,
    out: Any = None,
    sorter: Any = None,
) -> Any:
    """The position at which each value can be inserted into its sorted row: before equal
    elements, or behind them if right. `sorter`: the positions that sort the row.

    >>> import minipaddle as paddle
    >>> row = paddle.to_tensor([1, 3, 3, 5])
    >>> paddle.searchsorted(row, paddle.to_tensor([3, 6])).tolist()
    [1, 4]
    """
    if sorter is not None:
        sorted_sequence = F.take_along_axis(sorted_sequence, sorter, axis=-1)
    right = right or side == "right"
    positions = _searchsorted.call(sorted_sequence, values, out_int32=out_int32, right=right)
    return store(out, positions, "searchsorted")


@public()
def bucketize(
    x: Any,
    sorted_sequence: Any,
    out_int32: bool = False,
    right: bool = False,
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The number of the bucket of each element; `sorted_sequence` are the borders.

    Shapes: for example x [3], sorted_sequence [2] gives [3].
    Dtypes: floating, complex, int64, int32 give int64.
    Errors: ValueError if x is not a Tensor; RuntimeError for bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> borders = paddle.to_tensor([1.0, 2.0])
    >>> paddle.bucketize(paddle.to_tensor([0.5, 1.5, 9.0]), borders).tolist()
    [0, 1, 2]
    """
    errors.require_rank("bucketize", 1, 1, sorted_sequence=sorted_sequence)
    return searchsorted(sorted_sequence, x, out_int32, right, out=out)
