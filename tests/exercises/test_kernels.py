"""Grading in kernels: every broken notebook gets its rows, and none stops the others."""

import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("IPython", reason="IPython is not installed")

from minipaddle import __main__ as command_line
from minipaddle.distributed import launch_job
from minipaddle.engine.visible import make_visible
from minipaddle.exercises import Exercise, load
from minipaddle.exercises.grading import judge as judging
from minipaddle.exercises.grading import notebook
from minipaddle.exercises.grading.judge import ENDING, STARTING, Judge
from minipaddle.exercises.grading.sandbox import KINDS, Limits

from ..notebooks import write_notebook
from ..patience import PATIENCE
from . import mishaps
from .kernels import judge_of, need
from .notebooks import DOUBLE, GUESS, LOAD, ONE, ROOT, TEACHER, folder, graded, outcomes

__all__ = ["folder"]
pytestmark = pytest.mark.slow
STUBBORN = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    pass
"""


def test_a_class_of_notebooks_is_graded(
    folder: Path, noted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copies = folder / "copies"
    write_notebook(copies / "solved.ipynb", LOAD, ONE, DOUBLE, GUESS)
    write_notebook(
        copies / "in" / "a folder" / "wrong.ipynb", "one = 1.0", "def double(x):\n    return 3 * x"
    )
    write_notebook(copies / "raises.ipynb", LOAD, "lost + 1", ONE, "def double(x:\n    return")
    write_notebook(copies / "exits.ipynb", LOAD, ONE, "import os\nos._exit(1)")
    (copies / "broken.ipynb").write_text("{")
    (copies / "version3.ipynb").write_text('{"nbformat": 99, "cells": []}')
    (copies / "circle.ipynb").symlink_to("circle.ipynb")
    write_notebook(copies / os.fsdecode(b"caf\xe9.ipynb"), LOAD, ONE, DOUBLE, GUESS)
    (copies / ".ipynb_checkpoints").mkdir()
    (copies / ".ipynb_checkpoints" / "solved.ipynb").write_text("{")
    command = ["grade", "copies", "-j", "2", "--seconds", str(PATIENCE), "--seed", "5"]
    assert command_line.main([*command, "--exercises", "teacher.py", "--json", "t.json"]) == 0
    assert not noted.exists()  # the teacher's progress is unchanged
    assert "solved.ipynb               3.5 of 3.5\n" in capsys.readouterr().out
    rows: dict[str, dict[str, Any]] = {}
    for row in json.loads((folder / "t.json").read_text(encoding="utf-8"))["rows"]:
        rows.setdefault(row["file"], {})[row["exercise"]] = row
    ended = {file: [row["outcome"] for row in own.values()] for file, own in rows.items()}
    assert len(rows) == 8
    assert all(list(own) == ["one", "double", "guess"] for own in rows.values())
    assert ended["solved.ipynb"] == ended[r"caf\udce9.ipynb"] == ["right"] * 3
    assert [row["points"] for row in rows["solved.ipynb"].values()] == [2, 1, 0.5]
    assert [row["max"] for row in rows["broken.ipynb"].values()] == [2, 1, 0.5]
    wrong = rows["in/a folder/wrong.ipynb"]
    assert ended["in/a folder/wrong.ipynb"] == ["wrong", "wrong", "not yet"]
    assert wrong["one"]["reason"].startswith("[hidden] ")
    assert wrong["one"]["notes"] == ""
    assert re.search(r" y\[\d, \d\]: expected \S+, got \S+\.$", wrong["double"]["reason"])
    assert ended["raises.ipynb"] == ["right", "error", "not yet"]
    notes = rows["raises.ipynb"]["one"]["notes"]
    assert notes.startswith("code cell 2: NameError: name 'lost' is not defined; code cell 4: Syn")
    assert rows["exits.ipynb"]["one"]["reason"].startswith("The kernel ended in code cell 3")
    assert rows["broken.ipynb"]["one"]["reason"].startswith("This is no notebook: ")
    for name in ("exits.ipynb", "broken.ipynb", "version3.ipynb", "circle.ipynb"):
        assert ended[name] == ["error"] * 3


def test_a_solved_lesson_gets_every_point(folder: Path) -> None:
    shutil.copy(ROOT / "lessons/solutions/01_one_tanh.ipynb", folder / "copies")
    rows = graded(folder, limits=Limits(seconds=PATIENCE))["01_one_tanh.ipynb"]
    assert list(rows) == [p.name for p in load("01_one_tanh") if isinstance(p, Exercise)]
    assert all(row.points == row.max > 0 for row in rows.values())


# ----- limits ------------------------------------------------------------------------------------


def test_a_cell_over_its_limits_affects_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy = [
        *("# endless\nwhile True:\n    pass", "# endless\nwhile True:\n    print('x' * 1000)"),
        *("# endless\nimport time\ntime.sleep(10**6)", "kept = bytearray(10**10)"),
    ]
    endless = "def double(x):\n    while True:\n        pass"

    def ask(judge: Judge, *request: Any) -> tuple[Any, str]:
        """Give an endless cell one second; give other cells enough for a slow machine."""
        judge.send(*request)
        cut = request[0] == "drive" or "# endless" in str(request[1])
        return judge.reply(1.0 if cut else PATIENCE)

    monkeypatch.setattr(Judge, "ask", ask)
    monkeypatch.setattr(judging, "INTERRUPTED", PATIENCE)
    with judge_of(folder / "copies", limited=True) as judge:
        result = judge.judge_notebook([LOAD, ONE, *greedy, endless, GUESS])
    assert result["problem"] == ""
    for number, error in enumerate(result["errors"][:3], 3):
        assert re.fullmatch(rf"code cell {number}: took too long, stopped after \S+ seconds", error)
    if sys.platform == "linux":
        assert result["errors"][3].startswith("code cell 6: MemoryError")
    rows = result["rows"]
    assert [row["outcome"] for row in rows.values()] == ["right", "error", "right"]
    assert rows["double"]["reason"].startswith("The check took too long, and was stopped after ")


def test_a_cell_gets_half_of_the_time_left_after_loading(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, given = [0.0], []

    def reply(_: Judge, _seconds: float) -> tuple[Any, str]:
        now[0] += 1000.0  # loading does not count for the cells
        return "ready", ""

    def run_cell(self: Judge, *_: Any) -> None:
        given.append(self.time_left())
        now[0] += 12.0

    monkeypatch.setattr(judging, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(Judge, "reply", reply)
    monkeypatch.setattr(Judge, "run_cell", run_cell)
    nowhere: Any = None
    judge = Judge(nowhere, nowhere, Limits(20.0), 7, folder)
    result = judge.judge_notebook(["1", "2", "3"])
    assert given == [10.0, 4.0]
    assert result["errors"] == ["code cell 3 and what follows: no time was left"]


def test_a_cell_that_never_ends_is_stopped(folder: Path) -> None:
    write_notebook(folder / "copies" / "loop.ipynb", "while True:\n    pass")
    rows = graded(folder, exercises=folder / "gates.py", limits=Limits(seconds=1.0))
    assert rows["loop.ipynb"]["one"].notes.startswith("code cell 1: took too long, stopped after ")


def test_a_mishap_of_a_notebook_affects_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psutil

    books = mishaps.notebooks(LOAD, 6, np.random.default_rng(2026))
    for number, book in enumerate(books):
        write_notebook(folder / "copies" / f"{number:02}.ipynb", *book.cells)
    (folder / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    there = set((folder / "copies").rglob("*"))
    limits = Limits(seconds=15.0)
    rows = graded(folder, exercises=folder / "teacher.py", limits=limits)
    most = STARTING + limits.seconds + ENDING + 30
    for book, own in zip(books, rows.values(), strict=True):
        for name, wanted in book.outcomes.items():
            row, told = own[name], (book, own[name])
            assert row.outcome in {"absent": ("not yet", "error")}.get(wanted, (wanted,)), told
            assert row.reason.startswith(book.reason), told
            assert make_visible(row.reason + row.notes) == row.reason + row.notes, told
            assert row.seconds < most, told
    assert set((folder / "copies").rglob("*")) == there
    assert not list((folder / "tmp").iterdir())
    for process in psutil.process_iter(["cmdline", "environ"]):
        assert str(folder / "tmp") not in (process.info["environ"] or {}).get("TMPDIR", "")
        assert "54321" not in (process.info["cmdline"] or ())  # the mark of an orphan


KILLED = """
import sys
from minipaddle._cli.grade import stop_on_signals
from minipaddle.exercises.grading.grade import Limits, grade
with stop_on_signals():
    limits = Limits(seconds=float(sys.argv[1]))
    grade("copies", exercises="gates.py", limits=limits, walls=sys.argv[2])
