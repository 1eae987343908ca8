"""Nested lists, tuples and dicts of arguments and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def map_structure(function: Callable[..., Any], first: Any, *others: Any) -> Any:
    """Apply a function to the items of nested lists, tuples and dicts of one structure.

    >>> map_structure(lambda a, b: a + b, {"a": [1, (2, 3)]}, {"a": [10, (20, 30)]})
    {'a': [11, (22, 33)]}
    """
    if isinstance(first, dict):
        return {k: map_structure(function, v, *(o[k] for o in others)) for k, v in first.items()}
    if isinstance(first, (list, tuple)):
        items = [map_structure(function, *row) for row in zip(first, *others, strict=True)]
        return type(first)(*items) if hasattr(first, "_fields") else type(first)(items)
    return function(first, *others)


def items_in(structure: Any) -> list[Any]:
    """Return the items in nested lists, tuples and dicts, in order.

    >>> items_in(([1, 2], {"b": 3}))
    [1, 2, 3]
    """
    if isinstance(structure, dict):
        structure = structure.values()
    elif not isinstance(structure, (list, tuple)):
        return [structure]
    items = []
    for part in structure:
        if isinstance(part, (list, tuple, dict)):
            items += items_in(part)
        else:
            items.append(part)
    return items
