"""Cases in Paddle code, for minipaddle and for Paddle."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from shapes import CHAIN, IDS, VOCABULARY, classes_of, networks


def cases(library: str) -> dict[str, Callable[[], Any]]:
    """Return a function for each case, which does the work once."""
    paddle = importlib.import_module(library)
    autograd = importlib.import_module(f"{library}.autograd")
    rng = np.random.default_rng(0)

    def leaf(*shape: int) -> Any:
        data = rng.standard_normal(shape).astype("float32")
        return paddle.to_tensor(data, stop_gradient=False)

    class cus_tanh(autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = paddle.tanh(x)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            (y,) = ctx.saved_tensor()
            return dy * (1 - paddle.square(y))

    x, y = leaf(2, 3), leaf(2, 3)

    def pylayer() -> None:
        cus_tanh.apply(x).mean().backward()
        x.clear_gradient(False)

    def chain() -> None:
        z = x
        for _ in range(CHAIN):
            z = paddle.sin(paddle.tanh(z) * y + y)
        z.sum().backward()
        x.clear_gradient(False)
        y.clear_gradient(False)

    def add() -> None:
        x + y

    def deep(count: int) -> Callable[[], Any]:
        """Return a case of `count` ops in a chain, forward and backward."""

        def run() -> None:
            z = x
            for _ in range(count):
                z = paddle.sin(z)
            z.sum().backward()
            x.clear_gradient(False)

        return run

    networks = training(library, rng)
    return {
        "pylayer": pylayer,
        "chain": chain,
        "add": add,
        "100 ops": deep(100),
        "100000 ops": deep(100_000),
        **networks,
        **rows(library, rng),
    }


def training(library: str, rng: Any) -> dict[str, Callable[[], Any]]:
    """Return a training step of each network: forward, loss, backward, optimizer."""
    paddle = importlib.import_module(library)

    def step(name: str, model: Any, shape: tuple[int, ...], optimizer: str) -> Any:
        make = getattr(paddle.optimizer, optimizer)
        update = make(parameters=model.parameters(), learning_rate=0.001)
        x = paddle.to_tensor(rng.standard_normal(shape).astype("float32"))
        labels = paddle.to_tensor(rng.integers(0, classes_of(name), shape[0]))

        def run() -> None:
            loss = paddle.nn.functional.cross_entropy(model(x), labels)
            loss.backward()
            update.step()
            update.clear_grad(False)

        return run

    return {name: step(name, *network) for name, network in networks(paddle.nn, "2D").items()}


def rows(library: str, rng: Any) -> dict[str, Callable[[], Any]]:
    """Return the cases that look up rows of a table, forward and backward."""
    paddle = importlib.import_module(library)
    table = paddle.to_tensor(rng.standard_normal(VOCABULARY).astype("float32"), stop_gradient=False)
    ids = paddle.to_tensor(rng.integers(0, VOCABULARY[0], IDS))

    def embedding() -> None:
        paddle.nn.functional.embedding(ids, table).sum().backward()
        table.clear_gradient(False)

    def index() -> None:
        table[ids].sum().backward()
        table.clear_gradient(False)

    return {"embedding": embedding, "index": index}
