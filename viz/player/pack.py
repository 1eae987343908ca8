"""Packed payloads: every subtree is in a table once, and chapters refer to it.

Rounds of one structure differ only in numbers: in values that their steps show, in sizes, and in
the digits of names and formulas. A tree has holes for these, so equal rounds share the rest, and
each adds only its own numbers. Equal steps of a chapter differ in their boxes and wires too: these
are holes with places in the graph. `web/unpack.js` unpacks one chapter at a time.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from minipaddle.engine.guard import pause_collector

from .graph import Table

FORMAT, VERSION = "minipaddle-player", 8
HOLE = "\ue000"  # replaces a number in a text
BOX, WIRE = -1, -2  # cells
_NUMBER = re.compile(rf"((?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|{HOLE})")
COUNTS = ("nan", "inf", "zeros", "size", "bins")  # statistics that many values share
WHOLE = ("alarms", "memory", "passes", "faults", "missing", "views")  # parts that are not split


@pause_collector()
def pack(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the packed payload of a player, or of a page with two graphs.

    A book is returned as it is, because it is packed while it is made (`book.py`).
    """
    if "chapters" in payload:
        return dict(payload)
    if "left" in payload:
        halves = {side: pack(payload[side]) for side in ("left", "right")}
        return {**payload, **halves}
    packer = Packer()
    chapter = packer.chapter(payload, 0, None)
    scales = {
        by: {"scale": one["scale"], "below": one["below"], "above": one["above"]}
        for by, one in payload["magnitudes"].items()
    }
    return packer.book(payload, [chapter], scales)


def without_numbers(text: str) -> tuple[list[str], str]:
    """Return the numbers in a text, and the text with holes for them."""
    parts = _NUMBER.split(text)
    return parts[1::2], HOLE.join(parts[::2])


class Own(NamedTuple):
    """Leaf that each chapter fills with its own content."""

    content: Any


class Box(NamedTuple):
    """Leaf that names a box of the chapter's graph."""

    id: str


class Wire(NamedTuple):
    """Leaf that names a wire of the chapter's graph."""

    id: str


Places = Mapping[type, Mapping[str, int]]  # Box or Wire -> id -> its place in a graph


class Whole(NamedTuple):
    """Tree that is one row, as JSON, because hardly any of its parts occur elsewhere."""

    tree: Any


class _Holes(NamedTuple):
    """Contents of the holes of a part; `places` are those of the boxes and wires of a graph."""

    places: Places
    own: list[Any]
    numbers: list[str]
    moves: list[str]  # distances of boxes and wires
    last: dict[type, int]


