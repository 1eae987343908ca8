"""Cases in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from shapes import CHAIN, IDS, VOCABULARY, classes_of, networks


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
    """Return a function for each case, which does the work once."""
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
    """Return a training step of each network: forward, loss, backward, optimizer."""
    nn = torch.nn

    def step(name: str, model: Any, shape: tuple[int, ...], optimizer: str) -> Any:
        update = getattr(torch.optim, optimizer)(model.parameters(), lr=0.001)
        x = torch.tensor(rng.standard_normal(shape).astype("float32"))
        labels = torch.tensor(rng.integers(0, classes_of(name), shape[0]))

        def run() -> None:
            update.zero_grad()
            loss = nn.functional.cross_entropy(model(x), labels)
            loss.backward()
            update.step()

        return run

    built = networks(nn, "2d", batch_first=True)
    return {name: step(name, *network) for name, network in built.items()}


def rows(rng: Any) -> dict[str, Callable[[], Any]]:
    """Return the cases that look up rows of a table, forward and backward."""
    table = torch.tensor(rng.standard_normal(VOCABULARY).astype("float32"), requires_grad=True)
    ids = torch.tensor(rng.integers(0, VOCABULARY[0], IDS))

    def embedding() -> None:
        torch.nn.functional.embedding(ids, table).sum().backward()
        table.grad = None

    def index() -> None:
        table[ids].sum().backward()
        table.grad = None

    return {"embedding": embedding, "index": index}
