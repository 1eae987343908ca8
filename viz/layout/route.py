"""Routes of wires: down a lane through the gaps between rows, or between lanes along corridors.

Between two rows is a gap without boxes; between two lanes, and beside the outer ones, is a
corridor. Wires bend only there. A wire between lanes leaves at a box's side: straight if the row is
free up to the corridor, else through the gap above or below.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import inf
from typing import NamedTuple

from .curves import Point
from .items import Container, Item, Row
from .parts import Part, Seen, Thread
from .tree import meeting

TRACK = 9.0  # distance between neighbouring tracks of a corridor or a gap
TRACKS = 40  # maximum number of tracks in a corridor; more wires share them
RUNS = 8  # maximum number of horizontal runs in a gap; more wires share them
STUB = 9.0
INTO_CORRIDOR = 14.0  # distance from the border of a corridor to its first track

Gap = int  # number of a gap; gap k is above row k
Corridor = int  # number of a corridor; corridor k is to the left of lane k
End = tuple[Part, Thread]  # one end of a wire: its box, and the wire


class Side(IntEnum):
    """Side at which a wire leaves its box: left, right, or UPRIGHT for bottom and top."""

    LEFT = -1
    UPRIGHT = 0
    RIGHT = 1


@dataclass(slots=True, eq=False)
class Run:
    """Level piece of a wire in a gap; `place` counts the runs of the gap from above."""

    gap: Gap
    place: int = 0


@dataclass(slots=True, eq=False)
class Plan:
    """Route of a wire that does not flow down its lane, before y coordinates are known.

    `leave` and `enter` are the runs by which the wire reaches its corridor and its target, or None
    if it goes straight along its row. A `direct` wire has one run, or none; others climb in a track
    of the corridor.
    """

    thread: Thread
    corridor: Corridor
    side: Side
    leave: Run | None
    enter: Run | None
    direct: bool = False
    track: int = 0


@dataclass(slots=True)
class Plans:
    """All planned wires, with the number of tracks in each corridor and of runs in each gap."""

    of: list[Plan] = field(default_factory=list)
    tracks: Counter[Corridor] = field(default_factory=Counter)
    runs: Counter[Gap] = field(default_factory=Counter)


def plan(seen: Seen, threads: Iterable[Thread]) -> Plans:
    """Return plans, with corridors and gaps, for the wires that do not flow down their lane."""
    result = Plans()
    ends = _row_ends(seen)
    lanes = [container for container in seen.containers if container.around is None]
    ways: dict[str, list[Plan]] = {"cross": [], "far": [], "beside": []}
    for thread in threads:
        if thread.wire.way == "cross":
            ways["cross"].append(_plan_between_lanes(thread, ends, lanes))
        elif thread.wire.way == "beside" and thread.source.top == thread.target.top:
            run = Run(thread.source.top + 1)
            ways["beside"].append(Plan(thread, 0, Side.UPRIGHT, run, run, direct=True))
        elif not thread.flows:
            ways["far"].append(_plan_along_margin(thread))
    result.of = [*ways["cross"], *ways["far"], *ways["beside"]]
    _assign_tracks(result)
    for one in result.of:
        for level in dict.fromkeys((one.leave, one.enter)):  # one run may be both
            if level is not None:
                level.place = result.runs[level.gap] % RUNS
                result.runs[level.gap] = min(result.runs[level.gap] + 1, RUNS)
    return result


class Spot(NamedTuple):
    """Row of one lane."""

    lane: Container
    row: Row


class Ends(NamedTuple):
    """Outermost boxes of a row."""

    left: Part
    right: Part


def _row_ends(seen: Seen) -> dict[Spot, Ends]:
    """Map rows of lanes to their leftmost and rightmost box."""
    ends: dict[Spot, Ends] = {}
    for box in seen.boxes:
        spot = Spot(box.lane, box.top)
        left, right = ends.get(spot, (box, box))
        ends[spot] = Ends(box if box.x < left.x else left, box if box.x > right.x else right)
    return ends


def _plan_between_lanes(
    thread: Thread, ends: Mapping[Spot, Ends], lanes: Sequence[Container]
) -> Plan:
    """Return the plan of a wire between lanes, from and to the sides that face each other."""
    source, target = thread.source, thread.target
    here, there = source.lane.number, target.lane.number
    if here == there:  # a saved wire inside one lane
        return _plan_along_margin(thread)
    rightwards = here < there
    start, goal = ends[Spot(source.lane, source.top)], ends[Spot(target.lane, target.top)]
    leaves_free = (start.right if rightwards else start.left) is source
    enters_free = (goal.left if rightwards else goal.right) is target and not any(
        Spot(lane, target.top) in ends for lane in lanes[min(here, there) + 1 : max(here, there)]
    )
    corridor = here + 1 if rightwards else here
    side = Side.RIGHT if rightwards else Side.LEFT
    down, up = target.top >= source.top, target.top <= source.top
    leave = None if leaves_free else Run(source.top + 1 if down else source.top)
    enter = None if enters_free else Run(target.top + 1 if up else target.top)
    if leave is not None and enter is not None and leave.gap == enter.gap:
        return Plan(thread, corridor, side, leave, leave, direct=True)
    straight = leave is enter is None and source.top == target.top
    return Plan(thread, corridor, side, leave, enter, straight)


def _plan_along_margin(thread: Thread) -> Plan:
    """Return the plan of a wire along the margin of its lane: left of forward, right of others."""
    lane, row, goal = thread.source.lane, thread.source.top, thread.target.top
    corridor = lane.number if lane.forward else lane.number + 1
    leave, enter = (row, goal + 1) if lane.backward else (row + 1, goal)
    return Plan(thread, corridor, Side.UPRIGHT, Run(leave), Run(enter))


class Climb(NamedTuple):
    """Rows between which a wire needs its corridor; a gap counts as half a row above its row."""

    top: float
    bottom: float
    order: int
    plan: Plan


def _assign_tracks(result: Plans) -> None:
    """Set the tracks of all climbs, so that overlapping ones differ, with as few as possible."""
    climbs: dict[Corridor, list[Climb]] = defaultdict(list)
    for k, one in enumerate(result.of):
        if not one.direct:
            start = one.thread.source.top if one.leave is None else one.leave.gap - 0.5
            end = one.thread.target.top if one.enter is None else one.enter.gap - 0.5
            climbs[one.corridor].append(Climb(min(start, end), max(start, end), k, one))
    for corridor, some in climbs.items():
        busy: list[float] = []  # track -> lowest row that is taken
        for top, bottom, k, one in sorted(some):
            track = next((t for t, end in enumerate(busy) if end < top), len(busy))
            if track == TRACKS:
                track = k % TRACKS
            elif track == len(busy):
                busy.append(bottom)
            busy[track] = max(busy[track], bottom)
            one.track = track
        # A wire that starts higher climbs further away, so that stairs do not cross.
        for climb in some:
            climb.plan.track = len(busy) - 1 - climb.plan.track
        result.tracks[corridor] = len(busy)


# ----- places ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Stage:
    """Places of rows, gaps and corridors; the parts have their x."""

    parts: Mapping[Item, Part]
    row_top: Sequence[float]
    row_bottom: Sequence[float]
    runs_at: Sequence[float]  # y of the first horizontal run of each gap
    corridors: Sequence[float]  # x of the left border of each corridor

    def run_y(self, run: Run) -> float:
        return self.runs_at[run.gap] + run.place * TRACK

    def middle(self, box: Part) -> float:
        """Return the y of a box's middle."""
        return (self.row_top[box.top] + self.row_bottom[box.top]) / 2

    def top_y(self, box: Part, x: float) -> float:
        """Return the y at which an upright wire meets a box from above."""
        return self.middle(box) - self._half_height(box, x)

    def bottom_y(self, box: Part, x: float) -> float:
        """Return the y at which an upright wire meets a box from below."""
        return self.middle(box) + self._half_height(box, x)

    def _half_height(self, box: Part, x: float) -> float:
        half = box.look.h / 2
        if box.look.shape == "circle":
            half = max(half**2 - (x - box.x) ** 2, 0.0) ** 0.5
        return half


