"""Eager work of a model and its Program side by side, with one scrubber for both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from minipaddle.engine.errors import InvalidArgument
from minipaddle.messages import LIST, SENTENCES, Message, Row, languages

from .. import language
from ..language.words import WORDS, say
from ..model import Node, Step, Story, label_of
from ..player import page
from ..player.payload import payload_of
from ..story.chapters import Recorded
from ..theme import table_lines
from ..views.view import View
from .alignment import Pair, align
from .matching_boxes import main_box, matches

HEADS = (Message("eager"), WORDS["programSide"])


class Twin(View):
    """Two traces of one model, eager and static; see `viz.twin`.

    `matches` is the table of boxes; `steps` pairs the steps of both for one scrubber.
    """

    def __init__(self, eager: Recorded, program: Recorded) -> None:
        self.eager, self.program = eager, program
        self.matches = matches(eager, program)
        self.left, self.right = (
            number_steps(eager.story, eager.story.steps),
            run_story(program.story),
        )
        self.steps = self._match_steps()

    def _match_steps(self) -> list[Pair]:
        """Return pairs of steps of both sides; None while one side waits."""
        pair = {m.left.id: m.right.id for m in self.matches if m.left and m.right}
        one, other = set(pair), set(pair.values())
        left = [pair.get(main_box(step, one), f"left {step.index}") for step in self.left.steps]
        right = [main_box(step, other) or f"right {step.index}" for step in self.right.steps]
        return align(left, right, lambda name: name)

    def __repr__(self) -> str:
        return f"<Twin: {self.count} of {len(self.matches)} boxes match>"

    @property
    def count(self) -> int:
        """Number of boxes with a partner."""
        return sum(m.left is not None and m.right is not None for m in self.matches)

    # ----- text ----------------------------------------------------------------------------------

    def text(self, lang: str = "en") -> str:
        """Return the table of matches."""
        language.check_lang(lang)
        left, right = HEADS
        rows = [(left.of(lang), right.of(lang))]
        role = ""
        for match in self.matches:
            if match.role != role:
                role = match.role
                rows.append(("", ""))
                rows.append((f"-- {say(role, lang)} --", ""))
            rows.append((box_text(match.left, lang), box_text(match.right, lang)))
        return "\n".join([*table_lines(rows, "<<"), "", self.summary(lang)]) + "\n"

    def summary(self, lang: str) -> str:
        """Return the number of matching boxes, and the boxes that only one side has."""
        left = [m.left.label for m in self.matches if m.left and not m.right]
        right = [m.right.label for m in self.matches if m.right and not m.left]
        texts = [Message("{count} boxes match.", count=self.count)]
        texts += [Message("Only eager: {boxes}.", boxes=Row(left, LIST))] if left else []
        texts += [Message("Only in the Program: {boxes}.", boxes=Row(right, LIST))] if right else []
        return Row(texts, SENTENCES).of(language.check_lang(lang))

    # ----- the page ------------------------------------------------------------------------------

    def payload(self) -> dict[str, Any]:
        """Return the data of the page: two payloads, the merged steps and the matches."""
        left, right = (payload_of(story) for story in (self.left, self.right))
        return {
            "title": " · ".join(dict.fromkeys([self.eager.title, self.program.title])),
            "left": left,
            "right": right,
            "steps": [list(pair) for pair in self.steps],
            "matches": [[m.left.id, m.right.id] for m in self.matches if m.left and m.right],
            "summary": {lang: self.summary(lang) for lang in languages()},
        }

    def html(self, lang: str = "") -> str:
        """Return one page that needs no server: two graphs and one scrubber."""
        return page.twin_html(self.payload(), lang=language.for_player(lang))

    def writers(self, lang: str) -> Mapping[str, Callable[[], str | bytes]]:
        words = language.for_text(lang)
        return {".html": lambda: self.html(lang), ".txt": lambda: self.text(words)}

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        frame = page.frame(self.html(), self.eager.title)
        return {"text/html": frame, "text/plain": self.text(language.for_text())}


def run_story(story: Story) -> Story:
    """Return the story of a Program's last run, or of its building if it never ran."""
    starts = [s.index for s in story.steps if s.kind == "run"]
    ran = [s for s in story.steps if s.phase == "run" and s.index >= (starts or [0])[-1]]
    return number_steps(story, ran or story.steps)


def number_steps(story: Story, steps: Sequence[Step]) -> Story:
    """Return the story with these steps only, renumbered, without steps of memory."""
    kept = (step for step in steps if not step.of_memory)
    return replace(story, steps=tuple(replace(step, index=k) for k, step in enumerate(kept)))


def box_text(node: Node | None, lang: str) -> str:
    """Return a box in the table: `matmul  h: [2, 1] float64`."""
    if node is None:
        return "–"
    label = label_of(node, lang)
    return f"{label}  {node.detail}" if node.detail else label


def twin(eager_trace: Recorded, program_trace: Recorded, round: int | None = None) -> Twin:
    """Return the tape of a model beside its Program, box by box: a page with one scrubber, and a
    table.

    If the traces have rounds, show one, the first unless `round` names another: an iteration of the
    loop beside the Program's run of the same number.

    InvalidArgument if the first trace has no eager work, or the second no Program; IndexError for
    a round whose steps one of them does not have.

    >>> import minipaddle as paddle, viz
    >>> x = paddle.to_tensor([1.0], stop_gradient=False)
    >>> with viz.record() as eager:
    ...     paddle.tanh(x).mean().backward()
    >>> paddle.enable_static()
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main), viz.record() as program:
    ...     x = paddle.static.data("x", [1], "float32")
    ...     x.stop_gradient = False
    ...     found = paddle.static.append_backward(paddle.mean(paddle.tanh(x)))
    >>> paddle.disable_static()
    >>> print(viz.twin(eager, program).summary("en"))
    5 boxes match.
    """
    traces = eager_trace, program_trace
    kept = [each.round for trace in traces for each in trace.chapters if each.round is not None]
    number = round if round is not None else kept[0] if kept else None
    if number is not None:
        eager_trace, program_trace = (
            trace.round(number) if trace.rounds or not kept else trace for trace in traces
        )
    phases = [{step.phase for step in trace.story.steps} for trace in (eager_trace, program_trace)]
    if "forward" not in phases[0] or not phases[1] & {"build", "run"}:
        raise InvalidArgument(
            "viz.twin() needs an eager trace and then the trace of a Program.",
            expected="a trace with eager ops, and one in which a Program was built",
            received=f"traces of {' and '.join('/'.join(sorted(p)) or 'nothing' for p in phases)}",
            fix="record the model in dynamic mode, and again while its Program is built and run",
        )
    return Twin(eager_trace, program_trace)
