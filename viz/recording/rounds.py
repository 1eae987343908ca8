"""Rounds, found while a block is recorded.

Rounds are iterations of marked loops (`marked_rounds`), which exclude all others; runs of Programs
(`program_runs`); or iterations of a loop that trains a network (`turn_search`). `kept_rounds`
stores the rounds' marks and measures, and drops the events of unwanted rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import notes

from ..document.document import Recording
from ..document.rounds import RoundMark, measure
from .code_loops import Around, Position
from .event_log import EventLog, Listener, ignore
from .kept_rounds import KeptRounds
from .loop_turns import LoopTurns
from .marked_rounds import MarkedLoops, MarkedTurn
from .program_runs import ProgramRuns
from .turn_search import TurnSearch

PASS = -1  # number of a backward as an outermost scope; a failed one may not have ended


class RoundFinder:
    """Listener that marks rounds, and passes on events to the listener `tell`.

    Notes of ops and nodes go directly to the log, but those of an optimizer's step, and all notes
    while a round is dropped, go to `hear`.
    """

    def __init__(
        self,
        recording: Recording,
        log: EventLog,
        tell: Listener,
        wanted: Callable[[int], bool] | None = None,
        outermost: int = 0,
        latest: int | None = None,
    ) -> None:
        self.log, self.tell = log, tell
        self.rounds = KeptRounds(recording, log, wanted, latest)
        self.search = TurnSearch(self.rounds, outermost)
        self.loops = LoopTurns(tell, self.search.surrounding)
        self.by_hand, self.runs = MarkedLoops(self.rounds), ProgramRuns(self.rounds)
        self.stopped = False
        self.place: SourceLine | None = None  # line of the last op or layer
        self.inside = 0  # current outermost scope: layer, PyLayer, step or PASS; 0 for none
        self.updating = False  # whether that scope is a step
        self.asks = True  # whether a round may end before the next op
        self.where: tuple[bool, bool] | None = None  # decides where notes go
        self.note_taker = log.note_taker if tell is log else None
        self.hook()

    # ----- notes and events ----------------------------------------------------------------------

    def hook(self) -> None:
        """Set whether ops look for the end of a round, and where notes go."""
        if self.stopped:
            return
        search, log, taker = self.search, self.log, self.log.note_taker
        search.resting = self.by_hand.exist or self.runs.run is not None
        searching = not (search.resting or self.inside or search.is_sure)
        self.asks = searching or search.unnamed is not None
        where = self.rounds.dropping, self.updating
        if self.where == where:
            return
        self.where = where
        taker.begin, taker.take = log.begin, log.append
        taker.keep, taker.series = log.copy_array, log.series
        taker.enter, taker.leave, taker.here = self.enter, self.leave, self.here
        if self.rounds.dropping:
            taker.begin = taker.take = self.hear
            taker.keep, taker.series = itself, 0
        elif self.updating:
            taker.begin = self.hear

    def __call__(self, event: Any) -> None:
        """Handle an event that the engine emits, and pass it on unless the round is dropped."""
        if self.stopped:
            return
        kind = event.__class__
        handler: Callable[[RoundFinder, Any], Any] = HANDLERS.get(kind, ignore)
        ends = kind in (events.RunFinished, events.Failed)
        if not ends:
            handler(self, event)
        if not self.rounds.dropping and kind is not MarkedTurn:
            self.tell(event)
        if ends:  # a run ends with this event
            handler(self, event)

    def here(self, _number: int = 0, doing: str = "") -> SourceLine | None:
        """Return the line at which an op or a layer begins; a round may end before that."""
        place = source_line.here()
        if self.asks or (doing and self.inside <= 0):
            self.look(doing, place)
        elif self.inside >= 0 and place is not self.place:
            self.find_turns(place)
        self.place = place
        return place

    def look(self, doing: str, place: SourceLine | None = None) -> None:
        """Find the rounds and the turns that end or begin at the position of the user's code."""
        where = self.search.position()
        if self.search.look(doing, *where):
            self.hook()
        self.find_turns(place, where)

    def find_turns(
        self, place: SourceLine | None, where: tuple[Position, list[Around]] | None = None
    ) -> None:
        """Log the turns of loops that end or begin at the position of the user's code."""
        if not (self.rounds.dropping or self.updating):
            position, around = where or self.search.position()
            self.loops.look(position, around, place)

    def hear(self, note: Any) -> None:
        """Measure an update, and log the note unless the round is dropped."""
        if note[0] is notes.parameter_updated:
            change = note[9][0], note[9][2], note[2]
            dropping = self.rounds.dropping  # then the values are no copies
            self.rounds.changes[change[0]] = measure(change) if dropping else change
        if not self.rounds.dropping:
            self.log.begin(note)

    def enter(self, note: Any) -> None:
        """Note that a layer begins."""
        if self.inside <= 0:
            self.go_inside(note[1], note[2])
        if not self.rounds.dropping:
            self.log.append(note)

    def leave(self, note: Any) -> None:
        """Note that a layer ends."""
        self.leave_scope(note[1])
        if not self.rounds.dropping:
            self.log.append(note)

    # ----- handlers of events --------------------------------------------------------------------

    def on_entered(self, event: events.ScopeEntered) -> None:
        """Note that a layer, a PyLayer or an optimizer's step begins."""
        if self.inside <= 0:
            if event.kind in ("layer", "optimizer"):
                self.look(event.kind)
            elif event.name == "unscale_":  # GradScaler: an optimizer's step follows, or is skipped
                self.look("unscale_")
            elif self.inside == 0:
                self.find_turns(event.place)
            self.go_inside(event.scope, event.kind)

    def go_inside(self, number: int, kind: str) -> None:
        """Enter an outermost scope."""
        self.inside, self.updating = number, kind == "optimizer"
        self.hook()

    def leave_scope(self, scope: int) -> None:
        """Leave a scope, which may be the outermost one."""
        if scope == self.inside:
            self.inside, self.updating = 0, False
            self.hook()

    def on_backward_started(self, event: events.BackwardStarted) -> None:
        """Note that a backward pass begins, and its loss."""
        if self.inside <= 0:
            self.look("backward")  # the last round may end here
            self.go_inside(PASS, "backward")
        if event.loss is not None:
            self.rounds.loss = event.loss

    def on_updated(self, event: events.ParameterUpdated) -> None:
        """Note that an optimizer has changed a parameter."""
        self.rounds.note_update(event.tensor.id, event.tensor.value, event.grad)

    def on_failed(self, event: events.Failed) -> None:
        """Leave the scope, run or backward that an exception ends."""
        self.search.note_failure()
        if event.during == "scope":
            self.leave_scope(event.id)
        elif event.during == "operator":
            self.runs.end()
            self.hook()
        elif event.during in ("node", "leaf"):
            self.leave_scope(PASS)

    def on_turn_by_hand(self, event: MarkedTurn) -> None:
        """Begin or end an iteration of a marked loop, after which only marked loops count."""
        if not self.by_hand.exist:
            self.by_hand.exist = True
            self.search.stop()
            if not event.begins:  # the iteration began before the recording
                self.rounds.end(RoundMark("marked", 0))
        self.search.unnamed = None
        if event.begins:
            self.search.name(self.by_hand.begin(event.loop))
        else:
            self.by_hand.end(event.loop)
        self.hook()

    def on_run_started(self, event: events.RunStarted) -> None:
        """Begin a run of a Program, unless it is a part of another round."""
        self.runs.end()  # if the last run was interrupted
        if not (self.by_hand.exist or self.inside or self.search.in_round):
            self.search.settle()
            self.search.name(self.runs.begin(event))
        self.hook()

    def on_run_finished(self, event: events.RunFinished) -> None:
        """End the run of a Program."""
        self.runs.note_result(event)
        self.hook()

    # ----- the end -------------------------------------------------------------------------------

    def goes_on_unlogged(self) -> bool:
        """Return whether rounds are still to be measured, and stop logging if so."""
        running = self.by_hand.open or self.runs.run or self.search.in_round
        if not (self.rounds.marks or running):
            return False
        self.rounds.full = self.rounds.dropping = True
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


HANDLERS: dict[type, Callable[[RoundFinder, Any], Any]] = {
    MarkedTurn: RoundFinder.on_turn_by_hand,
    events.OpStarted: lambda finder, _: finder.here(),
    events.ScopeEntered: RoundFinder.on_entered,
    events.ScopeLeft: lambda finder, e: finder.leave_scope(e.scope),
    events.BackwardStarted: RoundFinder.on_backward_started,
    events.BackwardFinished: lambda finder, _: finder.leave_scope(PASS),
    events.ParameterUpdated: RoundFinder.on_updated,
    events.Failed: RoundFinder.on_failed,
    events.OperatorAppended: lambda finder, e: finder.runs.note_operator(e),
    events.RunStarted: RoundFinder.on_run_started,
    events.OperatorExecuted: lambda finder, e: finder.runs.note_execution(e),
    events.RunFinished: RoundFinder.on_run_finished,
}
