"""A scene as marks: rectangles, lines, polygons and words with colours by name.

SVG and Matplotlib draw the same marks, so their pictures look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .. import theme
from ..language.words import WORDS, words_of
from ..layout.compose import Lane
from ..layout.curves import Command, Point, straight_path
from ..layout.scene import Box, Frame, Scene, Wire
from ..model import Badge, label_of


@dataclass(frozen=True, slots=True)
class Rect:
    """Rectangle with round corners; a colour None is not drawn."""

    x: float
    y: float
    w: float
    h: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.4


@dataclass(frozen=True, slots=True)
class Line:
    """Path that is stroked."""

    path: tuple[Command, ...]
    stroke: str
    width: float = 1.6
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Patch:
    """Filled polygon."""

    points: tuple[Point, ...]
    fill: str


@dataclass(frozen=True, slots=True)
class Words:
    """Line of text; y is its base line, x its start, middle or end, as `anchor` says.

    A halo in the colour of the background keeps the text readable across wires.
    """

    x: float
    y: float
    text: str
    size: float
    colour: str = "ink"
    anchor: str = "middle"
    bold: bool = False
    mono: bool = False
    halo: str | None = None


@dataclass(frozen=True, slots=True)
class Pixels:
    """Grid of RGBA colours, the same on light and on dark paper; x, y is its top left corner."""

    x: float
    y: float
    w: float
    h: float
    columns: int
    rows: int
    pixels: bytes


Mark = Rect | Line | Patch | Words | Pixels


@dataclass(frozen=True, slots=True)
class Part:
    """Marks of one thing. role: paper, lane, frame, wire, head (of a frame), box or legend."""

    role: str
    marks: tuple[Mark, ...]
    id: str = ""
    kind: str = ""
    title: str = ""
    state: str | None = None  # pending, active or done at a step; None without steps
    magnitude: str | None = None  # number of a colour of the scale, or zero, nan, inf


@dataclass(frozen=True, slots=True)
class Painting:
    """All parts from back to front; the picture begins at x = `left`, which may be negative.

    `brief`: a moving picture shows it for a moment only.
    """

    left: float
    width: float
    height: float
    parts: tuple[Part, ...]
    brief: bool = False


def on_paper(left: float, width: float, height: float, parts: Iterable[Part]) -> Painting:
    """Return parts on a paper of this size, without papers of their own."""
    paper = Part("paper", (Rect(left, 0, width, height, 0, "paper"),))
    rest = (part for part in parts if part.role != "paper")
    return Painting(left, width, height, (paper, *rest))


# head of a lane or entry of the legend -> key in the catalogue
NAMES = {
    "forward": "forward", "backward": "backward", "optimize": "updates",
    "wire-forward": "data", "wire-backward": "grad", "wire-saved": "saved",
    "special": "special", "op-forward": "op_forward", "op-backward": "op_backward",
    "op-optimize": "op_optimize", "parameter": "kind_parameter", "state": "kind_state",
    "buffer": "kind_buffer", "data": "kind_data",
}  # fmt: skip
LAYERS = {"order": 0, "saved": 1, "data": 2}  # kinds of wires, from back to front
LEGEND, LEGEND_LINE = 44.0, 22.0
KEPT = 4096  # maximum number of boxes, and of wires, in the caches for moving pictures
LEGEND_ROOM = 440.0  # maximum width of a legend under a slim picture


def paint(
    scene: Scene, *, lang: str = "en", legend: bool = True, states: Mapping[str, str] | None = None
) -> Painting:
    """Return a scene as a painting, with a legend of the colours it uses.

    `states` maps node and edge ids to "pending", "active" or "done" at one step.
    """
    words = words_of(NAMES, lang)
    entries = _legend_entries(scene) if legend else []
    lines = _legend_lines(entries, words, max(scene.width - 40, LEGEND_ROOM))
    room = max((sum(_entry_width(words[n]) for n in line) for line in lines), default=0.0)
    width = max(scene.width, room + 40)
    left = (scene.width - width) / 2
    height = scene.height + (LEGEND + LEGEND_LINE * (len(lines) - 1) if lines else 0.0)
    parts = [_lane_part(lane, scene, words, lang) for lane in scene.lanes]
    outside_in = sorted(scene.frames, key=lambda frame: -frame.w * frame.h)
    parts += [_frame_part(frame, lang) for frame in outside_in]
    now = dict[str, str | None]() if states is None else {**states}
    pending = None if states is None else "pending"
    gradients_last = sorted(scene.wires, key=lambda wire: LAYERS.get(wire.kind, 3))
    parts += [_wire_part(wire, now.get(wire.id, pending)) for wire in gradients_last]
    parts += [_head_part(frame, lang, scene.sizes) for frame in scene.frames]
    sizes = scene.sizes
    parts += [_box_part(box, lang, sizes, now.get(box.id, pending)) for box in scene.boxes]
    if lines:
        parts.append(_legend_part(lines, words, (scene.width - room) / 2, scene.height))
    return on_paper(left, width, height, parts)


def _in_state(part: Part, state: str | None) -> Part:
    """Return a part in a state; active parts have heavier lines."""
    marks = part.marks
    if state == "active":
        marks = tuple(
            replace(mark, width=mark.width + 1.6)
            if isinstance(mark, Rect | Line) and mark.stroke
            else mark
            for mark in marks
        )
    return replace(part, state=state, marks=marks)


def _lane_part(lane: Lane, scene: Scene, words: dict[str, str], lang: str) -> Part:
    same = [other for other in scene.lanes if other.name == lane.name]
    name = words.get(lane.name, lane.name)
    if len(same) > 1:
        name = WORDS["pass"].fill(lane=name, turn=same.index(lane) + 1).of(lang)
    name = f"{name} {'↑' if lane.name == 'backward' else '↓'}"
    tone = theme.accent(lane.name)
    middle = lane.x + lane.w / 2
    half = max(lane.w / 2, theme.text_width(name, 14, bold=True) / 2)
    rule = Line(straight_path((middle - half, 46.0), (middle + half, 46.0)), tone, 1.0)
    return Part("lane", (Words(middle, 36.0, name, 14, tone, bold=True), rule), kind=lane.name)


def _frame_part(frame: Frame, lang: str) -> Part:
    deep = frame.kind in ("pylayer", "py_func")
    border = (
        Rect(frame.x, frame.y, frame.w, frame.h, 14, "plain", frame.accent, 2.2 if deep else 1.2),
    )
    return Part("frame", border, frame.id, frame.kind, frame.title.of(lang))


def _head_part(frame: Frame, lang: str, sizes: theme.Sizes) -> Part:
    """Return the name, on the side where the lanes face each other, and badges opposite."""
    near, far = frame.x + 14, frame.x + frame.w - 14
    forward = frame.lane == "forward"
    words = Words(
        far if forward else near,
        frame.y + 20,
        label_of(frame, lang),
        theme.LABEL,
        frame.accent,
        anchor="end" if forward else "start",
        bold=True,
        halo="plain",
    )
    badge_x = near if forward else far - theme.badge_row(frame.badges, sizes)
    badges = _badge_marks(frame.badges, badge_x, frame.y + 8, frame.accent, lang, sizes)
    return Part("head", (words, *badges))


def _badge_marks(
    badges: tuple[Badge, ...], x: float, y: float, tone: str, lang: str, sizes: theme.Sizes
) -> Iterator[Mark]:
    tall, line = sizes.badge, sizes.small * 1.15
    for badge in badges:
        wide = theme.badge_width(badge, sizes)
        alarm = badge.kind in theme.ALARMS
        colour = "alert" if alarm else tone
        fill, edge = ("alert-fill", 1.6) if alarm else ("paper", 1.0)
        yield Rect(x, y, wide, tall, tall / 2, fill, colour, edge)
        yield Words(x + wide / 2, y + line, badge.text.of(lang), sizes.small, colour)
        x += wide + 4


@lru_cache(KEPT)
def _wire_part(wire: Wire, state: str | None = None) -> Part:
    tip, base = _arrow_ends(wire.path)
    marks: list[Mark] = [
        Line(_shorten_path(wire.path, base), wire.colour, 1.7, wire.kind in ("saved", "order")),
        Patch(_arrow_points(tip, base), wire.colour),
    ]
    if wire.label:
        marks.append(
            Words(
                *wire.label_at,
                wire.label,
                theme.SMALL,
                "muted",
                anchor="start",
                mono=True,
                halo="paper",
            )
        )
    return _in_state(Part("wire", tuple(marks), wire.id, wire.kind, wire.title), state)


def _arrow_ends(path: Sequence[Command]) -> tuple[Point, Point]:
    """Return the tip of the arrow and the middle of its base, 8 pixels back along the wire."""
    tip = path[-1][1][-1]
    before = [point for _, points in path for point in points if point != tip]
    x, y = before[-1] if before else (tip[0], tip[1] - 8)
    if abs(tip[0] - x) > abs(tip[1] - y):
        return tip, (tip[0] - 8 if tip[0] > x else tip[0] + 8, tip[1])
    return tip, (tip[0], tip[1] - 8 if tip[1] > y else tip[1] + 8)


def _shorten_path(path: Sequence[Command], end: Point) -> tuple[Command, ...]:
    letter, points = path[-1]
    return (*path[:-1], (letter, (*points[:-1], end)))


def _arrow_points(tip: Point, base: Point) -> tuple[Point, ...]:
    dx, dy = (tip[0] - base[0]) / 8, (tip[1] - base[1]) / 8
    x, y = base
    return (tip, (x - 4 * dy, y + 4 * dx), (x + 4 * dy, y - 4 * dx))


@lru_cache(KEPT)
def _box_part(box: Box, lang: str, sizes: theme.Sizes, state: str | None = None) -> Part:
    label, title = label_of(box, lang), box.title.of(lang)
    radius = {"pill": min(box.h / 2, 18), "circle": box.h / 2, "tag": box.h / 2}.get(box.shape, 7)
    special = theme.special(box.kind)
    tensor = box.shape in ("pill", "tag")
    edge = 2.2 if special else 1.4
    stroke = "line" if box.shape == "tag" else box.accent
    marks: list[Mark] = [Rect(box.x, box.y, box.w, box.h, radius, box.fill, stroke, edge)]
    if special:
        inner = Rect(box.x + 4, box.y + 4, box.w - 8, box.h - 8, 4, None, box.accent, 1.0)
        marks.append(inner)
    middle = box.x + box.w / 2
    marks += _sign_marks(box.kind, box.x, box.y, box.w, box.h, box.accent)
    if box.shape == "tag":
        marks.append(Words(middle, box.y + 3.8 + sizes.small, label, sizes.small, "muted"))
        return _in_state(Part("box", tuple(marks), box.id, box.kind, title), state)
    two = bool(box.detail) and not sizes.beside  # whether the box has two lines
    picture = None if sizes.beside else box.picture
    tall = 18 + (14 if two else 0) + (sizes.badge + 4 if box.badges else 0)
    tall += picture.h + theme.ABOVE_PICTURE if picture else 0
    y = box.y + (box.h - tall) / 2 + 13.5
    bold = not tensor or box.kind == "seed"
    at = middle
    if box.detail and sizes.beside:
        wide = theme.text_width(label, theme.LABEL, bold=bold)
        rest = theme.text_width(box.detail, sizes.detail, mono=True)
        start = middle - (wide + theme.BETWEEN + rest) / 2
        at = start + wide / 2
        after = start + wide + theme.BETWEEN
        marks.append(Words(after, y, box.detail, sizes.detail, "muted", anchor="start", mono=True))
    marks.append(Words(at, y, label, theme.LABEL, bold=bold))
    if theme.SKIPPED in [badge.kind for badge in box.badges]:
        half = theme.text_width(label, theme.LABEL) / 2 + 3
        through = straight_path((at - half, y - 4.5), (at + half, y - 4.5))
        marks.append(Line(through, "ink", 1.2))
    if two:
        y += 14.5
        marks.append(Words(middle, y, box.detail, sizes.detail, "muted", mono=True))
    if picture:
        left, top = middle - picture.w / 2, y + theme.ABOVE_PICTURE
        marks.append(Rect(left, top, picture.w, picture.h, 0, "paper", "rule", 1.0))
        marks.append(Pixels(left, top, *picture))
        y = top + picture.h
    if box.badges:
        start = middle - theme.badge_row(box.badges, sizes) / 2
        marks += _badge_marks(box.badges, start, y + 6, box.accent, lang, sizes)
    return _in_state(Part("box", tuple(marks), box.id, box.kind, title), state)


def _sign_marks(kind: str, x: float, y: float, w: float, h: float, tone: str) -> list[Mark]:
    """Return the sign of a kind: a thick base if it lasts between runs, or an arrow into data."""
    if kind in theme.LASTING and h > 20:
        edge = min(h / 2, 18)
        return _base_marks(kind, x + edge, x + w - edge, y + h - 4, tone)
    if kind == "data" and h > 20:
        return [Patch(((x + 7, y + h / 2 - 4), (x + 13, y + h / 2), (x + 7, y + h / 2 + 4)), tone)]
    return []


def _base_marks(kind: str, left: float, right: float, y: float, tone: str) -> list[Mark]:
    """Return a thick base; the base of a buffer, which no gradient changes, is broken."""
    middle, gap = (left + right) / 2, 2.5
    ends = [(left, middle - gap), (middle + gap, right)] if kind == "buffer" else [(left, right)]
    return [Line(straight_path((a, y), (b, y)), tone, 3.0) for a, b in ends]


# ----- legend ------------------------------------------------------------------------------------


def _legend_entries(scene: Scene) -> list[str]:
    """Return the entries of the legend: colours of wires, lanes, signs of tensors."""
    colours = {wire.colour for wire in scene.wires}
    kinds = {box.kind for box in scene.boxes if box.tag_of is None}
    entries = [f"wire-{c}" for c in ("forward", "backward", "saved") if c in colours]
    lanes = {box.lane for box in scene.boxes if box.shape == "box"}
    if len(lanes) > 1:
        entries += [f"op-{lane}" for lane in ("forward", "backward", "optimize") if lane in lanes]
    lasting = [kind for kind in ("state", "parameter") if kind in kinds]
    entries += lasting[:1] + (["buffer"] if "buffer" in kinds else [])
    entries += ["data"] if "data" in kinds else []
    return entries + (["special"] if any(map(theme.special, kinds)) else [])


def _legend_lines(entries: list[str], words: dict[str, str], room: float) -> list[list[str]]:
    """Return the entries on as few lines as possible, of similar length."""
    lines = _fill_lines(entries, words, room)
    narrower = lines
    while len(narrower) == len(lines) > 1:
        lines, room = narrower, room - 10
        narrower = _fill_lines(entries, words, room)
    return lines


def _fill_lines(entries: list[str], words: dict[str, str], room: float) -> list[list[str]]:
    """Return the entries on lines, each filled before the next."""
    lines: list[list[str]] = []
    used = room
    for name in entries:
        wide = _entry_width(words[name])
        if used + wide > room:
            lines.append([])
            used = 0.0
        lines[-1].append(name)
        used += wide
    return lines


def _entry_width(word: str) -> float:
    return 34 + theme.text_width(word, 11) + 18


def _legend_part(lines: list[list[str]], words: dict[str, str], left: float, top: float) -> Part:
    marks: list[Mark] = []
    for i, line in enumerate(lines):
        x, y = left + 9, top + 14 + i * LEGEND_LINE
        for name in line:
            marks += _swatch_marks(name, x, y)
            marks.append(Words(x + 34, y + 4, words[name], 11, "muted", anchor="start"))
            x += _entry_width(words[name])
    return Part("legend", tuple(marks))


def _swatch_marks(name: str, x: float, y: float) -> list[Mark]:
    """Return the small drawing of a legend's entry, 26 units wide."""
    kind, _, tone = name.partition("-")
    if kind == "special":
        return [
            Rect(x, y - 7, 26, 14, 4, "forward-deep", "forward", 2.0),
            Rect(x + 3, y - 4, 20, 8, 2, None, "forward", 0.8),
        ]
    if kind == "op":
        return [Rect(x, y - 7, 26, 14, 4, f"{tone}-fill", tone)]
    if kind != "wire":
        pill = Rect(x, y - 8, 26, 16, 8, theme.fill(kind, "forward"), "forward")
        if kind == "data":
            return [pill, Patch(((x + 7, y - 4), (x + 13, y), (x + 7, y + 4)), "forward")]
        return [pill, *_base_marks(kind, x + 7, x + 19, y + 4, "forward")]
    ends = straight_path((x, y), (x + 26, y))
    tip, start = _arrow_ends(ends)
    line = Line(_shorten_path(ends, start), tone, 1.7, tone == "saved")
    return [line, Patch(_arrow_points(tip, start), tone)]
