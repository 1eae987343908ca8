"""Columns of the picture, row by row: boxes, collectives, and the borders of PyLayers.

A column is one rank, or several with equal steps. A box of several ranks shows their common names
and has a cell for the numbers of each rank, or one cell if the numbers are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from typing import Any, Literal

from minipaddle.messages import EMPTY, Message, Row, Text

from .. import theme
from ..facts.last_values import value_line
from ..model import GIVEN as LEAVES
from ..model import Node, Shown, Step, boxes_of, words
from ..story.sentences.wording import NUMBER, shape
from .collectives import Call, Collective
from .score import Part, Score

GIVEN = frozenset({"output", "grad_out", "after", "final"})  # roles of a step's results
OPENS, CLOSES = frozenset({"enter", "receive"}), frozenset({"leave", "return"})
HOLDING = frozenset({"leaf", "seed"})  # steps of boxes that hold a gradient
UNSAID = frozenset({"leaf", "receive", "hook"})  # steps that are shown without a line of code
ARROW = Text("{row} → {next}")
MOST = 3  # maximum number of values in a box
OFTEN = 8  # number of boxes of one op in a row from which they are merged
TIMES = Message("{label}, {count} times")
CELL = 16  # maximum number of letters of a value in a cell

Form = Literal["box", "pill", "open", "close", "bar", "error"]


@dataclass(frozen=True, slots=True)
class Value:
    """Line of a box: a name, its shape ("" for a single number), and the numbers of each rank."""

    name: str
    shape: str
    numbers: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether the numbers are equal on all ranks."""
        return len(set(self.numbers)) == 1


@dataclass(frozen=True, slots=True)
class Slot:
    """Content of a column in one row."""

    row: int
    form: Form
    step: Step
    label: Message
    values: tuple[Value, ...] = ()
    gets: tuple[Value, ...] = ()  # results of a collective
    code: str = ""  # line of code, or "" if the slot before has the same one
    node: str = ""  # id of its box in the player
    collective: Collective | None = None
    begun: int | None = None  # row after which the collective began, if work was done meanwhile
    since: int | None = None  # first row of merged boxes

    @property
    def tone(self) -> str:
        """Name of the accent colour."""
        if self.form == "error" or (self.collective and self.collective.trouble):
            return "alert"
        return theme.accent(self.step.phase)


@dataclass(frozen=True)
class Column:
    """Ranks with equal steps, or one rank, and their slots by row."""

    ranks: tuple[int, ...]
    slots: Mapping[int, Slot]


def columns_of(score: Score, fold: bool) -> list[Column]:
    """Return the columns, in the order of their first ranks."""
    groups = score.folded if fold else tuple((rank,) for rank in score.parts)
    meeting = {(r, c.step): each for each in score.collectives for r, c in each.calls.items()}
    return [Column(ranks, slots_of(score, ranks, meeting)) for ranks in groups]


def slots_of(
    score: Score, ranks: tuple[int, ...], meeting: Mapping[tuple[int, int], Collective]
) -> dict[int, Slot]:
    """Return the slots of ranks with equal steps, by row."""
    parts = [score.parts[rank] for rank in ranks]
    first = parts[0]
    nodes = [boxes_of(part.story.graph) for part in parts]
    slots: dict[int, Slot] = {}
    code = ""
    for row, step in zip(first.rows, first.steps, strict=True):
        steps = [part.story.steps[step.index] for part in parts]
        line = "" if step.kind in UNSAID else code_of(first, step)
        new, code = line if line != code else "", line or code
        call, each = first.calls.get(step.index), meeting.get((first.rank, step.index))
        workers = list(map(worker, steps, nodes))
        node, label = workers[0], label_of_all(workers)
        if call is not None and each is not None:
            slots[row] = bar_slot(row, steps, node, call, each, new, begun_at(first, call))
        else:
            slots[row] = box_slot(row, steps, node, label, new)
    return slots


def begun_at(part: Part, call: Call) -> int | None:
    """Return the row after which a call began, or None if the rank waited at once."""
    if call.begun is None:
        return None
    rows = zip(part.rows, part.steps, strict=True)
    return max((row for row, step in rows if step.index <= call.begun), default=-1)


def worker(step: Step, nodes: Mapping[str, Node]) -> Node | None:
    """Return the running box of a step, rather than one that holds a result."""
    found = [nodes[name] for name in step.nodes if name in nodes]
    if step.kind in HOLDING:
        return found[-1] if found else None
    working = [node for node in found if node.kind not in theme.PILLS]
    return next(reversed(working or found), None)


def code_of(part: Part, step: Step) -> str:
    """Return `12  y = x @ w`: the line of the user's code, with its number."""
    _, code = part.story.code_at(step.told_line)
    return f"{step.told_line.number}  {code}" if step.told_line and code else ""


