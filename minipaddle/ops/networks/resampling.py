"""Images of another size or another order: interpolation, patches, shuffled pixels."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ...engine.meta import Meta, no_kernel
from ...errors import require
from ..making.creation import with_open_sizes
from ..op_spec import internal
from ..record import Formula, Static, sample, with_options
from .windows import Sizes, out_size, unknown_size, window_places

# ----- pixels and channels in another order -----------------------------------------------------


def _multiply(n: int, factor: int) -> int:
    """Return a size times a factor; -1 stays unknown."""
    return -1 if n < 0 else n * factor


def _shuffle_infer(x: Meta, *, upscale_factor: int) -> Meta:
    r = upscale_factor
    batch, channels, height, width = x.shape
    require(channels < 0 or channels % (r * r) == 0, "pixel_shuffle",
            f"channels in multiples of {r}² = {r * r}", x=x)  # fmt: skip
    return Meta((batch, channels // (r * r), _multiply(height, r), _multiply(width, r)), x.dtype)


@internal(
    infer=_shuffle_infer,
    formula=Formula(
        lambda a: f"y = pixel_shuffle(x, {a['upscale_factor']})",
        lambda a: f"dx = pixel_unshuffle(dy, {a['upscale_factor']})",
    ),
    samples=(sample((2, 8, 2, 3), upscale_factor=2), sample((1, 9, 1, 2), upscale_factor=3)),
    static=Static("pixel_shuffle", extra={"data_format": "NCHW"}),
)
def pixel_shuffle(xp: Any, x: Any, *, upscale_factor: int) -> Any:
    """Groups of channels become squares of pixels."""
    n, c, h, w = _shuffle_infer(Meta(x.shape, x.dtype), upscale_factor=upscale_factor).shape
    r = upscale_factor
    split = x.reshape((n, c, r, r, h // r, w // r))
    return xp.transpose(split, (0, 1, 4, 2, 5, 3)).reshape((n, c, h, w))


pixel_shuffle.grad(
    lambda F, dout, *, upscale_factor: F.pixel_unshuffle(dout, downscale_factor=upscale_factor)
)


def _unshuffle_infer(x: Meta, *, downscale_factor: int) -> Meta:
    r = downscale_factor
    batch, channels, *plane = x.shape
    require(all(n < 0 or n % r == 0 for n in plane), "pixel_unshuffle",
            f"height and width in multiples of {r}", x=x)  # fmt: skip
    sizes = [n if n < 0 else n // r for n in plane]
    return Meta((batch, _multiply(channels, r * r), *sizes), x.dtype)


@internal(
    infer=_unshuffle_infer,
    formula=Formula(
        lambda a: f"y = pixel_unshuffle(x, {a['downscale_factor']})",
        lambda a: f"dx = pixel_shuffle(dy, {a['downscale_factor']})",
    ),
    samples=(sample((2, 2, 4, 6), downscale_factor=2), sample((1, 1, 3, 6), downscale_factor=3)),
    static=Static("pixel_unshuffle", extra={"data_format": "NCHW"}),
)
def pixel_unshuffle(xp: Any, x: Any, *, downscale_factor: int) -> Any:
    """Squares of pixels become groups of channels."""
    n, c, h, w = _unshuffle_infer(Meta(x.shape, x.dtype), downscale_factor=downscale_factor).shape
    r = downscale_factor
    split = x.reshape((n, c // (r * r), h, r, w, r))
    return xp.transpose(split, (0, 1, 3, 5, 2, 4)).reshape((n, c, h, w))


pixel_unshuffle.grad(
    lambda F, dout, *, downscale_factor: F.pixel_shuffle(dout, upscale_factor=downscale_factor)
)


def _channels_infer(x: Meta, *, groups: int) -> Meta:
    fits = x.shape[1] % groups == 0 or x.shape[1] < 0
    require(fits, "channel_shuffle", f"channels in multiples of groups={groups}", x=x)
    return x


@internal(
    infer=_channels_infer,
    formula=Formula(lambda a: f"y = channel_shuffle(x, {a['groups']})"),
    samples=(sample((2, 6, 1, 2), groups=2), sample((1, 6, 2, 1), groups=3)),
    static=Static("channel_shuffle", extra={"data_format": "NCHW"}),
)
def channel_shuffle(xp: Any, x: Any, *, groups: int) -> Any:
    """The first channels of all groups, then the second ones, and so on."""
    _channels_infer(Meta(x.shape, x.dtype), groups=groups)
    n, c, h, w = x.shape
    return xp.swapaxes(x.reshape((n, groups, c // groups, h, w)), 1, 2).reshape((n, c, h, w))


@channel_shuffle.grad
def channel_shuffle_grad(F: Any, dout: Any, *, groups: int) -> Any:
    return F.channel_shuffle(dout, groups=dout.shape[1] // groups)


def _shift_infer(x: Meta, *, seg_num: int, shift_ratio: float, by: int) -> Meta:
    if x.dtype.kind != "f":
        raise no_kernel("temporal_shift", "x", x)
    fits = seg_num > 0 and (x.shape[0] < 0 or x.shape[0] % seg_num == 0)
    given = {"seg_num": seg_num, "x": x}
    require(fits, "temporal_shift", "seg_num > 0, and whole clips of as many images", **given)
    expected = "shift_ratio between 0 and 0.5"
    require(0 < shift_ratio < 0.5, "temporal_shift", expected, shift_ratio=shift_ratio)
    return x


@internal(
    infer=_shift_infer,
    checked=True,
    formula=Formula(
        lambda a: with_options(
            f"y = temporal_shift(x, {a['seg_num']}, {a['shift_ratio']:g})", by=1
        )(a)
    ),
    samples=(
        sample((6, 5, 1, 2), seg_num=3, shift_ratio=0.25),
        sample((2, 5, 2, 1), seg_num=2, shift_ratio=0.4, by=-1),
    ),
    static=Static("temporal_shift", extra={"data_format": "NCHW"}),
)
def temporal_shift(xp: Any, x: Any, *, seg_num: int, shift_ratio: float, by: int = 1) -> Any:
    """Clips of images whose first channels are one image later, and the next ones one earlier.

    `by` is −1 for the other direction, that of the gradient.
    """
    clips = x.reshape((-1, seg_num, *x.shape[1:]))
    out, channels = clips.copy(), x.shape[1]
    ends = 0, int(channels * shift_ratio), int(channels * 2 * shift_ratio)
    for first, end, step in zip(ends, ends[1:], (by, -by), strict=False):
        after, before = (slice(1, None), slice(-1)) if step > 0 else (slice(-1), slice(1, None))
        out[:, :, first:end] = 0
        out[:, after, first:end] = clips[:, before, first:end]
    return out.reshape(x.shape)


@temporal_shift.grad
def temporal_shift_grad(F: Any, dout: Any, *, by: int, **how: Any) -> Any:
    return F.temporal_shift(dout, by=-by, **how)


# ----- patches ----------------------------------------------------------------------------------

PATCHES: dict[str, Any] = {"kernel": (2, 2), "stride": (1, 1), "pads": ((0, 0),) * 2}
PATCHES["dilation"] = (1, 1)


def _as_paddings(attrs: dict[str, Any]) -> list[int]:
    return [pair[end] for end in (0, 1) for pair in attrs["pads"]]


NAMES = {"kernel": "kernel_sizes", "stride": "strides", "dilation": "dilations"}


def _count_windows(size: Any, *, kernel: Any, stride: Any, pads: Any, dilation: Any) -> Sizes:
    """Return the number of windows on both axes of a plane."""
    return tuple(map(out_size, size, kernel, stride, pads, dilation))


def _unfold_infer(x: Meta, **how: Any) -> Meta:
    if x.dtype.kind not in "fc":
        raise no_kernel("unfold_images", "x", x)
    rows, columns = _count_windows(x.shape[2:], **how)
    require(rows and columns and min(rows, columns) >= -1, "unfold",
            "a kernel that fits into the padded image", x=x, kernel=how["kernel"])  # fmt: skip
    count = -1 if -1 in (rows, columns) else rows * columns
    return Meta((x.shape[0], _multiply(x.shape[1], math.prod(how["kernel"])), count), x.dtype)


@internal(
    infer=_unfold_infer,
    attributes=PATCHES,
    formula=Formula("y = patches(x)", "dxᵢ = Σ dyⱼ, j ∈ copies(i)", symbol="unfold"),
    samples=(
        sample((2, 2, 3, 4), kernel=(2, 3)),
        sample((1, 1, 5, 4), kernel=(2, 2), stride=(2, 1), pads=((1, 0), (0, 2)), dilation=(2, 1)),
    ),
    static=Static("unfold", {"out": "Y"}, attrs=NAMES, extra={"paddings": _as_paddings}),
)
def unfold_images(xp: Any, x: Any, **how: Any) -> Any:
    """Each window of an image as a column."""
    shape = _unfold_infer(Meta(x.shape, x.dtype), **how).shape
    windows = (*x.shape[:2], *how["kernel"], *_count_windows(x.shape[2:], **how))
    result = xp.zeros(windows, x.dtype)
    for at, here, there in window_places(x.shape[2:], **how):
        result[..., *at, *here] = x[..., *there]
    return result.reshape(shape)


@unfold_images.grad
def unfold_images_grad(F: Any, dout: Any, x_shape: Any, **how: Any) -> Any:
    return F.fold_images(dout, size=tuple(x_shape[2:]), **how)


def _fold_infer(x: Meta, *, size: Any, **how: Any) -> Meta:
    if x.dtype.kind not in "fc":
        raise no_kernel("fold_images", "x", x)
    count, area = _count_windows(size, **how), math.prod(how["kernel"])
    require(x.shape[1] % area == 0 or x.shape[1] < 0, "fold",
            f"rows in multiples of the kernel's {area} elements", x=x)  # fmt: skip
    require(x.shape[2] in (-1, math.prod(count)), "fold",
            f"{math.prod(count)} columns: {count[0]} · {count[1]} windows", x=x)  # fmt: skip
    return Meta((x.shape[0], x.shape[1] // area if x.shape[1] > 0 else -1, *size), x.dtype)


@internal(
    infer=_fold_infer,
    attributes={"size": (2, 2), **PATCHES},
    formula=Formula("yᵢ = Σ xⱼ, j ∈ copies(i)", "dx = patches(dy)", symbol="fold"),
    samples=(
        sample((2, 12, 4), size=(3, 4), kernel=(2, 3)),
        sample((1, 4, 12), size=(3, 4), kernel=(2, 2), stride=(2, 1), pads=((1, 2), (0, 1))),
    ),
    static=Static(
        "fold",
        {"out": "Y"},
        attrs={"size": "output_sizes", **NAMES},
        extra={"paddings": _as_paddings},
    ),
)
def fold_images(xp: Any, x: Any, *, size: Any, **how: Any) -> Any:
    """Sums of columns at the places of their windows; the adjoint of `unfold_images`."""
    n, c, *_ = _fold_infer(Meta(x.shape, x.dtype), size=size, **how).shape
    parts = x.reshape((n, c, *how["kernel"], *_count_windows(size, **how)))
    result = xp.zeros((n, c, *size), x.dtype)
    for at, here, there in window_places(size, **how):
        part = result[..., *there]
        part += parts[..., *at, *here]
    return result


fold_images.grad(lambda F, dout, *, size, **how: F.unfold_images(dout, **how))


# ----- interpolation ----------------------------------------------------------------------------

LINEAR = ("linear", "bilinear", "trilinear")


@lru_cache(maxsize=100)
def weights_along(
    n: int, out: int, mode: str, scale: float, align_corners: bool, align_mode: int
) -> Any:
    """Return the matrix [out, n] with which an axis of n elements becomes one of `out`."""
    if mode == "area":
        spans = [(i * n // out, -(-(i + 1) * n // out)) for i in range(out)]
        return np.array([[(a <= j < b) / (b - a) for j in range(n)] for a, b in spans])
    if align_corners:
        step = (n - 1) / (out - 1) if out > 1 else 0.0
    else:
        step = 1 / scale if scale > 0 else n / out
    kind = np.dtype("f8" if mode == "bicubic" else "f4").type  # as Paddle computes them
    ratio, places = kind(np.float32(step)), np.arange(out, dtype=kind)
    centred = not align_corners and (mode == "bicubic" or (mode in LINEAR and align_mode == 0))
    at = ratio * (places + kind(0.5)) - kind(0.5) if centred else ratio * places
    if mode in LINEAR:
        at = at.clip(0.0)
    first = np.floor(at).astype(int)
    t = at - first.astype(kind)
    shares = {0: np.ones(out)}  # offset from the first element -> weights
    if mode == "bicubic":
        shares = {-1: _cubic(t + 1), 0: _cubic(t), 1: _cubic(1 - t), 2: _cubic(2 - t)}
    elif mode != "nearest":
        shares = {0: 1 - t, 1: t}
    matrix = np.zeros((out, n))
    for offset, share in shares.items():
        np.add.at(matrix, (np.arange(out), np.clip(first + offset, 0, n - 1)), share)
    return matrix


def _cubic(t: Any) -> Any:
    """Return the weights of elements at distances t in cubic convolution, with a = −3/4."""
    a = -0.75
    near = ((a + 2) * t - (a + 3)) * t * t + 1
    return np.where(t <= 1, near, ((a * t - 5 * a) * t + 8 * a) * t - 4 * a)


def _apply(xp: Any, x: Any, matrices: Any) -> Any:
    """Multiply the axes behind the channels by matrices [new, old]."""
    for axis, matrix in enumerate(matrices, 2):
        turned = xp.swapaxes(x, axis, -1)
        x = xp.swapaxes(xp.matmul(turned, xp.asarray(matrix.T.astype(x.dtype))), axis, -1)
    return x


def _matrices(n: Any, out: Any, *, scale: Any, **how: Any) -> Any:
    rows = zip(n, out, scale or (0.0,) * len(n), strict=True)
    return [weights_along(*sizes, scale=each, **how) for *sizes, each in rows]


INTEGERS = {"nearest": ("uint8", "int32", "int64"), **dict.fromkeys(LINEAR, ("uint8",))}


def _above_0(arrays: list[Any]) -> list[Any]:
    return [arrays[0], [n + 1 for n in arrays[1]]]


def _interpolate_infer(x: Meta, *, size: Any, mode: str, **_how: Any) -> Meta:
    if x.dtype.kind != "f" and x.dtype.name not in INTEGERS.get(mode, ()):
        raise no_kernel("interpolate", "x", x)
    return Meta((*x.shape[:2], *size), x.dtype)


HOW: dict[str, Any] = {"mode": "nearest", "scale": (), "align_corners": False, "align_mode": 0}


@internal(
    infer=_interpolate_infer,
    attributes={"size": (1,), **HOW},
    formula=Formula(
        lambda a: with_options(
            f'y = interpolate(x, {list(a["size"])}, "{a.get("mode", "nearest")}")',
            align_corners=False,
            align_mode=0,
        )(a),
        "dxⱼ = Σ dyᵢ · ∂yᵢ/∂xⱼ",
    ),
    samples=(
        sample((1, 2, 2, 3), size=(4, 5)),
        sample((2, 1, 3, 2), size=(5, 3), mode="bilinear"),
        sample((1, 1, 4), size=(6,), mode="linear", align_corners=True),
        sample((1, 1, 3, 4), size=(4, 2), mode="bicubic"),
        sample((1, 1, 4, 5), size=(2, 3), mode="area"),
    ),
)
def interpolate(xp: Any, x: Any, *, size: Any, mode: str, **how: Any) -> Any:
    """Images of another size: each pixel is a weighted mean of pixels near its place."""
    _interpolate_infer(Meta(x.shape, x.dtype), size=size, mode=mode)
    exact = x.astype("float32") if x.dtype.kind != "f" and mode in LINEAR else x
    matrices = _matrices(x.shape[2:], size, mode=mode, **how)
    return _apply(xp, exact, matrices).astype(x.dtype, copy=False)


@interpolate.grad
def interpolate_grad(F: Any, dout: Any, x_shape: Any, *, size: Any, **how: Any) -> Any:
    return F.interpolate_back(dout, size=tuple(x_shape[2:]), **how)


def _interpolate_by_infer(x: Meta, sizes: Any, *, size: Any, **how: Any) -> Meta:
    return _interpolate_infer(x, size=[-1 if n is None else n for n in size], **how)


interpolate_by = with_open_sizes(
    interpolate,
    "size",
    infer=_interpolate_by_infer,
    formula=Formula(lambda a: f'y = interpolate(x, sizes, "{a["mode"]}")', "dxⱼ = Σ dyᵢ · ∂yᵢ/∂xⱼ"),
    samples=(
        sample((1, 2, 2, 3), [()], prepare=_above_0, ints={"sizes": 3}, size=(None, 5)),
        sample((1, 1, 4), [(1,)], prepare=_above_0, ints={"sizes": 3}, size=(None,), mode="linear"),
    ),
    static=Static("interpolate", slots={"sizes": "SizeTensor"}),
)


def _interpolate_back_infer(x: Meta, *, size: Any, **_how: Any) -> Meta:
    if -1 in size:
        raise unknown_size("interpolation")
    return Meta((*x.shape[:2], *size), x.dtype)


@internal(
    infer=_interpolate_back_infer,
    attributes={"size": (1,), **HOW},
    formula=Formula("yⱼ = Σ xᵢ · weightᵢⱼ", "dx = interpolate(dy)"),
    samples=(
        sample((1, 2, 4, 5), size=(2, 3)),
        sample((2, 1, 3, 5), size=(5, 3), mode="bilinear", scale=(0.5, 1.75)),
    ),
)
def interpolate_back(xp: Any, x: Any, *, size: Any, **how: Any) -> Any:
    """The gradient of an image: for each pixel the shares of all that were made from it."""
    return _apply(xp, x, [matrix.T for matrix in _matrices(size, x.shape[2:], **how)])


@interpolate_back.grad
def interpolate_back_grad(F: Any, dout: Any, x_shape: Any, *, size: Any, **how: Any) -> Any:
    return F.interpolate(dout, size=tuple(x_shape[2:]), **how)
