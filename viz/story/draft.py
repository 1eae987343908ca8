"""Draft of a picture: nodes, wires, groups and steps before they become a Story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from minipaddle.messages import Message

from ..document.op_facts import calls_in
from ..document.sources import CodeLine, LoadedLine
from ..language.dialects import spelled
from ..language.words import WORDS
from ..model import (
    GIVEN,
    LAYERS,
    Badge,
    Edge,
    Formula,
    Graph,
    Group,
    Label,
    Line,
    Node,
    Shown,
    Source,
    Step,
    Story,
    Term,
    around,
    group_by_key,
    label_of,
    operands,
)
from .groups.initially_open import open_groups
from .groups.repeats import stem, with_blocks
from .groups.shared_parameters import tag_parameters
from .groups.turns import Turns
from .ids import Box, Frame, Twins, Wire
from .sentences.wording import Mention, combine
from .steps import Facts, Phase

F = TypeVar("F", bound=Facts)
F_co = TypeVar("F_co", bound=Facts, covariant=True)


@dataclass(frozen=True, slots=True)
class Where:
    """The lane, column and group of a box."""

    lane: str = "forward"
    column: int = 0
    group: str | None = None

    def node(
        self, box: Box, kind: str, label: Label, detail: str = "", pair: str | None = None
    ) -> Node:
        """Return a node at this place."""
        place = self.lane, self.column, pair, self.group
        return Node(box, kind, label, detail, *place)


FORWARD, OPTIMIZE = Where(), Where("optimize")  # places outside of all groups


def badge(kind: str, about: Message | None = None) -> Badge:
    """Return a badge with the catalogue's text, followed by `about` if given."""
    text = WORDS[f"badge_{kind}"]
    if about is not None:
        text = Message("{text}: {about}", text=text, about=about)
    return Badge(kind, text)


def backward_of(name: Label) -> Message:
    """Return the name of an op's gradient in boxes and sentences: `tanh backward`."""
    return WORDS["backwardOf"].fill(of=name)


@dataclass(slots=True)
class StepDraft(Generic[F_co]):
    """A step to which later events may add: gradients are added to the visit of a node."""

    facts: F_co
    phase: Phase
    place: CodeLine | None = None
    forward_place: CodeLine | None = None
    nodes: list[str] = field(default_factory=list)
    edges: list[Wire] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    formula: Formula = ()
    terms: Sequence[Mention] = ()  # values that the formula names
    asides: list[Message] = field(default_factory=list)  # further sentences
    number: int = -1  # index in the finished story
    record: int = -1  # index of the event with which the step began

    def light(self, *boxes: str | None) -> None:
        """Let nodes become active in this step."""
        self.nodes += [box for box in boxes if box and box not in self.nodes]

    def set_terms(self, things: Iterable[Mention | None]) -> None:
        """Keep the values that the formula names, each name once."""
        names = operands(self.formula)
        known = {thing.called: thing for thing in things if thing and thing.called in names}
        self.terms = [*known.values()]

    def show(
        self, thing: Mention, role: str, node: str | None = None, name: str = "", **more: Any
    ) -> None:
        """Put a value into the inspector, by its own name or `name`; `more`: fields of Shown."""
        self.shown.append(Shown(name or thing.called, role, thing.value, node, **more))


AnyStep = StepDraft[Facts]


