"""Labels of wires: their texts, and where they have room.

A label is placed beside its wire where it covers no box, no other label and no frame's name. If it
has no room it is left out; the wire's tooltip still shows it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import floor
from typing import NamedTuple

from .. import theme
from .curves import Line, Point, sample
from .items import Item
from .parts import Thread

Cell = tuple[int, int]  # column and row of a grid that finds neighbours quickly

WIDE = 150.0  # maximum width of a label
ASIDE = 7.0  # distance between a wire and its label
MANY = 300  # number of wires from which labels may cross some
_BIN, _WIDE = 48.0, 96.0  # height and width of a cell of the grid
_DOTTED_NAME = re.compile(r"[A-Za-z_]\w*(\.\w+)*\.[A-Za-z_]\w*")  # the name of a parameter
# Places along a level piece of a wire, from its middle to its ends.
_SHARES_ALONG = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.0, 1.0, 0.2, 0.8)
_SHORTER_SHARES = (0.75, 0.55)  # shares of a label's width that shorter texts may take


class Area(NamedTuple):
    """Rectangle, given by its sides."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: Area) -> bool:
        """Return whether two areas overlap."""
        left, top, right, bottom = other
        return self.left < right and left < self.right and self.top < bottom and top < self.bottom


class Label(NamedTuple):
    """Text on a wire, and the start of its base line."""

    text: str
    at: Point

    def area(self) -> Area:
        """Return the area of the text."""
        x, y = self.at
        return Area(x, y - 8.0, x + width(self.text), y + 2.5)


def tenth(x: float) -> float:
    """Return the nearest tenth; halves are rounded up, as in JavaScript."""
    return floor(x * 10 + 0.5) / 10


def width(label: str) -> float:
    """Return the width of a label in pixels."""
    return theme.text_width(label, theme.SMALL, mono=True)


def head(frame: Item, x: float, y: float, w: float) -> Iterator[Area]:
    """Yield the areas of a frame's name and badges."""
    assert frame.inside is not None
    left, right = (side - 26.0 for side in frame.inside.head)
    yield Area(x + 14, y + 6, x + 14 + left, y + 26)
    yield Area(x + w - 14 - right, y + 6, x + w - 14, y + 26)


class Text(NamedTuple):
    """Text and its width."""

    text: str
    width: float


Texts = tuple[Text, ...]  # label of a wire, then shorter texts


def texts_of(label: str) -> Texts:
    """Return the text on an edge's wire and shorter ones; nothing for an empty label."""
    full = brief(label)
    if not full:
        return ()
    parts, widest = split(full), width(full)
    own = shorten_each(parts, own_name)
    short = [", ".join(names) for names in (own, shorten_each(own, cut))]
    rooms = [max(share * widest, 30.0) for share in _SHORTER_SHARES]
    texts = [full, *short, *(within(parts, room) for room in rooms)]
    return tuple(Text(text, width(text)) for text in dict.fromkeys(texts))


def with_more(texts: Texts) -> Texts:
    """Return the texts of a wire that carries further tensors: `x, …`."""
    return tuple(each if each.text.endswith(", …") else more_after(each) for each in texts)


def more_after(text: Text) -> Text:
    return Text(f"{text.text}, …", text.width + width(", …"))


