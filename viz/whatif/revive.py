"""Ops and their attributes as kernels take them, out of the plain values that a document has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from minipaddle.engine.errors import MinipaddleError
from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.bound import Forward, functions_on
from minipaddle.ops.program_ops import PROGRAM_OPS

from ..document.codec import ODD

DRAWS_A_MASK = ("dropout",)  # and are linear in their input: the gradient rule says how


def op_of(name: str, recorded: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
    """An op by its name, and its attributes; None for what is not there, or not to be read."""
    op = REGISTRY.get(name) or PROGRAM_OPS.get(name)
    if op is None:
        return None, None
    with suppress(MinipaddleError, TypeError, ValueError):  # a user's own object is a name
        return op, attributes(op, recorded)
    return op, None


def by_mask(op: Op, attrs: dict[str, Any]) -> Callable[..., Sequence[Any]]:
    """What an op that draws a mask makes of x with one that was drawn."""
    rule: Any = op.rule
    extra = {name: attrs[name] for name in op.rule_extra}
    return lambda x, mask: [rule(functions_on([x]), x, mask, **extra)]


def forward_of(
    op: Any, attrs: dict[str, Any], *, checked: bool, fresh: bool = False
) -> Callable[..., Sequence[Any]]:
    """The kernel of an op with attributes, which are checked where they are others."""
    forward = Forward(op, attrs, fresh)
    return forward.checked if checked else forward


def attributes(op: Op, recorded: dict[str, Any]) -> dict[str, Any]:
    """What a kernel takes by keyword."""
    given = {key: recorded.get(key, op.defaults[key]) for key in op.defaults}
    return {key: op.canonical(key, alive(value)) for key, value in given.items()}


def alive(value: Any) -> Any:
    """The parts of an index again, and numbers, which a document has as text.

    >>> alive([":", "...", "1:3:2", 4]), alive("sum"), alive("-inf")
    ((slice(None, None, None), Ellipsis, slice(1, 3, 2), 4), 'sum', -inf)
    """
    if isinstance(value, list):
        return tuple(alive(item) for item in value)
    if value == "...":
        return ...
    if isinstance(value, str) and value in ODD:
        return float(value)
    if isinstance(value, str) and ":" in value:
        ends = [int(end) if end else None for end in value.split(":")]
        return slice(*ends)
    return value
