"""Variance, medians and quantiles, and the sums and means that pass over NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument
from ...engine.meta import SMALL, Meta, axes_of, numbers, reduced_shape
from ...errors import misfit
from .. import errors
from ..arguments import COMPLEX, axes, is_variable, meta_of, number
from ..catalog import public
from ..making import convert
from ..op_spec import internal
from ..outs import into
from ..record import Formula, Results, Static, sample
from ..rule_functions import GRAPH as F
from ..widening import rounds_once
from . import reduction
from .ordering import order

# ----- variance ----------------------------------------------------------------------------------


def _var_infer(x: Meta, *, axis: Any, keepdim: bool, correction: float) -> Meta:
    kind = numbers("var", SMALL + COMPLEX)(x).dtype
    return Meta(reduced_shape("var", x, axis, keepdim), kind)


@internal(
    infer=_var_infer,
    checked=True,
    canon={"axis": axes, "correction": number},
    formula=Formula("y = Σ (x − mean(x))² / (n − correction)"),
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
    """The variance over `axis`: the mean square of the distance from the mean."""
    where = reduction.along("var", x, axis)
    n = reduction.count(x.shape, axis)
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
        given = {"unbiased": unbiased, "correction": correction}
        raise misfit("var", "only one of unbiased and correction", **given)
    less = float(correction if unbiased is None else bool(unbiased))
    return into(out, _var.call(x, axis=axis, keepdim=keepdim, correction=less), "var")


@public()
@rounds_once
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
    """The sum over `axis` (all axes if None), NaN counted as 0.

    Shapes: for example x [2] gives [].
    Dtypes: floating, complex, int64 kept; int32 give int64.
    Errors: ValueError if there is no such axis; RuntimeError for bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.nansum(paddle.to_tensor([1.0, float("nan")])).item()
    1.0
    """
    return F.sum(_without_nan("nansum", x), axis=axis, dtype=dtype, keepdim=keepdim)


@public()
@rounds_once
def nanmean(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The mean over `axis` (all axes if None) of what is not NaN.

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
    """Replace NaN by 0; no gradient flows there."""
    numbers(op_name)(meta_of(x))
    if DType.of(x.dtype).numpy.kind not in "fc":
        return x
    zeros = F.fill_like(x, value=0.0, dtype=None)
    return F.where(F.isnan(x), zeros, x)


@public()
def count_nonzero(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """How many elements over `axis` (all axes if None) are not 0; NaN is not 0.

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


@internal(
    "nanmedian",
    infer=_middle_infer,
    canon={"axis": axes},
    results=Results(("out", "indices"), stopped=("indices",)),
    formula=Formula("y = sort(x)[(n − 1) / 2]", "dx = dy · (x = y) / Σ (x = y)"),
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
    """The middle element over `axis` (of two, the lower one unless upper), and its position.

    NaN is passed over if skip_nan; else it wins. Equal elements share the gradient.
    """
    expected = _middle_infer(
        Meta(x.shape, x.dtype), axis=axis, keepdim=keepdim, upper=upper, skip_nan=skip_nan
    )
    gone = axes_of("median", Meta(x.shape, x.dtype), axis) if x.ndim else ()
    kept = tuple(i for i in range(x.ndim) if i not in gone)
    n = reduction.count(x.shape, axis)
    rows = xp.transpose(x, (*kept, *gone)).reshape(*(x.shape[i] for i in kept), n)
    if not rows.size:
        empty = np.nan if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        return [xp.full(m.shape, v, m.dtype) for m, v in zip(expected, (empty, 0), strict=True)]
    missing = rows != rows
    here = n - missing.sum(axis=-1, keepdims=True) if skip_nan else xp.full_like(rows[..., :1], n)
    place = (here // 2 if upper else (here - 1) // 2).astype("int64")
    indices = xp.where(place < 0, -1, xp.take_along_axis(order(xp, rows, -1), place, -1))
    if not skip_nan:
        first = xp.expand_dims(xp.argmax(missing, axis=-1), -1)
        indices = xp.where(missing.any(axis=-1, keepdims=True), first, indices)
    out = xp.take_along_axis(rows, indices, -1)
    return out.reshape(expected[0].shape), indices.reshape(expected[1].shape)


@middle.grad
def middle_grad(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
    spread = reduction.expand_reduced(F, out, F.sizes(x), axis, keepdim)
    both_nan = F.logical_and(F.isnan(x), F.isnan(spread))
    return reduction.share(F, dout, F.logical_or(F.equal(x, spread), both_nan), axis, keepdim)


def _median(x: Any, axis: Any, keepdim: bool, mode: str, skip_nan: bool) -> Any:
    """Compute both kinds of median, once the arguments are checked."""

    def at_middle(keepdim: bool = keepdim, upper: bool = False) -> Any:
        return middle.call(x, axis=axis, keepdim=keepdim, upper=upper, skip_nan=skip_nan)

    if mode == "avg":
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
    if mode not in ("avg", "min"):
        raise errors.choice(op_name, "mode", mode, ("avg", "min"))


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
    """The median over `axis` (all elements if None), NaN if there is one; of an even number the
    mean of the two middle elements, or with mode "min" the lower one, with its position if there
    is an axis. Except for float64, a mean is float32.

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
    if mode == "avg" and DType.of(x.dtype).name != "float64":
        x = convert.cast.call(x, dtype="float32")
    return into(out, _median(x, axis, keepdim, mode, skip_nan=False), "median")


@public()
def nanmedian(
    x: Any, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None
) -> Any:
    """The median over `axis` (an int or several; all axes if None) of what is not NaN, in x's
    dtype; see `paddle.median` for mode.

    >>> import minipaddle as paddle
    >>> paddle.nanmedian(paddle.to_tensor([4.0, float("nan"), 2.0])).item()
    3.0
    """
    _check_median("nanmedian", x, axis, mode)
    return _median(x, axes(axis), keepdim, mode, skip_nan=True)
