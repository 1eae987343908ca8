"""The view of two runs: a report, a picture of the second with the first's values, a player."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from minipaddle.messages import CLAUSES, COLON, EMPTY, SENTENCES, Message, Row, Text

from .. import language
from ..draw.film_strip import Row as Line
from ..draw.paint import Painting, paint
from ..layout.scene import Scene, first_open, scene_of, with_alert
from ..model import Badge, Graph, Node, Step, Story, group_by_key, with_boxes
from ..player.page import to_html
from ..player.payload import payload_of
from ..story.chapters import Chapter, Recorded, capital, chapter_at, name_of_chapter
from ..views.view import PictureView, add_caption
from . import by_names, step_differences
from .alignment import Pair, align
from .step_differences import Change, Kind

LINES = 40  # maximum number of differences in a report
GONE = 6  # maximum number of steps of the first run alone that are listed below the picture
NARROWEST = 640.0  # minimum width of the text below the picture

KINDS: Mapping[Kind, Message] = {
    "missing": Message("− only in the first run: {what}"),
    "new": Message("+ only in the second run: {what}"),
    "op": Message("≠ another op: {what}"),
    "shape": Message("≠ another shape or dtype: {what}"),
    "value": Message("≠ another value: {what}"),
    "gradient": Message("≠ another gradient: {what}"),
}
FIRST = Message("① first difference")
FIRST_STEP = Message("① first difference, step {place} {change}")
FIRST_IN_PART = Message("① first difference in {part}, step {place} {change}")
EQUAL = Message("The two runs are equal in all {total} steps.")
DIFFERENT = Message(
    "{count} of {total} steps differ ({one} in the first run, {two} in the second)."
)
COMPARES = Message(
    "Two runs are compared. The second one plays here; in a → b, a is of the first run. {differ}"
)
IN_PART = Message("The page shows {part}.")
TOLD = Text("{step} {changes}")
NO_STORY = Story("", Graph((), ()), ())


@dataclass(frozen=True, slots=True)
class Part:
    """Chapter of both traces, or of one, and its differences; steps are counted in the traces.

    A chapter is a part of a trace with one graph.
    """

    first: Chapter[Recorded] | None
    second: Chapter[Recorded] | None
    pairs: tuple[Pair, ...]
    changes: tuple[Change, ...]

    @property
    def starts(self) -> tuple[int, int]:
        """Numbers of its first steps in the two traces."""
        return self.first.first if self.first else 0, self.second.first if self.second else 0


class Diff(PictureView):
    """Comparison of two traces; see `viz.diff`.

    `changes` holds every difference in the order of the steps; a Diff without differences is false.
    If the traces have rounds, `parts` holds the differences of each round, and the picture shows
    the first round that differs.
    """

    def __init__(
        self,
        first: Recorded,
        second: Recorded,
        rtol: float,
        atol: float,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.first, self.second, self.names = first, second, names or {}
        self.results = tuple(by_names.results_of(first, second, rtol, atol, self.names))
        alike = first.framework == second.framework and names is None
        self.only_names = not alike and bool(self.results)
        self.by_name = not alike or any(len({*each.dtypes}) > 1 for each in self.results)
        self.parts = tuple(
            part_of(one, other, rtol, atol) for one, other in chapter_pairs(first, second)
        )
        if self.only_names:
            parted = [each.change for each in self.results if each.change]
            parted += by_names.unmatched_results(first, second, self.names)
            parted.sort(key=place_in_order)
            self.parts = tuple(replace(part, changes=in_part(part, parted)) for part in self.parts)
        self.pairs = [pair for part in self.parts for pair in part.pairs]
        self.changes = tuple(change for part in self.parts for change in part.changes)
        both = [part for part in self.parts if part.second]
        self.shown = next((part for part in both if part.changes), both[0])

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __repr__(self) -> str:
        return f"<Diff: {len(self.changes)} differences in {len(self.pairs)} steps>"

    # ----- text ----------------------------------------------------------------------------------

    def text(self, lang: str = "en") -> str:
        """Return how many steps differ, the first difference, and a list of differences."""
        rows = self.summary(lang)
        room = LINES
        for part in (part for part in self.parts if part.changes):
            if room > 0:
                rows += ["", self.heading(part).of(lang)] if len(self.parts) > 1 else [""]
            if not (part.first and part.second):
                continue  # the heading is enough
            rows += [self.line(change, lang) for change in part.changes[: max(room, 0)]]
            room -= len(part.changes)
        if room < 0:
            rows.append(Message("  … {count} more", count=str(-room)).of(lang))
        return "\n".join(rows).rstrip() + "\n"

    def heading(self, part: Part) -> Message:
        """Return `Round 4 of 20 (epoch 0, batch 3)`, with a remark if only one run has it."""
        name = EMPTY
        for trace, chapter in ((self.first, part.first), (self.second, part.second)):
            if chapter:
                name = name_of_chapter(trace, chapter) if trace.rounds else Message("the whole run")
        if part.first and part.second:
            return capital(name)
        return KINDS["missing" if part.first else "new"].fill(what=name)

    def summary(self, lang: str) -> list[str]:
        """Return the result in one to three lines."""
        language.check_lang(lang)
        rows = [each.of(lang) for each in self._result()]
        return [*rows, *self._first_change(lang)] if self.changes else rows

    def _first_change(self, lang: str) -> list[str]:
        """Return the first difference of steps, and its line of code."""
        part = next(part for part in self.parts if part.changes)
        if not (part.first and part.second):
            return [Row([FIRST, self.heading(part)], COLON).of(lang)]
        change = self.changes[0]
        trace, at = self.run_of(change)
        step, story = trace.steps[at].step, chapter_at(trace.chapters, at).trace.story
        _, code = story.code_at(step.forward_line or step.line)
        template = FIRST_IN_PART if len(self.parts) > 1 else FIRST_STEP
        first = template.fill(
            part=self.heading(part), place=place(change), change=self.describe(change)
        )
        return [first.of(lang), *([f"    {code}"] if code else [])]

    def _result(self) -> list[Message]:
        """Return how many steps differ, or how far the results with one name are apart."""
        named = by_names.summary([*self.results]) if self.by_name else []
        if self.only_names:
            return named
        one, two = len(self.first), len(self.second)
        count = len({(c.first, c.second) for c in self.changes})
        if not count:
            return [*named, EQUAL.fill(total=str(one))]
        sizes = {"total": len(self.pairs), "count": count, "one": one, "two": two}
        return [*named, DIFFERENT.fill(**{name: str(size) for name, size in sizes.items()})]

    def run_of(self, change: Change) -> tuple[Recorded, int]:
        """Return the run that has the step of a change, preferably the second, and the step."""
        if change.second is not None:
            return self.second, change.second
        assert change.first is not None
        return self.first, change.first

    def line(self, change: Change, lang: str) -> str:
        """Return `  3 ≠ another value: y 0.4621 → 0.5046`."""
        return f"{place(change):>7}  {self.describe(change).of(lang)}"

    def describe(self, change: Change) -> Message:
        """Return `≠ another value: w [0, 0] 1 → 1.2`."""
        if change.kind in ("missing", "new"):
            trace, at = self.run_of(change)
            return KINDS[change.kind].fill(what=trace.steps[at].step.text)
        name = "" if change.kind == "op" else f"{change.name} "
        return KINDS[change.kind].fill(what=f"{name}{change_of_value(change)}")

    # ----- picture -------------------------------------------------------------------------------

    @property
    def picture_of(self) -> Recorded:
        """Trace in the picture: the second run, or a round of it."""
        assert self.shown.second is not None
        return self.shown.second.trace

    def changed_boxes(self) -> dict[str, list[Change]]:
        """Return the changes by their box in the picture."""
        shown = (change for change in self.shown.changes if change.kind != "missing")
        return group_by_key((change.node, change) for change in shown if change.node)

    def story(self, lang: str = "en") -> Story:
        """Return the story of the second run, with the first run's values in boxes and steps."""
        language.check_lang(lang)
        story = self.picture_of.story
        badges = {name: self._difference_badges(own) for name, own in self.changed_boxes().items()}

        def mark(node: Node) -> Node:
            return replace(node, badges=(*node.badges, *badges.get(node.id, ())))

        graph = with_boxes(story.graph, mark)
        steps = tuple(self._step_with_differences(step) for step in story.steps)
        return replace(story, title=self.picture_of.title, graph=graph, steps=steps)

    def _difference_badges(self, own: Sequence[Change]) -> tuple[Badge, ...]:
        """Return the badges of a box with changes, of which the first is shown."""
        change = own[0]
        same = Badge.same("difference", f"≠ {change_of_value(change)}")
        badge = Badge("difference", Message("+ new")) if change.kind == "new" else same
        first = Badge("difference", FIRST)
        return (first, badge) if change is self.shown.changes[0] else (badge,)

    def _step_with_differences(self, step: Step) -> Step:
        """Return a step with the differences in its sentence and the first run's values."""
        start, second = self.shown.starts
        own = [c for c in self.shown.changes if c.second == second + step.index]
        if not own:
            return step
        text = TOLD.fill(step=step.text, changes=Row(map(self.describe, own), CLAUSES))
        steps = self.shown.first.trace.story.steps if self.shown.first else ()
        sought = dict.fromkeys((c.first, c.name) for c in own if c.first is not None)
        more = [
            replace(shown, name=f"{shown.name} ①", node=None, probe=None)
            for first, name in sought
            for shown in steps[first - start].shown
            if by_names.rename(shown.name, self.names) == name and shown.value is not None
        ]
        return replace(step, text=text, shown=(*step.shown, *more))

    def scene(self, lang: str = "en") -> Scene:
        """Return the scene of the second run, with changed boxes in the colour of an alert."""
        scene = scene_of(self.story(lang).graph, first_open(self.picture_of.story.graph))
        return with_alert(scene, {scene.alias.get(name, name) for name in self.changed_boxes()})

    def painting(self, lang: str = "en") -> Painting:
        """Return the picture with the summary below it."""
        gone = [self.line(c, lang).strip() for c in self.shown.changes if c.kind == "missing"]
        head, *rest = (row.strip() for row in (*self.summary(lang), *gone[:GONE]))
        return add_caption(paint(self.scene(lang), lang=lang), head, map(Line, rest), NARROWEST)

    def description(self, lang: str) -> tuple[str, str]:
        """Return the titles of both runs, and the report."""
        return f"{self.first.title} / {self.second.title}", self.text(lang)

    def html(self, lang: str = "") -> str:
        """Return the player of the second run, with the first run's values in its steps."""
        payload = payload_of(self.story(language.for_text(lang)), self.changed_boxes())
        note = COMPARES.fill(differ=Row(self._result(), SENTENCES))
        if len(self.parts) > 1:
            note = Row([note, IN_PART.fill(part=self.heading(self.shown))], SENTENCES).message()
        _, start = self.shown.starts
        changes = self.shown.changes
        by_step = group_by_key((c.second - start, c) for c in changes if c.second is not None)
        problems = [
            {
                "kind": "difference",
                "step": step,
                "node": own[0].node,
                "text": Row(map(self.describe, own), CLAUSES).message().by_language(),
                "todo": None,
            }
            for step, own in sorted(by_step.items())
        ]
        return to_html(
            {**payload, "note": note.by_language(), "problems": problems},
            lang=language.for_player(lang),
        )

    def writers(self, lang: str) -> Mapping[str, Callable[[], str | bytes]]:
        return {".html": lambda: self.html(lang), **super().writers(lang)}


