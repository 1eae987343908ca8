"""The calls of a trace, and the nodes of the tape that they leave."""

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
    """One op or one apply of a PyLayer: its box and what went in and out."""

    box: Box
    op: str
    facts: OpFacts
    inputs: Arguments
    place: CodeLine | None
    group: str | None
    scope: int = 0  # the scope of a PyLayer's forward, whose names hold inside
    outputs: Arguments = ()
    step: AnyStep | None = None  # in which its results come out
    keeping: StepDraft[SaveStep] | None = None  # of a PyLayer, which saves before it returns
    spared: frozenset[int] = frozenset()  # inputs that a PyLayer marked not in-place
    attrs: Mapping[str, Any] = field(default_factory=dict)  # of an op
    ops: list[OpFinished] = field(default_factory=list)  # itself, or those in a PyLayer's forward
    inside: bool = False  # of a PyLayer, forward or backward
    done: bool = False  # no exception ended it
    graded: bool = False  # it has a node of the tape
    nones: set[int] = field(default_factory=set)  # inputs for which backward gave None
    same: dict[int, int] = field(default_factory=dict)  # tensors there in the memory of others


class SavedValue(NamedTuple):
    """A value kept for backward, as it was called then, and the box it comes from."""

    slot: str
    tensor: Seen
    source: Box
    name: str


@dataclass(slots=True)
class TapeNode:
    """A node of the tape; each backward pass visits it once more."""

    name: str
    call: Call | None
    number: int = 0  # of the call
    place: CodeLine | None = None  # of the call
    edges: tuple[Edge | None, ...] = ()
    saved: list[SavedValue] = field(default_factory=list)
    keeping: StepDraft[SaveStep] | None = None  # the step that tells what is saved
    wires: dict[int, Wire] = field(default_factory=dict)  # visit: the wire of what was saved
    ahead: list[VisitAhead] = field(default_factory=list)
    visits: int = 0  # so far


@dataclass(slots=True)
class Tape:
    """The calls and the nodes by their numbers.

    `read` are the tensors that recorded calls have read, by the node and output that made them: of
    a node whose call was not recorded nothing else is known.
    """

    ahead: Mapping[int, list[VisitAhead]]
    calls: dict[int, Call] = field(default_factory=dict)
    nodes: dict[int, TapeNode] = field(default_factory=dict)
    read: dict[tuple[int, int], Seen | None] = field(default_factory=dict)

    def node(self, number: int, name: str, call: int, edges: tuple[Edge | None, ...]) -> TapeNode:
        """Add a node."""
        maker, ahead = self.calls.get(call), self.ahead.get(number, [])
        place = maker.place if maker else None
        if maker:
            maker.graded = True
        for edge, seen in zip(edges, maker.inputs if maker else (), strict=False):
            if edge is not None and edge.kind == "node":
                self.read[edge.id, edge.slot] = seen
        node = self.nodes[number] = TapeNode(name, maker, call, place, edges, ahead=ahead)
        return node
