"""Where the items of each row stand: the method of Brandes and Koepf, with tall items.

Items are put into vertical blocks, each item under the median of its neighbours in the row before,
tall items and the spine first. The blocks are packed from four sides, and every item takes the
mean of its two middle places. A block has one x, so the spine and every tall item come out
straight. Items reach `left` and `right` of their anchor, which need not be their middle.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

Links = Mapping[int, Sequence[int]]
Reach = Mapping[int, float]


def place(
    rows: Sequence[Sequence[int]],
    above: Links,
    below: Links,
    spine: AbstractSet[tuple[int, int]],
    left: Reach,
    right: Reach,
    gap: Callable[[int, int], float],
) -> dict[int, float]:
    """The x of every item's anchor; neighbours in a row keep at least `gap` between them."""
    strong = {(low, high) for high, low in spine}
    runs: list[dict[int, float]] = []
    for upside in (False, True):
        turned = [list(row) for row in (rows[::-1] if upside else rows)]
        towards = below if upside else above
        ties = set(spine) if upside else strong
        for mirrored in (False, True):
            view = [row[::-1] for row in turned] if mirrored else turned
            near, far = (right, left) if mirrored else (left, right)
            blocks = _align(view, towards, ties)
            xs = _pack(view, blocks, near, far, gap)
            runs.append({item: -x for item, x in xs.items()} if mirrored else xs)
    return _balance(runs, left, right)


def _align(
    rows: Sequence[Sequence[int]], towards: Links, ties: AbstractSet[tuple[int, int]]
) -> dict[int, int]:
    """The block of every item, named by its first item."""
    block: dict[int, int] = {}
    for item in rows[0] if rows else ():
        block[item] = item
    for upper, row in itertools.pairwise(rows):
        place = {item: k for k, item in enumerate(upper)}
        fixed: list[int | None] = [place.get(item) for item in row]
        strong = [
            [place[o] for o in towards.get(item, ()) if o in place and (item, o) in ties]
            for item in row
        ]
        fixed = _choose(fixed, strong)
        fixed = _choose(fixed, [_medians(item, towards, place) for item in row])
        for item, at in zip(row, fixed, strict=True):
            if item not in block:
                block[item] = item if at is None else block[upper[at]]
    return block


def _medians(item: int, towards: Links, place: Mapping[int, int]) -> list[int]:
    near = sorted(place[other] for other in towards.get(item, ()) if other in place)
    if not near:
        return []
    return near[(len(near) - 1) // 2 : len(near) // 2 + 1]


def _choose(fixed: list[int | None], wishes: list[list[int]]) -> list[int | None]:
    """Grant wishes from left to right where they cross nothing that is fixed already."""
    limits: list[int] = []
    limit = 1 << 60
    for at in reversed(fixed):
        limits.append(limit)
        limit = limit if at is None else at
    chosen: list[int | None] = []
    last = -1
    for at, wish, high in zip(fixed, wishes, reversed(limits), strict=True):
        if at is None:
            at = next((k for k in wish if last < k < high), None)
        chosen.append(at)
        last = last if at is None else at
    return chosen


def _pack(
    rows: Sequence[Sequence[int]],
    block: Mapping[int, int],
    left: Reach,
    right: Reach,
    gap: Callable[[int, int], float],
) -> dict[int, float]:
    """Blocks as far left as they go, then each as close as it can come to its right neighbour."""
    after: dict[int, dict[int, float]] = {name: {} for name in block.values()}
    missing = dict.fromkeys(after, 0)
    for row in rows:
        for one, other in itertools.pairwise(row):
            apart = right[one] + gap(one, other) + left[other]
            a, b = block[one], block[other]
            if b not in after[a]:
                missing[b] += 1
            after[a][b] = max(after[a].get(b, 0.0), apart)
    x = dict.fromkeys(after, 0.0)
    ready = [name for name in after if not missing[name]]
    for name in ready:
        for other, apart in after[name].items():
            x[other] = max(x[other], x[name] + apart)
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    for name in reversed(ready):
        if after[name]:
            x[name] = max(x[name], min(x[o] - apart for o, apart in after[name].items()))
    return {item: x[name] for item, name in block.items()}


def _balance(runs: list[dict[int, float]], left: Reach, right: Reach) -> dict[int, float]:
    """The four results side by side with the narrowest; every item in the middle of its places."""
    lows = [min((x - left[i] for i, x in run.items()), default=0.0) for run in runs]
    highs = [max((x + right[i] for i, x in run.items()), default=0.0) for run in runs]
    best = min(range(len(runs)), key=lambda k: (highs[k] - lows[k], k))
    shifts = [highs[best] - highs[k] if k % 2 else lows[best] - lows[k] for k in range(len(runs))]
    result = {}
    for item in runs[0]:
        four = sorted(run[item] + shift for run, shift in zip(runs, shifts, strict=True))
        result[item] = (four[1] + four[2]) / 2
    return result
