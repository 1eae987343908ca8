"""docs/teaching.md is a way that can be walked: written, handed out, graded, and read."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="nbclient is not installed")

from minipaddle import __main__ as command_line

from .notebooks import write

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
GATES, LOAD, STUB, CHECKS, TEACHER, TEST, PREDICTION = re.findall(
    r"^```python\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
[COMMAND] = re.findall(r"^    (minipaddle grade .+)$", PAGE, re.MULTILINE)
SOLVED = STUB.replace(
    "        return x * x * x\n", "        ctx.save_for_backward(x)\n        return x * x * x\n"
).replace(
    '        """Return the gradient of x."""\n',
    "        (x,) = ctx.saved_tensor()\n        return dy * 3 * x * x\n",
)
FORGOT_DY = SOLVED.replace("dy * 3", "3").replace("slope = None", "slope = 0.0")
BROKEN = 3


@pytest.fixture
def teacher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A teacher's folder, made of the page's own lines."""
    (tmp_path / "gates.py").write_text(GATES, encoding="utf-8")
    (tmp_path / "gates_teacher.py").write_text(TEACHER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def test_the_example_is_ten_lines_or_so_and_its_tests_pass(teacher: Path) -> None:
    exec(f"{TEST}\ntest_the_slip_is_recognised()", {})
    exec(PREDICTION, made := {})  # type: ignore[var-annotated]
    assert made["first"].judge("mean").solved
    assert len(GATES.split("cube = ")[1].split("\n)\n")[0].splitlines()) <= 12


def test_the_notebook_that_is_handed_out_runs(
    teacher: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for cells, marks in (
        (STUB, ["○ cube: not yet", "○ slope: not yet"]),
        (FORGOT_DY, ["✗ cube: wrong", "✗ slope: wrong"]),
        (SOLVED.replace("slope = None", "slope = 1"), ["✓ cube: right", "✓ slope: right"]),
    ):
        exec(LOAD + cells + CHECKS, {})
        lines = capsys.readouterr().out.splitlines()
        assert [line for line in lines if line[0] in "○✗✓"] == marks


@pytest.mark.slow
def test_thirty_copies_are_graded_of_which_three_are_broken(teacher: Path) -> None:
    copies = teacher / "copies"
    for number in range(9):
        right = SOLVED.replace("slope = None", "slope = 1.0")
        write(copies / f"right_{number}.ipynb", LOAD, right, CHECKS)
        write(copies / f"slip_{number}.ipynb", LOAD, FORGOT_DY, CHECKS)
        write(copies / f"stub_{number}.ipynb", LOAD, STUB, CHECKS)
    (copies / "torn.ipynb").write_text('{"cells": [')
    write(copies / "gone.ipynb", LOAD, SOLVED, "import os\nos._exit(0)")
    write(copies / "loop.ipynb", LOAD, SOLVED, "while True:\n    pass")
    assert command_line.main([*COMMAND.split()[1:], "--seconds", "20"]) == 0
    with (teacher / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 30 * 2
    got = {(row["file"].split("_")[0], row["exercise"], row["outcome"]) for row in rows}
    assert got == {
        ("right", "cube", "right"),
        ("right", "slope", "right"),
        ("slip", "cube", "wrong"),
        ("slip", "slope", "wrong"),
        ("stub", "cube", "not yet"),
        ("stub", "slope", "not yet"),
        ("torn.ipynb", "cube", "error"),
        ("torn.ipynb", "slope", "error"),
        ("gone.ipynb", "cube", "error"),
        ("gone.ipynb", "slope", "error"),
        ("loop.ipynb", "cube", "right"),  # what came before the loop counts
        ("loop.ipynb", "slope", "not yet"),
    }
    assert sum(float(row["points"]) for row in rows) == 9 * 3 + 2
    reasons = {row["reason"] for row in rows if row["file"].startswith("slip")}
    assert reasons == {
        "[forgot_dy] The chain rule: multiply by dy. dx[0, 0]: expected -6.26865, got 3.9675.",
        "[the_value] That is tanh(0). Its slope is asked for. value: expected 1, got 0.",
    }
    assert {row["notes"] for row in rows if row["file"] == "loop.ipynb"} == {
        "code cell 3: took too long"
    }
    table = json.loads((teacher / "grades.json").read_text(encoding="utf-8"))
    assert sum(total["points"] for total in table["totals"]) == 9 * 3 + 2
