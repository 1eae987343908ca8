"""The chart of memory under a picture: bytes at each step, and below them the rows of blocks.

Each kind of row has bars of its own form: full, framed, double, or low.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from minipaddle import messages

from .. import theme
from ..language.words import say
from ..layout.curves import straight_path
from ..layout.labels import cut
from ..model import Memory, Row, Story
from ..story.memory import LASTING
from ..story.sentences import memory as say_memory
from .paint import Line, Mark, Painting, Part, Patch, Rect, Words, on_paper

PAD, AREA, ROW, GAP = 20.0, 38.0, 15.0, 3.0
LABELS = 180.0  # maximum width of the column of names
ROWS = 12  # maximum number of rows that are drawn
NOT_DRAWN = messages.Message("Not drawn: {count} more.")
SMALL = 10.0


@dataclass(frozen=True, slots=True)
class Frame:
    """Place of the chart's steps from left to right."""

    left: float
    wide: float
    steps: int

    def x(self, step: float) -> float:
        return self.left + self.wide * step / self.steps


def add_chart(
    painting: Painting,
    story: Story,
    lang: str,
    step: int | None = None,
    rows: bool = True,
    first: int = 0,
) -> Painting:
    """Return the painting with the chart below it; a line marks the step, if given.

    `first` is the number of the story's first step in the whole trace.
    """
    memory = story.memory
    if not memory.rows:
        return painting
    shown = rows_to_draw(memory) if rows else []
    labels = min(LABELS, painting.width * 0.3)
    frame = Frame(painting.left + PAD + labels, painting.width - 2 * PAD - labels, len(memory.live))
    top = painting.height + PAD / 2
    bottom = top + AREA + (GAP + ROW) * len(shown)
    marks = [*area(memory, frame, top, lang)]
    for k, row in enumerate(shown):
        marks += row_marks(row, frame, top + AREA + GAP + k * (ROW + GAP), labels, lang)
    if step is not None:
        x = frame.x(step + 0.5)
        marks.append(Line(straight_path((x, top - 3), (x, bottom + 3)), "ink", 1.6))
    sentences = [say_memory.most(memory, first)]
    missing = len(memory.rows) - len(shown) if rows else 0
    if missing:
        sentences.append(NOT_DRAWN.fill(count=missing))
    text = messages.Row(sentences, messages.SENTENCES).of(lang)
    short = theme.shorten(text, SMALL, frame.wide, ends=False)
    marks.append(Words(frame.left, bottom + 16, short, SMALL, "muted", anchor="start"))
    height = bottom + 16 + PAD
    chart = Part("memory", tuple(marks), title=text)
    return on_paper(painting.left, painting.width, height, [*painting.parts, chart])


def rows_to_draw(memory: Memory) -> list[Row]:
    """Return the rows that are drawn: temporary ones before lasting ones, large before small."""
    rows = memory.rows
    by = sorted(range(len(rows)), key=lambda k: (rows[k].kind in LASTING, -rows[k].nbytes))
    return [rows[k] for k in sorted(by[:ROWS])]


def area(memory: Memory, frame: Frame, top: float, lang: str) -> Iterator[Mark]:
    """Yield the bytes at each step: lasting memory at the bottom, temporary memory above it."""
    totals = [sum(both) for both in memory.live]
    scale = (AREA - 4) / max(1, *totals)
    yield Rect(frame.left, top, frame.wide, AREA, 3, "plain")
    yield from stairs(totals, frame, top + AREA, scale, "saved")
    yield from stairs([lasting for _, lasting in memory.live], frame, top + AREA, scale, "line")
    title = say("memory", lang)
    yield Words(frame.left - 8, top + AREA / 2 + 4, title, 11.0, "ink", anchor="end", bold=True)


def stairs(
    sizes: Sequence[int], frame: Frame, floor: float, scale: float, tone: str
) -> Iterator[Mark]:
    """Yield a filled outline that changes at steps only."""
    if not any(sizes):
        return
    points = [(frame.x(0), floor)]
    for step, size in enumerate(sizes):
        if not step or size != sizes[step - 1]:
            points += [(frame.x(step), points[-1][1]), (frame.x(step), floor - size * scale)]
    points += [(frame.x(len(sizes)), points[-1][1]), (frame.x(len(sizes)), floor)]
    yield Patch(tuple((round(x, 1), round(y, 1)) for x, y in points), tone)


def row_marks(row: Row, frame: Frame, top: float, room: float, lang: str) -> Iterator[Mark]:
    """Yield one block, or the memory of one value: its name, and a bar for each stay."""
    yield Rect(frame.left, top, frame.wide, ROW, 3, "plain")
    label = row_label(row, room - 8, lang)
    yield Words(frame.left - 8, top + 11, label, SMALL, "muted", anchor="end")
    end = frame.left
    for stay in row.stays:
        x, to = frame.x(stay.first), frame.x(stay.last + 1)
        if to - end < 0.5:
            continue  # too narrow to be seen beside its neighbour
        end, wide = to, max(to - x - min(1.5, (to - x) / 4), 0.5)
        yield from bar(row.kind, round(x, 1), round(wide, 1), top)
        if row.kind == "shared" and theme.text_width(stay.name, SMALL) < wide - 6:
            yield Words(x + wide / 2, top + 11, stay.name, SMALL, "paper")


def row_label(row: Row, room: float, lang: str) -> str:
    """Return the label of a row with its kind; a short room cuts the name, then drops the kind."""
    kind = say_memory.SHORT.get(row.kind)

    def whole(name: str) -> str:
        return say_memory.in_brackets(name, kind).of(lang) if kind else name

    for name in (row.label, cut(row.label)):
        if theme.text_width(whole(name), SMALL) <= room:
            return whole(name)
    rest = room - theme.text_width(whole(""), SMALL)
    if rest < room / 2:
        return theme.shorten(row.label, SMALL, room)
    return whole(theme.shorten(cut(row.label), SMALL, rest))


def bar(kind: str, x: float, wide: float, top: float) -> list[Mark]:
    """Return a stay in the form of its kind."""
    if kind == "fed":
        return [Rect(x, top + y, wide, 3.0, 0, "forward") for y in (3.0, 9.0)]
    if kind in LASTING:
        return [Rect(x, top + 9, wide, 4.0, 0, "line")]
    if kind == "own":
        return [Rect(x, top + 2.5, wide, 10.0, 2, None, "saved", 1.4)]
    return [Rect(x, top + 1.5, wide, 12.0, 2, "saved")]
