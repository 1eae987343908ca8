"""Blocks: repeated parts and long rows of ops are boxes that open and close."""

from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import minipaddle as paddle
import viz
from viz.layout.fold import View, fold
from viz.layout.scene import Scene, first_open, foldable, scene_of
from viz.model import Edge, Graph, Group, Node
from viz.story.groups.repeats import FEW, MANY, with_blocks


def first(trace: Any) -> Scene:
    graph = trace.story.graph
    return scene_of(graph, first_open(graph))


def boxes(scene: Scene) -> dict[str, tuple[str, ...]]:
    return {str(box.label): tuple(map(str, box.badges)) for box in scene.boxes}


def transformer(layers: int) -> Any:
    paddle.seed(0)
    layer = paddle.nn.TransformerEncoderLayer(4, 2, 4, dropout=0.0)
    net = paddle.nn.TransformerEncoder(layer, layers)
    with viz.record() as trace:
        x = paddle.ones([1, 2, 4])
        net(x).mean().backward()
    return trace


def loop(times: int, broken: int = -1) -> Any:
    """Record ops that repeat without a Python loop, with a weight that all repetitions share."""
    w = paddle.to_tensor([0.5, 0.25], stop_gradient=False)

    def turn(h: paddle.Tensor, k: int) -> paddle.Tensor:
        own = paddle.to_tensor([float(k)])
        h = paddle.tanh(h * w + own)
        return paddle.log(h * 0.0 - 1.0) if k == broken else h

    with viz.record(limit=10**6) as trace:
        h = reduce(turn, range(times), w)
        h.sum().backward()
    return trace


def test_layers_that_repeat_are_one_box_in_both_lanes() -> None:
    trace = transformer(6)
    found = boxes(first(trace))
    assert found["TransformerEncoderLayer"] == ("× 6",)
    assert found["TransformerEncoderLayer backward"] == ("× 6",)
    assert len(found) <= FEW
    graph = trace.story.graph
    row = next(g for g in graph.groups if g.kind == "row" and g.lane == "forward")
    layers = [g.id for g in graph.groups if g.parent == row.id]
    outer = set(first_open(graph))
    opened = scene_of(graph, frozenset({row.id, layers[2], *outer}))
    several = [str(box.label) for box in opened.boxes if box.several and box.lane == "forward"]
    kind = "TransformerEncoderLayer"
    assert several == [f"{kind} 0 … 1", f"{kind} 3 … 5"]
    assert f"{kind} 2" in [str(frame.label) for frame in opened.frames]
    assert {frame.kind for frame in opened.frames} == {"layer", "row"}
    opened = scene_of(graph, frozenset({row.id, *outer}))
    assert not any(box.kind in ("parameter", "leaf_grad") for box in opened.boxes)  # in the layers


def test_a_box_of_several_layers_is_not_named_after_one_result() -> None:
    layers = [paddle.nn.Linear(4, 4) for _ in range(16)]
    with viz.record() as trace:
        x = paddle.ones([2, 4])
        for layer in layers:
            x = layer(x)
    graph = trace.story.graph
    row = next(group.id for group in graph.groups if group.kind == "row")
    several = next(box for box in scene_of(graph, frozenset({row})).boxes if box.several)
    assert several.detail == "[2, 4] float32"
    assert several.title.en.endswith(" · [2, 4] float32")


def test_a_part_of_a_long_row_may_contain_a_block() -> None:
    random = np.random.default_rng(0)
    ops = [paddle.sin, paddle.cos, paddle.tanh, paddle.abs, paddle.square]
    y = paddle.to_tensor([0.5], stop_gradient=False)
    with viz.record() as trace:
        for pick in (*random.integers(5, size=100), *(0, 1) * 30, *random.integers(5, size=100)):
            y = ops[pick](y)
        y.backward()
    groups = {group.id: group for group in trace.story.graph.groups}
    (loop,) = (
        g for g in groups.values() if tuple(map(str, g.badges)) == ("× 30",) and g.lane == "forward"
    )
    (half,) = (
        g
        for g in groups.values()
        if tuple(map(str, g.badges)) == ("× 30",) and g.lane == "backward"
    )
    part = groups[loop.parent or ""]
    assert groups[half.parent or ""].twin == part.id
    assert "–" in part.closed.detail
    assert "sin · cos" not in boxes(first(trace))
    opened = scene_of(trace.story.graph, frozenset({part.id}))
    assert boxes(opened)["sin · cos"] == boxes(opened)["sin · cos backward"] == ("× 30",)


