"""Cases in NumPy by hand: the cost of the arithmetic alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from shapes import BATCH, CHAIN, SIZES, WIDE, WIDE_BATCH


def cases(_library: str = "") -> dict[str, Callable[[], Any]]:
    """Return a function for each case, which does the work once."""
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal((2, 3)).astype("float32") for _ in range(2))

    def pylayer() -> Any:
        out = np.tanh(x)
        out.mean()
        dy = np.full(out.shape, 1.0 / out.size, out.dtype)
        return dy * (1 - np.square(out))

    def chain() -> Any:
        saved, z = [], x
        for _ in range(CHAIN):
            t = np.tanh(z)
            n = t * y + y
            saved.append((t, n))
            z = np.sin(n)
        z.sum()
        dz = np.ones(z.shape, z.dtype)
        dy = np.zeros(z.shape, z.dtype)
        for t, n in reversed(saved):
            dn = dz * np.cos(n)
            dy = dy + dn + dn * t
            dz = dn * y * (1 - t * t)
        return dz, dy

    def add() -> Any:
        return x + y

    four = np.ones(4, "float32")

    def np_add() -> Any:
        return np.add(four, four)

    mlp, wide = training(rng, SIZES, BATCH), training(rng, WIDE, WIDE_BATCH)
    networks = {"mlp": mlp, "wide mlp": wide}
    return {"pylayer": pylayer, "chain": chain, "add": add, "np.add": np_add, **networks}


def training(rng: Any, sizes: tuple[int, ...], count: int) -> Callable[[], Any]:
    """Return a training step of an MLP with tanh, cross entropy and plain gradient descent."""
    pairs = list(pairwise(sizes))
    weights = [rng.standard_normal(pair).astype("float32") * 0.1 for pair in pairs]
    biases = [np.zeros(n, "float32") for _, n in pairs]
    images = rng.standard_normal((count, sizes[0])).astype("float32")
    labels = rng.integers(0, sizes[-1], count)
    rows = np.arange(count)

    def mlp() -> None:
        values = [images]
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            values.append(np.tanh(values[-1] @ w + b))
        logits = values[-1] @ weights[-1] + biases[-1]
        e = np.exp(logits - logits.max(1, keepdims=True))
        p = e / e.sum(1, keepdims=True)
        -np.log(p[rows, labels]).mean()
        p[rows, labels] -= 1
        d = p / count
        for i in range(len(weights) - 1, -1, -1):
            below = values[i]
            deeper = (d @ weights[i].T) * (1 - below * below) if i else None
            weights[i] -= np.float32(0.01) * (below.T @ d)
            biases[i] -= np.float32(0.01) * d.sum(0)
            d = deeper

    return mlp
