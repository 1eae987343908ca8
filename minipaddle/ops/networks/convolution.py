"""Convolutions: filters slide over images; both gradients of one are ops of the same kind.

Three ops are linear in both inputs: image and filter to response (`conv2d`), response and filter
to image (`conv2d_transpose`), image and response to filter (`conv2d_filter`). The gradients of each
are the other two.

Images are copied once for each column of the filter, so that the image rows of a row of windows
follow each other in memory: they are one matrix, and one call multiplies them with the filter.
"""

from __future__ import annotations

from typing import Any

from ...engine.meta import Meta, no_kernel
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import metas
from ..op_spec import internal
from ..record import Formula, Static, sample
from .windows import PADDINGS, out_size, overlap, resolve, rest

Pair = tuple[int, ...]  # (number for rows, number for columns)

# ----- kernels -----------------------------------------------------------------------------------


def _window_rows(
    xp: Any, x: Any, kernel: Pair, out: Pair, how: tuple[Any, ...], groups: int
) -> Any:
    """Copy the windows: [groups, out rows, kernel rows x channels x kernel columns, rest].

    The rest is the batch and the out columns.
    """
    pads, (down, right), dilation = how
    batch, channels, height, width = x.shape
    inner = channels // groups
    padded = any(map(any, pads))
    rows = (xp.zeros if padded else xp.empty)(
        (groups, height + sum(pads[0]), inner, kernel[1], batch, out[1]), x.dtype
    )
    source = x.reshape(batch, groups, inner, height, width).transpose(1, 3, 2, 0, 4)
    top = pads[0][0]
    for j in range(kernel[1]):
        here, there = overlap(j * dilation[1] - pads[1][0], width, out[1], right)
        rows[:, top : top + height, :, j, :, here] = source[..., there]
    line = batch * out[1]
    row = inner * kernel[1] * line
    shape = (groups, out[0], kernel[0], inner * kernel[1], line)
    steps = (rows.shape[1] * row, down * row, dilation[0] * row, line, 1)
    windows = xp.lib.stride_tricks.as_strided(rows, shape, tuple(s * rows.itemsize for s in steps))
    return windows.reshape(groups, out[0], kernel[0] * inner * kernel[1], line)


