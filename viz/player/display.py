"""How a trace shows itself: the player in a notebook, the transcript elsewhere."""

from __future__ import annotations

import sys
from typing import Any

from minipaddle.engine.errors import InvalidArgument

from .. import language
from . import page
from .payload import payload_of

FRAME_BYTES = 10_000_000  # a page that is kept in a notebook
READABLE = 300  # steps that a notebook keeps as text beside the player


def mimebundle(trace: Any, **options: Any) -> Any:
    """The player for a notebook, and the transcript for whoever cannot show it."""
    plain = {
        "text/plain": trace.text(language.for_text()) if len(trace) <= READABLE else repr(trace)
    }
    try:
        from .widget import Player  # anywidget, which loads ipywidgets and IPython
    except ImportError:
        return plain
    player = Player(payload_of(trace.story), lang=language.get_lang())
    bundle = player._repr_mimebundle_(**options)
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**(data or {}), **plain}, metadata


def frame_bundle(trace: Any) -> dict[str, str]:
    """The whole player as a page in a frame: what every viewer of saved notebooks can show."""
    lang = language.get_lang()
    whole = page.to_html(payload_of(trace.story), lang=lang or None)
    size = len(whole.encode("utf-8", "replace"))
    if size > FRAME_BYTES:
        raise InvalidArgument(
            "the player is too large to be kept in a notebook.",
            expected=f"at most {FRAME_BYTES // 10**6} MB",
            received=f"{size / 1e6:.1f} MB for {len(trace)} steps",
            fix='record less (only=, depth=, limit=), or trace.save("trace.html") and link to it',
        )
    return {"text/html": page.frame(whole, trace.title), "text/plain": repr(trace)}


def show(trace: Any, iframe: bool = False) -> None:
    """Display the player where a notebook can; print the transcript elsewhere."""
    display = sys.modules.get("IPython.display")
    shell = sys.modules.get("IPython")
    if display is not None and shell is not None and shell.get_ipython() is not None:
        if iframe:
            display.display(frame_bundle(trace), raw=True)
        else:
            display.display(trace)
    else:
        sys.stdout.write(trace.text())
