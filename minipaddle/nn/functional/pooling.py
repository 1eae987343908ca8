"""Pooling of lines and images."""

from __future__ import annotations

from typing import Any

from ...ops.arguments import how_many, plain
from ...ops.networks import forms
from ...ops.rule_functions import GRAPH as ops
from .. import errors


def _pool_settings(op: str, kernel: Any, stride: Any, padding: Any, ceil: bool, last: bool) -> Any:
    """Return ksize, stride and padding for the op of images."""
    axes = forms.axes_of(op)
    ksize = forms.sizes(op, "kernel_size", kernel, axes)
    steps = ksize if stride is None else forms.sizes(op, "stride", stride, axes)
    pads = forms.padding(op, padding, axes, last)
    if pads == "VALID" and ceil:
        raise errors.misfit(op, 'ceil_mode=False with padding="VALID"', ceil_mode=ceil)
    if axes == 1:
        ksize, steps, pads = (1, *ksize), (1, *steps), forms.flat(pads)
    return {"ksize": ksize, "stride": steps, "padding": pads, "ceil_mode": bool(ceil)}


def _window_counts(op: str, output_size: Any) -> dict[str, Any]:
    """Return the number of windows along each axis, -1 for one per element."""
    axes = forms.axes_of(op)
    if output_size is None:
        fix = f"{op}(x, 1) makes one number of each channel"
        expected = f"an int, or {axes} of them, where None keeps an axis"
        raise errors.wrong_type(f"{op}(): output_size is missing.", None, expected, fix)
    output_size = plain(output_size)
    row = output_size if isinstance(output_size, (list, tuple)) else [output_size] * axes
    known = [-1 if n is None else n for n in row]
    counts = forms.sizes(op, "output_size", known, axes, -1)
    for count in counts:
        how_many(count, "output_size")
    return {"ksize": (1, *counts) if axes == 1 else counts, "adaptive": True}


def _max_pool(op: str, x: Any, return_mask: bool, how: dict[str, Any]) -> Any:
    """Return the maxima, and with `return_mask` their positions."""
    pool = ops.max_pool2d_with_index if return_mask else ops.max_pool2d
    return _pool_lines(op, pool, x, how) if forms.axes_of(op) == 1 else pool(x, **how)


def _pool_lines(op: str, pool: Any, x: Any, how: dict[str, Any]) -> Any:
    """Pool lines as images of height 1."""
    errors.require_rank(op, 3, 3, x=x)
    pooled = pool(forms.plane(x), **how)
    return tuple(map(forms.line, pooled)) if isinstance(pooled, tuple) else forms.line(pooled)


# ----- maximum -----------------------------------------------------------------------------------


def max_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
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
    last = forms.is_last("max_pool2d", data_format, 2)
    if last and return_mask:
        expected = "data_format='NCHW' with return_mask"
        raise errors.misfit("max_pool2d", expected, data_format=data_format)
    how = _pool_settings("max_pool2d", kernel_size, stride, padding, ceil_mode, last)
    pooled = _max_pool("max_pool2d", forms.channels_first(x, last), return_mask, how)
    return pooled if return_mask else forms.channels_back(pooled, last)


def max_pool1d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """The maximum of each window of lines [N, C, L]; see max_pool2d.

    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.max_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[1.0, 3.0]]]
    """
    how = _pool_settings("max_pool1d", kernel_size, stride, padding, ceil_mode, last=False)
    return _max_pool("max_pool1d", x, return_mask, how)


def adaptive_max_pool2d(
    x: Any, output_size: Any, return_mask: bool = False, name: str | None = None
) -> Any:
    """The maximum of each of output_size windows that cover the image evenly.

    Shapes: for example x [1, 1, 2, 3], output_size=[1, 2] gives [1, 1, 1, 2].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.arange(6.0).reshape([1, 1, 2, 3])
    >>> paddle.nn.functional.adaptive_max_pool2d(x, [1, 2]).tolist()
    [[[[4.0, 5.0]]]]
    """
    op = "adaptive_max_pool2d"
    return _max_pool(op, x, return_mask, _window_counts(op, output_size))


def adaptive_max_pool1d(
    x: Any, output_size: Any, return_mask: bool = False, name: str | None = None
) -> Any:
    """The maximum of each of output_size windows that cover the line evenly.

    Shapes: for example x [1, 1, 4], output_size=2 gives [1, 1, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.adaptive_max_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[1.0, 3.0]]]
    """
    op = "adaptive_max_pool1d"
    return _max_pool(op, x, return_mask, _window_counts(op, output_size))


# ----- mean --------------------------------------------------------------------------------------


def avg_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
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
    last = forms.is_last("avg_pool2d", data_format, 2)
    how = _pool_settings("avg_pool2d", kernel_size, stride, padding, ceil_mode, last)
    out = ops.avg_pool2d(forms.channels_first(x, last), exclusive=bool(exclusive), **how)
    if divisor_override is not None:
        area = how["ksize"][0] * how["ksize"][1]
        out = out * float(area) / divisor_override
    return forms.channels_back(out, last)


def avg_pool1d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """The mean of each window of lines [N, C, L]; see avg_pool2d.

    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.avg_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[0.5, 2.5]]]
    """
    how = _pool_settings("avg_pool1d", kernel_size, stride, padding, ceil_mode, last=False)
    return _pool_lines("avg_pool1d", ops.avg_pool2d, x, {**how, "exclusive": bool(exclusive)})


def adaptive_avg_pool2d(
    x: Any, output_size: Any, data_format: str = "NCHW", name: str | None = None
) -> Any:
    """The mean of each of output_size windows that cover the image evenly; None keeps an axis.

    Shapes: for example x [1, 3, 5, 7], output_size=1 gives [1, 3, 1, 1].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.adaptive_avg_pool2d(paddle.ones([1, 3, 5, 7]), 1).shape
    paddle.Size([1, 3, 1, 1])
    """
    last = forms.is_last("adaptive_avg_pool2d", data_format, 2)
    how = _window_counts("adaptive_avg_pool2d", output_size)
    return forms.channels_back(ops.avg_pool2d(forms.channels_first(x, last), **how), last)


def adaptive_avg_pool1d(x: Any, output_size: Any, name: str | None = None) -> Any:
    """The mean of each of output_size windows that cover the line evenly.

    Shapes: for example x [1, 1, 4], output_size=2 gives [1, 1, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.adaptive_avg_pool1d(paddle.arange(4.0).reshape([1, 1, 4]), 2).tolist()
    [[[0.5, 2.5]]]
    """
    op = "adaptive_avg_pool1d"
    return _pool_lines(op, ops.avg_pool2d, x, _window_counts(op, output_size))
