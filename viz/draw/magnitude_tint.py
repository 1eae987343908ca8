"""A painting whose boxes are coloured by magnitude, with the legend of the scale below it.

Zero, NaN and infinity are signs at the corner of a box. A box without a size has no colour.
"""

from __future__ import annotations

from dataclasses import replace

from minipaddle.messages import CLAUSES, Message, Row, Text

from .. import theme
from ..facts.costs import BY as COSTS
from ..facts.costs import Costs
from ..facts.magnitude import CLASSES, SIGNS, Colouring
from ..language.words import WORDS, words_of
from ..layout.scene import Scene
from .paint import Line, Mark, Painting, Part, Patch, Rect, Words, on_paper

# entry of the legend -> key in the catalogue
NAMES = {
    "grad": "scale_grad", "value": "scale_value", "empty": "sizeEmpty",
    "none-grad": "none_grad", "none-value": "none_value", "zero": "sizeZero",
    "odd": "sizeOdd", "closed": "sizeClosed", "sum": "cost_sum",
    **{by: f"scale_{by}" for by in COSTS}, **{f"none-{by}": f"none_{by}" for by in COSTS},
}  # fmt: skip
SMALL, LINE, PAD = 11.0, 22.0, 20.0
SWATCH = 26.0
TOLD = Message("Coloured by: {rows}.")
SIZE = Text("{box} {size}")


def tint(
    painting: Painting,
    scene: Scene,
    colouring: Colouring | Costs,
    step: int,
    lang: str,
    with_legend: bool = True,
) -> Painting:
    """Return the painting of a scene with its boxes coloured as they are after a step."""
    marks = _shades_of_boxes(scene, colouring, step)
    parts = [
        _tint_part(part, marks, scene.sizes.small) if part.role == "box" else part
        for part in painting.parts
    ]
    painting = replace(painting, parts=tuple(parts))
    return _with_legend(painting, colouring, lang) if with_legend else painting


def describe(scene: Scene, colouring: Colouring | Costs, step: int, lang: str) -> str:
    """Return a sentence that names every box with a size, and its size."""
    sizes = colouring.at(scene, step)
    rows = [
        SIZE.fill(box=box.label, size=colouring.text_of(sizes[box.id]))
        for box in scene.boxes
        if box.id in sizes
    ]
    empty = [] if rows else [WORDS[NAMES["empty"]]]
    said = Row([WORDS[NAMES[colouring.by]], *rows, *empty], CLAUSES)
    return TOLD.fill(rows=said).of(lang)


def _shades_of_boxes(scene: Scene, colouring: Colouring | Costs, step: int) -> dict[str, str]:
    scale, sizes = colouring.scale, colouring.at(scene, step)
    if scale is None:  # of no positive size
        return {name: size if isinstance(size, str) else "zero" for name, size in sizes.items()}
    return {name: scale.mark(size) for name, size in sizes.items()}


def _tint_part(part: Part, marks: dict[str, str], size: float) -> Part:
    """Return a box in the colour of its size; its badges stay as they are."""
    shade = marks.get(part.id)
    if shade is None:
        return replace(part, marks=(_recolour_mark(part.marks[0], "paper", ""), *part.marks[1:]))
    number = shade.isdigit()
    fill = f"ramp-{shade}" if number else "alert-fill" if shade in ("nan", "inf") else "paper"
    ink = f"ramp-ink-{shade}" if number else "ink"
    shape, *rest = part.marks
    assert isinstance(shape, Rect)
    drawn = [_recolour_mark(shape, fill, ""), *(_recolour_mark(mark, "", ink) for mark in rest)]
    drawn += [] if number else _sign_marks(shade, shape.x - 8, shape.y - 8, size)
    return replace(part, marks=tuple(drawn), magnitude=shade)


def _recolour_mark(mark: Mark, fill: str, ink: str) -> Mark:
    """Return a mark of a box with another fill, or with another ink for texts and signs."""
    if isinstance(mark, Rect):
        return replace(mark, fill=fill) if fill and mark.fill else mark
    if isinstance(mark, Words):
        return replace(mark, colour=ink) if ink and mark.colour in ("ink", "muted") else mark
    if isinstance(mark, Line) and ink:
        return replace(mark, stroke=ink)
    return replace(mark, fill=ink) if isinstance(mark, Patch) and ink else mark


