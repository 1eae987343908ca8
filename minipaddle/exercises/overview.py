"""Overview of a learner's progress in every lesson: a picture, a list, and the next exercise."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from ..folders import lessons_folder
from ..messages import Message
from . import progress
from .cards import AMBER, GREEN, show
from .course import lessons, read
from .outcomes import current_language, text
from .predictions import Prediction
from .progress import State

DONE, TRIED, LEFT = "✓", "◐", "○"
WIDTH = 96  # columns of a terminal
CELL, MARK, HEAD = 22, 14, 18  # sizes in the picture: a place, the mark in it, the line of numbers
BADGE = "display:inline-block;white-space:nowrap;margin:2px;padding:0 6px;line-height:1.6"
ROUND, SQUARE = "border-radius:1em", "border-radius:3px"  # of predictions and of exercises
# Marks are beside their lesson on a wide page, and below the lesson on a narrow page.
LIST = "list-style:none;margin:0;padding:0"
ROW = "display:flex;flex-wrap:wrap;gap:4px 16px;margin:0;padding:6px 0"
FULL, EMPTY = f"background:{GREEN};color:#fff", "box-shadow:inset 0 0 0 1px currentColor"
LEGEND = Message("✓ done, ◐ tried, ○ not tried; a name with ? is a prediction.")
PICTURE = Message("A column is a lesson, a square an exercise, a circle a prediction.")
TOTALS = Message("Done: {exercises} exercises, {predictions} predictions.")
OF = Message("{done} of {count}")
HINTS = Message("hints: {n}")
SOLUTION = Message("solution seen")
GO_ON = Message("Go on with {name} in {lesson}")
ALL_DONE = Message("Everything is done.")
LESSON = Message("Lesson {n}: {title}")
DAMAGED = Message("{n} line(s) of {file} could not be read; everything else counts.")


@dataclass(frozen=True)
class Row:
    """Lesson with its name, its title and the state of each exercise."""

    name: str
    title: Message
    parts: tuple[tuple[str, State], ...]
    notebook: str = ""  # notebook of a lesson of minipaddle

    @property
    def done(self) -> int:
        """Number of exercises that are done."""
        return sum(state.done for _, state in self.parts)

    @property
    def next(self) -> str:
        """First exercise that is not done, or "" if all are done."""
        return next((name for name, state in self.parts if not state.done), "")


class Overview:
    """List of the lessons, with the next exercise below it."""

    def __init__(self, rows: list[Row], damaged: int, lang: str) -> None:
        self.rows, self.lang = rows, lang
        self.next = next((row for row in rows if row.next), None)  # lesson of the next exercise
        words = ALL_DONE
        if self.next is not None:
            words = GO_ON.fill(name=self.next.next, lesson=self.next.title)
        self.advice = words.of(lang)
        states = [state for row in rows for _, state in row.parts]
        both = ([state.done for state in states if state.asks is asks] for asks in (False, True))
        counts = [OF.fill(done=str(sum(done)), count=str(len(done))) for done in both]
        self.totals = TOTALS.fill(exercises=counts[0], predictions=counts[1]).of(lang)
        words = DAMAGED.fill(n=str(damaged), file=str(progress.path()))
        self.complaint = words.of(lang) if damaged else ""

    def __repr__(self) -> str:
        lines = []
        for row in self.rows:
            count = OF.fill(done=str(row.done), count=str(len(row.parts))).of(self.lang)
            lines.append(f"{row.title.of(self.lang)}  ({count})")
            # A line breaks between names, not after a mark or in the words about help.
            marks = (f"{sign(state)} {said}" for _, said, state in self.names(row))
            words = "  ".join(each.replace(" ", "\xa0") for each in marks)
            lines += [f"  {line}".replace("\xa0", " ") for line in textwrap.wrap(words, WIDTH)]
        lines += ["", LEGEND.of(self.lang), self.totals, self.advice, self.complaint]
        return "\n".join(lines).rstrip()

    def names(self, row: Row) -> Iterator[tuple[str, str, State]]:
        """Yield each name of a row, the name with the help that was used, and the state.

        The name of a prediction ends in a question mark.
        """
        for name, state in row.parts:
            asked = f"{name}?" if state.asks else name
            yield asked, asked + self.help(state), state

    def help(self, state: State) -> str:
        """Describe the help that was used for an exercise, in parentheses."""
        said = [HINTS.fill(n=str(state.hints)).of(self.lang)] if state.hints else []
        said += [SOLUTION.of(self.lang)] if state.solution else []
        return f" ({', '.join(said)})" if said else ""

    def _repr_html_(self) -> str:
        rows = "".join(self._html_row(row) for row in self.rows)
        said = f"<p>{html.escape(self.complaint)}</p>" if self.complaint else ""
        legend = " ".join(each.of(self.lang) for each in (PICTURE, LEGEND))
        return (
            f"<p><strong>{html.escape(self.totals)}</strong></p>{self.svg()}<p><small>{legend}</small></p>"
            f'<ul class="mp-progress" style="{LIST}">{rows}</ul>'
            f"<p>{self._link_to(self.next, self.advice)}</p>{said}"
        )

    def svg(self) -> str:
        """Draw a column of marks for each lesson, below the lesson's number."""
        width = CELL * len(self.rows)
        height = HEAD + CELL * max(len(row.parts) for row in self.rows)
        columns = "".join(self._column(row, CELL * n) for n, row in enumerate(self.rows))
        return (
            f'<svg role="img" aria-label="{html.escape(self.totals)}" width="{width}"'
            f' viewBox="0 0 {width} {height}" style="max-width:100%;height:auto" font-size="12"'
            f' text-anchor="middle" fill="currentColor">{columns}</svg>'
        )

    def _column(self, row: Row, x: int) -> str:
        title = row.title.of(self.lang)
        marks = "".join(
            f"<g><title>{html.escape(f'{title} · {said}')}</title>"
            f"{mark(x + (CELL - MARK) // 2, HEAD + CELL * n, state)}</g>"
            for n, (_, said, state) in enumerate(self.names(row))
        )
        return f'<text x="{x + CELL // 2}" y="12">{number_of(row.name)}</text>{marks}'

    def _html_row(self, row: Row) -> str:
        marks = " ".join(
            f'<span title="{html.escape(said)}" style="{BADGE};{ROUND if state.asks else SQUARE};'
            f'{FULL if state.done else EMPTY}">{sign(state)} {html.escape(name)}</span>'
            for name, said, state in self.names(row)
        )
        count = OF.fill(done=str(row.done), count=str(len(row.parts))).of(self.lang)
        return (
            f'<li style="{ROW}"><div style="flex:1 1 16em">'
            f"{self._link_to(row, row.title.of(self.lang))}<br><small>{html.escape(count)}</small>"
            f'</div><div style="flex:2 1 24em">{marks}</div></li>'
        )

    def _link_to(self, row: Row | None, words: str) -> str:
        """Return a link to a lesson's notebook, which is in the folder of the page."""
        if row is None or not row.notebook:
            return html.escape(words)
        return f'<a href="{html.escape(row.notebook)}">{html.escape(words)}</a>'


