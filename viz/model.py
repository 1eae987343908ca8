"""The picture before its layout: nodes, edges, groups and steps, derived from a trace.

Forward things live in the lane "forward", gradient things in "backward", optimizer updates in
"optimize". A gradient node names the forward node it belongs to (`pair`) and is drawn at its
height; each backward pass has a `column` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from minipaddle.engine.reasons import Reason
from minipaddle.messages import EMPTY, Message, Text

GIVEN = frozenset(
    {"leaf", "parameter", "buffer", "state", "data"}
)  # kinds of boxes that no step computed


NONE = "None"  # detail of a gradient that does not exist


class Badge(NamedTuple):
    """Remark on a box: its kind determines its look, the reader's language its text.

    kind: first_nan, first_inf and error are alarms; skipped strikes out the name of an argument
    that a function does not get; zeros, mark (of a PyLayer), repeats, difference are plain texts.
    """

    kind: str
    text: Message

    @classmethod
    def same(cls, kind: str, text: str) -> Badge:
        """Return a badge with the same text in all languages."""
        return cls(kind, Text(text))

    def __str__(self) -> str:
        return self.text.en


Label = str | Message  # a name, or words
DOTS = Text("{row} · {next}")  # joins the parts of a title


class Labelled(Protocol):
    """Something with a label."""

    @property
    def label(self) -> Label: ...


def label_of(thing: Labelled, lang: str) -> str:
    """Return the label in one language."""
    label = thing.label
    return label if isinstance(label, str) else label.of(lang)


def changed(label: Label, change: Callable[[str], str]) -> Label:
    """Return a label with its text changed in each language."""
    return change(label) if isinstance(label, str) else label.changed(change)


def words(label: Label) -> Message:
    """Return a label as a message."""
    return Text(label) if isinstance(label, str) else label


@dataclass(frozen=True, slots=True)
class Node:
    """Box of a graph; `id` is stable between runs, kind determines its look.

    kind: leaf (a tensor the user made), parameter, buffer (a running statistic), state
    (another persistable variable of a Program), data, result (a leaf-like end, the loss),
    op, pylayer, py_func, grad (the gradient of an op), pylayer_grad, py_func_grad,
    seed (the gradient that starts backward), accumulate (a `+=` at a fan-in), unbroadcast
    (the sum that undoes broadcasting), hook, leaf_grad (a `.grad`), update (an optimizer's step),
    port (an argument or a return value at the border of an opened PyLayer half).
    """

    id: str
    kind: str
    label: Label
    detail: str = ""  # shape and dtype, second line
    lane: str = "forward"
    column: int = 0
    pair: str | None = None
    group: str | None = None
    badges: tuple[Badge, ...] = ()
    tag_of: str | None = None  # id of the leaf that this node repeats


@dataclass(frozen=True, slots=True)
class Edge:
    """Wire. kind: data, grad, saved (forward node -> gradient node that reads it), order."""

    id: str
    source: str
    target: str
    kind: str = "data"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Box that opens and closes around nodes of one lane.

    kind: layer, pylayer, py_func, block, optimizer. Closed, it is drawn as one node with the id
    `closed` and that node's kind and label. The two halves of a PyLayer are two groups, one in
    each lane, with the same `twin` name; they open and close together.
    """

    id: str
    kind: str
    label: Label
    parent: str | None = None
    lane: str = "forward"
    twin: str | None = None
    closed: Node | None = None
    badges: tuple[Badge, ...] = ()
    open_at_first: bool = False

    @property
    def toggles(self) -> str:
        """Name by which the group opens and closes, shared with its twin."""
        return self.twin or self.id


@dataclass(frozen=True, slots=True)
class Graph:
    """Graph of one trace."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...] = ()


def boxes_of(graph: Graph) -> dict[str, Node]:
    """Map ids to boxes, including the boxes of closed groups."""
    nodes = {node.id: node for node in graph.nodes}
    return nodes | {group.closed.id: group.closed for group in graph.groups if group.closed}


def with_boxes(graph: Graph, change: Callable[[Node], Node]) -> Graph:
    """Return a graph with all its boxes changed, including the boxes of closed groups."""
    groups = (
        replace(group, closed=group.closed and change(group.closed)) for group in graph.groups
    )
    return replace(graph, nodes=tuple(map(change, graph.nodes)), groups=tuple(groups))


class Nested(Protocol):
    """Group or frame that may be inside another."""

    @property
    def parent(self) -> str | None: ...


def around(groups: Mapping[str, Nested], name: str | None) -> list[str]:
    """Return the ids of a group, or a frame, and of all around it, the innermost first."""
    outer: list[str] = []
    while name is not None and name in groups and name not in outer:
        outer.append(name)
        name = groups[name].parent
    return outer


@dataclass(frozen=True, slots=True)
class Shown:
    """Value in the inspector: its name, its role in the step, and the value.

    role: input, output, saved, grad_in, zeros (in place of a missing gradient), grad_out, before,
    after, taken (the change that an update subtracts), skipped (an argument that a backward_func
    does not get). If values form a sum, `sign` precedes the value: `+`, `− 0.1 ×`, `=`. `value` is
    None for a value that is not computed yet (never shown as 0), and for a gradient that does not
    exist. `node` is the running box, `holder` the box that holds the value, if it is another one.
    """

    name: str
    role: str
    value: Mapping[str, Any] | None
    node: str | None = None
    probe: Any = None  # input of finite differences that measure a gradient
    holder: str | None = None
    sign: str = ""


class Line(NamedTuple):
    """Line of the user's code: number of its source, and its line number there."""

    source: int
    number: int


class Term(NamedTuple):
    """Value in a formula."""

    name: str
    value: Mapping[str, Any]


class ShapeRow(NamedTuple):
    """Row of a table of shapes: its name, a size for each column, and a note.

    sizes: "" for an axis that the shape lacks. clash: the columns whose sizes do not fit. `odd`:
    the content of the note, a dtype or a count, does not fit.
    """

    name: str
    sizes: tuple[str, ...]
    clash: tuple[int, ...] = ()
    note: Message = EMPTY
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Details of the step where a run stopped, beside its sentence.

    `rows` are the shapes that met there, aligned as they are compared. `told` are further texts by
    kind: expected, received, todo (from the message), tried (a repair that was run).
    """

    rows: tuple[ShapeRow, ...] = ()
    told: tuple[tuple[str, Message], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Step of a story, one press of the arrow key.

    phase: forward, backward, optimize, build or run. `nodes` and `edges` become active; those of
    earlier steps are done. A step `of_memory` is about memory only, and is hidden unless the reader
    asks for memory steps; it has an index like any other. `record` is the number, in its trace, of
    the event that it begins with.
    """

    index: int
    phase: str
    kind: str
    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    text: Message
    line: Line | None = None
    forward_line: Line | None = None
    shown: tuple[Shown, ...] = ()
    formula: str = ""
    terms: tuple[Term, ...] = ()  # values in the formula that are not shown
    grads: Mapping[str, Any] = field(default_factory=dict)
    of_memory: bool = False
    record: int = -1
    fault: Fault | None = None  # details of the error, for the step in which the run stops

    @property
    def told_line(self) -> Line | None:
        """Line to show with the step; for a gradient, the line of its forward op."""
        return (self.forward_line if self.kind in ("visit", "unbroadcast") else None) or self.line


@dataclass(frozen=True, slots=True)
class Source:
    """Piece of the user's code: its name (`Cell [2]` or a relative path) and its lines."""

    name: str
    lines: Sequence[str]
    first: int = 1


@dataclass(frozen=True, slots=True)
class Stay:
    """Stay of a value in memory, from step `first` to step `last`; `node` is its box."""

    name: str
    nbytes: int
    first: int
    last: int
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Piece of memory, and the values that it holds one after the other.

    kind: in a Program's run shared (a block that is used again), own (memory of one temporary
    value), fed, scope (persistable); in eager work saved (for backward), or leaf (saved as well,
    but not made by a recorded op).
    """

    label: str
    kind: str
    nbytes: int
    stays: tuple[Stay, ...]


class Live(NamedTuple):
    """Bytes held at one step, by temporary and by lasting values."""

    temporary: int
    lasting: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of a run: its rows, and the bytes at each step."""

    rows: tuple[Row, ...] = ()
    live: tuple[Live, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """Reason why a leaf has no gradient at the end, and the wires that cut it off."""

    reason: Reason
    text: Message
    edges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem that the records prove: its kind, its place, a description and advice.

    kind: a key of `problems.FAMILIES`. `step` is the index of a step in `trace.steps`, its number
    less one; `node` is a box of that step's picture, or None if no box shows the problem.
    """

    kind: str
    step: int
    node: str | None
    text: Message
    todo: Message

    def __str__(self) -> str:
        return f"step {self.step + 1}: {self.text.en} {self.todo.en}"


@dataclass(frozen=True, slots=True)
class Story:
    """Graph, and the steps that walk through it."""

    title: str
    graph: Graph
    steps: tuple[Step, ...]
    sources: tuple[Source, ...] = ()
    note: Message | None = None  # reason why the trace ends early, or None
    memory: Memory = Memory()
    odd: Mapping[str, int] = field(default_factory=dict)  # "nan" or "inf" -> first step with one
    missing: Mapping[str, Missing] = field(default_factory=dict)  # box of a leaf -> reason

    def code_at(self, line: Line | None) -> tuple[str, str]:
        """Return the place `train.py:12` and the code of a line; empty texts if unknown."""
        if line is None:
            return "", ""
        source = self.sources[line.source]
        at = line.number - source.first
        code = source.lines[at].strip() if 0 <= at < len(source.lines) else ""
        return f"{source.name}:{line.number}", code


@dataclass(frozen=True, slots=True)
class Round:
    """Round: one training iteration, one batch of an evaluation, or one run of a Program.

    kind: training, evaluation, run, or marked (by `viz.rounds`). `names` are the integer loop
    variables when it began: {"epoch": 1, "batch": 2}. `loss` is the last number that backward()
    started from. `sizes` are the sizes of the updated parameters. `first` and `last` are its steps,
    both included; `structure` is the number of its structure in the trace. All three are None if
    its steps were not recorded.
    """

    index: int
    kind: str
    names: Mapping[str, int] = field(default_factory=dict)
    loss: float | None = None
    sizes: tuple[ParameterSize, ...] = ()
    structure: int | None = None
    first: int | None = None
    last: int | None = None

    @property
    def kept(self) -> bool:
        return self.structure is not None


class ParameterSize(NamedTuple):
    """Root mean square of a parameter's new value and of its gradient; nan, inf as text."""

    name: str
    value: float | str
    grad: float | str


@dataclass(frozen=True, slots=True)
class Structure:
    """Common structure of several rounds: one graph, and equal steps but for their values.

    `differs` describes the difference from the structure of most rounds, and is empty for that one.
    In the labels of `graph`, `…` replaces numbers that change from round to round.
    """

    rounds: tuple[int, ...]
    differs: Message
    graph: Graph
