"""What pictures leave out or strike out."""

from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from viz.draw.paint import Line, paint
from viz.layout.scene import foldable, scene_of

from . import stories
from .pages import words


def test_skipped_arguments_are_struck_out() -> None:
    graph = stories.skipping().story.graph
    painting = paint(scene_of(graph, frozenset(foldable(graph))))
    struck = [
        words(part)[0].text
        for part in painting.parts
        if part.role == "box"
        and any(isinstance(mark, Line) for mark in part.marks)
        and part.kind == "port"
    ]
    assert struck == ["y", "out"]


def test_a_layer_in_which_nothing_ran_is_not_drawn_unless_it_failed() -> None:
    net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.0), nn.Tanh())
    with viz.record() as trace:
        net(paddle.ones([2, 3]))
    labels = {str(group.label) for group in trace.story.graph.groups}
    assert {label for label in labels if label[-1].isdigit()} == {"Linear 0", "Tanh 2"}

    class Broken(nn.Layer):
        def forward(self, x: Any) -> Any:
            raise ValueError("no idea")

    broken = Broken()
    with pytest.raises(ValueError, match="no idea"), viz.record() as trace:
        broken(paddle.ones([2]))
    (group,) = trace.story.graph.groups
    assert (str(group.label), *map(str, group.closed.badges)) == ("broken", "error")
