"""Tables of grades that Moodle and Canvas import, and the changes that were made by hand."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any

from ...messages import Message
from .. import errors
from ..progress import csv_of

Person = Mapping[str, str]
Grades = dict[str, dict[str, str]]  # by the key of a person, then by column

NEEDED = ("name", "id", "email", "file")
POINTS_POSSIBLE = "    Points Possible"  # as Canvas itself writes it
# The system's column, and the roster's columns that may fill it: the first that is not empty.
LAYOUTS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "moodle": {"ID number": ("id",), "Email address": ("email",), "Name": ("name",)},
    "canvas": {
        "Student": ("name",),
        "ID": ("canvas id",),
        "SIS User ID": ("id",),
        "SIS Login ID": ("login", "email"),
        "Section": ("section",),
    },
}
KEYS = {
    "moodle": ("ID number", "Email address", "Name"),
    "canvas": ("SIS User ID", "SIS Login ID", "Student"),
}
UNKNOWN = Message("{file} is nobody's in {roster}, so it is left out.")
AMBIGUOUS = Message("{file} is that of {names} in {roster}, so it is left out.")
KEPT = Message("{name}, {column}: {old} was written by hand and stays; the grading gives {new}.")
KEPT_ROW = Message("{name} is not in {roster}; the row stays as it was.")


@dataclass
class Gradebook:
    """Table for a system, the grades that the next grading compares with, and what to report."""

    columns: list[str]
    rows: list[dict[str, str]] = field(default_factory=list)
    written: Grades = field(default_factory=dict)
    reports: list[Message] = field(default_factory=list)

    def csv(self) -> bytes:
        """Return the table as CSV; the byte order mark is for Excel."""
        return csv_of(self.columns, self.rows).encode("utf-8-sig")


def make_files(
    rows: Sequence[Mapping[str, Any]], system: str, roster: Path, target: Path, item: str = ""
) -> tuple[dict[Path, bytes], list[Message]]:
    """Return the files of a gradebook with their contents, and what to report.

    The file beside the table holds what the grading wrote, so that the next one finds the grades
    that were changed by hand. With `item` there is one column of this name with the sums.
    """
    book = gradebook(rows, system, read_roster(roster), roster.name, *read_last(target), item)
    said = json.dumps(book.written, ensure_ascii=False, indent=1) + "\n"
    return {target: book.csv(), path_of_written(target): said.encode("utf-8")}, book.reports


def path_of_written(target: Path) -> Path:
    """Return the file that holds what the grading wrote."""
    return target.with_name(f"{target.name}.written.json")


def read_last(target: Path) -> tuple[list[dict[str, str]], Grades]:
    """Return the table that is there, and the grades that the last grading wrote."""
    before, file = read_table(target) if target.is_file() else [], path_of_written(target)
    try:
        written = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        fits = all(isinstance(text, str) for own in written.values() for text in own.values())
    except (AttributeError, ValueError):
        fits = False
    if not fits:
        raise errors.no_written(file, target)
    return before, written


def read_roster(roster: Path) -> list[dict[str, str]]:
    """Return the rows of a roster, with the names of columns in small letters."""
    if not roster.is_file():
        raise errors.no_roster(roster, NEEDED, "nothing of that name")
    people = [
        {column.strip().lower(): text.strip() for column, text in row.items()}
        for row in read_table(roster)
        if any(row.values())
    ]
    if not people or not {*NEEDED} <= {*people[0]}:
        raise errors.no_roster(roster, NEEDED, ", ".join(people[0]) if people else "no rows")
    for column, plain in UNIQUE.items():
        owners = defaultdict(list)
        for person in people:
            named = column == "name" and (person["id"] or person["email"])
            if not named and (value := plain(person.get(column, ""))):
                owners[value].append(person["name"])
        for value, names in owners.items():
            if len(names) > 1:
                raise errors.twice_in_roster(roster, column, value, names)
    return people


def read_table(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, also of one with semicolons, as spreadsheets save it."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise errors.no_utf_8(file) from None
    first = text.partition("\n")[0]
    separator = ";" if ";" in first and "," not in first else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, restval="")
    return [{str(k): str(v) for k, v in row.items() if k} for row in rows]


def gradebook(
    rows: Sequence[Mapping[str, Any]],
    system: str,
    people: Sequence[Person],
    roster: str,
    before: Sequence[Mapping[str, str]] = (),
    written: Grades | None = None,
    item: str = "",
) -> Gradebook:
    """Make the table for a system; grades of `before` that were changed by hand stay.

    `written` are the grades that the last grading wrote. Without them every grade in the table
    counts as changed by hand.
    """
    written = written or {}
    layout = LAYOUTS[system]
    most = {row["exercise"]: row["max"] for row in rows if row["exercise"]}
    items = {item: sum(most.values())} if item else most
    added = columns_by_hand(before, written, system, {*layout, *items})
    book = Gradebook([*layout, *items, *added])
    found, book.reports = best_points(rows, people, roster)
    known = {key_of(row, system): row for row in before if not is_possible(row)}
    if system == "canvas":
        possible = {column: f"{points:g}" for column, points in items.items()}
        old = next(filter(is_possible, before), {})
        blank = dict.fromkeys(book.columns, "")
        extra = {column: old.get(column, "") for column in added}
        book.rows.append({**blank, "Student": POINTS_POSSIBLE, **extra, **possible})
    for number, person in enumerate(people):
        row = {
            column: next((person[name] for name in names if person.get(name)), "")
            for column, names in layout.items()
        }
        key = key_of(row, system)
        old = known.pop(key, {})
        row |= {column: old.get(column, "") for column in added}
        last = written.get(key, {})
        points = found.get(number, {})
        if item:
            points = {item: total(points.values())} if points else {}
        own = book.written[key] = {}
        for column in items:
            new, there = format_points(points.get(column)), old.get(column, "")
            by_hand = bool(old) and not are_equal_grades(there, last.get(column, ""))
            row[column] = there if by_hand or not new else new
            own[column] = last.get(column, "") if by_hand or not new else new
            if by_hand and new and not are_equal_grades(there, new):
                slots = {"name": person["name"], "column": column, "old": there or "–", "new": new}
                book.reports.append(KEPT.fill(**slots))
        book.rows.append(row)
    for old in known.values():
        book.rows.append({column: old.get(column, "") for column in book.columns})
        name = next((old[column] for column in reversed(KEYS[system]) if old.get(column)), "–")
        book.reports.append(KEPT_ROW.fill(name=name, roster=roster))
    return book


def columns_by_hand(
    before: Sequence[Mapping[str, str]], written: Grades, system: str, ours: Collection[str]
) -> list[str]:
    """Return the columns that stay beside ours: not written by the last grading, or changed."""
    machines = {column for own in written.values() for column in own}
    changed = {
        column
        for row in before
        if not is_possible(row)
        for column, text in row.items()
        if not are_equal_grades(text, written.get(key_of(row, system), {}).get(column, ""))
    }
    there = dict.fromkeys(column for row in before for column in row)
    return [c for c in there if c not in ours and (c not in machines or c in changed)]


def best_points(
    rows: Iterable[Mapping[str, Any]], people: Sequence[Person], roster: str
) -> tuple[dict[int, dict[str, float | None]], list[Message]]:
    """Return the points by person and exercise, and what to report of files without a person.

    Of several answers of a person to one exercise the best counts.
    """
    owned, reports = rows_by_person(rows, people, roster)
    found: dict[int, dict[str, float | None]] = {number: {} for number in owned}
    for number, each in owned.items():
        own = found[number]
        for row in filter(itemgetter("exercise"), each):
            name = row["exercise"]
            both = [x for x in (own.get(name), row["points"]) if x is not None]
            own[name] = max(both, default=None)
    return found, reports


def rows_by_person(
    rows: Iterable[Mapping[str, Any]], people: Sequence[Person], roster: str
) -> tuple[dict[int, list[Mapping[str, Any]]], list[Message]]:
    """Return the rows of each person, and what to report of files without a person."""
    owners = defaultdict(set)
    for number, person in enumerate(people):
        if name := normalize_name(person["file"]):
            owners[name].add(number)
    found: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    reports: dict[str, Message] = {}
    for row in rows:
        path = PurePosixPath(normalize_name(row["file"]))
        folders = [str(each) for each in path.parents]
        names = {str(path), str(path.with_suffix("")), path.name, path.stem, *folders}
        names |= set(path.parts)
        whose = set().union(*(owners[name] for name in names if name in owners))
        if len(whose) == 1:
            found[whose.pop()].append(row)
        else:
            several = ", ".join(people[number]["name"] for number in sorted(whose))
            words = AMBIGUOUS.fill(names=several) if whose else UNKNOWN
            reports[row["file"]] = words.fill(file=row["file"], roster=roster)
    return found, list(reports.values())


def key_of(row: Mapping[str, str], system: str) -> str:
    """Return the key of a person in a table: the number, else the address, else the name."""
    key = next((row[column] for column in KEYS[system] if row.get(column)), "")
    return plain_number(key)


def plain_number(text: str) -> str:
    """Return a learner's number without what a spreadsheet drops or puts before it."""
    return text.removeprefix("'").lstrip("0")


