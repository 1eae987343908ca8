"""The user's code, as Python reads it from the files that a trace names."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

from viz.trace import Trace

ROOT = Path(__file__).parents[3]

SIGNS: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "−", ast.USub: "−", ast.Mult: "×"}


class Code:
    """The source files of a trace. A place is a pair: the index of a source file and a line."""

    def __init__(self, trace: Trace) -> None:
        self.files = [source.name for source in trace.sources]

    def line(self, file: int, number: int) -> str:
        """Return a line of a file."""
        return lines_of(self.files[file])[number - 1]

    def statement(self, file: int, line: int) -> ast.stmt:
        """Return the innermost statement on a line."""
        return statement_at(self.files[file], line)

    def called(self, place: Any) -> set[str]:
        """Return the names of functions and methods that the statement at a place calls."""
        return calls_in(self.statement(place.file, place.line)) if place else set()

    def operators(self, place: Any) -> set[str]:
        """Return the operator signs in the statement at a place."""
        nodes = [*ast.walk(self.statement(place.file, place.line))]
        return {sign for node in nodes for sign in SIGNS.get(type(node), ())}

    def has(self, text: str, place: Any) -> bool:
        """Say whether the statement at a place contains a text, white space ignored."""
        if place is None:
            return False
        statement = self.statement(place.file, place.line)
        lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
        whole = "".join(self.line(place.file, number) for number in lines)
        return text.replace(" ", "") in whole.replace(" ", "")


@cache
def calls_in(statement: ast.stmt) -> set[str]:
    """Return the names of what a statement calls; nothing for a function definition."""
    nodes = () if isinstance(statement, ast.FunctionDef) else ast.walk(statement)
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return {getattr(func, "attr", None) or getattr(func, "id", "") for func in calls}


@cache
def lines_of(name: str) -> list[str]:
    return (ROOT / name).read_text(encoding="utf-8").split("\n")


@cache
def statement_at(name: str, line: int) -> ast.stmt:
    tree = ast.parse("\n".join(lines_of(name)))
    inside = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and s.lineno <= line]
    return max((s for s in inside if line <= (s.end_lineno or 0)), key=lambda s: s.lineno)
