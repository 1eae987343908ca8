"""The calls of a trace, and the grad nodes that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from minipaddle.events import Edge, OpFinished, Seen

from ..document.op_facts import OpFacts
from ..document.sources import CodeLine
from .draft import AnyStep, StepDraft
from .foresight import VisitAhead
from .ids import Box, Wire
from .sentences.forward import SaveStep

Arguments = tuple[Seen | None, ...]


@dataclass(slots=True)
class Call:
    """One call of an op or a PyLayer: its box, inputs and outputs."""

    box: Box
    op: str
    facts: OpFacts
    inputs: Arguments
    place: CodeLine | None
    group: str | None
    scope: int = 0  # scope of a PyLayer's forward, with its own names
    outputs: Arguments = ()
    step: AnyStep | None = None  # step that makes the outputs
    keeping: StepDraft[SaveStep] | None = None  # a PyLayer's step of saving, before it returns
    spared: frozenset[int] = frozenset()  # inputs that a PyLayer marked not in-place
    attrs: Mapping[str, Any] = field(default_factory=dict)  # attributes of an op
    ops: list[OpFinished] = field(default_factory=list)  # the op, or ops in a PyLayer's forward
    inside: bool = False  # whether a PyLayer's forward or backward makes the call
    done: bool = False  # whether the call ended without an exception
    graded: bool = False  # whether the call has a grad node
    nones: set[int] = field(default_factory=set)  # inputs for which backward returned None
    same: dict[int, int] = field(default_factory=dict)  # tensor inside -> owner of its memory


class SavedValue(NamedTuple):
    """A tensor saved for backward, its name at that time, and the box that it comes from."""

    tensor: Seen
    source: Box
    name: str


@dataclass(slots=True)
class TapeNode:
    """A grad node, which each backward pass may visit."""

    name: str
    call: Call | None
    number: int = 0  # number of the call
    place: CodeLine | None = None  # line of the call
    edges: tuple[Edge | None, ...] = ()
    saved: list[SavedValue] = field(default_factory=list)
    keeping: StepDraft[SaveStep] | None = None  # step of saving
    wires: dict[int, Wire] = field(default_factory=dict)  # visit -> wire of the saved tensors
    ahead: list[VisitAhead] = field(default_factory=list)
    visits: int = 0  # number of visits so far


@dataclass(slots=True)
class Tape:
    """The calls and the grad nodes by their numbers.

    `read` maps (grad node, output) to the tensor that a recorded call has read. It is all that is
    known of a node whose call was not recorded.
    """

    ahead: Mapping[int, list[VisitAhead]]
    calls: dict[int, Call] = field(default_factory=dict)
    nodes: dict[int, TapeNode] = field(default_factory=dict)
    read: dict[tuple[int, int], Seen | None] = field(default_factory=dict)

    def node(self, number: int, name: str, call: int, edges: tuple[Edge | None, ...]) -> TapeNode:
        """Add a grad node and return it."""
        maker, ahead = self.calls.get(call), self.ahead.get(number, [])
        place = maker.place if maker else None
        if maker:
            maker.graded = True
        for edge, seen in zip(edges, maker.inputs if maker else (), strict=False):
            if edge is not None and edge.kind == "node":
                self.read[edge.id, edge.slot] = seen
        node = self.nodes[number] = TapeNode(name, maker, call, place, edges, ahead=ahead)
        return node
