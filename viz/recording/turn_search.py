"""Search for rounds in loops: turns (iterations) in which a network is trained.

Before a layer, a backward, the step of an optimizer or an op outside of these, the search looks at
the *position* of the user's code: its frames, with the place of each in its code (`code_loops`).

- A step makes the turns of a loop rounds: of the innermost loop around the step and the last
  backward. A turn with a backward and no step goes on in the next turn, as gradients accumulate.
- Without a step, a turn of the innermost loop around a backward is a round. It is *unsettled*, and
  stays in the log, because a step may still show that it is a part of a round.
- The rest of a turn of an outer loop, or a turn without a backward, is an evaluation if a layer
  runs in it. Without a backward or step between, the same instruction may run in one turn again,
  as `map` runs a function.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from minipaddle.engine.source_line import user_frames, user_spots, variables_of

from ..document.rounds import RoundMark
from .code_loops import PLACES, Around, Loop, Place, Position, place_of
from .kept_rounds import KeptRounds

STEPS = ("optimizer", "unscale_")  # actions that end the use of gradients; a scaler may skip a step
ANCHORS = ("backward", *STEPS)  # actions that a turn makes once at a position
UNCERTAIN = 20  # unsettled rounds that stay in the log, even if nobody wants them


@dataclass(slots=True, eq=False)
class Turn:
    """One iteration of a loop, and what has happened in it so far."""

    around: Around
    mark: RoundMark  # the round that the turn is, or the rest of the turn after inner rounds
    rounds_before: int  # number of rounds when it began
    last: Place  # latest place in the loop's frame
    anchor: Position | None = None  # position of the last backward, step or error
    done: str = ""  # action at the anchor: one of ANCHORS, or failed
    named: bool = False
    layer: bool = False
    backward: bool = False
    updated: bool = False
    after_step: bool = False  # whether the last turn made a step
    after_rounds: bool = False  # whether there were settled rounds inside

    @property
    def loop(self) -> Loop:
        """Loop of which this is an iteration."""
        return self.around[0]

    @property
    def depth(self) -> int:
        """Depth of the loop's frame; the outermost frame has 0."""
        return len(self.around[2])

    def is_over(self, position: Position, doing: str) -> bool:
        """Return whether a position around which the loop is must be in a later turn."""
        code, header, now = self.last.code, self.loop.header, position[self.depth][1].at
        if self.last.at != now and not code.leads(self.last.at, now, header):
            return True
        if self.anchor is None:
            return False
        again = self.done in (doing, "failed")
        return not leads(self.anchor, position[self.depth :], header, again)

    def restart(self, mark: RoundMark, rounds: int) -> None:
        """Begin the rest of the turn, after an inner round."""
        mark.names = self.mark.names
        self.mark, self.rounds_before, self.after_rounds = mark, rounds, True
        self.layer = self.backward = self.updated = False


def leads(before: Position, now: Position, header: int, again: bool) -> bool:
    """Return whether one position may lead to another without passing a loop's header.

    The loop is in the first frame. `again`: the same action begins at both positions, or an error
    ended the first one.
    """
    for (frame, start), (other, end) in zip(before, now, strict=False):
        if frame != other or start.code is not end.code:
            return False  # two calls of functions at one instruction
        if start.at != end.at:
            return start.code.leads(start.at, end.at, header)
        if start.code.leads(start.at, start.at, header):
            return True  # an inner loop leads to the same instruction again
        header = -1
    return not again


