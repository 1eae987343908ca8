"""Variance, medians and quantiles, and sums and means that ignore NaN."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument, InvalidType
from ...engine.meta import SMALL, Meta, axes_of, no_kernel, numbers, reduced_shape
from ...engine.tensor import Tensor
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import COMPLEX, as_list, is_variable, meta_of, read_axes, read_number
from ..catalog import public
from ..making import creation
from ..op_spec import internal
from ..record import Formula, Results, Static, at_axis, sample
from ..rule_functions import GRAPH as F
from ..widening import round_once
from . import reduction
from .ordering import sort, sort_positions

# ----- variance ----------------------------------------------------------------------------------


def _var_infer(x: Meta, *, axis: Any, keepdim: bool, correction: float) -> Meta:
    kind = numbers("var", SMALL + COMPLEX)(x).dtype
    return Meta(reduced_shape("var", x, axis, keepdim), kind)


@internal(
    infer=_var_infer,
    checked=True,
    canon={"axis": read_axes, "correction": read_number},
    formula=Formula(
        lambda attrs: (
            "y = Σ (x − mean(x))² / (n − correction)"
            if attrs["axis"] is None
            else "y = sum((x − mean(x, axis={axis}, keepdim=True))², axis={axis}{kept}) "
            "/ (n − correction)".format(**attrs, kept=", keepdim=True" * attrs["keepdim"])
        )
    ),
    samples=(
        sample((2, 3)),
        sample((2, 3), axis=1, correction=0.0),
        sample((2, 3, 2), axis=(0, -1), keepdim=True),
        sample((4,), axis=0, correction=0.5),
    ),
)
def _var(
    xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False, correction: float = 1.0
) -> Any:
    """The variance over `axis`: the mean square of the differences to the mean."""
    where = reduction.numpy_axis("var", x, axis)
    n = reduction.count_reduced(x.shape, axis)
    mean = xp.add.reduce(x, axis=where, keepdims=True) / (n or np.nan)
    apart = x - mean.astype(x.dtype)
    total = xp.add.reduce(apart * apart, axis=where, keepdims=keepdim)
    if not n:
        return total * np.nan
    return total / xp.asarray(max(n - correction, 0.0), total.dtype)


@_var.grad
def _var_grad(F: Any, dout: Any, x: Any, *, axis: Any, keepdim: bool, correction: float) -> Any:
    shape = F.sizes(x)
    apart = x - F.mean(x, axis=axis, keepdim=True)
    n = F.product(reduction.reduced_sizes(shape, axis))
    if is_variable(n):
        each = dout * 2.0 / (n - correction)
    else:
        freedom = max(n - correction, 0.0)
        each = dout * (2.0 / freedom if freedom else np.inf)
    return reduction.expand_reduced(F, each, shape, axis, keepdim) * apart


@public()
def var(
    x: Any,
    axis: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    correction: float = 1,
    out: Any = None,
) -> Any:
    """The variance over `axis` (all axes if None), divided by n - correction.

    unbiased=False is correction 0, unbiased=True is correction 1.

    >>> import minipaddle as paddle
    >>> paddle.var(paddle.to_tensor([1.0, 2.0, 3.0])).item()
    1.0
    """
    if unbiased is not None and correction != 1:
        pairs = {"unbiased": unbiased, "correction": correction}
        fix = Message("leave one of them out")
        raise misfit("var", "only one of unbiased and correction", InvalidArgument, fix, **pairs)
    less = float(correction if unbiased is None else bool(unbiased))
    return store(out, _var.call(x, axis=axis, keepdim=keepdim, correction=less), "var")


@public()
@round_once
def std(
    x: Any, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None
) -> Any:
    """The standard deviation: the square root of the variance.

    Shapes: for example x [3] gives [].
    Dtypes: floating kept; int32, int64 give float32.
    Errors: ValueError if x is not a Tensor, if there is no such axis; RuntimeError for complex,
    bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.std(paddle.to_tensor([1.0, 2.0, 3.0])).item()
    1.0
    """
    return F.sqrt(var(x, axis, unbiased, keepdim))


# ----- sums and means without NaN ----------------------------------------------------------------


@public()
def nansum(
    x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None
) -> Any:
    """The sum over `axis` (all axes if None); NaN counts as 0.

    Shapes: for example x [2] gives [].
    Dtypes: floating, complex, int64 kept; int32 gives int64.
    Errors: ValueError if there is no such axis; RuntimeError for bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.nansum(paddle.to_tensor([1.0, float("nan")])).item()
    1.0
    """
    return F.sum(_without_nan("nansum", x), axis=axis, dtype=dtype, keepdim=keepdim)


@public()
@round_once
def nanmean(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The mean over `axis` (all axes if None) without NaN.

    Shapes: for example x [3] gives [].
    Dtypes: floating, complex kept; int32, int64 give float32.
    Errors: ValueError if there is no such axis; RuntimeError for bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.nanmean(paddle.to_tensor([1.0, float("nan"), 3.0])).item()
    2.0
    """
    if DType.of(x.dtype).numpy.kind in "iu":
        numbers("nanmean")(meta_of(x))
        x = x.astype("float32")
    counted = F.logical_not(F.isnan(x)).astype(DType.of(x.dtype))
    total = F.sum(_without_nan("nanmean", x), axis=axis, keepdim=keepdim)
    return total / F.sum(counted, axis=axis, keepdim=keepdim)


