"""The groups of a graph that are open in its first picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from ...model import Graph, Group, around
from .repeats import FEW


def open_groups(graph: Graph) -> Graph:
    """Return the graph with as many groups open as there is room for.

    Groups are closed while too many boxes are visible: first groups in blocks, then the deepest
    ones, and at one depth layers before PyLayers and py_funcs, whose inside is more interesting.
    """
    groups = {group.id: group for group in graph.groups}
    outside = {name: around(groups, name) for name in groups}
    shut = {group.id for group in graph.groups if not group.closed}
    for names in _closing_order(groups, outside):
        if _count_visible(graph, outside, shut) <= FEW:
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
        if any(groups[outer].kind == "block" for outer in outside[group.id]):
            repeated.add(group.id)
        elif group.closed:
            rank = -len(outside[group.id]), group.kind in ("pylayer", "py_func")
            closing.setdefault(rank, set()).add(group.id)
    yield repeated
    for rank in sorted(closing):
        yield closing[rank]


def _count_visible(graph: Graph, outside: Mapping[str, list[str]], shut: AbstractSet[str]) -> int:
    """Return the number of boxes that are visible if these groups are closed."""
    outermost = {
        name: next((each for each in reversed(outer) if each in shut), None)
        for name, outer in outside.items()
    }
    inside = [outermost.get(node.group or "") for node in graph.nodes]
    return inside.count(None) + len(set(inside) - {None})
