"""Make foreign text safe to show in a terminal, a table or a page."""

from __future__ import annotations

import unicodedata

CUT = "…"
FACTOR = 4  # characters read for each one shown, as most may be spaces


def make_visible(text: str, *, keep: str = "", most: int = 0) -> str:
    """Return the text without characters that steer a terminal, hide text or turn it around.

    Tabs and line ends become spaces unless `keep` names them; every other such character becomes
    U+FFFD, so that a reader sees that something was there. `most` bounds the length.

    >>> from minipaddle.engine.visible import make_visible
    >>> make_visible("red \\x1b[31m", most=6)
    'red �…'
    """
    cut = bool(most) and len(text) > most
    shown = text[: most - 1] if cut else text
    if not shown.isprintable():
        shown = "".join(
            letter if letter in keep else " " if letter in "\t\n\r" else _replace_unfit(letter)
            for letter in shown
        )
    return shown + CUT if cut else shown


def one_line(text: object, most: int) -> str:
    """Return a text as one visible line of at most `most` characters."""
    words = " ".join(str(text)[: FACTOR * most].split())
    return make_visible(words, most=most)


def _replace_unfit(letter: str) -> str:
    # Cf: marks that reverse or hide text; Cs: lone surrogates, which UTF-8 cannot encode.
    # Zl, Zp: ends of lines for some terminals and spreadsheets.
    unfit = unicodedata.category(letter) in ("Cc", "Cs", "Cf", "Co", "Cn", "Zl", "Zp")
    return "\ufffd" if unfit else letter
