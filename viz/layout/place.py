"""Where the items of each row stand: the method of Brandes and Koepf, with tall items.

Items are put into vertical blocks, each item under the median of its neighbours in the row before,
tall items and the spine first. The blocks are packed from four sides, and every item takes the
mean of its two middle places. A block has one x, so the spine and every tall item come out
straight. Items reach `left` and `right` of their anchor, which need not be their middle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from .items import Item
from .order import Links

Rows = Sequence[Sequence[Item]]
Ties = AbstractSet[tuple[Item, Item]]  # an item, and the one it must stand straight under
Blocks = Mapping[Item, Item]  # the first item of the block in which an item is
Places = dict[Item, float]
Position = int  # in a row, from the left

# Between neighbours, of which none, one or both are slim.
GAPS = (28.0, 18.0, 10.0)


class Reach(NamedTuple):
    """How far items reach to the left and to the right of their anchors."""

    left: Mapping[Item, float]
    right: Mapping[Item, float]


def place(rows: Rows, above: Links[Item], below: Links[Item], spine: Ties) -> Places:
    """The x of every item's anchor; `spine` has the upper end of each tie first."""
    items = dict.fromkeys(item for row in rows for item in row)
    reach = Reach({item: item.left for item in items}, {item: item.right for item in items})
    turned = Reach(reach.right, reach.left)
    packings: list[Places] = []
    for side_rows, towards, ties in (
        (rows, above, {(low, high) for high, low in spine}),
        (rows[::-1], below, spine),
    ):
        packings.append(_pack(side_rows, _blocks(side_rows, towards, ties), reach))
        mirrored = [row[::-1] for row in side_rows]
        xs = _pack(mirrored, _blocks(mirrored, towards, ties), turned)
        packings.append({item: -x for item, x in xs.items()})
    return _balance(packings, reach)


def _blocks(rows: Rows, towards: Links[Item], ties: Ties) -> Blocks:
    """The block of every item, named by its first item."""
    block: dict[Item, Item] = {}
    for item in rows[0] if rows else ():
        block[item] = item
    for upper, row in pairwise(rows):
        position = {item: k for k, item in enumerate(upper)}
        under: list[Position | None] = [position.get(item) for item in row]
        if None not in under:  # every one goes on from the row before
            continue
        near = [
            [other for other in towards.get(item, ()) if other in position] if at is None else []
            for item, at in zip(row, under, strict=True)
        ]
        tied = [
            [position[other] for other in others if (item, other) in ties]
            for item, others in zip(row, near, strict=True)
        ]
        medians = [_medians([position[other] for other in others]) for others in near]
        for wishes in (tied, medians):
            under = _grant(under, wishes, len(upper))
        for item, at in zip(row, under, strict=True):
            if item not in block:
                block[item] = item if at is None else block[upper[at]]
    return block


def _medians(positions: list[Position]) -> list[Position]:
    """The middle one of these, or the middle two."""
    positions.sort()
    return positions[(len(positions) - 1) // 2 : len(positions) // 2 + 1] if positions else []


def _grant(
    under: list[Position | None], wishes: list[list[Position]], end: Position
) -> list[Position | None]:
    """Grant wishes from left to right where they cross nothing that has its position already."""
    limits: list[Position] = []
    limit = end
    for at in reversed(under):
        limits.append(limit)
        limit = limit if at is None else at
    chosen: list[Position | None] = []
    last = -1
    for at, wish, limit in zip(under, wishes, reversed(limits), strict=True):
        if at is None:
            at = next((position for position in wish if last < position < limit), None)
        chosen.append(at)
        last = last if at is None else at
    return chosen


def _pack(rows: Rows, block: Blocks, reach: Reach) -> Places:
    """Blocks as far left as they go, then each as close as it can come to its right neighbour."""
    after: dict[Item, Places] = {first: {} for first in block.values()}
    missing = dict.fromkeys(after, 0)
    left, right = reach
    for row in rows:
        for one, other in pairwise(row):
            apart = right[one] + GAPS[one.slim + other.slim] + left[other]
            a, b = block[one], block[other]
            if b not in after[a]:
                missing[b] += 1
            after[a][b] = max(after[a].get(b, 0.0), apart)
    x = dict.fromkeys(after, 0.0)
    ready = [first for first in after if not missing[first]]
    for first in ready:
        for other, apart in after[first].items():
            x[other] = max(x[other], x[first] + apart)
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    for first in reversed(ready):
        if after[first]:
            nearest = min(x[other] - apart for other, apart in after[first].items())
            x[first] = max(x[first], nearest)
    return {item: x[first] for item, first in block.items()}


def _balance(packings: list[Places], reach: Reach) -> Places:
    """The four results side by side with the narrowest; every item in the middle of its places."""
    lows = [min((x - reach.left[i] for i, x in xs.items()), default=0.0) for xs in packings]
    highs = [max((x + reach.right[i] for i, x in xs.items()), default=0.0) for xs in packings]
    best = min(range(len(packings)), key=lambda k: (highs[k] - lows[k], k))
    # Every second one was packed from the right.
    shifts = [
        highs[best] - highs[k] if k % 2 else lows[best] - lows[k] for k in range(len(packings))
    ]
    result = {}
    for item in packings[0]:
        four = sorted(xs[item] + shift for xs, shift in zip(packings, shifts, strict=True))
        result[item] = (four[1] + four[2]) / 2
    return result
