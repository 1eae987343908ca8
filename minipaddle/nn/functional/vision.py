"""Images in another order, in patches, or of another size."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

from ...engine.errors import CheckFailed, InvalidArgument, InvalidType, Unimplemented
from ...ops.arguments import find_open_sizes, to_python
from ...ops.networks import forms
from ...ops.rule_functions import GRAPH as ops
from .. import errors


def check_factor(name: str, argument: str, value: Any) -> None:
    """Raise an error for a factor that is no int above 0."""
    if not isinstance(value, int):
        what, fix = f"{name}(): {argument} must be an int.", "give a whole number, such as 2"
        raise errors.wrong_type(what, value, expected="an int above 0", fix=fix)
    errors.require(value > 0, name, f"{argument} > 0", **{argument: value})


def _reorder(name: str, x: Any, argument: str, value: Any, data_format: str) -> Any:
    """Call an op that puts pixels and channels into another order, in any layout."""
    check_factor(name, argument, value)
    last = forms.has_channels_last(name, data_format, 2)
    errors.require_rank(name, 4, 4, x=x)
    made = getattr(ops, name)(forms.channels_first(x, last), **{argument: value})
    return forms.channels_back(made, last)


def pixel_shuffle(
    x: Any, upscale_factor: int, data_format: str = "NCHW", name: str | None = None
) -> Any:
    """Make squares of pixels from groups of channels: [N, C · r², H, W] to [N, C, H · r, W · r].

    Source: Paddle's `paddle.nn.functional.pixel_shuffle`.

    Shapes: for example x [1, 4, 1, 2], 2 gives [1, 1, 2, 4].
    Dtypes: all kept.
    Errors: ValueError for a factor or layout that does not fit; TypeError for one that is no int.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0, 3.0, 4.0]).reshape([1, 4, 1, 1])
    >>> paddle.nn.functional.pixel_shuffle(x, 2).tolist()
    [[[[1.0, 2.0], [3.0, 4.0]]]]
    """
    return _reorder("pixel_shuffle", x, "upscale_factor", upscale_factor, data_format)


def pixel_unshuffle(
    x: Any, downscale_factor: int, data_format: str = "NCHW", name: str | None = None
) -> Any:
    """Make groups of channels from squares of pixels; the inverse of `pixel_shuffle`.

    Source: Paddle's `paddle.nn.functional.pixel_unshuffle`.

    Shapes: for example x [1, 1, 2, 4], 2 gives [1, 4, 1, 2].
    Dtypes: all kept.
    Errors: ValueError for a factor or layout that does not fit; TypeError for one that is no int.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> paddle.nn.functional.pixel_unshuffle(x, 2).flatten().tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return _reorder("pixel_unshuffle", x, "downscale_factor", downscale_factor, data_format)


