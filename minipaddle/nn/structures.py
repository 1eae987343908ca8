"""Nested lists, tuples and dicts of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def map_structure(function: Callable[..., Any], first: Any, *others: Any) -> Any:
    """Apply a function to the leaves of nested lists, tuples and dicts of one structure.

    >>> map_structure(lambda a, b: a + b, (1, [2]), (3, [4]))
    (4, [6])
    """
    if isinstance(first, dict):
        return {k: map_structure(function, v, *(o[k] for o in others)) for k, v in first.items()}
    if isinstance(first, (list, tuple)):
        rows = zip(first, *others, strict=True)
        return type(first)([map_structure(function, *row) for row in rows])
    return function(first, *others)


def leaves_of(structure: Any) -> list[Any]:
    """Return the leaves of nested lists, tuples and dicts."""
    found: list[Any] = []
    map_structure(found.append, structure)
    return found


def take(number: int, axis: int, x: Any) -> Any:
    """Return the slice of this number along an axis."""
    return x[(slice(None),) * axis + (number,)]
