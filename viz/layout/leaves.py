"""Far uses of one tensor are drawn with small tags, so that a shared weight ruins no picture."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace

from ..model import GIVEN, Edge, Node
from .fold import View

FAR = 4  # rows between a leaf and a use that is still drawn with a wire
SINKS = frozenset({"accumulate", "leaf_grad"})


def add_tags(view: View, rows: Mapping[str, int]) -> View:
    """Repeat leaves at their far uses, and gradients' ends at their far sources, as tags."""
    nodes = {node.id: node for node in view.nodes}
    edges = list(view.edges)
    tags: dict[str, Node] = {}
    at_use = _repeat_leaves(edges, nodes, rows, tags)
    _move_saved(edges, nodes, at_use)
    _repeat_sinks(edges, nodes, rows, tags)
    if not tags:
        return view
    return replace(view, nodes=(*view.nodes, *tags.values()), edges=tuple(edges))


def _same_lane(one: Node, other: Node) -> bool:
    return one.lane == other.lane and one.column == other.column


def _repeat_leaves(
    edges: list[Edge], nodes: dict[str, Node], rows: Mapping[str, int], tags: dict[str, Node]
) -> dict[tuple[str, str], str]:
    """Make a tag for each far use of a leaf; says which tag stands at (leaf, user)."""
    uses = Counter(edge.source for edge in edges if edge.kind == "data")
    at_use: dict[tuple[str, str], str] = {}
    for k, edge in enumerate(edges):
        leaf, user = nodes[edge.source], nodes[edge.target]
        if leaf.kind not in GIVEN or edge.kind != "data" or not _same_lane(leaf, user):
            continue
        if uses[leaf.id] < 2 or 0 < rows[user.id] - rows[leaf.id] <= FAR:
            continue
        name = f"{leaf.id}~{user.id}"
        tags[name] = replace(
            leaf, id=name, detail="", badges=(), pair=None, group=user.group, tag_of=leaf.id
        )
        at_use[leaf.id, user.id] = name
        edges[k] = replace(edge, source=name)
    return at_use


def _move_saved(
    edges: list[Edge],
    nodes: dict[str, Node],
    at_use: Mapping[tuple[str, str], str],
) -> None:
    """A saved leaf is read from the tag beside the op that saved it."""
    for k, edge in enumerate(edges):
        pair = nodes[edge.target].pair
        if edge.kind == "saved" and pair is not None and (edge.source, pair) in at_use:
            edges[k] = replace(edge, source=at_use[edge.source, pair])


def _repeat_sinks(
    edges: list[Edge], nodes: dict[str, Node], rows: Mapping[str, int], tags: dict[str, Node]
) -> None:
    into: dict[str, list[int]] = defaultdict(list)
    onward = {e.source: e.target for e in reversed(edges) if nodes.get(e.target)}
    for k, edge in enumerate(edges):
        sink = nodes.get(edge.target)
        source = nodes.get(edge.source)
        if sink is None or source is None or sink.kind not in SINKS:
            continue
        if edge.kind == "grad" and _same_lane(sink, source):
            into[sink.id].append(k)
    for name, uses in into.items():
        sink = nodes[name]
        for k in uses if len(uses) > 1 else ():
            source = nodes[edges[k].source]
            if 0 < rows[source.id] - rows[name] <= FAR or source.kind == "accumulate":
                continue
            end = nodes.get(onward.get(name, ""), sink) if sink.kind == "accumulate" else sink
            tag = f"{source.id}~{name}"
            tags[tag] = replace(
                sink,
                id=tag,
                label=f"{sink.label} → {end.label}" if end is not sink else end.label,
                detail="",
                badges=(),
                pair=None,
                group=source.group,
                tag_of=name,
            )
            edges[k] = replace(edges[k], target=tag)
