"""Gradients of gradients: gradient rules run on Variables.

A gradient operator such as tanh_grad has no gradient. For the next derivative its rule runs on
Variables and appends ordinary operators, which compute equal values and have gradients. A size
known only at run time is a `Size`: ops that accept sizes as Variables accept it, others raise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..engine.errors import MinipaddleError, Unimplemented
from ..ops import REGISTRY
from ..ops.arguments import as_list
from ..ops.bound import Gradient
from ..ops.rule_functions import RuleFunctions
from . import errors
from .block import Block
from .operator import BACKWARD, Operator
from .program import program_guard
from .variable import Variable


def expand(
    block: Block, targets: list[Variable], sources: set[str]
) -> tuple[dict[str, str], list[Operator]]:
    """Replace the gradient operators between sources and targets by ordinary operators.

    Return the name of the Variable that replaces each gradient operator's result, and all
    operators in topological order.
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
            order += _append_rule(block, op, same)
    return same, order


def _names_needed(block: Block, targets: list[Variable]) -> set[str]:
    """Return the names on which the targets depend."""
    needed = {target.name for target in targets}
    for op in reversed(block.ops):
        if not needed.isdisjoint(op.writes):
            needed.update(op.reads)
    return needed


def _append_rule(block: Block, op: Operator, same: dict[str, str]) -> list[Operator]:
    """Append the operators of a gradient operator's rule; store their results' names in `same`."""

    def variable(name: str | None) -> Any:
        return None if name is None else block.vars[same.get(name, name)]

    values = tuple(
        [variable(name) for name in argument] if isinstance(argument, tuple) else variable(argument)
        for argument in op.arguments
    )
    before = len(block.ops)
    with program_guard(block.program), block.program.mark_operators(BACKWARD, "gradients"):
        try:
            grads = op.kernel.apply(ON_VARIABLES, values)  # type: ignore[attr-defined]
        except Unimplemented:  # the error says which rule is missing
            raise
        except (MinipaddleError, TypeError) as error:
            raise _unknown_sizes(op, error) from error
    for name, grad in zip(op.results, grads, strict=True):
        if name is not None and grad is not None:
            same[name] = grad.name
    return block.ops[before:]


# ----- sizes that are known only at run time ------------------------------------------------------


class Size:
    """Size of an axis that is known only at run time; a rule that computes with it fails."""

    def __init__(self, x: Variable, axis: int) -> None:
        self.x, self.axis = x, axis

    def variable(self) -> Any:
        """Return a Variable that holds the size at run time."""
        return REGISTRY["shape"].call(self.x)[self.axis]

    def __eq__(self, other: object) -> bool:
        raise TypeError("a size that is known only at run time is compared")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"the size of axis {self.axis} of '{self.x.name}'"


# Ops that take a shape -> ops that take its sizes as Variables.
BY_SIZES = {
    "expand": "expand_by",
    "full": "full_by",
    "reshape_to": "reshape_by",
    "sum_to": "sum_to_by",
}


class VariableFunctions(RuleFunctions):
    """Functions `F` of a rule that runs on Variables."""

    def sizes(self, x: Any) -> Any:
        return tuple(Size(x, axis) if n == -1 else n for axis, n in enumerate(x.shape))

    def product(self, sizes: Any) -> Any:
        """Return the number of elements, as a Variable if it is known only at run time."""
        return math.prod(n.variable() if isinstance(n, Size) else n for n in sizes)

    def put_at(self, x: Any, *, index: Any, shape: Any) -> Any:
        if not _sizes_in(shape):
            return REGISTRY["put_at"].call(x, index=index, shape=shape)
        zeros = self.full(shape=shape, fill_value=0.0, dtype=x.dtype)
        return REGISTRY["set_at"].call(zeros, x, index=index)

    def function_of(self, op: Any) -> Callable[..., Any]:
        call, name = op.call, op.name

        def function(*inputs: Any, **attrs: Any) -> Any:
            unknown = {key: sizes for key, value in attrs.items() if (sizes := _sizes_in(value))}
            if not unknown:
                return call(*inputs, **attrs)
            if unknown.keys() != {"shape"} or name not in BY_SIZES:
                raise TypeError(f"{name}() takes numbers alone, not {unknown}")
            sizes = [size.variable() for size in unknown["shape"]]
            known = tuple(None if isinstance(n, Size) else n for n in attrs["shape"])
            return REGISTRY[BY_SIZES[name]].call(*inputs, sizes, **{**attrs, "shape": known})

        return function


def _sizes_in(value: Any) -> list[Size]:
    return [n for n in as_list(value) if isinstance(n, Size)]


ON_VARIABLES = VariableFunctions()


def _unknown_sizes(op: Operator, error: Exception) -> Exception:
    """Make the error of a rule that needs a size which is known only at run time."""
    names = [name for name in op.reads if -1 in op.block.vars[name].shape]
    if not names:
        return error
    return errors.sizes_of_a_run(op.type, [op.block.vars[name] for name in names])
