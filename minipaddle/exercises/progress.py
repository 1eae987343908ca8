"""Progress of a learner: a line for each check, hint, solution and prediction, in one file.

The file stays on the learner's machine (MINIPADDLE_PROGRESS names another one; empty means none).
A line is JSON; damaged lines are skipped.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from ..engine import files
from ..engine.errors import InvalidArgument
from ..engine.visible import make_visible
from ..errors import misfit
from .outcomes import current_language

DONE = ("right", "answered")


@dataclass(frozen=True)
class Entry:
    """Action of a learner, with its time."""

    when: str
    course: str
    exercise: str
    did: str  # action: check, hint, solution, predict
    what: str  # result: an outcome, the number of a hint, an answer
    slip: str = ""
    title: str = ""  # title of the course, in the language at that time


@dataclass
class State:
    """Progress with one exercise or prediction."""

    outcome: str = ""
    checks: int = 0
    hints: int = 0
    solution: bool = False
    asks: bool = False  # it is a prediction

    @property
    def done(self) -> bool:
        """True if the exercise was right once, or its prediction was made."""
        return self.outcome in DONE

    @property
    def tried(self) -> bool:
        """True if there was an answer, or help was asked for."""
        return self.outcome not in ("", "not yet") or bool(self.hints) or self.solution

    def take(self, entry: Entry) -> None:
        """Add the next entry; a right answer stays right."""
        if entry.did == "hint" and entry.what.isdecimal():
            self.hints = max(self.hints, int(entry.what))
        elif entry.did == "solution":
            self.solution = True
        elif entry.did in ("check", "predict"):
            self.checks += 1
            self.asks = entry.did == "predict"
            if not self.done:
                self.outcome = entry.what if entry.did == "check" else "answered"


def path() -> Path | None:
    """Return the file, None if nothing is to be stored."""
    named = os.environ.get("MINIPADDLE_PROGRESS")
    if named is None:
        return Path.home() / ".minipaddle" / "progress.jsonl"
    return Path(named) if named else None


def note(of: Any, did: str, what: object, *, slip: str = "") -> None:
    """Store an action; a file that cannot be written is ignored."""
    with suppress(OSError, RuntimeError):  # the disk is full, or there is no home folder
        if (file := path()) is not None:
            now = datetime.now().astimezone().isoformat(timespec="seconds")
            title = of.course_title.of(current_language())
            entry = Entry(now, of.course, of.name, did, str(what), slip, title)
            files.append_line(file, json.dumps(asdict(entry), ensure_ascii=False).encode())


def entries() -> tuple[list[Entry], int]:
    """Return all entries, and the number of unreadable lines."""
    file = path()
    try:
        lines = file.read_bytes().splitlines() if file is not None else []
    except OSError:  # the file is missing or unreadable
        lines = []
    read = list(map(entry_of, filter(None, lines)))
    return [each for each in read if each is not None], sum(each is None for each in read)


def entry_of(line: bytes) -> Entry | None:
    """Return the entry of a line, None for a damaged line."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    names = {field.name for field in fields(Entry)}
    needed = {field.name for field in fields(Entry) if field.default is MISSING}
    if not isinstance(values, dict) or not needed <= values.keys() <= names:
        return None
    return Entry(**values) if all(isinstance(v, str) for v in values.values()) else None


def states(of: Iterable[Entry]) -> dict[tuple[str, str], State]:
    """Return the learner's progress by course and exercise."""
    found: dict[tuple[str, str], State] = {}
    for entry in of:
        found.setdefault((entry.course, entry.exercise), State()).take(entry)
    return found


def export(target: str | os.PathLike[str]) -> int:
    """Write all entries to a .csv or .json file; return their number.

    Nothing else is ever sent or copied. InvalidArgument for another ending.
    """
    ending = Path(target).suffix
    rows = [asdict(entry) for entry in entries()[0]]
    if ending == ".json":
        content = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    elif ending == ".csv":
        content = csv_of([field.name for field in fields(Entry)], rows)
    else:
        expected, fix = "a file that ends in .csv or .json", 'export_progress("progress.csv")'
        raise misfit("export_progress", expected, InvalidArgument, fix, file=str(target))
    files.write({str(target): content.encode("utf-8")})
    return len(rows)


# ----- tables ------------------------------------------------------------------------------------


KEPT = "\t\n"  # control characters that a quoted field may contain
RUNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")  # first characters of a formula


def csv_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; a ' keeps spreadsheets from reading a text as a formula."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: make_harmless(row[name]) for name in columns})
    return file.getvalue()


def make_harmless(value: Any) -> Any:
    """Return a value without invisible characters, quoted if it looks like a formula."""
    if not isinstance(value, str):
        return value
    shown = make_visible(value, keep=KEPT)
    return f"'{shown}" if value.startswith(RUNS) else shown
