"""From left to right: the order of what is in each container, which no opening changes.

Everything is laid out with all groups open, the innermost first, each of them then an item of the
container around it. A wire is cut into links between neighbouring items of one container; where it
passes rows on its way it gets one slim item as tall as all of them, whatever their number. So
foreign boxes never overlap a frame, and wires never run through boxes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from ..model import GIVEN
from .items import Blocks, Container, Item, Wire
from .leaves import reach
from .order import Links, order
from .place import find_blocks, place
from .sides import Door, exchange_neighbours, lean_leaves, lean_ports, wire_sides
from .tree import Tree, meeting, outwards, until

TALLEST = 24  # rows that a wire may pass inside its lane; a longer one takes the margin
MANY = 250  # items of one container; of more, only leaves change sides
PAD = 16.0  # between a frame and its members, at the sides
HALF_A_WIRE = 4.0

# Mirrored: forward leaves stand to the left of the spine and leaf gradients to the right of it,
# which leaves the side where the lanes face each other to the saved wires.
_LEAN = dict.fromkeys(GIVEN, -0.3) | dict.fromkeys(
    ("leaf_grad", "accumulate", "unbroadcast", "hook"), 0.3
)


class Link(NamedTuple):
    """A piece of a wire between neighbours in one container; `strong`: it belongs to the spine."""

    upper: Item
    lower: Item
    strong: bool


LinksIn = Mapping[Container, Sequence[Link]]


def nest(tree: Tree) -> None:
    """Find the way of every wire, and order the items of every container."""
    for item in tree.items:
        if item.group is None and item.node is not None:
            item.lean = _LEAN.get(item.node.kind, 0.0)
    ways = _ways(tree)
    heights = _heights(tree)
    _mark_spine(tree, ways.flow, heights)
    spined = set()
    for wire in ways.flow:
        if wire.spine:
            wire.upper.lean = wire.lower.lean = 0.0
            spined |= {wire.upper, wire.lower}
    leans = wire_sides(ways.flow, ways.cross)
    ports = [item for item in tree.items if item.node is not None and item.node.kind == "port"]
    lean_ports(ports, ways.flow, ways.cross, spined)
    links: dict[Container, list[Link]] = defaultdict(list)
    for wire in ways.flow:
        _thread(wire, leans.get(wire, 0.0), links)
    _place(tree, ways, links)


# ----- wires -------------------------------------------------------------------------------------


class Ways(NamedTuple):
    """The wires that go down their lane, and those that lead from lane to lane."""

    flow: list[Wire]
    cross: list[Wire]


def _ways(tree: Tree) -> Ways:
    """Say of every wire how it goes.

    `flow` goes down its lane; `far` cannot do so; `beside` has both ends in one row; `cross` leads
    from lane to lane.
    """
    result = Ways([], [])
    for wire in tree.drawable():
        ends = reach(wire)
        if ends is None:
            continue
        source, target = ends
        wire.upper, wire.lower = source, target
        if source.container.key != target.container.key or wire.edge.kind == "saved":
            wire.way = "cross"
            result.cross.append(wire)
            continue
        wire.above, wire.below = meeting(source, target)
        if wire.below.top < wire.above.top:
            wire.upper, wire.lower = target, source
            wire.above, wire.below = wire.below, wire.above
            wire.down = False
        if wire.above.top == wire.below.top:
            wire.way = "beside"
        elif wire.below.top - wire.above.top <= TALLEST:
            wire.way = "flow"
            result.flow.append(wire)
        else:
            wire.way = "far"
    return result


def _heights(tree: Tree) -> dict[Item, int]:
    """Number the rows with everything open, one below the other; return each item's number."""
    place = {
        item: tuple(each.top for each in reversed(list(outwards(item)))) for item in tree.items
    }
    dense = {at: k for k, at in enumerate(sorted(set(place.values())))}
    return {item: dense[at] for item, at in place.items()}


