"""The graph and the steps while they grow, before they become a Story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from minipaddle.events import Value

from ..model import Edge, Graph, Group, Node, Shown, Source, Step, Story, around
from . import ids
from .groups.initially_open import opened
from .groups.repeats import with_blocks
from .groups.shared_parameters import at_each_call
from .ids import Box, Frame, Wire
from .sentences import wording
from .sentences.programs import sentence


@dataclass(slots=True)
class StepDraft:
    """A step that may still learn more: the visit of a node learns what it computed."""

    phase: str
    kind: str
    nodes: list[str]
    edges: list[Wire]
    place: Any = None
    forward_place: Any = None
    shown: list[Shown] = field(default_factory=list)
    formula: str = ""
    terms: list[wording.Thing] = field(default_factory=list)  # what the formula may speak of
    facts: dict[str, Any] = field(default_factory=dict)
    asides: list[tuple[str, str]] = field(default_factory=list)  # further sentences
    number: int = -1  # in the finished story

    def light(self, *things: str) -> None:
        """Let nodes become active in this step."""
        self.nodes += [thing for thing in things if thing not in self.nodes]

    def show(
        self,
        thing: wording.Thing,
        role: str,
        node: str | None = None,
        probe: Any = None,
        holder: str | None = None,
    ) -> None:
        """Put a value into the inspector."""
        self.shown.append(Shown(thing.called, role, thing.value, node, probe, holder))


class Draft:
    """Nodes, edges and groups by id, in the order of their appearance, and the steps."""

    def __init__(self, sources: tuple[Source, ...]) -> None:
        self.sources = sources
        self.nodes: dict[str, Node] = {}
        self.edges: dict[Wire, Edge] = {}
        self.groups: dict[str, Group] = {}
        self.steps: list[StepDraft] = []

    def node(self, name: Box, kind: str, label: str, **more: Any) -> Box:
        """The id of this node, made now if it is new."""
        if name not in self.nodes:
            self.nodes[name] = Node(name, kind, label, **more)
        return name

    def next(self, kind: str) -> int:
        """The number of one more node of a kind that is numbered: 2 for `hook2`."""
        return sum(node.kind == kind for node in self.nodes.values()) + 1

    def change(self, name: str, **more: Any) -> None:
        """Give a node or group that exists other fields."""
        table: dict[str, Any] = self.groups if name in self.groups else self.nodes
        table[name] = replace(table[name], **more)

    def group(self, name: Frame, kind: str, label: str, **more: Any) -> Frame:
        if name not in self.groups:
            self.groups[name] = Group(name, kind, label, **more)
        return name

    def badge(self, name: str, *badges: str) -> None:
        """Mark a group, and the box that stands for it while it is closed."""
        group = self.groups[name]
        more = tuple(b for b in badges if b not in group.badges)
        closed = group.closed and replace(group.closed, badges=group.closed.badges + more)
        self.groups[name] = replace(group, badges=group.badges + more, closed=closed)

    def mark(self, name: str, badge: str) -> None:
        """Put a badge on a box, or on the group that a closed box stands for."""
        if name in self.nodes:
            self.change(name, badges=(*self.nodes[name].badges, badge))
        for group in list(self.groups.values()):
            if group.closed and group.closed.id == name:
                self.badge(group.id, badge)

    def warn(self, name: str, badge: str) -> None:
        """Put a badge on a box and on every closed box that may hide it."""
        self.mark(name, badge)
        for each in self.around(self.nodes[name].group if name in self.nodes else None):
            closed = self.groups[each].closed
            if closed and badge not in closed.badges:
                self.change(each, closed=replace(closed, badges=(*closed.badges, badge)))

    def edge(self, source: Box, target: Box, kind: str = "data", label: str = "") -> Wire:
        """A new wire; two tensors between the same boxes are two wires."""
        name = ids.wire(len(self.edges) + 1)
        self.edges[name] = Edge(name, source, target, kind, label)
        return name

    def relabel(self, name: Wire, more: str) -> None:
        """Say on a wire that it carries one more value."""
        edge = self.edges[name]
        self.edges[name] = replace(edge, label=", ".join(t for t in (edge.label, more) if t))

    def redirect(self, name: Wire, target: Box) -> None:
        """Let a wire end elsewhere."""
        self.edges[name] = replace(self.edges[name], target=target)

    def close_with(self, name: str, detail: str) -> None:
        """What the box of a closed group says on its second line."""
        group = self.groups[name]
        if group.closed is not None:
            self.groups[name] = replace(group, closed=replace(group.closed, detail=detail))

    def step(self, phase: str, kind: str, place: Any = None, **facts: Any) -> StepDraft:
        draft = StepDraft(phase, kind, [], [], place, facts=facts)
        self.steps.append(draft)
        return draft

    # ----- the end -------------------------------------------------------------------------------

    def story(self, title: str, note: str = "") -> Story:
        """Everything as the drawers and the player take it."""
        self._drop_idle()
        there = {*self.nodes, *(g.closed.id for g in self.groups.values() if g.closed)}
        edges = tuple(e for e in self.edges.values() if {e.source, e.target} <= there)
        graph = Graph(tuple(self.nodes.values()), edges, tuple(self.groups.values()))
        graph = opened(with_blocks(at_each_call(graph)))
        steps = tuple(self._step(i, draft) for i, draft in enumerate(self.steps))
        return Story(title, graph, steps, self.sources, note)

    def _drop_idle(self) -> None:
        """A layer in which nothing happened, such as Dropout with p=0, is not in the picture."""
        busy = {name for node in self.nodes.values() for name in self.around(node.group)}
        told = {name for step in self.steps for name in step.nodes}
        for group in list(self.groups.values()):
            if group.kind == "layer" and group.closed and group.closed.id in told:
                busy |= set(self.around(group.id))  # it failed before its first op
        self.groups = {n: g for n, g in self.groups.items() if n in busy or g.kind != "layer"}

    def around(self, name: str | None) -> list[str]:
        """A group and all that it stands in."""
        return around(self.groups, name)

    def _step(self, index: int, draft: StepDraft) -> Step:
        return Step(
            index=index,
            phase=draft.phase,
            kind=draft.kind,
            nodes=tuple(draft.nodes),
            edges=tuple(dict.fromkeys(draft.edges)),
            text=wording.joined(sentence(draft.kind, draft.facts), draft.asides),
            line=self.line(draft.place),
            forward_line=self.line(draft.forward_place),
            shown=tuple(draft.shown),
            formula=draft.formula,
            terms=tuple((t.called, t.value) for t in draft.terms if t.value is not None),
        )

    def file(self, place: Any) -> str:
        """The name of the file or cell that a place is in."""
        found = self.line(place)
        return self.sources[found[0]].name if found else ""

    def code(self, place: Any) -> str:
        """The text of the line at a place."""
        found = self.line(place)
        return (
            self.sources[found[0]].lines[found[1] - self.sources[found[0]].first] if found else ""
        )

    def line(self, place: Any) -> tuple[int, int] | None:
        """A place as (source, line), if that line is among the sources."""
        if place is None or not 0 <= place.file < len(self.sources):
            return None
        source = self.sources[place.file]
        at = place.line - source.first
        while 0 <= at < len(source.lines) and source.lines[at].lstrip().startswith("@"):
            at += 1  # a function is said to begin at its first decorator
        return (place.file, source.first + at) if 0 <= at < len(source.lines) else None


def content(value: Value | None) -> Mapping[str, Any] | None:
    """The entry of the trace's value table that an event points to."""
    return None if value is None else value.data


def detail(value: Value | None, name: str = "") -> str:
    """The second line of a box: `y: [2, 3] float64`."""
    if value is None:
        return ""
    text = f"{wording.shape(value.shape)} {value.dtype}"
    return f"{name}: {text}" if name else text
