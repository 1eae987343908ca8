"""The `+=` of a fan-in is in the layer whose gradients meet there."""

import minipaddle as paddle
import viz
from viz.layout.scene import scene_of
from viz.model import Node
from viz.trace import Trace

from ..samples import Product


class Residual(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.inner = paddle.nn.Linear(3, 3)

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        return self.inner(x) + x


def sums(trace: Trace) -> list[Node]:
    return [node for node in trace.story.graph.nodes if node.kind == "accumulate"]


def test_a_residual_layer_keeps_its_sum_inside() -> None:
    net = paddle.nn.Sequential(Residual(), Residual())
    with viz.record() as trace:
        net(paddle.ones([2, 3])).sum().backward()
    (found,) = sums(trace)
    group = next(g for g in trace.story.graph.groups if g.id == found.group)
    assert (group.lane, group.kind) == ("backward", "layer")
    assert str(group.label).startswith("Residual")
    closed = scene_of(trace.story.graph)
    assert found.id not in {box.id for box in closed.boxes}
    assert closed.alias.get(found.id) in {box.id for box in closed.boxes}


def test_a_sum_between_layers_is_outside_of_them() -> None:
    one, other = paddle.nn.Linear(3, 3), paddle.nn.Linear(3, 3)
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    with viz.record() as trace:
        y = x * 2
        (one(y) + other(y)).sum().backward()
    assert [node.group for node in sums(trace)] == [None]


def test_a_pylayer_that_takes_one_tensor_twice_has_the_sum_outside() -> None:
    x = paddle.ones([2])
    x.stop_gradient = False
    with viz.record() as trace:
        y = x * 2
        Product.apply(y, y).sum().backward()
    assert [node.group for node in sums(trace)] == [None]