def _without_nan(op_name: str, x: Any) -> Any:
    """Replace NaN by 0, with a gradient of 0."""
    numbers(op_name)(meta_of(x))
    if DType.of(x.dtype).numpy.kind not in "fc":
        return x
    zeros = F.fill_like(x, value=0.0, dtype=None)
    return F.where(F.isnan(x), zeros, x)


@public()
def count_nonzero(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The number of elements over `axis` (all axes if None) that are not 0; NaN is not 0.

    Shapes: for example x [3] gives [].
    Dtypes: all give int64.
    Errors: ValueError if x is not a Tensor, if there is no such axis.

    >>> import minipaddle as paddle
    >>> paddle.count_nonzero(paddle.to_tensor([1.0, 0.0, 3.0])).item()
    2
    """
    other = F.not_equal(x, F.fill_like(x, value=0.0, dtype=None))
    return F.sum(other, axis=axis, keepdim=keepdim)


# ----- medians -----------------------------------------------------------------------------------


def _middle_infer(x: Meta, *, axis: Any, keepdim: bool, upper: bool, skip_nan: bool) -> list[Meta]:
    kind = numbers("nanmedian", SMALL + COMPLEX)(x).dtype
    shape = reduced_shape("median", x, axis, keepdim)
    return [Meta(shape, kind), Meta(shape, np.dtype("int64"))]


def _middle_formula(attrs: dict[str, Any]) -> str:
    if attrs["skip_nan"]:  # each row has its own number of elements
        return ""
    axis, n = attrs["axis"], "n" if attrs["upper"] else "(n − 1)"
    place = at_axis(f"[⌊{n} / 2⌋]")({"axis": axis}) if isinstance(axis, int) else f"[⌊{n} / 2⌋]"
    return f"y = sort({'x' if axis is None else f'x, axis={axis}'}){place}"


def _middle_gradient(attrs: dict[str, Any]) -> str:
    axis, text = attrs["axis"], "dx = dy · [x = y] / Σ [x = y]"
    if axis in (None, 0, (0,)) or attrs["keepdim"]:
        return reduction.over_axes(text)(attrs)
    wide = re.sub(r"\b(d?y)\b", f"unsqueeze(\\1, axis={axis})", text.partition(" / ")[0])
    return f"{wide} / sum({wide[wide.index('[') :]}, axis={axis}, keepdim=True)"


@internal(
    "nanmedian",
    infer=_middle_infer,
    canon={"axis": read_axes},
    results=Results(("out", "indices"), stopped=("indices",)),
    formula=Formula(_middle_formula, _middle_gradient),
    samples=(
        sample((2, 5)),
        sample((2, 4), axis=1),
        sample((3, 2, 2), axis=(0, -1), keepdim=True),
        sample((4, 2), axis=0, upper=True, skip_nan=True),
        sample((), axis=0),
    ),
    static=Static("nanmedian", slots={"indices": "MedianIndex"}),
)
def middle(
    xp: Any,
    x: Any,
    *,
    axis: Any = None,
    keepdim: bool = False,
    upper: bool = False,
    skip_nan: bool = False,
) -> Any:
    """The middle element over `axis` (the lower one of two unless upper), and its position.

    NaN is ignored if skip_nan, else it is the result. Equal elements share the gradient.
    """
    expected = _middle_infer(
        Meta(x.shape, x.dtype), axis=axis, keepdim=keepdim, upper=upper, skip_nan=skip_nan
    )
    reduced = axes_of("median", Meta(x.shape, x.dtype), axis) if x.ndim else ()
    kept = tuple(i for i in range(x.ndim) if i not in reduced)
    n = reduction.count_reduced(x.shape, axis)
    rows = xp.transpose(x, (*kept, *reduced)).reshape(*(x.shape[i] for i in kept), n)
    if not rows.size:
        empty = np.nan if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        return [xp.full(m.shape, v, m.dtype) for m, v in zip(expected, (empty, 0), strict=True)]
    missing = rows != rows
    here = n - missing.sum(axis=-1, keepdims=True) if skip_nan else xp.full_like(rows[..., :1], n)
    place = (here // 2 if upper else (here - 1) // 2).astype("int64")
    indices = xp.where(place < 0, -1, xp.take_along_axis(sort_positions(xp, rows, -1), place, -1))
    if not skip_nan:
        first = xp.expand_dims(xp.argmax(missing, axis=-1), -1)
        indices = xp.where(missing.any(axis=-1, keepdims=True), first, indices)
    out = xp.take_along_axis(rows, indices, -1)
    return out.reshape(expected[0].shape), indices.reshape(expected[1].shape)


@middle.grad
def middle_grad(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
    spread = reduction.expand_reduced(F, out, F.sizes(x), axis, keepdim)
    both_nan = F.logical_and(F.isnan(x), F.isnan(spread))
    return reduction.share_gradient(
        F, dout, F.logical_or(F.equal(x, spread), both_nan), axis, keepdim
    )


def _compute_median(x: Any, axis: Any, keepdim: bool, mode: str, skip_nan: bool) -> Any:
    """Compute both kinds of median from checked arguments."""

    def at_middle(keepdim: bool = keepdim, upper: bool = False) -> Any:
        return middle.call(x, axis=axis, keepdim=keepdim, upper=upper, skip_nan=skip_nan)

    if mode == "avg":
        if (
            not skip_nan
            and min(x.shape, default=1) > 0
            and reduction.count_reduced(x.shape, axis) % 2
        ):
            return at_middle()[0]
        low, high = at_middle()[0], at_middle(upper=True)[0]
        kind = DType.of(x.dtype)
        if kind.is_floating:
            return (low + high) / 2
        return ((low.astype("float64") + high.astype("float64")) / 2).astype(kind)
    if not isinstance(axis, int):
        return at_middle()[0]
    if not len(x.shape) or 0 in x.shape:
        return at_middle()
    indices = at_middle()[1]
    if keepdim:
        return F.take_along_axis(x, indices, axis=axis), indices
    column = F.unsqueeze(indices, axis=axis % len(x.shape))
    value = F.take_along_axis(x, column, axis=axis)
    return F.squeeze(value, axis=axis % len(x.shape)), indices


def _check_median(op_name: str, x: Any, axis: Any, mode: str) -> None:
    if not hasattr(x, "stop_gradient"):
        raise errors.no_tensor(op_name, "x", x)
    if isinstance(axis, (list, tuple)) and not axis:
        raise misfit(op_name, "None for all axes, or the axes", axis=axis)
    errors.require_choice(op_name, "mode", mode, ("avg", "min"))


@public()
def median(
    x: Any,
    axis: int | None = None,
    keepdim: bool = False,
    mode: str = "avg",
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The median over `axis` (all elements if None), NaN if there is one. For an even number it
    is the mean of the two middle elements, or with mode "min" the lower one, with its position
    if there is an axis. A mean is float32, or float64 for float64.

    Shapes: for example x [4] gives [].
    Dtypes: float32, float64 kept; complex, integers, bool, float16 give float32.
    Errors: TypeError if x is not a Tensor; ValueError if there is no such axis.

    >>> import minipaddle as paddle
    >>> paddle.median(paddle.to_tensor([4, 1, 2, 9])).item()
    3.0
    """
    _check_median("median", x, axis, mode)
    rank = max(len(x.shape), 1)
    if axis is not None and (not isinstance(axis, int) or not -rank <= axis < rank):
        kind = InvalidArgument if len(x.shape) else CheckFailed
        raise misfit("median", f"None, or an int, {-rank} <= axis < {rank}", kind, axis=axis)
    if mode == "avg" and DType.of(x.dtype).name not in ("float32", "float64"):
        x = creation.cast.call(x, dtype="float32")
    return store(out, _compute_median(x, axis, keepdim, mode, skip_nan=False), "median")


@public()
def nanmedian(
    x: Any, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None
) -> Any:
    """The median over `axis` (an int or several; all axes if None) without NaN, in the dtype of x;
    see `paddle.median` for mode.

    >>> import minipaddle as paddle
    >>> paddle.nanmedian(paddle.to_tensor([4.0, float("nan"), 2.0])).item()
    3.0
    """
    _check_median("nanmedian", x, axis, mode)
    return _compute_median(x, read_axes(axis), keepdim, mode, skip_nan=True)


# ----- quantiles ----------------------------------------------------------------------------------


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
    """The q-quantile over `axis` (all axes if None), NaN if there is one. Several q, in a list or a
    Tensor, make a new first axis. `interpolation` sets the value between two elements.

    Shapes: for example x [3], q=0.75 gives [].
    Dtypes: floating kept.
    Errors: TypeError if x is not a Tensor; ValueError if there is no such axis; RuntimeError for
    complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.quantile(paddle.to_tensor([1.0, 2.0, 4.0]), 0.75).item()
    3.0
    """
    result = _compute_quantile("quantile", x, q, axis, keepdim, interpolation, skip_nan=False)
    return store(out, result, "quantile")


@public()
def nanquantile(
    x: Any, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear"
) -> Any:
    """The q-quantile over `axis` without NaN; see `paddle.quantile`.

    Shapes: for example x [3], q=0.5 gives [].
    Dtypes: floating kept.
    Errors: TypeError if x is not a Tensor; ValueError if there is no such axis; RuntimeError for
    complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nanquantile(paddle.to_tensor([1.0, float("nan"), 4.0]), 0.5).item()
    2.5
    """
    return _compute_quantile("nanquantile", x, q, axis, keepdim, interpolation, skip_nan=True)


def _compute_quantile(
    op_name: str, x: Any, q: Any, axis: Any, keepdim: bool, interpolation: str, skip_nan: bool
) -> Any:
    shares, many = _read_q(op_name, x, q, interpolation)
    meta = meta_of(x)
    shape = reduced_shape(op_name, meta, read_axes(axis), keepdim)
    rows = sort(_reduced_rows(op_name, x, meta, read_axes(axis)), axis=-1)
    missing = F.isnan(rows)
    present = F.logical_not(missing).astype(DType.of(x.dtype))
    last = F.sum(present, axis=-1, keepdim=True) - 1.0
    if not skip_nan:  # in a row with NaN, which sorts last, every q takes NaN
        ones = F.fill_like(rows, value=1.0, dtype=None)
        all_of_them = F.sum(ones, axis=-1, keepdim=True) - 1.0
        broken = F.any(missing, axis=-1, keepdim=True)
    results = []
    for share in shares:
        place = last * share if skip_nan else F.where(broken, all_of_them, last * share)
        results.append(F.reshape(_interpolate(rows, place, interpolation), shape=shape))
    return F.stack(results, axis=0) if many else results[0]


def _reduced_rows(op_name: str, x: Any, meta: Meta, axis: Any) -> Any:
    """Return x with the reduced axes as one last axis."""
    reduced = axes_of(op_name, meta, axis) if meta.shape else ()
    kept = [i for i in range(len(meta.shape)) if i not in reduced]
    moved = F.transpose(x, perm=[*kept, *reduced]) if meta.shape else x
    if len(reduced) == 1:
        return moved
    return F.reshape(moved, shape=[*(meta.shape[i] for i in kept), -1])


def _interpolate(rows: Any, place: Any, interpolation: str) -> Any:
    """Return the interpolated elements at fractional positions."""

    def taken(rounded: Callable[[Any], Any]) -> Any:
        return F.take_along_axis(rows, rounded(place).astype("int64"), axis=-1)

    roundings = {"nearest": F.round, "lower": F.floor, "higher": F.ceil}
    if interpolation in roundings:
        return taken(roundings[interpolation])
    low, high = taken(F.floor), taken(F.ceil)
    if interpolation == "midpoint":
        return (low + high) / 2
    return low + (high - low) * (place - F.floor(place))


def _read_q(op_name: str, x: Any, q: Any, interpolation: str) -> tuple[list[float], bool]:
    """Return q as a list, and whether it may be several."""
    if not hasattr(x, "stop_gradient"):
        raise errors.no_tensor(op_name, "x", x)
    if not DType.of(x.dtype).is_floating:
        raise no_kernel(op_name, "x", meta_of(x))
    if 0 in x.shape:
        raise errors.empty(op_name, x=x)
    q = q._data.tolist() if isinstance(q, Tensor) else q
    shares = as_list(q)
    if not all(isinstance(share, (int, float)) for share in shares):
        raise misfit(op_name, "q, a number in [0, 1] or several", InvalidType, q=q)
    if not shares or not all(0 <= share <= 1 for share in shares):
        fix = "0.5 is the median, 0.25 and 0.75 are the quartiles"
        raise misfit(op_name, "q, a number in [0, 1] or several", InvalidArgument, fix, q=q)
    errors.require_choice(op_name, "interpolation", interpolation, KINDS)
    return shares, len(shares) > 1
