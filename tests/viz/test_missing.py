"""A trace and `viz.explain` say why a gradient is None or zero, in texts and in pictures."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine import stop_reasons
from tests.each import each
from tests.samples import pylayer
from tests.viz import quality
from viz.draw import explanation as explanation_picture
from viz.layout.scene import scene_of

Make = Callable[[Any, Any], Any]
ALIVE: list[Any] = []  # x, w and the loss of the last recording, so that the engine knows them


class SecondNone(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        return a * b

    @staticmethod
    def backward(ctx: Any, dout: Any) -> Any:
        return dout, None


def second_marked(ctx: Any, a: Any) -> Any:
    first, second = a * 2.0, a * 3.0
    ctx.mark_non_differentiable(second)
    return first, second


Marked = pylayer(second_marked)


def no_grad(x: Any, w: Any) -> Any:
    with paddle.no_grad():
        part = x * 2.0
    return part * w


def stopped(x: Any, w: Any) -> Any:
    x.stop_gradient = True
    return x * w


def stopped_later(x: Any, w: Any) -> Any:
    part = x.clone()
    part.stop_gradient = True
    return part * w


def argmax(x: Any, w: Any) -> Any:
    return paddle.argmax(x).astype("float32") * w


def unused(x: Any, w: Any) -> Any:
    paddle.tanh(x)
    return w * w


def marked(x: Any, w: Any) -> Any:
    return Marked.apply(x * 1.0)[1] * w


def deep(x: Any, w: Any) -> Any:
    return SecondNone.apply(w, paddle.tanh(x * 2.0))


def recorded(make: Make, backward: bool = True, **options: Any) -> viz.Trace:
    with viz.record(**options) as trace:
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
        loss = make(x, w).sum()
        if backward:
            loss.backward()
    ALIVE[:] = x, w, loss
    return trace


def of(trace: viz.Trace, label: str) -> Any:
    (box,) = (
        n.id for n in trace.story.graph.nodes if str(n.label) == label and n.id.startswith("t")
    )
    return trace.story.missing.get(box)


def check_explanation(found: Any, reason: str, cut: tuple[str, str] | None) -> None:
    """Check a reason, the two boxes of the cut wire, and the text in the picture."""
    assert found.why.reason.value == reason
    graph = explanation_picture.graph_of(found.path, found.name, found.why.reason)
    assert quality.faults(scene_of(graph)) == []
    labels = {node.id: str(node.label) for node in graph.nodes}
    wires = [(labels[edge.source], labels[edge.target]) for edge in graph.edges
             if edge.id == explanation_picture.CUT]  # fmt: skip
    assert wires == ([cut] if cut else [])
    for lang in ("en", "zh"):
        root = ET.fromstring(found.svg(lang))
        words = "".join(t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text"))
        for line in found.lines(lang):
            assert "".join(line.split()) in "".join(words.split())
        assert found.why.message.mark.of(lang) in words


# What makes the loss, the trace's reason and cut wire, the engine's reason, the last box before x.
CASES: list[tuple[Make, str, tuple[str, str] | None, str, str]] = [
    (stopped, "stop_gradient", ("x", "×"), "stop_gradient", "multiply backward"),
    (stopped_later, "stop_gradient", ("clone", "×"), "not reached", "multiply backward"),
    (no_grad, "no_grad", ("x", "× 2"), "no_grad", "multiply backward"),
    (argmax, "gradless op", ("x", "argmax"), "gradless op", "multiply backward"),
    (unused, "not reached", None, "not reached", "sum backward"),
    (marked, "non-differentiable", ("second", "×"), "not reached", "multiply backward"),
    (deep, "returned None", ("tanh", "b"), "returned None", "SecondNone.backward"),
    (lambda x, w: SecondNone.apply(w, x), "returned None", ("x", "b"), "returned None",
     "SecondNone.backward"),
]  # fmt: skip


@each(("make", "reason", "cut", "known", "last"), CASES)
def test_a_missing_gradient_has_a_reason_and_a_cut_wire(
    make: Make, reason: str, cut: tuple[str, str] | None, known: str, last: str
) -> None:
    trace = recorded(make)
    why = of(trace, "x")
    assert why.reason == reason
    labels = {node.id: str(node.label) for node in trace.story.graph.nodes}
    wires = {
        edge.id: (labels[edge.source], labels[edge.target]) for edge in trace.story.graph.edges
    }
    assert [wires[name] for name in why.edges] == ([cut] if cut else [])
    assert of(trace, "w") is None
    assert viz.trace.Trace(trace.document).story.missing == trace.story.missing
    check_explanation(trace.explain(ALIVE[0]), known, (last, "x.grad = None"))


@each(("which", "make", "reason", "cut"), [
    ("y", lambda y, w: paddle.tanh(y), "not a leaf", ("× 2 backward", "y.grad = None")),
    ("x", lambda y, w: paddle.nn.functional.relu(y - 10) * 3, "zero",
     ("relu backward", "− 10 backward")),
    ("x", lambda y, w: y * y, "has gradient", None),
])  # fmt: skip
def test_other_gradients_are_explained(which: str, make: Make, reason: str, cut: Any) -> None:
    x, w = (paddle.to_tensor([1.0, 2.0], stop_gradient=False) for _ in "xw")
    with viz.record() as trace:
        y = x * 2
        make(y, w).sum().backward()
    check_explanation(trace.explain({"x": x, "y": y}[which]), reason, cut)


def test_a_trace_without_backward_gives_a_reason_and_a_cut_one_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stop_reasons.passes, "number", 0)
    trace = recorded(lambda x, w: x * w, backward=False)
    assert of(trace, "x").reason == "no backward"
    check_explanation(trace.explain(ALIVE[0]), "no backward", ("backward()", "x.grad = None"))
    cut = recorded(lambda x, w: x * w, limit=3)
    assert cut.cut
    assert cut.story.missing == {}


def test_an_explanation_without_a_trace_draws_only_its_reason() -> None:
    x, w = (paddle.to_tensor([1.0, 2.0], stop_gradient=False) for _ in "xw")
    with paddle.no_grad():
        y = paddle.exp(x)
    (y * w).sum().backward()
    explanation = viz.explain(x)
    assert explanation.name == "x"  # the caller's variable
    assert [str(box.label) for box in explanation.path.boxes] == ["x", "exp", "…", "loss"]
    check_explanation(explanation, "no_grad", ("…", "x.grad = None"))
    assert "exp ran under paddle.no_grad()" in str(explanation)


def test_a_long_path_is_shortened_in_its_middle() -> None:
    def tall(x: Any, w: Any) -> Any:
        y = stopped(x, w)
        for _ in range(30):
            y = paddle.tanh(y)
        return y

    boxes = recorded(tall).explain(ALIVE[0]).path.boxes
    assert len(boxes) <= 7
    assert any("…" in str(box.label) for box in boxes)
