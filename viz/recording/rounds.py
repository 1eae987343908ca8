"""Rounds, found while a block is recorded.

Rounds are iterations of marked loops (`marked_rounds`), which exclude all others; runs of Programs
(`program_runs`); or iterations of a loop that trains or evaluates a network (`turn_search`).
`kept_rounds` stores the rounds' marks and measures, and drops the events of unwanted rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import notes

from ..document.document import Recording
from ..document.variable_names import tensors_of
from .event_log import EventLog, Listener, ignore
from .kept_rounds import KeptRounds, is_one
from .marked_rounds import MarkedLoops, MarkedTurn
from .program_runs import ProgramRuns
from .turn_search import TurnSearch, ids_in


class RoundFinder:
    """Listener that marks rounds, and passes on events to the listener `tell`.

    Notes of ops and nodes go directly to the log, but to `hear` while a round is dropped.
    """

    def __init__(
        self,
        recording: Recording,
        log: EventLog,
        tell: Listener,
        wanted: Callable[[int], bool] | None = None,
        outermost: int = 0,
    ) -> None:
        self.log, self.tell = log, tell
        self.rounds = KeptRounds(recording, log, wanted)
        self.search = TurnSearch(self.rounds, outermost)
        self.by_hand, self.runs = MarkedLoops(self.rounds), ProgramRuns(self.rounds)
        self.marked = self.stopped = False
        self.inside = 0  # current outermost scope: a layer, PyLayer or step of an optimizer
        self.passing = False  # whether a backward is running
        self.dropping: bool | None = None  # whether notes go to `hear`, not to the log
        self.asks = True  # whether a round may end before the next op
        self.stepping: int | None = None  # log position at which the running optimizer step began
        self.note_taker = log.note_taker if tell is log else None
        self.hook()

    # ----- notes and events ----------------------------------------------------------------------

    @property
    def searching(self) -> bool:
        """Whether iterations of unmarked loops may be rounds now."""
        return not self.marked and self.runs.run is None

    def hook(self) -> None:
        """Set whether ops look for the end of a round, and where notes go."""
        if self.stopped:
            return
        search, log, taker = self.search, self.log, self.log.note_taker
        search.resting = self.marked or self.runs.run is not None
        self.asks = (search.resting or not self.inside) and not self.passing and search.asks
        if self.dropping == self.rounds.dropping:
            return
        self.dropping = self.rounds.dropping
        if self.dropping:
            taker.begin = taker.take = self.hear
            taker.keep, taker.series = itself, 0
        else:
            taker.begin, taker.take = log.begin, log.append
            taker.keep, taker.series = log.copy_array, log.series
        taker.enter, taker.leave, taker.here = self.enter, self.leave, self.here

    def __call__(self, event: Any) -> None:
        """Handle an event that the engine emits, and pass it on unless the round is dropped."""
        if self.stopped:
            return
        handler = HANDLERS.get(event.__class__)
        if handler is not None:
            handler(self, event)
        if not self.rounds.dropping and event.__class__ is not MarkedTurn:
            self.tell(event)
        if self.runs.is_over:
            self.runs.end()
            self.hook()

    def here(self, _number: int, doing: str = "") -> SourceLine | None:
        """Return the line at which an op or a layer begins; a round may end before that."""
        search = self.search
        if not self.asks and (self.inside or not doing):
            return source_line.here()
        frame = source_line.user_frame()
        if search.look(doing, frame):
            self.hook()
        if not search.position or frame is None:
            return None
        place = search.position[0][1]
        if place.line is None or place.named:  # else the line is the same in every iteration
            place.line = source_line.at(frame)
        return place.line

    def hear(self, note: Any) -> None:
        """Measure an op's result, or an update, from a note that is not logged."""
        measures = self.rounds.measures
        if note[0] is notes.parameter_updated:
            number, _, after, *_ = note[9]
            measures.updated(number, after, note[2])
        elif note[0] is notes.op_finished and note[3]:
            outputs = note[6 + 2 * note[5] :]
            if is_one(outputs):
                measures.may_be_loss(note[3], notes.value(outputs[0][2]))

    def enter(self, note: Any) -> None:
        """Note that a layer begins."""
        if not self.inside:
            self.go_inside(note[1], note[2], note[3], {*ids_in(note[8:])})
        if not self.rounds.dropping:
            self.log.append(note)

    def leave(self, note: Any) -> None:
        """Note that a layer ends."""
        if note[1] == self.inside:
            self.left()
        if not self.rounds.dropping:
            self.log.append(note)

    def op_finished(self, event: events.OpFinished) -> None:
        """Note the result of an op, which may be the loss."""
        self.rounds.measures.returned(event.call, event.outputs)

    def scope_left(self, event: events.ScopeLeft) -> None:
        """Note that a layer, a PyLayer or an optimizer's step ends."""
        if event.call:
            self.rounds.measures.returned(event.call, event.outputs)
        if event.scope == self.inside:
            self.left()

    # ----- handlers of events --------------------------------------------------------------------

    def op(self) -> None:
        """Look for the end of a round before an op."""
        if self.asks and self.search.look():
            self.hook()

    def entered(self, event: events.ScopeEntered) -> None:
        """Note that a layer, a PyLayer or an optimizer's step begins."""
        if not self.inside:
            if event.kind in ("layer", "optimizer"):
                self.search.look(event.kind)
            given = {seen.id for seen in tensors_of(event.inputs)}
            self.go_inside(event.scope, event.kind, event.name, given)

    def go_inside(self, number: int, kind: str, name: str, inputs: set[int]) -> None:
        """Enter an outermost scope."""
        self.inside, self.passing = number, False  # an earlier backward may have failed
        if self.searching and kind == "layer":
            self.search.layer_called(name, inputs)
        elif self.searching and kind == "optimizer":
            self.search.step()
        self.stepping = len(self.rounds.kept) if kind == "optimizer" else None
        self.hook()

    def left(self) -> None:
        """Leave the outermost scope."""
        self.measure_logged_updates()
        self.inside = 0
        self.hook()

    def measure_logged_updates(self) -> None:
        """Measure the logged updates of the optimizer's step that is running or just ended."""
        if self.stepping is not None:
            self.rounds.measures.note_updates(self.stepping)
            self.stepping = None

    def backward_started(self, event: events.BackwardStarted) -> None:
        """Note that a backward pass begins."""
        search = self.search
        if not self.inside:
            search.look("backward")  # the last round may end here
            search.backward = search.position
            if self.searching:
                search.backward_begins()
                self.passing = True
                self.hook()
        self.rounds.measures.backward_started(event)

    def passed(self) -> None:
        """Note that a backward pass is over, even if by an exception."""
        self.passing = False
        self.hook()

    def updated(self, event: events.ParameterUpdated) -> None:
        """Note that an optimizer has changed a parameter."""
        self.rounds.measures.updated(event.tensor.id, event.tensor.value, event.grad)

    def failed(self, event: events.Failed) -> None:
        """Leave the scope, run or backward that an exception ends."""
        self.search.failed()
        if event.during == "scope" and event.id == self.inside:
            self.left()
        elif event.during == "operator":
            self.runs.stop()
        elif event.during in ("node", "leaf"):
            self.passed()

    def turn_by_hand(self, event: MarkedTurn) -> None:
        """Begin or end an iteration of a marked loop, after which only marked loops count."""
        if not self.marked:
            self.marked = True
            self.search.stop()
            if not event.begins:  # the iteration began before the recording
                self.rounds.end(self.rounds.begin("marked", 0))
        (self.by_hand.begin if event.begins else self.by_hand.end_turn)(event.loop)
        self.hook()

    def run_started(self, event: events.RunStarted) -> None:
        """Begin a run of a Program, unless it is a part of another round."""
        if self.runs.run is not None:  # the last run was interrupted
            self.runs.end()
        if self.searching and not self.inside and not self.search.in_round:
            self.search.settle()
            self.runs.begin(event)
            self.hook()
            self.search.look()  # names the round
            self.hook()

    # ----- the end -------------------------------------------------------------------------------

    def goes_on_unlogged(self) -> bool:
        """Return whether rounds are still to be measured, and stop logging if so."""
        if not self.rounds.marks and not self.search.in_round:
            return False
        self.measure_logged_updates()
        self.rounds.fill()
        self.hook()
        return True

    def finish(self, failed: bool = False) -> None:
        """End all rounds at the end of the recording."""
        if self.stopped:
            return
        self.by_hand.finish()
        self.runs.end()
        self.search.finish(failed)
        self.stopped = True
        self.tell = ignore
        self.rounds.let_go()


def itself(array: Any, _number: int = 0) -> Any:
    """Return an array without a copy, for a note that is not logged."""
    return array


HANDLERS: dict[type, Callable[[RoundFinder, Any], None]] = {
    MarkedTurn: RoundFinder.turn_by_hand,
    events.OpStarted: lambda finder, _: finder.op(),
    events.OpFinished: RoundFinder.op_finished,
    events.GradNodeMade: lambda finder, e: finder.rounds.measures.node_made(e),
    events.ScopeEntered: RoundFinder.entered,
    events.ScopeLeft: RoundFinder.scope_left,
    events.BackwardStarted: RoundFinder.backward_started,
    events.BackwardFinished: lambda finder, _: finder.passed(),
    events.ParameterUpdated: RoundFinder.updated,
    events.Failed: RoundFinder.failed,
    events.OperatorAppended: lambda finder, e: finder.runs.appended(e),
    events.RunStarted: RoundFinder.run_started,
    events.OperatorExecuted: lambda finder, e: finder.runs.executed(e),
    events.RunFinished: lambda finder, e: finder.runs.finished(e),
}
