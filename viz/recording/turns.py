"""The turns of a loop: whether the user's code still is in the same one.

Two positions are in one turn if the bytecode leads from the first to the second without passing
the header of the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..document.rounds import RoundMark
from .code_loops import Loop, Position, code_of

Key = tuple[int, int]  # of a loop: the number of its code, and its header
SAME, TURNED, LEFT = range(3)


class Around(NamedTuple):
    """A loop around something that happens, and the frame that it runs in."""

    frame: int
    key: Key
    loop: Loop


def loops_around(position: Position) -> Iterator[Around]:
    """The loops around a position, the innermost first."""
    for spot in position:
        for loop in code_of(spot).around(spot.at):
            yield Around(spot.frame, (spot.number, loop.header), loop)


@dataclass(slots=True)
class Turn:
    """One turn of a loop: a round, as far as one can tell."""

    mark: RoundMark
    around: Around
    number: int  # of its first op or layer; what has a smaller one was there before
    bytes: int  # in copies: before it, and once it is over those of its own
    last: Position = ()  # of its last op, up to the frame of the loop
    anchor: Position = ()  # of the last thing that was done: a layer, a backward, an update
    done: str = ""  # what it was
    layer: str = ""  # the first one that was called
    backward: bool = False
    updated: bool = False
    failed: bool = False
    end: int = 0  # the number of what came next
    forgotten: bool = False  # its events are no longer in the log

    @property
    def is_empty(self) -> bool:
        """Whether it has done nothing so far that a round does."""
        return not (self.layer or self.backward or self.updated or self.failed)

    def moved(self, position: Position, doing: str) -> int:
        """Whether this is still the same turn, or another one, or the loop has been left."""
        now = self.within(position)
        if (
            not now
            or now[-1].number != self.around.key[0]
            or now[-1].at not in self.around.loop.body
        ):
            return LEFT
        header = self.around.loop.header
        if self.last[-1].at != now[-1].at and not leads(self.last, now, header):
            return TURNED
        again = doing != "" and doing == self.done
        return SAME if leads(self.anchor, now, header, again) else TURNED

    def within(self, position: Position) -> Position:
        """A position up to the frame of the loop; nothing if that is gone."""
        frame = self.around.frame
        for depth, spot in enumerate(position, 1):
            if spot.frame == frame:
                return position[:depth]
        return ()

    def follow(self, position: Position, doing: str, moved: int = SAME) -> None:
        """This turn has come so far."""
        self.last = self.within(position)
        if doing or moved == TURNED:
            self.anchor, self.done = self.last, doing


def leads(before: Position, now: Position, header: int, again: bool = False) -> bool:
    """Whether one gets from one position to another without passing the header of the loop.

    The loop is in the last frame. `again`: what was done at the one position is done once more.
    """
    for one, other in zip(reversed(before), reversed(now), strict=False):
        if one.frame != other.frame or one.number != other.number:
            return False  # two calls at one instruction
        if one.at != other.at:
            return code_of(one).leads(one.at, other.at, header)
        if code_of(one).leads(one.at, one.at, header):
            return True  # a loop inside of the loop gets there again
        header = -1
    return not again or len(before) != len(now)
