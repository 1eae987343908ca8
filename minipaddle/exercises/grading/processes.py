"""The processes that run notebooks: each in a folder of its own, within its time, none left."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...engine.visible import one_line
from ..course import CHECKOUT

# Seconds on a busy machine, all beyond the notebook's own.
STARTING = 180  # for a kernel, what it loads, and a second one where the first ended
ENDING = 5  # for the checks of a notebook that has used all of its time
KILLING = 5  # then, for one that does not even say so
OF_MPI = ("OMPI_", "PMI_", "PMIX_", "PRTE_")  # variables of Open MPI and MPICH for their ranks
ROUNDS = 20  # of looking for processes and files that others have made meanwhile


@dataclass(frozen=True)
class Limits:
    """What a notebook may use: seconds, megabytes beyond those of an empty kernel."""

    seconds: float = 60.0
    memory: int = 2048


class Processes:
    """The processes that run notebooks: none of them outlives the grading."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.running: dict[subprocess.Popen[bytes], str] = {}
        self.ended = False

    def end(self) -> None:
        """Kill what still runs, and let nothing else start."""
        self.ended = True
        for process, folder in list(self.running.items()):
            end_all(folder, process)

    def run(self, notebook: Path, settings: dict[str, Any]) -> tuple[dict[str, Any], float]:
        """Return what came of a notebook, and how many seconds it took.

        Whatever goes wrong is the outcome of this notebook, and of no other.
        """
        start = time.monotonic()
        try:
            if not notebook.is_file():
                result = nothing(f"This is no notebook: {kind_of(notebook)}.")
            else:
                result = self.result(notebook, settings)
        except Exception as error:  # noqa: BLE001 - a full disk, too many processes
            result = nothing(f"It could not be run: {one_line(error, 200)}")
        return result, round(time.monotonic() - start, 1)

    def result(self, notebook: Path, settings: dict[str, Any]) -> dict[str, Any]:
        """Run a notebook in a folder of its own, which is gone afterwards."""
        with tempfile.TemporaryDirectory(
            prefix="minipaddle-grade-", ignore_cleanup_errors=True
        ) as folder:
            own = Path(folder, "work")
            copy_beside(notebook, own)
            job = {"notebook": str(notebook), "folder": str(own), **settings, **asdict(self.limits)}
            log = Path(folder, "log")
            with log.open("wb") as file, self.started(job, folder, file) as process:
                result, ended = self.heard(process)
            if not ended:
                lines = log.read_text("utf-8", "replace").strip().splitlines()
                why = lines[-1] if lines else f"exit status {process.returncode}"
                result["problem"] = f"The process that ran it ended early: {one_line(why, 200)}"
            return result

    def heard(self, process: subprocess.Popen[bytes]) -> tuple[dict[str, Any], bool]:
        """Return the last that a worker says within its time, and whether it came to an end."""
        lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=read_lines, args=(process.stdout, lines), daemon=True).start()
        start, most, result = time.monotonic(), float(STARTING), nothing("")
        while True:
            try:
                line = lines.get(timeout=max(0.0, start + most - time.monotonic()))
            except queue.Empty:
                took = time.monotonic() - start
                return result | {"problem": f"Stopped after {took:.1f} seconds."}, True
            if not line.endswith(b"\n"):  # the pipe's end, and what was begun before
                with suppress(subprocess.TimeoutExpired):
                    process.wait(KILLING)  # for its status, before anybody else asks
                return result, False
            result = json.loads(line)
            if result.pop("done", False):
                return result, True
            if result.pop("begun", False):
                start, most = time.monotonic(), self.limits.seconds + ENDING + KILLING

    @contextmanager
    def started(
        self, job: dict[str, Any], folder: str, log: Any
    ) -> Iterator[subprocess.Popen[bytes]]:
        """A worker, which is gone at the end with all that it started."""
        process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.worker", json.dumps(job)],
            env={**without_mpi(os.environ), **quiet(folder)},
            stdin=subprocess.PIPE,  # which ends with this process, however that ends
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        self.running[process] = folder
        try:
            if self.ended:
                end_all(folder, process)
            yield process
        finally:
            end_all(folder, process)
            del self.running[process]
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


def read_lines(pipe: Any, lines: queue.SimpleQueue[bytes]) -> None:
    """Hand on the lines of a pipe, and an empty one at its end."""
    with suppress(OSError, ValueError):  # closed by the thread that waits for them
        for line in pipe:
            lines.put(line)
    lines.put(b"")


def run_there(
    limits: Limits, notebook: Path, settings: dict[str, Any]
) -> tuple[dict[str, Any], float]:
    """What came of a notebook, in whatever process this is called."""
    return Processes(limits).run(notebook, settings)


def without_mpi(surroundings: Mapping[str, str]) -> dict[str, str]:
    """Surroundings in which nothing takes itself for a rank of the run that grades.

    A notebook that uses MPI would wait for ever to be accepted as one.
    """
    return {name: value for name, value in surroundings.items() if not name.startswith(OF_MPI)}


def nothing(problem: str) -> dict[str, Any]:
    """The result of a notebook that gave none."""
    return {"max": {}, "rows": {}, "errors": [], "problem": problem}


def quiet(folder: str) -> dict[str, str]:
    """Surroundings that a notebook has to itself: no settings, no history, one thread.

    What it leaves among temporary files, and the file that tells how to reach its kernel, go with
    them however it ends.
    """
    return {
        "IPYTHONDIR": str(Path(folder, "ipython")),
        "JUPYTER_RUNTIME_DIR": str(Path(folder, "runtime")),
        "TMPDIR": folder,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH")))),
    }


# ----- the folder of a notebook ------------------------------------------------------------------


def kind_of(path: Path) -> str:
    """Say what a path is that is no file."""
    if path.is_dir():
        return "a folder"
    return "a link that leads to no file" if path.is_symlink() else "not a regular file"


def copy_beside(notebook: Path, own: Path) -> None:
    """Copy what lies beside a notebook, without the other notebooks and the folders of others.

    A link to a folder stays a link; what cannot be read is left out.
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
                elif entry.is_dir():
                    target.symlink_to(source.resolve(), target_is_directory=True)
                elif entry.is_file():
                    shutil.copy(source, target)


# ----- the end -----------------------------------------------------------------------------------


def end_all(folder: str, worker: subprocess.Popen[bytes] | None = None) -> None:
    """Kill a worker and all that it started, also what has lost its parent since.

    Whoever was started for a notebook has its folder for temporary files, and so is known.
    Without a worker this process is it, and goes on.
    """
    import psutil  # which comes with Jupyter's kernels

    me = os.getpid()
    for _ in range(ROUNDS):
        found = {each for each in psutil.process_iter() if belongs(each, folder)}
        with suppress(psutil.Error):
            if worker is None or worker.poll() is None:  # else its number may be another's by now
                root = psutil.Process(worker.pid if worker else me)
                found |= {root, *root.children(recursive=True)}
        alive = [each for each in found if each.pid != me and is_alive(each)]
        if not alive:
            break
        for each in alive:
            with suppress(psutil.Error):
                each.kill()
        psutil.wait_procs(alive, 1.0)
    if worker is not None:
        worker.wait()


def belongs(process: Any, folder: str) -> bool:
    """Whether a process was started for the notebook of this folder."""
    try:
        return bool(process.environ().get("TMPDIR") == folder)
    except Exception:  # noqa: BLE001 - psutil's own, and what systems raise for processes of others
        return False


def is_alive(process: Any) -> bool:
    """Whether a process still has something to do."""
    import psutil

    try:
        return process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False
