"""Frames of a moving picture as pixels.

Every part of a painting is drawn once, on a tile of its own; frames are composed of tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from .. import theme
from .paint import Line, Mark, Painting, Part, Patch, Pixels, Rect, Words
from .raster import fixed_settings, tile

KEPT = 4000  # maximum number of tiles in the cache


class Tile(NamedTuple):
    """Part as RGBA pixels, and the column and row of its upper left corner in the frame."""

    pixels: Image.Image
    corner: tuple[int, int]


class Stage:
    """Draws the frames of one film."""

    def __init__(self, scale: float, colours: str = "light") -> None:
        self.scale, self.colours = scale, colours
        self._tile = lru_cache(KEPT)(self._draw_tile)

    def draw(self, painting: Painting) -> Image.Image:
        """Return a painting as RGB pixels."""
        size = round(painting.width * self.scale), round(painting.height * self.scale)
        frame = Image.new("RGB", size)
        with fixed_settings():
            for part in painting.parts:
                pixels, corner = self._tile(part, painting.left, size)
                frame.paste(pixels, corner, pixels)
        return frame

    def _draw_tile(self, part: Part, start: float, size: tuple[int, int]) -> Tile:
        """Return a part as a tile; a pending part is a faint copy of the done one."""
        if part.state == "pending":
            pixels, corner = self._tile(replace(part, state="done"), start, size)
            faint = pixels.copy()
            faint.putalpha(pixels.getchannel("A").point(lambda alpha: alpha * theme.PENDING))
            return Tile(faint, corner)
        left, top, right, bottom = _bounds_of_marks(part.marks, start, self.scale)
        left, top = max(left, 0), max(top, 0)
        right, bottom = max(min(right, size[0]), left), max(min(bottom, size[1]), top)
        drawn = tile(part, start, self.scale, (left, top, right, bottom), self.colours)
        return Tile(Image.fromarray(drawn), (left, top))


def _bounds_of_marks(
    marks: Iterable[Mark], start: float, scale: float
) -> tuple[int, int, int, int]:
    """Return the left, top, right and bottom of all pixels that marks may touch."""
    points = [point for mark in marks for point in _hull_points(mark)]
    if not points:
        return 0, 0, 0, 0
    xs, ys = [x - start for x, _ in points], [y for _, y in points]
    left, top = (int((min(of) - 4) * scale) - 1 for of in (xs, ys))
    right, bottom = (int((max(of) + 4) * scale) + 2 for of in (xs, ys))
    return left, top, right, bottom


def _hull_points(mark: Mark) -> Iterator[tuple[float, float]]:
    """Yield points whose convex hull contains a mark."""
    if isinstance(mark, Rect | Pixels):
        yield from ((mark.x, mark.y), (mark.x + mark.w, mark.y + mark.h))
    elif isinstance(mark, Line):
        yield from (point for _, ends in mark.path for point in ends)
    elif isinstance(mark, Patch):
        yield from mark.points
    elif isinstance(mark, Words):
        # Slightly more than fonts need, because pixels outside are cut off.
        wide = 1.1 * theme.text_width(mark.text, mark.size, mono=mark.mono, bold=mark.bold)
        left = mark.x - {"start": 0.0, "middle": wide / 2, "end": wide}[mark.anchor]
        yield from ((left, mark.y - 1.2 * mark.size), (left + wide, mark.y + 0.4 * mark.size))
