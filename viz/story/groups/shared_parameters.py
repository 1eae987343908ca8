"""Parameters of a layer that is called more than once: tags show them in the frame of each call.

A parameter is drawn in the frame of the first call. Without tags in the other frames, wires would
lead from one call to the next, as if the first call computed a value for the next.
"""

from __future__ import annotations

from dataclasses import replace

from ...model import GIVEN, Graph, Node, around
from .. import ids


def tag_parameters(graph: Graph) -> Graph:
    """Return the graph with tags for uses of a tensor outside of the layer around its box."""
    groups = {group.id: group for group in graph.groups}
    nodes = {node.id: node for node in graph.nodes}
    tags: dict[str, Node] = {}
    edges = []
    for edge in graph.edges:
        tensor = nodes.get(edge.source)
        user = nodes.get(edge.target)
        if user and edge.kind == "saved" and user.pair in nodes:
            user = nodes[user.pair]  # the op that saved the tensor
        lane = user.lane if user else ""
        if tensor and user and tensor.group and tensor.kind in GIVEN and tensor.lane == lane:
            outer = around(groups, user.group)
            frames = [name for name in outer if groups[name].kind == "layer"]
            if frames and tensor.group not in outer:
                name = ids.tag(tensor.id, frames[0])
                tags[name] = replace(
                    tensor, id=name, detail="", badges=(), group=frames[0], tag_of=tensor.id
                )
                edge = replace(edge, source=name)
        edges.append(edge)
    return replace(graph, nodes=(*graph.nodes, *tags.values()), edges=tuple(edges))
