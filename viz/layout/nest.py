"""Boxes inside boxes: every opened group is laid out on its own and then stands as one tall item.

A wire is cut into links between neighbouring items of one container; where it passes rows on its
way it gets one slim item as tall as all of them, whatever their number. So foreign boxes never
overlap a frame, and wires never run through boxes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from .. import theme
from ..model import GIVEN, Group, Node
from .fold import View
from .items import (
    Container,
    Item,
    LaneKey,
    Link,
    Strip,
    Wire,
    frames_between,
    lane_key,
    meeting,
    outwards,
)
from .order import Links, order
from .place import place
from .ranks import Rows
from .sides import Door, exchange_neighbours, lean_leaves, lean_ports, wire_sides

TALLEST = 24  # rows that a wire may pass inside its lane; a longer one takes the margin
MANY = 250  # items of one container; of more, only leaves change sides
PAD, HEAD, FOOT = 16.0, 32.0, 14.0  # between a frame and its members: sides, top, bottom
HALF_A_WIRE = 4.0
_LANES = {"forward": 0, "backward": 1, "optimize": 2}

# Mirrored: forward leaves stand to the left of the spine and leaf gradients to the right of it,
# which leaves the side where the lanes face each other to the saved wires.
_LEAN = dict.fromkeys(GIVEN, -0.3) | dict.fromkeys(
    ("leaf_grad", "accumulate", "unbroadcast", "hook"), 0.3
)


@dataclass(slots=True)
class Nest:
    """Everything with its x, and how each wire goes.

    `boxes` and `wires` are in the order of the view. Of the wires, `flow` go down their lane; `far`
    cannot do so; `beside` have both ends in one row; `cross` lead from lane to lane.
    """

    strips: list[Strip]
    boxes: list[Item]
    frames: dict[str, Item]
    wires: list[Wire]
    flow: list[Wire] = field(default_factory=list)
    far: list[Wire] = field(default_factory=list)
    beside: list[Wire] = field(default_factory=list)
    cross: list[Wire] = field(default_factory=list)

    def items(self) -> list[Item]:
        """Everything that has a place from left to right."""
        slims = (slim for wire in self.flow for slim in wire.slims)
        return [*self.boxes, *self.frames.values(), *slims]


LinksIn = Mapping[Container, Sequence[Link]]


def nest(view: View, rows: Rows, looks: Mapping[str, theme.Look]) -> Nest:
    """Place everything from left to right, the innermost frames first."""
    result = _items(view, rows, looks)
    _sort_wires(result)
    _mark_spine(view.nodes, result)
    spined = set()
    for wire in result.wires:
        if wire.spine:
            wire.upper.lean = wire.lower.lean = 0.0
            spined |= {wire.upper, wire.lower}
    leans = wire_sides(result.items(), result.strips, result.flow, result.cross)
    ports = [box for box, node in zip(result.boxes, view.nodes, strict=True) if node.kind == "port"]
    lean_ports(ports, result.flow, result.cross, spined)
    links: dict[Container, list[Link]] = defaultdict(list)
    for wire in result.flow:
        _thread(wire, leans.get(wire, 0.0), links)
    _place(view, result, links)
    return result


# ----- what there is -----------------------------------------------------------------------------


def _items(view: View, rows: Rows, looks: Mapping[str, theme.Look]) -> Nest:
    """A strip for every lane, an item for every frame and every node, and the wires between."""
    keys = [lane_key(node) for node in view.nodes]
    ordered = sorted(set(keys), key=lambda key: (_LANES.get(key.direction, 3), key))
    strips = {key: Strip(key, number) for number, key in enumerate(ordered)}
    frames = _frames(view, rows, strips)
    boxes: dict[str, Item] = {}
    for number, (node, key) in enumerate(zip(view.nodes, keys, strict=True)):
        row, half, strip = rows.of[node.id], looks[node.id].w / 2, strips[key]
        container: Container = frames.get(node.group or "", strip)
        boxes[node.id] = Item(
            row, row, container, strip, number, -1, half, half, _LEAN.get(node.kind, 0.0)
        )
    wires = []
    for number, edge in enumerate(view.edges):
        source, target = boxes[edge.source], boxes[edge.target]
        upper, lower = (target, source) if target.top < source.top else (source, target)
        wires.append(Wire(edge, number, source, target, upper, lower, upper, lower))
    return Nest(list(strips.values()), list(boxes.values()), frames, wires)


def _frames(view: View, rows: Rows, strips: Mapping[LaneKey, Strip]) -> dict[str, Item]:
    """The items of the frames, each in the lane of what is in it."""
    outer = {group.id: group.parent for group in view.frames}
    first: dict[str, int] = {}  # the first node in a frame, or in one inside it
    for number, node in enumerate(view.nodes):
        at = node.group
        while at in outer and at not in first:
            first[at] = number
            at = outer[at]
    frames: dict[str, Item] = {}
    for group in view.frames:
        top, bottom = rows.spans[group.id]
        strip = strips[lane_key(view.nodes[first[group.id]])]
        frames[group.id] = Item(top, bottom, strip, strip, first[group.id])
    for name, frame in frames.items():
        frame.container = frames.get(outer[name] or "", frame.strip)
    return frames


def _sort_wires(result: Nest) -> None:
    """Put every wire on the list of those that go as it does."""
    for wire in result.wires:
        if wire.source.strip is not wire.target.strip or wire.edge.kind == "saved":
            result.cross.append(wire)
        elif wire.upper.top == wire.lower.top:
            result.beside.append(wire)
        else:
            wire.above, wire.below = meeting(wire.upper, wire.lower)
            fits = 1 <= wire.below.top - wire.above.bottom <= TALLEST
            (result.flow if fits else result.far).append(wire)


def _mark_spine(nodes: Sequence[Node], result: Nest) -> None:
    """Mark the wires of the longest path of each lane; gradients follow the forward spine."""
    downward: dict[Item, list[Wire]] = defaultdict(list)
    for wire in result.flow:
        downward[wire.upper].append(wire)
    node_of = dict(zip(result.boxes, nodes, strict=True))
    members: dict[Strip, list[Item]] = {strip: [] for strip in result.strips}
    for box in result.boxes:
        members[box.strip].append(box)
    on_spine: set[str] = set()
    for boxes in members.values():
        score: dict[Item, float] = {}
        best: dict[Item, Wire] = {}  # the wire by which the longest path comes
        for box in sorted(boxes, key=lambda box: box.top):
            node = node_of[box]
            own = 3.0 if node.pair in on_spine else 1.0
            own -= 0.5 if node.kind in ("parameter", "port") else 0.0
            score[box] = score.get(box, 0.0) + own
            for wire in downward[box]:
                so_far = score.get(wire.lower, 0.0)
                # Of equal leaves the last is on the spine, so arguments read from left to right.
                if score[box] > so_far or (score[box] == so_far and node.kind in GIVEN):
                    score[wire.lower], best[wire.lower] = score[box], wire
        at = max(boxes, key=lambda box: (score[box], box.top))
        on_spine.add(node_of[at].id)
        while at in best:
            best[at].spine = True
            at = best[at].upper
            on_spine.add(node_of[at].id)


def _thread(wire: Wire, side: float, links: dict[Container, list[Link]]) -> None:
    """Cut a wire at the frames that it crosses, with a slim item wherever it passes rows."""
    lean = wire.upper.lean or wire.lower.lean or side
    above, below = wire.above, wire.below

    def passing(near: Item, top: int, bottom: int, upper: list[Item], lower: list[Item]) -> None:
        """Go through these rows of the container of `near`, from the upper to the lower item."""
        slims = []
        if top <= bottom:
            of, half = (near.container, near.strip, near.first, wire.number), HALF_A_WIRE
            slims.append(Item(top, bottom, *of, half, half, lean, slim=True))
        wire.slims += slims
        pieces = pairwise([*upper, *slims, *lower])
        links[near.container] += [Link(*ends, wire.spine) for ends in pieces]

    for item, frame in frames_between(wire.upper, above):
        passing(item, item.bottom + 1, frame.bottom, [item], [])
    passing(above, above.bottom + 1, below.top - 1, [above], [below])
    for item, frame in reversed(list(frames_between(wire.lower, below))):
        passing(item, frame.top, item.top - 1, [], [item])


# ----- where it stands ---------------------------------------------------------------------------


def _place(view: View, result: Nest, links: LinksIn) -> None:
    """Lay out the containers from the inside out, then add the places of the outer ones."""
    members: dict[Container, list[Item]] = defaultdict(list)
    for item in result.items():
        members[item.container].append(item)
    spine_ends = (end for wire in result.wires if wire.spine for end in (wire.upper, wire.lower))
    spined = {item for end in spine_ends for item in outwards(end)}
    leading = {end for wire in result.cross for end in (wire.source, wire.target)}
    doors = _doors(result.flow, spined)
    groups = {result.frames[group.id]: group for group in view.frames}
    frames = sorted(groups, key=lambda frame: -sum(1 for _ in outwards(frame)))  # innermost first
    for frame in frames:
        lean_leaves(doors[frame])
        extent = _solve(members[frame], links.get(frame, ()), leading)
        _fit(frame, groups[frame], members[frame], links.get(frame, ()), spined, extent)
    for strip in result.strips:
        if strip.key.direction == "optimize":
            for wire in result.cross:
                if wire.target.strip is strip:  # nearest first: their wires nest, not cross
                    wire.target.lean = -wire.source.x / 1e6
        lean_leaves(doors[strip])
        left, right = _solve(members[strip], links.get(strip, ()), leading)
        for item in members[strip]:
            item.x -= left
        strip.width = right - left
    for frame in reversed(frames):
        for item in members[frame]:
            item.x += frame.x


def _fit(
    frame: Item,
    group: Group,
    members: Sequence[Item],
    links: Sequence[Link],
    spined: AbstractSet[Item],
    extent: Extent,
) -> None:
    """Put a frame around its members; its anchor is where the spine goes through it."""
    on_spine = [end for link in links if link.strong for end in (link.upper, link.lower)]
    on_spine += [item for item in members if item in spined]
    anchor = on_spine[0].x if on_spine else (extent.left + extent.right) / 2
    for item in members:
        item.x -= anchor
    # The wire at the anchor passes between the frame's badges and its name, which stands where
    # the lanes face each other: wires of leaves come and go on the other side.
    left, right = theme.frame_head(group.label, group.badges)
    if group.lane == "forward":
        left, right = right, left
    frame.left = max(anchor - extent.left + PAD, left)
    frame.right = max(extent.right - anchor + PAD, right)


def _doors(flow: Iterable[Wire], spined: AbstractSet[Item]) -> dict[Container, list[Door]]:
    """By container the wires that lead from an item of it into a frame of it.

    What is on the spine has its place.
    """
    doors: dict[Container, list[Door]] = defaultdict(list)
    for wire in flow:
        down = wire.above is wire.upper  # the frame is below
        if down == (wire.below is wire.lower):
            continue
        outer, inner = (wire.upper, wire.lower) if down else (wire.lower, wire.upper)
        if outer not in spined:
            beside = [slim for slim in wire.slims if slim.container is outer.container]
            inside = [slim for slim in wire.slims if slim not in beside] or [inner]
            doors[outer.container].append(Door(outer, inside[0 if down else -1], beside))
    return doors


class Extent(NamedTuple):
    """How far the items of a container reach."""

    left: float
    right: float


def _solve(members: list[Item], links: Sequence[Link], leading: set[Item]) -> Extent:
    """Order and place the items of one container."""
    if not members:
        return Extent(0.0, 0.0)
    top = min(item.top for item in members)
    rows: list[list[Item]] = [[] for _ in range(top, 1 + max(item.bottom for item in members))]
    for item in sorted(members, key=lambda item: (item.lean, item.first, item.wire)):
        for row in range(item.top, item.bottom + 1):
            rows[row - top].append(item)
    above: dict[Item, list[Item]] = defaultdict(list)
    below: dict[Item, list[Item]] = defaultdict(list)
    for link in links:
        above[link.lower].append(link.upper)
        below[link.upper].append(link.lower)
    strong = {(link.upper, link.lower) for link in links if link.strong}
    rows = _order_rows(rows, above, below, strong, {item: item.lean for item in members})
    leaves = {item for item in members if item.lean and not item.slim}
    rows = exchange_neighbours(
        rows, below, set(members) if len(members) <= MANY else leaves, leading, leaves
    )
    for item, x in place(rows, above, below, strong).items():
        item.x = x
    return Extent(
        min(item.x - item.left for item in members), max(item.x + item.right for item in members)
    )


def _order_rows(
    rows: list[list[Item]],
    above: Links[Item],
    below: Links[Item],
    strong: AbstractSet[tuple[Item, Item]],
    lean: dict[Item, float],
) -> list[list[Item]]:
    """Order the rows with the spine as one tall item, so that nothing tall cuts through it."""
    if not strong:
        return order(rows, above, below, lean)
    on_spine = {item for pair in strong for item in pair}
    whole = next(item for row in rows for item in row if item in on_spine)
    lean[whole] = 0.0

    def fuse(links: Links[Item]) -> Links[Item]:
        """The same links with `whole` in the place of all that is on the spine."""
        joined: dict[Item, list[Item]] = defaultdict(list)
        for item, others in links.items():
            if item in on_spine:
                joined[whole] += [other for other in others if other not in on_spine]
            else:
                joined[item] += [whole if other in on_spine else other for other in others]
        return joined

    standing = [next((item for item in row if item in on_spine), whole) for row in rows]
    tall = [[whole if item in on_spine else item for item in row] for row in rows]
    done = order(tall, fuse(above), fuse(below), lean)
    return [
        [item if item is not whole else own for item in row]
        for own, row in zip(standing, done, strict=True)
    ]
