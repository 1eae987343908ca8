"""Grading a folder of notebooks: processes, limits, and what becomes a row."""

from __future__ import annotations

import json
import linecache
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from ...engine.errors import InvalidArgument, MinipaddleError, NotFound
from ...engine.source_line import SourceLine, of_error
from ..course import CHECKOUT, read
from ..exercise import SEED, Exercise
from ..trials import in_words

# Seconds on a busy machine, all beyond the notebook's own.
STARTING = 120  # for a kernel, and for a second one where the first ended
PREPARING = 60  # for what it loads before the first cell
ENDING = 30
GRACE = STARTING + PREPARING + ENDING
OF_MPI = ("OMPI_", "PMI_", "PMIX_", "PRTE_")  # variables of Open MPI and MPICH for their ranks
NOTED = 3  # errors of cells in a row of the table


@dataclass(frozen=True)
class Row:
    """What one notebook got for one exercise; `seconds` and `notes` are of the whole notebook.

    `points` are None where a check failed by itself; `exercise` is "" where the notebook has none.
    """

    file: str
    exercise: str
    outcome: str
    points: float | None
    max: float
    seconds: float
    reason: str
    notes: str


@dataclass(frozen=True)
class Total:
    """What one notebook got for all its exercises."""

    file: str
    points: float
    max: float
    seconds: float
    notes: str


@dataclass(frozen=True)
class Limits:
    """What a notebook may use: seconds, megabytes beyond those of an empty kernel."""

    seconds: float = 60.0
    memory: int = 2048


class Stopped(KeyboardInterrupt):
    """Ctrl-C while notebooks run: `rows` are of all of them, not judged those that did not end."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__()
        self.rows = rows


def notebooks_in(folder: str | os.PathLike[str]) -> list[Path]:
    """The notebooks of a folder and of the folders in it, in order of their paths."""
    root = Path(folder)
    if not root.is_dir():
        raise NotFound(
            f"There is no folder {root}.",
            expected="a folder with notebooks",
            received="a file" if root.exists() else "nothing of that name",
            fix="name the folder that the copies are in",
        )
    found = [path for path in root.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    if not found:
        raise NotFound(
            f"There are no notebooks in {root}.",
            expected="files that end in .ipynb, there or in folders inside",
            received="none",
            fix="name the folder that the copies are in",
        )
    return sorted(found)


def grade(
    folder: str | os.PathLike[str],
    *,
    exercises: str | os.PathLike[str] = "",
    jobs: int = 1,
    limits: Limits = Limits(),
    seed: int = SEED,
    each: Callable[[Path], object] = lambda path: None,  # noqa: ARG005
    executor: Executor | None = None,
) -> list[Row]:
    """Run every notebook of a folder in a fresh kernel, and judge what it holds at its end.

    `exercises` is a teacher's file; without one, each notebook is judged by those that it loads.
    A notebook that is broken gets a row for each exercise too. `each` is called as they end.
    Each runs in processes of its own, `jobs` at a time. An executor of concurrent.futures, such as
    `mpi4py.futures.MPIPoolExecutor()`, starts them where its workers are, as many at a time as
    these; all of them have to see the folder. It is the caller's to shut down.
    Ctrl-C ends in `Stopped`, which has the rows.
    """
    if jobs < 1 or seed < 0:
        raise InvalidArgument(
            "Notebooks cannot be graded like that.",
            expected="at least 1 at a time, and a seed from 0 on",
            received=f"-j {jobs} --seed {seed}",
            fix="write for example -j 4 --seed 7",
        )
    if not (1 <= limits.seconds < 1e6 and 64 <= limits.memory < 1e6):
        raise InvalidArgument(
            "Notebooks cannot run within these limits.",
            expected="at least 1 second and 64 MB",
            received=f"{limits.seconds:g} seconds and {limits.memory} MB",
            fix="leave --seconds and --memory out, or write larger ones",
        )
    paths = notebooks_in(folder)
    points = points_of(Path(exercises)) if exercises else {}
    results: dict[Path, tuple[dict[str, Any], float]] = {}
    settings = {"exercises": str(Path(exercises).resolve()) if exercises else "", "seed": seed}
    processes, pool = Processes(limits), executor or ThreadPoolExecutor(jobs)
    run = partial(run_there, limits) if executor else processes.run
    waiting: dict[Future[tuple[dict[str, Any], float]], Path] = {}
    try:
        for path in paths:
            waiting[pool.submit(run, path.resolve(), settings)] = path
        for done in as_completed(waiting):
            results[waiting[done]] = done.result()
            each(waiting[done])
    except KeyboardInterrupt:
        raise Stopped(table(Path(folder), paths, results, points)) from None
    finally:
        for future in waiting:  # of a run that was interrupted, the rest is not waited for
            future.cancel()
        processes.end()
        if executor is None:
            pool.shutdown(cancel_futures=True)
    return table(Path(folder), paths, results, points)


def table(
    folder: Path,
    paths: Iterable[Path],
    results: dict[Path, tuple[dict[str, Any], float]],
    points: dict[str, float],
) -> list[Row]:
    """The rows of all notebooks, also of those that did not come so far."""
    everything = points or {
        k: v for result, _ in results.values() for k, v in result["max"].items()
    }
    rows: list[Row] = []
    for path in paths:
        file = path.relative_to(folder).as_posix()
        if path in results:
            result, seconds = results[path]
            # One that did not say what it has is measured by what the others have.
            rows += rows_of(file, result, seconds, points or result["max"] or everything)
        else:
            why = "Grading was stopped before this notebook had ended."
            for name, most in everything.items() or [("", 0)]:
                rows.append(Row(file, name, "not judged", None, most, 0.0, why, ""))
    return rows


def points_of(file: Path) -> dict[str, float]:
    """The exercises of a teacher's file, and what each is worth."""
    if not file.is_file():
        raise NotFound(
            f"There is no file of exercises {file}.",
            expected="a Python file that makes them",
            received="nothing of that name",
            fix="name the file with --exercises",
        )
    if file.suffix != ".py":
        ending = f"a file that ends in {file.suffix!r}"
        raise InvalidArgument(
            f"{file.name} is no Python file.",
            expected="the Python file that makes the exercises, such as gates_teacher.py",
            received="a notebook" if file.suffix == ".ipynb" else ending,
            fix="name the file with --exercises",
        )
    try:
        course = read(file)
    except MinipaddleError:
        raise
    except Exception as error:
        raise unreadable(file, error) from error
    return {p.name: p.points for p in course if isinstance(p, Exercise) or p.points}