def test_the_box_of_a_block_reports_a_nan_inside() -> None:
    found = boxes(first(loop(60, broken=30)))
    assert ("first NaN" in str(found)) is True
    assert "first NaN" not in str(boxes(first(loop(60))))


# ----- any graph ---------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=MANY // 2, max_size=MANY), st.data())
def test_blocks_hide_nothing_and_keep_lanes(labels: list[str], data: st.DataObject) -> None:
    nodes, edges = [], []
    for k, label in enumerate(labels):
        group = "layer" if label == "c" else None
        nodes.append(Node(f"op{k}", "op", label, group=group))
        nodes.append(Node(f"grad{k}", "grad", label, lane="backward", pair=f"op{k}"))
        if k:
            edges.append(Edge(f"e{k}", f"op{k - 1}", f"op{k}"))
            edges.append(Edge(f"g{k}", f"grad{k}", f"grad{k - 1}", "grad"))
    closed = Node("layer.box", "op", "layer")
    graph = Graph(tuple(nodes), tuple(edges), (Group("layer", "layer", "layer", closed=closed),))
    blocked = with_blocks(graph)
    assert [node.id for node in blocked.nodes] == [node.id for node in graph.nodes]
    assert blocked.edges == graph.edges
    groups = {group.id: group for group in blocked.groups}
    for node in blocked.nodes:
        if node.group in groups and groups[node.group].kind == "block":
            assert groups[node.group].lane == node.lane
            if node.pair:
                pair = next(n for n in blocked.nodes if n.id == node.pair)
                assert groups[node.group].twin == pair.group
    everything = fold(blocked, frozenset(foldable(blocked)))
    assert {part.item.box.id for part in everything.seen.boxes} == {n.id for n in nodes}
    assert len(everything.threads) == len(edges)
    some = data.draw(st.frozensets(st.sampled_from(foldable(blocked))))
    view = fold(blocked, some)
    shown = {part.item.box.id for part in (*view.seen.boxes, *view.seen.frames)}
    for node in nodes:
        assert node.id in shown or view.alias.get(node.id) in shown


# ----- Folding gives what a plain search finds, for every view -----------------------------------


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
    """Return the ids of the boxes_of, the edges, and the aliases of hidden parts."""
    boxes_of = hidden_by(graph, opened)
    alias = {node.id: boxes_of[node.group] for node in graph.nodes if node.group in boxes_of}
    seen = {node.id for node in graph.nodes} - alias.keys()
    groups = {group.id: group for group in graph.groups}
    for name, box in boxes_of.items():
        if (groups[name].parent or "") not in boxes_of:
            seen.add(box)
    for group in graph.groups:
        if group.closed and (group.parent or "") in boxes_of:
            alias[group.closed.id] = boxes_of[group.parent or ""]
    ends = [(alias.get(e.source, e.source), alias.get(e.target, e.target)) for e in graph.edges]
    closed = {*boxes_of.values()}
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


def boxes_of(view: View) -> list[str]:
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
        assert set(boxes_of(view)) == seen
        assert drawn(view) == edges
        for name in (*(n.id for n in graph.nodes), *(e.id for e in graph.edges)):
            assert view.alias.get(name, "none") == alias.get(name, "none")


def test_nodes_keep_their_positions() -> None:
    inside = [Node(name, "op", name, group="g") for name in "bd"]
    outside = [Node(name, "op", name) for name in "ace"]
    nodes = (outside[0], inside[0], outside[1], inside[1], outside[2])
    graph = Graph(nodes, (), (Group("g", "layer", "g"), Group("empty", "layer", "none")))
    assert boxes_of(fold(graph, frozenset())) == ["a", "g", "c", "e", "empty"]
    assert boxes_of(fold(graph, frozenset({"g"}))) == [*"abcde", "empty"]