"""


def processes_of(folder: Path) -> list[Any]:
    """Return the processes of a grading with temporary files in this folder, and their children."""
    import psutil  # grading needs psutil, too

    found = []
    for process in psutil.process_iter(["cmdline", "environ", "status"]):
        words = [*(process.info["cmdline"] or ()), *(process.info["environ"] or {}).values()]
        ended = process.info["status"] == psutil.STATUS_ZOMBIE
        if any(str(folder) in word for word in words) and not ended and process.pid != os.getpid():
            with suppress(psutil.Error):
                found += [process, *process.children(recursive=True)]
    return found


def is_alive(process: Any) -> bool:
    """Return whether a process still runs."""
    import psutil

    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.parametrize("walls", KINDS)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_a_grading_that_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: Any, number: int, walls: str
) -> None:
    need(walls, request.config)
    temporary = folder / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    write_notebook(folder / "copies" / "loop.ipynb", STUBBORN)
    grading = subprocess.Popen([sys.executable, "-c", KILLED, str(10 * PATIENCE), walls])
    waiting = time.monotonic() + PATIENCE
    try:
        while len(started := processes_of(temporary)) < 5 and grading.poll() is None:
            assert time.monotonic() < waiting
            time.sleep(0.05)
    finally:
        grading.send_signal(number)
        grading.wait()
    waiting = time.monotonic() + PATIENCE
    while any(map(is_alive, started)) or processes_of(temporary) or list(temporary.iterdir()):
        assert time.monotonic() < waiting, processes_of(temporary)
        time.sleep(0.05)


# ----- workers that do not start -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "outcome", "reason"),
    [
        ("os._exit(1)", "error", "Its judge died 2 times."),
        (
            "sys.executable = '/bin/false'",
            "not judged",
            "It could not be run: the process that starts notebooks could not be started",
        ),
    ],
)
def test_a_worker_that_never_starts_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, broken: str, outcome: str, reason: str
) -> None:
    (folder / "python").mkdir()
    code = f"import os, sys\nif 'worker' in ' '.join(sys.orig_argv):\n    {broken}\n"
    (folder / "python" / "sitecustomize.py").write_text(code, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(folder / "python"), str(ROOT))))
    write_notebook(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    rows = graded(folder, exercises=folder / "gates.py")["ada.ipynb"]
    assert {(row.outcome, row.reason) for row in rows.values()} == {(outcome, reason)}


def test_no_notebook_runs_if_the_exercises_could_not_be_loaded(folder: Path) -> None:
    lost = "import sys\nassert 'worker' not in ' '.join(sys.orig_argv), 'not here'\n"
    (folder / "teacher.py").write_text(lost + TEACHER, encoding="utf-8")
    write_notebook(folder / "copies" / "ada.ipynb", LOAD)
    rows = graded(folder, exercises=folder / "teacher.py")["ada.ipynb"]
    assert {row.reason for row in rows.values()} == {
        "The kernel could not be prepared: AssertionError: not here"
    }


def test_a_notebook_that_cannot_be_started_affects_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(notebook.subprocess, "Popen", full)
    write_notebook(folder / "copies" / "a.ipynb", LOAD)
    row = graded(folder, exercises="gates.py")["a.ipynb"]["one"]
    assert (row.outcome, row.points) == ("not judged", None)  # no fault of the learner's
    assert row.reason == "It could not be run: [Errno 28] No space left on device"


# ----- what is around a kernel -------------------------------------------------------------------


@pytest.mark.parametrize("walls", KINDS)
def test_a_notebook_leaves_no_temporary_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: Any, walls: str
) -> None:
    need(walls, request.config)
    (folder / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    made = "import pathlib, tempfile\none = int(pathlib.Path(tempfile.mkdtemp()).is_dir())"
    write_notebook(folder / "copies" / "a.ipynb", made, "pathlib.Path('left').mkdir()")
    rows = graded(folder, exercises=folder / "gates.py", walls=walls)["a.ipynb"]
    assert rows["one"].outcome == "right"
    assert rows["one"].isolation == walls
    assert not list((folder / "tmp").iterdir())


def test_an_executor_of_the_callers_runs_the_notebooks(folder: Path) -> None:
    write_notebook(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    elsewhere = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=elsewhere) as executor:
        rows = graded(folder, exercises="gates.py", executor=executor)
        assert executor.submit(os.getpid).result() != os.getpid()  # the executor still works
    assert outcomes(rows["ada.ipynb"]) == ["right"] * 3


@pytest.mark.ranks
@pytest.mark.parametrize("pool", [True, False])
def test_ranks_of_mpi_grade_and_no_notebook_is_a_rank(
    folder: Path, with_ranks: Callable[..., str], pool: bool
) -> None:
    size = "from mpi4py import MPI\none = MPI.COMM_WORLD.Get_size()"
    write_notebook(folder / "copies" / "ada.ipynb", LOAD, size, DOUBLE, GUESS)
    write_notebook(folder / "copies" / "bob.ipynb", LOAD, "one = 0", DOUBLE)
    command = ("-m", "minipaddle", "grade", "copies", "--mpi", "--csv", "t.csv")
    assert with_ranks(3, *command, pool=pool).splitlines() == [
        "ada.ipynb    3.5 of 3.5",
        "bob.ipynb      1 of 3.5  one wrong, guess not yet",
    ]
    assert (folder / "t.csv").exists()


def copies_of_a_class(folder: Path, count: int) -> None:
    """Write notebooks of some kinds, each of which runs for a moment."""
    kinds = [
        (ONE, DOUBLE, GUESS),
        ("one = 0", DOUBLE),
        ("lost + 1", ONE),
        ("import os", "one = os"),
    ]
    for number in range(count):
        cells = (LOAD, "import time\ntime.sleep(0.5)", *kinds[number % len(kinds)])
        write_notebook(folder / "copies" / f"{number:03}.ipynb", *cells)


def lines_of(stream: Path) -> int:
    """Return the number of notebooks whose results are in a file."""
    return stream.read_bytes().count(b"\n") - 1 if stream.exists() else 0


def wait_for(stream: Path, count: int, job: subprocess.Popen[bytes]) -> None:
    """Wait until results of so many notebooks are there, while the job runs."""
    end = time.monotonic() + PATIENCE
    while lines_of(stream) < count:
        assert job.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)


def rows_in(table: Path) -> list[dict[str, Any]]:
    """Return the rows of a table, without their times."""
    rows = json.loads(table.read_text(encoding="utf-8"))["rows"]
    return [{**row, "seconds": 0} for row in rows]


def depth_of(process: Any) -> int:
    """Return how many forks of the zygote are between it and a process."""
    parents = [each.cmdline() for each in process.parents()]
    return sum(command == process.cmdline() for command in parents) - 1


def is_second(process: Any) -> bool:
    """Return whether a process is the rank 2 of a grading."""
    import psutil

    with suppress(psutil.Error):
        known = process.environ()
        rank = known.get("OMPI_COMM_WORLD_RANK", known.get("PMI_RANK"))
        return rank == "2" and "--mpi" in process.cmdline()
    return False


def lose_a_kernel_and_a_rank(folder: Path, count: int) -> int:
    """Grade copies on four ranks, kill a kernel, then a rank; return how many results are there."""
    import psutil

    command = [sys.executable, "-m", "minipaddle", "grade", "copies", "--exercises", "teacher.py"]
    started = [*launch_job.find(), "-n", "5", *command, "--mpi", "--stream", "s.jsonl"]
    job = subprocess.Popen(started, env=launch_job.environment(), start_new_session=True)
    stream = folder / "s.jsonl"
    wait_for(stream, count // 6, job)
    killed = False
    while not killed:  # a kernel is the last of four: bubblewrap, zygote, watcher, kernel
        assert job.poll() is None
        for each in processes_of(folder):
            with suppress(psutil.Error):
                words = "".join(each.cmdline()[-2:-1])  # nothing of a process that has ended
                if not killed and "zygote" in words and depth_of(each) == 2:
                    each.kill()
                    killed = True
    wait_for(stream, count // 3, job)
    [second] = [
        each for each in psutil.Process(job.pid).children(recursive=True) if is_second(each)
    ]
    second.kill()
    assert job.wait(PATIENCE) != 0
    return lines_of(stream)


@pytest.mark.ranks
def test_what_dies_costs_nothing_and_a_lost_rank_only_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, with_ranks: Callable[..., str]
) -> None:
    (folder / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    copies_of_a_class(folder, 12)
    command = ["grade", "copies", "--exercises", "teacher.py"]
    assert command_line.main([*command, "--json", "alone.json"]) == 0
    there = lose_a_kernel_and_a_rank(folder, 12)
    assert 4 <= there < 12
    options = ("--mpi", "--stream", "s.jsonl", "--resume", "--json", "ranks.json")
    with_ranks(5, "-m", "minipaddle", *command, *options, pool=False)
    assert rows_in(folder / "ranks.json") == rows_in(folder / "alone.json")
    assert lines_of(folder / "s.jsonl") == 12
    waiting = time.monotonic() + PATIENCE
    while processes_of(folder / "tmp"):
        assert time.monotonic() < waiting
        time.sleep(0.05)


def test_results_of_another_grading_are_not_continued(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notebook(folder / "copies" / "a.ipynb", LOAD, ONE)
    write_notebook(folder / "copies" / "b.ipynb", LOAD, "one = 0")
    command = ["grade", "copies", "--exercises", "teacher.py", "--stream", "s.jsonl"]
    assert command_line.main(command) == 0
    stream = folder / "s.jsonl"
    content = stream.read_bytes()
    stream.write_bytes(content[:-20])  # the last line is cut off
    first = capsys.readouterr().out
    assert command_line.main([*command, "--resume"]) == 0
    assert capsys.readouterr().out == first
    lines = [json.loads(line) for line in stream.read_bytes().splitlines()]
    assert sorted(line["file"] for line in lines[1:]) == ["a.ipynb", "b.ipynb"]
    assert command_line.main(command) == 1
    assert "has results already" in capsys.readouterr().err
    assert command_line.main([*command, "--resume", "--seed", "8"]) == 1
    assert "does not hold results of this grading" in capsys.readouterr().err
    for other in ("one line of an essay", "two lines\n"):
        stream.write_text(other, encoding="utf-8")
        assert command_line.main([*command, "--resume"]) == 1
        assert "does not hold results of this grading" in capsys.readouterr().err
        assert stream.read_text(encoding="utf-8") == other
    for name in ("a", "b"):  # other notebooks may have gone since
        copy = folder / "copies" / f"{name}.ipynb"
        stream.write_bytes(content)
        copy.rename(copy.with_stem(f"new {name}"))
        assert command_line.main([*command, "--resume"]) == 0
        copy.with_stem(f"new {name}").rename(copy)
    capsys.readouterr()
    stream.write_bytes(content[:20])  # the first line is cut off
    assert command_line.main([*command, "--resume"]) == 0
    assert capsys.readouterr().out == first
