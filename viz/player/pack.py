"""Payloads as they travel: what repeats stands in tables, and steps and values are rows of numbers.

Messages are templates and what is in their slots: other messages, names, and the places of values
whose numbers they tell. Names and formulas are words with the numbers in them. What stays the same
in each round (which boxes a step lights, what it shows and says) stands in tables too, so that a
round costs the numbers and values that it alone has. `web/unpack.js` makes the payloads again, one
at a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from minipaddle.engine.guard import collector_waits
from minipaddle.messages import languages

from .graph import Table

FORMAT, VERSION = "minipaddle-player", 5
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
ALIKE = ("memory", "passes", "faults", "missing")  # parts of chapters that are shared whole
SHARED = ("moves", "ways", "texts", "numbers", "places", "tracks", "costs", *ALIKE)
COUNTS = ("nan", "inf", "zeros", "size", "bins")  # of statistics that are alike for many values


@collector_waits()
def packed(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The payload of a player, or of a page with two graphs, in fewer bytes.

    A book is packed while it is made (`book.py`).
    """
    if "chapters" in payload:
        return dict(payload)
    if "left" in payload:
        halves = {side: packed(payload[side]) for side in ("left", "right")}
        return {**payload, **halves}
    packer = Packer()
    chapter = packer.chapter(payload, 0, None)
    scales = {
        by: {"scale": one["scale"], "below": one["below"]}
        for by, one in payload["magnitudes"].items()
    }
    return packer.book(payload, [chapter], scales)


