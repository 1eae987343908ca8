"""Picture without positions: nodes, edges, groups and steps, derived from a trace.

Forward nodes are in the lane "forward", gradient nodes in "backward", optimizer updates in
"optimize". A gradient node names the forward node that it belongs to (`pair`) and is drawn at that
node's height; each backward pass has its own `column`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeVar

from minipaddle.engine.reasons import Reason
from minipaddle.messages import EMPTY, Message, Text

# Kinds of boxes that no step computed.
GIVEN = frozenset({"leaf", "parameter", "buffer", "state", "data"})


LAYERS = frozenset({"layer", "control"})  # kinds of groups with a half for each backward pass
UPDATES = frozenset({"optimizer", "update"})  # kinds of scopes that change parameters or gradients
SERIES = frozenset({"loop", "row"})  # kinds of groups of equal groups, of which few are open

# A row of texts for each clause of `dx = dz, dy = dz`; names and numbers are at the odd places.
Formula = tuple[tuple[str, ...], ...]

LOSS = Message("loss")
NONE = "None"  # detail text of a gradient that does not exist

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def group_by_key(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, in the order in which they come.

    >>> group_by_key([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def formula_text(formula: Formula) -> str:
    """Return a formula as text."""
    return ", ".join(map("".join, formula))


def operands(formula: Formula) -> set[str]:
    """Return the names and numbers in a formula."""
    return {operand for clause in formula for operand in clause[1::2]}


class Badge(NamedTuple):
    """A remark on a box: its kind decides its look, the reader's language its text.

    kind: first_nan, first_inf and error are alarms; skipped strikes out the name of an argument
    that a function does not get; zeros, mark (of a PyLayer), repeats, difference and idle (of
    a branch that did not run) are plain texts.
    """

    kind: str
    text: Message

    @classmethod
    def same(cls, kind: str, text: str) -> Badge:
        """Return a badge with the same text in all languages."""
        return cls(kind, Text(text))

    def __str__(self) -> str:
        return self.text.en


Label = str | Message  # a name as it is, or words to translate
DOTS = Text("{row} · {next}")  # template that joins two parts of a title


class Labelled(Protocol):
    """Something with a label."""

    @property
    def label(self) -> Label: ...


def label_of(thing: Labelled, lang: str) -> str:
    """Return the label in one language."""
    label = thing.label
    return label if isinstance(label, str) else label.of(lang)


def changed(label: Label, change: Callable[[str], str]) -> Label:
    """Return a label whose text is changed in each language."""
    return change(label) if isinstance(label, str) else label.changed(change)


def words(label: Label) -> Message:
    """Return a label as a message."""
    return Text(label) if isinstance(label, str) else label


def between(first: Label, last: Label) -> Label:
    """Return the label of all that comes from a first to a last one, which differ in one word.

    >>> between("t = 0", "t = 7")
    't = 0 … 7'
    """
    if isinstance(first, str) and isinstance(last, str):
        return _joined(first, last)
    ends = words(first).by_language(), words(last).by_language()
    texts = {lang: _joined(text, ends[1][lang]) for lang, text in ends[0].items()}
    return Text(texts.pop("en"), **texts)


def _joined(first: str, last: str) -> str:
    pairs = zip(first.split(" "), last.split(" "), strict=False)
    return " ".join(one if one == other else f"{one} … {other}" for one, other in pairs)


class Picture(NamedTuple):
    """An array as a small picture: its size on paper, its grid, and the grid's RGBA bytes."""

    w: float
    h: float
    columns: int = 0
    rows: int = 0
    pixels: bytes = b""


class Face(NamedTuple):
    """A box's second line, and the picture below it."""

    line: str
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One box. `id` is stable between runs; `kind` decides how the box looks.

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
    detail: str = ""  # second line: shape and dtype
    lane: str = "forward"
    column: int = 0
    pair: str | None = None
    group: str | None = None
    badges: tuple[Badge, ...] = ()
    tag_of: str | None = None  # id of the leaf that this node repeats as a small tag
    picture: Picture | None = None


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

    kind: layer, pylayer, py_func, control (the inside of a cond, or a branch), optimizer; block (of
    several things), row (of equal layers), loop (of turns), turn. A closed group is drawn as the
    node `closed`.
    The two halves of a PyLayer are two groups, one in each lane, with the same `twin` name; the
    two groups open and close together.
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
        """Return the name by which the group opens and closes, together with its twin if any."""
        return self.twin or self.id


