"""Quantiles: the elements at a share q of the sorted ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.dtypes import DType
from ...engine.errors import InvalidArgument, InvalidType
from ...engine.meta import Meta, axes_of, no_kernel, reduced_shape
from ...engine.tensor import Tensor
from ...errors import misfit
from .. import errors
from ..arguments import axes, meta_of
from ..catalog import public
from ..outs import into
from ..rule_functions import GRAPH as F
from .ordering import sort

KINDS = ("linear", "lower", "higher", "nearest", "midpoint")


@public()
def quantile(
    x: Any,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: str = "linear",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The q-quantile over `axis` (all axes if None), NaN if there is one; several q, a list or a
    Tensor, give a new first axis. Between two elements `interpolation` decides.

    Shapes: for example x [3], q=0.75 gives [].
    Dtypes: floating kept.
    Errors: TypeError if x is not a Tensor; ValueError if there is no such axis; RuntimeError for
    complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.quantile(paddle.to_tensor([1.0, 2.0, 4.0]), 0.75).item()
    3.0
    """
    result = _quantile("quantile", x, q, axis, keepdim, interpolation, skip_nan=False)
    return into(out, result, "quantile")


@public()
def nanquantile(
    x: Any, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear"
) -> Any:
    """The q-quantile over `axis` of what is not NaN; see `paddle.quantile`.

    Shapes: for example x [3], q=0.5 gives [].
    Dtypes: floating kept.
    Errors: TypeError if x is not a Tensor; ValueError if there is no such axis; RuntimeError for
    complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nanquantile(paddle.to_tensor([1.0, float("nan"), 4.0]), 0.5).item()
    2.5
    """
    return _quantile("nanquantile", x, q, axis, keepdim, interpolation, skip_nan=True)


def _quantile(
    op_name: str, x: Any, q: Any, axis: Any, keepdim: bool, interpolation: str, skip_nan: bool
) -> Any:
    shares, many = _check_shares(op_name, x, q, interpolation)
    meta = meta_of(x)
    shape = reduced_shape(op_name, meta, axes(axis), keepdim)
    rows = sort(_rows(op_name, x, meta, axes(axis)), axis=-1)
    missing = F.isnan(rows)
    present = F.logical_not(missing).astype(DType.of(x.dtype))
    last = F.sum(present, axis=-1, keepdim=True) - 1.0
    if not skip_nan:  # NaN is sorted to the end: there it is found whatever q is
        ones = F.fill_like(rows, value=1.0, dtype=None)
        all_of_them = F.sum(ones, axis=-1, keepdim=True) - 1.0
        broken = F.any(missing, axis=-1, keepdim=True)
    results = []
    for share in shares:
        place = last * share if skip_nan else F.where(broken, all_of_them, last * share)
        results.append(F.reshape(_at(rows, place, interpolation), shape=shape))
    return F.stack(results, axis=0) if many else results[0]


def _rows(op_name: str, x: Any, meta: Meta, axis: Any) -> Any:
    """Return x with the reduced axes as one, at the end."""
    gone = axes_of(op_name, meta, axis) if meta.shape else ()
    kept = [i for i in range(len(meta.shape)) if i not in gone]
    moved = F.transpose(x, perm=[*kept, *gone]) if meta.shape else x
    if len(gone) == 1:
        return moved
    return F.reshape(moved, shape=[*(meta.shape[i] for i in kept), -1])


def _at(rows: Any, place: Any, interpolation: str) -> Any:
    """Return the elements at places that are no whole numbers."""

    def taken(rounded: Callable[[Any], Any]) -> Any:
        return F.take_along_axis(rows, rounded(place).astype("int64"), axis=-1)

    roundings = {"nearest": F.round, "lower": F.floor, "higher": F.ceil}
    if interpolation in roundings:
        return taken(roundings[interpolation])
    low, high = taken(F.floor), taken(F.ceil)
    if interpolation == "midpoint":
        return (low + high) / 2
    return low + (high - low) * (place - F.floor(place))


def _check_shares(op_name: str, x: Any, q: Any, interpolation: str) -> tuple[list[float], bool]:
    """Return the shares as a list, and whether there may be several."""
    if not hasattr(x, "stop_gradient"):
        raise errors.no_tensor(op_name, "x", x)
    if not DType.of(x.dtype).is_floating:
        raise no_kernel(op_name, "x", meta_of(x))
    if 0 in x.shape:
        raise errors.empty(op_name, x=x)
    q = q._data.tolist() if isinstance(q, Tensor) else q
    shares = list(q) if isinstance(q, (list, tuple)) else [q]
    if not all(isinstance(share, (int, float)) for share in shares):
        raise misfit(op_name, "q, a number in [0, 1] or several", InvalidType, q=q)
    if not shares or not all(0 <= share <= 1 for share in shares):
        fix = "0.5 is the median, 0.25 and 0.75 are the quartiles"
        raise misfit(op_name, "q, a number in [0, 1] or several", InvalidArgument, fix, q=q)
    if interpolation not in KINDS:
        raise errors.choice(op_name, "interpolation", interpolation, KINDS)
    return shares, len(shares) > 1
