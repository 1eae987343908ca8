"""Ops and their attributes as kernels take them, out of the plain values of a document."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from minipaddle.engine.errors import MinipaddleError
from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.bound import Forward, functions_on
from minipaddle.ops.program_ops import PROGRAM_OPS

from ..document.codec import ODD
from ..document.op_facts import UNFIT

REFUSALS = (MinipaddleError, *UNFIT, NotImplementedError, MemoryError)  # of an op
DRAWS_A_MASK = ("dropout",)  # and are linear in their input: the gradient rule says how


def op_of(name: str, recorded: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
    """Return an op and its attributes, each None if the engine does not have it."""
    op = REGISTRY.get(name) or PROGRAM_OPS.get(name)
    if op is None:
        return None, None
    with suppress(MinipaddleError, TypeError, ValueError):  # a user's own object is a name
        return op, attributes(op, recorded)
    return op, None


def by_mask(op: Op, attrs: dict[str, Any]) -> Callable[..., Sequence[Any]]:
    """Return the function of x, and of a mask that was drawn, for an op that draws a mask."""
    rule: Any = op.rule
    extra = {name: attrs[name] for name in op.rule_extra}
    return lambda x, mask: [rule(functions_on([x]), x, mask, **extra)]


def forward_of(
    op: Any, attrs: dict[str, Any], *, checked: bool, fresh: bool = False
) -> Callable[..., Sequence[Any]]:
    """Return the kernel of an op with attributes, which are checked if they are not the recorded
    ones.
    """
    forward = Forward(op, attrs, fresh)
    return forward.checked if checked else forward


def run_op(op: Op, arrays: Sequence[Any], attrs: dict[str, Any], room: int) -> tuple[Any, ...]:
    """Return the results of an op, or () if they would have more than `room` elements together.

    The last arrays are a list if the op takes one. One of REFUSALS is raised if the op cannot run.
    """
    arguments = [*arrays]
    if op.takes_list:
        last = len(op.inputs) - 1
        arguments = [*arguments[:last], arguments[last:]]
    inferred = op.infer_arrays(arguments, attrs)
    results = inferred if isinstance(inferred, list) else [inferred]
    fits = sum(math.prod(result.shape) for result in results) <= room
    return Forward(op, attrs)(*arguments) if fits else ()


def attributes(op: Op, recorded: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes that a kernel takes by keyword."""
    given = {key: recorded.get(key, op.defaults[key]) for key in op.defaults}
    return {key: op.canonical(key, restore(value)) for key, value in given.items()}


def restore(value: Any) -> Any:
    """Restore an attribute: parts of an index, and numbers that a document has as text.

    >>> restore([":", "...", "1:3:2", 4]), restore("sum"), restore("-inf")
    ((slice(None, None, None), Ellipsis, slice(1, 3, 2), 4), 'sum', -inf)
    """
    if isinstance(value, list):
        return tuple(restore(item) for item in value)
    if value == "...":
        return ...
    if isinstance(value, str) and value in ODD:
        return float(value)
    if isinstance(value, str) and ":" in value:
        ends = [int(end) if end else None for end in value.split(":")]
        return slice(*ends)
    return value
