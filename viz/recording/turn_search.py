"""Search for rounds: iterations of loops in which a network is trained or evaluated.

Before a layer, a backward, the step of an optimizer or an op outside of these, the search finds the
*position* of the user's code (`code_loops`): its frames, with the instruction of each. The bytecode
says which loops are around the position, and whether the last iteration (*turn*) of each goes on.

- An optimizer's step makes all turns of a loop rounds: the innermost loop around the step and the
  last backward. A turn with a backward and no step continues in the next turn, as gradients
  accumulate; a turn without a backward is evaluation.
- In other loops a turn is a round if it has a backward, or else calls a layer. Turns without a
  backward are no rounds if a layer reads a result of the turn before, as in an RNN, or if a
  backward comes directly after their loop; turns with a backward are no rounds if an optimizer's
  step comes directly after their loop. So rounds are *unsettled* until an optimizer's step, and
  stay in the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.engine.source_line import user_frames, user_spots
from minipaddle.events import notes

from ..document.rounds import RoundMark
from .code_loops import PLACES, Loop, Position, place_of
from .kept_rounds import KeptRounds

SAME, TURNED, LEFT = range(3)
UNCERTAIN = 20  # unsettled rounds that stay in the log, even if nobody wants them

Names = tuple[tuple[str, int], ...]


class Around(NamedTuple):
    """A loop around a position, and the loop's frame."""

    frame: int
    loop: Loop
    depth: int  # depth of the frame; the outermost frame has 1


def loops_around(position: Position) -> list[Around]:
    """Return the loops around a position, the outermost first."""
    found = []
    for depth, (frame, place) in enumerate(reversed(position), 1):
        for loop in reversed(place.loops):
            found.append(Around(frame, loop, depth))
    return found


def leads(before: Position, now: Position, header: int, again: bool = False) -> bool:
    """Return whether one position may lead to another without passing a loop's header.

    The loop is in the outermost frame, the last one. `again`: both positions do the same action.
    """
    for (frame, start), (other, end) in zip(reversed(before), reversed(now), strict=False):
        if frame != other or start.code.number != end.code.number:
            return False  # two calls of functions at one instruction
        if start.at != end.at:
            return start.code.leads(start.at, end.at, header)
        if start.code.leads(start.at, start.at, header):
            return True  # an inner loop leads to the same instruction again
        header = -1
    return not again or len(before) != len(now)


@dataclass(slots=True, eq=False)
class Turn:
    """One turn (iteration) of a loop, with all that has happened in it so far."""

    around: Around
    outer: Turn | None  # turn of the next outer loop
    first: int  # position in the log
    bytes: int  # size of all copies before the turn; after its end, size of the turn's own copies
    last: int  # last seen instruction of the loop's frame
    anchor: Position  # position of the last layer, backward or step, or of the beginning
    done: str = ""  # action at the anchor: layer, backward or optimizer
    names: Names | None = None  # values of loop variables, once they were read
    layer: str = ""  # first layer that was called
    backward: bool = False
    updated: bool = False
    failed: bool = False
    has_rounds: bool = False  # whether turns of inner loops are settled rounds
    after_step: bool = False  # whether the last turn of this training loop made a step
    after_evaluation: bool = False  # whether the last turn of this training loop had no backward
    mark: RoundMark | None = None  # set at the end of a turn that is a round

    @property
    def loop(self) -> Loop:
        """Loop of which this is an iteration."""
        return self.around.loop

    @property
    def is_empty(self) -> bool:
        """Whether nothing in the turn makes it a round."""
        return not (self.layer or self.backward or self.updated or self.failed)

    def moved(self, position: Position, doing: str) -> int:
        """Return SAME, TURNED or LEFT: code is in this turn, in a later one, outside the loop."""
        before, now = self.anchor, position
        outside = 1 - self.around.depth
        if outside:
            if before[outside:] != now[outside:]:
                return LEFT
            before, now = before[:outside], now[:outside]
        place = now[-1][1]
        if self.last != place.at and not place.code.leads(self.last, place.at, self.loop.header):
            return TURNED
        again = doing != "" and doing == self.done
        return SAME if leads(before, now, self.loop.header, again) else TURNED

    def is_in(self, turn: Turn) -> bool:
        """Return whether this is a turn of a loop inside another turn."""
        outer = self.outer
        while outer is not None and outer is not turn:
            outer = outer.outer
        return outer is turn

    def take_in(self, before: Turn) -> None:
        """Extend the turn to begin with an earlier turn, if that is of the same loop."""
        if before.around == self.around:
            self.names, self.first = before.names, before.first
            self.bytes -= before.bytes

    def restart(self, first: int) -> None:
        """Begin anew at a position in the log, after a round of an inner loop."""
        self.first, self.layer = first, ""
        self.backward = self.updated = self.failed = False
        self.has_rounds = self.after_step = False