def is_possible(row: Mapping[str, str]) -> bool:
    """Return whether a row of a table is Canvas' row of the possible points."""
    return row.get("Student", "").strip() == POINTS_POSSIBLE.strip()


def normalize_name(name: str) -> str:
    """Return a file's name as another computer may write it."""
    return unicodedata.normalize("NFC", name.strip().replace("\\", "/").strip("/")).casefold()


# Columns of a roster whose cells must differ between learners -> how cells are compared.
# Names may be equal if an id or an address distinguishes the learners.
UNIQUE: Mapping[str, Callable[[str], str]] = {
    "id": plain_number,
    "email": str.casefold,
    "login": str.casefold,
    "file": normalize_name,
    "name": str.strip,
}


def total(points: Iterable[float | None]) -> float | None:
    """Return the sum; None if one is not judged, since the sum would be too small."""
    each = list(points)
    return None if None in each else sum(x for x in each if x is not None)


def format_points(points: float | None) -> str:
    """Return points as a cell."""
    return "" if points is None else f"{points:g}"


def are_equal_grades(one: str, other: str) -> bool:
    """Return whether two cells hold the same grade; a spreadsheet may write 2 as 2.00 or 2,0."""
    try:
        return float(one.replace(",", ".")) == float(other.replace(",", "."))
    except ValueError:
        return one.strip() == other.strip()
