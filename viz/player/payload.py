"""Payloads: a story and its graph as plain JSON for the parts of a page.

Stories of one page (`book.py`) share equal graphs, sources and values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from minipaddle.engine.guard import pause_collector

from ..facts.last_values import moved_values, rooms_of, rows_of, values_by_row
from ..facts.magnitude import BY, Owners, Scale, colouring
from ..facts.table import ends_of_passes, tracks
from ..language.progress import with_bar
from ..language.words import say
from ..layout.blueprint import lay_out
from ..layout.scene import first_open
from ..model import Edge, Fault, Graph, Line, Memory, Shown, Source, Step, Story, boxes_of
from ..story.finite_differences import Checks, Measurement, checks_of, sentence_about, unmeasured
from .graph import Table, badges_of, graph_of
from .messages import encode

ROWS = 400  # maximum number of rows of memory
ELEMENTS = 4096  # maximum size of an array whose elements are in the page
NUMBERS = 1_000_000  # maximum number of elements in a page, about 10 MB


Identify = Callable[[Mapping[str, Any]], Any]


def no_id(_value: Mapping[str, Any]) -> None:
    """Identify values by their content alone."""


@pause_collector()
def payload_of(story: Story, marked: Collection[str] | None = None) -> dict[str, Any]:
    """Return the payload of a story; equal stories give equal payloads.

    `marked` names nodes that are marked as different, or the closed boxes that hide them.
    """
    page = Page(marked)
    (checks,) = checks_of([story])
    payload = page.payload(story, story.graph, checks)
    page.values.fill()
    return {
        **payload,
        "left_out": page.values.left_out,
        "unmeasured": not_measured([(story, checks)]),
    }


def not_measured(stories: Iterable[tuple[Story, Checks]]) -> dict[str, str] | None:
    """Return a text about gradients that were not measured, or None if all were."""
    text = unmeasured(
        (story.steps[step].shown[at].name, outcome)
        for story, checks in stories
        for (step, at), outcome in checks.items()
    )
    return text.by_language() if text else None


class Drawn(NamedTuple):
    """Graph as JSON, its groups that are open at first, and the owners of its values."""

    graph: dict[str, Any]
    open: list[str]
    owners: Owners
    wires: dict[str, Edge]


class Page:
    """Graphs, sources and values that the payloads of one page share."""

    def __init__(self, marked: Collection[str] | None = None, identity: Identify = no_id) -> None:
        self.values = Values(identity)
        self.sources: Table[Source] = Table()
        self._drawn: dict[Graph, Drawn] = {}
        self._marked = marked

    def payload(self, story: Story, graph: Graph, checks: Checks) -> dict[str, Any]:
        """Return the payload of a story, drawn as `graph`, with the checks of its gradients."""
        drawn = self._drawn.get(graph)
        owners = drawn.owners if drawn else Owners(graph)
        boxes = rows_of(story, owners)
        if drawn is None:
            rooms = rooms_of(boxes_of(graph), values_by_row(story, boxes))
            tables = graph_of(lay_out(graph), self._marked, rooms)
            wires = {edge.id: edge for edge in graph.edges}
            drawn = Drawn(tables, sorted(first_open(graph)), owners, wires)
            self._drawn[graph] = drawn
        lines = [
            self.sources.add(each, {"name": each.name, "first": each.first, "lines": [*each.lines]})
            for each in story.sources
        ]
        encoder = _StepEncoder(self.values, lines, checks)
        return {
            "title": story.title or say("nothing", "en"),
            "graph": drawn.graph,
            "open": drawn.open,
            "steps": [encoder.step(step) for step in with_bar(story.steps, "page", "step")],
            "values": self.values.entries,
            "sources": self.sources.entries,
            "memory": {
                **_memory_data(story.memory),
                "steps": [step.index for step in story.steps if step.of_memory],
            },
            "magnitudes": {by: _magnitude_data(story, by, drawn.owners) for by in BY},
            "costs": {},  # not known from a story alone
            "views": {},  # nor are these
            "statistics": _statistics_rows(story, self.values, drawn.owners),
            "passes": ends_of_passes(story),
            "note": story.note and story.note.by_language(),
            "alarms": _alarm_rows(story, graph),
            "boxes": [
                [step, box, *([source] if isinstance(source, str) else source)]
                for step, box, source in boxes
            ],
            "flows": [
                [step.index, wire, place]
                for step in story.steps
                for wire, place in moved_values(drawn.wires, step)
            ],
            "faults": {
                str(step.index): _fault_data(step.fault) for step in story.steps if step.fault
            },
            "missing": {
                box: {"text": why.text.by_language(), "edges": list(why.edges)}
                for box, why in story.missing.items()
            },
        }


def _fault_data(fault: Fault) -> dict[str, Any]:
    """Return the data of an error."""
    return {
        "rows": [
            {
                **row._asdict(),
                "sizes": [*row.sizes],
                "clash": [*row.clash],
                "note": row.note.by_language(),
            }
            for row in fault.rows
        ],
        "told": [[kind, text.by_language()] for kind, text in fault.told],
    }


def _memory_data(memory: Memory) -> dict[str, Any]:
    """Return the largest rows, the bytes at each step, and how many rows were left out."""
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


def _alarm_rows(story: Story, drawn: Graph) -> list[list[Any]]:
    """Return boxes with the badges that they have in this story only: those of the first NaN.

    The drawing leaves them out, because other rounds share it.
    """
    if not story.odd:
        return []
    known, own = (
        {thing.id: thing.badges for things in (graph.nodes, graph.groups) for thing in things}
        for graph in (drawn, story.graph)
    )
    more = ((box, [each for each in own[box] if each not in known[box]]) for box in own)
    return [[box, badges_of(badges)] for box, badges in more if badges]


def _magnitude_data(story: Story, by: str, owners: Owners) -> dict[str, Any]:
    """Return rows of step, node and size, and the scale of this story's pictures."""
    colours = colouring(story, by, owners)
    return {**scale_entry(colours.scale), "changes": [list(row) for row in colours.changes]}


