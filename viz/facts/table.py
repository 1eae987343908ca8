"""Statistics of parameters and activations at a step: rows as data, and a table that prints.

The gradient in a row is the root mean square of its elements, as in `magnitude`. It is "not
computed" before the first backward pass ends, and None if that pass brought none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from minipaddle.engine.errors import InvalidArgument

from .. import language
from ..language.words import say
from ..model import GIVEN, Graph, Node, Shown, Step, Story, around, label_of
from ..story.sentences.wording import d, digits, shape
from ..theme import table_lines
from .magnitude import Owners, Size, larger, size_of

NOT_YET = "not computed"
UNKNOWN = "–"  # shown in the table for unknown numbers
STOPPED = ("error", "cut")

COLUMNS = ("name", "kind", "shape", "mean", "std", "min", "max", "zeros", "odd", "grad", "update")


@dataclass(frozen=True, slots=True)
class Row:
    """One tensor at one step. kind: parameter, buffer, state, leaf or activation; node: its box.

    `zeros` is the share of elements that are 0, `nan` and `inf` count elements; `update` is the
    root mean square of the latest change over that of the value before it, if both are known.
    """

    kind: str
    name: str
    node: str
    shape: tuple[int, ...]
    dtype: str
    mean: Any
    std: Any
    min: Any
    max: Any
    zeros: float | None
    nan: int
    inf: int
    grad: Size | None
    update: float | None

    @property
    def odd(self) -> int:
        """Number of elements that are NaN or infinite."""
        return self.nan + self.inf


@dataclass(frozen=True)
class Statistics(Sequence[Row]):
    """The rows at one step, in the order in which the tensors appear; printing gives a table."""

    step: int
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, at: int | slice) -> Row | tuple[Row, ...]:
        return self.rows[at]

    def text(self, lang: str = "") -> str:
        """Return the table in English ("en") or Chinese ("zh")."""
        chosen = language.for_text(lang)
        if not self.rows:
            return say("statisticsNone", chosen)
        table = [[say(f"column_{name}", chosen) for name in COLUMNS]]
        table += [[cell(row, name, chosen) for name in COLUMNS] for row in self.rows]
        texts = COLUMNS.index("mean")
        return "\n".join(table_lines(table, "<" * texts + ">" * (len(COLUMNS) - texts)))

    def __repr__(self) -> str:
        return self.text()


def cell(row: Row, column: str, lang: str) -> str:
    """Return the text of one cell of the table."""
    cell = getattr(row, column)
    if column in ("name", "kind"):
        return str(cell) if column == "name" else say(f"row_{cell}", lang)
    if column == "shape":
        return shape(cell)
    if column == "grad":
        return say("sizeNone", lang) if cell == NOT_YET else _number_text(cell, "None")
    if column == "zeros" and cell is not None:
        return f"{100 * cell:.3g}%"
    return _number_text(cell, UNKNOWN)


def _number_text(number: Any, none: str) -> str:
    odd = {None: none, "nan": "NaN", "inf": "Inf"}
    return odd[number] if number in odd else digits(number)


# ----- what happened to each tensor --------------------------------------------------------------


@dataclass(slots=True)
class Track:
    """Values, gradients and updates of one tensor in a story, by step."""

    kind: str
    name: str
    node: str
    values: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)
    grads: list[tuple[int, Size]] = field(default_factory=list)
    updates: list[tuple[int, float]] = field(default_factory=list)


def tracks(story: Story, owners: Owners | None = None) -> list[Track]:
    """Return the tracks of parameters, other leaves and activations, in order of appearance."""
    owners, inside = owners or Owners(story.graph), _groups_in_pylayers(story.graph)
    known: dict[tuple[str, str], Track] = {}
    of: dict[str, list[Track]] = {}
    for step in story.steps:
        for shown in step.shown:
            if shown.value is None:
                continue
            for name in owners.of("value", shown):
                kind = kind_of(owners.nodes[name], shown, inside)
                if kind:
                    activation = shown.name if kind == "activation" else ""
                    key = name, activation  # an op may have several activations
                    if key not in known:
                        called = activation or label_of(owners.nodes[name], "en")
                        known[key] = Track(kind, called, name)
                        of.setdefault(name, []).append(known[key])
                    _note_value(known[key], step, shown)
            for name in owners.of("grad", shown):
                _note_gradient(of.get(name, ()), step, shown)
    return list(known.values())


def kind_of(node: Node, shown: Shown, inside: set[str]) -> str:
    """Return the kind of row for a value of a box, or "" if it has no row."""
    if node.lane != "forward":
        return ""
    if node.kind in GIVEN:
        return "" if node.kind == "data" else node.kind
    within = node.group in inside and node.kind != "port"
    fits = shown.role == "output" and node.kind != "result" and not within
    return "activation" if fits else ""


def _groups_in_pylayers(graph: Graph) -> set[str]:
    """Return the groups inside PyLayers, of which the tape records the results only."""
    groups = {group.id: group for group in graph.groups}
    own = {group.id for group in graph.groups if group.kind == "pylayer"}
    return {name for name in groups if not own.isdisjoint(around(groups, name))}


def _note_value(track: Track, step: Step, shown: Shown) -> None:
    assert shown.value is not None
    named = (each for each in step.shown if each.name == shown.name)
    before = next((each.value for each in named if each.role in ("before", "input")), None)
    if shown.role in ("after", "output") and track.kind != "activation" and before is not None:
        ratio = relative_change(before, shown.value)
        track.updates += [] if ratio is None else [(step.index, ratio)]
    track.values.append((step.index, shown.value))


def _note_gradient(owners: Sequence[Track], step: Step, shown: Shown) -> None:
    size = size_of(shown.value) if owners else None
    for track in owners if size is not None else ():
        names = d(track.name), f"d({track.name})", f"{track.name}@GRAD"
        if len(owners) == 1 or shown.name in names:
            again = track.grads and track.grads[-1][0] == step.index
            best = larger(track.grads.pop()[1], size) if again else size
            track.grads.append((step.index, best or 0.0))


def relative_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> float | None:
    """Return the norm of a change over that of the value before; None if elements are missing."""
    if before["data"] is None or after["data"] is None or before["shape"] != after["shape"]:
        return None
    old, new = (np.asarray(x["data"]).ravel() for x in (before, after))
    if not old.size or any(array.dtype.kind not in "iuf" for array in (old, new)):
        return None  # booleans, or texts for NaN and infinity
    was, now = old.astype(np.float64), new.astype(np.float64)
    size = float(np.linalg.norm(was))
    return float(f"{np.linalg.norm(now - was) / size:.4g}") if 0 < size < math.inf else None


def ends_of_passes(story: Story) -> list[int]:
    """Return the last step of each backward pass that was not stopped."""
    lanes = {node.id: node.lane for node in story.graph.nodes}

    def works(step: Step) -> bool:
        return any(lanes.get(name) == "backward" for name in step.nodes)

    ends, gradients = [], False
    for step, after in zip(story.steps, (*story.steps[1:], None), strict=False):
        if step.phase == "run":
            gradients = step.kind != "run" and (gradients or works(step))
            ends += [step.index] if step.kind == "finish" and gradients else []
        elif step.phase == "backward" and step.kind not in ("idle", *STOPPED) and works(step):
            goes_on = after and after.phase == "backward" and after.kind not in ("seed", "idle")
            ends += [] if goes_on else [step.index]
    return [k for k in ends if k + 1 >= len(story.steps) or story.steps[k + 1].kind not in STOPPED]


# ----- rows --------------------------------------------------------------------------------------


def number_of_step(step: int, count: int) -> int:
    """Return the number of a step, which may count from the end; raise for a missing step."""
    at = step + count if step < 0 else step
    if count and not 0 <= at < count:
        raise InvalidArgument(
            "there are no statistics of this step.",
            expected=f"a number from 0 to {count - 1}, or from -{count} to -1",
            received=f"step={step}",
            fix="name a step of this trace; trace.text() tells which there are (counted from 1)",
        )
    return at


def rows_at(story: Story, step: int) -> tuple[Row, ...]:
    """Return the rows after a step."""
    over = ends_of_passes(story)
    return tuple(filter(None, (row_at(track, over, step) for track in tracks(story))))


def row_at(track: Track, over: Sequence[int], at: int) -> Row | None:
    """Return the row of a track at a step; None before its first value."""
    value = _latest_at(track.values, at)
    if value is None:
        return None
    stats = value.get("stats") or {}
    size, zeros = stats.get("size"), stats.get("zeros")
    first = track.values[0][0]
    grad: Size | None = _latest_at(track.grads, at)
    if grad is None and not any(first <= end <= at for end in over):
        grad = NOT_YET
    spread: dict[str, Any] = {name: stats.get(name) for name in ("mean", "std", "min", "max")}
    nan, inf = (n if type(n) is int else 0 for n in (stats.get("nan"), stats.get("inf")))
    share = zeros / size if size and type(zeros) is int else None
    shape, dtype, update = tuple(value["shape"]), value["dtype"], _latest_at(track.updates, at)
    return Row(
        track.kind, track.name, track.node, shape, dtype, zeros=share, nan=nan, inf=inf,
        grad=grad, update=update, **spread,
    )  # fmt: skip


def _latest_at(pairs: Sequence[tuple[int, Any]], at: int) -> Any:
    return next((thing for step, thing in reversed(pairs) if step <= at), None)
