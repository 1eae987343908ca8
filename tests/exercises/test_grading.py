"""Grading without kernels: errors, interruptions, judgements, and tables."""

import csv
import importlib.util
import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minipaddle import __main__ as command_line
from minipaddle._cli import grade as grade_command
from minipaddle.engine import errors
from minipaddle.engine.install_advice import EXTRAS, for_many_ranks, pip_install
from minipaddle.engine.visible import make_visible
from minipaddle.exercises import Pair
from minipaddle.exercises.grading import grade as grading
from minipaddle.exercises.grading.grade import (
    COLUMNS,
    Row,
    Stopped,
    grade,
    notebooks_in,
    rows_of,
    table,
)
from minipaddle.exercises.grading.judge import describe_difference, empty_result
from minipaddle.exercises.grading.notebook import Slot, Task, copy_beside
from minipaddle.exercises.grading.sandbox import Limits
from minipaddle.exercises.progress import csv_of
from tests.each import each

from ..notebooks import write_notebook
from .notebooks import LOAD, folder, outcomes, table_of

__all__ = ["folder"]


def run_command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run `minipaddle grade` as if everything were installed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: True)
    return command_line.main(["grade", *words])


# ----- what cannot be graded ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "what", "fix"),
    [
        (lambda f: grade(f / "gone"), "There is no folder", "the copies are in"),
        (lambda f: grade(f / "gates.py"), "There is no folder", "the copies are in"),
        (lambda f: grade(f / "copies"), "There are no notebooks in", "the copies are in"),
        (lambda f: grade(f, jobs=0), "at least 1 job", "-j 4"),
        (lambda f: grade(f, seed=-1), "a seed from 0 on", "--seed 7"),
        (lambda f: grade(f, limits=Limits(seconds=0)), "at least 1 second and 64 MB", "--seconds"),
        (lambda f: grade(f, limits=Limits(memory=1)), "at least 1 second and 64 MB", "--memory"),
        (lambda f: grade(f, limits=Limits(seconds=float("nan"))), "at least 1 second", "--sec"),
        (lambda f: grade(f, exercises="gone.py"), "no file of exercises gone.py", "--exercises"),
        (lambda f: grade(f, exercises="one.ipynb"), "is no Python file", "--exercises"),
    ],
)
def test_wrong_arguments_are_errors_with_advice(
    folder: Path, make: Callable[[Path], object], what: str, fix: str
) -> None:
    if what not in ("There is no folder", "There are no notebooks in"):
        write_notebook(folder / "one.ipynb", LOAD)
    with pytest.raises(errors.MinipaddleError, match=what) as refused:
        make(folder)
    assert fix in str(refused.value).split("\n  to do     ")[1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("one = Exercise('one',", r"SyntaxError: '\(' was never closed"),
        ("one = checks.pylayr(1)", "AttributeError: .* no attribute 'pylayr'"),
    ],
)
def test_a_mistake_in_the_teachers_file_is_shown_only_with_its_line(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    line: str,
    said: str,
) -> None:
    write_notebook(folder / "copies" / "a.ipynb", LOAD)
    (folder / "own.py").write_text(f"from minipaddle.exercises import Exercise, checks\n\n{line}\n")
    assert run_command(monkeypatch, "copies", "--exercises", "own.py") == 1
    lines = capsys.readouterr().err.splitlines()
    assert re.match(rf"minipaddle grade: own\.py cannot be loaded: {said}", lines[0])
    assert f"  received  {line}" in lines
    assert lines[-1] == "  at        own.py:3"


@pytest.mark.parametrize(
    ("missing", "words", "what", "fix"),
    [
        ("IPython", [], "IPython is not installed", pip_install(EXTRAS["lab"])),
        ("mpi4py", ["--mpi"], "mpi4py is not installed", for_many_ranks()),
        ("", ["--mpi"], "There are no other ranks", "mpiexec -n 5 minipaddle grade DIR --mpi"),
    ],
)
def test_a_missing_package_is_reported_with_its_installation(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: str,
    words: list[str],
    what: str,
    fix: str,
) -> None:
    write_notebook(folder / "copies" / "a.ipynb", LOAD)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name != missing or None)
    assert command_line.main(["grade", "copies", *words]) == 1
    error = capsys.readouterr().err
    assert what in error
    assert fix in error.split("to do")[1]