class Route(NamedTuple):
    """Stations of a wire; `flowing`: joined by S-curves, not by corners."""

    stations: tuple[Point, ...]
    flowing: bool


def routes(threads: Iterable[Thread], plans: Plans, stage: Stage) -> dict[Thread, Route]:
    """Return the stations of every wire, from source to target."""
    flowing = [thread for thread in threads if thread.flows]
    ports = _ends_above_and_below(flowing, plans)
    slots = _ends_at_sides(plans, stage)
    by_thread = {thread: _flowing_route(thread, ports, stage) for thread in flowing}
    for one in plans.of:
        stations = (
            _upright_stations(one, ports, stage)
            if one.side is Side.UPRIGHT
            else _sideways_stations(one, slots, stage)
        )
        by_thread[one.thread] = Route(tuple(stations), flowing=False)
    return by_thread


@dataclass(slots=True)
class Leg:
    """Straight piece of a flowing wire, at the x of a part, from row `top` to row `bottom`."""

    part: Part
    top: Row
    bottom: Row


def legs(thread: Thread, parts: Mapping[Item, Part]) -> list[Leg]:
    """Return the straight pieces of a wire: at its upper end, past rows, and at its lower end.

    Out of a frame, a wire goes straight down to the end of the frame's row; it enters a frame in
    the same way.
    """
    slim_in = {slim.item.container: slim for slim in thread.slims}
    upper, lower = meeting(thread.upper.item, thread.lower.item)
    above = _legs_out(thread.upper, upper, slim_in, parts, down=True)
    below = _legs_out(thread.lower, lower, slim_in, parts, down=False)
    slim = slim_in.get(upper.container)
    between = [Leg(slim, slim.top, slim.bottom)] if slim else []
    return [*above, *between, *reversed(below)]


