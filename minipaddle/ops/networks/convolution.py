"""Convolutions: filters slide over images; both gradients of one are ops of the same kind.

Three ops are linear in both inputs: image and filter to response (`conv2d`), response and filter
to image (`conv2d_transpose`), image and response to filter (`conv2d_filter`). The gradients of each
are the other two. Images have any number of spatial axes: all kernels and rules also serve
`conv3d`, for volumes. The first spatial axis has the rows, the others the columns.

Images are copied once for each column of the filter, so that the image rows of a row of windows
follow each other in memory: they are one matrix, and one call multiplies them with the filter.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ...engine.meta import Meta, no_kernel
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import metas_of
from ..op_spec import internal
from ..record import Formula, Static, deeper, sample
from .forms import FIRST
from .windows import PADDINGS, Sizes, cached, leftover, out_size, overlap, resolve, window_places

# ----- kernels -----------------------------------------------------------------------------------


def _by_row(x: Any, groups: int) -> Any:
    """Turn [batch, groups x channels, rows, ...] into [groups, rows, channels, batch, ...]."""
    batch, channels, *size = x.shape
    split = x.reshape(batch, groups, channels // groups, *size)
    return split.transpose(1, 3, 2, 0, *range(4, split.ndim))


def _to_images(split: Any) -> Any:
    """Turn [groups, rows, channels, batch, ...] into [batch, groups x channels, rows, ...]."""
    images = split.transpose(3, 0, 2, 1, *range(4, split.ndim))
    batch, groups, inner, *size = images.shape
    return images.reshape(batch, groups * inner, *size)


def _columns(size: Sizes, kernel: Sizes, pads: Any, stride: Sizes, dilation: Sizes) -> Any:
    """Return each column of a filter, the windows where it is in the image, the elements there."""
    return window_places(size[1:], kernel[1:], pads[1:], stride[1:], dilation[1:])


def _window_rows(
    xp: Any, x: Any, kernel: Sizes, out: Sizes, how: tuple[Any, ...], groups: int
) -> Any:
    """Copy the windows: [groups, out rows, kernel rows x channels x kernel columns, rest].

    The rest is the batch and the out columns.
    """
    pads, stride, dilation = how
    batch, channels, size = x.shape[0], x.shape[1], x.shape[2:]
    rows = (xp.zeros if any(map(any, pads)) else xp.empty)(
        (groups, size[0] + sum(pads[0]), channels // groups, *kernel[1:], batch, *out[1:]), x.dtype
    )
    source, inside = _by_row(x, groups), rows[:, pads[0][0] : pads[0][0] + size[0]]
    for at, here, there in _columns(size, kernel, *how):
        inside[:, :, :, *at, :, *here] = source[..., *there]
    column, line = channels // groups * prod(kernel[1:]), batch * prod(out[1:])
    row = column * line
    shape = (groups, out[0], kernel[0], column, line)
    steps = (rows.shape[1] * row, stride[0] * row, dilation[0] * row, line, 1)
    windows = xp.lib.stride_tricks.as_strided(rows, shape, tuple(s * rows.itemsize for s in steps))
    return windows.reshape(groups, out[0], kernel[0] * column, line)


def _filter_matrix(weight: Any, groups: int) -> Any:
    """Return the filters as rows of a matrix, in the order of `_window_rows`."""
    filters, inner, *kernel = weight.shape
    split = weight.reshape(groups, filters // groups, inner, *kernel).swapaxes(2, 3)
    return split.reshape(groups, 1, filters // groups, -1)


def _response_lines(y: Any, groups: int) -> Any:
    """Return a response as [groups, rows, filters, batch x columns]."""
    split = _by_row(y, groups)
    return split.reshape(*split.shape[:3], prod(split.shape[3:]))


def _turn_filters(weight: Any, groups: int) -> Any:
    """Return the filters of the transposed convolution."""
    filters, inner, *kernel = weight.shape
    turned = weight[:, :, *[slice(None, None, -1)] * len(kernel)]
    split = turned.reshape(groups, filters // groups, inner, *kernel)
    return split.swapaxes(1, 2).reshape(groups * inner, filters // groups, *kernel)


def _add_filters(
    xp: Any, y: Any, weight: Any, size: Sizes, how: tuple[Any, ...], groups: int
) -> Any:
    """Add filters times responses to images at their windows: the adjoint of `_window_rows`."""
    pads, stride, dilation = how
    batch, out = y.shape[0], y.shape[2:]
    inner, kernel = weight.shape[1], weight.shape[2:]
    seen = xp.matmul(_filter_matrix(weight, groups).swapaxes(-1, -2), _response_lines(y, groups))
    columns = (inner, *kernel[1:], batch, *out[1:])
    seen = seen.reshape(groups, out[0], kernel[0], *columns)
    rows = xp.zeros((groups, size[0] + sum(pads[0]), *columns), y.dtype)
    for i in range(kernel[0]):
        here, there = overlap(i * dilation[0], rows.shape[1], out[0], stride[0])
        part = rows[:, there]
        part += seen[:, here, i]
    image = xp.zeros((groups, size[0], inner, batch, *size[1:]), y.dtype)
    inside = rows[:, pads[0][0] : pads[0][0] + size[0]]
    for at, here, there in _columns(size, kernel, *how):
        part = image[..., *there]
        part += inside[:, :, :, *at, :, *here]
    return _to_images(image)


# ----- shapes and their errors -------------------------------------------------------------------


def _check_images(name: str, axes: int, **tensors: Meta) -> None:
    """Raise an error for dtypes and ranks that convolutions do not accept."""
    first, like = next(iter(tensors.items()))
    for argument, meta in tensors.items():
        if meta.dtype.char not in "fd":
            raise no_kernel(name, argument, meta, Message("float32 or float64"))
        if meta.dtype != like.dtype:
            raise errors.other_dtype(name, **{first: like, argument: meta})
        errors.require_rank(name, axes + 2, axes + 2, **{argument: meta})


@cached
def _read_windows(
    size: Sizes, kernel: Sizes, *, stride: Sizes, padding: Any, dilation: Sizes
) -> tuple[Any, ...]:
    pads, dilation = resolve(padding, size, kernel, stride, dilation)
    return pads, stride, dilation


@cached
def _conv_infer(
    x: Meta, weight: Meta, *, stride: Any, padding: Any, dilation: Any, groups: int
) -> Meta:
    axes, name = len(stride), f"conv{len(stride)}d"
    _check_images(name, axes, x=x, weight=weight)
    channels, (filters, inner, *kernel) = x.shape[1], weight.shape
    if channels >= 0 and inner >= 0 and channels != inner * groups:
        expected = Message("x with {inner} x {groups} = {product} channels")
        expected = expected.fill(inner=inner, groups=groups, product=inner * groups)
        raise misfit(name, expected, x=x, weight=weight, groups=groups)
    if filters % groups and filters >= 0:
        expected = Message("a multiple of {groups} filters", groups=groups)
        raise misfit(name, expected, x=x, weight=weight, groups=groups)
    out = []
    for axis, (n, k, s, d) in enumerate(zip(x.shape[2:], kernel, stride, dilation, strict=True)):
        if n < 0 or k < 0:
            out.append(-1)
            continue
        own = padding if isinstance(padding, str) else padding[axis : axis + 1]
        (pair,), (spread,) = resolve(own, (n,), (k,), (s,), (d,))
        out.append(out_size(n, k, s, pair, spread))
        if out[-1] <= 0 and n:
            room = f"{n + sum(pair)} elements along axis {2 + axis} of the padded image"
            bounds = f"weight that spans at most {room}, not {(k - 1) * spread + 1}"
            raise misfit(name, bounds, x=x, weight=weight)
    return Meta((x.shape[0], filters, *out), x.dtype)


@cached
def _transpose_infer(
    x: Meta, weight: Meta, *, output_padding: Any, groups: int, **windows: Any
) -> Meta:
    axes, name = len(output_padding), f"conv{len(output_padding)}d_transpose"
    _check_images(name, axes, x=x, weight=weight)
    channels, (filters, inner), kernel = x.shape[1], weight.shape[:2], weight.shape[2:]
    if channels >= 0 and filters >= 0 and (channels != filters or filters % groups):
        expected = Message("x with {filters} channels, a multiple of groups", filters=filters)
        raise misfit(name, expected, x=x, weight=weight, groups=groups)
    size = (-1,) * axes
    if -1 not in kernel and (windows["padding"] != "SAME" or -1 not in x.shape[2:]):
        size = image_sizes(x.shape[2:], kernel, output_padding, **windows)
    return Meta((x.shape[0], -1 if inner < 0 else inner * groups, *size), x.dtype)


def image_sizes(size: Sizes, kernel: Sizes, output_padding: Sizes, **windows: Any) -> Sizes:
    """Return the sizes of images for these numbers of responses; -1 for an unknown one."""
    rows = zip(size, kernel, *_read_windows(size, kernel, **windows), output_padding, strict=True)
    return tuple(
        -1 if n < 0 else (n - 1) * stride - sum(pads) + dilation * (k - 1) + 1 + more
        for n, k, pads, stride, dilation, more in rows
    )


def _filter_infer(x: Meta, dy: Meta, *, kernel: Any, groups: int, **_windows: Any) -> Meta:
    _check_images(f"conv{len(kernel)}d_filter", len(kernel), x=x, dy=dy)
    return Meta((dy.shape[1], -1 if x.shape[1] < 0 else x.shape[1] // groups, *kernel), x.dtype)


# ----- the three ops -----------------------------------------------------------------------------


def conv(xp: Any, x: Any, weight: Any, *, groups: int = 1, **windows: Any) -> Any:
    """The sum of products of each filter with each window of the images."""
    shape = _conv_infer(*metas_of([x, weight]), groups=groups, **windows).shape
    filters, out, kernel = shape[1], shape[2:], weight.shape[2:]
    how = _read_windows(x.shape[2:], kernel, **windows)
    seen = _window_rows(xp, x, kernel, out, how, groups)
    made = xp.matmul(_filter_matrix(weight, groups), seen)
    return _to_images(made.reshape(groups, out[0], filters // groups, shape[0], *out[1:]))


def conv_grad(F: Any, dout: Any, x: Any, weight: Any, *, needs: list[bool], **how: Any) -> Any:
    kernel = tuple(weight.shape[2:])
    how = _with_numbers(x, kernel, how)
    dx = dw = None
    if needs[0]:
        more = _left_over(x, kernel, how)
        dx = _find_conv(F, kernel, "_transpose")(dout, weight, output_padding=more, **how)
    if needs[1]:
        dw = _find_conv(F, kernel, "_filter")(x, dout, kernel=kernel, **how)
    return dx, dw


def _find_conv(F: Any, kernel: Sizes, kind: str = "") -> Any:
    """Return the convolution of a kind for a filter's number of axes."""
    return getattr(F, f"conv{len(kernel)}d{kind}")


