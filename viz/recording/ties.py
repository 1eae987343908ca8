"""What ties turns of a loop together, so that they are one round and not several.

A turn reads what another one made, adds to a gradient that another one left, or goes back through
its nodes. Most of this is looked up in the log once a turn is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..document.rounds import size_of
from .code_loops import Loop
from .kept_rounds import KeptRounds
from .turns import Turn


@dataclass(slots=True)
class Found:
    """The turns and the loops that were found so far.

    The last rounds stay unsettled, and in the log, as long as they may prove to be none.
    """

    turn: Turn | None = None  # the one that goes on
    unsettled: list[Turn] = field(default_factory=list)
    trained: set[Loop] = field(default_factory=set)  # in which an optimizer made a step
    joined: set[Loop] = field(default_factory=set)  # whose turns belong together


class Ties:
    """Each question gives the loop whose turns belong together, if it shows that of one."""

    def __init__(self, found: Found, rounds: KeptRounds) -> None:
        self.found, self.rounds = found, rounds
        self.watching = False  # turns may be tied together
        self.seen = 0  # up to here the log was searched
        self.makers: dict[int, Turn | None] = {}  # of tensors: the turn that made them
        self.first_pass = False  # the first backward of the turn is under way

    def watch(self) -> None:
        """Whether what happens from now on may still show that turns are no rounds."""
        if not self.watching:
            self.seen = len(self.rounds.kept)
        turn = self.found.turn
        doubtful = turn is not None and turn.loop not in self.found.trained
        self.watching = doubtful or bool(self.found.unsettled)

    def unseen(self) -> list[Any]:
        """What has been logged since one last looked."""
        new, self.seen = self.rounds.kept[self.seen :], len(self.rounds.kept)
        return new if self.watching else []

    def forgotten(self, first: int, last: int) -> None:
        """These events were taken out of the log."""
        self.seen -= max(0, min(self.seen, last) - first)

    def read(self, tensors: Iterable[int]) -> Loop | None:
        """What a turn reads that another one made, without a backward, ties them together."""
        for tensor in tensors:
            maker = self.makers.get(tensor)
            if maker is None or maker is self.found.turn or maker.backward:
                continue
            if maker.loop not in self.found.trained:
                return maker.loop
        return None

    def made(self, tensors: Iterable[int]) -> None:
        """The turn that goes on has made tensors."""
        self.makers |= dict.fromkeys(tensors, self.found.turn)

    def belong_to(self, turn: Turn | None, gone: list[Turn]) -> None:
        """What these turns made is another one's."""
        self.makers = {x: turn if by in gone else by for x, by in self.makers.items()}

    def accumulated(self, stored: bool | None, held: Any) -> Loop | None:
        """The first pass of a turn adds to what the turn before has left in `.grad`."""
        turn, unsettled = self.found.turn, self.found.unsettled
        if not (stored and self.first_pass and turn and unsettled):
            return None
        before = unsettled[-1]
        adds = before.loop == turn.loop and before.backward and size_of(held) != 0
        return turn.loop if adds else None

    def visited(self, node: int) -> Loop | None:
        """A pass that goes back to before its turn belongs to more than the turn."""
        turn = self.found.turn
        if turn is not None:
            behind = turn.loop if node < turn.number else None
        else:
            unsettled = self.found.unsettled
            behind = next((t.loop for t in unsettled if t.number <= node < t.end), None)
        return None if behind in self.found.trained else behind
