"""Rules of PyTorch's optimizers in terms of minipaddle's, where both compute the same."""

from __future__ import annotations

from typing import Any, NamedTuple

from minipaddle.events import UpdateRule, Value

from .torch_tensors import value_of


class Followed(NamedTuple):
    """Rule of a parameter's update: its formula, its description, its state before the update."""

    formula: str = ""
    follows: UpdateRule | None = None
    state: tuple[Value, ...] | None = None


def update_rule_of(optimizer: Any, group: Any, param: Any) -> Followed:
    return Followed()
