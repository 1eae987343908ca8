"""The cases in NumPy by hand: what the arithmetic alone costs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from shapes import BATCH, CHAIN, SIZES


def cases(_library: str = "") -> dict[str, Callable[[], Any]]:
    """One function per case; calling it does the work once."""
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

    sizes = list(pairwise(SIZES))
    weights = [rng.standard_normal(pair).astype("float32") * 0.1 for pair in sizes]
    biases = [np.zeros(n, "float32") for _, n in sizes]
    images = rng.standard_normal((BATCH, SIZES[0])).astype("float32")
    labels = rng.integers(0, SIZES[-1], BATCH)
    rows = np.arange(BATCH)

    def mlp() -> None:
        h1 = np.tanh(images @ weights[0] + biases[0])
        h2 = np.tanh(h1 @ weights[1] + biases[1])
        logits = h2 @ weights[2] + biases[2]
        e = np.exp(logits - logits.max(1, keepdims=True))
        p = e / e.sum(1, keepdims=True)
        -np.log(p[rows, labels]).mean()
        p[rows, labels] -= 1
        d3 = p / BATCH
        d2 = (d3 @ weights[2].T) * (1 - h2 * h2)
        d1 = (d2 @ weights[1].T) * (1 - h1 * h1)
        for i, (below, d) in enumerate(((images, d1), (h1, d2), (h2, d3))):
            weights[i] -= np.float32(0.01) * (below.T @ d)
            biases[i] -= np.float32(0.01) * d.sum(0)

    return {"pylayer": pylayer, "chain": chain, "mlp": mlp, "add": add}
