"""Names of tensors: the variables of the frame, the user's own, the code's."""

from __future__ import annotations

import linecache

import pytest

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
    assert "product [2, 3] (outside: p) and rest [2, 3] (outside: q)" in left.text


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


def test_a_module_is_no_tensor() -> None:
    code = "with viz.record() as trace:\n    paddle.tanh(paddle.to_tensor([0.0]))\n"
    seen: dict[str, viz.Trace] = {"paddle": paddle, "viz": viz}  # type: ignore[dict-item]
    linecache.cache["<cell>"] = (len(code), None, code.splitlines(keepends=True), "<cell>")
    exec(compile(code, "<cell>", "exec"), seen)
    assert [step.text for step in seen["trace"].steps] == [
        "tanh squashes 0 into (−1, 1), giving tanh(0) = 0."
    ]


def test_hostile_names_stay_text() -> None:
    x = programs.leaf()
    x.name = "</script><script>alert(1)</script>{0}"
    names = [x]
    del x
    with viz.record() as trace:
        names[0] * 2.0
    assert "</script><script>alert(1)</script>{0} × 2" not in trace.text().split("\n")[0]
    assert "<script>alert(1)" in trace.text()


class Pair(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.inner = paddle.nn.Linear(3, 2)
        self.scale = self.create_parameter([2])

    def forward(self, pixels: paddle.Tensor) -> paddle.Tensor:
        return self.inner(pixels) * self.scale


def trained(net: Pair, batch: paddle.Tensor, wanted: paddle.Tensor) -> paddle.Tensor:
    result = net(batch)
    return paddle.nn.functional.mse_loss(result, wanted)


def labels_of(trace: viz.Trace) -> dict[str, str]:
    return {node.id: node.label for node in trace.story.graph.nodes}


def test_a_call_names_what_it_is_given_and_attributes_name_parameters() -> None:
    nets = [Pair()]
    with viz.record() as trace:
        trained(nets[0], paddle.ones([2, 3]), paddle.zeros([2, 2]))
    found = list(labels_of(trace).values())
    assert {"inner.weight", "inner.bias", "scale"} & set(found) >= {"inner.weight", "inner.bias"}
    text = trace.text()
    assert "result" in text
    assert "inner(" in text


def test_what_nobody_made_is_named_by_the_line_that_reads_it() -> None:
    given = [programs.leaf(), programs.leaf(), Pair()]

    def inner(first: paddle.Tensor, second: paddle.Tensor) -> paddle.Tensor:
        return first * second

    rows = [paddle.ones([2, 3])]
    with viz.record() as trace:
        inner(*given[:2])
        trained(given[2], rows[0], paddle.ones([2, 2]))
    found = labels_of(trace)
    assert (found["t1"], found["t2"]) == ("first", "second")
    assert "batch" in found.values()


def test_a_name_is_not_given_where_the_line_leaves_a_choice() -> None:
    given = [programs.leaf(), 2.0]

    def inner(one: object, other: object) -> paddle.Tensor:
        return paddle.add(one, paddle.tanh(one)) if other else one

    with viz.record() as trace:
        inner(*given)
    assert labels_of(trace)["t1"] == "t1"


def test_a_line_that_failed_has_assigned_nothing() -> None:
    def fails(x: paddle.Tensor) -> None:
        z = x @ paddle.exp(x)  # noqa: F841

    def breaks(x: paddle.Tensor) -> None:
        z = paddle.exp(x), 1 / 0  # noqa: F841

    def goes_on(x: paddle.Tensor) -> None:
        for act in (fails, breaks):
            with pytest.raises(ArithmeticError if act is breaks else ValueError):
                act(x)
        paddle.tanh(x)

    for act, error in ((fails, ValueError), (breaks, ZeroDivisionError)):
        with pytest.raises(error), viz.record() as trace:
            act(programs.leaf())
        assert called(trace) == ["exp(x)"]
    with viz.record() as trace:
        goes_on(programs.leaf())
    assert called(trace)[0] == "exp(x)"


def test_a_line_that_was_cut_by_a_limit_has_assigned_nothing() -> None:
    def act(x: paddle.Tensor) -> None:
        z = paddle.tanh(paddle.exp(x))  # noqa: F841

    with viz.record(limit=3) as trace:
        act(programs.leaf())
    assert trace.cut
    assert called(trace) == ["exp(x)"]


def test_a_constant_that_nobody_named_is_called_by_its_value() -> None:
    with viz.record() as trace:
        paddle.ones([2, 3])
        paddle.full([2], 2.5)
        paddle.randn([2])
    assert called(trace) == ["1", "2.5", "randn()"]
    assert [view.formula for view in trace.steps][:2] == ["1", "2.5"]
