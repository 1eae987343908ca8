"""Where everything stands: the built-in layered layout, mirrored between forward and backward.

fold    which nodes are seen when some groups are open
leaves  far uses of one tensor as small tags
ranks   the row of every node; gradient and forward node share one
items   what is placed from left to right: boxes, frames, the tall parts of wires
nest    left to right: crossing reduction (order) and Brandes-Koepf places (place) per frame
sides   on which side of the spine leaves, ports and wires stand
route   wires in gaps and corridors
labels  the words on wires where they have room
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .. import theme
from .curves import Line, cornered_path, flowing_path, tidy
from .fold import View, toggle
from .items import Item
from .labels import ASIDE, Area, Label, Room, head, needed_labels, place_labels, width
from .leaves import add_tags
from .nest import FOOT, HEAD, Nest, nest
from .ranks import Pair, Rows, Span, rows
from .route import TRACK, Plan, Plans, Route, Side, Space, plan, routes

GAP = 34.0  # between rows, before wires ask for more
RUNS_BELOW = 20.0  # the frames that end above a gap
CORRIDOR = 56.0  # between lanes
BESIDE_CLIMBS = 28.0
BESIDE_LABEL = 26.0
MARGIN = 24.0
TITLE = 40.0  # above the first row, for the names of the lanes
SLOPE, LEVEL, STEEPEST = 0.09, 120.0, 44.0  # extra height by width, from this width, at most

__all__ = ["Geometry", "Lane", "Rect", "arrange"]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its top left corner."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Lane:
    """The strip in which one direction is drawn."""

    name: str
    column: int
    x: float
    w: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """The view that was laid out (with its tags), and a place for everything in it."""

    view: View
    looks: Mapping[str, theme.Look]
    boxes: Mapping[str, Rect]
    frames: Mapping[str, Rect]
    wires: Mapping[str, Line]
    labels: Mapping[str, Label]
    lanes: tuple[Lane, ...]
    pairs: tuple[Pair, ...]
    spine: frozenset[str]
    width: float
    height: float


def arrange(view: View) -> Geometry:
    """Lay out what is visible; the same view gives the same numbers."""
    rows_of = rows(view)
    with_tags = add_tags(view, rows_of.of)
    if with_tags is not view:
        view, rows_of = with_tags, rows(with_tags)
    looks = {node.id: theme.look(node) for node in view.nodes}
    inner = nest(view, rows_of, looks)
    plans = plan(inner)
    texts = needed_labels(view.edges, {node.id: node for node in view.nodes})
    across = _across(inner, plans, texts)
    down = _down(view, rows_of, looks, inner, plans)
    look_of = dict(zip(inner.boxes, looks.values(), strict=True))
    middle = {box: (down.row_top[box.top] + down.row_bottom[box.top]) / 2 for box in inner.boxes}
    boxes = {
        node.id: _centred_rect(item.x, middle[item], look_of[item])
        for node, item in zip(view.nodes, inner.boxes, strict=True)
    }
    space = Space(middle, look_of, down.row_top, down.row_bottom, down.runs_at, across.corridors)
    stations = routes(inner, plans, space)
    wires = {wire.edge.id: _line(stations[wire]) for wire in inner.wires}
    frames = {name: _frame(item, down.frames[name]) for name, item in inner.frames.items()}
    labels = place_labels(view.edges, texts, wires, _room(view, boxes, frames)) if texts else {}
    right = max((label.area().right for label in labels.values()), default=0.0)
    return Geometry(
        view,
        looks,
        boxes,
        frames,
        wires,
        labels,
        across.lanes,
        rows_of.pairs,
        frozenset(wire.edge.id for wire in inner.wires if wire.spine),
        max(across.width, right + ASIDE),
        down.height,
    )


# ----- from left to right ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Across:
    """The left border of each corridor, the lanes between them, and the width of it all."""

    corridors: Sequence[float]
    lanes: tuple[Lane, ...]
    width: float


def _across(inner: Nest, plans: Plans, texts: Mapping[str, str]) -> Across:
    """Put the lanes side by side; corridors have room for wires that climb, and for labels."""
    x = MARGIN
    labels = _label_room(plans, texts)
    corridors, lanes = [], []
    for strip in inner.strips:
        corridors.append(x)
        x = _after_corridor(x, plans.tracks[strip.number])
        if strip.number:
            x = max(x, corridors[-1] + max(CORRIDOR, labels[strip.number]))
        strip.x = x
        lanes.append(Lane(*strip.key, x, strip.width))
        x += strip.width
    corridors.append(x)
    x = _after_corridor(x, plans.tracks[len(lanes)])
    for item in inner.items():
        item.x += item.strip.x
    return Across(corridors, tuple(lanes), x + MARGIN)


def _after_corridor(x: float, tracks: int) -> float:
    return x + (tracks * TRACK + BESIDE_CLIMBS) if tracks else x


def _label_room(plans: Plans, texts: Mapping[str, str]) -> dict[int, float]:
    """The width of each corridor in which the labels of its straight wires have room."""
    room: dict[int, float] = defaultdict(float)
    for one in plans.of:
        label = texts.get(one.wire.edge.id)
        if label and one.side is not Side.UPRIGHT and one.leave is one.enter is None:
            asked = width(label) + BESIDE_LABEL - _slack(one)
            room[one.corridor] = max(room[one.corridor], asked)
    return room


def _slack(one: Plan) -> float:
    """What a straight wire has of its two lanes, where no border of a frame is to be crossed."""
    ends = one.wire.source, one.wire.target
    left, right = sorted(ends, key=lambda item: item.strip.number)
    if left.container is not left.strip or right.container is not right.strip:
        return 0.0
    return left.strip.width - left.x - left.right + right.x - right.left


# ----- from top to bottom ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Down:
    """Where each row begins and ends, its gaps' runs, the frames, and the height of it all."""

    row_top: Sequence[float]
    row_bottom: Sequence[float]
    runs_at: Sequence[float]
    frames: Mapping[str, tuple[float, float]]  # from where to where
    height: float


