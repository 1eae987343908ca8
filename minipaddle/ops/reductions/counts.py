"""Unique elements, their counts, and histograms.

The sizes of most results depend on values, so inference returns -1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dtypes import DType, as_positions
from ...engine.errors import Unimplemented
from ...engine.meta import Meta, axis_of, numbers, size
from ...errors import misfit, require
from .. import errors
from ..arguments import index_dtype, is_variable, read_axis, read_length, read_number, shapes_differ
from ..catalog import public
from ..op_spec import internal, op
from ..record import Formula, Results, Static, sample, with_options

# ----- unique elements ---------------------------------------------------------------------------


def _infer_unique(op_name: str, x: Meta, axis: Any, dtype: Any) -> tuple[Meta, Meta, Meta]:
    """Infer the unique elements, the inverse, and the counts."""
    numbers(op_name)(x)
    kind = index_dtype(op_name, dtype, Unimplemented)
    if axis is None:
        return Meta((-1,), x.dtype), Meta((size(x.shape),), kind), Meta((-1,), kind)
    errors.require_rank(op_name, 1, None, x=x, axis=axis)
    where = axis_of(op_name, x, axis)
    shape = (*x.shape[:where], -1, *x.shape[where + 1 :])
    return Meta(shape, x.dtype), Meta((x.shape[where],), kind), Meta((-1,), kind)


def _unique_infer(x: Meta, *, axis: Any, dtype: Any) -> list[Meta]:
    out, inverse, counts = _infer_unique("unique", x, axis, dtype)
    return [out, counts, inverse, counts]


@internal(
    infer=_unique_infer,
    checked=True,
    gradless="answers with a choice that jumps",
    canon={"axis": read_axis},
    results=Results(("out", "indices", "index", "counts")),
    formula=Formula(with_options("y = unique(x)", axis=None)),
    samples=(
        sample((6,), ints={"x": 3}),
        sample((4, 2), ints={"x": 2}, axis=0),
        sample(()),
        sample((2, 3), ints={"x": 3}, dtype="int32"),
        sample((0,)),
    ),
)
def _unique(xp: Any, x: Any, *, axis: Any = None, dtype: Any = "int64") -> Any:
    """The unique elements in order, the first position of each, the inverse, and the counts."""
    kind = DType.of(dtype).numpy
    out, first, inverse, counts = xp.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis, equal_nan=False
    )
    return out, first.astype(kind), inverse.reshape(-1).astype(kind), counts.astype(kind)


@public()
def unique(
    x: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    sorted: bool = True,
    name: str | None = None,
) -> Any:
    """The unique elements in order (or the unique slices along `axis`); on demand the first
    position of each, the number of the unique element for each element, and the counts.

    >>> import minipaddle as paddle
    >>> values, counts = paddle.unique(paddle.to_tensor([3, 1, 3]), return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    out, *rest = _unique.call(x, axis=axis, dtype=dtype)
    return _select_asked(out, rest, (return_index, return_inverse, return_counts))


def _select_asked(out: Any, rest: Any, asked: tuple[bool, ...]) -> Any:
    extra = [one for one, wish in zip(rest, asked, strict=True) if wish]
    return (out, *extra) if extra else out


@internal(
    infer=lambda x, **attrs: [*_infer_unique("unique_consecutive", x, **attrs)],
    checked=True,
    gradless="answers with a choice that jumps",
    canon={"axis": read_axis},
    results=Results(("out", "index", "counts")),
    formula=Formula("y = {x[k] : k = 0 or x[k] ≠ x[k − 1]}"),
    samples=(
        sample((6,), ints={"x": 2}),
        sample((4, 2), ints={"x": 2}, axis=-2),
        sample(()),
        sample((0, 2), axis=0),
    ),
)
def _unique_consecutive(xp: Any, x: Any, *, axis: Any = None, dtype: Any = "int64") -> Any:
    """The first element of each run of equal ones, the run of each element, and the lengths."""
    kind = DType.of(dtype).numpy
    x, where = (x.reshape(-1), 0) if axis is None else (x, axis)
    n, rows = x.shape[where], xp.moveaxis(x, where, 0)
    new = xp.ones(n, bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=tuple(range(1, x.ndim)))
    starts = xp.flatnonzero(new)
    ends = xp.append(starts[1:], n)[: len(starts)]
    run = xp.cumsum(new) - 1
    return xp.take(x, starts, where), run.astype(kind), (ends - starts).astype(kind)


@public()
def unique_consecutive(
    x: Any,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    name: str | None = None,
) -> Any:
    """The first element (or slice along `axis`) of each run of equal ones; on demand the number of
    the run for each element, and the lengths of the runs.

    >>> import minipaddle as paddle
    >>> paddle.unique_consecutive(paddle.to_tensor([3, 3, 1, 3])).tolist()
    [3, 1, 3]
    """
    out, *rest = _unique_consecutive.call(x, axis=axis, dtype=dtype)
    return _select_asked(out, rest, (return_inverse, return_counts))


# ----- counts ------------------------------------------------------------------------------------


def _bincount_infer(x: Meta, weights: Meta | None = None, *, minlength: int) -> Meta:
    if x.dtype.char not in "ilq":
        raise errors.dtype("bincount", ("int32", "int64"), x=x)
    if len(x.shape) != 1 or (
        weights and -1 not in (*x.shape, *weights.shape) and weights.shape != x.shape
    ):
        raise misfit("bincount", "x a row, and weights one of its size", x=x, weights=weights)
    require(minlength >= 0, "bincount", "minlength >= 0", minlength=minlength)
    return Meta((-1,), np.dtype("int64" if weights is None else _sum_dtype(weights)))


@internal(
    infer=_bincount_infer,
    checked=True,
    gradless="counts",
    canon={"minlength": read_length},
    formula=Formula("y[k] = Σ weights[i], x[i] = k"),
    samples=(
        sample((6,), None, ints={"x": 4}),
        sample((6,), (6,), ints={"x": 4}, minlength=9),
        sample((0,), None, ints={"x": 4}, minlength=2),
    ),
)
def bincount_(xp: Any, x: Any, weights: Any = None, *, minlength: int = 0) -> Any:
    """The number of occurrences of 0, 1, 2, ..., or the sums of their weights."""
    if x.size and int(x.min()) < 0:
        raise misfit("bincount", "x >= 0", x=int(x.min()))
    counts = xp.bincount(as_positions(x), weights, minlength)
    return counts.astype("int64" if weights is None else _sum_dtype(weights), copy=False)


def _sum_dtype(weights: Any) -> str:
    return "float32" if weights.dtype == np.float32 else "float64"


@internal(
    infer=lambda x, count, weights=None: _bincount_infer(x, weights, minlength=0),
    gradless="counts",
    formula=Formula("y[k] = Σ weights[i], x[i] = k", symbol="bincount"),
    samples=(
        sample((6,), (1,), (6,), ints={"x": 4, "count": 9}),
        sample((6,), (), None, ints={"x": 4, "count": 9}),
    ),
    static=Static("bincount", slots={"count": "minlength"}),
)
def bincount_by(xp: Any, x: Any, count: Any, weights: Any = None) -> Any:
    """The number of occurrences of each number, with the minimal length in a tensor."""
    return bincount_.kernel(xp, x, weights, minlength=read_length(count))


@public()
def bincount(
    x: Any, weights: Any = None, minlength: Any = 0, name: str | None = None, *, out: Any = None
) -> Any:
    """The number of occurrences of 0, 1, 2, ..., or the sums of their weights.

    >>> paddle.bincount(paddle.to_tensor([1, 2, 1])).tolist()
    [0, 2, 1]
    """
    if not is_variable(minlength):
        return bincount_.call(x, weights, minlength=minlength, out=out)
    return bincount_by.call(x, minlength, weights)


# ----- histograms --------------------------------------------------------------------------------


def _histogram_infer(
    input: Meta, weight: Meta | None = None, *, bins: int, min: float, max: float, density: bool
) -> Meta:
    numbers("histogram")(input)
    _check_range("histogram", bins, min, max)
    if weight and (weight.dtype != input.dtype or shapes_differ(weight.shape, input.shape)):
        raise misfit("histogram", f"one weight for each element, as {input}", weight=weight)
    return Meta((bins,), np.dtype("float32" if density or weight else "int64"))


def _check_range(op_name: str, bins: int, low: float, high: float) -> None:
    if bins < 1 or low > high:
        raise misfit(op_name, "bins >= 1 and min <= max", bins=bins, min=low, max=high)


def _bin_limits(xp: Any, op_name: str, x: Any, low: float, high: float) -> tuple[float, float]:
    """Return the limits of the bins, by default the range of the elements."""
    low, high = (float(x.dtype.type(end)) for end in (low, high))
    counted = x[x == x]  # NaN is outside all bins
    if low == high and counted.size:
        low, high = float(counted.min()), float(counted.max())
    if not np.isfinite(high - low):
        raise misfit(op_name, "finite elements, or a finite min and max", min=low, max=high)
    return (low - 0.5, high + 0.5) if low == high and x.dtype.kind == "f" else (low, high)


def _histogram_formula(attrs: dict[str, Any]) -> str:
    low, high = attrs["min"], attrs["max"]
    limits = f", min={low:g}, max={high:g}" if low != high else ""
    call = f"y = histogram(x, bins={attrs['bins']}{limits})"
    return with_options(call, density=False)(attrs)


@internal(
    infer=_histogram_infer,
    checked=True,
    gradless="counts",
    canon={"bins": read_length, "min": read_number, "max": read_number},
    formula=Formula(_histogram_formula),
    samples=(
        sample((9,), None, bins=4),
        sample((2, 3), (2, 3), bins=3, density=True),
        sample((9,), None, bins=3, min=-1.0, max=1.0),
        sample((0,), None, bins=2),
        sample((), None, bins=3),
    ),
    static=Static("histogram", slots={"input": "X"}),
)
def _histogram(
    xp: Any,
    input: Any,
    weight: Any = None,
    *,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    density: bool = False,
) -> Any:
    """The number of elements in each of `bins` equal bins from min to max."""
    low, high = _bin_limits(xp, "histogram", input, min, max)
    inside = (input >= low) & (input <= high)
    places = (input[inside].astype("float64") - low) * bins / ((high - low) or 1.0)
    places = xp.minimum(places.astype("int64"), bins - 1)
    counts = xp.bincount(as_positions(places), None if weight is None else weight[inside], bins)
    if density:
        counts = counts / xp.sum(counts) / ((high - low) / bins)
    return counts.astype("int64" if weight is None and not density else "float32")


@public()
def histogram(
    input: Any,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    weight: Any = None,
    density: bool = False,
    name: str | None = None,
) -> Any:
    """The number of elements in each of `bins` equal bins from min to max (the range of the
    elements if both are 0); with weights their sums; with density the integral is 1.

    >>> import minipaddle as paddle
    >>> paddle.histogram(paddle.to_tensor([1.0, 2.0, 1.0]), bins=2).tolist()
    [2, 1]
    """
    return _histogram.call(input, weight, bins=bins, min=min, max=max, density=density)


def _edges_infer(input: Meta, *, bins: int, min: float, max: float) -> Meta:
    numbers("histogram_bin_edges")(input)
    _check_range("histogram_bin_edges", bins, min, max)
    return Meta((bins + 1,), np.dtype("float32"))


@op(
    infer=_edges_infer,
    checked=True,
    gradless="answers with the borders of bins",
    canon={"bins": read_length, "min": read_number, "max": read_number},
    formula=Formula("y[k] = min + k · (max − min) / bins"),
    samples=(sample((9,), bins=4), sample((9,), bins=3, min=-1.0, max=1.0), sample((), bins=3)),
)
def histogram_bin_edges(
    xp: Any, input: Any, *, bins: int = 100, min: float = 0.0, max: float = 0.0
) -> Any:
    """The borders of the bins of `histogram`.

    >>> paddle.histogram_bin_edges(paddle.to_tensor([1.0, 3.0]), bins=2).tolist()
    [1.0, 2.0, 3.0]
    """
    low, high = _bin_limits(xp, "histogram_bin_edges", input, min, max)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return xp.linspace(low, high, bins + 1).astype("float32")
