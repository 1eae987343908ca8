"""The groups of a graph that are open in its first picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from ...model import Graph, Group, around
from .repeats import FEW

ROOMY = 40  # visible boxes up to which also the last turn of each loop is open


def open_groups(graph: Graph, idle: AbstractSet[str] = frozenset()) -> Graph:
    """Return the graph with as many groups open as there is room for, except for `idle` ones.

    Of the turns of a loop, the first is open, and the last where few boxes are visible. Groups are
    closed while too many are: first groups in blocks, then the deepest ones, and at one depth
    layers before PyLayers and py_funcs, whose inside is more interesting.
    """
    groups = {group.id: group for group in graph.groups}
    outside = {name: around(groups, name) for name in groups}
    turns: dict[str | None, list[str]] = {}
    for group in graph.groups:
        if group.kind == "turn" and group.lane == "forward":
            turns.setdefault(group.parent, []).append(group.id)
    inner = {turn for row in turns.values() for turn in row[1:-1]}
    last = {row[-1] for row in turns.values()}
    shut = {group.id for group in graph.groups if not group.closed or group.toggles in inner}
    shut |= idle
    if _count_visible(graph, groups, outside, shut) > ROOMY:
        shut |= {group.id for group in graph.groups if group.toggles in last}
    for names in _closing_order(groups, outside):
        if _count_visible(graph, groups, outside, shut) <= FEW:
            break
        shut |= names
    opened = (replace(group, open_at_first=group.id not in shut) for group in graph.groups)
    return replace(graph, groups=tuple(opened))


def _closing_order(
    groups: Mapping[str, Group], outside: Mapping[str, list[str]]
) -> Iterator[AbstractSet[str]]:
    """Yield sets of groups in the order in which they are closed."""
    closing: dict[tuple[int, bool], set[str]] = {}
    repeated = set()
    for group in groups.values():
        kinds = [groups[outer].kind for outer in outside[group.id]]
        if "block" in kinds or "row" in kinds:
            repeated.add(group.id)
        elif group.closed:
            level = len(outside[group.id]) - (group.kind == "turn")  # a turn closes with its loop
            rank = -level, group.kind in ("pylayer", "py_func")
            closing.setdefault(rank, set()).add(group.id)
    yield repeated
    for rank in sorted(closing):
        yield closing[rank]


def _count_visible(
    graph: Graph,
    groups: Mapping[str, Group],
    outside: Mapping[str, list[str]],
    shut: AbstractSet[str],
) -> int:
    """Return the number of boxes that are visible if these groups are closed."""
    outermost = {
        name: next((each for each in reversed(outer) if each in shut), None)
        for name, outer in outside.items()
    }
    for name, outer in outermost.items():  # closed turns beside each other are one box
        if outer and groups[outer].kind == "turn":
            outermost[name] = groups[outer].parent
    inside = [outermost.get(node.group or "") for node in graph.nodes]
    return inside.count(None) + len(set(inside) - {None})
