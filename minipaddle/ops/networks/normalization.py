"""Normalization to mean 0 and variance 1 over some axes, followed by scale and shift.

The mean and 1/sqrt(variance) are outputs with gradients of their own, so that the gradient rule may
read them and can itself be differentiated.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...engine.dtypes import DType
from ...engine.meta import Meta, no_kernel
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import metas_of, shapes_differ
from ..op_spec import internal
from ..record import Formula, Results, Static, sample

# Formulas of a channel or a row @, for its own numbers in scale and bias, §, and sums over rows, Σ.
STATISTICS = "μ = mean(x@), σ² = mean((x@ − μ)²)"
NORMAL = f"y@ = (x@ − μ) / √(σ² + ε) · scale§ + bias§, {STATISTICS}"
NORMALIZED = f"x̂ = (x@ − μ) / √(σ² + ε), {STATISTICS}"
SLOPES = (
    f"dx@ = (dx̂ − mean(dx̂) − x̂ · mean(dx̂ · x̂)) / √(σ² + ε), dx̂ = dy@ · scale§, {NORMALIZED}, "
    f"dscale§ = Σ dy@ · x̂, {NORMALIZED}, dbias§ = Σ dy@"
)
# Formulas for running statistics, which do not depend on x.
RUNNING = "y@ = (x@ − mean§) / √(variance§ + ε) · scale§ + bias§"
RUNNING_SLOPES = (
    "dx@ = dy@ · scale§ / √(variance§ + ε), "
    "dscale§ = Σ dy@ · (x@ − mean§) / √(variance§ + ε), dbias§ = Σ dy@"
)

# ----- statistics --------------------------------------------------------------------------------


def _restore_axes(array: Any, axes: tuple[int, ...], rank: int) -> Any:
    """Return a statistic with the reduced axes as axes of size 1."""
    sizes = iter(array.shape)
    return array.reshape(tuple(1 if axis in axes else next(sizes) for axis in range(rank)))


def _moments(xp: Any, x: Any, axes: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """Return x minus its mean, the mean, and the variance."""
    mean = x.mean(axis=axes)
    centred = x - _restore_axes(mean, axes, x.ndim)
    return centred, mean, xp.square(centred).mean(axis=axes)


def _through_statistics(
    F: Any, hat: Any, inv: Any, axes: tuple[int, ...], sums: tuple[Any, Any], dmean: Any, dinv: Any
) -> tuple[Any, Any]:
    """Return the part of dx through mean and inv of x̂ = (x − mean) · inv: slope and constant of a
    linear function of x̂.

    `sums` are those of dx̂ and of dx̂ · x̂; dmean and dinv are the gradients of mean and inv.
    """
    count = F.cast(F.numel(hat), dtype=DType.of(hat.dtype))
    share = F.cast(F.numel(inv), dtype=DType.of(hat.dtype)) / count
    total, along = sums
    equal, slope = -total * inv, -along * inv
    equal = equal if dmean is None else equal + dmean
    slope = slope if dinv is None else slope - dinv * inv * inv
    return F.unsqueeze(slope * share, axis=axes), F.unsqueeze(equal * share, axis=axes)


def _standardize(F: Any, x: Any, mean: Any, inv: Any, axes: tuple[int, ...]) -> Any:
    """Compute x̂ = (x − mean) · inv in one array."""
    hat = x - F.unsqueeze(mean, axis=axes)
    hat *= F.unsqueeze(inv, axis=axes)
    return hat


def _with_layout_of(xp: Any, array: Any, like: Any) -> Any:
    """Return an array in the memory layout of another one, for quick operations on both."""
    if array.strides == like.strides:
        return array
    same = xp.empty_like(like)
    same[...] = array
    return same


def _check_input(name: str, x: Meta, least: int) -> None:
    """Raise an error for dtypes and ranks that cannot be normalized."""
    if x.dtype.char not in "fd":
        raise no_kernel(name, "x", x, Message("float32 or float64"))
    errors.require_rank(name, least, None, x=x)


def _check_feature(
    name: str, argument: str, meta: Meta, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> None:
    """Raise an error for a statistic, scale or shift of another shape or dtype."""
    if shapes_differ(meta.shape, shape) or meta.dtype != dtype:
        expected = f"{argument} {dtype.name} {list(shape)}, one number for each feature of x"
        raise misfit(name, expected, **{argument: meta})


# ----- over the batch ----------------------------------------------------------------------------


def _channel_axis(rank: int, data_format: str) -> int:
    return rank - 1 if data_format[-1] == "C" and rank > 2 else 1


def _other_axes(rank: int, data_format: str) -> tuple[int, ...]:
    """Return all axes except that of the channels."""
    channel = _channel_axis(rank, data_format)
    return tuple(axis for axis in range(rank) if axis != channel)


def _batch_infer(
    x: Meta,
    mean: Meta,
    variance: Meta,
    scale: Meta | None = None,
    bias: Meta | None = None,
    *,
    data_format: str = "NCHW",
    **_attrs: Any,
) -> list[Meta]:
    _check_input("batch_norm", x, 2)
    shape = (x.shape[_channel_axis(len(x.shape), data_format)],)
    for name, meta in (("running_mean", mean), ("running_var", variance)):
        _check_feature("batch_norm", name, meta, shape, x.dtype)
    for name, extra in (("weight", scale), ("bias", bias)):
        if extra is not None:
            _check_feature("batch_norm", name, extra, shape, x.dtype)
    each = Meta(mean.shape, x.dtype)
    return [x, mean, variance, each, each]


def _of_statistics(batch: str, running: str) -> Callable[[dict[str, Any]], str]:
    """Return the formula of a channel k, with the statistics that a call uses."""

    def formula(attrs: dict[str, Any]) -> str:
        last = attrs["data_format"] in ("NLC", "NHWC", "NDHWC")
        text = running if _uses_running_statistics(**attrs) else batch
        return text.replace("@", "[..., k]" if last else "[:, k]").replace("§", "[k]")

    return formula


def _of_row(text: str) -> Callable[[dict[str, Any]], str]:
    """Return the formula of one row, x[i, j], for which flat weights are reshaped if needed."""

    def formula(attrs: dict[str, Any]) -> str:
        axes = attrs["begin_norm_axis"]
        place, summed = ("ijk"[:axes], "ᵢⱼₖ"[:axes]) if axes < 4 else ("i…k", "")
        row, filled = f"[{', '.join(place)}]", text
        if attrs.get("rank", 2) - axes > 1:
            filled = re.sub(r"(?<!d)(scale|bias)§", rf"reshape(\1, shape(x{row}))", filled)
            filled = re.sub(r"(d\w+§) = (Σ dy@(?: · x̂)?)", r"\1 = flatten(\2)", filled)
        return filled.replace("@", row).replace("§", "").replace("Σ", f"Σ{summed}")

    return formula


def _positive_variance(arrays: list[Any]) -> list[Any]:
    """Return sample inputs with a positive variance."""
    return [*arrays[:2], np.abs(arrays[2]) + 0.1, *arrays[3:]]


_batch = partial(sample, prepare=_positive_variance, momentum=0.8, epsilon=0.1)


@internal(
    infer=_batch_infer,
    results=Results(
        ("out", "mean_out", "variance_out", "saved_mean", "saved_variance"),
        stopped=("mean_out", "variance_out"),
        updates={"mean_out": "mean", "variance_out": "variance"},
        zeros_for_unused=False,
    ),
    formula=Formula(
        _of_statistics(NORMAL, RUNNING), _of_statistics(SLOPES, RUNNING_SLOPES), symbol="batch norm"
    ),
    samples=(
        _batch((4, 3), (3,), (3,), (3,), (3,)),
        _batch((2, 3, 2), (3,), (3,), None, None),
        _batch((2, 2, 2, 3), (3,), (3,), (3,), (3,), data_format="NHWC"),
        _batch((3, 2, 2), (2,), (2,), (2,), (2,), is_test=True),
        _batch((3, 2), (2,), (2,), None, (2,), use_global_stats=True),
    ),
    static=Static(
        "batch_norm",
        slots={
            "out": "Y",
            "mean_out": "MeanOut",
            "variance_out": "VarianceOut",
            "saved_mean": "SavedMean",
            "saved_variance": "SavedVariance",
        },
        attrs={"data_format": "data_layout"},
    ),
)
def batch_norm(
    xp: Any,
    x: Any,
    mean: Any,
    variance: Any,
    scale: Any = None,
    bias: Any = None,
    *,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_test: bool = False,
    use_global_stats: bool = False,
    trainable_statistics: bool = False,
    data_format: str = "NCHW",
) -> Any:
    """x with mean 0 and variance 1 in each channel, and the running mean and variance."""
    _batch_infer(*metas_of([x, mean, variance, scale, bias]), data_format=data_format)
    axes, mean_out, variance_out = _other_axes(x.ndim, data_format), mean, variance
    if _uses_running_statistics(is_test, use_global_stats, trainable_statistics):
        used, spread = mean.copy(), variance
        centred = x - _restore_axes(used, axes, x.ndim)
    elif x.size <= variance.size:  # at most one number per channel: no variance
        return x.copy(), mean, variance, mean.copy(), xp.ones_like(variance)
    else:
        centred, used, spread = _moments(xp, x, axes)
        mean_out = mean * momentum + used * (1.0 - momentum)
        variance_out = variance * momentum + spread * (1.0 - momentum)
    inv = 1.0 / xp.sqrt(spread + epsilon)
    centred *= _restore_axes(inv if scale is None else inv * scale, axes, x.ndim)
    if bias is not None:
        centred += _restore_axes(bias, axes, x.ndim)
    return centred, mean_out, variance_out, used, inv


@batch_norm.grad
def batch_norm_grad(
    F: Any,
    dout: Any,
    dsaved_mean: Any,
    dsaved_variance: Any,
    x: Any,
    scale: Any,
    saved_mean: Any,
    saved_variance: Any,
    *,
    needs: list[bool],
    **how: Any,
) -> Any:
    axes = _other_axes(len(x.shape), how["data_format"])
    inv = saved_variance
    hat = (x - F.unsqueeze(saved_mean, axis=axes)) * F.unsqueeze(inv, axis=axes)
    if dout is None:
        dout = hat * 0.0
    dscale, dbias = F.sum(dout * hat, axis=axes), F.sum(dout, axis=axes)
    factor = inv if scale is None else inv * scale
    dx = dout * F.unsqueeze(factor, axis=axes)
    total, along = (dbias, dscale) if scale is None else (dbias * scale, dscale * scale)
    dmean = dvariance = None
    if _uses_running_statistics(**how):
        if needs[1] or needs[2]:
            dmean = _add_gradient(total * -inv, dsaved_mean)
            dvariance = _add_gradient(along / inv, dsaved_variance) * inv * inv * inv * -0.5
    else:
        dmean = dvariance = inv * 0.0  # the batch's own statistics were used
        if all(x.shape[axis] == 1 for axis in axes):
            return dout, dmean, dvariance, dmean, dmean if needs[4] else None
        more = dsaved_mean, dsaved_variance
        slope, level = _through_statistics(F, hat, inv, axes, (total, along), *more)
        dx = dx + (hat * slope + level)
    return dx, dmean, dvariance, dscale if needs[3] else None, dbias if needs[4] else None


@batch_norm.fused
def batch_norm_fused(F: Any, *values: Any, needs: list[bool], **how: Any) -> Any:
    dout, dsaved_mean, dsaved_variance, x, scale, saved_mean, saved_variance = values
    axes = _other_axes(x.ndim, how["data_format"])
    running = _uses_running_statistics(**how)
    if dout is None or running or all(x.shape[axis] == 1 for axis in axes):
        return batch_norm_grad(F, *values, needs=needs, **how)
    inv, hat = saved_variance, _standardize(F, x, saved_mean, saved_variance, axes)
    dout = _with_layout_of(F.xp, dout, x)
    room = dout * hat
    dscale, dbias = F.sum(room, axis=axes), F.sum(dout, axis=axes)
    sums = (dbias, dscale) if scale is None else (dbias * scale, dscale * scale)
    slope, level = _through_statistics(F, hat, inv, axes, sums, dsaved_mean, dsaved_variance)
    factor = F.unsqueeze(inv if scale is None else inv * scale, axis=axes)
    dx = F.xp.multiply(dout, factor, out=room)
    hat *= slope
    hat += level
    dx += hat
    none = inv * 0.0  # the batch's own statistics were used
    return dx, none, none, dscale if needs[3] else None, dbias if needs[4] else None


def _uses_running_statistics(
    is_test: bool = False,
    use_global_stats: bool = False,
    trainable_statistics: bool = False,
    **_rest: Any,
) -> bool:
    """Return whether the running statistics are used, not those of the batch."""
    return use_global_stats or (is_test and not trainable_statistics)


def _add_gradient(gradient: Any, more: Any) -> Any:
    return gradient if more is None else gradient + more


# ----- over the features of one sample -----------------------------------------------------------


def _layer_infer(
    x: Meta,
    scale: Meta | None = None,
    bias: Meta | None = None,
    *,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
) -> list[Meta]:
    _check_input("layer_norm", x, begin_norm_axis + 1)
    features = int(np.prod(x.shape[begin_norm_axis:]))
    for name, extra in (("weight", scale), ("bias", bias)):
        if extra is not None and -1 not in x.shape[begin_norm_axis:]:
            _check_feature("layer_norm", name, extra, (features,), x.dtype)
    each = Meta(x.shape[:begin_norm_axis], x.dtype)
    return [x, each, each]


@internal(
    infer=_layer_infer,
    results=Results(("out", "mean", "variance"), zeros_for_unused=False),
    formula=Formula(_of_row(NORMAL), _of_row(SLOPES), symbol="layer norm"),
    samples=(
        sample((3, 4), (4,), (4,), epsilon=0.1),
        sample((2, 3, 2), (6,), None, epsilon=0.1),
        sample((2, 3, 2), None, (2,), begin_norm_axis=2, epsilon=0.1),
        sample((2, 3, 2), None, None, epsilon=0.1),
    ),
    static=Static("layer_norm", slots={"out": "Y"}),
)
def layer_norm(
    xp: Any,
    x: Any,
    scale: Any = None,
    bias: Any = None,
    *,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
) -> Any:
    """x with mean 0 and variance 1 over all axes from `begin_norm_axis` on."""
    _layer_infer(*metas_of([x, scale, bias]), begin_norm_axis=begin_norm_axis)
    axes, features = tuple(range(begin_norm_axis, x.ndim)), x.shape[begin_norm_axis:]
    centred, mean, variance = _moments(xp, x, axes)
    centred *= _restore_axes(1.0 / xp.sqrt(variance + epsilon), axes, x.ndim)
    if scale is not None:
        centred *= scale.reshape(features)
    if bias is not None:
        centred += bias.reshape(features)
    return centred, mean, variance


@layer_norm.grad
def layer_norm_grad(
    F: Any,
    dout: Any,
    dmean: Any,
    dvariance: Any,
    x: Any,
    scale: Any,
    mean: Any,
    variance: Any,
    *,
    begin_norm_axis: int,
    epsilon: float,
    needs: list[bool],
) -> Any:
    axes = tuple(range(begin_norm_axis, len(x.shape)))
    inv = F.rsqrt(variance + epsilon)
    hat = (x - F.unsqueeze(mean, axis=axes)) * F.unsqueeze(inv, axis=axes)
    if dout is None:
        dout = hat * 0.0
    dhat = dout
    if scale is not None:
        dhat = dout * F.reshape(scale, shape=tuple(x.shape[begin_norm_axis:]))
    dinv = None if dvariance is None else dvariance * -2.0 / (inv * inv * inv)
    sums = F.sum(dhat, axis=axes), F.sum(dhat * hat, axis=axes)
    slope, level = _through_statistics(F, hat, inv, axes, sums, dmean, dinv)
    dx = dhat * F.unsqueeze(inv, axis=axes) + (hat * slope + level)
    first = tuple(range(begin_norm_axis))
    dscale = F.reshape(F.sum(dout * hat, axis=first), shape=(-1,)) if needs[1] else None
    dbias = F.reshape(F.sum(dout, axis=first), shape=(-1,)) if needs[2] else None
    return dx, dscale, dbias


@layer_norm.fused
def layer_norm_fused(F: Any, *values: Any, needs: list[bool], **how: Any) -> Any:
    dout, dmean, dvariance, x, scale, mean, variance = values
    if dout is None:
        return layer_norm_grad(F, *values, needs=needs, **how)
    begin_norm_axis = how["begin_norm_axis"]
    first, axes = tuple(range(begin_norm_axis)), tuple(range(begin_norm_axis, x.ndim))
    inv = F.rsqrt(variance + how["epsilon"])
    hat = _standardize(F, x, mean, inv, axes)
    dhat = dout if scale is None else dout * scale.reshape(x.shape[begin_norm_axis:])
    dinv = None if dvariance is None else dvariance * -2.0 / (inv * inv * inv)
    room = dout * hat
    dscale = F.sum(room, axis=first).reshape(-1) if needs[1] else None
    dbias = F.sum(dout, axis=first).reshape(-1) if needs[2] else None
    if scale is not None:
        F.xp.multiply(dhat, hat, out=room)
    sums = F.sum(dhat, axis=axes), F.sum(room, axis=axes)
    slope, level = _through_statistics(F, hat, inv, axes, sums, dmean, dinv)
    dx = F.xp.multiply(dhat, F.unsqueeze(inv, axis=axes), out=room)
    hat *= slope
    hat += level
    dx += hat
    return dx, dscale, dbias
