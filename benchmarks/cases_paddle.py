"""The cases in Paddle code; the same for minipaddle and for Paddle."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from shapes import BATCH, CHAIN, SIZES


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

    inner, middle, outer, classes = SIZES
    model = paddle.nn.Sequential(
        paddle.nn.Linear(inner, middle),
        paddle.nn.Tanh(),
        paddle.nn.Linear(middle, outer),
        paddle.nn.Tanh(),
        paddle.nn.Linear(outer, classes),
    )
    sgd = paddle.optimizer.SGD(learning_rate=0.01, parameters=model.parameters())
    images = paddle.to_tensor(rng.standard_normal((BATCH, inner)).astype("float32"))
    labels = paddle.to_tensor(rng.integers(0, classes, BATCH))

    def mlp() -> None:
        loss = paddle.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        sgd.step()
        sgd.clear_grad(False)

    return {"pylayer": pylayer, "chain": chain, "mlp": mlp, "add": add}
