"""A trace as a moving picture: one frame for each step, with its line of code, its sentence and its
numbers.

Frames share one palette, taken from the theme and from the frames themselves, so the bytes depend
on the trace, on the versions of Matplotlib and Pillow and on the fonts found, and not on the day.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from minipaddle.engine.errors import InvalidArgument

from ..story.chapters import shown_first
from .film_strip import Filmed, film
from .form import PLAIN, Form
from .frames import Stage
from .paint import Painting

FRAMES = 400  # more make a file that few programs open
SIDE = 1600  # pixels of the longer side, at most
PIXELS = 400_000_000  # of all frames together, while they are made
COLOURS = 128
EXACT = 48  # of these: the colours that most pixels have
BITS = 5  # of red, green and blue, by which a colour is looked up


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
    """Return the steps as an animated GIF; the last one stays three times as long.

    If none are named they are those of the first round, or all there are, but for steps that tell
    of memory alone.
    """
    paintings = paintings_of(trace, steps, lang, color_by, form, FRAMES)
    stage = Stage(scale_of(paintings, scale), form.colours)
    palette = _palette(stage, paintings)
    numbers = _nearest(palette)
    frames = []
    for painting in paintings:
        frame = Image.fromarray(numbers[_cell(np.asarray(stage.draw(painting)))])
        frame.putpalette(palette.astype(np.uint8).tobytes())
        frames.append(frame)
    each = round(1000 * seconds)
    target = io.BytesIO()
    frames[0].save(
        target,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        loop=0,
        optimize=False,
        duration=[each] * (len(frames) - 1) + [3 * each],
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
    """Return the steps that a moving picture has unless others are named."""
    shown = shown_first(trace.chapters)
    return [shown.first + step.index for step in shown.trace.story.steps if not step.of_memory]


def scale_of(paintings: Sequence[Painting], scale: float) -> float:
    """Return the pixels for each unit that keep one frame, and all frames together, small
    enough."""
    width, height = paintings[0].width, paintings[0].height
    together = float((PIXELS / (width * height * len(paintings))) ** 0.5)
    return min(scale, SIDE / max(width, height), together)


def _palette(stage: Stage, paintings: Sequence[Painting]) -> Any:
    """Choose the colours by the first, the middle and the last frame; the commonest are exact."""
    some = {0, len(paintings) // 2, len(paintings) - 1}
    pixels = np.concatenate([np.asarray(stage.draw(paintings[k]))[::2, ::2] for k in sorted(some)])
    red, green, blue = (pixels[..., k].astype(np.int64) for k in range(3))
    shades, counts = np.unique((red << 16) | (green << 8) | blue, return_counts=True)
    most = np.resize(shades[np.argsort(-counts, kind="stable")], EXACT)
    exact = np.stack([most >> 16, (most >> 8) & 255, most & 255], axis=1)
    rest = Image.fromarray(pixels).quantize(COLOURS - EXACT, Image.Quantize.MEDIANCUT)
    return np.concatenate([exact, np.reshape(rest.getpalette() or [], (-1, 3))])


def _nearest(palette: Any) -> Any:
    """Return for each cell of colours the number of the nearest; the exact ones own their cells."""
    steps = np.arange(1 << BITS) << (8 - BITS)
    steps |= steps >> BITS  # from 0 to 255, so that white stays white
    cells = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    # |cell - colour|² without |cell|², which is the same for all colours.
    far = (palette**2).sum(axis=1) - 2 * cells @ palette.T
    numbers = far.argmin(axis=1).astype(np.uint8)
    own = np.arange(EXACT)[::-1]  # the commonest last, as two may share a cell
    numbers[_cell(palette[own])] = own
    return numbers


def _cell(colours: Any) -> Any:
    """Return the number of the cell that each colour lies in."""
    red, green, blue = (colours[..., k].astype(np.uint16) >> (8 - BITS) for k in range(3))
    return (red << 2 * BITS) | (green << BITS) | blue
