"""The tensors that notes and events tell of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minipaddle.events import Seen


def ids_in(cells: Any) -> Iterator[int]:
    """The tensors that cells of a note tell of."""
    for cell in cells:
        if cell.__class__ is tuple:
            yield cell[0]
        elif cell.__class__ is list:
            yield from ids_in(cell)


def ids_of(tensors: Any) -> Iterator[int]:
    """The same in an event."""
    for tensor in tensors:
        if isinstance(tensor, Seen):
            yield tensor.id
        elif tensor is not None:
            yield from ids_of(tensor)