def _mark_spine(tree: Tree, flow: Sequence[Wire], heights: Mapping[Item, int]) -> None:
    """Mark the wires of the longest path of each lane; gradients follow the forward spine."""
    downward: dict[Item, list[Wire]] = defaultdict(list)
    for wire in flow:
        if wire.lower.inside is None and wire.upper.inside is None:
            downward[wire.upper].append(wire)
    members: dict[Container, list[Item]] = defaultdict(list)
    for item in tree.items:
        if item.inside is None:
            members[tree.lanes[item.container.key]].append(item)
    on_spine: set[Item | None] = set()
    for strip in tree.containers:
        boxes = members[strip]
        if not boxes:
            continue
        score: dict[Item, float] = {}
        best: dict[Item, Wire] = {}  # the wire by which the longest path comes
        for box in sorted(boxes, key=heights.__getitem__):
            own = 3.0 if box.pair is not None and box.pair in on_spine else 1.0
            own -= 0.5 if box.box.kind in ("parameter", "port") else 0.0
            score[box] = score.get(box, 0.0) + own
            for wire in downward[box]:
                so_far = score.get(wire.lower, 0.0)
                # Of equal leaves the last is on the spine, so arguments read from left to right.
                if score[box] > so_far or (score[box] == so_far and box.box.kind in GIVEN):
                    score[wire.lower], best[wire.lower] = score[box], wire
        at = max(boxes, key=lambda box: (score[box], heights[box]))
        on_spine.add(at)
        while at in best:
            best[at].spine = True
            at = best[at].upper
            on_spine.add(at)


def _thread(wire: Wire, side: float, links: dict[Container, list[Link]]) -> None:
    """Cut a wire at the groups that it leaves or enters, with slim items where it passes rows."""
    lean = wire.upper.lean or wire.lower.lean or side
    above, below = wire.above, wire.below

    def passing(near: Item, top: int, bottom: int, upper: list[Item], lower: list[Item]) -> None:
        """Go through these rows of the container of `near`, from the upper to the lower item."""
        slims = []
        if top <= bottom:
            slim = Item(near.first, near.container, wire=wire.number, top=top, bottom=bottom)
            slim.lean, slim.left, slim.right = lean, HALF_A_WIRE, HALF_A_WIRE
            near.container.items.append(slim)
            slims.append(slim)
        wire.slims += slims
        pieces = pairwise([*upper, *slims, *lower])
        links[near.container] += [Link(*ends, wire.spine) for ends in pieces]

    for item in until(wire.upper, above):
        passing(item, item.bottom + 1, item.container.space.count - 1, [item], [])
    passing(above, above.bottom + 1, below.top - 1, [above], [below])
    for item in reversed(list(until(wire.lower, below))):
        passing(item, 0, item.top - 1, [], [item])


# ----- order and places --------------------------------------------------------------------------


def _place(tree: Tree, ways: Ways, links: LinksIn) -> None:
    """Lay out the containers from the inside out."""
    spine_ends = (end for wire in ways.flow if wire.spine for end in (wire.upper, wire.lower))
    spined = {item for end in spine_ends for item in outwards(end)}
    leading = {end for wire in ways.cross for end in (wire.source, wire.target)}
    doors = _doors(ways.flow, spined)
    known: dict[Any, Solution] = {}
    strips = len(tree.lanes)
    for container in (*reversed(tree.containers[strips:]), *tree.containers[:strips]):
        if container.key.direction == "optimize" and container.around is None:
            for wire in ways.cross:
                if wire.target.container is container:  # nearest first: their wires nest
                    wire.target.lean = -wire.source.x / 1e6
        lean_leaves(doors[container])
        extent = _solve(container, links.get(container, ()), leading, known)
        strong = [end for link in links.get(container, ()) if link.strong for end in link[:2]]
        on_spine = (item for item in container.items if item in spined)
        container.anchors = list(dict.fromkeys((*strong, *on_spine)))
        if container.around is not None:
            _fit(container.around, container, extent)


