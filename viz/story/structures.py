"""Structures of rounds: rounds with one graph, and the same steps but for their values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple, TypeVar

from minipaddle.messages import EMPTY, Message

from ..model import Graph, Group, Node, Structure, boxes_of, changed, with_boxes, words
from . import first_nan
from .chapters import Recorded
from .numbers import without_numbers
from .structure_differences import KINDS, OF_KIND, difference, rules_of, work_of

OF_VALUES = {f"first_{kind}" for kind in first_nan.KINDS}  # kinds of badges that depend on values


NodeOrGroup = TypeVar("NodeOrGroup", Node, Group)


class RoundTrace(NamedTuple):
    """A round: its number, its kind, and its trace."""

    number: int
    kind: str
    trace: Recorded


def structures_of(rounds: Iterable[RoundTrace]) -> tuple[Structure, ...]:
    """Return the structures of rounds, in the order of their first appearance."""
    alike: dict[tuple[Hashable, ...], list[RoundTrace]] = {}
    drawn: dict[Hashable, dict[Graph, None]] = {}  # lasting parts -> graphs, perhaps of other steps
    for each in rounds:
        story = each.trace.story
        lasting = lasting_parts(story.graph)
        key = lasting, tuple(map(OF_STEP, story.steps)), tuple(rules_of(each.trace))
        alike.setdefault(key, []).append(each)
        drawn.setdefault(lasting, {})[story.graph] = None
    graphs = {lasting: share([*some]) for lasting, some in drawn.items()}
    texts = differences([*alike.values()])
    return tuple(
        Structure(tuple(each.number for each in some), text, graphs[lasting])
        for ((lasting, *_), some), text in zip(alike.items(), texts, strict=True)
    )


def differences(found: Sequence[Sequence[RoundTrace]]) -> list[Message]:
    """Return texts on how each structure differs from the most common one, and within its kind.

    The first of equally common structures counts as the most common; its text is empty.
    """
    if len(found) < 2:
        return [EMPTY] * len(found)
    did = [work_of(some[0].kind, some[0].trace) for some in found]
    usual = max(range(len(found)), key=lambda k: len(found[k]))
    texts = []
    for k, own in enumerate(did):
        alike = [j for j, other in enumerate(did) if other.kind == own.kind]
        among = usual if usual in alike else max(alike, key=lambda j: len(found[j]))
        rest = EMPTY if k == among else difference(own, did[among])
        kind = KINDS[own.kind] if among != usual else EMPTY
        both = OF_KIND.fill(kind=kind, rest=rest) if kind.en and rest.en else None
        texts.append(both or (kind if kind.en else rest))
    return texts


def lasting_parts(graph: Graph) -> Hashable:
    """Return a graph as tuples, without the numbers in its labels and without its alarms."""
    nodes = [(*OF_NODE(node), *_lasting_texts(node)) for node in boxes_of(graph).values()]
    edges = [(*OF_EDGE(edge), without_numbers(edge.label)) for edge in graph.edges]
    groups = [(*OF_GROUP(group), *_lasting_texts(group)) for group in graph.groups]
    return tuple(nodes), tuple(edges), tuple(groups)


# Parts that do not depend on values.
OF_STEP = attrgetter("kind", "phase", "nodes", "edges", "line", "forward_line")
OF_NODE = attrgetter("id", "kind", "lane", "column", "pair", "group", "tag_of")
OF_EDGE = attrgetter("id", "source", "target", "kind")
OF_GROUP = attrgetter("id", "kind", "parent", "lane", "twin", "open_at_first")


def _lasting_texts(thing: Node | Group) -> Iterator[Hashable]:
    texts = [thing.label] if isinstance(thing.label, str) else thing.label.by_language().values()
    yield tuple(map(without_numbers, texts))
    yield without_numbers(thing.detail) if isinstance(thing, Node) else None
    yield tuple(badge for badge in thing.badges if badge.kind not in OF_VALUES)


def share(graphs: Sequence[Graph]) -> Graph:
    """Return one graph for graphs with the same boxes: `…` replaces numbers in labels that differ.

    Badges of a first NaN or infinity are left out.
    """
    first, *others = graphs
    if not others:
        return first
    texts = [set(texts_of(graph)) for graph in graphs]
    common = set.intersection(*texts)
    same = without_alarms(first)
    return reword(same, lambda text: text if text in common else without_numbers(text))


def without_alarms(graph: Graph) -> Graph:
    """Return the graph without the badges that depend on values."""

    def lasting(thing: NodeOrGroup) -> NodeOrGroup:
        badges = tuple(badge for badge in thing.badges if badge.kind not in OF_VALUES)
        return replace(thing, badges=badges)

    same = with_boxes(graph, lasting)
    return replace(same, groups=tuple(map(lasting, same.groups)))


def texts_of(graph: Graph) -> list[str]:
    """Return every label and detail of a graph."""
    boxes = boxes_of(graph).values()
    labels = [*(box.label for box in boxes), *(group.label for group in graph.groups)]
    found = [text for label in labels for text in words(label).by_language().values()]
    return [*found, *(box.detail for box in boxes), *(edge.label for edge in graph.edges)]


def reword(graph: Graph, say: Callable[[str], str]) -> Graph:
    """Return the graph with each label and detail changed by `say`."""

    def reworded(node: Node) -> Node:
        return replace(node, label=changed(node.label, say), detail=say(node.detail))

    same = with_boxes(graph, reworded)
    edges = (replace(edge, label=say(edge.label)) for edge in graph.edges)
    groups = (replace(group, label=changed(group.label, say)) for group in same.groups)
    return replace(same, edges=tuple(edges), groups=tuple(groups))
