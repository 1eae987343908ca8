"""Where everything stands: the built-in layered layout, mirrored between forward and backward.

fold    which nodes are seen when some groups are open
leaves  far uses of one tensor as small tags
ranks   the row of every node; gradient and forward node share one
nest    left to right: crossing reduction (order) and Brandes-Koepf places (place) per frame
sides   on which side of the spine leaves, ports and wires stand
route   wires in gaps and corridors
labels  the words on wires where they have room
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .. import theme
from .curves import Command, Point, cornered, flowing, tidy
from .fold import View, toggle
from .labels import ASIDE, Room, extent, head, labelled, needed, width
from .leaves import tagged
from .nest import FOOT, HEAD, Nest, nest
from .ranks import Rows, rows
from .route import TRACK, Plans, Route, Space, plan, routes

GAP = 34.0  # between rows, before wires ask for more
CORRIDOR = 56.0  # between lanes
MARGIN = 24.0
TITLE = 40.0  # above the first row, for the names of the lanes

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
    wires: Mapping[str, tuple[tuple[Point, ...], tuple[Command, ...]]]
    labels: Mapping[str, tuple[str, Point]]
    lanes: tuple[Lane, ...]
    pairs: tuple[tuple[str, str], ...]
    spine: frozenset[str]
    width: float
    height: float


def arrange(view: View) -> Geometry:
    """Lay out what is visible; the same view gives the same numbers."""
    height = rows(view)
    with_tags = tagged(view, height.of)
    if with_tags is not view:
        view, height = with_tags, rows(with_tags)
    looks = {node.id: theme.look(node) for node in view.nodes}
    inner = nest(view, height, looks)
    number = {node.id: k for k, node in enumerate(view.nodes)}
    ends = [(number[edge.source], number[edge.target]) for edge in view.edges]
    plans = plan(inner, ends, len(view.nodes))
    wanted = needed(view.edges, {node.id: node for node in view.nodes})
    corridors, lanes, wide = _across(view, inner, plans, wanted)
    space, frames, height_px = _down(view, height, looks, inner, plans, corridors)
    found = routes(inner, plans, view.edges, ends, space)
    boxes = {node.id: _box(k, space) for k, node in enumerate(view.nodes)}
    wires = {edge.id: _drawn(route) for edge, route in zip(view.edges, found, strict=True)}
    labels = labelled(view.edges, wanted, wires, _room(view, boxes, frames))
    right = max((extent(*label)[2] for label in labels.values()), default=0.0)
    return Geometry(
        view,
        looks,
        boxes,
        frames,
        wires,
        labels,
        lanes,
        height.pairs,
        frozenset(view.edges[k].id for k in inner.spine),
        max(wide, right + ASIDE),
        height_px,
    )


def _across(
    view: View, inner: Nest, plans: Plans, wanted: Mapping[str, str]
) -> tuple[list[float], tuple[Lane, ...], float]:
    """Put the lanes side by side; corridors have room for wires that climb, and for labels."""
    x = MARGIN
    spoken = _spoken(view, inner, plans, wanted)
    corridors, lanes = [], []
    offsets = []
    last = len(inner.lanes)
    for k in range(last + 1):
        corridors.append(x)
        climbs = plans.tracks[k] * TRACK
        x += climbs + 28 if climbs else 0.0
        if 0 < k < last:
            x = max(x, corridors[-1] + max(CORRIDOR, spoken[k]))
        if k < last:
            offsets.append(x)
            lanes.append(Lane(*inner.lanes[k], x, inner.widths[k]))
            x += inner.widths[k]
    for item in inner.items:
        at = item.parent
        while at >= 0:
            at = inner.items[at].parent
        item.x += offsets[-1 - at]
    return corridors, tuple(lanes), x + MARGIN


def _spoken(view: View, inner: Nest, plans: Plans, wanted: Mapping[str, str]) -> dict[int, float]:
    """The width of each corridor in which the labels of its straight wires have room."""
    found: dict[int, float] = defaultdict(float)
    for one in plans.of:
        label = wanted.get(view.edges[one.edge].id)
        if label and one.side and one.leave is None and one.enter is None:
            left, right = sorted((one.source, one.target), key=lambda k: inner.lane_of[k])
            lane, source, target = inner.lane_of[left], inner.items[left], inner.items[right]
            slack = 0.0
            if source.parent < 0 and target.parent < 0:  # no border of a frame to be crossed
                slack = inner.widths[lane] - source.x - source.right + target.x - target.left
            found[one.corridor] = max(found[one.corridor], width(label) + 26 - slack)
    return found


def _room(view: View, boxes: Mapping[str, Rect], frames: Mapping[str, Rect]) -> Room:
    """Everything that a label keeps clear of."""
    room = Room()
    for rect in boxes.values():
        room.take((rect.x, rect.y, rect.x + rect.w, rect.y + rect.h))
    for group in view.frames:
        rect = frames[group.id]
        room.frame(rect.x, rect.y, rect.w, rect.h)
        for area in head(group, rect.x, rect.y, rect.w):
            room.take(area)
    return room


def _down(
    view: View,
    height: Rows,
    looks: Mapping[str, theme.Look],
    inner: Nest,
    plans: Plans,
    corridors: list[float],
) -> tuple[Space, dict[str, Rect], float]:
    """Stack the rows, with gaps wide enough for frames, runs and slopes."""
    tall = [0.0] * height.count
    for node in view.nodes:
        tall[height.of[node.id]] = max(tall[height.of[node.id]], looks[node.id].h)
    heads, feet = _frame_room(view, height)
    top_room, bottom_room = [0.0] * (height.count + 1), [0.0] * (height.count + 1)
    for name, (top, bottom) in height.spans.items():
        top_room[top] = max(top_room[top], heads[name])
        bottom_room[bottom + 1] = max(bottom_room[bottom + 1], feet[name])
    slopes = _slopes(inner, height.count)
    y = MARGIN + TITLE
    row_top, row_bottom, runs_at = [], [], []
    for k in range(height.count + 1):
        runs_at.append(y + bottom_room[k] + 20)
        outer = k in (0, height.count)
        runs = plans.runs.get(k, 0) * TRACK
        y += bottom_room[k] + (runs if outer else GAP + runs + slopes[k]) + top_room[k]
        if k < height.count:
            row_top.append(y)
            y += tall[k]
            row_bottom.append(y)
    ids = [node.id for node in view.nodes]
    space = Space(
        [inner.items[k].x for k in range(len(ids))],
        [(row_top[height.of[name]] + row_bottom[height.of[name]]) / 2 for name in ids],
        [looks[name] for name in ids],
        row_top,
        row_bottom,
        runs_at,
        corridors,
    )
    frames = {}
    for name, (top, bottom) in height.spans.items():
        item = inner.items[inner.frame_item[name]]
        upper, lower = row_top[top] - heads[name], row_bottom[bottom] + feet[name]
        frames[name] = Rect(item.x - item.left, upper, item.left + item.right, lower - upper)
    return space, frames, y + MARGIN


def _frame_room(view: View, height: Rows) -> tuple[dict[str, float], dict[str, float]]:
    """How far each frame reaches above its first and below its last row; twins reach alike."""
    heads: dict[str, float] = {}
    feet: dict[str, float] = {}
    depth: dict[str, int] = {}
    outer = {group.id: group.parent for group in view.frames}
    for name, parent in outer.items():
        at, deep = parent, 0
        while at in outer:
            at, deep = outer[at], deep + 1
        depth[name] = deep
    twins: dict[tuple[str, tuple[int, int]], list[str]] = defaultdict(list)
    for group in view.frames:
        twins[toggle(group), height.spans[group.id]].append(group.id)
    inside: dict[str, list[str]] = defaultdict(list)
    for name, parent in outer.items():
        if parent in outer:
            inside[parent].append(name)
    for names in sorted(twins.values(), key=lambda names: -max(depth[n] for n in names)):
        top, bottom = height.spans[names[0]]
        children = [child for name in names for child in inside[name]]
        head = [heads[c] for c in children if c in heads and height.spans[c][0] == top]
        foot = [feet[c] for c in children if c in feet and height.spans[c][1] == bottom]
        for name in names:
            heads[name] = HEAD + max(head, default=0.0)
            feet[name] = FOOT + max(foot, default=0.0)
    return heads, feet


def _slopes(inner: Nest, count: int) -> list[float]:
    """Extra room in the gaps where wires have far to go sideways, so that they do not lie flat."""
    widest = [0.0] * (count + 1)
    items = inner.items
    for k, slims in inner.flow.items():
        for one, other in zip(*_ends_of(inner, k, slims), strict=True):
            gap = items[other].top
            widest[gap] = max(widest[gap], abs(items[one].x - items[other].x))
    return [min(44.0, 0.09 * max(0.0, x - 120)) for x in widest]


def _ends_of(inner: Nest, k: int, slims: list[int]) -> tuple[list[int], list[int]]:
    high, low = inner.upper_lower[k]
    return [high, *slims], [*slims, low]


def _box(k: int, space: Space) -> Rect:
    look = space.looks[k]
    return Rect(space.x[k] - look.w / 2, space.y[k] - look.h / 2, look.w, look.h)


def _drawn(route: Route) -> tuple[tuple[Point, ...], tuple[Command, ...]]:
    stations = tidy(route.stations)
    path = flowing(stations) if route.flowing else cornered(stations)
    return tuple(stations), tuple(path)
