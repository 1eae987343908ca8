"""Recorded training loops of all kinds, for tests of a round's (a training iteration's) picture."""

# ruff: noqa: B007  (what is assigned here gives tensors and rounds their names)

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.engine.errors import Fatal
from viz.trace import Trace

from .programs import cus_tanh

F = nn.functional


def rows(count: int, width: int, seed: int = 0) -> Any:
    """Return inputs, and the sum of each row as its target."""
    made = np.random.default_rng(seed).normal(size=(count, width)).astype("float32")
    return paddle.to_tensor(made), paddle.to_tensor(made.sum(axis=1, keepdims=True))


def weight(*shape: int, seed: int = 1) -> Any:
    made = np.random.default_rng(seed).normal(size=shape).astype("float32")
    return paddle.to_tensor(made, stop_gradient=False)


# ----- networks ---------------------------------------------------------------------------------


class LeNet(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2D(1, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2)
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.5), nn.Linear(36, 3))

    def forward(self, image: Any) -> Any:
        return self.head(self.features(image))


def lenet() -> Trace:
    """Two epochs, each with a smaller last batch, and an evaluation after it."""
    paddle.seed(0)
    net = LeNet()
    adam = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    accuracy = paddle.metric.Accuracy()
    images, digits = paddle.randn([10, 1, 8, 8]), paddle.randint(0, 3, [10, 1])
    batches = [(images[k : k + 4], digits[k : k + 4]) for k in (0, 4, 8)]
    with viz.record() as trace:
        for epoch in range(2):
            net.train()
            for image, digit in batches:
                loss = F.cross_entropy(net(image), digit)
                loss.backward()
                adam.step()
                adam.clear_grad()
            net.eval()
            with paddle.no_grad():
                for image, digit in batches[:1]:
                    accuracy.update(accuracy.compute(net(image), digit))
    return trace


# ----- state between rounds ----------------------------------------------------------------------


def through_time() -> Trace:
    """The state keeps its history: backward continues through earlier rounds."""
    inner, outer = weight(3, 3), weight(2, 3, seed=2)
    h = paddle.zeros([1, 3])
    with viz.record() as trace:
        for k in viz.rounds(range(3)):
            x = rows(1, 2, seed=k)[0]
            h = paddle.tanh(x @ outer + h @ inner)
            loss = h.sum()
            loss.backward(retain_graph=True)
            inner.clear_grad()
            outer.clear_grad()
    return trace


def never_cleared() -> Trace:
    """A beginner's mistake: the gradients of all rounds add up."""
    net = nn.Linear(2, 1)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x, y = rows(4, 2)
    with viz.record() as trace:
        for _ in range(3):
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            sgd.step()
    return trace


def by_hand() -> Trace:
    """Descent written out, in place and without gradients."""
    w, b = weight(3, 1), weight(1, seed=2)
    x, y = rows(4, 3)
    with viz.record() as trace:
        for _ in range(3):
            loss = ((x @ w + b - y) ** 2).mean()
            loss.backward()
            with paddle.no_grad():
                for p in (w, b):
                    p.subtract_(0.1 * p.grad)
                    p.clear_gradient()
    return trace


def new_leaves() -> Trace:
    """Descent written out, with a new leaf for every round."""
    w = weight(3, 1)
    x, y = rows(4, 3)
    with viz.record() as trace:
        for _ in range(3):
            loss = ((x @ w - y) ** 2).mean()
            loss.backward()
            w = (w - 0.1 * w.grad).detach()
            w.stop_gradient = False
    return trace


# ----- how a loop ends, and where a recording begins ---------------------------------------------


def second_time() -> Trace:
    """The state keeps its history, which the backward of the first round has freed."""
    inner, outer = weight(3, 3), weight(2, 3, seed=2)
    h = paddle.zeros([1, 3])
    with contextlib.suppress(Fatal), viz.record() as trace:
        for k in viz.rounds(range(3)):
            x = rows(1, 2, seed=k)[0]
            h = paddle.tanh(x @ outer + h @ inner)
            loss = h.sum()
            loss.backward()
    return trace


def nan() -> Trace:
    """The third batch has a zero, whose logarithm makes all later numbers NaN."""
    net = nn.Linear(2, 1)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    batches = [[[1.0, 2.0]], [[2.0, 1.0]], [[0.0, 1.0]], [[1.0, 1.0]], [[1.0, 3.0]]]
    with viz.record() as trace:
        for batch in batches:
            x = paddle.to_tensor(batch)
            loss = (net(paddle.log(x)) ** 2).mean()
            loss.backward()
            sgd.step()
            sgd.clear_grad()
    return trace


def own_gradients() -> Trace:
    """A PyLayer and a hook in every round."""
    net = nn.Linear(3, 1)
    adam = paddle.optimizer.Adam(0.05, parameters=net.parameters())
    x, y = rows(4, 3)
    with viz.record() as trace:
        for _ in range(3):
            out = cus_tanh.apply(net(x))
            out.register_hook(lambda grad: grad * 0.5)
            loss = ((out - y) ** 2).mean()
            loss.backward()
            adam.step()
            adam.clear_grad()
    return trace


ALL: list[Callable[[], Trace]] = [
    lenet, through_time, never_cleared, by_hand, new_leaves, second_time, nan, own_gradients,
]  # fmt: skip
