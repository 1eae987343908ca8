"""What the lessons say of their numbers, problems, pictures and memory is so."""

import json
import math
import re
import sys
import textwrap
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.autograd import PyLayer
from minipaddle.exercises.course import lessons
from minipaddle.testing import pretend_gpu
from tests.each import each
from tests.static.world import fresh

from .answers import answer_in, course, ran, solutions
from .conftest import LESSONS, ROOT


def solved(of: str) -> dict[str, Any]:
    """Return the variables of a solved lesson."""
    return ran(of).variables


def texts_of(trace: viz.Trace) -> list[str]:
    return [step.text for step in trace.steps]


def boxes(trace: viz.Trace) -> list[str]:
    return [str(box.label) for box in trace.story.graph.nodes]


def wires(trace: viz.Trace) -> list[tuple[str, str, str]]:
    """List the wires of a picture: where from, where to, which kind."""
    graph = trace.story.graph
    names = {box.id: str(box.label) for box in graph.nodes}
    return [(names[w.source], names[w.target], w.kind) for w in graph.edges]


def badges(trace: viz.Trace) -> set[str]:
    """List what the frames of a picture wear, in English."""
    return {badge.text.en for group in trace.story.graph.groups for badge in group.badges}


def kinds(trace: viz.Trace) -> list[str]:
    """List the kinds of problem that are found in a recording."""
    return [problem.kind for problem in trace.problems()]


def losses(trace: viz.Trace) -> list[float]:
    """List the losses of all rounds."""
    return [float(turn.loss) for turn in trace.rounds if turn.loss is not None]


def leaf(*numbers: float) -> Any:
    return paddle.to_tensor([*map(float, numbers)], stop_gradient=False)


# What the text of a lesson says that its cells print.
PRINTED = {
    "03_the_tape": ["db: 0.42", "da: 0.42 + 0.42 = 0.84", "a.grad: 2.84"],
    "04_order_and_sums": [
        *("d 1.0", "c 1.0", "b 1.182", "a 2.363", "x.grad: 8.0", "x.grad: 12.0"),
        *("row.grad: [2. 2. 2.] shape: [3]", "w.grad: 6.0", "cleared: 0.0"),
    ],
    "05_three_rules": ["apply has run", "a.grad: 2.0  b.grad: 3.0"],
    "06_context": [
        *("ctx.x: 26.0", "x.grad: 2.0", "y is x: True  w.grad: 40.0", "x.grad: [2. 2.]"),
        *("y is x: False  w.grad: 22.0", "unmarked: False False", "marked: True False"),
        *("dwhole: [0. 0.]  drest: [1. 1.]", "da: [1. 1.]  db: [0. 0.]"),
    ],
    "07_right_gradient": [
        *("x.grad: 6.75", "float32, h = 1e-8: 0.0", "x.grad: [2. 4. 6.]", "x.grad: 240.0"),
        *("z: [2. 0. 1.]", "x.grad: [0.25  nan 0.5 ]"),
    ],
    "08_in_the_wild": [
        *("1 w = 0.4, loss = 1, w.grad = -2", "2 w = 0.6, loss = 0, w.grad = 0"),
        *("w = 10.4  loss = 1.0", "v.grad: 12.0  w.grad: -24.0", "[0.   0.69 3.05]"),
        *("loss: nan  logits.grad: [nan nan]", "x.grad: 12.0"),
    ],
    "10_programs": ["fetched: 1 (5, 3)", "loss: 3.572118043899536"],
    "11_py_func": ["comes: [4.] [0.9272952] [10.] [20.]", "the same gradient: True"],
    "12_train_for_real": ["[32, 64] Flatten", "largest difference: 0.0"],
    "13_devices": [
        *("a: Place(gpu:0)  b: Place(cpu)", "a * 2: Place(gpu:0)  b * 2: Place(cpu)"),
        *("weight.grad: Place(cpu)", "copies: 0", "['gpu:0', 'cpu', 'gpu:0', 'cpu']"),
    ],
    "15_through_time": [
        *("w.grad: 0.0766  start.grad: 0.0014", "6.5e-16  6.4e+08", "beginning.grad: 0.0625"),
        *("first.grad: 0.0573", "w = 1.5, start = 0.001: 1 1.5 2.25 3.37 5.06 7.58 11.4 17.1 25.6"),
    ],
    "16_gradients_of_gradients": [
        *("g: 27.0  x.grad: 18.0", "g.stop_gradient: True  x.grad: None"),
        *("slope: 6.0  w.grad: 30.0", "20.00 [1. 0.] 2 / 20.00 = 0.100"),
        *("cube g: [27.  3.]  x.grad: [18.  6.]", "early_cube g: [27.  3.]  x.grad: None"),
        *("cube g: 4.0  bend: 12.0", "early_cube g: 4.0  bend: 6.0"),
        "cube: 12.0  early_cube: 12.0",
    ],
}


