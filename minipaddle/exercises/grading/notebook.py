"""One notebook from its file to its result: its own folder, a worker that judges it, its end."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from select import select
from typing import Any

from ...engine.errors import MinipaddleError
from ...engine.visible import one_line
from ...folders import CHECKOUT
from ..exercise import check_points
from . import sandbox, wire
from .judge import STARTING, empty_result
from .sandbox import Limits

LOOK = 0.2  # seconds between two checks whether grading is stopped
ROUNDS = 20  # searches for processes, since others may start meanwhile
TRIES = 2  # of a notebook whose judge or kernel died
OF_MPI = ("OMPI_", "PMI_", "PMIX_", "PRTE_")  # prefixes of variables of Open MPI and MPICH
OUTCOMES = ("right", "wrong", "error", "not yet", "not judged")
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "NPY_DISABLE_CPU_FEATURES")

STOPPED = threading.Event()  # event that ends all runs


class Unprepared(Exception):
    """The worker could not load the exercises."""


class Stopped(Exception):
    """Grading was stopped before a notebook had ended."""


@dataclass(frozen=True)
class Task:
    """Settings that all notebooks of a grading share.

    `folder` has the copies; `exercises` is the teacher's file, or "". `walls` is a kind of
    isolation; "" stands for the strongest that works where the notebook runs.
    """

    folder: str
    exercises: str
    limits: Limits
    seed: int
    walls: str


class Slot:
    """Place where one notebook is judged at a time, by a worker that is started when needed."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.walls = task.walls or sandbox.strongest()[0]
        self.folder = tempfile.mkdtemp(prefix="minipaddle-grade-")  # the worker removes it, too
        self.count = 0
        self.worker: subprocess.Popen[bytes] | None = None
        self.line: socket.socket | None = None

    def start(self) -> socket.socket:
        """Start the worker, unless it runs; Unprepared says why it cannot judge."""
        if self.line is not None and self.worker is not None and self.worker.poll() is None:
            return self.line
        self.end_worker()
        self.line, theirs = socket.socketpair()
        with theirs:
            number = str(theirs.fileno())
            self.worker = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.worker", number, self.folder],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the grading alone, which ends the workers
                env={**without_mpi(os.environ), "OPENBLAS_NUM_THREADS": "1", **importing()},
            )
        task = self.task
        about = {
            "walls": self.walls,
            "hidden": [*filter(None, (task.folder, task.exercises))],  # from all notebooks
            "limits": asdict(task.limits),
            "seed": task.seed,
            "folder": self.folder,
            "exercises": task.exercises,
        }
        said = self.exchange(about, STARTING)
        if "problem" in said:
            self.end_worker()
            raise Unprepared(said["problem"])
        return self.line

    def exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send the worker a message; return its reply."""
        assert self.line is not None
        wire.send(self.line, json.dumps(message).encode("ascii"))
        end = time.monotonic() + seconds
        while not select([self.line], [], [], LOOK)[0]:
            if STOPPED.is_set():
                self.end_worker()
                raise Stopped
            if time.monotonic() > end:
                raise EOFError
        return dict(json.loads(wire.receive(self.line)))

    def judge(self, notebook: Path) -> tuple[dict[str, Any], float]:
        """Return the result of a notebook, and the seconds of its run.

        Every failure is part of this notebook's result alone.
        """
        start = time.monotonic()
        try:
            kind = kind_of(notebook)
            said = f"This is no notebook: {kind}."
            result = empty_result(said, judged=True) if kind else self.judge_file(notebook)
        except Stopped:
            raise
        except Exception as error:  # noqa: BLE001 - a full disk, too many processes
            result = empty_result(f"It could not be run: {one_line(error, 200)}")
        return result, round(time.monotonic() - start, 1)

    def judge_file(self, notebook: Path) -> dict[str, Any]:
        """Return the result of a file; try once more if its kernel, judge or worker dies."""
        limits, self.count = self.task.limits, self.count + 1
        staged = Path(self.folder, str(self.count))
        about = {"name": notebook.name, "staged": str(staged), "work": str(staged / "work")}
        most = 2 * STARTING + 2 * limits.seconds + 60
        result = empty_result(f"Its judge died {TRIES} times.", judged=True)
        for _ in range(TRIES):
            try:
                self.start()
                staged.mkdir(parents=True)
                copy_beside(notebook, staged / "work")
                reply = self.exchange(about, most)
            except Unprepared as error:
                return empty_result(str(error))
            except (EOFError, ConnectionError):
                self.end_worker()
                continue
            finally:
                shutil.rmtree(staged, ignore_errors=True)
            if reply:
                result = {**result_of(reply), "isolation": self.walls}
                if not result["ended"]:
                    break
        return result

    def end_worker(self) -> None:
        """End the worker, and with it all that it started."""
        if self.line is not None:
            self.line.close()
        if self.worker is not None:
            with suppress(subprocess.TimeoutExpired):
                self.worker.wait(1.0)
            self.worker.kill()
            self.worker.wait()
        self.worker = self.line = None

    def close(self) -> None:
        """End the worker, and remove the folder."""
        self.end_worker()
        shutil.rmtree(self.folder, ignore_errors=True)


class Slots(threading.local):
    """Slot of this thread."""

    slot: Slot | None = None


OF_THREAD = Slots()
OPEN: list[Slot] = []  # slots of all threads


def judge(task: Task, notebook: Path) -> tuple[dict[str, Any], float]:
    """Return the result of a notebook and its seconds, in the slot of this thread."""
    slot = OF_THREAD.slot
    if slot is None or slot.task != task or slot not in OPEN:
        if slot in OPEN:
            close(slot)
        slot = OF_THREAD.slot = Slot(task)
        OPEN.append(slot)
    return slot.judge(notebook)


@atexit.register
def close(*slots: Slot) -> None:
    """Close slots: these, or all."""
    for slot in slots or [*OPEN]:
        with suppress(ValueError):  # another thread closes it, too
            OPEN.remove(slot)
        slot.close()


def result_of(reply: dict[str, Any]) -> dict[str, Any]:
    """Return a judge's reply; if it is malformed, that of a copy that is to blame for it.

    A judge may have run exercises that came with the copy, and then it may say anything.
    """
    try:
        for name, points in reply["max"].items():
            check_points(name, points)
        fits = [
            *map(str.isidentifier, reply["max"]),
            *(is_row(row, reply["max"][name]) for name, row in reply["rows"].items()),
            *(isinstance(text, str) for text in [reply["problem"], *reply["errors"]]),
            *(isinstance(reply[name], bool) for name in ("judged", "ended")),
            isinstance(reply["errors"], list),
        ]
    except (AttributeError, KeyError, TypeError, MinipaddleError):
        fits = [False]
    return reply if all(fits) else empty_result("Its judge sent what no judge sends.", judged=True)


def is_row(row: dict[str, Any], most: float) -> bool:
    """Return whether this is the result of one answer, with points up to `most`."""
    texts = [row["reason"], row.get("slip", ""), row.get("code", ""), *row.get("hint", {}).values()]
    points, outcome = row["points"], row["outcome"]
    given = type(points) in (int, float) and 0 <= points <= most
    fits = points is None if outcome == "not judged" else given
    return fits and outcome in OUTCOMES and all(isinstance(text, str) for text in texts)


def cells_of(notebook: Path) -> list[str]:
    """Return the code cells of a notebook that are not empty."""
    import nbformat

    cells = nbformat.read(notebook, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "code" and cell.source.strip()]


# ----- what is around a notebook ------------------------------------------------------------------


def importing() -> dict[str, str]:
    """Return the variable that lets Python find this minipaddle."""
    paths = filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH")))
    return {"PYTHONPATH": os.pathsep.join(paths)}


def without_mpi(environment: Any) -> dict[str, str]:
    """Return an environment without MPI's variables, with which a process would be a rank."""
    return {name: value for name, value in environment.items() if not name.startswith(OF_MPI)}