class TurnSearch:
    """Search for turns of loops that are rounds, in the frames up to the outermost one."""

    def __init__(self, rounds: KeptRounds, outermost: int) -> None:
        self.rounds, self.outermost = rounds, outermost
        self.turns: list[Turn] = []  # current turns of the loops around, the outermost first
        self.trained: set[Loop] = set()  # loops in which an optimizer made a step
        self.outer: set[Loop] = set()  # loops around others whose turns are rounds
        self.unsettled: list[Loop] = []  # loops of the latest rounds that a step may take back
        self.behind: list[Loop] = []  # loops around the last backward, the outermost first
        self.unnamed: tuple[RoundMark, int] | None = None  # a round, and the loops to name it by
        self.surrounding = [loop for loop, *_ in self.position()[1]]  # loops around the recording
        self.resting = False  # whether the search only names rounds that are found otherwise

    @property
    def is_sure(self) -> bool:
        """Whether no turn ends or begins before the next action, as one that follows a step trains
        again.

        After a layer it may be an evaluation: the places of its ops show when the next turn begins.
        """
        return any(
            turn.after_step and not (turn.layer or turn.backward) and turn.loop not in self.outer
            for turn in self.turns
        )

    @property
    def is_training(self) -> bool:
        """Whether the position is in a loop in which an optimizer made a step."""
        return any(turn.loop in self.trained for turn in self.turns)

    @property
    def in_round(self) -> bool:
        """Whether a round is running, or may be."""
        return self.is_training or any(turn.layer or turn.backward for turn in self.turns)

    # ----- the position of the user's code -------------------------------------------------------

    def position(self) -> tuple[Position, list[Around]]:
        """Return the position of the user's code, and the loops around it, the outermost first."""
        position = user_spots(PLACES, place_of, self.outermost)[::-1]
        around = []
        for depth, (frame, place) in enumerate(position):
            for loop in place.loops:
                around.append((loop, frame, position[:depth]))
        return position, around

    def look(self, doing: str, position: Position, around: list[Around]) -> bool:
        """Return whether turns have ended or begun since the last look.

        `doing` is the action that comes next: a layer outside of others, or one of ANCHORS.
        """
        if self.unnamed is not None:
            self.name(*self.unnamed)
        if self.resting:
            return True
        kept, after_step = 0, False  # number of turns that go on
        for turn, one in zip(self.turns, around, strict=False):
            if turn.around != one:
                break
            over = turn.is_over(position, doing)
            if over and not self.accumulates(turn):
                after_step = turn.updated
                break
            kept += 1
            if over:
                turn.anchor, turn.named = None, False  # it gets the names of the new iteration
                break
        changed = not kept == len(self.turns) == len(around)
        if changed:
            while len(self.turns) > kept:
                self.end_turn()
            for one in around[kept:]:
                place, count = position[len(one[2])][1], self.rounds.count
                turn = Turn(one, self.rounds.start(), count, place)
                turn.after_step, after_step = after_step, False
                self.turns.append(turn)
            self.rounds.drop(self.is_training and not self.unsettled)
        for turn in self.turns:
            turn.last = position[turn.depth][1]
            turn.layer = turn.layer or doing == "layer"
            turn.backward = turn.backward or doing == "backward"
            if doing in ANCHORS:
                turn.anchor, turn.done = position[turn.depth :], doing
        if doing == "backward":
            self.behind = [turn.loop for turn in self.turns]
        elif doing in STEPS:
            self.step()
        if doing and not all(turn.named for turn in self.turns):
            for turn, names in zip(self.turns, names_at(position, around), strict=False):
                if not turn.named:
                    turn.mark.names, turn.named = names, True
        return changed

    def accumulates(self, turn: Turn) -> bool:
        """Return whether the next iteration continues a turn."""
        return turn.backward and not turn.updated and turn.loop in self.trained

    def name(self, mark: RoundMark, count: int | None = None) -> None:
        """Name a round by the loops around, or by the outer ones, once their variables are set."""
        position, around = self.position()
        count = len(around) if count is None else count
        names = [(), *names_at(position, around)]
        self.unnamed = (mark, count) if len(names) <= count else None
        if self.unnamed is None:
            mark.names = names[count]

    # ----- steps and errors ----------------------------------------------------------------------

    def step(self) -> None:
        """Note an optimizer's step: the innermost loop around it and the last backward trains."""
        inner = self.behind
        turn = next((turn for turn in reversed(self.turns) if turn.loop in self.behind), None)
        if turn is not None:
            inner = inner[inner.index(turn.loop) :]
        since = inf if turn is None else turn.mark.first
        while self.unsettled and (
            self.unsettled[-1] in inner  # the step uses its gradients
            or self.rounds.marks[-1].first >= since  # it is a part of a turn that trains
        ):
            self.unsettled.pop()
            before = self.rounds.take_back()
            if turn is not None and before.first < turn.mark.first:
                turn.mark.first, turn.mark.copied = before.first, turn.mark.copied - before.copied
        if turn is not None:
            at = len(self.rounds.marks) - (self.rounds.count - turn.rounds_before)
            if settled := self.rounds.marks[at:]:  # too many to wait for this step; the rest is one
                turn.mark.first = max(turn.mark.first, settled[-1].last)
                turn.mark.copied += sum(mark.copied for mark in settled if mark.first < mark.last)
            self.trained.add(turn.loop)
            turn.backward = turn.updated = True
            self.settle()

    def note_failure(self) -> None:
        """Note that an exception ends the innermost turn of a training loop, which is a round."""
        for turn in reversed(self.turns):
            if turn.loop in self.trained:
                turn.backward = turn.updated = True
                turn.anchor, turn.done = self.position()[0][turn.depth :], "failed"
                break

    # ----- the ends of turns ---------------------------------------------------------------------

    def end_turn(self) -> None:
        """End the innermost turn, and list it if it is a round."""
        turn = self.turns.pop()
        trains = turn.loop in self.trained
        holds_rounds = self.rounds.count > turn.rounds_before
        is_rest = turn.after_rounds and turn.loop not in self.surrounding
        evaluates = turn.layer and (trains or is_rest)
        if not (turn.backward or evaluates) or (not trains and (self.is_training or holds_rounds)):
            return
        if not turn.backward:
            turn.mark.kind = "evaluation"
        self.rounds.end(turn.mark)
        self.unsettled.append(turn.loop)
        if trains or not turn.backward:
            self.settle()
            for outer in self.turns:
                self.outer.add(outer.loop)
                outer.restart(self.rounds.start(), self.rounds.count)
        elif self.rounds.wanted is not None:
            self.settle(UNCERTAIN)

    def settle(self, but: int = 0) -> None:
        """Confirm all unsettled rounds but the last `but` ones, and forget unwanted rounds."""
        while len(self.unsettled) > but:
            index = len(self.rounds.marks) - len(self.unsettled)
            del self.unsettled[0]
            first, count = self.rounds.settle(index)
            for turn in self.turns:
                if turn.mark.first > first:
                    turn.mark.first = max(first, turn.mark.first - count)

    def finish(self, failed: bool) -> None:
        """End all turns at the end of the recording, which an exception may have ended."""
        if failed:
            self.note_failure()
        while self.turns:
            self.end_turn()
        self.settle()

    def stop(self) -> None:
        """Discard all rounds that were found, since the user marks rounds."""
        self.turns.clear()
        self.unsettled.clear()
        self.rounds.marks.clear()


def names_at(position: Position, around: list[Around]) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield, for each loop, the variables of it and of outer loops that hold whole numbers.

    End at a loop that is about to set its variables. An inner loop's variable replaces an outer
    loop's; `_` is left out.
    """
    frames = dict(user_frames())
    names: dict[str, int] = {}
    for loop, frame, outside in around:
        place = position[len(outside)][1]
        if loop.variables and place.at == loop.header:
            break
        values: Any = variables_of(frames[frame]) if loop.variables else {}
        pairs = [(name, values.get(name)) for name in loop.variables if name != "_"]
        names.update((name, int(value)) for name, value in pairs if is_whole(value))
        yield tuple(names.items())


def is_whole(thing: object) -> bool:
    """Return whether a thing is a whole number, and no bool."""
    return thing.__class__ is int or isinstance(thing, np.integer)
