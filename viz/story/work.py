"""Scopes and backward passes that are open while a story is built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from minipaddle.events import Edge, Value
from minipaddle.ops.expression import Tree

from ..document.sources import CodeLine
from ..model import UPDATES, Formula
from .draft import AnyStep, Draft, Where
from .foresight import VisitAhead
from .ids import Box, Frame, Wire
from .sentences.wording import NamedMention
from .steps import Phase
from .tape import Arguments, TapeNode


@dataclass(slots=True)
class Scope:
    """Work inside a layer, one half of a PyLayer, an optimizer or another update."""

    number: int
    kind: str
    name: str
    call: int
    place: CodeLine | None
    inputs: Arguments
    settings: Mapping[str, str] = field(default_factory=dict)  # other arguments, as code
    group: str | None = None
    shadowed: dict[int, Box | None] = field(default_factory=dict)  # argument -> its box outside


class Arrival(NamedTuple):
    """A gradient that arrived: its value, the box that it comes from, its tensor's name."""

    value: Value
    box: Box
    name: str


class InnerResult(NamedTuple):
    """A result of an op inside a visit, and the box of that op."""

    value: Value
    box: Box


@dataclass(slots=True)
class Visit:
    """A running visit of a grad node."""

    number: int  # number of the grad node
    node: TapeNode
    box: Box
    where: Where
    step: AnyStep
    ahead: VisitAhead
    rows: list[NamedMention]  # arrived gradients in the step's sentence
    grads: list[Value | None]  # arrived gradients, after hooks
    state: Callable[[Iterable[int]], Formula] | None = None  # returns the formula without inputs
    group: Frame | None = None  # set if work inside is recorded
    hooks: int = 0  # number of hooks that still run before the node
    computing: bool = True
    arrived: list[Arrival] = field(default_factory=list)
    coming: dict[int, list[Wire]] = field(default_factory=dict)  # output -> wires of its gradient
    sources: dict[int, Box] = field(default_factory=dict)  # input -> box of its gradient
    made: list[InnerResult] = field(default_factory=list)
    wide: dict[int, Value] = field(default_factory=dict)  # input -> its gradient before the sum
    trees: dict[int, Tree] = field(default_factory=dict)  # tensor -> expression inside
    known: bool = True  # whether the trees are complete: nothing was changed in place

    @property
    def inside(self) -> Where:
        """Place of a box inside the visit's group."""
        return replace(self.where, group=self.group)

    def maker(self, value: Value) -> Box | None:
        """Return the box of the last op inside that made a value, or None."""
        made = reversed(self.made)
        return next((each.box for each in made if each.value.data == value.data), None)


@dataclass(slots=True)
class Pass:
    """One backward pass: its column, and the gradients on their way to each target."""

    column: int
    place: CodeLine | None = None
    visit: Visit | None = None
    roots: Sequence[str] = ()
    waiting: dict[Edge, list[Box]] = field(default_factory=dict)
    uses: dict[Edge, list[str]] = field(default_factory=dict)  # results that gave each gradient
    given: list[Arrival] = field(default_factory=list)  # gradients that hooks may receive
    seeds: list[Arrival] = field(default_factory=list)  # gradients with which the pass started
    sums: dict[Edge, Box] = field(default_factory=dict)
    on_top: dict[Edge, Sequence[str]] = field(default_factory=dict)  # added to `.grad`: its roots


@dataclass(slots=True)
class Work:
    """Open scopes and backward passes, the innermost last."""

    draft: Draft
    scopes: list[Scope] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    columns: int = 0  # number of passes with a column so far
    current: Pass | None = None  # innermost backward pass

    @property
    def visit(self) -> Visit | None:
        return self.current.visit if self.current else None

    def visit_of(self, node: int) -> Visit | None:
        """Return the running visit if it is of this node, else None."""
        visit = self.visit
        return visit if visit and visit.number == node else None

    @property
    def phase(self) -> Phase:
        if self.optimizing:
            return "optimize"
        return "backward" if self.current else "forward"

    @property
    def optimizing(self) -> bool:
        return any(scope.kind in UPDATES for scope in self.scopes)

    @property
    def where(self) -> Where:
        """Place of a box that is drawn now."""
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
        """Group of the innermost running layer, in which parameters are drawn."""
        return next((s.group for s in reversed(self.scopes) if s.kind == "layer"), None)

    def scope(self, number: int) -> Scope | None:
        return next((s for s in reversed(self.scopes) if s.number == number), None)

    # ----- passes --------------------------------------------------------------------------------

    def begin(self, place: CodeLine | None = None, column: bool = True) -> Pass:
        """Begin a backward pass and return it; it gets a column unless it does nothing."""
        self.current = Pass(self.columns, place)
        self.columns += column
        self.passes.append(self.current)
        return self.current

    def finish(self) -> None:
        """End the innermost pass."""
        if self.passes:
            self.passes.pop()
        self.current = self.passes[-1] if self.passes else None