def chapter_pairs(
    one: Recorded, other: Recorded
) -> Iterator[tuple[Chapter[Recorded] | None, Chapter[Recorded] | None]]:
    """Yield pairs of chapters with equal loop variables, else equal numbers; None for a gap."""
    first, second = one.chapters, other.chapters
    keys = list(keys_of(one)), list(keys_of(other))
    for a, b in align(*keys, lambda key: key.name, lambda key: key.number, lambda _: "in order"):
        yield None if a is None else first[a], None if b is None else second[b]


class Key(NamedTuple):
    """Keys by which chapters are matched: the loop variables, else the number, of a round."""

    name: Hashable
    number: Hashable


def keys_of(trace: Recorded) -> Iterator[Key]:
    """Yield the keys of the chapters; a part after a round has keys made from the round's."""
    key = Key("start", "start")
    for chapter in trace.chapters:
        if chapter.round is None:
            yield Key(("after", key.name), ("after", key.number))
            continue
        each = trace.rounds[chapter.round]
        number = each.kind, each.index
        key = Key((each.kind, *each.names.items()) if each.names else number, number)
        yield key


def part_of(
    one: Chapter[Recorded] | None, other: Chapter[Recorded] | None, rtol: float, atol: float
) -> Part:
    """Return the differences of two chapters; every step of a chapter without partner differs."""
    first, second = (each.trace.story if each else NO_STORY for each in (one, other))
    matched = step_differences.pairs(first, second)
    found = step_differences.changes(first, second, matched, rtol, atol)
    changes = (
        replace(each, first=in_trace(one, each.first), second=in_trace(other, each.second))
        for each in found
    )
    pairs = ((in_trace(one, a), in_trace(other, b)) for a, b in matched)
    return Part(one, other, tuple(pairs), tuple(changes))


