"""Lines of text as pixels, for moving pictures: Pillow draws them ten times as fast as Matplotlib,
in the fonts that Matplotlib finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.font_manager import FontProperties, findfont, get_font
from PIL import Image, ImageColor, ImageDraw, ImageFont

from .paint import Words

HALO = 2.0  # how far a halo reaches beyond its letters
MARGIN = 2  # pixels around the letters, for what slants


def write(
    pixels: Any,
    words: Words,
    at: tuple[float, float],
    scale: float,
    families: Sequence[str],
    colours: tuple[str, str],
) -> None:
    """Write a line of text onto pixels with opacity, where its base line has its x and y.

    `colours` are those of the letters and of their halo, if they have one.
    """
    runs = list(_runs(words.text, _paths(tuple(families), words.bold), words.size * scale))
    wide = sum(font.getlength(text) for font, text in runs)
    x = at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[words.anchor]
    around = round(HALO * scale) if words.halo else 0
    for font, text in runs:
        if around:
            _lay(pixels, font, text, (x, at[1]), colours[1], around)
        _lay(pixels, font, text, (x, at[1]), colours[0], 0)
        x += font.getlength(text)


def _lay(
    pixels: Any,
    font: ImageFont.FreeTypeFont,
    text: str,
    at: tuple[float, float],
    colour: str,
    around: int,
) -> None:
    """Lay letters of one colour over what is there, as far as they lie on the pixels."""
    box = font.getbbox(text, anchor="ls", stroke_width=around)
    left, top = (max(0, int(p + side) - MARGIN) for p, side in zip(at, box[:2], strict=True))
    right, bottom = (int(p + side) + MARGIN + 1 for p, side in zip(at, box[2:], strict=True))
    below = pixels[top:bottom, left:right]
    if not below.size:
        return
    mask = Image.new("L", (below.shape[1], below.shape[0]))
    place = at[0] - left, at[1] - top
    ImageDraw.Draw(mask).text(place, text, 255, font, "ls", stroke_width=around)
    cover = np.asarray(mask, np.float32)[..., None] / 255
    rest = below[..., 3:].astype(np.float32) / 255 * (1 - cover)
    whole = cover + rest
    ink = np.array(ImageColor.getrgb(colour), np.float32)
    mixed = (ink * cover + below[..., :3] * rest) / np.maximum(whole, 1 / 255)
    below[..., :3] = np.rint(mixed)
    below[..., 3:] = np.rint(whole * 255)


def _runs(
    text: str, paths: Sequence[str], size: float
) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
    """The pieces of a text, each with the first of the fonts that has its letters."""

    def path_of(letter: str) -> str:
        return next((path for path in paths if ord(letter) in _letters(path)), paths[-1])

    for path, letters in groupby(text, path_of):
        yield _font(path, size), "".join(letters)


@cache
def _paths(families: tuple[str, ...], bold: bool) -> tuple[str, ...]:
    weight = "bold" if bold else "normal"
    return tuple(str(findfont(FontProperties(family=[f], weight=weight))) for f in families)


@cache
def _letters(path: str) -> frozenset[int]:
    return frozenset(get_font(path).get_charmap())


@cache
def _font(path: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)
