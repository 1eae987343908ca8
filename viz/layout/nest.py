"""The order from left to right of the items in each container, which does not depend on openings.

All groups are laid out open, the innermost first; each is then an item of the container around it.
A wire is cut into links between neighbouring items of one container. Where it passes rows, it gets
one slim item as tall as all of them. So foreign boxes never overlap a frame, and wires never run
through boxes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from ..model import GIVEN, group_by_key
from .items import Blocks, Container, Item, Wire
from .leaves import reach
from .order import Links, order
from .place import find_blocks, place
from .sides import Door, exchange_neighbours, lean_leaves, lean_ports, wire_sides
from .tree import Tree, meeting, outwards, until

TALLEST = 24  # maximum number of rows that a wire passes in its lane; longer ones use the margin
MANY = 250  # number of items in a container from which only leaves change sides
PAD = 16.0  # space between a frame and its members, at the sides
HALF_A_WIRE = 4.0

# Forward leaves are to the left of the spine, leaf gradients to the right of theirs. So the sides
# where the lanes face each other are free for the wires of saved values.
_LEAN_BY_KIND = dict.fromkeys(GIVEN, -0.3) | dict.fromkeys(
    ("leaf_grad", "accumulate", "unbroadcast", "hook"), 0.3
)


class Link(NamedTuple):
    """Piece of a wire between neighbours in one container; `strong`: part of the spine."""

    upper: Item
    lower: Item
    strong: bool


LinksIn = Mapping[Container, Sequence[Link]]


def nest(tree: Tree) -> None:
    """Set the way of every wire, and order the items of every container."""
    for item in tree.items:
        if item.group is None and item.node is not None:
            item.lean = _LEAN_BY_KIND.get(item.node.kind, 0.0)
    ways = _set_ways(tree)
    heights = _rows_of_items(tree)
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
        _link_wire(wire, leans.get(wire, 0.0), links)
    _place_containers(tree, ways, links)


# ----- wires -------------------------------------------------------------------------------------


class Ways(NamedTuple):
    """Wires that go down their lane, and wires from lane to lane."""

    flow: list[Wire]
    cross: list[Wire]


def _set_ways(tree: Tree) -> Ways:
    """Set the `way` of every wire; return those that flow or cross.

    flow: down its lane; far: too long for that; beside: both ends in one row; cross: from lane to
    lane.
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


def _rows_of_items(tree: Tree) -> dict[Item, int]:
    """Return the number of each item's row in the picture with everything open."""
    place = {
        item: tuple(each.top for each in reversed(list(outwards(item)))) for item in tree.items
    }
    dense = {at: k for k, at in enumerate(sorted(set(place.values())))}
    return {item: dense[at] for item, at in place.items()}


def _mark_spine(tree: Tree, flow: Sequence[Wire], heights: Mapping[Item, int]) -> None:
    """Mark the wires of the longest path of each lane; backward prefers gradients of that path."""
    downward: dict[Item, list[Wire]] = defaultdict(list)
    for wire in flow:
        if wire.lower.inside is None and wire.upper.inside is None:
            downward[wire.upper].append(wire)
    single = [item for item in tree.items if item.inside is None]
    members = group_by_key([(tree.lanes[item.container.key], item) for item in single])
    on_spine: set[Item | None] = set()
    for strip in tree.containers:
        boxes = members.get(strip, [])
        if not boxes:
            continue
        score: dict[Item, float] = {}
        best: dict[Item, Wire] = {}  # box -> last wire of its longest path
        for box in sorted(boxes, key=heights.__getitem__):
            own = 3.0 if box.pair is not None and box.pair in on_spine else 1.0
            own -= 0.5 if box.box.kind in ("parameter", "port") else 0.0
            score[box] = score.get(box, 0.0) + own
            for wire in downward[box]:
                so_far = score.get(wire.lower, 0.0)
                # The last of equal leaves is on the spine: arguments read from left to right.
                if score[box] > so_far or (score[box] == so_far and box.box.kind in GIVEN):
                    score[wire.lower], best[wire.lower] = score[box], wire
        at = max(boxes, key=lambda box: (score[box], heights[box]))
        on_spine.add(at)
        while at in best:
            best[at].spine = True
            at = best[at].upper
            on_spine.add(at)


