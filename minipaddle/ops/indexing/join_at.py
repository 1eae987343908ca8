"""Reductions of values into an array at positions that may repeat, for every dtype.

A GPU reduces them in parallel by atomic operations, which exist for some dtypes. Others are reduced
in another dtype, or one value per position at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dtypes import as_positions

ATOMIC_EXTREMES = ("int32", "uint32", "uint64", "float32", "float64")


def add_to_zeros(xp: Any, shape: Any, where: Any, values: Any) -> Any:
    """Return zeros of this shape with the values added at `where`; positions may repeat."""
    if xp is np and values.dtype.kind in "fc":
        numbers = _row_numbers(shape, where, values)
        # Slower for few rows, for many repeated numbers, and if nearly all numbers have no row.
        if numbers is not None and 64 < numbers.size < 2 * shape[0] < 32 * numbers.size:
            rows = values.reshape(numbers.size, *shape[1:])
            return _sums_of_rows(shape[0], numbers.reshape(-1), rows)
    out = xp.zeros(shape, values.dtype)
    add_at(xp, out, where, values)
    return out


def add_at(xp: Any, out: Any, where: Any, values: Any) -> None:
    """Add values to out[where]; positions may repeat."""
    kind = out.dtype
    if kind == np.int64:  # sums modulo 2⁶⁴ have the same bits
        xp.add.at(out.view(np.uint64), where, values.astype(kind, copy=False).view(np.uint64))
    elif kind.kind in "biu" and kind.itemsize < 4:
        wide = out.astype(np.int32)
        xp.add.at(wide, where, values)
        out[...] = wide
    elif (
        xp is np
        and out.flags.c_contiguous
        and (numbers := _row_numbers(out.shape, where, values)) is not None
    ):
        rows = values.reshape(numbers.size, *out.shape[1:])
        _add_rows(out, numbers.reshape(-1), rows, np.arange(numbers.size))
    else:
        xp.add.at(out, where, values)


def _row_numbers(shape: Any, where: Any, values: Any) -> Any:
    """Return the positions if each of them adds a whole row of values, else None."""
    first, *rest = where if isinstance(where, tuple) else (where,)
    if not all(isinstance(item, slice) and item == slice(None) for item in rest):
        return None
    if not isinstance(first, np.ndarray) or first.dtype.kind not in "iu" or len(shape) < 2:
        return None
    return first if values.shape == (*first.shape, *shape[1:]) else None


def _sums_of_rows(count: int, numbers: Any, rows: Any) -> Any:
    """Return for each number below `count` the sum of its rows, added in their order.

    The sum replaces the first row of a number, and a row of zeros is added at the end. Then each
    number takes its row, so that the largest array is written once, and in order.
    """
    size, order = len(rows), np.arange(len(rows))
    sums = np.empty((size + 1, *rows.shape[1:]), rows.dtype)
    np.add(rows, 0, out=sums[:size])  # 0 + -0.0 is 0.0
    sums[size] = 0
    source = np.full(count, size)
    source[numbers[::-1]] = order[::-1]  # the first of equal numbers is written last
    first = source[numbers]
    _add_rows(sums, first, rows, (first != order).nonzero()[0])
    return sums.take(source, axis=0)


def _add_rows(out: Any, where: Any, rows: Any, left: Any) -> None:
    """Add rows[i] to out[where[i]] for each i of `left`, in passes of at most one row per position.

    `np.add.at` takes three times as long for rows as for single elements. It adds the remaining
    rows when most of them have the same few positions, such as those of frequent words.
    """
    last = np.empty(len(out), np.intp)
    while left.size > 64:
        positions = where[left]
        last[positions[::-1]] = left[::-1]  # the first of equal positions is written last
        first = last[positions] == left
        chosen = left[first]
        at, sums = where[chosen], rows.take(chosen, axis=0)
        sums += out.take(as_positions(at), axis=0)
        out[at] = sums
        many, left = left.size, left[~first]
        if left.size > many // 2:
            break
    width = rows[:1].size
    if left.size and width:
        elements = where[left].astype(np.intp)[:, None] * width + np.arange(width)
        np.add.at(out.reshape(-1), elements.reshape(-1), rows.take(left, axis=0).reshape(-1))


def reduce_at(xp: Any, name: str, out: Any, where: Any, values: Any) -> None:
    """Reduce values into out[where] by a ufunc: add, multiply, minimum or maximum."""
    join = getattr(xp, name)
    if name == "add":
        add_at(xp, out, where, values)
    elif name != "multiply" and out.dtype.name in ATOMIC_EXTREMES:
        join.at(out, where, values)
    else:
        _reduce_in_passes(xp, join, out, where, values)


def _reduce_in_passes(xp: Any, join: Any, out: Any, where: Any, values: Any) -> None:
    """Reduce values in passes, at most one per position in each, in the order of the values."""
    positions = xp.arange(out.size).reshape(out.shape)[where]
    values = xp.broadcast_to(values, positions.shape).reshape(-1)
    positions = positions.reshape(-1)
    order = xp.argsort(positions, kind="stable")
    line = positions[order]
    pass_of = xp.arange(line.size) - xp.searchsorted(line, line)
    flat = out.reshape(-1)
    for now in range(int(pass_of.max()) + 1 if line.size else 0):
        chosen = order[pass_of == now]
        flat[positions[chosen]] = join(flat[positions[chosen]], values[chosen])
    out[...] = flat.reshape(out.shape)
