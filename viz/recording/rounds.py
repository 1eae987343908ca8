"""Finding rounds while a block is recorded: the turns of the loops in which a network is trained.

How it is done. A layer, a backward or the step of an optimizer begins: where is the user's code?
Its *position* (`code_loops`) is the list of its frames with the instruction of each. The
bytecode says which loops are around it, and whether the last *turn* of such a loop still goes on
(`turns`). What a turn does says whether it is a round:

- With the step of an optimizer, the innermost loop around it and the last backward is one of
  training, for good: each of its turns is a round. Turns without a backward are evaluation.
- A loop that only calls a layer (evaluation), or only calls `backward` (updates written by hand),
  is one until something shows that its turns belong together: a turn reads what another one
  made, or adds to a gradient that another one left, or goes back through its nodes. Time steps
  of an RNN and micro-batches do that. Then the loop around it is tried (`RoundFinder.join`). So
  the last rounds stay *unsettled*, and their events in the log, until a step settles them.
- A loop that was entered before one knew that it has rounds began where the user's code came into
  it; *stretches* tell where that was in the log (`RoundFinder.restart`).

Two kinds of rounds need no search: turns that are marked by hand (`marked_rounds`), after which
nothing else counts, and runs of Programs. `measures` are what stays of every round, `loop_names`
what the rounds are called. Rounds that nobody wants are *dropped*: nothing of them is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType
from typing import Any

from minipaddle import events
from minipaddle.engine.source_line import user_frames
from minipaddle.events import notes

from ..document.document import Recording
from ..document.rounds import RoundMark, size_of
from .code_loops import Position, position_of
from .event_log import EventLog, Listener, ignore
from .loop_names import Names, Naming, names_of
from .marked_rounds import RoundBegan, RoundEnded
from .measures import Measures, only_number
from .note_cells import ids_in, ids_of, live_values, the_array
from .turns import LEFT, SAME, TURNED, Around, Key, Turn, loops_around

UNCERTAIN = 20  # turns that may prove to be no rounds stay in the log, even if nobody wants them


@dataclass(slots=True)
class Stretch:
    """From a position in the log on, what happens is in these loops, the innermost first."""

    at: int
    number: int  # of its first op or layer
    bytes: int  # that copies take so far
    around: tuple[Around, ...]
    names: tuple[Names | None, ...]  # of the variables of each; None while a loop fetches them


@dataclass(slots=True)
class Run:
    """A run of a Program that goes on."""

    mark: RoundMark
    bytes: int  # in copies before it
    works: bool  # a startup program only makes values of nothing


class RoundFinder:
    """A listener before the others: it marks rounds, and hands on what is kept.

    Notes of ops and nodes come here only where they are needed at once; all others go to the log,
    where they are looked up when a turn is over.
    `dropping`: a round goes on of which only the loss and the sizes are kept.
    """

    def __init__(
        self,
        recording: Recording,
        log: EventLog,
        tell: Listener,
        wanted: Callable[[int], bool] = lambda _index: True,
        outermost: int = 0,
    ) -> None:
        self.log, self.tell, self.wanted, self.outermost = log, tell, wanted, outermost
        self.kept, self.marks = recording.log, recording.rounds
        self.inside = 0  # the scope that goes on: a layer, a PyLayer or a step of an optimizer
        self.seen = 0  # up to here the log was searched for what ties turns together
        self.passing = False  # a backward is under way
        self.stepping: int | None = None  # where in the log the step of an optimizer began
        self.position: Position = ()  # where the user's code was when one last looked
        self.turn: Turn | None = None
        self.trained: set[Key] = set()  # loops in which an optimizer made a step
        self.joined: set[Key] = set()  # loops whose turns belong together
        self.unsettled: list[Turn] = []  # the last rounds, which may prove to be none
        self.stretches: list[Stretch] = []
        self.makers: dict[int, Turn | None] = {}  # of tensors: the turn that made them
        self.backward: Position = ()  # the last one
        self.measures = Measures(self.kept)
        self.naming = Naming()
        self.looping = False  # the turn before this one was a step of training
        self.evaluating = False  # or was none, in a loop of training
        self.first_pass = False  # the first backward of this turn is under way
        self.doing = ""  # a layer, backward, optimizer, as one looked: or an op
        self.by_hand: list[tuple[object, RoundMark]] = []  # marked loops that go on
        self.run: Run | None = None
        self.updates: dict[tuple[int, int], tuple[str, str]] = {}  # operators: parameter, gradient
        self.marked = self.dropping = self.waking = self.run_is_over = False
        self.watching = self.asking = self.stopped = False
        self.handlers: dict[type, Callable[[Any], None]] = {
            RoundBegan: self.began_by_hand,
            RoundEnded: self.ended_by_hand,
            events.OpStarted: lambda e: self.op(e.call),
            events.OpFinished: self.op_finished,
            events.GradNodeMade: self.measures.node_made,
            events.ScopeEntered: lambda e: self.entered(e.scope, e.kind, e.name),
            events.ScopeLeft: self.scope_left,
            events.BackwardStarted: self.backward_started,
            events.BackwardFinished: lambda _: self.passed(),
            events.NodeVisited: lambda e: self.visited(e.node),
            events.GradAccumulated: lambda e: self.accumulated(e.stored, e.held),
            events.ParameterUpdated: self.updated,
            events.Failed: self.failed,
            events.OperatorAppended: self.appended,
            events.RunStarted: self.run_started,
            events.OperatorExecuted: self.executed,
            events.RunFinished: self.run_finished,
        }
        self.note_taker = taker = log.note_taker if tell is log else None
        if taker is not None:
            taker.enter, taker.leave = self.enter, self.leave
        self.hook()

    # ----- notes and events ----------------------------------------------------------------------

    def hook(self) -> None:
        """Let notes come here as long as they are needed at once, and go to the log otherwise."""
        if self.stopped:
            return
        log, taker, turn = self.log, self.log.note_taker, self.turn
        if not self.watching:
            self.seen = len(self.kept)
        if self.marked:
            sure, self.watching = True, False
        elif turn is None:
            sure, self.watching = False, bool(self.unsettled)
        else:
            sure = self.looping and not turn.backward
            self.watching = bool(self.unsettled) or turn.around.key not in self.trained
        self.asking = not sure or self.naming.mark is not None
        if self.dropping:
            taker.begin, taker.take = self.begin, self.take
            taker.enter = self.enter
            taker.keep = the_array if self.inside else self.keep  # no round ends inside of a scope
            return
        taker.enter = log.append if self.inside else self.enter
        here = self.asking and not self.inside and not self.passing
        taker.begin = self.begin if here else log.begin
        taker.take, taker.keep = log.append, log.copy_array

    def __call__(self, event: Any) -> None:
        """What the bus calls."""
        handler = self.handlers.get(event.__class__)
        if handler is not None:
            handler(event)
        if not self.dropping and event.__class__ not in BY_HAND:
            self.tell(event)
        if self.run_is_over:
            self.end_run()

    def begin(self, note: Any) -> None:
        """The note of a step."""
        kind = note[0]
        if kind is notes.op_started:
            self.op(note[1])
        elif kind is notes.parameter_updated and self.dropping:
            self.measures.updated(note[7], note[9], note[2])
        self.hand_on(note, self.log.begin)

    def take(self, note: Any) -> None:
        """What belongs to a step of a round that is dropped."""
        kind = note[0]
        if kind is notes.op_finished:
            outputs = note[6 + 2 * note[5] :]
            if note[3] and len(outputs) == 7:
                self.measures.may_be_loss(note[3], notes.value(outputs[2]))
        elif kind is notes.grads_added:
            self.accumulated(note[3], note[4])
        self.hand_on(note, self.log.append)

    def enter(self, note: Any) -> None:
        """The beginning of a layer."""
        if not self.inside:
            self.entered(note[1], note[2], note[3])
        self.hand_on(note, self.log.append)

    def leave(self, note: Any) -> None:
        """The end of a layer."""
        if note[1] == self.inside:
            self.left()
        if not self.dropping:
            self.log.append(note)

    def catch_up(self) -> None:
        """Look at what has been logged meanwhile: whether it ties turns together."""
        new, self.seen = self.kept[self.seen :], len(self.kept)
        for note in new if self.watching else ():
            kind = note[0] if note.__class__ is tuple else None
            if kind is notes.op_finished:
                self.made(ids_in(note[1][5:]), ids_in(note[6 + 2 * note[5] :]))
            elif kind is notes.grads_added:
                self.accumulated(note[3], note[4])
            elif kind is notes.node_visited:
                self.visited(note[1])

    def hand_on(self, note: Any, log: Listener) -> None:
        """To the log, unless the round is dropped; the first note after that still has arrays."""
        if self.dropping:
            return
        if self.waking:
            self.waking = False
            for value in live_values(note):
                self.log.copy_value(value)
        log(note)

    def keep(self, array: Any, number: int = 0, version: int = 0) -> Any:
        """What stands for an array in a note that is dropped: the array itself."""
        return notes.live(array) if self.dropping else self.log.copy_array(array, number, version)

    def op_finished(self, event: events.OpFinished) -> None:
        """The same as an event."""
        self.made(ids_of(event.inputs), ids_of(event.outputs))
        self.measures.returned(event.call, event.outputs)

    def scope_left(self, event: events.ScopeLeft) -> None:
        """A layer, a PyLayer or an optimizer's step ends."""
        if event.call:
            self.measures.returned(event.call, event.outputs)
        if event.scope == self.inside:
            self.left()

    # ----- what happens --------------------------------------------------------------------------

    def op(self, number: int) -> None:
        """An op begins; inside of layers it tells nothing."""
        if self.asking and not self.inside:
            self.look(number)
            self.hook()

    def entered(self, number: int, kind: str, name: str) -> None:
        """A layer, a PyLayer or an optimizer's step begins."""
        if self.inside:
            return
        self.inside = number
        if kind == "layer":
            self.look(number, kind)
            self.layer_called(name)
        elif kind == "optimizer":
            self.look(number, kind)
            self.step()
            self.stepping = len(self.kept)
        self.hook()

    def left(self) -> None:
        """It ends."""
        if self.stepping is not None:
            self.measures.logged(self.stepping)
        self.inside, self.stepping = 0, None
        self.hook()

    def layer_called(self, name: str) -> None:
        """What each turn of an evaluation does, with one and the same layer."""
        if self.marked or self.run:
            return
        if self.turn is None:
            self.try_loop()
        turn = self.turn
        if turn is not None and not turn.layer:
            turn.layer = name
            before = self.unsettled[-1] if self.unsettled else turn
            key = turn.around.key
            if key not in self.trained and before.around.key == key and before.layer != name:
                self.join(key)

    def backward_started(self, event: events.BackwardStarted) -> None:
        """A pass begins."""
        self.measures.backward_started(event)
        if self.inside:
            return
        if self.asking or self.turn is None:
            self.look(event.run, "backward")
            self.backward = self.position
        if self.marked or self.run:
            return
        turn = self.turn or self.try_loop()
        if turn is not None:
            self.first_pass = not turn.backward
            turn.backward = True
        self.passing = True
        self.hook()

    def passed(self) -> None:
        """It is over."""
        self.passing = False
        self.hook()

    def accumulated(self, stored: bool | None, held: Any) -> None:
        """The first pass of a turn adds to what the turn before has left in `.grad`."""
        turn, before = self.turn, self.unsettled[-1] if self.unsettled else None
        if not (self.watching and stored and self.first_pass and turn and before):
            return
        if before.around.key == turn.around.key and before.backward and size_of(held) != 0:
            self.join(turn.around.key)

    def visited(self, node: int) -> None:
        """A pass that goes back to before its turn belongs to more than the turn."""
        turn = self.turn
        if not self.watching:
            return
        if turn is not None and turn.around.key not in self.trained and node < turn.number:
            self.join(turn.around.key)
        elif turn is None:
            behind = [each for each in self.unsettled if each.number <= node < each.end]
            if behind and behind[0].around.key not in self.trained:
                self.join(behind[0].around.key)

    def made(self, inputs: Iterable[int], outputs: Iterable[int]) -> None:
        """An op reads tensors and makes others; what it changes in place was there before."""
        if self.watching:
            given = set(inputs)
            self.read(given)
            self.makers |= dict.fromkeys(set(outputs) - given, self.turn)

    def read(self, tensors: Iterable[int]) -> None:
        """What a turn reads that another one made, without a backward, ties them together."""
        for tensor in tensors if self.watching else ():
            maker = self.makers.get(tensor)
            if maker is None or maker is self.turn or maker.backward:
                continue
            if maker.around.key not in self.trained:
                self.join(maker.around.key)
                break

    def step(self) -> None:
        """An optimizer's step: the innermost loop around it and the last backward trains."""
        if self.marked or self.run:
            return
        turn = self.turn
        if turn is None or turn.around.key not in self.trained:
            around = self.loop_of_step()
            if around is None:
                return
            if turn is None or turn.around[:2] != around[:2]:
                turn = self.restart(around)
            self.trained.add(around.key)
        turn.backward = turn.updated = True
        self.settle()

    def loop_of_step(self) -> Around | None:
        """The innermost loop in which the last backward was, and what happens now."""
        spots = {(spot.frame, spot.number): spot.at for spot in self.backward}
        return next(
            (
                around
                for around in loops_around(self.position)
                if spots.get((around.frame, around.key[0])) in around.loop.body
            ),
            None,
        )

    def updated(self, event: events.ParameterUpdated) -> None:
        """An optimizer has changed a parameter."""
        self.measures.updated(event.tensor.id, event.tensor.value, event.grad)

    def failed(self, event: events.Failed) -> None:
        """An exception leaves what was under way."""
        if self.turn is not None:
            self.turn.failed = True
        if event.during == "scope" and event.id == self.inside:
            self.left()
        elif event.during == "operator":
            self.run_is_over = self.run is not None

    # ----- turns ---------------------------------------------------------------------------------

    def look(self, number: int, doing: str = "") -> None:
        """Where the user's code is now, and whether it still is in the same turn."""
        self.passing = False  # also where it failed
        frames = user_frames(self.outermost)
        position = position_of(frames)
        turn, moved = self.turn, SAME
        if turn is not None:
            moved = turn.moved(position, doing)
        if self.watching and (self.unsettled or moved != SAME or doing == "optimizer"):
            self.catch_up()
            turn = self.turn
            moved = turn.moved(position, doing) if turn is not None else SAME
        self.position, self.doing = position, doing
        if not (self.marked or self.run):
            if turn is not None:
                if moved == SAME or (moved == TURNED and turn.is_empty):
                    turn.follow(position, doing, moved)
                else:
                    self.end_turn(moved, number)
            if self.turn is None:
                known = (one for one in loops_around(position) if one.key in self.trained)
                again = turn.around if turn is not None and moved == TURNED else None
                around = next(known, again)
                if around is not None:
                    self.begin_turn(around, len(self.kept), number, self.log.bytes)
            if self.turn is None or self.turn.around.key not in self.trained:
                self.remember(number, frames)
        if self.naming.mark is not None:
            self.naming.read(position, frames)

    def remember(self, number: int, frames: list[FrameType]) -> None:
        """Which loops the user's code is in from now on."""
        around = tuple(loops_around(self.position))
        if not self.stretches or self.stretches[-1].around != around:
            names = tuple(names_of(around, self.position, frames))
            self.stretches.append(Stretch(len(self.kept), number, self.log.bytes, around, names))

    def begin_turn(self, around: Around, at: int, number: int, before: int) -> Turn:
        """A round begins, from a position in the log on."""
        mark = RoundMark("training", at)
        self.marks.append(mark)
        self.naming.begin(mark, around)
        self.turn = turn = Turn(mark, around, number, before)
        turn.follow(self.position, self.doing, TURNED)
        sure = around.key in self.trained and (self.dropping or not self.unsettled)
        self.drop(sure and not self.wanted(len(self.marks) - 1))
        return turn

    def end_turn(self, moved: int = LEFT, number: int = 0, failed: bool = False) -> None:
        """The round is over, and is none if it did nothing."""
        turn, self.turn = self.turn, None
        if turn is None:
            return
        mark, sure = turn.mark, turn.around.key in self.trained
        failed = (failed or turn.failed) and sure and not self.evaluating
        self.looping = moved == TURNED and turn.updated
        self.evaluating = moved == TURNED and sure and not turn.backward
        if turn.is_empty and not failed:
            self.marks.pop()
        else:
            mark.kind = "training" if turn.backward or failed else "evaluation"
            self.close(mark)
            turn.bytes, turn.end = self.log.bytes - turn.bytes, number
            self.unsettled.append(turn)
            if turn.updated or (sure and not turn.backward):
                self.settle()
            else:
                self.settle(but=UNCERTAIN)
        self.drop(self.dropping and moved == TURNED)

    def close(self, mark: RoundMark) -> None:
        """A round ends here."""
        mark.last = len(self.kept)
        self.measures.end(mark)
        self.naming.end(mark)

    def try_loop(self) -> Turn | None:
        """The innermost loop that may have rounds, until something shows that it has none."""
        for around in loops_around(self.position):
            if around.key not in self.joined:
                return self.restart(around)
        return None

    def restart(self, around: Around) -> Turn:
        """A turn of a loop goes on; it began where the user's code came into the loop."""
        begun = self.stretches[-1]
        for stretch in reversed(self.stretches):
            if all(one[:2] != around[:2] for one in stretch.around):
                break
            begun = stretch
        gone: list[Turn | None] = [self.turn] if self.turn else []
        while self.unsettled and (self.unsettled[-1].mark.last or 0) > begun.at:
            gone.append(self.unsettled.pop())
        del self.marks[len(self.marks) - len(gone) :]
        at = max(begun.at, (self.marks[-1].last or 0) if self.marks else 0)
        before = begun.bytes if at == begun.at else self.log.bytes
        turn = self.begin_turn(around, at, begun.number, before)
        if at == begun.at:
            self.naming.name(begun.around, begun.names)
        self.makers = {x: turn if maker in gone else maker for x, maker in self.makers.items()}
        return turn

    def join(self, key: Key) -> None:
        """Turns of a loop belong together: in a loop of training two of them, else all."""
        turn = self.turn if self.turn and self.turn.around.key == key else None
        if turn is not None and key in self.trained:
            before = self.unsettled.pop()
            self.marks.pop()
            self.naming.end(turn.mark)
            turn.mark, turn.number, turn.layer = before.mark, before.number, before.layer
            turn.mark.last, turn.bytes = None, turn.bytes - before.bytes
            self.hook()
            return
        gone = [each for each in (*self.unsettled, turn) if each and each.around.key == key]
        if any(each.forgotten for each in gone):  # too late
            self.trained.add(key)
            return
        self.joined.add(key)
        self.unsettled = [each for each in self.unsettled if each not in gone]
        self.marks[:] = [mark for mark in self.marks if all(mark is not each.mark for each in gone)]
        self.makers = {x: None if maker in gone else maker for x, maker in self.makers.items()}
        if turn is not None:
            self.turn = None
            wider = self.try_loop()
            if wider is not None:
                wider.layer, wider.backward = gone[0].layer, turn.backward
        self.hook()

    # ----- what is kept --------------------------------------------------------------------------

    def drop(self, dropping: bool) -> None:
        """Whether what happens from now on is kept."""
        self.waking = self.waking or (self.dropping and not dropping)
        self.dropping = dropping

    def settle(self, but: int = 0) -> None:
        """The last rounds are rounds; but for so many, what nobody wants of them may go."""
        first = len(self.marks) - len(self.unsettled) - (self.turn is not None)
        for index, turn in enumerate(self.unsettled[: len(self.unsettled) - but], first):
            if not turn.forgotten and not self.wanted(index):
                turn.forgotten = True
                self.forget(index, turn.bytes)
        if not but:
            self.unsettled.clear()
            self.makers.clear()
            self.stretches.clear()

    def forget(self, index: int, cost: int) -> None:
        """Take the events of a round out of the log."""
        mark = self.marks[index]
        first, last = mark.first, mark.last or 0
        mark.measure()
        self.seen -= max(0, min(self.seen, last) - first)
        self.log.forget(first, last, cost)
        mark.last = first
        for later in self.marks[index + 1 :]:
            later.first -= last - first
            later.last = None if later.last is None else later.last - (last - first)
        for stretch in self.stretches:
            stretch.at -= max(0, min(stretch.at, last) - first)

    # ----- marks by hand -------------------------------------------------------------------------

    def began_by_hand(self, event: RoundBegan) -> None:
        """A turn of a marked loop: no others count from now on."""
        if self.inside:
            return
        self.stop_searching()
        if self.by_hand:  # the loop around it has no rounds, but contains some
            self.marks[:] = [mark for mark in self.marks if mark is not self.by_hand[-1][1]]
        mark = RoundMark("marked", len(self.kept))
        self.marks.append(mark)
        self.by_hand.append((event.turns, mark))
        self.naming.begin(mark)
        self.measures.begin()
        self.drop(not self.wanted(len(self.marks) - 1))
        self.hook()

    def ended_by_hand(self, event: RoundEnded) -> None:
        """Its end; a recording that began in the middle of it has its rest."""
        if self.inside:
            return
        if not self.by_hand and not self.marked:
            self.stop_searching()
            self.marks.append(RoundMark("marked", 0))
            self.close(self.marks[-1])
        while self.by_hand and any(turns is event.turns for turns, _ in self.by_hand):
            mark = self.by_hand.pop()[1]
            if mark.last is None:
                self.close(mark)
        self.drop(False)
        self.hook()

    def stop_searching(self) -> None:
        """Rounds are marked by hand, so those that were found are none."""
        if not self.marked:
            self.marked, self.turn = True, None
            self.marks.clear()
            self.unsettled.clear()
            self.makers.clear()
            self.stretches.clear()

    # ----- runs of Programs ----------------------------------------------------------------------

    def appended(self, event: events.OperatorAppended) -> None:
        """Which parameter an operator updates, with which gradient."""
        if event.role == "optimize":
            names = [event.inputs.get(slot) for slot in ("Param", "Grad")]
            if all(names):
                parameter, grad = (name[0].name for name in names if name and name[0])
                self.updates[event.program, event.index] = parameter, grad

    def run_started(self, event: events.RunStarted) -> None:
        """A run is a round, unless it is one of a startup program, or a part of another round."""
        if self.run is not None:  # it was interrupted
            self.end_run()
        if self.inside or self.marked or self.turn is not None:
            return
        self.settle()
        mark = RoundMark("run", len(self.kept))
        self.marks.append(mark)
        self.run = Run(mark, self.log.bytes, bool(event.feeds or event.fetches))
        self.naming.begin(mark)
        self.name_run()
        self.measures.begin()
        self.drop(self.run.works and not self.wanted(len(self.marks) - 1))
        self.hook()

    def executed(self, event: events.OperatorExecuted) -> None:
        """An operator ran."""
        if self.run is not None and event.inputs:
            self.run.works = True
        names = self.updates.get((event.program, event.index))
        if names is not None:
            parameter, grad = names
            self.measures.updated(parameter, event.outputs.get(parameter), event.inputs.get(grad))

    def run_finished(self, event: events.RunFinished) -> None:
        """The loss is the one number that is fetched, if there is no other."""
        numbers = [only_number(value) for value in event.fetched.values()]
        losses = [number for number in numbers if number is not None]
        if len(losses) == 1:
            self.measures.loss = losses[0]
        self.run_is_over = self.run is not None

    def end_run(self) -> None:
        """The run is over, and what it told is in the log."""
        run, self.run, self.run_is_over = self.run, None, False
        if run is None:
            return
        self.close(run.mark)
        index = len(self.marks) - 1
        if not run.works:
            self.marks.pop()
        elif not self.wanted(index):
            self.forget(index, self.log.bytes - run.bytes)
        self.drop(False)
        self.hook()

    def name_run(self) -> None:
        """The names of a run are read as it begins."""
        frames = user_frames(self.outermost)
        self.position = position_of(frames)
        self.naming.read(self.position, frames)

    # ----- the end -------------------------------------------------------------------------------

    def finish(self, failed: bool = False, cut: bool = False) -> None:
        """The recording ends, perhaps in the middle of a round; `cut`: it has reached its limit."""
        if self.stopped:
            return
        for _, mark in self.by_hand:
            if mark.last is None:
                self.close(mark)
        self.end_run()
        if len(self.marks) > 1:  # one alone is none
            self.catch_up()
        self.end_turn(failed=failed or (cut and self.looping))
        self.settle()
        self.stopped = True
        self.handlers.clear()
        self.measures = Measures([])
        self.tell, self.kept, self.marks = ignore, [], []  # nothing lives longer than its trace


BY_HAND = {RoundBegan, RoundEnded}
