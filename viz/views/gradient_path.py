"""The road from a tensor to the loss, and how far the gradient came on its way back."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from minipaddle import events
from minipaddle.events import Seen

from ..layout.fold import Alias, fold, toggle
from ..model import Graph, Node
from ..story.sentences.wording import digits

LONGEST = 7  # stations that are drawn; the middle of a longer road is left out


@dataclass(frozen=True, slots=True)
class Station:
    """A box on the road, and that of its gradient if backward came here.

    `gradient` is "" where no gradient came; `zero` says that all of it is zero.
    """

    label: str
    detail: str = ""
    kind: str = "op"
    gradient: str = ""
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Road:
    """Stations from the tensor to the loss; without `connected` there is no way between them."""

    stations: tuple[Station, ...]
    connected: bool = True


def recorded_road(trace: Any, tensor: int) -> Road | None:
    """The road as a trace has it, PyLayers closed; None if the tensor is not in the picture."""
    graph: Graph = trace.story.graph
    opened = {toggle(group) for group in graph.groups if group.kind == "layer"}
    view = fold(graph, opened)
    nodes = {node.id: node for node in view.nodes}
    makers = _makers(trace.events)

    def box(number: int) -> str:
        found = makers.get(number, f"t{number}")
        found = view.alias.get(found, found)
        return found if found in nodes else f"t{number}"

    start = box(tensor)
    if start not in nodes:
        return None
    ways: dict[str, list[str]] = defaultdict(list)
    for edge in view.edges:
        if edge.kind == "data" and nodes[edge.target].lane == "forward":
            ways[edge.source].append(edge.target)
    ends = [found if found in nodes else view.alias.get(found, found) for found in _ends(trace)]
    path = _path(ways, start, ends)
    connected = path is not None
    if path is None:
        path = [start, *ends[:1]]
    if connected:
        results = [n for n in ways[path[-1]] if nodes[n].kind == "result"]
        path += results[:1]
    gradients = _gradients(trace, view.alias, nodes)
    return Road(_drawn([_station(nodes[name], gradients) for name in path]), connected)


def _makers(records: Any) -> dict[int, str]:
    """The box that each tensor comes out of."""
    found: dict[int, str] = {}
    inside = 0
    for event in records:
        match event:
            case events.ScopeEntered(kind="pylayer.forward"):
                inside += 1
            case events.ScopeLeft(kind="pylayer.forward"):
                inside -= 1
                for i, seen in enumerate(event.outputs):
                    if isinstance(seen, Seen):
                        found[seen.id] = f"call{event.call}.out{i}"
            case events.OpFinished() if not inside:
                found |= {seen.id: f"op{event.call}" for seen in event.outputs}
    return found


def _ends(trace: Any) -> list[str]:
    """The boxes from which the last backward pass started."""
    calls: dict[int, int] = {}
    layers: set[int] = set()
    found: list[str] = []
    for event in trace.events:
        match event:
            case events.GradNodeMade():
                calls[event.node] = event.call
            case events.ScopeEntered(kind="pylayer.forward"):
                layers.add(event.call)
            case events.BackwardStarted():
                found = []
                for edge in event.edges:
                    call = calls.get(edge.id, 0)
                    made = f"call{call}.out{edge.slot}" if call in layers else f"op{call}"
                    found.append(made if edge.kind == "node" else f"t{edge.id}")
    return found


def _path(ways: dict[str, list[str]], start: str, ends: list[str]) -> list[str] | None:
    """The shortest way to one of the ends; without ends, to what lies farthest ahead."""
    came: dict[str, str | None] = {start: None}
    queue = [start]
    for name in queue:
        if name in ends:
            break
        for target in ways[name]:
            if target not in came:
                came[target] = name
                queue.append(target)
    last: str | None = next((end for end in ends if end in came), None)
    if last is None:
        if ends:
            return None
        last = queue[-1]
    path = []
    while last is not None:
        path.append(last)
        last = came[last]
    return path[::-1]


def _gradients(trace: Any, alias: Alias, nodes: dict[str, Node]) -> dict[str, Station]:
    """By forward box: the box of its gradient in the last pass, and whether it is all zero."""
    zero: dict[str, bool] = {}
    for step in trace.story.steps:
        for shown in step.shown:
            name = alias.get(shown.node or "", shown.node or "")
            role = "grad_out" if shown.role == "after" else shown.role
            if shown.value is not None and role in ("grad_out", "output"):
                stats = shown.value["stats"]
                zero[name] = not stats.get("nan") and stats.get("min") == stats.get("max") == 0
    found: dict[str, Station] = {}
    for node in nodes.values():
        if node.lane == "backward" and node.pair and node.kind != "port":
            label = node.label if node.kind != "seed" else digits(node.label)
            known = found.get(node.pair)
            if known is None or node.kind != "seed":
                found[node.pair] = Station(
                    "", node.detail, node.kind, label, zero.get(node.id, False)
                )
    return found


def _station(node: Node, gradients: dict[str, Station]) -> Station:
    found = gradients.get(node.id)
    if found is None:
        return Station(node.label, node.detail, node.kind)
    return Station(node.label, node.detail, node.kind, found.gradient, found.zero)


def _drawn(stations: list[Station]) -> tuple[Station, ...]:
    """The road, its middle replaced by one station that counts what is left out.

    What is near the tensor, and the place where the gradient ends, are kept.
    """
    if len(stations) <= LONGEST:
        return tuple(stations)
    end = next((k for k, s in enumerate(stations) if k and s.gradient), len(stations) - 1)
    keep = {0, 1, len(stations) - 2, len(stations) - 1, end, max(end - 1, 0)}
    found: list[Station] = []
    skipped: list[Station] = []
    for k, station in enumerate([*stations, None]):
        if station is not None and k not in keep:
            skipped.append(station)
            continue
        if skipped:
            through = all(s.gradient for s in skipped)
            found.append(Station(f"… {len(skipped)} …", "", "op", "…" if through else ""))
            skipped = []
        if station is not None:
            found.append(station)
    return tuple(found)
