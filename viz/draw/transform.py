"""Marks and paintings, moved or scaled."""

from __future__ import annotations

from dataclasses import replace

from ..layout.curves import Point
from .paint import Line, Mark, Painting, Patch, Pixels, Rect, Words


def transform(mark: Mark, scale: float = 1.0, x: float = 0.0, y: float = 0.0) -> Mark:
    """Return a mark scaled about the origin, then moved by x and y."""

    def place(point: Point) -> Point:
        return point[0] * scale + x, point[1] * scale + y

    if isinstance(mark, Line):
        path = tuple((letter, tuple(map(place, points))) for letter, points in mark.path)
        return replace(mark, path=path, width=mark.width * scale)
    if isinstance(mark, Patch):
        return replace(mark, points=tuple(map(place, mark.points)))
    left, top = place((mark.x, mark.y))
    if isinstance(mark, Words):
        return replace(mark, x=left, y=top, size=round(mark.size * scale, 2))
    if isinstance(mark, Pixels):
        return replace(mark, x=left, y=top, w=mark.w * scale, h=mark.h * scale)
    assert isinstance(mark, Rect)
    sizes = {name: getattr(mark, name) * scale for name in ("w", "h", "radius", "width")}
    return replace(mark, x=left, y=top, **sizes)


def zoom(painting: Painting, factor: float) -> Painting:
    """Return the painting scaled by a factor."""
    parts = tuple(
        replace(part, marks=tuple(transform(mark, factor) for mark in part.marks))
        for part in painting.parts
    )
    left, width, height = painting.left, painting.width, painting.height
    return Painting(left * factor, width * factor, height * factor, parts)
