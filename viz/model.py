"""The picture before it has a place: nodes, edges, groups and steps, derived from a trace.

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


NONE = "None"  # the detail of a gradient that does not exist


class Badge(NamedTuple):
    """A remark on a box: its kind decides its look, the reader's language its text.

    kind: first_nan and first_inf stand out; skipped strikes out the name of an argument that a
    function does not get; error, zeros, mark (of a PyLayer), repeats, difference are only said.
    """

    kind: str
    text: Message

    @classmethod
    def same(cls, kind: str, text: str) -> Badge:
        """Return one that says the same in all languages."""
        return cls(kind, Text(text))

    def __str__(self) -> str:
        return self.text.en


Label = str | Message  # a name, or words
DOTS = Text("{row} · {next}")  # between the parts of a title


class Labelled(Protocol):
    """Something with a label."""

    @property
    def label(self) -> Label: ...


def label_of(thing: Labelled, lang: str) -> str:
    """Return the label in one language."""
    label = thing.label
    return label if isinstance(label, str) else label.of(lang)


def changed(label: Label, change: Callable[[str], str]) -> Label:
    """Return a label with another text, in each language."""
    return change(label) if isinstance(label, str) else label.changed(change)


def words(label: Label) -> Message:
    """Return a label as a message."""
    return Text(label) if isinstance(label, str) else label


@dataclass(frozen=True, slots=True)
class Node:
    """One box. `id` is stable between runs; kind decides how it looks.

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
    tag_of: str | None = None  # this node is a small repetition of that leaf


@dataclass(frozen=True, slots=True)
class Edge:
    """A wire. kind: data, grad, saved (forward node -> gradient node that reads it), order."""

    id: str
    source: str
    target: str
    kind: str = "data"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A box that opens and closes around nodes of one lane.

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
        """Return the name by which the group opens and closes, with its twin if it has one."""
        return self.twin or self.id


@dataclass(frozen=True, slots=True)
class Graph:
    """Everything that can be drawn of one trace."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...] = ()


def boxes_of(graph: Graph) -> dict[str, Node]:
    """Return all boxes by their ids, those of closed groups included."""
    nodes = {node.id: node for node in graph.nodes}
    return nodes | {group.closed.id: group.closed for group in graph.groups if group.closed}


def with_boxes(graph: Graph, change: Callable[[Node], Node]) -> Graph:
    """Change all boxes of a graph, those of closed groups included."""
    groups = (
        replace(group, closed=group.closed and change(group.closed)) for group in graph.groups
    )
    return replace(graph, nodes=tuple(map(change, graph.nodes)), groups=tuple(groups))


class Nested(Protocol):
    """Something that may stand in another of its kind."""

    @property
    def parent(self) -> str | None: ...


def around(groups: Mapping[str, Nested], name: str | None) -> list[str]:
    """Return a group, or a frame, and all that it stands in, the innermost first."""
    outer: list[str] = []
    while name is not None and name in groups and name not in outer:
        outer.append(name)
        name = groups[name].parent
    return outer


@dataclass(frozen=True, slots=True)
class Shown:
    """A value in the inspector: what it is called, which role it plays in the step, and the value.

    role: input, output, saved, grad_in, zeros (that stand in for a gradient), grad_out, before,
    after, taken (what an update takes away), skipped (what a backward_func does not get). `sign`
    stands before it where values are a sum: `+`, `− 0.1 ×`, `=`. `value` is None for what is not
    there yet (never shown as 0) or for a gradient that does not exist. `node` is the box at work,
    `holder` the box that the value itself belongs to, where that is another one.
    """

    name: str
    role: str
    value: Mapping[str, Any] | None
    node: str | None = None
    probe: Any = None  # input of finite differences that measure a gradient
    holder: str | None = None
    sign: str = ""


class Line(NamedTuple):
    """A line of the user's code: which of the sources, and its number there, from the first."""

    source: int
    number: int


