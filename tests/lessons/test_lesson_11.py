"""What lesson 11 says of py_func, of what is kept for it, and of its pictures is so."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz

from .test_notebooks import run_here, the, told

LESSON = "11_py_func"


@pytest.fixture(scope="module")
def lesson_11() -> Any:
    """The variables of the solved lesson."""
    with pytest.MonkeyPatch.context() as patch:
        yield run_here("solutions", patch, LESSON)


@pytest.fixture(scope="module")
def printed() -> Any:
    """What the unsolved lesson prints."""
    with pytest.MonkeyPatch.context() as patch:
        texts: list[str] = []
        patch.setattr("builtins.print", lambda *words, **_: texts.append(" ".join(map(str, words))))
        run_here("", patch, LESSON)
    return texts


def test_what_stands_in_an_operator_runs_every_time(
    lesson_11: dict[str, Any], printed: list[str]
) -> None:
    assert printed.count("Python is in tanh.") == 3
    called = [text for text in told(lesson_11["called"]) if text.startswith("py_func calls tanh")]
    assert len(called) == 3
    details = [box.detail for box in lesson_11["called"].story.graph.nodes]
    assert "NumPy" in details


def test_what_comes_in_and_what_goes_out(lesson_11: dict[str, Any], printed: list[str]) -> None:
    error = the(printed, "unsupported operand")
    assert "np.array" in error
    assert re.search(r"at +code-\d+\.py:3$", error)
    [warning] = lesson_11["told"]
    assert warning.category is paddle.static.DeclarationWarning
    assert "[array([1.5, 0.5], dtype=float32)]" in printed


def test_without_backward_func_the_gradient_ends(
    lesson_11: dict[str, Any], printed: list[str]
) -> None:
    assert len(lesson_11["pairs"]) == 2
    assert "['fc_1.w_0', 'fc_1.b_0']" in printed


def test_the_tape_and_the_program_match(lesson_11: dict[str, Any], printed: list[str]) -> None:
    twin = viz.twin(lesson_11["tape"], lesson_11["program"])
    assert twin.summary("en") == "9 boxes match."
    assert "the same gradient: True" in printed
    assert "calls tanh_grad with tmp_0 [2, 3], y [2, 3] and y@GRAD" in the(
        told(lesson_11["program"]), "py_func calls tanh_grad"
    )


def test_skipping_moves_the_rest_up(printed: list[str]) -> None:
    assert "comes: [4.] [0.9272952] [10.] [20.]" in printed


def lived(trace: viz.Trace) -> dict[str, int]:
    """How many steps each result is in memory."""
    rows = re.findall(r"(\w+) +1 KiB  memory of its own \(steps (\d+) to (\d+)\)", trace.text())
    return {name: int(end) - int(start) for name, start, end in rows}


def test_what_backward_skips_is_freed_at_once(lesson_11: dict[str, Any]) -> None:
    everything, skipping = lesson_11["everything"], lesson_11["skipping"]
    assert "10 KiB in use" in everything.text()
    assert "6 KiB in use" in skipping.text()
    before, after = lived(everything), lived(skipping)
    for n in range(4):
        assert before[f"tmp_{n}"] > 5
        assert after[f"tmp_{n}"] <= 2
        assert after[f"y{n}"] > 5
    assert the(told(skipping), "tmp_0, which skip_vars_in_backward_input leaves out")


def test_the_looks_find_where_it_begins(lesson_11: dict[str, Any], printed: list[str]) -> None:
    from_here = printed.index(the(printed, "round 1 loss 1.7"))
    second, third = printed[from_here + 1 : from_here + 5], printed[from_here + 5 : from_here + 9]
    h, p, log_p, loss = second
    assert float(h.split()[-1]) < 0
    assert p.split()[1:] == ["0.000", "...", "0.000"]
    assert log_p.split()[1:] == ["-inf", "...", "-inf"]
    assert loss == "round 2 loss inf"
    assert all("nan" in line for line in third)
    assert [problem.kind for problem in lesson_11["looked_at"].problems()] == ["inf", "nan"]


def test_looking_changes_nothing(lesson_11: dict[str, Any]) -> None:
    """The same network without the looks has the same first loss."""
    seen: list[Any] = []
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            x = paddle.static.data("x", [-1, 2], "float32")
            y = paddle.square(x)
            lesson_11["look_at"]([x, y], seen)
            exe = paddle.static.Executor()
            [fetched] = exe.run(feed=lesson_11["feed"], fetch_list=[y])
    finally:
        paddle.disable_static()
    np.testing.assert_array_equal(fetched, lesson_11["feed"]["x"] ** 2)
    assert seen == [("x", 3.0), ("square_0.tmp_0", 9.0)]
