"""Trainings for tests of the page: epochs, a smaller batch, evaluations."""

from collections.abc import Collection
from functools import cache
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.static.world import fresh
from viz.model import Story


@cache
def training(rounds: int = 4, dropped: Collection[int] = frozenset()) -> Any:
    """Record epochs of three batches, the last one smaller, with an evaluation after each epoch.

    The steps of the rounds (training iterations) in `dropped` are not retained.
    """
    paddle.seed(3)
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    rows = np.random.default_rng(0).normal(size=(6, 4)).astype("float32")
    x, y = paddle.to_tensor(rows), paddle.to_tensor([0, 1, 0, 1, 1, 0])
    with viz.record(rounds=[k for k in range(rounds) if k not in dropped]) as trace:
        scaled = x * 0.5
        for epoch in range(-(-rounds // 4)):
            for batch in range(min(3, rounds - 4 * epoch)):
                size = 2 if batch == 2 else 6
                loss = nn.functional.cross_entropy(net(scaled[:size]), y[:size])
                loss.backward()
                sgd.step()
                sgd.clear_grad(set_to_zero=False)
            if rounds > 4 * epoch + 3:
                with paddle.no_grad():
                    net(scaled).argmax(1)
    return trace


def program() -> Any:
    """Record a tanh as a Program with its gradient, built and run once."""
    with fresh() as (main, _), viz.record() as trace:
        x = paddle.static.data("x", [1, 2], "float64")
        x.stop_gradient = False
        loss = paddle.sum(paddle.tanh(x))
        paddle.static.append_backward(loss)
        rows = np.array([[0.5, -1.0]])
        paddle.static.Executor().run(main, feed={"x": rows}, fetch_list=[loss])
    return trace


def stories(trace: Any) -> list[Story]:
    return [chapter.trace.story for chapter in trace.chapters]
