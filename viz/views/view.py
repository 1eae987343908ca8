"""Base of viz's results other than traces: they print, display in notebooks and are saved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import export, language
from ..draw import film_strip, svg
from ..draw.paint import Painting
from ..player import display


class View(ABC):
    """Result with a text in each language that can be saved."""

    @abstractmethod
    def text(self, lang: str = "en") -> str:
        """Return the whole result as text."""

    @abstractmethod
    def writers(self, lang: str) -> Mapping[str, Callable[[], str | bytes]]:
        """Map endings of files to functions that return their content."""

    def __str__(self) -> str:
        return self.text(language.for_text())

    def save(self, path: str | Path, lang: str = "") -> Path:
        """Write the result in the format that the ending of the file names."""
        return export.save_view(Path(path), self.writers(lang))


class PictureView(View):
    """View with a picture."""

    @abstractmethod
    def painting(self, lang: str = "en") -> Painting:
        """Return the picture as a painting."""

    @abstractmethod
    def description(self, lang: str) -> tuple[str, str]:
        """Return title and description of the picture, for readers who cannot see it."""

    def svg(self, lang: str = "en", colours: str = "auto") -> str:
        """Return the picture as one SVG document."""
        return svg.svg_of(self.painting(lang), *self.description(lang), colours, lang)

    def writers(self, lang: str) -> Mapping[str, Callable[[], str | bytes]]:
        words = language.for_text(lang)
        return {
            ".svg": lambda: self.svg(words),
            ".png": lambda: export.png(self.painting(words)),
            ".pdf": lambda: export.pdf(self.painting(words)),
            ".txt": lambda: self.text(words),
        }

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        lang = language.for_text()
        kept = display.static(self.painting(lang), *self.description(lang), lang)
        return {**kept, "text/plain": self.text(lang)}


def add_caption(
    painting: Painting, head: str, lines: Iterable[film_strip.Row], least: float
) -> Painting:
    """Return a painting, at least `least` wide, with a bold line and other lines below it."""
    width = max(painting.width, least)
    room = width - 2 * film_strip.PAD
    rows = [
        line._replace(text=text) for line in lines for text in film_strip.wrap_text(line.text, room)
    ]
    return film_strip.add_lines(painting, rows, len(rows), width, film_strip.wrap_text(head, room))
