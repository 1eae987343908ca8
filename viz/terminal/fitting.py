"""Texts cut or wrapped to fit into a terminal."""

from __future__ import annotations

from ..theme import cells, wrap


def cut(text: str, columns: int) -> str:
    """Return a text cut to `columns` columns, with `?` for characters that are not printable."""
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


def window(at: int, most: int, count: int) -> range:
    """Return at most `most` of `count` places, with `at` near the middle.

    >>> window(5, 3, 10), window(0, 3, 2)
    (range(4, 7), range(0, 2))
    """
    first = max(0, min(at - most // 2, count - most))
    return range(first, min(first + most, count))


def wrap_text(text: str, columns: int) -> list[str]:
    """Return a text as lines of at most `columns` columns."""
    return [cut(line, columns) for line in wrap(text, columns, cells)]
