"""Places of the items in each row, by the method of Brandes and Koepf, with tall items.

Items form vertical blocks, each item under the median of its neighbours in the row before, tall
items and the spine first. The blocks are packed from four sides, and every item takes the mean of
its two middle places. A block has one x, so the spine and every tall item are straight. Items reach
`left` and `right` of their anchor, which need not be their middle.

Blocks depend on the order and the wires only, so they are computed once. They are packed again
whenever a group opens or closes, with the items that are visible then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from .items import Blocks, Item
from .order import Links

Rows = Sequence[Sequence[Item]]
Ties = AbstractSet[tuple[Item, Item]]  # pairs of an item and the item straight above it
Reach = Mapping[Item, float]  # item -> distance from its anchor to its edge on one side
Places = dict[Item, float]
Position = int  # place in a row, counted from the left

# Gaps between neighbours of which none, one or both are slim.
GAPS = (28.0, 18.0, 10.0)


def find_blocks(
    items: Sequence[Item], rows: Rows, above: Links[Item], below: Links[Item], spine: Ties
) -> tuple[Blocks, ...]:
    """Return the block of every item in each of four packings; `spine` has pairs (upper, lower).

    The packings go from above to the left and to the right, then from below to the left and right.
    """
    found = []
    for side_rows, towards, ties in (
        (rows, above, {(low, high) for high, low in spine}),
        (rows[::-1], below, spine),
    ):
        found.append(_number_blocks(items, _blocks_of_items(side_rows, towards, ties)))
        if any(len(row) > 1 for row in rows):
            mirrored = [row[::-1] for row in side_rows]
            found.append(_number_blocks(items, _blocks_of_items(mirrored, towards, ties)))
        else:
            found.append(found[-1])
    return tuple(found)


def _number_blocks(items: Sequence[Item], first: Mapping[Item, Item]) -> Blocks:
    number: dict[Item, int] = {}
    return [number.setdefault(first[item], len(number)) for item in items]


def place(
    items: Sequence[Item], rows: Rows, blocks: Sequence[Blocks], left: Reach, right: Reach
) -> Places:
    """Return the x of every visible item's anchor; `left` and `right` have the visible items."""
    shown = [(k, item) for k, item in enumerate(items) if item in left]
    rows = [[item for item in row if item in left] for row in rows]
    mirrored = [row[::-1] for row in rows]
    packings: list[Places] = []
    for k, numbers in enumerate(blocks):
        block = {item: numbers[at] for at, item in shown}
        if k % 2:
            xs = _pack_blocks(mirrored, block, right, left)
            packings.append({item: -x for item, x in xs.items()})
        else:
            packings.append(_pack_blocks(rows, block, left, right))
    return _balance_packings(packings, left, right)


def _blocks_of_items(rows: Rows, towards: Links[Item], ties: Ties) -> dict[Item, Item]:
    """Return the block of every item, named by its first item."""
    block: dict[Item, Item] = {}
    for item in rows[0] if rows else ():
        block[item] = item
    for upper, row in pairwise(rows):
        position = {item: k for k, item in enumerate(upper)}
        under: list[Position | None] = [position.get(item) for item in row]
        if None not in under:  # every item is in the row before too
            continue
        near = [
            [other for other in towards.get(item, ()) if other in position] if at is None else []
            for item, at in zip(row, under, strict=True)
        ]
        tied = [
            [position[other] for other in others if (item, other) in ties]
            for item, others in zip(row, near, strict=True)
        ]
        medians = [_median_positions([position[other] for other in others]) for others in near]
        for wishes in (tied, medians):
            under = _grant_wishes(under, wishes, len(upper))
        for item, at in zip(row, under, strict=True):
            if item not in block:
                block[item] = item if at is None else block[upper[at]]
    return block


def _median_positions(positions: list[Position]) -> list[Position]:
    """Return the middle position, or the middle two."""
    positions.sort()
    return positions[(len(positions) - 1) // 2 : len(positions) // 2 + 1] if positions else []


def _grant_wishes(
    under: list[Position | None], wishes: list[list[Position]], end: Position
) -> list[Position | None]:
    """Return positions with the wishes granted, from left to right, that cross no other."""
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


def _pack_blocks(rows: Rows, block: Mapping[Item, int], left: Reach, right: Reach) -> Places:
    """Pack blocks to the left, then move each as close as possible to its right neighbour."""
    after: dict[int, dict[int, float]] = {number: {} for number in block.values()}
    missing = dict.fromkeys(after, 0)
    for row in rows:
        for one, other in pairwise(row):
            apart = right[one] + GAPS[one.slim + other.slim] + left[other]
            a, b = block[one], block[other]
            if b not in after[a]:
                missing[b] += 1
            after[a][b] = max(after[a].get(b, 0.0), apart)
    x = dict.fromkeys(after, 0.0)
    ready = [number for number in after if not missing[number]]
    for number in ready:
        for following, apart in after[number].items():
            x[following] = max(x[following], x[number] + apart)
            missing[following] -= 1
            if not missing[following]:
                ready.append(following)
    for number in reversed(ready):
        if after[number]:
            nearest = min(x[following] - apart for following, apart in after[number].items())
            x[number] = max(x[number], nearest)
    return {item: x[number] for item, number in block.items()}


def _balance_packings(packings: Sequence[Places], left: Reach, right: Reach) -> Places:
    """Return the mean of each item's middle two places, with packings aligned to the narrowest."""
    lows = [min((x - left[i] for i, x in xs.items()), default=0.0) for xs in packings]
    highs = [max((x + right[i] for i, x in xs.items()), default=0.0) for xs in packings]
    best = min(range(len(packings)), key=lambda k: (highs[k] - lows[k], k))
    # Every second packing goes to the right.
    shifts = [
        highs[best] - highs[k] if k % 2 else lows[best] - lows[k] for k in range(len(packings))
    ]
    result = {}
    for item in packings[0]:
        four = sorted(xs[item] + shift for xs, shift in zip(packings, shifts, strict=True))
        result[item] = (four[1] + four[2]) / 2
    return result
