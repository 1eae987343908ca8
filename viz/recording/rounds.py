"""Finding rounds while a block is recorded: the turns of the loops in which a network is trained.

A turn is told from the next one by the frames of the user's code and the loops in their bytecode.
What a turn does says whether it is a round: an optimizer's step makes its loop one of training,
for good. A loop that only calls a layer (evaluation), or only calls `backward` (updates written
by hand), is one until something shows that its turns belong together: a turn reads what another
one made, or adds to a gradient that another one left, or goes back through its nodes. Time steps
of an RNN and micro-batches do that. Then the loop around it is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import InvalidType
from minipaddle.engine.source_line import user_frames
from minipaddle.events import Seen, Value, notes
from minipaddle.events.event_types import Event

from ..document.document import Recording
from ..document.rounds import Change, RoundMark, size_of
from ..document.values import host
from .code_loops import Loop, Position, code_of, position_of
from .event_log import EventLog, Listener, ignore

T = TypeVar("T")
Names = tuple[tuple[str, int], ...]
Key = tuple[int, int]  # of a loop: the number of its code, and its header
SAME, TURNED, LEFT = range(3)
UNCERTAIN = 20  # turns that may prove to be no rounds stay in the log, even if nobody wants them


class Around(NamedTuple):
    """A loop around something that happens, and the frame that it runs in."""

    frame: int
    key: Key
    loop: Loop


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
        depth = next((n for n, spot in enumerate(position, 1) if spot.frame == frame), 0)
        return position[:depth]

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


# ----- marks by hand -----------------------------------------------------------------------------


@dataclass(slots=True)
class RoundBegan(Event):
    """A turn of a loop over `viz.rounds` begins."""

    turns: object  # the loop


@dataclass(slots=True)
class RoundEnded(Event):
    """It is over."""

    turns: object


class rounds(Generic[T]):
    """Mark the turns of a loop as rounds: `for x, y in viz.rounds(loader):`.

    Recordings find rounds by themselves; one in which a loop is marked has its turns instead, and
    no others. Of loops in each other the innermost counts. Outside of a recording it is just the
    iterable, with its length.

    Errors: TypeError for what one cannot iterate over; those of the iterable go on.

    >>> import minipaddle as paddle, viz
    >>> with viz.record() as trace:
    ...     for x in viz.rounds([1.0, 2.0]):
    ...         y = paddle.to_tensor(x) ** 2
    >>> len(viz.rounds([1.0, 2.0]))
    2
    """

    def __init__(self, iterable: Iterable[T]) -> None:
        check_iterable(iterable)
        self.iterable = iterable

    def __iter__(self) -> Iterator[T]:
        turns = object()
        for item in self.iterable:
            events.emit(RoundBegan(turns))
            try:
                yield item
            finally:
                events.emit(RoundEnded(turns))

    def __len__(self) -> int:
        return len(self.iterable)  # type: ignore[arg-type]  # which says so itself


def check_iterable(thing: Any) -> None:
    """Raise an error for what `for` would refuse, without beginning to iterate."""
    if isinstance(thing, Iterable) or hasattr(type(thing), "__getitem__"):
        return
    whole = isinstance(thing, int)
    raise InvalidType(
        "viz.rounds() marks the turns of a loop.",
        expected="what one can iterate over: a DataLoader, a list, range(10)",
        received=f"{type(thing).__name__} {thing!r:.40}",
        fix=f"write for step in viz.rounds(range({thing}))"
        if whole
        else "write for x, y in viz.rounds(loader)",
    )


# ----- the finder --------------------------------------------------------------------------------


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
        self.loss: float | None = None  # from which it started
        self.numbers: dict[int, float] = {}  # by node (and before by -call): what may be a loss
        self.sizes: dict[int | str, Change] = {}  # of the round under way
        self.nameless: tuple[RoundMark, Around | None] | None = None  # whose variables are not set
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
            events.GradNodeMade: self.node_made,
            events.ScopeEntered: lambda e: self.entered(e.scope, e.kind, e.name),
            events.ScopeLeft: self.scope_left,
            events.BackwardStarted: self.backward_started,
            events.BackwardFinished: lambda _: self.passed(),
            events.NodeVisited: lambda e: self.visited(e.node),
            events.GradAccumulated: lambda e: self.accumulated(e.stored, e.held),
            events.ParameterUpdated: lambda e: self.updated(e.tensor.id, e.tensor.value, e.grad),
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
        watched = self.watching
        provisional = turn is not None and turn.around.key not in self.trained
        self.watching = not self.marked and (provisional or bool(self.unsettled))
        if not watched:
            self.seen = len(self.kept)
        sure = self.marked or (turn is not None and self.looping and not turn.backward)
        self.asking = self.nameless is not None or not sure
        if self.dropping:
            taker.begin, taker.take = self.begin, self.take
            taker.keep = the_array if self.inside else self.keep  # no round ends inside of a scope
            return
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
            self.updated(note[7], note[9], note[2])
        self.hand_on(note, self.log.begin)

    def take(self, note: Any) -> None:
        """What belongs to a step of a round that is dropped."""
        kind = note[0]
        if kind is notes.op_finished:
            outputs = note[6 + 2 * note[5] :]
            if note[3] and len(outputs) == 7:
                self.may_be_loss(note[3], notes.value(outputs[2]))
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
        self.hand_on(note, self.log.append)

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
        self.returned(event.call, event.outputs)

    def scope_left(self, event: events.ScopeLeft) -> None:
        """A layer, a PyLayer or an optimizer's step ends."""
        if event.call:
            self.returned(event.call, event.outputs)
        if event.scope == self.inside:
            self.left()

    def returned(self, call: int, outputs: Any) -> None:
        """What a call has given, whose node follows."""
        if len(outputs) == 1 and isinstance(outputs[0], Seen):
            self.may_be_loss(-call, outputs[0].value)

    def node_made(self, event: events.GradNodeMade) -> None:
        """The node of a call."""
        if -event.call in self.numbers:
            self.numbers[event.node] = self.numbers.pop(-event.call)

    def may_be_loss(self, number: int, value: Any) -> None:
        """A pass may begin from here: only a number that is not in the log has to be kept."""
        found = only_number(value)
        if found is not None:
            self.numbers[number] = found

    def loss_at(self, node: int) -> float | None:
        """The one number that the call of a node gave."""
        if node in self.numbers:
            return self.numbers[node]
        for note in reversed(self.kept):
            if note.__class__ is tuple and note[0] is notes.op_finished and note[3] == node:
                outputs = note[6 + 2 * note[5] :]
                return only_number(notes.value(outputs[2])) if len(outputs) == 7 else None
        return None

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
            for note in self.kept[self.stepping :]:
                if note.__class__ is tuple and note[0] is notes.parameter_updated:
                    self.sizes[note[7]] = note[7], note[9], note[2]
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
        """A pass begins; the last one-element value that one began from is the loss."""
        losses = [only_number(root.value) for root in event.roots]
        losses += [self.loss_at(edge.id) for edge in event.edges if edge.kind == "node"]
        self.loss = next((loss for loss in reversed(losses) if loss is not None), self.loss)
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

    def updated(self, parameter: int | str, value: Any, grad: Any) -> None:
        """A parameter has changed."""
        self.sizes[parameter] = parameter, size_of(value), size_of(grad)

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
        if self.nameless is not None:
            self.name(frames)

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
        self.nameless = mark, around
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
        mark.loss, self.loss = self.loss if mark.kind != "evaluation" else None, None
        mark.changes, self.sizes = list(self.sizes.values()), {}
        self.numbers.clear()
        if self.nameless is not None and self.nameless[0] is mark:
            self.nameless = None

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
            names = names_until(around, begun.around, begun.names)
            if None not in names:
                turn.mark.names, self.nameless = as_pairs(names), None
        self.makers = {x: turn if maker in gone else maker for x, maker in self.makers.items()}
        return turn

    def join(self, key: Key) -> None:
        """Turns of a loop belong together: in a loop of training two of them, else all."""
        turn = self.turn if self.turn and self.turn.around.key == key else None
        if turn is not None and key in self.trained:
            before = self.unsettled.pop()
            self.marks.pop()
            if self.nameless is not None and self.nameless[0] is turn.mark:
                self.nameless = None
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

    # ----- names ---------------------------------------------------------------------------------

    def name(self, frames: list[FrameType]) -> None:
        """Read what the variables of loops hold, as soon as the loop has set its own."""
        assert self.nameless is not None
        mark, around = self.nameless
        now = tuple(loops_around(self.position))
        names = names_until(around, now, tuple(names_of(now, self.position, frames)))
        if None not in names:
            mark.names, self.nameless = as_pairs(names), None

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
        self.nameless = mark, None
        self.loss, self.sizes = None, {}
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
        self.nameless = mark, None
        self.name_run()
        self.loss, self.sizes = None, {}
        self.drop(self.run.works and not self.wanted(len(self.marks) - 1))
        self.hook()

    def executed(self, event: events.OperatorExecuted) -> None:
        """An operator ran."""
        if self.run is not None and event.inputs:
            self.run.works = True
        names = self.updates.get((event.program, event.index))
        if names is not None:
            parameter, grad = names
            self.updated(parameter, event.outputs.get(parameter), event.inputs.get(grad))

    def run_finished(self, event: events.RunFinished) -> None:
        """The loss is the one number that is fetched, if there is no other."""
        numbers = [only_number(value) for value in event.fetched.values()]
        losses = [number for number in numbers if number is not None]
        if len(losses) == 1:
            self.loss = losses[0]
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
        self.name(frames)

    # ----- the end -------------------------------------------------------------------------------

    def finish(self, failed: bool = False, cut: bool = False) -> None:
        """The recording ends, perhaps in the middle of a round; `cut`: it has reached its limit."""
        if self.stopped:
            return
        for _, mark in self.by_hand:
            if mark.last is None:
                self.close(mark)
        self.end_run()
        self.catch_up()
        self.end_turn(failed=failed or (cut and self.looping))
        self.settle()
        self.stopped = True
        self.handlers.clear()
        self.tell, self.kept, self.marks = ignore, [], []  # nothing lives longer than its trace


