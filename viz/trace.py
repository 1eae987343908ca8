"""Traces, recorded or loaded: all steps of a run, with its pictures, texts and pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from minipaddle.engine.guard import pause_collector
from minipaddle.engine.visible import make_visible

from . import export, language
from .document.distinct_names import distinct
from .document.document import (
    FORMAT,
    VERSION,
    Cut,
    Ended,
    Recording,
    decode,
    decode_before,
    decode_ended,
    dumps,
    encode,
    encode_excerpt,
)
from .document.history import Before, History
from .document.read import read
from .document.rounds import Excerpt, excerpt, no_round, real, spans_of
from .document.sources import LoadedLine
from .document.validate import validate
from .document.variable_names import changed_leaves, repeated_numbers
from .draw import dot, networks
from .draw.form import form_of
from .draw.transcript import WIDEST, transcript
from .facts.classes import accuracy_of
from .facts.costs import check_times, colours_of
from .facts.problems import find
from .facts.problems.thresholds import Thresholds, thresholds_with
from .facts.table import Statistics, number_of_step, rows_at
from .language.words import say
from .layout.scene import Scene, first_open, scene_of
from .model import ParameterSize, Problem, Round, Source, Step, Story, Structure, group_by_key
from .player import display
from .story import builder
from .story.chapters import (
    Chapter,
    chapter_at,
    first_shown,
    in_short,
    loss_names,
    opens_at,
    shared_name,
)
from .story.finite_differences import Checks, checks_of_trace
from .story.structures import RoundTrace, structures_of
from .teach.bug_hunt import BugHunt, hunt_in
from .teach.quiz import Quiz, quiz_on
from .views import explanation
from .views.paths import Paths, paths
from .whatif import what_if
from .whatif.numbers import computed_by
from .whatif.program import Program
from .whatif.replay import Earlier

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import graphviz

    from .explanation.elements import ElementExplanation


T = TypeVar("T")


class Trace:
    """Record of what happened in a block, step by step.

    Errors: IndexError for a step that is not there; ValueError for an ending that no exporter has.

    >>> import minipaddle as paddle, viz
    >>> with viz.record() as trace:
    ...     y = paddle.tanh(paddle.to_tensor([0.0]))
    >>> len(trace), trace.steps[0].text
    (1, 'tanh squashes 0 into (−1, 1), giving y = 0.')
    """

    def __init__(
        self, document: dict[str, Any] | None = None, recording: Recording | None = None
    ) -> None:
        self._recording = recording or Recording(closed=True)
        self._number_of = self._recording.number_of
        self._made: dict[str, Any] = {}
        self._numbers: dict[int, int] = {}
        self._holders: dict[int, int] = {}
        self.earlier: Earlier | None = None
        if document is not None:
            self._made["document"] = validate(document, FORMAT, VERSION)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the trace as its document, which is also the content of a .json file."""
        return trace_of, (self.document,)

    def _make_once(self, name: str, make: Callable[[], T]) -> T:
        """Return a thing that is made once; while the block still runs, make it at each call."""
        if not self._recording.closed:
            return make()
        if name not in self._made:
            with pause_collector():
                self._made[name] = make()
        result: T = self._made[name]
        return result

    # ----- the document --------------------------------------------------------------------------

    @property
    def document(self) -> dict[str, Any]:
        """The trace as plain JSON values."""
        return self._make_once("document", self._encode_document)

    def _encode_document(self) -> dict[str, Any]:
        document, self._numbers, self._holders = encode(self._recording)
        if self._recording.closed:
            self._recording = Recording(closed=True)  # frees the arrays
        return document

    @property
    def events(self) -> tuple[Any, ...]:
        """The records of minipaddle.events, with the numbers of this trace."""
        return self._make_once("events", lambda: decode(self.document))

    @property
    def story(self) -> Story:
        """The graph and the steps that walk through it, of all rounds together."""
        return self._make_once("story", self._make_story)

    def _make_story(self) -> Story:
        return builder.story_of(self, self.document["title"], decode_before(self.document))

    @property
    def picture(self) -> Scene:
        """The picture as the player shows it at first; of the first round, if there are rounds."""
        graph = self.shown.trace.story.graph
        return self._make_once("picture", lambda: scene_of(graph, first_open(graph)))

    @property
    def title(self) -> str:
        """Short title of the recorded run."""
        return self._make_once("title", lambda: self._title_with(self.shown))

    def _title_with(self, shown: Chapter[Trace]) -> str:
        said = str(self.document["title"]) or shown.trace.story.title
        return make_visible(said, most=1000) or say("nothing", "en")

    @property
    def names(self) -> dict[tuple[int, int], str]:
        """The user's names of tensors, by number and scope (0: outside every PyLayer).

        Where `x` stands for several values, one after the other, the later ones are `x#2`, `x#3`.
        A tensor that is changed in place, and has no history, keeps its name, and a number in the
        code has one, whenever it becomes a tensor.
        """
        return self._make_once("names", self._make_names)

    def _make_names(self) -> dict[tuple[int, int], str]:
        same = repeated_numbers(self.events, self.spelled) | changed_leaves(self.events)
        return distinct(self.spelled, same)

    @property
    def spelled(self) -> dict[tuple[int, int], str]:
        """The names as the code has them; several tensors may have the same one."""
        return {(x, at): name for x, at, name in self.document["names"]}

    @property
    def spelled_by_tensor(self) -> dict[int, list[tuple[int, str]]]:
        """Number of a tensor -> its names, each with its scope."""
        return self._make_once("spelled_by_tensor", self._spelled_by_tensor)

    def _spelled_by_tensor(self) -> dict[int, list[tuple[int, str]]]:
        return group_by_key([(x, (scope, name)) for (x, scope), name in self.spelled.items()])

    @property
    def layers(self) -> dict[str, str]:
        """Name of a layer in events, such as `Linear_3` -> the user's name for it."""
        return dict(self.document.get("layers", {}))

    @property
    def framework(self) -> str:
        """The name of the framework whose program was recorded; "" for minipaddle."""
        return str(self.document.get("framework", ""))

    @property
    def variables(self) -> dict[int, dict[str, str]]:
        """Program -> Paddle's name of a Variable -> the user's name for it."""
        names: dict[int, dict[str, str]] = {}
        for program, name, given in self.document.get("variables", []):
            names.setdefault(program, {})[name] = given
        return names

    @property
    def ended(self) -> Ended[LoadedLine] | None:
        """The exception that ended the recorded block."""
        end = self.document["ended"]
        return end and decode_ended(end)

    @property
    def cut(self) -> Cut[LoadedLine] | None:
        """The limit that the recording reached, if it did."""
        cut = self.document.get("cut")
        place = cut and cut["place"] and LoadedLine(*cut["place"])
        return cut and Cut(cut["what"], cut["limit"], place)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The user's code, as far as the trace needs it."""
        return tuple(
            Source(s["name"], tuple(s["lines"]), s["first"]) for s in self.document["sources"]
        )

    # ----- its rounds ----------------------------------------------------------------------------

    @property
    def chapters(self) -> tuple[Chapter[Trace], ...]:
        """Chapters, in order: parts with one graph each, rounds or parts outside of rounds."""
        if not self.document.get("rounds"):
            return (Chapter(self),)  # not kept, since it refers to this trace
        return self._make_once("chapters", self._make_chapters)

    def _make_chapters(self) -> tuple[Chapter[Trace], ...]:
        rows, records = self.document["rounds"], self.events
        spans = spans_of(rows, len(records))
        history = History(records, spans)
        whole = self._without_chapters()
        chapters: list[Chapter[Trace]] = []
        first = 0
        for number, span in enumerate(spans):
            given = history.given(span)
            part = excerpt([*given, *records[span.first : span.last]])
            before = history.before(number, len(given), part.tensors)
            earlier = Earlier(records, span.first, part.tensors)
            last = number == len(spans) - 1
            trace = Stretch(whole, part, before, span.round, earlier, last=last)
            if span.round is not None or len(trace):
                place = span.first, len(given), part.tensors
                chapters.append(Chapter(trace, first, span.round, *place))
                first += len(trace)
        whole._made["title"] = self._title_with(self._shown_among(chapters))
        return tuple(chapters)

    def _without_chapters(self) -> Trace:
        """Return this trace for its chapters to refer to: a cycle would outlive its user."""
        whole = Trace(recording=self._recording)
        whole._made |= {"document": self.document, "events": self.events}
        whole._numbers, whole._holders = self._numbers, self._holders
        return whole

    @property
    def shown(self) -> Chapter[Trace]:
        """The chapter that pictures show by default: the first round.

        If an exception ended the run, it is the last chapter, in which the run stopped.
        """
        return self._shown_among(self.chapters)

    def _shown_among(self, chapters: Sequence[Chapter[Trace]]) -> Chapter[Trace]:
        return chapters[-1] if self.ended else first_shown(chapters)

    @property
    def opens_at(self) -> int:
        """The number of the step at which the player opens: where a run stopped, or the first."""
        return opens_at(self.shown)

    def chapter_at(self, step: int) -> Chapter[Trace]:
        """Return the chapter that has a step."""
        return chapter_at(self.chapters, step)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The turns of the loop that was recorded, none if there was no loop.

        A round is a step of training, the evaluation in an epoch, a run of a Program, or what
        `viz.rounds` marked; `trace.round(3)` is one as a trace of its own.
        """
        return self._make_once("rounds", self._make_rounds)

    def _make_rounds(self) -> tuple[Round, ...]:
        named = {number: name for (number, scope), name in self.names.items() if not scope}
        of_round = {chapter.round: chapter for chapter in self.chapters}
        rows, called = self.document.get("rounds", []), loss_names(self.chapters)
        known = (name for index, name in called.items() if rows[index]["loss"] is not None)
        usual = shared_name(known)  # also of rounds without steps
        structure = {at: k for k, alike in enumerate(self.structures) for at in alike.rounds}
        rounds = []
        for index, row in enumerate(rows):
            chapter = of_round.get(index)
            steps = chapter and (chapter.first, chapter.first + len(chapter.trace) - 1)
            first, last = steps or (None, None)
            sizes = tuple(
                ParameterSize(x if isinstance(x, str) else named.get(x, f"t{x}"), real(v), real(g))
                for x, v, g in row["sizes"]
            )
            facts = row["kind"], dict(row["names"]), real(row["loss"]), sizes
            right = accuracy_of(chapter.trace.events, chapter.given) if chapter else None
            name = called.get(index, usual)
            rounds.append(Round(index, *facts, structure.get(index), first, last, right, name))
        return tuple(rounds)

    @property
    def structures(self) -> tuple[Structure, ...]:
        """Structures that rounds share, in the order in which they first appear."""
        return self._make_once("structures", self._make_structures)

    def _make_structures(self) -> tuple[Structure, ...]:
        rows = self.document.get("rounds", [])
        rounds = ((c.round, c.trace) for c in self.chapters if c.round is not None)
        return structures_of(RoundTrace(k, rows[k]["kind"], trace) for k, trace in rounds)

    def round(self, number: int) -> Trace:
        """Return one round as a trace of its own; -1 is the last.

        Errors: IndexError for a round that is not there, or whose steps were not kept.
        """
        count = len(self.document.get("rounds", []))
        at = number + count if number < 0 else number
        found = next((each for each in self.chapters if each.round == at), None)
        if found is None or found.round is None:
            raise no_round(number, count, [c.round for c in self.chapters if c.round is not None])
        return found.trace

    # ----- other numbers -------------------------------------------------------------------------

    def what_if(self, changes: Mapping[Any, Any]) -> Trace:
        """Return a new trace with other numbers in some leaves, and everything that follows from
        them.

        The engine's own kernels, gradient rules and optimizer rules compute it, in the recorded
        order: branches of the code, and what Python computed from numbers, stay as they were.
        `changes` has by name what nothing in it computed: {"w": numbers, ("w", (0, 1)): 3.0};
        "dloss" is the seed of backward, "lr" the learning rate of all rounds, ("lr", 2) of one;
        ("y", "scale") is the 2.0 of `y = x * 2.0`.
        Of Programs feeds and parameters have the names of their Variables. What is drawn at random
        stays as drawn. What cannot be followed stays as recorded, and `stale()` says why.

        Shapes and dtypes: as recorded. Errors: ValueError for a name that is unknown or computed,
        for another shape, or for a place that is not there; TypeError for what are no numbers.

        >>> with viz.record() as trace:
        ...     w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        ...     loss = (w * w).sum()
        ...     loss.backward()
        >>> changed = trace.what_if({("w", 0): 3.0})
        >>> print(viz.diff(trace, changed).summary("en")[1])
        ① first difference, step 1 ≠ another value: w [0] 1 → 3
        >>> changed.stale()
        {}
        """
        with computed_by(self.framework):
            return trace_of(what_if.changed_document(self, changes, self.earlier))

    @property
    def program(self) -> Program | None:
        """Instructions that compute the numbers, as a page carries them; noted at each call."""
        with computed_by(self.framework):
            constants = what_if.constants_of(self)
            return Program(self.events, [each.begins for each in self.chapters], constants)

    def stale(self, lang: str = "en") -> dict[str, str]:
        """Return the names that `what_if` could not compute again, and why; none for a
        recording."""
        language.check_lang(lang)
        return {name: why.of(lang) for name, why in what_if.stale_names(self).items()}

    def kinks(self, lang: str = "en") -> dict[str, str]:
        """Return the names of results in `what_if` that rounding may have decided, with a sentence.

        There a number lies within rounding of the place where a maximum, a comparison or a rounding
        goes the other way: another order of summing might give another value or gradient.

        >>> with viz.record() as trace:
        ...     x = paddle.to_tensor([0.5, 2.0], stop_gradient=False)
        ...     paddle.nn.functional.relu(x - 0.1).sum().backward()
        >>> "x.grad" in trace.what_if({("x", 0): 0.10000001}).kinks()
        True
        """
        language.check_lang(lang)
        return {name: why.of(lang) for name, why in what_if.kink_names(self).items()}

    def quiz(
        self,
        at: str | int | Iterable[int] = "backward",
        ask: str | Iterable[str] | None = None,
        seed: int = 0,
    ) -> Quiz:
        """Return a page of this trace that asks before it shows: predict, then see.

        at: "backward" (all its steps), the name of an op, how many steps of backward are drawn with
        the seed, or a list of steps as `steps` numbers them. ask: "value", "sign", "shape" (of a
        result), "next" (where a gradient goes), or several; left out, the seed chooses at each
        step. What is asked for is hidden until it is answered. `quiz.show()`, `quiz.save("a.html")`
        and `quiz.answers` go on from there.

        Errors: ValueError for steps or questions that are not there; TypeError for anything else.

        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> with viz.record() as trace:
        ...     paddle.tanh(x).sum().backward()
        >>> trace.quiz("tanh")
        <Quiz on tanh → sum: 2 questions>
        >>> trace.quiz(1, ask="shape", seed=3).steps
        (5,)
        """
        return quiz_on(self, at, ask, seed)

    @property
    def checks(self) -> dict[int, Checks]:
        """Checks of gradients by finite differences, by the first step of a chapter."""
        return self._make_once("checks", lambda: checks_of_trace(self))

    # ----- reading it ----------------------------------------------------------------------------

    @property
    def steps(self) -> tuple[StepView, ...]:
        """Every step with its sentence, of all rounds in their order."""
        return self._make_once("steps", self._make_steps)

    def _make_steps(self) -> tuple[StepView, ...]:
        if len(self.chapters) == 1:
            return tuple(StepView(step, step.index, None) for step in self.story.steps)
        return tuple(
            StepView(step, chapter.first + step.index, chapter.round)
            for chapter in self.chapters
            for step in chapter.trace.story.steps
        )

    def __len__(self) -> int:
        return len(self.steps)

    def say(self, step: int, lang: str = "en") -> str:
        """Return the sentence of one step in English ("en") or Chinese ("zh")."""
        return self.steps[step].say(lang)

    def number_of(self, tensor: Any) -> int:
        """Return the number of a tensor of this process in the trace; 0 for one that is not in
        it."""
        number = self._number_of(tensor)
        return self._numbers.get(number, 0) if number and self.document else 0

    def record_of_gradient(self, tensor: Any) -> int:
        """Return the last record in which a tensor of this process was a leaf's `.grad`, or -1."""
        number = self._number_of(tensor)
        return self._holders.get(number, -1) if number and self.document else -1

    def explain(self, tensor: Any, loss: Any = None) -> explanation.Explanation:
        """Explain why the gradient of a tensor is None or zero, with the recorded path."""
        return explanation.explain(tensor, loss, self)

    def paths(self, x: Any, index: Any = None, *, top: int = 5) -> Paths:
        """Return one element of a gradient as a sum over the paths from the loss; see `viz.paths`.

        >>> import minipaddle as paddle, viz
        >>> x = paddle.to_tensor(2.0, stop_gradient=False)
        >>> with viz.record() as trace:
        ...     paddle.tanh(x * x).backward()
        >>> trace.paths("x").count
        2
        """
        return paths(x, index, self, top=top)

    def explain_element(
        self, x: Any = None, index: Any = None, step: int | None = None
    ) -> ElementExplanation:
        """Explain one element: the elements it was computed from, or, of an operand, it affects.

        x: a name, as the steps and their values have it (`y`, `dW`, `W.grad`), or a Tensor; index:
        of one element, as in x[index], left out where there is just one. It is looked up in the
        last step that computes x, or else in the first that reads it; `step` (a number in `steps`)
        asks for another one, and without x for the first result of that step.

        `reads` and `acts_on` are sets of elements by name, `terms` the parts that add up to the
        element where the op is linear, the largest first; printed, it is all of that in words.

        Errors: ValueError for a name that is not there; IndexError for an index or a step that is
        not; TypeError for what is no name, index or step.

        >>> x, w = paddle.to_tensor([[2.0, -1.0]]), paddle.to_tensor([[0.5], [3.0]])
        >>> with viz.record() as trace:
        ...     y = x @ w
        >>> print(trace.explain_element("y", (0, 0)))
        y[0, 0] = −1 × 3 + 2 × 0.5 = −2
          made from x[0, :] and w[:, 0]
          −1 × 3  = −3  x[0, 1]
          2 × 0.5 =  1  x[0, 0]
        >>> trace.explain_element("w", (1, 0)).acts_on
        {'y': frozenset({(0, 0)})}
        """
        from .views import elements  # imported only when needed

        return elements.explain_element(self, x, index, step)

    def problems(self, **thresholds: float) -> list[Problem]:
        """Return what is wrong, as far as the records prove it: a list of Problem, by steps.

        Each has a `kind`, its `step` (in `trace.steps`), the `node` of that step's picture, `text`
        (what the records show) and `todo` (what helps), both in each language. `thresholds` take
        the place of those in the table of docs/problems.md: trace.problems(loss_still=0.01).

        Errors: ValueError for a threshold that is not in the table, or is no number.

        >>> import minipaddle as paddle, viz
        >>> with viz.record() as trace:
        ...     y = paddle.log(paddle.to_tensor([-1.0]))
        >>> trace.problems()[0].text.en
        'Here the first NaN appears: 1 element of y.'
        """
        if thresholds:
            return find.problems_of(self, thresholds_with(thresholds))
        return list(self._make_once("problems", lambda: find.problems_of(self, Thresholds())))

    @property
    def part(self) -> bool:
        """True if this is one round of a longer recording."""
        return self.document.get("before") is not None

    def text(self, lang: str = "en") -> str:
        """Return the trace as a transcript.

        A table has all rounds, and of those with the same steps the first is told;
        `trace.round(3).text()` tells another one.
        """
        return transcript(self, language.check_lang(lang), find.in_short(self.problems()).of(lang))

    def statistics(self, step: int = -1, round: int | None = None) -> Statistics:
        """Return parameters and activations after a step, as rows that print as a table.

        They are those of the round that the step is in. With `round` the step is one of that round.
        """
        if round is not None:
            return self.round(round).statistics(step)
        at = number_of_step(step, len(self))
        chapter = self.chapter_at(at)
        rows = rows_at(chapter.trace.story, at - chapter.first)
        return Statistics(at, rows)

    def dumps(self) -> str:
        """Return the text of a .json file: the same bytes for the same trace."""
        return dumps(self.document)

    def save(
        self,
        path: str | Path,
        engine: str = "builtin",
        steps: Iterable[int] | None = None,
        lang: str = "",
        color_by: str = "",
        round: int | None = None,
        *,
        aspect: str | None = None,
        halves: str = "both",
        memory: bool | None = None,
        values: bool = False,
        dark: bool = False,
        times: Any = None,
    ) -> Path:
        """Write the trace; the ending chooses: .json .txt .html .svg .png .pdf .gif .mp4
        .webm .dot.

        `steps` names the steps of a film strip (.svg .png .pdf) or of a moving picture (.gif .mp4
        .webm; films need the package imageio-ffmpeg).
        `round` writes `trace.round(3)` alone, whose steps count from 0; without it pictures are of
        the first round, unless their steps are named.
        color_by="grad" or "value" colours boxes by the magnitude of gradients or values; "flops",
        "parameters" and "bytes" by what ops take, "time" by `times`: a `paddle.profiler.Profiler`
        of the same run, or the path of a file that its export wrote; an .html begins so.
        engine="dot" lets Graphviz lay out an .svg, .png or .pdf where its program is installed.

        aspect="16:9" makes a slide: no text is smaller than 1/45 of its height, so a large graph
        is folded until it fits. halves="forward" or "backward" draws one half. `memory` adds the
        chart of memory (left out on slides), `values` writes numbers into the boxes and draws small
        pictures of arrays; in films of up to 100 steps they move along the wires. `dark` takes dark
        colours (an .svg follows its reader without it).

        Errors: InvalidArgument for an option that this file, or a picture, cannot have.

        >>> import tempfile
        >>> with viz.record() as trace:
        ...     _ = paddle.tanh(paddle.ones([2]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     trace.save(f"{folder}/a.svg", aspect="16:9", values=True).name
        'a.svg'
        """
        form = form_of(aspect, halves, memory, values, dark)
        page = Path(path).suffix.lower() == ".html"
        form = replace(form, times=check_times(color_by, times, offered=page))
        if lang:
            language.check_lang(lang)
        return export.save(self, path, engine, steps, lang, color_by, round, form)

    def graphviz(self) -> graphviz.Digraph:
        """Return the picture as a `graphviz.Digraph`, which needs no program until it is rendered.

        Of the first round, if there are any: `trace.round(3).graphviz()` is of another one.
        """
        graph = self.shown.trace.story.graph
        return dot.digraph(graph, first_open(graph))

    def to_networkx(self) -> Any:
        """Return the picture's boxes and wires as a `networkx.MultiDiGraph`; of the first round, if
        any.

        Nodes are named by ids that are the same in every run, and have kind ("leaf", "op",
        "grad", "leaf_grad", ...), label, detail (shape and dtype), lane ("forward", "backward",
        "optimize"), column (which backward pass), pair (the forward box of a gradient), group,
        badges and pos (x, y). Edges have their id as key, kind ("data", "grad", "saved", "order")
        and label; `.graph` has the title and the groups. A PyLayer is all open.

        Errors: NotFound where networkx is not installed.

        >>> with viz.record() as trace:
        ...     _ = paddle.tanh(paddle.ones([2]))
        >>> graph = trace.to_networkx()                                   # doctest: +SKIP
        >>> [graph.nodes[name]["label"] for name in graph]                # doctest: +SKIP
        ['ones', 'tanh']
        """
        shown = self.shown.trace
        return networks.network(shown.story.graph, shown.title)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self.document == other.document

    __hash__ = None  # type: ignore[assignment]

    # ----- showing it ----------------------------------------------------------------------------

    def show(
        self,
        iframe: bool = False,
        step: int | None = None,
        round: int | None = None,
        color_by: str = "",
        times: Any = None,
    ) -> display.Frame | None:
        """Show the player in a notebook, at a step; elsewhere print the transcript.

        It begins at the first step of the first round, if there are rounds; with `round` it begins
        in that one, and `step` counts from there. `color_by` and `times` are those of `save`.

        With iframe=True the output is a page in a frame, up to 10 MB, which plays without a kernel
        and without widgets. Outside of IPython that frame is given back, to be shown by marimo or
        whatever shows HTML. InvalidArgument for a step that `trace.steps` does not have.
        """
        parts = [(chapter.trace, chapter.given) for chapter in self.chapters]
        return display.show(self, iframe, step, round, colours_of(parts, color_by, times))

    def __repr__(self) -> str:
        rounds = f", {in_short(self.rounds)}" if self.rounds else ""
        return f"<Trace of {self.title}: {len(self)} steps{rounds}>"

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        return display.mimebundle(self)


