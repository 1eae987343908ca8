"""Payloads as they travel: what repeats stands in tables, and steps and values are rows of numbers.

Sentences, formulas and names are templates with the numbers that they tell. What stays the same in
each round (which boxes a step lights, what it shows) stands in tables too, so that a round costs
the numbers and values that it alone has. `web/unpack.js` makes the payloads again, one at a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from minipaddle.engine.guard import collector_waits

from .graph import Table

FORMAT, VERSION = "minipaddle-player", 4
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
ALIKE = ("memory", "passes", "faults", "missing")  # parts of chapters that are shared whole
SHARED = ("moves", "ways", "texts", "places", "tracks", "costs", *ALIKE)
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
        self._templates: Table[str] = Table()
        self._told: dict[Any, tuple[int, list[str]]] = {}
        self._acts: Table[tuple[str, ...]] = Table()
        self._kinds: Table[str] = Table()
        self._shared: dict[str, Table[str]] = {name: Table() for name in SHARED}

    def chapter(self, payload: Mapping[str, Any], first: int, number: int | None) -> dict[str, Any]:
        """A story; `first` is the number of its first step, `number` that of its round."""
        graph = payload["graph"]
        self._boxes = {name: k for k, name in enumerate(graph["ids"])}
        self._wires = {name: k for k, name in enumerate(graph["wire_ids"])}
        steps = payload["steps"]
        told = [text for step in steps for text in _texts(step)]
        told += [track["name"] for track in payload["statistics"]]
        sentences = [self._sentence(text) for text in told]
        return {
            "graph": self._graph(graph, payload["open"]),
            "first": first,
            "round": number,
            "way": self._share("ways", [self._move(step) for step in steps]),
            "texts": self._share("texts", [template for template, _ in sentences]),
            "numbers": " ".join(number for _, numbers in sentences for number in numbers),
            "values": [value for step in steps for value in _values(step)],
            "checks": [
                [at, k, check["value"], check["agrees"], *self._sentence(check["text"])]
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

    def _move(self, step: Mapping[str, Any]) -> int:
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
        ]
        return self._share("moves", move)

    def _shown(self, shown: Mapping[str, Any]) -> list[Any]:
        row = [self._word(shown["role"]), self._box(shown["node"])]
        return [*row, 1] if "sign" in shown else row

    def _sentence(self, text: Mapping[str, str] | str) -> tuple[int, list[str]]:
        """The place of the template, and the numbers that the text tells."""
        key = text if isinstance(text, str) else tuple(text.items())
        if key not in self._told:
            numbers: list[str] = []
            texts = {"": text} if isinstance(text, str) else text
            pieces = {lang: _pieces(sentence, numbers) for lang, sentence in texts.items()}
            self._told[key] = self._templates.add(repr(pieces), pieces), numbers
        return self._told[key]

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


def _texts(step: Mapping[str, Any]) -> list[Any]:
    """What a step says: its sentence, its formula, the names of values, and the signs in a sum."""
    names = [name for name, _ in step["terms"]]
    for shown in step["shown"]:
        names += [shown["name"], *([shown["sign"]] if "sign" in shown else [])]
    return [step["text"], step["formula"], *names]


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
