"""Cards under a picture: an error with shapes and advice, or a remark about a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import theme
from ..language.words import say
from ..model import Fault, ShapeRow, Step, Story
from .film_strip import with_room, wrap_text
from .paint import Mark, Painting, Part, Rect, Words, on_paper

WIDTH = 560.0  # minimum width of a card
PAD, INSET, APART = 20.0, 14.0, 10.0
SIZE, LINE = 12.0, 18.0
CELL, ROW = 8.0, 22.0  # space between columns of sizes; height of a row of sizes
LABELS = 74.0  # width of the column of headings: expected, to do


def add_fault(painting: Painting, story: Story, lang: str) -> Painting:
    """Return the painting, with a card below it if the last step of the story is an error."""
    step = story.steps[-1] if story.steps else None
    if step is None or step.fault is None:
        return painting
    fault = step.fault
    title = step.text.of(lang)
    return with_card(painting, title, lang, "alert-fill", lambda card: card.add(story, step, fault))


def add_remark(painting: Painting, text: str, lang: str) -> Painting:
    """Return the painting, with a card below it if there is a text."""
    if not text:
        return painting
    return with_card(painting, text, lang, "paper", lambda card: card.text(text, "ink"))


def with_card(
    painting: Painting, title: str, lang: str, fill: str, write: Callable[[Card], None]
) -> Painting:
    """Return the painting with a card below it that `write` fills."""
    wide = with_room(painting, max(painting.width, WIDTH), painting.height)
    left, width = wide.left + PAD, wide.width - 2 * PAD
    card = Card(left + INSET, wide.height + INSET + LINE * 0.7, width - 2 * INSET, lang)
    write(card)
    bottom = card.y - LINE + INSET
    frame = Rect(left, wide.height, width, bottom - wide.height, 8, fill, "alert", 1.6)
    part = Part("fault", (frame, *card.marks), title=title)
    return on_paper(wide.left, wide.width, bottom + PAD, [*wide.parts, part])


class Card:
    """Marks of a card, one line after the other; `y` is the base line of the next line."""

    def __init__(self, x: float, y: float, width: float, lang: str) -> None:
        self.x, self.y, self.width, self.lang = x, y, width, lang
        self.marks: list[Mark] = []

    def add(self, story: Story, step: Step, fault: Fault) -> None:
        """Add the whole content of an error's card."""
        self.text(f"✗ {step.text.of(self.lang)}", "alert", bold=True)
        if step.line is not None:
            self.text("  ".join(story.code_at(step.line)), "muted", mono=True)
        if fault.rows:
            self.y += APART
            self.table(fault.rows)
        self.y += APART / 2
        for kind, text in fault.told:
            label = say(f"fault_{kind}", self.lang)
            self.marks.append(Words(self.x, self.y, label, SIZE, "muted", anchor="start"))
            self.text(text.of(self.lang), "ink", indent=LABELS)

    def text(
        self, text: str, colour: str, bold: bool = False, mono: bool = False, indent: float = 0.0
    ) -> None:
        """Add a text in as many lines as it needs."""
        widest = (self.width - indent) / (theme.BOLD if bold else 1.0)
        for line in text.split("\n"):
            for part in wrap_text(line, widest, SIZE, mono=mono):
                x = self.x + indent
                self.marks.append(Words(x, self.y, part, SIZE, colour, "start", bold, mono))
                self.y += LINE

    def table(self, rows: tuple[ShapeRow, ...]) -> None:
        """Add shapes below each other, with frames around the sizes that clash."""
        names = [theme.shorten(row.name, SIZE, self.width / 3, mono=True) for row in rows]
        columns = list(zip(*(row.sizes for row in rows), strict=True))
        wide = [max(map(mono_width, column)) + CELL for column in columns]
        first = self.x + max(map(mono_width, names)) + 2 * CELL
        for name, row in zip(names, rows, strict=True):
            self.marks.append(Words(self.x, self.y, name, SIZE, "ink", "start", True, True))
            self.marks += self._size_marks(row, first, wide)
            self.y += ROW

    def _size_marks(self, row: ShapeRow, x: float, wide: list[float]) -> Iterator[Mark]:
        for column, (size, room) in enumerate(zip(row.sizes, wide, strict=True)):
            yield from self._cell_marks(x, room, size, column in row.clash)
            x += room + CELL
        note = row.note.of(self.lang)
        if note:
            yield from self._cell_marks(x, mono_width(note) + CELL, note, row.odd, "muted")

    def _cell_marks(
        self, x: float, room: float, text: str, odd: bool, tone: str = "ink"
    ) -> Iterator[Mark]:
        if odd:
            yield Rect(x, self.y - LINE * 0.78, room, LINE + 1, 4, "paper", "alert", 1.8)
        colour = "alert" if odd else tone
        at = x + room - CELL / 2
        yield Words(at, self.y, text, SIZE, colour, anchor="end", bold=odd, mono=True)


def mono_width(text: str) -> float:
    """Return the width of a monospaced text."""
    return theme.text_width(text, SIZE, mono=True)
