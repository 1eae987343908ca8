"""A trace says why a leaf has no gradient, without the engine that ran."""

import contextlib
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


def test_gradients_of_gradients_are_not_reported_as_missing() -> None:
    """Nor is that of a leaf whose update reads a gradient from before the recording."""
    w, v = (paddle.to_tensor([1.0, 2.0], stop_gradient=False) for _ in range(2))
    (w * w).sum().backward()
    with viz.record() as before:
        w.set_value(w - 0.1 * w.grad)
        (v * v).sum().backward()
    with viz.record() as within:
        (w * w).sum().backward()
        kept = w.grad
        kept * 2.0
        (taken,) = paddle.grad((w * w).sum(), w)
        w.set_value(w - 0.1 * taken)
        (w * w).sum().backward()
    assert before.story.missing == within.story.missing == {}
    assert before.problems() == within.problems() == []


def test_a_failed_backward_reports_no_missing_gradients() -> None:
    def fails(_: Any) -> Any:
        raise OSError

    with viz.record() as trace:
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        y = x * 2.0
        y.register_hook(fails)
        with contextlib.suppress(OSError):
            y.sum().backward()
    assert trace.story.missing == {}


def test_a_leaf_of_whole_numbers_has_no_gradient_for_that_reason() -> None:
    with viz.record() as trace:
        rows = paddle.to_tensor([1, 2])
        (rows.astype("float32") * 2.0).sum()
    assert of(trace, "rows").reason == "integer"
