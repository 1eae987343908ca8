"""The groups of a graph that are open in the first picture of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from ...model import Graph, Group, around
from .repeats import FEW


def open_groups(graph: Graph) -> Graph:
    """Return the graph with as many groups open as there is room for.

    Groups are closed as long as too many boxes are seen: first blocks and what is in them, then
    the deepest, of one depth layers before PyLayers and py_funcs, whose inside one wants to see.
    """
    groups = {group.id: group for group in graph.groups}
    outside = {name: around(groups, name) for name in groups}
    shut = {group.id for group in graph.groups if not group.closed}
    for names in _in_turn(groups, outside):
        if _count_visible(graph, outside, shut) <= FEW:
            break
        shut |= names
    opened = (replace(group, open_at_first=group.id not in shut) for group in graph.groups)
    return replace(graph, groups=tuple(opened))


def _in_turn(
    groups: Mapping[str, Group], outside: Mapping[str, list[str]]
) -> Iterator[AbstractSet[str]]:
    """Yield the groups that are closed first, next, ..."""
    closing: dict[tuple[int, bool], set[str]] = {}
    repeated = set()
    for group in groups.values():
        if any(groups[outer].kind == "block" for outer in outside[group.id]):
            repeated.add(group.id)
        elif group.closed:
            rank = -len(outside[group.id]), group.kind in ("pylayer", "py_func")
            closing.setdefault(rank, set()).add(group.id)
    yield repeated
    for rank in sorted(closing):
        yield closing[rank]


def _count_visible(graph: Graph, outside: Mapping[str, list[str]], shut: AbstractSet[str]) -> int:
    """Count the boxes that are seen with these groups closed."""
    outermost = {
        name: next((each for each in reversed(outer) if each in shut), None)
        for name, outer in outside.items()
    }
    inside = [outermost.get(node.group or "") for node in graph.nodes]
    return inside.count(None) + len(set(inside) - {None})