def _cells_of_area(area: Area) -> Iterator[Cell]:
    """Yield the cells of the grid that an area overlaps."""
    rows = range(int(area.top // _BIN), int(area.bottom // _BIN) + 1)
    for column in range(int(area.left // _WIDE), int(area.right // _WIDE) + 1):
        for row in rows:
            yield column, row


def brief(label: str) -> str:
    """Return a label shortened to the width WIDE; the tooltip of the wire shows all of it.

    First leave out the owner of a parameter, which the box at the wire's end shows, then the inside
    of brackets, then the last of several names. Different names stay different.

    >>> brief("images, net.features.0.weight")
    'images, weight'
    >>> brief("d(norm1(x + dropout1(relu(h)))), conv2d(x)")
    'd(norm1(…)), conv2d(…)'
    >>> brief("batch_norm_0.tmp_1, batch_norm1d_0.w_0, fc_0.tmp_1")
    'batch_norm_0.tmp_1, …'
    >>> brief("a_tensor_with_a_very_long_name")
    'a_tensor_wi…ry_long_name'
    """
    parts = split(label)
    for shorter in (str, own_name, cut):
        parts = shorten_each(parts, shorter)
        if width(", ".join(parts)) <= WIDE:
            break
    return within(parts, WIDE)


def within(parts: Sequence[str], room: float) -> str:
    """Return as many names as fit; if none fits, cut the middle of the first."""
    every = ", ".join(parts)
    fewer = (", ".join([*parts[:count], "…"]) for count in range(len(parts) - 1, 0, -1))
    found = next((text for text in (every, *fewer) if width(text) <= room), "")
    more = ", …" if len(parts) > 1 else ""
    return found or theme.shorten(parts[0], theme.SMALL, room - width(more), mono=True) + more


def shorten_each(parts: Sequence[str], shorter: Callable[[str], str]) -> list[str]:
    """Return the names in a shorter form, except those that would become equal."""
    short = [shorter(part) for part in parts]
    if len({*short}) == len({*parts}):
        return short
    alike = [len({p for p, s in zip(parts, short, strict=True) if s == text}) for text in short]
    return [p if n > 1 else s for p, s, n in zip(parts, short, alike, strict=True)]


def split(label: str) -> list[str]:
    """Return the pieces of a label between commas outside of brackets."""
    if "," not in label:
        return [label.strip()]
    parts, deep = [""], 0
    for letter in label:
        deep += (letter in "([") - (letter in ")]")
        if letter == "," and not deep:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def own_name(part: str) -> str:
    """Return `weight` for `net.0.weight`, `d(weight)` and `weight.grad` for its gradients."""
    if part.startswith("d(") and part.endswith(")"):
        return f"d({own_name(part[2:-1])})"
    if not _DOTTED_NAME.fullmatch(part):
        return part
    return re.sub(r".*\.(?!grad$)", "", part)


def cut(formula: str) -> str:
    """Return a formula without the inside of brackets: `norm1(…)` for `norm1(x + 1)`."""
    if formula.startswith("d(") and formula.endswith(")"):
        return f"d({cut(formula[2:-1])})"
    outside, deep = "", 0
    for letter in formula:
        opens, closes = letter in "([", letter in ")]"
        deep -= closes
        if deep <= 0:
            outside += letter + "…" * opens
        deep += opens
    return outside


class Room:
    """Areas that labels may not cover (`full`), and lines that they avoid (`lines`)."""

    def __init__(self) -> None:
        self.full: dict[Cell, list[Area]] = defaultdict(list)
        self.borders: dict[Cell, list[Area]] = defaultdict(list)
        self.lines: dict[Cell, list[Point]] = defaultdict(list)

    def take(self, area: Area) -> None:
        """Keep labels away from an area."""
        for cell in _cells_of_area(area):
            self.full[cell].append(area)

    def draw(self, points: Iterable[Point]) -> None:
        """Make labels avoid points of a line."""
        for x, y in points:
            self.lines[int(x // _WIDE), int(y // _BIN)].append((x, y))

    def frame(self, x: float, y: float, w: float, h: float) -> None:
        """Make labels avoid a frame's border."""
        across, down = range(int(w // 6) + 1), range(int(h // 6) + 1)
        self.draw((x + 6 * k, side) for side in (y, y + h) for k in across)
        self.draw((side, y + 6 * k) for side in (x, x + w) for k in down)
        upright = (Area(side, y, side, y + h) for side in (x, x + w))
        level = (Area(x, side, x + w, side) for side in (y, y + h))
        for border in (*upright, *level):
            for cell in _cells_of_area(border):
                self.borders[cell].append(border)

    def free(self, area: Area) -> bool:
        return not _touches_any(area, self.full)

    def on_border(self, area: Area) -> bool:
        """Return whether an area overlaps the border of a frame."""
        return _touches_any(area, self.borders)

    def count_crossed(self, area: Area) -> int:
        """Return the number of points of lines in an area."""
        left, top, right, bottom = area
        cells = _cells_of_area(Area(left - 2, top, right + 2, bottom))
        points = (point for cell in cells for point in self.lines.get(cell, ()))
        return sum(left - 2 < x < right + 2 and top < y < bottom for x, y in points)


def _touches_any(area: Area, there: Mapping[Cell, Sequence[Area]]) -> bool:
    near = (other for cell in _cells_of_area(area) for other in there.get(cell, ()))
    return any(map(area.touches, near))


def place_labels(
    threads: Sequence[Thread],
    texts: Mapping[Thread, Texts],
    lines: Mapping[Thread, Line],
    room: Room,
) -> dict[Thread, Label]:
    """Return the label, perhaps shortened, for each wire that has room for it."""
    if len(threads) <= MANY:
        for line in lines.values():
            room.draw(sample(line.path))
    labels: dict[Thread, Label] = {}
    for thread in sorted(texts, key=lambda thread: thread.edge.kind != "saved"):
        best = _best_label(lines[thread].stations, texts[thread], room)
        if best is not None:
            labels[thread] = best
            room.take(best.area())
    return labels


def _best_label(stations: Sequence[Point], texts: Texts, room: Room) -> Label | None:
    """Return the longest text that crosses no line, at its first such place.

    If all cross lines, return the one that crosses fewest, preferably off the borders of frames.
    """
    found: list[tuple[bool, int, Label]] = []
    for text, wide in texts:
        for at in _label_places(stations, wide):
            area = Area(at[0], at[1] - 8.0, at[0] + wide, at[1] + 2.5)
            if at[0] <= 0 or not room.free(area):
                continue
            label, crossed = Label(text, at), room.count_crossed(area)
            if not crossed:
                return label
            found.append((room.on_border(area), crossed, label))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _label_places(points: Sequence[Point], wide: float) -> Iterator[Point]:
    """Yield places for a label of this width, the best first.

    A label goes above a level piece of a wire, or beside an upright one: on the side from which the
    wire bends away, at the upper end first.
    """
    for (x, y), (nx, ny) in pairwise(points):
        room = abs(x - nx) - wide - 20
        if abs(y - ny) < 0.1 and room >= 0:
            for part in _SHARES_ALONG:
                yield tenth(min(x, nx) + 8 + part * room), tenth(y - 5)
    if abs(points[0][1] - points[1][1]) > 0.1:
        upper = points if points[-1][1] > points[0][1] else points[::-1]
        yield from _places_beside(upper, wide)


def _places_beside(upper: Sequence[Point], wide: float) -> Iterator[Point]:
    (x, y), (bx, by) = upper[0], upper[-1]
    bend = next((px for px, _ in upper if px != x), x)
    sides = [x - wide - ASIDE, x + ASIDE]
    for at in sides if bend > x else sides[::-1]:
        yield tenth(at), tenth(y + 13)
        yield tenth(at), tenth(y + 21)
    low = [bx + ASIDE, bx - wide - ASIDE]
    for at in low if x <= bx else low[::-1]:
        yield tenth(at), tenth(by - 12)
    for (px, py), (qx, qy) in pairwise(upper):
        if abs(px - qx) < 0.1 and abs(qy - py) > 40:
            yield tenth(px + ASIDE), tenth((py + qy) / 2 + 4)
            yield tenth(px - wide - ASIDE), tenth((py + qy) / 2 + 4)