def _legs_out(
    box: Part,
    outer: Item,
    slim_in: Mapping[Container, Part],
    parts: Mapping[Item, Part],
    down: bool,
) -> list[Leg]:
    """Return the legs from a box out to the container that both ends of the wire share."""
    way = [Leg(box, box.first, box.last)]
    at = box.item
    while at is not outer:
        slim = slim_in.get(at.container)
        if slim is not None:
            way.append(Leg(slim, slim.top, slim.bottom))
        frame = at.container.around
        assert frame is not None
        if down:
            way[-1].bottom = parts[frame].last
        else:
            way[-1].top = parts[frame].first
        at = frame
    return way


def _flowing_route(thread: Thread, ports: Mapping[End, float], stage: Stage) -> Route:
    """Return the stations of a wire that goes down its lane through its slim items."""
    upper, lower = thread.upper, thread.lower
    x, end = ports[upper, thread], ports[lower, thread]
    first, *passing, last = legs(thread, stage.parts)
    stations = [(x, stage.bottom_y(upper, x)), (x, stage.row_bottom[first.bottom])]
    for leg in passing:
        stations.append((leg.part.x, stage.row_top[leg.top]))
        stations.append((leg.part.x, stage.row_bottom[leg.bottom]))
    stations += [(end, stage.row_top[last.top]), (end, stage.top_y(lower, end))]
    return Route(tuple(stations if thread.wire.down else stations[::-1]), flowing=True)


Border = tuple[Part, bool]  # a box and its upper (True) or lower border
Arrival = tuple[float, int, Thread]  # x from which a wire comes, its number, the wire


def _ends_above_and_below(flowing: Iterable[Thread], plans: Plans) -> dict[End, float]:
    """Return the x at which each wire meets a box from above or below, arrivals side by side."""
    arriving: dict[Border, list[Arrival]] = defaultdict(list)
    ports: dict[End, float] = {}
    for wire in flowing:
        source, target, downwards = wire.source, wire.target, wire.wire.down
        # x of the neighbour of each end: a slim item, or the other box.
        before, after = source.x, target.x
        if wire.slims:
            first, last = wire.slims[0].x, wire.slims[-1].x
            after, before = (first, last) if downwards else (last, first)
        arriving[target, downwards].append((before, wire.number, wire))
        ports[source, wire] = source.x
        if source.lane.backward:
            arriving[source, not downwards].append((after, wire.number, wire))
    for one in plans.of:
        if one.side is Side.UPRIGHT:
            wire = one.thread
            ports[wire.source, wire] = wire.source.x
            x = -inf if one.corridor == wire.source.lane.number else inf
            arriving[wire.target, _from_above(one)].append((x, wire.number, wire))
    for (box, _), arrivals in arriving.items():
        arrivals.sort()
        spine = next((i for i, (*_, wire) in enumerate(arrivals) if wire.wire.spine), None)
        middle = (len(arrivals) - 1) / 2 if spine is None else float(spine)
        look = box.look
        room = 7.0 if look.shape == "circle" else look.w / 2 - 12
        most = max(middle, len(arrivals) - 1 - middle, 0.5)
        step = min(18.0, room / most)
        for i, (_, _, wire) in enumerate(arrivals):
            ports[box, wire] = box.x + (i - middle) * step
    return ports


