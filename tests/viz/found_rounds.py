"""Small networks for tests of rounds (training iterations), and the rounds found in them."""

from collections.abc import Callable
from typing import Any

import minipaddle as paddle
import viz
from minipaddle import nn
from viz.document.rounds import RoundMark

from . import round_loops

Named = tuple[str, dict[str, int]]


def rounds_of(
    program: Callable[[], Any], error: type[Exception] | None = None, **settings: Any
) -> list[RoundMark]:
    """Record a program and return its marks of rounds."""
    with_marks: list[RoundMark] = []
    try:
        with viz.record(**settings) as trace:
            with_marks = trace._recording.rounds
            program()
    except Exception as raised:
        if error is None or not isinstance(raised, error):
            raise
    return with_marks


def named(marks: list[RoundMark]) -> list[Named]:
    """Return the kinds and names of marks."""
    return [(mark.kind, dict(mark.names)) for mark in marks]


def batch() -> Any:
    """Return four rows of inputs, and their targets."""
    return round_loops.rows(4, 3, seed=4)


class Setting:
    """A network, its optimizer, and the steps of a learner's loop."""

    def __init__(self, rule: Any = paddle.optimizer.SGD) -> None:
        self.net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        self.opt = rule(0.01, parameters=self.net.parameters())

    def loss(self, x: paddle.Tensor, y: paddle.Tensor) -> paddle.Tensor:
        return ((self.net(x) - y) ** 2).mean()

    def step(self, x: paddle.Tensor, y: paddle.Tensor) -> float:
        """Run one step of training inside of a function."""
        loss = self.loss(x, y)
        loss.backward()
        self.opt.step()
        self.opt.clear_grad()
        return float(loss)


class Cell(nn.Layer):
    """A step of a recurrent network."""

    def __init__(self) -> None:
        super().__init__()
        self.to_hidden, self.from_hidden = nn.Linear(3, 4), nn.Linear(4, 4)

    def forward(self, x: paddle.Tensor, h: paddle.Tensor) -> paddle.Tensor:
        return paddle.tanh(self.to_hidden(x) + self.from_hidden(h))
