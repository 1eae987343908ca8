"""Traces as files: written whole or not at all, read with care, shown in a notebook."""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minipaddle.errors import InvalidArgument, NotFound

from . import language, later

FRAME_BYTES = 10_000_000  # a page that is kept in a notebook
READABLE = 300  # steps that a notebook keeps as text beside the player


@dataclass(frozen=True, slots=True)
class Wish:
    """What `save` was asked for: the steps of a film strip, the language, what colours boxes."""

    steps: tuple[int, ...] | None = None
    lang: str = ""
    color_by: str = ""

    @property
    def words(self) -> str:
        """The language of texts that the reader cannot turn."""
        return language.words(self.lang)


# ending: what gives the text or bytes of such a file
WRITERS: dict[str, Callable[[Any, Wish], str | bytes]] = {
    ".json": lambda trace, wish: trace.dumps(),  # noqa: ARG005
    ".txt": lambda trace, wish: trace.text(wish.words),
    ".html": lambda trace, wish: later.html.to_html(
        later.payload.payload_of(trace.story),
        lang=language.start(wish.lang),
        color_by=wish.color_by,
    ),
    ".svg": lambda trace, wish: later.svg.drawn(
        painted(trace, wish), trace.title, described(trace, wish)
    ),
    ".png": lambda trace, wish: later.raster.png_of(painted(trace, wish)),
    ".pdf": lambda trace, wish: later.raster.pdf_of(painted(trace, wish)),
    ".gif": lambda trace, wish: later.gif.gif(
        trace.story,
        picture(trace),
        steps=wish.steps,
        lang=wish.words,
        colouring=colouring(trace, wish),
    ),
    ".dot": lambda trace, wish: later.dot.source(  # noqa: ARG005
        trace.story.graph, first_open(trace)
    ),
}
BY_STEPS = (".svg", ".png", ".pdf", ".gif")  # what can show chosen steps
BY_COLOUR = (*BY_STEPS, ".html")  # what can show magnitudes


def first_open(trace: Any) -> frozenset[str]:
    """The groups that are open when the player starts."""
    key = later.scene.default_open(trace.story.graph)
    return frozenset(key.split("+")) if key else frozenset()


def picture(trace: Any) -> Any:
    """The whole picture as the player shows it at first."""
    return later.scene.scene_of(trace.story.graph, first_open(trace))


def colouring(trace: Any, wish: Wish) -> Any:
    """The magnitudes that boxes are coloured by, if that was wished for."""
    return later.magnitude.colouring(trace.story, wish.color_by) if wish.color_by else None


def painted(trace: Any, wish: Wish) -> Any:
    """The picture, or a film strip of the steps wished for."""
    scene, colours = picture(trace), colouring(trace, wish)
    if wish.steps is None:
        bare = later.paint.paint(scene, lang=wish.words)
        if colours:
            bare = later.tint.tinted(bare, scene, colours, len(trace) - 1, wish.words)
        return later.chart.under(bare, trace.story, wish.words)
    panels = later.moments.moments(trace.story, scene, wish.steps, wish.words, colouring=colours)
    return later.moments.strip(list(panels))


def described(trace: Any, wish: Wish) -> str:
    """What a screen reader says instead of the picture."""
    if wish.steps is None:
        scene, colours = picture(trace), colouring(trace, wish)
        found = [str(later.svg.describe(scene))]
        if colours:
            found.append(later.tint.described(scene, colours, len(trace) - 1, wish.words))
        return " ".join(found)
    return " ".join(f"{k + 1}: {trace.say(k, wish.words)}" for k in wish.steps)


def save(
    trace: Any,
    path: str | os.PathLike[str],
    engine: str = "builtin",
    steps: Iterable[int] | None = None,
    lang: str = "",
    color_by: str = "",
) -> Path:
    """Write the trace in the form that the ending names, and give back where."""
    target = Path(path)
    chosen = None if steps is None else those(steps, len(trace), target)
    if color_by:
        colourable(color_by, target, engine)
    content = check(target, engine, Wish(chosen, lang, color_by))(trace)
    replace(target, content.encode("utf-8") if isinstance(content, str) else content)
    return target


def check(
    path: str | os.PathLike[str], engine: str = "builtin", wish: Wish | None = None
) -> Callable[[Any], str | bytes]:
    """The function that writes such a file; the error, if it could not be written there."""
    target = Path(path)
    write = writer(target, engine, wish or Wish())
    place(target)
    return write


def place(target: Path) -> None:
    """The error, if no file can stand there."""
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
            fix=f"make it first: pathlib.Path({str(target.parent)!r}).mkdir(parents=True)",
        )


def put(target: Path, writers: Mapping[str, Callable[[], str | bytes]]) -> Path:
    """Write what the writer for this ending gives: of views other than a trace."""
    ending = target.suffix.lower()
    if ending not in writers:
        raise InvalidArgument(
            f"cannot save to {target}: "
            + (f"the ending {ending} is not known here." if ending else "the name has no ending."),
            expected=f"a name that ends in {' '.join(writers)}",
            received=target.name,
            fix=f"save to {target.with_suffix(next(iter(writers))).name}",
        )
    place(target)
    content = writers[ending]()
    replace(target, content.encode("utf-8") if isinstance(content, str) else content)
    return target


