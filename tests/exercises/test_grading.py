"""Grading: every broken notebook gets its rows, and none stops the rest."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("nbclient", reason="nbclient is not installed")

from minipaddle import __main__ as command_line
from minipaddle._cli import grade as grade_command
from minipaddle.engine import errors
from minipaddle.engine.install_advice import EXTRAS, for_many_ranks, pip_install
from minipaddle.exercises import Exercise, Pair, checks, load
from minipaddle.exercises.course import lessons
from minipaddle.exercises.grading import memory
from minipaddle.exercises.grading.grade import (
    GRACE,
    Limits,
    Row,
    Stopped,
    grade,
    notebooks_in,
    nothing,
    rows_of,
)
from minipaddle.exercises.grading.in_kernel import came_instead, reason
from minipaddle.exercises.tables import csv_of
from tests.each import each

from ..patience import PATIENCE
from .notebooks import write

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = """
from minipaddle.exercises import Exercise, Prediction, Slip, checks
one = Exercise("one", points=2, check=checks.value(1), slips=[Slip("zero", gives=0, hint="Not 0.")])
double = Exercise("double", check=checks.function(lambda x: 2 * x))
guess = Prediction("guess", question="?", kind="number", truth=3, points=0.5)
asked = Prediction("asked", question="?", kind="number", truth=3)
"""
TEACHER = """
from minipaddle.exercises import load
gates = load("gates.py")
gates.one.hide("a whole number", lambda n: isinstance(n, int))
"""
LOAD = 'from minipaddle import exercises\ngates = exercises.load("gates.py")'
ONE, DOUBLE = "one = 1", "def double(x):\n    return x + x"
GUESS = "gates.guess.answer(3)"
STUBBORN = """
import signal, os, pathlib
signal.signal(signal.SIGINT, signal.SIG_IGN)
pathlib.Path("new").write_text(str(os.getpid()))
os.rename("new", "pid")  # nobody reads half of it
while True:
    pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with exercises and a place for copies."""
    (tmp_path / "gates.py").write_text(EXERCISES, encoding="utf-8")
    (tmp_path / "teacher.py").write_text(TEACHER, encoding="utf-8")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "gates.py").write_text(EXERCISES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def graded(folder: Path, **options: object) -> dict[str, dict[str, Row]]:
    """The rows by file and exercise."""
    return table_of(grade(folder / "copies", jobs=2, **options))  # type: ignore[arg-type]


def table_of(rows: list[Row]) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row.file, {})[row.exercise] = row
    return found


def outcomes(rows: dict[str, Row]) -> list[str]:
    return [row.outcome for row in rows.values()]


@pytest.mark.slow
def test_a_class_full_of_notebooks(folder: Path) -> None:
    copies = folder / "copies"
    write(copies / "solved.ipynb", LOAD, ONE, DOUBLE, GUESS)
    write(copies / "in" / "a folder" / "float.ipynb", LOAD, "one = 1.0", DOUBLE)
    write(copies / "handed_out.ipynb", LOAD, "one = None", "def double(x):\n    '''Twice x.'''")
    write(copies / "slip.ipynb", LOAD, "one = 0", "def double(x):\n    return 3 * x")
    write(copies / "syntax.ipynb", LOAD, ONE, "def double(x:\n    return")
    write(copies / "raises.ipynb", LOAD, "lost + 1", ONE, DOUBLE)
    write(copies / "never loads.ipynb", ONE, DOUBLE)
    write(copies / "exits.ipynb", LOAD, ONE, "import os\nos._exit(1)")
    (copies / "broken.ipynb").write_text("{")
    (copies / "empty.ipynb").write_bytes(b"")
    (copies / "version3.ipynb").write_text('{"nbformat": 99, "cells": []}')
    (copies / ".ipynb_checkpoints").mkdir()
    (copies / ".ipynb_checkpoints" / "solved.ipynb").write_text("{")
    ended: list[Path] = []
    rows = graded(
        folder,
        exercises=folder / "teacher.py",
        limits=Limits(seconds=PATIENCE),
        each=ended.append,
    )
    assert len(rows) == len(ended) == 11
    assert all(list(row) == ["one", "double", "guess"] for row in rows.values())
    assert outcomes(rows["solved.ipynb"]) == ["right"] * 3
    assert [row.points for row in rows["solved.ipynb"].values()] == [2, 1, 0.5]
    assert [row.max for row in rows["broken.ipynb"].values()] == [2, 1, 0.5]
    hidden = rows["in/a folder/float.ipynb"]
    assert outcomes(hidden) == ["wrong", "right", "not yet"]
    assert hidden["one"].reason == (
        "[hidden] A check that was not handed out fails: a whole number."
    )
    assert hidden["one"].notes == ""
    assert outcomes(rows["handed_out.ipynb"]) == ["not yet"] * 3
    assert sum(row.points for row in rows["handed_out.ipynb"].values()) == 0
    slip = rows["slip.ipynb"]
    assert slip["one"].reason == "[zero] Not 0. value: expected 1, got 0."
    assert "y is 1.5 times too large." in slip["double"].reason
    assert re.search(r" y\[\d, \d\]: expected \S+, got \S+\.$", slip["double"].reason)
    assert outcomes(rows["syntax.ipynb"]) == ["right", "error", "not yet"]
    assert "The notebook has no double. code cell 3: SyntaxError" in (
        rows["syntax.ipynb"]["double"].reason
    )
    assert outcomes(rows["raises.ipynb"])[:2] == ["right", "right"]
    assert {row.notes for row in rows["raises.ipynb"].values()} == {
        "code cell 2: NameError: name 'lost' is not defined"
    }
    assert outcomes(rows["never loads.ipynb"])[:2] == ["right", "right"]
    for name, said in (
        ("exits.ipynb", "The kernel ended in code cell 3"),
        ("broken.ipynb", "This is no notebook: "),
        ("empty.ipynb", "This is no notebook: "),
        ("version3.ipynb", ""),
    ):
        assert outcomes(rows[name]) == ["error"] * 3
        assert all(row.reason.startswith(said) for row in rows[name].values())


@pytest.mark.slow
def test_solved_lessons_get_every_point_and_those_handed_out_none(folder: Path) -> None:
    copies = folder / "copies"
    for name in lessons():
        shutil.copy(ROOT / "lessons" / f"{name}.ipynb", copies / f"{name}.ipynb")
        (copies / "solutions").mkdir(exist_ok=True)
        shutil.copy(ROOT / "lessons" / "solutions" / f"{name}.ipynb", copies / "solutions")
    rows = graded(folder, limits=Limits(seconds=PATIENCE))
    for name in lessons():
        solved, stub = rows[f"solutions/{name}.ipynb"], rows[f"{name}.ipynb"]
        asked = [part.name for part in load(name) if isinstance(part, Exercise)]
        assert list(solved) == list(stub) == asked
        assert set(outcomes(solved)) == {"right"}
        assert all(row.points == row.max > 0 for row in solved.values())
        assert sum(row.points for row in stub.values()) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("while True:\n    pass", "code cell 3: took too long"),
        ("while True:\n    print('x' * 1000)", "code cell 3: took too long"),
        ("import time\ntime.sleep(10**6)", "code cell 3: took too long"),
        pytest.param(
            "kept = bytearray(10**10)",
            "code cell 3: MemoryError",
            marks=pytest.mark.skipif(not memory.LIMITS, reason="this system limits no memory"),
        ),
    ],
)
def test_what_takes_too_much_costs_only_itself(folder: Path, cell: str, said: str) -> None:
    write(folder / "copies" / "greedy.ipynb", LOAD, ONE, cell)
    rows = graded(folder, limits=Limits(seconds=6.0, memory=1024))["greedy.ipynb"]
    assert outcomes(rows)[:2] == ["right", "error"], rows
    assert rows["double"].reason.startswith(f"The notebook has no double. {said}")


@pytest.mark.slow
def test_a_notebook_that_will_not_be_stopped_is_killed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psutil  # grading stands on it, too

    write(folder / "copies" / "stubborn.ipynb", LOAD, ONE, STUBBORN)
    noted = folder / "copies" / "pid"
    waited = []

    def wait_until_it_loops(process: subprocess.Popen[bytes], seconds: float | None = None) -> int:
        if seconds is None:  # for one that was killed
            return wait(process)
        waited.append(seconds)
        while not noted.exists() and process.poll() is None:
            time.sleep(0.05)
        raise subprocess.TimeoutExpired(process.args, seconds)

    wait = subprocess.Popen.wait
    monkeypatch.setattr(subprocess.Popen, "wait", wait_until_it_loops)
    rows = graded(folder, exercises=folder / "gates.py", limits=Limits(seconds=PATIENCE))
    assert waited == [PATIENCE + GRACE]
    assert outcomes(rows["stubborn.ipynb"]) == ["error"] * 3
    assert rows["stubborn.ipynb"]["one"].reason == "Stopped after 300 seconds."
    pid = int(noted.read_text())
    # It has been killed, and ends as soon as it gets the processor once more.
    with suppress(psutil.NoSuchProcess):
        killed = psutil.Process(pid)
        while killed.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.05)


DIES = """
import os, pathlib, sys
if "ipykernel_launcher" in sys.orig_argv:
    before = pathlib.Path({times!r}).read_text()
    if before:
        pathlib.Path({times!r}).write_text(before[1:])
        os._exit(1)
