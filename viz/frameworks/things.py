"""Tensors of another framework, as events show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minipaddle.events import Seen

from .framework import Framework


class ForeignThings(Framework):
    """What the recordings of all frameworks but minipaddle share."""

    def seen(self, tensor: Any, copy: bool = False) -> Seen:
        """Return a tensor as an event shows it; `copy`: its memory may change before that."""
        raise NotImplementedError

    def seen_all(self, things: Iterable[Any], copy: bool = False) -> tuple[Any, ...]:
        """Return tensors as an event shows them; lists become tuples, other things None."""
        return tuple(
            self.seen(thing, copy)
            if isinstance(thing, self.tensor)
            else self.seen_all(thing, copy)
            if isinstance(thing, (list, tuple))
            else thing
            if isinstance(thing, Seen)
            else None
            for thing in things
        )


def among(things: Any, tensor: type) -> list[Any]:
    """Return the tensors in arguments or results, in lists and dicts as well, in order."""
    if isinstance(things, tensor):
        return [things]
    if isinstance(things, dict):
        things = [*things.values()]
    found: list[Any] = []
    for each in things if isinstance(things, (list, tuple)) else ():
        if isinstance(each, tensor):
            found.append(each)
        elif isinstance(each, (list, tuple, dict)):
            found += among(each, tensor)
    return found
