"""Rows: how high each node stands.

All lanes share their rows. A gradient node and its forward node are one vertex of the constraint
graph, so they get one row; forward wires lead down and gradients lead up. The two halves of a
PyLayer share their first and their last row. Every walk is a loop, however deep the graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..model import GIVEN, Edge, Group, Node
from .fold import View, toggle

_FRAME = 99  # the level of the constraints that keep strangers out of a frame's rows


@dataclass(frozen=True, slots=True)
class Rows:
    """The row of every node, and the first and last row of every frame."""

    of: dict[str, int]
    spans: dict[str, tuple[int, int]]
    count: int
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Arc:
    """`low` stands at least `step` rows below `high`; the highest levels give way in a cycle."""

    high: int
    low: int
    step: int
    level: int


def rows(view: View) -> Rows:
    """Give every node a row: longest paths, leaves near their users, slack shared evenly."""
    vertex, size = _classes(view)
    frames = _Frames(view, size)
    arcs = _acyclic(frames.size, [*_flow(view, vertex, frames), *frames.arcs(view, vertex)])
    leaf = {vertex[n.id] for n in view.nodes if n.kind in GIVEN} | _last_ports(view, vertex)
    height = _heights(frames.size, arcs, leaf)
    used = sorted({height[vertex[node.id]] for node in view.nodes})
    dense = {row: k for k, row in enumerate(used)}
    of = {node.id: dense[height[vertex[node.id]]] for node in view.nodes}
    pairs = tuple(
        (node.pair, node.id)
        for node in view.nodes
        if node.pair in vertex and vertex[node.pair] == vertex[node.id]
    )
    return Rows(of, _spans(view, frames, of), max(1, len(used)), pairs)


# ----- vertices ----------------------------------------------------------------------------------


def _classes(view: View) -> tuple[dict[str, int], int]:
    """The vertex of each node: a gradient node shares that of its pair."""
    nodes = {node.id: node for node in view.nodes}
    wired = {(edge.source, edge.target) for edge in view.edges}
    wired |= {(target, source) for source, target in wired}
    vertex: dict[str, int] = {}
    taken: dict[tuple[int, str, int], list[str]] = defaultdict(list)

    def join(node: Node, mate: str) -> None:
        slot = (vertex[mate], node.lane, node.column)
        # Two nodes of one column with a wire between them cannot stand at one height.
        if any((node.id, other) in wired for other in taken[slot]):
            return
        vertex[node.id] = vertex[mate]
        taken[slot].append(node.id)

    free = 0
    later: list[Node] = []
    for node in view.nodes:
        if node.pair in nodes and nodes[node.pair].column * 2 + (
            nodes[node.pair].lane != "forward"
        ) < node.column * 2 + (node.lane != "forward"):
            later.append(node)
        else:
            vertex[node.id] = free
            taken[free, node.lane, node.column].append(node.id)
            free += 1
    # Seeds come last: where seed and gradient share a pair, the gradient has the better claim.
    for node in sorted(later, key=lambda n: (n.column, n.kind == "seed")):
        if node.pair in vertex:
            join(node, node.pair)
        if node.id not in vertex:
            vertex[node.id] = free
            free += 1
    for node in view.nodes:  # an update stands beside the gradient that it reads
        if node.lane == "optimize" and node.pair not in nodes:
            mate = _read_by(node, view.edges, nodes)
            if mate is not None:
                join(node, mate)
    return vertex, free


def _read_by(node: Node, edges: Iterable[Edge], nodes: Mapping[str, Node]) -> str | None:
    found = [edge.source for edge in edges if edge.target == node.id]
    for kind in ("leaf_grad", "parameter"):
        for name in found:
            if nodes[name].kind == kind:
                return name
    return None


class _Frames:
    """Two extra vertices, first and last row, for every frame; twins share them."""

    def __init__(self, view: View, size: int) -> None:
        self.first: dict[str, int] = {}
        self.last: dict[str, int] = {}
        self.parent = {group.id: group.parent for group in view.frames}
        turn: dict[tuple[str, str], int] = defaultdict(int)
        known: dict[tuple[str, int], int] = {}
        for group in view.frames:
            lane = (toggle(group), _lane_of(group, view))
            key = (toggle(group), turn[lane])
            turn[lane] += 1
            if key not in known:
                known[key] = size
                size += 2
            self.first[group.id] = known[key]
            self.last[group.id] = known[key] + 1
        self.size = size

    def around(self, group: str | None) -> list[str]:
        """The frames around a place, innermost first."""
        found: list[str] = []
        while group in self.first and group not in found:
            found.append(group)
            group = self.parent[group]
        return found

    def arcs(self, view: View, vertex: Mapping[str, int]) -> list[_Arc]:
        """Members stand between the first and the last row of their frame, and frames nest."""
        found = []
        for name in self.first:
            found.append(_Arc(self.first[name], self.last[name], 0, 0))
            outer = self.parent[name]
            if outer in self.first:
                found.append(_Arc(self.first[outer], self.first[name], 0, _FRAME))
                found.append(_Arc(self.last[name], self.last[outer], 0, _FRAME))
        for node in view.nodes:
            if node.group in self.first:
                found.append(_Arc(self.first[node.group], vertex[node.id], 0, _FRAME))
                found.append(_Arc(vertex[node.id], self.last[node.group], 0, _FRAME))
        return found


def _lane_of(group: Group, view: View) -> str:
    for node in view.nodes:
        if node.group == group.id:
            return f"{node.lane}{node.column}"
    return group.lane


# ----- arcs --------------------------------------------------------------------------------------


def _flow(view: View, vertex: Mapping[str, int], frames: _Frames) -> list[_Arc]:
    """Forward wires lead down, gradients up; a frame's strangers stay above or below it."""
    nodes = {node.id: node for node in view.nodes}
    found: list[_Arc] = []
    for edge in view.edges:
        one, other = nodes[edge.source], nodes[edge.target]
        if one.lane != other.lane or one.column != other.column or edge.kind == "saved":
            continue
        if one.lane == "backward":
            one, other = other, one
        level = 1 + one.column if one.lane == "backward" else 0
        found.append(_Arc(vertex[one.id], vertex[other.id], 1, level))
        above, below = frames.around(one.group), frames.around(other.group)
        for name in above:
            if name not in below:
                found.append(_Arc(frames.last[name], vertex[other.id], 1, _FRAME))
        for name in below:
            if name not in above:
                found.append(_Arc(vertex[one.id], frames.first[name], 1, _FRAME))
        for name in above:
            for inner in below:
                if name not in below and inner not in above:
                    found.append(_Arc(frames.last[name], frames.first[inner], 1, _FRAME))
    return found