BY_HAND = {RoundBegan, RoundEnded}


# ----- loops and their variables -----------------------------------------------------------------


def loops_around(position: Position) -> Iterator[Around]:
    """The loops around a position, the innermost first."""
    for spot in position:
        for loop in code_of(spot).around(spot.at):
            yield Around(spot.frame, (spot.number, loop.header), loop)


def names_of(
    around: Iterable[Around], position: Position, frames: Iterable[FrameType]
) -> Iterator[Names | None]:
    """What the variables of loops hold, as far as they are whole numbers."""
    frame_of = {spot.frame: (frame, spot.at) for spot, frame in zip(position, frames, strict=True)}
    for one in around:
        frame, at = frame_of[one.frame]
        if not one.loop.variables:
            yield ()
        elif at == one.loop.header:
            yield None
        else:
            held: Any = frame.f_locals
            pairs = [(name, held.get(name)) for name in one.loop.variables]
            yield tuple([(name, int(x)) for name, x in pairs if is_whole(x)])


def is_whole(thing: object) -> bool:
    """Whether it is a whole number, and no bool."""
    return thing.__class__ is int or isinstance(thing, np.integer)


def names_until(
    last: Around | None, around: Iterable[Around], names: tuple[Names | None, ...]
) -> tuple[Names | None, ...]:
    """The variables of a loop and of those around it, from its own on."""
    inner = next((n for n, one in enumerate(around) if last and one[:2] == last[:2]), 0)
    return names[inner:]


