"""A backward pass with one mistake in it, and a page that asks where it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import InvalidArgument, InvalidType
from minipaddle.messages import EMPTY, Message

from .. import language
from ..document.document import decode_before
from ..document.rounds import spans_of
from ..document.values import SMALL
from ..language.words import WORDS
from ..layout.scene import Scene, first_open, scene_of
from ..model import Node, Round, Step, Story, Structure, boxes_of
from ..story import builder
from ..story.chapters import Chapter
from ..story.finite_differences import Checks, measure
from ..story.sentences.wording import digits
from .asked import Asked, check_seed, encode
from .mistakes import KINDS, Wrong, with_mistake

COMPUTING = {"grad", "pylayer_grad", "unbroadcast", "accumulate"}  # kinds of boxes to suspect
# Place of a mistake -> kind of the step that computes the wrong array.
STEPS = {"op": "op", "rule": "visit", "sum": "unbroadcast", "add": "accumulate"}
ROWS = 6  # maximum number of elements in the last hint

ONE_OF = Message("It is one of the {count} boxes that are marked now.")
OF_LINE = Message("It belongs to the backward of this line: {code}")
MEASURED = Message("What {name} holds beside what it should be, by finite differences:")
CLEARED = Message(
    "What the .grad holds before this pass ({name}), beside what clear_grad() leaves there:"
)
BY_RULE = Message("What {name} holds beside what its rule gives from what arrived:")


class Solution(NamedTuple):
    """Solution of a hunt: the kind of mistake, its box, the step of the box, and a sentence.

    The step is counted from 0, as in `trace.steps`.
    """

    kind: str
    box: str
    step: int
    text: Message


class BugHunt(Asked):
    """A backward pass with one mistake; see `viz.bug_hunt`.

    `solution` is the mistake, `story` the steps that the page shows.
    """

    rounds: Sequence[Round] = ()
    structures: Sequence[Structure] = ()

    def __init__(self, wrong: Wrong, chapter: Any, first: int, seed: int) -> None:
        self.wrong, self.trace, self.seed = wrong, chapter, seed
        self._first = first  # number in the whole trace of the chapter's first record

    def __repr__(self) -> str:
        return f"<BugHunt in {self.title}: {len(self)} steps, seed {self.seed}>"

    @property
    def kind(self) -> str:
        return self.wrong.mistake.slip.kind

    # ----- the page ------------------------------------------------------------------------------

    @cached_property
    def _whole_story(self) -> Story:
        """Story of the chapter, with probes that measure gradients."""
        part = decode_before(self.trace.document)
        return builder.story_of(self.trace, self.trace.title, part, reserved=True)

    @cached_property
    def story(self) -> Story:
        """Story on the page, without probes: finite differences would show the answer."""
        steps = (
            replace(step, shown=tuple(replace(shown, probe=None) for shown in step.shown))
            for step in self._whole_story.steps
        )
        return replace(self._whole_story, steps=tuple(steps))

    @property
    def events(self) -> tuple[Any, ...]:
        return tuple(self.trace.events)

    @property
    def shown(self) -> Chapter[BugHunt]:
        return Chapter(self)

    @property
    def chapters(self) -> Sequence[Chapter[BugHunt]]:
        return (self.shown,)

    @property
    def checks(self) -> Mapping[int, Checks]:
        """No checks: a finite difference beside a gradient would show the answer."""
        return {}

    @property
    def program(self) -> None:
        """None: a page that recomputes values would show the answer."""

    @property
    def picture(self) -> Scene:
        return scene_of(self.story.graph, first_open(self.story.graph))

    def __len__(self) -> int:
        return len(self.story.steps)

    def text(self, lang: str = "en") -> str:
        """Return the question."""
        language.check_lang(lang)
        return f"{self.title}\n{WORDS['huntTask'].of(lang)}\n"

    # ----- the answer ----------------------------------------------------------------------------

    @cached_property
    def solution(self) -> Solution:
        """Solution of the hunt."""
        site, slip, _ = self.wrong.mistake
        kind, at = STEPS[site.at], site.record - self._first
        steps = [each for each in self._whole_story.steps if each.kind == kind]
        wrong = max((each for each in steps if each.record <= at), key=attrgetter("record"))
        box = wrong.nodes[-1]
        return Solution(self.kind, box, next(self._steps_of_box(box)).index, slip.what)

    def _steps_of_box(self, box: str) -> Iterator[Step]:
        """Return the steps in which a box is running: it is their last node."""
        return (step for step in self._whole_story.steps if step.nodes and step.nodes[-1] == box)

    @cached_property
    def boxes(self) -> list[str]:
        """All boxes that could be wrong, in the order in which they run."""
        nodes = boxes_of(self._whole_story.graph)
        worked = dict.fromkeys(step.nodes[-1] for step in self._whole_story.steps if step.nodes)
        return [name for name in worked if name in nodes and can_be_wrong(nodes[name])]

    def _three_hints(self) -> list[dict[str, Any]]:
        """Return three hints, each of which leaves fewer boxes."""
        answer, chance = self.solution.box, np.random.default_rng(self.seed)
        half = self._choose_half(self.boxes, chance)
        lines = {box: self._code_of_box(box) for box in half}
        code = lines[answer]
        same = [box for box in half if code and lines[box] == code]
        text = OF_LINE.fill(code=code) if code else EMPTY
        if len(same) in (0, len(half)):
            same = self._choose_half(half, chance)
            text = ONE_OF.fill(count=str(len(same)))
        told_last, rows = self._last_hint()
        return [
            {"text": ONE_OF.fill(count=str(len(half))).by_language(), "boxes": half},
            {"text": text.by_language(), "boxes": same},
            {"text": told_last.by_language(), "boxes": [answer], "rows": rows},
        ]

    def _choose_half(self, boxes: Sequence[str], chance: np.random.Generator) -> list[str]:
        """Return half of the boxes, chosen by chance, with the answer among them, in order."""
        others = [box for box in boxes if box != self.solution.box]
        more = chance.permutation(len(others))[: math.ceil(len(boxes) / 2) - 1]
        chosen = {self.solution.box, *(others[k] for k in more)}
        return [box for box in boxes if box in chosen]

    def _code_of_box(self, box: str) -> str:
        """Return the line of code whose backward a box belongs to."""
        step = next(self._steps_of_box(box))
        return self._whole_story.code_at(step.forward_line or step.line)[1]

    def _last_hint(self) -> tuple[Message, list[list[Any]]]:
        """Return a text, and rows with wrong and right numbers, measured if possible."""
        for shown in values_in(self._steps_of_box(self.solution.box)):
            outcome = measure(shown.probe) if shown.probe is not None else None
            if outcome and outcome.agrees is False and shown.value is not None:
                got = np.array(shown.value["data"], float).reshape(shown.value["shape"])
                return MEASURED.fill(name=shown.name), rows_of(got, outcome.slopes)
        got = self._wrong_value()
        template = BY_RULE if self.wrong.mistake.call else CLEARED
        return template.fill(name=self._name_of_array(got)), rows_of(got, self.wrong.right)

    def _wrong_value(self) -> Any:
        """Return the wrong array."""
        mistake = self.wrong.mistake
        event = self.trace.events[mistake.site.record - self._first]
        if isinstance(event, events.OpFinished):
            value = event.outputs[0].value
        elif not mistake.call:  # a missing clear_grad()
            value = event.held
        elif isinstance(event, events.GradAccumulated):
            value = event.total
        elif isinstance(event, events.GradUnbroadcast):
            value = event.after if mistake.site.at == "sum" else event.before
        else:
            value = event.grad
        data = value.data["data"]
        assert data is not None
        return np.array(data, float).reshape(value.shape)

    def _name_of_array(self, array: Any) -> str:
        """Return the name that the steps of the answer have for an array, or ""."""
        data = array.tolist()
        names = [
            shown.name
            for shown in values_in(self._steps_of_box(self.solution.box))
            if shown.value is not None and shown.value["data"] == data and shown.role != "grad_in"
        ]
        return names[-1] if names else ""

    @cached_property
    def spec(self) -> dict[str, Any]:
        solution = self.solution
        sealed = {
            "boxes": [[box, next(self._steps_of_box(box)).index] for box in self.boxes],
            "answer": solution.box,
            "what": solution.text.by_language(),
            "hints": self._three_hints(),
        }
        return {"kind": "hunt", "sealed": encode(sealed)}


def can_be_wrong(node: Node) -> bool:
    """Return whether a box computes a gradient: by a rule, a sum, a `+=` or a user's backward."""
    return node.kind in COMPUTING or (node.kind, node.lane) == ("op", "backward")


