"""A picture from a blueprint and the names of the open groups, computed without any search.

From the inside out, each container packs its visible items, which gives the width of its frame.
From the top down, each row gets the height of its tallest box; a row of a container becomes as many
rows of the picture as its tallest open group has. Then wires are routed through the space between.
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
from .labels import ASIDE, Area, Label, Room, Texts, head, place_labels, with_more
from .parts import Part, Seen, Thread
from .place import place
from .ranks import Pair
from .route import TRACK, Plan, Plans, Route, Side, Stage, legs, plan, routes

RUNS_BELOW = 10 / 17  # place of the first run in a gap, below the frames that end there
CORRIDOR = 56.0  # least distance between lanes
BESIDE_CLIMBS = 28.0
BESIDE_LABEL = 26.0
MARGIN = 24.0
TITLE = 40.0  # height of the names of lanes, above the first row
PAD, HEAD, FOOT = 16.0, 32.0, 14.0  # space between a frame and its members: sides, top, bottom
# extra height of a gap for each pixel of its widest wire beyond LEVEL; at most STEEPEST
SLOPE, LEVEL, STEEPEST = 0.09, 120.0, 44.0


class Rect(NamedTuple):
    """Rectangle; x, y is its top left corner."""

    x: float
    y: float
    w: float
    h: float


class Lane(NamedTuple):
    """Strip in which one direction is drawn."""

    name: str
    column: int
    x: float
    w: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """Places of all visible parts; frames are in the order of the graph."""

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
    """Return the places of everything that is visible when the groups `open` are open."""
    seen = look_at(blueprint.tree, open)
    threads = find_threads(blueprint.tree, seen)
    _set_rows(seen, threads)
    widths = _set_x(seen, threads)
    plans = plan(seen, threads)
    texts = _needed_texts(blueprint, threads)
    across = _place_lanes(blueprint, seen, threads, widths, plans, texts)
    down = _stack_rows(seen, threads, plans, blueprint.tree.sizes.gap)
    stage = Stage(seen.parts, down.row_top, down.row_bottom, down.runs_at, across.corridors)
    lines = {
        thread: _line_of_route(route) for thread, route in routes(threads, plans, stage).items()
    }
    boxes = {part: _box_rect(part, stage.middle(part)) for part in seen.boxes}
    frames = {part: _frame_rect(part, down) for part in seen.frames}
    labels = place_labels(threads, texts, lines, _label_obstacles(boxes, frames)) if texts else {}
    right = max((label.area().right for label in labels.values()), default=0.0)
    width = max(across.width, right + ASIDE)
    return Geometry(seen, threads, boxes, frames, lines, labels, across.lanes, width, down.height)


# ----- rows --------------------------------------------------------------------------------------


def _set_rows(seen: Seen, threads: Iterable[Thread]) -> None:
    """Set the rows of the picture that each part occupies.

    A group takes as many rows as are in it; a `low` box beside it takes the last of them.
    """
    inside: dict[Container, list[Part]] = {container: [] for container in seen.containers}
    for part in (*seen.boxes, *seen.frames):
        inside[part.item.container].append(part)
    sizes: dict[Space, dict[Row, int]] = defaultdict(dict)  # local row -> rows of the picture

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
                last = start[passed[-1]] + sizes[space][passed[-1]] - 1
                # wires of a run end in the row of its first turn, whichever turn they come from
                slim.top = max(start[passed[0]], thread.upper.bottom + 1)
                slim.bottom = min(last, thread.lower.top - 1)
                if slim.top <= slim.bottom:
                    passing.append(slim)
        thread.slims = passing


# ----- from left to right ------------------------------------------------------------------------


def _set_x(seen: Seen, threads: Iterable[Thread]) -> dict[Container, float]:
    """Set the x of every part, packed from the inside out; return the widths of the lanes."""
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
    """Left border of each corridor, lanes between them, and the width of the picture."""

    corridors: Sequence[float]
    lanes: tuple[Lane, ...]
    width: float


def _place_lanes(
    blueprint: Blueprint,
    seen: Seen,
    threads: Iterable[Thread],
    widths: Mapping[Container, float],
    plans: Plans,
    texts: Mapping[Thread, Texts],
) -> Across:
    """Place the lanes side by side, with corridors for wires that climb and their labels."""
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
    """Map corridors to the width that the labels of their straight wires need."""
    room: dict[int, float] = defaultdict(float)
    for one in plans.of:
        text = texts.get(one.thread)
        if text and one.side is not Side.UPRIGHT and one.leave is one.enter is None:
            asked = text[0].width + BESIDE_LABEL - _wire_slack(one, widths)
            room[one.corridor] = max(room[one.corridor], asked)
    return room


def _wire_slack(one: Plan, widths: Mapping[Container, float]) -> float:
    """Return the length of a straight wire in its two lanes, or 0 if it crosses a frame there."""
    ends = one.thread.source, one.thread.target
    left, right = sorted(ends, key=lambda part: part.lane.number)
    if left.item.container is not left.lane or right.item.container is not right.lane:
        return 0.0
    return widths[left.lane] - left.x - left.right + right.x - right.left


# ----- from top to bottom ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Down:
    """Top and bottom of each row, first run of each gap, frames, and the height of the picture."""

    row_top: Sequence[float]
    row_bottom: Sequence[float]
    runs_at: Sequence[float]
    frames: Mapping[Part, tuple[float, float]]  # frame -> its top and bottom
    height: float


def _stack_rows(seen: Seen, threads: Iterable[Thread], plans: Plans, space: float) -> Down:
    """Stack the rows, with `space` between them and what frames, runs and slopes need."""
    count = max((part.bottom + 1 for part in seen.boxes), default=1)
    tall = [0.0] * count
    for part in seen.boxes:
        tall[part.top] = max(tall[part.top], part.look.h)
    heads, feet = _frame_room(seen)
    top_room, bottom_room = [0.0] * (count + 1), [0.0] * (count + 1)  # heights, by gap
    for frame in seen.frames:
        top_room[frame.top] = max(top_room[frame.top], heads[frame])
        bottom_room[frame.bottom + 1] = max(bottom_room[frame.bottom + 1], feet[frame])
    slopes = _gap_slopes(seen, threads, count)
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
    """Return how far each frame reaches above its first and below its last row; twins agree."""
    above: dict[Space, float] = defaultdict(float)  # group -> room that the frames in it need
    below: dict[Space, float] = defaultdict(float)
    heads: dict[Part, float] = {}
    feet: dict[Part, float] = {}
    for container in reversed(seen.containers):  # the halves of a group are separate
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


def _gap_slopes(seen: Seen, threads: Iterable[Thread], count: int) -> list[float]:
    """Return the extra height of each gap, so that wires that go far sideways are not flat."""
    widest = [0.0] * (count + 1)
    for thread in threads:
        if thread.flows:
            way = legs(thread, seen.parts)
            for above, below in pairwise(way):
                widest[below.top] = max(widest[below.top], abs(above.part.x - below.part.x))
    return [min(STEEPEST, SLOPE * max(0.0, x - LEVEL)) for x in widest]


# ----- boxes, frames and labels ------------------------------------------------------------------


def _box_rect(part: Part, y: float) -> Rect:
    look = part.look
    return Rect(part.x - look.w / 2, y - look.h / 2, look.w, look.h)


def _frame_rect(part: Part, down: Down) -> Rect:
    upper, lower = down.frames[part]
    return Rect(part.x - part.left, upper, part.left + part.right, lower - upper)


def _line_of_route(route: Route) -> Line:
    stations = tidy(route.stations)
    path = flowing_path(stations) if route.flowing else cornered_path(stations)
    return Line(tuple(stations), tuple(path))


def _needed_texts(blueprint: Blueprint, threads: Iterable[Thread]) -> dict[Thread, Texts]:
    """Return the labels of wires that the boxes at their ends do not already show."""
    texts: dict[Thread, Texts] = {}
    named: set[tuple[Part, str]] = set()
    for thread in threads:
        label = thread.edge.label
        text = blueprint.texts.get(label)
        if not text:
            continue
        if {edge.label for edge in thread.merged} - {label, ""}:
            text = with_more(text)
        source, target = thread.source.item.box, thread.target.item.box
        repeats = "leaf_grad" in (source.kind, target.kind)
        repeats = repeats or label in (source.label, target.label)
        repeats = repeats or source.detail.startswith(f"{label}: ")
        if not repeats and (thread.source, text[0].text) not in named:
            named.add((thread.source, text[0].text))  # name a tensor once for all its users
            texts[thread] = text
    return texts


def _label_obstacles(boxes: Mapping[Part, Rect], frames: Mapping[Part, Rect]) -> Room:
    """Return the areas and lines that labels avoid."""
    room = Room()
    for rect in boxes.values():
        room.take(Area(rect.x, rect.y, rect.x + rect.w, rect.y + rect.h))
    for part, rect in frames.items():
        room.frame(rect.x, rect.y, rect.w, rect.h)
        for area in head(part.item, rect.x, rect.y, rect.w):
            room.take(area)
    return room


def level_pairs(seen: Seen) -> tuple[Pair, ...]:
    """Return the pairs of a box and its gradient that share a row."""
    return tuple(
        Pair(mate.item.box.id, part.item.box.id)
        for part, mate in pairs(seen)
        if part.item.container.space is mate.item.container.space and part.item.top == mate.item.top
    )
