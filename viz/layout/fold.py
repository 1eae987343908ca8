"""Which nodes are seen when some groups are open and the others closed, without any places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from ..model import Edge, Graph, Group, Node

Key = tuple[str, str, str]  # source, target, kind


class Alias:
    """Link from a hidden thing to the box or wire that stands for it."""

    def __init__(self, folds: Folds, seen: AbstractSet[str], merged: Mapping[Key, str]) -> None:
        self._folds, self._seen, self._merged = folds, seen, merged

    def get(self, name: str, default: str = "") -> str:
        """The box or wire for a hidden node or a merged wire; `default` for anything else."""
        if name in self._folds.edge_at:
            edge = self._folds.graph.edges[self._folds.edge_at[name]]
            shown = self._merged.get((self._box(edge.source), self._box(edge.target), edge.kind))
            return shown if shown and shown != name else default
        shown = self._box(name)
        return shown if shown != name else default

    def _box(self, name: str) -> str:
        for group in self._folds.paths.get(name, ()):
            if self._folds.box_of[group] in self._seen:
                return self._folds.box_of[group]
        return name


@dataclass(frozen=True, slots=True)
class View:
    """Visible parts: nodes (their `group` is an open one), merged edges, frames, aliases."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    frames: tuple[Group, ...]
    alias: Alias


def toggle(group: Group) -> str:
    """The name by which a group opens and closes: both halves of a PyLayer share it."""
    return group.twin or group.id


def fold(graph: Graph, opened: AbstractSet[str]) -> View:
    """Replace every closed group by one node and tie the edges to what is left."""
    return Folds(graph).view(opened)


class Folds:
    """A graph to be folded."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.groups = {group.id: group for group in graph.groups}
        self.nodes = {node.id: node for node in graph.nodes}
        self.box_of = {g.id: g.closed.id if g.closed else g.id for g in graph.groups}
        self.edge_at = {edge.id: k for k, edge in enumerate(graph.edges)}
        self._around = {name: self._path(name) for name in self.groups}
        self.paths = {n.id: self._around.get(n.group or "", ()) for n in graph.nodes}
        self._inside = self._contents()
        halves = (g for g in reversed(graph.groups) if g.twin and g.lane == "forward")
        self._forward_half = {g.twin: self.box_of[g.id] for g in halves}

    def view(self, opened: AbstractSet[str]) -> View:
        """The view with the groups of these names open."""
        shown = {
            name: group
            for name, group in self.groups.items()
            if all(toggle(self.groups[outer]) in opened for outer in self._around[name])
        }
        things = [thing for name in ("", *shown) for thing in self._inside[name]]
        order = {thing: place for thing, place in things if thing not in shown}
        nodes = [self._node(thing) for thing in sorted(order, key=lambda t: (order[t], t))]
        seen = {node.id for node in nodes}
        edges, merged = self._edges(shown, seen)
        alias = Alias(self, seen, merged)
        nodes = [self._with_pair(node, alias) for node in nodes]
        return _one_lane(View(tuple(nodes), edges, tuple(shown.values()), alias))

    # ----- what does not depend on the view -----

    def _path(self, name: str) -> tuple[str, ...]:
        """The groups around the inside of a group, the outermost first."""
        names: list[str] = []
        at: str | None = name
        while at in self.groups and at not in names:
            names.append(at)
            at = self.groups[at].parent
        return tuple(reversed(names))

    def _contents(self) -> dict[str, list[tuple[str, float]]]:
        """By group, "" for none: what stands in it, and where its first node comes."""
        contents: dict[str, dict[str, float]] = defaultdict(dict)
        for place, node in enumerate(self.graph.nodes):
            outer = ""
            for group in self.paths[node.id]:
                contents[outer].setdefault(group, place)
                outer = group
            contents[outer][node.id] = place
        for name, around in self._around.items():
            contents[around[-2] if len(around) > 1 else ""].setdefault(name, float("inf"))
        return defaultdict(list, {name: list(inside.items()) for name, inside in contents.items()})

    # ----- one view -----

    def _edges(
        self, shown: Mapping[str, Group], seen: AbstractSet[str]
    ) -> tuple[tuple[Edge, ...], dict[Key, str]]:
        """Edges in their order, one for each key where a closed group is an end; and these."""
        ends = [
            (self._end(edge.source, shown), self._end(edge.target, shown))
            for edge in self.graph.edges
        ]
        both = list(zip(self.graph.edges, ends, strict=True))
        moved = {(*at, edge.kind) for edge, at in both if at != (edge.source, edge.target)}
        drawn: list[Edge] = []
        merged: dict[Key, str] = {}
        for edge, (source, target) in both:
            if source == target or source not in seen or target not in seen:
                continue
            key = source, target, edge.kind
            if key not in moved:  # x * x keeps its two wires
                drawn.append(edge)
            elif key not in merged:
                merged[key] = edge.id
                drawn.append(replace(edge, source=source, target=target))
        return tuple(drawn), merged

    def _end(self, name: str, shown: Mapping[str, Group]) -> str:
        """The node itself, or the box of the outermost closed group around it."""
        closed = next((group for group in self.paths.get(name, ()) if group not in shown), None)
        return name if closed is None else self.box_of[closed]

    def _node(self, thing: str) -> Node:
        if thing in self.groups:
            return self._closed_node(self.groups[thing])
        node = self.nodes[thing]
        return node if node.group in self.groups else replace(node, group=None)

    def _closed_node(self, group: Group) -> Node:
        node = group.closed or Node(group.id, group.kind, group.label)
        pair = node.pair
        if pair is None and group.twin is not None and group.lane != "forward":
            pair = self._forward_half.get(group.twin)
        parent = group.parent if group.parent in self.groups else None
        return replace(
            node, lane=group.lane, group=parent, pair=pair, badges=node.badges or group.badges
        )

    def _with_pair(self, node: Node, alias: Alias) -> Node:
        pair = node.pair and alias.get(node.pair, node.pair)
        return node if pair == node.pair else replace(node, pair=pair)


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
