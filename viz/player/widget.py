"""The player as a Jupyter widget: the trace is sent once, all stepping happens in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from .pack import packed
from .page import frame, script, style, to_html


class Player(anywidget.AnyWidget):
    """Show a payload in JupyterLab; `step` and `lang` follow what the reader does.

    With `saved=True` the output also holds the whole player as a page in a sandboxed frame, for
    viewers of saved notebooks that have no widgets; it doubles the size of the output.
    """

    _esm = script()
    _css = style()
    payload = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    lang = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, payload: Mapping[str, Any], *, step: int = 0, lang: str = "", saved: bool = False
    ) -> None:
        super().__init__(payload=packed(payload), step=step, lang=lang)
        self._whole = payload
        self._saved = saved

    def __repr__(self) -> str:
        return f"Player({self.payload['title']!r}, {len(self.payload['steps'])} steps)"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None or not self._saved:
            return bundle
        page = to_html(self._whole, lang=self.lang or None, step=self.step)
        return {**bundle[0], "text/html": frame(page, self.payload["title"])}, bundle[1]
