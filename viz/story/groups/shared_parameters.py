"""Parameters of a layer that is called more than once: each call shows them in its own frame.

A parameter stands in the frame of the first call. Without a tag in the others their wires would
lead from one call to the next, as if one gave the other a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...model import GIVEN, Graph, Group, Node, around
from .. import ids


def tag_parameters(graph: Graph) -> Graph:
    """Return the graph with a tag for each use of a tensor outside of the layer that it stands
    in."""
    groups = {group.id: group for group in graph.groups}
    nodes = {node.id: node for node in graph.nodes}
    tags: dict[str, Node] = {}
    edges = []
    for edge in graph.edges:
        tensor = nodes.get(edge.source)
        user = nodes.get(edge.target)
        if user and edge.kind == "saved" and user.pair in nodes:
            user = nodes[user.pair]  # it was saved by that op
        lane = user.lane if user else ""
        if tensor and user and tensor.group and tensor.kind in GIVEN and tensor.lane == lane:
            frames = _layers(groups, user.group)
            if frames and tensor.group not in around(groups, user.group):
                name = ids.tag(tensor.id, frames[0])
                tags[name] = replace(
                    tensor, id=name, detail="", badges=(), group=frames[0], tag_of=tensor.id
                )
                edge = replace(edge, source=name)
        edges.append(edge)
    return replace(graph, nodes=(*graph.nodes, *tags.values()), edges=tuple(edges))


def _layers(groups: Mapping[str, Group], name: str | None) -> list[str]:
    return [each for each in around(groups, name) if groups[each].kind == "layer"]
