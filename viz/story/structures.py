"""Which rounds are alike: one graph, and the same steps but for their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from minipaddle.engine.bilingual import Text

from ..model import Graph, Node, Story, Structure
from . import structure_differences
from .structure_differences import KINDS, OF_KIND, difference, doing

INDEX = re.compile(r"(?<=[\w)\]])\[[^\[\]]*\]")  # `[8:16]` of `x[8:16]`, but no shape
ONE = r"\d[\d.]*(?:e[−+-]?\d+)?"
OPERAND = re.compile(rf"(?<![\w.#])−?{ONE}(?= [×+−/])|(?<=[×+−/] )−?{ONE}")
NUMBER = re.compile(r"\d[\d.]*")
WHOLE = re.compile(rf"−?(?:{ONE}|inf|nan)")  # of a result without a name


class Told(NamedTuple):
    """A round: its number, its kind, and the trace of it."""

    number: int
    kind: str
    trace: structure_differences.Told


def structures_of(rounds: Iterable[Told]) -> tuple[Structure, ...]:
    """The structures of rounds, in the order of their first appearance."""
    alike: dict[Hashable, list[Told]] = {}
    for each in rounds:
        alike.setdefault(skeleton(each.trace.story), []).append(each)
    found = list(alike.values())
    return tuple(
        Structure(
            tuple(each.number for each in some),
            text,
            shared([each.trace.story.graph for each in some]),
        )
        for some, text in zip(found, differences(found), strict=True)
    )


def differences(found: Sequence[Sequence[Told]]) -> list[Text]:
    """What sets each structure apart from that of most rounds, and within its kind from most.

    Of several that are as common it is the first; it says nothing.
    """
    if len(found) < 2:
        return [Text("", "")] * len(found)
    did = [doing(some[0].kind, some[0].trace) for some in found]
    usual = max(range(len(found)), key=lambda k: len(found[k]))
    texts = []
    for k, own in enumerate(did):
        kin = [j for j, other in enumerate(did) if other.kind == own.kind]
        among = usual if usual in kin else max(kin, key=lambda j: len(found[j]))
        rest = Text("", "") if k == among else difference(own, did[among])
        kind = KINDS[own.kind] if among != usual else Text("", "")
        both = OF_KIND.fill(kind=kind, rest=rest) if kind.en and rest.en else None
        texts.append(both or Text(kind.en + rest.en, kind.zh + rest.zh))
    return texts


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
    >>> without_numbers("0.8234")
    '…'
    """
    if WHOLE.fullmatch(text):
        return "…"
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
