"""Nested lists, tuples and dicts of arguments and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def map_structure(function: Callable[[Any], Any], value: Any) -> Any:
    """Apply a function to each item in nested lists, tuples and dicts.

    >>> map_structure(lambda n: n + 1, {"a": [1, (2, 3)]})
    {'a': [2, (3, 4)]}
    """
    if isinstance(value, dict):
        return {key: map_structure(function, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [map_structure(function, item) for item in value]
        named = hasattr(value, "_fields")
        return type(value)(*items) if named else type(value)(items)
    return function(value)


def items_in(value: Any) -> list[Any]:
    """Return the items in nested lists, tuples and dicts, in order.

    >>> items_in(([1, 2], {"b": 3}))
    [1, 2, 3]
    """
    items: list[Any] = []
    map_structure(items.append, value)
    return items
