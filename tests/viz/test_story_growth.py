"""The work for the story of a training loop grows linearly with its rounds (iterations)."""

import sys
from types import FrameType
from typing import Any

import minipaddle as paddle

from .trainings import descend


def calls_in_a_story(rounds: int) -> int:
    """Count the functions and generators of viz that run for a story of so many rounds."""
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 2))
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.randn([5, 4])
    trace = descend(optimizer, lambda _: (net(x) ** 2).mean(), rounds)
    count = 0

    def counting(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_globals.get("__name__", "").startswith("viz.")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        assert trace.story.steps
    finally:
        sys.setprofile(before)
    return count


def test_twice_the_rounds_take_twice_the_work() -> None:
    calls_in_a_story(2)  # fill the caches of each kind of event
    few, many = calls_in_a_story(8), calls_in_a_story(16)
    assert 1.7 < many / few < 2.1
