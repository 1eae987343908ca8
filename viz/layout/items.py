"""Items of the layout: boxes, groups and the tall parts of wires, and their containers.

A container is a lane or the inside of a group, and an item stands in one of them. An item has a
local row: it counts the rows of its container, in which a group takes one, however much is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .. import theme
from ..model import Edge, Group, Node

Row = int  # of a space, counted from the top
Blocks = list[int]  # for each item of a container the number of its block


class LaneKey(NamedTuple):
    """Identity of a node's lane; every backward pass has one of its own."""

    direction: str
    column: int


def lane_key(node: Node) -> LaneKey:
    """Return the lane in which a node stands."""
    return LaneKey(node.lane, node.column)


@dataclass(eq=False, slots=True)
class Space:
    """Rows that several containers share: those of all lanes, or of the halves of one group."""

    count: int = 0


@dataclass(eq=False, slots=True)
class Container:
    """A lane, or the inside of a group (`around`), and what its items keep however it is opened.

    `rows` have the items from left to right, one that spans several in each of them. `blocks` are
    those of the four packings of `place`. `anchors` are the items on the spine: where the first of
    them is seen, the spine goes through. `head` is what a frame's name and badges need, to the left
    and the right of that.
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
    """A box, a group (a frame when it is open, else a box), or the `slim` tall part of a wire.

    It reaches from local row `top` to `bottom`; only slim items span several. Beside an open group
    a box and its gradient stand `low`, near what uses it; updates stand in the middle. Where
    nothing else decides, items stand as the nodes do: `first` is the number of an item's first
    node, `wire` that of the wire of a slim item. `lean` is negative for what goes to the left of
    its neighbours.
    While the order is looked for, everything is open: `x`, `left` and `right` are those of then.
    A tag is seen where both the `leaf` that it repeats and the box `beside` it are.
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
    def toggles(self) -> str:
        """Return the name by which this group opens and closes."""
        assert self.group is not None
        return self.group.toggles

    @property
    def box(self) -> Node:
        """The content of this item's box; a slim item has none."""
        assert self.node is not None
        return self.node


@dataclass(eq=False, slots=True)
class Wire:
    """An edge between two boxes, or between an open group and what is outside.

    `upper` and `lower` are its ends by their rows; `above` and `below` are what stands around these
    in the innermost container of both. `slims` are the items that it passes from top to bottom.
    `tagged` are the wires that take its place where its `leaf` is repeated, by the other end.
    """

    edge: Edge
    number: int
    source: Item
    target: Item
    way: str = ""  # flow, far, beside or cross; none where tags always take its place
    down: bool = True  # from the upper to the lower end
    upper: Item = None  # type: ignore[assignment]
    lower: Item = None  # type: ignore[assignment]
    above: Item = None  # type: ignore[assignment]
    below: Item = None  # type: ignore[assignment]
    spine: bool = False
    slims: list[Item] = field(default_factory=list)
    leaf: Item | None = None
    tagged: dict[Item, Wire] = field(default_factory=dict)
