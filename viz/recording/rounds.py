"""Finding rounds while a block is recorded: what the engine tells, handed to those who ask for it.

Rounds are turns of loops that are marked by hand (`marked_rounds`), after which nothing else
counts; runs of Programs (`program_runs`); and turns of a loop in which a network is trained or
evaluated, which are searched for (`turn_search`). `kept_rounds` has their marks and drops what
nobody wants of them, `measures` are what stays of every round, `loop_names` what they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle import events
from minipaddle.events import notes

from ..document.document import Recording
from .event_log import EventLog, Listener, ignore
from .kept_rounds import KeptRounds
from .marked_rounds import MarkedLoops, RoundBegan, RoundEnded
from .note_cells import ids_of, live_values, the_array
from .program_runs import ProgramRuns
from .turn_search import TurnSearch


class RoundFinder:
    """A listener before the others: it marks rounds, and hands on what is kept.

    Notes of ops and nodes come here only where they are needed at once; all others go to the log,
    where they are looked up when a turn is over.
    """

    def __init__(
        self,
        recording: Recording,
        log: EventLog,
        tell: Listener,
        wanted: Callable[[int], bool] = lambda _index: True,
        outermost: int = 0,
    ) -> None:
        self.log, self.tell = log, tell
        self.rounds = KeptRounds(recording, log, wanted)
        self.search = TurnSearch(self.rounds, outermost)
        self.by_hand, self.runs = MarkedLoops(self.rounds), ProgramRuns(self.rounds)
        self.marked = self.stopped = False
        self.inside = 0  # the scope that goes on: a layer, a PyLayer or a step of an optimizer
        self.passing = False  # a backward is under way
        self.stepping: int | None = None  # where in the log the step of an optimizer began
        self.note_taker = log.note_taker if tell is log else None
        if self.note_taker is not None:
            self.note_taker.leave = self.leave
        self.hook()

    # ----- notes and events ----------------------------------------------------------------------

    @property
    def searching(self) -> bool:
        """Whether turns are looked for."""
        return not self.marked and self.runs.run is None

    def hook(self) -> None:
        """Let notes come here as long as they are needed at once, and go to the log otherwise."""
        if self.stopped:
            return
        log, taker, search = self.log, self.log.note_taker, self.search
        search.resting = not self.searching
        search.ties.watch(search.found.doubtful)
        if self.rounds.dropping:
            taker.begin, taker.take, taker.enter = self.begin_dropped, self.take, self.enter
            ends_here = self.marked or not self.inside  # no other round ends inside of a scope
            taker.keep = self.keep if ends_here else the_array
            return
        here = search.asks and not self.inside and not self.passing
        taker.begin = self.begin if here else log.begin
        taker.enter = log.append if self.inside else self.enter
        taker.take, taker.keep = log.append, log.copy_array

    def __call__(self, event: Any) -> None:
        """What the bus calls."""
        if self.stopped:
            return
        handler = HANDLERS.get(event.__class__)
        if handler is not None:
            handler(self, event)
        if not self.rounds.dropping and event.__class__ not in BY_HAND:
            self.tell(event)
        if self.runs.is_over:
            self.runs.end()
            self.hook()

    def begin(self, note: Any) -> None:
        """The note of a step; with that of an op a round may end."""
        if note[0] is notes.op_started and self.search.look(note[1], above=ABOVE_NOTE):
            self.hook()
            self.hand_on(note, self.log.begin)
        else:
            self.log.begin(note)

    def begin_dropped(self, note: Any) -> None:
        """The same in a round that is dropped."""
        kind = note[0]
        if kind is notes.op_started:
            self.op(note[1])
        elif kind is notes.parameter_updated:
            self.rounds.measures.updated(note[7], note[9], note[2])
        elif kind is notes.node_visited:
            self.search.visited(note[1])
        self.hand_on(note, self.log.begin)

    def take(self, note: Any) -> None:
        """What belongs to a step of a round that is dropped."""
        if note[0] is notes.op_finished:
            outputs = note[6 + 2 * note[5] :]
            if note[3] and len(outputs) == 7:
                self.rounds.measures.may_be_loss(note[3], notes.value(outputs[2]))
        self.search.notice(note)
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
        if not self.rounds.dropping:
            self.log.append(note)

    def hand_on(self, note: Any, log: Listener) -> None:
        """To the log, unless the round is dropped; the first note after that still has arrays."""
        if self.rounds.dropping:
            return
        if self.rounds.waking:
            self.rounds.waking = False
            for value in live_values(note):
                self.log.copy_value(value)
        log(note)

    def keep(self, array: Any, number: int = 0, version: int = 0) -> Any:
        """What stands for an array in a note that is dropped: the array itself."""
        if self.rounds.dropping:
            return notes.live(array)
        return self.log.copy_array(array, number, version)

    def op_finished(self, event: events.OpFinished) -> None:
        """The same as an event."""
        self.search.computed(ids_of(event.inputs), ids_of(event.outputs))
        self.rounds.measures.returned(event.call, event.outputs)

    def scope_left(self, event: events.ScopeLeft) -> None:
        """A layer, a PyLayer or an optimizer's step ends."""
        if event.call:
            self.rounds.measures.returned(event.call, event.outputs)
        if event.scope == self.inside:
            self.left()

    # ----- what happens --------------------------------------------------------------------------

    def op(self, number: int) -> None:
        """An op begins; inside of layers it tells nothing."""
        if self.search.asks and not self.inside and self.search.look(number):
            self.hook()

    def entered(self, number: int, kind: str, name: str) -> None:
        """A layer, a PyLayer or an optimizer's step begins."""
        if self.inside:
            return
        self.inside, self.passing = number, False  # the pass may have failed
        if kind == "layer":
            self.search.look(number, kind)
            if self.searching:
                self.search.layer_called(name)
        elif kind == "optimizer":
            self.search.look(number, kind)
            if self.searching:
                self.search.step()
            self.stepping = len(self.rounds.kept)
        self.hook()

    def left(self) -> None:
        """It ends."""
        if self.stepping is not None:
            self.rounds.measures.logged(self.stepping)
        self.inside, self.stepping = 0, None
        self.hook()

    def backward_started(self, event: events.BackwardStarted) -> None:
        """A pass begins."""
        search = self.search
        self.rounds.measures.backward_started(event)
        if self.inside:
            return
        if search.asks or search.found.turn is None:
            search.look(event.run, "backward")
            search.backward = search.position
        if self.searching:
            search.backward_begins()
            self.passing = True
            self.hook()

    def passed(self) -> None:
        """It is over."""
        self.passing = False
        self.hook()

    def updated(self, event: events.ParameterUpdated) -> None:
        """An optimizer has changed a parameter."""
        self.rounds.measures.updated(event.tensor.id, event.tensor.value, event.grad)

    def failed(self, event: events.Failed) -> None:
        """An exception leaves what was under way."""
        self.search.failed()
        if event.during == "scope" and event.id == self.inside:
            self.left()
        elif event.during == "operator":
            self.runs.failed()

    def began_by_hand(self, event: RoundBegan) -> None:
        """A turn of a marked loop: no others count from now on."""
        self.stop_searching()
        self.by_hand.began(event.turns)
        self.hook()

    def ended_by_hand(self, event: RoundEnded) -> None:
        """Its end; a recording that began in the middle of it has its rest."""
        if not self.marked:
            self.stop_searching()
            self.by_hand.had_begun()
        self.by_hand.ended(event.turns)
        self.hook()

    def stop_searching(self) -> None:
        """Rounds are marked by hand."""
        if not self.marked:
            self.marked = True
            self.search.stop()

    def run_started(self, event: events.RunStarted) -> None:
        """A run of a Program, unless it is a part of another round."""
        if self.runs.run is not None:  # it was interrupted
            self.runs.end()
        if self.searching and not self.inside and self.search.found.turn is None:
            self.search.settle()
            self.runs.begin(event)
            self.hook()
            self.search.look(event.program)  # for its names

    # ----- the end -------------------------------------------------------------------------------

    def finish(self, failed: bool = False) -> None:
        """The recording ends, perhaps in the middle of a round."""
        if self.stopped:
            return
        self.by_hand.finish()
        self.runs.end()
        if len(self.rounds.marks) > 1:  # one alone is none
            self.search.catch_up()
        self.search.end_turn(failed=failed)
        self.search.settle()
        self.stopped = True
        self.tell = ignore
        self.rounds.let_go()


