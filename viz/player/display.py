"""The output of a trace in a notebook: the player, and a picture that is saved with it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from minipaddle.engine.errors import InvalidArgument

from .. import language
from ..draw import svg
from ..draw.paint import Painting, paint
from ..facts.costs import PLAIN, Colours
from ..layout.fold import fold
from ..layout.scene import first_open
from ..story.chapters import opens_at
from . import page
from .book import book_of

FRAME_BYTES = 10_000_000  # maximum size of a page in a notebook
BOXES = 120  # maximum number of boxes in a picture beside the player, about 80 kB

OUTPUTS = ("widget", "frame")
_chosen_output = "widget"


def set_output(output: str) -> None:
    """Choose how a notebook shows a trace: as a "widget", or as a page in a "frame".

    A widget needs its front end's support, a frame needs nothing: it plays in pages made of a
    notebook too, without a network. InvalidArgument for anything else.

    >>> import viz
    >>> viz.set_output("frame")
    >>> viz.set_output("widget")
    """
    global _chosen_output
    if output not in OUTPUTS:
        raise InvalidArgument(
            f"a trace cannot be shown as {output!r}.",
            expected='"widget" or "frame"',
            received=repr(output),
            fix='call viz.set_output("frame") for pages made of a notebook',
        )
    _chosen_output = output


@dataclass(frozen=True, slots=True)
class Frame:
    """The whole player as a page in a frame, for front ends that show HTML."""

    trace: Any
    step: int
    colours: Colours = PLAIN

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        return {**static_output(self.trace), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        trace, lang = self.trace, language.get_lang()
        book = book_of(trace, self.colours.times)
        options: dict[str, Any] = {"step": self.step, "color_by": self.colours.by}
        whole = page.to_html(book, lang=lang or None, **options)
        size = len(whole.encode("utf-8", "replace"))
        if size > FRAME_BYTES:
            raise InvalidArgument(
                "the player is too large to be kept in a notebook.",
                expected=f"at most {FRAME_BYTES // 10**6} MB",
                received=f"{size / 1e6:.1f} MB for {len(trace)} steps",
                fix='record less (only=, depth=, limit=), or trace.save("trace.html") and link to '
                "it",
            )
        picture = _small_picture(trace)
        below = svg.svg_of(*picture[:3], lang=picture[3]) if picture else ""
        return page.frame(whole, trace.title, below)

    def __repr__(self) -> str:
        return f"<Frame of {self.trace.title}>"


@dataclass(frozen=True, slots=True)
class _Widget:
    """The player as a widget, and a picture for front ends without widgets."""

    trace: Any
    step: int
    colours: Colours = PLAIN

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        kept = static_output(self.trace)
        try:
            from . import places  # imports anywidget, ipywidgets and IPython
        except ImportError:
            return kept
        player = places.player(self.trace, self.step, language.get_lang(), self.colours)
        return {**player.view(), **kept}


def mimebundle(trace: Any) -> dict[str, Any]:
    """Return the output of a trace for a notebook, in the form that `set_output` chose."""
    at = _number_of(trace, None, None)
    shown = Frame(trace, at) if _chosen_output == "frame" else _Widget(trace, at)
    return shown._repr_mimebundle_()


def show(
    trace: Any,
    iframe: bool = False,
    step: int | None = None,
    round: int | None = None,
    colours: Colours = PLAIN,
) -> Frame | None:
    """Display the player where a notebook can; print the transcript elsewhere."""
    at = _number_of(trace, step, round)
    framed = iframe or _chosen_output == "frame"
    display = sys.modules.get("IPython.display")
    if display is not None and _shows_html():
        shown = Frame(trace, at, colours) if framed else _Widget(trace, at, colours)
        display.display(
            shown._repr_mimebundle_(), raw=True
        )  # computed here, so that an error reaches the caller
        return None
    if framed:
        return Frame(trace, at, colours)
    sys.stdout.write((trace if round is None else trace.round(round)).text())
    return None


def _shows_html() -> bool:
    """Return whether IPython displays other formats than text."""
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and list(shell.display_formatter.active_types) != ["text/plain"]


def _number_of(trace: Any, step: int | None, round: int | None) -> int:
    """Return the index in trace.steps of a step of the trace, or of one of its rounds."""
    if round is None and step is None:
        return opens_at(trace.shown)
    if round is None:
        return _index_of(step or 0, len(trace))
    within = _index_of(step or 0, len(trace.round(round)))
    return within + int(trace.rounds[round].first)


def _index_of(step: int, count: int) -> int:
    """Return the index of a step, which may count from the end; raise if it is missing."""
    at = step + count if step < 0 else step
    if at and not 0 <= at < count:
        raise InvalidArgument(
            "the trace has no such step.",
            expected=f"a number from 0 to {count - 1}, or from -{count} to -1",
            received=f"step={step!r}",
            fix="name a step as trace.steps numbers them; the player counts from 1",
        )
    return at


# ----- pictures ----------------------------------------------------------------------------------


def static_output(trace: Any) -> dict[str, str]:
    """Return the output without a player: the trace's repr, and a picture if it is small."""
    picture = _small_picture(trace)
    return {"text/plain": repr(trace), **(static(*picture) if picture else {})}


def static(painting: Painting, title: str, description: str, lang: str) -> dict[str, str]:
    """Return a picture as MIME data, as HTML and as SVG."""
    auto = svg.svg_of(painting, title, description, lang=lang)
    return {
        "text/html": page.picture(auto, title),
        "image/svg+xml": svg.bare(painting, title, description, lang),
    }


def _small_picture(trace: Any) -> tuple[Painting, str, str, str] | None:
    """Return painting, title, description and language of the picture, or None if it is large."""
    graph = trace.shown.trace.story.graph
    if len(fold(graph, first_open(graph)).seen.boxes) > BOXES:  # checked before the layout
        return None
    lang = language.for_text()
    return paint(trace.picture, lang=lang), trace.title, svg.describe(trace.picture, lang), lang
