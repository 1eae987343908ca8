"""Attributes of ops as kernels take them, out of the plain values that a document has."""

from __future__ import annotations

from typing import Any

from minipaddle.ops import Op

from ..document.codec import ODD


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
