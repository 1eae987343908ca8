"""What is seen: a scene for every way to open groups, and words that lie on no other words."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

from tests.each import each
from tests.viz.quality import faults
from viz import theme
from viz.draw.paint import Words, paint
from viz.layout.scene import foldable, scene_of
from viz.model import Graph
from viz.trace import Trace

from . import graphs, stories


def around(graph: Graph, name: str) -> set[str]:
    """The names that must be open for what opens by this one to be seen."""
    groups = {group.id: group for group in graph.groups}
    outer = set()
    for group in graph.groups:
        if group.toggles == name:
            while group.parent is not None:
                group = groups[group.parent]
                outer.add(group.toggles)
    return outer


@each("seed", range(16))
def test_what_stands_in_a_closed_group_is_its_box(seed: int) -> None:
    graph = graphs.wild(random.Random(seed), 10)
    choice = random.Random(seed)
    for _ in range(3):
        some = {name for name in foldable(graph) if choice.random() < 0.5}
        some = {name for name in some if around(graph, name) <= some}
        scene = scene_of(graph, frozenset(some))
        shown = {box.id for box in scene.boxes} | {frame.id for frame in scene.frames}
        assert {frame.toggles for frame in scene.frames} <= some
        for node in graph.nodes:
            assert node.id in shown or scene.alias.get(node.id) in shown
        drawn = {wire.id for wire in scene.wires}
        for edge in graph.edges:
            ends = {scene.alias.get(end, end) for end in (edge.source, edge.target)}
            seen = edge.id in drawn or scene.alias.get(edge.id) in drawn
            assert seen or len(ends) == 1, edge
        assert not [fault for fault in faults(scene) if "spine" not in fault]


# ----- words -------------------------------------------------------------------------------------


def covered(words: Words) -> tuple[float, float, float, float]:
    """What a line of text covers, a little less than its letters do."""
    width = theme.text_width(words.text, words.size, bold=words.bold, mono=words.mono)
    start = words.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    return start + 1, words.y - 0.6 * words.size, start + width - 1, words.y


@each(
    "make",
    [
        *(program for program in stories.ALL if program is not stories.words),
        *(lambda seed=seed: graphs.wild(random.Random(seed), 16) for seed in range(8)),
    ],
)
def test_no_words_lie_on_other_words(make: Callable[[], Graph | Trace]) -> None:
    made = make()
    graph = made if isinstance(made, Graph) else made.story.graph
    scene = scene_of(graph, frozenset(foldable(graph)))
    lines = [mark for part in paint(scene).parts for mark in part.marks if isinstance(mark, Words)]
    for one, other in itertools.combinations(lines, 2):
        left, top, right, bottom = covered(one)
        begin, above, end, below = covered(other)
        apart = right <= begin or end <= left or bottom <= above or below <= top
        assert apart, (one.text, other.text)
