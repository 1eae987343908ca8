"""Grading in kernels: every broken notebook gets its rows, and none stops the others."""

import asyncio
import json
import multiprocessing
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ipykernel", reason="ipykernel is not installed")

from minipaddle import __main__ as command_line
from minipaddle.engine.visible import visible
from minipaddle.exercises import Exercise, load
from minipaddle.exercises.grading import memory, notebook
from minipaddle.exercises.grading.notebook import ENDING, STARTING, Limits, Run

from ..notebooks import write_notebook
from ..patience import PATIENCE
from . import mishaps
from .notebooks import DOUBLE, GUESS, LOAD, ONE, ROOT, TEACHER, folder, graded, outcomes

__all__ = ["folder"]
pytestmark = pytest.mark.slow
STUBBORN = """
import signal, os, pathlib
signal.signal(signal.SIGINT, signal.SIG_IGN)
pathlib.Path({new!r}).write_text(str(os.getpid()))
os.rename({new!r}, {noted!r})  # nobody reads half of it
while True:
    pass
"""


def stubborn(noted: Path) -> str:
    """Return a cell that notes its process and cannot be interrupted."""
    return STUBBORN.format(new=f"{noted}.new", noted=str(noted))


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


def run_of(path: Path, seconds: float = PATIENCE) -> Run:
    (path.parent / "work").mkdir()
    return Run(path, str(path.parent), "", Limits(seconds, 1024), 7)


def test_a_cell_over_its_limits_affects_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy = [
        *("# endless\nwhile True:\n    pass", "# endless\nwhile True:\n    print('x' * 1000)"),
        *("# endless\nimport time\ntime.sleep(10**6)", "kept = bytearray(10**10)"),
    ]
    endless = "def double(x):\n    while True:\n        pass"
    path = write_notebook(folder / "a.ipynb", LOAD, ONE, *greedy, endless, GUESS)

    async def within(run: Run, kind: str, content: dict[str, Any], _: float) -> tuple[Any, str]:
        """Give an endless cell one second; give other cells enough for a slow machine."""
        cut = any(text in str(content) for text in ("# endless", "'name': 'double'"))
        return await reply(run, kind, content, 1.0 if cut else PATIENCE)

    reply = Run.reply
    monkeypatch.setattr(Run, "reply", within)
    monkeypatch.setattr(notebook, "INTERRUPTED", PATIENCE)
    run = run_of(path)
    shutil.copy(folder / "gates.py", folder / "work")
    result = asyncio.run(run.everything())
    assert result["problem"] == ""
    for number, error in enumerate(result["errors"][:3], 3):
        assert re.fullmatch(rf"code cell {number}: took too long, stopped after \S+ seconds", error)
    if memory.LIMITS:
        assert result["errors"][3].startswith("code cell 6: MemoryError")
    rows = result["rows"]
    assert [row["outcome"] for row in rows.values()] == ["right", "error", "right"]
    assert rows["double"]["reason"].startswith("The check took too long, and was stopped after ")


