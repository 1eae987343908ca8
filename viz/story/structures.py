"""Which rounds are alike: one graph, and the same steps but for their values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from minipaddle.engine.bilingual import Text

from ..model import Badge, Graph, Group, Node, Story, Structure
from . import first_nan
from .numbers import without_numbers

OF_VALUES = {f"first_{kind}" for kind in first_nan.KINDS}  # badges of what may happen in any round
Alarms = Mapping[str, tuple[Badge, ...]]


def structures_of(stories: Iterable[tuple[int | None, Story]]) -> tuple[Structure, ...]:
    """The structures of rounds, in the order of their first appearance."""
    alike: dict[Hashable, list[tuple[int, Story]]] = {}
    for number, story in stories:
        if number is not None:
            alike.setdefault(skeleton(story), []).append((number, story))
    return tuple(
        Structure(
            tuple(number for number, _ in some), Text("", ""), shared([s.graph for _, s in some])
        )
        for some in alike.values()
    )


def skeleton(story: Story) -> Hashable:
    """All of a story that does not change with the values."""
    steps = tuple(
        (step.kind, step.phase, step.nodes, step.edges, step.line, step.forward_line)
        for step in story.steps
    )
    return worded(alarmed(story.graph, {}), without_numbers), steps


def shared(graphs: list[Graph]) -> Graph:
    """The graph of rounds that are alike: `…` stands where numbers of a label differ.

    It has the badges of all of them, those of a first NaN too: `odd` says in which round it was.
    """
    first, *others = dict.fromkeys(graphs)
    if not others:
        return first
    texts = [set(texts_of(graph)) for graph in (first, *others)]
    common = set.intersection(*texts)
    every = alarmed(first, alarms_of((first, *others)))
    return worded(every, lambda text: text if text in common else without_numbers(text))


def alarms_of(graphs: Iterable[Graph]) -> Alarms:
    """Of each box and group in some of these graphs: the badges that only values bring."""
    found: dict[str, dict[Badge, None]] = {}
    for graph in graphs:
        closed = [group.closed for group in graph.groups if group.closed]
        things: list[Node | Group] = [*graph.nodes, *graph.groups, *closed]
        for thing in things:
            alarms = [badge for badge in thing.badges if badge.kind in OF_VALUES]
            found.setdefault(thing.id, {}).update(dict.fromkeys(alarms))
    return {name: tuple(badges) for name, badges in found.items()}


def alarmed(graph: Graph, alarms: Alarms) -> Graph:
    """The graph with these badges in place of all that only values bring."""

    def badges(thing: Node | Group) -> tuple[Badge, ...]:
        lasting = (badge for badge in thing.badges if badge.kind not in OF_VALUES)
        return (*lasting, *alarms.get(thing.id, ()))

    def node(one: Node) -> Node:
        return replace(one, badges=badges(one))

    groups = (
        replace(group, badges=badges(group), closed=group.closed and node(group.closed))
        for group in graph.groups
    )
    return Graph(tuple(map(node, graph.nodes)), graph.edges, tuple(groups))


def texts_of(graph: Graph) -> list[str]:
    """Every label and detail of a graph."""
    found: list[str] = []
    worded(graph, lambda text: found.append(text) or text)  # type: ignore[func-returns-value]
    return found


def worded(graph: Graph, say: Callable[[str], str]) -> Graph:
    """The graph with other labels."""

    def node(one: Node) -> Node:
        labels = say(one.label), say(one.label_zh), say(one.detail)
        return replace(one, label=labels[0], label_zh=labels[1], detail=labels[2])

    return Graph(
        tuple(map(node, graph.nodes)),
        tuple(replace(edge, label=say(edge.label)) for edge in graph.edges),
        tuple(
            replace(
                group,
                label=say(group.label),
                label_zh=say(group.label_zh),
                closed=group.closed and node(group.closed),
            )
            for group in graph.groups
        ),
    )
