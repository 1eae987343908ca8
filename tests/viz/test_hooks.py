"""Hooks of layers are steps, which can be left out and folded."""

from typing import Any

import minipaddle as paddle
import viz
from minipaddle import nn


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
