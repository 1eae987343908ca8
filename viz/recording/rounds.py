"""Finding rounds while a block is recorded: what the engine tells, handed to those who ask for it.

Rounds are turns of loops that are marked by hand (`marked_rounds`), after which nothing else
counts; runs of Programs (`program_runs`); and turns of a loop in which a network is trained or
evaluated, which are searched for (`turn_search`). `kept_rounds` has their marks and drops what
nobody wants of them, `measures` are what stays of every round.
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
from .kept_rounds import KeptRounds
from .marked_rounds import MarkedLoops, RoundBegan, RoundEnded
from .measures import is_one
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
        wanted: Callable[[int], bool] | None = None,
        outermost: int = 0,
    ) -> None:
        self.log, self.tell = log, tell
        self.rounds = KeptRounds(recording, log, wanted)
        self.search = TurnSearch(self.rounds, outermost)
        self.by_hand, self.runs = MarkedLoops(self.rounds), ProgramRuns(self.rounds)
        self.marked = self.stopped = False
        self.inside = 0  # the scope that goes on: a layer, a PyLayer or a step of an optimizer
        self.passing = False  # a backward is under way
        self.ways: tuple[bool, bool, bool] | None = None  # how notes are led
        self.asks = True  # before the next op a round may end
        self.stepping: int | None = None  # where in the log the step of an optimizer began
        self.note_taker = log.note_taker if tell is log else None
        self.hook()

    # ----- notes and events ----------------------------------------------------------------------

    @property
    def searching(self) -> bool:
        """Whether turns are looked for."""
        return not self.marked and self.runs.run is None

    def hook(self) -> None:
        """Decide anew whether ops ask for rounds, and where notes go."""
        if self.stopped:
            return
        search, inside = self.search, self.inside != 0
        search.resting = self.marked or self.runs.run is not None
        self.asks = (search.resting or not inside) and not self.passing and search.asks
        ways = self.rounds.dropping, inside, inside and not self.asks
        if ways != self.ways:
            self.ways = ways
            self.lead(*ways)

    def lead(self, dropping: bool, inside: bool, alone: bool) -> None:
        """Let notes come here as long as they are needed at once, and go to the log otherwise."""
        log, taker = self.log, self.log.note_taker
        if dropping:
            taker.begin, taker.take, taker.keep = self.drop_step, self.drop_rest, self.keep
            taker.series = 0
        else:
            taker.begin, taker.take, taker.keep = log.begin, log.append, log.copy_array
            taker.series = log.series
        taker.enter = log.append if inside and not dropping else self.enter
        taker.leave, taker.here = self.leave, source_line.here if alone else self.here

    def __call__(self, event: Any) -> None:
        """Handle an event of the bus."""
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

    def here(self, number: int, doing: str = "") -> SourceLine | None:
        """Return where an op or a layer begins; before it, a round may end."""
        search = self.search
        if not (self.asks or doing):
            return source_line.here()
        frame = source_line.user_frame()
        if search.look(number, doing, frame):
            self.hook()
        if not search.position or frame is None:
            return None
        place = search.position[0][1]
        if place.line is None or place.named:  # else it is the same one in every turn
            place.line = source_line.at(frame)
        return place.line

    def drop_step(self, note: Any) -> None:
        """The note of a step, in a round that is dropped."""
        if note[0] is notes.parameter_updated:
            number, _, after, *_ = note[9]
            self.rounds.measures.updated(number, after, note[2])
        if self.search.watching:
            self.search.notice(note)

    def drop_rest(self, note: Any) -> None:
        """Measure what belongs to a step of a round that is dropped."""
        if note[0] is notes.op_finished:
            outputs = note[6 + 2 * note[5] :]
            if note[3] and is_one(outputs):
                self.rounds.measures.may_be_loss(note[3], notes.value(outputs[0][2]))
        if self.search.watching:
            self.search.notice(note)

    def enter(self, note: Any) -> None:
        """The beginning of a layer."""
        if not self.inside:
            self.go_inside(*note[1:4])
        if not self.rounds.dropping:
            self.log.append(note)

    def leave(self, note: Any) -> None:
        """The end of a layer."""
        if note[1] == self.inside:
            self.left()
        if not self.rounds.dropping:
            self.log.append(note)

    def keep(self, array: Any, number: int = 0) -> Any:
        """Return what stands for an array in a note: itself, unless the note will be kept."""
        if not self.rounds.dropping:
            return self.log.copy_array(array, number)
        return array if self.inside else notes.live(array)

    def op_finished(self, event: events.OpFinished) -> None:
        """An op is over; it may have given the loss."""
        self.look_for_ties(event)
        self.rounds.measures.returned(event.call, event.outputs)

    def look_for_ties(self, event: Any) -> None:
        """Turns of a loop may prove to belong together."""
        search = self.search
        if not search.watching:
            return
        match event:
            case events.OpFinished():
                read, made = (tensors_of(each) for each in (event.inputs, event.outputs))
                search.computed([seen.id for seen in read], [seen.id for seen in made])
            case events.NodeVisited():
                search.visited(event.node)
            case events.GradAccumulated(stored=True):
                search.accumulated(event.edge.id, event.held)
            case events.LeafReached():
                search.leaf_reached(event.tensor.id)

    def scope_left(self, event: events.ScopeLeft) -> None:
        """A layer, a PyLayer or an optimizer's step ends."""
        if event.call:
            self.rounds.measures.returned(event.call, event.outputs)
        if event.scope == self.inside:
            self.left()

    # ----- what happens --------------------------------------------------------------------------

    def op(self, number: int) -> None:
        """An op begins; inside of layers it tells nothing."""
        if self.asks and self.search.look(number):
            self.hook()

    def entered(self, event: events.ScopeEntered) -> None:
        """A layer, a PyLayer or an optimizer's step begins."""
        if not self.inside:
            if event.kind in ("layer", "optimizer"):
                self.search.look(event.scope, event.kind)
            self.go_inside(event.scope, event.kind, event.name)

    def go_inside(self, number: int, kind: str, name: str) -> None:
        """Enter a scope."""
        self.inside, self.passing = number, False  # the pass may have failed
        if self.searching and kind == "layer":
            self.search.layer_called(name)
        elif self.searching and kind == "optimizer":
            self.search.step()
        self.stepping = len(self.rounds.kept) if kind == "optimizer" else None
        self.hook()

    def left(self) -> None:
        """Leave the scope."""
        self.measure_logged_updates()
        self.inside = 0
        self.hook()

    def measure_logged_updates(self) -> None:
        """Measure what the optimizer at work has changed, as far as that is in the log."""
        if self.stepping is not None:
            self.rounds.measures.logged(self.stepping)
            self.stepping = None

    def backward_started(self, event: events.BackwardStarted) -> None:
        """A pass begins."""
        search = self.search
        self.rounds.measures.backward_started(event)
        if self.inside:
            return
        search.look(event.run, "backward")
        search.backward = search.position
        if self.searching:
            search.backward_begins()
            self.passing = True
            self.hook()

    def passed(self) -> None:
        """A backward pass is over."""
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
        if self.searching and not self.inside and not self.search.in_round:
            self.search.settle()
            self.runs.begin(event)
            self.hook()
            self.search.look(event.program)  # for its names
            self.hook()

    # ----- the end -------------------------------------------------------------------------------

    def goes_on_unlogged(self) -> bool:
        """The log is full: of rounds that are under way, and of later ones, the loss is kept.

        False if there are no rounds, so nothing is left to listen to.
        """
        self.search.catch_up()
        if not self.rounds.marks and not self.search.in_round:
            return False
        self.measure_logged_updates()
        self.rounds.fill()
        self.hook()
        return True

    def finish(self, failed: bool = False) -> None:
        """The recording ends, perhaps in the middle of a round."""
        if self.stopped:
            return
        self.by_hand.finish()
        self.runs.end()
        self.search.finish(failed)
        self.stopped = True
        self.tell = ignore
        self.rounds.let_go()


