"""Folding gives what a plain search of all nodes and wires finds, for every view."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from viz.layout.fold import View, fold
from viz.model import Edge, Graph, Group, Node

KINDS = ("data", "grad", "saved")


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Draw nested groups, some with a twin, nodes inside and outside, and wires between all."""
    count = draw(st.integers(0, 5))
    groups = []
    for k in range(count):
        parent = draw(st.sampled_from([None, *(f"g{i}" for i in range(k))]))
        twin = draw(st.sampled_from([None, "t1", "t2"]))
        box = Node(f"g{k}.box", "op", f"group {k}") if draw(st.booleans()) else None
        groups.append(Group(f"g{k}", "layer", f"group {k}", parent, twin=twin, closed=box))
    homes = st.sampled_from([None, "nowhere", *(group.id for group in groups)])
    names = [f"n{k}" for k in range(draw(st.integers(1, 8)))]
    pairs = st.sampled_from([None, *names])
    nodes = tuple(Node(n, "op", n, group=draw(homes), pair=draw(pairs)) for n in names)
    ends = st.sampled_from([*names, *(g.closed.id for g in groups if g.closed), "lost"])
    edges = tuple(
        Edge(f"e{k}", draw(ends), draw(ends), draw(st.sampled_from(KINDS)))
        for k in range(draw(st.integers(0, 12)))
    )
    return Graph(nodes, edges, tuple(groups))


def hidden_by(graph: Graph, opened: frozenset[str]) -> dict[str, str]:
    """Map each group that is not open to the box of the outermost closed group around it."""
    groups = {group.id: group for group in graph.groups}
    found = {}
    for group in graph.groups:
        at: Group | None = group
        while at is not None:
            if at.toggles not in opened:
                found[group.id] = at.closed.id if at.closed else at.id
            at = groups.get(at.parent or "")
    return found


def plain(graph: Graph, opened: frozenset[str]) -> tuple[set[str], list[Edge], dict[str, str]]:
    """Return the ids of the boxes, the edges, and the aliases of hidden parts."""
    boxes = hidden_by(graph, opened)
    alias = {node.id: boxes[node.group] for node in graph.nodes if node.group in boxes}
    seen = {node.id for node in graph.nodes} - alias.keys()
    groups = {group.id: group for group in graph.groups}
    for name, box in boxes.items():
        if (groups[name].parent or "") not in boxes:
            seen.add(box)
    for group in graph.groups:
        if group.closed and (group.parent or "") in boxes:
            alias[group.closed.id] = boxes[group.parent or ""]
    ends = [(alias.get(e.source, e.source), alias.get(e.target, e.target)) for e in graph.edges]
    closed = {*boxes.values()}
    first: dict[tuple[str, str, str], str] = {}
    edges = []
    for edge, (source, target) in zip(graph.edges, ends, strict=True):
        if source not in seen or target not in seen or source == target:
            continue
        key = source, target, edge.kind
        to_group = source in closed or target in closed
        if to_group and key in first:
            alias[edge.id] = first[key]
            continue
        if to_group:
            first[key] = edge.id
        edges.append(replace(edge, source=source, target=target))
    return seen, edges, alias


def boxes(view: View) -> list[str]:
    return [part.item.box.id for part in view.seen.boxes]


def drawn(view: View) -> list[Edge]:
    return [
        replace(each.edge, source=each.source.item.box.id, target=each.target.item.box.id)
        for each in view.threads
    ]


@settings(max_examples=150, deadline=None)
@given(
    graphs(), st.lists(st.frozensets(st.sampled_from(["t1", "t2", *(f"g{k}" for k in range(5))])))
)
def test_every_view_equals_a_plain_search(graph: Graph, views: list[frozenset[str]]) -> None:
    for opened in views:
        view = fold(graph, opened)
        seen, edges, alias = plain(graph, opened)
        assert set(boxes(view)) == seen
        assert drawn(view) == edges
        for name in (*(n.id for n in graph.nodes), *(e.id for e in graph.edges)):
            assert view.alias.get(name, "none") == alias.get(name, "none")


def test_nodes_keep_their_positions() -> None:
    inside = [Node(name, "op", name, group="g") for name in "bd"]
    outside = [Node(name, "op", name) for name in "ace"]
    nodes = (outside[0], inside[0], outside[1], inside[1], outside[2])
    graph = Graph(nodes, (), (Group("g", "layer", "g"), Group("empty", "layer", "none")))
    assert boxes(fold(graph, frozenset())) == ["a", "g", "c", "e", "empty"]
    assert boxes(fold(graph, frozenset({"g"}))) == [*"abcde", "empty"]
