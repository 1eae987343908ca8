"""Rows: how high each node stands.

All lanes share their rows. A gradient node and its forward node are one vertex of the constraint
graph, so they get one row; forward wires lead down and gradients lead up. The two halves of a
PyLayer share their first and their last row. Every walk is a loop, however deep the graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from ..model import GIVEN, Edge, Node
from .fold import View, toggle
from .items import LaneKey, lane_key

Row = int  # counted from the top
Vertex = int  # of the constraint graph: a number, as the walks want it

# How firmly a constraint holds: in a cycle those of the highest level give way. The first backward
# pass has level 1, each later one a higher one; last comes what keeps strangers out of frames.
Level = int
FORWARD: Level = 0
FRAME: Level = 99


class Span(NamedTuple):
    """The first and the last row of a frame."""

    top: Row
    bottom: Row


class Pair(NamedTuple):
    """Two nodes at one height, because one is the gradient of the other."""

    node: str
    gradient: str


@dataclass(frozen=True, slots=True)
class Rows:
    """The row of every node, and the first and last row of every frame."""

    of: dict[str, Row]
    spans: dict[str, Span]
    count: int
    pairs: tuple[Pair, ...]


class _Arc(NamedTuple):
    """`low` stands at least `step` rows below `high`."""

    high: Vertex
    low: Vertex
    step: int
    level: Level


def rows(view: View) -> Rows:
    """Give every node a row: longest paths, leaves near their users, slack shared evenly."""
    vertices = _Vertices(view)
    vertex = vertices.of
    frames = _Frames(view, vertices.count)
    arcs = _break_cycles(frames.end, [*_flow(view, vertex, frames), *frames.arcs(view, vertex)])
    leaves = {vertex[node.id] for node in view.nodes if node.kind in GIVEN}
    height = _heights(frames.end, arcs, leaves | _last_ports(view, vertex))
    used = sorted({height[vertex[node.id]] for node in view.nodes})
    dense = {row: k for k, row in enumerate(used)}
    of = {node.id: dense[height[vertex[node.id]]] for node in view.nodes}
    pairs = tuple(
        Pair(node.pair, node.id)
        for node in view.nodes
        if node.pair in vertex and vertex[node.pair] == vertex[node.id]
    )
    return Rows(of, _spans(view, frames, of), max(1, len(used)), pairs)


# ----- vertices ----------------------------------------------------------------------------------


class _Vertices:
    """The vertex of each node; a gradient node shares that of its pair."""

    def __init__(self, view: View) -> None:
        self.of: dict[str, Vertex] = {}
        self.count = 0
        self._wired = {(edge.source, edge.target) for edge in view.edges}
        # The nodes at a vertex, by their lane and column, of which no two may have a wire.
        self._sharing: dict[tuple[Vertex, str, int], list[str]] = defaultdict(list)
        nodes = {node.id: node for node in view.nodes}
        followers: list[Node] = []
        for node in view.nodes:
            if node.pair in nodes and _age(nodes[node.pair]) < _age(node):
                followers.append(node)
            else:
                self._add(node)
        # Seeds come last: where seed and gradient share a pair, the gradient has the better claim.
        for node in sorted(followers, key=lambda n: (n.column, n.kind == "seed")):
            if not (node.pair in self.of and self._join(node, node.pair)):
                self._add(node)
        for node in view.nodes:  # an update stands beside the gradient that it reads
            if node.lane == "optimize" and node.pair not in nodes:
                mate = _read_by(node, view.edges, nodes)
                if mate is not None:
                    self._join(node, mate)

    def _add(self, node: Node) -> None:
        self.of[node.id] = self.count
        self._sharing[self.count, node.lane, node.column].append(node.id)
        self.count += 1

    def _join(self, node: Node, mate: str) -> bool:
        """Give a node the vertex of another; not if it has a wire to what has it in its lane."""
        sharing = self._sharing[self.of[mate], node.lane, node.column]
        wired = self._wired
        if any((node.id, one) in wired or (one, node.id) in wired for one in sharing):
            return False
        self.of[node.id] = self.of[mate]
        sharing.append(node.id)
        return True


def _age(node: Node) -> tuple[int, bool]:
    """Of two nodes the one with the smaller age was there first."""
    return node.column, node.lane != "forward"


def _read_by(node: Node, edges: Iterable[Edge], nodes: Mapping[str, Node]) -> str | None:
    """The gradient that an update reads, or else the parameter."""
    sources = [edge.source for edge in edges if edge.target == node.id]
    for kind in ("leaf_grad", "parameter"):
        for name in sources:
            if nodes[name].kind == kind:
                return name
    return None


class _Frames:
    """Two extra vertices, first and last row, for every frame; twins share them."""

    def __init__(self, view: View, count: int) -> None:
        self.first: dict[str, Vertex] = {}
        self.last: dict[str, Vertex] = {}
        self.parent = {group.id: group.parent for group in view.frames}
        lanes = {node.group: lane_key(node) for node in reversed(view.nodes) if node.group}
        turn: dict[tuple[str, LaneKey | str], int] = defaultdict(int)
        shared: dict[tuple[str, int], Vertex] = {}
        for group in view.frames:
            # The first frame of this name in one lane is the twin of the first in another.
            here = toggle(group), lanes.get(group.id, group.lane)
            key = toggle(group), turn[here]
            turn[here] += 1
            if key not in shared:
                shared[key] = count
                count += 2
            self.first[group.id] = shared[key]
            self.last[group.id] = shared[key] + 1
        self.end = count

    def around(self, group: str | None) -> list[str]:
        """The frames around a place, innermost first."""
        names: list[str] = []
        while group in self.first and group not in names:
            names.append(group)
            group = self.parent[group]
        return names

    def arcs(self, view: View, vertex: Mapping[str, Vertex]) -> list[_Arc]:
        """Members stand between the first and the last row of their frame, and frames nest."""
        arcs = []
        for name in self.first:
            arcs.append(_Arc(self.first[name], self.last[name], 0, FORWARD))
            outer = self.parent[name]
            if outer in self.first:
                arcs.append(_Arc(self.first[outer], self.first[name], 0, FRAME))
                arcs.append(_Arc(self.last[name], self.last[outer], 0, FRAME))
        for node in view.nodes:
            if node.group in self.first:
                arcs.append(_Arc(self.first[node.group], vertex[node.id], 0, FRAME))
                arcs.append(_Arc(vertex[node.id], self.last[node.group], 0, FRAME))
        return arcs


# ----- arcs --------------------------------------------------------------------------------------


def _flow(view: View, vertex: Mapping[str, Vertex], frames: _Frames) -> list[_Arc]:
    """Forward wires lead down, gradients up; a frame's strangers stay above or below it."""
    nodes = {node.id: node for node in view.nodes}
    arcs: list[_Arc] = []
    for edge in view.edges:
        high, low = nodes[edge.source], nodes[edge.target]
        if high.lane != low.lane or high.column != low.column or edge.kind == "saved":
            continue
        level = FORWARD
        if high.lane == "backward":
            high, low, level = low, high, 1 + high.column
        arcs.append(_Arc(vertex[high.id], vertex[low.id], 1, level))
        if high.group == low.group:
            continue
        above, below = frames.around(high.group), frames.around(low.group)
        left = [name for name in above if name not in below]
        entered = [name for name in below if name not in above]
        arcs += [_Arc(frames.last[name], vertex[low.id], 1, FRAME) for name in left]
        arcs += [_Arc(vertex[high.id], frames.first[name], 1, FRAME) for name in entered]
        arcs += [
            _Arc(frames.last[name], frames.first[inner], 1, FRAME)
            for name in left
            for inner in entered
        ]
    return arcs