def sign(state: State) -> str:
    """Return the mark of an exercise."""
    return DONE if state.done else TRIED if state.tried else LEFT


def mark(x: int, y: int, state: State) -> str:
    """Draw a square for an exercise or a circle for a prediction: full, half or empty."""
    half = MARK // 2
    box = f'<rect x="{x}" y="{y}" width="{MARK}" height="{MARK}" rx="{half if state.asks else 2}"'
    if state.done:
        return f'{box} fill="{GREEN}" stroke="{GREEN}"/>'
    back = f"a{half},{half} 0 0 1 0,-{MARK}" if state.asks else f"h-{half}v-{MARK}"
    filled = f'<path d="M{x + half},{y}v{MARK}{back}z" fill="{AMBER}"/>' if state.tried else ""
    return f'{filled}{box} fill="none" stroke="currentColor"/>'


def number_of(lesson: str) -> str:
    """Return the number in the name of a lesson of minipaddle; "" for another course."""
    number = lesson.split("_", maxsplit=1)[0]
    return number.lstrip("0") if number.isdecimal() else ""


def overview(lang: str = "") -> Overview:
    """Return the learner's progress: minipaddle's lessons in order, then other courses."""
    lang = lang or current_language()
    entries, damaged = progress.entries()
    states = progress.states(entries)
    rows = [lesson_row(name, states) for name in lessons()]
    own = {row.name for row in rows}
    titles = {each.course: each.title or each.course or "-" for each in entries}
    for name in (course for course in titles if course not in own):
        parts = tuple((part, state) for (at, part), state in states.items() if at == name)
        rows.append(Row(name, text(titles[name]), parts))
    return Overview(rows, damaged, lang)


def lesson_row(name: str, states: dict[tuple[str, str], State]) -> Row:
    """Return the row of one of minipaddle's lessons."""
    lesson = read(lessons_folder() / "exercises" / f"{name}.py")
    title = LESSON.fill(n=number_of(name), title=lesson.title)
    new = {part.name: State(asks=isinstance(part, Prediction)) for part in lesson}
    parts = tuple((part, states.get((name, part), state)) for part, state in new.items())
    return Row(name, title, parts, f"{name}.ipynb")


def show_progress() -> None:
    """Show the progress and the next exercise: a list with links in a notebook, else lines.

    Errors: none; unreadable lines of the learner's file are skipped and counted.

    >>> from minipaddle import exercises
    >>> exercises.show_progress()  # doctest: +ELLIPSIS
    Lesson 1: ...
    """
    show(overview())
