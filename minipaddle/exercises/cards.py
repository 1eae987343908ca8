"""Cards: the answers of an exercise, as notebooks and terminals show them.

In a notebook a card is a widget with buttons. The notebook stores it as plain HTML with its own
styles, which is readable on light and on dark pages.
"""

from __future__ import annotations

import html
import importlib
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from .. import get_rng_state, set_rng_state
from ..engine.errors import MinipaddleError
from ..engine.guard import restore_value
from ..engine.visible import make_visible
from ..messages import Message
from .outcomes import current_language

HEAD = Message("{mark} {name}: {state}")
LONGEST = 2000  # characters of a line
GREEN, AMBER, RED, BLUE = "#1a7f4b", "#9a6700", "#c0392b", "#2a62a8"  # readable with white text


class Words:
    """Text that notebooks show without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Card:
    """Base of cards: a head with a mark, a name and a state, and the lines below it."""

    colour = BLUE
    record: Any = None  # function that runs the answer again, for the player

    def __init__(self, name: str) -> None:
        self.name, self.lang = name, current_language()

    def state(self) -> tuple[str, Message]:
        """Return the mark before the name, and the word after it."""
        raise NotImplementedError

    @property
    def head(self) -> str:
        """First line: mark, name and state."""
        mark, state = self.state()
        return HEAD.fill(mark=mark, name=self.name, state=state).of(self.lang)

    def body(self) -> list[str]:
        """Return the lines of plain text below the head."""
        raise NotImplementedError

    def html_body(self) -> list[str]:
        """Return the pieces of HTML below the head, with the user's texts escaped."""
        return [f"<div>{html.escape(row)}</div>" for row in self.body() if row]

    def face(self) -> dict[str, Any]:
        """Return the content of the widget: HTML, buttons with texts, and a question or None."""
        return {"html": self._repr_html_(), "buttons": [], "question": None}

    def open(self, number: int) -> None:
        """Note that the reader has pressed a button."""

    def answer(self, value: Any) -> None:
        """Receive the reader's answer to the question."""

    def __repr__(self) -> str:
        rows = [line for row in self.body() if row for line in row.split("\n")]
        return "\n".join([self.head, *(f"  {make_visible(row, most=LONGEST)}" for row in rows)])

    def page(self, pieces: list[str]) -> str:
        """Return the card as HTML: the head, then these pieces."""
        return (
            f'<div class="mp-check" style="border-left:4px solid {self.colour};'
            f'padding:4px 12px;line-height:1.5">'
            f'<b style="background:{self.colour};color:#fff;padding:1px 8px;border-radius:3px">'
            f"{html.escape(self.head)}</b>{''.join(pieces)}</div>"
        )

    def _repr_html_(self) -> str:
        return self.page(self.html_body())

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        kept = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            from .widget import widget_of  # anywidget, which loads ipywidgets and IPython
        except ImportError:
            return kept
        return {**widget_of(self).view(), **kept}


# ----- showing -----------------------------------------------------------------------------------


def show(value: Any) -> None:
    """Show a card or a text: in a notebook as a display with a player, elsewhere as plain text."""
    if not in_notebook():
        print(value)
        return
    sys.modules["IPython.display"].display(value)
    if isinstance(value, Card) and value.record is not None:
        show_player(value.record)


def in_notebook() -> bool:
    """Return whether the code runs in a notebook, which can show more than text."""
    if "IPython.display" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and list(shell.display_formatter.active_types) != ["text/plain"]


# ----- pictures of answers -----------------------------------------------------------------------


def show_player(run: Callable[[], object]) -> None:
    """Run something again in a recording, and show the player at the first wrong gradient."""
    try:
        viz = importlib.import_module("viz")
    except ImportError:
        return
    try:
        trace = record_run(viz, run)
        if len(trace):
            trace.show(step=first_wrong(viz, trace))
    except MinipaddleError:  # for example a too large trace; the card has explained the mistake
        return


def record_run(viz: Any, run: Callable[[], object]) -> Any:
    """Return the trace of a run, even of one that raises an exception."""
    random_numbers = restore_value(get_rng_state, set_rng_state)
    with suppress(Exception), random_numbers, viz.record() as trace:
        run()
    return trace


def first_wrong(viz: Any, trace: Any) -> int:
    """Return the first step whose gradient differs from finite differences, else the last step."""
    wrong = (found.step for found in viz.slopes(trace).findings if found.agrees is False)
    return next(wrong, len(trace) - 1)
