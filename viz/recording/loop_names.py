"""The names of rounds: what the variables of the loops hold in which a round runs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from minipaddle.engine.source_line import user_frames

from ..document.rounds import RoundMark
from .code_loops import Loop, Position
from .turns import Around, loops_around

Names = tuple[tuple[str, int], ...]


class Naming:
    """The round whose names are not read yet: a `for` has not set its variables so far."""

    def __init__(self) -> None:
        self.mark: RoundMark | None = None
        self.loop: Around | None = None  # the innermost one that counts; None for all

    def begin(self, mark: RoundMark, loop: Around | None = None) -> None:
        """A round begins."""
        self.mark, self.loop = mark, loop

    def read(self, position: Position) -> None:
        """Name it by what the variables hold now."""
        self.name(loops_around(position), names_at(position))

    def name(self, around: Iterable[Around], names: tuple[Names | None, ...]) -> None:
        """Name it, if all variables of these loops are set."""
        names = names_until(self.loop, around, names)
        if self.mark is not None and None not in names:
            self.mark.names, self.mark = as_pairs(names), None

    def end(self, mark: RoundMark) -> None:
        """The round is over."""
        if self.mark is mark:
            self.mark = None


def names_at(position: Position) -> tuple[Names | None, ...]:
    """What the variables of the loops here hold, as far as they are whole numbers.

    None stands for a loop that is just fetching them; `_` names nothing.
    """
    around = loops_around(position)
    if not around:
        return ()
    stands = {frame: place.at for frame, place in position}
    frames = dict(islice(user_frames(), len(position)))

    def names(frame: int, loop: Loop) -> Names | None:
        if not loop.variables:
            return ()
        if stands[frame] == loop.header:
            return None
        held: Any = frames[frame].f_locals
        pairs = [(name, held.get(name)) for name in loop.variables]
        return tuple([(name, int(x)) for name, x in pairs if is_whole(x) and name != "_"])

    return tuple([names(*each) for each in around])


def is_whole(thing: object) -> bool:
    """Whether it is a whole number, and no bool."""
    return thing.__class__ is int or isinstance(thing, np.integer)


def names_until(
    last: Around | None, around: Iterable[Around], names: tuple[Names | None, ...]
) -> tuple[Names | None, ...]:
    """The variables of a loop and of those around it, from its own on."""
    inner = next((n for n, one in enumerate(around) if one == last), 0)
    return names[inner:]


def as_pairs(names: Iterable[Names | None]) -> Names:
    """The variables of all loops, the outermost first; of two that have one name the inner one."""
    found: dict[str, int] = {}
    for pairs in reversed([*names]):
        found.update(pairs or ())
    return tuple(found.items())
