"""The turns of a loop: whether the user's code still is in the same one.

Two positions are in one turn if the bytecode leads from the first to the second without passing
the header of the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..document.rounds import RoundMark
from .code_loops import Loop, Position

SAME, TURNED, LEFT = range(3)

Loops = list[tuple[int, tuple[Loop, ...]]]  # by frames, the innermost first


class Around(NamedTuple):
    """A loop around something that happens, and the frame that it runs in."""

    frame: int
    loop: Loop


def loops_of(position: Position) -> Loops:
    """The loops around a position; frames that are in none are left out."""
    return [(frame, place.loops) for frame, place in position if place.loops]


def one_by_one(loops: Loops) -> Iterator[Around]:
    """The same, the innermost loop first."""
    return (Around(frame, loop) for frame, around in loops for loop in around)


def loops_around(position: Position) -> list[Around]:
    """The loops around a position, the innermost first."""
    found = []
    for frame, place in position:
        for loop in place.loops:
            found.append(Around(frame, loop))
    return found


@dataclass(slots=True, eq=False)
class Turn:
    """One turn of a loop: a round, as far as one can tell."""

    mark: RoundMark
    around: Around
    number: int  # of its first op or layer; what has a smaller one was there before
    bytes: int  # in copies: before it, and once it is over those of its own
    last: Position = field(default_factory=list)  # of its last op, up to the frame of the loop
    anchor: Position = field(
        default_factory=list
    )  # of the last thing that was done: a layer, a backward, an update
    done: str = ""  # what it was
    layer: str = ""  # the first one that was called
    backward: bool = False
    updated: bool = False
    failed: bool = False
    end: int = 0  # the number of what came next
    judged: bool = False  # whether its events stay in the log
    forgotten: bool = False  # they are no longer there

    @property
    def loop(self) -> Loop:
        """The loop that has turned."""
        return self.around.loop

    @property
    def is_empty(self) -> bool:
        """Whether it has done nothing so far that a round does."""
        return not (self.layer or self.backward or self.updated or self.failed)

    def moved(self, position: Position, doing: str) -> int:
        """Whether this is still the same turn, or another one, or the loop has been left."""
        now = self.within(position)
        if not now or self.loop not in now[-1][1].loops:
            return LEFT
        header = self.loop.header
        if self.last[-1][1].at != now[-1][1].at and not leads(self.last, now, header):
            return TURNED
        again = doing != "" and doing == self.done
        return SAME if leads(self.anchor, now, header, again) else TURNED

    def within(self, position: Position) -> Position:
        """A position up to the frame of the loop; nothing if that is gone."""
        for depth, (frame, _) in enumerate(position, 1):
            if frame == self.around.frame:
                return position[:depth]
        return []

    def follow(self, position: Position, doing: str, moved: int = SAME) -> None:
        """This turn has come so far."""
        self.last = self.within(position)
        if doing or moved == TURNED:
            self.anchor, self.done = self.last, doing


def leads(before: Position, now: Position, header: int, again: bool = False) -> bool:
    """Whether one gets from one position to another without passing the header of the loop.

    The loop is in the last frame. `again`: what was done at the one position is done once more.
    """
    for (frame, start), (other, end) in zip(reversed(before), reversed(now), strict=False):
        if frame != other or start.code.number != end.code.number:
            return False  # two calls at one instruction
        if start.at != end.at:
            return start.code.leads(start.at, end.at, header)
        if start.code.leads(start.at, start.at, header):
            return True  # a loop inside of the loop gets there again
        header = -1
    return not again or len(before) != len(now)
