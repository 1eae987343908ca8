"""Pooling: the maximum or the mean of every window of an image."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.meta import Meta, no_kernel
from ...errors import misfit
from .. import errors
from ..indexing.join_at import add_at
from ..op_spec import REQUIRED, internal
from ..record import Formula, Results, Static, sample
from .windows import PADDINGS, Slide, paddings, resolve, unknown_size

ONES, NONE = (1, 1), ((0, 0), (0, 0))
# Attributes of all poolings, and those of means.
WINDOWS = {
    "ksize": REQUIRED, "stride": ONES, "padding": NONE, "ceil_mode": False, "adaptive": False,
}  # fmt: skip
MEANS = {
    "ksize": REQUIRED, "stride": ONES, "padding": NONE, "ceil_mode": False, "exclusive": True,
    "adaptive": False,
}  # fmt: skip

# ----- windows -----------------------------------------------------------------------------------


def _make_slides(
    sizes: Any, *, ksize: Any, stride: Any, padding: Any, ceil_mode: bool, adaptive: bool
) -> list[Slide]:
    """Return the windows over rows and those over columns."""
    pads, _ = resolve(padding, sizes, ksize, stride, (1, 1))
    rows = zip(ksize, stride, pads, strict=True)
    return [Slide(k, s, p, ceil_mode, adaptive) for k, s, p in rows]


def _index_along(axis: int, places: Any) -> tuple[Any, ...]:
    """Return the index of positions along the last axis (-1) or the one before it (-2)."""
    return (..., places) if axis == -1 else (..., places, slice(None))


def _all_complete(steps: list[Any], count: int) -> bool:
    """Return whether all windows are complete, without padding."""
    return bool(steps) and all(here == slice(0, count) for here, _ in steps)


def _is_global(slide: Slide, n: int) -> bool:
    """Return whether a single window covers the whole axis."""
    return slide.count(n) == 1 and slide.spans(n, inside=False) == [(0, n)]


def _reduce_windows(xp: Any, function: Any, x: Any, slide: Slide, axis: int, start: float) -> Any:
    """Reduce the elements of each window along an axis, starting with `start`."""
    shape = list(x.shape)
    if _is_global(slide, x.shape[axis]):
        return (x.max if start else x.sum)(axis=axis, keepdims=True)
    steps, shape[axis] = slide.steps(x.shape[axis]), slide.count(x.shape[axis])
    if _all_complete(steps, shape[axis]):
        result = x[_index_along(axis, steps[0][1])]
        for _, there in steps[1:]:
            result = function(result, x[_index_along(axis, there)])
        return result if len(steps) > 1 else result.copy()  # never a view of x
    result = xp.full(shape, start, x.dtype)
    for here, there in steps:
        part = result[_index_along(axis, here)]
        result[_index_along(axis, here)] = function(part, x[_index_along(axis, there)])
    return result


def _first_largest(xp: Any, x: Any, where: Any, slide: Slide, axis: int) -> Any:
    """Return the maximum of each window along an axis and the position of its first occurrence.

    The position is -1 where no element is larger than the padding, as in Paddle.
    """
    shape = list(x.shape)
    steps, shape[axis] = slide.steps(x.shape[axis]), slide.count(x.shape[axis])
    if _all_complete(steps, shape[axis]):
        first = _index_along(axis, steps[0][1])
        best, places = x[first], where[first]
        for _, there in steps[1:]:
            other = x[_index_along(axis, there)]
            # A sum, because `where` is slow for random masks.
            places = places + (other > best) * (where[_index_along(axis, there)] - places)
            best = xp.maximum(best, other)
        return best if len(steps) > 1 else best.copy(), xp.broadcast_to(places, shape)
    best, places = xp.full(shape, -np.inf, x.dtype), xp.full(shape, -1, np.int32)
    where = xp.broadcast_to(where, x.shape)
    for here, there in steps:
        at, seen = _index_along(axis, here), _index_along(axis, there)
        larger = x[seen] > best[at]
        places[at] = xp.where(larger, where[seen], places[at])
        best[at] = xp.maximum(best[at], x[seen])
    return best, places


def _uses_padding(slides: Any, sizes: Any) -> bool:
    """Return whether a window lies partly in the padding."""
    both = zip(slides, sizes, strict=True)
    return not all(_all_complete(slide.steps(n), slide.count(n)) for slide, n in both)


def _window_areas(xp: Any, slides: Any, sizes: Any, exclusive: bool, like: Any) -> Any:
    """Return the number of elements of each mean."""
    spans = [slide.spans(n, exclusive) for slide, n in zip(slides, sizes, strict=True)]
    rows, columns = ([end - start for start, end in one] for one in spans)
    if len({*rows}) <= 1 and len({*columns}) <= 1:
        return float(rows[0] * columns[0]) if rows and columns else 1.0
    return xp.asarray(rows, like.dtype).reshape(-1, 1) * xp.asarray(columns, like.dtype)


# ----- shapes and their errors -------------------------------------------------------------------


def _check_windows(name: str, x: Any, *, adaptive: bool, **how: Any) -> list[Slide]:
    """Return the windows over rows and columns; raise an error if the image is too small."""
    if x.dtype.kind != "f":
        raise no_kernel(name, "x", x)
    errors.require_rank(name, 4, 4, x=x)
    sizes = x.shape[2:]
    windows = _make_slides([max(n, 0) for n in sizes], adaptive=adaptive, **how)
    for axis, (n, window) in enumerate(zip(sizes, windows, strict=True)):
        count = window.count(n)
        if (n >= 0 and count < 0) or (count == 0 and not adaptive and n):
            most = f"{n + sum(window.pads)} along axis {2 + axis} of the padded image"
            raise misfit(name, f"kernel_size of at most {most}", kernel_size=window.kernel, x=x)
    return windows


def _pool_inference(name: str) -> Callable[..., Meta]:
    def infer(x: Meta, *, exclusive: bool = True, **how: Any) -> Meta:
        windows = _check_windows(name, x, **how)
        counts = (slide.count(n) for slide, n in zip(windows, x.shape[2:], strict=True))
        return Meta((*x.shape[:2], *counts), x.dtype)

    return infer


def _pool_spelling(kind: str) -> Static:
    return Static(
        "pool2d",
        attrs={"stride": "strides", "padding": "paddings"},
        extra={
            "data_format": "NCHW",
            "exclusive": lambda a: a.get("exclusive", True),
            "global_pooling": False,
            "pooling_type": kind,
            "use_cudnn": lambda a: not a["adaptive"],
            **PADDINGS,
        },
    )


SAMPLES = (
    sample((2, 2, 4, 6), ksize=(2, 3), stride=(2, 3)),
    sample((1, 2, 5, 6), ksize=(3, 2), stride=(2, 1), padding=((1, 1), (0, 1))),
    sample((1, 1, 6, 7), ksize=(3, 3), stride=(2, 2), ceil_mode=True),
    sample((2, 1, 5, 5), ksize=(3, 3), stride=(2, 2), padding="SAME"),
    sample((1, 2, 5, 7), ksize=(2, 3), adaptive=True),
    sample((1, 1, 2, 3), ksize=(4, 3), adaptive=True),
    sample((1, 2, 4, 6), ksize=(2, 3), adaptive=True),
)


def _formula_of(word: str, result: str = "y") -> Callable[[dict[str, Any]], str]:
    """Return a function that returns a pool's formula, with its sizes as in Paddle's API."""

    def formula(attrs: dict[str, Any]) -> str:
        size, stride, padding = (_shortest(attrs[key]) for key in ("ksize", "stride", "padding"))
        if attrs["adaptive"]:
            return f"{result} = adaptive_{word}(x, {size})"
        steps = "" if stride == size else f", stride={stride}"
        return (
            f"{result} = {word}(x, {size}{steps}{'' if padding == '0' else f', padding={padding}'})"
        )

    return formula


def _shortest(sizes: Any) -> str:
    """Return sizes as in code, one number for equal ones: `2` for (2, 2)."""
    if isinstance(sizes, str):
        return f'"{sizes}"'
    alike = [_shortest(each) if isinstance(each, (tuple, list)) else str(each) for each in sizes]
    return alike[0] if len({*alike}) == 1 else f"[{', '.join(alike)}]"


# ----- maximum -----------------------------------------------------------------------------------


@internal(
    infer=_pool_inference("max_pool2d"),
    attributes=WINDOWS,
    formula=Formula(
        _formula_of("max_pool2d"), "dx = 0, dx[argmax(x[windowᵢ])] += dyᵢ", symbol="max pool"
    ),
    samples=SAMPLES,
    static=_pool_spelling("max"),
)
def max_pool2d(xp: Any, x: Any, **how: Any) -> Any:
    """The maximum of every window."""
    rows, columns = _check_windows("max_pool2d", x, **how)
    best = _reduce_windows(xp, xp.maximum, x, columns, -1, -np.inf)
    return _reduce_windows(xp, xp.maximum, best, rows, -2, -np.inf)


@max_pool2d.grad
def max_pool2d_grad(F: Any, dout: Any, x: Any, **how: Any) -> Any:
    _, mask = F.max_pool2d_with_index(x, **how)
    return _put_back(F, dout, mask, tuple(x.shape[2:]), **how)


def _put_back(F: Any, dout: Any, mask: Any, size: Any, **how: Any) -> Any:
    """Add the gradient of each window to the element at the position in the mask."""
    # `apart`: no element is in two windows.
    if how["adaptive"]:
        pairs = zip(size, how["ksize"], strict=True)
        apart = all(n > 0 and k > 0 and n % k == 0 for n, k in pairs)
    else:
        apart = all(s >= k for s, k in zip(how["stride"], how["ksize"], strict=True))
    padded = _uses_padding(_make_slides(size, **how), size)
    return F.put_in_planes(dout, mask, size=size, distinct=apart, some_nowhere=padded)


def _index_infer(x: Meta, **attrs: Any) -> list[Meta]:
    out = _pool_inference("max_pool2d_with_index")(x, **attrs)
    return [out, Meta(out.shape, np.dtype("int32"))]


@internal(
    infer=_index_infer,
    attributes=WINDOWS,
    results=Results(("out", "mask"), stopped=("mask",)),
    formula=Formula(
        _formula_of("max_pool2d", "[out, mask]"), "dx = 0, dx[mask] += dout", symbol="max pool"
    ),
    samples=SAMPLES,
    static=Static(
        "max_pool2d_with_index",
        attrs={"stride": "strides", "padding": "paddings"},
        extra={"global_pooling": False, "paddings": paddings},
    ),
)
def max_pool2d_with_index(xp: Any, x: Any, **how: Any) -> Any:
    """The maximum of every window, and its position in the flattened image."""
    name, (height, width) = "max_pool2d_with_index", x.shape[2:]
    rows, columns = _check_windows(name, x, **how)
    # Along the rows, then along the columns: the first of equal elements stays.
    best, column = _first_largest(xp, x, xp.arange(width, dtype=np.int32), columns, -1)
    place = column + xp.arange(height, dtype=np.int32).reshape(-1, 1) * width
    if _uses_padding([columns], [width]):
        place = xp.where(column < 0, column, place)
    best, place = _first_largest(xp, best, place, rows, -2)
    return best, place.astype(np.int32)


@max_pool2d_with_index.grad
def max_pool2d_with_index_grad(F: Any, dout: Any, x_shape: Any, mask: Any, **how: Any) -> Any:
    return _put_back(F, dout, mask, tuple(x_shape[2:]), **how)


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


def _in_planes(xp: Any, places: Any, size: int) -> Any:
    """Turn positions in each plane into positions in all of them."""
    planes = places.shape[0] * places.shape[1]
    each = places.reshape(planes, places.shape[2] * places.shape[3])
    return each + xp.arange(planes).reshape(-1, 1) * size


@internal(
    infer=_put_infer,
    formula=Formula("y = 0, y[places] += x"),
    samples=(
        sample((2, 2, 1, 2), (2, 2, 1, 2), ints={"places": 6}, size=(2, 3)),
        sample((1, 1, 1, 1), (1, 1, 1, 1), ints={"places": 4}, size=(2, 2), distinct=True),
        sample(
            (1, 2, 2, 2),
            (1, 2, 2, 2),
            ints={"places": 4},
            prepare=_with_missing_places,
            size=(2, 2),
            some_nowhere=True,
        ),
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
    flat, where = planes.reshape(-1), _in_planes(xp, places, size[0] * size[1]).reshape(-1)
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
        sample(
            (1, 1, 2, 2),
            (1, 1, 2, 2),
            ints={"places": 4},
            prepare=_with_missing_places,
            some_nowhere=True,
        ),
    ),
)
def take_in_planes(xp: Any, x: Any, places: Any, *, some_nowhere: bool = False) -> Any:
    """The elements at positions in the flattened images; 0 for a position of -1."""
    inside = xp.maximum(places, 0) if some_nowhere else places
    where = _in_planes(xp, inside, x.shape[2] * x.shape[3])
    taken = x.reshape(-1).take(where).reshape(places.shape)
    return xp.where(places < 0, xp.zeros((), x.dtype), taken) if some_nowhere else taken


@take_in_planes.grad
def take_in_planes_grad(F: Any, dout: Any, x_shape: Any, places: Any, *, some_nowhere: bool) -> Any:
    size = tuple(x_shape[2:])
    return F.put_in_planes(dout, places, size=size, some_nowhere=some_nowhere), None


# ----- mean --------------------------------------------------------------------------------------


@internal(
    infer=_pool_inference("avg_pool2d"),
    attributes=MEANS,
    formula=Formula(
        _formula_of("avg_pool2d"),
        "dxⱼ = Σ dyᵢ / numel(windowᵢ), j ∈ windowᵢ",
        symbol="average pool",
    ),
    samples=(
        *SAMPLES,
        sample(
            (1, 1, 5, 6), ksize=(3, 2), stride=(2, 1), padding=((1, 1), (0, 1)), exclusive=False
        ),
    ),
    static=_pool_spelling("avg"),
)
def avg_pool2d(xp: Any, x: Any, *, exclusive: bool, **how: Any) -> Any:
    """The mean of every window; with `exclusive` padding is not counted."""
    slides = _check_windows("avg_pool2d", x, **how)
    total = _reduce_windows(xp, xp.add, x, slides[1], -1, 0.0)
    total = _reduce_windows(xp, xp.add, total, slides[0], -2, 0.0)
    return total / _window_areas(xp, slides, x.shape[2:], exclusive, x)


@avg_pool2d.grad
def avg_pool2d_grad(F: Any, dout: Any, x_shape: Any, **how: Any) -> Any:
    return F.avg_pool2d_back(dout, size=tuple(x_shape[2:]), **how)


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
    for here, there in slide.steps(n):
        if isinstance(there, slice):
            part = total[_index_along(axis, there)]
            part += x[_index_along(axis, here)]
        else:  # neighbouring windows may share elements
            add_at(xp, total, _index_along(axis, there), x[_index_along(axis, here)])
    return total


@internal(
    infer=_back_infer,
    attributes=MEANS,
    formula=Formula("yᵢ = Σ xⱼ / numel(windowⱼ), i ∈ windowⱼ", "dx = mean_pool(dy)"),
    samples=(
        sample((1, 2, 2, 2), size=(4, 6), ksize=(2, 3), stride=(2, 3)),
        sample((1, 1, 2, 3), size=(5, 7), ksize=(2, 3), adaptive=True),
    ),
)
def avg_pool2d_back(xp: Any, x: Any, *, size: Any, exclusive: bool, **how: Any) -> Any:
    """The gradient of an image: for each element the sum of the shares of its windows."""
    rows, columns = slides = _make_slides(size, **how)
    shares = x / _window_areas(xp, slides, size, exclusive, x)
    return _add_windows(xp, _add_windows(xp, shares, rows, -2, size[0]), columns, -1, size[1])


avg_pool2d_back.grad(lambda F, dout, *, size, **how: F.avg_pool2d(dout, **how))