def _break_cycles(size: int, arcs: list[_Arc]) -> list[_Arc]:
    """The arcs without those that close a cycle, the highest levels dropped first."""
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
    """The number of the strongly connected component of each vertex (Tarjan, as a loop)."""
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
    """Arcs without a cycle, by their lower and by their upper vertex, and all from above."""

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


def _heights(size: int, arcs: Iterable[_Arc], leaves: AbstractSet[Vertex]) -> list[Row]:
    graph = _Constraints(size, arcs)
    into, out_of = graph.into, graph.out_of
    height = [0] * size
    for v in graph.downwards:
        height[v] = max((height[arc.high] + arc.step for arc in into[v]), default=0)
    light = set(leaves)  # leaves, and what they alone feed outside of frames
    for v in graph.downwards:
        if all(arc.level < FRAME and arc.high in light for arc in into[v]):
            light.add(v)
    loose: set[Vertex] = set()
    for v in reversed(graph.downwards):  # leaves, and what only they feed, stand near their users
        bound = min((height[arc.low] - arc.step for arc in out_of[v]), default=height[v])
        pull = sum(arc.level < FRAME for arc in out_of[v])
        pull -= sum(arc.level < FRAME for arc in into[v])
        if v in light or pull > 0 or not into[v]:
            height[v] = bound
        elif pull == 0 and bound > height[v]:
            loose.add(v)
    return _share_slack(graph, height, loose)


def _share_slack(graph: _Constraints, height: list[Row], loose: AbstractSet[Vertex]) -> list[Row]:
    """Put the vertices with slack halfway between the highest and the lowest place they have."""
    lowest = list(height)
    for v in reversed(graph.downwards):
        if v in loose:
            lowest[v] = min(lowest[arc.low] - arc.step for arc in graph.out_of[v])
    highest = list(height)
    for v in graph.downwards:
        if v in loose:
            highest[v] = max(highest[arc.high] + arc.step for arc in graph.into[v])
    return [(one + other) // 2 for one, other in zip(highest, lowest, strict=True)]


def _last_ports(view: View, vertex: Mapping[str, Vertex]) -> set[Vertex]:
    """The ports at the lower border of a frame: returned values, and gradients that come in."""
    nodes = {node.id: node for node in view.nodes}
    ports = set()
    for edge in view.edges:
        port, inner = nodes[edge.target], nodes[edge.source]
        if inner.lane == "backward":
            port, inner = inner, port
        if port.kind == "port" and port.group == inner.group and port.lane == inner.lane:
            ports.add(vertex[port.id])
    return ports


def _spans(view: View, frames: _Frames, of: Mapping[str, Row]) -> dict[str, Span]:
    """The rows of each frame: those of its members, of the frames inside, and of its twin."""
    rows_of: dict[Vertex, list[Row]] = defaultdict(list)
    for node in view.nodes:
        for name in frames.around(node.group):
            rows_of[frames.first[name]].append(of[node.id])
    spans = {}
    for name, key in frames.first.items():
        held = rows_of[key] or [0]
        spans[name] = Span(min(held), max(held))
    for name, span in spans.items():  # a twin made taller may reach beyond the frame around it
        for outer in frames.around(name)[1:]:
            around = spans[outer]
            spans[outer] = Span(min(around.top, span.top), max(around.bottom, span.bottom))
    return spans
