"""Turns of Python loops around the boxes of a picture."""

from __future__ import annotations

from typing import NamedTuple

from minipaddle import events


class Turn(NamedTuple):
    """One turn (iteration) of a run of a loop, counted from 0; `name` is `t = 3`, or ""."""

    loop: int
    number: int
    name: str


Around = tuple[Turn, ...]  # turns around a box, the outermost first


class Turns:
    """Turns that run while a story is built, and those around each box.

    Loops that run a backward are left out, because their turns are rounds, and so are loops whose
    turns are unknown.
    """

    def __init__(self) -> None:
        self._now: list[Turn] = []
        self._around: dict[str, Around] = {}
        self._left_out: set[int] = set()

    def note_turn(self, event: events.LoopTurn) -> None:
        """Begin a turn of a loop, or end the loop."""
        self._now = [turn for turn in self._now if turn.loop != event.loop]
        if event.turn >= 0:
            self._now.append(Turn(event.loop, event.turn, event.name))
        elif event.turn == events.LoopTurn.UNKNOWN:
            self._left_out.add(event.loop)

    def leave_out_loops(self, _event: events.BackwardStarted) -> None:
        """Leave out the loops around a backward."""
        self._left_out.update(turn.loop for turn in self._now)

    def note(self, box: str) -> None:
        """Note the turns around a new box."""
        if self._now:
            self._around[box] = tuple(self._now)

    def of(self) -> dict[str, Around]:
        """Return the turns around each box."""
        found = {
            box: tuple([turn for turn in around if turn.loop not in self._left_out])
            for box, around in self._around.items()
        }
        return {box: around for box, around in found.items() if around}
