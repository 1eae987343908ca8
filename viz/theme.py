"""Theme: colours for light and dark, text widths, and the size of every box.

The advance widths are those of DejaVu Sans, the widest of the fonts that browsers and Matplotlib
fall back to, so a label that fits here fits everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, takewhile
from types import MappingProxyType
from typing import NamedTuple

from minipaddle.engine.visible import make_visible
from minipaddle.messages import languages

from .model import NONE, Badge, Edge, Group, Label, Node, changed, group_by_key

SANS = ("Inter", "Segoe UI", "Helvetica Neue", "Arial", "DejaVu Sans", "Noto Sans CJK SC")
MONO = ("SF Mono", "Cascadia Mono", "Consolas", "DejaVu Sans Mono", "Noto Sans Mono CJK SC")

LABEL, DETAIL, SMALL = 13.0, 10.5, 10.0  # font sizes in pixels
PENDING = 0.4  # opacity of boxes and wires that have not been active yet
WIDEST = 340.0  # maximum width of a label; the middle of a longer one is cut out
ENDS = 4  # least number of letters left at either end
BADGE = 200.0  # maximum width of a badge's text
EASTERN = frozenset({"Microsoft YaHei", "PingFang SC", "SimHei", "WenQuanYi Micro Hei"})

MONO_ADVANCE = 0.603
BOLD = 1.1

_ADVANCES = (
    (0.29, "'ijlIJ"),
    (0.33, " ,.:;\\/|"),
    (0.41, 'f-()[]t!r"'),
    (0.53, "*_`sz?"),
    (0.59, "cLFkvxy"),
    (0.64, "PTYaoeESbdghnpqu$0123456789{}"),
    (0.70, "KAVBRXZC"),
    (0.80, "UHNDG&OQw"),
    (0.87, "#+<=>^~M"),
    (1.00, "%mW@"),
)
_ADVANCE = {letter: advance for advance, letters in _ADVANCES for letter in letters}


@lru_cache(maxsize=16384)
def text_width(text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """Return the width of a text in pixels; wide East Asian letters count as full ems."""
    total, advances = 0.0, _MONO if mono else _PROPORTIONAL
    for letter in text:
        total += advances[letter]
    return total * size * (BOLD if bold else 1.0)


class _Advances(dict[str, float]):
    """Widths of letters, in ems; those of unknown letters are added when they are first needed."""

    def __init__(self, known: Mapping[str, float], default: float) -> None:
        super().__init__(known)
        self.default = default

    def __missing__(self, letter: str) -> float:
        wide = unicodedata.east_asian_width(letter) in "WF"
        own = 0.0 if unicodedata.combining(letter) else 1.05 if wide else self.default
        return self.setdefault(letter, own)


_MONO, _PROPORTIONAL = _Advances({}, MONO_ADVANCE), _Advances(_ADVANCE, 0.8)


@lru_cache(maxsize=16384)
def shorten(
    text: str,
    size: float,
    widest: float,
    *,
    mono: bool = False,
    bold: bool = False,
    ends: bool = True,
) -> str:
    """Return a text on one line of at most `widest` pixels.

    With `ends`, the middle is cut out, because both ends distinguish a name; without, or if there
    is room for a few letters only, the end is cut off.

    >>> shorten("decoder.layers.0.self_attn.q_proj.weight", 10, 130, mono=True)
    'decoder.la…roj.weight'
    """
    text = " ".join(make_visible(text).split())
    measure = partial(text_width, size=size, mono=mono, bold=bold)
    if measure(text) <= widest:
        return text
    room = widest - measure("…")
    first = _fitting_letters(text, room / 2, measure)
    if not ends or first < ENDS:
        first, ends = _fitting_letters(text, room, measure), False
    head = text[:first].rstrip()
    tail = text[first:][::-1]
    last = _fitting_letters(tail, room - measure(head), measure) if ends else 0
    return head + "…" + tail[:last][::-1].lstrip()


def _fitting_letters(text: str, room: float, measure: Callable[[str], float]) -> int:
    """Return the number of first letters of a text that fit into a room."""
    widths = accumulate(map(measure, text))
    return sum(1 for _ in takewhile(lambda wide: wide <= room, widths))


def fitting(label: Label, size: float = LABEL, widest: float = WIDEST, bold: bool = True) -> Label:
    """Return a label, shortened to fit in each language."""
    return changed(label, partial(shorten, size=size, widest=widest, bold=bold))


def label_width(label: Label, size: float = LABEL, bold: bool = True) -> float:
    """Return the width of a label in its widest language, so that switching moves nothing."""
    texts = (label,) if isinstance(label, str) else map(label.of, languages())
    return max(text_width(text, size, bold=bold) for text in texts)


NO_START = "，。；：、）"  # characters that begin no line


def wrap(text: str, widest: float, measure: Callable[[str], float]) -> list[str]:
    """Return a text as lines of at most `widest`, broken at blanks and beside wide letters.

    >>> wrap("one two three", 8, len), wrap("由梯度算出", 4, cells)
    (['one two', 'three'], ['由梯', '度算', '出'])
    """
    lines: list[str] = []
    line, used = "", 0.0
    for word in _split_words(text):
        wide = measure(word)
        if line and used + wide > widest and word[0] not in NO_START and word.strip():
            lines.append(line.rstrip())
            line, word = "", word.lstrip()
            used, wide = 0.0, measure(word)
        line, used = line + word, used + wide
    return [*lines, line.rstrip()] if line.strip() else lines


def _split_words(text: str) -> Iterator[str]:
    """Yield the words of a text with the blank before them, and wide letters one by one."""
    piece = ""
    for letter in text:
        wide = cells(letter) > 1
        if piece and (letter == " " or wide):
            yield piece
            piece = ""
        piece += letter
        if wide:
            yield piece
            piece = ""
    if piece:
        yield piece


# ----- boxes -------------------------------------------------------------------------------------

PILLS = frozenset(
    {"leaf", "parameter", "buffer", "state", "data", "result", "seed", "leaf_grad", "port"}
)


@dataclass(frozen=True, slots=True)
class Look:
    """Look of a box: its size, its shape and the texts that fit into it."""

    w: float
    h: float
    shape: str
    label: Label
    detail: str
    badges: tuple[Badge, ...]


class Sizes(NamedTuple):
    """Sizes of a drawing: font sizes of shapes and values, and of tags and badges.

    `gap` is the least space between rows. `beside`: a box is one line, with its shape beside its
    label.
    """

    detail: float
    small: float
    gap: float = 34.0
    beside: bool = False

    @property
    def badge(self) -> float:
        """Height of a badge."""
        return self.small + 6


SCREEN = Sizes(DETAIL, SMALL)
SLIDE = Sizes(LABEL, LABEL)  # all texts are as large as labels
# sizes of slides, from the roomiest to the most compact
SLIDES = (SLIDE, SLIDE._replace(gap=18.0), SLIDE._replace(gap=12.0, beside=True))
BETWEEN = 8.0  # space between a label and the shape beside it
ABOVE_PICTURE = 5.0  # space between the texts of a box and its picture


def look(node: Node, sizes: Sizes = SCREEN) -> Look:
    """Return the look of a node: box, pill, circle or tag, large enough for its texts."""
    if node.tag_of is not None:
        label = fitting(node.label, sizes.small, WIDEST / 2, bold=False)
        wide = _round_up_even(label_width(label, sizes.small, bold=False) + 20)
        return Look(wide, sizes.small + 10, "tag", label, "", ())
    label = fitting(node.label)
    detail = second_line(node.detail, sizes)
    badges = short_badges(node.badges, sizes)
    wide = label_width(label)
    if node.kind == "accumulate" and wide <= 20 and not detail and not badges:
        return Look(28.0, 28.0, "circle", label, "", ())
    pill = node.kind in PILLS
    below = text_width(detail, sizes.detail, mono=True)
    picture = None if sizes.beside else node.picture
    if sizes.beside:
        wide, tall = wide + (BETWEEN + below if detail else 0.0), 26.0
    else:
        wide, tall = max(wide, below), 46.0 if detail else 32.0
    if picture:
        wide, tall = max(wide, picture.w), tall + picture.h + ABOVE_PICTURE
    around = 42 if node.kind == "data" else 32 if pill else 26  # data has a sign at its left end
    wide = max(wide, badge_row(badges, sizes)) + around
    if sizes.beside and node.kind != "data":  # a data box has a sign at its left end
        wide -= 10
    if node.kind in ("pylayer", "pylayer_grad", "py_func", "py_func_grad"):
        wide, tall = wide + 14, tall + 6
    return Look(
        _round_up_even(max(wide, 58.0)),
        tall + (sizes.badge + 4 if badges else 0.0),
        "pill" if pill else "box",
        label,
        detail,
        badges,
    )


def second_line(detail: str, sizes: Sizes = SCREEN) -> str:
    """Return the second line of a box, as far as it fits.

    The middle of a long name is cut out; the shape of `name: [2, 3] float32` stays.
    """
    size = sizes.detail
    name, colon, shape = detail.partition(": ")
    room = WIDEST - text_width(f": {shape}", size, mono=True)
    if colon and room > WIDEST / 4:
        return f"{shorten(name, size, room, mono=True)}: {make_visible(shape)}"
    return shorten(detail, size, WIDEST, mono=True)


def cells(text: str) -> int:
    """Return the number of terminal columns that a text takes."""
    wide = unicodedata.east_asian_width
    return sum(
        0 if unicodedata.combining(letter) else 2 if wide(letter) in "WF" else 1 for letter in text
    )


def table_lines(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Return the rows of a table as lines; `sides` has, for each column, `<` or `>`.

    >>> table_lines([("a", "1"), ("total", "10")], "<>")
    ['a       1', 'total  10']
    """
    wide = [max(map(cells, column)) for column in zip(*rows, strict=True)]

    def pad(text: str, width: int, side: str) -> str:
        gap = " " * (width - cells(text))
        return text + gap if side == "<" else gap + text

    return ["  ".join(map(pad, row, wide, sides)).rstrip() for row in rows]


