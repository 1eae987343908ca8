"""Readers of the sizes, paddings and layouts of images."""

from __future__ import annotations

from typing import Any

from ...errors import misfit
from .. import errors
from ..arguments import check_memory, to_python
from ..registry import REGISTRY

FIRST = {1: "NCL", 2: "NCHW", 3: "NCDHW"}
LAST = {1: "NLC", 2: "NHWC", 3: "NDHWC"}
FORMATS = ("NC", *FIRST.values(), *LAST.values())
Pairs = tuple[tuple[int, int], ...]


def has_channels_last(op: str, data_format: Any, axes: int) -> bool:
    """Return whether the channels come last; raise an error for other layouts."""
    errors.require_choice(op, "data_format", data_format, (FIRST[axes], LAST[axes]))
    return bool(data_format == LAST[axes])


def has_channels_last_of_any(op: str, data_format: Any) -> bool:
    """Return whether the channels come last in a layout of any number of axes."""
    errors.require_choice(op, "data_format", data_format, FORMATS)
    return data_format in LAST.values()


def axes_of(op: str) -> int:
    """Return the number of spatial axes that a function's name has: 1 for conv1d."""
    return next(axes for axes in FIRST if f"{axes}d" in op)


def read_axis_sizes(op: str, name: str, value: Any, axes: int, least: int = 1) -> tuple[int, ...]:
    """Return an int for each axis, from one for all or from a list."""
    value = to_python(value)
    row = tuple(value) if isinstance(value, (list, tuple)) else (value,) * axes
    row = tuple(int(n) if hasattr(n, "__index__") else n for n in row)
    if len(row) != axes or not all(isinstance(n, int) and n >= least for n in row):
        bounds = f"{name}, an int, or {axes} of them, each at least {least}"
        raise misfit(op, bounds, **{name: value})
    return check_memory(row)


def read_padding(op: str, value: Any, axes: int, last: bool) -> Pairs | str:
    """Return pairs (before, after) for each axis from any form of padding, or "SAME" or "VALID"."""
    if isinstance(value, str):
        if value.upper() not in ("SAME", "VALID"):
            raise errors.choice(op, "padding", value, ("SAME", "VALID"))
        return value.upper()
    flat = value = to_python(value)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], (list, tuple)):
        ends = (value[0], value[-1] if last else value[1]) if len(value) == axes + 2 else ()
        if not ends or any(map(any, ends)):
            bounds = f"{axes + 2} pairs, those of batch and channels [0, 0]"
            raise misfit(op, bounds, padding=value)
        flat = [n for pair in (value[1:-1] if last else value[2:]) for n in pair]
    row = tuple(flat) if isinstance(flat, (list, tuple)) else (flat,) * axes
    if len(row) == axes:
        row = tuple(n for n in row for _ in range(2))
    if len(row) != 2 * axes or not all(hasattr(n, "__index__") and n >= 0 for n in row):
        bounds = f"ints of at least 0: one, {axes}, {2 * axes}, or pairs; 'SAME' or 'VALID'"
        raise misfit(op, bounds, padding=value)
    row = check_memory(tuple(map(int, row)))
    return tuple((row[2 * i], row[2 * i + 1]) for i in range(axes))


def channels_first(x: Any, last: bool) -> Any:
    """Return x with its channels, which are the last axis if `last`, as axis 1."""
    if not last:
        return x
    rank = len(x.shape)
    return REGISTRY["transpose"].call(x, perm=(0, rank - 1, *range(1, rank - 1)))


def channels_back(x: Any, last: bool) -> Any:
    """Return x with its channels, which are axis 1, as the last axis if `last`."""
    if not last:
        return x
    return REGISTRY["transpose"].call(x, perm=(0, *range(2, len(x.shape)), 1))


def scale_channels(x: Any, weight: Any, bias: Any) -> Any:
    """Multiply x by a number for each channel and add another; the channels are axis 1."""
    for name, extra in (("multiply", weight), ("add", bias)):
        if extra is not None:
            shape = (1, extra.shape[0], *(1,) * (len(x.shape) - 2))
            x = REGISTRY[name].call(x, REGISTRY["reshape"].call(extra, shape=shape))
    return x


def as_image(x: Any) -> Any:
    """Turn lines into images of height 1: [N, C, L] to [N, C, 1, L]."""
    return REGISTRY["unsqueeze"].call(x, axis=2)


def as_line(x: Any) -> Any:
    """Turn images of height 1 into lines."""
    return REGISTRY["squeeze"].call(x, axis=2)


def image_padding(pads: Pairs | str) -> Pairs | str:
    """Turn padding of a line into that of an image of height 1."""
    return pads if isinstance(pads, str) else ((0, 0), *pads)