@dataclass(frozen=True, slots=True)
class Graph:
    """Everything that can be drawn of one trace."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...] = ()


def boxes_of(graph: Graph) -> dict[str, Node]:
    """Return all boxes by their ids, including the boxes of closed groups."""
    nodes = {node.id: node for node in graph.nodes}
    return nodes | {group.closed.id: group.closed for group in graph.groups if group.closed}


def with_boxes(graph: Graph, change: Callable[[Node], Node]) -> Graph:
    """Return a graph with all boxes changed, including the boxes of closed groups."""
    groups = (
        replace(group, closed=group.closed and change(group.closed)) for group in graph.groups
    )
    return replace(graph, nodes=tuple(map(change, graph.nodes)), groups=tuple(groups))


class Nested(Protocol):
    """Something that may be nested in another thing of its kind."""

    @property
    def parent(self) -> str | None: ...


def around(groups: Mapping[str, Nested], name: str | None) -> list[str]:
    """Return a group, or a frame, and all groups or frames around it, the innermost first."""
    outer: list[str] = []
    while name is not None and name in groups and name not in outer:
        outer.append(name)
        name = groups[name].parent
    return outer


@dataclass(frozen=True, slots=True)
class Shown:
    """A value in the inspector: its name, its role in the step, and its content.

    role: input, output, saved, grad_in, zeros (in place of a gradient), grad_out, before, after,
    taken (what an update takes away), skipped (what a backward_func does not get). `sign` is
    written before the value where values are a sum: `+`, `− 0.1 ×`, `=`. `value` is None for a
    value that is not there yet (never shown as 0) or for a gradient that does not exist. `node` is
    the box that runs in the step, `holder` the box that has the value, if it is another one. `use`
    is the result from which a gradient comes that is added to that of another one.
    """

    name: str
    role: str
    value: Mapping[str, Any] | None
    node: str | None = None
    probe: Any = None  # data from which finite differences measure a gradient
    holder: str | None = None
    sign: str = ""
    use: str = ""


class Line(NamedTuple):
    """A line of the user's code: the index of its source, and its line number in that file."""

    source: int
    number: int


class Term(NamedTuple):
    """A value that a formula names."""

    name: str
    value: Mapping[str, Any]


