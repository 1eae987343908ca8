"""The layout has no overlaps, level pairs, and a straight spine, also for deep graphs."""

import random
import sys
from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.viz.quality import faults
from viz.layout.blueprint import lay_out
from viz.layout.scene import foldable, scene_from, scene_of
from viz.model import Edge, Graph, Group, Node

from . import graphs


def ways(graph: Graph) -> list[frozenset[str]]:
    """Return every combination of open groups."""
    names = foldable(graph)
    counts = range(len(names) + 1)
    return [frozenset(some) for count in counts for some in combinations(names, count)]


MADE = [graphs.cus_tanh, graphs.two_inputs, graphs.hostile]


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
def test_opening_a_group_keeps_the_order_of_boxes(seed, size):
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


def test_closed_groups_that_wait_for_each_other_are_still_drawn():
    nodes = tuple(Node(n, "op", n, group=g) for n, g in (("a", "g"), ("b", "h"), ("c", "g")))
    edges = (Edge("e", "a", "b"), Edge("f", "b", "c"))
    groups = (Group("g", "layer", "g"), Group("h", "layer", "h"))
    graph = Graph(nodes, edges, groups)
    for some in ways(graph):
        scene = scene_of(graph, some)
        assert [fault for fault in faults(scene) if "spine" not in fault] == [], some


def test_deep_graphs_need_no_recursion():
    graph = graphs.chain(500)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        scene = scene_of(graph)
    finally:
        sys.setrecursionlimit(limit)
    assert len(scene.boxes) == 1501
    assert scene.width < 700


def test_a_label_beside_the_last_wire_widens_the_picture():
    nodes = (Node("a", "op", "a"), *(Node(n, "grad", n, lane="backward") for n in ("b", "c")))
    edges = tuple(Edge(f"e{k}", "b", "c", "grad", "x@GRAD@RENAME@block0@1"[k:]) for k in range(2))
    scene = scene_of(Graph(nodes, edges))
    assert [wire.label for wire in scene.wires if wire.label]
    assert faults(scene) == []
    assert scene.width > scene_of(Graph(nodes, edges[:0])).width
    said = faults(replace(scene, width=scene.width - 20))
    assert any("the label of wire" in fault and "outside" in fault for fault in said)