def label_of_all(nodes: Sequence[Node | None]) -> Message:
    """Return one label for the boxes of several ranks, or an empty one if a box is missing."""
    return label_of_several([words(node.label) for node in nodes if node]) if all(nodes) else EMPTY


@dataclass(frozen=True, slots=True)
class Common:
    """Common part of labels."""

    labels: tuple[Message, ...]

    def of(self, lang: str) -> str:
        """Return the label in a language."""
        return common_name([label.of(lang) for label in self.labels])


def label_of_several(labels: Sequence[Message]) -> Message:
    """Return one label for boxes of the same op."""
    alike = tuple(dict.fromkeys(labels))
    return alike[0] if len(alike) == 1 else Text.around(Common(alike))


def common_name(names: Sequence[str]) -> str:
    """Return the common part of names, with `…` for numbers that differ.

    >>> common_name(["rows[3] + 1", "rows[12] + 1"]), common_name(["x", "y"])
    ('rows[…] + 1', 'x')
    """
    if len(set(names)) == 1 or len({NUMBER.sub("0", name) for name in names}) > 1:
        return names[0]
    numbers = zip(*map(NUMBER.findall, names), strict=True)
    kept = iter([each[0] if len(set(each)) == 1 else "…" for each in numbers])
    return NUMBER.sub(lambda _: next(kept), names[0])


def box_slot(row: int, steps: Sequence[Step], node: Node | None, own: Message, code: str) -> Slot:
    """Return the slot of a step that each rank runs on its own."""
    step = steps[0]
    label = own if own.en else Text(step.kind)
    name = node.id if node else ""
    if step.kind in OPENS:
        if step.kind == "enter":
            label = Text("{layer}.forward").fill(layer=label)
        return Slot(row, "open", step, label, code=code, node=name)
    if step.kind in CLOSES:
        return Slot(row, "close", step, label, node=name)
    if step.kind == "error":
        return Slot(row, "error", step, label, code=code, node=name)
    pill = step.kind in HOLDING
    values = values_of([[s for s in each.shown if s.role in GIVEN] for each in steps])
    if pill and values:
        label = Text(values[0].name)
    return Slot(row, "pill" if pill else "box", step, label, values, code=code, node=name)


def bar_slot(
    row: int,
    steps: Sequence[Step],
    node: Node | None,
    call: Call,
    each: Collective,
    code: str,
    begun: int | None,
) -> Slot:
    """Return the slot of a column in a collective."""
    given = [[s for s in one.shown if s.role == "input"] for one in steps]
    got = [[s for s in one.shown if s.role == "output"] for one in steps]
    gives = values_of(given) if call.gives else ()
    gets = values_of(got) if call.gets and call.finished else ()
    label, name = Text(call.op), node.id if node else ""
    return Slot(row, "bar", steps[0], label, gives, gets, code, name, each, begun)


def values_of(shown: Sequence[Sequence[Shown]]) -> tuple[Value, ...]:
    """Return the shown values, each with the numbers of all ranks."""
    rows = []
    for same in list(zip(*shown, strict=False))[:MOST]:
        first = same[0]
        if first.value is None:
            continue
        texts = tuple(value_line(s.value, CELL, sized=False) if s.value else "" for s in same)
        name = common_name([each.name for each in same])
        rows.append(Value(name, sizes_of(first.value), texts))
    return tuple(rows)


def sizes_of(value: Mapping[str, Any]) -> str:
    """Return the shape as text, `[3, 2]`, or "" for a single number."""
    return shape(value["shape"]) if value["shape"] else ""


# ----- wires -------------------------------------------------------------------------------------


def ends_in(score: Score, ranks: Sequence[int]) -> dict[str, tuple[str, str]]:
    """Return the source and target of each wire of a column, with detach() skipped."""
    graph = score.parts[ranks[0]].story.graph
    given = {node.id for node in graph.nodes if node.kind in LEAVES}
    sources = {edge.target: edge.source for edge in graph.edges if edge.target in given}
    return {edge.id: (sources.get(edge.source, edge.source), edge.target) for edge in graph.edges}


def links(
    slots: Sequence[Slot], at: int, ends: Mapping[str, tuple[str, str]]
) -> Iterator[tuple[int, bool]]:
    """Yield the slot that made a collective's tensors here, and the one that reads its results.

    Each is a position in `slots` and whether it comes before. Borders of PyLayers are skipped.
    """
    bar = slots[at]
    sources = {source for source, _ in ends_of(bar, ends)} - {bar.node}
    wanted = sources if bar.values else set()
    for before in range(at - 1, -1, -1):
        if wanted & {*slots[before].step.nodes}:
            if slots[before].form != "open":
                yield before, True
                break
            wanted = {source for source, _ in ends_of(slots[before], ends)}
    given = {bar.node} if bar.gets else set()
    for after in range(at + 1, len(slots)):
        if any(source in given for source, _ in ends_of(slots[after], ends)):
            if slots[after].form not in ("open", "close"):
                yield after, False
                break
            given = {*slots[after].step.nodes}