@each(("of", "lines"), PRINTED.items())
def test_the_cells_print_what_the_text_says(of: str, lines: list[str]) -> None:
    assert {*lines} <= {*ran(of).printed.splitlines()}


# Intended: a backward that is not the derivative, too large numbers, faults of a training.
ON_PURPOSE = {
    "05_three_rules": {"wrong_gradient"},
    "06_context": {"wrong_gradient"},
    "07_right_gradient": {"wrong_gradient", "nan"},
    "08_in_the_wild": {"wrong_gradient", "inf", "nan"},
    "09_training": {
        *("carried_over", "eval_in_training", "exploding", "loss_still", "not_updated"),
        "vanishing",
    },
    "11_py_func": {"inf", "nan"},
    "15_through_time": {"inf", "nan"},
}


@each("of", lessons())
def test_a_solved_lesson_has_only_its_intended_problems(of: str) -> None:
    spaces = [ran(of).variables, *ran(of).before.values()]
    traces = {id(x): x for space in spaces for x in space.values() if isinstance(x, viz.Trace)}
    assert traces
    assert {kind for trace in traces.values() for kind in kinds(trace)} == ON_PURPOSE.get(of, set())


# ----- Lessons 1 to 4: the tape ------------------------------------------------------------------


def test_lesson_1_shows_backward_where_somebody_wants_a_gradient() -> None:
    nudged, backward = map(float, re.findall(r": (\d\S+)\n", ran("01_one_tanh").printed)[:2])
    assert nudged == pytest.approx(backward, rel=1e-6)
    labels = boxes(solved("01_one_tanh")["trace"])
    assert labels[labels.index("dz") + 1 :][:3] == ["×", "1 −", "×"]
    gated_tanh = solved("01_one_tanh")["gated_tanh"]
    a, b = paddle.randn([3]), paddle.randn([3])
    for wanted in (False, True):
        with viz.record() as trace:
            gated_tanh.apply(a, b).mean().backward()
        assert ("mean backward" in boxes(trace)) is wanted
        a.stop_gradient = b.stop_gradient = False


def test_lessons_2_to_4_show_where_gradients_go() -> None:
    leaves, order = solved("02_leaves"), solved("04_order_and_sums")
    backward = [label for label in boxes(leaves["trace"]) if label.endswith("backward")]
    assert backward == ["sum backward", "add backward", "multiply backward"]
    assert boxes(solved("03_the_tape")["trace"])[6:] == [
        *("add backward", "tanh backward", "+=", "add backward", "+=", "a.grad")
    ]
    assert boxes(order["trace"]).count("announce") == 4
    assert boxes(order["meeting"]).count("+=") == 1
    details = {str(box.label): box.detail for box in order["spread"].story.graph.nodes}
    assert details["add backward"] == "[2, 3] float32"
    assert details["Σ"] == "[3] float32"
    assert order["twice"].ended.error == "Fatal"
    assert ("x.grad", "+=") in [wire[:2] for wire in wires(order["retained"])]


# ----- Lessons 5 to 8: layers of one's own -------------------------------------------------------


def raised(name: str, forward: Any, backward: Any, *inputs: Any) -> str:
    """Return the last line of what a layer of this name raises, as a notebook shows it."""
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    for method, function in (("forward", forward), ("backward", backward)):
        function.__qualname__ = f"{name}.{method}"
        function.__code__ = function.__code__.replace(co_qualname=f"{name}.{method}")
    made = type(name, (PyLayer,), methods)
    with pytest.raises((OSError, TypeError, ValueError)) as error:
        made.apply(*inputs).sum().backward()
    found = error.value.__cause__ or error.value
    first = str(found).splitlines()[0]
    return f"TypeError: {first}" if isinstance(found, TypeError) else first


@each("place", ["", "zh"])
def test_lesson_5_shows_the_messages_that_such_layers_raise(place: str) -> None:
    page = json.loads((LESSONS / place / "05_three_rules.ipynb").read_text(encoding="utf-8"))
    told = [line.strip() for cell in page["cells"] for line in cell["source"]]
    x, y, z = leaf(1, 1), leaf(1, 1), leaf(1, 1)
    shown = [
        raised("gate", lambda ctx, x: x * 2, lambda ctx, da, db: da, x),
        raised("scale", lambda ctx, x: x * 2, lambda ctx, dy: (dy, dy), x),
        raised("shift", lambda x: x + 1, lambda ctx, dy: dy, x),
        raised("mix", lambda ctx, x, y, z: x + y * z, lambda ctx, dy: (dy, dy), x, y, z),
    ]
    for mark, message in zip("①②③④", shown, strict=True):
        assert f"{mark}  {message}" in told