class Draft:
    """Nodes, edges and groups by id, in the order of their appearance, and the steps."""

    def __init__(self, sources: tuple[Source, ...], framework: str = "") -> None:
        self.sources, self.framework = sources, framework
        self.nodes: dict[str, Node] = {}
        self.edges: dict[Wire, Edge] = {}
        self.groups: dict[str, Group] = {}
        self.steps: list[AnyStep] = []
        self.record = -1  # index of the event that is being handled
        self.turns = Turns()
        self.idle: set[str] = set()  # frames of branches that did not run
        self._made: Counter[tuple[str, str | None]] = Counter()  # (kind, paired box) -> nodes
        self._lines: dict[LoadedLine, Line | None] = {}

    # ----- boxes -----

    def node(
        self,
        box: Box,
        kind: str,
        label: Label,
        detail: str = "",
        where: Where = FORWARD,
        pair: str | None = None,
    ) -> Box:
        """Return the id of a node, which is added if it is new."""
        if box not in self.nodes:
            self.nodes[box] = where.node(box, kind, label, detail, pair)
            self.turns.note(box)
            self._made[kind, pair] += 1
        return box

    def next_number(self, kind: str, pair: str | None = None) -> int:
        """Return the number for the next node of a kind: 2 for `hook2`."""
        return self._made[kind, pair] + 1

    def change(self, box: str, **more: Any) -> None:
        """Change fields of an existing node."""
        self.nodes[box] = replace(self.nodes[box], **more)

    def mark(self, box: str, badge: Badge) -> None:
        """Put a badge on a box, or on the group of which the box is the closed form."""
        if box in self.nodes:
            self.change(box, badges=(*self.nodes[box].badges, badge))
        for group in list(self.groups.values()):
            if group.closed and group.closed.id == box:
                self.badge(group.id, badge)

    def warn(self, box: str, badge: Badge) -> None:
        """Put a badge on a box and on every closed box that may hide it."""
        self.mark(box, badge)
        for name in around(self.groups, self.nodes[box].group if box in self.nodes else None):
            closed = self.groups[name].closed
            if closed and badge not in closed.badges:
                closed = replace(closed, badges=(*closed.badges, badge))
                self.groups[name] = replace(self.groups[name], closed=closed)

    # ----- groups -----

    def group(
        self,
        frame: Frame,
        kind: str,
        label: Label,
        where: Where,
        twin: Twins | None = None,
        closed: Node | None = None,
        badges: tuple[Badge, ...] = (),
    ) -> Frame:
        """Return the id of a group, which is added if it is new; `closed` is its closed form."""
        if frame not in self.groups:
            place = where.group, where.lane, twin, closed, badges
            self.groups[frame] = Group(frame, kind, label, *place)
        return frame

    def badge(self, frame: str, *badges: Badge) -> None:
        """Put badges on a group and on its closed box."""
        group = self.groups[frame]
        more = tuple(b for b in badges if b not in group.badges)
        closed = group.closed and replace(group.closed, badges=group.closed.badges + more)
        self.groups[frame] = replace(group, badges=group.badges + more, closed=closed)

    def close_with(self, frame: str, detail: str) -> None:
        """Set the second line of a group's closed box."""
        group = self.groups[frame]
        if group.closed is not None:
            self.groups[frame] = replace(group, closed=replace(group.closed, detail=detail))

    def around(self, frame: str | None) -> list[str]:
        """Return a group and all groups around it, the innermost first."""
        return around(self.groups, frame)

    # ----- wires -----

    def edge(self, source: Box, target: Box, kind: str = "data", label: str = "") -> Wire:
        """Add a wire and return it; two tensors between the same boxes have two wires."""
        wire = Wire(f"e{len(self.edges) + 1}")
        self.edges[wire] = Edge(wire, source, target, kind, label)
        return wire

    def lead(
        self, step: AnyStep, source: Box, target: Box, kind: str = "data", label: str = ""
    ) -> None:
        """Add a wire to a step, and make the wire's source active in the step."""
        step.light(source)
        step.edges.append(self.edge(source, target, kind, label))

    def gather(self, step: AnyStep, sources: Sequence[Box], target: Box, label: str) -> list[Wire]:
        """Add wires of gradients that meet in a box to a step; return the wires."""
        wires = [self.edge(source, target, "grad", label) for source in sources]
        step.edges += wires
        return wires

    def relabel(self, wire: Wire, more: str) -> None:
        """Add the name of one more value to a wire's label."""
        edge = self.edges[wire]
        self.edges[wire] = replace(edge, label=", ".join(t for t in (edge.label, more) if t))

    def redirect(self, wire: Wire, **ends: Box | str) -> None:
        """Let a wire begin or end at another box."""
        self.edges[wire] = replace(self.edges[wire], **ends)

    # ----- steps -----

    def step(self, facts: F, phase: Phase, place: CodeLine | None = None) -> StepDraft[F]:
        """Add a step and return it."""
        step = StepDraft(facts, phase, place, record=self.record)
        self.steps.append(step)
        return step

    def line(self, place: CodeLine | None) -> Line | None:
        """Return a place as a Line, or None if the line is not in the sources."""
        if not isinstance(place, LoadedLine) or not 0 <= place.file < len(self.sources):
            return None
        if place not in self._lines:
            self._lines[place] = self._find_line(place)
        return self._lines[place]

    def _find_line(self, place: LoadedLine) -> Line | None:
        source = self.sources[place.file]
        at = place.line - source.first
        while 0 <= at < len(source.lines) and source.lines[at].lstrip().startswith("@"):
            at += 1  # a function's place is its first decorator
        return Line(place.file, source.first + at) if 0 <= at < len(source.lines) else None

    def file(self) -> str:
        """Return the file or cell of the first step that has one, or ""."""
        lines = [self.line(step.place) for step in self.steps]
        files = [self.sources[line.source].name for line in lines if line]
        return next((name for name in files if name and name[0] != "<"), "")

    def code(self, place: CodeLine | None) -> str:
        """Return the text of the line at a place, or ""."""
        line = self.line(place)
        return "" if line is None else self.sources[line.source].line(line.number)

    def functions(self, place: CodeLine | None) -> Collection[str]:
        """Return the functions of which one was called at a place."""
        called = getattr(place, "called", None)
        return calls_in(self.code(place)) if called is None else [called]

    # ----- the end -------------------------------------------------------------------------------

    def story(self, title: str, note: Message | None = None, is_part: bool = False) -> Story:
        """Return the finished story; `is_part`: of a part of a recording."""
        self._drop_idle_layers()
        self._drop_folded_frames()
        there = {*self.nodes, *(g.closed.id for g in self.groups.values() if g.closed)}
        edges = tuple(e for e in self.edges.values() if {e.source, e.target} <= there)
        groups = tuple(
            replace(group, badges=(*group.badges, badge("idle"))) if name in self.idle else group
            for name, group in self.groups.items()
        )
        graph = Graph(tuple(self.nodes.values()), edges, groups)
        graph = with_blocks(tag_parameters(graph), is_part, self.turns.of())
        graph = open_groups(graph, self.idle)
        steps = tuple(self._finish_step(i, draft) for i, draft in enumerate(self.steps))
        return Story(title, graph, steps, self.sources, note)

    def _drop_idle_layers(self) -> None:
        """Drop layers in which nothing happened, such as Dropout with p=0."""
        reached = {box for step in self.steps for box in step.nodes}
        inner = {node.group for node in self.nodes.values() if node.group}
        for group in self.groups.values():
            if group.kind in LAYERS and group.closed and group.closed.id in reached:
                inner.add(group.id)  # the layer failed before its first op
        busy = {outer for frame in inner for outer in around(self.groups, frame)}
        self.groups = {n: g for n, g in self.groups.items() if n in busy or g.kind not in LAYERS}

    def _drop_folded_frames(self) -> None:
        """Drop frames of folded layers, in which a single box has the same name."""
        inside = group_by_key([(node.group, node) for node in self.nodes.values()])
        outer = {group.parent for group in self.groups.values()}
        shells: dict[str | None, Group] = {}
        for group in self.groups.values():
            ops = [node for node in inside.get(group.id, ()) if node.kind not in GIVEN]
            label = label_of(group, "en")
            names = [label_of(node, "en") for node in ops if node.kind == "op"]
            folded = names == [stem(label)] or [n.lower() for n in names] == [label.lower()]
            if group.kind == "layer" and group.id not in outer and folded and len(ops) == 1:
                shells[group.twin] = group
        for group in [g for g in self.groups.values() if g.twin in shells and g.twin]:
            for node in inside.get(group.id, ()):
                named = group if node.kind in ("op", "grad") else node
                self.change(node.id, group=group.parent, label=named.label)
            del self.groups[group.id]

    def _finish_step(self, index: int, draft: AnyStep) -> Step:
        facts = draft.facts
        said = facts.sentence()
        text = combine(said, *draft.asides) if draft.asides else said
        return Step(
            index=index,
            phase=draft.phase,
            kind=facts.kind,
            nodes=tuple(draft.nodes),
            edges=tuple(dict.fromkeys(draft.edges)),
            text=spelled(text, self.framework),
            line=self.line(draft.place),
            forward_line=self.line(draft.forward_place),
            shown=tuple(draft.shown),
            clauses=draft.formula,
            terms=tuple(Term(t.called, t.value) for t in draft.terms if t.value is not None),
            of_memory=facts.of_memory,
            record=draft.record,
            fault=facts.fault,
        )