"""


@pytest.fixture
def kernels_that_die(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """Lets so many kernels die when they start; the file of those that are left to die."""

    def prepared(times: int) -> Path:
        (folder / "python").mkdir()
        left = folder / "left"
        left.write_text("x" * times)
        code = DIES.format(times=str(left))
        (folder / "python" / "sitecustomize.py").write_text(code, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(folder / "python"), str(ROOT))))
        return left

    return prepared


@pytest.mark.slow
def test_a_kernel_that_dies_at_its_start_costs_nobody_anything(
    folder: Path, kernels_that_die: Callable[[int], Path]
) -> None:
    left = kernels_that_die(1)
    write(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    rows = graded(folder, exercises=folder / "gates.py")["ada.ipynb"]
    assert left.read_text() == ""
    assert outcomes(rows) == ["right"] * 3


@pytest.mark.slow
def test_a_kernel_that_never_comes_up_is_told(
    folder: Path, kernels_that_die: Callable[[int], Path]
) -> None:
    left = kernels_that_die(3)
    write(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    rows = graded(folder, exercises=folder / "gates.py")["ada.ipynb"]
    assert left.read_text() == "x"
    assert {(row.outcome, row.reason) for row in rows.values()} == {
        ("error", "The kernel failed in the start: Kernel died before replying to kernel_info")
    }


def way_to_its_kernel(folder: Path) -> dict[str, Any]:
    """How the kernel of a notebook is reached, as it tells itself."""
    told = (
        "from ipykernel.connect import get_connection_info\n"
        "open('told', 'w').write(get_connection_info())"
    )
    write(folder / "copies" / "ada.ipynb", told)
    graded(folder, exercises=folder / "gates.py")
    way: dict[str, Any] = json.loads((folder / "copies" / "told").read_text())
    return way


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets that are files here")
def test_no_other_process_can_take_the_port_of_a_kernel(folder: Path) -> None:
    way = way_to_its_kernel(folder)
    assert way["transport"] == "ipc"
    assert "minipaddle-grade-" in way["ip"]


@pytest.mark.slow
def test_where_the_path_of_a_socket_would_be_too_long_there_are_ports(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = folder / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    assert way_to_its_kernel(folder)["transport"] == "tcp"


KILLED = """
import sys
from minipaddle.exercises.grading.grade import Limits, grade
grade("copies", exercises="gates.py", limits=Limits(seconds=float(sys.argv[1])))
"""


@pytest.mark.slow
def test_no_kernel_outlives_a_grading_that_is_killed(folder: Path) -> None:
    import psutil

    write(folder / "copies" / "loop.ipynb", STUBBORN)
    grading = subprocess.Popen([sys.executable, "-c", KILLED, str(10 * PATIENCE)])
    noted = folder / "copies" / "pid"
    try:
        while not noted.exists() and grading.poll() is None:
            time.sleep(0.05)
    finally:
        grading.kill()
        grading.wait()
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(noted.read_text())).wait(PATIENCE)


@pytest.mark.slow
def test_an_executor_of_the_callers_runs_the_notebooks(folder: Path) -> None:
    write(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    write(folder / "copies" / "bob.ipynb", LOAD, "one = 0")
    elsewhere = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=elsewhere) as executor:
        rows = graded(folder, exercises="gates.py", executor=executor)
        assert executor.submit(os.getpid).result() != os.getpid()  # it is still at work
    assert outcomes(rows["ada.ipynb"]) == ["right"] * 3
    assert outcomes(rows["bob.ipynb"]) == ["wrong", "not yet", "not yet"]


@pytest.mark.slow
def test_an_interrupted_run_leaves_the_callers_executor_without_work(folder: Path) -> None:
    for number in range(4):
        write(folder / "copies" / f"{number}.ipynb", f"open('ran_{number}', 'w').close()")

    def interrupt(_path: Path) -> None:
        raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(Stopped):
            grade(folder / "copies", exercises="gates.py", each=interrupt, executor=executor)
        executor.submit(int).result()
    assert not (folder / "copies" / "ran_3").exists()


@pytest.mark.slow
@pytest.mark.ranks
def test_ranks_of_mpi_grade_and_no_notebook_takes_itself_for_one(
    folder: Path, with_ranks: Callable[..., str]
) -> None:
    size = "from mpi4py import MPI\none = MPI.COMM_WORLD.Get_size()"
    write(folder / "copies" / "ada.ipynb", LOAD, size, DOUBLE, GUESS)
    write(folder / "copies" / "bob.ipynb", LOAD, "one = 0", DOUBLE)
    command = ("-m", "minipaddle", "grade", "copies", "--mpi", "--csv", "t.csv")
    assert with_ranks(3, *command).splitlines() == [
        "ada.ipynb    3.5 of 3.5",
        "bob.ipynb      1 of 3.5  one wrong, guess not yet",
    ]
    assert (folder / "t.csv").exists()


def test_ranks_are_as_many_as_mpiexec_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        grade_command.parse(["copies", "--mpi", "-j", "4"])
    assert "-j/--jobs: not allowed with argument --mpi" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("missing", "what", "fix"),
    [
        ("mpi4py", "mpi4py is not installed", for_many_ranks()),
        ("", "There are no other ranks", "mpi4py.futures -m minipaddle grade DIR --mpi"),
    ],
)
def test_without_other_ranks_it_is_said_how_to_get_them(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: str,
    what: str,
    fix: str,
) -> None:
    write(folder / "copies" / "a.ipynb", LOAD)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name != missing or None)
    assert command_line.main(["grade", "copies", "--mpi"]) == 1
    error = capsys.readouterr().err
    assert what in error
    assert fix in error.split("to do")[1]


@pytest.mark.slow
def test_an_interrupted_run_starts_nothing_else(folder: Path) -> None:
    copies = folder / "copies"
    for number in range(5):
        write(copies / f"{number}.ipynb", f"open('ran_{number}', 'w').close()")

    def interrupt(_path: Path) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Stopped) as caught:
        grade(copies, exercises=folder / "gates.py", each=interrupt)
    assert (copies / "ran_0").exists()
    rows = table_of(caught.value.rows)
    assert "not judged" not in outcomes(rows["0.ipynb"])
    assert outcomes(rows["4.ipynb"]) == ["not judged"] * 3
    assert rows["4.ipynb"]["one"].points is None
    assert rows["4.ipynb"]["one"].reason == "Grading was stopped before this notebook had ended."
    assert not any((copies / f"ran_{number}").exists() for number in (2, 3, 4))


def test_what_is_known_when_it_is_interrupted_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copies = folder / "copies"
    write(copies / "a.ipynb", LOAD)
    why = "Grading was stopped before this notebook had ended."
    rows = [
        Row("a.ipynb", "one", "right", 1, 1, 2.0, "", ""),
        Row("b.ipynb", "one", "not judged", None, 1, 0.0, why, ""),
    ]

    def stopped(*_: Any, **__: Any) -> None:
        raise Stopped(rows)

    monkeypatch.setattr(grade_command, "grade", stopped)
    with pytest.raises(KeyboardInterrupt):
        grade_command.main([str(copies), "--csv", str(folder / "grades.csv")])
    assert "a.ipynb,one,right,1,1" in (folder / "grades.csv").read_text("utf-8-sig")
    assert "one not judged" in capsys.readouterr().out


@pytest.mark.slow
def test_what_a_kernel_leaves_among_temporary_files_goes_with_it(folder: Path) -> None:
    said = (
        "import tempfile\nfrom ipykernel.connect import get_connection_file\n"
        "open('where', 'w').write(get_connection_file() + '\\n' + tempfile.mkdtemp())\n"
        "import os\nos._exit(1)"
    )
    write(folder / "copies" / "a.ipynb", said)
    graded(folder, exercises=folder / "gates.py")
    for place in map(Path, (folder / "copies" / "where").read_text().splitlines()):
        assert any(parent.name.startswith("minipaddle-grade-") for parent in place.parents)
        assert not place.exists()


@pytest.mark.parametrize(
    ("line", "said", "received"),
    [
        ("one = Exercise('one',", r"SyntaxError: '\(' was never closed", "one = Exercise('one',"),
        ("one = checks.pylayr(1)", "AttributeError: .* no attribute 'pylayr'", None),
        ("one = Exercise('one', checkx=1)", "TypeError: .* unexpected keyword .* 'checkx'", None),
        ("one = null", "NameError: name 'null' is not defined", None),
    ],
)
def test_a_mistake_in_the_teachers_file_is_told_with_its_line_alone(
    folder: Path, line: str, said: str, received: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "copies" / "a.ipynb", LOAD)
    (folder / "own.py").write_text(f"from minipaddle.exercises import Exercise, checks\n\n{line}\n")
    assert command_line.main(["grade", "copies", "--exercises", "own.py"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert re.match(rf"minipaddle grade: own\.py cannot be loaded: {said}", lines[0])
    assert lines[1:] == [
        "  expected  a Python file that runs and makes exercises",
        f"  received  {received or line}",
        "  to do     mend this line",
        "  at        own.py:3",
    ]


def test_a_notebook_is_no_file_of_exercises(folder: Path) -> None:
    write(folder / "copies" / "a.ipynb", LOAD)
    for name, what in (("a.ipynb", "a notebook"), ("own.txt", "a file that ends in '.txt'")):
        write(folder / name)
        with pytest.raises(errors.InvalidArgument, match="is no Python file") as refused:
            grade(folder / "copies", exercises=name)
        assert f"received  {what}" in str(refused.value)


def test_copies_without_exercises_end_in_advice_once_the_tables_are_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "copies" / "a.ipynb", LOAD)
    lost = "code cell 1: NotFound: There is no file of exercises gates.py."
    rows = list(rows_of("a.ipynb", result_of(errors=[lost]), 1.0, {}))
    monkeypatch.setattr(grade_command, "grade", lambda *_, **__: rows)
    assert command_line.main(["grade", "copies", "--csv", "t.csv"]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("a.ipynb      0 of 0  The notebook loads no exercises.")
    assert "No notebook has loaded any exercises, so nothing was graded." in said.err
    assert f"received  The notebook loads no exercises. {lost}" in said.err
    assert "to do     name your file with --exercises gates.py; or put the file" in said.err
    assert "a.ipynb,,error" in (folder / "t.csv").read_text("utf-8-sig")


@pytest.mark.slow
def test_a_check_that_never_ends_costs_only_itself(folder: Path) -> None:
    endless = "def double(x):\n    while True:\n        pass"
    write(folder / "copies" / "endless.ipynb", LOAD, ONE, endless, GUESS)
    rows = graded(folder, limits=Limits(seconds=8.0))["endless.ipynb"]
    assert outcomes(rows) == ["right", "error", "right"]
    assert re.fullmatch(
        r"The check took too long, and was stopped after \d+\.\d seconds\.", rows["double"].reason
    )


@pytest.mark.slow
def test_the_command_writes_tables(
    folder: Path, noted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "copies" / "=ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    write(folder / "copies" / "bob.ipynb", LOAD, "one = 0", "gates.one.check(one)\n1 / 0")
    status = command_line.main(
        ["grade", "copies", "-j", "2", "--csv", "t.csv", "--json", "t.json", "--seed", "5"]
    )
    assert status == 0
    assert not noted.exists()  # the teacher's own progress
    assert capsys.readouterr().out == (
        "=ada.ipynb    3.5 of 3.5\n"
        "bob.ipynb       0 of 3.5  one wrong, double error, guess not yet"
        " (code cell 3: ZeroDivisionError: division by zero)\n"
    )
    with (folder / "t.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(Row.__dataclass_fields__)
    assert [row["file"] for row in rows] == ["'=ada.ipynb"] * 3 + ["bob.ipynb"] * 3
    table = json.loads((folder / "t.json").read_text(encoding="utf-8"))
    assert [row["points"] for row in table["rows"]] == [2, 1, 0.5, 0, 0, 0]
    assert table["rows"][0]["file"] == "=ada.ipynb"
    sums = [(total["file"], total["points"], total["max"]) for total in table["totals"]]
    assert sums == [("=ada.ipynb", 3.5, 3.5), ("bob.ipynb", 0, 3.5)]


@pytest.mark.slow
def test_a_check_that_fails_by_itself_costs_nobody_anything_unseen(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "teacher.py").write_text(
        TEACHER + 'gates.double.hide("below zero", lambda double: undefined)\n', encoding="utf-8"
    )
    write(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    status = command_line.main(
        ["grade", "copies", "--exercises", "teacher.py", "--csv", "t.csv", "--json", "t.json"]
    )
    said = capsys.readouterr()
    assert status == 1
    assert said.out == "ada.ipynb    2.5 of 3.5  double not judged\n"
    assert "Some answers were not judged: they have neither points nor a zero." in said.err
    assert (
        "1 × double: The hidden check 'below zero' of double fails by itself: "
        "NameError: name 'undefined' is not defined\n" in said.err
    )
    with (folder / "t.csv").open(newline="", encoding="utf-8-sig") as file:
        assert [row["points"] for row in csv.DictReader(file)] == ["2", "", "0.5"]
    rows = json.loads((folder / "t.json").read_text(encoding="utf-8"))["rows"]
    assert [row["points"] for row in rows] == [2, None, 0.5]


@pytest.mark.slow
def test_what_grading_loads_takes_no_time_of_the_notebooks(folder: Path) -> None:
    slow = "import os, time\nif 'MINIPADDLE_EXERCISES' in os.environ:\n    time.sleep(12)\n"
    (folder / "teacher.py").write_text(slow + TEACHER, encoding="utf-8")
    write(folder / "copies" / "ada.ipynb", ONE, DOUBLE)
    limits = Limits(seconds=20.0)
    rows = graded(folder, exercises=folder / "teacher.py", limits=limits)["ada.ipynb"]
    assert outcomes(rows)[:2] == ["right", "right"]


@pytest.mark.slow
def test_no_notebook_runs_in_a_kernel_that_could_not_be_prepared(folder: Path) -> None:
    lost = "import os\nassert 'MINIPADDLE_EXERCISES' not in os.environ, 'not here'\n"
    (folder / "teacher.py").write_text(lost + TEACHER, encoding="utf-8")
    write(folder / "copies" / "ada.ipynb", "open('ran', 'w').close()")
    rows = graded(folder, exercises=folder / "teacher.py")["ada.ipynb"]
    assert {row.reason for row in rows.values()} == {
        "The kernel could not be prepared: AssertionError: not here"
    }
    assert not (folder / "copies" / "ran").exists()


def result_of(**parts: object) -> dict[str, object]:
    return {**nothing(""), **parts}


def test_a_notebook_that_loads_nothing_says_why() -> None:
    lost = "code cell 1: NotFound: There is no file of exercises gates.py."
    [row] = rows_of("ada.ipynb", result_of(errors=[lost]), 1.0, {})
    assert (row.exercise, row.outcome, row.points, row.max) == ("", "error", 0, 0)
    assert row.reason == f"The notebook loads no exercises. {lost}"
    assert row.notes == lost
    assert grade_command.summary([row]) == f"ada.ipynb      0 of 0  {row.reason}"
    [row] = rows_of("ada.ipynb", result_of(errors=[lost]), 1.0, {"one": 2})
    assert (row.exercise, row.max, row.reason) == (
        "one",
        2,
        f"The notebook loads no one. {lost}",
    )


def test_notes_stand_behind_the_points() -> None:
    rows = rows_of("a.ipynb", result_of(errors=["code cell 3: took too long"]), 1.0, {"one": 1})
    right = [replace(row, outcome="right", points=1) for row in rows]
    assert grade_command.summary(right) == "a.ipynb      1 of 1  (code cell 3: took too long)"


def test_notes_are_short() -> None:
    [row] = rows_of("a.ipynb", result_of(errors=list("abcde")), 1.0, {"one": 1})
    assert row.notes == "a; b; c; and 2 more"


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_goes_where_errors_go(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    with grade_command.progress(30) as tick:
        for _ in range(30):
            tick(Path())
    assert capsys.readouterr().out == ""
    shown = screen.getvalue()
    if terminal:
        assert "30/30" in shown
        assert "100%" in shown
    else:
        assert shown.splitlines() == [f"{n} of 30 notebooks" for n in range(3, 31, 3)]


def test_a_terminal_that_does_not_know_its_width_shows_the_bar_too() -> None:
    pty = pytest.importorskip("pty", reason="no such terminals here")
    ours, theirs = pty.openpty()
    program = (
        "from pathlib import Path\nfrom minipaddle._cli.grade import progress\n"
        "with progress(2) as tick:\n    tick(Path())\n    tick(Path())"
    )
    try:
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, stderr=theirs, check=True)
        assert b"2/2" in os.read(ours, 10_000)
    finally:
        os.close(ours)
        os.close(theirs)


def test_the_help_names_every_default(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        grade_command.parse(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    for default in ("at a time (1)", "notebook (60)", "kernel has (2048)", "inputs (2023)"):
        assert default in said


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
    ],
)
def test_a_reason_says_what_came_and_what_was_expected(expected: Any, got: Any, said: str) -> None:
    assert came_instead(Pair("dx", np.array(expected), np.array(got))) == said


def test_the_table_tells_what_a_card_does_not() -> None:
    outcome = Exercise("it", check=checks.shape([2, 3])).judge([3, 2])
    assert reason(outcome) == (
        "This is not the shape that is asked for. shape: expected [2, 3], got [3, 2]."
    )
    assert outcome.pairs == ()
    outcome = Exercise("it", check=checks.function(lambda x: x)).judge(lambda x: x.sum())
    assert reason(outcome) == (
        "It runs, but not everything comes out as it should. y has the shape []; it should be "
        "[2, 3]."
    )


@pytest.mark.parametrize(
    ("make", "what", "fix"),
    [
        (lambda f: grade(f / "gone"), "There is no folder", "the copies are in"),
        (lambda f: grade(f / "gates.py"), "There is no folder", "the copies are in"),
        (lambda f: grade(f / "copies"), "There are no notebooks in", "the copies are in"),
        (lambda f: grade(f, jobs=0), "cannot be graded like that", "-j 4"),
        (lambda f: grade(f, seed=-1), "cannot be graded like that", "--seed 7"),
        (lambda f: grade(f, limits=Limits(seconds=0)), "within these limits", "--seconds"),
        (lambda f: grade(f, limits=Limits(memory=1)), "within these limits", "--memory"),
        (lambda f: grade(f, limits=Limits(seconds=float("nan"))), "within these limits", "--sec"),
        (lambda f: grade(f, exercises="gone.py"), "no file of exercises gone.py", "--exercises"),
    ],
)
def test_what_cannot_be_graded_is_told(
    folder: Path, make: Callable[[Path], object], what: str, fix: str
) -> None:
    if what not in ("There is no folder", "There are no notebooks in"):
        write(folder / "one.ipynb", LOAD)
    with pytest.raises(errors.MinipaddleError, match=what) as refused:
        make(folder)
    assert fix in str(refused.value).split("\n  to do     ")[1]


def test_without_nbclient_it_is_said_how_to_get_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert command_line.main(["grade", "copies"]) == 1
    error = capsys.readouterr().err
    assert "nbclient is not installed, and it runs the notebooks." in error
    assert f"to do     {pip_install(EXTRAS['lab'])}" in error


def test_checkpoints_are_no_copies(folder: Path) -> None:
    write(folder / "copies" / "b.ipynb")
    write(folder / "copies" / "a" / "z.ipynb")
    write(folder / "copies" / ".ipynb_checkpoints" / "b.ipynb")
    names = [path.relative_to(folder).as_posix() for path in notebooks_in(folder / "copies")]
    assert names == ["copies/a/z.ipynb", "copies/b.ipynb"]


@each("text", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_no_spreadsheet_runs_what_a_learner_wrote(text: str) -> None:
    assert csv_of(["a"], [{"a": text}]).splitlines()[1].strip('"') == f"'{text}"
    assert csv_of(["a"], [{"a": -1}]) == "a\n-1\n"


def test_a_table_that_has_no_folder_is_refused_before_anything_runs(folder: Path) -> None:
    table = folder / "nowhere" / "grades.csv"
    with pytest.raises(RuntimeError, match=r"there is no folder for .*grades\.csv") as error:
        grade_command.main([str(folder / "copies"), "--csv", str(table)])
    assert "make the folder, or name another file" in str(error.value)
