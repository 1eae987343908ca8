"""The demo has pictures without faults, and sentences that fit."""

import random
from functools import cache
from pathlib import Path

import pytest

from minipaddle._cli import demo
from tests.viz.quality import faults
from viz.layout.blueprint import lay_out
from viz.layout.scene import first_open, foldable, scene_from
from viz.theme import text_width
from viz.trace import Trace

FOLDER = Path(__file__).resolve().parents[2] / "lessons" / "demo"
DEMOS = {
    "cus_tanh": demo.record_cus_tanh,
    "digits": demo.record_training,
    "py_func_net": demo.record_py_func,
}


@cache
def recorded(name: str) -> Trace:
    """Record a demo once."""
    trace: Trace = DEMOS[name](FOLDER)
    assert len(trace)
    return trace


@pytest.mark.parametrize("name", DEMOS)
def test_the_demos_pictures_have_no_fault(name: str) -> None:
    """Their groups are closed, open, as at first, and random ones open."""
    graph = recorded(name).shown.trace.story.graph
    blueprint, names = lay_out(graph), foldable(graph)
    choice = random.Random(0)
    some = [frozenset(n for n in names if choice.random() < 0.5) for _ in range(20)]
    for way in (frozenset(), frozenset(names), first_open(graph), *some):
        assert faults(scene_from(blueprint, way)) == [], way


def test_the_training_is_recorded_by_its_rounds() -> None:
    rounds = recorded("digits").rounds
    assert [each.index for each in rounds if each.kept] == list(range(0, 135, 10))
    assert dict(rounds[50].names) == {"epoch": 1, "batch": 5}
    losses = [each.loss for each in rounds]
    assert losses[-1] < losses[0] / 5


def test_sentences_fit_two_lines_of_a_narrow_window() -> None:
    for view in (view for name in DEMOS for view in recorded(name).steps):
        for lang in ("en", "zh"):
            assert text_width(view.say(lang), 16) < 2 * 730, view.say(lang)
