"""Paintings as PNG or PDF: the marks of the SVG drawn by Matplotlib, without pyplot.

Matplotlib's global settings do not change the picture, and texts are drawn literally: a dollar sign
begins no formula. The bytes depend on the painting, on Matplotlib's version and on the fonts found,
not on the day.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial, singledispatch
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from minipaddle.engine.errors import InvalidArgument

from .. import theme
from .paint import Line, Painting, Part, Patch, Pixels, Rect, Words

_Renderer: Any = RendererAgg  # Matplotlib declares no types for it
_PATH_CODES = {
    "M": [Path.MOVETO],
    "L": [Path.LINETO],
    "Q": [Path.CURVE3] * 2,
    "C": [Path.CURVE4] * 3,
}
_MOST_PIXELS = 60_000  # maximum number of pixels on a side, for Agg
_MOST_POINTS = 14_400.0  # maximum side of a page, for PDF readers
_SETTINGS: Any = {
    "text.usetex": False,
    "path.sketch": None,
    "path.effects": [],
    "path.simplify": False,
    "pdf.fonttype": 42,
    "pdf.compression": 6,
    "pdf.use14corefonts": False,
}
_NO_DATE = {"Creator": "minipaddle", "Producer": "Matplotlib", "CreationDate": None}


def png_of(painting: Painting, scale: float = 2.0, colours: str = "light") -> bytes:
    """Return a painting as PNG bytes, with `scale` pixels for each unit of it.

    Raise InvalidArgument if it is too large for a bitmap.

    >>> png_of(Painting(0, 9, 9, (Part("box", (Rect(1, 1, 5, 5, 0, "ink"),)),)))[1:4]
    b'PNG'
    """
    _check_size(painting, scale)
    return _print_figure(painting, FigureCanvasAgg, 1.0, scale, colours, {"Software": None})


def tile(
    part: Part, start: float, scale: float, region: tuple[int, int, int, int], colours: str
) -> Any:
    """Return the piece of a part inside a region, as rows of RGBA bytes.

    `region` is left, top, right and bottom in pixels, with `scale` pixels a unit from x = `start`.
    The caller has entered `fixed_settings`.
    """
    left, top, right, bottom = region
    size = right - left, bottom - top
    if min(size) <= 0:
        return np.zeros((max(size[1], 0), max(size[0], 0), 4), np.uint8)
    palette = theme.DARK if colours == "dark" else theme.LIGHT
    figure = Figure(figsize=(size[0] / 72, size[1] / 72), dpi=72 * scale)
    renderer: Any = _Renderer(*size, 72 * scale)
    place = Affine2D().translate(-start, 0).scale(scale, -scale).translate(-left, bottom)
    pixels = np.asarray(renderer.buffer_rgba())
    for mark in part.marks:
        artist = _artist_of(mark, palette, 1.0)
        artist.set_figure(figure)
        artist.set_transform(place)
        artist.draw(renderer)
    return pixels


def _check_size(painting: Painting, scale: float) -> None:
    largest = max(painting.width, painting.height)
    if not 0 < scale <= _MOST_PIXELS / largest:
        raise InvalidArgument(
            "The picture does not fit into one PNG.",
            expected=f"a scale above 0 that gives at most {_MOST_PIXELS} pixels on each side",
            received=f"scale={scale:g} for {painting.width:.0f} x {painting.height:.0f} units",
            fix="close groups, choose a smaller scale, or save as .svg or .html",
        )


def pdf_of(painting: Painting, colours: str = "light") -> bytes:
    """Return a painting as a PDF page with real text, made smaller if it exceeds a page.

    >>> pdf_of(Painting(0, 9, 9, (Part("box", (Rect(1, 1, 5, 5, 0, "ink"),)),)))[:4]
    b'%PDF'
    """
    unit = min(1.0, _MOST_POINTS / max(painting.width, painting.height))
    return _print_figure(painting, FigureCanvasPdf, unit, 1.0, colours, _NO_DATE)


def _print_figure(
    painting: Painting,
    canvas: type[FigureCanvasAgg | FigureCanvasPdf],
    unit: float,
    scale: float,
    chosen: str,
    metadata: Mapping[str, str | None],
) -> bytes:
    with fixed_settings():
        figure = _figure_of(painting, unit, chosen)
        target = io.BytesIO()
        kind = "png" if canvas is FigureCanvasAgg else "pdf"
        draw = partial(canvas(figure).print_figure, target, format=kind, facecolor="none")
        draw(dpi=72 * scale, metadata=dict(metadata))
    return target.getvalue()


@contextmanager
def fixed_settings() -> Iterator[None]:
    """Replace the user's Matplotlib settings by fixed ones inside the block."""
    with mpl.rc_context(_SETTINGS), warnings.catch_warnings():
        # A letter that no font has is drawn as an empty box.
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def _figure_of(painting: Painting, unit: float, chosen: str) -> Figure:
    size = (painting.width * unit / 72, painting.height * unit / 72)
    figure = Figure(figsize=size, dpi=72)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(painting.left, painting.left + painting.width)
    axes.set_ylim(painting.height, 0)
    colours = theme.DARK if chosen == "dark" else theme.LIGHT
    for layer, part in enumerate(painting.parts):
        for mark in part.marks:
            artist = _artist_of(mark, colours, unit)
            artist.set_zorder(layer)
            if part.state == "pending":
                artist.set_alpha(theme.PENDING)
            axes.add_artist(artist)
    return figure


