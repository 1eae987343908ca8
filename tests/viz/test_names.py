"""Names of tensors: the variables of the frame, the user's own, the code's."""

from __future__ import annotations

import minipaddle as paddle
import viz

from . import programs


def called(trace: viz.Trace) -> list[str]:
    return [view.shown[-1].name for view in trace.steps if view.kind == "op"]


def test_variables_of_the_frame_come_first() -> None:
    x = programs.leaf()
    with viz.record() as trace:
        y = paddle.tanh(x)
    other = y  # noqa: F841
    assert called(trace) == ["y"]


def test_an_assignment_names_what_its_outermost_call_returns() -> None:
    def inner(x: paddle.Tensor) -> paddle.Tensor:
        h = paddle.exp(paddle.tanh(x))
        return h * 2.0

    x = programs.leaf()
    with viz.record() as trace:
        result = inner(x)  # noqa: F841
    assert called(trace) == ["tanh(x)", "h", "result"]


def test_operators_and_loops_are_named_by_their_line() -> None:
    def inner(x: paddle.Tensor) -> paddle.Tensor:
        for _ in range(2):
            x = paddle.tanh(x)
        total = x * x + x
        return total  # noqa: RET504

    x = programs.leaf()
    with viz.record() as trace:
        inner(x).sum()
    assert called(trace) == ["x", "x", "x × x", "total", "sum(total)"]


def test_targets_of_an_unpacking_are_paired() -> None:
    trace = programs.two_ways()
    left = next(view for view in trace.steps if view.kind == "leave")
    assert "product [2, 3] (out here p) and rest [2, 3] (out here q)" in left.text


def test_a_name_holds_in_its_scope() -> None:
    trace = programs.tanh()
    enter = next(view for view in trace.steps if view.kind == "enter")
    assert "x = data [2, 3]" in enter.text
    labels = {node.id: node.label for node in trace.story.graph.nodes}
    assert (labels["t1"], labels["call1.in0"], labels["call1.out0"]) == ("data", "x", "y")
    assert labels["t1.grad1"] == "data.grad"


def test_an_argument_of_a_call_does_not_take_the_name_of_its_result() -> None:
    x = programs.leaf()
    with viz.record() as trace:
        hidden = programs.cus_tanh.apply(x + x)  # noqa: F841
    enter = next(view for view in trace.steps if view.kind == "enter")
    assert "x = x + x [2, 3]" not in enter.text
    assert called(trace)[0] == "x + x"


def test_parameters_are_called_as_one_reaches_them() -> None:
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 2))
    x = programs.leaf().astype("float32")
    with viz.record() as trace:
        net(x)
    labels = [n.label for n in trace.story.graph.nodes if n.kind == "parameter"]
    assert labels == ["net.0.weight", "net.0.bias"]


def test_hostile_names_stay_text() -> None:
    x = programs.leaf()
    x.name = "</script><script>alert(1)</script>{0}"
    names = [x]
    del x
    with viz.record() as trace:
        names[0] * 2.0
    assert "</script><script>alert(1)</script>{0} × 2" not in trace.text().split("\n")[0]
    assert "<script>alert(1)" in trace.text()
