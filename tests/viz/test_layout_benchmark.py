"""The graphs of benchmarks/layout.py: no faults, few crossings, work that grows slowly."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.viz import quality
from viz.layout.scene import scene_of

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import layout

from tests.each import each


@each("shared", [0.0, 0.02, 0.3])
@each("backward", [False, True])
def test_training_graphs_have_no_faults(shared, backward):
    scene = scene_of(layout.training(120, shared, backward))
    assert quality.faults(scene) == []
    assert len(scene.spine) >= 120
    assert quality.crossings(scene) == (11 if backward else 0)


def test_a_wire_past_some_rows_takes_the_side_where_it_crosses_fewer():
    """Beside leaves a residual wire passes on the other side, unless more is saved there."""
    ahead = scene_of(layout.training(10))
    both = scene_of(layout.training(10, backward=True))
    for scene, right in ((ahead, True), (both, False)):
        boxes = {box.id: box for box in scene.boxes}
        (wire,) = (w for w in scene.wires if (w.source, w.target) == ("op6", "op9"))
        middle = boxes["op6"].x + boxes["op6"].w / 2
        assert (max(x for x, _ in wire.points) > middle + 20) is right
    back = {box.id: box for box in both.boxes}
    (wire,) = (w for w in both.wires if (w.source, w.target) == ("op9'", "op6'"))
    assert max(x for x, _ in wire.points) > back["op6'"].x + back["op6'"].w / 2 + 20


@pytest.mark.skipif(shutil.which("dot") is None, reason="the Graphviz program dot is not installed")
def test_crossings_are_counted_in_what_dot_draws():
    graph = layout.training(40, 0.3)
    scene = scene_of(graph)
    crossed_by_dot = layout.dot_crossings(scene, graph)
    assert crossed_by_dot is not None
    assert quality.crossings(scene) <= 1.2 * crossed_by_dot


def test_the_work_grows_with_the_boxes_alone():
    """Counted in calls of Python, not in seconds: eight times the boxes, eight times the work."""
    for both in (False, True):
        few, many = (calls_for_a_box(ops, both) for ops in (50, 400))
        assert many < 1.25 * few


def calls_for_a_box(ops, both):
    graph = layout.training(ops, 0.02, both)
    calls = 0

    def count(*_):
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        scene = scene_of(graph)
    finally:
        sys.setprofile(before)
    return calls / len(scene.boxes)
