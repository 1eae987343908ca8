"""Paths: short lists of drawing commands, and their SVG text."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

Point = tuple[float, float]  # x and y
Command = tuple[str, tuple[Point, ...]]  # letter of an SVG command, and its points


class Line(NamedTuple):
    """Drawn form of a wire: its stations, and the path through them."""

    stations: tuple[Point, ...]
    path: tuple[Command, ...]


ROUND = 9.0


def straight_path(start: Point, *ends: Point) -> tuple[Command, ...]:
    """Return straight lines from point to point."""
    return (("M", (start,)), *(("L", (end,)) for end in ends))


def flowing_path(stations: Sequence[Point]) -> list[Command]:
    """Join stations by straight lines if they are above each other, else by an S-curve."""
    path: list[Command] = [("M", (stations[0],))]
    for (x, y), (nx, ny) in itertools.pairwise(stations):
        if abs(x - nx) < 0.05:
            path.append(("L", ((nx, ny),)))
        else:
            middle = (y + ny) / 2
            path.append(("C", ((x, middle), (nx, middle), (nx, ny))))
    return path


def cornered_path(stations: Sequence[Point]) -> list[Command]:
    """Join stations by straight lines with rounded corners."""
    path: list[Command] = [("M", (stations[0],))]
    for before, here, after in zip(stations, stations[1:], stations[2:], strict=False):
        near, far = _distance(before, here), _distance(here, after)
        radius = min(ROUND, near / 2, far / 2)
        if radius < 0.5:
            path.append(("L", (here,)))
            continue
        path.append(("L", (_point_between(here, before, radius / near),)))
        path.append(("Q", (here, _point_between(here, after, radius / far))))
    path.append(("L", (stations[-1],)))
    return path


def _distance(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])  # pieces are parallel to an axis


def _point_between(one: Point, other: Point, part: float) -> Point:
    return (one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part)


def tidy(stations: Sequence[Point]) -> list[Point]:
    """Return the stations without repeated ones and without those on a straight piece."""
    result: list[Point] = []
    for point in stations:
        if result and _distance(result[-1], point) < 0.05:
            continue
        if len(result) > 1 and any(
            abs(result[-2][i] - result[-1][i]) < 0.05 and abs(result[-1][i] - point[i]) < 0.05
            for i in (0, 1)
        ):
            result.pop()
        result.append(point)
    return result


def number(x: float) -> str:
    """Return a coordinate as text with at most one decimal."""
    text = f"{x:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def text(path: Sequence[Command]) -> str:
    """Return the path as SVG's `d`."""
    return "".join(
        [
            letter + " ".join([f"{number(x)},{number(y)}" for x, y in points])
            for letter, points in path
        ]
    )


def sample(path: Sequence[Command], step: int = 16) -> list[Point]:
    """Return points along a path, close enough to detect what it crosses."""
    points: list[Point] = []
    for letter, ends in path:
        if letter in "ML":
            if letter == "L":
                start = points[-1]
                many = max(1, int(_distance(start, ends[0]) / 6))
                points += [_point_between(start, ends[0], k / many) for k in range(1, many + 1)]
            else:
                points.append(ends[0])
            continue
        controls = (points[-1], *ends)
        points += [_bezier_point(controls, k / step) for k in range(1, step + 1)]
    return points


def point_on(path: Sequence[Command], share: float) -> Point:
    """Return the point at a share of a path's length, from 0 to 1."""
    points = sample(path)
    lengths = [0.0, *itertools.accumulate(map(math.dist, points, points[1:]))]
    at = share * lengths[-1]
    k = min(bisect_right(lengths, at), len(points) - 1)
    piece = lengths[k] - lengths[k - 1]
    return _point_between(points[k - 1], points[k], (at - lengths[k - 1]) / piece if piece else 1.0)


def _bezier_point(controls: Sequence[Point], t: float) -> Point:
    while len(controls) > 1:
        controls = [_point_between(a, b, t) for a, b in itertools.pairwise(controls)]
    return controls[0]
