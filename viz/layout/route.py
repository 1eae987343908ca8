"""Wires: down a lane through the gaps between rows, and between lanes along corridors.

Between two rows lies a gap without boxes, and between two lanes (and beside the outer ones) a
corridor. A wire bends only there. A wire between lanes leaves at a box's side, straight where its
row is free up to the corridor, else through the gap above or below.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .. import theme
from ..model import Edge
from .curves import Point
from .nest import Nest

TRACK = 9.0  # between neighbouring tracks of a corridor or a gap
TRACKS = 40  # tracks of one corridor; beyond that they are shared
RUNS = 8  # horizontal runs in one gap; beyond that they are shared
STUB = 9.0


@dataclass(slots=True)
class Plan:
    """How a wire that cannot simply flow gets to its target, before anything has a y.

    `leave` and `enter` are the gaps it runs through (None: straight along its row; gap k lies
    above row k), `corridor` is where it climbs, `track` its place there.
    """

    edge: int
    source: int
    target: int
    corridor: int
    leave: int | None
    enter: int | None
    side: int  # +1: leaves to the right; 0: leaves at its bottom or top
    direct: bool = False  # no climb at all
    track: int = 0
    leave_run: int = 0
    enter_run: int = 0


@dataclass(slots=True)
class Plans:
    """All such wires, and how much room they take in corridors and gaps."""

    of: list[Plan] = field(default_factory=list)
    tracks: list[int] = field(default_factory=list)
    runs: dict[int, int] = field(default_factory=dict)


def plan(nest: Nest, ends: Sequence[tuple[int, int]], nodes: int) -> Plans:
    """Choose corridors and gaps for the wires that do not flow down their lane."""
    result = Plans()
    edges_of = _row_ends(nest, nodes)
    for k in nest.cross:
        result.of.append(_between(nest, k, *ends[k], edges_of))
    for k in nest.far:
        result.of.append(_around(nest, k, *ends[k]))
    for k in nest.beside:
        source, target = ends[k]
        below = nest.items[source].top + 1
        result.of.append(Plan(k, source, target, 0, below, below, 0, direct=True))
    _assign_tracks(result, nest)
    for one in result.of:
        if one.leave is not None:
            one.leave_run = _next_run(result, one.leave)
        if one.enter is not None:
            same = one.direct and one.enter == one.leave
            one.enter_run = one.leave_run if same else _next_run(result, one.enter)
    return result


def _next_run(result: Plans, gap: int) -> int:
    found = result.runs.get(gap, 0)
    result.runs[gap] = min(found + 1, RUNS)
    return found % RUNS


def _row_ends(nest: Nest, nodes: int) -> dict[tuple[int, int], tuple[int, int]]:
    """The leftmost and the rightmost box of every (lane, row)."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for k in range(nodes):
        item = nest.items[k]
        key = (nest.lane_of[k], item.top)
        low, high = found.get(key, (k, k))
        found[key] = (
            k if item.x < nest.items[low].x else low,
            k if item.x > nest.items[high].x else high,
        )
    return found


def _between(
    nest: Nest, k: int, source: int, target: int, ends: Mapping[tuple[int, int], tuple[int, int]]
) -> Plan:
    lanes, items = nest.lane_of, nest.items
    one, other = lanes[source], lanes[target]
    row, goal = items[source].top, items[target].top
    rightwards = one < other
    if one == other:  # a saved wire inside one lane
        return _around(nest, k, source, target)
    near, far = (1, 0) if rightwards else (0, 1)
    leaves_free = ends[one, row][near] == source
    between = range(min(one, other) + 1, max(one, other))
    enters_free = ends[other, goal][far] == target and not any((b, goal) in ends for b in between)
    corridor = one + 1 if rightwards else one
    down = goal >= row
    leave = None if leaves_free else row + 1 if down else row
    enter = None if enters_free else goal if goal > row else goal + 1
    straight = row == goal and leaves_free and enters_free
    shared = leave is not None and leave == enter
    return Plan(
        k,
        source,
        target,
        corridor,
        leave,
        enter,
        1 if rightwards else -1,
        direct=straight or shared,
    )


def _around(nest: Nest, k: int, source: int, target: int) -> Plan:
    """Along the margin: forward wires on the far left, gradients to the right of their lane."""
    lane = nest.lane_of[source]
    corridor = lane + 1 if nest.lanes[lane][0] != "forward" else lane
    row, goal = nest.items[source].top, nest.items[target].top
    up = nest.lanes[lane][0] == "backward"
    leave, enter = (row, goal + 1) if up else (row + 1, goal)
    return Plan(k, source, target, corridor, leave, enter, 0)


