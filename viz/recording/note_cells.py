"""The tensors that notes and events tell of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.events import Seen


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
