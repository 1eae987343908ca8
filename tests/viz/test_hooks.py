"""Hooks of tensors, of results of PyLayers and of layers: each that runs is a step of its own."""

from __future__ import annotations

from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import events, nn
from tests.each import each
from viz.recording.event_log import EventLog

from . import programs


def look(_grad: Any) -> None:
    """A hook that only looks, as most do."""


def double(grad: Any) -> Any:
    return grad * 2.0


def double_in_place(grad: Any) -> None:
    with paddle.no_grad():
        grad.scale_(2.0)


def texts(trace: viz.Trace, kind: str) -> list[str]:
    return [view.text for view in trace.steps if view.kind == kind]


@each("hook", [look, double])
def test_a_hook_of_a_leaf_of_a_result_and_of_a_pylayers_output(hook: Any) -> None:
    x = programs.leaf()
    with viz.record() as trace:
        y = x * 2.0
        first, second = programs.TwoWays.apply(y, y)
        for tensor in (x, y, first):
            tensor.register_hook(hook)
        (first + second).sum().backward()
    name = hook.__name__
    for text, tensor in zip(texts(trace, "hook"), ("first", "y", "x"), strict=True):
        assert text.startswith(f"The hook {name} sees the gradient of {tensor} ")
    order = [view.kind for view in trace.steps if view.phase == "backward"]
    assert order.index("hook") < order.index("receive")
    boxes = {node.id: node for node in trace.story.graph.nodes}
    for view in trace.steps:
        if view.kind == "hook":
            assert [str(boxes[n].label) for n in view.nodes if boxes[n].kind == "hook"] == [name]
            assert {shown.role for shown in view.shown} == {"before", "after"}


def test_a_hook_that_only_looks_changes_no_gradient() -> None:
    grads = []
    for hooks in ((), (look,)):
        x = programs.leaf()
        for hook in hooks:
            x.register_hook(hook)
        with viz.record():
            (x * x).sum().backward()
        grads.append(x.grad.numpy().tobytes())
    assert grads[0] == grads[1]


def scaled(_layer: Any, inputs: Any) -> Any:
    return (inputs[0] * 2.0,)


def seen(_layer: Any, _inputs: Any, _outputs: Any) -> None:
    """Look at the result only."""


def more(_layer: Any, _inputs: Any, outputs: Any) -> Any:
    return outputs + 1.0


def test_hooks_of_a_layer_are_steps_with_boxes_in_the_layer() -> None:
    linear = nn.Linear(3, 2)
    linear.register_forward_pre_hook(scaled)
    linear.register_forward_post_hook(seen)
    linear.register_forward_post_hook(more)
    x = paddle.ones([2, 3])
    with viz.record() as trace:
        y = linear(x)
    del y
    told = texts(trace, "layer_hook")
    named = ("x [2, 3] and puts x × 2 [2, 3]", "… + linear.bias [2, 2]", "y [2, 2]")
    for text, names in zip(told, named, strict=True):
        assert names in text
    boxes = [node for node in trace.story.graph.nodes if node.kind == "hook"]
    assert [str(box.label) for box in boxes] == ["scaled", "seen", "more"]
    assert len({box.group for box in boxes} - {None}) == 1
    assert viz.trace.Trace(trace.document).text() == trace.text()


def test_to_look_at_a_result_is_not_to_use_it() -> None:
    linear = nn.Linear(3, 2)
    linear.register_forward_post_hook(seen)
    with viz.record() as trace:
        linear(paddle.ones([2, 3]))
    assert "result" in {node.kind for node in trace.story.graph.nodes}


def test_hooks_of_layers_can_be_left_out_and_folded() -> None:
    linear = nn.Linear(3, 2)
    linear.register_forward_post_hook(more)
    with viz.record(skip="more") as skipped, viz.record(only="more") as only:
        linear(paddle.ones([2, 3]))
    assert not texts(skipped, "layer_hook")
    assert len(texts(only, "layer_hook")) == 1
    x = paddle.ones([2, 3])
    with viz.record(depth=0) as folded:
        linear(x)
    assert [view.kind for view in folded.steps] == ["op"]


@each("passes", [1, 2])
@each("hook", [look, double, double_in_place], ids=["look", "double", "in place"])
def test_what_a_leaf_keeps_is_told_as_it_is(hook: Any, passes: int) -> None:
    """What was told of a gradient on its way holds for the leaf, unless a hook has changed it."""
    x, y = programs.leaf(), programs.leaf()
    x.register_hook(hook)
    with viz.record() as trace:
        for _ in range(passes):
            ((x + y) * x).sum().backward()
    told = [event for event in trace.events if isinstance(event, events.LeafReached)]
    last = {event.tensor.id: event.grad.data["data"] for event in told}
    assert last == {trace.number_of(each): each.grad.tolist() for each in (x, y)}


def test_the_gradient_that_a_leaf_keeps_is_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[Any] = []
    copy = EventLog.copy_array
    monkeypatch.setattr(
        EventLog,
        "copy_array",
        lambda self, array, *number: copied.append(array) or copy(self, array, *number),
    )
    x = programs.leaf()
    y = (x * 2.0).sum()
    with viz.record():
        y.backward()
    assert sum(array is x.grad._data for array in copied) == 1
