"""Overview of a learner's progress in every lesson, with the next exercise."""

from __future__ import annotations

import html
from dataclasses import dataclass

from ..folders import lessons_folder
from ..messages import Message
from . import progress
from .cards import GREEN, show
from .course import lessons, read
from .outcomes import spoken, text
from .progress import State

DONE, LEFT = "✓", "○"
BADGE = "display:inline-block;white-space:nowrap;margin:2px;padding:0 6px;border-radius:3px"
BADGE += ";line-height:1.6"
# Marks are beside their lesson on a wide page, and below the lesson on a narrow page.
LIST = "list-style:none;margin:0;padding:0"
ROW = "display:flex;flex-wrap:wrap;gap:4px 16px;margin:0;padding:6px 0"
FULL, EMPTY = f"background:{GREEN};color:#fff", "box-shadow:inset 0 0 0 1px currentColor"
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
        words = DAMAGED.fill(n=str(damaged), file=str(progress.path()))
        self.complaint = words.of(lang) if damaged else ""

    def __repr__(self) -> str:
        lines = []
        for row in self.rows:
            count = OF.fill(done=str(row.done), count=str(len(row.parts))).of(self.lang)
            lines.append(f"{row.title.of(self.lang)}  ({count})")
            lines += [f"  {sign(state)} {name}{self.help(state)}" for name, state in row.parts]
        lines += ["", self.advice, self.complaint]
        return "\n".join(lines).rstrip()

    def help(self, state: State) -> str:
        """Describe the help that was used for an exercise, in parentheses."""
        said = [HINTS.fill(n=str(state.hints)).of(self.lang)] if state.hints else []
        said += [SOLUTION.of(self.lang)] if state.solution else []
        return f" ({', '.join(said)})" if said else ""

    def _repr_html_(self) -> str:
        rows = "".join(self._html_row(row) for row in self.rows)
        said = f"<p>{html.escape(self.complaint)}</p>" if self.complaint else ""
        return (
            f'<ul class="mp-progress" style="{LIST}">{rows}</ul>'
            f"<p>{self._link_to(self.next, self.advice)}</p>{said}"
        )

    def _html_row(self, row: Row) -> str:
        marks = " ".join(
            f'<span title="{html.escape(name + self.help(state))}" style="{BADGE};'
            f'{FULL if state.done else EMPTY}">{sign(state)} {html.escape(name)}</span>'
            for name, state in row.parts
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
    return DONE if state.done else LEFT


def overview(lang: str = "") -> Overview:
    """Return the learner's progress: minipaddle's lessons in order, then other courses."""
    lang = lang or spoken()
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
    number = name.split("_", maxsplit=1)[0].lstrip("0") or "0"
    title = LESSON.fill(n=number, title=lesson.title)
    parts = tuple((part.name, states.get((name, part.name), State())) for part in lesson)
    return Row(name, title, parts, f"{name}.ipynb")


def show_progress() -> None:
    """Show the progress and the next exercise: a list with links in a notebook, else lines.

    Errors: none; unreadable lines of the learner's file are skipped and counted.

    >>> from minipaddle import exercises
    >>> exercises.show_progress()  # doctest: +ELLIPSIS
    Lesson 1: ...
    """
    show(overview())
