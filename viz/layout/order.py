"""The order from left to right in every row, by barycentre sweeps that keep tall items upright.

An item may span several rows (an opened group, the vertical part of a long wire). Items that
share rows keep one relative order in all of them, so a tall item can be drawn as a rectangle.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Thing = TypeVar("Thing", bound=Hashable)  # an item to put in order
Links = Mapping[Thing, Sequence[Thing]]

SWEEPS = 8
IDLE = 4  # number of sweeps without success after which the search ends


def order(
    rows: list[list[Thing]], above: Links[Thing], below: Links[Thing], lean: Mapping[Thing, float]
) -> list[list[Thing]]:
    """Return the rows with fewer crossings.

    `rows` contain a tall item in each row that it spans; items that share rows start with one
    relative order. `above` and `below` link an item to its neighbours in the rows above and below.
    If several items want one place, a negative `lean` puts an item to the left.
    """
    best, fewest = rows, crossings(rows, below)
    idle = 0
    for sweep in range(SWEEPS):
        if not fewest or idle == IDLE:
            break
        if sweep % 2:
            rows = _sweep_down(rows[::-1], below, lean)[::-1]
        else:
            rows = _sweep_down(rows, above, lean)
        crossed = crossings(rows, below)
        idle += 1
        if crossed < fewest:
            best, fewest, idle = rows, crossed, 0
    return best


def _sweep_down(
    rows: list[list[Thing]], towards: Links[Thing], lean: Mapping[Thing, float]
) -> list[list[Thing]]:
    """Return each row sorted by the mean place of its neighbours in the row before it."""
    done = [rows[0]]
    for row in rows[1:]:
        place = {item: k for k, item in enumerate(done[-1])}
        keys: dict[Thing, float] = {}
        for item in row:
            if item in place:
                keys[item] = place[item]
                continue
            near = [place[other] for other in towards.get(item, ()) if other in place]
            if near:
                keys[item] = sum(near) / len(near) + lean.get(item, 0.0)
        ordered = iter(sorted((item for item in row if item in keys), key=keys.__getitem__))
        done.append([next(ordered) if item in keys else item for item in row])
    return done


def crossings(rows: Sequence[Sequence[Thing]], below: Links[Thing]) -> int:
    """Return the number of links that cross; a tall item is a link to itself."""
    total = 0
    for upper, lower in itertools.pairwise(rows):
        place = {item: k for k, item in enumerate(lower)}
        ends: list[int] = []
        held = set(upper)
        for item in upper:
            near = [place[o] for o in below.get(item, ()) if o in place and o not in held]
            if item in place:
                near.append(place[item])
            near.sort()
            ends += near
        if ends == sorted(ends):  # the usual case, much faster than counting
            continue
        seen: list[int] = []
        for end in ends:
            total += len(seen) - bisect_right(seen, end)
            insort(seen, end)
    return total