def test_a_cell_gets_half_of_the_time_left_after_loading(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, given = [0.0], []

    @asynccontextmanager
    async def kernel(_: Run) -> AsyncIterator[None]:
        now[0] += 1000.0  # loading does not count for the cells
        yield

    async def run(self: Run, *_: Any) -> None:
        given.append(self.time_left())
        now[0] += 12.0

    async def ask(self: Run, what: str, **_: Any) -> dict[str, Any]:
        given.append(self.time_left())
        now[0] += 4.0
        return {"answer": dict.fromkeys("abc", 1.0) if what == "names" else dict.fromkeys("m")}

    monkeypatch.setattr(notebook, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for name, put in (("kernel", kernel), ("run", run), ("ask", ask)):
        monkeypatch.setattr(Run, name, put)
    monkeypatch.setattr(Run, "row", lambda self, name: self.ask(name))
    path = write_notebook(folder / "a.ipynb", "1", "2", "3")
    result = asyncio.run(run_of(path, seconds=20.0).everything())
    assert given[:3] == [10.0, 4.0, notebook.LEAST]
    assert result["errors"] == ["code cell 3 and what follows: no time was left"]


def test_a_cell_that_never_ends_is_stopped(folder: Path) -> None:
    write_notebook(folder / "copies" / "loop.ipynb", "while True:\n    pass")
    rows = graded(folder, exercises=folder / "gates.py", limits=Limits(seconds=1.0))
    assert rows["loop.ipynb"]["one"].notes.startswith("code cell 1: took too long, stopped after ")


def is_gone(pid: int) -> bool:
    """Say whether a process has ended, or ends when it is scheduled next."""
    import psutil  # grading needs psutil, too

    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


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
            assert visible(row.reason + row.notes) == row.reason + row.notes, told
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
    grade("copies", exercises="gates.py", limits=Limits(seconds=float(sys.argv[1])))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_a_grading_that_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    (folder / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    noted = folder / "pid"
    write_notebook(folder / "copies" / "loop.ipynb", stubborn(noted))
    grading = subprocess.Popen([sys.executable, "-c", KILLED, str(10 * PATIENCE)])
    try:
        while not noted.exists() and grading.poll() is None:
            time.sleep(0.05)
    finally:
        grading.send_signal(number)
        grading.wait()
    waiting = time.monotonic() + PATIENCE
    while not is_gone(int(noted.read_text())) or (
        number == signal.SIGTERM and list((folder / "tmp").iterdir())
    ):
        assert time.monotonic() < waiting
        time.sleep(0.05)


# ----- kernels that do not start -----------------------------------------------------------------

DIES = "import os, sys\nif 'ipykernel_launcher' in sys.orig_argv:\n    os._exit(1)\n"


def test_a_kernel_that_never_starts_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "python").mkdir()
    (folder / "python" / "sitecustomize.py").write_text(DIES, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(folder / "python"), str(ROOT))))
    write_notebook(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    rows = graded(folder, exercises=folder / "gates.py")["ada.ipynb"]
    assert {(row.outcome, row.reason) for row in rows.values()} == {
        ("error", "The kernel ended in the start: exit(), a crash, or no memory.")
    }


def test_no_notebook_runs_in_a_kernel_that_could_not_be_prepared(folder: Path) -> None:
    lost = "import os\nassert 'MINIPADDLE_EXERCISES' not in os.environ, 'not here'\n"
    (folder / "teacher.py").write_text(lost + TEACHER, encoding="utf-8")
    write_notebook(folder / "copies" / "ada.ipynb", f"open({str(folder / 'ran')!r}, 'w').close()")
    rows = graded(folder, exercises=folder / "teacher.py")["ada.ipynb"]
    assert {row.reason for row in rows.values()} == {
        "The kernel could not be prepared: AssertionError: not here"
    }
    assert not (folder / "ran").exists()


def test_a_notebook_that_cannot_be_started_affects_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("jupyter_client.launcher.Popen", full)
    write_notebook(folder / "copies" / "a.ipynb", LOAD)
    row = graded(folder, exercises="gates.py")["a.ipynb"]["one"]
    assert row.reason == "It could not be run: [Errno 28] No space left on device"


# ----- what is around a kernel -------------------------------------------------------------------


def test_a_kernel_leaves_no_temporary_files_and_takes_no_port(folder: Path) -> None:
    said = (
        "import json, os, tempfile\nfrom ipykernel.connect import get_connection_file\n"
        "file = get_connection_file()\n"
        "told = {'places': [file, tempfile.mkdtemp()], 'way': json.load(open(file))}\n"
        f"json.dump(told, open({str(folder / 'told')!r}, 'w'))\nos._exit(1)"
    )
    write_notebook(folder / "copies" / "a.ipynb", said)
    graded(folder, exercises=folder / "gates.py")
    told = json.loads((folder / "told").read_text())
    for place in map(Path, told["places"]):
        assert any(parent.name.startswith("minipaddle-grade-") for parent in place.parents)
        assert not place.exists()
    if hasattr(socket, "AF_UNIX"):
        assert told["way"]["transport"] == "ipc"
        assert "minipaddle-grade-" in told["way"]["ip"]


def test_ports_are_used_if_the_path_of_a_socket_is_too_long(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    assert notebook.socket_settings(str(deep)) == {}
    if hasattr(socket, "AF_UNIX"):
        with tempfile.TemporaryDirectory() as short:
            assert notebook.socket_settings(short)["transport"] == "ipc"


def test_an_executor_of_the_callers_runs_the_notebooks(folder: Path) -> None:
    write_notebook(folder / "copies" / "ada.ipynb", LOAD, ONE, DOUBLE, GUESS)
    elsewhere = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=elsewhere) as executor:
        rows = graded(folder, exercises="gates.py", executor=executor)
        assert executor.submit(os.getpid).result() != os.getpid()  # the executor still works
    assert outcomes(rows["ada.ipynb"]) == ["right"] * 3


@pytest.mark.ranks
def test_ranks_of_mpi_grade_and_no_notebook_is_a_rank(
    folder: Path, with_ranks: Callable[..., str]
) -> None:
    size = "from mpi4py import MPI\none = MPI.COMM_WORLD.Get_size()"
    write_notebook(folder / "copies" / "ada.ipynb", LOAD, size, DOUBLE, GUESS)
    write_notebook(folder / "copies" / "bob.ipynb", LOAD, "one = 0", DOUBLE)
    command = ("-m", "minipaddle", "grade", "copies", "--mpi", "--csv", "t.csv")
    assert with_ranks(3, *command).splitlines() == [
        "ada.ipynb    3.5 of 3.5",
        "bob.ipynb      1 of 3.5  one wrong, guess not yet",
    ]
    assert (folder / "t.csv").exists()