def test_a_table_without_a_folder_is_an_error_before_anything_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(monkeypatch, "copies", "--csv", "nowhere/grades.csv") == 1
    assert "there is no folder for nowhere" in capsys.readouterr().err


def test_checkpoints_are_not_graded(folder: Path) -> None:
    write_notebook(folder / "copies" / "b.ipynb")
    write_notebook(folder / "copies" / "a" / "z.ipynb")
    write_notebook(folder / "copies" / ".ipynb_checkpoints" / "b.ipynb")
    names = [path.relative_to(folder).as_posix() for path in notebooks_in(folder / "copies")]
    assert names == ["copies/a/z.ipynb", "copies/b.ipynb"]


# ----- what is interrupted -----------------------------------------------------------------------


@pytest.mark.parametrize("given", [False, True], ids=["own executor", "executor of the caller's"])
def test_an_interrupted_run_starts_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch, given: bool
) -> None:
    ran: list[str] = []

    def run(_task: Task, notebook: Path) -> tuple[dict[str, Any], float]:
        ran.append(notebook.name)
        if len(ran) > 1:
            grading.STOPPED.wait(1.0)
        return empty_result("It ran.", judged=True), 0.0

    def interrupt(_file: str, _result: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(grading.notebook, "judge", run)
    for number in range(9):
        write_notebook(folder / "copies" / f"{number}.ipynb")
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(Stopped) as caught:
            grade(
                folder / "copies",
                exercises="gates.py",
                each=interrupt,
                executor=executor if given else None,
            )
        executor.submit(int).result()  # the executor still works
    assert ran in (["0.ipynb"], ["0.ipynb", "1.ipynb"])
    rows = table_of(caught.value.rows)
    assert outcomes(rows["0.ipynb"]) == ["error"] * 3
    for number in range(2, 9):
        assert outcomes(rows[f"{number}.ipynb"]) == ["not judged"] * 3
        assert (rows[f"{number}.ipynb"]["one"].points, rows["8.ipynb"]["one"].max) == (None, 2)


def test_an_interrupted_run_writes_its_results_so_far(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notebook(folder / "copies" / "a.ipynb", LOAD)
    rows = [
        Row("a.ipynb", "one", "right", 1, 1, 2.0, "", ""),
        Row("b.ipynb", "one", "not judged", None, 1, 0.0, "Grading was stopped.", ""),
    ]

    def stopped(*_: Any, **__: Any) -> None:
        raise Stopped(rows)

    monkeypatch.setattr(grade_command, "grade", stopped)
    assert run_command(monkeypatch, "copies", "--csv", "grades.csv") == 130
    assert "a.ipynb,one,right,1,1" in (folder / "grades.csv").read_text("utf-8-sig")
    assert "one not judged" in capsys.readouterr().out


# ----- differences -------------------------------------------------------------------------------


@each(
    ("expected", "got", "said"),
    [
        (1.0, 0.5, "dx: expected 1, got 0.5."),
        ("dy", "dx", "dx: expected 'dy', got 'dx'."),
        ([2, 3], [3], "dx: expected [2, 3], got [3]."),
        (np.zeros([2, 3]), [[0, 0, 0], [0, -3, 1]], "dx[1, 1]: expected 0, got -3."),
        (np.zeros(9), [1, np.nan, *range(7)], "dx[1]: expected 0, got nan."),
        (np.zeros([2, 3]), np.zeros(6), "dx: expected shape [2, 3], got shape [6]."),
        (list("abcde"), list("abxde"), "dx[2]: expected 'c', got 'x'."),
        ([True] * 5, [True] * 4 + [False], "dx[4]: expected True, got False."),
        (0.1234567, 0.1234588, "dx: expected 0.123457, got 0.123459."),
        (
            [0.5, 0.12345671],
            [0.9, 0.12345699],
            "dx: expected [0.5, 0.123457], got [0.9, 0.123457].",
        ),
        (100.0, 100.00012345, "dx: expected 100, got 100."),  # almost right
    ],
)
def test_a_reason_names_received_and_expected_values(expected: Any, got: Any, said: str) -> None:
    assert describe_difference(Pair("dx", np.array(expected), np.array(got))) == said


# ----- whatever a file holds -----


def test_no_broken_file_ends_the_grading_of_the_others(folder: Path, capsys: object) -> None:
    copies = folder / "copies"
    (copies / "circle.ipynb").symlink_to("circle.ipynb")
    (copies / "gone.ipynb").symlink_to("nowhere.ipynb")
    (copies / "folder.ipynb").mkdir()
    os.mkfifo(copies / "pipe.ipynb")
    found = notebooks_in(copies)
    assert len(found) == 4
    slot = Slot(Task(str(copies), "", Limits(), 0, "none"))
    told = {path.name: slot.judge(path)[0]["problem"] for path in found}
    slot.close()
    link = "This is no notebook: a link, which may lead to somebody else's."
    assert told == {
        "circle.ipynb": link,
        "folder.ipynb": "This is no notebook: a folder.",
        "gone.ipynb": link,
        "pipe.ipynb": "This is no notebook: not a regular file.",
    }


def test_a_notebook_gets_the_files_beside_it_and_no_files_of_others(folder: Path) -> None:
    copies, own = folder / "copies", folder / "own"
    write_notebook(copies / "a.ipynb")
    write_notebook(copies / "b.ipynb")
    write_notebook(copies / "carl" / "c.ipynb")
    (copies / "carl" / "answers.py").write_text("one = 1")
    (copies / "data" / "deep").mkdir(parents=True)
    (copies / "data" / "deep" / "x.csv").write_text("1")
    (copies / "link").symlink_to(folder / "elsewhere")
    (copies / "round").symlink_to(copies)
    (copies / "zero").symlink_to("/dev/zero")
    copy_beside(copies / "a.ipynb", own)
    there = sorted(path.relative_to(own).as_posix() for path in own.rglob("*"))
    assert there == ["a.ipynb", "data", "data/deep", "data/deep/x.csv", "gates.py"]
    (own / "data" / "deep" / "x.csv").write_text("2")
    assert (copies / "data" / "deep" / "x.csv").read_text() == "1"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_stops_the_grading_and_a_second_does_not_cut_its_end_short(number: int) -> None:
    def interrupted() -> None:
        with grade_command.stop_on_signals():
            try:
                signal.raise_signal(number)
            finally:
                signal.raise_signal(number)
                signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert signal.getsignal(number) is before


# ----- the table ---------------------------------------------------------------------------------


def result_of(**parts: object) -> dict[str, object]:
    return {**empty_result("", judged=True), **parts}


def test_a_notebook_that_loads_nothing_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = "code cell 1: NotFound: There is no file of exercises gates.py."
    [row] = rows_of("a.ipynb", result_of(errors=[lost]), 1.0, {})
    assert (row.exercise, row.outcome, row.points, row.max) == ("", "error", 0, 0)
    assert row.reason == f"The notebook loads no exercises. {lost}"
    assert row.notes == lost
    [other] = rows_of("ada.ipynb", result_of(errors=[lost]), 1.0, {"one": 2})
    assert (other.exercise, other.max) == ("one", 2)
    assert other.reason == f"The notebook loads no one. {lost}"
    write_notebook(folder / "copies" / "a.ipynb", LOAD)
    monkeypatch.setattr(grade_command, "grade", lambda *_, **__: [row])
    assert run_command(monkeypatch, "copies", "--csv", "t.csv") == 1
    said = capsys.readouterr()
    assert said.out == f"a.ipynb      0 of 0  {row.reason}\n"
    assert "No notebook has loaded any exercises, so nothing was graded." in said.err
    assert "a.ipynb,,error" in (folder / "t.csv").read_text("utf-8-sig")


def test_the_teachers_file_alone_says_which_exercises_count() -> None:
    """Also where a notebook loads others, as one with a list of its own."""
    loaded = result_of(max={"own": 5.0})
    files, results = ["a.ipynb"], {"a.ipynb": (loaded, 0.0)}
    (row,) = table(files, results, {"one": 2.0})
    assert (row.exercise, row.max, row.outcome) == ("one", 2.0, "error")
    (row,) = table(files, results, {})
    assert (row.exercise, row.max) == ("own", 5.0)


def test_an_unjudged_answer_has_no_points_and_no_zero(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        Row("=ada.ipynb", "one", "right", 2, 2, 1.0, "", ""),
        Row("=ada.ipynb", "double", "not judged", None, 1, 1.0, "It fails.", ""),
    ]
    write_notebook(folder / "copies" / "=ada.ipynb", LOAD)
    monkeypatch.setattr(grade_command, "grade", lambda *_, **__: rows)
    assert run_command(monkeypatch, "copies", "--csv", "t.csv", "--json", "t.json") == 1
    said = capsys.readouterr()
    assert said.out == "=ada.ipynb      2 of 3  double not judged\n"
    assert "1 × double: It fails." in said.err
    with (folder / "t.csv").open(newline="", encoding="utf-8-sig") as file:
        table = list(csv.DictReader(file))
    assert list(table[0]) == [
        *("file", "exercise", "outcome", "points", "max", "seconds", "reason", "notes", "isolation")
    ]
    assert [(row["file"], row["points"]) for row in table] == [
        ("'=ada.ipynb", "2"),  # the quote prevents a spreadsheet formula
        ("'=ada.ipynb", ""),
    ]
    both = json.loads((folder / "t.json").read_text(encoding="utf-8"))
    assert [(row["file"], row["points"]) for row in both["rows"]] == [
        ("=ada.ipynb", 2),
        ("=ada.ipynb", None),
    ]
    assert [(total["points"], total["max"]) for total in both["totals"]] == [(2, 3)]


HOSTILE = "\x1b]0;owned\x07\rmallory 1 of 1\u202e\x00\x9b2J\ud800" + "y" * 10**6


def test_no_control_character_of_a_learners_reaches_a_table_or_a_terminal() -> None:
    told = {"slip": HOSTILE, "hint": {"en": HOSTILE}, "code": HOSTILE}
    wrong = {"outcome": "error", "points": 0, "reason": HOSTILE, **told}
    result = result_of(errors=[HOSTILE] * 5, rows={"one": wrong})
    rows = [*rows_of("a.ipynb", result, 1.0, {"one": 1})]
    rows += rows_of("b.ipynb", result_of(errors=[HOSTILE]), 1.0, {"one": 1})
    for text in (
        csv_of(COLUMNS, map(asdict, rows)),
        grade_command.summary(rows),
        f"{rows[0].slip}{rows[0].hint['en']}{rows[0].code}",
    ):
        assert len(text) < 10_000
        assert "mallory" in text
        assert make_visible(text, keep="\n") == text
        text.encode("utf-8")
    assert make_visible(csv_of(["a"], [{"a": HOSTILE}]), keep="\n") == csv_of(
        ["a"], [{"a": HOSTILE}]
    )


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_printed_to_stderr(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    with grade_command.progress(30) as tick:
        for _ in range(30):
            tick()
    assert capsys.readouterr().out == ""
    shown = screen.getvalue()
    if terminal:
        assert "30/30" in shown
    else:
        assert shown.splitlines() == [f"{n} of 30 notebooks" for n in range(3, 31, 3)]


RIGHT = {"outcome": "right", "points": 2, "reason": ""}


@pytest.mark.parametrize(
    "parts",
    [
        {"rows": {"one": {**RIGHT, "points": 9e9}}},
        {"rows": {"one": {**RIGHT, "points": "2"}}},
        {"rows": {"one": {**RIGHT, "points": None}}},
        {"rows": {"one": {**RIGHT, "points": float("nan")}}},
        {"rows": {"one": {**RIGHT, "outcome": "best"}}},
        {"rows": {"one": {**RIGHT, "outcome": []}}},
        {"rows": {"one": {**RIGHT, "reason": 1}}},
        {"rows": {"one": {**RIGHT, "hint": [1]}}},
        {"rows": {"one": {**RIGHT, "hint": {"en": 1}}}},
        {"rows": {"one": {"points": 2}}},
        {"rows": {"other": RIGHT}},
        {"rows": []},
        {"max": {"one": float("inf")}},
        {"max": {"\x1b[2J": 2}},
        {"errors": {"a": 1}},
        {"errors": [1]},
        {"problem": None},
        {"judged": 0},
    ],
)
def test_a_judge_that_says_something_else_is_not_believed(parts: dict[str, Any]) -> None:
    good = result_of(max={"one": 2}, rows={"one": RIGHT})
    assert grading.notebook.result_of(good) == good
    refused = grading.notebook.result_of({**good, **parts})
    [row] = rows_of("a.ipynb", refused, 1.0, {"one": 2})
    assert (row.outcome, row.points) == ("error", 0)
    assert row.reason == "Its judge sent what no judge sends."