def _sign_marks(kind: str, x: float, y: float, size: float = theme.SMALL) -> list[Mark]:
    """Return a small pill with `0`, `NaN` or `Inf`."""
    text = SIGNS[kind]
    tone, ground = ("ink", "paper") if kind == "zero" else ("alert", "alert-fill")
    wide = theme.text_width(text, size, bold=True) + 10
    return [
        Rect(x, y, wide, size + 6, size / 2 + 3, ground, tone, 1.4),
        Words(x + wide / 2, y + size * 1.16, text, size, tone, bold=True),
    ]


# ----- the legend --------------------------------------------------------------------------------


def legend(width: float, colouring: Colouring | Costs, lang: str) -> Painting:
    """Return the legend of a scale by itself."""
    return _with_legend(Painting(0, width, 0, ()), colouring, lang)


def _with_legend(painting: Painting, colouring: Colouring | Costs, lang: str) -> Painting:
    words = words_of(NAMES, lang)
    entries = [(f"none-{colouring.by}", 34.0), ("zero", 26.0), ("odd", 72.0), ("closed", 0.0)]
    if colouring.by in COSTS:
        entries = [entries[0], ("sum", 0.0)]
    wide = [room + theme.text_width(words[name], SMALL) + 18 for name, room in entries]
    title = theme.text_width(words[colouring.by], SMALL, bold=True)
    width = max(painting.width, *(room + 2 * PAD for room in (title, sum(wide[2:]), *wide)))
    one_line = sum(wide) <= width - 2 * PAD
    left = painting.left - (width - painting.width) / 2
    top = painting.height + 16
    marks: list[Mark] = [
        Words(left + PAD, top, words[colouring.by], SMALL, "ink", anchor="start", bold=True)
    ]
    marks += _ramp_marks(colouring, left + PAD, top + LINE, words)
    x, y = left + PAD, top + 2 * LINE
    for at, (name, room) in enumerate(entries):
        if at == len(entries) // 2 and not one_line:
            x, y = left + PAD, y + LINE
        marks += _entry_marks(name, x, y)
        marks.append(Words(x + room, y, words[name], SMALL, "muted", anchor="start"))
        x += wide[at]
    height = y + 16
    legend = Part("magnitudes", tuple(marks), title=words[colouring.by])
    return on_paper(left, width, height, [*painting.parts, legend])


def _ramp_marks(
    colouring: Colouring | Costs, x: float, y: float, words: dict[str, str]
) -> list[Mark]:
    """Return the colours from the smallest to the largest, with the numbers of both ends."""
    if colouring.scale is None:
        return [Words(x, y, words["empty"], SMALL, "muted", anchor="start")]
    low, high = colouring.text_of(colouring.scale.low), colouring.text_of(colouring.scale.high)
    low = f"≤ {low}" if colouring.scale.below else low
    high = f"≥ {high}" if colouring.scale.above else high
    start = x + theme.text_width(low, SMALL) + 6
    marks: list[Mark] = [Words(x, y, low, SMALL, "ink", anchor="start")]
    marks += [
        Rect(start + k * SWATCH, y - 12, SWATCH, 16, 0, f"ramp-{k}", "line", 0.8)
        for k in range(CLASSES)
    ]
    end = start + CLASSES * SWATCH + 6
    return [*marks, Words(end, y, high, SMALL, "ink", anchor="start")]


def _entry_marks(name: str, x: float, y: float) -> list[Mark]:
    if name.startswith("none"):
        return [Rect(x, y - 11, 26, 14, 4, "paper", "line", 1.0)]
    if name == "zero":
        return _sign_marks("zero", x, y - 12)
    if name == "odd":
        return [*_sign_marks("nan", x, y - 12), *_sign_marks("inf", x + 38, y - 12)]
    return []
