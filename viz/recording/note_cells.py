"""What stands in a note: the tensors that it tells of, and the engine's own arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.events import Seen, Value


def ids_in(cells: Any) -> Iterator[int]:
    """The tensors that cells of a note tell of, seven cells each."""
    at = 0
    while at < len(cells):
        cell = cells[at]
        if cell.__class__ is int:
            yield cell
            at += 7
            continue
        if cell.__class__ is list:
            yield from ids_in(cell)
        at += 1


def ids_of(tensors: Any) -> Iterator[int]:
    """The same in an event."""
    for tensor in tensors:
        if isinstance(tensor, Seen):
            yield tensor.id
        elif tensor is not None:
            yield from ids_of(tensor)


def the_array(array: Any, *_: int) -> Any:
    """What stands for an array in a note that nobody keeps."""
    return array


def live_values(cells: Any) -> Iterator[Value]:
    """What in a note still holds the engine's own arrays."""
    for cell in cells:
        if cell.__class__ is Value and not cell.kept:
            yield cell
        elif cell.__class__ in (list, tuple):
            yield from live_values(cell)