class Term(NamedTuple):
    """A value that a formula speaks of."""

    name: str
    value: Mapping[str, Any]


class ShapeRow(NamedTuple):
    """A shape under others: whose it is, a size for each column, and a note on it.

    sizes: "" where the shape has no such axis. clash: the columns whose sizes do not fit. `odd`:
    what does not fit is what the note says, a dtype or a count.
    """

    name: str
    sizes: tuple[str, ...]
    clash: tuple[int, ...] = ()
    note: Message = EMPTY
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Details of the step where a run stopped, beside its sentence.

    `rows` are the shapes that met there, below each other as they are compared. `told` is further
    text by kind: expected, received, todo (what the message says), tried (a repair that was run).
    """

    rows: tuple[ShapeRow, ...] = ()
    told: tuple[tuple[str, Message], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One press of the arrow key.

    phase: forward, backward, optimize, build or run. `nodes` and `edges` become active; what was
    active in an earlier step is done. A step `of_memory` tells of nothing else, and is shown only
    to who asks for memory; its index is one like any other. `record` is the number of the event
    that it begins with, among those of its trace.
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
    fault: Fault | None = None  # of the step in which everything stops

    @property
    def told_line(self) -> Line | None:
        """Return the line to show with the step: for a gradient that of its forward op."""
        return (self.forward_line if self.kind in ("visit", "unbroadcast") else None) or self.line


@dataclass(frozen=True, slots=True)
class Source:
    """A piece of the user's code: its name (`Cell [2]` or a relative path) and its lines."""

    name: str
    lines: Sequence[str]
    first: int = 1


@dataclass(frozen=True, slots=True)
class Stay:
    """A value in memory from one step to another, both included; `node` is its box."""

    name: str
    nbytes: int
    first: int
    last: int
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A piece of memory, and the values that it holds one after the other.

    kind: of a Program's run shared (a block, used again), own (a temporary value with memory that
    nothing else takes), fed, scope (persistable); of eager work saved (for backward), or leaf
    (saved as well, but what no recorded op made).
    """

    label: str
    kind: str
    nbytes: int
    stays: tuple[Stay, ...]


class Live(NamedTuple):
    """The bytes held at one step: of what will go, and of what is there anyway."""

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
    """Something wrong, as far as the records prove it: what it is, where, and what to do.

    kind: a key of `problems.FAMILIES`. `step` is the index of a step in `trace.steps`, its number
    less one, and `node` a box of that step's picture, None where no box shows it.
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
    """A graph and the steps that walk through it."""

    title: str
    graph: Graph
    steps: tuple[Step, ...]
    sources: tuple[Source, ...] = ()
    note: Message | None = None  # why the trace ends early, if it does
    memory: Memory = Memory()
    odd: Mapping[str, int] = field(default_factory=dict)  # "nan", "inf": the first step with one
    missing: Mapping[str, Missing] = field(default_factory=dict)  # by the box of a leaf

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
    """One turn of a loop that trains, one batch of an evaluation, or one run of a Program.

    kind: training, evaluation, run, or marked (by `viz.rounds`). `names` are the integer loop
    variables when it began: {"epoch": 1, "batch": 2}. `loss` is the last number that backward()
    started from. `sizes`: of each parameter that was updated its name, and the root mean square
    of its new value and of its gradient. `first` and `last` are its steps, both included, and
    `structure` says which of the trace's structures it has: None where its steps were not kept.
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
    """The root mean square of a parameter's new value and of its gradient; nan, inf as text."""

    name: str
    value: float | str
    grad: float | str


@dataclass(frozen=True, slots=True)
class Structure:
    """Common structure of several rounds: one graph, and equal steps but for their values.

    `differs` says what sets it apart from the structure of most rounds; empty for that one. In the
    labels of `graph`, `…` stands for numbers that change from round to round.
    """

    rounds: tuple[int, ...]
    differs: Message
    graph: Graph
