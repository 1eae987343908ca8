"""The cases in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from shapes import BATCH, CHAIN, SIZES


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

    inner, middle, outer, classes = SIZES
    model = torch.nn.Sequential(
        torch.nn.Linear(inner, middle),
        torch.nn.Tanh(),
        torch.nn.Linear(middle, outer),
        torch.nn.Tanh(),
        torch.nn.Linear(outer, classes),
    )
    sgd = torch.optim.SGD(model.parameters(), lr=0.01)
    images = torch.tensor(rng.standard_normal((BATCH, inner)).astype("float32"))
    labels = torch.tensor(rng.integers(0, classes, BATCH))

    def mlp() -> None:
        sgd.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        sgd.step()

    return {"pylayer": pylayer, "chain": chain, "mlp": mlp, "add": add}
