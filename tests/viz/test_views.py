"""In every scene, however groups are opened, no words cover other words."""

import itertools
import random
from collections.abc import Callable

from tests.each import each
from viz import theme
from viz.draw.paint import Words, paint
from viz.layout.scene import foldable, scene_of
from viz.model import Graph
from viz.trace import Trace

from . import graphs, stories
from .pages import words

# ----- words -------------------------------------------------------------------------------------


def covered(line: Words) -> tuple[float, float, float, float]:
    """Return the rectangle of a line of text, a little smaller than its letters."""
    width = theme.text_width(line.text, line.size, bold=line.bold, mono=line.mono)
    start = line.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[line.anchor]
    return start + 1, line.y - 0.6 * line.size, start + width - 1, line.y


@each(
    "make",
    [
        *(program for program in stories.ALL if program is not stories.words),
        *(lambda seed=seed: graphs.wild(random.Random(seed), 16) for seed in range(8)),
    ],
)
def test_no_words_cover_other_words(make: Callable[[], Graph | Trace]) -> None:
    made = make()
    graph = made if isinstance(made, Graph) else made.story.graph
    scene = scene_of(graph, frozenset(foldable(graph)))
    lines = words(*paint(scene).parts)
    for one, other in itertools.combinations(lines, 2):
        left, top, right, bottom = covered(one)
        begin, above, end, below = covered(other)
        apart = right <= begin or end <= left or bottom <= above or below <= top
        assert apart, (one.text, other.text)