class ShapeRow(NamedTuple):
    """A row in a table of shapes: the tensor's name, a size for each column, and a note.

    sizes: "" where the shape has no such axis. clash: columns whose sizes do not fit. odd: whether
    the note, such as a dtype or a count, is what does not fit.
    """

    name: str
    sizes: tuple[str, ...]
    clash: tuple[int, ...] = ()
    note: Message = EMPTY
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Details of the step where a run stopped, beside the step's sentence.

    `rows` are the shapes that met in the step, aligned as they are compared. `told` are further
    texts by kind: where, expected, received, todo (what the message says), tried (a repair that was
    run).
    """

    rows: tuple[ShapeRow, ...] = ()
    told: tuple[tuple[str, Message], ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a story, shown by one press of the arrow key.

    phase: forward, backward, optimize, build or run. `nodes` and `edges` become active; the ones
    that were active in an earlier step are done. A step `of_memory` reports memory alone, and is
    shown only if memory is asked for; it is counted like any other step. `record` is the index,
    among the events of its trace, of the event with which the step begins.
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
    clauses: Formula = ()
    terms: tuple[Term, ...] = ()  # values in the formula that are not in `shown`
    grads: Mapping[str, Any] = field(default_factory=dict)
    of_memory: bool = False
    record: int = -1
    fault: Fault | None = None  # details of an error, in the step where the run stops

    @property
    def formula(self) -> str:
        """Return the formula as text, or "" if there is none."""
        return formula_text(self.clauses)

    @property
    def told_line(self) -> Line | None:
        """Return the line to show with the step: for a gradient, the line of its forward op."""
        return (self.forward_line if self.kind in ("visit", "unbroadcast") else None) or self.line


@dataclass(frozen=True, slots=True)
class Source:
    """A piece of the user's code: its name (`Cell [2]` or a relative path) and its lines."""

    name: str
    lines: Sequence[str]
    first: int = 1

    def line(self, number: int) -> str:
        """Return the line with a number, or "" if it is not known."""
        at = number - self.first
        return self.lines[at] if 0 <= at < len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Stay:
    """A value in memory from step `first` to step `last`, both included; `node` is its box."""

    name: str
    nbytes: int
    first: int
    last: int
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A piece of memory, and the values that it holds one after the other.

    kind in a Program's run: shared (a block that several values use), own (memory of one temporary
    value), fed, scope (persistable). kind in eager mode: saved (for backward), or leaf (also saved,
    but made by no recorded op).
    """

    label: str
    kind: str
    nbytes: int
    stays: tuple[Stay, ...]


class Live(NamedTuple):
    """The bytes held at one step: of values that will be freed, and of lasting ones."""

    temporary: int
    lasting: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of a run: its rows, and the bytes at each step.

    `open_ended`: some saved values count to the end, because no backward has released them.
    """

    rows: tuple[Row, ...] = ()
    live: tuple[Live, ...] = ()
    open_ended: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Reason why a leaf has no gradient at the end, and the edges at which it is cut off."""

    reason: Reason
    text: Message
    edges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that the records prove: its kind, its place, and what to do.

    kind: a key of `problems.FAMILIES`. `step` is the index of a step in `trace.steps`, its number
    less one, and `node` a box of that step's picture, or None if no box shows the problem.
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
    """A graph and the steps that explain it one after the other."""

    title: str
    graph: Graph
    steps: tuple[Step, ...]
    sources: tuple[Source, ...] = ()
    note: Message | None = None  # reason why the trace ends early, or None
    memory: Memory = Memory()
    odd: Mapping[str, int] = field(default_factory=dict)  # "nan", "inf" -> index of its first step
    missing: Mapping[str, Missing] = field(default_factory=dict)  # a leaf's box -> reason

    def code_at(self, line: Line | None) -> tuple[str, str]:
        """Return the place `train.py:12` and the code of a line, or empty texts if unknown."""
        if line is None:
            return "", ""
        source = self.sources[line.source]
        return f"{source.name}:{line.number}", source.line(line.number).strip()


@dataclass(frozen=True, slots=True)
class Round:
    """One iteration of a training loop, the evaluation in an epoch, or one run of a Program.

    kind: training, evaluation, run, or marked (by `viz.rounds`). `names` are the integer loop
    variables of its last iteration, whose loss it has: {"epoch": 1, "batch": 2}. `loss` is the last
    number that backward() started from, or the one that a run fetched; `loss_name` is its name or
    formula, "last loss" if the round has several of one name. `accuracy` is that on the round's
    batch, if its one loss of classes was recorded whole. `sizes` has a row for each updated
    parameter. `first` and `last` are the round's steps, both included, and `structure` is the index
    of its structure in the trace; None if the round's steps were not recorded.
    """

    index: int
    kind: str
    names: Mapping[str, int] = field(default_factory=dict)
    loss: float | None = None
    sizes: tuple[ParameterSize, ...] = ()
    structure: int | None = None
    first: int | None = None
    last: int | None = None
    accuracy: Accuracy | None = None
    loss_name: Message = LOSS

    @property
    def kept(self) -> bool:
        return self.structure is not None


class Accuracy(NamedTuple):
    """Number of labels whose class has the largest score, among all `labels` of a batch."""

    right: int
    labels: int


class ParameterSize(NamedTuple):
    """The root mean square of a parameter's new value and of its gradient; nan, inf as text."""

    name: str
    value: float | str
    grad: float | str


@dataclass(frozen=True, slots=True)
class Structure:
    """Common structure of several rounds: one graph, and equal steps but for their values.

    `differs` describes the difference from the structure of most rounds, whose own is empty. In the
    labels of `graph`, `…` replaces numbers that change from round to round.
    """

    rounds: tuple[int, ...]
    differs: Message
    graph: Graph
