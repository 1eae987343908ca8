"""Each run of a hook is a step: hooks of tensors, of results of PyLayers, and of layers."""

from typing import Any

import minipaddle as paddle
import viz
from minipaddle import events, nn
from tests.each import each

from . import programs


def look(_grad: Any) -> None:
    """Look at a gradient, as most hooks do."""


def double(grad: Any) -> Any:
    return grad * 2.0


def double_in_place(grad: Any) -> None:
    with paddle.no_grad():
        grad.scale_(2.0)


def texts(trace: viz.Trace, kind: str) -> list[str]:
    return [view.text for view in trace.steps if view.kind == kind]


def more(_layer: Any, _inputs: Any, outputs: Any) -> Any:
    return outputs + 1.0


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
def test_a_leafs_step_shows_the_gradient_that_the_leaf_keeps(hook: Any, passes: int) -> None:
    """Values of a gradient from earlier steps are reused for the leaf, unless a hook changed it."""
    x, y = programs.leaf(), programs.leaf()
    x.register_hook(hook)
    with viz.record() as trace:
        for _ in range(passes):
            ((x + y) * x).sum().backward()
    told = [event for event in trace.events if isinstance(event, events.LeafReached)]
    last = {event.tensor.id: event.grad.data["data"] for event in told}
    assert last == {trace.number_of(each): each.grad.tolist() for each in (x, y)}
