"""Visible boxes, frames and wires of a graph with some groups open, without places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ..model import Graph
from .items import Container, Item
from .parts import Part, Seen, Thread
from .tree import Tree, tree_of


class Alias:
    """Mapping from a hidden node or wire to the box or wire that is drawn in its place."""

    def __init__(self, named: Mapping[str, Item], seen: Seen, threads: Sequence[Thread]) -> None:
        self._named, self._seen = named, seen
        self._wires = {edge.id: t.edge.id for t in threads for edge in t.merged[1:]}

    def get(self, name: str, default: str = "") -> str:
        """Return the box or wire drawn in place of a hidden one, else `default`."""
        item = self._named.get(name)
        if item is None:
            return self._wires.get(name, default)
        shown = self._seen.stands[item]
        return default if shown is item else shown.box.id


@dataclass(frozen=True, slots=True)
class View:
    """Visible part of a graph, before layout."""

    seen: Seen
    threads: list[Thread]
    alias: Alias


def fold(graph: Graph, opened: AbstractSet[str]) -> View:
    """Replace each closed group of a graph by one box."""
    tree = tree_of(graph)
    seen = look_at(tree, opened)
    threads = find_threads(tree, seen)
    return View(seen, threads, Alias(tree.named, seen, threads))


def look_at(tree: Tree, open: AbstractSet[str]) -> Seen:
    """Return the visible boxes and frames, and the visible item in place of each hidden one."""
    hidden: dict[Container, Item | None] = {}  # container -> the closed group that hides it
    lane: dict[Container, Container] = {}
    opened: set[Item] = set()
    for container in tree.containers:
        group = container.around
        if group is None:
            hidden[container], lane[container] = None, container
            continue
        lane[container] = lane[group.container]
        hidden[container] = hidden[group.container]
        if hidden[container] is None and group.toggles in open:
            opened.add(group)
        elif hidden[container] is None:
            hidden[container] = group
    runs = _find_runs(tree, hidden)
    one = {item: run[0] for run in runs for item in run}  # turn -> the one whose box is drawn
    shown = ((item, hidden[item.container] or item) for item in tree.items)
    stands = {item: one.get(place, place) for item, place in shown}
    boxed = {item for item in tree.items if stands[item] is item and item not in opened}
    boxed = {item for item in boxed if item.leaf is None or {item.leaf, item.beside} <= boxed}
    filled: set[Item] = set()  # frames with a visible box; an empty frame is not drawn
    for item in boxed:
        around = item.container.around
        while around is not None and around not in filled:
            filled.add(around)
            around = around.container.around
    boxes = [Part(item, lane[item.container]) for item in tree.items if item in boxed]
    frames = [Part(item, lane[item.container]) for item in tree.groups if item in filled]
    containers = [c for c in tree.containers if c.around is None or c.around in filled]
    parts = {part.item: part for part in (*boxes, *frames)}
    return Seen(boxes, frames, containers, parts, stands, {run[0]: run[-1] for run in runs})


def _find_runs(tree: Tree, hidden: Mapping[Container, Item | None]) -> list[list[Item]]:
    """Return the rows of closed turns beside each other in open loops, or layers in open rows."""
    runs: list[list[Item]] = []
    turns = [item for item in tree.groups if item.is_turn]
    turns.sort(key=lambda item: (item.container.number, item.top))
    before: Item | None = None
    for item in turns:
        assert item.inside is not None
        if hidden[item.inside] is not item:
            before = None
            continue
        if before is None or before.container is not item.container:
            runs.append([])
        runs[-1].append(item)
        before = item
    return [run for run in runs if len(run) > 1]


def find_threads(tree: Tree, seen: Seen) -> list[Thread]:
    """Return the wires between visible boxes; those of one kind at a closed group are merged."""
    threads: list[Thread] = []
    merged: dict[tuple[Part, Part, str], Thread] = {}
    boxes = {part.item: part for part in seen.boxes}
    tagged = {
        (wire.leaf, user, wire.edge.kind): short
        for wire in tree.wires
        for user, short in wire.tagged.items()
    }
    for wire in tree.wires:
        one, other = seen.stands[wire.source], seen.stands[wire.target]
        if one is other or one not in boxes or other not in boxes:
            continue
        own = wire
        if wire.leaf is one or wire.leaf is other:
            user = other if wire.leaf is one else one
            # the wires of all turns of a run end at the tag beside its box
            short = wire.tagged.get(user) or tagged.get((wire.leaf, user, wire.edge.kind))
            if short is not None and short.source in boxes and short.target in boxes:
                own, one, other = short, short.source, short.target
        source, target = boxes[one], boxes[other]
        key = source, target, wire.edge.kind
        if key in merged:
            thread = merged[key]
            thread.merged.append(wire.edge)
            if (own.spine and not thread.wire.spine) or (own.way and not thread.wire.way):
                thread.wire = own
            continue
        thread = Thread(wire.edge, wire.number, own, source, target, [wire.edge])
        threads.append(thread)
        if one.group or other.group:
            merged[key] = thread
    shown = set(seen.containers)
    for thread in threads:
        thread.slims = [
            Part(slim, thread.source.lane, left=slim.left, right=slim.right)
            for slim in thread.wire.slims
            if slim.container in shown
        ]
    return threads


def pairs(seen: Seen) -> Iterator[tuple[Part, Part]]:
    """Yield each visible box that has a visible partner, with that partner."""
    for part in seen.boxes:
        mate = part.item.pair and seen.stands[part.item.pair]
        if mate in seen.parts and mate is not part.item:
            yield part, seen.parts[mate]
