"""Visible parts of one picture (boxes, frames, tall pieces of wires), and its wires."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .. import theme
from ..model import Edge, Node, between
from .items import Container, Item, Row, Wire


@dataclass(eq=False, slots=True)
class Part:
    """Item in a picture, from row `top` to row `bottom`, with its anchor at `x`.

    Its row in the container spans the rows `first` to `last` of the picture: more than its own if
    there is a taller group beside it.
    """

    item: Item
    lane: Container
    top: Row = 0
    bottom: Row = 0
    first: Row = 0
    last: Row = 0
    left: float = 0.0
    right: float = 0.0
    x: float = 0.0

    @property
    def look(self) -> theme.Look:
        """Size and shape of a box."""
        assert self.item.look is not None
        return self.item.look


@dataclass(eq=False, slots=True)
class Thread:
    """Wire in a picture: `edge` names it, `wire` is its layout, `merged` are the edges it shows."""

    edge: Edge
    number: int
    wire: Wire
    source: Part
    target: Part
    merged: list[Edge]
    slims: list[Part] = field(default_factory=list)

    @property
    def upper(self) -> Part:
        return self.source if self.wire.down else self.target

    @property
    def lower(self) -> Part:
        return self.target if self.wire.down else self.source

    @property
    def flows(self) -> bool:
        """True if the wire goes down its lane, from row to row."""
        return self.wire.way == "flow"


@dataclass(slots=True)
class Seen:
    """Visible parts of a picture; `stands` maps every item to the visible item in its place.

    `runs` maps the box of several closed turns, which is that of the first one, to the last one.
    """

    boxes: list[Part]
    frames: list[Part]
    containers: list[Container]
    parts: dict[Item, Part]
    stands: dict[Item, Item]
    runs: dict[Item, Item]

    def node(self, part: Part) -> Node:
        """Return the content of a box; that of several turns has the shape of a result, no name."""
        node, last = part.item.box, self.runs.get(part.item)
        if last is None:
            return node
        shape = node.detail.rpartition(": ")[2]
        return replace(node, label=between(node.label, last.box.label), detail=shape)
