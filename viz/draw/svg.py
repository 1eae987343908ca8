"""A painting as SVG: one self-contained text, the same bytes every time, light and dark.

Texts from a trace are escaped and become character data or attribute values, never markup.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping
from functools import singledispatch

from minipaddle.engine.install_advice import optional_imports
from minipaddle.messages import CLAUSES, SENTENCES, Message, Row

from .. import theme
from ..language.words import WORDS, say
from ..layout.curves import number, text
from ..layout.scene import Scene
from .paint import Line, Painting, Part, Patch, Pixels, Rect, Words

_PLAIN_ATTRIBUTES = {
    **{f"f-{name}": f'fill="{colour}"' for name, colour in theme.LIGHT.items()},
    **{f"s-{name}": f'stroke="{colour}"' for name, colour in theme.LIGHT.items()},
    "mp-picture": f'font-family="{",".join(theme.SANS)},sans-serif" xml:space="preserve"',
    "mono": 'font-family="monospace"',
    "bold": 'font-weight="600"',
    "none": 'fill="none"',
    "dash": 'stroke-dasharray="6 4"',
    "halo": 'paint-order="stroke" stroke-width="4" stroke-linejoin="round"',
}
_CLASS_OR_DATA = re.compile(r' (?:class="(?P<classes>[^"]*)"|data-\w+="[^"]*")')
_ID_ATTRIBUTES = {"box": "node", "frame": "frame", "wire": "edge"}
_ID_ATTRIBUTES |= {"column": "rank", "collective": "collective"}


def svg_of(
    painting: Painting, title: str, description: str, colours: str = "auto", lang: str = "en"
) -> str:
    """Return a painting as one SVG document; `lang` is the language of its words.

    `colours` is "light", "dark" or "auto", which follows the reader's setting.

    >>> from viz.draw.paint import paint
    >>> from viz.layout.scene import scene_of
    >>> from viz.model import Graph, Node
    >>> scene = scene_of(Graph((Node("x", "leaf", "<b>"),), ()))
    >>> picture = svg_of(paint(scene), "x", "one tensor")
    >>> "<b>" in picture, "&lt;b&gt;" in picture
    (False, True)
    """
    scaled = any(part.role == "magnitudes" for part in painting.parts)
    opening = _opening_tags(painting, colours, title, description, scaled, lang)
    return "".join((opening, *map(_part_element, painting.parts), "</svg>\n"))


def bare(painting: Painting, title: str, description: str, lang: str = "en") -> str:
    """Return the painting as SVG in light colours, each written where it is used.

    It is meant for viewers that remove style sheets, classes and data attributes.

    >>> from viz.draw.paint import paint
    >>> from viz.layout.scene import scene_of
    >>> from viz.model import Graph, Node
    >>> picture = bare(paint(scene_of(Graph((Node("x", "leaf", "x"),), ()))), "x", "one tensor")
    >>> "style" in picture, "class" in picture, 'fill="#ffffff"' in picture
    (False, False, True)
    """
    whole = svg_of(painting, title, description, "light", lang)
    head, _, rest = whole.partition("<style>")
    return _CLASS_OR_DATA.sub(_inline_attributes, head + rest.partition("</style>\n")[2])


def _inline_attributes(attribute: re.Match[str]) -> str:
    """Return attributes in place of a list of classes, or "" for a data attribute."""
    names = (attribute["classes"] or "").split()
    return "".join(f" {look}" for look in map(_PLAIN_ATTRIBUTES.get, names) if look)


SHOWN = 40  # maximum number of boxes of a lane that a description names


def describe(scene: Scene, lang: str = "en") -> str:
    """Return a description of the picture for screen readers."""
    sentences: list[Message] = []
    for lane in scene.lanes:
        names = [
            box.title
            for box in scene.boxes
            if (box.lane, box.column) == (lane.name, lane.column) and box.tag_of is None
        ]
        template = WORDS["pictureMore" if len(names) > SHOWN else "pictureLane"]
        boxes = Row(names[:SHOWN], CLAUSES)
        sentences.append(
            template.fill(lane=WORDS[lane.name], boxes=boxes, count=len(names) - SHOWN)
        )
    saved = sum(wire.kind == "saved" for wire in scene.wires)
    if saved:
        sentences.append(WORDS["pictureSaved"].fill(count=saved))
    return Row(sentences, SENTENCES).of(lang)


def _opening_tags(
    painting: Painting, chosen: str, title: str, description: str, scaled: bool, lang: str
) -> str:
    w, h = number(painting.width), number(painting.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="mp-picture" role="img" '
        f'lang="{say("lang", lang)}" '
        f'width="{w}" height="{h}" viewBox="{number(painting.left)} 0 {w} {h}">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>\n"
        f"<style>\n{_style_sheet(chosen, scaled)}</style>\n"
    )


def _style_sheet(chosen: str, scaled: bool) -> str:
    names = ",".join(f'"{name}"' for name in theme.SANS)
    mono = ",".join(f'"{name}"' for name in theme.MONO)
    base = (
        f".mp-picture{{font-family:{names},sans-serif}}\n"
        f".mp-picture .mono{{font-family:{mono},monospace}}\n"
        ".mp-picture text{white-space:pre}\n"
        ".mp-picture .bold{font-weight:600}\n"
        ".mp-picture .none{fill:none}\n"
        ".mp-picture .dash{stroke-dasharray:6 4}\n"
        ".mp-picture .halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}\n"
        f'.mp-picture [data-state="pending"]{{opacity:{theme.PENDING}}}\n'
    )
    light, dark = _colour_rules(theme.LIGHT, scaled), _colour_rules(theme.DARK, scaled)
    if chosen == "auto":
        return f"{base}{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n"
    return base + (dark if chosen == "dark" else light)


def _colour_rules(palette: Mapping[str, str], scaled: bool) -> str:
    """Return a class for each colour, with those of magnitudes only if there is a scale."""
    used = {n: c for n, c in palette.items() if scaled or not n.startswith("ramp")}
    lines = [f".mp-picture .f-{name}{{fill:{colour}}}" for name, colour in used.items()]
    lines += [f".mp-picture .s-{name}{{stroke:{colour}}}" for name, colour in used.items()]
    return "\n".join(lines) + "\n"


def _part_element(part: Part) -> str:
    attributes = [f'class="mp-{part.role}"']
    if part.id and part.role in _ID_ATTRIBUTES:
        attributes.append(f'data-{_ID_ATTRIBUTES[part.role]}="{escape(part.id)}"')
    if part.kind:
        attributes.append(f'data-kind="{escape(part.kind)}"')
    if part.state is not None:
        attributes.append(f'data-state="{escape(part.state)}"')
    if part.magnitude is not None:
        attributes.append(f'data-magnitude="{escape(part.magnitude)}"')
    name = f"<title>{escape(part.title)}</title>" if part.title else ""
    marks = "".join(map(_mark_element, part.marks))
    return f"<g {' '.join(attributes)}>{name}{marks}</g>\n"


@singledispatch
def _mark_element(mark: object) -> str:
    raise TypeError(type(mark).__name__)


@_mark_element.register
def _(mark: Rect) -> str:
    radius = f' rx="{number(mark.radius)}"' if mark.radius else ""
    fill = f"f-{mark.fill}" if mark.fill else "none"
    stroke = f" s-{mark.stroke}" if mark.stroke else ""
    width = f' stroke-width="{number(mark.width)}"' if mark.stroke else ""
    return (
        f'<rect x="{number(mark.x)}" y="{number(mark.y)}" width="{number(mark.w)}" '
        f'height="{number(mark.h)}"{radius} class="{fill}{stroke}"{width}/>'
    )


@_mark_element.register
def _(mark: Line) -> str:
    dash = " dash" if mark.dashed else ""
    return (
        f'<path d="{text(mark.path)}" class="none s-{mark.stroke}{dash}" '
        f'stroke-width="{number(mark.width)}"/>'
    )


@_mark_element.register
def _(mark: Patch) -> str:
    points = " ".join(f"{number(x)},{number(y)}" for x, y in mark.points)
    return f'<polygon points="{points}" class="f-{mark.fill}"/>'


@_mark_element.register
def _(mark: Words) -> str:
    names = [f"f-{mark.colour}"]
    names += [name for name in ("mono", "bold") if getattr(mark, name)]
    names += [f"halo s-{mark.halo}"] if mark.halo else []
    anchor = f' text-anchor="{mark.anchor}"' if mark.anchor != "start" else ""
    return (
        f'<text x="{number(mark.x)}" y="{number(mark.y)}" font-size="{number(mark.size)}" '
        f'class="{" ".join(names)}"{anchor}>{escape(mark.text)}</text>'
    )


@_mark_element.register
def _(mark: Pixels) -> str:
    return (
        f'<image x="{number(mark.x)}" y="{number(mark.y)}" width="{number(mark.w)}" '
        f'height="{number(mark.h)}" preserveAspectRatio="none" style="image-rendering:pixelated" '
        f'href="data:image/png;base64,{base64.b64encode(_png_of(mark)).decode()}"/>'
    )


def _png_of(grid: Pixels) -> bytes:
    with optional_imports():
        from PIL import Image  # few pictures need it

    target = io.BytesIO()
    Image.frombytes("RGBA", (grid.columns, grid.rows), grid.pixels).save(target, "PNG")
    return target.getvalue()


_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def escape(words: str) -> str:
    """Return a text as XML character data: no markup, and only characters of XML 1.0."""
    return "".join(_ESCAPES.get(c, c) if _is_xml_character(c) else "\ufffd" for c in words)


def _is_xml_character(c: str) -> bool:
    return c in "\t\n\r" or "\x20" <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"
