"""Which rounds are alike: one graph, and the same steps but for their values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from minipaddle.engine.bilingual import Text

from ..model import Story, Structure


def structures_of(stories: Iterable[tuple[int | None, Story]]) -> tuple[Structure, ...]:
    """The structures of rounds, in the order of their first appearance."""
    alike: dict[Hashable, list[int]] = {}
    for number, story in stories:
        if number is not None:
            alike.setdefault(skeleton(story), []).append(number)
    return tuple(Structure(tuple(numbers), Text("", "")) for numbers in alike.values())


def skeleton(story: Story) -> Hashable:
    """All of a story that does not change with the values."""
    steps = tuple(
        (step.kind, step.phase, step.nodes, step.edges, step.line, step.forward_line)
        for step in story.steps
    )
    return story.graph, steps