def channel_shuffle(x: Any, groups: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Put the first channels of all groups first, then the second ones, and so on.

    Source: Paddle's `paddle.nn.functional.channel_shuffle`.

    Shapes: for example x [1, 4, 1, 1], 2 gives [1, 4, 1, 1].
    Dtypes: all kept.
    Errors: ValueError for groups or a layout that do not fit; TypeError for groups that are no int.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 2.0, 3.0, 4.0]).reshape([1, 4, 1, 1])
    >>> paddle.nn.functional.channel_shuffle(x, 2).flatten().tolist()
    [1.0, 3.0, 2.0, 4.0]
    """
    return _reorder("channel_shuffle", x, "groups", groups, data_format)


def temporal_shift(
    x: Any,
    seg_num: int,
    shift_ratio: float = 0.25,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """Move the first channels of each image to the next one of its clip, as many others back.

    A clip has `seg_num` images, and `shift_ratio` of the channels move each way. Zeros come in at
    the ends.
    Source: Paddle's `paddle.nn.functional.temporal_shift`.

    Shapes: for example x [4, 4, 1, 1], seg_num=2 gives [4, 4, 1, 1].
    Dtypes: floating kept.
    Errors: ValueError for a seg_num, shift_ratio or layout that does not fit; TypeError for a
    seg_num that is no int; RuntimeError for other dtypes.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]).reshape([2, 4, 1, 1])
    >>> paddle.nn.functional.temporal_shift(x, 2).reshape([2, 4]).tolist()
    [[0.0, 6.0, 3.0, 4.0], [1.0, 0.0, 7.0, 8.0]]
    """
    last = forms.has_channels_last("temporal_shift", data_format, 2)
    errors.require_rank("temporal_shift", 4, 4, x=x)
    how = {"seg_num": seg_num, "shift_ratio": shift_ratio}
    return forms.channels_back(ops.temporal_shift(forms.channels_first(x, last), **how), last)


# ----- patches -----------------------------------------------------------------------------------


def _patches(op: str, kernel: Any, strides: Any, paddings: Any, dilations: Any) -> dict[str, Any]:
    """Return the attributes of windows; four paddings are top, left, bottom and right."""
    row = to_python(paddings)
    row = list(row) if isinstance(row, (list, tuple)) else [row] * 4
    row = row * 2 if len(row) == 2 else row
    if len(row) != 4:
        raise errors.misfit(op, "paddings, an int, or 2 or 4 of them", paddings=paddings)
    top, left, bottom, right = (forms.read_axis_sizes(op, "paddings", n, 1, 0)[0] for n in row)
    return {
        "kernel": forms.read_axis_sizes(op, "kernel_sizes", kernel, 2),
        "stride": forms.read_axis_sizes(op, "strides", strides, 2),
        "pads": ((top, bottom), (left, right)),
        "dilation": forms.read_axis_sizes(op, "dilations", dilations, 2),
    }


def unfold(
    x: Any,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
    name: str | None = None,
) -> Any:
    """Return each window of images [N, C, H, W] as a column: [N, C · kernel, windows].

    Source: Paddle's `paddle.nn.functional.unfold`.

    Shapes: for example x [1, 1, 2, 3], 2 gives [1, 4, 2].
    Dtypes: float32, float64 kept.
    Errors: ValueError for sizes that do not fit; AssertionError for other than 4 axes.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[[1.0, 2.0, 3.0]]]])
    >>> paddle.nn.functional.unfold(x, [1, 2]).tolist()
    [[[1.0, 2.0], [2.0, 3.0]]]
    """
    errors.require_rank("unfold", 4, 4, CheckFailed, x=x)
    return ops.unfold_images(x, **_patches("unfold", kernel_sizes, strides, paddings, dilations))


def fold(
    x: Any,
    output_sizes: Any,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
    name: str | None = None,
) -> Any:
    """Add columns [N, C · kernel, windows] up at the places of their windows: [N, C, H, W].

    Source: Paddle's `paddle.nn.functional.fold`.

    Shapes: for example x [1, 4, 2], [2, 3], 2 gives [1, 1, 2, 3].
    Dtypes: float32, float64, complex kept.
    Errors: ValueError for sizes that do not fit; AssertionError for other than 3 axes.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[1.0, 2.0], [2.0, 3.0]]])
    >>> paddle.nn.functional.fold(x, [1, 3], [1, 2]).tolist()
    [[[[1.0, 4.0, 3.0]]]]
    """
    errors.require_rank("fold", 3, 3, CheckFailed, x=x)
    size = forms.read_axis_sizes("fold", "output_sizes", output_sizes, 2)
    return ops.fold_images(
        x, size=size, **_patches("fold", kernel_sizes, strides, paddings, dilations)
    )


# ----- interpolation -----------------------------------------------------------------------------

RANKS = {
    "linear": (3,),
    "bilinear": (4,),
    "bicubic": (4,),
    "trilinear": (5,),
    "nearest": (4, 5),
    "area": (3, 4, 5),
}
LAYOUTS = {3: ("NCW", "NWC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}


def interpolate(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: Any = False,
    align_mode: int = 0,
    data_format: str | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
    name: str | None = None,
) -> Any:
    """Return images of another size, given by `size` or by a factor.

    Modes: "nearest"; "linear", "bilinear" and "trilinear" for 1, 2 and 3 axes; "bicubic"; "area",
    the mean of equal parts. `align_corners`: the outermost pixels stay where they are.
    `align_mode` 1: pixels are at 0, 1, 2, ..., not in the middle.
    Source: Paddle's `paddle.nn.functional.interpolate`.

    Shapes: for example x [1, 1, 2, 2], [3, 4] gives [1, 1, 3, 4].
    Dtypes: floating kept; "nearest": uint8, int32, int64, too; "linear" and the like: uint8, too.
    Errors: ValueError for a size, mode or layout that does not fit x; TypeError for an
    align_corners that is no bool; NotImplementedError for `antialias`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[1.0, 3.0]]])
    >>> paddle.nn.functional.interpolate(x, [3], mode="linear", align_corners=True).tolist()
    [[[1.0, 2.0, 3.0]]]
    """
    mode, rank = mode.lower(), len(x.shape)
    errors.require_choice("interpolate", "mode", mode, RANKS)
    if rank not in RANKS[mode]:
        expected = f"{' or '.join(map(str, RANKS[mode]))} axes for mode={mode!r}"
        raise errors.misfit("interpolate", expected, x=x, mode=mode)
    if not isinstance(align_corners, bool):
        what, fix = "interpolate(): align_corners must be a bool.", "write True or False"
        raise errors.wrong_type(what, align_corners, expected="True or False", fix=fix)
    errors.require_choice("interpolate", "align_mode", align_mode, (0, 1))
    if align_corners and mode == "nearest":
        raise errors.misfit("interpolate", "another mode with align_corners", mode=mode)
    if antialias:
        expected = "antialias=False: it is not here yet"
        raise errors.misfit("interpolate", expected, Unimplemented, antialias=True)
    layout = (data_format or LAYOUTS[rank][0]).upper()
    errors.require_choice("interpolate", "data_format", layout, LAYOUTS[rank])
    last = layout == LAYOUTS[rank][1]
    x = forms.channels_first(x, last)
    how = {"mode": mode, "align_corners": align_corners, "align_mode": align_mode}
    unknown = find_open_sizes(size)
    if unknown is None:
        sizes, scale = _new_sizes(x, size, scale_factor, mode, bool(recompute_scale_factor))
        made = ops.interpolate(x, size=sizes, scale=scale, **how)
    elif len(unknown[0]) != rank - 2:
        raise errors.misfit("interpolate", f"{rank - 2} sizes", size=unknown[0])
    else:
        made = ops.interpolate_by(x, unknown[1], size=unknown[0], **how)
    return forms.channels_back(made, last)


def _new_sizes(x: Any, size: Any, factor: Any, mode: str, recompute: bool) -> tuple[Any, Any]:
    """Return the new sizes, and the factors if they and not the sizes place the pixels."""
    size, factor, axes = to_python(size), to_python(factor), len(x.shape) - 2
    if (size is None) == (factor is None) or (mode == "area" and size is None):
        expected = "size" if mode == "area" else "size or scale_factor, and not both"
        raise errors.misfit("interpolate", expected, size=size, scale_factor=factor)
    if size is not None:
        if isinstance(size, Sequence) and len(size) != axes:
            raise errors.misfit("interpolate", f"{axes} sizes", size=size)
        if not isinstance(size, Sequence) and mode != "area":
            raise errors.misfit("interpolate", "a list of sizes", InvalidType, size=size)
        if isinstance(size, Sequence) and min(map(to_python, size)) <= 0:
            raise errors.misfit("interpolate", "sizes > 0", CheckFailed, size=size)
        if isinstance(size, Sequence):  # h / 2 is a float
            size = [int(n) if isinstance(n, float) else n for n in size]
        if recompute:
            expected = "recompute_scale_factor with scale_factor only"
            raise errors.misfit("interpolate", expected, size=size)
        return forms.read_axis_sizes("interpolate", "size", size, axes), ()
    if min(x.shape[2:]) < 0:
        raise errors.misfit("interpolate", "size where that of x is unknown", x=x)
    scale = tuple(map(float, factor if isinstance(factor, Sequence) else [factor] * axes))
    if len(scale) != axes or min(scale) <= 0:
        raise errors.misfit(
            "interpolate", f"{axes} factors > 0", InvalidArgument, scale_factor=factor
        )
    sizes = tuple(floor(n * each) for n, each in zip(x.shape[2:], scale, strict=True))
    return sizes, () if recompute else scale


def upsample(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str | None = None,
    name: str | None = None,
) -> Any:
    """Do what `interpolate` does.

    Source: Paddle's `paddle.nn.functional.upsample`.

    Shapes: for example x [1, 1, 1, 2], scale_factor=2 gives [1, 1, 2, 4].
    Dtypes: float32, float64 kept.
    Errors: ValueError for a size, mode or layout that does not fit x.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.upsample(paddle.ones([1, 1, 1, 2]), scale_factor=2).shape
    paddle.Size([1, 1, 2, 4])
    """
    return interpolate(x, size, scale_factor, mode, align_corners, align_mode, data_format)
