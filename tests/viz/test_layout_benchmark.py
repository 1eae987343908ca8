"""The graphs of benchmarks/layout.py take linear work."""

import sys
from pathlib import Path

from viz.layout.scene import scene_of

from .counting import calls_during

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import layout


def test_the_work_grows_linearly_with_the_boxes():
    """Work is counted in Python calls: eight times the boxes take eight times the calls."""
    for both in (False, True):
        few, many = (calls_for_a_box(ops, both) for ops in (50, 400))
        assert many < 1.25 * few


def calls_for_a_box(ops, both):
    graph = layout.training(ops, 0.02, both)
    return calls_during(lambda: scene_of(graph)) / len(scene_of(graph).boxes)