class Stretch(Trace):
    """Chapter of a trace as a trace of its own, with its own numbers and picture."""

    def __init__(
        self,
        whole: Trace,
        part: Excerpt,
        before: Before,
        at: int | None,
        earlier: Earlier,
        last: bool,
    ) -> None:
        super().__init__()
        self.earlier, self._begins = earlier, earlier.until
        self._whole, self._excerpt, self._before = whole, part, before
        self._at, self._last = at, last

    def _encode_document(self) -> dict[str, Any]:
        context = self.spelled, self._whole.document, self._before, self._last
        part = encode_excerpt(self._excerpt, *context)
        return {**part, "title": self.title}

    @property
    def events(self) -> tuple[Any, ...]:
        return self._excerpt.records

    @property
    def framework(self) -> str:
        return self._whole.framework

    def _make_story(self) -> Story:
        return builder.story_of(self, self._whole.document["title"], self._before)

    @property
    def chapters(self) -> tuple[Chapter[Trace], ...]:
        return (Chapter(self),)

    @property
    def part(self) -> bool:
        return True

    @property
    def title(self) -> str:
        title, at = self._whole.title, self._at
        return title if at is None else f"{title} · {at + 1}/{len(self._whole.document['rounds'])}"

    @property
    def spelled(self) -> dict[tuple[int, int], str]:
        return dict(self._excerpt.names(self._whole.spelled_by_tensor))

    @property
    def layers(self) -> dict[str, str]:
        return self._whole.layers

    @property
    def variables(self) -> dict[int, dict[str, str]]:
        programs, found = self._excerpt.programs, self._whole.variables
        return {programs[old]: names for old, names in found.items() if old in programs}

    @property
    def ended(self) -> Ended[LoadedLine] | None:
        return self._whole.ended if self._last else None

    @property
    def cut(self) -> Cut[LoadedLine] | None:
        return self._whole.cut if self._last else None

    @property
    def sources(self) -> tuple[Source, ...]:
        return self._whole.sources

    def number_of(self, tensor: Any) -> int:
        return self._excerpt.tensors.get(self._whole.number_of(tensor), 0)

    def record_of_gradient(self, tensor: Any) -> int:
        given, begins = self._before.events, self._begins
        at = self._whole.record_of_gradient(tensor) - begins + given
        return at if given <= at < len(self.events) else -1


