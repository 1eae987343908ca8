"""Padding of lines, images and other tensors."""

from __future__ import annotations

from typing import Any

from ...engine.errors import CheckFailed
from ...engine.tensor import Tensor
from ...ops.arguments import axes, open_sizes
from ...ops.networks import forms
from ...ops.rule_functions import GRAPH as ops
from .. import errors

MODES = ("constant", "reflect", "replicate", "circular")


def pad(
    x: Any,
    pad: Any,
    mode: str = "constant",
    value: float = 0.0,
    data_format: str | None = None,
    pad_from_left_axis: bool = True,
    name: str | None = None,
) -> Any:
    """x padded before and after, by two numbers of `pad` for each axis.

    A pair for each spatial axis, the last one first, [left, right, top, bottom], allows the modes
    "reflect", "replicate" and "circular" too. Other numbers of pairs pad with `value`: pairs for
    all axes begin with the first axis if pad_from_left_axis, else with the last; fewer pairs
    begin with the last axis. Source: Paddle's `paddle.nn.functional.pad`.

    Dtypes: complex, int32, int64, float32, float64 kept.
    Errors: RuntimeError for bool, uint8, int8, int16, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[1.0, 2.0, 3.0]]])
    >>> paddle.nn.functional.pad(x, [1, 2], mode="reflect").tolist()
    [[[2.0, 1.0, 2.0, 3.0, 2.0, 1.0]]]
    """
    if mode not in MODES:
        raise errors.choice("pad", "mode", mode, MODES, CheckFailed)
    unknown = open_sizes(pad)
    if unknown is not None:
        places = _spatial_pairs(x, list(range(1, len(unknown[0]) + 1)), data_format)
        attrs = {"row": unknown[0], "places": tuple(places), "mode": mode, "value": value}
        return ops.pad_by(x, unknown[1], **attrs)
    row = axes(pad)
    row = list(row) if isinstance(row, tuple) else [row] * (2 * len(x.shape) - 4)
    rank = len(x.shape)
    spatial = len(row) == 2 * (rank - 2) and rank > 2
    if mode != "constant" or isinstance(pad, Tensor) or spatial:
        pairs = _spatial_pairs(x, row, data_format)
    else:
        pairs = _constant_pairs(x, row, pad_from_left_axis)
    return ops.pad(*_crop(x, pairs), mode=mode, value=value)


def _crop(x: Any, pairs: list[tuple[int, int]]) -> tuple[Any, Any]:
    """Return x without the elements that negative padding drops, and the padding >= 0."""
    if min(map(min, pairs)) < 0:
        cut = tuple(slice(max(0, -a), min(0, b) or None) for a, b in pairs)
        x = x[cut]
        pairs = [(max(a, 0), max(b, 0)) for a, b in pairs]
    return x, tuple(pairs)


def _spatial_pairs(x: Any, row: list[int], data_format: str | None) -> list[tuple[int, int]]:
    """Return pairs for all axes from [left, right, top, bottom, ...]."""
    rank = len(x.shape)
    if rank not in (3, 4, 5):
        expected = "[N, C, L], [N, C, H, W] or [N, C, D, H, W], channels first or last"
        raise errors.misfit("pad", expected, CheckFailed, x=x)
    layouts = [forms.FIRST[rank - 2], forms.LAST[rank - 2]]
    layout = data_format or layouts[0]
    if layout not in layouts:
        raise errors.choice("pad", "data_format", layout, layouts, CheckFailed)
    if len(row) != 2 * (rank - 2):
        expected = f"{2 * (rank - 2)} paddings: two for each axis but batch and channels"
        raise errors.misfit("pad", expected, x=x, pad=row)
    pairs = [(row[i], row[i + 1]) for i in range(0, len(row), 2)][::-1]
    none = [(0, 0)]
    return none + pairs + none if layout == layouts[1] else none * 2 + pairs


def _constant_pairs(x: Any, row: list[int], from_left: bool) -> list[tuple[int, int]]:
    """Return pairs for all axes of a constant padding."""
    rank = len(x.shape)
    row = [*row, 0] if len(row) % 2 else row
    pairs = [(row[i], row[i + 1]) for i in range(0, len(row), 2)]
    if len(pairs) > rank and any(map(any, pairs[rank:])):
        raise errors.misfit("pad", f"at most {2 * rank} paddings", x=x, pad=row)
    if row and min(row) < 0:
        raise errors.misfit("pad", "paddings of at least 0", pad=row)
    if len(pairs) == rank and from_left:
        return pairs
    return [(0, 0)] * (rank - len(pairs)) + pairs[:rank][::-1]


def zeropad2d(x: Any, padding: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Images padded around with zeros: [left, right, top, bottom].

    Dtypes: complex, int32, int64, float32, float64 kept.
    Errors: RuntimeError for bool, uint8, int8, int16, float16.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.zeropad2d(paddle.ones([1, 1, 1, 1]), [1, 0, 0, 1]).tolist()
    [[[[0.0, 1.0], [0.0, 0.0]]]]
    """
    return pad(x, padding, "constant", 0.0, data_format)
