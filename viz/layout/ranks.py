"""The row of each item in its container.

All lanes share their rows, and so do the two halves of a group. A gradient and its forward op are
one vertex of the constraint graph, so they get one row, as do the halves of a group. Forward wires
lead down, gradients lead up. A wire between two groups, or into one, is a constraint between the
items around its ends in their common container. Every walk is a loop, so graphs may be deep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from ..model import GIVEN
from .items import Item, Row, Space, Wire
from .tree import Tree, meeting, until

Vertex = int  # number of a vertex of the constraint graph

# Level of a constraint: in a cycle the constraints of the highest level are dropped. Forward wires
# have level 0, the first backward pass 1, the next 2; the borders of groups have the highest.
Level = int
FORWARD: Level = 0
FRAME: Level = 99


class Pair(NamedTuple):
    """Box and its gradient, at one height."""

    node: str
    gradient: str


class _Arc(NamedTuple):
    """Constraint: `low` is at least `step` rows below `high`."""

    high: Vertex
    low: Vertex
    step: int
    level: Level


def rank(tree: Tree, wires: Iterable[Wire]) -> None:
    """Set the row of every item: longest paths, leaves near their users, slack shared evenly."""
    wires = list(wires)
    vertices = _Vertices(tree, wires)
    vertex = vertices.of
    borders = _Borders(tree, vertices.count)
    arcs = [*_arcs_of_wires(wires, vertex, borders), *borders.arcs(tree, vertex)]
    arcs = _break_cycles(borders.end, arcs)
    given = (i for i in tree.items if i.leaf or (i.group is None and i.box.kind in GIVEN))
    leaves = {vertex[item] for item in given}
    height = _rows_of_vertices(borders.end, arcs, leaves | _last_ports(wires, vertex))
    used: dict[Space, set[Row]] = defaultdict(set)
    for item in tree.items:
        used[item.container.space].add(height[vertex[item]])
    dense = {space: {row: k for k, row in enumerate(sorted(rows))} for space, rows in used.items()}
    for space, rows in dense.items():
        space.count = len(rows)
    single = {
        vertex[item]
        for item in tree.items
        if item.group is None and item.container.key.direction != "optimize"
    }
    for item in tree.items:
        item.top = item.bottom = dense[item.container.space][height[vertex[item]]]
        item.low = vertex[item] in single


# ----- vertices ----------------------------------------------------------------------------------


class _Vertices:
    """Vertex of each item; a gradient shares the vertex of its pair."""

    def __init__(self, tree: Tree, wires: Iterable[Wire]) -> None:
        self.of: dict[Item, Vertex] = {}
        self.count = 0
        self._wired: set[tuple[Item, Item]] = set()
        reading: dict[Item, list[Item]] = defaultdict(list)
        for wire in wires:
            self._wired.add(meeting(wire.source, wire.target))
            reading[wire.target].append(wire.source)
        # vertex and container -> its items, of which no two may be joined by a wire
        self._sharing: dict[tuple[Vertex, int], list[Item]] = defaultdict(list)
        mates = _row_mates(tree)
        for item in tree.items:
            if item not in mates:
                self._add_vertex(item)
        # Seeds come last: if a seed and a gradient have the same pair, the gradient joins it.
        for item in sorted(mates, key=_claim_key):
            if not (mates[item] in self.of and self._join_vertex(item, mates[item])):
                self._add_vertex(item)
        for item in tree.items:  # an update is beside the gradient that it reads
            if item.container.key.direction == "optimize" and item not in mates:
                mate = _read_by(reading[item])
                if mate is not None:
                    self._join_vertex(*meeting(item, mate))

    def _add_vertex(self, item: Item) -> None:
        self.of[item] = self.count
        self._sharing[self.count, item.container.number].append(item)
        self.count += 1

    def _join_vertex(self, item: Item, mate: Item) -> bool:
        """Give an item the vertex of another; return False if a wire there forbids it."""
        sharing = self._sharing[self.of[mate], item.container.number]
        wired = self._wired
        if any((item, one) in wired or (one, item) in wired for one in sharing):
            return False
        self.of[item] = self.of[mate]
        sharing.append(item)
        return True


def _row_mates(tree: Tree) -> dict[Item, Item]:
    """Map items to the item that they share a row with: the younger of a pair to the older."""
    mates: dict[Item, Item] = {}
    for inner in tree.items:
        if inner.pair is None or inner.pair is inner:
            continue
        item, mate = meeting(inner, inner.pair)
        # A group is beside a single box only if the box is a gradient of its content.
        if (
            item is not mate
            and _age_key(mate) < _age_key(item)
            and (item is inner or mate is inner.pair)
        ):
            mates.setdefault(item, mate)
    return mates


def _age_key(item: Item) -> tuple[int, bool]:
    """Return a key that is smaller for older items."""
    key = item.container.key
    return key.column, key.direction != "forward"


def _claim_key(item: Item) -> tuple[bool, int, bool]:
    """Return a key for joining pairs: halves of groups first, seeds last."""
    inner = item.pair.inside if item.pair else None
    half = inner is not None and item.inside is not None and inner.space is item.inside.space
    return not half, item.container.key.column, item.box.kind == "seed"


def _read_by(sources: Iterable[Item]) -> Item | None:
    """Return the gradient that an update reads, else the parameter, else None."""
    sources = list(sources)
    for kind in ("leaf_grad", "parameter"):
        for source in sources:
            if source.box.kind == kind:
                return source
    return None


class _Borders:
    """Two extra vertices for every group, above its first row and below its last."""

    def __init__(self, tree: Tree, count: int) -> None:
        self.first: dict[Space, Vertex] = {}
        for container in tree.containers:
            if container.around is not None and container.space not in self.first:
                self.first[container.space] = count
                count += 2
        self.end = count

    def arcs(self, tree: Tree, vertex: Mapping[Item, Vertex]) -> list[_Arc]:
        """Return the constraints that keep items between the borders of their group."""
        arcs = [_Arc(first, first + 1, 0, FORWARD) for first in self.first.values()]
        for item in tree.items:
            first = self.first.get(item.container.space)
            if first is not None:
                arcs.append(_Arc(first, vertex[item], 0, FRAME))
                arcs.append(_Arc(vertex[item], first + 1, 0, FRAME))
        for container in tree.containers:  # updates form a list
            if container.around is not None and container.key.direction == "optimize":
                for one, other in pairwise(container.items):
                    arcs.append(_Arc(vertex[one], vertex[other], 1, FRAME))
        return arcs


# ----- arcs --------------------------------------------------------------------------------------


def _arcs_of_wires(
    wires: Iterable[Wire], vertex: Mapping[Item, Vertex], borders: _Borders
) -> list[_Arc]:
    """Return the constraints of wires: forward wires lead down, gradients lead up."""
    arcs: list[_Arc] = []
    for wire in wires:
        high, low, level = wire.source, wire.target, FORWARD
        key = high.container.key
        if key != low.container.key or wire.edge.kind == "saved":
            continue
        if key.direction == "backward":
            high, low, level = low, high, 1 + key.column
        above, below = meeting(high, low)
        arcs.append(_Arc(vertex[above], vertex[below], 1, level))
        for item in until(high, above):
            arcs.append(_Arc(vertex[item], borders.first[item.container.space] + 1, 0, level))
        for item in until(low, below):
            arcs.append(_Arc(borders.first[item.container.space], vertex[item], 0, level))
    return arcs


def _break_cycles(size: int, arcs: list[_Arc]) -> list[_Arc]:
    """Return the arcs without cycles; those of the highest level in a cycle are dropped."""
    arcs = [arc for arc in arcs if arc.high != arc.low]
    while True:
        part = components(size, arcs)
        inside = [arc for arc in arcs if part[arc.high] == part[arc.low]]
        if not inside:
            return arcs
        worst: dict[int, Level] = {}
        for arc in inside:
            worst[part[arc.high]] = max(worst.get(part[arc.high], FORWARD), arc.level)
        arcs = [
            arc
            for arc in arcs
            if part[arc.high] != part[arc.low] or not _gives_way(arc, worst[part[arc.high]])
        ]


def _gives_way(arc: _Arc, worst: Level) -> bool:
    # Forward wires form a cycle only between closed groups; then the program's order decides.
    return arc.low < arc.high if worst == FORWARD else arc.level == worst


def components(size: int, arcs: Iterable[_Arc]) -> list[int]:
    """Return the strongly connected component of each vertex (Tarjan's algorithm, as a loop)."""
    after: list[list[Vertex]] = [[] for _ in range(size)]
    for arc in arcs:
        after[arc.high].append(arc.low)
    index, part = [-1] * size, [-1] * size
    least = [0] * size
    stack: list[Vertex] = []
    clock = parts = 0
    for start in range(size):
        if index[start] >= 0:
            continue
        walk = [(start, 0)]
        while walk:
            v, k = walk.pop()
            if k == 0:
                index[v] = least[v] = clock
                clock += 1
                stack.append(v)
            elif part[after[v][k - 1]] < 0:
                least[v] = min(least[v], least[after[v][k - 1]])
            while k < len(after[v]) and index[after[v][k]] >= 0:
                if part[after[v][k]] < 0:
                    least[v] = min(least[v], index[after[v][k]])
                k += 1
            if k < len(after[v]):
                walk += [(v, k + 1), (after[v][k], 0)]
            elif least[v] == index[v]:
                while part[v] < 0:
                    part[stack.pop()] = parts
                parts += 1
    return part


# ----- heights -----------------------------------------------------------------------------------


class _Constraints:
    """Arcs without cycles, by lower and by upper vertex; `downwards` sorts the vertices."""

    def __init__(self, size: int, arcs: Iterable[_Arc]) -> None:
        self.into: list[list[_Arc]] = [[] for _ in range(size)]
        self.out_of: list[list[_Arc]] = [[] for _ in range(size)]
        for arc in arcs:
            self.into[arc.low].append(arc)
            self.out_of[arc.high].append(arc)
        missing = [len(some) for some in self.into]
        self.downwards = [v for v in range(size) if not missing[v]]
        for v in self.downwards:
            for arc in self.out_of[v]:
                missing[arc.low] -= 1
                if not missing[arc.low]:
                    self.downwards.append(arc.low)


def _rows_of_vertices(size: int, arcs: Iterable[_Arc], leaves: AbstractSet[Vertex]) -> list[Row]:
    graph = _Constraints(size, arcs)
    into, out_of = graph.into, graph.out_of
    height = [0] * size
    for v in graph.downwards:
        height[v] = max((height[arc.high] + arc.step for arc in into[v]), default=0)
    light = set(leaves)  # leaves, and items that only leaves feed, outside of frames
    for v in graph.downwards:
        if all(arc.level < FRAME and arc.high in light for arc in into[v]):
            light.add(v)
    loose: set[Vertex] = set()
    for v in reversed(graph.downwards):  # light items move down to their users
        bound = min((height[arc.low] - arc.step for arc in out_of[v]), default=height[v])
        pull = sum(arc.level < FRAME for arc in out_of[v])
        pull -= sum(arc.level < FRAME for arc in into[v])
        if v in light or pull > 0 or not into[v]:
            height[v] = bound
        elif pull == 0 and bound > height[v]:
            loose.add(v)
    return _share_slack(graph, height, loose)


def _share_slack(graph: _Constraints, height: list[Row], loose: AbstractSet[Vertex]) -> list[Row]:
    """Return the rows with loose vertices halfway between their highest and lowest possible row."""
    lowest = list(height)
    for v in reversed(graph.downwards):
        if v in loose:
            lowest[v] = min(lowest[arc.low] - arc.step for arc in graph.out_of[v])
    highest = list(height)
    for v in graph.downwards:
        if v in loose:
            highest[v] = max(highest[arc.high] + arc.step for arc in graph.into[v])
    return [(one + other) // 2 for one, other in zip(highest, lowest, strict=True)]


def _last_ports(wires: Iterable[Wire], vertex: Mapping[Item, Vertex]) -> set[Vertex]:
    """Return the ports at the lower border of a group: returned values and incoming gradients."""
    ports = set()
    for wire in wires:
        port, inner = wire.target, wire.source
        if inner.container.backward:
            port, inner = inner, port
        if port.box.kind == "port" and port.container is inner.container:
            ports.add(vertex[port])
    return ports
