"""The cost of each box: time, FLOPs, parameters and bytes of its op, or of its gradient.

Times come from `paddle.profiler`, or from a file that it wrote. Calls of the trace and of the
profiler are matched by order, so both must come from the same run, or from two runs that did the
same. The other costs are counted from the records. A closed box costs the sum of the boxes that it
hides; the gradient of a PyLayer has a time of its own, which includes the ops inside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import minipaddle
from minipaddle import events
from minipaddle.engine.errors import InvalidArgument
from minipaddle.profiler.timing import Span, count_spans

from ..layout.scene import Scene
from ..model import Face, Graph, around
from ..story import ids
from ..story.chapters import Told
from ..story.sentences.memory import size as size_in_bytes
from .magnitude import Scale, check_quantity, scale_of

BY = ("time", "flops", "parameters", "bytes")
COUNTS = {"flops": "flops", "parameters": "parameters", "bytes": "nbytes"}
UNITS = {
    "time": ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")),
    "flops": ((1e12, "TFLOP"), (1e9, "GFLOP"), (1e6, "MFLOP"), (1e3, "kFLOP"), (1.0, "FLOP")),
}
CALLS = ("Operator", "Backward")
Row = tuple[str, float, str | None]  # a box, its cost, the box whose cost includes it
TOGETHER = "with paddle.profiler.Profiler() as prof, viz.record() as trace: ..."


class Colours(NamedTuple):
    """Quantity that a player colours boxes by at first, and the times if it offers them."""

    by: str = ""
    times: tuple[Span, ...] | None = None


PLAIN = Colours()


class Call(NamedTuple):
    """Run of an op, of its gradient or of an operator, and its box."""

    span: Span
    box: str


Parts = Sequence[tuple[Told, int]]  # parts, each with the number of events from before it
Calls = Sequence[Sequence[Call]]  # part -> its calls
Times = Sequence[Span] | None


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of the boxes of a graph, and the scale of their colours; like a Colouring.

    `within` maps a box to the closed box whose cost includes it. `longest` is the longest line of
    all boxes; `widest` maps each box that may show a cost to it.
    """

    by: str
    amounts: Mapping[str, float]
    within: Mapping[str, str]
    widest: Mapping[str, Face]
    longest: str
    scale: Scale | None = None

    def at(self, scene: Scene, _step: int = 0) -> dict[str, float | str]:
        """Return the costs of the boxes of a scene; a closed box has the sum of hidden ones."""
        boxes = {box.id for box in scene.boxes}

        def shown(name: str) -> str:
            return name if name in boxes else scene.alias.get(name, "")

        sums: Counter[str] = Counter()
        for name, amount in self.amounts.items():
            outer = self.within.get(name)
            if outer is None or shown(outer) != shown(name):
                sums[shown(name)] += amount  # type: ignore[assignment]
        return {name: float(sums[name]) for name in sums if name in boxes}

    def text_of(self, amount: float | str) -> str:
        """Return an amount with its unit."""
        return with_unit(self.by, float(amount))

    def lines(self, scene: Scene) -> dict[str, Face]:
        """Return the costs as the second lines of boxes, or "" for a box with room but no cost."""
        kept = {box.id: Face("") for box in scene.boxes if box.detail == self.longest}
        return kept | {name: Face(self.text_of(amount)) for name, amount in self.at(scene).items()}


def with_unit(by: str, amount: float) -> str:
    """Return an amount in its unit, with three digits.

    >>> with_unit("time", 1234567.0), with_unit("flops", 48.0), with_unit("flops", 2.5e6)
    ('1.23 ms', '48 FLOPs', '2.50 MFLOPs')
    >>> with_unit("bytes", 48.0)
    '48 B'
    """
    if by in UNITS:
        size, unit = next(pair for pair in UNITS[by] if amount >= pair[0] or pair[0] == 1.0)
        number = amount / size
        digits = 0 if number == round(number) or number >= 99.95 else 2 if number < 9.995 else 1
        return f"{number:.{digits}f} {unit}{'s' if by == 'flops' and amount != 1 else ''}"
    return size_in_bytes(round(amount)) if by == "bytes" else f"{round(amount):,}"


# ----- boxes of costs ----------------------------------------------------------------------------


def calls_of(recorded: Told, earlier: int = 0) -> list[Call]:
    """Return each op, gradient and operator that ran, in the order in which they began.

    The first `earlier` events belong to earlier parts.
    """
    visits = Counter[int]()
    spans = count_spans(recorded.events[earlier:])
    return [Call(span, _call_box(event, visits)) for span, event in spans]


def _call_box(event: Any, visits: Counter[int]) -> str:
    if isinstance(event, events.OpFinished):
        return ids.op(event.call)
    if isinstance(event, events.OperatorExecuted):
        return ids.operator(event.program, event.index)
    visits[event.node] += 1
    return ids.grad(event.node, visits[event.node])


def costs_of(parts: Parts, shown: Sequence[int], by: str, times: Times = None) -> list[Costs]:
    """Return the costs in the parts of a trace with the numbers `shown`, without a scale.

    `parts` are all parts in order, each with the number of its events that belong to earlier ones.
    """
    calls = [calls_of(*part) for part in parts]
    amounts = _amounts_by_box(calls, by, _spans_with_times(calls, times))
    graphs = [parts[k][0].story.graph for k in shown]
    return [_costs_of_graph(by, graph, amounts[k]) for graph, k in zip(graphs, shown, strict=True)]