class TurnSearch:
    """Search for turns of loops that are rounds, in the frames up to the outermost one."""

    def __init__(self, rounds: KeptRounds, outermost: int) -> None:
        self.rounds, self.outermost = rounds, outermost
        self.turns: list[Turn] = []  # current turns of the loops around, the outermost first
        self.unsettled: list[Turn] = []  # latest rounds, which may prove to be no rounds
        self.trained: set[Loop] = set()  # loops in which an optimizer made a step
        self.joined: set[Loop] = set()  # loops whose turns belong together and are no rounds
        self.position: Position = []  # position of the user's code at the last look
        self.backward: Position = []  # position of the last backward
        self.resting = False  # whether the search only names rounds that are found otherwise

    @property
    def asks(self) -> bool:
        """Whether a turn may end before the next op, or a round has no names yet.

        A turn that follows a step of training cannot end before its own backward.
        """
        if self.rounds.unnamed is not None:
            return True
        sure = any(turn.after_step and not turn.backward for turn in self.turns)
        return not (self.resting or sure)

    @property
    def is_training(self) -> bool:
        """Whether the position is in a loop in which an optimizer made a step."""
        return any(turn.loop in self.trained for turn in self.turns)

    @property
    def in_round(self) -> bool:
        """Whether a round is running, or may be."""
        return self.is_training or not all(turn.is_empty for turn in self.turns)

    # ----- the position of the user's code -------------------------------------------------------

    def look(self, doing: str = "", frame: FrameType | None = None) -> bool:
        """Find the position; return whether turns have ended or begun since the last look.

        The search for the user's code begins at `frame`; frames called from there are ours.
        """
        position = self.position = user_spots(PLACES, place_of, self.outermost, frame)
        around = loops_around(position)
        unnamed = self.rounds.unnamed
        if unnamed is not None:
            names = names_of(around, position)
            if None not in names:
                unnamed.names, self.rounds.unnamed = as_pairs(names), None
        if self.resting:
            return True
        kept, last = 0, None  # number of turns that go on; turn after which a new one has begun
        for turn, one in zip(self.turns, around, strict=False):
            moved = turn.moved(position, doing) if turn.around == one else LEFT
            if moved != SAME:
                last = turn if moved == TURNED else None
                break
            kept += 1
        changed = not kept == len(self.turns) == len(around)
        if changed:
            if last is not None and self.goes_on(last):
                last.anchor, last.done = position, doing
                kept, last = kept + 1, None
            while len(self.turns) > kept:
                self.end_turn()
            for one in around[kept:]:
                self.begin_turn(one, last)
                last = None
            self.rounds.drop(self.is_training and not self.unsettled)
        for turn in self.turns:
            turn.last = position[-turn.around.depth][1].at
            if doing:
                turn.anchor, turn.done = position, doing
        if doing or self.is_training:  # a turn of training may fail before its first action
            self.read_names()
        return changed

    def read_names(self) -> None:
        """Read the loop variables of turns that may be rounds, where not yet read."""
        turns = self.turns[:]
        while self.is_training and turns[-1].loop not in self.trained:
            turns.pop()
        if any(turn.names is None for turn in turns):
            names = names_of([turn.around for turn in turns], self.position)
            for count, turn in enumerate(turns, 1):
                if turn.names is None and None not in names[:count]:
                    turn.names = as_pairs(names[:count])

    def goes_on(self, turn: Turn) -> bool:
        """Return whether the next iteration continues a turn."""
        waits = turn.backward and not turn.updated and not turn.failed
        return turn.loop in self.joined or (waits and turn.loop in self.trained)

    # ----- actions in turns ----------------------------------------------------------------------

    def layer_called(self, name: str, inputs: AbstractSet[int]) -> None:
        """Note that a layer outside of other layers is called with these tensors."""
        loops = {turn.loop for turn in self.turns}
        for before in self.unsettled[-1:]:
            apart = before.backward or inputs.isdisjoint(self.results_of(before))
            if before.loop in loops and not apart:
                self.join(before.loop)
        for turn in self.turns:
            turn.layer = turn.layer or name

    def results_of(self, turn: Turn) -> Iterator[int]:
        """Yield the numbers of tensors that logged ops made in a turn that is over."""
        assert turn.mark is not None
        for note in self.rounds.kept[turn.mark.first : turn.mark.last]:
            if note.__class__ is tuple and note[0] is notes.op_finished:
                yield from ids_in(note[6 + 2 * note[5] :])
            elif isinstance(note, events.OpFinished):
                yield from (seen.id for seen in note.outputs)

    def backward_begins(self) -> None:
        """Note that a backward begins, and join turns of loops that ended before without one."""
        self.join_before(lambda before: not before.backward)
        for turn in self.turns:
            turn.backward = True

    def join_before(self, ends: Callable[[Turn], bool]) -> None:
        """Join the turns of loops that ended in the current turn, if `ends` is true of a turn."""
        innermost = self.turns[-1] if self.turns else None
        for before in list(self.unsettled):
            if before.outer is innermost and ends(before):
                self.join(before.loop)

    def step(self) -> None:
        """Note an optimizer's step: the innermost loop around it and the last backward trains."""
        behind = {(one.frame, one.loop) for one in loops_around(self.backward)}
        around = [turn for turn in self.turns if turn.around[:2] in behind]
        if not around:
            self.join_before(lambda before: before.backward)  # the step uses their gradients
            return
        turn = around[-1]
        if turn.loop not in self.trained:
            self.trained.add(turn.loop)
            self.joined.discard(turn.loop)
            while self.unsettled and self.belongs_to(self.unsettled[-1], turn):
                before = self.unsettled.pop()
                self.rounds.marks.pop()
                turn.take_in(before)
        turn.backward = turn.updated = True
        self.settle()

    def belongs_to(self, before: Turn, turn: Turn) -> bool:
        """Return whether an earlier turn is a part of a turn that made a step."""
        return before.is_in(turn) or (before.around == turn.around and before.backward)

    def failed(self) -> None:
        """Note that an exception ends the innermost turn of a training loop."""
        for turn in reversed(self.turns):
            if turn.loop in self.trained:
                turn.failed = True
                break

    def join(self, loop: Loop) -> None:
        """Discard the rounds of a loop whose turns belong together."""
        self.joined.add(loop)
        gone = [turn for turn in self.unsettled if turn.loop == loop]
        self.unsettled = [turn for turn in self.unsettled if turn.loop != loop]
        self.rounds.remove([turn.mark for turn in gone])
        for turn in self.turns:
            for before in reversed(gone):
                turn.take_in(before)

    # ----- turns ---------------------------------------------------------------------------------

    def begin_turn(self, around: Around, last: Turn | None) -> None:
        """Begin a turn of a loop; `last` is the loop's turn before, or None."""
        outer = self.turns[-1] if self.turns else None
        at, copied = len(self.rounds.kept), self.rounds.log.bytes
        turn = Turn(around, outer, at, copied, -1, self.position)
        if last is not None and turn.loop in self.trained:
            turn.after_step, turn.after_evaluation = last.updated, not last.backward
        self.turns.append(turn)

    def end_turn(self) -> None:
        """End the innermost turn, and mark the turn if it is a round."""
        turn = self.turns.pop()
        trains = turn.loop in self.trained
        failed = turn.failed and not turn.after_evaluation
        if turn.is_empty and not failed:
            return
        if not trains and (self.is_training or self.has_rounds(turn) or turn.loop in self.joined):
            return
        kind = "training" if turn.backward or failed else "evaluation"
        turn.mark = RoundMark(kind, turn.first, names=turn.names or ())
        self.rounds.marks.append(turn.mark)
        self.rounds.end(turn.mark)
        turn.bytes = self.rounds.log.bytes - turn.bytes
        before = self.unsettled[-1] if self.unsettled else turn
        self.unsettled.append(turn)
        if trains:
            self.settle()
            for outer in self.turns:
                outer.restart(len(self.rounds.kept))
            return
        if before.loop == turn.loop and before.layer != turn.layer:
            self.join(turn.loop)  # turns of an evaluation all call the same layer
        if self.rounds.wanted is not None:
            self.settle(UNCERTAIN)

    def has_rounds(self, turn: Turn) -> bool:
        """Return whether turns of loops inside a turn are rounds."""
        return turn.has_rounds or bool(self.unsettled and self.unsettled[-1].is_in(turn))

    def finish(self, failed: bool) -> None:
        """End all turns at the end of the recording, which an exception may have ended."""
        if failed:
            self.failed()
        while self.turns:
            self.end_turn()
        self.settle()

    def settle(self, but: int = 0) -> None:
        """Confirm all unsettled rounds but the last `but` ones, and forget unwanted rounds."""
        while len(self.unsettled) > but:
            turn = self.unsettled.pop(0)
            index = len(self.rounds.marks) - len(self.unsettled) - 1
            if not self.rounds.keeps(index):
                self.forget(index, turn.bytes)
            outer = turn.outer
            while outer is not None:
                outer.has_rounds, outer = True, outer.outer

    def forget(self, index: int, cost: int) -> None:
        """Remove the events of a round from the log."""
        first, count = self.rounds.forget(index, cost)
        for turn in (*self.turns, *self.unsettled):
            if turn.first > first:
                turn.first -= count

    def stop(self) -> None:
        """Discard all rounds that were found, since the user marks rounds."""
        self.turns.clear()
        self.unsettled.clear()
        self.rounds.marks.clear()