def unreadable(file: Path, error: Exception) -> InvalidArgument:
    """That a teacher's file raised, and in which of its lines."""
    place = of_error(error)
    if isinstance(error, SyntaxError) and error.filename:
        place = SourceLine(error.filename, error.lineno or 1, "")
    linecache.checkcache()
    row = linecache.getline(place.file, place.line).strip() if place else ""
    return InvalidArgument(
        f"{file.name} cannot be loaded: {in_words(error).en}",
        expected="a Python file that runs and makes exercises",
        received=row or type(error).__name__,
        fix="mend this line",
        at=place,
    )


def rows_of(
    file: str, result: dict[str, Any], seconds: float, points: dict[str, float]
) -> Iterator[Row]:
    """A row for each exercise, also of a notebook that did not come so far."""
    errors = result["errors"]
    more = [f"and {len(errors) - NOTED} more"] if len(errors) > NOTED else []
    notes = "; ".join([*errors[:NOTED], *more])
    for name, most in points.items() or [("", 0)]:
        lost = " ".join([f"The notebook loads no {name or 'exercises'}.", *errors[:1]])
        missing = {"outcome": "error", "points": 0, "reason": result["problem"] or lost}
        row = result["rows"].get(name, missing)
        yield Row(file, name, row["outcome"], row["points"], most, seconds, row["reason"], notes)


def totals(rows: Iterable[Row]) -> list[Total]:
    """The sum of each notebook, in the order of the rows."""
    found: list[Total] = []
    for file, own in groupby(rows, attrgetter("file")):
        each = list(own)
        points, most = sum(row.points or 0 for row in each), sum(row.max for row in each)
        found.append(Total(file, points, most, each[0].seconds, each[0].notes))
    return found


# ----- processes ---------------------------------------------------------------------------------


class Processes:
    """The processes that run notebooks: none of them outlives the grading."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.running: set[subprocess.Popen[bytes]] = set()
        self.ended = False

    def end(self) -> None:
        """Kill what still runs, and let nothing else start."""
        self.ended = True
        for process in list(self.running):
            kill(process)

    def run(self, notebook: Path, settings: dict[str, Any]) -> tuple[dict[str, Any], float]:
        """What came of a notebook, and how many seconds it took."""
        start = time.monotonic()
        with tempfile.TemporaryDirectory(
            prefix="minipaddle-grade-", ignore_cleanup_errors=True
        ) as folder:
            result = self.result(notebook, settings, Path(folder))
        return result, round(time.monotonic() - start, 1)

    def result(self, notebook: Path, settings: dict[str, Any], folder: Path) -> dict[str, Any]:
        job, answer = folder / "job.json", folder / "result.json"
        told = {"notebook": str(notebook), "result": str(answer), **settings}
        job.write_text(json.dumps({**told, **asdict(self.limits)}), encoding="utf-8")
        with (folder / "log").open("wb") as log, self.started(job, folder, log) as process:
            try:
                process.wait(self.limits.seconds + GRACE)
            except subprocess.TimeoutExpired:
                return nothing(f"Stopped after {self.limits.seconds:g} seconds.")
        try:
            made: dict[str, Any] = json.loads(answer.read_bytes())
        except (OSError, ValueError):
            lines = (folder / "log").read_text("utf-8", "replace").strip().splitlines()
            why = lines[-1][:200] if lines else f"exit status {process.returncode}"
            return nothing(f"The process that ran it ended early: {why}")
        return made

    @contextmanager
    def started(self, job: Path, folder: Path, log: Any) -> Iterator[subprocess.Popen[bytes]]:
        """A worker, which is gone at the end with all that it started."""
        process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.worker", str(job)],
            env={**without_mpi(os.environ), **quiet(folder)},
            stdin=subprocess.PIPE,  # which ends with this process, however that ends
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
        self.running.add(process)
        try:
            if self.ended:
                kill(process)
            yield process
        finally:
            kill(process)
            self.running.discard(process)
            process.communicate()  # which closes its stdin


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


def quiet(folder: Path) -> dict[str, str]:
    """Surroundings that a notebook has to itself: no settings, no history, one thread.

    What it leaves among temporary files, and the file that tells how to reach its kernel, go with
    them however it ends.
    """
    return {
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "TMPDIR": str(folder),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH")))),
    }


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a worker and whatever it started: a kernel is in a session of its own."""
    import psutil  # which comes with Jupyter's kernels

    if process.poll() is not None:  # its number may be another process's by now
        return
    with suppress(psutil.NoSuchProcess):
        worker = psutil.Process(process.pid)
        for each in [*worker.children(recursive=True), worker]:
            with suppress(psutil.NoSuchProcess):
                each.kill()
    process.wait()


# ----- the table ---------------------------------------------------------------------------------

COLUMNS: Sequence[str] = tuple(Row.__dataclass_fields__)
