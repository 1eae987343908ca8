"""What is placed from left to right: boxes, frames and the tall parts of wires, in containers.

A container is a strip (a lane, as it is filled) or a frame, which is an item of another container.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..model import Edge, Node


class LaneKey(NamedTuple):
    """Which lane a node stands in; every backward pass has one of its own."""

    direction: str
    column: int


def lane_key(node: Node) -> LaneKey:
    """The lane in which a node stands."""
    return LaneKey(node.lane, node.column)


@dataclass(eq=False, slots=True)
class Strip:
    """A lane, as it is filled; `number` counts the lanes from the left."""

    key: LaneKey
    number: int
    x: float = 0.0
    width: float = 0.0

    @property
    def forward(self) -> bool:
        return self.key.direction == "forward"

    @property
    def backward(self) -> bool:
        return self.key.direction == "backward"


@dataclass(eq=False, slots=True)
class Item:
    """A box, a frame, or the `slim` tall part of a wire, from row `top` to row `bottom`.

    It reaches `left` and `right` of its anchor, which is at `x`: at first inside its container,
    in the end inside the picture. `lean` is negative for what goes to the left of its neighbours.
    Where nothing else decides, items stand as the nodes do: `first` is the number of an item's
    first node, `wire` that of the wire of a slim item.
    """

    top: int
    bottom: int
    container: Container
    strip: Strip
    first: int
    wire: int = -1
    left: float = 0.0
    right: float = 0.0
    lean: float = 0.0
    x: float = 0.0
    slim: bool = False


Container = Item | Strip


@dataclass(eq=False, slots=True)
class Wire:
    """An edge between two boxes, `upper` and `lower` by their rows.

    For a wire that goes down its lane, `above` and `below` are what stands around these in the
    innermost container of both, and `slims` the items that it passes from top to bottom.
    """

    edge: Edge
    number: int
    source: Item
    target: Item
    upper: Item
    lower: Item
    above: Item
    below: Item
    spine: bool = False
    slims: list[Item] = field(default_factory=list)

    @property
    def downwards(self) -> bool:
        return self.source is self.upper


class Link(NamedTuple):
    """A piece of a wire between neighbours in one container; `strong`: it belongs to the spine."""

    upper: Item
    lower: Item
    strong: bool


def outwards(item: Item) -> Iterator[Item]:
    """An item, the frame that it stands in, the frame around that, and so on."""
    at: Container = item
    while isinstance(at, Item):
        yield at
        at = at.container


def frames_between(item: Item, outer: Item) -> Iterator[tuple[Item, Item]]:
    """On the way out from an item to `outer`: what stands in a frame, and this frame."""
    while item is not outer:
        frame = item.container
        assert isinstance(frame, Item)
        yield item, frame
        item = frame


def meeting(upper: Item, lower: Item) -> tuple[Item, Item]:
    """What stands around two boxes in the innermost container of both."""
    if upper.container is lower.container:
        return upper, lower
    within = {item.container: item for item in outwards(upper)}
    below = next(item for item in outwards(lower) if item.container in within)
    return within[below.container], below
