"""Two runs are compared, by steps or by names; the first difference is found and marked."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import minipaddle as paddle
import viz
from tests.each import each
from tests.viz import quality

from . import programs
from .pages import payload_in


def run(weight=1.0, more=False, function=paddle.tanh, dtype="float64", rows=None):
    x = paddle.to_tensor(np.array(rows or programs.ROWS, dtype), stop_gradient=False)
    w = paddle.to_tensor(np.array([[weight], [2.0], [-1.0]], dtype), stop_gradient=False)
    with viz.record() as trace:
        h = x @ w
        if more:
            h = h + 1.0
        y = function(h)
        loss = (y * y).mean()
        loss.backward()
    return trace


# ----- differences -------------------------------------------------------------------------------


@each("make", programs.ALL)
def test_equal_runs_have_no_difference(make):
    found = viz.diff(make(), make())
    assert not found
    assert found.text().startswith("The two runs are equal in all ")


def test_a_changed_input_is_the_first_difference():
    found = viz.diff(run(1.0), run(1.2))
    first = found.changes[0]
    told = (first.kind, first.name, first.at, first.before, first.after)
    assert told == ("value", "w", "[0, 0]", "1", "1.2")
    assert first.off == pytest.approx(0.2)
    assert {c.kind for c in found.changes} == {"value", "gradient"}
    names = [change.name for change in found.changes]
    assert names.index("h") < names.index("y") < names.index("loss") < names.index("x.grad")
    assert "dloss" not in names  # it is 1 in both


def test_a_new_step_is_found_and_the_rest_stays_matched():
    found = viz.diff(run(), run(more=True))
    new = [c for c in found.changes if c.kind == "new"]
    assert [(c.first, c.second, c.name) for c in new] == [
        (None, 2, "+ 1"),
        (None, 15, "+ 1 backward"),
    ]
    assert found.changes[0] is new[0]
    gone = viz.diff(run(more=True), run())
    assert [c.kind for c in gone.changes if c.kind in ("new", "missing")] == ["missing"] * 2
    assert "only in the first run: 1 is added to h" in gone.text()


def test_another_op_in_the_same_place_is_a_change_of_op():
    found = viz.diff(run(), run(function=paddle.sin))
    ops = [(c.before, c.after) for c in found.changes if c.kind == "op"]
    assert ops == [("tanh", "sin"), ("tanh backward", "sin backward")]


def test_another_shape_or_dtype_is_a_change_of_shape():
    found = viz.diff(run(), run(dtype="float32"))
    assert found.changes[0].kind == "shape"
    assert found.changes[0].after.endswith("float32")
    narrow = viz.diff(run(), run(rows=programs.ROWS[:1]))
    assert ("[2, 1] float64", "[1, 1] float64") in [(c.before, c.after) for c in narrow.changes]


def test_the_tolerance_decides():
    one, other = run(1.0), run(1.0 + 1e-7)
    assert not viz.diff(one, other)
    assert viz.diff(one, other, rtol=1e-12)
    change = viz.diff(one, other, rtol=1e-12).changes[0]
    assert change.before != change.after  # digits enough to differ


def test_large_arrays_are_compared_by_their_statistics():
    def large(last):
        x = paddle.to_tensor(np.r_[np.zeros(5000), last])
        with viz.record() as trace:
            _ = x * 2.0
        return trace

    assert not viz.diff(large(1.0), large(1.0))
    assert viz.diff(large(1.0), large(3.0)).changes[0].name == "x"


# ----- showing it --------------------------------------------------------------------------------


def test_the_picture_marks_boxes_with_the_values_of_the_first_run():
    found = viz.diff(run(1.0), run(1.2))
    scene = found.scene()
    assert quality.faults(scene) == []
    marked = {
        str(box.label): tuple(map(str, box.badges))
        for box in scene.boxes
        if box.fill == "alert-fill"
    }
    assert marked["w"] == ("① first difference", "≠ [0, 0] 1 → 1.2")
    assert marked["mean"] == ("≠ 0.9901 → 0.9933",)
    assert "mean backward" not in marked
    root = ET.fromstring(found.svg("zh"))
    words = " ".join(t.text for t in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "≠ 0.9901 → 0.9933" in words
    for text in (words, found.text("en")):
        assert "w [0, 0] 1 → 1.2" in text


def test_the_player_shows_values_of_the_first_run():
    found = viz.diff(run(1.0), run(1.2))
    story = found.story()
    step = next(s for s in story.steps if s.text.en.startswith("tanh"))
    for lang in ("en", "zh"):
        assert "y [1, 0] 0.9919 → 0.9955" in step.text.of(lang)
    assert [s.name for s in step.shown] == ["h", "y", "y ①"]
    graph = payload_in(found.html())["graphs"][0]["graph"]
    assert graph["marked"] == sorted(found.changed_boxes())


def test_the_player_leads_to_the_new_steps_of_the_round_that_it_shows():
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)

    def rounds(last: int) -> viz.Trace:
        with viz.record() as trace:
            for k in viz.rounds(range(3)):
                y = w * w
                if k == last:
                    y = paddle.tanh(y)
        return trace

    found = viz.diff(rounds(-1), rounds(2))
    rows = payload_in(found.html("en"))["problems"]
    assert [row["step"] for row in rows] == [2, 3]
    for row in rows:
        own = found.picture_of.story.steps[row["step"]].text.en
        assert row["text"]["en"] == f"+ only in the second run: {own}"


def test_long_lists_are_cut(monkeypatch):
    found = viz.diff(run(), run(1.2))
    whole = found.text()
    assert "more" not in whole
    monkeypatch.setattr("viz.compare.diff.LINES", 3)
    assert f"… {len(found.changes) - 3} more" in found.text()
    assert found.text().startswith(whole[:100])


# ----- By the names of results, whatever ops compute them ----------------------------------------


WEIGHT = np.random.default_rng(0).normal(size=(6, 5))
X = np.random.default_rng(1).normal(size=(4, 6))


def run_named(dtype: str = "float32", transposed: bool = False, slip: float = 0.0) -> viz.Trace:
    w = paddle.to_tensor(WEIGHT.astype(dtype), stop_gradient=False)
    bias = paddle.to_tensor(np.full(5, 0.1, dtype), stop_gradient=False)
    x = paddle.to_tensor(X.astype(dtype))
    if transposed:
        kernel = paddle.to_tensor(WEIGHT.T.astype(dtype), stop_gradient=False)
    with viz.record(variables=None) as trace:
        h = x @ kernel.t() + bias if transposed else paddle.nn.functional.linear(x, w, bias)
        y = paddle.tanh(h) + slip
        loss = y.square().sum()
        loss.backward()
    return trace


def names_of(found: Any) -> list[str]:
    return [each.name for each in found.results]


def test_a_transposed_weight_and_two_ops_for_one_are_paired_by_names() -> None:
    found = viz.diff(run_named(transposed=True), run_named(), names={"kernel": "w"})
    assert {"w", "h", "y", "loss", "w.grad", "bias.grad"} <= {*names_of(found)}
    assert all(each.ulp <= 4 for each in found.results), found.results
    assert "results are compared" in found.summary("en")[0]
    assert not found, found.changes  # rounding is within the tolerance, and ops do not count


def test_another_dtype_parts_by_rounding() -> None:
    found = viz.diff(run_named("float32"), run_named("float64"))
    by_name = {each.name: each for each in found.results}
    assert by_name["h"].dtypes == ("float32", "float64")
    assert 0 < by_name["h"].ulp < 8
    assert "another order of addition" in found.summary("en")[1]
    assert "求和次序" in found.summary("zh")[1]


def test_the_first_result_beyond_rounding_is_named() -> None:
    found = viz.diff(run_named(slip=1e-3), run_named(), names={})
    assert next(each.name for each in found.results if each.off) == "y"
    said = found.summary("en")[1]
    assert said.startswith("The first that differs by more than rounding is y (step")
    assert found.changes[0] == next(each.change for each in found.results if each.change)
    assert {each.name: each.kind for each in found.changes} == {
        "y": "value",
        "loss": "value",
        "dy": "gradient",
        "dh": "gradient",
        **dict.fromkeys(["dw", "dbias", "w.grad", "bias.grad"], "gradient"),
    }
    step = found.story().steps[found.changes[0].second]
    assert [(each.name, each.role) for each in step.shown][-1] == ("y ①", "output")


def test_runs_of_one_program_are_compared_by_steps_as_before() -> None:
    assert "By their names" not in viz.diff(run_named(slip=1e-3), run_named()).text()


def test_results_without_elements_are_equal() -> None:
    def empty() -> viz.Trace:
        x = paddle.zeros([0, 0])
        with viz.record(variables=None) as trace:
            paddle.tanh(x)
        return trace

    found = viz.diff(empty(), empty(), names={})
    assert [(each.name, each.off) for each in found.results] == [("x", 0.0)]
    assert not found
