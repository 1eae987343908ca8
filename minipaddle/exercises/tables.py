"""Tables as text of CSV files, which a spreadsheet opens without running anything."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

RUNS = ("=", "+", "-", "@", "\t", "\r")  # how a spreadsheet knows a formula


def csv_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as CSV; a text that a spreadsheet would take for a formula gets a ' before it."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: harmless(row[name]) for name in columns})
    return file.getvalue()


def harmless(value: Any) -> Any:
    """A value that no spreadsheet runs."""
    return f"'{value}" if isinstance(value, str) and value.startswith(RUNS) else value
