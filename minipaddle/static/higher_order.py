"""Gradients of gradients: the rule behind a gradient operator, run again on Variables.

A gradient operator such as tanh_grad has no gradient of its own. Where the next derivative goes
through one, the rule of its record is run on Variables; that appends ordinary operators which
compute the same values, and they have gradients.
"""

from __future__ import annotations

from typing import Any

from ..ops.rule_functions import GRAPH
from .block import Block
from .kernels import Gradient
from .operator import BACKWARD, Operator
from .program import program_guard
from .variable import Variable


def expand(
    block: Block, targets: list[Variable], sources: set[str]
) -> tuple[dict[str, str], list[Operator]]:
    """Rewrite the gradient operators between sources and targets.

    Returns for each of their results the Variable that now stands for it, and all operators in an
    order in which values flow.
    """
    same: dict[str, str] = {}
    order: list[Operator] = []
    reached, needed = set(sources), _names_needed(block, targets)
    for op in list(block.ops):
        order.append(op)
        if reached.isdisjoint(op.reads):
            continue
        reached.update(op.writes)
        if isinstance(op.kernel, Gradient) and not needed.isdisjoint(op.writes):
            order += _rerun(block, op, same)
    return same, order


def _names_needed(block: Block, targets: list[Variable]) -> set[str]:
    """The names on which the targets depend."""
    needed = {target.name for target in targets}
    for op in reversed(block.ops):
        if not needed.isdisjoint(op.writes):
            needed.update(op.reads)
    return needed


def _rerun(block: Block, op: Operator, same: dict[str, str]) -> list[Operator]:
    """Append what the rule of a gradient operator does; note which Variables it results in."""

    def variable(name: str | None) -> Any:
        return None if name is None else block.vars[same.get(name, name)]

    values = tuple(
        [variable(name) for name in argument] if isinstance(argument, tuple) else variable(argument)
        for argument in op.arguments
    )
    before = len(block.ops)
    with (
        program_guard(block.program),
        block.program.mark_operators(BACKWARD, "gradients"),
    ):
        grads = op.kernel.apply(GRAPH, values)  # type: ignore[attr-defined]
    for name, grad in zip(op.results, grads, strict=True):
        if name is not None and grad is not None:
            same[name] = grad.name
    return block.ops[before:]
