"""Ops and their attributes as kernels take them, from the plain values in a document."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from minipaddle.engine.errors import MinipaddleError
from minipaddle.ops import Op
from minipaddle.ops.bound import Forward, functions_for
from minipaddle.ops.program_ops import find_op

from ..document.codec import NOT_FINITE
from ..document.op_facts import UNFIT

REFUSALS = (MinipaddleError, *UNFIT, NotImplementedError, MemoryError)  # errors of a call of an op
Kernel = Callable[[Sequence[Any]], tuple[Any, ...]]  # from arrays to results
DRAWS_A_MASK = ("dropout",)  # ops that are linear in x, so the gradient rule computes them, too


def op_of(name: str, recorded: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
    """Return an op and its attributes; both None for an unknown op, attributes if unusable."""
    op = find_op(name)
    if op is None:
        return None, None
    with suppress(MinipaddleError, TypeError, ValueError):  # a document has only names of objects
        return op, attributes(op, recorded)
    return op, None


def by_mask(op: Op, attrs: dict[str, Any]) -> Callable[..., Sequence[Any]]:
    """Return a function of x and a drawn mask that computes an op of DRAWS_A_MASK."""
    rule: Any = op.rule
    extra = {name: attrs[name] for name in op.rule_extra}
    return lambda x, mask: [rule(functions_for([x]), x, mask, **extra)]


def forward_of(
    op: Any, attrs: dict[str, Any], *, checked: bool, fresh: bool = False
) -> Callable[..., Sequence[Any]]:
    """Return an op's kernel with attributes, `checked` if they are not the recorded ones."""
    forward = Forward(op, attrs, fresh)
    return forward.checked if checked else forward


def kernel_of(op: Op, arrays: Sequence[Any], attrs: dict[str, Any], room: int) -> Kernel | None:
    """Return the kernel of an op for such arrays, or None for more than `room` elements in results.

    If the op takes a list, the last arrays form it. Raise one of REFUSALS if the op cannot run.
    """
    last = len(op.inputs) - 1 if op.takes_list else None

    def arguments(arrays: Sequence[Any]) -> list[Any]:
        return [*arrays] if last is None else [*arrays[:last], [*arrays[last:]]]

    inferred = op.infer_arrays(arguments(arrays), attrs)
    results = inferred if isinstance(inferred, list) else [inferred]
    forward = Forward(op, attrs)
    fits = sum(math.prod(result.shape) for result in results) <= room
    return (lambda arrays: forward(*arguments(arrays))) if fits else None


def attributes(op: Op, recorded: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes that a kernel takes by keyword."""
    given = {key: recorded.get(key, op.defaults[key]) for key in op.defaults}
    return {key: op.canonical(key, restore(value)) for key, value in given.items()}


def restore(value: Any) -> Any:
    """Return an attribute with slices, `...` and NaN or infinity restored from text.

    >>> restore([":", "...", "1:3:2", 4]), restore("sum"), restore("-inf")
    ((slice(None, None, None), Ellipsis, slice(1, 3, 2), 4), 'sum', -inf)
    """
    if isinstance(value, list):
        return tuple(restore(item) for item in value)
    if value == "...":
        return ...
    if isinstance(value, str) and value in NOT_FINITE:
        return float(value)
    if isinstance(value, str) and ":" in value:
        ends = [int(end) if end else None for end in value.split(":")]
        return slice(*ends)
    return value