def test_lesson_5_shows_the_errors_and_both_wrong_gradients() -> None:
    variables = solved("05_three_rules")
    for name in ("broken", "short"):
        assert variables[name].ended is not None
        [group] = [one for one in variables[name].story.graph.groups if "backward" in one.label]
        assert [badge.text.en for badge in group.badges] == ["error"]
    assert ("dmask", "None") in {
        (str(box.label), box.detail) for box in variables["spared"].story.graph.nodes
    }
    a, b = leaf(1, 2), leaf(1, 2)
    assert variables["tried"](lambda dy: (None, dy), a, b) is None
    assert a.grad is None
    assert b.grad is not None
    assert kinds(variables["crossing"]) == ["wrong_gradient"] * 2
    assert "= 6.3" in texts_of(variables["crossing"].what_if({"a": 2.1}))[1]


def test_lesson_5_works_without_the_decorator() -> None:
    name = "sum_and_difference"
    plain = solutions("05_three_rules")[name].replace("    @staticmethod\n", "")
    layer = answer_in("05_three_rules", name, name, plain)
    a, b = leaf(1, 1), leaf(1, 1)
    s, d = layer.apply(a, b)
    (s * 3 + d).sum().backward()
    assert a.grad.tolist() == [4.0, 4.0]
    assert b.grad.tolist() == [2.0, 2.0]
    layer = answer_in("05_three_rules", name, name, plain.replace("(ctx,", "(self, ctx,"))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'b'"):
        layer.apply(a, b)


def test_lesson_6_shows_what_is_kept_taken_over_and_left_out() -> None:
    variables = solved("06_context")
    both, taken, spared = (variables[name] for name in ("both_ways", "taken", "spared"))
    assert [kind for *_, kind in wires(both)].count("saved") == 1
    assert "4 B kept for backward" in both.text()
    assert any("not in-place" in badge for badge in badges(spared))
    assert not any("not in-place" in badge for badge in badges(taken))
    assert ("x", "y", "data") in wires(spared)
    assert kinds(taken) == kinds(spared) == ["wrong_gradient"]
    assert "× 100 backward" not in boxes(variables["split"])
    labels = boxes(variables["lean"])
    inside = labels[labels.index("dsquare") : labels.index("dx")]
    assert (sum("×" in label for label in inside), inside.count("+")) == (3, 1)


def test_lesson_7_has_bars_of_as_many_digits_as_the_text_says() -> None:
    printed = ran("07_right_gradient").printed
    rows = [line for line in printed.splitlines() if line.startswith("1e-")]
    width = 26
    one_side, both_sides, single = (
        [row[6 + width * n - 1 :][:width].count("█") for row in rows] for n in range(3)
    )
    assert one_side[:6] == [1, 2, 3, 4, 5, 6]
    assert both_sides[:4] == [3, 5, 7, 9]
    assert {both_sides.index(max(both_sides)), both_sides.index(sorted(both_sides)[-2])} == {4, 5}
    assert sorted(both_sides)[-2] >= 10
    assert max(single) == 5
    assert single[7:] == [0] * 5
    ratio = re.search(r"the right one is (0\.03\d+) times", printed)
    assert ratio is not None
    assert float(ratio[1]) == pytest.approx(1 / np.exp([1, 2, 3]).sum(), rel=1e-5)


def test_lesson_7_finds_the_wrong_gradients() -> None:
    variables = solved("07_right_gradient")
    for to, cube in ((2.5, "≈ 15.62"), (1.6, "= 4.096"), (1.51, "≈ 3.443")):
        nudged = texts_of(variables["cubed"].what_if({"x": np.float32(to)}))
        assert any(cube in text for text in nudged)
    findings = viz.slopes(variables["network"]).findings
    assert [finding.agrees for finding in findings] == [True, True, True, False, True]
    assert findings[3].name == "dv"
    found = {name: kinds(variables[name]) for name in ("half_right", "born", "healthy")}
    assert found == {"half_right": ["wrong_gradient"], "born": ["nan"], "healthy": []}
    assert {*kinds(variables["searched"])} == {"wrong_gradient"}
    right, half = leaf(1, 2), leaf(1, 2)
    paddle.tanh((right * 3) ** 2 * 0.1).sum().backward()
    paddle.tanh(variables["lost_two"].apply(half * 3) * 0.1).sum().backward()
    np.testing.assert_allclose(half.grad * 2, right.grad, rtol=1e-5)
    assert variables["hunt"].solution.kind == "axis"


