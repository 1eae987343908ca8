"""Read the payload of a page, and draw scenes."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

from viz.draw.paint import paint
from viz.draw.svg import describe, svg_of
from viz.layout.scene import Scene


def payload_in(page: str) -> Any:
    """Return the payload of an offline page, which travels deflated."""
    found = re.search(r'inflated\("([^"]*)"\)', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def svg(scene: Scene, title: str = "x", description: str = "", **options: Any) -> str:
    """Return a scene as SVG; `options` are those of `paint`, and `colours`."""
    colours, lang = options.pop("colours", "auto"), options.get("lang", "en")
    described = description or describe(scene, lang)
    return svg_of(paint(scene, **options), title, described, colours, lang)
