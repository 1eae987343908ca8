"""Functions that stand for a record: with `out`, a tensor that takes the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .catalog import public
from .registry import Op


def into(out: Any, made: Any, name: str) -> Any:
    """The result, or the tensor `out` with the result's values and history."""
    return made if out is None else out._take(made, name)


def published(record: Op, function: Callable[..., Any], *, inplace: bool = False) -> None:
    """Let this function, which calls the record, be found under the record's names."""
    function.__name__ = function.__qualname__ = record.name
    function.__module__ = "minipaddle"
    function.__doc__ = record.help
    public(aliases=record.aliases, inplace=inplace)(function)


def of_two(record: Op) -> None:
    """The function of a record with two tensors and no attributes, with `out`."""

    def function(x: Any, y: Any, name: str | None = None, *, out: Any = None) -> Any:
        return into(out, record.call(x, y), record.name)

    published(record, function)
