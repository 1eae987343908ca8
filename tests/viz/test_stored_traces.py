"""Trace files of earlier commits load, tell their story and are drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
import viz

TRACES = Path(__file__).parents[1] / "data" / "traces"
STEPS = {
    "chain": (22, "tanh squashes x = 0.3 into (−1, 1), giving y = 0.2913."),
    "pylayer": (15, "TwoWays.forward is called with a = u [2, 3] and b = v [2, 3]."),
    "program": (32, "Operator 0, mul, is added to the Program: it will compute fc_0.tmp_0 [2, 2]"),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_stored_trace_is_read_as_it_was(name: str, tmp_path: Path) -> None:
    file = TRACES / f"{name}.json"
    trace = viz.load(file)
    count, first = STEPS[name]
    assert len(trace) == count
    assert trace.say(0).startswith(first)
    assert trace.dumps() == file.read_text(encoding="utf-8")
    for ending in ("html", "svg", "txt", "dot"):
        assert trace.save(tmp_path / f"{name}.{ending}").stat().st_size > 500


NEWER = ("stored", "formula", "rate", "message_zh")  # fields that the first recordings had not


def without_newer(thing: Any) -> Any:
    """A document as it was before its records had these fields."""
    if isinstance(thing, dict):
        return {key: without_newer(item) for key, item in thing.items() if key not in NEWER}
    return [without_newer(item) for item in thing] if isinstance(thing, list) else thing


def test_an_older_recording_tells_no_untruth(tmp_path: Path) -> None:
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as trace:
        for _ in range(2):
            (w * w).sum().backward()
        sgd.step()
        sgd.clear_grad()
        (w * 3.0).sum().backward()
    older = tmp_path / "older.json"
    older.write_text(json.dumps(without_newer(json.loads(trace.dumps()))), encoding="utf-8")
    then, now = viz.load(older).story, trace.story
    assert [step.text for step in then.steps] == [step.text for step in now.steps]
    assert sum("several places" in step.text.en for step in then.steps) == 2
    assert sum("holds an old gradient" in step.text.en for step in then.steps) == 1
    assert not [s for step in then.steps for s in step.shown if s.sign.startswith("− 0")]