@cache
def _installed_fonts(preferred: tuple[str, ...]) -> tuple[str, ...]:
    """Return the installed fonts, with one for East Asian letters, if any."""
    known = {font.name for font in fontManager.ttflist}
    eastern = sorted(name for name in known if "CJK" in name or name in theme.EASTERN)
    families = [name for name in preferred if name in known] + eastern[:1] + ["DejaVu Sans"]
    return tuple(dict.fromkeys(families))


@singledispatch
def _artist_of(mark: object, _colours: Mapping[str, str], _unit: float) -> Artist:
    raise TypeError(type(mark).__name__)


@_artist_of.register
def _(mark: Rect, colours: Mapping[str, str], unit: float) -> FancyBboxPatch:
    radius = min(mark.radius, mark.w / 2, mark.h / 2)
    style = f"round,pad=0,rounding_size={radius}" if radius else "square,pad=0"
    return FancyBboxPatch(
        (mark.x, mark.y),
        mark.w,
        mark.h,
        boxstyle=style,
        mutation_scale=1,
        facecolor=colours[mark.fill] if mark.fill else "none",
        edgecolor=colours[mark.stroke] if mark.stroke else "none",
        linewidth=mark.width * unit if mark.stroke else 0,
    )


@_artist_of.register
def _(mark: Line, colours: Mapping[str, str], unit: float) -> PathPatch:
    points = [point for _, ends in mark.path for point in ends]
    codes = [code for letter, _ in mark.path for code in _PATH_CODES[letter]]
    dash = (0, (6 / mark.width, 4 / mark.width)) if mark.dashed else "solid"
    return PathPatch(
        Path(points, codes),
        facecolor="none",
        edgecolor=colours[mark.stroke],
        linewidth=mark.width * unit,
        linestyle=dash,
        capstyle="butt",
    )


@_artist_of.register
def _(mark: Patch, colours: Mapping[str, str], _unit: float) -> Polygon:
    return Polygon(mark.points, closed=True, facecolor=colours[mark.fill], edgecolor="none")


@_artist_of.register
def _(mark: Pixels, _colours: Mapping[str, str], _unit: float) -> QuadMesh:
    across = np.linspace(mark.x, mark.x + mark.w, mark.columns + 1)
    down = np.linspace(mark.y, mark.y + mark.h, mark.rows + 1)
    corners = np.stack(np.meshgrid(across, down), axis=-1)
    colours = np.frombuffer(mark.pixels, np.uint8).reshape(-1, 4) / 255
    return QuadMesh(corners, antialiased=False, facecolors=colours)


@_artist_of.register
def _(mark: Words, colours: Mapping[str, str], unit: float) -> Text:
    words = Text(
        mark.x,
        mark.y,
        mark.text,
        color=colours[mark.colour],
        fontsize=mark.size * unit,
        fontfamily=_installed_fonts(theme.MONO if mark.mono else theme.SANS),
        fontweight="bold" if mark.bold else "normal",
        ha={"middle": "center", "start": "left", "end": "right"}[mark.anchor],
        va="baseline",
        parse_math=False,
    )
    if mark.halo:
        words.set_path_effects([withStroke(linewidth=4 * unit, foreground=colours[mark.halo])])
    return words
