"""The content of a page: one story, or a training with its rounds, as packed JSON.

A *chapter* is a part of a trace with one graph: a round, or a part outside of all rounds. Rounds of
one structure share their graph and steps in the page, so each adds only its own numbers. A
recording without rounds is a book of one chapter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from minipaddle.engine.guard import pause_collector
from minipaddle.messages import Message
from minipaddle.profiler.timing import Span

from ..facts.costs import Recorded, Row, rows_of
from ..facts.magnitude import BY, DIGITS, Size, scale_of, typical_sizes
from ..facts.views import views_of
from ..language.progress import with_bar
from ..language.words import say
from ..model import LOSS, Problem, Round, Story, Structure
from ..story import chapters
from ..story.chapters import Chaptered, Told, shared_loss_name
from ..story.finite_differences import Checks
from ..whatif.program import Named, Program
from .graph import Table, label_data
from .pack import Packer
from .payload import Page, finite, no_id, not_measured, scale_entry


class Chapter(NamedTuple):
    """A story, the number of its first step in the whole trace, and its round, if it is one.

    `shift`: what to add to the number of a record in the whole trace for its number in the story;
    `costs`: costs of its boxes, by quantity; `views`: places of values with a view of their own.
    """

    story: Story
    first: int = 0
    round: int | None = None
    shift: int = 0
    costs: Mapping[str, Sequence[Row]] = MappingProxyType({})
    views: Mapping[str, Any] = MappingProxyType({})


class Counted(Told, Recorded, Protocol):
    """Chapter of a trace: its story, and the costs of its ops."""


class Playable(Chaptered, Protocol):
    """Part of a trace that a page needs."""

    @property
    def chapters(self) -> Sequence[chapters.Chapter[Counted]]: ...
    @property
    def checks(self) -> Mapping[int, Checks]: ...
    @property
    def program(self) -> Program | None: ...
    def problems(self) -> list[Problem]: ...
    def __len__(self) -> int: ...


@pause_collector()
def book_of(trace: Playable, times: Sequence[Span] | None = None) -> dict[str, Any]:
    """Return the book of a trace, which `web/player.js` plays; equal traces give equal books.

    Boxes may be coloured by what they cost, and by time if a profiler's `times` are given.
    """
    costs = rows_of([(each.trace, each.given) for each in trace.chapters], times)
    parts = [
        Chapter(
            *(each.trace.story, each.first, each.round, each.given - each.begins, own),
            views_of(each.trace.events, each.given, each.trace.story),
        )
        for each, own in zip(trace.chapters, costs, strict=True)
    ]
    ask = getattr(trace, "ask", None)  # specification of questions (viz/teach/asked.py)
    facts = trace.rounds, trace.structures, trace.checks, trace.problems()
    book = bind(trace.title, parts, *facts, trace.program)
    return book if ask is None else {**book, "ask": ask}


@pause_collector()
def bind(
    title: str,
    chapters: Sequence[Chapter],
    rounds: Sequence[Round] = (),
    structures: Sequence[Structure] = (),
    checks: Mapping[int, Checks] = MappingProxyType({}),
    problems: Sequence[Problem] = (),
    program: Program | None = None,
) -> dict[str, Any]:
    """Return chapters and rounds bound to one book.

    `checks` maps the first step of a chapter to the checks of its gradients; `program` has the
    instructions that compute its numbers.

    If the page has no room for the elements of all arrays, it has those of the first and of the
    last round, and statistics of the rounds between.
    """
    page, packer = Page(identity=program.identity if program else no_id), Packer()
    shown: dict[int, dict[int, Any]] = {}
    names: dict[int, list[list[Any]]] = {}  # chapter -> rows of numbers that no step shows
    packed: dict[int, dict[str, Any]] = {}
    sizes: dict[str, list[Size]] = {by: [] for by in BY}
    typical: dict[str, list[Size]] = {by: [] for by in BY}
    numbers = [chapter.round for chapter in chapters if chapter.round is not None]
    between = {*numbers[1:-1]}
    whole = [k for k, chapter in enumerate(chapters) if chapter.round not in between]
    rest = [k for k, chapter in enumerate(chapters) if chapter.round in between]
    graphs = {number: each.graph for each in structures for number in each.rounds}
    border = 0
    for k in with_bar(whole + rest, "page", "round"):
        story, first, number, shift, costs, views = chapters[k]
        page.values.shown = shown[k] = {}
        graph = story.graph if number is None else graphs.get(number, story.graph)
        payload = page.payload(story, graph, checks.get(first, {}))
        payload |= {"costs": costs, "views": dict(views)}
        packed[k] = packer.chapter(payload, first, number)
        for by, known in sizes.items():
            rows = payload["magnitudes"][by]["changes"]
            known += [size for _, _, size in rows]
            typical[by] += typical_sizes(by, rows, graph)
        names[k] = _rows_of_named(program.named(k), story, shift, page) if program else []
        border = border if number in between else len(page.values)
    page.values.fill(border)
    notes = [chapter.story.note for chapter in chapters if chapter.story.note]
    parameters: Table[str] = Table()
    return packer.book(
        {
            "title": title or say("nothing", "en"),
            "note": notes[-1].by_language() if notes else None,
            "left_out": page.values.left_out,
            "unmeasured": not_measured((c.story, checks.get(c.first, {})) for c in chapters),
            "values": page.values.entries,
            "sources": page.sources.entries,
        },
        [packed[k] for k in sorted(packed)],
        {by: scale_entry(scale_of(known, typical[by])) for by, known in sizes.items()},
        rounds=_rounds_data(chapters, rounds, structures, parameters),
        parameters=parameters.entries,
        whole=[numbers[0], numbers[-1]] if page.values.brief else None,
        what_if=program
        and program.payload(
            [shown[k] for k in sorted(shown)],
            [names[k] for k in sorted(names)],
            lambda value: page.values.entries[value]["data"] is not None,
        ),
        problems=[problem_data(each) for each in problems],
        **({} if (loss := shared_loss_name(rounds)) == LOSS else {"loss": label_data(loss)}),
    )


def _rows_of_named(named: Sequence[Named], story: Story, shift: int, page: Page) -> list[list[Any]]:
    """Return rows of numbers that no step shows: name, value, and the steps that use it."""
    starts = [step.record for step in story.steps]
    rows = []
    for name, entry, records in named:
        steps = {bisect_right(starts, record + shift) - 1 for record in records}
        rows.append([name, page.values.add(entry), sorted(steps)])
    return rows


def problem_data(each: Problem) -> dict[str, Any]:
    """Return a problem as the player reads it."""
    texts = {"text": each.text.by_language(), "todo": each.todo.by_language()}
    return {"kind": each.kind, "step": each.step, "node": each.node, **texts}


def _rounds_data(
    chapters: Sequence[Chapter],
    rounds: Sequence[Round],
    structures: Sequence[Structure],
    names: Table[str],
) -> list[dict[str, Any]]:
    """Return the data of each round, whether or not its steps were recorded."""
    places = {chapter.round: k for k, chapter in enumerate(chapters)}
    shared = shared_loss_name(rounds)
    differs = {number: each.differs for each in structures for number in each.rounds}
    return [
        {
            "kind": each.kind,
            "names": [list(pair) for pair in each.names.items()],
            "loss": None if each.loss is None else finite(each.loss),
            **({} if each.loss_name == shared else {"of": label_data(each.loss_name)}),
            "differs": _text_or_none(differs.get(each.index)),
            "accuracy": each.accuracy,
            "chapter": places.get(each.index),
            "sizes": [
                [names.add(name, name), _round_size(value), _round_size(grad)]
                for name, value, grad in each.sizes
            ],
        }
        for each in rounds
    ]


def _round_size(size: Size) -> Size:
    """Return a size rounded to DIGITS digits."""
    return finite(float(f"{size:.{DIGITS}g}")) if isinstance(size, float) else size


def _text_or_none(text: Message | None) -> dict[str, str] | None:
    """Return a text in all languages, or None for an empty one."""
    return text.by_language() if text and text.en else None
