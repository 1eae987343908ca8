"""Wires: down a lane through the gaps between rows, and between lanes along corridors.

Between two rows lies a gap without boxes, and between two lanes (and beside the outer ones) a
corridor. A wire bends only there. A wire between lanes leaves at a box's side, straight where its
row is free up to the corridor, else through the gap above or below.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import inf
from typing import NamedTuple

from .. import theme
from .curves import Point
from .items import Item, Strip, Wire
from .nest import Nest
from .ranks import Row

TRACK = 9.0  # between neighbouring tracks of a corridor or a gap
TRACKS = 40  # tracks of one corridor; beyond that they are shared
RUNS = 8  # horizontal runs in one gap; beyond that they are shared
STUB = 9.0
INTO_CORRIDOR = 14.0  # from its border to its first track

Gap = int  # gap k lies above row k
Corridor = int  # corridor k lies to the left of lane k
End = tuple[Item, Wire]  # one end of a wire, by the box that is there


class Side(IntEnum):
    """Where a wire leaves its box: at its left or right, or at its bottom or top."""

    LEFT = -1
    UPRIGHT = 0
    RIGHT = 1


@dataclass(slots=True, eq=False)
class Run:
    """A level piece of a wire in a gap; `place` counts the runs of the gap from above."""

    gap: Gap
    place: int = 0


@dataclass(slots=True, eq=False)
class Plan:
    """How a wire that cannot simply flow gets to its target, before anything has a y.

    `leave` and `enter` are the runs by which it reaches its corridor and its target, None where it
    goes straight along its row. A `direct` wire does not climb: it has one run, or none. Others
    climb in a track of the corridor.
    """

    wire: Wire
    corridor: Corridor
    side: Side
    leave: Run | None
    enter: Run | None
    direct: bool = False
    track: int = 0


@dataclass(slots=True)
class Plans:
    """All such wires, and how much room they take: tracks by corridor, runs by gap."""

    of: list[Plan] = field(default_factory=list)
    tracks: Counter[Corridor] = field(default_factory=Counter)
    runs: Counter[Gap] = field(default_factory=Counter)


def plan(nest: Nest) -> Plans:
    """Choose corridors and gaps for the wires that do not flow down their lane."""
    result = Plans()
    ends = _row_ends(nest)
    result.of += [_between(wire, ends, nest.strips) for wire in nest.cross]
    result.of += [_around(wire) for wire in nest.far]
    for wire in nest.beside:
        run = Run(wire.source.top + 1)
        result.of.append(Plan(wire, 0, Side.UPRIGHT, run, run, direct=True))
    _assign_tracks(result)
    for one in result.of:
        runs = (one.leave,) if one.leave is one.enter else (one.leave, one.enter)
        for run_or_none in runs:
            if run_or_none is not None:
                _assign_place(run_or_none, result.runs)
    return result


def _assign_place(run: Run, runs: Counter[Gap]) -> None:
    """The next free place in its gap; of very many they are shared."""
    run.place = runs[run.gap] % RUNS
    runs[run.gap] = min(runs[run.gap] + 1, RUNS)


class Spot(NamedTuple):
    """A row of one lane."""

    strip: Strip
    row: Row


class Ends(NamedTuple):
    """The outermost boxes of a row."""

    left: Item
    right: Item


def _row_ends(nest: Nest) -> dict[Spot, Ends]:
    """The leftmost and the rightmost box of every row of a lane."""
    ends: dict[Spot, Ends] = {}
    for box in nest.boxes:
        spot = Spot(box.strip, box.top)
        left, right = ends.get(spot, (box, box))
        ends[spot] = Ends(box if box.x < left.x else left, box if box.x > right.x else right)
    return ends


def _between(wire: Wire, ends: Mapping[Spot, Ends], strips: Sequence[Strip]) -> Plan:
    """From lane to lane: out at the side that faces the other lane, up or down, and in."""
    source, target = wire.source, wire.target
    here, there = source.strip.number, target.strip.number
    if here == there:  # a saved wire inside one lane
        return _around(wire)
    rightwards = here < there
    start, goal = ends[Spot(source.strip, source.top)], ends[Spot(target.strip, target.top)]
    leaves_free = (start.right if rightwards else start.left) is source
    enters_free = (goal.left if rightwards else goal.right) is target and not any(
        Spot(strip, target.top) in ends for strip in strips[min(here, there) + 1 : max(here, there)]
    )
    corridor = here + 1 if rightwards else here
    side = Side.RIGHT if rightwards else Side.LEFT
    down, up = target.top >= source.top, target.top <= source.top
    leave = None if leaves_free else Run(source.top + 1 if down else source.top)
    enter = None if enters_free else Run(target.top + 1 if up else target.top)
    if leave is not None and enter is not None and leave.gap == enter.gap:
        return Plan(wire, corridor, side, leave, leave, direct=True)
    straight = leave is enter is None and source.top == target.top
    return Plan(wire, corridor, side, leave, enter, straight)


def _around(wire: Wire) -> Plan:
    """Along the margin: forward wires on the far left, gradients to the right of their lane."""
    strip, row, goal = wire.source.strip, wire.source.top, wire.target.top
    corridor = strip.number if strip.forward else strip.number + 1
    leave, enter = (row, goal + 1) if strip.backward else (row + 1, goal)
    return Plan(wire, corridor, Side.UPRIGHT, Run(leave), Run(enter))


class Climb(NamedTuple):
    """From which to which height a wire needs its corridor, a gap half a row above its row."""

    top: float
    bottom: float
    order: int
    plan: Plan


def _assign_tracks(result: Plans) -> None:
    """Climbs that overlap get tracks of their own, as few as possible."""
    climbs: dict[Corridor, list[Climb]] = defaultdict(list)
    for k, one in enumerate(result.of):
        if not one.direct:
            start = one.wire.source.top if one.leave is None else one.leave.gap - 0.5
            end = one.wire.target.top if one.enter is None else one.enter.gap - 0.5
            climbs[one.corridor].append(Climb(min(start, end), max(start, end), k, one))
    for corridor, some in climbs.items():
        busy: list[float] = []  # down to where, by track
        for top, bottom, k, one in sorted(some):
            track = next((t for t, end in enumerate(busy) if end < top), len(busy))
            if track == TRACKS:
                track = k % TRACKS
            elif track == len(busy):
                busy.append(bottom)
            busy[track] = max(busy[track], bottom)
            one.track = track
        for climb in some:  # what starts higher climbs further away, so that stairs do not cross
            climb.plan.track = len(busy) - 1 - climb.plan.track
        result.tracks[corridor] = len(busy)


# ----- places ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Space:
    """Everything that has a place by now, besides x: the middles of boxes, rows, gaps."""

    y: Mapping[Item, float]
    looks: Mapping[Item, theme.Look]
    row_top: Sequence[float]
    row_bottom: Sequence[float]
    runs_at: Sequence[float]  # the first horizontal run of each gap
    corridors: Sequence[float]  # the left border of each corridor

    def run_y(self, run: Run) -> float:
        return self.runs_at[run.gap] + run.place * TRACK

    def track_x(self, corridor: Corridor, track: int) -> float:
        return self.corridors[corridor] + INTO_CORRIDOR + track * TRACK

    def top_y(self, box: Item, x: float) -> float:
        """Where an upright wire meets a box from above."""
        return self.y[box] - self._half(box, x)

    def bottom_y(self, box: Item, x: float) -> float:
        """Where an upright wire meets a box from below."""
        return self.y[box] + self._half(box, x)

    def _half(self, box: Item, x: float) -> float:
        look = self.looks[box]
        half = look.h / 2
        if look.shape == "circle":
            half = max(half**2 - (x - box.x) ** 2, 0.0) ** 0.5
        return half


class Route(NamedTuple):
    """The stations of a wire and whether they are joined by S-curves or by corners."""

    stations: tuple[Point, ...]
    flowing: bool


def routes(nest: Nest, plans: Plans, space: Space) -> dict[Wire, Route]:
    """The stations of every wire, from source to target."""
    ports = _ports(nest, plans, space)
    slots = _slots(plans, space)
    by_wire = {wire: _flow(wire, ports, space) for wire in nest.flow}
    for one in plans.of:
        stations = (
            _upright(one, ports, space)
            if one.side is Side.UPRIGHT
            else _sideways(one, slots, space)
        )
        by_wire[one.wire] = Route(tuple(stations), flowing=False)
    return by_wire


def _flow(wire: Wire, ports: Mapping[End, float], space: Space) -> Route:
    """Down the lane: from row to row through its slim items."""
    upper, lower = wire.upper, wire.lower
    x, end = ports[upper, wire], ports[lower, wire]
    stations = [(x, space.bottom_y(upper, x)), (x, space.row_bottom[upper.top])]
    for slim in wire.slims:
        stations.append((slim.x, space.row_top[slim.top]))
        stations.append((slim.x, space.row_bottom[slim.bottom]))
    stations += [(end, space.row_top[lower.top]), (end, space.top_y(lower, end))]
    return Route(tuple(stations if wire.downwards else stations[::-1]), flowing=True)


Border = tuple[Item, bool]  # of a box: the upper one (True) or the lower one
Arrival = tuple[float, int, Wire]  # the x from which a wire comes, its number, and itself


def _ports(nest: Nest, plans: Plans, space: Space) -> dict[End, float]:
    """The x at which each wire meets a box from above or below: arrivals side by side."""
    arriving: dict[Border, list[Arrival]] = defaultdict(list)
    ports: dict[End, float] = {}
    for wire in nest.flow:
        source, target, downwards = wire.source, wire.target, wire.downwards
        # The slim item, or else the box, that comes next to each end.
        before, after = source.x, target.x
        if wire.slims:
            first, last = wire.slims[0].x, wire.slims[-1].x
            after, before = (first, last) if downwards else (last, first)
        arriving[target, downwards].append((before, wire.number, wire))
        ports[source, wire] = source.x
        if source.strip.backward:
            arriving[source, not downwards].append((after, wire.number, wire))
    for one in plans.of:
        if one.side is Side.UPRIGHT:
            wire = one.wire
            ports[wire.source, wire] = wire.source.x
            x = -inf if one.corridor == wire.source.strip.number else inf
            arriving[wire.target, _from_above(one)].append((x, wire.number, wire))
    for (box, _), arrivals in arriving.items():
        arrivals.sort()
        spine = next((i for i, (*_, wire) in enumerate(arrivals) if wire.spine), None)
        middle = (len(arrivals) - 1) / 2 if spine is None else float(spine)
        look = space.looks[box]
        room = 7.0 if look.shape == "circle" else look.w / 2 - 12
        most = max(middle, len(arrivals) - 1 - middle, 0.5)
        step = min(18.0, room / most)
        for i, (_, _, wire) in enumerate(arrivals):
            ports[box, wire] = box.x + (i - middle) * step
    return ports


def _from_above(one: Plan) -> bool:
    """Whether a wire comes to its target from the gap above."""
    return one.enter is not None and one.enter.gap == one.wire.target.top


class Slot(NamedTuple):
    """At which height a wire meets the side of a box, and how far it goes on before it turns."""

    y: float
    stub: float


class Aim(NamedTuple):
    """One end of a wire at the side of a box, and how much further down the other end is."""

    down: float
    box: Item
    wire: Wire


def _slots(plans: Plans, space: Space) -> dict[End, Slot]:
    """Where each wire between lanes meets the sides of its boxes.

    All wires that one row sends into one corridor, or gets from there, have heights of their own:
    what comes from above stands highest, what goes down lowest, so that none lies on another.
    Wires that turn into one gap turn one behind the other.
    """
    meeting: dict[tuple[Corridor, Row], list[Aim]] = defaultdict(list)
    for one in plans.of:
        if one.side is not Side.UPRIGHT:
            source, target = one.wire.source, one.wire.target
            down = space.y[target] - space.y[source]
            up = -down if down else 0.0
            meeting[one.corridor, source.top].append(Aim(down, source, one.wire))
            meeting[one.corridor, target.top].append(Aim(up, target, one.wire))
    slots: dict[End, Slot] = {}
    for aims in meeting.values():
        aims.sort(key=lambda aim: aim.down)
        lines = list(dict.fromkeys(aim.wire for aim in aims))
        lowest = min(space.looks[aim.box].h for aim in aims)
        step = min(11.0, (lowest - 10) / len(lines))
        offset = {wire: (i - (len(lines) - 1) / 2) * step for i, wire in enumerate(lines)}
        for down, box, wire in aims:
            mine = [aim.wire for aim in aims if aim.box is box]
            turn = mine.index(wire)
            turn = len(mine) - 1 - turn if down > 0 else turn
            slots[box, wire] = Slot(space.y[box] + offset[wire], STUB + 5.0 * min(turn, 2))
    return slots


def _upright(one: Plan, ports: Mapping[End, float], space: Space) -> list[Point]:
    """Out at the bottom or the top of the source, and in at the top or the bottom of the target."""
    wire, source, target = one.wire, one.wire.source, one.wire.target
    x, end = ports[source, wire], ports[target, wire]
    downwards = one.leave is not None and one.leave.gap == source.top + 1
    start_y = space.bottom_y(source, x) if downwards else space.top_y(source, x)
    end_y = space.top_y(target, end) if _from_above(one) else space.bottom_y(target, end)
    return [
        (x, start_y),
        *_turns(one, x, start_y, end, end_y, space),
        (end, end_y),
    ]


def _sideways(one: Plan, slots: Mapping[End, Slot], space: Space) -> list[Point]:
    """Out at the side of the source, and in at the facing side of the target."""
    source, target = one.wire.source, one.wire.target
    (start_y, stub), (end_y, end_stub) = slots[source, one.wire], slots[target, one.wire]
    start = source.x + one.side * space.looks[source].w / 2
    end = target.x - one.side * space.looks[target].w / 2
    turn, last_turn = start + one.side * stub, end - one.side * (end_stub + 4)
    stations = [(start, start_y)]
    if one.leave is not None:
        stations.append((turn, start_y))
    stations += _turns(one, turn, start_y, last_turn, end_y, space)
    if one.enter is not None:
        stations.append((last_turn, end_y))
    return [*stations, (end, end_y)]


def _turns(one: Plan, x: float, y: float, end_x: float, end_y: float, space: Space) -> list[Point]:
    """The corners between the turn out of the source and the turn into the target."""
    stations: list[Point] = []
    if one.leave is not None:
        y = space.run_y(one.leave)
        stations.append((x, y))
    if not one.direct:
        climb = space.track_x(one.corridor, one.track)
        stations += [(climb, y), (climb, end_y if one.enter is None else space.run_y(one.enter))]
    if one.enter is not None:
        stations.append((end_x, space.run_y(one.enter)))
    return stations
