"""The user's code, here the file of the recordings, as Python reads it."""

from __future__ import annotations

import ast
import linecache
from functools import cache

from . import recordings

FILE = recordings.__file__


def line_at(number: int) -> str:
    """A line of the file."""
    return linecache.getline(FILE, number).rstrip("\n")


@cache
def statement_at(line: int) -> ast.stmt:
    """The innermost statement on a line."""
    tree = ast.parse("".join(linecache.getlines(FILE)))
    inside = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and s.lineno <= line]
    return max((s for s in inside if line <= (s.end_lineno or 0)), key=lambda s: s.lineno)


def is_written(text: str, line: int) -> bool:
    """Whether the statement on a line holds these words, whatever the space between them."""
    end = statement_at(line).end_lineno or line
    lines = "".join(map(line_at, range(statement_at(line).lineno, end + 1)))
    return text.replace(" ", "") in lines.replace(" ", "")
