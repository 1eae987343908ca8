"""A trace as a moving picture: one frame for each step, drawn like the PNG, with its sentence.

Frames share one palette, taken from the theme and from the frames themselves, so the bytes depend
on the trace, on the versions of Matplotlib and Pillow and on the fonts found, and not on the day.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from minipaddle.engine.errors import InvalidArgument

from ..story.chapters import shown_first
from .film_strip import Filmed, film
from .raster import pixels

FRAMES = 400  # more make a file that few programs open
SIDE = 1600  # pixels of the longer side, at most
PIXELS = 400_000_000  # of all frames together, while they are made
COLOURS = 128


def gif(
    trace: Filmed,
    *,
    steps: Sequence[int] | None = None,
    seconds: float = 1.2,
    scale: float = 1.5,
    colours: str = "light",
    lang: str = "en",
    color_by: str = "",
) -> bytes:
    """The steps as an animated GIF; the last one stays three times as long.

    If none are named they are those of the first round, or all there are, but for steps that tell
    of memory alone.
    """
    chosen = every_step(trace) if steps is None else steps
    if not 0 < len(chosen) <= FRAMES:
        raise InvalidArgument(
            "these steps do not make a moving picture.",
            expected=f"1 to {FRAMES} steps",
            received=f"{len(chosen)} steps",
            fix='name some: trace.save("x.gif", steps=range(40)), or save as .html',
        )
    frames = []
    for painting in film(trace, chosen, lang, color_by):
        scale = min(scale, SIDE / max(painting.width, painting.height))
        scale = min(scale, (PIXELS / (painting.width * painting.height * len(chosen))) ** 0.5)
        frames.append(Image.fromarray(pixels(painting, scale, colours)))
    return _encode(frames, seconds)


def every_step(trace: Filmed) -> list[int]:
    """The steps that a moving picture has unless others are named."""
    shown = shown_first(trace.chapters)
    return [shown.first + step.index for step in shown.trace.story.steps if not step.of_memory]


def _encode(frames: list[Image.Image], seconds: float) -> bytes:
    palette = _palette(frames)
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    each = round(1000 * seconds)
    target = io.BytesIO()
    flat[0].save(
        target,
        "GIF",
        save_all=True,
        append_images=flat[1:],
        loop=0,
        optimize=False,
        duration=[each] * (len(flat) - 1) + [3 * each],
    )
    return target.getvalue()


def _palette(frames: list[Image.Image]) -> Image.Image:
    """The colours of the first, the middle and the last frame, which have all that there are."""
    some = [frames[k] for k in sorted({0, len(frames) // 2, len(frames) - 1})]
    width, height = some[0].size
    together = Image.new("RGB", (width, height * len(some)))
    for k, frame in enumerate(some):
        together.paste(frame, (0, height * k))
    return together.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
