"""The player as a Jupyter widget: the trace is sent once, all stepping happens in the browser.

The code of the player, and each trace, are widgets that several players share, so a notebook stores
them once. A front end that shows a player loads both (`web/loader.js`).
"""

from __future__ import annotations

from typing import Any

import anywidget
import ipywidgets
import traitlets

from minipaddle.profiler.timing import Span

from .book import Playable, book_of
from .page import compress_code, compress_payload, join_modules, script, style

_AS_REFERENCE = ipywidgets.widget_serialization


class Code(ipywidgets.Widget):  # type: ignore[misc]
    """The script and the style sheet of all players, compressed."""

    script = traitlets.Unicode().tag(sync=True)
    style = traitlets.Unicode().tag(sync=True)

    def __init__(self) -> None:
        code = f"{script()}export const {{ renderWidget }} = $player;\n"
        super().__init__(script=compress_code(code), style=compress_code(style()))


class Told(ipywidgets.Widget):  # type: ignore[misc]
    """Payload of a trace, compressed, which several players may show."""

    payload = traitlets.Unicode().tag(sync=True)

    def __init__(self, trace: Playable, times: tuple[Span, ...] | None = None) -> None:
        super().__init__(payload=compress_payload(book_of(trace, times)))
        self.trace, self.times = trace, times


class Player(anywidget.AnyWidget):
    """Player of a trace in a notebook; `step` and `lang` follow the reader's actions."""

    _esm = f"{join_modules('loader')}export default $loader;\n"
    code = traitlets.Instance(Code).tag(sync=True, **_AS_REFERENCE)
    told = traitlets.Instance(Told).tag(sync=True, **_AS_REFERENCE)
    step = traitlets.Int(0).tag(sync=True)
    lang = traitlets.Unicode("").tag(sync=True)
    color_by = traitlets.Unicode("").tag(sync=True)
    answers: Any = traitlets.List().tag(sync=True)  # answers to the page's questions
    layout = traitlets.Any(None).tag(sync=True)  # None: a layout widget would never be closed

    def __init__(
        self, code: Code, told: Told, *, step: int, lang: str = "", color_by: str = ""
    ) -> None:
        answers: list[Any] = [*getattr(told.trace, "answers", ())]
        start = {"step": step, "lang": lang, "color_by": color_by, "answers": answers}
        super().__init__(code=code, told=told, **start)
        self.observe(self._store_answers, "answers")

    def _store_answers(self, change: dict[str, Any]) -> None:
        """Store the answers in a trace that asks questions."""
        if hasattr(self.told.trace, "heard"):
            self.told.trace.heard(change["new"])

    def __repr__(self) -> str:
        trace = self.told.trace
        return f"Player({trace.title!r}, {len(trace)} steps)"

    def view(self) -> dict[str, Any]:
        """Return the MIME data that shows this player in the output of a cell."""
        bundle = self._repr_mimebundle_()
        data = bundle[0] if bundle else {}
        return {kind: content for kind, content in data.items() if kind != "text/plain"}