def _filter_matrix(weight: Any, groups: int) -> Any:
    """Return the filters as rows of a matrix, in the order of `_window_rows`."""
    filters, inner, *kernel = weight.shape
    split = weight.reshape(groups, filters // groups, inner, *kernel).transpose(0, 1, 3, 2, 4)
    return split.reshape(groups, 1, filters // groups, -1)


def _response_lines(y: Any, groups: int) -> Any:
    """Return a response as [groups, rows, filters, batch x columns]."""
    batch, filters, height, width = y.shape
    split = y.reshape(batch, groups, filters // groups, height, width).transpose(1, 3, 2, 0, 4)
    return split.reshape(groups, height, filters // groups, batch * width)


def _to_images(split: Any) -> Any:
    """Turn [groups, rows, channels, batch, columns] into [batch, channels, rows, columns]."""
    groups, height, inner, batch, width = split.shape
    return split.transpose(3, 0, 2, 1, 4).reshape(batch, groups * inner, height, width)


def _turn_filters(weight: Any, groups: int) -> Any:
    """Return the filters of the transposed convolution."""
    filters, inner, *kernel = weight.shape
    split = weight[:, :, ::-1, ::-1].reshape(groups, filters // groups, inner, *kernel)
    return split.transpose(0, 2, 1, 3, 4).reshape(groups * inner, filters // groups, *kernel)


def _add_filters(
    xp: Any, y: Any, weight: Any, size: Pair, how: tuple[Any, ...], groups: int
) -> Any:
    """Add filters times responses to images at their windows: the adjoint of `_window_rows`."""
    pads, (down, right), dilation = how
    batch, _, *out = y.shape
    inner, kernel = weight.shape[1], weight.shape[2:]
    seen = xp.matmul(_filter_matrix(weight, groups).swapaxes(-1, -2), _response_lines(y, groups))
    seen = seen.reshape(groups, out[0], kernel[0], inner, kernel[1], batch, out[1])
    height = size[0] + sum(pads[0])
    rows = xp.zeros((groups, height, inner, kernel[1], batch, out[1]), y.dtype)
    for i in range(kernel[0]):
        here, there = overlap(i * dilation[0], height, out[0], down)
        part = rows[:, there]
        part += seen[:, here, i]
    image = xp.zeros((groups, size[0], inner, batch, size[1]), y.dtype)
    top = pads[0][0]
    for j in range(kernel[1]):
        here, there = overlap(j * dilation[1] - pads[1][0], size[1], out[1], right)
        part = image[..., there]
        part += rows[:, top : top + size[0], :, j, :, here]
    return _to_images(image)


# ----- shapes and their errors -------------------------------------------------------------------


def _check_images(name: str, **tensors: Meta) -> None:
    """Raise an error for dtypes and ranks that convolutions do not accept."""
    first, like = next(iter(tensors.items()))
    for argument, meta in tensors.items():
        if meta.dtype.char not in "fd":
            raise no_kernel(name, argument, meta, Message("float32 or float64"))
        if meta.dtype != like.dtype:
            raise errors.other_dtype(name, **{first: like, argument: meta})
        if len(meta.shape) != 4:
            raise errors.rank(name, 4, 4, **{argument: meta})


def _read_windows(x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> tuple[Any, ...]:
    pads, dilation = resolve(padding, x.shape[2:], kernel, stride, dilation)
    return pads, tuple(stride), dilation


def _conv_infer(
    x: Meta, weight: Meta, *, stride: Any, padding: Any, dilation: Any, groups: int
) -> Meta:
    _check_images("conv2d", x=x, weight=weight)
    channels, (filters, inner, *kernel) = x.shape[1], weight.shape
    if channels >= 0 and inner >= 0 and channels != inner * groups:
        expected = Message("x with {inner} x {groups} = {product} channels")
        expected = expected.fill(inner=inner, groups=groups, product=inner * groups)
        raise misfit("conv2d", expected, x=x, weight=weight, groups=groups)
    if filters % groups and filters >= 0:
        expected = Message("a multiple of {groups} filters", groups=groups)
        raise misfit("conv2d", expected, x=x, weight=weight, groups=groups)
    out = []
    for axis in range(2):
        n, k = x.shape[2 + axis], kernel[axis]
        if n < 0 or k < 0:
            out.append(-1)
            continue
        pads, spread = resolve(padding, (n,), (k,), (stride[axis],), (dilation[axis],))
        one = pads[0] if isinstance(padding, str) else pads[axis]
        out.append(out_size(n, k, stride[axis], one, spread[0]))
        if out[-1] <= 0 and n:
            room = f"{n + sum(one)} elements along axis {2 + axis} of the padded image"
            bounds = f"weight that spans at most {room}, not {(k - 1) * spread[0] + 1}"
            raise misfit("conv2d", bounds, x=x, weight=weight)
    return Meta((x.shape[0], filters, *out), x.dtype)


def _transpose_infer(
    x: Meta, weight: Meta, *, output_padding: Any, groups: int, **windows: Any
) -> Meta:
    _check_images("conv2d_transpose", x=x, weight=weight)
    channels, (filters, inner, *kernel) = x.shape[1], weight.shape
    if channels >= 0 and filters >= 0 and (channels != filters or filters % groups):
        expected = Message("x with {filters} channels, a multiple of groups", filters=filters)
        raise misfit("conv2d_transpose", expected, x=x, weight=weight, groups=groups)
    size = [-1, -1]
    if -1 not in kernel and (windows["padding"] != "SAME" or -1 not in x.shape[2:]):
        how = _read_windows(x, kernel, **windows)
        size = [_image_size(x.shape[2 + a], kernel[a], a, how, output_padding) for a in range(2)]
    return Meta((x.shape[0], -1 if inner < 0 else inner * groups, *size), x.dtype)


def _image_size(n: int, kernel: int, axis: int, how: tuple[Any, ...], output_padding: Any) -> int:
    """Return the size of the image for n responses."""
    if n < 0:
        return -1
    pads, stride, dilation = (part[axis] for part in how)
    return int((n - 1) * stride - sum(pads) + dilation * (kernel - 1) + 1 + output_padding[axis])


# ----- records -----------------------------------------------------------------------------------


def _conv_spelling(name: str, **slots: str) -> Static:
    """Return the spelling of a convolution in a Program."""
    return Static(
        name,
        slots={"weight": "Filter", "x": "Input", "out": "Output", **slots},
        attrs={"stride": "strides", "padding": "paddings", "dilation": "dilations"},
        extra={"data_format": "NCHW", **PADDINGS},
    )


ONES, NONE = (1, 1), ((0, 0), (0, 0))
WINDOWS = {"stride": ONES, "padding": NONE, "dilation": ONES, "groups": 1}
TURNED = {  # attributes of a transposed convolution
    "stride": ONES, "padding": NONE, "output_padding": (0, 0), "dilation": ONES, "groups": 1,
}  # fmt: skip


@internal(
    infer=_conv_infer,
    attributes=WINDOWS,
    formula=Formula("y = x ∗ weight", symbol="conv"),
    samples=(
        sample((2, 3, 5, 6), (4, 3, 3, 2)),
        sample((2, 4, 6, 5), (4, 2, 2, 3), stride=(2, 1), padding=((1, 2), (0, 1)), groups=2),
        sample((1, 2, 7, 6), (2, 1, 3, 2), dilation=(2, 3), padding=((1, 1), (2, 2)), groups=2),
        sample((2, 2, 5, 6), (3, 2, 3, 3), stride=(2, 2), padding="SAME"),
        sample((1, 16, 4, 4), (2, 16, 3, 3), padding=((1, 1), (1, 1))),
        sample((0, 2, 4, 4), (3, 2, 2, 2)),
    ),
    static=_conv_spelling("conv2d"),
)
def conv2d(xp: Any, x: Any, weight: Any, *, groups: int = 1, **windows: Any) -> Any:
    """The sum of products of each filter with each window of the images."""
    pair = Meta(x.shape, x.dtype), Meta(weight.shape, weight.dtype)
    shape = _conv_infer(*pair, groups=groups, **windows).shape
    kernel = weight.shape[2:]
    how = _read_windows(x, kernel, **windows)
    seen = _window_rows(xp, x, kernel, shape[2:], how, groups)
    out = xp.matmul(_filter_matrix(weight, groups), seen)
    return _to_images(out.reshape(groups, shape[2], shape[1] // groups, shape[0], shape[3]))


@conv2d.grad
def conv2d_grad(F: Any, dout: Any, x: Any, weight: Any, *, needs: list[bool], **how: Any) -> Any:
    kernel = tuple(weight.shape[2:])
    how = _resolve_padding(x, kernel, how)
    dx = dw = None
    if needs[0]:
        dx = F.conv2d_transpose(dout, weight, output_padding=_left_over(x, kernel, how), **how)
    if needs[1]:
        dw = F.conv2d_filter(x, dout, kernel=kernel, **how)
    return dx, dw


def _resolve_padding(x: Any, kernel: Any, how: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a convolution with padding as numbers."""
    size, stride = tuple(x.shape[2:]), how["stride"]
    pads, dilation = resolve(how["padding"], size, kernel, stride, how["dilation"])
    return {**how, "padding": pads, "dilation": dilation}


def _left_over(x: Any, kernel: Any, how: dict[str, Any]) -> tuple[int, ...]:
    """Return the numbers of rows and columns at the end of an image that are in no window."""
    rows = zip(x.shape[2:], kernel, how["stride"], how["padding"], how["dilation"], strict=True)
    return tuple(rest(*row) for row in rows)


@internal(
    infer=_transpose_infer,
    attributes=TURNED,
    formula=Formula("y = x ∗ᵀ weight", symbol="conv transpose"),
    samples=(
        sample((2, 4, 3, 5), (4, 3, 3, 2)),
        sample(
            (2, 4, 3, 4),
            (4, 2, 2, 3),
            stride=(2, 3),
            padding=((1, 0), (0, 1)),
            output_padding=(1, 2),
            groups=2,
        ),
        sample((1, 2, 5, 4), (2, 1, 3, 2), dilation=(2, 2), padding=((1, 1), (1, 0)), groups=2),
        sample((1, 3, 5, 5), (3, 2, 3, 3), stride=(2, 2), padding="SAME"),
        sample((1, 3, 4, 4), (3, 16, 3, 3), padding=((1, 1), (1, 1))),
    ),
    static=_conv_spelling("conv2d_transpose"),
)
def conv2d_transpose(
    xp: Any, x: Any, weight: Any, *, output_padding: Any, groups: int = 1, **windows: Any
) -> Any:
    """The sum of the filters times their responses x, each at the window of its response."""
    settings = {"output_padding": output_padding, "groups": groups, **windows}
    size = _transpose_infer(*metas([x, weight]), **settings).shape[2:]
    kernel = weight.shape[2:]
    how = pads, stride, spread = _read_windows(x, kernel, **windows)
    around = [
        (d * (k - 1) - before, d * (k - 1) - after)
        for k, d, (before, after) in zip(kernel, spread, pads, strict=True)
    ]
    # With many channels a convolution is faster than adding windows.
    if stride == ONES and weight.shape[1] >= 16 and min(map(min, around)) >= 0:
        turned = _turn_filters(weight, groups)
        ahead = {"stride": ONES, "padding": around, "dilation": spread, "groups": groups}
        return conv2d.kernel(xp, x, turned, **ahead)
    return _add_filters(xp, x, weight, size, how, groups)


@conv2d_transpose.grad
def conv2d_transpose_grad(
    F: Any, dout: Any, x: Any, weight: Any, *, output_padding: Any, needs: list[bool], **how: Any
) -> Any:
    kernel = tuple(weight.shape[2:])
    how = _resolve_padding(x, kernel, how)
    dx = F.conv2d(dout, weight, **how) if needs[0] else None
    dw = F.conv2d_filter(dout, x, kernel=kernel, **how) if needs[1] else None
    return dx, dw


def _filter_infer(x: Meta, dy: Meta, *, kernel: Any, groups: int, **_windows: Any) -> Meta:
    _check_images("conv2d_filter", x=x, dy=dy)
    channels = x.shape[1]
    return Meta((dy.shape[1], -1 if channels < 0 else channels // groups, *kernel), x.dtype)


@internal(
    infer=_filter_infer,
    attributes=WINDOWS,
    formula=Formula("out = x ⋆ dy", symbol="conv filter"),
    samples=(
        sample((2, 3, 5, 6), (2, 4, 3, 5), kernel=(3, 2)),
        sample(
            (2, 4, 6, 5),
            (2, 4, 4, 4),
            kernel=(2, 3),
            stride=(2, 1),
            padding=((1, 2), (0, 1)),
            groups=2,
        ),
    ),
)
def conv2d_filter(xp: Any, x: Any, dy: Any, *, kernel: Any, groups: int = 1, **windows: Any) -> Any:
    """The gradient of the filter: the sum of the windows of x times their responses."""
    how = _read_windows(x, kernel, **windows)
    seen = _window_rows(xp, x, kernel, dy.shape[2:], how, groups)
    # The larger operand first: this order of the product is quicker.
    total = xp.matmul(seen, _response_lines(dy, groups).swapaxes(-1, -2)).sum(axis=1)
    inner, each = x.shape[1] // groups, dy.shape[1] // groups
    split = total.reshape(groups, kernel[0], inner, kernel[1], each).transpose(0, 4, 2, 1, 3)
    return split.reshape(groups * each, inner, *kernel)


@conv2d_filter.grad
def conv2d_filter_grad(F: Any, dout: Any, x: Any, dy: Any, *, kernel: Any, **how: Any) -> Any:
    dx = F.conv2d_transpose(dy, dout, output_padding=_left_over(x, kernel, how), **how)
    return dx, F.conv2d(x, dout, **how)
