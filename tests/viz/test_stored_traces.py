"""Trace files of earlier commits are loaded, explained and drawn."""

from pathlib import Path

import pytest

import viz

TRACES = Path(__file__).parents[1] / "data" / "traces"
STEPS = {
    "chain": (22, "tanh squashes x = 0.3 into (−1, 1), giving y = 0.2913."),
    "pylayer": (15, "TwoWays.forward is called with a = u [2, 3] and b = v [2, 3]."),
    "control": (30, "Operator 0, reduce_max, is added to the Program: it will compute max_0.tmp_0"),
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


def test_a_branch_and_a_loop_of_a_trace_without_their_inside_are_closed_boxes() -> None:
    trace = viz.load(TRACES / "control.json")
    told = [step.text for step in trace.story.steps if step.kind == "execute"]
    texts = [text.en for text in told]
    assert any(text.startswith("big is true, so cond runs true_fn:") for text in texts)
    assert any(text.startswith("while repeats its body until its") for text in texts)
    assert any(text.startswith("cond_grad goes back through the function") for text in texts)
    assert any(text.zh.startswith("big 为真，cond 执行 true_fn：") for text in told)
    assert not trace.story.graph.groups