def test_lesson_7_praises_another_answer_that_passes() -> None:
    one_where = "    return paddle.sqrt(paddle.where(x > 0, x, paddle.zeros_like(x)))"
    root = answer_in("07_right_gradient", "root", "root", f"def root(x):\n{one_where}\n")
    assert course("07_right_gradient")["root"].judge(root).solved
    x = leaf(4, 0, -1)
    root(x).sum().backward()
    assert x.grad.tolist() == [0.25, 0.0, 0.0]


def test_lesson_8_rounds_reverses_and_overflows() -> None:
    variables = solved("08_in_the_wild")
    assert len(variables["learning"].rounds) == 4
    assert ("multiply backward", "v.grad") in [wire[:2] for wire in wires(variables["turned"])]
    assert kinds(variables["overflow"]) == ["inf", "nan"]
    assert len(str(int(math.exp(100)))) == 44
    x = leaf(-1.7, -0.8, 0.1, 0.4, 1.3)
    y = variables["quantize"].apply(x, 0.5, 1.0)
    ((y - 0.25) ** 2).sum().backward()
    assert y.tolist() == [-1.0, -1.0, 0.0, 0.5, 1.0]
    assert x.grad.tolist() == [0.0, -2.5, -0.5, 0.5, 0.0]
    logits, target = variables["logits"], variables["target"]
    np.testing.assert_allclose(logits.grad.sum(axis=1).numpy(), 0, atol=1e-6)
    np.testing.assert_allclose(logits.grad.numpy()[:, 0], [0, -0.5, -0.953], atol=1e-3)
    ready = paddle.nn.functional.cross_entropy(logits, target, soft_label=True, reduction="none")
    np.testing.assert_allclose(ready.numpy(), variables["losses"].numpy(), atol=1e-6)


def test_lesson_8_keeps_sixteen_results_or_eight() -> None:
    variables = solved("08_in_the_wild")
    kept, hills = variables["kept"], variables["hills"]
    assert "16 KiB kept for backward" in kept.text()
    assert "8 KiB kept for backward, of which 1 KiB are inputs" in hills.text()
    assert [boxes(trace).count("tanh") for trace in (kept, hills)] == [16, 32]
    found = [wire[:2] for wire in wires(variables["doubled"])]
    assert {("x.grad", "dx"), ("x.grad", "+=")} <= {*found}
    w, x = leaf(1, 2), paddle.ones([2])
    recompute = variables["recompute"]
    assert recompute.apply(lambda h: h * w, x).stop_gradient
    x.stop_gradient = False
    recompute.apply(lambda h: h * w, x).sum().backward()
    assert w.grad.tolist() == [1.0, 1.0]


# ----- Lesson 9: training ------------------------------------------------------------------------


def test_lesson_9_describes_what_learning_rates_do() -> None:
    down = solved("09_training")["down"]
    assert losses(down) == pytest.approx([9 * 0.64**n for n in range(12)], rel=1e-3)
    assert losses(down.what_if({"lr": 0.5}))[1:] == [0.0] * 11
    assert losses(down.what_if({"lr": 0.9})) == pytest.approx(losses(down), rel=1e-5)
    standing = down.what_if({"lr": 1.0})
    assert losses(standing) == [9.0] * 12
    assert kinds(standing) == ["loss_still"]
    growing = losses(down.what_if({"lr": 1.1}))
    assert growing[1] / growing[0] == pytest.approx(1.2**2)


def test_lesson_9_describes_two_weights() -> None:
    by_sgd, by_adam = (solved("09_training")[name] for name in ("by_sgd", "by_adam"))
    thrown_out = losses(by_sgd.what_if({"lr": 0.11}))
    assert thrown_out == sorted(thrown_out)
    falling = losses(by_sgd)
    assert falling == sorted(falling, reverse=True)
    curve = losses(by_adam)
    assert min(curve) < 0.001
    assert curve[-1] > 0.7
    assert "[20, 0.2]" in by_adam.round(0).text().replace("20.0", "20")


def test_lesson_9_describes_gradients_that_are_not_cleared_or_vanish() -> None:
    variables = solved("09_training")
    curve = losses(variables["swinging"])
    assert min(curve[:5]) < 0.01
    assert max(curve[5:9]) > 9
    assert min(curve[9:13]) < 0.01
    assert kinds(variables["swinging"]) == ["carried_over"]
    usual, faint = (
        [float(size.grad) for size in variables[name].rounds[0].sizes if "weight" in size.name]
        for name in ("usual", "faint")
    )
    assert max(usual) < 2 * min(usual)
    assert max(faint) < min(usual) / 10_000
    assert (kinds(variables["usual"]), kinds(variables["faint"])) == ([], ["vanishing"])
    *others, learnt = variables["faint"].rounds[-1].sizes
    assert learnt.name == "last.bias"
    assert learnt.grad > 50 * max(size.grad for size in others)