def those(steps: Iterable[int], count: int, target: Path) -> tuple[int, ...]:
    """The steps, in order and each once; negative ones count from the end."""
    given: Sequence[int] = list(steps)
    found = sorted({k + count if k < 0 else k for k in given})
    if target.suffix.lower() not in BY_STEPS or not found or found[0] < 0 or found[-1] >= count:
        raise InvalidArgument(
            "cannot draw a picture of these steps.",
            expected=f"numbers from 0 to {count - 1}, for a file that ends in "
            + " ".join(BY_STEPS),
            received=f"steps={given!r} for {target.name}",
            fix="name steps of this trace; trace.text() tells which there are (counted from 1)",
        )
    return tuple(found)


def colourable(color_by: str, target: Path, engine: str) -> None:
    """The error, if there is no such colouring, or none in such a file."""
    later.magnitude.known(color_by)
    if target.suffix.lower() not in BY_COLOUR or engine != "builtin":
        raise InvalidArgument(
            "boxes cannot be coloured by magnitude in this file.",
            expected="a file that ends in " + " ".join(BY_COLOUR) + ", drawn without engine='dot'",
            received=f"color_by={color_by!r} for {target.name}"
            + (f" with engine={engine!r}" if engine != "builtin" else ""),
            fix=f"save to {target.with_suffix('.svg').name}; trace.statistics() has the numbers",
        )


def writer(target: Path, engine: str, wish: Wish) -> Callable[[Any], str | bytes]:
    """The function that writes files with this ending, laid out by this engine."""
    ending = target.suffix.lower()
    if engine == "dot":
        return lambda trace: later.dot.render(
            trace.story.graph, ending.removeprefix("."), first_open(trace)
        )
    if engine != "builtin":
        raise InvalidArgument(
            f"there is no layout engine {engine!r}.",
            expected="'builtin', or 'dot' where the Graphviz program dot is installed",
            received=repr(engine),
            fix="leave engine away",
        )
    if ending not in WRITERS:
        raise InvalidArgument(
            f"cannot save to {target}: "
            + (f"the ending {ending} is not known." if ending else "the name has no ending."),
            expected=f"a name that ends in {' '.join(WRITERS)}",
            received=target.name,
            fix=f"save to {target.with_suffix('.html').name} for the player, "
            f"or {target.with_suffix('.json').name} to load it again",
        )
    return lambda trace: WRITERS[ending](trace, wish)


def replace(target: Path, content: bytes) -> None:
    """Put the content there at once: a failure on the way leaves the old file, or none."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)  # mkstemp makes files that only their owner can read
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read(path: str | os.PathLike[str]) -> Any:
    """The JSON of a file, or an error that says what is in it instead."""
    source = Path(path)
    if not source.is_file():
        raise NotFound(
            f"there is no trace file {source}.",
            expected="a .json file that trace.save() wrote",
            received="a folder" if source.is_dir() else "nothing of that name",
            fix="check the path; relative paths start at the working folder",
        )
    content = source.read_bytes()
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(
            f"{source} is not a trace: it is not valid JSON.",
            expected="a .json file that trace.save() wrote",
            received=_description(content, error),
            fix="save the trace again; of all forms only .json can be loaded",
        ) from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):  # `1e999`
        _no_constant(text)
    return number


def _description(content: bytes, error: Exception) -> str:
    if not content:
        return "an empty file"
    return f"{len(content)} bytes; {type(error).__name__}: {str(error)[:100]}"


# ----- showing -----------------------------------------------------------------------------------


def mimebundle(trace: Any, **options: Any) -> Any:
    """The player for a notebook, and the transcript for whoever cannot show it."""
    plain = {"text/plain": trace.text(language.words()) if len(trace) <= READABLE else repr(trace)}
    try:
        player = later.player.Player(later.payload.payload_of(trace.story), lang=language.chosen())
    except ImportError:
        return plain
    bundle = player._repr_mimebundle_(**options)
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**(data or {}), **plain}, metadata


def framed(trace: Any) -> dict[str, str]:
    """The whole player as a page in a frame: what every viewer of saved notebooks can show."""
    lang = language.chosen()
    page = later.html.to_html(later.payload.payload_of(trace.story), lang=lang or None)
    size = len(page.encode("utf-8", "replace"))
    if size > FRAME_BYTES:
        raise InvalidArgument(
            "the player is too large to be kept in a notebook.",
            expected=f"at most {FRAME_BYTES // 10**6} MB",
            received=f"{size / 1e6:.1f} MB for {len(trace)} steps",
            fix='record less (only=, depth=, limit=), or trace.save("trace.html") and link to it',
        )
    return {"text/html": later.html.frame(page, trace.title), "text/plain": repr(trace)}


def show(trace: Any, iframe: bool = False) -> None:
    """Display the player where a notebook can; print the transcript elsewhere."""
    display = sys.modules.get("IPython.display")
    shell = sys.modules.get("IPython")
    if display is not None and shell is not None and shell.get_ipython() is not None:
        if iframe:
            display.display(framed(trace), raw=True)
        else:
            display.display(trace)
    else:
        sys.stdout.write(trace.text())
