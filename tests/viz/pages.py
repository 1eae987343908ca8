"""Read the payload of a page, and draw scenes."""

import base64
import json
import re
import zlib
from typing import Any

from viz.draw.paint import Part, Words, paint
from viz.draw.svg import describe, svg_of
from viz.layout.scene import Scene


def words(*parts: Part) -> list[Words]:
    return [mark for part in parts for mark in part.marks if isinstance(mark, Words)]


def payload_in(page: str) -> Any:
    """Return the payload of an offline page."""
    return json.loads(inflated(page)[0])


def script_in(page: str) -> str:
    """Return the module that an offline page runs."""
    return inflated(page)[2]


def inflated(page: str) -> list[str]:
    """Return payload, styles and module of an offline page."""
    payload, *code = re.findall(r'inflated\(\w+\("([^"]*)"\)\)', page)
    return [inflate(payload), *map(inflate_code, code)]


def inflate(text: str) -> str:
    """Return a payload that travels deflated."""
    return zlib.decompress(base64.b64decode(text)).decode()


def inflate_code(text: str) -> str:
    """Return styles or code that travel deflated."""
    digits = text.encode().translate(bytes.maketrans(b".:,", b"<>&"))
    return zlib.decompress(base64.b85decode(digits)).decode()


def svg(scene: Scene, title: str = "x", description: str = "", **options: Any) -> str:
    """Return a scene as SVG; `options` are those of `paint`, and `colours`."""
    colours, lang = options.pop("colours", "auto"), options.get("lang", "en")
    described = description or describe(scene, lang)
    return svg_of(paint(scene, **options), title, described, colours, lang)
