"""The player as one file that needs no kernel, no server and no network.

The ES modules under `web/` import each other, so that each can be read, checked and tested on its
own. For the notebook and for the file they are joined: each becomes a function that runs once, with
its own names, after those of the modules that it imports. The file holds code, styles and payload
deflated.
"""

from __future__ import annotations

import base64
import html
import json
import posixpath
import re
import zlib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from minipaddle.messages import Message

from ..language.words import by_language
from ..theme import DARK, LIGHT
from .pack import pack

NO_WORDS = "const WORDS = { en: {} };"  # of words.js, before the catalogue is put there
SAFE = bytes.maketrans(b"<>&", b".:,")  # digits of base 85 that mean nothing in HTML
WEB = Path(__file__).parent / "web"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.[\w./]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|\s)//.*$|/\*(?:\*(?!/)|[^*])*\*/ ?", re.MULTILINE)
_SPACE = re.compile(r"\n\s+")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_PAGE = """<!DOCTYPE html>
<html{lang}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
</head>
<body class="mp-page">
<noscript>{note}</noscript>
<script>
{bytes}const host = document.body, options = {options};
const payload = inflated(bytesIn("{payload}")).then(JSON.parse);
const append = (name, type, text) =>
document.head.append(Object.assign(document.createElement(name), {{ type, textContent: text }}));
(async () => {{
append("style", "text/css", await inflated(codeIn("{style}")));
append("script", "module", await inflated(codeIn("{script}")));
}})();
</script>
</body>
</html>
"""
_FRAME = (
    '<div style="display:grid">{under}'
    '<iframe title="{title}" sandbox="allow-scripts" loading="lazy" srcdoc="{page}"'
    ' style="grid-area:1/1;width:100%;height:600px;border:0"></iframe></div>'
)
_PICTURE = '<img alt="{title}" style="{style}" src="data:image/svg+xml;base64,{data}">'
NOTE = Message("This picture is drawn by JavaScript, which is turned off here.")


def script(main: str = "player") -> str:
    """Return the player as one script, which defines `$player` with the exports of `player.js`.

    With "twin" it is the page of two graphs, with "ranks" that of many ranks. The words of
    `language.words` are put into it as the colours are into the style sheet.
    """
    return join_modules(main).replace(NO_WORDS, f"const WORDS = {embed(by_language())};")


@cache
def join_modules(main: str) -> str:
    """Join a module and all that it needs."""
    return "".join(wrap(name, source(name)) for name in modules(main))


def wrap(name: str, text: str) -> str:
    """Return a module as a function that runs once and returns the exports.

    >>> print(wrap("whatif/up", 'import { one } from "../one.js";\\nexport const UP = -one;\\n'))
    const $whatif_up = (() => {
    const { one } = $one;
    const UP = -one;
    return { UP };
    })();
    <BLANKLINE>
    """
    exported = ", ".join(_EXPORT.findall(text))

    def import_line(found: re.Match[str]) -> str:
        return f"const {found[1].replace(' as ', ': ')} = {scope(module_at(name, found[2]))};\n"

    code = strip_comments(_IMPORT.sub(import_line, _EXPORT.sub("", text)))
    return f"const {scope(name)} = (() => {{\n{code}return {{ {exported} }};\n}})();\n"


def scope(name: str) -> str:
    """Return the variable with the exports of a module."""
    return f"${name.replace('/', '_')}"


def module_at(name: str, path: str) -> str:
    """Return the name of the module that a module imports by a path."""
    return posixpath.normpath(PurePosixPath(name).parent / path)


def strip_comments(text: str) -> str:
    """Strip a text of comments and indents; no string in it has several lines.

    >>> strip_comments("// Numbers.\\nconst ONE = 1; // the first\\n")
    'const ONE = 1;\\n'
    """
    return _SPACE.sub("\n", _COMMENT.sub("", text)).lstrip()


def modules(main: str) -> list[str]:
    """Return a module and all that it needs, each after those that it imports."""
    order: list[str] = []

    def visit(name: str) -> None:
        for _, path in _IMPORT.findall(source(name)):
            needed = module_at(name, path)
            if needed not in order:
                visit(needed)
        order.append(name)

    visit(main)
    return order


