"""The user's code in a trace: the files that events point to, under harmless names."""

from __future__ import annotations

import linecache
from typing import Any, NamedTuple

from minipaddle import Tensor
from minipaddle.engine.source_line import SourceLine, Span, display_name

from .code_names import Code, code_of, function_name
from .op_facts import calls_in, functions_of_ops

AROUND = 60  # lines stored before the first and after the last line that an event points to


def whole_letters(text: str) -> str:
    """Return a text with surrogates such as \\ud800 spelled out, since UTF-8 cannot encode them.

    >>> whole_letters("half \\ud800, whole \\u540d")
    'half \\\\ud800, whole 名'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


class LoadedLine(NamedTuple):
    """A line of the user's code in a document; `file` is the number of its source.

    `called` is the function of an op that the line calls there, "" for an operator or a function of
    the user; None if the line calls no other.
    """

    file: int
    line: int
    function: str
    called: str | None = None


CodeLine = SourceLine | LoadedLine  # an event's line: from the engine, or from a document


class SourceTable:
    """Sources of a trace, numbered by first appearance.

    `folder` is the base of the files' relative names, "" the working folder; `modules` and `tensor`
    are those of `Code`.
    """

    def __init__(
        self, folder: str = "", modules: frozenset[str] = frozenset(), tensor: type = Tensor
    ) -> None:
        self.folder, self.modules, self.tensor = folder, modules, tensor
        self.files: dict[str, int] = {}
        self._used: list[set[int]] = []
        self._calls: dict[tuple[str, int, Span | None], str | None] = {}

    def add(self, place: CodeLine) -> list[Any]:
        """Return [number of the source, line, function], and `called` if it is known."""
        if isinstance(place, LoadedLine):
            return [*place[: 3 if place.called is None else 4]]
        index = self.files.setdefault(place.file, len(self.files))
        if index == len(self._used):
            self._used.append(set())
        self._used[index].add(place.line)
        row = [index, place.line, whole_letters(place.function)]
        key = place.file, place.line, place.span
        if key not in self._calls:
            self._calls[key] = self._find_called(place)
        called = self._calls[key]
        return row if called is None else [*row, called]

    def code(self, file: str) -> Code:
        """Return the code of a file; it is empty if the file cannot be read."""
        return code_of("".join(linecache.getlines(file)), self.modules, self.tensor)

    def _find_called(self, place: SourceLine) -> str | None:
        """Return `called` of a place: see LoadedLine."""
        there = calls_in(linecache.getline(place.file, place.line)) & functions_of_ops()
        node = self.code(place.file).at(place) if there else None
        called = {function_name(node)} & functions_of_ops()
        return None if node is None or there == called else "".join(called)

    def entries(self) -> list[dict[str, Any]]:
        """Return the name, first line number and lines of each source, near the used lines only."""
        return [self._source_entry(file, self._used[index]) for file, index in self.files.items()]

    def _source_entry(self, file: str, used: set[int]) -> dict[str, Any]:
        lines = linecache.getlines(file)
        first = max(1, min(used) - AROUND)
        stored = lines[first - 1 : max(used) + AROUND]
        return {
            "name": whole_letters(display_name(file, self.folder)),
            "first": first,
            "lines": [whole_letters(line.rstrip("\r\n")) for line in stored],
        }
