"""A picture as plain data: boxes, wires and frames with their places, for every drawer alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from .. import theme
from ..model import Edge, Graph, Group, Node
from . import Geometry, Lane, arrange
from .curves import Point, text
from .fold import Alias, Folds, toggle
from .labels import Label
from .ranks import Pair

__all__ = [
    "Box",
    "Frame",
    "Lane",
    "Scene",
    "Wire",
    "default_open",
    "first_open",
    "scene_of",
    "scenes",
]

ROOM = 4000  # boxes in the scenes of one graph, all together
SMALL = 150  # boxes in a group whose inside opens together
WAYS = 24_000  # the same in the scenes that lead into each of its groups


@dataclass(frozen=True, slots=True)
class Box:
    """A node with its place (x, y: top left); texts fit, `title` is the full text.

    shape: box, pill, circle or tag; `fill` and `accent` name colours of the theme.
    """

    id: str
    kind: str
    lane: str
    column: int
    x: float
    y: float
    w: float
    h: float
    label: str
    detail: str
    badges: tuple[str, ...]
    group: str | None
    shape: str
    tag_of: str | None
    title: str
    fill: str
    accent: str


@dataclass(frozen=True, slots=True)
class Wire:
    """An edge; `points` are its bends, `path` the same as SVG path data, `colour` the theme's.

    `label` stands at `label_at` where there is room for it; `title` is the full text.
    """

    id: str
    kind: str
    source: str
    target: str
    points: tuple[Point, ...]
    path: str
    label: str
    label_at: Point
    colour: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """The border of an opened group; `toggles` is the name by which it and its twin close."""

    id: str
    kind: str
    lane: str
    x: float
    y: float
    w: float
    h: float
    label: str
    badges: tuple[str, ...]
    twin: str | None
    toggles: str
    parent: str | None
    title: str
    accent: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture; `alias` leads from what is hidden to the box or wire that stands for it.

    `pairs` are the boxes that stand at one height because one is the gradient of the other, `spine`
    the wires that are drawn straight.
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


def scene_of(graph: Graph, open: AbstractSet[str] = frozenset()) -> Scene:
    """Lay out the graph with the groups of these names open and all others closed.

    >>> from viz.model import Edge, Graph, Node
    >>> nodes = (Node("x", "leaf", "x"), Node("tanh", "op", "tanh"))
    >>> scene = scene_of(Graph(nodes, (Edge("e", "x", "tanh"),)))
    >>> [(box.id, box.y) for box in scene.boxes]
    [('x', 64.0), ('tanh', 130.0)]
    """
    return _scene(Folds(graph), open)


def _scene(folds: Folds, open: AbstractSet[str]) -> Scene:
    geometry = arrange(folds.view(open))
    view = geometry.view
    nodes = {node.id: node for node in view.nodes}
    return Scene(
        _round(geometry.width),
        _round(geometry.height),
        tuple(_box(node, geometry) for node in view.nodes),
        _wires(view.edges, nodes, geometry),
        tuple(_frame(group, geometry) for group in view.frames),
        view.alias,
        tuple(Lane(x.name, x.column, _round(x.x), _round(x.w)) for x in geometry.lanes),
        geometry.pairs,
        tuple(edge.id for edge in view.edges if edge.id in geometry.spine),
    )


def foldable(graph: Graph) -> tuple[str, ...]:
    """The names by which groups of this graph open and close."""
    return tuple(sorted({toggle(group) for group in graph.groups}))


def scenes(graph: Graph) -> dict[str, Scene]:
    """A scene for every combination of open groups that can be told apart.

    Of many groups: those one click away from the first scene or on the way into a group, those with
    the fewest open as long as they have room, and the one with all if it has room.
    The key of a scene is its open names in order, joined by `+`; the empty key has none open.
    """
    by_key: dict[str, Scene] = {}
    folds = Folds(graph)
    everything = frozenset(foldable(graph))
    rooms = (
        (WAYS, _ways(graph)),
        (len(graph.nodes), [everything] if len(graph.nodes) <= ROOM else []),
        (ROOM, _combinations(graph)),
    )
    for room, open_sets in rooms:
        for some in open_sets:
            key = "+".join(sorted(some))
            if key not in by_key:
                by_key[key] = _scene(folds, some)
            room -= len(by_key[key].boxes)
            if room < 0:
                break
    return dict(sorted(by_key.items()))


def _outer(graph: Graph) -> dict[str, set[str]]:
    """For each name by which groups open: the names that must be open for it to be seen."""
    groups = {group.id: group for group in graph.groups}
    outer: dict[str, set[str]] = {name: set() for name in foldable(graph)}
    for group in graph.groups:
        parent = groups.get(group.parent or "")
        while parent is not None:
            outer[toggle(group)].add(toggle(parent))
            parent = groups.get(parent.parent or "")
    return outer


def _ways(graph: Graph) -> Iterator[frozenset[str]]:
    """The first scene, and those in which one more name is open, or one of its own closed.

    What stands in a small group opens together. Where there is no room for all, names at the
    beginning and at the end of a row come before those in the middle.
    """
    outer = _outer(graph)
    inside = {name: {each for each in outer if name in outer[each]} for name in outer}
    names = {group.id: toggle(group) for group in graph.groups}
    sizes = Counter(names.get(node.group or "", "") for node in graph.nodes)
    small = {n for n in outer if sum(sizes[each] for each in (n, *inside[n])) <= SMALL}
    first = first_open(graph)
    yield first
    rows: dict[int, list[str]] = {}
    for name in dict.fromkeys(map(toggle, graph.groups)):
        rows.setdefault(len(outer[name]), []).append(name)
    for name in (name for deep in sorted(rows) for name in _from_both_ends(rows[deep])):
        if name in first:
            yield first - {name} - inside[name]
        elif not outer[name] & small:
            yield first | {name} | outer[name]
            if name in small:
                yield first | {name} | outer[name] | inside[name]


def _from_both_ends(row: list[str]) -> list[str]:
    return [row[-k // 2 if k % 2 else k // 2] for k in range(len(row))]


def _combinations(graph: Graph) -> Iterator[frozenset[str]]:
    """Sets of names, smallest first; inside a closed group nothing is open."""
    outer = _outer(graph)
    queue = [frozenset[str]()]
    known = set(queue)
    for some in queue:
        yield some
        for name in sorted(outer.keys() - some):
            more = some | {name}
            if outer[name] <= more and more not in known:
                known.add(more)
                queue.append(more)


def first_open(graph: Graph) -> frozenset[str]:
    """The names that are open in the first scene: those of the groups that ask for it."""
    return frozenset(toggle(group) for group in graph.groups if group.open_at_first)


def default_open(graph: Graph) -> str:
    """The key of the first scene."""
    return "+".join(sorted(first_open(graph)))


def _round(x: float) -> float:
    return round(x, 1) + 0.0  # no minus zero


def _box(node: Node, geometry: Geometry) -> Box:
    rect, look = geometry.boxes[node.id], geometry.looks[node.id]
    return Box(
        node.id,
        node.kind,
        node.lane,
        node.column,
        _round(rect.x),
        _round(rect.y),
        rect.w,
        rect.h,
        look.label,
        look.detail,
        look.badges,
        node.group,
        look.shape,
        node.tag_of,
        " · ".join(part for part in (node.label, node.detail, *node.badges) if part),
        *theme.colours(node),
    )


def _wires(edges: tuple[Edge, ...], nodes: dict[str, Node], geometry: Geometry) -> tuple[Wire, ...]:
    colours = theme.wire_colours(edges, {name: node.lane for name, node in nodes.items()})
    wires = []
    for edge in edges:
        stations, path = geometry.wires[edge.id]
        label, (x, y) = geometry.labels.get(edge.id, Label("", stations[0]))
        wires.append(
            Wire(
                edge.id,
                edge.kind,
                edge.source,
                edge.target,
                tuple([(_round(x), _round(y)) for x, y in stations]),
                text(path),
                label,
                (_round(x), _round(y)),
                colours[edge.id],
                theme.visible(edge.label),
            )
        )
    return tuple(wires)


def _frame(group: Group, geometry: Geometry) -> Frame:
    rect = geometry.frames[group.id]
    most = theme.WIDEST
    return Frame(
        group.id,
        group.kind,
        group.lane,
        _round(rect.x),
        _round(rect.y),
        _round(rect.w),
        _round(rect.h),
        theme.shorten(group.label, theme.LABEL, most, bold=True),
        tuple(theme.shorten(badge, theme.SMALL, theme.BADGE) for badge in group.badges),
        group.twin,
        toggle(group),
        group.parent,
        " · ".join((group.label, *group.badges)),
        theme.accent(group.lane),
    )
