"""Which nodes are seen when some groups are open and the others closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from ..model import Edge, Graph, Group, Node


@dataclass(frozen=True, slots=True)
class View:
    """What is visible: nodes (their `group` is an open one), merged edges, frames, aliases."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    frames: tuple[Group, ...]
    alias: dict[str, str]


def toggle(group: Group) -> str:
    """The name by which a group opens and closes: both halves of a PyLayer share it."""
    return group.twin or group.id


def fold(graph: Graph, opened: AbstractSet[str]) -> View:
    """Replace every closed group by one node and tie the edges to what is left."""
    groups = {group.id: group for group in graph.groups}
    outer = _outermost_closed(groups, opened)
    closed = {name: _closed_node(groups, groups[name]) for name in sorted(set(outer.values()))}
    nodes: list[Node] = []
    alias: dict[str, str] = {}
    shown: set[str] = set()
    for node in graph.nodes:
        name = outer.get(node.group or "")
        if name is None:
            nodes.append(node if node.group in groups else replace(node, group=None))
            continue
        alias[node.id] = closed[name].id
        if name not in shown:
            shown.add(name)
            nodes.append(closed[name])
    nodes += [node for name, node in closed.items() if name not in shown]
    nodes = [_with_pair(node, alias) for node in nodes]
    edges = _merge(graph.edges, {node.id for node in nodes}, alias)
    frames = tuple(group for group in graph.groups if group.id not in outer)
    return _one_lane(View(tuple(nodes), edges, frames, alias))


def _one_lane(view: View) -> View:
    """A frame surrounds nodes of one lane only; what stands elsewhere is not in it."""
    parent = {group.id: group.parent for group in view.frames}
    lane: dict[str, tuple[str, int]] = {}
    nodes = []
    for node in view.nodes:
        here, at = (node.lane, node.column), node.group
        around = []
        while at in parent and at not in around:
            around.append(at)
            at = parent[at]
        if any(lane.get(name, here) != here for name in around):
            node = replace(node, group=None)
        else:
            lane |= dict.fromkeys(around, here)
        nodes.append(node)
    # A frame around nothing would have no place.
    frames = tuple(group for group in view.frames if group.id in lane)
    return replace(view, nodes=tuple(nodes), frames=frames)


def _outermost_closed(groups: dict[str, Group], opened: AbstractSet[str]) -> dict[str, str]:
    """For each group that is not seen open: the outermost closed group that hides it."""
    outer: dict[str, str] = {}
    for group in groups.values():
        at: Group | None = group
        seen: set[str] = set()
        while at is not None and at.id not in seen:
            seen.add(at.id)
            if toggle(at) not in opened:
                outer[group.id] = at.id
            at = groups.get(at.parent or "")
    return outer


def _closed_node(groups: dict[str, Group], group: Group) -> Node:
    node = group.closed or Node(group.id, group.kind, group.label)
    pair = node.pair
    if pair is None and group.twin is not None and group.lane != "forward":
        for half in groups.values():
            if half.twin == group.twin and half.lane == "forward":
                pair = half.closed.id if half.closed else half.id
                break
    parent = group.parent if group.parent in groups else None
    return replace(
        node, lane=group.lane, group=parent, pair=pair, badges=node.badges or group.badges
    )


def _with_pair(node: Node, alias: dict[str, str]) -> Node:
    if node.pair is None or node.pair not in alias:
        return node
    return replace(node, pair=alias[node.pair])


def _merge(edges: tuple[Edge, ...], shown: set[str], alias: dict[str, str]) -> tuple[Edge, ...]:
    """Edges between visible nodes, one for each (source, target, kind); adds aliases of edges."""
    ends = [
        (alias.get(edge.source, edge.source), alias.get(edge.target, edge.target)) for edge in edges
    ]
    moved = Counter(
        (*end, edge.kind)
        for edge, end in zip(edges, ends, strict=True)
        if end != (edge.source, edge.target)
    )
    kept: dict[tuple[str, str, str], Edge] = {}
    result: list[Edge] = []
    for edge, (source, target) in zip(edges, ends, strict=True):
        if source not in shown or target not in shown or source == target:
            continue
        key = (source, target, edge.kind)
        if not moved[key]:  # x * x keeps its two wires
            result.append(edge)
        elif key in kept:
            alias[edge.id] = kept[key].id
        else:
            kept[key] = replace(edge, source=source, target=target)
            result.append(kept[key])
    return tuple(result)
