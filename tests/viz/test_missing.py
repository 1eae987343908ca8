"""A trace says why a leaf has no gradient, without the engine that ran."""

from collections.abc import Callable
from typing import Any

import minipaddle as paddle
import viz
from tests.each import each

Make = Callable[[Any, Any], Any]


class SecondNone(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        return a * b

    @staticmethod
    def backward(ctx: Any, dout: Any) -> Any:
        return dout, None


class Marked(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        first, second = a * 2.0, a * 3.0
        ctx.mark_non_differentiable(second)
        return first, second

    @staticmethod
    def backward(ctx: Any, dfirst: Any, dsecond: Any) -> Any:
        return dfirst


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


CASES: list[tuple[Make, str, tuple[str, str] | None]] = [
    (stopped, "stop_gradient", ("x", "×")),
    (stopped_later, "stop_gradient", ("clone", "×")),
    (no_grad, "no_grad", ("x", "× 2")),
    (argmax, "gradless op", ("x", "argmax")),
    (unused, "not reached", None),
    (marked, "non-differentiable", ("second", "×")),
    (deep, "returned None", ("tanh", "b")),
    (lambda x, w: SecondNone.apply(w, x), "returned None", ("x", "b")),
]


def recorded(make: Make, backward: bool = True, **options: Any) -> viz.Trace:
    with viz.record(**options) as trace:
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        w = paddle.to_tensor([3.0, 4.0], stop_gradient=False)
        loss = make(x, w).sum()
        if backward:
            loss.backward()
    return trace


def of(trace: viz.Trace, label: str) -> Any:
    (box,) = (
        n.id for n in trace.story.graph.nodes if str(n.label) == label and n.id.startswith("t")
    )
    return trace.story.missing.get(box)


@each(("make", "reason", "cut"), CASES)
def test_a_missing_gradient_has_a_reason_and_a_cut_wire(
    make: Make, reason: str, cut: tuple[str, str] | None
) -> None:
    trace = recorded(make)
    why = of(trace, "x")
    assert why.reason == reason
    labels = {node.id: str(node.label) for node in trace.story.graph.nodes}
    wires = {
        edge.id: (labels[edge.source], labels[edge.target]) for edge in trace.story.graph.edges
    }
    assert [wires[name] for name in why.edges] == ([cut] if cut else [])
    assert why.text.en.startswith("x.grad is None at the end: ")
    assert why.text.zh.startswith("最后 x.grad 是 None：")
    assert of(trace, "w") is None
    assert viz.trace.Trace(trace.document).story.missing == trace.story.missing


def test_a_trace_without_backward_gives_a_reason_and_a_cut_one_none() -> None:
    assert of(recorded(lambda x, w: x * w, backward=False), "x").reason == "no backward"
    cut = recorded(lambda x, w: x * w, limit=3)
    assert cut.cut
    assert cut.story.missing == {}
