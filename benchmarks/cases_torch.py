"""The cases in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import torch
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


class CusTanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (y,) = ctx.saved_tensors
        return dy * (1 - torch.square(y))


def cases(_library: str) -> dict[str, Callable[[], Any]]:
    """One function per case; calling it does the work once."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)

    def leaf(*shape: int) -> Any:
        return torch.tensor(rng.standard_normal(shape).astype("float32"), requires_grad=True)

    x, y = leaf(2, 3), leaf(2, 3)

    def pylayer() -> None:
        CusTanh.apply(x).mean().backward()
        x.grad = None

    def chain() -> None:
        z = x
        for _ in range(CHAIN):
            z = torch.sin(torch.tanh(z) * y + y)
        z.sum().backward()
        x.grad = y.grad = None

    def add() -> None:
        x + y

    return {"pylayer": pylayer, "chain": chain, "add": add, **training(rng), **rows(rng)}


def training(rng: Any) -> dict[str, Callable[[], Any]]:
    """One step of each network: forward, the loss, backward, the optimizer."""
    nn, optim = torch.nn, torch.optim

    def step(model: Any, shape: tuple[int, ...], make: Any, classes: int = CLASSES) -> Any:
        moves = make(model.parameters(), lr=0.001)
        given = torch.tensor(rng.standard_normal(shape).astype("float32"))
        labels = torch.tensor(rng.integers(0, classes, shape[0]))

        def run() -> None:
            moves.zero_grad()
            loss = nn.functional.cross_entropy(model(given), labels)
            loss.backward()
            moves.step()

        return run

    def mlp(sizes: tuple[int, ...]) -> Any:
        layers: list[Any] = []
        for m, n in pairwise(sizes):
            layers += [nn.Linear(m, n), nn.Tanh()]
        return nn.Sequential(*layers[:-1])

    lenet = nn.Sequential(
        nn.Conv2d(1, 6, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(6, 16, 5),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Linear(400, 120),
        nn.Linear(120, 84),
        nn.Linear(84, CLASSES),
    )
    maps = nn.Sequential(
        nn.Conv2d(MAPS[1], FILTERS, 3, padding=1),
        nn.BatchNorm2d(FILTERS),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(FILTERS, CLASSES),
    )
    _, tokens, width = SENTENCES
    layer = nn.TransformerEncoderLayer(width, HEADS, INNER, dropout=0.0, batch_first=True)
    transformer = nn.Sequential(
        nn.TransformerEncoder(layer, LAYERS), nn.Flatten(), nn.Linear(tokens * width, CLASSES)
    )
    small = (BATCH, SIZES[0])
    return {
        "mlp": step(mlp(SIZES), small, optim.SGD, SIZES[-1]),
        "mlp adam": step(mlp(SIZES), small, optim.Adam, SIZES[-1]),
        "wide mlp": step(mlp(WIDE), (WIDE_BATCH, WIDE[0]), optim.SGD),
        "lenet": step(lenet, PICTURES, optim.Adam),
        "conv and batch norm": step(maps, MAPS, optim.SGD),
        "transformer": step(transformer, SENTENCES, optim.AdamW),
    }


def rows(rng: Any) -> dict[str, Callable[[], Any]]:
    """Rows of a table by their numbers, forward and backward."""
    table = torch.tensor(rng.standard_normal(VOCABULARY).astype("float32"), requires_grad=True)
    ids = torch.tensor(rng.integers(0, VOCABULARY[0], IDS))

    def embedding() -> None:
        torch.nn.functional.embedding(ids, table).sum().backward()
        table.grad = None

    def index() -> None:
        table[ids].sum().backward()
        table.grad = None

    return {"embedding": embedding, "index": index}