def scale_entry(scale: Scale | None) -> dict[str, Any]:
    """Return the ends and edges of a scale, and whether there are sizes beyond it."""
    ends = [scale.low, *scale.edges, scale.high] if scale else []
    return {
        "scale": ends,
        "below": bool(scale and scale.below),
        "above": bool(scale and scale.above),
    }


def _statistics_rows(story: Story, values: Values, owners: Owners) -> list[dict[str, Any]]:
    """Return, for each tensor, the steps at which its value, gradient and update change."""
    return [
        {
            "kind": track.kind,
            "name": track.name,
            "node": track.node,
            "values": changes_of([(step, values.add(entry)) for step, entry in track.values]),
            "grads": [list(pair) for pair in track.grads],
            "updates": [list(pair) for pair in track.updates],
        }
        for track in tracks(story, owners)
    ]


def changes_of(rows: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the rows whose value differs from the row before.

    >>> changes_of([(0, 5), (3, 5), (4, 6)])
    [[0, 5], [4, 6]]
    """
    before = [None, *(value for _, value in rows)]
    return [[*row] for row, last in zip(rows, before, strict=False) if row[1] != last]


class _StepEncoder:
    """Encodes the steps of one story; `sources` maps its sources to those of the page."""

    def __init__(self, values: Values, sources: Sequence[int], checks: Checks) -> None:
        self._values, self._sources, self._checks = values, sources, checks

    def step(self, step: Step) -> dict[str, Any]:
        return {
            "phase": step.phase,
            "kind": step.kind,
            "nodes": list(step.nodes),
            "edges": list(step.edges),
            "text": encode(step.text, self._values.add),
            "line": self._page_line(step.line),
            "forward_line": self._page_line(step.forward_line),
            "formula": [list(clause) for clause in step.clauses],
            "terms": [[name, self._values.add(value)] for name, value in step.terms],
            "shown": [
                self._shown_entry(shown, self._checks.get((step.index, at)))
                for at, shown in enumerate(step.shown)
            ],
        }

    def _page_line(self, line: Line | None) -> list[int] | None:
        return line and [self._sources[line[0]], line[1]]

    def _shown_entry(self, shown: Shown, check: Measurement | None) -> dict[str, Any]:
        number = None if shown.value is None else self._values.add(shown.value)
        entry: dict[str, Any] = {
            "name": shown.name,
            "role": shown.role,
            "node": shown.node,
            "value": number,
        }
        if shown.sign:
            entry["sign"] = shown.sign
        if check is not None:
            entry["check"] = self._values.check(shown, check)
        return entry


class Values:
    """Table of values, each content once for each array that has it, by first appearance.

    `identity` returns the array of a value. `shown` maps the numbers of the values in this chapter
    to their arrays.
    """

    def __init__(self, identity: Identify = no_id) -> None:
        self.identity = identity
        self.shown: dict[int, Any] = {}
        self.entries: list[dict[str, Any]] = []
        self.left_out = 0  # number of values without elements because the page is full
        self.brief = False  # whether all values from a place on have no elements
        self._known: dict[Any, list[int]] = {}
        self._told: list[Mapping[str, Any]] = []

    def __len__(self) -> int:
        return len(self._told)

    def check(self, shown: Shown, slopes: Measurement) -> dict[str, Any]:
        """Return the data of a check: measured slopes as a value, verdict, and a sentence."""
        text = sentence_about(slopes, shown.probe, shown.name)
        number = None if slopes.entry is None else self.add(slopes.entry)
        return {"value": number, "agrees": slopes.agrees, "text": encode(text, self.add)}

    def add(self, value: Mapping[str, Any]) -> int:
        """Return the place of a value; add it if it is new."""
        what = self.identity(value)
        number = self._place_of(value, what)
        self.shown[number] = what
        return number

    def _place_of(self, value: Mapping[str, Any], what: Any) -> int:
        stats = value.get("stats") or {}
        ends = stats.get("min"), stats.get("max"), stats.get("mean"), stats.get("std")
        places = self._known.setdefault((what, value["dtype"], *value["shape"], *ends), [])
        for number in places:
            known = self._told[number]
            if known is value or known == value:
                return number
        places.append(len(self._told))
        self._told.append(value)
        return places[-1]

    def fill(self, first: int = 0) -> None:
        """Make the entries, when all values are known.

        Values from place `first` on have their elements only if the elements of all values fit.
        """
        sizes = [_count_elements(value) for value in self._told]
        self.brief = 0 < first < len(sizes) and sum(sizes) > NUMBERS
        numbers = 0
        for at, (value, size) in enumerate(zip(self._told, sizes, strict=True)):
            numbers += size
            fits = size <= 1 or (numbers <= NUMBERS and not (self.brief and at >= first))
            self.left_out += not fits
            self.entries.append(_value_entry(value, fits))


def _count_elements(value: Mapping[str, Any]) -> int:
    """Return the number of elements of a value that the page could have."""
    size = math.prod(value["shape"])
    return size if value.get("data") is not None and size <= ELEMENTS else 0


def _value_entry(value: Mapping[str, Any], whole: bool) -> dict[str, Any]:
    stats, shape = value.get("stats") or {}, list(value["shape"])
    data = value.get("data") if whole and math.prod(shape) <= ELEMENTS else None
    numbers = stats.get("nan") == stats.get("inf") == 0  # JSON has numbers for all elements
    return {
        "shape": shape,
        "dtype": value["dtype"],
        "data": data if numbers else finite(data),
        "stats": {name: finite(x) if x.__class__ is float else x for name, x in stats.items()},
    }


def finite(data: Any) -> Any:
    """Return data with texts in place of NaN and infinity, for which JSON has no numbers."""
    if isinstance(data, list | tuple):
        return [finite(item) for item in data]
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    return data
