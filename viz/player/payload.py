"""What the player is given: a story and its graph as plain JSON."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from minipaddle.engine.bilingual import Text
from minipaddle.engine.guard import collector_waits

from ..language.progress import with_bar
from ..language.words import say
from ..layout.blueprint import lay_out
from ..layout.scene import first_open
from ..model import Memory, Shown, Step, Story
from ..statistics.magnitude import BY, colouring
from ..statistics.table import passes, tracks
from ..story.finite_differences import RUNS, measure, sentence_about
from .graph import graph_of

FORMAT, VERSION = "minipaddle-player", 2
ROWS = 400  # of memory
ELEMENTS = 4096  # a larger array travels as statistics
NUMBERS = 1_000_000  # in a whole payload: about 10 MB; later arrays travel as statistics


@collector_waits()
def payload_of(story: Story, marked: Collection[str] | None = None) -> dict[str, Any]:
    """The story as the JSON that `web/player.js` plays; equal stories give equal payloads.

    `marked`: nodes that are marked as different, or the closed boxes that hide them.
    """
    values = _Values()
    steps = [_step(step, values) for step in with_bar(story.steps, "page", "step")]
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": story.title or say("nothing", "en"),
        "graph": graph_of(lay_out(story.graph), marked),
        "open": sorted(first_open(story.graph)),
        "steps": steps,
        "values": values.entries,
        "sources": [
            {"name": source.name, "first": source.first, "lines": list(source.lines)}
            for source in story.sources
        ],
        "memory": {**_memory(story.memory), "steps": _of_memory(story)},
        "magnitudes": {by: _magnitude(story, by) for by in BY},
        "statistics": _statistics(story, values),
        "passes": passes(story),
        "note": story.note and story.note._asdict(),
        "left_out": values.left_out,
        "odd": dict(story.odd),
        "missing": {
            box: {"text": dict(why.text), "edges": list(why.edges)}
            for box, why in story.missing.items()
        },
    }


def _memory(memory: Memory) -> dict[str, Any]:
    """The largest rows, the bytes at each step, and how many rows were left out."""
    largest = sorted(range(len(memory.rows)), key=lambda i: -memory.rows[i].nbytes)[:ROWS]
    rows = [memory.rows[i] for i in sorted(largest)]
    return {
        "rows": [
            {
                "label": row.label,
                "kind": row.kind,
                "bytes": row.nbytes,
                "stays": [[s.name, s.nbytes, s.first, s.last, s.node] for s in row.stays],
            }
            for row in rows
        ],
        "live": [list(both) for both in memory.live],
        "more": len(memory.rows) - len(rows),
    }


def _of_memory(story: Story) -> list[int]:
    """The steps that tell of memory alone."""
    return [step.index for step in story.steps if step.of_memory]


def _magnitude(story: Story, by: str) -> dict[str, Any]:
    """Rows of step, node and size, and the scale that pictures of this story share."""
    colours = colouring(story, by)
    scale = colours.scale
    return {
        "scale": [scale.low, *scale.edges, scale.high] if scale else [],
        "below": bool(scale and scale.below),
        "changes": [list(row) for row in colours.changes],
    }


def _statistics(story: Story, values: _Values) -> list[dict[str, Any]]:
    """For each tensor the steps at which its value, gradient and latest update change."""
    return [
        {
            "kind": track.kind,
            "name": track.name,
            "node": track.node,
            "values": [[step, values.add(entry)] for step, entry in track.values],
            "grads": [list(pair) for pair in track.grads],
            "updates": [list(pair) for pair in track.updates],
        }
        for track in tracks(story)
    ]


def _step(step: Step, values: _Values) -> dict[str, Any]:
    return {
        "phase": step.phase,
        "kind": step.kind,
        "nodes": list(step.nodes),
        "edges": list(step.edges),
        "text": dict(step.text),
        "line": step.line and list(step.line),
        "forward_line": step.forward_line and list(step.forward_line),
        "formula": step.formula,
        "terms": [[name, values.add(value)] for name, value in step.terms],
        "shown": [_shown(shown, values) for shown in step.shown],
    }


def _shown(shown: Shown, values: _Values) -> dict[str, Any]:
    number = None if shown.value is None else values.add(shown.value)
    entry: dict[str, Any] = {
        "name": shown.name,
        "role": shown.role,
        "node": shown.node,
        "value": number,
    }
    if shown.sign:
        entry["sign"] = shown.sign
    if shown.probe is not None:
        entry["check"] = values.check(shown)
    return entry


class _Values:
    """Every content once, in the order of first appearance."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self._known: dict[str, int] = {}
        self._numbers = 0
        self.left_out = 0  # how many travel as statistics because the payload is full
        self._room = RUNS

    def check(self, shown: Shown) -> dict[str, Any]:
        """What finite differences say of a gradient: slopes as a value, and a sentence."""
        slopes = measure(shown.probe, self._room)
        self._room -= slopes.runs
        text = Text(*sentence_about(slopes, shown.probe, shown.name))
        number = None if slopes.entry is None else self.add(slopes.entry)
        return {"value": number, "agrees": slopes.agrees, "text": text._asdict()}

    def add(self, value: Mapping[str, Any]) -> int:
        """The place of a value; a story shows the same one again and again."""
        key = repr(value)
        if key not in self._known:
            self._known[key] = len(self.entries)
            self.entries.append(self._entry(value))
        return self._known[key]

    def _entry(self, value: Mapping[str, Any]) -> dict[str, Any]:
        shape = list(value["shape"])
        size = math.prod(shape)
        data = value.get("data")
        entry = {
            "shape": shape,
            "dtype": value["dtype"],
            "data": _finite(data) if size <= ELEMENTS else None,
            "stats": {name: _finite(x) for name, x in (value.get("stats") or {}).items()},
        }
        self._numbers += size if entry["data"] is not None else 0
        if self._numbers > NUMBERS:
            self.left_out += entry["data"] is not None
            entry["data"] = None
        return entry


def _finite(data: Any) -> Any:
    """The same, with `nan`, `inf` and `-inf` as text, which JSON has no numbers for."""
    if isinstance(data, list | tuple):
        return [_finite(item) for item in data]
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    return data
