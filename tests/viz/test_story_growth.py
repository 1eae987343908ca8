"""The work for a story and for a picture grows linearly with rounds (iterations) and boxes."""

import importlib
import sys
from pathlib import Path

import minipaddle as paddle
from viz.layout.scene import scene_of

from .counting import calls_during
from .trainings import descend


def calls_in_a_story(rounds: int) -> int:
    """Count the functions and generators of viz that run for a story with this many rounds."""
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 2))
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.randn([5, 4])
    trace = descend(optimizer, lambda _: (net(x) ** 2).mean(), rounds)
    return calls_during(
        lambda: trace.story, lambda frame: frame.f_globals.get("__name__", "").startswith("viz.")
    )


def test_twice_the_rounds_take_twice_the_work() -> None:
    calls_in_a_story(2)  # fill the caches of each kind of event
    few, many = calls_in_a_story(8), calls_in_a_story(16)
    assert 1.7 < many / few < 2.1


# ----- Layout ------------------------------------------------------------------------------------


sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
layout = importlib.import_module("layout")


def test_the_work_grows_linearly_with_the_boxes():
    """Work is counted in Python calls: eight times the boxes take eight times the calls."""
    for both in (False, True):
        few, many = (calls_for_a_box(ops, both) for ops in (50, 400))
        assert many < 1.25 * few


def calls_for_a_box(ops, both):
    graph = layout.training(ops, 0.02, both)
    return calls_during(lambda: scene_of(graph)) / len(scene_of(graph).boxes)
