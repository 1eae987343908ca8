"""Grading of a folder of notebooks, in parallel and within limits, into rows of a table."""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...engine.errors import InvalidArgument, MinipaddleError
from ...engine.source_line import SourceLine, of_error
from ...engine.visible import make_visible, one_line
from ...errors import misfit
from .. import errors
from ..course import read
from ..exercise import SEED, Exercise
from ..trials import in_words
from . import notebook
from .notebook import STOPPED, Task
from .sandbox import Limits

USUAL = Limits()
Result = tuple[dict[str, Any], float]  # of a notebook, with its seconds
NONE_KNOWN: Mapping[str, Result] = MappingProxyType({})
LONGEST = 1000  # characters of a text in the table
NOTED = 3  # errors of cells in a row of the table


@dataclass(frozen=True)
class Row:
    """Result of one notebook in one exercise; `seconds` and `notes` are of the whole notebook.

    `points` are None if a check itself failed, or the notebook could not be run; `exercise` is ""
    for a notebook without exercises. `hint` is what the learner was told, by language; `code` is
    the learner's own. `course` is the title of the lesson or the file, by language. `box` is the op
    from which on results differ, and the names of wrong results that it gives, by language.
    """

    file: str
    exercise: str
    outcome: str
    points: float | None
    max: float
    seconds: float
    reason: str
    notes: str
    isolation: str = ""  # kind of the walls around the notebook; "" if it did not run
    slip: str = ""
    hint: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    course: Mapping[str, str] = field(default_factory=dict)
    box: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Total:
    """Sum of one notebook's exercises."""

    file: str
    points: float
    max: float
    seconds: float
    notes: str


class Stopped(KeyboardInterrupt):
    """Ctrl-C during grading: `rows` has all notebooks, the unfinished ones as "not judged"."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__()
        self.rows = rows


def notebooks_in(folder: str | os.PathLike[str]) -> list[Path]:
    """Return the notebooks of a folder and of the folders in it, in order of their paths."""
    root = Path(folder)
    if not root.is_dir():
        raise errors.no_folder(root)
    found = [path for path in root.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    if not found:
        raise errors.no_notebooks(root)
    return sorted(found)


def grade(
    folder: str | os.PathLike[str],
    *,
    exercises: str | os.PathLike[str] = "",
    jobs: int = 1,
    limits: Limits = USUAL,
    seed: int = SEED,
    walls: str = "",
    known: Mapping[str, Result] = NONE_KNOWN,
    each: Callable[[str, Result], object] = lambda file, result: None,  # noqa: ARG005
    executor: Executor | None = None,
) -> list[Row]:
    """Run every notebook of a folder in a fresh kernel, and judge its final answers.

    `exercises` is a teacher's file; without one, each notebook is judged by those that it loads. A
    broken notebook gets a row for each exercise too. `walls` is a kind of isolation, by default the
    strongest that works here. `known` are results by the names of their files, as `each` got them
    after each notebook; these notebooks do not run again.
    Each runs in its own processes, `jobs` at a time. An executor of concurrent.futures, such as
    `mpi4py.futures.MPIPoolExecutor()`, starts them on its workers instead, one on each; all workers
    must see the folder, and the caller shuts it down.
    Ctrl-C raises `Stopped`, which has the rows.
    """
    if jobs < 1 or seed < 0:
        expected, fix = "at least 1 job, and a seed from 0 on", "write for example -j 4 --seed 7"
        raise misfit("grade", expected, InvalidArgument, fix, jobs=jobs, seed=seed)
    if not (1 <= limits.seconds < 1e6 and 64 <= limits.memory < 1e6):
        given = {"seconds": limits.seconds, "memory": limits.memory}
        fix = "leave --seconds and --memory out, or write larger ones"
        raise misfit("grade", "at least 1 second and 64 MB", InvalidArgument, fix, **given)
    root = Path(folder)
    paths = {name_of(path.relative_to(root)): path for path in notebooks_in(root)}
    points = points_of(Path(exercises)) if exercises else {}
    teachers = str(Path(exercises).resolve()) if exercises else ""
    task = Task(str(root.resolve()), teachers, limits, seed, walls)
    results: dict[str, Result] = {file: known[file] for file in paths if file in known}
    waiting: dict[Future[Result], str] = {}
    pool = executor or ThreadPoolExecutor(jobs)
    try:
        for file, path in paths.items():
            if file not in results:
                waiting[pool.submit(notebook.judge, task, path.absolute())] = file
        for done in as_completed(waiting):
            file = waiting[done]
            results[file] = done.result()
            each(file, results[file])
    except KeyboardInterrupt:
        raise Stopped(table(paths, results, points)) from None
    finally:
        for future in waiting:  # an interrupt cancels futures that have not started
            future.cancel()
        if executor is None:
            STOPPED.set()
            pool.shutdown(cancel_futures=True)
            notebook.close()
            STOPPED.clear()
    return table(paths, results, points)


def table(
    files: Iterable[str], results: Mapping[str, Result], points: dict[str, float]
) -> list[Row]:
    """Return the rows of all notebooks, including those that did not run."""
    everything = points or {
        k: v for result, _ in results.values() for k, v in result["max"].items()
    }
    rows: list[Row] = []
    for file in files:
        if file in results:
            result, seconds = results[file]
            # A notebook without a list of its exercises gets that of the other notebooks.
            rows += rows_of(file, result, seconds, points or result["max"] or everything)
        else:
            why = "Grading was stopped before this notebook had ended."
            for name, most in everything.items() or [("", 0)]:
                rows.append(Row(file, name, "not judged", None, most, 0.0, why, ""))
    return rows


def points_of(file: Path) -> dict[str, float]:
    """Return the exercises of a teacher's file with their points."""
    if not file.is_file():
        raise errors.no_teachers_file(file)
    if file.suffix != ".py":
        raise errors.not_python(file)
    try:
        course = read(file)
    except MinipaddleError:
        raise
    except Exception as error:
        raise unreadable(file, error) from error
    return {p.name: p.points for p in course if isinstance(p, Exercise) or p.points}


