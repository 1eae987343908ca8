"""The layout: nothing overlaps, pairs stand level, the spine is straight, deep graphs are fine."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from viz.layout.blueprint import lay_out
from viz.layout.quality import crossings, faults
from viz.layout.scene import Scene, foldable, scene_from, scene_of
from viz.model import Edge, Graph, Group, Node

sys.path.insert(0, str(Path(__file__).parent))
import graphs

from tests.each import each


def ways(graph: Graph) -> list[frozenset[str]]:
    """Every combination of open groups."""
    names = foldable(graph)
    counts = range(len(names) + 1)
    return [frozenset(some) for count in counts for some in combinations(names, count)]


MADE = [graphs.cus_tanh, graphs.mlp, graphs.two_inputs, graphs.hostile]


def boxes(scene: Scene) -> dict[str, tuple[float, float]]:
    """The middle of every box."""
    return {box.id: (box.x + box.w / 2, box.y + box.h / 2) for box in scene.boxes}


def test_pictures_made_by_hand_have_no_fault_however_they_are_folded():
    for make in MADE:
        assert scene_of(make()) == scene_of(make())
        graph = make()
        for some in ways(graph):
            assert faults(scene_of(graph, some)) == [], some


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 22))
def test_any_graph_is_drawn_without_overlaps(seed, size):
    choice = random.Random(seed)
    graph = graphs.wild(choice, size)
    some = frozenset(name for name in foldable(graph) if choice.random() < 0.7)
    # Groups that a path leaves and enters again cannot always keep the spine straight.
    assert [fault for fault in faults(scene_of(graph, some)) if "spine" not in fault] == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 22))
def test_opening_a_group_moves_nothing_past_anything_else(seed, size):
    choice = random.Random(seed)
    graph = graphs.wild(choice, size)
    names = foldable(graph)
    if not names:
        return
    some = frozenset(name for name in names if choice.random() < 0.5)
    blueprint = lay_out(graph)
    one, other = (scene_from(blueprint, way) for way in (some, some ^ {choice.choice(names)}))
    before, after = ({box.id: box for box in scene.boxes} for scene in (one, other))
    rows = {box: (box.lane, box.column, box.group, box.y + box.h / 2) for box in one.boxes}
    for box, beside in combinations(one.boxes, 2):
        if rows[box] == rows[beside] and {box.id, beside.id} <= after.keys():
            moved = after[box.id].x - after[beside.id].x
            assert (before[box.id].x - before[beside.id].x) * moved > 0, (box.id, beside.id)


def test_gradients_stand_beside_their_forward_nodes_and_flow_up():
    at = boxes(scene_of(graphs.cus_tanh(), frozenset({"cus_tanh"})))
    pairs = {"x": "x.grad", "in": "dx", "out": "dy", "mean": "mean'", "loss": "seed"}
    for one, other in pairs.items():
        assert at[one][1] == at[other][1]
        assert at[one][0] < at[other][0]
    flow = ["seed", "mean'", "dy", "mul", "dx", "x.grad"]
    assert [at[name][1] for name in flow] == sorted((at[n][1] for n in flow), reverse=True)
    assert at["tanh"][1] < at["out"][1]


def test_the_spine_is_straight_in_both_lanes_and_through_frames():
    scene = scene_of(graphs.mlp(), frozenset({"cus_tanh", "fc1", "fc2"}))
    at = boxes(scene)
    forward = "x fc1.mm fc1.add tanh gain1 fc2.mm fc2.add gain2 ce loss"
    backward = "seed ce' gain2' fc2.add' fc2.mm' gain1' mul fc1.mm'"
    for names in (forward.split(), backward.split()):
        assert {at[name][0] for name in names} == {at[names[0]][0]}


def test_a_shared_weight_is_drawn_again_at_its_far_uses():
    scene = scene_of(graphs.chain(20))
    tags = [box for box in scene.boxes if box.tag_of == "w"]
    assert len(tags) == 8
    assert all(box.shape == "tag" and str(box.label) == "w" for box in tags)
    at = boxes(scene)
    assert all(0 < at[box.id.split("~")[1]][1] - at[box.id][1] < 120 for box in tags)
    assert any(box.tag_of == "w.grad" for box in scene.boxes)


def test_gradient_of_a_gradient_gets_a_column_of_its_own():
    nodes = [Node("x", "leaf", "x"), Node("f", "op", "f"), Node("y", "result", "y")]
    edges = [Edge("a", "x", "f"), Edge("b", "f", "y")]
    for column in (0, 1):
        nodes += [
            Node(f"{n}{column}", "grad", n, lane="backward", column=column, pair=n)
            for n in ("x", "f", "y")
        ]
        edges += [
            Edge(f"c{column}", f"y{column}", f"f{column}", "grad"),
            Edge(f"d{column}", f"f{column}", f"x{column}", "grad"),
        ]
    edges.append(Edge("again", "f0", "f1", "grad"))
    scene = scene_of(Graph(tuple(nodes), tuple(edges)))
    at = boxes(scene)
    assert [lane.column for lane in scene.lanes] == [0, 0, 1]
    assert at["f"][0] < at["f0"][0] < at["f1"][0]
    assert at["f"][1] == at["f0"][1] == at["f1"][1]
    assert faults(scene) == []


def test_closed_groups_that_wait_for_each_other_are_still_drawn():
    nodes = tuple(Node(n, "op", n, group=g) for n, g in (("a", "g"), ("b", "h"), ("c", "g")))
    edges = (Edge("e", "a", "b"), Edge("f", "b", "c"))
    groups = (Group("g", "layer", "g"), Group("h", "layer", "h"))
    graph = Graph(nodes, edges, groups)
    for some in ways(graph):
        scene = scene_of(graph, some)
        assert [fault for fault in faults(scene) if "spine" not in fault] == [], some


def test_deep_graphs_take_no_recursion():
    graph = graphs.chain(500)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        scene = scene_of(graph)
    finally:
        sys.setrecursionlimit(limit)
    assert len(scene.boxes) == 1501
    assert scene.width < 700


def test_orders_without_crossings_are_found():
    assert crossings(scene_of(graphs.mlp())) == 0
    ladder = [Node(f"{side}{k}", "op", "f") for k in range(6) for side in "ab"]
    order = [0, 3, 1, 5, 2, 4]
    edges = [Edge(f"e{k}", f"a{order[k]}", f"b{order[5 - k]}") for k in range(6)]
    assert crossings(scene_of(Graph(tuple(ladder), tuple(edges)))) == 0


def test_a_label_beside_the_last_wire_widens_the_picture():
    nodes = (
        Node("a", "op", "a"),
        *(Node(n, "grad", n, lane="backward") for n in ("b", "c")),
    )
    edges = tuple(Edge(f"e{k}", "b", "c", "grad", "x@GRAD@RENAME@block0@1"[k:]) for k in range(2))
    scene = scene_of(Graph(nodes, edges))
    assert [wire.label for wire in scene.wires if wire.label]
    assert faults(scene) == []
    assert scene.width > scene_of(Graph(nodes, edges[:0])).width
    said = faults(replace(scene, width=scene.width - 20))
    assert any("the label of wire" in fault and "outside" in fault for fault in said)


@each(
    ("change", "said"),
    [
        (lambda box: {"x": box.x + 120}, "stands in the foreign frame"),
        (lambda box: {"y": box.y + 5}, "stand at different heights"),
        (lambda box: {"x": -50.0}, "is outside the picture"),
        (lambda box: {"label": str(box.label) * 20}, "is wider than the box"),
        (lambda box: {"y": box.y + 90}, "does not reach"),
    ],
)
def test_a_damaged_layout_is_noticed(change, said):
    scene = scene_of(graphs.cus_tanh(), frozenset({"cus_tanh"}))
    moved = tuple(replace(box, **change(box)) if box.id == "mean'" else box for box in scene.boxes)
    if said == "stands in the foreign frame":
        moved = tuple(replace(b, x=100.0, y=200.0) if b.id == "loss" else b for b in scene.boxes)
    assert any(said in fault for fault in faults(replace(scene, boxes=moved)))


def test_damaged_wires_and_frames_are_noticed():
    scene = scene_of(graphs.cus_tanh(), frozenset({"cus_tanh"}))
    bent = replace(scene.wires[0], path="M0,0L600,600")
    assert any("runs through" in f for f in faults(replace(scene, wires=(bent,))))
    lower = replace(scene.frames[0], h=scene.frames[0].h - 60)
    said = faults(replace(scene, frames=(lower, *scene.frames[1:])))
    assert "box out is not inside its frame cus.f" in said
    assert "the halves of cus_tanh do not have one height" in said
    crooked = replace(scene.wires[0], points=((0.0, 0.0), (9.0, 9.0)))
    assert any("is not straight" in f for f in faults(replace(scene, wires=(crooked,))))
