"""The picture of the paths of one gradient: wires as wide as their shares, factors at boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from minipaddle.messages import Message

from .. import theme
from ..explanation.gradient_flow import Flow
from ..explanation.gradient_paths import Found, Split
from ..layout.curves import Point
from ..layout.scene import scene_of
from ..model import Badge, Edge, Graph, Node
from ..story.sentences.wording import digits
from .film_strip import CAPTION, PAD, Row, add_lines, wrap_text
from .paint import Line, Mark, Painting, Part, Patch, Words, paint

MOST = 60  # number of boxes from which only those of the listed paths are drawn
THIN, WIDE = 1.2, 7.0  # width of wires with no share and with the largest
FAINT = 0.02  # wires with less than this part of the largest share are faint
NARROWEST, WIDEST = 620.0, 960.0  # width of the text below the picture

LEGEND = Message(
    "A wire is as wide as its share of the sum, the number beside it; a "
    "broken one counts against the sum. The strongest path is in colour, its "
    "boxes with their factors."
)
LEFT_OUT = Message("Of {all} boxes those of the listed paths are drawn, {drawn}.")
CLOSED = Message("not followed")


class Paths(Protocol):
    """Source of the picture; see `paths.Paths`."""

    flow: Flow
    split: Split
    found: Found
    labels: Any
    recorded: float

    @property
    def of(self) -> str: ...
    def headline(self, lang: str) -> str: ...
    def table(self, lang: str) -> list[str]: ...
    def remarks(self, lang: str) -> list[str]: ...


def painting(paths: Paths, lang: str) -> Painting:
    """Return the picture of the boxes that lead to the element, with the paths as text below."""
    leading, drawn = paths.split.lit, boxes_of(paths)
    strongest = paths.found.ways[0].wires if paths.found.ways else ()
    scene = scene_of(graph_of(paths, drawn))
    largest = max((abs(share) for share in paths.split.shares.values()), default=0.0) or 1.0
    sizes = {f"w{wire}": share / largest for wire, share in paths.split.shares.items()}
    states = {name: "pending" if abs(size) < FAINT else "done" for name, size in sizes.items()}
    states |= {f"b{box}": "done" for box in drawn}
    states |= {f"w{wire}": "active" for wire in strongest}
    states |= {f"b{paths.flow.wires[wire].source}": "active" for wire in strongest}
    bare = paint(scene, lang=lang, legend=False, states=states)
    sign = -1.0 if paths.split.total < 0 else 1.0
    parts = tuple(weigh_wire(part, sizes, sign) for part in bare.parts)
    remarks = [*paths.remarks(lang), LEGEND.of(lang)]
    if len(drawn) < len(leading):
        remarks.append(LEFT_OUT.fill(drawn=str(len(drawn)), all=str(len(leading))).of(lang))
    return with_text(replace(bare, parts=parts), paths, remarks, lang)


def with_text(painting: Painting, paths: Paths, remarks: Sequence[str], lang: str) -> Painting:
    """Return the painting with the headline, the table and remarks."""
    table, letter = paths.table(lang), CAPTION * theme.MONO_ADVANCE
    wanted = max(map(theme.cells, table)) * letter + 2 * PAD
    width = max(painting.width, NARROWEST, min(wanted, WIDEST))
    room = width - 2 * PAD
    rows = [Row(cut(text, int(room / letter)), mono=True) for text in table]
    rows += [Row(line, colour="muted") for text in remarks for line in wrap_text(text, room)]
    return add_lines(painting, rows, len(rows), width, wrap_text(paths.headline(lang), room))


def cut(text: str, columns: int) -> str:
    """Return a text cut to `columns` columns, with an ellipsis at its end."""
    while theme.cells(text) > columns:
        text = text.rstrip("…")[:-1].rstrip() + "…"
    return text


def boxes_of(paths: Paths) -> list[int]:
    """Return the boxes to draw: all that lead to the element, or those of the listed paths."""
    wires, leading = paths.flow.wires, [*paths.split.lit, paths.split.end.box]
    if len(leading) <= MOST:
        return sorted(leading)
    return sorted(
        {
            box
            for way in paths.found.ways
            for wire in way.wires
            for box in (wires[wire].source, wires[wire].target.box)
        }
    )


def graph_of(paths: Paths, drawn: Sequence[int]) -> Graph:
    """Return the boxes as the backward half of a picture, and the wires between them."""
    factors: Mapping[int, float | None] = {}
    if paths.found.ways:
        factors = {each.box: each.factor for each in paths.found.ways[0].passed}
    nodes = [node_of(paths, box, factors.get(box)) for box in drawn]
    edges = [
        Edge(f"w{number}", f"b{wire.source}", f"b{wire.target.box}", "grad", digits(share))
        for number, share in paths.split.shares.items()
        if {(wire := paths.flow.wires[number]).source, wire.target.box} <= {*drawn}
    ]
    return Graph(tuple(nodes), tuple(edges))


def node_of(paths: Paths, box: int, factor: float | None) -> Node:
    """Return a box with its factor, or with a remark if gradients are not followed through it."""
    name = f"b{box}"
    if box == paths.split.end.box:
        return Node(name, "leaf_grad", paths.of, f"= {digits(paths.recorded)}", "backward")
    label, badges = paths.labels.of_box(box), tuple[Badge, ...]()
    if factor is not None:
        badges = (Badge.same("factor", f"× {digits(factor)}"),)
    elif box in paths.split.opaque:
        badges = (Badge("factor", CLOSED),)
    kind, tensor = paths.flow.boxes[box].kind, paths.labels.of_tensor(box, 0)
    detail = "" if kind == "seed" else tensor
    return Node(name, kind, label, detail, "backward", badges=badges)


def weigh_wire(part: Part, sizes: Mapping[str, float], sign: float) -> Part:
    """Return a wire as wide as its share, dashed if it counts against the sum; else the part."""
    if part.id not in sizes:
        return part
    size = sizes[part.id]
    wide, against = THIN + (WIDE - THIN) * abs(size), size * sign < 0
    colour = "backward" if part.state == "active" else "line"
    tips = [mark.points[0][0] for mark in part.marks if isinstance(mark, Patch)]

    def redraw(mark: Mark) -> Mark:
        if isinstance(mark, Line):
            return replace(mark, stroke=colour, width=wide, dashed=against)
        if isinstance(mark, Patch):
            return replace(mark, points=broaden(mark.points, wide / 4), fill=colour)
        if isinstance(mark, Words):
            aside = max(0.0, wide - 4)
            return replace(mark, x=mark.x + (aside if mark.x > tips[0] else -aside))
        return mark

    return replace(part, marks=tuple(map(redraw, part.marks)))


def broaden(arrow: Sequence[Point], factor: float) -> tuple[Point, ...]:
    """Return an arrow's tip and base, the base broader by `factor` if that is above 1."""
    tip, *base = arrow
    x, y = (sum(point[k] for point in base) / len(base) for k in (0, 1))
    grown = max(1.0, factor)
    return (tip, *((x + grown * (a - x), y + grown * (b - y)) for a, b in base))