ABOVE_NOTE = 5  # how far above its taker the line is that has called the op
BY_HAND = {RoundBegan, RoundEnded}
HANDLERS: dict[type, Callable[[RoundFinder, Any], None]] = {
    RoundBegan: RoundFinder.began_by_hand,
    RoundEnded: RoundFinder.ended_by_hand,
    events.OpStarted: lambda finder, e: finder.op(e.call),
    events.OpFinished: RoundFinder.op_finished,
    events.GradNodeMade: lambda finder, e: finder.rounds.measures.node_made(e),
    events.ScopeEntered: lambda finder, e: finder.entered(e.scope, e.kind, e.name),
    events.ScopeLeft: RoundFinder.scope_left,
    events.BackwardStarted: RoundFinder.backward_started,
    events.BackwardFinished: lambda finder, _: finder.passed(),
    events.NodeVisited: lambda finder, e: finder.search.visited(e.node),
    events.GradAccumulated: lambda finder, e: finder.search.accumulated(e.stored, e.held),
    events.ParameterUpdated: RoundFinder.updated,
    events.Failed: RoundFinder.failed,
    events.OperatorAppended: lambda finder, e: finder.runs.appended(e),
    events.RunStarted: RoundFinder.run_started,
    events.OperatorExecuted: lambda finder, e: finder.runs.executed(e),
    events.RunFinished: lambda finder, e: finder.runs.finished(e),
}
