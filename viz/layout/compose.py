"""A picture from a blueprint and the names of the groups that are open: sums, and no search.

Inside out, each container is packed with what is seen in it, and a frame then is as wide as that;
from above, each row is as tall as what stands in it, and a row of a container becomes as many rows
of the picture as its tallest open group has. Then the wires go through what is left between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from .blueprint import Blueprint
from .curves import Line, cornered_path, flowing_path, tidy
from .fold import find_threads, look_at, pairs
from .items import Container, Row, Space
from .labels import ASIDE, Area, Label, Room, Texts, head, place_labels
from .parts import Part, Seen, Thread
from .place import place
from .ranks import Pair
from .route import TRACK, Plan, Plans, Route, Side, Stage, legs, plan, routes

RUNS_BELOW = 10 / 17  # of a gap, below the frames that end above it
CORRIDOR = 56.0  # between lanes
BESIDE_CLIMBS = 28.0
BESIDE_LABEL = 26.0
MARGIN = 24.0
TITLE = 40.0  # above the first row, for the names of the lanes
PAD, HEAD, FOOT = 16.0, 32.0, 14.0  # between a frame and its members: sides, top, bottom
SLOPE, LEVEL, STEEPEST = 0.09, 120.0, 44.0  # extra height by width, from this width, at most


class Rect(NamedTuple):
    """A rectangle by its top left corner."""

    x: float
    y: float
    w: float
    h: float


class Lane(NamedTuple):
    """The strip in which one direction is drawn."""

    name: str
    column: int
    x: float
    w: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """All visible parts with their places; frames are in the order of the graph."""

    seen: Seen
    threads: Sequence[Thread]
    boxes: Mapping[Part, Rect]
    frames: Mapping[Part, Rect]
    lines: Mapping[Thread, Line]
    labels: Mapping[Thread, Label]
    lanes: tuple[Lane, ...]
    width: float
    height: float


def compose(blueprint: Blueprint, open: AbstractSet[str]) -> Geometry:
    """Put everything that is seen with these groups open into its place."""
    seen = look_at(blueprint.tree, open)
    threads = find_threads(blueprint.tree, seen)
    _set_rows(seen, threads)
    widths = _set_x(seen, threads)
    plans = plan(seen, threads)
    texts = _needed_texts(blueprint, threads)
    across = _across(blueprint, seen, threads, widths, plans, texts)
    down = _down(seen, threads, plans, blueprint.tree.sizes.gap)
    stage = Stage(seen.parts, down.row_top, down.row_bottom, down.runs_at, across.corridors)
    lines = {thread: _line(route) for thread, route in routes(threads, plans, stage).items()}
    boxes = {part: _box(part, stage.middle(part)) for part in seen.boxes}
    frames = {part: _frame(part, down) for part in seen.frames}
    labels = place_labels(threads, texts, lines, _room(boxes, frames)) if texts else {}
    right = max((label.area().right for label in labels.values()), default=0.0)
    width = max(across.width, right + ASIDE)
    return Geometry(seen, threads, boxes, frames, lines, labels, across.lanes, width, down.height)


# ----- rows --------------------------------------------------------------------------------------


def _set_rows(seen: Seen, threads: Iterable[Thread]) -> None:
    """Number the rows of the picture: those in which a box stands, the local ones spread out.

    A group takes as many as are in it; beside it a box stands low, near what it is for.
    """
    inside: dict[Container, list[Part]] = {container: [] for container in seen.containers}
    for part in (*seen.boxes, *seen.frames):
        inside[part.item.container].append(part)
    sizes: dict[Space, dict[Row, int]] = defaultdict(dict)  # how many each local row becomes

    def tall(part: Part) -> int:
        frame = part.item.inside if part.item in framed else None
        return sum(sizes[frame.space].values()) if frame else 1

    framed = {part.item for part in seen.frames}
    for container in reversed(seen.containers):
        size = sizes[container.space]
        for part in inside[container]:
            size[part.item.top] = max(size.get(part.item.top, 1), tall(part))
    starts: dict[Space, dict[Row, Row]] = {}
    begin: dict[Space, Row] = {}
    for container in seen.containers:
        space = container.space
        if space not in starts:
            starts[space], row = {}, begin.get(space, 0)
            for local in sorted(sizes[space]):
                starts[space][local] = row
                row += sizes[space][local]
        for part in inside[container]:
            rows, room = tall(part), sizes[space][part.item.top]
            part.first = starts[space][part.item.top]
            part.last = part.first + room - 1
            spare = room - rows
            part.top = part.first + (spare if part.item.low else spare // 2)
            part.bottom = part.top + rows - 1
            if part.item in framed and part.item.inside:
                begin[part.item.inside.space] = part.top
    for thread in threads:
        passing = []
        for slim in thread.slims:
            space = slim.item.container.space
            start = starts[space]
            passed = [row for row in range(slim.item.top, slim.item.bottom + 1) if row in start]
            if passed:
                slim.top = start[passed[0]]
                slim.bottom = start[passed[-1]] + sizes[space][passed[-1]] - 1
                passing.append(slim)
        thread.slims = passing


# ----- from left to right ------------------------------------------------------------------------


def _set_x(seen: Seen, threads: Iterable[Thread]) -> dict[Container, float]:
    """Pack the containers from the inside out, then add the places; says how wide lanes are."""
    members: dict[Container, list[Part]] = {container: [] for container in seen.containers}
    for part in seen.boxes:
        part.left = part.right = part.look.w / 2
    slims = [slim for thread in threads for slim in thread.slims]
    for part in (*seen.boxes, *seen.frames, *slims):
        members[part.item.container].append(part)
    widths: dict[Container, float] = {}
    for container in reversed(seen.containers):
        here = members[container]
        reach_left = {part.item: part.left for part in here}
        reach_right = {part.item: part.right for part in here}
        xs = place(container.items, container.rows, container.blocks, reach_left, reach_right)
        for part in here:
            part.x = xs[part.item]
        left = min((part.x - part.left for part in here), default=0.0)
        right = max((part.x + part.right for part in here), default=0.0)
        anchor = left
        if container.around is None:
            widths[container] = right - left
        else:
            on_spine = (xs[item] for item in container.anchors if item in xs)
            anchor = next(on_spine, (left + right) / 2)
            frame = seen.parts[container.around]
            frame.left = max(anchor - left + PAD, container.head[0])
            frame.right = max(right - anchor + PAD, container.head[1])
        for part in here:
            part.x -= anchor
    for container in seen.containers:
        if container.around is not None:
            for part in members[container]:
                part.x += seen.parts[container.around].x
    return widths


@dataclass(frozen=True, slots=True)
class Across:
    """The left border of each corridor, the lanes between them, and the width of it all."""

    corridors: Sequence[float]
    lanes: tuple[Lane, ...]
    width: float


def _across(
    blueprint: Blueprint,
    seen: Seen,
    threads: Iterable[Thread],
    widths: Mapping[Container, float],
    plans: Plans,
    texts: Mapping[Thread, Texts],
) -> Across:
    """Put the lanes side by side; corridors have room for wires that climb, and for labels."""
    x = MARGIN
    labels = _label_room(plans, texts, widths)
    corridors: list[float] = []
    lanes: list[Lane] = []
    lane_x: dict[Container, float] = {}
    for lane in blueprint.tree.lanes.values():
        corridors.append(x)
        x = _after_corridor(x, plans.tracks[lane.number])
        if lane.number:
            x = max(x, corridors[-1] + max(CORRIDOR, labels[lane.number]))
        lane_x[lane] = x
        lanes.append(Lane(*lane.key, x, widths[lane]))
        x += widths[lane]
    corridors.append(x)
    x = _after_corridor(x, plans.tracks[len(lanes)])
    for part in (*seen.parts.values(), *(slim for thread in threads for slim in thread.slims)):
        part.x += lane_x[part.lane]
    return Across(corridors, tuple(lanes), x + MARGIN)


def _after_corridor(x: float, tracks: int) -> float:
    return x + (tracks * TRACK + BESIDE_CLIMBS) if tracks else x


def _label_room(
    plans: Plans, texts: Mapping[Thread, Texts], widths: Mapping[Container, float]
) -> dict[int, float]:
    """Return the width of each corridor in which the labels of its straight wires have room."""
    room: dict[int, float] = defaultdict(float)
    for one in plans.of:
        text = texts.get(one.thread)
        if text and one.side is not Side.UPRIGHT and one.leave is one.enter is None:
            asked = text[0].width + BESIDE_LABEL - _slack(one, widths)
            room[one.corridor] = max(room[one.corridor], asked)
    return room


def _slack(one: Plan, widths: Mapping[Container, float]) -> float:
    """Return a straight wire's room in its two lanes, if it crosses no frame's border there."""
    ends = one.thread.source, one.thread.target
    left, right = sorted(ends, key=lambda part: part.lane.number)
    if left.item.container is not left.lane or right.item.container is not right.lane:
        return 0.0
    return widths[left.lane] - left.x - left.right + right.x - right.left


# ----- from top to bottom ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Down:
    """The ends of each row, the runs of its gaps, the frames, and the height of it all."""

    row_top: Sequence[float]
    row_bottom: Sequence[float]
    runs_at: Sequence[float]
    frames: Mapping[Part, tuple[float, float]]  # from where to where
    height: float


def _down(seen: Seen, threads: Iterable[Thread], plans: Plans, space: float) -> Down:
    """Stack the rows, with so much space and as much as frames, runs and slopes need."""
    count = max((part.bottom + 1 for part in seen.boxes), default=1)
    tall = [0.0] * count
    for part in seen.boxes:
        tall[part.top] = max(tall[part.top], part.look.h)
    heads, feet = _frame_room(seen)
    top_room, bottom_room = [0.0] * (count + 1), [0.0] * (count + 1)  # of frames, by gap
    for frame in seen.frames:
        top_room[frame.top] = max(top_room[frame.top], heads[frame])
        bottom_room[frame.bottom + 1] = max(bottom_room[frame.bottom + 1], feet[frame])
    slopes = _slopes(seen, threads, count)
    y = MARGIN + TITLE
    row_top, row_bottom, runs_at = [], [], []
    for gap in range(count + 1):
        runs_at.append(y + bottom_room[gap] + RUNS_BELOW * space)
        runs = plans.runs[gap] * TRACK
        outer = gap in (0, count)
        y += bottom_room[gap] + (runs if outer else space + runs + slopes[gap]) + top_room[gap]
        if gap < count:
            row_top.append(y)
            y += tall[gap]
            row_bottom.append(y)
    frames = {
        frame: (row_top[frame.top] - heads[frame], row_bottom[frame.bottom] + feet[frame])
        for frame in seen.frames
    }
    return Down(row_top, row_bottom, runs_at, frames, y + MARGIN)


def _frame_room(seen: Seen) -> tuple[dict[Part, float], dict[Part, float]]:
    """Measure each frame above its first and below its last row; twins reach alike."""
    above: dict[Space, float] = defaultdict(float)  # room that the frames in a group need
    below: dict[Space, float] = defaultdict(float)
    heads: dict[Part, float] = {}
    feet: dict[Part, float] = {}
    for container in reversed(seen.containers):  # the two halves of a group come one by one
        if container.around is None:
            continue
        frame, outer = seen.parts[container.around], container.around.container
        heads[frame] = HEAD + above[container.space]
        feet[frame] = FOOT + below[container.space]
        if outer.around is not None:
            around = seen.parts[outer.around]
            if around.top == frame.top:
                above[outer.space] = max(above[outer.space], heads[frame])
            if around.bottom == frame.bottom:
                below[outer.space] = max(below[outer.space], feet[frame])
    return heads, feet


def _slopes(seen: Seen, threads: Iterable[Thread], count: int) -> list[float]:
    """Return the extra height of each gap whose wires go far sideways, so that none lies flat."""
    widest = [0.0] * (count + 1)
    for thread in threads:
        if thread.flows:
            way = legs(thread, seen.parts)
            for above, below in pairwise(way):
                widest[below.top] = max(widest[below.top], abs(above.part.x - below.part.x))
    return [min(STEEPEST, SLOPE * max(0.0, x - LEVEL)) for x in widest]


# ----- what is drawn -----------------------------------------------------------------------------


def _box(part: Part, y: float) -> Rect:
    look = part.look
    return Rect(part.x - look.w / 2, y - look.h / 2, look.w, look.h)


def _frame(part: Part, down: Down) -> Rect:
    upper, lower = down.frames[part]
    return Rect(part.x - part.left, upper, part.left + part.right, lower - upper)


def _line(route: Route) -> Line:
    stations = tidy(route.stations)
    path = flowing_path(stations) if route.flowing else cornered_path(stations)
    return Line(tuple(stations), tuple(path))


def _needed_texts(blueprint: Blueprint, threads: Iterable[Thread]) -> dict[Thread, Texts]:
    """Choose the labels that say more than the boxes at the ends of their wires."""
    texts: dict[Thread, Texts] = {}
    named: set[tuple[Part, str]] = set()
    for thread in threads:
        label = thread.edge.label
        text = blueprint.texts.get(label)
        if not text:
            continue
        source, target = thread.source.item.box, thread.target.item.box
        repeats = "leaf_grad" in (source.kind, target.kind)
        repeats = repeats or label in (source.label, target.label)
        repeats = repeats or source.detail.startswith(f"{label}: ")
        if not repeats and (thread.source, text[0].text) not in named:
            named.add((thread.source, text[0].text))  # a tensor with many users is named once
            texts[thread] = text
    return texts


def _room(boxes: Mapping[Part, Rect], frames: Mapping[Part, Rect]) -> Room:
    """Return everything that a label keeps clear of."""
    room = Room()
    for rect in boxes.values():
        room.take(Area(rect.x, rect.y, rect.x + rect.w, rect.y + rect.h))
    for part, rect in frames.items():
        room.frame(rect.x, rect.y, rect.w, rect.h)
        for area in head(part.item, rect.x, rect.y, rect.w):
            room.take(area)
    return room


def level_pairs(seen: Seen) -> tuple[Pair, ...]:
    """Return the pairs of a box and its gradient that stand in one row."""
    return tuple(
        Pair(mate.item.box.id, part.item.box.id)
        for part, mate in pairs(seen)
        if part.item.container.space is mate.item.container.space and part.item.top == mate.item.top
    )
