"""Layers in pictures: those that are drawn."""

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
