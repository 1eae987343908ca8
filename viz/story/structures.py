"""Which rounds are alike: one graph, and the same steps but for their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace

from minipaddle.engine.bilingual import Text

from ..model import Graph, Node, Story, Structure

INDEX = re.compile(r"(?<=[\w)\]])\[[^\[\]]*\]")  # `[8:16]` of `x[8:16]`, but no shape
OPERAND = re.compile(r"(?<![\w.#])\d[\d.]*(?:e-?\d+)?(?= [×+−/])|(?<=[×+−/] )\d[\d.]*(?:e-?\d+)?")
NUMBER = re.compile(r"\d[\d.]*")


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
    return worded(story.graph, without_numbers), steps


def without_numbers(text: str) -> str:
    """A label without the numbers that may change from round to round; shapes stay.

    >>> without_numbers("X[8:16]"), without_numbers("x: [8, 4] float32"), without_numbers("x × 0.5")
    ('X[…:…]', 'x: [8, 4] float32', 'x × …')
    """
    text = INDEX.sub(lambda index: NUMBER.sub("…", index[0]), text)
    return OPERAND.sub("…", text)


def shared(graphs: list[Graph]) -> Graph:
    """The graph of rounds that are alike: `…` stands where numbers of a label differ."""
    first, *others = dict.fromkeys(graphs)
    if not others:
        return first
    texts = [set(texts_of(graph)) for graph in (first, *others)]
    common = set.intersection(*texts)
    return worded(first, lambda text: text if text in common else without_numbers(text))


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