def _down(
    view: View, rows_of: Rows, looks: Mapping[str, theme.Look], inner: Nest, plans: Plans
) -> Down:
    """Stack the rows, with gaps wide enough for frames, runs and slopes."""
    count = rows_of.count
    tall = [0.0] * count
    for node in view.nodes:
        row = rows_of.of[node.id]
        tall[row] = max(tall[row], looks[node.id].h)
    heads, feet = _frame_room(view, rows_of)
    top_room, bottom_room = [0.0] * (count + 1), [0.0] * (count + 1)  # of frames, by gap
    for name, span in rows_of.spans.items():
        top_room[span.top] = max(top_room[span.top], heads[name])
        bottom_room[span.bottom + 1] = max(bottom_room[span.bottom + 1], feet[name])
    slopes = _slopes(inner, count)
    y = MARGIN + TITLE
    row_top, row_bottom, runs_at = [], [], []
    for gap in range(count + 1):
        runs_at.append(y + bottom_room[gap] + RUNS_BELOW)
        runs = plans.runs[gap] * TRACK
        outer = gap in (0, count)
        y += bottom_room[gap] + (runs if outer else GAP + runs + slopes[gap]) + top_room[gap]
        if gap < count:
            row_top.append(y)
            y += tall[gap]
            row_bottom.append(y)
    frames = {
        name: (row_top[span.top] - heads[name], row_bottom[span.bottom] + feet[name])
        for name, span in rows_of.spans.items()
    }
    return Down(row_top, row_bottom, runs_at, frames, y + MARGIN)


def _frame_room(view: View, rows_of: Rows) -> tuple[dict[str, float], dict[str, float]]:
    """How far each frame reaches above its first and below its last row; twins reach alike."""
    spans = rows_of.spans
    outer = {group.id: group.parent for group in view.frames}
    depth = {name: _depth(name, outer) for name in outer}
    twins: dict[tuple[str, Span], list[str]] = defaultdict(list)
    inside: dict[str, list[str]] = defaultdict(list)
    for group in view.frames:
        twins[toggle(group), spans[group.id]].append(group.id)
        if group.parent in outer:
            inside[group.parent].append(group.id)
    heads: dict[str, float] = {}
    feet: dict[str, float] = {}
    for names in sorted(twins.values(), key=lambda names: -max(depth[name] for name in names)):
        span = spans[names[0]]
        children = [child for name in names for child in inside[name] if child in heads]
        above = max((heads[c] for c in children if spans[c].top == span.top), default=0.0)
        below = max((feet[c] for c in children if spans[c].bottom == span.bottom), default=0.0)
        heads |= dict.fromkeys(names, HEAD + above)
        feet |= dict.fromkeys(names, FOOT + below)
    return heads, feet


def _depth(name: str, outer: Mapping[str, str | None]) -> int:
    """In how many frames a frame stands."""
    at, deep = outer[name], 0
    while at is not None and at in outer:
        at, deep = outer[at], deep + 1
    return deep


def _slopes(inner: Nest, count: int) -> list[float]:
    """Extra room in the gaps where wires have far to go sideways, so that they do not lie flat."""
    widest = [0.0] * (count + 1)
    for wire in inner.flow:
        above = wire.upper
        for below in (*wire.slims, wire.lower):
            widest[below.top] = max(widest[below.top], abs(above.x - below.x))
            above = below
    return [min(STEEPEST, SLOPE * max(0.0, x - LEVEL)) for x in widest]


# ----- what is drawn -----------------------------------------------------------------------------


def _centred_rect(x: float, y: float, look: theme.Look) -> Rect:
    return Rect(x - look.w / 2, y - look.h / 2, look.w, look.h)


def _frame(item: Item, vertical: tuple[float, float]) -> Rect:
    upper, lower = vertical
    return Rect(item.x - item.left, upper, item.left + item.right, lower - upper)


def _line(route: Route) -> Line:
    stations = tidy(route.stations)
    path = flowing_path(stations) if route.flowing else cornered_path(stations)
    return Line(tuple(stations), tuple(path))


def _room(view: View, boxes: Mapping[str, Rect], frames: Mapping[str, Rect]) -> Room:
    """Everything that a label keeps clear of."""
    room = Room()
    for rect in boxes.values():
        room.take(Area(rect.x, rect.y, rect.x + rect.w, rect.y + rect.h))
    for group in view.frames:
        rect = frames[group.id]
        room.frame(rect.x, rect.y, rect.w, rect.h)
        for area in head(group, rect.x, rect.y, rect.w):
            room.take(area)
    return room