def test_lesson_9_describes_evaluation_mode_and_five_faults() -> None:
    variables = solved("09_training")
    curve = losses(variables["still_eval"])
    assert curve == sorted(curve, reverse=True)
    assert kinds(variables["still_eval"]) == ["eval_in_training"]
    runs = [variables[name] for name in ("one", "two", "three", "four", "five")]
    found = {
        0: ["exploding"],
        1: [],
        2: ["carried_over"],
        3: ["not_updated", "loss_still"],
        4: ["not_updated"],
    }
    assert [kinds(run) for run in runs] == [found[fault] for fault in variables["faults"]]
    waves, level, slow, growing, still = map(losses, runs)
    assert growing == sorted(growing)
    assert slow == sorted(slow, reverse=True)
    assert slow[-1] > 0.8 * slow[0]
    assert len(set(still)) == 1
    assert level[-1] == pytest.approx(level[-5], rel=1e-3)
    assert level[-1] > 1
    turns = [b > a for a, b in pairwise(waves)]
    assert sum(a != b for a, b in pairwise(turns)) >= 4


def test_lesson_9_takes_a_step_in_place_for_right_too() -> None:
    code = solutions("09_training")["adam_step"]
    in_place = code.replace("w = w - lr * m_hat / (", "w.subtract_(lr * m_hat / (")
    in_place = in_place.replace("1e-8)\n", "1e-8))\n")
    assert in_place.count("subtract_") == 1
    answer = answer_in("09_training", "adam_step", "adam_step", in_place)
    assert course("09_training")["adam_step"].judge(answer).solved


# ----- Lessons 10 and 11: Programs ---------------------------------------------------------------


def test_lesson_10_builds_first_and_runs_then() -> None:
    variables, printed, _ = ran("10_programs")
    assert {step.phase for step in variables["building"].steps} == {"build"}
    assert [step.phase for step in variables["running"].steps[:3]] == ["build", "build", "run"]
    built, on_the_tape = printed.split("loss: ")[0].split("how_often: not yet")
    assert built.count("Python is in net.") == on_the_tape.count("Python is in net.") == 1
    runs = [line for line in built.splitlines() if line.startswith("run: ")]
    assert runs == ["run: [array(3.572118, dtype=float32)]"] * 3
    for parameter, gradient in variables["pairs"]:
        assert gradient.name == f"{parameter.name}@GRAD"
    training = variables["training"]
    assert len(losses(training)) == 12
    assert losses(training) == sorted(losses(training), reverse=True)
    assert kinds(training) == []


def test_lesson_10_has_one_network_on_the_tape_and_in_a_program() -> None:
    variables = solved("10_programs")
    twin = viz.twin(variables["tape"], variables["program"])
    assert twin.summary("en").startswith("15 boxes")
    first, last = variables["two_layers"]()
    variables["net"](paddle.to_tensor(variables["two_rows"]), first, last).backward()
    parameters = [*first.parameters(), *last.parameters()]
    for parameter, fetched in zip(parameters, variables["gradients"], strict=True):
        np.testing.assert_allclose(fetched, parameter.grad.numpy(), rtol=1e-6)


def test_lesson_10_trains_with_each_run_and_only_looks_with_a_copy() -> None:
    variables = solved("10_programs")
    exe, feed, loss = (variables[name] for name in ("exe", "feed", "loss"))
    paddle.enable_static()
    with paddle.static.scope_guard(paddle.static.Scope()):
        exe.run(variables["startup"])
        trained, looked_at = (
            [float(exe.run(program, feed=feed, fetch_list=[loss])[0]) for _ in range(2)]
            for program in (variables["main"], variables["only_forward"])
        )
    paddle.disable_static()
    assert trained[0] > trained[1] > looked_at[0]
    assert looked_at[0] == looked_at[1]


def test_lesson_11_calls_python_in_every_run() -> None:
    variables, printed, _ = ran("11_py_func")
    assert printed.count("Python is in tanh.") == 3
    assert len(variables["called"].rounds) == 3
    assert "NumPy" in [box.detail for box in variables["called"].story.graph.nodes]
    assert re.search(r"at +code-\d+\.py:3$", printed, re.MULTILINE)
    [warning] = variables["told"]
    assert warning.category is paddle.static.DeclarationWarning
    assert "[array([1.5, 0.5], dtype=float32)]" in printed
    assert "['fc_1.w_0', 'fc_1.b_0']" in printed
    assert len(variables["pairs"]) == 2
    assert viz.twin(variables["tape"], variables["program"]).summary("en").startswith("9 boxes")
    assert kinds(variables["looked_at"]) == ["inf", "nan"]