def rows_of(parts: Parts, times: Times = None) -> list[dict[str, list[Row]]]:
    """Return the costs of the boxes of each part by each quantity; by time if there are times."""
    rows: list[dict[str, list[Row]]] = [{} for _ in parts]
    calls = [calls_of(*part) for part in parts]
    for by in BY if times is not None else BY[1:]:
        found = _amounts_by_box(calls, by, _spans_with_times(calls, times))
        for own, amounts, (trace, _) in zip(rows, found, parts, strict=True):
            within = _boxes_in_costs(trace.story.graph, amounts)
            own[by] = [(box, amount, within.get(box)) for box, amount in amounts.items()]
    return rows


def _spans_with_times(calls: Calls, times: Times) -> Sequence[Span]:
    """Return the spans of all calls: those of the trace, or the timed ones if there are times."""
    spans = [call.span for some in calls for call in some]
    return spans if times is None else _check_calls_match(spans, times)


def _amounts_by_box(calls: Calls, by: str, measured: Sequence[Span]) -> list[dict[str, float]]:
    """Return the costs of the boxes of each part; a box without cost has no entry."""
    amounts: list[dict[str, float]] = []
    spans = iter(measured)
    for some in calls:
        own: dict[str, float] = {}
        for call in some:
            span = next(spans)
            cost = span.nanoseconds if by == "time" else getattr(call.span, COUNTS[by])
            own[call.box] = own.get(call.box, 0) + cost
        amounts.append({name: amount for name, amount in own.items() if amount})
    return amounts


def on_one_scale(both: Sequence[tuple[Costs, Scene]]) -> list[Costs]:
    """Return the costs with one scale, made from all costs that their scenes show."""
    scale = scale_of(amount for costs, scene in both for amount in costs.at(scene).values())
    return [replace(costs, scale=scale) for costs, _ in both]


def _costs_of_graph(by: str, graph: Graph, amounts: Mapping[str, float]) -> Costs:
    """Return the costs of a graph; boxes with a cost and closed groups around them get room."""
    lines = [with_unit(by, amount) for amount in (*amounts.values(), sum(amounts.values()))]
    longest = max(lines, key=len)
    groups = {group.id: group for group in graph.groups}
    names = dict.fromkeys(amounts)
    for node in graph.nodes:
        if node.id in amounts:
            outer = [groups[name].closed for name in around(groups, node.group)]
            names |= dict.fromkeys(closed.id for closed in outer if closed)
    widest = dict.fromkeys(names, Face(longest))
    return Costs(by, amounts, _boxes_in_costs(graph, amounts), widest, longest)


def _boxes_in_costs(graph: Graph, amounts: Mapping[str, float]) -> dict[str, str]:
    """Map boxes inside a group with a cost of its own to the box of that group."""
    own = {g.id: g.closed.id for g in graph.groups if g.closed and g.closed.id in amounts}
    groups = {group.id: group for group in graph.groups}
    within: dict[str, str] = {}
    for node in graph.nodes:
        outer = next((own[name] for name in around(groups, node.group) if name in own), node.id)
        if outer != node.id:
            within[node.id] = outer
    return within


def colours_of(parts: Parts, color_by: str, times: object) -> Colours:
    """Return the colours that a player of these parts of a trace offers.

    Errors: InvalidArgument for an unknown quantity, and for times that are missing or belong to
    another trace.
    """
    if color_by not in BY:
        check_quantity(color_by)
    spans = check_times(color_by, times, offered=True)
    if spans is not None:
        _spans_with_times([calls_of(*part) for part in parts], spans)
    return Colours(color_by, spans)


# ----- times beside a trace ----------------------------------------------------------------------


def check_times(color_by: str, times: object, offered: bool = False) -> tuple[Span, ...] | None:
    """Return the calls that a profiler timed, in order; None if no times were given.

    `offered`: readers choose the colours, so times are accepted without color_by.

    Errors: InvalidArgument if times are missing, not asked for, or of the wrong type.
    """
    if times is None:
        if color_by == "time":
            raise InvalidArgument(
                'color_by="time" needs times, and a trace has none.',
                expected="times=prof, or the path of a file that prof.export wrote",
                received="no times",
                fix=f"measure while you record: {TOGETHER}",
            )
        return None
    if color_by not in BY and not offered:
        raise InvalidArgument(
            "times colour no boxes here.",
            expected='color_by="time" beside times',
            received=f"times with color_by={color_by!r}",
            fix='write color_by="time", or leave times out',
        )
    if isinstance(times, (str, Path)):
        spans: Any = minipaddle.profiler.load_profiler_result(str(times))
    else:
        spans = getattr(times, "profiler_result", times)
    if not isinstance(spans, (tuple, list)) or not all(isinstance(each, Span) for each in spans):
        raise InvalidArgument(
            "these are no times.",
            expected="a Profiler that has recorded, or the path of a file that its export wrote",
            received=f"times={times!r:.60}",
            fix=f"measure while you record: {TOGETHER}",
        )
    return tuple(span for span in spans if span.kind in CALLS)


def _check_calls_match(spans: Sequence[Span], times: Sequence[Span]) -> Sequence[Span]:
    """Return the times; raise InvalidArgument if their calls differ from those of the trace."""
    for k, (call, timed) in enumerate(zip(spans, times, strict=False)):
        if (call.kind, call.name) != (timed.kind, timed.name):
            what = f"call {k + 1} is {_span_name(timed)}, in the trace {_span_name(call)}"
            break
    else:
        if len(spans) == len(times):
            return times
        what = f"{len(times)} calls, in the trace {len(spans)}"
    raise InvalidArgument(
        "these times are not of this trace.",
        expected="the same ops, gradients and operators in the same order",
        received=what,
        fix=f"measure while you record: {TOGETHER}",
    )


def _span_name(span: Span) -> str:
    return span.name if span.kind == "Operator" else f"the gradient of {span.name}"