def source(name: str) -> str:
    """Return the text of one module, such as "player" or "whatif/machine"."""
    return (WEB / f"{name}.js").read_text(encoding="utf-8")


@cache
def style() -> str:
    """Return the style sheet, with the colours of viz/theme.py as its variables."""
    light = _colours(".mp-page, .mp-player", LIGHT)
    dark = _colours('[data-theme="dark"] .mp-page, .mp-player[data-theme="dark"]', DARK)
    return light + dark + strip_comments((WEB / "player.css").read_text(encoding="utf-8"))


def _colours(selector: str, colours: Mapping[str, str]) -> str:
    return (
        f"{selector} {{ {' '.join(f'--{name}: {value};' for name, value in colours.items())} }}\n"
    )


def embed(data: object) -> str:
    """Return JSON that is safe inside a script element: no name in it can end that element.

    >>> embed({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Besides the three signs of HTML: two line ends of old JavaScript, and lone surrogates.
    return re.sub("[<>&\u2028\u2029\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)


@lru_cache(maxsize=8)
def compress_code(text: str) -> str:
    """Return deflated bytes in base 85, made once for all pages: shorter than base64, and slower.

    `codeIn` of bytes.js reads them.
    """
    return base64.b85encode(zlib.compress(text.encode(), 9)).translate(SAFE).decode()


def compress_payload(payload: Mapping[str, Any]) -> str:
    """Return a payload as deflated JSON in base64, about a tenth as long.

    Level 5 takes half the time of the default, and makes pages 1 % larger.
    """
    text = json.dumps(payload, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 5)).decode()


def to_html(
    payload: Mapping[str, Any],
    *,
    lang: str | None = None,
    theme: str | None = None,
    step: int | None = None,
    color_by: str = "",
) -> str:
    """Return the page that plays a payload or a book; equal ones give equal bytes.

    `lang` is "en" or another language, `theme` light or dark; left out, the reader's browser
    decides. `color_by` is what boxes are coloured by from the start.
    """
    options: dict[str, Any] = {"page": True, "lang": lang, "theme": theme, "step": step}
    if color_by:
        options["colorBy"] = color_by
    return _page(pack(payload), "player", "mount", options)


def twin_html(payload: Mapping[str, Any], *, lang: str | None = None) -> str:
    """Return the page of two graphs with one scrubber (viz/compare/twin.py)."""
    return _page(pack(payload), "twin", "mountTwin", {"page": True, "lang": lang})


def ranks_html(payload: Mapping[str, Any], *, lang: str | None = None) -> str:
    """Return the page of many ranks with one scrubber (viz/many_ranks/page.py)."""
    title = payload["title"][lang or "en"]
    return _page(payload, "ranks", "mountRanks", {"page": True, "lang": lang}, title)


def _page(
    payload: Mapping[str, Any], main: str, mount: str, options: Mapping[str, Any], title: str = ""
) -> str:
    lang = options["lang"]
    return _PAGE.format(
        lang=f' lang="{html.escape(lang)}"' if lang else "",
        policy=POLICY,
        title=_printable(html.escape(title or payload["title"])),
        note=" ".join(NOTE.by_language().values()),
        bytes=strip_comments(_EXPORT.sub("", source("bytes"))),
        payload=compress_payload(payload),
        style=compress_code(style()),
        script=compress_code(f"{script(main)}${main}.{mount}(host, await payload, options);\n"),
        options=embed(options),
    )


def frame(page: str, title: str, svg: str = "") -> str:
    """Return the page in a frame, from where it can reach nothing of the page around it.

    Below it lies the picture `svg`, which is seen where a viewer takes frames away.
    """
    under = picture(svg, title, "grid-area:1/1;width:100%;height:600px;object-fit:contain")
    return _FRAME.format(
        under=under if svg else "", title=_printable(html.escape(title)), page=html.escape(page)
    )


def picture(svg: str, title: str, style: str = "max-width:100%") -> str:
    """Return an SVG document as an image, which every viewer of notebooks shows."""
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode("ascii")
    return _PICTURE.format(title=_printable(html.escape(title)), style=style, data=data)


def _printable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 refuses."""
    return text.encode("utf-8", "replace").decode()