def in_trace(chapter: Chapter[Recorded] | None, step: int | None) -> int | None:
    """Return the number in the whole trace of a step of a chapter; None stays None."""
    return None if chapter is None or step is None else chapter.first + step


def place_in_order(change: Change) -> int:
    """Return the number of the step in the second run, else in the first."""
    return change.second if change.second is not None else change.first or 0


def in_part(part: Part, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes whose steps are in a part."""
    return tuple(
        each
        for each in changes
        if has_step(part.first, each.first) and has_step(part.second, each.second)
    )


def has_step(chapter: Chapter[Recorded] | None, at: int | None) -> bool:
    """Return whether the step with this number in the whole trace, if any, is in a chapter."""
    if at is None:
        return True
    return chapter is not None and at - chapter.first in range(len(chapter.trace))


def place(change: Change) -> str:
    """Return the number of the step, or both numbers if they differ."""
    a, b = ("–" if at is None else str(at + 1) for at in (change.first, change.second))
    return a if a == b else f"{a}/{b}"


def change_of_value(change: Change) -> str:
    """Return a change as element, old and new value: `[0, 0] 1 → 1.2`."""
    return f"{change.at} {change.before} → {change.after}".lstrip()


def diff(
    a: Recorded,
    b: Recorded,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    names: Mapping[str, str] | None = None,
) -> Diff:
    """Compare two traces of one program, or of two versions of it, step by step.

    Values count as equal within `atol + rtol * |first|`. Rounds are compared with those of the same
    loop variables, or else of the same number.

    Runs of two frameworks, or with `names`, are compared by the names of results and parameters,
    whatever ops compute them: which is the first that parts, by how many units in the last place,
    and whether gradients arrive in another order. `names` maps names of the first run to those of
    the second, `{"fc1.weight": "net.0.weight"}`; a weight may lie transposed. Runs of two dtypes
    are compared both ways. `diff(a, b).results` lists the results with one name.

    Errors: none; what differs is the answer.

    >>> import minipaddle as paddle, viz
    >>> def run(scale):
    ...     with viz.record() as trace:
    ...         y = paddle.tanh(paddle.to_tensor([1.0]) * scale)
    ...     return trace
    >>> [change.kind for change in viz.diff(run(2.0), run(2.5)).changes]
    ['op', 'value', 'value']
    >>> bool(viz.diff(run(2.0), run(2.0)))
    False
    """
    return Diff(a, b, rtol, atol, names)
