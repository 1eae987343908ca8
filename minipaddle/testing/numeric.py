"""Finite differences, and small functions of the checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ops.arguments import as_list

Arrays = list[Any]
LOSSES = 3  # number of losses for the two slopes at an element


def numerical_gradients(
    func: Callable[..., Any], inputs: Sequence[Any], douts: Sequence[Any], eps: float = 1e-6
) -> Arrays:
    """Return the gradients of (func · douts).sum() by central differences, one array per input.

    `func` takes NumPy arrays and returns one, or several in a tuple.

    Errors: those of func.
    Source: minipaddle's own.

    >>> numerical_gradients(np.square, [np.array([1.0, 3.0])], [np.ones(2)])[0].round(6).tolist()
    [2.0, 6.0]
    """
    arrays = [np.array(x, "float64") for x in inputs]

    def loss(values: Arrays) -> float:
        return dot(as_list(func(*values)), douts)

    return [
        np.array([sum(slopes_at(loss, arrays, n, i, eps)) / 2 for i in np.ndindex(x.shape)],
                 "float64").reshape(x.shape)
        for n, x in enumerate(arrays)
    ]  # fmt: skip


def count(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"


def dot(outputs: Sequence[Any], cotangents: Sequence[Any]) -> float:
    return float(sum(np.sum(y * c) for y, c in zip(outputs, cotangents, strict=True)))


def slopes_at(
    loss: Callable[[Arrays], float], arrays: Arrays, number: int, index: tuple[int, ...], eps: float
) -> tuple[float, float]:
    """Return the right and the left slope along one element of one input."""
    values = []
    for step in (eps, 0.0, -eps):  # LOSSES values
        x = arrays[number].copy()
        x[index] += step
        values.append(loss([*arrays[:number], x, *arrays[number + 1 :]]))
    up, here, down = values
    return (up - here) / eps, (here - down) / eps
