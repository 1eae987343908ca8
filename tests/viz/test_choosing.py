"""The choice of what is recorded: names, depth, limits, threads, functions."""

# ruff: noqa: F841  (what is assigned gives tensors their names)

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.engine import modes
from tests.each import each
from viz.trace import Trace

from ..patience import PATIENCE
from . import programs


class Net(paddle.nn.Layer):
    """Two Linear layers with a PyLayer between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first = paddle.nn.Linear(3, 2)
        self.second = paddle.nn.Linear(2, 2)

    def forward(self, x: Any) -> Any:
        return self.second(programs.cus_tanh.apply(self.first(x)))


def step(**choice: Any) -> tuple[Net, Trace]:
    paddle.seed(0)
    net = Net()
    x = paddle.to_tensor(np.array(programs.ROWS, "float32"))
    with viz.record(**choice) as trace:
        net(x).mean().backward()
    return net, trace


def ops(trace: Trace) -> list[str]:
    return [event.op for event in trace.events if isinstance(event, events.OpFinished)]


def visited(trace: Trace) -> list[str]:
    return [event.name for event in trace.events if isinstance(event, events.NodeVisited)]


def sound(trace: Trace) -> None:
    """Check that a trace can be explained, drawn, written and read again."""
    assert Trace(trace.document).text("zh") == trace.text("zh")
    boxes = {node.id for node in trace.story.graph.nodes}
    boxes |= {group.closed.id for group in trace.story.graph.groups if group.closed}
    assert all(set(step.nodes) <= boxes for step in trace.story.steps)


# ----- names -------------------------------------------------------------------------------------


def test_only_records_the_named_ops() -> None:
    _, trace = step(only="tanh")
    assert ops(trace) == ["tanh"]
    assert visited(trace) == ["GradNodePyLayer_cus_tanh"]  # the node around the op
    _, trace = step(only=["mean", "add"])
    assert ops(trace) == ["add", "add", "mean"]
    assert visited(trace) == ["MeanGradNode", "AddGradNode", "AddGradNode"]
    sound(trace)


def test_only_a_layer_records_everything_in_it() -> None:
    for name in ("second", "Linear second", "lin*sec*"):
        net, trace = step(only=name)
        assert ops(trace) == ["matmul", "add"]
        assert visited(trace) == ["AddGradNode", "MatmulGradNode"]
        reached = [e.tensor.name for e in trace.events if isinstance(e, events.LeafReached)]
        assert sorted(reached) == sorted([net.second.weight.name, net.second.bias.name])
        assert [str(g.label) for g in trace.story.graph.groups][:2] == ["net", "Linear second"]
        sound(trace)
    _, trace = step(only="Linear")
    assert ops(trace) == ["matmul", "add"] * 2
    _, trace = step(only="cus_tanh")
    assert ops(trace) == ["tanh", "square", "scale", "multiply"]
    sound(trace)


def test_updates_belong_to_their_parameters() -> None:
    net = Net()
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.to_tensor(np.array(programs.ROWS, "float32"))
    with viz.record(only="first") as trace:
        net(x).mean().backward()
        sgd.step()
    updated = [e.tensor.name for e in trace.events if isinstance(e, events.ParameterUpdated)]
    assert sorted(updated) == sorted([net.first.weight.name, net.first.bias.name])
    with viz.record(skip="SGD") as trace:
        sgd.step()
    assert len(trace) == 0


def test_hooks_of_layers_can_be_left_out_and_folded() -> None:
    def more(_layer: Any, _inputs: Any, outputs: Any) -> Any:
        return outputs + 1.0

    linear = paddle.nn.Linear(3, 2)
    linear.register_forward_post_hook(more)
    with viz.record(skip="more") as skipped, viz.record(only="more") as only:
        linear(paddle.ones([2, 3]))
    hooks = [[view for view in t.steps if view.kind == "layer_hook"] for t in (skipped, only)]
    assert [len(row) for row in hooks] == [0, 1]
    x = paddle.ones([2, 3])
    with viz.record(depth=0) as folded:
        linear(x)
    assert [view.kind for view in folded.steps] == ["op"]


def test_files_and_modules_are_names_too(tmp_path: Path, monkeypatch: Any) -> None:
    package = tmp_path / "seminar"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text("def double(x):\n    return x * 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    from seminar.part import double  # type: ignore[import-not-found]

    for name in ("part.py", "part", "seminar.part", "seminar", str(package / "part.py")):
        with viz.record(only=name) as trace:
            paddle.tanh(double(programs.leaf()))
        assert ops(trace) == ["scale"]
        with viz.record(skip=name) as trace:
            paddle.tanh(double(programs.leaf()))
        assert ops(trace) == ["tanh"]


def labels(trace: Trace) -> list[str]:
    return [str(node.label) for node in trace.story.graph.nodes if node.kind == "op"]


@each(("only", "signs"), [
    ("multiply", ["× 2", "×"]), ("add", ["+ 1", "+"]), ("subtract", ["− 3", "4 −"]),
    ("neg", ["−"]), ("scale", ["× 2", "+ 1", "− 3", "4 −", "−"]), ("randn", ["randn"]),
    ("uniform_", [".uniform_(…)"]), ("gaussian", ["randn"]),
])  # fmt: skip
def test_a_filter_takes_the_names_that_the_user_knows(only: str, signs: list[str]) -> None:
    y = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record(only=only) as trace:
        a, b = y * 2.0, y * y
        c, d = y + 1.0, y + y
        e, f = y - 3.0, 4.0 - y
        g = -y
        x = paddle.randn([2])
        x.uniform_()
    assert len(labels(trace)) == len(signs)
    assert all(map(str.endswith, labels(trace), signs))
    with viz.record(skip=only) as rest:
        a, b = y * 2.0, y * y
    assert labels(rest) == [sign for sign in ("× 2", "×") if sign not in signs]


# ----- depth -------------------------------------------------------------------------------------


def test_depth_1_shows_the_layers_in_a_layer() -> None:
    _, trace = step(depth=1)
    assert ops(trace) == ["Linear", "cus_tanh", "Linear", "mean"]
    assert visited(trace) == ["MeanGradNode", "Linear", "GradNodePyLayer_cus_tanh", "Linear"]
    backward = [s.text for s in trace.steps if s.kind == "visit"]
    assert backward[2].startswith("The gradient rule of cus_tanh makes the gradient of first(x)")
    made = {str(n.label) for n in trace.story.graph.nodes}
    assert {"Linear first", "cus_tanh", "Linear first backward", "cus_tanh backward"} <= made
    sound(trace)


def test_gradients_of_a_box_are_those_that_leave_it() -> None:
    """Two paths meet inside of the box; outside there is one gradient of the right value."""

    class Square(paddle.nn.Layer):
        def forward(self, x: Any) -> Any:
            y = x * 2.0
            return y * y

    x = programs.leaf()
    layer = Square()
    with viz.record(depth=0) as trace:
        (layer(paddle.tanh(x)) * 1.0).sum().backward()
    given = [e for e in trace.events if isinstance(e, events.GradComputed)]
    box = next(
        e.node
        for e in trace.events
        if getattr(e, "name", "") == "Square" and isinstance(e, events.GradNodeMade)
    )
    [grad] = [e.grad.data["data"] for e in given if e.node == box]
    assert np.allclose(grad, 8 * np.tanh(x.numpy()), atol=1e-5)
    assert not any(isinstance(e, events.GradAccumulated) for e in trace.events)
    sound(trace)


@each("choice", [{"depth": 0}, {"depth": 1}, {"only": "tanh"}, {"skip": "*"}])
@each("program", programs.ALL)
def test_every_program_can_be_recorded_in_part(
    program: Any, choice: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = viz.record
    monkeypatch.setattr(viz, "record", lambda title="": whole(title, **choice))
    sound(program())


# ----- limits ------------------------------------------------------------------------------------


def test_a_limit_ends_the_recording_and_not_the_work() -> None:
    x = programs.leaf()
    with viz.record(limit=20) as trace:
        y = x
        for _ in range(50):
            y = paddle.tanh(y)
        assert modes.here().listeners == ()  # the rest runs without listeners
        y.sum().backward()
    assert x.grad is not None
    counted = [row for row in trace.document["events"] if row["event"] != "LoopTurn"]
    assert 20 <= len(counted) <= 23
    assert trace.cut is not None
    assert (trace.cut.what, trace.cut.limit) == ("events", 20)
    last = trace.steps[-1]
    assert last.kind == "cut"
    assert "20 events" in last.text
    assert trace.story.note.en == last.text
    assert trace.story.sources[last.line[0]].lines
    sound(trace)


def test_a_limit_of_bytes_ends_the_recording() -> None:
    x = paddle.ones([60, 60])
    with viz.record(megabytes=0.1) as trace:
        for _ in range(50):
            x = x + 1.0
    assert trace.cut is not None
    assert trace.cut.what == "bytes"
    assert len(trace) < 20
    assert "it holds 0.1 MB of values, its limit" in trace.steps[-1].text


def test_an_inner_limit_does_not_end_the_outer_recording() -> None:
    x = programs.leaf()
    with viz.record() as outer:
        with viz.record(limit=1) as inner:
            for _ in range(4):
                x = x * 2.0
        x = x * 2.0
    assert len(ops(outer)) == 5
    assert len(ops(inner)) == 1
    assert modes.here() is modes.PLAIN


def test_meaningless_limits_depths_and_names_are_errors() -> None:
    with pytest.raises(ValueError, match="limit must be a whole number"):
        viz.record(limit=0)
    with pytest.raises(ValueError, match="a number from 0 on"):
        viz.record(depth=-1)
    with pytest.raises(TypeError, match="only takes names"):
        viz.record(only=[paddle.tanh])  # type: ignore[list-item]


# ----- threads and functions ---------------------------------------------------------------------


def test_each_thread_records_itself() -> None:
    traces: dict[int, Trace] = {}
    ready = threading.Barrier(2)

    def work(number: int) -> None:
        x = programs.leaf()
        with viz.record() as traces[number]:
            ready.wait(PATIENCE)
            for _ in range(number):
                x = paddle.tanh(x)
            ready.wait(PATIENCE)

    with viz.record() as outside:
        threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert {n: ops(t) for n, t in traces.items()} == {1: ["tanh"], 2: ["tanh", "tanh"]}
    assert len(outside) == 0


def test_a_generator_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot decorate rows: it is a generator"):

        @viz.record()
        def rows() -> Any:
            yield 1
