"""Texts that fit into a terminal."""

from __future__ import annotations

from ..theme import cells, wrap


def cut(text: str, columns: int) -> str:
    """Shorten a text to so many columns; what would not be seen is shown as `?`."""
    text = "".join(c if c.isprintable() else " " if c == "\t" else "?" for c in text)
    if cells(text) <= columns:
        return text
    kept, used = "", 1
    for character in text:
        used += cells(character)
        if used > columns:
            break
        kept += character
    return kept + "…"


def wrap_text(text: str, columns: int) -> list[str]:
    """Break a text into lines of at most this many columns."""
    return [cut(line, columns) for line in wrap(text, columns, cells)]