def ids_in(cells: Any) -> Iterator[int]:
    """Yield the numbers of the tensors in cells of a note."""
    for cell in cells:
        if cell.__class__ is tuple:
            yield cell[0]
        elif cell.__class__ is list:
            yield from ids_in(cell)


# ----- names of rounds ---------------------------------------------------------------------------


def names_of(loops: Iterable[Around], position: Position) -> list[Names | None]:
    """Return the variables of each loop that hold whole numbers, with their values.

    None means that a loop is about to set its variables; `_` is left out.
    """
    stands = {frame: place.at for frame, place in position}
    frames = dict(islice(user_frames(), len(position)))
    found: list[Names | None] = []
    for frame, loop, _ in loops:
        if stands[frame] == loop.header:
            found.append(None if loop.variables else ())
            continue
        variables: Any = frames[frame].f_locals if loop.variables else {}
        pairs = [(name, variables.get(name)) for name in loop.variables if name != "_"]
        found.append(tuple([(name, int(x)) for name, x in pairs if is_whole(x)]))
    return found


def is_whole(thing: object) -> bool:
    """Return whether a thing is a whole number, and no bool."""
    return thing.__class__ is int or isinstance(thing, np.integer)


def as_pairs(names: Iterable[Names | None]) -> Names:
    """Return the variables of all loops; an inner loop's variable replaces an outer loop's."""
    found: dict[str, int] = {}
    for pairs in names:
        found.update(pairs or ())
    return tuple(found.items())