@dataclass(frozen=True)
class StepView:
    """One step as users read it; `step` has everything that pictures show of it.

    `index` is its place in `trace.steps`; its number in texts, pages and links is one more. `round`
    is the index of its round, or None outside of rounds.
    """

    step: Step
    index: int
    round: int | None

    @property
    def text(self) -> str:
        """The sentence of this step in English."""
        return self.say("en")

    def say(self, lang: str = "en") -> str:
        """Return the sentence of this step in a language."""
        return make_visible(self.step.text.of(language.check_lang(lang)), keep="\n", most=WIDEST)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.step, name)

    def __repr__(self) -> str:
        return f"<step {self.index + 1}: {self.text}>"


def trace_of(document: dict[str, Any]) -> Trace:
    """Return a trace with a document that needs no validation."""
    trace = Trace()
    trace._made["document"] = document
    return trace


def bug_hunt(trace: Trace, seed: int = 0) -> BugHunt:
    """Return a page with one mistake in a backward pass of the trace, which asks where it is.

    The seed chooses the kind (a factor lost, a wrong axis, a missing sum, a transposed operand, a
    `clear_grad` left out, a sign) and the place; what follows is computed from the wrong numbers.
    Of a training it is one of the first two rounds with a backward pass. Three hints narrow it
    down; the last one is the finite difference beside the gradient. `hunt.show()`,
    `hunt.save("hunt.html")` show the page, `hunt.solution` tells.

    Errors: ValueError where no mistake would show; TypeError for what is no trace or no seed.

    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> with viz.record() as trace:
    ...     paddle.tanh(x * x).sum().backward()
    >>> hunt = viz.bug_hunt(trace, seed=1)
    >>> hunt.solution.kind in ("factor", "sum", "sign"), len(hunt) == len(trace)
    (True, True)
    """
    return hunt_in(trace, seed, trace_of)


