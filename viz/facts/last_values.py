"""The numbers in boxes after a step, in place of shape and dtype."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

from ..document.values import only
from ..model import NONE, Graph, Node, Story, around, label_of, with_boxes
from ..story.numbers import WHOLE
from ..story.sentences.wording import digits, shape
from .magnitude import Owners

WIDE = 32  # maximum width of elements written out; longer values show the range
Changes = tuple[tuple[int, str, str], ...]  # (step, box, its second line), in the order of steps


def numbers(entry: Mapping[str, Any], wide: int = WIDE, sized: bool = True) -> str:
    """Return a value in one line: its elements, or its shape and range; "" if it has no numbers.

    wide: number of letters that fit, without the shape; sized: whether the shape precedes a range.

    >>> numbers({"shape": [2], "data": [0.5, -1.0], "stats": {}})
    '[0.5, −1]'
    >>> numbers({"shape": [9, 9], "data": None, "stats": {"min": -1.25, "max": 3.0}})
    '[9, 9] −1.25 … 3'
    >>> numbers({"shape": [9], "data": None, "stats": {"min": -0.0226, "max": 0.00794}}, 15, False)
    '−0.023 … 0.0079'
    """
    data, stats = entry.get("data"), entry.get("stats") or {}
    few = data is not None and prod(entry["shape"]) <= wide / 2
    for precision in (3, 2) if few else ():
        whole = _write_elements(data, precision)
        if whole and len(whole) <= wide:
            return whole
    if stats.get("min") is None:
        return ""
    ends = stats["min"], stats["max"]
    spans = [" … ".join(_write_number(end, precision) for end in ends) for precision in (3, 2, 1)]
    span = next((each for each in spans if len(each) <= wide), spans[-1])
    return f"{shape(entry['shape'])} {span}" if sized else span


def _write_elements(data: Any, precision: int) -> str:
    if isinstance(data, list):
        return f"[{', '.join(_write_elements(each, precision) for each in data)}]"
    return _write_number(data, precision)


def _write_number(number: Any, precision: int = 3) -> str:
    """Write a number with `precision` significant digits."""
    return digits(float(f"{number:.{precision}g}") if isinstance(number, float) else number)


@dataclass(frozen=True)
class LastValues:
    """Second lines of the boxes of a graph, step by step."""

    changes: Changes

    def at(self, step: int) -> dict[str, str]:
        """Return the second lines of boxes after a step, by the ids of nodes and closed groups."""
        return {name: text for k, name, text in self.changes if k <= step}

    @cached_property
    def widest(self) -> dict[str, str]:
        """Box -> the longest line that it ever has."""
        lines: dict[str, str] = {}
        for _, name, text in self.changes:
            lines[name] = max(lines.get(name, ""), text, key=len)
        return lines


def last_values(story: Story) -> LastValues:
    """Return the numbers of every box: values in the forward lane, gradients in the others.

    A closed group has the numbers of the last box in it that has the group's shape.
    """
    owners = Owners(story.graph)
    stands = _groups_by_node(story.graph)
    labels = {node.id: node for node in story.graph.nodes}
    rows: list[tuple[int, str, str]] = []
    latest: dict[str, str] = {}
    for step in story.steps:
        for shown in step.shown:
            if shown.value is None or not (text := numbers(shown.value)):
                continue
            for name in _boxes_of_value(owners, shown):
                node = labels[name]
                if node.detail != NONE and not _is_label(node, shown.value):
                    line, latest[name] = _second_line(node, text), text
                    rows += [(step.index, box, line) for box in (name, *stands.get(name, ()))]
        for edge in step.edges:
            source, result = owners.results.get(edge, ("", ""))
            if source in latest and not WHOLE.fullmatch(label_of(labels[result], "en")):
                rows.append((step.index, result, latest[source]))
    return LastValues(tuple(rows))


def _boxes_of_value(owners: Owners, shown: Any) -> list[str]:
    """Return the boxes that a shown value belongs to, as a value or, in backward, as a gradient."""
    found = [n for n in owners.of("value", shown) if owners.nodes[n].lane != "backward"]
    return found + [n for n in owners.of("grad", shown) if owners.nodes[n].lane == "backward"]


def _is_label(node: Node, entry: Mapping[str, Any]) -> bool:
    """Return whether the label of a box is the number itself."""
    number = only(entry.get("data"))
    return number is not None and node.label == digits(number)


def _second_line(node: Node, text: str) -> str:
    """Return the second line of a box: `y = [0.5, −1]` if its detail names y, else the text."""
    name, colon, _ = node.detail.partition(": ")
    return f"{name} = {text}" if colon else text


def _groups_by_node(graph: Graph) -> dict[str, list[str]]:
    """Map nodes to closed groups: a group stands for its last inner node of the same shape."""
    inside: dict[str, list[Node]] = {}
    groups = {group.id: group for group in graph.groups}
    for node in graph.nodes:
        for name in around(groups, node.group):
            inside.setdefault(name, []).append(node)
    stands: dict[str, list[str]] = {}
    for group in graph.groups:
        if group.closed and group.closed.detail:
            text = _shape_text(group.closed)
            members = (n for n in inside.get(group.id, ()) if n.tag_of is None)
            same = [n for n in members if _shape_text(n) == text]
            if same:
                stands.setdefault(same[-1].id, []).append(group.closed.id)
    return stands


def _shape_text(node: Node) -> str:
    return node.detail.rpartition(": ")[2]


def with_values(graph: Graph, lines: Mapping[str, str]) -> Graph:
    """Return the graph with these second lines in its boxes and closed groups."""

    def fill(node: Node) -> Node:
        return replace(node, detail=lines[node.id]) if node.id in lines else node

    return with_boxes(graph, fill)
