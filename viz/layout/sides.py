"""Sides of the spine: leaves go to the side of their port, wires where they cross least."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ..model import group_by_key
from .items import Container, Item, Wire
from .order import Links, Thing, crossings
from .tree import outwards, until

WIRE, PORT = 0.2, 0.25  # lean of wires and of ports towards the side that faces the other lane


class Door(NamedTuple):
    """Entry of a wire into a frame: the box outside, the item inside, the slim items on the way."""

    outer: Item
    inner: Item
    slims: list[Item]


def inwards(lane: Container, lean: float) -> float:
    """Return a lean towards the other lanes."""
    return lean if lane.forward else -lean


def wire_sides(flow: Sequence[Wire], cross: Sequence[Wire]) -> dict[Wire, float]:
    """Return the lean of wires that pass rows: the side of the spine where they cross fewer others.

    On one side a wire crosses the wires of leaves, on the other those to another lane; all wires
    between two groups count as one.
    """
    leaves: dict[Container, Counter[int]] = defaultdict(Counter)  # wires of leaves, by row
    across: dict[Container, Counter[int]] = defaultdict(Counter)
    for wire in flow:
        if wire.upper.lean or wire.lower.lean:
            own = wire.lower if wire.upper.lean else wire.upper
            leaves[own.container][own.top] += 1
    for item, _ in _pairs_across_lanes(cross):
        across[item.container][item.top] += 1
    leans = {}
    for wire in flow:
        if wire.spine or wire.upper.lean + wire.lower.lean:
            continue
        passed = [(here, row) for here, rows in passed_rows(wire) for row in rows]
        inside = sum(across[here][row] for here, row in passed)
        outside = sum(leaves[here][row] for here, row in passed)
        if inside != outside:
            leans[wire] = inwards(wire.upper.container, WIRE if inside < outside else -WIRE)
    return leans


def passed_rows(wire: Wire) -> Iterator[tuple[Container, range]]:
    """Yield each container on a wire's way, with the rows that the wire passes in it."""
    above, below = wire.above, wire.below
    for item in until(wire.upper, above):
        yield item.container, range(item.bottom + 1, item.container.space.count)
    yield above.container, range(above.bottom + 1, below.top)
    for item in reversed(list(until(wire.lower, below))):
        yield item.container, range(item.top)


def _pairs_across_lanes(cross: Iterable[Wire]) -> set[tuple[Item, Item]]:
    """Return pairs of an item and the box or group in another lane that it is wired to."""
    found = set()
    for wire in cross:
        for end, other in ((wire.source, wire.target), (wire.target, wire.source)):
            there = {item.container.space: item for item in outwards(other)}
            found |= {(item, there.get(item.container.space, other)) for item in outwards(end)}
    return found


def lean_ports(
    ports: Iterable[Item], flow: Iterable[Wire], cross: Iterable[Wire], spined: AbstractSet[Item]
) -> None:
    """Make ports that are wired to another lane lean towards that lane.

    Thus a saved result of a PyLayer has a straight wire to backward, and the saved values of a
    backward are where their wires enter. Items that a port is wired to inside its frame lean alike,
    unless they are on the spine.
    """
    leading = {end for wire in cross for end in (wire.source, wire.target)}
    moved = []
    for row in group_by_key(((port.container, port.top), port) for port in ports).values():
        for port in row:
            if leading.intersection(row) and port not in spined:
                port.lean = inwards(port.container, PORT if port in leading else -PORT)
                moved.append(port)
    neighbours: dict[Item, list[Item]] = defaultdict(list)
    for wire in flow:
        neighbours[wire.upper].append(wire.lower)
        neighbours[wire.lower].append(wire.upper)
    for item in moved:
        for other in neighbours[item]:
            if other not in spined and not other.lean and other.container is item.container:
                other.lean = item.lean
                moved.append(other)


def lean_leaves(doors: Iterable[Door]) -> None:
    """Make leaves lean to the side of the port that they are wired to; several ports are averaged.

    The members of the frames have their places already.
    """
    ports: dict[Item, list[float]] = defaultdict(list)
    for outer, inner, slims in doors:
        x = 0.0
        for item in outwards(inner):
            if item.container is outer.container:
                break
            x += item.x
        for item in (outer, *slims):
            ports[item].append(x)
    for item, xs in ports.items():
        item.lean = max(-0.45, min(0.45, sum(xs) / len(xs) / 1000))


def exchange_neighbours(
    rows: list[list[Thing]],
    below: Links[Thing],
    movable: set[Thing],
    leading: set[Thing],
    leaves: set[Thing],
) -> list[list[Thing]]:
    """Return the rows with neighbours exchanged where that saves crossings.

    Items `leading` to another lane keep their place, so that their way there stays free; two
    leaves may be exchanged nevertheless.
    """
    held = Counter(item for row in rows for item in row)
    for k, row in enumerate(rows):
        if len(row) < 2 or movable.isdisjoint(row):
            continue
        near = rows[max(0, k - 1) : k + 2]
        fewest = crossings(near, below)
        for j in range(len(row) - 1 if fewest else 0):
            one, other = pair = row[j], row[j + 1]
            free = leaves.issuperset(pair) or leading.isdisjoint(pair)
            if not free or movable.isdisjoint(pair) or held[one] > 1 < held[other]:
                continue
            row[j], row[j + 1] = other, one
            crossed = crossings(near, below)
            if crossed < fewest:
                fewest = crossed
            else:
                row[j], row[j + 1] = one, other
    return rows
