"""Paddle's own story of py_func: a network of user-defined and one of built-in operators agree.

Four layers with tanh, a softmax and a cross entropy are trained for two passes over 100 batches;
once tanh and the cross entropy are Python functions with their gradients, once the engine's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle

from .world import fresh

LAYERS, WIDTH, CLASSES, BATCHES, PASSES = 4, 32, 10, 100, 2


def tanh_grad(y, dy):
    return np.array(dy) * (1 - np.square(np.array(y)))


def cross_entropy(prediction, label):
    rows = np.arange(len(np.array(label)))
    return -np.log(np.array(prediction)[rows, np.array(label).ravel()])[:, None]


def cross_entropy_grad(prediction, label, dout):
    values, label = np.array(prediction), np.array(label).ravel()
    rows, grad = np.arange(len(label)), np.zeros_like(values)
    grad[rows, label] = -np.array(dout).ravel() / values[rows, label]
    return grad, None


def output(like: Any, name: str, shape: Any = None) -> Any:
    block = paddle.static.default_main_program().current_block()
    return block.create_var(name=name, dtype=like.dtype, shape=list(shape or like.shape))


def network(image: Any, label: Any, python: bool, seen: list[Any]) -> Any:
    hidden = image
    for number in range(LAYERS):
        hidden = paddle.static.nn.fc(hidden, WIDTH)
        if not python:
            hidden = paddle.tanh(hidden)
            continue
        new = output(hidden, f"hidden_{number}")
        hidden = paddle.static.py_func(
            np.tanh, hidden, new, tanh_grad, skip_vars_in_backward_input=hidden
        )
        paddle.static.py_func(lambda x: seen.append(x.shape()), hidden, None)
    prediction = paddle.static.nn.fc(hidden, CLASSES, activation="softmax")
    if python:
        loss = output(prediction, "loss", [-1, 1])
        loss = paddle.static.py_func(
            cross_entropy,
            [prediction, label],
            loss,
            cross_entropy_grad,
            skip_vars_in_backward_input=loss,
        )
    else:
        loss = -paddle.log(paddle.take_along_axis(prediction, label, 1))
    return paddle.mean(loss)


def losses(python: bool, seen: list[Any]) -> list[float]:
    rng = np.random.default_rng(4)
    feeds = [
        {
            "image": rng.normal(size=[16, 20]).astype("float32"),
            "label": rng.integers(0, CLASSES, [16, 1]),
        }
        for _ in range(BATCHES)
    ]
    with fresh() as (main, startup):
        image = paddle.static.data("image", [-1, 20], "float32")
        label = paddle.static.data("label", [-1, 1], "int64")
        loss = network(image, label, python, seen)
        paddle.optimizer.SGD(learning_rate=0.05).minimize(loss)
        paddle.seed(1)
        executor = paddle.static.Executor(paddle.CPUPlace())
        executor.run(startup)
        return [
            executor.run(main, feed=feed, fetch_list=[loss])[0].item()
            for _ in range(PASSES)
            for feed in feeds
        ]


def test_python_operators_train_as_built_in_ones_do() -> None:
    seen: list[Any] = []
    mine, theirs = losses(python=True, seen=seen), losses(python=False, seen=[])
    assert len(mine) == PASSES * BATCHES
    assert mine == pytest.approx(theirs, abs=1e-6)
    assert seen == [[16, WIDTH]] * LAYERS * PASSES * BATCHES
    first, second = np.mean(mine[:BATCHES]), np.mean(mine[BATCHES:])
    assert second < first  # it learns
