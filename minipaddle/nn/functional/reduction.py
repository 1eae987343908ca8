"""The last step of every loss: all of it, its mean, or its sum."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument
from ...ops import REGISTRY

_mean = REGISTRY["mean"].call
_sum = REGISTRY["sum"].call
THREE = ("sum", "mean", "none")


def check_reduction(name: str, reduction: Any, known: tuple[str, ...] = THREE) -> None:
    """Refuse another reduction than those that are known."""
    if reduction not in known:
        choices = f"{', '.join(map(repr, known[:-1]))} or {known[-1]!r}"
        raise InvalidArgument(
            f"The value of 'reduction' in {name} should be {choices}, but received {reduction}, "
            "which is not allowed.",
            expected=choices,
            received=repr(reduction),
            fix="leave it out for 'mean'",
        )


def reduce(loss: Any, reduction: str) -> Any:
    """The loss as the user wants it."""
    if reduction == "mean":
        return _mean(loss)
    return _sum(loss) if reduction == "sum" else loss
