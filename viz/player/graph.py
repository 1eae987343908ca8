"""The blueprint of a graph as JSON: tables of the looks of boxes and wires, and rows of numbers.

`web/blueprint.js` reads the JSON, `web/payload.d.ts` declares its types. Items, wires and
containers are numbered from 0; the tall parts of wires are numbered after the boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from minipaddle.engine.visible import make_visible

from .. import theme
from ..layout.blueprint import Blueprint
from ..layout.items import Container, Item, Wire
from ..layout.scene import title_of
from ..model import Badge, Face, Label, Node, label_of

Key = TypeVar("Key")


class Table(Generic[Key]):
    """Table with every entry once, in the order of first appearance."""

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._known: dict[Key, int] = {}

    def add(self, key: Key, entry: Any) -> int:
        """Return the place of an entry; add it if its key is new."""
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.entries)
            self.entries.append(entry)
        return number

    def add_made(self, key: Key, make: Callable[[], Any]) -> int:
        """Return the place of an entry; make and add it if its key is new."""
        number = self._known.setdefault(key, len(self.entries))
        if number == len(self.entries):
            self.entries.append(make())
        return number


def graph_of(
    blueprint: Blueprint,
    marked: Collection[str] | None = None,
    rooms: Mapping[str, Face] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the tables from which the player composes its pictures, with `rooms` for values."""
    tree = blueprint.tree
    numbers = {item: k for k, item in enumerate(tree.items)}
    for container in tree.containers:
        for item in container.items:
            numbers.setdefault(item, len(numbers))
    looks: Table[Any] = Table()
    wires = _WireRows(blueprint, numbers)
    place = {item.inside: k for k, item in enumerate(tree.groups)}
    spaces: Table[Any] = Table()
    data: dict[str, Any] = {
        "lanes": [list(key) for key in tree.lanes],
        "ids": [item.box.id for item in tree.items],
        "look": [_look_number(looks, item, rooms.get(item.box.id)) for item in tree.items],
        "looks": looks.entries,
        "low": "".join("01"[item.low] for item in tree.items),
        "tags": [
            [numbers[item], numbers[item.leaf], numbers[item.beside]]
            for item in tree.items
            if item.leaf and item.beside
        ],
        "repeats": [
            [numbers[item], item.box.tag_of]
            for item in tree.items
            if item.box.tag_of and not item.leaf
        ],
        "groups": [_group_data(item, numbers[item]) for item in tree.groups],
        "containers": [
            {
                "group": place.get(container),
                "space": spaces.add(container.space, None),
                **_order_data(container, numbers),
            }
            for container in tree.containers
        ],
        "wire_ids": [wire.edge.id for wire in tree.wires],
        "wires": [wires.row(wire) for wire in tree.wires],
        "tagged": wires.tagged(),
        "wire_looks": wires.looks.entries,
        "labels": wires.labels.entries,
    }
    if marked is not None:
        data["marked"] = sorted(marked)
    return data


def _look_number(looks: Table[Any], item: Item, room: Face | None) -> int:
    """Return the place of a box's look."""
    node = item.box
    key = node.kind, node.lane, item.look, node.label, node.detail, node.badges, room
    return looks.add_made(key, lambda: _look_data(node, item.look, room))


def _look_data(node: Node, look: theme.Look | None, room: Face | None) -> dict[str, Any]:
    """Return the look of a box; it has name and full text only if shortened.

    `room`: its width and its height while boxes show values.
    """
    assert look is not None
    face: dict[str, Any] = {
        "kind": node.kind,
        "lane": node.lane,
        "shape": look.shape,
        "w": look.w,
        "h": look.h,
        "label": label_data(look.label),
        "detail": look.detail,
        "badges": badges_of(look.badges),
    }
    if (node.label, node.detail, node.badges) != (look.label, look.detail, look.badges):
        title = label_data(title_of(node, node.detail))
        if title != label_data(title_of(look, look.detail)):
            face["title"] = title
        name = label_of(node, "en")
        if name != label_of(look, "en"):
            face["name"] = name
    if room and node.tag_of is None:
        roomy = theme.look(replace(node, detail=room.line, picture=room.picture))
        face["room"] = [max(roomy.w, look.w), roomy.h]  # until a value is known, its shape is shown
    return face


def label_data(label: Label) -> str | dict[str, str]:
    """Return the text of a label: a string if equal in all languages, else texts by language."""
    if isinstance(label, str):
        return label
    texts = label.by_language()
    return texts if len({*texts.values()}) > 1 else texts["en"]


def badges_of(badges: Collection[Badge]) -> list[list[Any]]:
    """Return the kind, the text and the width of each badge."""
    return [[badge.kind, label_data(badge.text), theme.badge_width(badge)] for badge in badges]


def _group_data(item: Item, number: int) -> dict[str, Any]:
    group = item.group
    assert group is not None
    return {
        "item": number,
        "id": group.id,
        "kind": group.kind,
        "label": label_data(theme.fitting(group.label)),
        "badges": badges_of(theme.short_badges(group.badges)),
        "toggles": item.toggles,
        "title": label_data(title_of(group)),
    }


def _order_data(container: Container, numbers: dict[Item, int]) -> dict[str, Any]:
    """Return the rows of a container; equal blocks of its four packings are written once."""
    rows = [[numbers[item] for item in row] for row in container.rows]
    by_number = sorted(range(len(container.items)), key=lambda k: numbers[container.items[k]])
    blocks = [[some[k] for k in by_number] for some in container.blocks]
    anchors = []
    for item in container.anchors:
        anchors.append(numbers[item])
        if not item.slim and item.leaf is None and not item.is_turn:
            break  # a box is always visible
    return {
        "rows": [row[0] if len(row) == 1 else row for row in rows],
        "blocks": [None if k and some == blocks[0] else some for k, some in enumerate(blocks)],
        "anchors": anchors,
        "head": list(container.head),
    }


class _WireRows:
    """Makes rows of wires, with tables of their looks and labels."""

    def __init__(self, blueprint: Blueprint, numbers: dict[Item, int]) -> None:
        self.looks: Table[Any] = Table()
        self.labels: Table[str] = Table()
        self._blueprint, self._numbers = blueprint, numbers

    def row(self, wire: Wire) -> list[int]:
        """Return the row of a wire: source, target, look, label, and the tall parts on its way."""
        edge, number = wire.edge, self._numbers
        look = {
            "kind": edge.kind,
            "colour": self._blueprint.colours[edge.id],
            "way": wire.way,
            "up": not wire.down,
            "spine": wire.spine,
        }
        return [
            number[wire.source],
            number[wire.target],
            self.looks.add(tuple(look.values()), look),
            self.labels.add_made(edge.label, lambda: self._label_data(edge.label)),
            *(number[slim] for slim in wire.slims),
        ]

    def _label_data(self, label: str) -> list[Any]:
        """Return a label, its visible form if that differs, and its texts with their widths."""
        texts = [list(text) for text in self._blueprint.texts.get(label, ())]
        title = make_visible(label)
        return [label, None if title == label else title, texts]

    def tagged(self) -> list[list[int]]:
        """Return rows of the wires at tags: replaced wire, leaf, user, then as in `row`."""
        number = self._numbers
        return [
            [k, number[wire.leaf], number[user], *self.row(short)]
            for k, wire in enumerate(self._blueprint.tree.wires)
            if wire.leaf
            for user, short in wire.tagged.items()
        ]
