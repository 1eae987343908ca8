"""Tables as CSV texts, in which no spreadsheet finds a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..engine.visible import visible

KEPT = "\t\n"  # control characters that a quoted field may contain
RUNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")  # first characters of a formula


def csv_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; a ' keeps spreadsheets from reading a text as a formula."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: harmless(row[name]) for name in columns})
    return file.getvalue()


def harmless(value: Any) -> Any:
    """Return a value without invisible characters, quoted if it looks like a formula."""
    if not isinstance(value, str):
        return value
    shown = visible(value, keep=KEPT)
    return f"'{shown}" if value.startswith(RUNS) else shown
