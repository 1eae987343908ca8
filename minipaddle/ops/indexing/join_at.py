"""Joining values to an array at positions that may repeat, for every dtype.

A GPU joins them all at once, by atomic operations that exist for some dtypes only. What it lacks
is done in a dtype that it has, or in rounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ATOMIC_EXTREMES = ("int32", "uint32", "uint64", "float32", "float64")


def add_at(xp: Any, out: Any, where: Any, values: Any) -> None:
    """out[where] += values, as often as `where` names a place."""
    kind = out.dtype
    if kind == np.int64:  # sums modulo 2⁶⁴ have the same bits
        xp.add.at(out.view(np.uint64), where, values.astype(kind, copy=False).view(np.uint64))
    elif kind.kind in "biu" and kind.itemsize < 4:
        wide = out.astype(np.int32)
        xp.add.at(wide, where, values)
        out[...] = wide
    else:
        xp.add.at(out, where, values)


def join_at(xp: Any, name: str, out: Any, where: Any, values: Any) -> None:
    """The same with another function of two elements: multiply, minimum, maximum."""
    join = getattr(xp, name)
    if name == "add":
        add_at(xp, out, where, values)
    elif name != "multiply" and out.dtype.name in ATOMIC_EXTREMES:
        join.at(out, where, values)
    else:
        _in_rounds(xp, join, out, where, values)


def _in_rounds(xp: Any, join: Any, out: Any, where: Any, values: Any) -> None:
    """Each round joins one value to each place, in the order in which the values stand."""
    places = xp.arange(out.size).reshape(out.shape)[where]
    values = xp.broadcast_to(values, places.shape).reshape(-1)
    places = places.reshape(-1)
    order = xp.argsort(places, kind="stable")
    line = places[order]
    turn = xp.arange(line.size) - xp.searchsorted(line, line)
    flat = out.reshape(-1)
    for now in range(int(turn.max()) + 1 if line.size else 0):
        chosen = order[turn == now]
        flat[places[chosen]] = join(flat[places[chosen]], values[chosen])
    out[...] = flat.reshape(out.shape)
