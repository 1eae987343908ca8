"""The search for turns that are rounds.

A layer, a backward or the step of an optimizer begins: where is the user's code? Its *position*
(`code_loops`) is the list of its frames with the instruction of each. The bytecode says which loops
are around it, and whether the last *turn* of such a loop still goes on (`turns`). What a turn does
says whether it is a round:

- With the step of an optimizer, the innermost loop around it and the last backward is one of
  training, for good: each of its turns is a round. Turns without a backward are evaluation.
- A loop that only calls a layer (evaluation), or only calls `backward` (updates written by hand),
  is one until something shows that its turns belong together (`ties`). Time steps of an RNN and
  micro-batches do. Then the loop around it is tried (`TurnSearch.join`). So the last rounds stay
  unsettled, and their events in the log, until a step settles them.
- A loop that was entered before one knew that it has rounds began where the user's code came into
  it; *stretches* tell where that was in the log (`TurnSearch.restart`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import FrameType
from typing import Any

from minipaddle.engine.source_line import user_spots
from minipaddle.events import notes

from .code_loops import PLACES, Loop, Position, place_of
from .kept_rounds import KeptRounds
from .loop_names import Names, names_at
from .note_cells import ids_in
from .ties import Found, Ties
from .turns import LEFT, SAME, TURNED, Around, Loops, Turn, loops_around, loops_of, one_by_one

UNCERTAIN = 20  # turns that may prove to be no rounds stay in the log, even if nobody wants them


@dataclass(slots=True)
class Stretch:
    """From a position in the log on, what happens is in these loops."""

    at: int
    number: int  # of its first op or layer
    bytes: int  # that copies take so far
    loops: Loops
    names: tuple[Names | None, ...]  # of the variables of each; None while a loop fetches them


class TurnSearch:
    """Finds the turns of loops that are rounds, in the frames up to the outermost one."""

    def __init__(self, rounds: KeptRounds, outermost: int) -> None:
        self.rounds, self.outermost = rounds, outermost
        self.found = Found()
        self.ties = Ties(self.found, rounds)
        self.stretches: list[Stretch] = []
        self.position: Position = []  # where the user's code was when one last looked
        self.doing = ""  # a layer, backward, optimizer, as one looked: or an op
        self.backward: Position = []  # the last one
        self.resting = False  # rounds are known otherwise, and are only given names
        self.looping = False  # the turn before this one was a step of training
        self.evaluating = False  # or was none, in a loop of training

    @property
    def asks(self) -> bool:
        """Whether the next op matters: the turn may end before it, or has no names yet.

        One that follows a step of training goes on until its own backward.
        """
        turn = self.found.turn
        sure = self.resting or (self.looping and turn is not None and not turn.backward)
        return not sure or self.rounds.naming.mark is not None

    # ----- where the user's code is --------------------------------------------------------------

    def look(self, number: int, doing: str = "", frame: FrameType | None = None) -> bool:
        """Whether the user's code has come elsewhere than to the next op of what goes on.

        The search for it begins at `frame`; all below are known to be ours.
        """
        position, turn = user_spots(PLACES, place_of, self.outermost, frame), self.found.turn
        if self.resting:
            self.position = position
            self.rounds.naming.read(position)
            return True
        if turn is None:
            moved, loops = SAME, [(each, place.loops) for each, place in position if place.loops]
            goes_on = self.stretches and self.stretches[-1].loops == loops
            if doing and (loops or self.ties.watching):  # something may begin
                goes_on = False
        else:
            moved = turn.moved(position, doing)
            goes_on = moved == SAME and not doing and self.goes_on(turn, position)
        if not goes_on:
            self.come(position, number, doing, moved)
            return True
        self.position, self.doing = position, doing
        return False

    def goes_on(self, turn: Turn, position: Position) -> bool:
        """Whether there is nothing to remember of an op in the same turn."""
        turn.follow(position, "")
        if self.rounds.naming.mark is not None:
            return False
        if turn.loop in self.found.trained:
            return True
        return bool(self.stretches) and self.stretches[-1].loops == loops_of(position)

    def come(self, position: Position, number: int, doing: str, moved: int) -> None:
        """The user's code has come to where the turn does something, or to another one."""
        turn = self.found.turn
        if self.ties.watching and (self.found.unsettled or moved != SAME or doing == "optimizer"):
            self.catch_up()
            turn = self.found.turn
            moved = turn.moved(position, doing) if turn is not None else SAME
        self.position, self.doing = position, doing
        if turn is not None:
            if moved == SAME or (moved == TURNED and turn.is_empty):
                turn.follow(position, doing, moved)
            else:
                self.end_turn(moved, number)
        if self.found.turn is None:
            known = (one for one in loops_around(position) if one.loop in self.found.trained)
            again = turn.around if turn is not None and moved == TURNED else None
            around = next(known, again)
            if around is not None:
                self.begin_turn(around, len(self.rounds.kept), number, self.rounds.log.bytes)
        if self.found.turn is None or self.found.turn.loop not in self.found.trained:
            self.remember(number)
        if self.rounds.naming.mark is not None:
            self.rounds.naming.read(position)

    def remember(self, number: int) -> None:
        """Which loops the user's code is in from now on."""
        loops = loops_of(self.position)
        if not self.stretches or self.stretches[-1].loops != loops:
            at, before = len(self.rounds.kept), self.rounds.log.bytes
            self.stretches.append(Stretch(at, number, before, loops, names_at(self.position)))

    # ----- what turns do -------------------------------------------------------------------------

    def layer_called(self, name: str) -> None:
        """What each turn of an evaluation does, with one and the same layer."""
        turn, unsettled = self.found.turn or self.try_loop(), self.found.unsettled
        if turn is not None and not turn.layer:
            turn.layer = name
            before = unsettled[-1] if unsettled else turn
            another = before.loop == turn.loop and before.layer != name
            if another and turn.loop not in self.found.trained:
                self.join(turn.loop)

    def backward_begins(self) -> None:
        """A pass begins."""
        turn = self.found.turn or self.try_loop()
        if turn is not None:
            self.ties.first_pass = not turn.backward
            turn.backward = True

    def step(self) -> None:
        """An optimizer's step: the innermost loop around it and the last backward trains."""
        turn = self.found.turn
        if turn is None or turn.loop not in self.found.trained:
            around = self.loop_of_step()
            if around is None:
                return
            if turn is None or turn.around != around:
                turn = self.restart(around)
            self.found.trained.add(around.loop)
        turn.backward = turn.updated = True
        self.settle()

    def loop_of_step(self) -> Around | None:
        """The innermost loop in which the last backward was, and what happens now."""
        behind = set(loops_around(self.backward))
        return next((around for around in loops_around(self.position) if around in behind), None)

    def failed(self) -> None:
        """An exception leaves what was under way."""
        if self.found.turn is not None:
            self.found.turn.failed = True

    # ----- what ties them together ---------------------------------------------------------------

    def catch_up(self) -> None:
        """Look at what has been logged meanwhile."""
        for note in self.ties.unseen():
            self.notice(note)

    def notice(self, note: Any) -> bool:
        """Whether a note says of turns that they belong together."""
        kind = note[0] if note.__class__ is tuple else None
        if kind is notes.op_finished:
            return self.computed(ids_in(note[1][5:]), ids_in(note[6 + 2 * note[5] :]))
        if kind is notes.grads_added:
            return self.accumulated(note[3], note[4])
        return kind is notes.node_visited and self.visited(note[1])

    def computed(self, inputs: Iterable[int], outputs: Iterable[int]) -> bool:
        """An op reads tensors and makes others; what it changes in place was there before."""
        if not self.ties.watching:
            return False
        given = set(inputs)
        tied = self.tie(self.ties.read(given))
        self.ties.made(set(outputs) - given)
        return tied

    def accumulated(self, stored: bool | None, held: Any) -> bool:
        """A gradient was added to what was held."""
        return self.ties.watching and self.tie(self.ties.accumulated(stored, held))

    def visited(self, node: int) -> bool:
        """A pass has come to a node."""
        return self.ties.watching and self.tie(self.ties.visited(node))

    def tie(self, loop: Loop | None) -> bool:
        if loop is not None:
            self.join(loop)
        return loop is not None

    def join(self, loop: Loop) -> None:
        """Turns of a loop belong together: in a loop of training two of them, else all."""
        found = self.found
        turn = found.turn if found.turn and found.turn.loop == loop else None
        if turn is not None and loop in found.trained:
            self.join_to_last(turn)
            return
        gone = [each for each in (*found.unsettled, turn) if each and each.loop == loop]
        if any(each.forgotten for each in gone):  # too late
            found.trained.add(loop)
            return
        found.joined.add(loop)
        found.unsettled = [each for each in found.unsettled if each not in gone]
        for each in found.unsettled:
            each.judged = False  # it has another number now
        self.rounds.remove([each.mark for each in gone])
        self.ties.belong_to(None, gone)
        if turn is not None:
            found.turn = None
            wider = self.try_loop()
            if wider is not None:
                wider.layer, wider.backward = gone[0].layer, turn.backward

    def join_to_last(self, turn: Turn) -> None:
        """The turn that goes on belongs to the round before it."""
        before = self.found.unsettled.pop()
        self.rounds.marks.pop()
        self.rounds.naming.end(turn.mark)
        turn.mark, turn.number, turn.layer = before.mark, before.number, before.layer
        turn.mark.last, turn.bytes = None, turn.bytes - before.bytes

    # ----- turns ---------------------------------------------------------------------------------

    def begin_turn(self, around: Around, at: int, number: int, before: int) -> Turn:
        """A round begins, from a position in the log on."""
        sure = around.loop in self.found.trained
        sure = sure and (self.rounds.dropping or not self.found.unsettled)
        mark = self.rounds.begin("training", at, around, sure)
        self.found.turn = turn = Turn(mark, around, number, before)
        turn.follow(self.position, self.doing, TURNED)
        return turn

    def end_turn(self, moved: int = LEFT, number: int = 0, failed: bool = False) -> None:
        """The round is over, and is none if it did nothing."""
        turn, self.found.turn = self.found.turn, None
        if turn is None:
            return
        mark, sure = turn.mark, turn.loop in self.found.trained
        failed = (failed or turn.failed) and sure and not self.evaluating
        self.looping = moved == TURNED and turn.updated
        self.evaluating = moved == TURNED and sure and not turn.backward
        if turn.is_empty and not failed:
            self.rounds.marks.pop()
        else:
            mark.kind = "training" if turn.backward or failed else "evaluation"
            self.rounds.end(mark)
            turn.bytes, turn.end = self.rounds.log.bytes - turn.bytes, number
            self.found.unsettled.append(turn)
            settled = turn.updated or (sure and not turn.backward)
            self.settle(but=0 if settled else UNCERTAIN)
        self.rounds.drop(self.rounds.dropping and moved == TURNED)

    def try_loop(self) -> Turn | None:
        """The innermost loop that may have rounds, until something shows that it has none."""
        for around in loops_around(self.position):
            if around.loop not in self.found.joined:
                return self.restart(around)
        return None

    def restart(self, around: Around) -> Turn:
        """A turn of a loop goes on; it began where the user's code came into the loop."""
        begun = self.stretches[-1]
        for stretch in reversed(self.stretches):
            if around not in one_by_one(stretch.loops):
                break
            begun = stretch
        marks, unsettled = self.rounds.marks, self.found.unsettled
        gone = [self.found.turn] if self.found.turn else []
        while unsettled and (unsettled[-1].mark.last or 0) > begun.at:
            gone.append(unsettled.pop())
        del marks[len(marks) - len(gone) :]
        at = max(begun.at, (marks[-1].last or 0) if marks else 0)
        before = begun.bytes if at == begun.at else self.rounds.log.bytes
        turn = self.begin_turn(around, at, begun.number, before)
        if at == begun.at:
            self.rounds.naming.name(one_by_one(begun.loops), begun.names)
        self.ties.belong_to(turn, gone)
        return turn

    # ----- the end of doubt ----------------------------------------------------------------------

    def settle(self, but: int = 0) -> None:
        """The last rounds are rounds; but for so many, what nobody wants of them may go.

        Each is judged once: all before a judged one were judged.
        """
        unsettled = self.found.unsettled
        first = len(self.rounds.marks) - len(unsettled) - (self.found.turn is not None)
        for at in range(len(unsettled) - but - 1, -1, -1):
            turn = unsettled[at]
            if turn.judged:
                break
            turn.judged = True
            if not turn.forgotten and not self.rounds.wanted(first + at):
                turn.forgotten = True
                self.forget(first + at, turn.bytes)
        if not but:
            self.clear()

    def forget(self, index: int, cost: int) -> None:
        """Take the events of a round out of the log."""
        gone = self.rounds.forget(index, cost)
        self.ties.forgotten(*gone)
        for stretch in self.stretches:
            stretch.at -= max(0, min(stretch.at, gone[1]) - gone[0])

    def clear(self) -> None:
        """What was found is settled; where it began, nobody will ask again."""
        self.found.unsettled.clear()
        self.ties.makers.clear()
        self.stretches.clear()

    def stop(self) -> None:
        """Rounds are marked by hand, so those that were found are none."""
        self.found.turn = None
        self.rounds.marks.clear()
        self.clear()
