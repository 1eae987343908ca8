"""The steps of docs/teaching.md work: exercises are written, handed out, and graded."""

import ast
import csv
import json
import re
from pathlib import Path

import pytest

from minipaddle import __main__ as command_line
from minipaddle import exercises

from ..notebooks import write_notebook
from ..patience import PATIENCE
from .notebooks import ROOT

PAGE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
GATES, LOAD, STUB, CHECKS, TEACHER, PRODUCT, TEST, PREDICTION, QUIZ, ASKED = re.findall(
    r"^```python\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
[REHEARSAL] = re.findall(r"`(minipaddle grade rehearsal .+?)`", PAGE)
[REHEARSED] = re.findall(r"^```text\n(solved.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
[COMMAND] = re.findall(r"^    (minipaddle grade .+)$", PAGE, re.MULTILINE)
SOLVED = STUB.replace(
    "        return x * x * x\n", "        ctx.save_for_backward(x)\n        return x * x * x\n"
).replace(
    '        """Return the gradient of x."""\n',
    "        (x,) = ctx.saved_tensor()\n        return dy * 3 * x * x\n",
)
FORGOT_DY = SOLVED.replace("dy * 3", "3").replace("slope = None", "slope = 0.0")
RIGHT = SOLVED.replace("slope = None", "slope = 1.0")
ONLY_HIDDEN = RIGHT.replace("return x * x * x", "return x if x.shape == [5, 7] else x * x * x")


@pytest.fixture
def teacher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a teacher's folder from the code of the page."""
    (tmp_path / "gates.py").write_text(GATES, encoding="utf-8")
    (tmp_path / "gates_teacher.py").write_text(TEACHER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_tests_of_the_example_pass(teacher: Path) -> None:
    exec(f"{TEST}\ntest_the_slip_is_recognised()", {})
    exec(PREDICTION, made := {})  # type: ignore[var-annotated]
    assert made["first"].judge("mean").solved


def test_a_quiz_player_is_an_exercise(teacher: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(QUIZ, made := {})  # type: ignore[var-annotated]
    assert capsys.readouterr().out == f"{made['hunt'].solution.text.en}\n"
    assert Path("quiz.html").exists()
    exec(ASKED, asked := {})  # type: ignore[var-annotated]
    quiz = made["quiz"]
    assert asked["quiz"].judge(quiz).verdict == "not yet"
    quiz.heard([{"step": at, "ask": "sign", "given": "plus", "right": at < 3} for at in (1, 2, 3)])
    assert asked["quiz"].judge(quiz).solved


def test_the_notebook_that_is_handed_out_runs(
    teacher: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for cells, marks in (
        (STUB, ["○ cube: not yet", "○ slope: not yet"]),
        (FORGOT_DY, ["✗ cube: wrong", "✗ slope: wrong"]),
        (RIGHT, ["✓ cube: right", "✓ slope: right"]),
    ):
        exec(LOAD + cells + CHECKS, {})
        lines = capsys.readouterr().out.splitlines()
        assert [line for line in lines if line[0] in "○✗✓"] == marks


def test_a_rehearsed_answer_meets_the_hidden_checks(teacher: Path) -> None:
    gates = exercises.load("gates_teacher.py")
    for answer, verdict, slip in ((RIGHT, "right", ""), (ONLY_HIDDEN, "wrong", "hidden")):
        exec(LOAD + answer, made := {})  # type: ignore[var-annotated]
        outcome = gates.cube.judge(made["cube"])
        assert (outcome.verdict, outcome.slip) == (verdict, slip)
        assert gates.cube.judge(made["cube"], hidden=False).solved


def test_every_built_in_slip_is_in_the_table() -> None:
    [table] = re.findall(r"### Slips that are built in\n\n(.+?)\n\n", PAGE, re.DOTALL)
    told = set(re.findall(r"`(no step|[a-z_]+)`", table)) - {"saved_tensors"}
    built_in = set()
    for file in (ROOT / "minipaddle" / "exercises").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                names = node.args[:1] if node.func.id == "Slip" else []
                if node.func.id == "Wrong":
                    names += [keyword.value for keyword in node.keywords if keyword.arg == "slip"]
                built_in |= {text for name in names for text in texts_in(name)}
    assert told == built_in


def texts_in(node: ast.expr) -> set[str]:
    """Return the names that an expression can give: a text, one of two, or the beginning."""
    if isinstance(node, ast.IfExp):
        return texts_in(node.body) | texts_in(node.orelse)
    first = node.values[0] if isinstance(node, ast.JoinedStr) else node
    return {first.value.rstrip(": ")} if isinstance(first, ast.Constant) else set()


def in_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the test if no notebook can run."""
    pytest.importorskip("IPython", reason="IPython is not installed")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.slow
def test_a_rehearsal_prints_the_text_of_the_page(
    teacher: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    in_kernels(monkeypatch)
    write_notebook(teacher / "rehearsal" / "solved.ipynb", LOAD, RIGHT, CHECKS)
    write_notebook(teacher / "rehearsal" / "wrong.ipynb", LOAD, ONLY_HIDDEN, CHECKS)
    (teacher / "gates.py").replace(teacher / "elsewhere.py")
    (teacher / "gates_teacher.py").write_text(TEACHER.replace("gates.py", "elsewhere.py"))
    assert command_line.main(REHEARSAL.split()[1:]) == 0  # copies have no file of exercises
    assert capsys.readouterr().out == REHEARSED


@pytest.mark.slow
def test_the_command_of_the_page_grades_copies(
    teacher: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_kernels(monkeypatch)
    copies = teacher / "copies"
    write_notebook(copies / "slip.ipynb", LOAD, FORGOT_DY, CHECKS)
    write_notebook(copies / "stub.ipynb", LOAD, STUB, CHECKS)
    assert command_line.main([*COMMAND.split()[1:], "--seconds", str(PATIENCE)]) == 0
    with (teacher / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert [(row["file"], row["exercise"], row["outcome"]) for row in rows] == [
        *(("slip.ipynb", "cube", "wrong"), ("slip.ipynb", "slope", "wrong")),
        *(("stub.ipynb", "cube", "not yet"), ("stub.ipynb", "slope", "not yet")),
    ]
    assert [row["reason"].split("]")[0] for row in rows[:2]] == ["[forgot_dy", "[the_value"]
    table = json.loads((teacher / "grades.json").read_text(encoding="utf-8"))
    assert [total["points"] for total in table["totals"]] == [0, 0]
