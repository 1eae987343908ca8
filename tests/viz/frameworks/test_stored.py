"""Stored recordings of Paddle and PyTorch programs are read, explained, drawn, and followed."""

from __future__ import annotations

import re
from pathlib import Path

import viz
from minipaddle import events
from tests.each import each

from .checks import PADDLE

FOLDER = Path(__file__).parent / "traces"
TRACES = sorted(FOLDER.glob("*/*.json"))


@each("path", TRACES)
def test_a_stored_trace_is_drawn_and_explained(path: Path, tmp_path: Path) -> None:
    trace = viz.load(path)
    assert trace.framework == path.parent.name
    for step in trace.steps:
        said = step.text, step.say("zh")
        assert all(said)
        assert trace.framework == "paddle" or not re.search(PADDLE, "\n".join(said)), said
    trace.problems()
    for ending in ("html", "svg", "txt"):
        trace.save(tmp_path / f"trace.{ending}")
    assert trace.title in (tmp_path / "trace.html").read_text(encoding="utf-8")


@each("path", TRACES)
def test_a_stored_trace_reads_as_before(path: Path) -> None:
    said = "\n".join(step.text for step in viz.load(path).steps)
    assert said == path.with_suffix(".txt").read_text(encoding="utf-8").rstrip("\n")


@each("framework", ["paddle", "torch"])
def test_another_learning_rate_moves_a_program(framework: str) -> None:
    trace = viz.load(FOLDER / framework / "mlp.json")
    assert trace.what_if({}).stale() == {}
    changed = trace.what_if({"lr": 0.5})
    assert changed.stale() == {}
    updates = [
        [event for event in each.events if isinstance(event, events.ParameterUpdated)]
        for each in (trace, changed)
    ]
    assert updates[0][-1].tensor.value.data != updates[1][-1].tensor.value.data
