"""What lesson 7 says of its numbers, errors and pictures is so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import exercises

from .answers import answer_in, solutions
from .conftest import LESSONS
from .test_build import cells
from .test_notebooks import run_here, the, told

LESSON = "07_right_gradient"


@pytest.fixture
def lesson_7(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The variables of the solved lesson."""
    return run_here("solutions", monkeypatch, LESSON)


def test_what_the_cells_print_is_what_the_text_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here("solutions", monkeypatch, LESSON)
    out = capsys.readouterr().out
    for words in (
        "x.grad: 6.75\n",
        "float32, h = 1e-8: 0.0\n",
        "x.grad: [2. 4. 6.]\n",
        "it does not depend on dout: multiply by the gradient that backward receives",
        "off by a constant factor: the right one is 0.0331204 times as large",
        "off by a constant factor: the right one is 0.5 times as large",
        "right: the gradients of 1 output with respect to 1 input, 2 elements\n",
        "The gradient of absolute is wrong at input 0, element [1].",
        "1 of them at a kink\n",
        "z: [2. 0. 1.]\nx.grad: [0.25  nan 0.5 ]\nnan: Backward of sqrt: from the",
        "x.grad: 240.0\n",
    ):
        assert words in out
    assert pytest.approx(np.exp([1, 2, 3]).sum(), rel=1e-5) == 1 / 0.0331204


def test_the_bars_have_as_many_digits_as_the_text_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here("solutions", monkeypatch, LESSON)
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("1e-")]
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


@pytest.mark.parametrize(("to", "grows"), [(2.5, 12.25), (1.6, 0.721), (1.51, 0.067951)])
def test_what_the_nudges_of_section_1_do(lesson_7: dict[str, Any], to: float, grows: float) -> None:
    nudged = lesson_7["cubed"].what_if({"x": np.float32(to)})
    assert f"giving y = {3.375 + grows:.4g}" in the(told(nudged), "giving y")


def test_one_gradient_of_the_network_is_marked(lesson_7: dict[str, Any]) -> None:
    findings = viz.slopes(lesson_7["network"]).findings
    assert [finding.agrees for finding in findings] == [True, True, True, False, True]
    assert findings[3].name == "dv"
    [problem] = lesson_7["network"].problems()
    assert "finite differences of lost_two" in problem.text.en
    right, half = (paddle.to_tensor([1.0, 2.0], stop_gradient=False) for _ in range(2))
    paddle.tanh((right * 3) ** 2 * 0.1).sum().backward()
    paddle.tanh(lesson_7["lost_two"].apply(half * 3) * 0.1).sum().backward()
    np.testing.assert_allclose(half.grad * 2, right.grad, rtol=1e-5)


def test_what_the_other_pictures_show(lesson_7: dict[str, Any]) -> None:
    [problem] = lesson_7["half_right"].problems()
    assert problem.text.en.startswith("dx[1] is 1, but by finite differences of absolute, ")
    searched = lesson_7["searched"]
    assert "giving e.sum() = 30.19" in the(told(searched), "is summed")
    assert {problem.kind for problem in searched.problems()} == {"wrong_gradient"}
    born = lesson_7["born"]
    [problem] = born.problems()
    assert "Backward of sqrt" in told(born)[problem.step]
    assert "paddle.sqrt(x + 1e-6)" in problem.todo.en
    assert "dx = dy / (2y)" in born.text()
    hooked = told(lesson_7["hooked"])
    assert hooked.index(the(hooked, "6 + 6 = 12")) < hooked.index(
        the(hooked, "The hook tenfold sees the gradient of b and replaces it")
    )
    assert "which is 120" in the(hooked, 'Backward of "× 2"')


def test_the_hunt_is_for_the_axis_of_the_bias(lesson_7: dict[str, Any]) -> None:
    solution = lesson_7["hunt"].solution
    assert solution.kind == "axis"
    assert "broadcast" in solution.text.en
    for place, name in (("", "en"), ("zh", "zh")):
        shown = [each["source"] for each in cells(LESSONS / place / f"{LESSON}.ipynb")]
        assert f"\n    hunt.solution.text.{name}\n" in "\n".join(shown)


def test_what_the_praise_says_is_so_of_another_answer_that_passes() -> None:
    one_where = "    return paddle.sqrt(paddle.where(x > 0, x, paddle.zeros_like(x)))"
    root = answer_in(LESSON, "root", "root", f"def root(x):\n{one_where}\n")
    assert exercises.load(LESSON)["root"].judge(root).solved
    x = paddle.to_tensor([4.0, 0.0, -1.0], stop_gradient=False)
    with viz.record() as trace:
        root(x).sum().backward()
    assert x.grad.tolist() == [0.25, 0.0, 0.0]
    assert "nan" not in {problem.kind for problem in trace.problems()}


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        (("e, s = ctx", "s = ctx"), "take back what was saved: e, s = ctx.saved_tensor()."),
        (
            ("(e, s)\n", "(e); ctx.save_for_backward(s)\n"),
            "with everything: ctx.save_for_backward(e, s).",
        ),
    ],
)
def test_hints_about_saving_are_lines_that_can_be_copied(
    change: tuple[str, str], hint: str
) -> None:
    code = solutions(LESSON)["log_sum_exp"]
    assert change[0] in code
    wrong = answer_in(LESSON, "log_sum_exp", "log_sum_exp", code.replace(*change))
    outcome = exercises.load(LESSON)["log_sum_exp"].judge(wrong)
    assert outcome.reason.en.endswith(hint)
