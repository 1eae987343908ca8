"""A payload as it travels: what repeats stands in tables, and steps and values are rows of numbers.

`web/unpack.js` makes the payload again. A sentence is a template with the numbers that it tells, so
that the same step of another round costs its numbers; boxes and wires are named by their places
in the graph.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from minipaddle.engine.guard import collector_waits

from .graph import Table

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
COUNTS = ("nan", "inf", "zeros", "size", "bins")  # of statistics that are alike for many values


@collector_waits()
def packed(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The payload of a player, or of a page with two graphs, in fewer bytes."""
    if "left" in payload:
        halves = {side: packed(payload[side]) for side in ("left", "right")}
        return {**payload, **halves}
    return _Packer(payload["graph"]).pack(payload)


class _Packer:
    """The tables of one payload, as they grow."""

    def __init__(self, graph: Mapping[str, Any]) -> None:
        self._boxes = {name: k for k, name in enumerate(graph["ids"])}
        self._wires = {name: k for k, name in enumerate(graph["wire_ids"])}
        self._words: Table[str] = Table()
        self._templates: Table[str] = Table()
        self._acts: Table[tuple[str, ...]] = Table()
        self._kinds: Table[str] = Table()

    def pack(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **payload,
            "steps": [self._step(step) for step in payload["steps"]],
            "values": [self._value(value) for value in payload["values"]],
            "magnitudes": {by: self._magnitude(m) for by, m in payload["magnitudes"].items()},
            "statistics": [self._track(track) for track in payload["statistics"]],
            "tables": {
                "acts": self._acts.entries,
                "words": self._words.entries,
                "templates": self._templates.entries,
                "kinds": self._kinds.entries,
            },
        }

    def _word(self, word: str) -> int:
        return self._words.add(word, word)

    def _box(self, name: str | None) -> int | str | None:
        return name if name is None else self._boxes.get(name, name)

    def _step(self, step: Mapping[str, Any]) -> list[Any]:
        act = step["phase"], step["kind"]
        return [
            self._acts.add(act, list(act)),
            [self._box(name) for name in step["nodes"]],
            [self._wires.get(name, name) for name in step["edges"]],
            self._sentence(step["text"]),
            step["line"],
            step["forward_line"],
            self._word(step["formula"]),
            [[self._word(name), value] for name, value in step["terms"]],
            [self._shown(shown) for shown in step["shown"]],
            [
                [k, check["value"], check["agrees"], self._sentence(check["text"])]
                for k, check in enumerate(shown.get("check") for shown in step["shown"])
                if check
            ],
        ]

    def _shown(self, shown: Mapping[str, Any]) -> list[Any]:
        name, role = self._word(shown["name"]), self._word(shown["role"])
        row = [name, role, self._box(shown["node"]), shown["value"]]
        return [*row, self._word(shown["sign"])] if "sign" in shown else row

    def _sentence(self, text: Mapping[str, str]) -> list[Any]:
        """The place of the template, and the numbers that the sentence tells."""
        numbers: list[str] = []
        pieces = {lang: _pieces(sentence, numbers) for lang, sentence in text.items()}
        return [self._templates.add(repr(pieces), pieces), numbers]

    def _value(self, value: Mapping[str, Any]) -> list[Any]:
        """What many values share, then the elements, and the statistics that differ."""
        stats = value["stats"]
        counts = {name: stats[name] for name in COUNTS if name in stats}
        other = [name for name in stats if name not in COUNTS]
        kind = {"shape": value["shape"], "dtype": value["dtype"], "counts": counts, "stats": other}
        number = self._kinds.add(repr(kind), kind)
        return [number, value["data"], [_brief(stats[name]) for name in other]]

    def _magnitude(self, magnitude: Mapping[str, Any]) -> dict[str, Any]:
        changes = [[step, self._box(node), size] for step, node, size in magnitude["changes"]]
        return {**magnitude, "changes": changes}

    def _track(self, track: Mapping[str, Any]) -> list[Any]:
        kind, name = self._word(track["kind"]), self._word(track["name"])
        node = self._box(track["node"])
        return [kind, name, node, track["values"], track["grads"], track["updates"]]


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
