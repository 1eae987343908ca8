"""On which side of the spine things stand: leaves at their port, wires where they cross least."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol

from .order import Links, crossings


class Placed(Protocol):
    """What is asked of an item of the layout."""

    top: int
    bottom: int
    parent: int
    lean: float
    x: float


def wire_sides(
    items: Sequence[Placed],
    flow: Mapping[int, tuple[int, int]],
    cross: Sequence[tuple[int, int]],
    lane_of: Sequence[int],
    forward: Sequence[bool],
    spine: set[int],
) -> dict[int, float]:
    """On which side of the spine a wire passes rows: where it crosses fewer others.

    On one side it crosses the wires of leaves, on the other those that lead to another lane.
    """
    count = 1 + max((item.bottom for item in items), default=0)
    leaves = [[0] * (count + 1) for _ in forward]
    across = [[0] * (count + 1) for _ in forward]
    for high, low in flow.values():
        if items[high].lean or items[low].lean:
            own = low if items[high].lean else high
            leaves[lane_of[high]][items[own].top + 1] += 1
    for ends in cross:
        for end in ends:
            across[lane_of[end]][items[end].top + 1] += 1
    for row in (*leaves, *across):
        for at in range(1, count + 1):
            row[at] += row[at - 1]
    found = {}
    for k, (high, low) in flow.items():
        lane, top, bottom = lane_of[high], items[high].bottom + 1, items[low].top
        if top < bottom and k not in spine and not items[high].lean + items[low].lean:
            near = across[lane][bottom] - across[lane][top]
            far = leaves[lane][bottom] - leaves[lane][top]
            if near != far:
                inner = 0.2 if forward[lane] else -0.2
                found[k] = inner if near < far else -inner
    return found


def aside(
    items: Sequence[Placed],
    ports: Sequence[int],
    flow: Mapping[int, tuple[int, int]],
    cross: Sequence[tuple[int, int]],
    lane_of: Sequence[int],
    forward: Sequence[bool],
    spined: set[int],
) -> None:
    """Ports that are wired to another lane stand on the side of that lane.

    So of the results of a PyLayer the one that is saved keeps its straight way to backward, and
    in a backward the saved values stand where their wires come in. What a port is wired to inside
    its frame follows it, as far as that is not on the spine.
    """
    leading = {end for ends in cross for end in ends}
    rows: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k in ports:
        rows[items[k].parent, items[k].top].append(k)
    moved = []
    for row in rows.values():
        for k in row:
            if leading.intersection(row) and k not in spined:
                near = 0.25 if forward[lane_of[k]] else -0.25
                items[k].lean = near if k in leading else -near
                moved.append(k)
    near_by: dict[int, list[int]] = defaultdict(list)
    for high, low in flow.values():
        near_by[high].append(low)
        near_by[low].append(high)
    for k in moved:
        for other in near_by[k]:
            follows = other not in spined and not items[other].lean
            if follows and items[other].parent == items[k].parent:
                items[other].lean = items[k].lean
                moved.append(other)


def at_ports(items: Sequence[Placed], doors: Sequence[tuple[int, int, list[int]]]) -> None:
    """Let a leaf stand on that side on which the port that it is wired to lies.

    The members of the frames have their places already. A leaf of several ports takes their mean.
    """
    found: dict[int, list[float]] = defaultdict(list)
    for outer, inner, slims in doors:
        at, x = inner, 0.0
        while items[at].parent != items[outer].parent:
            x += items[at].x
            at = items[at].parent
        for k in (outer, *slims):
            found[k].append(x)
    for k, xs in found.items():
        items[k].lean = max(-0.45, min(0.45, sum(xs) / len(xs) / 1000))


def switched(
    rows: list[list[int]], below: Links, movable: set[int], leading: set[int], leaves: set[int]
) -> list[list[int]]:
    """The rows with neighbours exchanged where that saves crossings.

    What is `leading` to another lane keeps its side, because its way there has to stay free; two
    leaves lead to the same side.
    """
    held = Counter(item for row in rows for item in row)
    for k, row in enumerate(rows):
        if len(row) < 2 or movable.isdisjoint(row):
            continue
        near = rows[max(0, k - 1) : k + 2]
        crossed = crossings(near, below)
        for j in range(len(row) - 1 if crossed else 0):
            one, other = pair = row[j], row[j + 1]
            free = leaves.issuperset(pair) or leading.isdisjoint(pair)
            if not free or movable.isdisjoint(pair) or held[one] > 1 < held[other]:
                continue
            row[j], row[j + 1] = other, one
            found = crossings(near, below)
            if found < crossed:
                crossed = found
            else:
                row[j], row[j + 1] = one, other
    return rows
