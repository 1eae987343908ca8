"""What lesson 14 says of this engine is so; what it says of Paddle is asked in the oracle suite."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import exercises
from minipaddle.exercises.course import lessons

from ..oracle import harness
from .answers import solutions
from .conftest import LESSONS, ROOT
from .test_notebooks import run_here, the, told

LESSON = "14_real_paddle"


@pytest.fixture(scope="module")
def lesson_14() -> Any:
    """The variables of the solved lesson."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "mpi4py", None)
        return run_here("solutions", patch, LESSON)


def test_a_program_is_asked_here_and_there(
    lesson_14: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "paddle.py").write_text("def where():\n    return 'there'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(lesson_14, "paddle", ModuleType("here"))
    lesson_14["paddle"].where = lambda: "here"
    lesson_14["ask"]("print('asked', paddle.where())")
    here, there = capsys.readouterr().out.split("--- Paddle\n")
    assert (here, there.strip()) == ("--- minipaddle\nasked here\n", "asked there")


def test_where_paddle_is_not_installed_only_minipaddle_is_asked(
    lesson_14: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(lesson_14, "find_spec", lambda name: None)
    lesson_14["ask"](lesson_14["TANH"])
    out = capsys.readouterr().out
    assert "0.08298491" in out
    assert "--- Paddle" not in out


def test_the_file_that_runs_with_either_begins_like_the_examples() -> None:
    for name in ("lenet_digits", "character_transformer"):
        code = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
        assert "    import minipaddle as paddle\nexcept ImportError:\n    import paddle\n" in code


def test_halves_give_the_gradient_of_the_whole_and_other_parts_do_not(
    lesson_14: dict[str, Any],
) -> None:
    gradient_of = lesson_14["gradient_of"]
    for split, alike in ((4, True), (3, False)):
        mean = (gradient_of(0, split) + gradient_of(split, 8)) / 2
        assert np.allclose(mean, gradient_of(0, 8), atol=1e-6) is alike


def test_the_gradient_of_all_reduce_is_an_all_reduce(lesson_14: dict[str, Any]) -> None:
    assert (float(lesson_14["x0"].grad), float(lesson_14["x1"].grad)) == (48, 48)
    paddle.testing.check_grad(lesson_14["all_reduce"], [np.array([1.0, 2.0]), np.array([0.5, 3.0])])
    texts = told(lesson_14["ranks"])
    assert the(texts, "all_reduce.backward is called with ds0 = 12 and ds1 = 12")
    for x in ("x0", "x1"):
        assert the(texts, f"computes the gradient of {x}, which is 48").count("which is 24") == 1


def test_unsolved_no_gradient_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_here("", monkeypatch, LESSON)["x0"].grad is None


def test_without_mpi_no_rank_is_started(
    lesson_14: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    lesson_14["launch"](lesson_14["TWO_RANKS"])
    assert capsys.readouterr().out == "MPI is not installed here.\n"


@pytest.mark.slow
@pytest.mark.ranks
def test_two_real_ranks_say_what_the_lesson_says(
    lesson_14: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "mpi4py")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    lesson_14["launch"](lesson_14["TWO_RANKS"])
    said = sorted(line.split("] ")[1] for line in capsys.readouterr().out.splitlines() if line)
    gradient = "DataParallel [-1.1985  0.767  -1.4775 -1.2341]"
    assert said[::2] == said[1::2]
    assert said[::2] == [gradient, "all_reduce 6.0 x.grad 24.0", "functional 6.0 x.grad 48.0"]


def test_every_solution_in_a_program_is_named_with_what_the_default_mode_says() -> None:
    """The table of section 4: what was asked of Paddle in static mode, and what cannot be asked."""
    static = {
        case.name
        for topic in harness.topics()
        if topic.endswith("lessons") and harness.load(topic)[1]
        for case in harness.load(topic)[0]
    }
    of = {part.name: name for name in lessons() for part in exercises.load(name)}
    text = (LESSONS / "source" / f"{LESSON}.py").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith(("# | 1", "# | 2"))]
    for name in sorted(static):
        number = int(of[name][:2])
        named = [row for row in rows if row.startswith(f"# | {number} |")]
        assert any(f"`{name}`" in row or "all of them" in row for row in named), name
    written = {name: code for each in lessons() for name, code in solutions(each).items()}
    assert {name for name, code in written.items() if "viz." in code} == {"record"}


def test_the_course_ends_here_and_names_documents_that_exist() -> None:
    assert lessons()[-1] == LESSON
    for name in ("reading", "contract", "teaching", "differences", "gallery/faults"):
        assert (ROOT / "docs" / f"{name}.md").is_file()
