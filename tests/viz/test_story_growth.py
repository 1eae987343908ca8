"""The work for the story of a training loop grows linearly with its rounds (iterations)."""

import minipaddle as paddle

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
