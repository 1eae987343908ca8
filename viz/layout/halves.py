"""One half of a graph: the boxes that compute values, or those of gradients and updates."""

from __future__ import annotations

from dataclasses import replace

from minipaddle.engine.errors import InvalidArgument

from ..model import Graph, Group, Node

NEEDED = {
    "forward": "a trace in which something ran forward",
    "backward": "a trace in which backward() ran, or a Program with gradients",
}
HALVES = ("both", *NEEDED)


def check_halves(halves: str) -> str:
    """Return `halves`; raise InvalidArgument if it names no half."""
    if halves not in HALVES:
        raise InvalidArgument(
            f"a picture has no half {halves!r}.",
            expected='halves="forward", "backward" (gradients and updates) or "both"',
            received=f"halves={halves!r}",
            fix='write halves="forward", or leave halves out',
        )
    return halves


def half_of(graph: Graph, halves: str) -> Graph:
    """Return the graph without its other half; raise InvalidArgument if nothing would be left.

    >>> from viz.model import Edge
    >>> nodes = Node("x", "op", "x"), Node("dx", "grad", "dx", lane="backward", pair="x")
    >>> half = half_of(Graph(nodes, (Edge("e", "x", "dx", "saved"),)), "backward")
    >>> [(node.id, node.pair) for node in half.nodes], half.edges
    ([('dx', None)], ())
    """
    if halves == "both":
        return graph

    def kept(thing: Node | Group) -> bool:
        return (thing.lane == "forward") == (halves == "forward")

    nodes = [node for node in graph.nodes if kept(node)]
    groups = [group for group in graph.groups if kept(group)]
    if not nodes:
        raise InvalidArgument(
            f"there is no {halves} half to draw.",
            expected=NEEDED[halves],
            received=f"halves={halves!r}",
            fix="leave halves out",
        )
    names = {node.id for node in nodes}
    boxes = names | {group.closed.id for group in groups if group.closed}

    def alone(node: Node) -> Node:
        return node if node.pair in boxes else replace(node, pair=None)

    return Graph(
        tuple(map(alone, nodes)),
        tuple(e for e in graph.edges if e.source in names and e.target in names),
        tuple(replace(g, closed=alone(g.closed)) if g.closed else g for g in groups),
    )
