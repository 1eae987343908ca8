"""Marks in another place, and paintings in another size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..layout.curves import Point
from .paint import Line, Mark, Painting, Patch, Rect, Words


def move(mark: Mark, x: float, y: float) -> Mark:
    """The mark in another place."""
    if isinstance(mark, Rect | Words):
        return replace(mark, x=mark.x + x, y=mark.y + y)
    if isinstance(mark, Line):
        path = tuple(
            (letter, tuple((a + x, b + y) for a, b in points)) for letter, points in mark.path
        )
        return replace(mark, path=path)
    assert isinstance(mark, Patch)
    return replace(mark, points=tuple((a + x, b + y) for a, b in mark.points))


def zoom(painting: Painting, factor: float) -> Painting:
    """The painting with everything in it larger."""
    parts = tuple(
        replace(part, marks=tuple(_grow(mark, factor) for mark in part.marks))
        for part in painting.parts
    )
    left, width, height = painting.left, painting.width, painting.height
    return Painting(left * factor, width * factor, height * factor, parts)


def _grow(mark: Mark, by: float) -> Mark:
    if isinstance(mark, Words):
        return replace(mark, x=mark.x * by, y=mark.y * by, size=round(mark.size * by, 2))
    if isinstance(mark, Rect):
        sides = {name: getattr(mark, name) * by for name in ("x", "y", "w", "h", "radius", "width")}
        return replace(mark, **sides)
    if isinstance(mark, Line):
        path = tuple((letter, _larger(points, by)) for letter, points in mark.path)
        return replace(mark, path=path, width=mark.width * by)
    assert isinstance(mark, Patch)
    return replace(mark, points=_larger(mark.points, by))


def _larger(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    return tuple((x * by, y * by) for x, y in points)
