"""Pooling: the maximum or the mean of every window of an image, or of a volume."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ...engine.dtypes import as_positions
from ...engine.errors import InvalidArgument
from ...engine.meta import Meta, no_kernel
from ...errors import misfit
from .. import errors
from ..arguments import metas_of, shapes_differ
from ..indexing.join_at import add_at
from ..indexing.picking import refuse_outside
from ..op_spec import REQUIRED, internal
from ..record import Formula, Results, Static, deeper, sample, with_options
from .forms import FIRST
from .windows import PADDINGS, Slide, cached, resolve, spell_padding, unknown_size

Slides = tuple[Slide, ...]  # the windows over each axis

# ----- windows -----------------------------------------------------------------------------------


def _make_slides(
    sizes: Any, *, ksize: Any, stride: Any, padding: Any, ceil_mode: bool, adaptive: bool
) -> Slides:
    pads, _ = resolve(padding, sizes, ksize, stride, (1,) * len(ksize))
    rows = zip(ksize, stride, pads, strict=True)
    return tuple(Slide(k, s, p, ceil_mode, adaptive) for k, s, p in rows)


@cached
def _steps(slide: Slide, n: int, axis: int) -> tuple[list[tuple[Any, Any]], bool]:
    """Return the index of the windows and that of the elements for each position in a window.

    The axis counts from the last one, -1. Return also whether all windows are complete, without
    padding.
    """
    after, count, steps = (slice(None),) * (-1 - axis), slide.count(n), slide.steps(n)
    complete = bool(steps) and all(here == slice(0, count) for here, _ in steps)
    return [((..., here, *after), (..., there, *after)) for here, there in steps], complete


def _is_global(slide: Slide, n: int) -> bool:
    """Return whether a single window covers the whole axis."""
    return slide.count(n) == 1 and slide.spans(n, inside=False) == [(0, n)]


def _reduce_windows(xp: Any, function: Any, x: Any, slides: Slides, start: float) -> Any:
    """Reduce the elements of each window, starting with `start`."""
    for axis in range(-1, -1 - len(slides), -1):
        x = _reduce_along(xp, function, x, slides[axis], axis, start)
    return x


def _reduce_along(xp: Any, function: Any, x: Any, slide: Slide, axis: int, start: float) -> Any:
    """Reduce the elements of each window along an axis, starting with `start`."""
    shape = list(x.shape)
    if _is_global(slide, shape[axis]):
        return (x.max if start else x.sum)(axis=axis, keepdims=True)
    steps, complete = _steps(slide, shape[axis], axis)
    if complete:
        result = x[steps[0][1]]
        for _, there in steps[1:]:
            result = function(result, x[there])
        return result if len(steps) > 1 else result.copy()  # never a view of x
    shape[axis] = slide.count(shape[axis])
    result = xp.full(shape, start, x.dtype)
    for here, there in steps:
        result[here] = function(result[here], x[there])
    return result


def _first_largest(xp: Any, x: Any, where: Any, slide: Slide, axis: int) -> Any:
    """Return the maximum of each window along an axis and the position of its first occurrence.

    The position is -1 where no element is larger than the padding, as in Paddle.
    """
    shape = list(x.shape)
    steps, complete = _steps(slide, shape[axis], axis)
    shape[axis] = slide.count(shape[axis])
    if complete:
        first = steps[0][1]
        best, places = x[first], where[first]
        for _, there in steps[1:]:
            other = x[there]
            # A sum, because `where` is slow for random masks.
            places = places + (other > best) * (where[there] - places)
            best = xp.maximum(best, other)
        return best if len(steps) > 1 else best.copy(), xp.broadcast_to(places, shape)
    best, places = xp.full(shape, -np.inf, x.dtype), xp.full(shape, -1, np.int32)
    where = xp.broadcast_to(where, x.shape)
    for at, seen in steps:
        larger = x[seen] > best[at]
        places[at] = xp.where(larger, where[seen], places[at])
        best[at] = xp.maximum(best[at], x[seen])
    return best, places


def _uses_padding(slides: Any, sizes: Any) -> bool:
    """Return whether a window lies partly in the padding."""
    return not all(_steps(slide, n, -1)[1] for slide, n in zip(slides, sizes, strict=True))


def _window_sizes(xp: Any, slides: Any, sizes: Any, exclusive: bool, like: Any) -> Any:
    """Return the number of elements of each mean."""
    spans = [slide.spans(n, exclusive) for slide, n in zip(slides, sizes, strict=True)]
    lengths = [[end - start for start, end in one] for one in spans]
    if all(len({*row}) <= 1 for row in lengths):
        return float(prod(row[0] for row in lengths)) if all(lengths) else 1.0
    return xp.asarray(prod(np.ix_(*lengths)), like.dtype)


# ----- shapes and their errors -------------------------------------------------------------------


@cached
def _check_windows(name: str, x: Meta, *, adaptive: bool, **how: Any) -> Slides:
    """Return the windows; raise an error if the image is too small."""
    axes = len(how["ksize"])
    name = name.format(axes)
    if x.dtype.kind != "f":
        raise no_kernel(name, "x", x)
    errors.require_rank(name, axes + 2, axes + 2, x=x)
    sizes = x.shape[2:]
    windows = _make_slides([max(n, 0) for n in sizes], adaptive=adaptive, **how)
    for axis, (n, window) in enumerate(zip(sizes, windows, strict=True)):
        count = window.count(n)
        if (n >= 0 and count < 0) or (count == 0 and not adaptive and n):
            most = f"{n + sum(window.pads)} along axis {2 + axis} of the padded image"
            raise misfit(name, f"kernel_size of at most {most}", kernel_size=window.kernel, x=x)
    return windows


def _pool_infer(name: str, x: Meta, *, exclusive: bool = True, **how: Any) -> Meta:
    windows = _check_windows(name, x, **how)
    counts = (slide.count(n) for slide, n in zip(windows, x.shape[2:], strict=True))
    return Meta((*x.shape[:2], *counts), x.dtype)


def _pool_spelling(kind: str, axes: int) -> Static:
    return Static(
        f"pool{axes}d",
        attrs={"stride": "strides", "padding": "paddings"},
        extra={
            "data_format": FIRST[axes],
            "exclusive": lambda a: a.get("exclusive", axes == 2),
            "global_pooling": False,
            "pooling_type": kind,
            "use_cudnn": lambda a: not a["adaptive"],
            **PADDINGS,
        },
    )


def _formula_of(word: str, result: str = "y") -> Callable[[dict[str, Any]], str]:
    """Return a function that returns a pool's formula, with its sizes as in Paddle's API."""

    def formula(attrs: dict[str, Any]) -> str:
        size, stride, padding = (_shortest(attrs[key]) for key in ("ksize", "stride", "padding"))
        name = word.format(len(attrs["ksize"]))
        if attrs["adaptive"]:
            return f"{result} = adaptive_{name}(x, {size})"
        steps = "" if stride == size else f", stride={stride}"
        around = "" if padding == "0" else f", padding={padding}"
        more = {"ceil_mode": False, **({"exclusive": True} if around else {})}
        return with_options(f"{result} = {name}(x, {size}{steps}{around})", **more)(attrs)

    return formula


def _shortest(sizes: Any) -> str:
    """Return sizes as in code, one number for equal ones: `2` for (2, 2)."""
    if isinstance(sizes, str):
        return f'"{sizes}"'
    alike = [_shortest(each) if isinstance(each, (tuple, list)) else str(each) for each in sizes]
    return alike[0] if len({*alike}) == 1 else f"[{', '.join(alike)}]"


# ----- maximum -----------------------------------------------------------------------------------


def max_pool(xp: Any, x: Any, **how: Any) -> Any:
    """The maximum of every window."""
    slides = _check_windows("max_pool{}d", metas_of(x), **how)
    return _reduce_windows(xp, xp.maximum, x, slides, -np.inf)


def max_pool_grad(F: Any, dout: Any, x: Any, **how: Any) -> Any:
    _, mask = getattr(F, f"max_pool{len(how['ksize'])}d_with_index")(x, **how)
    return max_pool_with_index_grad(F, dout, x.shape, mask, **how)


def _index_infer(x: Meta, **attrs: Any) -> list[Meta]:
    out = _pool_infer("max_pool{}d_with_index", x, **attrs)
    return [out, Meta(out.shape, np.dtype("int32"))]


def max_pool_with_index(xp: Any, x: Any, **how: Any) -> Any:
    """The maximum of every window, and its position in the flattened image."""
    slides = _check_windows("max_pool{}d_with_index", metas_of(x), **how)
    best, place, step, padded = x, xp.zeros((), np.int32), 1, False
    # Along one axis after another: the first of equal elements stays.
    for axis in range(-1, -1 - len(slides), -1):
        slide, n = slides[axis], x.shape[axis]
        offset = xp.arange(n, dtype=np.int32).reshape(-1, *(1,) * (-1 - axis)) * step
        place = xp.where(place < 0, place, place + offset) if padded else place + offset
        best, place = _first_largest(xp, best, place, slide, axis)
        padded = padded or _uses_padding([slide], [n])
        step *= n
    return best, place.astype(np.int32)


def max_pool_with_index_grad(F: Any, dout: Any, x_shape: Any, mask: Any, **how: Any) -> Any:
    """Add the gradient of each window to the element at the position in the mask."""
    size = tuple(x_shape[2:])
    # Distinct windows share no element.
    if how["adaptive"]:
        pairs = zip(size, how["ksize"], strict=True)
        distinct = all(n > 0 and k > 0 and n % k == 0 for n, k in pairs)
    else:
        distinct = all(s >= k for s, k in zip(how["stride"], how["ksize"], strict=True))
    padded = _uses_padding(_make_slides(size, **how), size)
    return F.put_in_planes(dout, mask, size=size, distinct=distinct, some_nowhere=padded)


def _put_infer(x: Meta, places: Meta, *, size: Any, distinct: bool, some_nowhere: bool) -> Meta:
    if -1 in size:
        raise unknown_size("max pooling")
    return Meta((*x.shape[:2], *size), x.dtype)


def _with_missing_places(arrays: list[Any]) -> list[Any]:
    """Return sample inputs with a first position of -1."""
    x, places = arrays
    places = places.copy()
    places.flat[0] = -1
    return [x, places]


MISSING: dict[str, Any] = {"prepare": _with_missing_places, "some_nowhere": True}
MISSING["ints"] = {"places": 4}


def _in_planes(xp: Any, places: Any, size: int) -> Any:
    """Turn positions in each plane into positions in all of them."""
    planes = places.shape[0] * places.shape[1]
    each = places.reshape(planes, prod(places.shape[2:]))
    return each + xp.arange(planes).reshape(-1, 1) * size


@internal(
    infer=_put_infer,
    formula=Formula("y = 0, y[places] += x"),
    samples=(
        sample((2, 2, 1, 2), (2, 2, 1, 2), ints={"places": 6}, size=(2, 3)),
        sample((1, 1, 1, 1), (1, 1, 1, 1), ints={"places": 4}, size=(2, 2), distinct=True),
        sample((1, 2, 1, 2, 2), (1, 2, 1, 2, 2), ints={"places": 12}, size=(2, 2, 3)),
        sample((1, 2, 2, 2), (1, 2, 2, 2), size=(2, 2), **MISSING),
    ),
)
def put_in_planes(
    xp: Any, x: Any, places: Any, *, size: Any, distinct: bool = False, some_nowhere: bool = False
) -> Any:
    """Images of zeros with the elements of x added at positions in the flattened image.

    With `some_nowhere` elements at a position of -1 are left out.
    """
    planes = xp.zeros((*x.shape[:2], *size), x.dtype)
    if some_nowhere:
        x = xp.where(places < 0, xp.zeros((), x.dtype), x)
        places = xp.maximum(places, 0)
    flat, where = planes.reshape(-1), _in_planes(xp, places, prod(size)).reshape(-1)
    if distinct and not some_nowhere:
        flat[where] = x.reshape(-1)
    else:
        add_at(xp, flat, where, x.reshape(-1))
    return planes


@put_in_planes.grad
def put_in_planes_grad(F: Any, dout: Any, places: Any, *, some_nowhere: bool) -> Any:
    return F.take_in_planes(dout, places, some_nowhere=some_nowhere), None


def _take_infer(x: Meta, places: Meta, *, some_nowhere: bool) -> Meta:
    return Meta((*x.shape[:2], *places.shape[2:]), x.dtype)


@internal(
    infer=_take_infer,
    formula=Formula("y = x[places]", "dx = 0, dx[places] += dy"),
    samples=(
        sample((2, 2, 2, 3), (2, 2, 1, 2), ints={"places": 6}),
        sample((1, 1, 2, 2), (1, 1, 1, 3), ints={"places": 4}),
        sample((1, 2, 2, 1, 3), (1, 2, 1, 2, 1), ints={"places": 6}),
        sample((1, 1, 2, 2), (1, 1, 2, 2), **MISSING),
    ),
)
def take_in_planes(xp: Any, x: Any, places: Any, *, some_nowhere: bool = False) -> Any:
    """The elements at positions in the flattened images; 0 for a position of -1."""
    inside = xp.maximum(places, 0) if some_nowhere else places
    where = _in_planes(xp, inside, prod(x.shape[2:]))
    taken = x.reshape(-1).take(as_positions(where)).reshape(places.shape)
    return xp.where(places < 0, xp.zeros((), x.dtype), taken) if some_nowhere else taken


@take_in_planes.grad
def take_in_planes_grad(F: Any, dout: Any, x_shape: Any, places: Any, *, some_nowhere: bool) -> Any:
    size = tuple(x_shape[2:])
    return F.put_in_planes(dout, places, size=size, some_nowhere=some_nowhere), None


def _with_places_apart(arrays: list[Any]) -> list[Any]:
    """Return sample inputs with different positions in each plane."""
    x = arrays[0]
    return [x, (np.arange(x.size) * 5 % 6).astype("int64").reshape(x.shape)]


def _unpool_infer(x: Meta, indices: Meta, *, size: Any) -> Meta:
    name = f"max_unpool{len(size)}d"
    if x.dtype.kind != "f":
        raise no_kernel(name, "x", x)
    if shapes_differ(x.shape, indices.shape):
        raise misfit(name, "indices of the shape of x", x=x, indices=indices)
    return Meta((*x.shape[:2], *size), x.dtype)


@internal(
    infer=_unpool_infer,
    checked=True,
    formula=Formula("y = 0, y[indices] = x", "dx = dy[indices]", symbol="max unpool"),
    samples=(
        sample((2, 2, 1, 2), (2, 2, 1, 2), prepare=_with_places_apart, size=(2, 3)),
        sample((1, 1, 1, 2, 1), (1, 1, 1, 2, 1), prepare=_with_places_apart, size=(2, 2, 2)),
    ),
    static=Static("unpool", {"indices": "Indices"}, attrs={"size": "output_size"}),
)
def max_unpool(xp: Any, x: Any, indices: Any, *, size: Any) -> Any:
    """Images of zeros with the elements of x at positions in the flattened image."""
    refuse_outside(xp, "max_unpool", indices, (prod(size),), 0, InvalidArgument, 0)
    return put_in_planes.kernel(xp, x, indices, size=size, distinct=True)


@max_unpool.grad
def max_unpool_grad(F: Any, dout: Any, indices: Any) -> Any:
    return F.take_in_planes(dout, indices), None


# ----- mean --------------------------------------------------------------------------------------


def avg_pool(xp: Any, x: Any, *, exclusive: bool, **how: Any) -> Any:
    """The mean of every window; with `exclusive` padding is not counted."""
    slides = _check_windows("avg_pool{}d", metas_of(x), **how)
    total = _reduce_windows(xp, xp.add, x, slides, 0.0)
    return total / _window_sizes(xp, slides, x.shape[2:], exclusive, x)


def avg_pool_grad(F: Any, dout: Any, x_shape: Any, **how: Any) -> Any:
    size = tuple(x_shape[2:])
    return getattr(F, f"avg_pool{len(size)}d_back")(dout, size=size, **how)


def _back_infer(x: Meta, *, size: Any, **_attrs: Any) -> Meta:
    if -1 in size:
        raise unknown_size("average pooling")
    return Meta((*x.shape[:2], *size), x.dtype)


def _add_windows(xp: Any, x: Any, slide: Slide, axis: int, n: int) -> Any:
    """Add the number of each window to its elements along an axis."""
    shape = list(x.shape)
    shape[axis] = n
    if _is_global(slide, n):
        shares = xp.empty(tuple(shape), x.dtype)
        shares[...] = x
        return shares
    total = xp.zeros(shape, x.dtype)
    for here, there in _steps(slide, n, axis)[0]:
        if isinstance(there[1], slice):
            part = total[there]
            part += x[here]
        else:  # neighbouring windows may share elements
            add_at(xp, total, there, x[here])
    return total


def avg_pool_back(xp: Any, x: Any, *, size: Any, exclusive: bool, **how: Any) -> Any:
    """The gradient of an image: for each element the sum of the shares of its windows."""
    slides = _make_slides(size, **how)
    shares = x / _window_sizes(xp, slides, size, exclusive, x)
    for axis, slide in enumerate(slides, -len(slides)):
        shares = _add_windows(xp, shares, slide, axis, size[axis])
    return shares


def avg_pool_back_grad(F: Any, dout: Any, *, size: Any, **how: Any) -> Any:
    return getattr(F, f"avg_pool{len(size)}d")(dout, **how)


# ----- records -----------------------------------------------------------------------------------


def _separate_values(arrays: list[Any]) -> list[Any]:
    """Return an image of numbers at equal distances, so that a small change moves no maximum."""
    (x,) = arrays
    ranks = x.ravel().argsort().argsort().reshape(x.shape)
    return [(ranks * (4.0 / x.size) - 2.0).astype(x.dtype)]


_image = partial(sample, prepare=_separate_values)
SAMPLES = (
    _image((2, 2, 4, 6), ksize=(2, 3), stride=(2, 3)),
    _image((1, 2, 5, 6), ksize=(3, 2), stride=(2, 1), padding=((1, 1), (0, 1))),
    _image((1, 1, 6, 7), ksize=(3, 3), stride=(2, 2), ceil_mode=True),
    _image((2, 1, 5, 5), ksize=(3, 3), stride=(2, 2), padding="SAME"),
    _image((1, 2, 5, 7), ksize=(2, 3), adaptive=True),
    _image((1, 1, 2, 3), ksize=(4, 3), adaptive=True),
    _image((1, 2, 4, 6), ksize=(2, 3), adaptive=True),
)


def _mean_gradient(attrs: dict[str, Any]) -> str:
    """Return the formula of the gradient of a mean over windows; "": derived from the rule."""
    if attrs.get("exclusive", True):
        return "dxⱼ = Σ dyᵢ / numel(windowᵢ), j ∈ windowᵢ"
    size = prod(attrs["ksize"])  # padding counts
    return "" if attrs.get("ceil_mode") else f"dxⱼ = Σ dyᵢ / {size}, j ∈ windowᵢ"


ZEROS = sample((1, 1, 5, 6), ksize=(3, 2), stride=(2, 1), padding=((1, 1), (0, 1)), exclusive=False)
BACK_SAMPLES = (
    sample((1, 2, 2, 2), size=(4, 6), ksize=(2, 3), stride=(2, 3)),
    sample((1, 1, 2, 3), size=(5, 7), ksize=(2, 3), adaptive=True),
)
for axes, samples_of in (2, tuple), (3, deeper):
    # Attributes of all poolings, and those of means.
    windows = {"ksize": REQUIRED, "stride": (1,) * axes, "padding": ((0, 0),) * axes}
    attributes = {**windows, "ceil_mode": False, "adaptive": False}
    means = {**windows, "ceil_mode": False, "exclusive": True, "adaptive": False}
    internal(
        f"max_pool{axes}d",
        infer=partial(_pool_infer, "max_pool{}d"),
        attributes=attributes,
        formula=Formula(
            _formula_of("max_pool{}d"), "dx = 0, dx[argmax(x[windowᵢ])] += dyᵢ", symbol="max pool"
        ),
        samples=samples_of(SAMPLES),
        static=_pool_spelling("max", axes),
    )(max_pool).grad(max_pool_grad)
    internal(
        f"max_pool{axes}d_with_index",
        infer=_index_infer,
        attributes=attributes,
        results=Results(("out", "mask"), stopped=("mask",)),
        formula=Formula(
            _formula_of("max_pool{}d", "[out, mask]"), "dx = 0, dx[mask] += dout", symbol="max pool"
        ),
        samples=samples_of(SAMPLES),
        static=Static(
            f"max_pool{axes}d_with_index",
            attrs={"stride": "strides", "padding": "paddings"},
            extra={"global_pooling": False, "paddings": spell_padding},
        ),
    )(max_pool_with_index).grad(max_pool_with_index_grad)
    internal(
        f"avg_pool{axes}d",
        infer=partial(_pool_infer, "avg_pool{}d"),
        attributes=means,
        formula=Formula(
            _formula_of("avg_pool{}d"),
            _mean_gradient,
            symbol="average pool",
        ),
        samples=samples_of((*SAMPLES, ZEROS)),
        static=_pool_spelling("avg", axes),
    )(avg_pool).grad(avg_pool_grad)
    internal(
        f"avg_pool{axes}d_back",
        infer=_back_infer,
        attributes=means,
        formula=Formula("yᵢ = Σ xⱼ / numel(windowⱼ), i ∈ windowⱼ", "dx = mean_pool(dy)"),
        samples=samples_of(BACK_SAMPLES),
    )(avg_pool_back).grad(avg_pool_back_grad)