def _acyclic(size: int, arcs: list[_Arc]) -> list[_Arc]:
    """The arcs without those that close a cycle, the highest levels dropped first."""
    arcs = [arc for arc in arcs if arc.high != arc.low]
    while True:
        part = components(size, [(arc.high, arc.low) for arc in arcs])
        inside = [arc for arc in arcs if part[arc.high] == part[arc.low]]
        if not inside:
            return arcs
        worst: dict[int, int] = {}
        for arc in inside:
            worst[part[arc.high]] = max(worst.get(part[arc.high], 0), arc.level)
        arcs = [
            arc
            for arc in arcs
            if part[arc.high] != part[arc.low] or not _gives_way(arc, worst[part[arc.high]])
        ]


def _gives_way(arc: _Arc, worst: int) -> bool:
    # Forward wires form a cycle only between closed groups; then the program's order decides.
    return arc.level == worst if worst else arc.low < arc.high


def components(size: int, arcs: Iterable[tuple[int, int]]) -> list[int]:
    """The number of the strongly connected component of each vertex (Tarjan, as a loop)."""
    after: list[list[int]] = [[] for _ in range(size)]
    for high, low in arcs:
        after[high].append(low)
    index, part = [-1] * size, [-1] * size
    least = [0] * size
    stack: list[int] = []
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


def _heights(size: int, arcs: list[_Arc], leaf: set[int]) -> list[int]:
    before: list[list[_Arc]] = [[] for _ in range(size)]
    after: list[list[_Arc]] = [[] for _ in range(size)]
    for arc in arcs:
        before[arc.low].append(arc)
        after[arc.high].append(arc)
    order = _sorted(size, before, after)
    height = [0] * size
    for v in order:
        height[v] = max((height[arc.high] + arc.step for arc in before[v]), default=0)
    light: set[int] = set()  # fed by leaves alone, and in no frame
    for v in order:
        if all(arc.level < _FRAME and (arc.high in light or arc.high in leaf) for arc in before[v]):
            light.add(v)
    loose = set()
    for v in reversed(order):  # leaves, and what only they feed, stand near their users
        bound = min((height[arc.low] - arc.step for arc in after[v]), default=height[v])
        pull = sum(arc.level < _FRAME for arc in after[v])
        pull -= sum(arc.level < _FRAME for arc in before[v])
        if v in leaf or v in light or pull > 0 or not before[v]:
            height[v] = bound
        elif pull == 0 and bound > height[v]:
            loose.add(v)
    return _shared(order, before, after, height, loose)


def _shared(
    order: list[int],
    before: list[list[_Arc]],
    after: list[list[_Arc]],
    height: list[int],
    loose: set[int],
) -> list[int]:
    """Put the vertices with slack halfway between the highest and the lowest place they have."""
    lowest = list(height)
    for v in reversed(order):
        if v in loose:
            lowest[v] = min(lowest[arc.low] - arc.step for arc in after[v])
    highest = list(height)
    for v in order:
        if v in loose:
            highest[v] = max(highest[arc.high] + arc.step for arc in before[v])
    return [(one + other) // 2 for one, other in zip(highest, lowest, strict=True)]


def _sorted(size: int, before: list[list[_Arc]], after: list[list[_Arc]]) -> list[int]:
    missing = [len(arcs) for arcs in before]
    order = [v for v in range(size) if not missing[v]]
    for v in order:
        for arc in after[v]:
            missing[arc.low] -= 1
            if not missing[arc.low]:
                order.append(arc.low)
    return order


def _last_ports(view: View, vertex: Mapping[str, int]) -> set[int]:
    """The ports at the lower border of a frame: returned values, and gradients that come in."""
    nodes = {node.id: node for node in view.nodes}
    found = set()
    for edge in view.edges:
        port, inner = nodes[edge.target], nodes[edge.source]
        if inner.lane == "backward":
            port, inner = inner, port
        if port.kind == "port" and port.group == inner.group and port.lane == inner.lane:
            found.add(vertex[port.id])
    return found


def _spans(view: View, frames: _Frames, of: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """The rows of each frame: those of its members, of the frames inside, and of its twin."""
    rows_of: dict[int, list[int]] = defaultdict(list)
    for node in view.nodes:
        for name in frames.around(node.group):
            rows_of[frames.first[name]].append(of[node.id])
    spans = {}
    for name, key in frames.first.items():
        found = rows_of[key] or [0]
        spans[name] = (min(found), max(found))
    for name in spans:  # a twin made taller may reach beyond the frame around it
        for outer in frames.around(name)[1:]:
            low, high = spans[outer]
            spans[outer] = (min(low, spans[name][0]), max(high, spans[name][1]))
    return spans
