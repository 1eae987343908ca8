"""A picture as plain data for all drawers: boxes, wires and frames with their places."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from minipaddle.engine.visible import make_visible
from minipaddle.messages import Message, Row

from .. import theme
from ..model import DOTS, Badge, Graph, Group, Label, Node, Picture
from . import labels
from .blueprint import Blueprint, lay_out
from .compose import Geometry, Lane, Rect, compose, level_pairs
from .curves import Command, Point
from .fold import Alias
from .parts import Part, Seen, Thread
from .ranks import Pair


@dataclass(frozen=True, slots=True)
class Box:
    """Node with its place (x, y: top left); texts are shortened to fit, `title` is the full text.

    shape: box, pill, circle or tag; `fill` and `accent` name colours of the theme. `several`: the
    box stands for several closed turns of a loop.
    """

    id: str
    kind: str
    lane: str
    column: int
    x: float
    y: float
    w: float
    h: float
    label: Label
    detail: str
    badges: tuple[Badge, ...]
    group: str | None
    shape: str
    tag_of: str | None
    title: Message
    fill: str
    accent: str
    picture: Picture | None = None
    several: bool = False


@dataclass(frozen=True, slots=True)
class Wire:
    """Edge; `points` are its bends, `path` the drawn curve, `colour` a name of the theme.

    `label` is drawn at `label_at`, or "" if there is no room; `title` is the full text.
    """

    id: str
    kind: str
    source: str
    target: str
    points: tuple[Point, ...]
    path: tuple[Command, ...]
    label: str
    label_at: Point
    colour: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """Border of an opened group; `toggles` is the name by which it and its twin close."""

    id: str
    kind: str
    lane: str
    x: float
    y: float
    w: float
    h: float
    label: Label
    badges: tuple[Badge, ...]
    twin: str | None
    toggles: str
    parent: str | None
    title: Message
    accent: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Whole picture; `alias` maps hidden nodes and wires to the box or wire in their place.

    `pairs` are boxes and their gradients at one height, `spine` the wires that are drawn straight.
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    wires: tuple[Wire, ...]
    frames: tuple[Frame, ...]
    alias: Alias = field(compare=False)
    lanes: tuple[Lane, ...] = ()
    pairs: tuple[Pair, ...] = ()
    spine: tuple[str, ...] = ()
    sizes: theme.Sizes = theme.SCREEN


def scene_of(graph: Graph, open: AbstractSet[str] = frozenset()) -> Scene:
    """Lay out the graph with the groups of these names open and all others closed.

    >>> from viz.model import Edge, Graph, Node
    >>> nodes = (Node("x", "leaf", "x"), Node("tanh", "op", "tanh"))
    >>> scene = scene_of(Graph(nodes, (Edge("e", "x", "tanh"),)))
    >>> [(box.id, box.y) for box in scene.boxes]
    [('x', 64.0), ('tanh', 130.0)]
    """
    return scene_from(lay_out(graph), open)


def scene_from(blueprint: Blueprint, open: AbstractSet[str] = frozenset()) -> Scene:
    """Return the scene of a blueprint with the groups of these names open."""
    geometry = compose(blueprint, open)
    return Scene(
        _round_place(geometry.width),
        _round_place(geometry.height),
        tuple(_box_at(part, rect, geometry.seen) for part, rect in geometry.boxes.items()),
        tuple(_wire_along(thread, geometry, blueprint.colours) for thread in geometry.threads),
        tuple(
            _frame_at(part, rect, blueprint.tree.sizes) for part, rect in geometry.frames.items()
        ),
        Alias(blueprint.tree.named, geometry.seen, geometry.threads),
        tuple(Lane(x.name, x.column, _round_place(x.x), _round_place(x.w)) for x in geometry.lanes),
        level_pairs(geometry.seen),
        tuple(thread.edge.id for thread in geometry.threads if thread.wire.spine),
        blueprint.tree.sizes,
    )


def foldable(graph: Graph) -> tuple[str, ...]:
    """Return the names by which groups of this graph open and close."""
    return tuple(sorted({group.toggles for group in graph.groups}))


def first_open(graph: Graph) -> frozenset[str]:
    """Return the names of the groups that are open at first."""
    return frozenset(group.toggles for group in graph.groups if group.open_at_first)


def with_alert(scene: Scene, names: AbstractSet[str]) -> Scene:
    """Return the scene with some boxes in the colour of an alert."""
    boxes = tuple(
        replace(box, fill="alert-fill", accent="alert") if box.id in names else box
        for box in scene.boxes
    )
    return replace(scene, boxes=boxes)


def _round_place(x: float) -> float:
    return round(x, 1) + 0.0  # turns -0.0 into 0.0


def title_of(thing: Node | Group | Box | theme.Look, *details: str) -> Message:
    """Return the full text of a box or a frame: label, details and badges."""
    said = [thing.label, *details, *(badge.text for badge in thing.badges if badge.text.en)]
    return Row(filter(None, said), DOTS).message()


def _box_at(part: Part, rect: Rect, seen: Seen) -> Box:
    node, look, several = seen.node(part), part.look, part.item in seen.runs
    if several:
        shape = look.detail.rpartition(": ")[2]
        look = replace(look, label=theme.fitting(node.label), detail=shape)
    return Box(
        node.id,
        node.kind,
        node.lane,
        node.column,
        _round_place(rect.x),
        _round_place(rect.y),
        rect.w,
        rect.h,
        look.label,
        look.detail,
        look.badges,
        node.group,
        look.shape,
        node.tag_of,
        title_of(node, node.detail),
        *theme.colours(node),
        node.picture,
        several,
    )


def _wire_along(thread: Thread, geometry: Geometry, colours: Mapping[str, str]) -> Wire:
    edge = thread.edge
    stations, path = geometry.lines[thread]
    label, (x, y) = geometry.labels.get(thread, labels.Label("", stations[0]))
    return Wire(
        edge.id,
        edge.kind,
        thread.source.item.box.id,
        thread.target.item.box.id,
        tuple([(_round_place(x), _round_place(y)) for x, y in stations]),
        tuple(
            (letter, tuple((_round_place(x), _round_place(y)) for x, y in ends))
            for letter, ends in path
        ),
        label,
        (_round_place(x), _round_place(y)),
        colours[edge.id],
        ", ".join(dict.fromkeys(make_visible(one.label) for one in thread.merged if one.label)),
    )


def _frame_at(part: Part, rect: Rect, sizes: theme.Sizes) -> Frame:
    group = part.item.group
    assert group is not None
    return Frame(
        group.id,
        group.kind,
        group.lane,
        _round_place(rect.x),
        _round_place(rect.y),
        _round_place(rect.w),
        _round_place(rect.h),
        theme.fitting(group.label),
        theme.short_badges(group.badges, sizes),
        group.twin,
        group.toggles,
        group.parent,
        title_of(group),
        theme.accent(group.lane),
    )
