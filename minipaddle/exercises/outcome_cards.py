"""Card of an outcome: the reason, and the expected beside the received values."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.visible import make_visible
from ..messages import Message
from .cards import AMBER, GREEN, LONGEST, RED, Card
from .outcomes import SILENT, Array, Failed, NotYet, Outcome, Pair, Right, Wrong
from .trials import close

STATES = {
    NotYet: ("○", Message.in_context("exercise", "not yet"), AMBER),
    Failed: ("✗", Message.in_context("exercise", "error"), RED),
    Wrong: ("✗", Message("wrong"), RED),
    Right: ("✓", Message("right"), GREEN),
}

STUCK = {  # (has hints, has a solution) -> advice
    (True, True): Message("Stuck? .hint() gives a hint, .show_solution() a solution."),
    (True, False): Message("Stuck? .hint() gives a hint."),
    (False, True): Message("Stuck? .show_solution() shows a solution."),
    (False, False): SILENT,
}
CODE = "margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere"
MOST_DIGITS = 17  # enough to distinguish any two numbers of float64
NO_BRACKETS = str.maketrans("[],", "   ")
PLAIN: dict[str, Any] = {"formatter": None, "sign": "-", "linewidth": 75, "floatmode": "maxprec"}
HINT, SOLUTION = Message("Hint {n}"), Message("Solution")
GIVEN = Message("It was run with")
PLACE = Message("{name} is wrong.")
PLACES = Message("{name} {shape}: wrong in {wrong} of {count} places.")
EXPECTED, GOT = Message.in_context("comparison", "expected"), Message("yours")


class OutcomeCard(Card):
    """Outcome of an exercise: the reason, expected beside received values, and buttons for help."""

    def __init__(self, exercise: Any, outcome: Outcome) -> None:
        super().__init__(exercise.name)
        self.exercise, self.outcome = exercise, outcome
        self.reason, self.pairs, self.record = outcome.reason, outcome.pairs, outcome.record
        self.places: list[Message] = []
        if not exercise.shows_answer:
            # The player compares gradients with finite differences, so it shows what is right.
            self.pairs, self.record = (), None
            if outcome.brief != SILENT:
                self.reason = outcome.brief
            self.places = [place(pair) for pair in outcome.pairs if have_one_shape(pair)]
        *_, self.colour = STATES[type(outcome)]

    def state(self) -> tuple[str, Message]:
        """Return the mark and the verdict."""
        mark, word, _ = STATES[type(self.outcome)]
        return mark, word

    def body(self) -> list[str]:
        """Return the reason, the exception, the arrays, and the advice."""
        outcome, lang = self.outcome, self.lang
        rows = [self.reason.of(lang), *(each.of(lang) for each in self.places)]
        rows += [outcome.error.of(lang), outcome.line]
        if not outcome.solved and outcome.given:
            rows.append(Message("{words}:", words=GIVEN).of(lang))
            rows += [f"  {name} = {numbers(x, indent=len(name) + 5)}" for name, x in outcome.given]
        rows += [pair_as_text(pair, lang) for pair in self.pairs]
        help_there = bool(self.exercise.hints), bool(self.exercise.solution.of(lang))
        return [*rows, "" if outcome.solved else STUCK[help_there].of(lang)]

    def html_body(self) -> list[str]:
        """Return title, reason and exception, and arrays as heat maps."""
        outcome, lang = self.outcome, self.lang
        title = self.exercise.title.of(lang)
        said = "\n".join([self.reason.of(lang), *(each.of(lang) for each in self.places)])
        reason = make_visible(said, keep="\n", most=LONGEST)
        said = html.escape(reason).replace("\n", "<br>")
        pieces = [f" {html.escape(title)}" if title else "", f"<div>{said}</div>"]
        codes = [code for code in (outcome.error.of(lang), outcome.line) if code]
        pieces += [f'<pre style="{CODE}">{html.escape(code)}</pre>' for code in codes]
        if not outcome.solved and outcome.given:
            pieces.append(grids([(name, x, None) for name, x in outcome.given], GIVEN.of(lang)))
        return pieces + [pair_as_html(pair, lang) for pair in self.pairs]

    def face(self) -> dict[str, Any]:
        """Return the face with a button for each hint, and one for the solution."""
        if self.outcome.solved:
            return super().face()
        lang, exercise = self.lang, self.exercise
        buttons = [
            {"label": HINT.fill(n=str(n)).of(lang), "text": hint.of(lang), "code": False}
            for n, hint in enumerate(exercise.hints, 1)
        ]
        if code := exercise.solution.of(lang):
            buttons.append({"label": SOLUTION.of(lang), "text": code, "code": True})
        return {**super().face(), "buttons": buttons}

    def open(self, number: int) -> None:
        """Note which hint was opened, or that the solution was."""
        self.exercise.note_help(number + 1)


def place(pair: Pair) -> Message:
    """Say which result is wrong, and in how many places, without any of its values."""
    fits = close(pair.got, pair.expected)
    counts = {"wrong": str(fits.size - np.count_nonzero(fits)), "count": str(fits.size)}
    words = PLACES if fits.ndim else PLACE
    return words.fill(name=pair.label, shape=str(list(fits.shape)), **counts)


def have_one_shape(pair: Pair) -> bool:
    """Return whether the expected and the received array have the same shape."""
    return np.shape(pair.got) == np.shape(pair.expected)


# ----- arrays ------------------------------------------------------------------------------------


def numbers(array: Array, digits: int = 4, indent: int = 0) -> str:
    """Return an array as text with further lines indented, whatever NumPy's print options are.

    A single text, such as code, stays as it is.
    """
    if is_text(array):
        shown = make_visible(str(array), keep="\n", most=LONGEST)
        return shown.replace("\n", "\n" + " " * indent)
    with np.printoptions(**PLAIN):
        said = np.array2string(
            np.asarray(array), precision=digits, suppress_small=True, threshold=60
        )
    return said.replace("\n", "\n" + " " * indent)


def least_digits(
    expected: Array, got: Array, digits: int, write: Callable[[Array, int], str]
) -> int:
    """Return the least number of digits with which all different numbers look different."""
    wanted, came = np.asarray(expected), np.asarray(got)
    alike = close(came, wanted).ravel() if came.shape == wanted.shape else None
    for more in range(digits, MOST_DIGITS):
        texts = [write(array, more) for array in (wanted, came)]
        words = [text.translate(NO_BRACKETS).split() for text in texts]
        if alike is None or not len(alike) == len(words[0]) == len(words[1]):
            differs = texts[0] != texts[1]
        else:
            differs = all(fits or a != b for fits, a, b in zip(alike, *words, strict=True))
        if differs:
            return more
    return MOST_DIGITS


def pair_as_text(pair: Pair, lang: str) -> str:
    """Return the expected array above the received one."""
    rows = [f"{pair.label.of(lang)} {list(np.shape(pair.expected))}"]
    digits = least_digits(pair.expected, pair.got, 4, numbers)
    for title, array in ((EXPECTED, pair.expected), (GOT, pair.got)):
        label = f"  {title.of(lang)} "
        rows.append(label + numbers(array, digits, columns(label)))
    return "\n".join(rows)


def columns(words: str) -> int:
    """Return the width of a text; a Chinese character takes two columns."""
    return len(words) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in words)


def pair_as_html(pair: Pair, lang: str) -> str:
    """Return expected beside received values, with a frame around each wrong number."""
    fits = (
        close(pair.got, pair.expected)
        if have_one_shape(pair)
        else np.zeros(np.shape(pair.got), bool)
    )
    both = [(EXPECTED.of(lang), pair.expected, None), (GOT.of(lang), pair.got, fits)]
    digits = least_digits(pair.expected, pair.got, 4, in_cells)
    return grids(both, f"<code>{html.escape(pair.label.of(lang))}</code>", digits, escaped=True)


def in_cells(array: Array, digits: int) -> str:
    """Return the numbers of a grid as one text."""
    return " ".join(in_cell(value, digits) for value in np.asarray(array).ravel())


def in_cell(value: Any, digits: int) -> str:
    """Return a number as the grid shows it."""
    return f"{value:.{digits}g}" if isinstance(value, float | np.floating) else str(value)


def grids(
    rows: list[tuple[str, Array, Any]], title: str, digits: int = 4, escaped: bool = False
) -> str:
    """Draw small heat maps side by side, each with its shape, under one title."""
    several = any(np.ndim(array) for _, array, _ in rows)  # numbers alone have no shape to show
    largest = max((largest_of(array) for _, array, _ in rows), default=1.0) or 1.0
    shown = "".join(
        f"<div><small>{html.escape(name)} {shape_of(array) if several else ''}</small>"
        f"{grid(np.asarray(array), largest, fits, digits)}</div>"
        for name, array, fits in rows
    )
    return (
        f'<div style="margin:6px 0">{title if escaped else html.escape(title)}'
        f'<div style="display:flex;gap:28px;flex-wrap:wrap">{shown}</div></div>'
    )


def shape_of(array: Array) -> str:
    """Return the shape of an array as cards show it; a text has none."""
    return "" if is_text(array) else str([*np.shape(array)])


def is_text(array: Array) -> bool:
    """Return whether an array is a single text."""
    return np.ndim(array) == 0 and np.asarray(array).dtype.kind == "U"


def are_numbers(array: Array) -> bool:
    """Return whether an array has numbers, not texts."""
    return np.asarray(array).dtype.kind in "biuf"


def largest_of(array: Array) -> float:
    """Return the largest finite magnitude."""
    if not are_numbers(array):
        return 0.0
    sizes = np.abs(np.asarray(array, "float64"))
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))


def grid(array: Array, largest: float, fits: Any, digits: int) -> str:
    """Draw a table of numbers: pink below zero, green above, red frames around wrong ones."""
    flat = array.reshape(-1, array.shape[-1] if array.ndim else 1) if array.size else array
    if array.size > 60 or flat.ndim != 2 or not are_numbers(array):
        return f'<pre style="margin:0">{html.escape(numbers(array, digits))}</pre>'
    right = np.ones(flat.shape, bool) if fits is None else fits.reshape(flat.shape)
    rows = "".join(
        f"<tr>{''.join(cell(v, largest, ok, digits) for v, ok in zip(row, oks, strict=True))}</tr>"
        for row, oks in zip(flat, right, strict=True)
    )
    return (
        '<table style="border-collapse:separate;border-spacing:2px;margin:0;color:inherit">'
        f"{rows}</table>"
    )


def cell(value: Any, largest: float, fits: bool, digits: int) -> str:
    """Draw one number."""
    shown = in_cell(value, digits)
    size = abs(float(value)) if np.isfinite(value) else 0.0
    tint = "130,184,58" if value > 0 else "217,116,180"  # as in the player
    frame = "transparent" if fits else RED
    return (
        f'<td style="background:rgba({tint},{0.12 + 0.5 * min(size / largest, 1.0):.2f});'
        f"border:2px solid {frame};padding:2px 8px;text-align:right;"
        f'font-family:monospace">{html.escape(shown)}</td>'
    )
