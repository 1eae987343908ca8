"""Pooling of lines, images and volumes."""

from __future__ import annotations

from math import prod
from typing import Any

from ...ops.arguments import check_count, to_python
from ...ops.networks import forms
from ...ops.rule_functions import GRAPH as ops
from .. import errors
from .families import variant


def _pool(
    op: str,
    axes: int,
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    """Pool with a sliding window."""
    last = forms.has_channels_last(op, data_format, axes)
    if last and return_mask:
        expected = f"data_format={forms.FIRST[axes]!r} with return_mask"
        raise errors.misfit(op, expected, data_format=data_format)
    ksize = forms.read_axis_sizes(op, "kernel_size", kernel_size, axes)
    steps = ksize if stride is None else forms.read_axis_sizes(op, "stride", stride, axes)
    pads = forms.read_padding(op, padding, axes, last)
    if pads == "VALID" and ceil_mode:
        raise errors.misfit(op, 'ceil_mode=False with padding="VALID"', ceil_mode=ceil_mode)
    if axes == 1:
        ksize, steps, pads = (1, *ksize), (1, *steps), forms.image_padding(pads)
    how = {"ksize": ksize, "stride": steps, "padding": pads, "ceil_mode": bool(ceil_mode)}
    if "avg" in op:
        how["exclusive"] = bool(exclusive)
    out = _run(op, axes, x, last, return_mask, **how)
    return out if divisor_override is None else out * float(prod(ksize)) / divisor_override


def _adaptive_pool(
    op: str,
    axes: int,
    x: Any,
    output_size: Any,
    return_mask: bool = False,
    data_format: str = "",
    name: str | None = None,
) -> Any:
    """Pool with a window for each element of the output."""
    last = bool(data_format) and forms.has_channels_last(op, data_format, axes)
    if output_size is None:
        fix = f"{op}(x, 1) makes one number of each channel"
        expected = f"an int, or {axes} of them, where None keeps an axis"
        raise errors.wrong_type(f"{op}(): output_size is missing.", None, expected, fix)
    output_size = to_python(output_size)
    row = output_size if isinstance(output_size, (list, tuple)) else [output_size] * axes
    known = [-1 if n is None else n for n in row]
    counts = forms.read_axis_sizes(op, "output_size", known, axes, -1)
    for count in counts:
        check_count(count, "output_size")
    return _run(op, axes, x, last, return_mask, ksize=(1,) * (2 - axes) + counts, adaptive=True)


def _run(op: str, axes: int, x: Any, last: bool, return_mask: bool, **how: Any) -> Any:
    """Return the pooled images, and with `return_mask` the places of the maxima."""
    kind = op.removeprefix("adaptive_").replace("1", "2")
    pool = getattr(ops, kind + "_with_index" * bool(return_mask))
    if axes > 1:
        pooled = pool(forms.channels_first(x, last), **how)
        return pooled if return_mask else forms.channels_back(pooled, last)
    errors.require_rank(op, 3, 3, x=x)
    pooled = pool(forms.as_image(x), **how)  # lines are images of height 1
    return tuple(map(forms.as_line, pooled)) if return_mask else forms.as_line(pooled)


MEANS = ("exclusive", "divisor_override")  # arguments that are not for a maximum
NOT_FOR_LINES = ("return_mask", "divisor_override", "data_format")  # not for means of lines


# ----- maximum -----------------------------------------------------------------------------------


@variant(_pool, without=(*MEANS, "data_format"))
def max_pool1d() -> None:
    """The maximum of each window of lines [N, C, L]; see max_pool2d.

    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.max_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[1.0, 3.0]]]
    """


@variant(_pool, without=MEANS)
def max_pool2d() -> None:
    """The maximum of each window of images; the gradient goes to the first of equal elements.

    `stride` is kernel_size by default; `ceil_mode`: the last window may end outside. `return_mask`:
    return the positions too, counted row by row in each image.
    Source: Paddle's `paddle.nn.functional.max_pool2d`.

    Shapes: for example x [1, 1, 2, 2], kernel_size=2, return_mask=True gives [1, 1, 1, 1] and [1,
    1, 1, 1].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> [t.item() for t in paddle.nn.functional.max_pool2d(x, 2, return_mask=True)]
    [4.0, 2]
    """


@variant(_pool, without=MEANS)
def max_pool3d() -> None:
    """The maximum of each window of volumes [N, C, D, H, W]; see max_pool2d.

    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(8.0).reshape([1, 1, 2, 2, 2])
    >>> paddle.nn.functional.max_pool3d(x, [1, 2, 2]).flatten().tolist()
    [3.0, 7.0]
    """


@variant(_adaptive_pool, without=("data_format",))
def adaptive_max_pool1d() -> None:
    """The maximum of each of output_size windows that cover the line evenly.

    Shapes: for example x [1, 1, 4], output_size=2 gives [1, 1, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.adaptive_max_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[1.0, 3.0]]]
    """


@variant(_adaptive_pool, without=("data_format",))
def adaptive_max_pool2d() -> None:
    """The maximum of each of output_size windows that cover the image evenly.

    Shapes: for example x [1, 1, 2, 3], output_size=[1, 2] gives [1, 1, 1, 2].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(6.0).reshape([1, 1, 2, 3])
    >>> paddle.nn.functional.adaptive_max_pool2d(x, [1, 2]).tolist()
    [[[[4.0, 5.0]]]]
    """


@variant(_adaptive_pool, without=("data_format",))
def adaptive_max_pool3d() -> None:
    """The maximum of each of output_size windows that cover the volume evenly.

    Shapes: for example x [1, 1, 2, 2, 2], output_size=[1, 1, 2] gives [1, 1, 1, 1, 2].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(8.0).reshape([1, 1, 2, 2, 2])
    >>> paddle.nn.functional.adaptive_max_pool3d(x, [1, 1, 2]).flatten().tolist()
    [6.0, 7.0]
    """


# ----- maxima back in their places ---------------------------------------------------------------


def _unpool(
    op: str,
    axes: int,
    x: Any,
    indices: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCL",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Put the maxima of windows back into images of zeros."""
    errors.require_choice(op, "data_format", data_format, (forms.FIRST[axes],))
    errors.require_rank(op, axes + 2, axes + 2, x=x)
    ksize = forms.read_axis_sizes(op, "kernel_size", kernel_size, axes)
    steps = ksize if stride is None else forms.read_axis_sizes(op, "stride", stride, axes)
    pads = forms.read_axis_sizes(op, "padding", padding, axes, 0)
    rows = zip(x.shape[2:], steps, ksize, pads, strict=True)
    size = usual = tuple((n - 1) * step + k - 2 * pad for n, step, k, pad in rows)
    if output_size is not None:
        size = tuple(map(to_python, output_size))
        size = size[2:] if len(size) == axes + 2 else size
        near = len(size) == axes and all(
            abs(n - m) < step for n, m, step in zip(size, usual, steps, strict=True)
        )
        expected = f"output_size nearer to {list(usual)} than the stride"
        errors.require(near, op, expected, output_size=output_size, stride=steps)
    return ops.max_unpool(x, indices, size=size)


@variant(_unpool)
def max_unpool1d() -> None:
    """Lines of zeros with the maxima of max_pool1d at their places; see max_unpool2d.

    Dtypes: floating kept.
    Errors: ValueError for sizes that do not fit or indices outside; RuntimeError for other dtypes.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])
    >>> y, indices = paddle.nn.functional.max_pool1d(x, 2, return_mask=True)
    >>> paddle.nn.functional.max_unpool1d(y, indices, 2).tolist()
    [[[0.0, 3.0, 2.0, 0.0]]]
    """


@variant(_unpool)
def max_unpool2d() -> None:
    """Images of zeros with the maxima of max_pool2d at their places, the inverse as far as known.

    `indices` are the positions that max_pool2d returns with `return_mask`. `output_size` says which
    of the sizes that are pooled to that of x, if not the least one.
    Source: Paddle's `paddle.nn.functional.max_unpool2d`.

    Shapes: for example x [1, 1, 2, 2], kernel_size=2 gives [1, 1, 4, 4].
    Dtypes: floating kept.
    Errors: ValueError for sizes that do not fit or indices outside; RuntimeError for other dtypes.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> y, indices = paddle.nn.functional.max_pool2d(x, 2, return_mask=True)
    >>> paddle.nn.functional.max_unpool2d(y, indices, 2).tolist()
    [[[[0.0, 0.0], [4.0, 0.0]]]]
    """


@variant(_unpool)
def max_unpool3d() -> None:
    """Volumes of zeros with the maxima of max_pool3d at their places; see max_unpool2d.

    Dtypes: floating kept.
    Errors: ValueError for sizes that do not fit or indices outside; RuntimeError for other dtypes.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(4.0).reshape([1, 1, 1, 2, 2])
    >>> y, indices = paddle.nn.functional.max_pool3d(x, [1, 2, 2], return_mask=True)
    >>> paddle.nn.functional.max_unpool3d(y, indices, [1, 2, 2]).tolist()
    [[[[[0.0, 0.0], [0.0, 3.0]]]]]
    """


# ----- mean --------------------------------------------------------------------------------------


@variant(_pool, without=NOT_FOR_LINES, swapped=("ceil_mode", "exclusive"))
def avg_pool1d() -> None:
    """The mean of each window of lines [N, C, L]; see avg_pool2d.

    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.avg_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[0.5, 2.5]]]
    """


@variant(_pool, without=("return_mask",))
def avg_pool2d() -> None:
    """The mean of each window of images; with `exclusive` padding is not counted.

    `divisor_override` replaces the window's size as the divisor.
    Source: Paddle's `paddle.nn.functional.avg_pool2d`.

    Shapes: for example x [1, 1, 2, 2], kernel_size=2 gives [1, 1, 1, 1].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> paddle.nn.functional.avg_pool2d(x, 2).item()
    2.5
    """


@variant(_pool, without=("return_mask",))
def avg_pool3d() -> None:
    """The mean of each window of volumes [N, C, D, H, W]; see avg_pool2d.

    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(8.0).reshape([1, 1, 2, 2, 2])
    >>> paddle.nn.functional.avg_pool3d(x, 2).item()
    3.5
    """


@variant(_adaptive_pool, without=("return_mask", "data_format"))
def adaptive_avg_pool1d() -> None:
    """The mean of each of output_size windows that cover the line evenly.

    Shapes: for example x [1, 1, 4], output_size=2 gives [1, 1, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.adaptive_avg_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[0.5, 2.5]]]
    """


@variant(_adaptive_pool, without=("return_mask",))
def adaptive_avg_pool2d() -> None:
    """The mean of each of output_size windows that cover the image evenly; None keeps an axis.

    Shapes: for example x [1, 3, 5, 7], output_size=1 gives [1, 3, 1, 1].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.adaptive_avg_pool2d(paddle.ones([1, 3, 5, 7]), 1).shape
    paddle.Size([1, 3, 1, 1])
    """


@variant(_adaptive_pool, without=("return_mask",))
def adaptive_avg_pool3d() -> None:
    """The mean of each of output_size windows that cover the volume evenly; None keeps an axis.

    Shapes: for example x [1, 1, 2, 2, 2], output_size=[None, 1, 1] gives [1, 1, 2, 1, 1].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(8.0).reshape([1, 1, 2, 2, 2])
    >>> paddle.nn.functional.adaptive_avg_pool3d(x, [None, 1, 1]).flatten().tolist()
    [1.5, 5.5]
    """