def _fit(frame: Item, inside: Container, extent: Extent) -> None:
    """Put a frame around its members; its anchor is where the spine goes through it."""
    anchors = inside.anchors
    anchor = anchors[0].x if anchors else (extent.left + extent.right) / 2
    for item in inside.items:
        item.x -= anchor
    frame.left = max(anchor - extent.left + PAD, inside.head[0])
    frame.right = max(extent.right - anchor + PAD, inside.head[1])


def _doors(flow: Iterable[Wire], spined: AbstractSet[Item]) -> dict[Container, list[Door]]:
    """Return by container the wires that lead from one of its items into one of its groups.

    What is on the spine has its place.
    """
    doors: dict[Container, list[Door]] = defaultdict(list)
    for wire in flow:
        down = wire.above is wire.upper  # the group is below
        if down == (wire.below is wire.lower):
            continue
        outer, inner = (wire.upper, wire.lower) if down else (wire.lower, wire.upper)
        if outer not in spined:
            beside = [slim for slim in wire.slims if slim.container is outer.container]
            inside = [slim for slim in wire.slims if slim not in beside] or [inner]
            doors[outer.container].append(Door(outer, inside[0 if down else -1], beside))
    return doors


class Extent(NamedTuple):
    """Reach of a container's items to both sides."""

    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Solution:
    """The order of the items of a container, by their numbers, and their blocks and places."""

    rows: list[list[int]]
    blocks: tuple[Blocks, ...]
    x: list[float]


def _solve(
    container: Container, links: Sequence[Link], leading: set[Item], known: dict[Any, Solution]
) -> Extent:
    """Order and place the items of one container; what is built alike is solved once."""
    items = sorted(container.items, key=lambda item: (item.lean, item.first, item.wire))
    if not items:
        return Extent(0.0, 0.0)
    number = {item: k for k, item in enumerate(items)}
    key = (
        container.space.count,
        tuple((i.top, i.bottom, i.lean, i.left, i.right, i.slim, i in leading) for i in items),
        tuple((number[link.upper], number[link.lower], link.strong) for link in links),
    )
    if key not in known:
        known[key] = _solution(container.space.count, items, links, leading)
    solution = known[key]
    container.items, container.blocks = items, solution.blocks
    container.rows = [[items[k] for k in row] for row in solution.rows]
    for item, x in zip(items, solution.x, strict=True):
        item.x = x
    return Extent(
        min(item.x - item.left for item in items), max(item.x + item.right for item in items)
    )


def _solution(
    count: int, items: Sequence[Item], links: Sequence[Link], leading: set[Item]
) -> Solution:
    """Find the order of these items, which has fewer crossings than that in which they come."""
    rows: list[list[Item]] = [[] for _ in range(count)]
    for item in items:
        for row in range(item.top, item.bottom + 1):
            rows[row].append(item)
    filled = [k for k, row in enumerate(rows) if row]  # the other half may have more
    above: dict[Item, list[Item]] = defaultdict(list)
    below: dict[Item, list[Item]] = defaultdict(list)
    for link in links:
        above[link.lower].append(link.upper)
        below[link.upper].append(link.lower)
    strong = {(link.upper, link.lower) for link in links if link.strong}
    lean = {item: item.lean for item in items}
    done = _order_rows([rows[k] for k in filled], above, below, strong, lean)
    leaves = {item for item in items if item.lean and not item.slim}
    movable = set(items) if len(items) <= MANY else leaves
    done = exchange_neighbours(done, below, movable, leading, leaves)
    blocks = find_blocks(items, done, above, below, strong)
    left, right = {item: item.left for item in items}, {item: item.right for item in items}
    x = place(items, done, blocks, left, right)
    number = {item: k for k, item in enumerate(items)}
    ordered: list[list[int]] = [[] for _ in range(count)]
    for k, some in zip(filled, done, strict=True):
        ordered[k] = [number[item] for item in some]
    return Solution(ordered, blocks, [x[item] for item in items])


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
        """Replace everything on the spine by `whole` in the links."""
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