def _from_above(one: Plan) -> bool:
    """Return whether a wire comes to its target from the gap above."""
    return one.enter is not None and one.enter.gap == one.thread.target.top


class Slot(NamedTuple):
    """Height at which a wire meets the side of a box, and its length before it turns."""

    y: float
    stub: float


class Aim(NamedTuple):
    """End of a wire at the side of a box; `down`: how much lower the other end is."""

    down: float
    box: Part
    wire: Thread


def _ends_at_sides(plans: Plans, stage: Stage) -> dict[End, Slot]:
    """Return the places of the ends of wires between lanes, at the sides of their boxes.

    Wires between one row and one corridor have different heights: those from above are highest,
    those that go down lowest, so that none covers another. Wires that turn into one gap turn one
    behind the other.
    """
    meeting: dict[tuple[Corridor, Row], list[Aim]] = defaultdict(list)
    for one in plans.of:
        if one.side is not Side.UPRIGHT:
            source, target = one.thread.source, one.thread.target
            down = stage.middle(target) - stage.middle(source)
            up = -down if down else 0.0
            meeting[one.corridor, source.top].append(Aim(down, source, one.thread))
            meeting[one.corridor, target.top].append(Aim(up, target, one.thread))
    slots: dict[End, Slot] = {}
    for aims in meeting.values():
        aims.sort(key=lambda aim: aim.down)
        lines = list(dict.fromkeys(aim.wire for aim in aims))
        lowest = min(aim.box.look.h for aim in aims)
        step = min(11.0, (lowest - 10) / len(lines))
        offset = {wire: (i - (len(lines) - 1) / 2) * step for i, wire in enumerate(lines)}
        for down, box, wire in aims:
            mine = [aim.wire for aim in aims if aim.box is box]
            turn = mine.index(wire)
            turn = len(mine) - 1 - turn if down > 0 else turn
            slots[box, wire] = Slot(stage.middle(box) + offset[wire], STUB + 5.0 * min(turn, 2))
    return slots


def _upright_stations(one: Plan, ports: Mapping[End, float], stage: Stage) -> list[Point]:
    """Return the stations of a wire that meets its boxes at their tops or bottoms."""
    wire, source, target = one.thread, one.thread.source, one.thread.target
    x, end = ports[source, wire], ports[target, wire]
    downwards = one.leave is not None and one.leave.gap == source.top + 1
    start_y = stage.bottom_y(source, x) if downwards else stage.top_y(source, x)
    end_y = stage.top_y(target, end) if _from_above(one) else stage.bottom_y(target, end)
    return [(x, start_y), *_corners_between(one, x, start_y, end, end_y, stage), (end, end_y)]


def _sideways_stations(one: Plan, slots: Mapping[End, Slot], stage: Stage) -> list[Point]:
    """Return the stations of a wire that meets its boxes at the sides that face each other."""
    source, target = one.thread.source, one.thread.target
    (start_y, stub), (end_y, end_stub) = slots[source, one.thread], slots[target, one.thread]
    start = source.x + one.side * source.look.w / 2
    end = target.x - one.side * target.look.w / 2
    turn, last_turn = start + one.side * stub, end - one.side * (end_stub + 4)
    stations = [(start, start_y)]
    if one.leave is not None:
        stations.append((turn, start_y))
    stations += _corners_between(one, turn, start_y, last_turn, end_y, stage)
    if one.enter is not None:
        stations.append((last_turn, end_y))
    return [*stations, (end, end_y)]


def _corners_between(
    one: Plan, x: float, y: float, end_x: float, end_y: float, stage: Stage
) -> list[Point]:
    """Return the corners between the first and the last turn."""
    stations: list[Point] = []
    if one.leave is not None:
        y = stage.run_y(one.leave)
        stations.append((x, y))
    if not one.direct:
        climb = stage.corridors[one.corridor] + INTO_CORRIDOR + one.track * TRACK
        stations += [(climb, y), (climb, end_y if one.enter is None else stage.run_y(one.enter))]
    if one.enter is not None:
        stations.append((end_x, stage.run_y(one.enter)))
    return stations
