"""Slices by lists of axes, starts and ends; each number may also be a tensor."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...engine.meta import Meta, axis_of
from ...errors import misfit
from ..arguments import ints
from ..catalog import public
from ..indexing.index import read


def _row(op_name: str, name: str, value: Any, count: int) -> list[Any]:
    """Return a list of ends, one for each axis, from a list or a tensor."""
    if hasattr(value, "stop_gradient"):
        row = [value[i] for i in range(value.shape[0])] if len(value.shape) else [value]
    else:
        row = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(row) != count:
        raise misfit(op_name, f"{count} numbers, one for each axis", **{name: value})
    return row


def _slice(op_name: str, x: Any, axes: Any, **ends: Any) -> Any:
    """Return x[start:end:stride, ...] on the named axes."""
    meta = Meta(tuple(x.shape), np.dtype("float32"))
    where = [axis_of(op_name, meta, axis) for axis in ints(list(axes))]
    rows = [_row(op_name, name, value, len(where)) for name, value in ends.items()]
    index = [builtins.slice(None)] * len(meta.shape)
    for axis, *parts in zip(where, *rows, strict=True):
        index[axis] = builtins.slice(*parts)
    return read(x, tuple(index))


@public()
def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Any:
    """input[start:end] on each of the axes; a view.

    Shapes: for example input [3], axes=[0], starts=[1], ends=[3] gives [2].
    Dtypes: all kept.
    Errors: ValueError for an axis that is not there.

    >>> paddle.slice(paddle.to_tensor([5, 6, 7]), [0], [1], [3]).tolist()
    [6, 7]
    """
    return _slice("slice", input, axes, starts=starts, ends=ends)


@public()
def strided_slice(
    x: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None
) -> Any:
    """x[start:end:stride] on each of the axes; a view.

    Shapes: for example x [3], axes=[0], starts=[2], ends=[0], strides=[-1] gives [2].
    Dtypes: all kept.
    Errors: ValueError for an axis that is not there, or a step of 0.

    >>> paddle.strided_slice(paddle.to_tensor([5, 6, 7]), [0], [2], [0], [-1]).tolist()
    [7, 6]
    """
    return _slice("strided_slice", x, axes, starts=starts, ends=ends, strides=strides)


@public()
def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
    """So many slices along an axis, from `start` on; a view.

    Shapes: for example input [3], dim=0, start=1, length=2 gives [2].
    Dtypes: all kept.
    Errors: ValueError for an axis that is not there, or a range outside it.

    >>> paddle.narrow(paddle.to_tensor([5, 6, 7]), 0, 1, 2).tolist()
    [6, 7]
    """
    meta = Meta(tuple(input.shape), np.dtype("float32"))
    where = axis_of("narrow", meta, dim)
    n, first = meta.shape[where], ints(start)[0]
    first = first + n if first < 0 <= n else first
    if length < 0 or first < 0 or (n != -1 and first + length > n):
        bounds = f"start and length within {n}, the size of axis {where}"
        raise misfit("narrow", bounds, start=start, length=length)
    return _slice("narrow", input, [where], starts=[first], ends=[first + length])


@public(method=False)
def crop(x: Any, shape: Any = None, offsets: Any = None, name: str | None = None) -> Any:
    """A block of x: of this shape (-1: up to the end), beginning at `offsets` (0 by default).

    Dtypes: all kept.
    Errors: ValueError for a block that does not lie inside x.

    >>> paddle.crop(paddle.to_tensor([[1, 2], [3, 4]]), [1, -1], [1, 0]).tolist()
    [[3, 4]]
    """
    whole = tuple(x.shape)
    sizes = whole if shape is None else ints(shape)
    begin = (0,) * len(whole) if offsets is None else ints(offsets)
    fits = len(sizes) == len(begin) == len(whole) and all(
        first >= 0 and n >= -1 and (m == -1 or first + max(n, 0) <= m)
        for m, n, first in zip(whole, sizes, begin, strict=True)
    )
    if not fits:
        given = {"shape": list(sizes), "offsets": list(begin)}
        raise misfit("crop", f"a block inside {list(whole)}", **given)
    ends = [m if n == -1 else first + n for m, n, first in zip(whole, sizes, begin, strict=True)]
    ends = [None if end == -1 else end for end in ends]
    return _slice("crop", x, range(len(whole)), starts=list(begin), ends=ends)