def _assign_tracks(result: Plans, nest: Nest) -> None:
    """Climbs that overlap get tracks of their own, as few as possible."""
    result.tracks = [0] * (len(nest.lanes) + 1)
    climbs: dict[int, list[tuple[float, float, int]]] = defaultdict(list)
    for k, one in enumerate(result.of):
        if not one.direct:
            row, goal = nest.items[one.source].top, nest.items[one.target].top
            start = row if one.leave is None else one.leave - 0.5
            end = goal if one.enter is None else one.enter - 0.5
            climbs[one.corridor].append((min(start, end), max(start, end), k))
    for corridor, spans in climbs.items():
        busy: list[float] = []
        for low, high, k in sorted(spans):
            track = next((t for t, end in enumerate(busy) if end < low), len(busy))
            if track == TRACKS:
                track = k % TRACKS
            elif track == len(busy):
                busy.append(high)
            busy[track] = max(busy[track], high)
            result.of[k].track = track
        for _, _, k in spans:  # what starts higher climbs further away, so that stairs do not cross
            result.of[k].track = len(busy) - 1 - result.of[k].track
        result.tracks[corridor] = len(busy)


# ----- places ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Space:
    """Everything that has a place by now: centres and sizes of boxes, rows, gaps, corridors."""

    x: Sequence[float]
    y: Sequence[float]
    looks: Sequence[theme.Look]
    row_top: Sequence[float]
    row_bottom: Sequence[float]
    runs_at: Sequence[float]  # the first horizontal run of each gap
    corridors: Sequence[float]  # the left border of each corridor


@dataclass(frozen=True, slots=True)
class Route:
    """The stations of a wire and whether they are joined by S-curves or by corners."""

    stations: tuple[Point, ...]
    flowing: bool


def routes(
    nest: Nest, plans: Plans, edges: Sequence[Edge], ends: Sequence[tuple[int, int]], space: Space
) -> list[Route]:
    """The stations of every wire, from source to target."""
    ports = _ports(nest, plans, ends, space)
    found: dict[int, Route] = {}
    for k, slims in nest.flow.items():
        found[k] = _flow(nest, k, slims, ends[k], ports, space)
    slots = _slots(nest, plans, space)
    for one in plans.of:
        found[one.edge] = Route(tuple(_planned(one, ports, slots, space, nest)), False)
    return [found[k] for k in range(len(edges))]


def _flow(
    nest: Nest,
    k: int,
    slims: Sequence[int],
    ends: tuple[int, int],
    ports: Mapping[tuple[int, int], float],
    space: Space,
) -> Route:
    items = nest.items
    high, low = sorted(ends, key=lambda i: items[i].top)
    x, nx = ports[high, k], ports[low, k]
    stations = [(x, _edge_y(high, x, 1, space)), (x, space.row_bottom[items[high].top])]
    for slim in slims:
        item = items[slim]
        stations.append((item.x, space.row_top[item.top]))
        stations.append((item.x, space.row_bottom[item.bottom]))
    stations += [(nx, space.row_top[items[low].top]), (nx, _edge_y(low, nx, -1, space))]
    return Route(tuple(stations if high == ends[0] else stations[::-1]), True)


def _edge_y(node: int, x: float, side: int, space: Space) -> float:
    """Where a vertical wire meets the top (-1) or bottom (+1) of a box."""
    look = space.looks[node]
    half = look.h / 2
    if look.shape == "circle":
        half = max(half**2 - (x - space.x[node]) ** 2, 0.0) ** 0.5
    return space.y[node] + side * half


