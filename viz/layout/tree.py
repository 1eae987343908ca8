"""The graph as items in containers and wires between them, before anything has a place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from .. import theme
from ..model import Graph, Group, Node, around, changed
from .items import Container, Item, LaneKey, Space, Wire, lane_key

_LANE_ORDER = {"forward": 0, "backward": 1, "optimize": 2}


@dataclass(slots=True)
class Tree:
    """Items in containers, and the wires between them.

    `containers` holds the lanes from left to right, then the insides of groups, an outer group
    before the groups in it. `items` holds boxes, groups and tags; the slim items of wires are in
    their containers only.
    """

    lanes: dict[LaneKey, Container]
    sizes: theme.Sizes
    containers: list[Container] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    groups: list[Item] = field(default_factory=list)  # groups in the order of the graph
    wires: list[Wire] = field(default_factory=list)
    named: dict[str, Item] = field(default_factory=dict)  # id of a node or closed group -> item

    def drawable(self) -> Iterator[Wire]:
        """Yield all wires, and the short wires that replace them at tags."""
        for wire in self.wires:
            yield wire
            yield from wire.tagged.values()


def tree_of(graph: Graph, sizes: theme.Sizes = theme.SCREEN) -> Tree:
    """Return the tree of a graph."""
    groups = {group.id: group for group in graph.groups}
    outer = {name: around(groups, name) for name in groups}  # the group and those around it
    lanes, homes = _lanes_and_homes(graph, outer)
    keys = {*lanes.values(), *map(lane_key, graph.nodes)}
    ordered = sorted(keys, key=lambda key: (_LANE_ORDER.get(key.direction, 3), key))
    root = Space()
    strips = {key: Container(k, key, root) for k, key in enumerate(ordered)}
    tree = Tree(strips, sizes, list(strips.values()))
    first: dict[str, int] = {}  # group -> place of its first node, at any depth
    for place, node in enumerate(graph.nodes):
        for name in outer.get(homes[node.id] or "", ()):
            first.setdefault(name, place)
    made: dict[str, Item] = {}

    def inside(name: str | None, lane: LaneKey) -> Container:
        return (made[name].inside if name else None) or strips[lane]

    for name in sorted(groups, key=lambda name: len(outer[name])):
        parent = next((each for each in outer[name][1:2] if lanes[each] == lanes[name]), None)
        home, place = inside(parent, lanes[name]), first.get(name, len(graph.nodes))
        made[name] = _group_item(tree, groups[name], home, place)
    tree.groups = [made[name] for name in groups]
    _share_rows(tree)
    for place, node in enumerate(graph.nodes):
        tree.named[node.id] = _box_item(node, inside(homes[node.id], lane_key(node)), place, sizes)
    tree.items = [*tree.named.values(), *tree.groups]
    for item in tree.groups:
        tree.named.setdefault(item.box.id, item)
    tree.items.sort(key=lambda item: (item.first, item.group is None))
    for item in tree.items:
        item.container.items.append(item)
    _set_pairs(tree)
    tree.wires = list(_wires_of_graph(graph, tree))
    return tree


def _lanes_and_homes(
    graph: Graph, outer: Mapping[str, list[str]]
) -> tuple[dict[str, LaneKey], dict[str, str | None]]:
    """Return the lane of each group and the group of each node.

    A group surrounds nodes of one lane only; its nodes in other lanes are in no group.
    """
    lanes: dict[str, LaneKey] = {}
    homes: dict[str, str | None] = {}
    for node in graph.nodes:
        here, home = lane_key(node), outer.get(node.group or "", [])
        fits = all(lanes.get(name, here) == here for name in home)
        homes[node.id] = home[0] if home and fits else None
        if fits:
            lanes |= dict.fromkeys(home, here)
    for group in graph.groups:
        lanes.setdefault(group.id, LaneKey(group.lane, 0))
    return lanes, homes


def _box_item(node: Node, home: Container, first: int, sizes: theme.Sizes) -> Item:
    group = home.around.group.id if home.around and home.around.group else None
    node = node if node.group == group else replace(node, group=group)
    look = theme.look(node, sizes)
    return Item(first, home, node, look, left=look.w / 2, right=look.w / 2)


def _group_item(tree: Tree, group: Group, home: Container, first: int) -> Item:
    node = group.closed or Node(group.id, group.kind, group.label)
    node = replace(node, lane=group.lane, badges=node.badges or group.badges)
    item = _box_item(node, home, first, tree.sizes)
    parent = item.box.group
    item.group = group if group.parent == parent else replace(group, parent=parent)
    if item.is_turn:  # its box may stand for several turns
        several = changed(node.label, lambda text: f"{text} … {text.split(' ')[-1]}")
        look = theme.look(replace(node, label=several), tree.sizes)
        item.look = replace(look, label=theme.fitting(node.label))
        item.left = item.right = item.look.w / 2
    # The wire at the anchor passes between the badges and the name. The name is on the side where
    # the lanes face each other, because wires of leaves come and go on the other side.
    left, right = theme.frame_head(group, tree.sizes)
    head = (right, left) if group.lane == "forward" else (left, right)
    item.inside = Container(len(tree.containers), home.key, Space(), item, head=head)
    tree.containers.append(item.inside)
    return item


def _share_rows(tree: Tree) -> None:
    """Set the rows of the insides of groups; the halves of a group share them.

    The first group of a name in one lane is the twin of the first in another.
    """
    turn: dict[tuple[str, LaneKey], int] = defaultdict(int)
    shared: dict[tuple[Space, str, int], tuple[Space, Item]] = {}
    for item in sorted(tree.groups, key=lambda item: len([*outwards(item)])):
        assert item.inside is not None
        here = item.toggles, item.container.key
        key = item.container.space, item.toggles, turn[here]
        turn[here] += 1
        space, first = shared.setdefault(key, (Space(), item))
        item.inside.space = space
        if first is not item:
            item.pair = first


def _set_pairs(tree: Tree) -> None:
    """Set the pairs: a gradient and its forward op, and the halves of a group."""
    forward = {
        item.group.twin: item
        for item in reversed(tree.groups)
        if item.group and item.group.twin and item.group.lane == "forward"
    }
    for item in tree.items:
        pair = item.box.pair
        if pair is not None:
            item.pair = item.pair or tree.named.get(pair)
        elif item.group and item.group.twin and item.group.lane != "forward":
            item.pair = item.pair or forward.get(item.group.twin)


def _wires_of_graph(graph: Graph, tree: Tree) -> Iterator[Wire]:
    """Yield the wires between items of which none is inside the other."""
    for number, edge in enumerate(graph.edges):
        source, target = tree.named.get(edge.source), tree.named.get(edge.target)
        if source is None or target is None:
            continue
        if not (surrounds(source, target) or surrounds(target, source)):
            yield Wire(edge, number, source, target)


def surrounds(outer: Item, item: Item) -> bool:
    """Return whether an item is another one, or inside it."""
    return outer is item or (outer.inside is not None and outer in outwards(item))


def outwards(item: Item) -> Iterator[Item]:
    """Yield an item, the group around it, the group around that, and so on."""
    at: Item | None = item
    while at is not None:
        yield at
        at = at.container.around


def until(item: Item, last: Item) -> Iterator[Item]:
    """Yield an item and the groups around it, before `last`."""
    for each in outwards(item):
        if each is last:
            return
        yield each


def meeting(one: Item, other: Item) -> tuple[Item, Item]:
    """Return two items, or the groups around them, that share their rows."""
    if one.container.space is other.container.space:
        return one, other
    within = {item.container.space: item for item in outwards(one)}
    second = next(item for item in outwards(other) if item.container.space in within)
    return within[second.container.space], second
