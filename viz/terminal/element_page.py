"""A page of the terminal's player: one element, and the elements that it was computed from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

import numpy as np

from minipaddle.messages import Message

from ..draw.pages import UNKEPT
from ..explanation.cells import Index
from ..explanation.element_words import value_text
from ..explanation.elements import ElementExplanation, StepElements
from ..explanation.step_computations import RESULTS
from ..language.words import say
from ..model import Shown, Step
from ..story.chapters import Recorded
from ..story.sentences.wording import shape
from ..theme import cells as width_of
from .fitting import cut, window, wrap_text

LIT, CURSOR, PLAIN = "\x1b[1m", "\x1b[7m", "\x1b[0m"
ESCAPES = re.compile("\x1b\\[[0-9]m")
NO_ELEMENTS = Message("This step shows no elements.")
MOVES = {"left": -1, "right": 1, "home": -(10**12), "end": 10**12}


class ElementPage:
    """Page with a cursor in the values of a step, which highlights related elements.

    Related are the elements that the cursor's element was computed from, or that it affects.
    """

    def __init__(self, trace: Recorded, step: Step, number: int) -> None:
        self.trace, self.step, self.number = trace, step, number
        shown = enumerate(step.shown)
        rows = [(place, each) for place, each in shown if each.value and prod(each.value["shape"])]
        rows.sort(key=lambda row: row[1].role not in RESULTS)
        self.places = [place for place, _ in rows]
        self.tensor = 0  # position in `places` of the value with the cursor
        self.cursor = 0  # number of the element, counted through the value
        self.elements: StepElements | None = None
        self.known: dict[tuple[int, Index], ElementExplanation] = {}

    @property
    def shown(self) -> Shown:
        """Value with the cursor."""
        return self.step.shown[self.places[self.tensor]]

    @property
    def index(self) -> Index:
        """Index of the element at the cursor."""
        return tuple(map(int, np.unravel_index(self.cursor, sizes_of(self.shown))))

    def press(self, key: str) -> bool:
        """Move the cursor; return False for a key that does nothing here."""
        if key == "\t" and self.places:
            self.tensor, self.cursor = (self.tensor + 1) % len(self.places), 0
            return True
        if key not in MOVES and key not in ("up", "down"):
            return False
        if self.places:
            sizes = sizes_of(self.shown)
            line = sizes[-1] if sizes else 1
            by = MOVES.get(key, -line if key == "up" else line)
            moved = self.cursor + by
            if 0 <= moved < prod(sizes) or key in MOVES:
                self.cursor = max(0, min(moved, prod(sizes) - 1))
        return True

    def explained(self) -> ElementExplanation:
        """Return the explanation of the element at the cursor."""
        if self.elements is None:
            self.elements = StepElements(self.trace, self.step, self.number)
        at = self.places[self.tensor], self.index
        if at not in self.known:
            self.known[at] = self.elements.explain(*at)
        return self.known[at]

    def lines(self, lang: str, columns: int, rows: int) -> Iterator[str]:
        """Yield the text about the element, then the values with marks at highlighted elements."""
        if not self.places:
            yield cut(NO_ELEMENTS.of(lang), columns)
            return
        found = self.explained()
        sentence, *details = found.lines(lang)
        text = [*wrap_text(sentence, columns), *(cut(line, columns) for line in details)]
        text = text[: max(rows // 3, 3)]
        yield from text
        room = max((rows - len(text)) // len(self.places) - 2, 1)
        for place in self.places:
            shown = self.step.shown[place]
            own = place == self.places[self.tensor]
            table = Table(shown, *self.lit(shown, found), self.index if own else None)
            yield ""
            yield from table.lines(lang, columns, room)

    def lit(
        self, shown: Shown, found: ElementExplanation
    ) -> tuple[frozenset[Index], frozenset[Index]]:
        """Return the highlighted elements of a value, and the alternatives of a choice."""
        none = frozenset[Index]()
        if shown.role in RESULTS:
            return found.acts_on.get(shown.name, none), none
        return found.reads.get(shown.name, none), found.chosen_from.get(shown.name, none)


class Table(NamedTuple):
    """Value as rows: `[0.5]` at the cursor, `•0.5` if highlighted, `◦0.5` for alternatives.

    `lit` are the highlighted elements, `among` those of which one was chosen. A value with more
    than two axes is shown as the matrix with the cursor, or with the first highlighted element.
    """

    shown: Shown
    lit: frozenset[Index]
    among: frozenset[Index]
    cursor: Index | None

    def lines(self, lang: str, columns: int, rows: int) -> Iterator[str]:
        """Yield a line with the name, then as many rows and columns as fit."""
        sizes, value = sizes_of(self.shown), self.shown.value or {}
        zero = (0,) * len(sizes)
        focus = zero if self.cursor is None else self.cursor
        focus = focus if self.cursor is not None else min(self.lit | self.among, default=zero)
        lead = focus[:-2]
        place = f"[{', '.join([*map(str, lead), ':', ':'])}]" if lead else ""
        role = say(f"{self.shown.role}_short" if self.shown.role != "taken" else "taken", lang)
        head = f"{role} {self.shown.name}{place}: {shape(sizes)} {value.get('dtype', '')}"
        yield cut(head, columns)
        data = value.get("data")
        if data is None:
            yield cut(f"  {UNKEPT.of(lang)}", columns)
            return
        for at in lead:
            data = data[at]
        matrix = data if len(sizes) > 1 else [data] if sizes else [[data]]
        texts = [[value_text(number) for number in row] for row in matrix]
        wide = max(width_of(text) for row in texts for text in row) + 2
        row, column = (0, 0, *focus)[-2:] if len(sizes) != 1 else (0, focus[0])
        top = window(row, rows, len(texts))
        left = window(column, max((columns - 4) // (wide + 1), 1), len(texts[0]))
        for at in top:
            places = [(*lead, at, k)[-len(sizes) :] if sizes else () for k in left]
            pairs = zip(places, left, strict=True)
            numbers = [self.marked(texts[at][k], wide, place) for place, k in pairs]
            before, after = "…" if left.start else " ", " …" if left.stop < len(texts[at]) else ""
            yield fitted(f" {before} {' '.join(numbers)}{after}", columns)

    def marked(self, text: str, wide: int, index: Index) -> str:
        """Return a number with its mark."""
        if index == self.cursor:
            return CURSOR + f"[{text}]".rjust(wide) + PLAIN
        if index in self.lit:
            return LIT + f"•{text} ".rjust(wide) + PLAIN
        return (f"◦{text} " if index in self.among else f"{text} ").rjust(wide)


def fitted(line: str, columns: int) -> str:
    """Return a line with its marks if it fits, else its text cut without marks."""
    text = ESCAPES.sub("", line)
    return line if width_of(text) <= columns else cut(text, columns)


def sizes_of(shown: Shown) -> tuple[int, ...]:
    value: Mapping[str, Any] = shown.value or {}
    return tuple(value.get("shape", ()))
