"""Items of the layout: boxes, groups and the tall parts of wires, and their containers.

A container is a lane or the inside of a group; each item is in one container. The row of an item is
local: it counts the rows of its container, where a group takes one row, however much is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .. import theme
from ..model import SERIES, Edge, Group, Node

Row = int  # number of a row in its space, counted from the top
Blocks = list[int]  # number of the block of each item of a container


class LaneKey(NamedTuple):
    """Identity of a lane; every backward pass has a lane of its own."""

    direction: str
    column: int


def lane_key(node: Node) -> LaneKey:
    """Return the lane of a node."""
    return LaneKey(node.lane, node.column)


@dataclass(eq=False, slots=True)
class Space:
    """Rows that several containers share: all lanes, or the two halves of a group."""

    count: int = 0


@dataclass(eq=False, slots=True)
class Container:
    """Lane, or inside of a group (`around`), and the order of its items, whatever is open.

    `rows` have the items from left to right; an item that spans several rows is in each of them.
    `blocks` are the blocks of the four packings of `place`. `anchors` are the items on the spine;
    the spine goes through the first visible one. `head` is the room that a frame's name and badges
    need to the left and to the right of the spine.
    """

    number: int
    key: LaneKey
    space: Space
    around: Item | None = None
    items: list[Item] = field(default_factory=list)
    rows: list[list[Item]] = field(default_factory=list)
    blocks: tuple[Blocks, ...] = ()
    anchors: list[Item] = field(default_factory=list)
    head: tuple[float, float] = (0.0, 0.0)

    @property
    def forward(self) -> bool:
        return self.key.direction == "forward"

    @property
    def backward(self) -> bool:
        return self.key.direction == "backward"


@dataclass(eq=False, slots=True)
class Item:
    """Box, group (drawn as a frame when open, else as a box), or `slim` tall part of a wire.

    An item reaches from local row `top` to `bottom`; only slim items span several rows. Beside an
    open group a `low` box takes the last row, near its users; other boxes take the middle. `first`
    is the number of the item's first node, `wire` the number of a slim item's wire; both decide the
    order if nothing else does. An item with a negative `lean` goes to the left of its neighbours.
    `x`, `left` and `right` are places with all groups open. A tag is visible if both the `leaf`
    that it repeats and the box `beside` it are.
    """

    first: int
    container: Container
    node: Node | None = None  # content of the box; None for a slim item
    look: theme.Look | None = None
    group: Group | None = None
    inside: Container | None = None
    pair: Item | None = None
    leaf: Item | None = None
    beside: Item | None = None
    wire: int = -1
    top: Row = 0
    bottom: Row = 0
    low: bool = False
    lean: float = 0.0
    left: float = 0.0
    right: float = 0.0
    x: float = 0.0
    number: int = -1

    @property
    def slim(self) -> bool:
        return self.node is None

    @property
    def is_turn(self) -> bool:
        """Whether this is one of the equal groups in a loop or a row."""
        outer = self.container.around
        return bool(self.group and outer and outer.group and outer.group.kind in SERIES)

    @property
    def toggles(self) -> str:
        """Name by which this group opens and closes."""
        assert self.group is not None
        return self.group.toggles

    @property
    def box(self) -> Node:
        """Content of the item's box; a slim item has none."""
        assert self.node is not None
        return self.node


@dataclass(eq=False, slots=True)
class Wire:
    """Edge between two items.

    `upper` and `lower` are its ends by their rows; `above` and `below` are the items around them in
    the innermost container that has both. `slims` are the slim items on its way from top to bottom.
    `tagged` maps an end to the wire to its tag, which replaces this wire if `leaf` is repeated.
    """

    edge: Edge
    number: int
    source: Item
    target: Item
    way: str = ""  # flow, far, beside or cross; "" if tags always replace the wire
    down: bool = True  # whether the source is the upper end
    upper: Item = None  # type: ignore[assignment]
    lower: Item = None  # type: ignore[assignment]
    above: Item = None  # type: ignore[assignment]
    below: Item = None  # type: ignore[assignment]
    spine: bool = False
    slims: list[Item] = field(default_factory=list)
    leaf: Item | None = None
    tagged: dict[Item, Wire] = field(default_factory=dict)
