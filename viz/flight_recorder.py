"""A flight recorder: the last rounds of a long training, as a page of its first problem."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path
from typing import Any

from minipaddle import events
from minipaddle.engine import files
from minipaddle.engine.errors import InvalidArgument
from minipaddle.messages import EMPTY, REMARKS, Message, Row, Text

from . import language
from .document.rounds import RoundMark
from .document.values import brief
from .facts.problems.reading import Reading
from .facts.problems.sizes import GREW, SMALLER_RATE
from .facts.problems.thresholds import Thresholds
from .language.dialects import spelled
from .language.words import WORDS
from .model import Problem, label_of
from .player.book import book_of, problem_data
from .player.page import to_html
from .recorder import Saved, record
from .story.chapters import failing_step, name_by_number
from .story.sentences.wording import digits
from .trace import Trace

LIMIT = 1_000_000  # maximum number of events of the rounds that are kept
GROWING = Thresholds().growing
SETTLED = 3  # rounds after which gradients have their usual size
STILL = 10  # rounds in which a gradient is 0 until it counts as dead

DEAD = Message("The gradient of {x} was 0 in each of the last {count} rounds.")
LOOK_BETWEEN = Message(
    "Look between {x} and the loss: a relu whose inputs are all negative, a saturated sigmoid, or "
    "a product with 0 lets no gradient through."
)
LOST = Problem("nan", 0, None, Message("A NaN is among the values of this round."), EMPTY)
FOUND = Message("viz.flight: {kind} in {place}, {round}: {text} The page: {file}")
FAILED = Message("viz.flight could not write its page: {why}")
OUTSIDE = Message("outside of rounds")


class flight(record):
    """Record the last rounds of a training, and write a page at the first problem.

    A round is an iteration of the training loop; of the last `keep` ones all steps are recorded, of
    large tensors only statistics. The first NaN or infinity, a gradient that explodes or is 0 for
    10 rounds, or an exception ends the recording: then `folder` gets the player's page, opened at
    that step, and its .json, and the program goes on at full speed. One line on stderr names the
    op, the line, the round and the file; `flight.path` is the page, `flight.problem` the problem.
    `framework="torch"` records what PyTorch does, "paddle" what real Paddle does; None finds it
    out, as `record` does.

    Errors: ValueError for a number of rounds below 1 or an unknown framework.

    >>> import tempfile
    >>> net = paddle.nn.Linear(2, 1)
    >>> with tempfile.TemporaryDirectory() as folder, viz.flight(folder) as flight:
    ...     for step in range(3):
    ...         net(paddle.ones([1, 2])).sum().backward()
    >>> flight.path is None
    True
    """

    def __init__(
        self, folder: str | Path, *, framework: str | None = None, keep: int = 3, title: str = ""
    ) -> None:
        if type(keep) is not int or keep < 1:
            raise InvalidArgument(
                "viz.flight(): keep must be a number of rounds.",
                expected="a whole number from 1 on",
                received=repr(keep),
            )
        super().__init__(title, framework=framework, last=keep, limit=LIMIT)
        self.folder = Path(folder)
        self.path: Path | None = None
        self.problem: Any = None  # a Problem
        self.saved: Any = None
        self.ending = self.left = False
        self.leaving = events.listen(self.leave)
        self.harmless = 0  # number of infinities in a round without a problem, such as masks
        self.first: Any = None  # mark of the first round
        self.usual: dict[int | str, float] = {}  # parameter -> largest gradient of the first rounds
        self.still: dict[int | str, int] = {}  # parameter -> rounds without a gradient other than 0

    def _change(self, saved: Saved) -> Any:
        super()._change(saved)
        self.saved, self.token = saved, brief.set(events.new_number())
        saved.rounds.rounds.ended = self.round_ended
        return self

    def _restore(self, saved: Saved, error: BaseException | None) -> None:
        with suppress(ValueError):  # raised if the block ends in another context
            brief.reset(self.token)
        if self.problem is not None:
            self.leave(None, at_end=True)
            return
        self.ending = True
        super()._restore(saved, error)
        if self.problem is None:
            self.examine(self.suspect())
        if self.problem is None and isinstance(error, Exception):
            self.attempt(self.write_failure)
        self.free()

    # ----- what looks wrong ----------------------------------------------------------------------

    def round_ended(self, mark: RoundMark) -> None:
        """Examine a round that has ended if anything in it looks wrong."""
        suspicion = "" if self.problem else self.suspect() or self.measure(mark)
        if self.examine(suspicion) and not self.ending:
            self.stop()

    def suspect(self) -> str:
        """Return "nan" or "inf" if the values since the last round may have some."""
        log = self.saved.rounds.log
        kind = "nan" if log.nan else "inf" if log.infinite > self.harmless else ""
        self.infinities, log.nan, log.infinite = log.infinite, 0, 0
        return kind

    def measure(self, mark: RoundMark) -> str:
        """Return "exploding" or "dead", with a parameter's place, if its gradients look so."""
        self.first = self.first or mark
        before, now = self.first.loss, mark.loss
        grew = before is None or now is None or now > before
        for at, (name, _, grad) in enumerate(mark.sizes):
            self.still[name] = 0 if grad else self.still.get(name, 0) + 1
            if self.still[name] == STILL:
                return f"dead {at}"
            usual = self.usual.get(name, 0.0)
            if self.count <= SETTLED or not usual:
                self.usual[name] = max(usual, grad)
            elif grew and grad > GROWING * usual:
                return f"exploding {at}"
        return ""

    @property
    def count(self) -> int:
        """Number of rounds that have ended."""
        return self.saved.rounds.rounds.removed + len(self.saved.recording.rounds)

    # ----- what is wrong -------------------------------------------------------------------------

    def examine(self, suspicion: str) -> bool:
        """Write the page if the records prove that something is wrong; return whether they do."""
        if suspicion:
            self.attempt(lambda: self.prove(*suspicion.split()))
        return bool(suspicion and self.problem)

    def attempt(self, work: Callable[[], None]) -> None:
        """Do the recorder's own work unheard; its failure is none of the program."""
        try:
            copy_context().run(self.unheard, work)
        except Exception as error:  # noqa: BLE001  (the training must go on)
            told = FAILED.fill(why=f"{type(error).__name__}: {error}")
            say(told)
            self.problem = self.problem or Problem("failed", 0, None, told, EMPTY)

    def unheard(self, work: Callable[[], None]) -> None:
        events.unlisten(self.saved.rounds)
        brief.set(0)
        work()

    def prove(self, kind: str, at: str = "") -> None:
        """Write the page of the first problem, if there is one."""
        trace = self.trace_now()
        if at:
            problem = self.of_gradient(trace, kind, int(at))
        else:
            found = [each for each in trace.problems() if each.kind in ("nan", "inf")]
            lost = replace(LOST, step=max(0, len(trace) - 1)) if kind == "nan" else None
            problem = found[0] if found else lost
        if problem is None:
            self.harmless = self.infinities
        else:
            self.write(trace, problem)

    def trace_now(self) -> Trace:
        """Return a trace of what is recorded so far."""
        recording = self.saved.recording
        if not recording.closed:
            self.name_things(self.saved)
        rounds = [replace(mark) for mark in recording.rounds]
        removed = self.saved.rounds.rounds.removed
        for number, mark in enumerate(rounds, removed + 1):
            if removed and not mark.names:
                mark.names = (("round", number),)
        log = [*recording.log]
        now = replace(recording, log=log, rounds=rounds, closed=True, release=lambda: None)
        return Trace(recording=now)

    def of_gradient(self, trace: Trace, kind: str, at: int) -> Problem | None:
        """Return the problem of a parameter's gradient, at the parameter's last update."""
        size, mark = trace.rounds[-1].sizes[at], self.saved.recording.rounds[-1]
        reading = Reading(trace, Thresholds())
        updates = reversed(reading.of(events.ParameterUpdated))
        place = next(k for k, event in updates if reading.name(event.tensor).en == size.name)
        if kind == "dead":
            text, todo = DEAD.fill(x=size.name, count=STILL), LOOK_BETWEEN.fill(x=size.name)
        else:
            before = {
                "first": f"{self.usual[mark.sizes[at].tensor]:.2g}",
                "last": f"{size.grad:.2g}",
            }
            text = GREW.fill(x=size.name, count=self.count, **before)
            text = text.fill(before=digits(self.first.loss), after=digits(mark.loss))
            todo = spelled(SMALLER_RATE, trace.framework)
        return reading.problem(kind, place, text, todo)

    # ----- the page ------------------------------------------------------------------------------

    def write_failure(self) -> None:
        """Write the page of the exception that ended the block."""
        trace, step = self.trace_now(), None
        if trace.ended and len(trace):
            step = failing_step(trace.shown)
            step = len(trace) - 1 if step is None else step
            self.write(
                trace, Problem(trace.ended.error, step, None, Text(trace.ended.message), EMPTY)
            )

    def write(self, trace: Trace, problem: Problem) -> None:
        """Write the page and its .json, and say so."""
        chapter = trace.chapter_at(problem.step)
        story = chapter.trace.story
        step = story.steps[problem.step - chapter.first]
        place, code = story.code_at(step.told_line)
        boxes = {node.id: node for node in story.graph.nodes}
        # In the step of an exception the box of the op follows those of its inputs.
        lit = step.nodes[::-1] if step.kind == "error" else step.nodes
        box = boxes.get(problem.node or "") or next(filter(None, map(boxes.get, lit)), None)
        marks, at = self.saved.recording.rounds, chapter.round
        if at is None and len(marks) <= 1:
            at = 0  # a trace of one round, or of a part of it, has none
        number = self.count - len(marks) + (len(marks) if at is None else at + 1)
        name = OUTSIDE
        if at is not None:
            name = name_by_number(number - 1)
            turn = marks[at].names if marks else ()
            pairs = Row((f"{variable} {value}" for variable, value in turn), REMARKS)
            name = WORDS["roundNamed"].fill(round=name, names=pairs) if turn else name
        self.problem = problem
        book = book_of(trace)
        if not any(row["step"] == problem.step for row in book["problems"]):
            book["problems"].append(problem_data(problem))
        page = to_html(book, lang=language.for_player(""), step=problem.step)
        path = self.folder / f"{problem.kind}_round_{number}.html"
        json = path.with_suffix(".json")
        files.write({path: page.encode(), json: trace.dumps().encode()}, make_folders=True)
        self.path = path
        where = f"{place} `{code.strip()}`" if code else place
        where = f"{label_of(box, language.for_text(''))}, {where}" if box else where
        told = FOUND.fill(kind=problem.kind, place=where, round=name, text=problem.text)
        say(told.fill(file=str(path)))

    # ----- the end -------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop recording while the block goes on."""
        saved = self.saved
        saved.rounds.stopped = True
        saved.rounds.log.stop()
        saved.listening._restore(saved.before, None)
        self.leaving.__enter__()
        self.free()

    def leave(self, _event: Any, at_end: bool = False) -> None:
        """Let the framework be as before, as soon as it can."""
        if not self.left and (at_end or self.saved.framework.can_stop()):
            self.left = True
            self.leaving.__exit__(None, None)
            self.saved.emitting.__exit__(None, None, None)

    def free(self) -> None:
        """Let go of what was recorded."""
        self.saved.recording.log.clear()


def say(text: Message) -> None:
    """Print one line on stderr."""
    print(text.of(language.for_text("")).replace("\n", " "), file=sys.stderr)
