"""The arguments of the user's backward and backward_func, in order, with missing ones."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import static
from tests.each import each
from viz.draw.paint import Line, Words, paint
from viz.layout.scene import foldable, scene_of

from . import programs, stories


class Three(paddle.autograd.PyLayer):
    """A PyLayer of three results, of which the loss uses the second."""

    materialize = True

    @classmethod
    def forward(cls, ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(Three.materialize)
        return x * 1.0, x * 2.0, x * 3.0

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[1] * 2.0


def received(trace: viz.Trace, kind: str = "receive") -> list[tuple[str, str, bool]]:
    (view,) = (view for view in trace.steps if view.kind == kind)
    return [(shown.role, shown.name, shown.value is not None) for shown in view.shown]


@each("materialize", [True, False])
def test_backward_gets_gradients_zeros_or_none_in_order(
    materialize: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Three, "materialize", materialize)
    with viz.record() as trace:
        first, second, third = Three.apply(programs.leaf())
        second.sum().backward()
    del first, third
    rows = received(trace)
    other = ("zeros", True) if materialize else ("grad_in", False)
    assert [(role, there) for role, _, there in rows] == [other, ("grad_in", True), other]
    zeros = next(view for view in trace.steps if view.kind == "receive").shown[0].value
    assert zeros is None or not np.any(zeros["data"])
    assert ("zeros for" in trace.text()) == materialize
    if not materialize:
        assert trace.text().count(": None\n") == 2


@pytest.fixture
def backward_func() -> Any:
    """Record x, y -> out, more; y and out are skipped; `more` has no gradient."""
    with stories.programs() as (main, _), viz.record() as trace:
        x, y = static.data("x", [2, 3]), static.data("y", [2, 3])
        x.stop_gradient = False
        block = main.current_block()
        out, more = (block.create_var(name, [2, 3], "float32") for name in ("out", "more"))
        static.py_func(
            lambda x, y: (np.asarray(x) * 2, np.asarray(y) * 3),
            [x, y],
            [out, more],
            lambda x, more, dout, dmore: (np.asarray(dout) * 2, None),
            [y, out],
        )
        (dx,) = static.gradients(paddle.mean(out), [x])
        rows = np.ones((2, 3), "float32")
        static.Executor().run(main, feed={"x": rows, "y": rows}, fetch_list=[dx])
    return trace


def test_a_py_func_opens_to_its_arguments_and_results(backward_func: viz.Trace) -> None:
    graph = backward_func.story.graph
    scene = scene_of(graph, frozenset(foldable(graph)))
    (back,) = (g for g in graph.groups if g.kind == "py_func" and g.lane == "backward")
    inside = [box for box in scene.boxes if box.group == back.id]
    rows = [
        (str(box.label), box.detail.split(" ")[0], tuple(map(str, box.badges))) for box in inside
    ]
    call = ("<lambda>", "NumPy", ())
    assert rows == [
        ("x", "[2,", ()), ("y", "", ("skipped",)), ("out", "", ("skipped",)), ("more", "[2,", ()),
        ("out@GRAD", "[2,", ()), ("more@GRAD", "None", ()), call,
        ("x@GRAD", "[2,", ()), ("y@GRAD", "None", ()),
    ]  # fmt: skip
    names = {box.id: str(box.label) for box in scene.boxes}
    frames = {frame.id for frame in scene.frames}
    assert {g.id for g in graph.groups if g.twin == back.twin} <= frames
    wires = {(names[w.source], names[w.target], w.kind) for w in scene.wires}
    saved = {wire for wire in wires if wire[2] == "saved"}
    assert {("x", "x", "saved"), ("more", "more", "saved")} <= saved
    assert not {("y", "y", "saved"), ("out", "out", "saved")} & saved
    into = {source for source, target, kind in wires if target == "<lambda>" and kind == "data"}
    assert into == {"x", "y", "more", "out@GRAD"}  # y goes into the forward function


def test_skipped_arguments_are_struck_out(backward_func: viz.Trace) -> None:
    graph = backward_func.story.graph
    painting = paint(scene_of(graph, frozenset(foldable(graph))))
    struck = [
        next(mark.text for mark in part.marks if isinstance(mark, Words))
        for part in painting.parts
        if part.role == "box"
        and any(isinstance(mark, Line) for mark in part.marks)
        and part.kind == "port"
    ]
    assert struck == ["y", "out"]


class Blend(paddle.autograd.PyLayer):
    """A PyLayer with arguments that are no Tensors, before and after those that are."""

    @staticmethod
    def forward(ctx: Any, share: float, image: Any, other: Any, *, mode: str = "add") -> Any:
        ctx.share, ctx.sign = share, 1.0 if mode == "add" else -1.0
        return image * share + other * ctx.sign

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return dy * ctx.share, dy * ctx.sign


def test_arguments_that_are_no_tensors_are_told_and_leave_the_others_their_names() -> None:
    a, b = (paddle.to_tensor([1.0, 2.0], stop_gradient=False) for _ in range(2))
    with viz.record() as trace:
        Blend.apply(0.5, a, other=b)
    enter, first = trace.steps[:2]
    assert "image = a [2], other = b [2], share = 0.5 and mode = 'add'" in enter.text
    assert first.shown[0].name == "image"