BY_HAND = {RoundBegan, RoundEnded}
HANDLERS: dict[type, Callable[[RoundFinder, Any], None]] = {
    RoundBegan: RoundFinder.began_by_hand,
    RoundEnded: RoundFinder.ended_by_hand,
    events.OpStarted: lambda finder, e: finder.op(e.call),
    events.OpFinished: RoundFinder.op_finished,
    events.GradNodeMade: lambda finder, e: finder.rounds.measures.node_made(e),
    events.ScopeEntered: RoundFinder.entered,
    events.ScopeLeft: RoundFinder.scope_left,
    events.BackwardStarted: RoundFinder.backward_started,
    events.BackwardFinished: lambda finder, _: finder.passed(),
    events.NodeVisited: RoundFinder.look_for_ties,
    events.GradAccumulated: RoundFinder.look_for_ties,
    events.LeafReached: RoundFinder.look_for_ties,
    events.ParameterUpdated: RoundFinder.updated,
    events.Failed: RoundFinder.failed,
    events.OperatorAppended: lambda finder, e: finder.runs.appended(e),
    events.RunStarted: RoundFinder.run_started,
    events.OperatorExecuted: lambda finder, e: finder.runs.executed(e),
    events.RunFinished: lambda finder, e: finder.runs.finished(e),
}