def short_badges(badges: Sequence[Badge], sizes: Sizes = SCREEN) -> tuple[Badge, ...]:
    """Return the badges that have a text, each shortened to one line."""
    fit = partial(shorten, size=sizes.small, widest=BADGE, ends=False)
    return tuple(Badge(kind, text.changed(fit)) for kind, text in badges if text.en)


def badge_width(badge: Badge, sizes: Sizes = SCREEN) -> float:
    """Return the width of a badge in its widest language, including padding."""
    return _round_up_even(label_width(badge.text, sizes.small, bold=False) + 12)


def badge_row(badges: Sequence[Badge], sizes: Sizes = SCREEN) -> float:
    """Return the width of a row of badges."""
    return sum(badge_width(badge, sizes) + 4 for badge in badges) - 4 if badges else 0.0


def frame_head(group: Group, sizes: Sizes = SCREEN) -> tuple[float, float]:
    """Return the room for an opened group's name and for its badges, on either side of its wire."""
    row = badge_row(short_badges(group.badges, sizes), sizes)
    return _round_up_even(label_width(fitting(group.label)) + 26), _round_up_even(row + 26)


def _round_up_even(x: float) -> float:
    """Return x rounded up to an even number, whose half is a whole number of pixels."""
    return float(-(-x // 2) * 2)


# ----- colours -----------------------------------------------------------------------------------

# Colours of magnitudes: seven equal steps in lightness (12 in CIELAB), from pale to deep, so that
# readers who cannot distinguish the hues see the order. On dark ground the largest is the palest.
RAMP = ("#fbf3c8", "#cdd786", "#7fbe7f", "#399f8c", "#017b94", "#015886", "#013674")
RAMP_INK = ("#0b1117",) * 4 + ("#ffffff",) * 3  # text on these colours


def _ramp_colours(order: int) -> dict[str, str]:
    """Return the colours by name: ramp-0 is the smallest, ramp-ink-0 its text."""
    colours = {f"ramp-{k}": colour for k, colour in enumerate(RAMP[::order])}
    return colours | {f"ramp-ink-{k}": ink for k, ink in enumerate(RAMP_INK[::order])}


# name -> colour on light and on dark ground
_PALETTES = {
    "paper": ("#ffffff", "#14181d"),
    "ink": ("#1c2733", "#e8ecf1"),
    "muted": ("#556270", "#a6b1bd"),
    "line": ("#8793a1", "#7c8896"),
    "rule": ("#dfe4ea", "#2b333c"),
    "plain": ("#f6f8fa", "#1d232a"),
    "forward": ("#2563b0", "#78b0ff"),
    "forward-fill": ("#eaf2fc", "#17273c"),
    "forward-deep": ("#cfe1f8", "#20406a"),
    "backward": ("#b8480f", "#ff9d63"),
    "backward-fill": ("#fdf0e7", "#35210f"),
    "backward-deep": ("#fbd9c3", "#653517"),
    "saved": ("#0b7256", "#4fd1a5"),
    "saved-fill": ("#e3f5ee", "#10302a"),
    "optimize": ("#6a3fb5", "#bda2ff"),
    "optimize-fill": ("#f2edfb", "#271f3d"),
    "build": ("#546170", "#a9b6c4"),
    "run": ("#73603f", "#cdb891"),
    "alert": ("#a8104f", "#ff86b4"),
    "alert-fill": ("#fdecf3", "#3b1526"),
}
LIGHT = MappingProxyType({name: pair[0] for name, pair in _PALETTES.items()} | _ramp_colours(1))
DARK = MappingProxyType({name: pair[1] for name, pair in _PALETTES.items()} | _ramp_colours(-1))

_COLOUR_BY_EDGE = {"saved": "saved", "order": "line", "grad": "backward"}
_ACCENT_BY_LANE = {"backward": "backward", "optimize": "optimize"}
_SPECIAL_KINDS = frozenset({"pylayer", "pylayer_grad", "py_func", "py_func_grad"})
SKIPPED = "skipped"  # kind of badge that strikes out the label
ALARMS = frozenset({"error", "first_nan", "first_inf"})  # kinds of badges in the colour of an alert
LASTING = frozenset({"parameter", "buffer", "state"})  # kinds of boxes with a thick base


def accent(lane: str) -> str:
    """Return the name of the accent colour of a lane."""
    return _ACCENT_BY_LANE.get(lane, "forward")


def fill(kind: str, lane: str) -> str:
    """Return the name of the fill colour of a box: tensors are plain, ops tinted, PyLayers deep."""
    tone = accent(lane)
    if kind in _SPECIAL_KINDS:
        return f"{tone}-deep" if tone != "optimize" else "optimize-fill"
    if kind in LASTING:
        return "plain"
    return "paper" if kind in PILLS else f"{tone}-fill"


def colours(node: Node) -> tuple[str, str]:
    """Return the names of the fill and the accent of a box, with alerts for alarms."""
    if ALARMS.intersection(badge.kind for badge in node.badges):
        return "alert-fill", "alert"
    if node.detail == NONE:
        return "plain", "line"
    return fill(node.kind, node.lane), accent(node.lane)


def special(kind: str) -> bool:
    """Return whether a box shows a user's own op and has a double border."""
    return kind in _SPECIAL_KINDS


def wire_colours(edges: Sequence[Edge], lanes: Mapping[str, str]) -> dict[str, str]:
    """Return the names of the colours of wires, by their ids; `lanes` are those of the nodes.

    Inside an opened backward a data wire carries a gradient, or a value from a saved tensor.
    """
    gradients = _nodes_with_gradients(edges)
    colours = {
        edge.id: _COLOUR_BY_EDGE.get(edge.kind) or accent(lanes[edge.source]) for edge in edges
    }
    for edge in edges:
        if edge.kind == "data" and lanes[edge.source] == "backward":
            colours[edge.id] = "backward" if edge.source in gradients else "forward"
    return colours


def _nodes_with_gradients(edges: Sequence[Edge]) -> set[str]:
    """Return the nodes that a gradient reaches, over one gradient wire and then data wires."""
    reached = {edge.target for edge in edges if edge.kind == "grad"}
    ways = group_by_key([(edge.source, edge.target) for edge in edges if edge.kind == "data"])
    queue = list(reached)
    for name in queue:
        fresh = [target for target in ways.get(name, ()) if target not in reached]
        reached.update(fresh)
        queue.extend(fresh)
    return reached