class Packer:
    """The tables of a book, as they grow."""

    def __init__(self) -> None:
        self._graphs: list[dict[str, Any]] = []
        self._boxes: dict[str, int] = {}
        self._wires: dict[str, int] = {}
        self._words: Table[str] = Table()
        self._templates: Table[Any] = Table()
        self._said: Table[str] = Table()
        self._pieces: Table[str] = Table()
        self._named: dict[str, tuple[int, list[str]]] = {}
        self._acts: Table[tuple[str, ...]] = Table()
        self._kinds: Table[str] = Table()
        self._shared: dict[str, Table[str]] = {name: Table() for name in SHARED}

    def chapter(self, payload: Mapping[str, Any], first: int, number: int | None) -> dict[str, Any]:
        """A story; `first` is the number of its first step, `number` that of its round."""
        graph = payload["graph"]
        self._boxes = {name: k for k, name in enumerate(graph["ids"])}
        self._wires = {name: k for k, name in enumerate(graph["wire_ids"])}
        steps = payload["steps"]
        numbers: list[str] = []
        values: list[int | None] = []
        further: list[int] = []
        way, texts = [], []
        for step in steps:
            told = _Told(numbers, _values(step))
            texts += [self._message(step["text"], told)]
            texts += [self._name(name, numbers) for name in _names(step)]
            way.append(self._move(step, len(told.further)))
            values += told.values
            further += told.further
        texts += [self._name(track["name"], numbers) for track in payload["statistics"]]
        return {
            "graph": self._graph(graph, payload["open"]),
            "first": first,
            "round": number,
            "way": self._share("ways", way),
            "texts": self._share("texts", texts),
            "numbers": self._share("numbers", " ".join(numbers)),
            "values": values,
            "further": further,
            "checks": [
                [at, k, *self._check(check)]
                for at, step in enumerate(steps)
                for k, check in enumerate(shown.get("check") for shown in step["shown"])
                if check
            ],
            "magnitudes": {by: self._magnitude(m) for by, m in payload["magnitudes"].items()},
            "costs": {by: self._costs(rows) for by, rows in payload["costs"].items()},
            "statistics": self._tracks(payload["statistics"]),
            "alarms": [[self._box(box), badges] for box, badges in payload["alarms"]],
            **{part: self._share(part, payload[part]) for part in ALIKE},
        }

    def book(
        self,
        page: Mapping[str, Any],
        chapters: Sequence[Mapping[str, Any]],
        scales: Mapping[str, Any],
        **rounds: Any,
    ) -> dict[str, Any]:
        """All of it; `page` is what the chapters share, as in one of their payloads."""
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
            "problems": [],
            "unmeasured": page["unmeasured"],
            **rounds,
            "graphs": self._graphs,
            "chapters": list(chapters),
            "scales": dict(scales),
            "sources": page["sources"],
            "values": [self._value(value) for value in page["values"]],
            "tables": {
                "acts": self._acts.entries,
                "words": self._words.entries,
                "templates": self._templates.entries,
                "said": self._said.entries,
                "pieces": self._pieces.entries,
                "kinds": self._kinds.entries,
                **{name: table.entries for name, table in self._shared.items()},
            },
        }

    def _graph(self, graph: Mapping[str, Any], opened: Sequence[str]) -> int:
        """The place of a graph: chapters with equal ones have the same object."""
        for place, known in enumerate(self._graphs):
            if known["graph"] is graph:
                return place
        self._graphs.append({"graph": graph, "open": opened})
        return len(self._graphs) - 1

    def _word(self, word: str) -> int:
        return self._words.add(word, word)

    def _box(self, name: str | None) -> int | str | None:
        return name if name is None else self._boxes.get(name, name)

    def _share(self, table: str, thing: Any) -> int:
        """The place of what several chapters may have alike."""
        return self._shared[table].add(repr(thing), thing)

    def _move(self, step: Mapping[str, Any], further: int) -> int:
        """The place of what a step does, whatever the numbers are."""
        act = step["phase"], step["kind"]
        move = [
            self._acts.add(act, list(act)),
            [self._box(name) for name in step["nodes"]],
            [self._wires.get(name, name) for name in step["edges"]],
            step["line"],
            step["forward_line"],
            len(step["terms"]),
            [self._shown(shown) for shown in step["shown"]],
            further,
        ]
        return self._share("moves", move)

    def _shown(self, shown: Mapping[str, Any]) -> list[Any]:
        row = [self._word(shown["role"]), self._box(shown["node"])]
        return [*row, 1] if "sign" in shown else row

    def _check(self, check: Mapping[str, Any]) -> list[Any]:
        """What finite differences say: the value, whether it agrees, the message, its numbers."""
        told = _Told([], [])
        place = self._message(check["text"], told)
        return [check["value"], check["agrees"], place, told.numbers]

    def _message(self, said: Mapping[str, Any], told: _Told) -> int:
        """The place of a message; what it tells is added to `told`."""
        row = self._slot(said, told)
        return self._said.add(repr(row), row)

    def _slot(self, held: Any, told: _Told) -> Any:
        """What a slot holds: the place of a name, a row for a message, or the place of a value."""
        if isinstance(held, str):
            return self._name(held, told.numbers)
        if not isinstance(held, dict):
            return {"count": held}
        if "value" in held:
            return {"value": told.place(held["value"])}
        if "constant" in held:
            return {"constant": self._name(held["constant"], told.numbers)}
        if "row" in held:
            return {"count": held["count"], "row": self._slot(held["row"], told)}
        slots = held.get("slots", {})
        template = {**held, "slots": [*slots]}
        place = self._templates.add((*map(held.get, languages()),), template)
        return [place, *[self._slot(each, told) for each in slots.values()]]

    def _name(self, text: str, numbers: list[str]) -> int:
        """The place of the words of a name or formula; the numbers in it are added to `numbers`."""
        known = self._named.get(text)
        if known is None:
            own: list[str] = []
            pieces = _pieces(text, own)
            known = self._named[text] = self._pieces.add(repr(pieces), pieces), own
        numbers += known[1]
        return known[0]

    def _value(self, value: Mapping[str, Any]) -> list[Any]:
        """What many values share, then the elements, and the statistics that differ."""
        stats = value["stats"]
        counts = {name: stats[name] for name in COUNTS if name in stats}
        other = [name for name in stats if name not in COUNTS]
        kind = {"shape": value["shape"], "dtype": value["dtype"], "counts": counts, "stats": other}
        number = self._kinds.add(repr(kind), kind)
        return [number, value["data"], [_brief(stats[name]) for name in other]]

    def _magnitude(self, magnitude: Mapping[str, Any]) -> list[Any]:
        """Where sizes change, and then the sizes."""
        changes = magnitude["changes"]
        places = self._share("places", [[step, self._box(node)] for step, node, _ in changes])
        return [places, [size for _, _, size in changes]]

    def _costs(self, rows: Sequence[Sequence[Any]]) -> int:
        """The place of boxes and what they cost; and the box whose cost has it in it, if any."""
        told = [
            [self._box(box), amount, *([] if outer is None else [self._box(outer)])]
            for box, amount, outer in rows
        ]
        return self._share("costs", told)

    def _tracks(self, tracks: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Whose values, gradients and updates change at which steps, and then all of them."""
        kinds = "values", "grads", "updates"
        rows = [
            [self._word(track["kind"]), self._box(track["node"])]
            + [[step for step, _ in track[kind]] for kind in kinds]
            for track in tracks
        ]
        told = [thing for track in tracks for kind in kinds for _, thing in track[kind]]
        return [self._share("tracks", rows), told]


class _Told:
    """What a step tells: numbers in names, and of values the places in a list that the step has.

    further: values that it tells and does not show.
    """

    def __init__(self, numbers: list[str], values: list[int | None]) -> None:
        self.numbers, self.values, self.further = numbers, values, list[int]()

    def place(self, value: int) -> int:
        """Where a value is, among those that are shown, or behind them."""
        if value in self.values:
            return self.values.index(value)
        if value not in self.further:
            self.further.append(value)
        return len(self.values) + self.further.index(value)


def _names(step: Mapping[str, Any]) -> list[str]:
    """The formula of a step, the names of values, and the signs in a sum."""
    names = [step["formula"], *(name for name, _ in step["terms"])]
    for shown in step["shown"]:
        names += [shown["name"], *([shown["sign"]] if "sign" in shown else [])]
    return names


def _values(step: Mapping[str, Any]) -> list[int | None]:
    """The places of the values that a step names, in order."""
    return [*(value for _, value in step["terms"]), *(shown["value"] for shown in step["shown"])]


def _brief(number: Any) -> Any:
    """A statistic with the digits that anybody reads."""
    return float(f"{number:.9g}") if isinstance(number, float) else number


def _pieces(sentence: str, numbers: list[str]) -> Sequence[str | int]:
    """The words of a sentence, and between them the places of its numbers in a list."""
    pieces: list[str | int] = []
    end = 0
    for match in _NUMBER.finditer(sentence):
        if match[0] not in numbers:
            numbers.append(match[0])
        pieces += [sentence[end : match.start()], numbers.index(match[0])]
        end = match.end()
    return [*pieces, sentence[end:]]
