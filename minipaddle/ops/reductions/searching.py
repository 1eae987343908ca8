"""Places in sorted rows: searchsorted and bucketize."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.errors import PreconditionNotMet
from ...engine.meta import Meta, numbers
from .. import errors
from ..arguments import differ
from ..catalog import public
from ..op_spec import internal
from ..outs import into
from ..record import Formula, Static, sample
from ..rule_functions import GRAPH as F


def _infer(sorted_sequence: Meta, values: Meta, *, out_int32: bool, right: bool) -> Meta:
    for meta in (sorted_sequence, values):
        numbers("searchsorted")(meta)
    rows, wanted = sorted_sequence.shape, values.shape
    if not rows:
        raise errors.rank("searchsorted", 1, None, sorted_sequence=sorted_sequence)
    if len(rows) > 1 and differ(rows[:-1], wanted[:-1]):
        given = {"values": values, "sorted_sequence": sorted_sequence}
        raise errors.shape("searchsorted", (*rows[:-1], "k"), PreconditionNotMet, **given)
    return Meta(wanted, np.dtype("int32" if out_int32 else "int64"))


@internal(
    infer=_infer,
    checked=True,
    gradless="answers with positions",
    formula=Formula("y = Σ (sorted_sequence < values)"),
    samples=(
        sample((4,), (2, 3)),
        sample((2, 3), (2, 4), right=True),
        sample((3,), (), out_int32=True),
        sample((0,), (2,)),
    ),
    static=Static("searchsorted", slots={"sorted_sequence": "SortedSequence", "values": "Values"}),
)
def _searchsorted(
    xp: Any, sorted_sequence: Any, values: Any, *, out_int32: bool = False, right: bool = False
) -> Any:
    """Where each value would have to be inserted for its row to stay sorted."""
    dtype = "int32" if out_int32 else "int64"
    if sorted_sequence.ndim == 1:
        side = "right" if right else "left"
        places = xp.searchsorted(sorted_sequence, values.reshape(-1), side=side)
        return places.reshape(values.shape).astype(dtype)
    row, value = sorted_sequence[..., None, :], values[..., None]
    after = row > value if right else row >= value  # of NaN none
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
    """Where each value would have to be inserted for its row to stay sorted; before equal
    elements, or behind them if right. `sorter`: the positions that sort the row.

    >>> import minipaddle as paddle
    >>> row = paddle.to_tensor([1, 3, 3, 5])
    >>> paddle.searchsorted(row, paddle.to_tensor([3, 6])).tolist()
    [1, 4]
    """
    if sorter is not None:
        sorted_sequence = F.take_along_axis(sorted_sequence, sorter, axis=-1)
    right = right or side == "right"
    places = _searchsorted.call(sorted_sequence, values, out_int32=out_int32, right=right)
    return into(out, places, "searchsorted")


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
    """The number of the bucket between the borders `sorted_sequence` that each element falls in.

    Shapes: for example x [3], sorted_sequence [2] gives [3].
    Dtypes: floating, complex, int64, int32 give int64.
    Errors: ValueError if x is not a Tensor; RuntimeError for bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> borders = paddle.to_tensor([1.0, 2.0])
    >>> paddle.bucketize(paddle.to_tensor([0.5, 1.5, 9.0]), borders).tolist()
    [0, 1, 2]
    """
    if len(sorted_sequence.shape) != 1:
        raise errors.rank("bucketize", 1, 1, sorted_sequence=sorted_sequence)
    return searchsorted(sorted_sequence, x, out_int32, right, out=out)
