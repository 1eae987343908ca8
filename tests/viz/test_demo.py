"""The demo's pictures and those of the small programs: no fault, nothing nameless, all legible."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from minipaddle._cli import demo
from tests.each import each
from viz.layout.blueprint import lay_out
from viz.layout.labels import Area, Label
from viz.layout.quality import faults
from viz.layout.scene import Frame, first_open, foldable, scene_from, scene_of
from viz.model import Graph
from viz.theme import text_width
from viz.trace import Trace

from . import programs

FOLDER = Path(__file__).resolve().parents[2] / "lessons" / "demo"
DEMOS = {
    "cus_tanh": demo.record_cus_tanh,
    "digits": demo.record_training,
    "py_func_net": demo.record_py_func,
}


@pytest.fixture(scope="module")
def traces() -> dict[str, Trace]:
    return {}


@pytest.fixture
def drawn(traces: dict[str, Trace]) -> Callable[[str], Trace]:
    """The trace of a demo, recorded once."""

    def trace(name: str) -> Trace:
        if name not in traces:
            traces[name] = DEMOS[name](FOLDER)
            assert len(traces[name])
        return traces[name]

    return trace


@pytest.mark.parametrize("name", DEMOS)
def test_the_demos_pictures_have_no_fault(drawn: Callable[[str], Trace], name: str) -> None:
    check_every_way(drawn(name).shown.trace.story.graph, 20)


def check_every_way(graph: Graph, drawn: int) -> None:
    """No fault with every group closed, open, as at first, and in some ways that are drawn."""
    blueprint, names = lay_out(graph), foldable(graph)
    choice = random.Random(0)
    some = [frozenset(n for n in names if choice.random() < 0.5) for _ in range(drawn)]
    for way in (frozenset(), frozenset(names), first_open(graph), *some):
        assert faults(scene_from(blueprint, way)) == [], way


def sides_of(frame: Frame) -> list[Area]:
    left, top, right, bottom = frame.x, frame.y, frame.x + frame.w, frame.y + frame.h
    upright = [Area(x, top, x, bottom) for x in (left, right)]
    return [*upright, *(Area(left, y, right, y) for y in (top, bottom))]


def test_no_words_lie_across_the_border_of_a_frame(drawn: Callable[[str], Trace]) -> None:
    for name in DEMOS:
        graph = drawn(name).shown.trace.story.graph
        scene = scene_from(lay_out(graph), frozenset(foldable(graph)))
        sides = [side for frame in scene.frames for side in sides_of(frame)]
        words = [Label(wire.label, wire.label_at) for wire in scene.wires if wire.label]
        assert [one.text for one in words if any(map(one.area().touches, sides))] == []


@each("program", programs.ALL)
def test_recorded_pictures_have_no_fault(program: Callable[[], Trace]) -> None:
    check_every_way(programs.kept(program).story.graph, 4)


def test_a_round_of_training_shows_the_users_names_and_opens_the_pylayer(
    drawn: Callable[[str], Trace],
) -> None:
    graph = drawn("digits").shown.trace.story.graph
    labels = [str(node.label) for node in graph.nodes]
    held = {"net.hidden.weight", "net.output.bias", "net.hidden.weight.grad"}
    assert {"images", "digits", "loss", *held} <= set(labels)
    assert "softmax + cross entropy backward" in labels
    assert not [label for label in labels if label[:1] == "t" and label[1:].isdigit()]
    opened = {str(group.label) for group in graph.groups if group.open_at_first}
    assert {"Net", "Linear hidden", "cus_tanh", "cus_tanh.backward"} <= opened


def test_the_training_is_recorded_by_its_rounds(drawn: Callable[[str], Trace]) -> None:
    rounds = drawn("digits").rounds
    assert [each.index for each in rounds if each.kept] == list(range(0, 135, 10))
    assert dict(rounds[50].names) == {"epoch": 1, "batch": 5}
    losses = [each.loss for each in rounds]
    assert losses[-1] < losses[0] / 5


def test_sentences_fit_two_lines_of_a_narrow_window(drawn: Callable[[str], Trace]) -> None:
    for view in (view for name in DEMOS for view in drawn(name).steps):
        for lang in ("en", "zh"):
            assert text_width(view.say(lang), 16) < 2 * 730, view.say(lang)


def test_a_label_on_a_box_or_on_another_label_is_a_fault(drawn: Callable[[str], Trace]) -> None:
    graph = drawn("digits").shown.trace.story.graph
    scene = scene_of(graph, first_open(graph))
    one, other = [wire for wire in scene.wires if wire.label][:2]
    box = scene.boxes[0]

    def moved(at: tuple[float, float]) -> list[str]:
        wires = [replace(w, label_at=at) if w is one else w for w in scene.wires]
        return faults(replace(scene, wires=tuple(wires)))

    assert f"the label of wire {one.id} lies on box {box.id}" in moved((box.x, box.y + 12))
    assert any("overlap" in fault for fault in moved(other.label_at))
