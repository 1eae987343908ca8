"""The story of eager code: boxes, wires, groups and steps, from recorded events."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from viz.model import Node, Step, Story
from viz.trace import Trace
from viz.views.matching_boxes import boxes_of

from . import programs, stories


def kinds(trace: Trace) -> list[str]:
    return [step.kind for step in trace.steps]


def nodes(story: Story, kind: str) -> list[Node]:
    return [node for node in story.graph.nodes if node.kind == kind]


def only(story: Story, kind: str) -> Node:
    (found,) = nodes(story, kind)
    return found


def wires(story: Story, kind: str) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in story.graph.edges if edge.kind == kind}


def line_of(trace: Trace, place: tuple[int, int]) -> str:
    source = trace.sources[place[0]]
    return source.lines[place[1] - source.first]


def step_of(trace: Trace, kind: str) -> Step:
    return next(view.step for view in trace.steps if view.kind == kind)


# ----- a PyLayer opened --------------------------------------------------------------------------


def test_a_pylayer_has_two_halves_that_open_together() -> None:
    forward, backward = programs.tanh().story.graph.groups
    assert forward.twin == backward.twin
    assert (forward.lane, backward.lane) == ("forward", "backward")
    assert (forward.closed.kind, backward.closed.kind) == ("pylayer", "pylayer_grad")
    assert backward.closed.pair == forward.closed.id


def test_the_inner_backward_steps_come_from_recorded_events() -> None:
    """A layer of three inner ops: each inner step is an op event between entered and left."""
    trace = programs.tanh()
    inside: list[str] = []
    scope = None
    for event in trace.events:
        if isinstance(event, events.ScopeEntered) and event.kind == "pylayer.backward":
            scope = event.scope
        elif isinstance(event, events.ScopeLeft) and event.scope == scope:
            scope = None
        elif scope and isinstance(event, events.OpFinished):
            inside.append(event.op)
    assert inside == ["square", "scale", "multiply"]
    backward = trace.story.graph.groups[1]
    inner = [n for n in trace.story.graph.nodes if n.group == backward.id and n.kind == "op"]
    assert [str(n.label) for n in inner] == ["square", "1 −", "×"]
    told = [view for view in trace.steps if view.kind == "op" and view.phase == "backward"]
    assert [view.nodes[-1] for view in told] == [n.id for n in inner]
    assert all("dy * (1 - paddle.square(y))" in line_of(trace, view.line) for view in told)


def test_without_the_recorded_events_the_backward_half_has_no_inside() -> None:
    trace = programs.tanh()
    document = dict(trace.document)
    rows = document["events"]
    at, end = (i for i, row in enumerate(rows) if row.get("kind") == "pylayer.backward")
    document["events"] = rows[:at] + rows[end + 1 :]
    story = Trace(document).story
    assert len(story.graph.groups) == 1
    assert [str(n.label) for n in nodes(story, "grad")] == [
        "mean backward",
        "cus_tanh.backward",
    ]


def test_the_saved_wire_leads_to_the_inner_op_that_reads_it() -> None:
    story = programs.tanh().story
    ((source, port),) = wires(story, "saved")
    square = next(n for n in story.graph.nodes if str(n.label) == "square")
    assert source.endswith(".out0")
    assert (port, square.id) in wires(story, "data")


def test_a_gradient_that_is_none_has_a_port_and_is_called_none() -> None:
    trace = programs.two_ways()
    labels = [(str(n.label), n.detail) for n in nodes(trace.story, "port")]
    assert "ddrest" not in dict(labels)
    assert ("drest", "None") in labels
    assert ("db", "None") in labels


# ----- how gradients travel ----------------------------------------------------------------------


def test_a_tensor_used_twice_gets_a_sum_of_its_own() -> None:
    trace = programs.fan_in()
    box = only(trace.story, "accumulate")
    assert kinds(trace).count("accumulate") == 1
    into = [edge for edge in trace.story.graph.edges if edge.target == box.id]
    assert len(into) == 2
    step = step_of(trace, "accumulate")
    held, added, total = (np.array(shown.value["data"]) for shown in step.shown)
    np.testing.assert_array_equal(held + added, total)
    np.testing.assert_allclose(total, 2 * np.array(programs.ROWS))


def test_three_uses_are_two_sums_in_one_box() -> None:
    x = programs.leaf()
    with viz.record() as trace:
        y = x * x
        (y * x).sum().backward()
    assert kinds(trace).count("accumulate") == 2
    assert len(nodes(trace.story, "accumulate")) == 1


def test_the_sum_that_undoes_broadcasting_is_a_box() -> None:
    trace = programs.broadcast()
    box = only(trace.story, "unbroadcast")
    assert box.detail == "[3] float64"
    step = step_of(trace, "unbroadcast")
    before, after = (np.array(shown.value["data"]) for shown in step.shown)
    np.testing.assert_array_equal(before.sum(axis=0), after)
    assert [shown.name for shown in step.shown] == ["db", "db"]
    visit = [view for view in trace.steps if view.kind == "visit"][-1]
    wide = {shown.name: shown.value["shape"] for shown in visit.shown}
    assert wide["db"] == [2, 3]  # it is summed in the next step only


def test_a_second_backward_adds_to_what_the_first_left() -> None:
    trace = programs.twice()
    first, second = nodes(trace.story, "leaf_grad")
    box = only(trace.story, "accumulate")
    assert (first.column, second.column) == (0, 1)
    assert (first.id, box.id) in wires(trace.story, "grad")
    assert (box.id, second.id) in wires(trace.story, "grad")


def test_a_hook_stands_between_and_runs_before_the_node() -> None:
    trace = programs.hooked()
    box = only(trace.story, "hook")
    order = kinds(trace)
    assert order.index("hook") == len(order) - 1 - order[::-1].index("visit") - 1
    target = next(e.target for e in trace.story.graph.edges if e.source == box.id)
    assert target == nodes(trace.story, "grad")[-1].id


# ----- layers and optimizers ---------------------------------------------------------------------


def test_parameters_and_their_gradients_stand_in_their_layer() -> None:
    story = programs.step().story
    groups = {g.id: g for g in story.graph.groups}
    parameters = {n.id: n for n in nodes(story, "parameter")}
    assert [str(n.label) for n in parameters.values()] == [
        f"net.{layer}.{name}" for layer in (0, 2) for name in ("weight", "bias")
    ]
    for grad in nodes(story, "leaf_grad"):
        assert groups[grad.group].twin == groups[parameters[grad.pair].group].twin


# ----- places and values -------------------------------------------------------------------------


def test_a_backward_step_knows_its_own_line_and_the_forward_line() -> None:
    trace = programs.fan_in()
    visit = step_of(trace, "visit")
    assert "loss.backward()" in line_of(trace, visit.line)
    assert "loss = y.sum()" in line_of(trace, visit.forward_line)


# ----- failures ----------------------------------------------------------------------------------


def test_a_failing_hook_leaves_the_visit_without_a_claim() -> None:
    x = programs.leaf()
    y = x * x

    def bad(grad: paddle.Tensor) -> None:
        raise KeyError("hook")

    y.register_hook(bad)
    with pytest.raises(OSError, match="hook failed"), viz.record() as trace:
        y.sum().backward()
    assert "anybody" not in trace.text()
    assert not any("computes" in view.text and "mult" in view.text for view in trace.steps)


# ----- static Programs ---------------------------------------------------------------------------


def test_a_program_is_built_then_run() -> None:
    trace = programs.program()
    phases = [view.phase for view in trace.steps]
    assert phases == sorted(phases)  # build, then run
    order = [view.kind for view in trace.steps if view.phase == "run" and view.kind != "free"]
    rest = ["py_func", *["execute"] * 3, "py_func", *["execute"] * 4, "finish"]
    assert order == ["startup", "run", "execute", "execute", *rest]


def test_gradient_operators_stand_beside_the_operators_they_come_from() -> None:
    graph = programs.program().story.graph
    nodes = boxes_of(graph)
    labels = {name: str(node.label) for name, node in nodes.items()}
    inside = {n.id for n in graph.nodes if n.group}
    pairs = {
        (str(node.label), labels[node.pair])
        for node in nodes.values()
        if node.lane == "backward" and node.id not in inside
    }
    assert {(str(n.label), labels.get(n.pair)) for n in graph.nodes if n.id in inside} >= {
        ("scale_grad", "scale"),
        ("fc_0.tmp_1@GRAD", "fc_0.tmp_1"),
        ("out@GRAD", "out"),
    }
    assert pairs == {
        ("fill_constant", "mean_0.tmp_0"), ("reduce_mean_grad", "reduce_mean"),
        ("py_func: scale_grad", "py_func: scale"), ("mul_grad", "mul"),
        ("elementwise_add_grad", "elementwise_add"),
        ("fc_0.w_0@GRAD", "fc_0.w_0"), ("fc_0.b_0@GRAD", "fc_0.b_0"),
    }  # fmt: skip
    assert [str(n.label) for n in graph.nodes if n.kind == "update"] == ["sgd", "sgd"]
    assert {n.kind for n in graph.nodes if str(n.label) == "fill_constant"} == {"seed"}


def test_a_py_func_is_called_by_its_function_before_it_has_run() -> None:
    class Watcher:
        def __call__(self, x: object) -> None: ...

    def look(x: object) -> None: ...

    with stories.programs(), viz.record() as trace:
        x = paddle.static.data("x", [2], "float32")
        for function in (look, Watcher()):
            paddle.static.py_func(function, x, None)
    frames = [str(group.label) for group in trace.story.graph.groups]
    assert frames == ["py_func: look", "py_func: Watcher"]
    assert "py_func (calling look)" in trace.text()


def test_nothing_built_has_a_value_before_it_ran() -> None:
    trace = programs.program()
    assert all(not view.shown for view in trace.steps if view.phase == "build")


def test_what_is_freed_after_a_py_func_stands_at_the_line_of_the_operator() -> None:
    steps = programs.program().steps
    for step, view in pairwise(steps):
        if step.kind == "py_func" and view.kind == "free":
            assert view.line == step.forward_line
            break
    else:
        pytest.fail("nothing was freed after a py_func")


def test_a_backward_that_has_nothing_to_do_has_no_seed() -> None:
    a, b = paddle.randn([2, 2]), paddle.randn([2, 2])
    with viz.record() as trace:
        z = a * b
        z.backward()
    *_, last = trace.steps
    assert (last.kind, last.phase) == ("idle", "backward")
    assert not nodes(trace.story, "seed")