class Packer:
    """Growing table of the subtrees of a book.

    A row is one of
    - a text;
    - a list: the place of its keys in `keys` (-1 for an array), then its cells;
    - an object around a whole tree.

    A cell is a boolean, None, a number as a text, the place of a row, or a row itself; 0 is a hole,
    -1 a box and -2 a wire of the graph. Each text has a row, and so has each item of a part, such
    as a step.
    """

    def __init__(self) -> None:
        self._drawn: list[Mapping[str, Any]] = []
        self._graphs: list[dict[str, Any]] = []
        self._places: list[Places] = []  # of the boxes and wires of each graph
        self._rows: Table[bytes] = Table()
        self._row_number([])  # takes place 0, which means a hole
        self._keys: Table[tuple[str, ...]] = Table()
        self._texts: dict[str, tuple[list[str], int]] = {}

    def chapter(self, payload: Mapping[str, Any], first: int, number: int | None) -> dict[str, Any]:
        """Return a packed story; `first` is the number of its first step, `number` its round's."""
        graph = self._graph_number(payload["graph"], payload["open"])
        places = self._places[graph]
        steps = payload["steps"]
        magnitudes = payload["magnitudes"].items()
        parts = {
            "steps": [_step_tree(step) for step in steps],
            "texts": [_text_tree(step["text"]) for step in steps],
            "checks": _check_rows(steps),
            "lines": sorted({tuple(step["line"]) for step in steps if step["line"]}),
            "phases": sorted({step["phase"] for step in steps}),
            "statistics": [_track_tree(track) for track in payload["statistics"]],
            "magnitudes": {
                by: {
                    "places": _table([row[:2] for row in one["changes"]], places[Box]),
                    "sizes": Own([row[2] for row in one["changes"]]),
                }
                for by, one in magnitudes
            },
            "boxes": _table([(k, box, rest) for k, box, *rest in payload["boxes"]], places[Box]),
            "flows": _table(payload["flows"], places[Wire]),
            "costs": Whole(dict(payload["costs"])),
            **{part: Whole(payload[part]) for part in WHOLE},
        }
        return {
            "graph": graph,
            "first": first,
            "count": len(steps),
            "round": number,
            **{name: self.part(tree, places) for name, tree in parts.items()},
        }

    def book(
        self,
        page: Mapping[str, Any],
        chapters: Sequence[Mapping[str, Any]],
        scales: Mapping[str, Any],
        **rounds: Any,
    ) -> dict[str, Any]:
        """Return a book of chapters; `page` has the entries that they share."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "title": page["title"],
            "note": page["note"],
            "left_out": page["left_out"],
            "whole": None,
            "what_if": None,
            "rounds": [],
            "parameters": [],
            "problems": page.get("problems", []),
            "unmeasured": page["unmeasured"],
            **rounds,
            "graphs": self._graphs,
            "chapters": list(chapters),
            "scales": dict(scales),
            "sources": page["sources"],
            "values": [self._pack_value(value) for value in page["values"]],
            "keys": self._keys.entries,
            "rows": self._rows.entries,
        }

    def part(self, tree: Any, places: Places = MappingProxyType({})) -> list[Any]:
        """Return the cell of a tree, the contents of its holes, the row of numbers in texts, and
        the row of distances: of each box or wire from the one before.
        """
        holes = _Holes(places, [], [], [], {Box: 0, Wire: 0})
        (cell,) = self._cells((tree,), holes, 2)
        texts = (" ".join(some) for some in (holes.numbers, holes.moves))
        told = [holes.own, *(self._row_number(text) if text else 0 for text in texts)]
        while told and not told[-1]:
            told.pop()
        return [cell, *told]

    def _cells(self, trees: Iterable[Any], holes: _Holes, depth: int) -> list[Any]:
        """Return a cell for each tree; lists and objects have rows of their own down to `depth`."""
        cells: list[Any] = []
        texts = self._texts
        for tree in trees:
            kind = type(tree)
            cell: Any
            if kind is str:
                found, cell = texts.get(tree) or self._numbers_and_row(tree)
                if found:
                    holes.numbers.extend(found)
            elif (kind is Box or kind is Wire) and tree.id not in holes.places[kind]:
                found, cell = self._numbers_and_row(tree.id)  # a damaged document: not in the graph
                holes.numbers.extend(found)
            elif kind is Box or kind is Wire:
                place = holes.places[kind][tree.id]
                holes.moves.append(str(place - holes.last[kind]))
                holes.last[kind] = place
                cell = BOX if kind is Box else WIRE
            elif kind is list or kind is tuple or kind is dict:
                keys, inside = -1, tree
                if kind is dict:
                    names = tuple(tree)
                    keys, inside = self._keys.add(names, names), tree.values()
                cell = self._cells(inside, holes, depth - 1) if inside else []
                cell.insert(0, keys)
                if depth > 0:
                    cell = self._row_number(cell)
            elif tree is None or kind is bool:
                cell = tree
            elif kind is Own:
                holes.own.append(tree.content)
                cell = 0
            elif kind is Whole:
                cell = self._row_number({"is": tree.tree})
            else:
                cell = str(tree)
            cells.append(cell)
        return cells

    def _numbers_and_row(self, text: str) -> tuple[list[str], int]:
        """Return the numbers in a text, and the row of the text with holes for them."""
        numbers, rest = without_numbers(text)
        found = self._texts[text] = numbers, self._row_number(rest)
        return found

    def _row_number(self, row: str | list[Any] | dict[str, Any]) -> int:
        return self._rows.add(marshal.dumps(row, 2), row)  # without references: equal if rows are

    def _graph_number(self, graph: Mapping[str, Any], opened: Sequence[str]) -> int:
        """Return the place of a graph; chapters with equal graphs have the same object."""
        for place, known in enumerate(self._drawn):
            if known is graph:
                return place
        ids = {Box: graph["ids"], Wire: graph["wire_ids"]}
        places: dict[type, dict[str, int]] = {
            kind: {name: k for k, name in enumerate(names)} for kind, names in ids.items()
        }
        self._drawn.append(graph)
        self._graphs.append({"graph": graph, "open": opened})
        self._places.append(places)
        return len(self._graphs) - 1

    def _pack_value(self, value: Mapping[str, Any]) -> list[Any]:
        """Return a value packed: its elements, then shape, dtype and statistics as a part."""
        stats = {
            name: number if name in COUNTS else Own(_round_statistic(number))
            for name, number in value["stats"].items()
        }
        facts = {"shape": value["shape"], "dtype": value["dtype"], "stats": stats}
        return [value["data"], *self.part(facts)]


def _step_tree(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step without its text and its checks."""
    return {
        **{name: step[name] for name in step if name not in ("text", "terms", "shown")},
        "nodes": [*map(Box, step["nodes"])],
        "edges": [*map(Wire, step["edges"])],
        "terms": _with_own_ends(step["terms"]),
        "shown": [
            {
                **{name: each for name, each in shown.items() if name != "check"},
                "node": shown["node"] and Box(shown["node"]),
                "value": Own(shown["value"]),
            }
            for shown in step["shown"]
        ],
    }


def _text_tree(slot: Any) -> Any:
    """Return a message, or a slot in one, with a hole for the number of each value."""
    if type(slot) is not dict:
        return slot
    if "slots" in slot:
        return {**slot, "slots": {name: _text_tree(each) for name, each in slot["slots"].items()}}
    if "row" in slot:
        return {**slot, "row": _text_tree(slot["row"])}
    return {**slot, "value": Own(slot["value"])} if "value" in slot else slot


def _check_rows(steps: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the checks by finite differences: step, place of the shown value, and check."""
    return [
        [at, k, shown["check"]]
        for at, step in enumerate(steps)
        for k, shown in enumerate(step["shown"])
        if "check" in shown
    ]


def _track_tree(track: Mapping[str, Any]) -> dict[str, Any]:
    rows = {name: _with_own_ends(each) for name, each in track.items() if isinstance(each, list)}
    return {**track, **rows, "node": Box(track["node"])}


def _table(rows: Sequence[Sequence[Any]], places: Mapping[str, int]) -> Whole:
    """Return rows of a step, a box or wire, and more as columns; places stand for the ids."""
    steps, ids, *more = zip(*rows, strict=True) if rows else ((), ())
    return Whole([list(steps), [places[name] for name in ids], *more])


def _with_own_ends(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return rows whose last cell is `Own`."""
    return [[*row[:-1], Own(row[-1])] for row in rows]


def _round_statistic(number: Any) -> Any:
    """Return a statistic rounded to nine digits."""
    return float(f"{number:.9g}") if isinstance(number, float) else number
