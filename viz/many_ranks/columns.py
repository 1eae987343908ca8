"""What a column of the picture shows, row by row: boxes, collectives, and the borders of PyLayers.

A column is one rank, or several that do the same; of these each box says what they have in common,
and has a cell for the numbers of each, or one cell where those are equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from minipaddle.engine.bilingual import Text

from .. import theme
from ..model import Node, Shown, Step, label_of
from ..statistics.last_values import numbers
from ..story.sentences.wording import NUMBER, shape
from .collectives import Call, Collective
from .score import Part, Score, code_at, line_of

GIVEN = frozenset({"output", "grad_out", "after", "final"})  # the roles of what a step gives
OPENS, CLOSES = frozenset({"enter", "receive"}), frozenset({"leave", "return"})
HOLDING = frozenset({"leaf", "seed"})  # steps of boxes that hold a gradient
UNSAID = frozenset({"leaf", "receive", "hook"})  # told at a line that says nothing of them
HALF = {"enter": ".forward", "receive": ""}
MOST = 3  # values of a box
CELL = 15  # letters of a value in a cell

Form = Literal["box", "pill", "open", "close", "bar", "error"]


@dataclass(frozen=True, slots=True)
class Value:
    """A line of a box: a name, its shape, and by rank the numbers."""

    name: str
    shape: str
    numbers: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether all ranks have the same."""
        return len(set(self.numbers)) == 1


@dataclass(frozen=True, slots=True)
class Slot:
    """What a column shows in one row."""

    row: int
    form: Form
    step: Step
    label: Text
    values: tuple[Value, ...] = ()
    gets: tuple[Value, ...] = ()  # of a collective: what comes out of it
    code: str = ""  # the line of code, where it is another one than that of the slot before
    node: str = ""  # the box of the player that it is
    collective: Collective | None = None
    begun: int | None = None  # the row after which it began, where others were done meanwhile

    @property
    def tone(self) -> str:
        """The name of its accent colour."""
        if self.form == "error" or (self.collective and self.collective.trouble):
            return "alert"
        return theme.accent(self.step.phase)


@dataclass(frozen=True)
class Column:
    """Ranks that do the same, or one rank alone, and what they show."""

    ranks: tuple[int, ...]
    slots: Mapping[int, Slot]


def columns_of(score: Score, fold: bool) -> list[Column]:
    """The columns, in the order of their first ranks."""
    groups = score.folded if fold else tuple((rank,) for rank in score.parts)
    meeting = {(r, c.step): each for each in score.collectives for r, c in each.calls.items()}
    return [Column(ranks, slots_of(score, ranks, meeting)) for ranks in groups]


def slots_of(
    score: Score, ranks: tuple[int, ...], meeting: Mapping[tuple[int, int], Collective]
) -> dict[int, Slot]:
    """What some ranks that do the same show, by row."""
    parts = [score.parts[rank] for rank in ranks]
    first = parts[0]
    nodes = [nodes_of(part) for part in parts]
    slots: dict[int, Slot] = {}
    code = ""
    for row, step in zip(first.rows, first.steps, strict=True):
        steps = [part.story.steps[step.index] for part in parts]
        line = "" if step.kind in UNSAID else told_code(first, step)
        new, code = line if line != code else "", line or code
        call, each = first.calls.get(step.index), meeting.get((first.rank, step.index))
        workers = list(map(worker, steps, nodes))
        node, label = workers[0], label_of_all(workers)
        if call is not None and each is not None:
            begun = None
            if call.begun is not None:
                before = [r for r, s in zip(first.rows, first.steps, strict=True)
                          if s.index <= call.begun]  # fmt: skip
                begun = max(before, default=-1)
            slots[row] = bar(row, steps, node, call, each, new, begun)
        else:
            slots[row] = box(row, steps, node, label, new)
    return slots


def nodes_of(part: Part) -> dict[str, Node]:
    """The boxes of a rank's story, those of closed groups too."""
    graph = part.story.graph
    closed = (group.closed for group in graph.groups if group.closed)
    return {node.id: node for node in (*graph.nodes, *closed)}


def worker(step: Step, nodes: Mapping[str, Node]) -> Node | None:
    """The box that works in a step, and not one beside it that only holds a result."""
    found = [nodes[name] for name in step.nodes if name in nodes]
    if step.kind in HOLDING:
        return found[-1] if found else None
    working = [node for node in found if node.kind not in theme.PILLS]
    return next(reversed(working or found), None)


def told_code(part: Part, step: Step) -> str:
    """`12  y = x @ w`: the line of the user's code, with its number."""
    line = line_of(step)
    if line is None:
        return ""
    _, code = code_at(part.story, line)
    return f"{line.number}  {code}" if code else ""


def label_of_all(nodes: Sequence[Node | None]) -> Text:
    """What ranks call a box; nothing where there is none."""
    labels = [[label_of(node, lang) for node in nodes if node] for lang in ("en", "zh")]
    return Text(*map(common, labels)) if all(nodes) else Text("", "")


def common(names: Sequence[str]) -> str:
    """What names have in common, with `…` for numbers that differ.

    >>> common(["rows[3] + 1", "rows[12] + 1"]), common(["x", "y"])
    ('rows[…] + 1', 'x')
    """
    if len(set(names)) == 1 or len({NUMBER.sub("0", name) for name in names}) > 1:
        return names[0]
    numbers = zip(*map(NUMBER.findall, names), strict=True)
    told = iter([each[0] if len(set(each)) == 1 else "…" for each in numbers])
    return NUMBER.sub(lambda _: next(told), names[0])


def box(row: int, steps: Sequence[Step], node: Node | None, own: Text, code: str) -> Slot:
    """What ranks do, each on its own."""
    step = steps[0]
    told = Text(step.kind, step.kind) if not own.en else own
    name = node.id if node else ""
    if step.kind in OPENS:
        half = HALF[step.kind]
        return Slot(row, "open", step, Text(told.en + half, told.zh + half), code=code, node=name)
    if step.kind in CLOSES:
        return Slot(row, "close", step, told, node=name)
    if step.kind == "error":
        return Slot(row, "error", step, told, code=code, node=name)
    pill = step.kind in HOLDING
    values = values_of([[s for s in each.shown if s.role in GIVEN] for each in steps])
    if pill and values:
        told, values = Text(values[0].name, values[0].name), (values[0], *values[1:])
    return Slot(row, "pill" if pill else "box", step, told, values, code=code, node=name)


def bar(
    row: int,
    steps: Sequence[Step],
    node: Node | None,
    call: Call,
    each: Collective,
    code: str,
    begun: int | None,
) -> Slot:
    """The part of ranks in a collective."""
    given = [[s for s in one.shown if s.role == "input"] for one in steps]
    got = [[s for s in one.shown if s.role == "output"] for one in steps]
    gives = values_of(given) if call.gives else ()
    gets = values_of(got) if call.gets and call.finished else ()
    told, name = Text(call.op, call.op), node.id if node else ""
    return Slot(row, "bar", steps[0], told, gives, gets, code, name, each, begun)


def values_of(shown: Sequence[Sequence[Shown]]) -> tuple[Value, ...]:
    """The values that ranks show, each with the numbers of all."""
    rows = []
    for same in list(zip(*shown, strict=False))[:MOST]:
        first = same[0]
        if first.value is None:
            continue
        told = tuple(numbers(each.value, CELL, sized=False) if each.value else "" for each in same)
        name = common([each.name for each in same])
        rows.append(Value(name, shape(first.value["shape"]), told))
    return tuple(rows)
