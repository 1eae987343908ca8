"""Scopes and backward passes that are open while a story is built."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from minipaddle.events import Edge, GradComputed, Value
from minipaddle.ops.expression import Tree

from ..document.sources import CodeLine
from .draft import AnyStep, Draft, Where
from .ids import Box, Frame, Wire
from .sentences.wording import NamedMention
from .steps import Phase
from .tape import Arguments, TapeNode


@dataclass(slots=True)
class Scope:
    """Work inside a layer, one half of a PyLayer, or an optimizer."""

    number: int
    kind: str
    name: str
    call: int
    place: CodeLine | None
    inputs: Arguments
    group: str | None = None
    shadowed: dict[int, Box | None] = field(default_factory=dict)  # where its arguments come from


class Arrival(NamedTuple):
    """A gradient that a visit was given: its value, the box it comes from, whose it is."""

    value: Value
    box: Box
    name: str


class InnerResult(NamedTuple):
    """A result of an op inside a visit, and the box of that op."""

    value: Value
    box: Box


@dataclass(slots=True)
class Visit:
    """A grad node at work."""

    number: int  # of the node
    node: TapeNode
    box: Box
    where: Where
    step: AnyStep
    rows: list[NamedMention]  # what the step says that has arrived
    group: Frame | None = None  # if work inside is recorded
    hooks: int = 0  # that run before it does
    came: list[Value | None] = field(default_factory=list)  # what arrived, as hooks have left it
    gives: Mapping[int, GradComputed] = field(default_factory=dict)  # by input: its gradient
    shares: AbstractSet[int] = frozenset()  # inputs that get more gradients in this pass
    results: Mapping[int, GradComputed] = field(default_factory=dict)  # by tensor made inside
    computing: bool = True
    arrived: list[Arrival] = field(default_factory=list)
    coming: dict[int, list[Wire]] = field(default_factory=dict)  # output: wires of its gradient
    sources: dict[int, Box] = field(default_factory=dict)  # input: the box of its gradient
    made: list[InnerResult] = field(default_factory=list)
    wide: dict[int, Value] = field(default_factory=dict)  # input: its gradient, still broadcast
    trees: dict[int, Tree] = field(default_factory=dict)  # tensor: how it was computed inside
    known: bool = True  # whether the trees say all: nothing was changed in place

    @property
    def inside(self) -> Where:
        """The place of a box in its group."""
        return replace(self.where, group=self.group)

    def maker(self, value: Value) -> Box | None:
        """Return the op inside that made this value, the last of several."""
        made = reversed(self.made)
        return next((each.box for each in made if each.value.data == value.data), None)


@dataclass(slots=True)
class Pass:
    """One backward pass: its column, and the gradients on their way to each target."""

    column: int
    place: CodeLine | None = None
    visit: Visit | None = None
    waiting: dict[Edge, list[Box]] = field(default_factory=dict)
    given: list[Arrival] = field(default_factory=list)  # what hooks on the way may be handed
    sums: dict[Edge, Box] = field(default_factory=dict)
    on_top: set[Edge] = field(default_factory=set)  # what came is added to an old `.grad`


@dataclass(slots=True)
class Work:
    """Scopes and passes that are open now; the innermost is last."""

    draft: Draft
    scopes: list[Scope] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    columns: int = 0  # of passes, so far
    current: Pass | None = None  # the innermost backward pass

    @property
    def visit(self) -> Visit | None:
        return self.current.visit if self.current else None

    def visit_of(self, node: int) -> Visit | None:
        """Return the visit at work, if it is one of this node."""
        visit = self.visit
        return visit if visit and visit.number == node else None

    @property
    def phase(self) -> Phase:
        if self.optimizing:
            return "optimize"
        return "backward" if self.current else "forward"

    @property
    def optimizing(self) -> bool:
        return any(scope.kind == "optimizer" for scope in self.scopes)

    @property
    def where(self) -> Where:
        """The place of a box made now."""
        group = next((s.group for s in reversed(self.scopes) if s.group), None)
        if self.optimizing:
            return Where("optimize", group=group)
        if self.current is None:
            return Where("forward", group=group)
        visit = self.current.visit
        if visit and not group:
            group = visit.group if visit.computing else None
        inside = group is not None and self.draft.groups[group].lane == "backward"
        return Where("backward", self.current.column, group if inside else None)

    @property
    def in_pylayer(self) -> bool:
        return any(scope.kind.startswith("pylayer") for scope in self.scopes)

    @property
    def layer_group(self) -> str | None:
        """The innermost layer at work, where its parameters belong."""
        return next((s.group for s in reversed(self.scopes) if s.kind == "layer"), None)

    def scope(self, number: int) -> Scope | None:
        return next((s for s in reversed(self.scopes) if s.number == number), None)

    # ----- passes --------------------------------------------------------------------------------

    def begin(self, place: CodeLine | None = None, column: bool = True) -> Pass:
        """Begin a backward pass; one that has something to do gets a column."""
        self.current = Pass(self.columns, place)
        self.columns += column
        self.passes.append(self.current)
        return self.current

    def finish(self) -> None:
        """End the innermost pass."""
        if self.passes:
            self.passes.pop()
        self.current = self.passes[-1] if self.passes else None
