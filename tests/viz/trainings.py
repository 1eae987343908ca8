"""Recorded training loops of learners, with rounds (training iterations) that differ."""

# ruff: noqa: B007  (loop variables give rounds their names)

import contextlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn, static
from tests.static.world import fresh
from viz.trace import Trace


def descend(opt: Any, loss_of: Callable[[int], Any], turns: int, **settings: Any) -> Trace:
    """Record a loop of training, whose losses may depend on the turn."""
    with viz.record(**settings) as trace:
        for turn in range(turns):
            loss = loss_of(turn)
            loss.backward()
            opt.step()
            opt.clear_grad()
    return trace


def model() -> tuple[Any, Any]:
    paddle.seed(0)
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    return net, paddle.optimizer.SGD(0.1, parameters=net.parameters())


def epochs(count: int = 2, rows: int = 7) -> Trace:
    """Batches of three and a smaller last one, an evaluation after each epoch, and an end."""
    net, opt = model()
    X = paddle.to_tensor(np.linspace(-1, 1, 2 * rows, dtype="float32").reshape(rows, 2))
    Y = X.sum(axis=1, keepdim=True)
    with viz.record("epochs") as trace:
        for epoch in range(count):
            for batch in range(-(-rows // 3)):
                x, y = X[3 * batch : 3 * batch + 3], Y[3 * batch : 3 * batch + 3]
                loss = ((net(x) - y) ** 2).mean()
                loss.backward()
                opt.step()
                opt.clear_grad()
            with paddle.no_grad():
                net(X)
        worst = (net(X) - Y).abs().max()  # noqa: F841  (its name)
    return trace


def simple(count: int = 4, start: float = 2.0, names: bool = True, rate: float = 0.1) -> Trace:
    """Record one weight and four iterations."""
    w = paddle.create_parameter([1], "float32")
    w.set_value(np.array([start], "float32"))
    opt = paddle.optimizer.SGD(rate, parameters=[w])
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record("simple") as trace:
        for i in range(count) if names else [None] * count:
            loss = (x * w).square().mean()
            loss.backward()
            opt.step()
            opt.clear_grad(False)
    return trace


def players() -> Trace:
    """Record two optimizers that alternate."""
    one, other = (paddle.create_parameter([1], "float32") for _ in range(2))
    first = paddle.optimizer.SGD(0.1, parameters=[one])
    second = paddle.optimizer.Adam(0.1, parameters=[other])
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record("players") as trace:
        for i in range(6):
            opt = second if i % 2 else first
            loss = (x * one * other).square().mean()
            loss.backward()
            opt.step()
            first.clear_grad(False)
            second.clear_grad(False)
    return trace


def accumulated() -> Trace:
    """Two backward passes for each update, and one for the last."""
    paddle.seed(0)
    w = paddle.create_parameter([1], "float32")
    opt = paddle.optimizer.SGD(0.01, parameters=[w])
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record("accumulated") as trace:
        for i in range(4):
            for _ in range(1 if i == 3 else 2):
                loss = (x * w).square().mean()
                loss.backward()
            opt.step()
            opt.clear_grad(False)
    return trace


def broken() -> Trace:
    """Ends with an error in its third round."""
    w = paddle.create_parameter([2], "float32")
    opt = paddle.optimizer.SGD(0.1, parameters=[w])
    with contextlib.suppress(ValueError), viz.record("broken") as trace:
        for i in range(5):
            x = paddle.ones([3 if i == 2 else 2])
            loss = (x * w).mean()
            loss.backward()
            opt.step()
            opt.clear_grad(False)
    return trace


def overflowing() -> Trace:
    """A weight that grows until it is infinite."""
    return simple(6, start=1e10, rate=-1e5)


def program(count: int = 3) -> Trace:
    """A Program, built and run; the last time with fewer rows, and then without its update."""
    with fresh() as (main, startup), viz.record("program") as trace:
        x = static.data("x", [None, 2], "float32")
        loss = static.nn.fc(x, 1).mean()
        only = main.clone(for_test=True)
        paddle.optimizer.SGD(0.1).minimize(loss)
        exe = static.Executor()
        exe.run(startup)
        for i in range(count + 2):
            rows = np.ones([2 if i == count else 3, 2], "float32")
            exe.run(only if i > count else main, feed={"x": rows}, fetch_list=[loss])
    return trace


def drawn(seed: int) -> Trace:
    """Record iterations that differ in rows, backward passes, updates, ops or evaluation."""
    rng = random.Random(seed)
    weights = {name: paddle.create_parameter([2, 1], "float32") for name in ("w", "v")}
    w, v = weights.values()
    opts = [paddle.optimizer.SGD(0.1, parameters=[p]) for p in (w, v)]
    rows = [4, *rng.choices((2, 3, 4), k=9)]
    forms = ["plain", *rng.choices(("plain", "plain", "tanh", "twice", "still", "both"), k=9)]
    with viz.record("drawn") as trace:
        for number, form in viz.rounds(zip(rows, forms, strict=True)):
            x = paddle.to_tensor(np.ones([number, 2], "float32"))
            if form == "plain" and rng.random() < 0.2:
                with paddle.no_grad():
                    x @ w
                continue
            for _ in range(2 if form == "twice" else 1):
                y = x @ w + x @ v
                loss = (paddle.tanh(y) if form == "tanh" else y).mean()
                loss.backward()
            for opt in [] if form == "still" else opts if form == "both" else opts[:1]:
                opt.step()
            for opt in opts:
                opt.clear_grad(False)
    return trace


ALL = (epochs, simple, players, accumulated, broken, overflowing, program)