def test_lesson_11_frees_what_backward_skips_and_changes_nothing_by_looking() -> None:
    variables = solved("11_py_func")
    assert "10 KiB in use" in variables["everything"].text()
    assert "6 KiB in use" in variables["skipping"].text()
    seen: list[Any] = []
    with fresh():
        x = paddle.static.data("x", [-1, 2], "float32")
        y = paddle.square(x)
        variables["look_at"]([x, y], seen)
        [fetched] = paddle.static.Executor().run(feed=variables["feed"], fetch_list=[y])
    np.testing.assert_array_equal(fetched, variables["feed"]["x"] ** 2)
    assert seen == [("x", 3.0), ("square_0.tmp_0", 9.0)]


# ----- Lesson 12: training for real --------------------------------------------------------------


def test_lesson_12_trains_alike_on_the_tape_and_in_a_program() -> None:
    variables = solved("12_train_for_real")
    aside, rows, images = (variables[name] for name in ("aside", "rows", "images"))
    assert images.shape == (1797, 1, 8, 8)
    assert (len(aside), len(rows)) == (360, 1437)
    assert not set(aside) & set(rows)
    batches = [x for x, _ in variables["batches"](1)]
    assert [len(x) for x in batches] == [32] * 44 + [29]
    seen = {one.tobytes() for x in batches for one in x}
    assert seen <= {images[row].tobytes() for row in rows}
    assert variables["on_tape"][0] == pytest.approx(math.log(10), abs=0.3)
    assert len(variables["on_tape"]) == 6 * 45
    assert variables["in_program"] == variables["on_tape"]
    assert 0.9 < variables["right"] < 1


def test_lesson_12_looks_only_back() -> None:
    variables = solved("12_train_for_real")
    p = variables["p"].numpy()[0].round(2)
    assert p.tolist() == np.float32([[1, 0, 0], [0.99, 0.01, 0], [0.01, 0.88, 0.11]]).tolist()
    q, k, v, mask = (variables[name] for name in ("q", "k", "v", "mask"))
    scores = (q @ k.mT / math.sqrt(2)).detach()
    scores.stop_gradient = False
    shares = paddle.nn.functional.softmax(scores + mask)
    (shares @ v).square().mean().backward()
    above = np.triu(np.ones([3, 3]), 1) == 1
    assert not scores.grad.numpy()[0][above].any()
    assert scores.grad.numpy()[0][2, :2].all()
    rng = np.random.default_rng(5)
    arrays = [rng.standard_normal((2, 4, 3)) for _ in range(3)]
    mask = paddle.triu(paddle.full([4, 4], -1e9, dtype="float64"), 1)
    paddle.testing.check_grad(lambda q, k, v: variables["attention"].apply(q, k, v, mask), arrays)


@pytest.mark.slow
def test_lesson_12_learns_with_the_attention_and_hardly_without() -> None:
    variables = solved("12_train_for_real")
    assert variables["losses"][0] == pytest.approx(math.log(26), abs=0.3)
    honest, peeped = (np.mean(variables[name][-20:]) for name in ("losses", "other_losses"))
    assert peeped < 0.25 < 0.35 < honest < 0.7
    blind = ran("12_train_for_real", "").variables
    assert 1 < np.mean(blind["losses"][-20:]) < 1.4
    assert blind["in_program"] == []


# ----- Lesson 13: devices ------------------------------------------------------------------------


def test_lesson_13_counts_copies() -> None:
    printed = ran("13_devices").printed.splitlines()
    copies = [line for line in printed if re.match(r"to (cpu|gpu:0), \d+ B, ", line)]
    assert copies[0].startswith("to cpu, 12 B, ")
    at = next(n for n, line in enumerate(printed) if line.startswith("loss: "))
    looks = [line.rsplit(", ", 1)[0] for line in printed[at + 1 : at + 4]]
    assert looks == ["to cpu, 4 B", "to gpu:0, 4 B", "to cpu, 1 B"]
    rows = [line.rsplit(maxsplit=1) for line in printed if line.startswith(("z.", "z ", "str("))]
    assert {line.strip(): int(count) for line, count in rows} == {
        **dict.fromkeys(("z.numpy()", "z.item()", "z.tolist()", "str(z)"), 1),
        **dict.fromkeys(("z.shape", "z.detach()", "z + 1"), 0),
    }
    of_the_layer = [line.split(",")[0] for line in copies if ", 1024 B, " in line]
    assert of_the_layer == ["to cpu", "to gpu:0", "to cpu", "to cpu", "to gpu:0"]
    data = [int(line.split()[2]) for line in copies if line.startswith("to gpu:0")][-4:]
    assert data == [401408, 200704, 512, 512]


