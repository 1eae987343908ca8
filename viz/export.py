"""Traces and views as files in the format that the ending names, written whole or not at all."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from minipaddle.engine import files
from minipaddle.engine.errors import InvalidArgument, NotFound
from minipaddle.engine.guard import pause_collector
from minipaddle.engine.install_advice import optional_imports

from . import language
from .draw import dot, svg
from .draw.fault_card import add_fault, add_remark
from .draw.film_strip import Filmed, Pictured, film, looks_of, slide, strip
from .draw.form import PLAIN, Form
from .draw.magnitude_tint import describe as describe_colours
from .draw.memory_chart import add_chart
from .draw.paint import Painting
from .facts import costs, magnitude
from .facts.problems.find import in_short
from .layout.scene import first_open
from .player.book import Playable, book_of
from .player.page import to_html
from .story.chapters import Chapter, failing_step


class Saveable(Filmed, Playable, Protocol):
    """Part of a trace that saving needs."""

    @property
    def shown(self) -> Chapter[Pictured]: ...

    def round(self, number: int) -> Saveable: ...

    def say(self, step: int, lang: str) -> str: ...

    def text(self, lang: str) -> str: ...

    def dumps(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Wish:
    """Options of `save`: steps of a film strip, language, colouring, form of the picture."""

    steps: tuple[int, ...] | None = None
    lang: str = ""
    color_by: str = ""
    form: Form = PLAIN

    @property
    def words(self) -> str:
        """Language of texts that the reader cannot switch."""
        return language.for_text(self.lang)


T = TypeVar("T")
Content = str | bytes
Writer = Callable[[Saveable, Wish], Content]


def _write_html(trace: Saveable, wish: Wish) -> str:
    options: dict[str, Any] = {"step": failing_step(trace.shown), "color_by": wish.color_by}
    return to_html(book_of(trace, wish.form.times), lang=language.for_player(wish.lang), **options)


def _write_svg(trace: Saveable, wish: Wish) -> str:
    title = trace.title if wish.steps is not None else trace.shown.trace.title
    texts = title, description_of(trace, wish)
    colours = "dark" if wish.form.dark else "auto"
    return svg.svg_of(painting_of(trace, wish), *texts, colours, wish.words)


def _write_gif(trace: Saveable, wish: Wish) -> bytes:
    with optional_imports():
        from .draw.gif import gif  # Pillow

    return gif(trace, steps=wish.steps, lang=wish.words, color_by=wish.color_by, form=wish.form)


def _video_writer(ending: str) -> Writer:
    def write(trace: Saveable, wish: Wish) -> bytes:
        with optional_imports():
            from .draw.video import video  # Matplotlib, ffmpeg

        options = wish.words, wish.color_by, wish.form
        return video(trace, ending, wish.steps, *options)

    return write


def _write_dot(trace: Saveable, wish: Wish) -> str:
    graph = trace.shown.trace.story.graph
    return dot.source(graph, first_open(graph), wish.words)


def _graphviz_writer(form: str) -> Writer:
    def write(trace: Saveable, _wish: Wish) -> bytes:
        graph = trace.shown.trace.story.graph
        return dot.render(graph, form, first_open(graph))

    return write


def png(painting: Painting, form: Form = PLAIN) -> bytes:
    """Return a painting as PNG; a slide has PROJECTOR pixels in height."""
    with optional_imports():
        from .draw.raster import png_of  # Matplotlib

    return png_of(painting, PROJECTOR / painting.height if form.width else 2.0, form.colours)


def pdf(painting: Painting, form: Form = PLAIN) -> bytes:
    """Return a painting as PDF."""
    with optional_imports():
        from .draw.raster import pdf_of  # Matplotlib

    return pdf_of(painting, form.colours)


# ending -> function that makes the text or bytes of such a file
WRITERS: dict[str, Writer] = {
    ".json": lambda trace, _: trace.dumps(),
    ".txt": lambda trace, wish: trace.text(wish.words),
    ".html": _write_html,
    ".svg": _write_svg,
    ".png": lambda trace, wish: png(painting_of(trace, wish), wish.form),
    ".pdf": lambda trace, wish: pdf(painting_of(trace, wish), wish.form),
    ".gif": _write_gif,
    ".mp4": _video_writer(".mp4"),
    ".webm": _video_writer(".webm"),
    ".dot": _write_dot,
}
BY_STEPS = (".svg", ".png", ".pdf", ".gif", ".mp4", ".webm")  # files that can show chosen steps
PROJECTOR = 1080  # height of a slide in pixels
BY_COLOUR = (*BY_STEPS, ".html")  # files that can show magnitudes and costs


def painting_of(trace: Saveable, wish: Wish) -> Painting:
    """Return the picture, or a film strip if steps are chosen."""
    if wish.steps is not None:
        if wish.form.width and len(wish.steps) > 1:
            raise InvalidArgument(
                "a slide shows one step: several would be too small to read.",
                expected="one step, or a moving picture (.gif)",
                received=f"steps={list(wish.steps)} with an aspect",
                fix=f"write steps=[{wish.steps[0]}] for one slide, or leave aspect out",
            )
        panels = list(film(trace, wish.steps, wish.words, wish.color_by, wish.form))
        return panels[0] if wish.form.width else strip(panels)
    shown, form, lang = trace.shown, wish.form, wish.words
    failing = failing_step(shown)
    if form.width and failing is not None:
        return painting_of(trace, dataclasses.replace(wish, steps=(failing,)))
    story, last = shown.trace.story, len(shown.trace.story.steps) - 1
    (look,) = looks_of(trace, [shown], wish.color_by, form)
    if form.width:
        return slide(look.paint(last, lang, legend=False), look.feet(lang), form.width)
    painting = add_fault(look.paint(last, lang), story, lang)
    painting = add_remark(painting, in_short(trace.problems()).of(lang), lang)
    return add_chart(painting, story, lang, first=shown.first) if form.memory else painting


def description_of(trace: Saveable, wish: Wish) -> str:
    """Return the description of the picture for screen readers."""
    if wish.steps is not None:
        return " ".join(f"{k + 1}: {trace.say(k, wish.words)}" for k in wish.steps)
    (look,) = looks_of(trace, [trace.shown], wish.color_by, wish.form)
    sentences = [svg.describe(look.scene, wish.words)]
    failing = failing_step(trace.shown)
    if failing is not None:
        sentences.append(trace.say(failing, wish.words))
    problems = in_short(trace.problems()).of(wish.words)
    sentences += [problems] if problems else []
    if look.colours:
        last = len(look.story.steps) - 1
        sentences.append(describe_colours(look.scene, look.colours, last, wish.words))
    return " ".join(sentences)


@pause_collector()
def save(
    trace: Saveable,
    path: str | os.PathLike[str],
    engine: str = "builtin",
    steps: Iterable[int] | None = None,
    lang: str = "",
    color_by: str = "",
    round: int | None = None,
    form: Form = PLAIN,
) -> Path:
    """Write the trace, or a round, in the format that the ending names; return the path."""
    target = Path(path)
    trace = trace if round is None else trace.round(round)
    chosen = None if steps is None else numbers_of_steps(steps, len(trace), target)
    if color_by:
        check_colouring(color_by, target, engine)
    if dataclasses.replace(form, times=None) != PLAIN:
        what, asked = (
            "the form of the picture cannot be chosen",
            "aspect, halves, memory, values or dark",
        )
        fix = f"save to {target.with_suffix('.png').name}, or leave these out"
        check_option(what, asked, BY_STEPS, fix, target, engine)
    write = check(target, engine)
    return replace(target, write(trace, Wish(chosen, lang, color_by, form)))


def check(path: str | os.PathLike[str], engine: str = "builtin") -> Writer:
    """Return the function that makes a file; raise an error if it cannot be written there."""
    target = Path(path)
    if engine == "dot":
        write: Writer = _graphviz_writer(target.suffix.lower().removeprefix("."))
    elif engine == "builtin":
        write = writer_of(target, WRITERS)
    else:
        raise InvalidArgument(
            f"there is no layout engine {engine!r}.",
            expected="'builtin', or 'dot' where the Graphviz program dot is installed",
            received=repr(engine),
            fix="leave engine out",
        )
    check_place(target)
    return write


def check_place(target: Path) -> None:
    """Raise an error if no file can be written at a path."""
    files.check_name(target)
    if target.is_dir():
        raise InvalidArgument(
            f"cannot save to {target}: it is a folder.",
            expected="the name of a file",
            received=f"the folder {target}",
            fix=f"name a file in it, such as {target / 'trace.html'}",
        )
    if not target.parent.is_dir():
        raise NotFound(
            f"cannot save to {target}: its folder does not exist.",
            expected="a file name in an existing folder",
            received=f"the folder {target.parent}, which is not there",
            fix=f"make it first: pathlib.Path({str(target.parent)!r})"
            ".mkdir(parents=True, exist_ok=True)",
        )


def save_view(target: Path, writers: Mapping[str, Callable[[], Content]]) -> Path:
    """Write a view in the format that the ending names; return the path."""
    write = writer_of(target, writers)
    check_place(target)
    return replace(target, write())


def writer_of(target: Path, writers: Mapping[str, T]) -> T:
    """Return the writer for the ending of a file; raise an error if there is none."""
    ending = target.suffix.lower()
    if ending not in writers:
        usual = ".html" if ".html" in writers else next(iter(writers))
        raise InvalidArgument(
            f"cannot save to {target}: "
            + (f"the ending {ending} is not known here." if ending else "the name has no ending."),
            expected=f"a name that ends in {' '.join(writers)}",
            received=target.name,
            fix=f"save to {target.with_suffix(usual).name}",
        )
    return writers[ending]


def numbers_of_steps(steps: Iterable[int], count: int, target: Path) -> tuple[int, ...]:
    """Return the steps, in order and each once; negative ones count from the end."""
    requested: Sequence[int] = list(steps)
    chosen = sorted({k + count if k < 0 else k for k in requested})
    if target.suffix.lower() not in BY_STEPS or not chosen or chosen[0] < 0 or chosen[-1] >= count:
        raise InvalidArgument(
            "cannot draw a picture of these steps.",
            expected=f"numbers from 0 to {count - 1}, for a file that ends in "
            + " ".join(BY_STEPS),
            received=f"steps={requested!r} for {target.name}",
            fix="name steps of this trace; trace.text() tells which there are (counted from 1)",
        )
    return tuple(chosen)


def check_colouring(color_by: str, target: Path, engine: str) -> None:
    """Raise an error for an unknown colouring, or for a file that cannot have it."""
    if color_by not in costs.BY:
        magnitude.check_quantity(color_by)
    by = color_by if color_by in costs.BY else "magnitude"
    what, asked = f"boxes cannot be coloured by {by}", f"color_by={color_by!r}"
    fix = f"save to {target.with_suffix('.svg').name}; trace.statistics() has the numbers"
    check_option(what, asked, BY_COLOUR, fix, target, engine)


def check_option(
    what: str, asked: str, endings: Sequence[str], fix: str, target: Path, engine: str
) -> None:
    """Raise an error if a file, by its ending and engine, cannot have an option."""
    if target.suffix.lower() not in endings or engine != "builtin":
        raise InvalidArgument(
            f"{what} in this file.",
            expected=f"a file that ends in {' '.join(endings)}, drawn without engine='dot'",
            received=f"{asked} for {target.name}"
            + (f" with engine={engine!r}" if engine != "builtin" else ""),
            fix=fix,
        )


def replace(target: Path, content: Content) -> Path:
    """Write the content at once, so that a failure leaves the old file, or none."""
    files.write({target: content.encode("utf-8") if isinstance(content, str) else content})
    return target