def unreadable(file: Path, error: Exception) -> InvalidArgument:
    """Make the error of a teacher's file that raised, with its line."""
    place = of_error(error)
    if isinstance(error, SyntaxError) and error.filename:
        place = SourceLine(error.filename, error.lineno or 1, "")
    linecache.checkcache()
    row = linecache.getline(place.file, place.line).strip() if place else ""
    return errors.unreadable(file, in_words(error), row or type(error).__name__, place)


def rows_of(
    file: str, result: dict[str, Any], seconds: float, points: dict[str, float]
) -> Iterator[Row]:
    """Yield a row for each exercise, also of a notebook that was not run."""
    errors = result["errors"]
    more = [f"and {len(errors) - NOTED} more"] if len(errors) > NOTED else []
    notes = one_line("; ".join([*errors[:NOTED], *more]), LONGEST)
    for name, most in points.items() or [("", 0)]:
        lost = " ".join([f"The notebook loads no {name or 'exercises'}.", *errors[:1]])
        outcome, zero = ("error", 0) if result["judged"] else ("not judged", None)
        missing = {"outcome": outcome, "points": zero, "reason": result["problem"] or lost}
        row = result["rows"].get(name, missing)
        yield Row(
            file,
            name,
            row["outcome"],
            row["points"],
            most,
            seconds,
            one_line(row["reason"], LONGEST),
            notes,
            result.get("isolation", ""),
            **json_fields(row),
        )


def json_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a row that only the JSON has, as visible text."""
    by_language = {
        name: {lang: one_line(words, LONGEST) for lang, words in row.get(name, {}).items()}
        for name in ("hint", "course")
    }
    code = make_visible(row.get("code", ""), keep="\t\n", most=LONGEST)
    slip = one_line(row.get("slip", ""), LONGEST)
    return {"slip": slip, "code": code, "box": row.get("box", {}), **by_language}


def name_of(path: Path) -> str:
    """Return a path in printable characters; different paths stay different."""
    return "".join(
        letter
        if make_visible(letter) == letter
        else letter.encode("unicode_escape").decode("ascii")
        for letter in path.as_posix()
    )


def totals(rows: Iterable[Row]) -> list[Total]:
    """Return the sum of each notebook, in the order of the rows."""
    found: list[Total] = []
    for file, own in groupby(rows, attrgetter("file")):
        each = list(own)
        points, most = sum(row.points or 0 for row in each), sum(row.max for row in each)
        found.append(Total(file, points, most, each[0].seconds, each[0].notes))
    return found


# ----- the table ---------------------------------------------------------------------------------

ONLY_JSON = ("slip", "hint", "code", "course", "box")
COLUMNS: Sequence[str] = tuple(name for name in Row.__dataclass_fields__ if name not in ONLY_JSON)
