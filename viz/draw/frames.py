"""The frames of a moving picture as pixels: from one to the next only what changes is drawn.

Every part of a painting is drawn once, on a tile of its own, and a frame is laid together from
them: where a part differs from the frame before, the tiles that reach into its rectangle are laid
there anew, from back to front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .. import theme
from .paint import Line, Mark, Painting, Part, Patch, Rect, Words
from .raster import fixed_settings, tile

KEPT = 4000  # tiles of parts that are not in the frame


class Region(NamedTuple):
    """A rectangle of pixels: columns and rows from the first up to, without, the last."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: Region) -> bool:
        """Whether the two have a pixel in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def common(self, other: Region) -> Region:
        """The pixels of both."""
        upper = map(max, self[:2], other[:2])
        return Region(*upper, *map(min, self[2:], other[2:]))

    def within(self, outer: Region) -> tuple[slice, slice]:
        """The rows and the columns of this region in an array of another one."""
        left, top = outer[:2]
        return slice(self.top - top, self.bottom - top), slice(self.left - left, self.right - left)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A part as pixels: its colours, and how much of what is below they cover, from 0 to 1."""

    region: Region
    colours: Any
    cover: Any


class Stage:
    """Draws paintings of one size, one after the other, onto one array of pixels."""

    def __init__(self, scale: float, colours: str = "light") -> None:
        self.scale, self.colours = scale, colours
        self.pixels: Any = None
        self._left = 0.0
        self._parts: tuple[Part, ...] = ()
        self._shown: list[Tile] = []
        self._tiles: dict[Part, Tile] = {}

    def draw(self, painting: Painting) -> list[Region]:
        """Bring the pixels up to date, and give back the regions that have changed."""
        size = round(painting.width * self.scale), round(painting.height * self.scale)
        whole = Region(0, 0, *size)
        if painting.left != self._left:
            self._left, self._parts = painting.left, ()
            self._tiles.clear()
        parts = painting.parts
        with fixed_settings():
            tiles = list(self._tiles_of(parts, whole))
        if self.pixels is None:
            self.pixels = np.empty((size[1], size[0], 3), np.uint8)
            changed = [whole]
        else:
            fresh = {*tiles} ^ {*self._shown}
            changed = _joined(each.region for each in fresh)
        for region in changed:
            self._lay(region, tiles)
        self._parts, self._shown = parts, tiles
        return changed

    def _tiles_of(self, parts: tuple[Part, ...], whole: Region) -> Iterator[Tile]:
        """The tiles of parts, most of which are at the same place as in the frame before."""
        if len(self._tiles) > KEPT:
            self._tiles.clear()
        for k, part in enumerate(parts):
            same = k < len(self._parts) and part == self._parts[k]
            yield self._shown[k] if same else self._tile(part, whole)

    def _tile(self, part: Part, whole: Region) -> Tile:
        if part not in self._tiles:
            self._tiles[part] = self._made(part, whole)
        return self._tiles[part]

    def _made(self, part: Part, whole: Region) -> Tile:
        """The tile of a part; what is pending is what will be done, seen faintly."""
        if part.state == "pending":
            done = self._tile(replace(part, state="done"), whole)
            return Tile(done.region, done.colours, done.cover * np.float32(theme.PENDING))
        region = _around(part.marks, self._left, self.scale).common(whole)
        drawn = tile(part, self._left, self.scale, region, self.colours)
        cover = drawn[..., 3:].astype(np.float32) / 255
        return Tile(region, drawn[..., :3].astype(np.float32), cover)

    def _lay(self, region: Region, tiles: Iterable[Tile]) -> None:
        """Lay all tiles that reach into a region there, from back to front."""
        rows, columns = region.bottom - region.top, region.right - region.left
        ground = np.zeros((rows, columns, 3), np.float32)
        for each in tiles:
            if not each.region.meets(region):
                continue
            both = each.region.common(region)
            here, there = both.within(region), both.within(each.region)
            cover = each.cover[there]
            ground[here] += (each.colours[there] - ground[here]) * cover
        self.pixels[region.within(Region(0, 0, 0, 0))] = np.rint(ground)


def _joined(regions: Iterable[Region]) -> list[Region]:
    """Regions without those that touch: these become the one around them."""
    apart: list[Region] = []
    for region in sorted(set(regions)):
        met = [other for other in apart if other.meets(region)]
        while met:
            apart = [other for other in apart if other not in met]
            ends = list(zip(region, *met, strict=True))
            region = Region(*map(min, ends[:2]), *map(max, ends[2:]))
            met = [other for other in apart if other.meets(region)]
        apart.append(region)
    return [region for region in apart if region.left < region.right and region.top < region.bottom]


def _around(marks: Iterable[Mark], start: float, scale: float) -> Region:
    """The pixels that marks may touch, and some more."""
    sides = [side for mark in marks for side in _sides(mark)]
    if not sides:
        return Region(0, 0, 0, 0)
    xs, ys = [x - start for x, _ in sides], [y for _, y in sides]
    left, top = (int((min(of) - 4) * scale) - 1 for of in (xs, ys))
    right, bottom = (int((max(of) + 4) * scale) + 2 for of in (xs, ys))
    return Region(left, top, right, bottom)


def _sides(mark: Mark) -> Iterator[tuple[float, float]]:
    """Points between which a mark lies."""
    if isinstance(mark, Rect):
        yield from ((mark.x, mark.y), (mark.x + mark.w, mark.y + mark.h))
    elif isinstance(mark, Line):
        yield from (point for _, ends in mark.path for point in ends)
    elif isinstance(mark, Patch):
        yield from mark.points
    elif isinstance(mark, Words):
        # A little more than fonts need: what lies outside would not be drawn.
        wide = 1.1 * theme.text_width(mark.text, mark.size, mono=mark.mono, bold=mark.bold)
        back = {"start": 0.0, "middle": wide / 2, "end": wide}[mark.anchor]
        yield from ((mark.x - back, mark.y - 1.2 * mark.size), (mark.x - back + wide, mark.y))
        yield mark.x, mark.y + 0.4 * mark.size
