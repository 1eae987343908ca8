"""A transformer trains in a Program as in eager mode: the one of `examples/`, built of layers, and
attention written with functions. The losses of real Paddle are in
`tests/oracle/cases/transformer.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.static.plan import Plan
from tests.oracle.cases._examples import example

from ..static.world import fresh

BATCH, LENGTH, SIZE, HEADS, CLASSES = 3, 5, 8, 2, 4
RUNS = 12


@pytest.mark.parametrize(("dtype", "close"), [("float32", 1e-5), ("float64", 1e-12)])
def test_the_example_trains_in_a_program_as_in_eager_mode(dtype: str, close: float) -> None:
    """All but the last digits, because the two modes add gradients that meet in another order."""
    paddle.set_default_dtype(dtype)
    try:
        transformer = example(paddle, "character_transformer")
        _, eager = transformer.train_eagerly(30)
        assert transformer.train_a_program(30) == pytest.approx(eager, rel=close)
    finally:
        paddle.set_default_dtype("float32")
    assert eager[-1] < 0.6 * eager[0]


# ----- attention of functions --------------------------------------------------------------------


def weights() -> list[Any]:
    """Parameters for queries, keys, values, and the scores of the classes."""
    rng = np.random.default_rng(4)
    return [
        paddle.create_parameter(
            [SIZE, width],
            "float64",
            default_initializer=paddle.nn.initializer.Assign(rng.normal(size=(SIZE, width))),
        )
        for width in (SIZE, SIZE, SIZE, CLASSES)
    ]


def attention_loss(x: Any, labels: Any, q: Any, k: Any, v: Any, out: Any) -> Any:
    """Attention in HEADS parts to what came before, and how badly it guesses the labels."""

    def heads(weight: Any) -> Any:
        split = paddle.reshape(paddle.matmul(x, weight), [-1, LENGTH, HEADS, SIZE // HEADS])
        return paddle.transpose(split, [0, 2, 1, 3])

    places = paddle.arange(LENGTH)
    later = paddle.cast(places.unsqueeze(0) > places.unsqueeze(1), "float64") * -1e9
    scores = paddle.matmul(heads(q), heads(k), transpose_y=True) * (SIZE // HEADS) ** -0.5
    looked = paddle.matmul(paddle.nn.functional.softmax(scores + later), heads(v))
    joined = paddle.reshape(paddle.transpose(looked, [0, 2, 1, 3]), [-1, LENGTH, SIZE])
    return paddle.nn.functional.cross_entropy(paddle.matmul(joined, out), labels)


def batches() -> list[tuple[Any, Any]]:
    """Inputs, and labels that depend on the first input: so only attention can know them."""
    rng = np.random.default_rng(5)
    inputs = [rng.normal(size=(BATCH, LENGTH, SIZE)) for _ in range(RUNS)]
    return [(x, np.repeat(x[:, :1, :CLASSES].argmax(-1), LENGTH, 1)) for x in inputs]


def eager_losses() -> list[float]:
    parameters = weights()
    optimizer = paddle.optimizer.Adam(0.05, parameters=parameters)
    losses = []
    for x, labels in batches():
        loss = attention_loss(paddle.to_tensor(x), paddle.to_tensor(labels), *parameters)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


@pytest.mark.host("plans are made for the host")
def test_attention_of_functions_trains_by_plan_as_in_eager_mode() -> None:
    eager = eager_losses()
    with fresh() as (main, startup):
        x = paddle.static.data("x", [None, LENGTH, SIZE], "float64")
        labels = paddle.static.data("labels", [None, LENGTH], "int64")
        loss = attention_loss(x, labels, *weights())
        paddle.optimizer.Adam(0.05).minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        feeds = [{"x": x, "labels": labels} for x, labels in batches()]
        losses = [float(executor.run(main, feed, [loss])[0]) for feed in feeds]
        assert isinstance(executor._find_plan(main.prepared[loss.name,], feeds[-1]), Plan)
    assert losses == eager
    assert len(set(losses)) == RUNS
    assert losses[-1] < losses[0]
