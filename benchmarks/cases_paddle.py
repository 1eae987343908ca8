"""The cases in Paddle code; the same for minipaddle and for Paddle."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from shapes import (
    BATCH,
    CHAIN,
    CLASSES,
    FILTERS,
    HEADS,
    IDS,
    INNER,
    LAYERS,
    MAPS,
    PICTURES,
    SENTENCES,
    SIZES,
    VOCABULARY,
    WIDE,
    WIDE_BATCH,
)


def cases(library: str) -> dict[str, Callable[[], Any]]:
    """One function per case; calling it does the work once."""
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
        """One op after the other, so many of them, and back."""

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
    """One step of each network: forward, the loss, backward, the optimizer."""
    paddle = importlib.import_module(library)
    nn, optimizer = paddle.nn, paddle.optimizer

    def step(model: Any, shape: tuple[int, ...], make: Any, classes: int = CLASSES) -> Any:
        moves = make(parameters=model.parameters(), learning_rate=0.001)
        given = paddle.to_tensor(rng.standard_normal(shape).astype("float32"))
        labels = paddle.to_tensor(rng.integers(0, classes, shape[0]))

        def run() -> None:
            loss = nn.functional.cross_entropy(model(given), labels)
            loss.backward()
            moves.step()
            moves.clear_grad(False)

        return run

    def mlp(sizes: tuple[int, ...]) -> Any:
        layers: list[Any] = []
        for m, n in pairwise(sizes):
            layers += [nn.Linear(m, n), nn.Tanh()]
        return nn.Sequential(*layers[:-1])

    lenet = nn.Sequential(
        nn.Conv2D(1, 6, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2D(2, 2),
        nn.Conv2D(6, 16, 5),
        nn.ReLU(),
        nn.MaxPool2D(2, 2),
        nn.Flatten(),
        nn.Linear(400, 120),
        nn.Linear(120, 84),
        nn.Linear(84, CLASSES),
    )
    maps = nn.Sequential(
        nn.Conv2D(MAPS[1], FILTERS, 3, padding=1),
        nn.BatchNorm2D(FILTERS),
        nn.ReLU(),
        nn.AdaptiveAvgPool2D(1),
        nn.Flatten(),
        nn.Linear(FILTERS, CLASSES),
    )
    _, tokens, width = SENTENCES
    layer = nn.TransformerEncoderLayer(width, HEADS, INNER, dropout=0.0)
    transformer = nn.Sequential(
        nn.TransformerEncoder(layer, LAYERS), nn.Flatten(), nn.Linear(tokens * width, CLASSES)
    )
    small = (BATCH, SIZES[0])
    return {
        "mlp": step(mlp(SIZES), small, optimizer.SGD, SIZES[-1]),
        "mlp adam": step(mlp(SIZES), small, optimizer.Adam, SIZES[-1]),
        "wide mlp": step(mlp(WIDE), (WIDE_BATCH, WIDE[0]), optimizer.SGD),
        "lenet": step(lenet, PICTURES, optimizer.Adam),
        "conv and batch norm": step(maps, MAPS, optimizer.SGD),
        "transformer": step(transformer, SENTENCES, optimizer.AdamW),
    }


def rows(library: str, rng: Any) -> dict[str, Callable[[], Any]]:
    """Rows of a table by their numbers, forward and backward."""
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