def load(path: str | Path) -> Trace:
    """Return a trace from a .json file; what is damaged or foreign is refused with a clear error.

    Errors: RuntimeError for a path that is not there; ValueError for a document that is no
    trace.

    >>> import tempfile
    >>> with viz.record() as trace:
    ...     _ = paddle.tanh(paddle.ones([2]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = viz.load(trace.save(f"{folder}/a.json"))
    >>> len(again.steps) == len(trace.steps)
    True
    """
    return Trace(read(path))


def save_all(
    traces: Mapping[Any, Trace | str | os.PathLike[str]],
    *,
    executor: Executor | None = None,
    **options: Any,
) -> list[Path]:
    """Write many traces at once: {"a.png": trace, "b.gif": "b.json"}; the paths, in order.

    The keys are paths. A trace may also be the path of a .json file, which is read where it is
    drawn. The `options` are those of `Trace.save`. Pictures are made in processes, one for each
    core; an executor of concurrent.futures takes them elsewhere, such as
    `mpi4py.futures.MPIPoolExecutor()` to all ranks.

    Errors: those of `Trace.save`; for an ending or a folder that cannot be, nothing is written.

    >>> import tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with viz.record() as trace:
    ...     _ = paddle.tanh(paddle.ones([2]))
    >>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as executor:
    ...     files = {f"{folder}/{name}": trace for name in ("a.svg", "a.txt")}
    ...     [path.name for path in viz.save_all(files, executor=executor)]
    ['a.svg', 'a.txt']
    """
    for path in traces:
        export.check(path)
    options["lang"] = (
        options.get("lang") or language.get_lang()
    )  # worker processes do not have the setting
    tasks = [
        (each if isinstance(each, Trace) else whole(each), whole(path))
        for path, each in traces.items()
    ]
    from .workers import workers

    with workers(executor) as chosen:
        waiting = [chosen.submit(saved, *task, options) for task in tasks]
        for each in waiting:
            each.result()
    return [Path(path) for path in traces]


def saved(trace: Trace | Path, path: Path, options: dict[str, Any]) -> None:
    """Save a trace, loaded first if it is a path."""
    (trace if isinstance(trace, Trace) else load(trace)).save(path, **options)


def whole(path: str | os.PathLike[str]) -> Path:
    """Return a path that means the same in processes that run in another folder."""
    return Path(path).absolute()
