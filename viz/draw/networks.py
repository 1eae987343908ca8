"""The graph of a picture for NetworkX: to count paths, find dependencies, or draw otherwise."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import NotFound
from minipaddle.engine.install_advice import EXTRAS, pip_install

from ..layout.scene import foldable, scene_of
from ..model import Graph, label_of

KEPT = ("kind", "detail", "lane", "column", "pair", "group")  # attributes of nodes that are copied


def network(graph: Graph, title: str) -> Any:
    """Return a `networkx.MultiDiGraph` of all boxes and wires; raise NotFound without NetworkX."""
    try:
        import networkx as nx
    except ModuleNotFoundError:
        raise NotFound(
            "the graph is made by NetworkX, which is not here.",
            expected="the package networkx",
            received="no module networkx",
            fix=f"{pip_install(EXTRAS['networkx'])}; trace.graphviz() needs nothing more",
        ) from None
    places = {box.id: box for box in scene_of(graph, frozenset(foldable(graph))).boxes}
    made = nx.MultiDiGraph(title=title)
    for node in graph.nodes:
        place = places.get(node.id)
        made.add_node(
            node.id,
            label=label_of(node, "en"),
            **{name: getattr(node, name) for name in KEPT},
            badges=[str(badge) for badge in node.badges],
            pos=place and (place.x + place.w / 2, -(place.y + place.h / 2)),
        )
    for edge in graph.edges:
        made.add_edge(edge.source, edge.target, key=edge.id, kind=edge.kind, label=edge.label)
    made.graph["groups"] = {
        group.id: {"kind": group.kind, "label": label_of(group, "en"), "parent": group.parent}
        for group in graph.groups
    }
    return made
