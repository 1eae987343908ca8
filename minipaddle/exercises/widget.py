"""Card as a Jupyter widget: the texts are sent once, and buttons open them in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anywidget
import traitlets

WEB = Path(__file__).parent / "web"


class CardWidget(anywidget.AnyWidget):
    """Widget that shows the face of a card, and calls the card on the reader's actions."""

    _esm = (WEB / "card.js").read_text(encoding="utf-8")
    _css = (WEB / "card.css").read_text(encoding="utf-8")
    face = traitlets.Dict().tag(sync=True)
    layout = traitlets.Any(None).tag(sync=True)  # nobody would close a Layout widget

    def __init__(self, card: Any) -> None:
        super().__init__(face=card.face())
        self.card = card
        self.on_msg(self.heard)

    def heard(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        """Call the card when a button is pressed or a question answered."""
        if isinstance(number := content.get("opened"), int):
            self.card.open(number)
        if isinstance(value := content.get("answer"), str):
            self.card.answer(value)
            self.face = self.card.face()

    def view(self) -> dict[str, Any]:
        """Return the MIME bundle that shows this card in the output of a cell."""
        bundle = self._repr_mimebundle_()
        data = bundle[0] if bundle else {}
        return {kind: content for kind, content in data.items() if kind.startswith("application/")}


_shown_widgets: dict[tuple[str, str], CardWidget] = {}


def widget_of(card: Any) -> CardWidget:
    """Return a new widget for a card; close the widget that its cell has shown before."""
    place = (running_cell(), card.name)
    if place in _shown_widgets:
        _shown_widgets[place].close()
    _shown_widgets[place] = CardWidget(card)
    return _shown_widgets[place]


def running_cell() -> str:
    """Return an id of the running cell, "" outside of notebooks."""
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "get_parent"):
        return ""
    request = shell.get_parent()
    return str(request.get("metadata", {}).get("cellId") or request["header"]["msg_id"])
