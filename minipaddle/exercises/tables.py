"""Tables as text of CSV files, which a spreadsheet opens without running anything."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..engine.visible import visible

KEPT = "\t\n"  # a field in quotes may have them
RUNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")  # how a spreadsheet knows a formula


def csv_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; a ' keeps spreadsheets from reading a text as a formula."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: harmless(row[name]) for name in columns})
    return file.getvalue()


def harmless(value: Any) -> Any:
    """Return a value that no spreadsheet runs, without characters that steer or hide."""
    if not isinstance(value, str):
        return value
    shown = visible(value, keep=KEPT)
    return f"'{shown}" if value.startswith(RUNS) else shown
