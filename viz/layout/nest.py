"""Boxes inside boxes: every opened group is laid out on its own and then stands as one tall item.

A container is a lane or a frame. A wire is cut into links between neighbouring items of one
container; where it passes rows on its way it gets one slim item as tall as all of them, whatever
their number. So foreign boxes never overlap a frame, and wires never run through boxes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .. import theme
from ..model import GIVEN, Edge, Node
from .fold import View
from .order import order
from .place import place
from .ranks import Rows
from .sides import aside, at_ports, switched, wire_sides

TALLEST = 24  # rows that a wire may pass inside its lane; a longer one takes the margin
MANY = 250  # items of one container; of more, only leaves change sides
PAD, HEAD, FOOT = 16.0, 32.0, 14.0  # between a frame and its members: sides, top, bottom
_LANES = {"forward": 0, "backward": 1, "optimize": 2}

# Mirrored: forward leaves stand to the left of the spine and leaf gradients to the right of it,
# which leaves the side where the lanes face each other to the saved wires.
_LEAN = dict.fromkeys(GIVEN, -0.3) | dict.fromkeys(
    ("leaf_grad", "accumulate", "unbroadcast", "hook"), 0.3
)

LaneKey = tuple[str, int]


@dataclass(slots=True)
class Item:
    """A box, a frame or the tall part of a wire, inside the container `parent`."""

    top: int
    bottom: int
    parent: int
    key: tuple[int, int]
    left: float = 0.0
    right: float = 0.0
    wire: bool = False
    lean: float = 0.0
    x: float = 0.0  # of the anchor, at first relative to the container


@dataclass(slots=True)
class Nest:
    """Items with their x (lanes all start at 0), and how each wire goes.

    `flow` maps an edge's number to the slim items that it passes from top to bottom; edges that
    cannot go down their lane are `far`; those with both ends in one row `beside`; those between
    lanes `cross`.
    """

    lanes: list[LaneKey]
    lane_of: list[int]
    items: list[Item]
    frame_item: dict[str, int]
    spine: set[int]
    upper_lower: dict[int, tuple[int, int]] = field(default_factory=dict)
    flow: dict[int, list[int]] = field(default_factory=dict)
    far: list[int] = field(default_factory=list)
    beside: list[int] = field(default_factory=list)
    cross: list[int] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)


def lane_key(node: Node) -> LaneKey:
    """The lane in which a node stands; every backward pass has its own."""
    return (node.lane, node.column)


def nest(view: View, rows: Rows, looks: Mapping[str, theme.Look]) -> Nest:
    """Place everything from left to right, the innermost frames first."""
    number = {node.id: k for k, node in enumerate(view.nodes)}
    lanes = sorted({lane_key(n) for n in view.nodes}, key=lambda k: (_LANES.get(k[0], 3), k))
    lane_at = {key: k for k, key in enumerate(lanes)}
    lane_of = [lane_at[lane_key(node)] for node in view.nodes]
    ends = [(number[edge.source], number[edge.target]) for edge in view.edges]
    items, frame_item = _items(view, rows, looks, lane_of)
    result = Nest(lanes, lane_of, items, frame_item, set())
    flow = result.upper_lower = _sort_wires(view.edges, ends, result)
    result.spine = spine(view.nodes, flow, lane_of, items)
    for k in result.spine:
        for end in flow[k]:
            items[end].lean = 0.0
    links: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    forward = [direction == "forward" for direction, _ in lanes]
    crossing = [ends[k] for k in result.cross]
    spined = {end for k in result.spine for end in flow[k]}
    leans = wire_sides(items, flow, crossing, lane_of, forward, result.spine)
    ports = [k for k, node in enumerate(view.nodes) if node.kind == "port"]
    aside(items, ports, flow, crossing, lane_of, forward, spined)
    for k, (high, low) in flow.items():
        _thread(result, k, high, low, links, leans.get(k, 0.0))
    _arrange(view, result, links, ends)
    return result


def _items(
    view: View, rows: Rows, looks: Mapping[str, theme.Look], lane_of: list[int]
) -> tuple[list[Item], dict[str, int]]:
    frame_item = {group.id: len(view.nodes) + k for k, group in enumerate(view.frames)}
    items: list[Item] = []
    lane_in: dict[str, int] = {}
    first: dict[str, int] = {}
    outer = {group.id: group.parent for group in view.frames}
    for k, node in enumerate(view.nodes):
        half = looks[node.id].w / 2
        row = rows.of[node.id]
        parent = frame_item.get(node.group or "", -1 - lane_of[k])
        lean = _LEAN.get(node.kind, 0.0)
        items.append(Item(row, row, parent, (k, 0), half, half, lean=lean))
        at = node.group
        while at in frame_item and at not in lane_in:
            lane_in[at], first[at] = lane_of[k], k
            at = outer[at]
    for group in view.frames:
        top, bottom = rows.spans[group.id]
        parent = frame_item.get(group.parent or "", -1 - lane_in.get(group.id, 0))
        items.append(Item(top, bottom, parent, (first.get(group.id, 0), 0)))
    return items, frame_item


def _sort_wires(
    edges: tuple[Edge, ...], ends: list[tuple[int, int]], result: Nest
) -> dict[int, tuple[int, int]]:
    """Which wires can go down their lane, as (upper, lower); the others are put on their lists."""
    flow = {}
    items = result.items
    for k, (source, target) in enumerate(ends):
        if result.lane_of[source] != result.lane_of[target] or edges[k].kind == "saved":
            result.cross.append(k)
            continue
        high, low = sorted((source, target), key=lambda i: (items[i].top, i))
        if items[high].top == items[low].top:
            result.beside.append(k)
            continue
        above, below = _meet(items, high, low)
        reach = items[below].top - items[above].bottom
        if not 1 <= reach <= TALLEST:
            result.far.append(k)
        else:
            flow[k] = (high, low)
    return flow


def _meet(items: list[Item], high: int, low: int) -> tuple[int, int]:
    """The items around two nodes that stand in the innermost container of both."""
    chain = {}
    at = high
    while at >= 0:
        chain[items[at].parent] = at
        at = items[at].parent
    at = low
    while items[at].parent not in chain:
        at = items[at].parent
    return chain[items[at].parent], at


def spine(
    nodes: tuple[Node, ...],
    flow: Mapping[int, tuple[int, int]],
    lane_of: list[int],
    items: list[Item],
) -> set[int]:
    """The wires of the longest path of each lane; gradients follow the forward spine."""
    below: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for k, (high, low) in flow.items():
        below[high].append((low, k))
    found: set[int] = set()
    on_spine: set[str] = set()
    for lane in sorted(set(lane_of)):
        score: dict[int, float] = {}
        came: dict[int, tuple[int, int]] = {}
        members = [k for k in range(len(nodes)) if lane_of[k] == lane]
        for k in sorted(members, key=lambda k: (items[k].top, k)):
            own = 3.0 if nodes[k].pair in on_spine else 1.0
            own -= 0.5 if nodes[k].kind in ("parameter", "port") else 0.0
            score[k] = score.get(k, 0.0) + own
            for low, wire in below[k]:
                best = score.get(low, 0.0)
                # Of equal leaves the last is on the spine, so arguments read from left to right.
                if score[k] > best or (score[k] == best and nodes[k].kind in GIVEN):
                    score[low], came[low] = score[k], (k, wire)
        if not members:
            continue
        at = max(members, key=lambda k: (score[k], items[k].top, -k))
        on_spine.add(nodes[at].id)
        while at in came:
            at, wire = came[at]
            found.add(wire)
            on_spine.add(nodes[at].id)
    return found


def _thread(
    result: Nest,
    k: int,
    high: int,
    low: int,
    links: dict[int, list[tuple[int, int, bool]]],
    side: float,
) -> None:
    """Cut a wire at the frames that it crosses, with a slim item wherever it passes rows."""
    items, strong = result.items, k in result.spine
    above, below = _meet(items, high, low)
    lean = items[high].lean or items[low].lean or side
    passed: list[int] = []

    def slim(top: int, bottom: int, parent: int, near: int) -> int | None:
        if bottom < top:
            return None
        key = (items[near].key[0], k + 1)
        items.append(Item(top, bottom, parent, key, 4, 4, wire=True, lean=lean))
        return len(items) - 1

    def link(container: int, one: int | None, other: int | None) -> None:
        if one is not None and other is not None:
            links[container].append((one, other, strong))

    at = high
    while at != above:
        inside = items[at].parent
        piece = slim(items[at].bottom + 1, items[inside].bottom, inside, at)
        link(inside, at, piece)
        passed += [] if piece is None else [piece]
        at = inside
    container = items[above].parent
    piece = slim(items[above].bottom + 1, items[below].top - 1, container, above)
    link(container, above, below if piece is None else piece)
    link(container, piece, below)
    passed += [] if piece is None else [piece]
    tail: list[int] = []
    at = low
    while at != below:
        inside = items[at].parent
        piece = slim(items[inside].top, items[at].top - 1, inside, at)
        link(inside, piece, at)
        tail += [] if piece is None else [piece]
        at = inside
    result.flow[k] = passed + tail[::-1]


def _arrange(
    view: View,
    result: Nest,
    links: Mapping[int, list[tuple[int, int, bool]]],
    ends: list[tuple[int, int]],
) -> None:
    """Lay out the containers from the inside out, then add the places of the outer ones."""
    items = result.items
    members: dict[int, list[int]] = defaultdict(list)
    for k, item in enumerate(items):
        members[item.parent].append(k)
    nesting = _by_depth(items, list(result.frame_item.values()))
    groups = {result.frame_item[group.id]: group for group in view.frames}
    spined = _with_outer(items, (end for k in result.spine for end in result.upper_lower[k]))
    leading = {end for k in result.cross for end in ends[k]}
    doors = _doors(result, spined)
    for frame in nesting:
        at_ports(items, doors[frame])
        low, high = _solve(items, members[frame], links.get(frame, ()), leading)
        anchors = [a for one, other, strong in links.get(frame, ()) if strong for a in (one, other)]
        anchors += [k for k in members[frame] if k in spined]
        anchor = items[anchors[0]].x if anchors else (low + high) / 2
        for k in members[frame]:
            items[k].x -= anchor
        items[frame].left, items[frame].right = anchor - low + PAD, high - anchor + PAD
        # The wire at the anchor passes between the frame's badges and its name, which stands where
        # the lanes face each other: wires of leaves come and go on the other side.
        name, marks = theme.frame_head(groups[frame].label, groups[frame].badges)
        if groups[frame].lane == "forward":
            name, marks = marks, name
        items[frame].left = max(items[frame].left, name)
        items[frame].right = max(items[frame].right, marks)
    for lane, (direction, _) in enumerate(result.lanes):
        if direction == "optimize":
            for source, target in (ends[k] for k in result.cross):
                if result.lane_of[target] == lane:  # nearest first: their wires nest, not cross
                    items[target].lean = -items[source].x / 1e6
        at_ports(items, doors[-1 - lane])
        low, high = _solve(items, members[-1 - lane], links.get(-1 - lane, ()), leading)
        for k in members[-1 - lane]:
            items[k].x -= low
        result.widths.append(high - low)
    for frame in reversed(nesting):
        for k in members[frame]:
            items[k].x += items[frame].x


def _with_outer(items: list[Item], found: Iterable[int]) -> set[int]:
    """These items and all that they stand in."""
    known: set[int] = set()
    for at in found:
        while at >= 0 and at not in known:
            known.add(at)
            at = items[at].parent
    return known


def _by_depth(items: list[Item], frames: list[int]) -> list[int]:
    depth = {}
    for frame in frames:
        at, deep = frame, 0
        while items[at].parent >= 0:
            at, deep = items[at].parent, deep + 1
        depth[frame] = deep
    return sorted(frames, key=lambda k: (-depth[k], k))


def _doors(result: Nest, spined: set[int]) -> dict[int, list[tuple[int, int, list[int]]]]:
    """By container: what stands outside a frame, where its wire comes in, and the slim items.

    What is on the spine has its place.
    """
    found: dict[int, list[tuple[int, int, list[int]]]] = defaultdict(list)
    for k, (high, low) in result.upper_lower.items():
        above, below = _meet(result.items, high, low)
        if (above == high) != (below == low):
            outer, inner = (high, low) if above == high else (low, high)
            if outer not in spined:
                container = result.items[outer].parent
                slims = [j for j in result.flow[k] if result.items[j].parent == container]
                inside = [j for j in result.flow[k] if j not in slims] or [inner]
                found[container].append((outer, inside[0 if outer == high else -1], slims))
    return found


def _solve(
    items: list[Item],
    members: list[int],
    links: Sequence[tuple[int, int, bool]],
    leading: set[int],
) -> tuple[float, float]:
    """Order and place the items of one container; says how far they reach to left and right."""
    if not members:
        return 0.0, 0.0
    top = min(items[k].top for k in members)
    rows: list[list[int]] = [[] for _ in range(top, 1 + max(items[k].bottom for k in members))]
    for k in sorted(members, key=lambda k: (items[k].lean, items[k].key, k)):
        for row in range(items[k].top, items[k].bottom + 1):
            rows[row - top].append(k)
    above: dict[int, list[int]] = defaultdict(list)
    below: dict[int, list[int]] = defaultdict(list)
    for high, low, _ in links:
        above[low].append(high)
        below[high].append(low)
    left = {k: items[k].left for k in members}
    right = {k: items[k].right for k in members}
    strong = {(high, low) for high, low, is_strong in links if is_strong}

    def gap(one: int, other: int) -> float:
        slim = items[one].wire + items[other].wire
        return (28.0, 18.0, 10.0)[slim]

    rows = _ordered(rows, above, below, strong, {k: items[k].lean for k in members})
    leaves = {k for k in members if items[k].lean and not items[k].wire}
    rows = switched(rows, below, set(members) if len(members) <= MANY else leaves, leading, leaves)
    xs = place(rows, above, below, strong, left, right, gap)
    for k, x in xs.items():
        items[k].x = x
    reach = min(items[k].x - items[k].left for k in members)
    return reach, max(items[k].x + items[k].right for k in members)


def _ordered(
    rows: list[list[int]],
    above: Mapping[int, list[int]],
    below: Mapping[int, list[int]],
    strong: set[tuple[int, int]],
    lean: dict[int, float],
) -> list[list[int]]:
    """Order the rows with the spine as one tall item, so that nothing tall cuts through it."""
    on_spine = {item for pair in strong for item in pair}
    one = min(on_spine, default=-1)
    name = dict.fromkeys(on_spine, one)

    def fused(links: Mapping[int, list[int]]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for item, others in links.items():
            found[name.get(item, item)] += [
                name.get(o, o) for o in others if not (item in name and o in name)
            ]
        return found

    back = [{name.get(item, item): item for item in row} for row in rows]
    slim = [[name.get(item, item) for item in row] for row in rows]
    lean[one] = 0.0
    done = order(slim, fused(above), fused(below), lean)
    return [[names[item] for item in row] for names, row in zip(back, done, strict=True)]