def values_in(steps: Iterator[Step]) -> Iterator[Any]:
    """Yield the values that these steps show."""
    return (shown for step in steps for shown in step.shown)


def rows_of(got: Any, wanted: Any) -> list[list[Any]]:
    """Return index, wrong and right number of the elements that differ most."""
    apart = np.abs(got - wanted)
    order = np.argsort(-apart, axis=None, kind="stable")[:ROWS]
    places = sorted(tuple(map(int, np.unravel_index(k, got.shape))) for k in order)
    return [
        [f"[{', '.join(map(str, at))}]" if at else "", digits(float(got[at])),
         digits(float(wanted[at]))]
        for at in places
    ]  # fmt: skip


# ----- making a hunt -----------------------------------------------------------------------------


def hunt_in(
    trace: Any, seed: int, made_of: Callable[[dict[str, Any]], Any], kinds: Sequence[str] = KINDS
) -> BugHunt:
    """Return the hunt of `viz.bug_hunt`; `made_of` makes a trace from a document."""
    if not hasattr(trace, "what_if"):
        raise InvalidType(
            "bug_hunt(): a recording is asked for.",
            expected="a Trace",
            received=f"{type(trace).__name__} {trace!r:.40}",
            fix="write viz.bug_hunt(trace) with the trace of `with viz.record() as trace`",
        )
    check_seed(seed, "bug_hunt()", "viz.bug_hunt(trace, seed=1)")
    stretches = passes(trace)
    wrong = with_mistake(trace, [*stretches.values()], np.random.default_rng(seed), kinds)
    if wrong is None and not stretches and has_gradient_operators(trace):
        raise InvalidArgument(
            "bug_hunt(): mistakes can be made in the tape's backward pass, not in a Program.",
            expected="a trace of an eager backward()",
            received="a run of a Program, whose gradients come from operators of its own",
            fix="compute the same after paddle.disable_static(), call backward() on the loss "
            "inside `with viz.record()`, and give that trace",
        )
    if wrong is None:
        lacks = "a mistake that can be made and followed" if stretches else "a backward pass"
        raise InvalidArgument(
            "bug_hunt(): there is nothing in this trace that could go wrong and be found.",
            expected="a backward pass of eager ops, with finite numbers that can be computed anew",
            received=f"{len(trace)} steps without {lacks}",
            fix="call backward() inside `with viz.record()`, on arrays of at most "
            f"{SMALL} elements",
        )
    at = wrong.mistake.site.record
    number, span = next((n, span) for n, span in stretches.items() if at in span)
    changed = made_of(wrong.document)
    chapter = changed.chapters[number].trace
    given = len(chapter.events) - len(span)
    return BugHunt(wrong, chapter, span.start - given, seed)


def has_gradient_operators(trace: Any) -> bool:
    """Return whether a Program in the trace computes gradients."""
    added = (each for each in trace.events if isinstance(each, events.OperatorAppended))
    return any(each.role == "backward" for each in added)


def passes(trace: Any) -> Mapping[int, range]:
    """Map the first two chapters with a backward pass to their records."""
    records = trace.events
    spans = {s.round: s for s in spans_of(trace.document.get("rounds", []), len(records))}
    found: dict[int, range] = {}
    for number, chapter in enumerate(trace.chapters):
        whole = len(trace.chapters) == 1 and not trace.rounds
        span = spans.get(chapter.round)
        if not whole and (chapter.round is None or span is None):
            continue
        here = range(len(records)) if span is None else range(span.first, span.last)
        if any(isinstance(records[at], events.BackwardStarted) for at in here):
            found[number] = here
    return {number: found[number] for number in [*found][:2]}
