"""The player as one file that needs no kernel, no server and no network.

The ES modules under `static/` import each other, so that each can be read, checked and loaded on
its own. For the notebook and for the file they become one module by plain joining: in the order of
MODULES, their one-line imports are left out and so is the word `export`, except in player.js.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..theme import DARK, LIGHT
from ..words import by_language

STATIC = Path(__file__).parent / "web"
MODULES = (
    *("dom", "words", "numbers", "ribbon", "timeline", "code", "odd", "scene", "hidden"),
    *("colour", "minimap", "touch", "graph", "borders", "histogram", "filled", "inspector"),
    *("statistics", "search", "theme", "clock", "memory", "help", "player"),
)
NO_WORDS = "const WORDS = { en: {}, zh: {} };"  # of words.js, before the catalogue is put there
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_PAGE = """<!DOCTYPE html>
<html{lang}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body class="mp-page">
<noscript>{note}</noscript>
<script type="application/json" id="mp-payload">{payload}</script>
<script type="module">
{script}
const payload = JSON.parse(document.getElementById("mp-payload").textContent);
{mount}(document.body, payload, {options});
</script>
</body>
</html>
"""
_FRAME = (
    '<iframe title="{title}" sandbox="allow-scripts" loading="lazy" srcdoc="{page}"'
    ' style="width:100%;height:600px;border:0"></iframe>'
)
_NOTE = "This picture is drawn by JavaScript, which is turned off here. 此图由 JavaScript 绘制。"


@cache
def script(main: str = "player") -> str:
    """The player as one ES module; it exports `mount` and, for anywidget, a default.

    With "twin" the page of two graphs, which exports `mountTwin`. The words of viz/words.py are put
    into it as the colours are into the style sheet.
    """
    parts = []
    for name in (*MODULES[:-1], main):
        text = (STATIC / f"{name}.js").read_text(encoding="utf-8")
        text = text.replace(NO_WORDS, f"const WORDS = {embed(by_language())};")
        text = re.sub(r'^import .* from "\./\w+\.js";\n', "", text, flags=re.MULTILINE)
        if name != main:
            text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
        parts.append(text)
    return "\n".join(parts)


@cache
def style() -> str:
    """The style sheet, with the colours of viz/theme.py as its variables."""
    light = _colours(".mp-page, .mp-player", LIGHT)
    dark = _colours('[data-theme="dark"] .mp-page, .mp-player[data-theme="dark"]', DARK)
    return light + dark + (STATIC / "player.css").read_text(encoding="utf-8")


def _colours(selector: str, colours: Mapping[str, str]) -> str:
    return (
        f"{selector} {{ {' '.join(f'--{name}: {value};' for name, value in colours.items())} }}\n"
    )


def embed(data: object) -> str:
    """JSON that may stand inside a script element: no name in it can end that element.

    >>> embed({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Besides the three signs of HTML: two line ends of old JavaScript, and halves of letters.
    return re.sub("[<>&\u2028\u2029\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def to_html(
    payload: Mapping[str, Any],
    *,
    lang: str | None = None,
    theme: str | None = None,
    step: int = 0,
    color_by: str = "",
) -> str:
    """The page that plays a payload; the same payload gives the same bytes.

    `lang` is en or zh, `theme` light or dark; left out, the reader's browser decides. `color_by`
    is grad or value, for boxes that are coloured by magnitude from the start.
    """
    options: dict[str, Any] = {"page": True, "lang": lang, "theme": theme, "step": step}
    if color_by:
        options["colorBy"] = color_by
    return _page(payload, "player", "mount", options)


def twin_html(payload: Mapping[str, Any], *, lang: str | None = None) -> str:
    """The page of two graphs with one scrubber (viz/views/twin.py)."""
    return _page(payload, "twin", "mountTwin", {"page": True, "lang": lang})


def _page(payload: Mapping[str, Any], main: str, mount: str, options: Mapping[str, Any]) -> str:
    lang = options["lang"]
    return _PAGE.format(
        mount=mount,
        lang=f' lang="{html.escape(lang)}"' if lang else "",
        policy=POLICY,
        title=_printable(html.escape(payload["title"])),
        style=style(),
        note=_NOTE,
        payload=embed(payload),
        script=script(main),
        options=embed(options),
    )


def frame(page: str, title: str) -> str:
    """The page inside another one, where it can reach nothing of it."""
    return _FRAME.format(title=_printable(html.escape(title)), page=html.escape(page))


def _printable(text: str) -> str:
    """The text without halves of letters, which UTF-8 refuses."""
    return text.encode("utf-8", "replace").decode()
