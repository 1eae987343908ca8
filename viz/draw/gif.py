"""A trace as an animated GIF: one frame for each step, with its line of code, sentence and numbers.

Frames share one palette, taken from the frames themselves. So the bytes depend on the trace, on the
versions of Matplotlib and Pillow and on the fonts found, but not on the day.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from PIL import Image

from minipaddle.engine.errors import InvalidArgument

from .. import theme
from ..facts.last_values import MINUS, ODD, PLUS
from ..story.chapters import first_shown
from .film_strip import Filmed, film
from .form import PLAIN, Form
from .frames import Stage
from .paint import Painting

FRAMES = 400  # maximum number of steps; few programs open more frames
SIDE = 1600  # maximum number of pixels of the longer side
PIXELS = 400_000_000  # maximum number of pixels of all frames together
COLOURS = 128
SHADES = 16  # number of shades of each colour of small pictures
MOMENT = 50  # milliseconds of a brief frame
EXACT = 48  # number of COLOURS that are exact: the most frequent ones
BITS = 5  # bits of red, green and blue by which a colour is looked up


def gif(
    trace: Filmed,
    *,
    steps: Sequence[int] | None = None,
    seconds: float = 1.2,
    scale: float = 1.5,
    lang: str = "en",
    color_by: str = "",
    form: Form = PLAIN,
) -> bytes:
    """Return the steps as an animated GIF; the last step stays three times as long.

    Without `steps`, show the first round, or all steps if there are no rounds, without the steps
    of memory.
    """
    paintings = paintings_of(trace, steps, lang, color_by, form, FRAMES)
    stage = Stage(scale_of(paintings, scale), form.colours)
    palette = _choose_palette(stage, paintings, form)
    numbers = _nearest_colours(palette)
    frames = []
    for painting in paintings:
        frame = Image.fromarray(numbers[_cell_of(np.asarray(stage.draw(painting)))])
        frame.putpalette(palette.astype(np.uint8).tobytes())
        frames.append(frame)
    each = round(1000 * seconds)
    times = [MOMENT if painting.brief else each for painting in paintings]
    target = io.BytesIO()
    frames[0].save(
        target,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        loop=0,
        optimize=False,
        duration=[*times[:-1], 3 * each],
    )
    return target.getvalue()


def paintings_of(
    trace: Filmed, steps: Sequence[int] | None, lang: str, color_by: str, form: Form, most: int
) -> list[Painting]:
    """Return the frames of a moving picture; raise InvalidArgument for none or too many."""
    chosen = every_step(trace) if steps is None else steps
    if not 0 < len(chosen) <= most:
        raise InvalidArgument(
            "these steps do not make a moving picture.",
            expected=f"1 to {most} steps",
            received=f"{len(chosen)} steps",
            fix='name some: trace.save("x.gif", steps=range(40)), or save as .html',
        )
    return list(film(trace, chosen, lang, color_by, form, moving=True))


def every_step(trace: Filmed) -> list[int]:
    """Return the steps that a moving picture shows by default."""
    shown = first_shown(trace.chapters)
    return [shown.first + step.index for step in shown.trace.story.steps if not step.of_memory]


def scale_of(paintings: Sequence[Painting], scale: float) -> float:
    """Return the scale, reduced so that one frame, and all frames together, are small enough."""
    width, height = paintings[0].width, paintings[0].height
    together = float((PIXELS / (width * height * len(paintings))) ** 0.5)
    return min(scale, SIDE / max(width, height), together)


def _choose_palette(stage: Stage, paintings: Sequence[Painting], form: Form) -> Any:
    """Return colours from the first, middle and last frame; the most frequent are exact."""
    some = {0, len(paintings) // 2, len(paintings) - 1}
    pixels = np.concatenate([np.asarray(stage.draw(paintings[k]))[::2, ::2] for k in sorted(some)])
    red, green, blue = (pixels[..., k].astype(np.int64) for k in range(3))
    shades, counts = np.unique((red << 16) | (green << 8) | blue, return_counts=True)
    most = np.resize(shades[np.argsort(-counts, kind="stable")], EXACT)
    exact = np.stack([most >> 16, (most >> 8) & 255, most & 255], axis=1)
    rest = Image.fromarray(pixels).quantize(COLOURS - EXACT, Image.Quantize.MEDIANCUT)
    own = [*_shades_of_values(stage.colours)] if form.values else []
    return np.concatenate([exact, np.reshape([*(rest.getpalette() or []), *own], (-1, 3))])


def _shades_of_values(colours: str) -> Iterator[float]:
    """Yield red, green and blue of the colours of small pictures, which few pixels have."""
    paper = bytes.fromhex((theme.DARK if colours == "dark" else theme.LIGHT)["paper"][1:])
    greys = (0, 0, 0), (255, 255, 255)
    for start, end in ((paper, PLUS), (paper, MINUS), greys):
        for share in range(SHADES):
            for first, last in zip(start, end, strict=True):
                yield round(first + (last - first) * share / (SHADES - 1))
    yield from ODD[:3]


def _nearest_colours(palette: Any) -> Any:
    """Return the number of the nearest colour of each cell; exact colours own their cells."""
    steps = np.arange(1 << BITS) << (8 - BITS)
    steps |= steps >> BITS  # 0 to 255, so that white stays white
    cells = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    # |cell - colour|² without |cell|², which is equal for all colours
    far = (palette**2).sum(axis=1) - 2 * cells @ palette.T
    numbers = far.argmin(axis=1).astype(np.uint8)
    own = np.arange(EXACT)[::-1]  # the most frequent last: it wins a shared cell
    numbers[_cell_of(palette[own])] = own
    return numbers


def _cell_of(colours: Any) -> Any:
    """Return the number of each colour's cell."""
    red, green, blue = (colours[..., k].astype(np.uint16) >> (8 - BITS) for k in range(3))
    return (red << 2 * BITS) | (green << BITS) | blue