def ends_of(slot: Slot, ends: Mapping[str, tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the sources and targets of a step's wires."""
    return [ends[edge] for edge in slot.step.edges if edge in ends]


# ----- merged boxes ------------------------------------------------------------------------------


def gather_boxes(
    score: Score, columns: Sequence[Column], runs: Callable[[Sequence[Slot]], list[list[Slot]]]
) -> list[Column]:
    """Return the columns with one box for each run of slots; rows of collectives stay."""
    kept = sorted({row for column in columns for row in rows_kept(score, column)})
    fewer = []
    for column in columns:
        slots: dict[int, Slot] = {}
        for first, last in pairwise([-1, *kept, score.count]):
            between = [column.slots[r] for r in range(first + 1, last) if r in column.slots]
            for run in runs(between):
                slots[run[-1].row] = merge_slots(run)
            if last in column.slots:
                slots[last] = column.slots[last]
        fewer.append(Column(column.ranks, slots))
    return fewer


def rows_kept(score: Score, column: Column) -> Iterator[int]:
    """Yield the rows of collectives, of slots wired to them, and of PyLayers around them."""
    ends = ends_in(score, column.ranks)
    slots = [slot for _, slot in sorted(column.slots.items())]
    halves = [*halves_in(column)]
    meeting: set[str] = set()  # PyLayers with a collective in one of their halves
    for at, slot in enumerate(slots):
        if slot.form == "bar":
            around = (begun for begun, last, _ in halves if begun.row < slot.row <= last)
            meeting.update(map(pylayer_of, around))
            yield slot.row
            yield from (slots[other].row for other, _ in links(slots, at, ends))
            if slot.begun is not None and slot.begun in column.slots:
                yield slot.begun
        elif slot.form == "error":
            yield slot.row
    for begun, last, _ in halves:
        if pylayer_of(begun) in meeting and column.slots[last].form == "close":
            yield from (begun.row, last)


def halves_in(column: Column) -> Iterator[tuple[Slot, int, int]]:
    """Yield the slot that opens each half of a PyLayer, the half's last row, and how deep it is.

    A half that is never closed ends at the column's last row.
    """
    opened: list[Slot] = []
    for row, slot in sorted(column.slots.items()):
        if slot.form == "open":
            opened.append(slot)
        elif slot.form == "close" and opened:
            yield opened.pop(), row, len(opened)
    yield from ((slot, max(column.slots), depth) for depth, slot in enumerate(opened))


def pylayer_of(slot: Slot) -> str:
    """Return the name of the PyLayer whose half a slot opens: `f` for `f.forward`."""
    return slot.label.en.rpartition(".")[0]


def runs_by_phase(slots: Sequence[Slot]) -> list[list[Slot]]:
    """Return runs of slots of one phase, each one box of a slide."""
    working = [slot for slot in slots if slot.form not in ("open", "close")]
    return [list(group) for _, group in groupby(working, lambda slot: slot.step.phase)]


def runs_by_op(slots: Sequence[Slot]) -> list[list[Slot]]:
    """Return runs of slots: at least OFTEN of one op and one line of code, else single slots."""
    runs: list[list[Slot]] = []
    for slot in slots:
        if runs and not slot.code and repetition_key(slot) == repetition_key(runs[-1][0]):
            runs[-1].append(slot)
        else:
            runs.append([slot])
    parted = ([run] if len(run) >= OFTEN else [[slot] for slot in run] for run in runs)
    return list(chain.from_iterable(parted))


def repetition_key(slot: Slot) -> tuple[Form, str]:
    """Return a key that is equal for repetitions of one op, whatever numbers are in its name."""
    label = slot.label.en
    return slot.form, NUMBER.sub("0", label) if slot.step.kind == "op" else label


def merge_slots(slots: Sequence[Slot]) -> Slot:
    """Return several boxes merged into one, with the values of the last."""
    last = slots[-1]
    if len(slots) == 1:
        return last
    labels = [label_of_run([slot.label for slot in run]) for run in runs_by_op(slots)]
    label = Row(labels, ARROW).message()
    values = next((slot.values for slot in reversed(slots) if slot.values), ())
    code, since = slots[0].code, slots[0].row
    return replace(last, form="box", label=label, values=values, code=code, since=since)


def label_of_run(labels: Sequence[Message]) -> Message:
    """Return one label for boxes of the same op, with their number."""
    label = label_of_several(labels)
    return label if len(labels) == 1 else TIMES.fill(label=label, count=len(labels))
