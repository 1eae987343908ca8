"""The last step of every loss: all of it, its mean, or its sum."""

from __future__ import annotations

from typing import Any

from ...ops.rule_functions import GRAPH as ops
from .. import errors

THREE = ("sum", "mean", "none")


def check_reduction(name: str, reduction: Any, known: tuple[str, ...] = THREE) -> None:
    """Refuse another reduction than those that are known."""
    if reduction not in known:
        raise errors.choice(name, "reduction", reduction, known)


def reduce(loss: Any, reduction: str) -> Any:
    """Reduce a loss to its mean or its sum, or leave it as it is."""
    if reduction == "mean":
        return ops.mean(loss)
    return ops.sum(loss) if reduction == "sum" else loss