def environment_of_run(folder: str) -> dict[str, str]:
    """Return the environment of a notebook: no settings and secrets of the grader, one thread.

    Temporary files are in `folder`.
    """
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    own = {
        "HOME": folder,
        "IPYTHONDIR": str(Path(folder, "ipython")),
        "TMPDIR": folder,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "PYTHONPATH": str(CHECKOUT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MINIPADDLE_PROGRESS": "",
    }
    return {**kept, **own}


def kind_of(path: Path) -> str:
    """Describe what is at a path that is no file, or "" if it is one."""
    if path.is_symlink():
        return "a link, which may lead to somebody else's"
    if path.is_dir():
        return "a folder"
    return "" if path.is_file() else "not a regular file"


def copy_beside(notebook: Path, own: Path) -> None:
    """Copy the files beside a notebook, without other notebooks and folders that have some.

    Links are skipped, since they may lead to what no learner should see; unreadable files, too.
    """
    own.mkdir()
    with os.scandir(notebook.parent) as entries:
        for entry in entries:
            source, target = Path(entry.path), own / entry.name
            if source.suffix == ".ipynb" and source.name != notebook.name:
                continue
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    if next(source.rglob("*.ipynb"), None) is None:
                        copy_beside(source / notebook.name, target)
                elif entry.is_file(follow_symlinks=False):
                    shutil.copy(source, target)


# ----- the end -----------------------------------------------------------------------------------


def end_all(folder: str, kernel: int | None = None) -> None:
    """Kill a kernel and all processes that it started, also orphans.

    Such processes have the kernel's folder for temporary files, or are in the kernel's session.
    """
    import psutil  # installed with ipykernel, which the extra `lab` has

    own = {kernel} if kernel else set()  # 0 is the session of processes from outside of a container

    def belongs(process: Any) -> bool:
        try:
            if process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
                return False
            return process.environ().get("TMPDIR") == folder or os.getsid(process.pid) in own
        except Exception:  # noqa: BLE001 - psutil's own, and what systems raise for others' processes
            return False

    for _ in range(ROUNDS):
        alive = [each for each in psutil.process_iter() if belongs(each)]
        if not alive:
            break
        for each in alive:
            with suppress(psutil.Error):
                each.kill()
        psutil.wait_procs(alive, 1.0)
