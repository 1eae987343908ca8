"""Two runs are compared, by steps or by names; the first difference is found and marked."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from tests.each import each
from tests.static.world import fresh
from tests.viz import quality

from . import programs
from .pages import payload_in, script_in


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


# ----- An eager run beside its Program -----------------------------------------------------------


TWIN_WEIGHT = np.array([[1.0, 0.5], [2.0, -1.0], [-1.0, 0.3]], "float32")
ROWS = np.array(programs.ROWS, "float32")


def parameter():
    start = paddle.nn.initializer.Assign(TWIN_WEIGHT)
    return paddle.create_parameter([3, 2], "float32", default_initializer=start)


def tanh(x):
    return np.tanh(np.asarray(x))


def tanh_grad(y, dy):
    return np.asarray(dy) * (1 - np.square(np.asarray(y)))


def eager():
    x, w = paddle.to_tensor(ROWS), parameter()
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as trace:
        y = programs.cus_tanh.apply(paddle.matmul(x, w))
        loss = (y * y).mean()
        loss.backward()
        sgd.step()
    return trace


def program(ran=True, more=False):
    with fresh() as (main, startup), viz.record() as trace:
        x = paddle.static.data("x", [2, 3], "float32")
        h = paddle.matmul(x, parameter())
        if more:
            h = paddle.exp(h)
        y = main.current_block().create_var(name="y", shape=[2, 2], dtype="float32")
        paddle.static.py_func(tanh, h, y, tanh_grad, skip_vars_in_backward_input=h)
        loss = paddle.mean(y * y)
        paddle.optimizer.SGD(0.1).minimize(loss)
        if ran:
            executor = paddle.static.Executor()
            executor.run(startup)
            executor.run(main, feed={"x": ROWS}, fetch_list=[loss])
    return trace


@pytest.fixture(scope="module")
def twin():
    return viz.twin(eager(), program())


def table(twin):
    return [(m.left and str(m.left.label), m.right and str(m.right.label)) for m in twin.matches]


def test_every_box_finds_its_partner(twin):
    assert table(twin) == [
        ("@", "matmul_v2"),
        ("cus_tanh", "py_func: tanh"),
        ("×", "elementwise_mul"),
        ("mean", "reduce_mean"),
        ("1", "fill_constant"),
        ("mean backward", "reduce_mean_grad"),
        ("multiply backward", "elementwise_mul_grad"),
        ("+=", "+="),
        ("cus_tanh.backward", "py_func: tanh_grad"),
        ("matmul backward", "matmul_v2_grad"),
        ("SGD: w", "sgd"),
    ]


def test_a_step_of_only_one_side_is_shown_alone():
    found = viz.twin(eager(), program(more=True))
    assert (None, "exp") in table(found)
    assert (None, "exp_grad") in table(found)
    assert found.summary("en") == "11 boxes match. Only in the Program: exp, exp_grad."


def test_the_steps_of_both_go_together(twin):
    together = [
        (twin.left.steps[a].text.en, twin.right.steps[b].text.en)
        for a, b in twin.steps
        if a is not None and b is not None
    ]
    words = [(left.split()[0], right.split()[0]) for left, right in together]
    assert words[0][1] == "matmul_v2"
    assert ("cus_tanh.forward", "py_func") in words
    assert len(together) >= 9
    for side, story in enumerate((twin.left, twin.right)):
        order = [pair[side] for pair in twin.steps if pair[side] is not None]
        assert order == list(range(len(story.steps)))


def test_the_table_of_boxes_has_two_languages(twin):
    text = twin.text()
    assert re.search(r"^cus_tanh +\[2, 2\] float32 +py_func: tanh ", text, re.MULTILINE)
    assert text.endswith("11 boxes match.\n")
    assert "-- 反向 --" in twin.text("zh")
    assert repr(twin) == "<Twin: 11 of 11 boxes match>"


def test_the_page_is_one_module_and_holds_both_payloads(twin, tmp_path):
    page = twin.save(tmp_path / "twin.html").read_text(encoding="utf-8")
    assert page == twin.html()
    data = payload_in(page)
    assert data["left"]["chapters"]
    assert data["right"]["chapters"]
    assert ["op1", "p2.op0"] in data["matches"]
    assert script_in(page).endswith("\n$twin.mountTwin(host, await payload, options);\n")
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_two_traces_of_one_kind_are_an_error():
    with pytest.raises(InvalidArgument, match="needs an eager trace"):
        viz.twin(eager(), eager())