def as_pairs(names: Iterable[Names | None]) -> Names:
    """The variables of all loops, the outermost first; of two that have one name the inner one."""
    found: dict[str, int] = {}
    for pairs in reversed([*names]):
        found.update(pairs or ())
    return tuple(found.items())


# ----- cells and values --------------------------------------------------------------------------


def ids_in(cells: Any) -> Iterator[int]:
    """The tensors that cells of a note tell of, seven cells each."""
    at = 0
    while at < len(cells):
        cell = cells[at]
        if cell.__class__ is int:
            yield cell
            at += 7
            continue
        if cell.__class__ is list:
            yield from ids_in(cell)
        at += 1


def ids_of(tensors: Any) -> Iterator[int]:
    """The same in an event."""
    for tensor in tensors:
        if isinstance(tensor, Seen):
            yield tensor.id
        elif tensor is not None:
            yield from ids_of(tensor)


def the_array(array: Any, *_: int) -> Any:
    """What stands for an array in a note that nobody keeps."""
    return array


def live_values(cells: Any) -> Iterator[Value]:
    """What in a note still holds the engine's own arrays."""
    for cell in cells:
        if cell.__class__ is Value and not cell.kept:
            yield cell
        elif cell.__class__ in (list, tuple):
            yield from live_values(cell)


def only_number(value: Value) -> float | None:
    """The element of a floating value that has only one."""
    data = value.data
    if getattr(data, "size", 0) != 1 or data.dtype.kind != "f":
        return None
    return float(host(data).reshape(()))
