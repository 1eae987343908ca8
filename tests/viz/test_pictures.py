"""Layers in pictures: the drawn ones and their names."""

from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.0), nn.Tanh())

    def forward(self, x: Any) -> Any:
        return self.body(x)


def network() -> viz.Trace:
    net, x = Net(), paddle.ones([2, 3])
    with viz.record() as trace:
        y = net(x)
        loss = y.mean()
        loss.backward()
    return trace


def test_a_layer_in_which_nothing_ran_is_not_drawn_unless_it_failed() -> None:
    assert not [g for g in network().story.graph.groups if "Dropout" in str(g.label)]

    class Broken(nn.Layer):
        def forward(self, x: Any) -> Any:
            raise ValueError("no idea")

    broken = Broken()
    with pytest.raises(ValueError, match="no idea"), viz.record() as trace:
        broken(paddle.ones([2]))
    (group,) = trace.story.graph.groups
    assert (str(group.label), *map(str, group.closed.badges)) == ("broken", "error")


def test_a_layers_label_is_its_class_and_its_name_in_the_code() -> None:
    class LeNet(nn.Layer):
        def forward(self, x: Any) -> Any:
            return x * 2.0

    def labels(trace: viz.Trace) -> list[str]:
        return [str(group.label) for group in trace.story.graph.groups]

    one, lenet, named = LeNet(), LeNet(), LeNet("reader")
    with viz.record() as trace:
        named(lenet(one(paddle.ones([1]))))
    assert labels(trace) == ["LeNet one", "lenet", "reader named"]
    with viz.record() as trace:
        LeNet()(paddle.ones([1]))
    assert labels(trace) == ["LeNet"]
    with viz.record() as trace:
        LeNet()(LeNet()(paddle.ones([1])))
    first, second = labels(trace)
    assert first != second
    assert first.startswith("LeNet_")
    assert second.startswith("LeNet_")
