"""The user's code in a trace: the files that events point to, under harmless names."""

from __future__ import annotations

import linecache
from typing import Any, NamedTuple

from minipaddle.engine.source_line import SourceLine, display_name

AROUND = 60  # lines stored before the first and after the last line that an event points to


def whole_letters(text: str) -> str:
    """Return a text with surrogates such as \\ud800 spelled out, since UTF-8 cannot encode them.

    >>> whole_letters("half \\ud800, whole \\u540d")
    'half \\\\ud800, whole 名'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


class LoadedLine(NamedTuple):
    """A line of the user's code in a document; `file` is the number of its source."""

    file: int
    line: int
    function: str


CodeLine = SourceLine | LoadedLine  # an event's line: from the engine, or from a document


class SourceTable:
    """Sources of a trace, numbered by first appearance."""

    def __init__(self, folder: str = "") -> None:
        self.folder = folder  # base of the files' relative names; "" is the working folder
        self.files: dict[str, int] = {}
        self._used: list[set[int]] = []

    def add(self, place: CodeLine) -> list[Any]:
        """Return [number of the source, line, function]; a loaded place is returned as it is."""
        if isinstance(place, LoadedLine):
            return [*place]
        index = self.files.setdefault(place.file, len(self.files))
        if index == len(self._used):
            self._used.append(set())
        self._used[index].add(place.line)
        return [index, place.line, whole_letters(place.function)]

    def text(self, file: str) -> str:
        """Return the text of a file, or "" if it cannot be read."""
        return "".join(linecache.getlines(file))

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