def _with_numbers(x: Any, kernel: Any, how: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a convolution with padding as numbers."""
    size, stride = tuple(x.shape[2:]), how["stride"]
    pads, dilation = resolve(how["padding"], size, kernel, stride, how["dilation"])
    return {**how, "padding": pads, "dilation": dilation}


def _left_over(x: Any, kernel: Any, how: dict[str, Any]) -> Sizes:
    """Return the numbers of elements at the end of each axis of an image that are in no window."""
    return tuple(map(leftover, x.shape[2:], kernel, how["stride"], how["padding"], how["dilation"]))


def conv_transpose(
    xp: Any, x: Any, weight: Any, *, output_padding: Any, groups: int = 1, **windows: Any
) -> Any:
    """The sum of the filters times their responses x, each at the window of its response."""
    settings = {"output_padding": output_padding, "groups": groups, **windows}
    size = _transpose_infer(*metas_of([x, weight]), **settings).shape[2:]
    kernel = weight.shape[2:]
    how = pads, stride, spread = _read_windows(x.shape[2:], kernel, **windows)
    around = tuple(
        (d * (k - 1) - before, d * (k - 1) - after)
        for k, d, (before, after) in zip(kernel, spread, pads, strict=True)
    )
    # With many channels a convolution is faster than adding windows.
    if {*stride} == {1} and weight.shape[1] >= 16 and min(map(min, around)) >= 0:
        turned = _turn_filters(weight, groups)
        ahead = {"stride": stride, "padding": around, "dilation": spread, "groups": groups}
        return conv(xp, x, turned, **ahead)
    return _add_filters(xp, x, weight, size, how, groups)


def conv_transpose_grad(
    F: Any, dout: Any, x: Any, weight: Any, *, output_padding: Any, needs: list[bool], **how: Any
) -> Any:
    kernel = tuple(weight.shape[2:])
    how = _with_numbers(x, kernel, how)
    dx = _find_conv(F, kernel)(dout, weight, **how) if needs[0] else None
    dw = _find_conv(F, kernel, "_filter")(dout, x, kernel=kernel, **how) if needs[1] else None
    return dx, dw


def conv_filter(xp: Any, x: Any, dy: Any, *, kernel: Any, groups: int = 1, **windows: Any) -> Any:
    """The gradient of the filter: the sum of the windows of x times their responses."""
    how = _read_windows(x.shape[2:], kernel, **windows)
    seen = _window_rows(xp, x, kernel, dy.shape[2:], how, groups)
    # The larger operand first: this order of the product is quicker.
    total = xp.matmul(seen, _response_lines(dy, groups).swapaxes(-1, -2)).sum(axis=1)
    inner, each = x.shape[1] // groups, dy.shape[1] // groups
    split = total.reshape(groups, kernel[0], inner, *kernel[1:], each)
    split = split.transpose(0, -1, 2, 1, *range(3, split.ndim - 1))
    return split.reshape(groups * each, inner, *kernel)


def conv_filter_grad(F: Any, dout: Any, x: Any, dy: Any, *, kernel: Any, **how: Any) -> Any:
    more = _left_over(x, kernel, how)
    dx = _find_conv(F, kernel, "_transpose")(dy, dout, output_padding=more, **how)
    return dx, _find_conv(F, kernel)(x, dout, **how)


# ----- records -----------------------------------------------------------------------------------


def _conv_spelling(name: str, layout: str) -> Static:
    """Return the spelling of a convolution in a Program."""
    return Static(
        name,
        slots={"weight": "Filter", "x": "Input", "out": "Output"},
        attrs={"stride": "strides", "padding": "paddings", "dilation": "dilations"},
        extra={"data_format": layout, **PADDINGS},
    )


CONV_SAMPLES = (
    sample((2, 2, 4, 5), (3, 2, 3, 2)),
    sample((1, 4, 5, 4), (4, 2, 2, 3), stride=(2, 1), padding=((1, 2), (0, 1)), groups=2),
    sample((1, 2, 6, 5), (2, 1, 3, 2), dilation=(2, 3), padding=((1, 1), (2, 2)), groups=2),
    sample((1, 2, 4, 5), (2, 2, 3, 3), stride=(2, 2), padding="SAME"),
    sample((1, 16, 2, 3), (2, 16, 2, 2), padding=((1, 1), (1, 1))),
    sample((0, 2, 4, 4), (3, 2, 2, 2)),
)
TRANSPOSE_SAMPLES = (
    sample((2, 2, 3, 4), (2, 3, 3, 2)),
    sample(
        (1, 4, 2, 3),
        (4, 2, 2, 3),
        stride=(2, 3),
        padding=((1, 0), (0, 1)),
        output_padding=(1, 2),
        groups=2,
    ),
    sample((1, 2, 4, 3), (2, 1, 3, 2), dilation=(2, 2), padding=((1, 1), (1, 0)), groups=2),
    sample((1, 2, 3, 4), (2, 2, 3, 3), stride=(2, 2), padding="SAME"),
    sample((1, 2, 3, 3), (2, 16, 2, 2), padding=((1, 1), (1, 1))),
)
FILTER_SAMPLES = (
    sample((2, 2, 4, 5), (2, 3, 2, 4), kernel=(3, 2)),
    sample(
        (1, 4, 5, 4), (1, 4, 4, 3), kernel=(2, 3), stride=(2, 1), padding=((1, 2), (0, 1)), groups=2
    ),
)

for axes, name, samples_of in (2, "conv2d", tuple), (3, "conv3d", deeper):
    ones, none = (1,) * axes, ((0, 0),) * axes
    windows = {"stride": ones, "padding": none, "dilation": ones, "groups": 1}
    internal(
        name,
        infer=_conv_infer,
        attributes=windows,
        formula=Formula("y = x ∗ weight", symbol="conv"),
        samples=samples_of(CONV_SAMPLES),
        static=_conv_spelling(name, FIRST[axes]),
    )(conv).grad(conv_grad)
    internal(
        f"{name}_transpose",
        infer=_transpose_infer,
        attributes={**windows, "output_padding": (0,) * axes},
        formula=Formula("y = x ∗ᵀ weight", symbol="conv transpose"),
        samples=samples_of(TRANSPOSE_SAMPLES),
        static=_conv_spelling(f"{name}_transpose", "NCHW"),
    )(conv_transpose).grad(conv_transpose_grad)
    internal(
        f"{name}_filter",
        infer=_filter_infer,
        attributes=windows,
        formula=Formula("out = x ⋆ dy", symbol="conv filter"),
        samples=samples_of(FILTER_SAMPLES),
    )(conv_filter).grad(conv_filter_grad)