def test_lesson_13_shows_a_copy_and_a_hole() -> None:
    variables = solved("13_devices")
    assert {"to gpu:0", "copy_to backward"} <= {*boxes(variables["moved"])}
    graph = variables["interrupted"].story.graph
    taken = {box.id for box in graph.nodes if box.kind == "port" and box.label == "x"}
    assert len(taken) == 2
    ways = [edge.label for edge in graph.edges if edge.source in taken and edge.kind == "data"]
    assert ways == ["numpy"]
    details = [box.detail for box in variables["by_py_func"].story.graph.nodes]
    assert details.count("NumPy") == 1
    calls: list[int] = []
    with pretend_gpu():
        paddle.set_device("gpu")
        variables["seconds"](lambda: calls.append(1), count=3)
    assert len(calls) == 4


# ----- Lesson 14: real Paddle --------------------------------------------------------------------


def test_lesson_14_asks_a_program_here_and_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = solved("14_real_paddle")
    (tmp_path / "paddle.py").write_text("def where():\n    return 'there'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(variables, "paddle", ModuleType("here"))
    variables["paddle"].where = lambda: "here"
    variables["ask"]("print('asked', paddle.where())")
    here, there = capsys.readouterr().out.split("--- Paddle\n")
    assert (here, there.strip()) == ("--- minipaddle\nasked here\n", "asked there")
    monkeypatch.setitem(variables, "find_spec", lambda name: None)
    variables["ask"]("print(1)")
    assert "--- Paddle" not in capsys.readouterr().out


def test_lesson_14_reduces_gradients_as_ranks_do() -> None:
    variables = solved("14_real_paddle")
    gradient_of = variables["gradient_of"]
    for split, alike in ((4, True), (3, False)):
        mean = (gradient_of(0, split) + gradient_of(split, 8)) / 2
        assert np.allclose(mean, gradient_of(0, 8), atol=1e-6) is alike
    assert (float(variables["x0"].grad), float(variables["x1"].grad)) == (48, 48)
    paddle.testing.check_grad(variables["all_reduce"], [np.array([1.0, 2.0]), np.array([0.5, 3.0])])


def test_lesson_14_starts_no_rank_without_mpi(capsys: pytest.CaptureFixture[str]) -> None:
    solved("14_real_paddle")["launch"](solved("14_real_paddle")["TWO_RANKS"])
    assert capsys.readouterr().out == "MPI is not installed here.\n"


@pytest.mark.slow
@pytest.mark.ranks
def test_lesson_14_says_what_two_real_ranks_say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = solved("14_real_paddle")
    monkeypatch.delitem(sys.modules, "mpi4py")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    variables["launch"](variables["TWO_RANKS"])
    said = sorted(line.split("] ")[1] for line in capsys.readouterr().out.splitlines() if line)
    gradient = "DataParallel [-1.1985  0.767  -1.4775 -1.2341]"
    assert said[::2] == said[1::2]
    assert said[::2] == [gradient, "all_reduce 6.0 x.grad 24.0", "functional 6.0 x.grad 48.0"]


# ----- Lesson 15: through time -------------------------------------------------------------------


def test_lesson_15_folds_a_loop_and_shows_what_changes_the_gradient() -> None:
    variables = solved("15_through_time")
    labels = {str(group.label) for group in variables["unrolled"].story.graph.groups}
    assert {"t = 0 … 7", "t = 0", "t = 7 backward"} <= labels
    texts = [text for text in texts_of(variables["unrolled"]) if "times its slope" in text]
    sizes = [text.split(" back")[0].split(" = ")[-1] for text in texts]
    assert len(sizes) == 8
    assert sizes[:4] == ["1", "0.5", "0.25", "0.1249"]
    line = [text for text in texts_of(variables["through_cells"]) if "c[t=0]" in text]
    assert any(
        "add passes d(" in text and "on unchanged, to f[t=0] × first" in text for text in line
    )
    gates = [
        float(found[1])
        for text in texts_of(variables["through_cells"])
        if (found := re.search(r"giving f\[t=\d\] = (0\.\d+)", text))
    ]
    assert len(gates) == 8
    assert 0.6 < min(gates) < max(gates) < 0.8
    for lang, tag in {"en": "+= → add backward", "zh": "+= → add 的反向"}.items():
        viz.set_lang(lang)
        assert tag in str(variables["through_cells"]._repr_mimebundle_())


def test_lesson_15_leaps_off_the_cliff_and_climbs_down_with_clipping() -> None:
    variables = solved("15_through_time")
    first, second, third, *_ = (turn.loss for turn in variables["cliff"].rounds)
    assert (round(first), f"{second:.0e}", third) == (38, "5e+16", math.inf)
    assert math.isnan(variables["cliff"].rounds[-1].loss)
    assert "618" in variables["cliff"].round(0).text()
    weights = [1.3 - 0.02 * turn for turn in range(11)]
    roped = losses(variables["roped"])
    np.testing.assert_allclose(roped[:11], [(w**8 - 2) ** 2 for w in weights], rtol=1e-3, atol=1e-4)
    assert roped[10] == pytest.approx(roped[12], rel=1e-3)
    assert 1.08**8 < 2 < 1.1**8
    assert all(abs(16 * (w**8 - 2) * w**7) > 4 for w in (1.08, 1.1))


@pytest.mark.slow
def test_lesson_15_learns_with_an_open_gate_only() -> None:
    variables = solved("15_through_time")
    simple, closed, opened = (
        np.mean(variables[name][-20:]) for name in ("simple", "closed", "opened")
    )
    assert opened < 0.05 < 0.9 < min(simple, closed)
    rows = re.findall(r"x\.grad, t = .*: (\S+) .* (\S+)\n", ran("15_through_time").printed)
    shares = [float(first) / float(last) for first, last in rows]
    assert shares[0] < 2e-7
    assert 1e-3 < shares[1] < 4e-3
    assert shares[2] >= 1
    assert 1 < np.mean(ran("15_through_time", "").variables["opened"][-20:]) < 1.1


# ----- Lesson 16: gradients of gradients ---------------------------------------------------------


def test_lesson_16_shows_two_backward_passes() -> None:
    variables = solved("16_gradients_of_gradients")
    labels = boxes(variables["twice"])
    for label in ("^ 2", "× 3", "× 3 backward", "multiply backward", "x.grad"):
        assert label in labels
    assert "∂ marks a gradient that is recorded" in variables["twice"].text()
    assert "w.grad" in boxes(variables["punished"])
    assert boxes(variables["right"]).count("multiply backward") == 2
    assert "x.grad" in boxes(variables["right"])
    assert boxes(variables["cut_off"]).count("multiply backward") == 1
    assert "x.grad" not in boxes(variables["cut_off"])
    assert "dy.grad" in boxes(variables["cut_off"])


def test_lesson_16_differentiates_the_learners_layer_twice() -> None:
    variables = solved("16_gradients_of_gradients")
    products = re.findall(r"^\[ .*\]$", ran("16_gradients_of_gradients").printed, re.MULTILINE)
    assert len(products) == 2
    assert products[0] == products[1]
    rows = re.findall(r"^(\d+) (\d\.\d+) (\S+) … (\S+)$", ran("16_gradients_of_gradients").printed,
                      re.MULTILINE)  # fmt: skip
    assert [int(row[0]) for row in rows] == [0, 25, 50, 75, 100]
    assert float(rows[-1][1]) < 0.01 < 0.2 < float(rows[0][1])
    x = leaf(0.5, -1.0)
    bend = variables["second_derivative"](variables["swish"].apply, x)
    plain = variables["second_derivative"](paddle.nn.functional.silu, x)
    np.testing.assert_allclose(bend.numpy(), plain.numpy(), rtol=1e-5)


# Right answers in another style than the solution's.
OTHERWISE = {
    "15_through_time": {
        "back_in_time": """
            def back_in_time(w, hs):
                dh, parts = 1, []
                for before, h in reversed(list(zip(hs, hs[1:]))):
                    dh *= 1 - h * h
                    parts.append(dh * before)
                    dh *= w
                return sum(parts)
        """,
    },
    "16_gradients_of_gradients": {
        "second_derivative": """
            def second_derivative(f, x):
                slope = paddle.grad(f(x).sum(), x, create_graph=True)[0]
                return paddle.grad(slope.sum(), x, create_graph=True)[0]
        """,
        "swish": """
            class swish(PyLayer):
                @staticmethod
                def forward(ctx, x):
                    y = x * paddle.nn.functional.sigmoid(x)
                    ctx.save_for_backward(x, y)
                    return y

                @staticmethod
                def backward(ctx, dy):
                    x, y = ctx.saved_tensor()
                    s = 1 / (1 + paddle.exp(-x))
                    return dy * (y + s * (1 - y))
        """,
    },
}


@each(("of", "answers"), OTHERWISE.items())
def test_a_right_answer_in_another_style_passes(of: str, answers: dict[str, str]) -> None:
    for name, code in answers.items():
        exercise = course(of)[name]
        answer = answer_in(of, name, exercise.answer, textwrap.dedent(code))
        assert exercise.judge(answer).solved, name
