"""Convolutions, over lines, images and volumes."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument
from ...ops.networks import forms
from ...ops.networks.convolution import image_sizes
from ...ops.networks.windows import unknown_size
from ...ops.rule_functions import GRAPH as ops
from .. import errors
from .families import variant


def _convolve(
    op: str,
    axes: int,
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    output_size: Any = None,
    data_format: str = "",
    name: str | None = None,
) -> Any:
    """Run a convolution or a transposed one; lines are images of height 1."""
    last = forms.has_channels_last(op, data_format, axes)
    errors.require_rank(op, axes + 2, axes + 2, x=x)
    errors.require_rank(op, axes + 2, axes + 2, weight=weight)
    channels = x.shape[-1 if last else 1]
    if groups < 1 or (channels >= 0 and channels % groups):
        expected = f"groups that divide {channels}, the number of x's channels"
        raise errors.misfit(op, expected, x=x, groups=groups)
    stride = forms.read_axis_sizes(op, "stride", stride, axes)
    padding = forms.read_padding(op, padding, axes, last)
    dilation = forms.read_axis_sizes(op, "dilation", dilation, axes)
    x = forms.channels_first(x, last)
    if axes == 1:
        x, weight = forms.as_image(x), forms.as_image(weight)
        stride, padding, dilation = (1, *stride), forms.image_padding(padding), (1, *dilation)
    how: dict[str, Any] = {"stride": stride, "padding": padding, "dilation": dilation}
    if "transpose" in op:
        how["output_padding"] = _output_padding(op, x, weight, how, output_padding, output_size)
    out = getattr(ops, op.replace("1", "2"))(x, weight, groups=groups, **how)
    out = forms.as_line(out) if axes == 1 else out
    return forms.channels_back(forms.scale_channels(out, None, bias), last)


SIZES = ("output_padding", "output_size")


@variant(_convolve, without=SIZES)
def conv1d() -> None:
    """Slide filters over lines: x [N, C, L], weight [out, C / groups, length].

    Dtypes: float32, float64 kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(4.0).reshape([1, 1, 4])
    >>> paddle.nn.functional.conv1d(x, paddle.ones([1, 1, 2])).tolist()
    [[[1.0, 3.0, 5.0]]]
    """


@variant(_convolve, without=SIZES)
def conv2d() -> None:
    """Slide filters over images: x [N, C, H, W], weight [out, C / groups, height, width].

    `padding`: an int, one for each axis, [top, bottom, left, right], pairs for all four axes,
    "SAME" (with dilation 1) or "VALID". Source: Paddle's `paddle.nn.functional.conv2d`.

    Dtypes: float32, float64 kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(9.0).reshape([1, 1, 3, 3])
    >>> paddle.nn.functional.conv2d(x, paddle.ones([1, 1, 2, 2])).tolist()
    [[[[8.0, 12.0], [20.0, 24.0]]]]
    """


@variant(_convolve, without=SIZES)
def conv3d() -> None:
    """Slide filters over volumes: x [N, C, D, H, W], weight [out, C / groups, d, h, w].

    See conv2d; `padding` may have six numbers, two for each axis.

    Dtypes: float32, float64 kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(12.0).reshape([1, 1, 2, 2, 3])
    >>> paddle.nn.functional.conv3d(x, paddle.ones([1, 1, 2, 2, 2])).tolist()
    [[[[[40.0, 48.0]]]]]
    """


# ----- transposed --------------------------------------------------------------------------------


@variant(_convolve, swapped=("dilation", "groups"))
def conv1d_transpose() -> None:
    """The transpose of conv1d: x [N, C, L] and weight [C, out / groups, length].

    Dtypes: float32, float64 kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.ones([1, 1, 2])
    >>> paddle.nn.functional.conv1d_transpose(x, paddle.ones([1, 1, 2])).tolist()
    [[[1.0, 2.0, 1.0]]]
    """


@variant(_convolve)
def conv2d_transpose() -> None:
    """The transpose of conv2d: x [N, C, H, W] and weight [C, out / groups, height, width].

    With a stride, results of several sizes are possible: `output_padding` adds to the smallest
    size, or `output_size` sets it. Source: Paddle's `paddle.nn.functional.conv2d_transpose`.

    Dtypes: float32, float64 kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.ones([1, 1, 1, 2])
    >>> paddle.nn.functional.conv2d_transpose(x, paddle.ones([1, 1, 1, 2])).tolist()
    [[[[1.0, 2.0, 1.0]]]]
    """


@variant(_convolve, swapped=("dilation", "groups"))
def conv3d_transpose() -> None:
    """The transpose of conv3d: x [N, C, D, H, W], weight [C, out / groups, d, h, w].

    See conv2d_transpose.

    Dtypes: float32, float64 kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.ones([1, 1, 1, 1, 2])
    >>> paddle.nn.functional.conv3d_transpose(x, paddle.ones([1, 1, 1, 1, 2])).tolist()
    [[[[[1.0, 2.0, 1.0]]]]]
    """


def _output_padding(
    op: str, x: Any, weight: Any, how: dict[str, Any], padding: Any, output_size: Any
) -> tuple[int, ...]:
    """Return the difference of the size of the result to its smallest possible size."""
    axes = forms.axes_of(op)
    more = (0,) * (2 - axes) + forms.read_axis_sizes(op, "output_padding", padding, axes, 0)
    if output_size is not None:
        if any(more):
            both = {"output_padding": padding, "output_size": output_size}
            expected, fix = "only one of output_padding and output_size", "leave one of them out"
            raise errors.misfit(op, expected, InvalidArgument, fix, **both)
        size = (1,) * (2 - axes) + forms.read_axis_sizes(op, "output_size", output_size, axes)
        more = _padding_for_size(op, x, weight, size, how)
    if any(n >= stride for n, stride in zip(more, how["stride"], strict=True)):
        bounds = f"output_padding < {list(how['stride'])}, the stride"
        raise errors.misfit(op, bounds, output_padding=list(more))
    return more


def _padding_for_size(
    op: str, x: Any, weight: Any, size: tuple[int, ...], how: dict[str, Any]
) -> tuple[int, ...]:
    rows, kernel, stride = tuple(x.shape[2:]), tuple(weight.shape[2:]), how["stride"]
    if -1 in rows:
        raise unknown_size("output_size")
    least = image_sizes(rows, kernel, (0,) * len(rows), **how)
    more = tuple(n - m for n, m in zip(size, least, strict=True))
    if any(not 0 <= n < s for n, s in zip(more, stride, strict=True)):
        ranges = " by ".join(f"{m} to {m + s - 1}" for m, s in zip(least, stride, strict=True))
        raise errors.misfit(op, f"output_size of {ranges}", output_size=list(size))
    return more
