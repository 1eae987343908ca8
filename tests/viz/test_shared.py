"""A layer that is called twice: the frames of its parameters, gradients and sums."""

from collections import defaultdict

import pytest

import minipaddle as paddle
import viz
from viz.layout.scene import scene_of


def rounds(clear: bool) -> viz.Trace:
    paddle.seed(0)
    net = paddle.nn.Linear(2, 2)
    x = paddle.to_tensor([[1.0, -1.0]])
    with viz.record() as trace:
        for _ in range(2):
            net(x).sum().backward()
            if clear:
                net.clear_gradients()
    return trace


@pytest.mark.parametrize("clear", [True, False])
def test_each_call_shows_its_parameters_in_its_own_frame(clear: bool) -> None:
    graph = rounds(clear).story.graph
    calls = [g.id for g in graph.groups if g.lane == "forward"]
    homes: dict[str, list[tuple[str | None, bool]]] = defaultdict(list)
    for node in graph.nodes:
        if node.kind == "parameter":
            homes[str(node.label)].append((node.group, node.tag_of is not None))
    expected = [(calls[0], False), (calls[1], True)]
    assert homes == {"net.weight": expected, "net.bias": expected}
    closed = scene_of(graph)
    names = {box.id: str(box.label) for box in closed.boxes}
    wires = {(names[w.source], names[w.target]) for w in closed.wires if w.kind == "data"}
    assert ("Linear", "Linear") not in wires


def test_the_gradients_of_a_later_round_are_in_its_own_half() -> None:
    graph = rounds(clear=False).story.graph
    halves = [g.id for g in graph.groups if g.lane == "backward"]
    assert len(halves) == 2
    for kind, found in (("leaf_grad", halves), ("accumulate", halves[1:])):
        assert {n.group for n in graph.nodes if n.kind == kind} == set(found)


@pytest.mark.parametrize("clear", [True, False])
def test_only_a_gradient_that_was_not_cleared_has_a_wire_to_the_next_round(clear: bool) -> None:
    graph = rounds(clear).story.graph
    kinds = {node.id: node.kind for node in graph.nodes}
    onward = [e for e in graph.edges if kinds.get(e.source) == "leaf_grad"]
    assert bool(onward) is not clear