def _link_wire(wire: Wire, side: float, links: dict[Container, list[Link]]) -> None:
    """Cut a wire at the groups that it leaves or enters, with slim items where it passes rows."""
    lean = wire.upper.lean or wire.lower.lean or side
    above, below = wire.above, wire.below

    def passing(near: Item, top: int, bottom: int, upper: list[Item], lower: list[Item]) -> None:
        """Add the links, and a slim item for rows `top` to `bottom`, in the container of `near`."""
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


def _place_containers(tree: Tree, ways: Ways, links: LinksIn) -> None:
    """Order and place the items of all containers, from the inside out."""
    spine_ends = (end for wire in ways.flow if wire.spine for end in (wire.upper, wire.lower))
    spined = {item for end in spine_ends for item in outwards(end)}
    leading = {end for wire in ways.cross for end in (wire.source, wire.target)}
    doors = _doors_by_container(ways.flow, spined)
    known: dict[Any, Solution] = {}
    strips = len(tree.lanes)
    for container in (*reversed(tree.containers[strips:]), *tree.containers[:strips]):
        if container.key.direction == "optimize" and container.around is None:
            for wire in ways.cross:
                if wire.target.container is container:  # nearest first: their wires nest
                    wire.target.lean = -wire.source.x / 1e6
        lean_leaves(doors[container])
        extent = _place_items(container, links.get(container, ()), leading, known)
        strong = [end for link in links.get(container, ()) if link.strong for end in link[:2]]
        on_spine = (item for item in container.items if item in spined)
        container.anchors = list(dict.fromkeys((*strong, *on_spine)))
        if container.around is not None:
            _fit_frame(container.around, container, extent)


def _fit_frame(frame: Item, inside: Container, extent: Extent) -> None:
    """Set the reach of a frame around its members; its anchor is the x of the spine in it."""
    anchors = inside.anchors
    anchor = anchors[0].x if anchors else (extent.left + extent.right) / 2
    for item in inside.items:
        item.x -= anchor
    frame.left = max(anchor - extent.left + PAD, inside.head[0])
    frame.right = max(extent.right - anchor + PAD, inside.head[1])


def _doors_by_container(
    flow: Iterable[Wire], spined: AbstractSet[Item]
) -> dict[Container, list[Door]]:
    """Map containers to the wires from one of their items into one of their groups.

    Items on the spine are left out: their place is fixed.
    """
    doors: dict[Container, list[Door]] = defaultdict(list)
    for wire in flow:
        down = wire.above is wire.upper  # whether the group is below
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


def _place_items(
    container: Container, links: Sequence[Link], leading: set[Item], known: dict[Any, Solution]
) -> Extent:
    """Order and place the items of one container; solve containers of equal structure once."""
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
        known[key] = _find_solution(container.space.count, items, links, leading)
    solution = known[key]
    container.items, container.blocks = items, solution.blocks
    container.rows = [[items[k] for k in row] for row in solution.rows]
    for item, x in zip(items, solution.x, strict=True):
        item.x = x
    return Extent(
        min(item.x - item.left for item in items), max(item.x + item.right for item in items)
    )


def _find_solution(
    count: int, items: Sequence[Item], links: Sequence[Link], leading: set[Item]
) -> Solution:
    """Return an order of the items with few crossings, and their blocks and places."""
    rows: list[list[Item]] = [[] for _ in range(count)]
    for item in items:
        for row in range(item.top, item.bottom + 1):
            rows[row].append(item)
    filled = [
        k for k, row in enumerate(rows) if row
    ]  # the other half of a group may use other rows
    above = group_by_key([(link.lower, link.upper) for link in links])
    below = group_by_key([(link.upper, link.lower) for link in links])
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
    """Return the ordered rows, with the spine as one tall item that no other crosses."""
    if not strong:
        return order(rows, above, below, lean)
    on_spine = {item for pair in strong for item in pair}
    whole = next(item for row in rows for item in row if item in on_spine)
    lean[whole] = 0.0

    def fuse(links: Links[Item]) -> Links[Item]:
        """Return the links with `whole` in place of the items on the spine."""
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