def _ports(
    nest: Nest, plans: Plans, ends: Sequence[tuple[int, int]], space: Space
) -> dict[tuple[int, int], float]:
    """The x at which each wire meets a box from above or below: arrivals side by side."""
    arriving: dict[tuple[int, bool], list[tuple[float, int]]] = defaultdict(list)
    ports: dict[tuple[int, int], float] = {}
    for k, slims in nest.flow.items():
        source, target = ends[k]
        downwards = nest.items[source].top < nest.items[target].top
        near = slims[-1 if downwards else 0] if slims else None
        came = space.x[source] if near is None else nest.items[near].x
        arriving[target, downwards].append((came, k))
        ports[source, k] = space.x[source]
        if nest.lanes[nest.lane_of[source]][0] == "backward":
            first = slims[0 if downwards else -1] if slims else None
            goes = space.x[target] if first is None else nest.items[first].x
            arriving[source, not downwards].append((goes, k))
    for one in plans.of:
        if one.side == 0:
            ports[one.source, one.edge] = space.x[one.source]
            downwards = one.enter == nest.items[one.target].top
            aside = -1e9 if one.corridor == nest.lane_of[one.source] else 1e9
            arriving[one.target, downwards].append((aside, one.edge))
    for (node, _), found in arriving.items():
        found.sort()
        middle = next((i for i, (_, k) in enumerate(found) if k in nest.spine), None)
        if middle is None:
            middle_at = (len(found) - 1) / 2
        else:
            middle_at = float(middle)
        look = space.looks[node]
        room = 7.0 if look.shape == "circle" else look.w / 2 - 12
        most = max(middle_at, len(found) - 1 - middle_at, 0.5)
        step = min(18.0, room / most)
        for i, (_, k) in enumerate(found):
            ports[node, k] = space.x[node] + (i - middle_at) * step
    return ports


def _slots(nest: Nest, plans: Plans, space: Space) -> dict[tuple[int, int], tuple[float, float]]:
    """The y at which each wire between lanes meets the side of a box, and how far it goes on.

    All wires that one row sends into one corridor, or gets from there, have heights of their own:
    what comes from above stands highest, what goes down lowest, so that none lies on another.
    Wires that turn into one gap turn one behind the other.
    """
    meeting: dict[tuple[int, int], list[tuple[float, int, int, int]]] = defaultdict(list)
    for n, one in enumerate(plans.of):
        if one.side:
            goal = space.y[one.target] - space.y[one.source]
            for node, way in ((one.source, goal), (one.target, -goal)):
                key = (one.corridor, nest.items[node].top)
                meeting[key].append((way if goal else 0.0, n, one.edge, node))
    slots: dict[tuple[int, int], tuple[float, float]] = {}
    for found in meeting.values():
        found.sort()
        lines = list(dict.fromkeys(k for _, _, k, _ in found))
        step = min(11.0, (min(space.looks[node].h for *_, node in found) - 10) / len(lines))
        at = {k: (i - (len(lines) - 1) / 2) * step for i, k in enumerate(lines)}
        for goal, _, k, node in found:
            mine = [edge for _, _, edge, other in found if other == node]
            turn = mine.index(k)
            turn = len(mine) - 1 - turn if goal > 0 else turn
            slots[node, k] = space.y[node] + at[k], STUB + 5.0 * min(turn, 2)
    return slots


def _planned(
    one: Plan,
    ports: Mapping[tuple[int, int], float],
    slots: Mapping[tuple[int, int], tuple[float, float]],
    space: Space,
    nest: Nest,
) -> list[Point]:
    climb = space.corridors[one.corridor] + 14 + one.track * TRACK
    leave_y = None if one.leave is None else space.runs_at[one.leave] + one.leave_run * TRACK
    enter_y = None if one.enter is None else space.runs_at[one.enter] + one.enter_run * TRACK
    stations: list[Point] = []
    if one.side == 0:
        x, nx = ports[one.source, one.edge], ports[one.target, one.edge]
        below = one.leave == nest.items[one.source].top + 1
        stations.append((x, _edge_y(one.source, x, 1 if below else -1, space)))
        end = (
            nx,
            _edge_y(one.target, nx, -1 if one.enter == nest.items[one.target].top else 1, space),
        )
    else:
        start_y, stub = slots[one.source, one.edge]
        end_y, end_stub = slots[one.target, one.edge]
        border = space.x[one.source] + one.side * space.looks[one.source].w / 2
        stations.append((border, start_y))
        x = border + one.side * stub
        nx = space.x[one.target] - one.side * space.looks[one.target].w / 2
        end = (nx, end_y)
        nx -= one.side * (end_stub + 4)
        if leave_y is not None:
            stations.append((x, start_y))
    if leave_y is not None:
        stations.append((x, leave_y))
    if not one.direct:
        stations.append((climb, stations[-1][1]))
        stations.append((climb, end[1] if enter_y is None else enter_y))
    if enter_y is not None:
        stations.append((nx, enter_y))
        if one.side:
            stations.append((nx, end[1]))
    stations.append(end)
    return stations
