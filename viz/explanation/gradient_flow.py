"""One backward pass of a trace as a graph of boxes and wires.

A box is a visit of a node of the tape, a hook that changed a gradient, the seed of the pass, or the
end of a leaf. A wire carries a gradient from the box that computes it to a slot of another box.
Gradients that arrive at the same slot are added up there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.events import Edge
from minipaddle.messages import Message

from ..document.values import flatten
from ..whatif.numbers import AsRecorded
from ..whatif.replay import Lasting, Replay, overwritten_by
from ..whatif.revive import DRAWS_A_MASK, by_mask, op_of
from ..whatif.what_if import outputs_of_nodes
from .linear_maps import (
    SAME,
    Map,
    NotLinear,
    OpsMap,
    OpStep,
    RuleMap,
    size,
    widen,
    widen_attributes,
)

# Reasons why gradients cannot be followed through a box.
WHY: Mapping[str, Message] = {
    "bends": Message("what it makes of a sum of gradients is not the sum of what it makes of each"),
    "python": Message("running it again does not give what was recorded: Python computes in it"),
    "unknown": Message("the trace does not have what it computes"),
    "complex": Message("it computes with complex numbers"),
    "large": Message("its numbers were too large to be kept"),
}


class Port(NamedTuple):
    """Slot of a box, at which gradients arrive."""

    box: int
    slot: int


@dataclass(slots=True)
class Wire:
    """Gradient that the box `source` computed for its input `input`; `grad` is None if unknown."""

    source: int
    input: int
    target: Port
    grad: Any


@dataclass(slots=True)
class Box:
    """A node of the graph. kind: seed, grad (an op's), pylayer_grad, hook or end.

    `node` and `visit` identify the visit; `name` is the name of the op, PyLayer or hook. `tensors`
    are the numbers of the tensors whose gradients arrive; `record` is the record of the visit or
    hook. If `map` is None, gradients cannot be followed through the box; `why` is a key of WHY.
    """

    kind: str
    name: str
    node: int = 0
    visit: int = 0
    tensors: tuple[int, ...] = ()
    arrived: list[Any] = field(default_factory=list)
    map: Map | None = None
    why: str = ""
    record: int = 0


@dataclass(slots=True)
class Flow:
    """Boxes and wires of a pass.

    `ends` are the ports of the gradients of leaves, or of requested tensors; `values` are these
    gradients, `before` earlier values of `.grad`.
    """

    boxes: list[Box] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    ends: dict[Edge, Port] = field(default_factory=dict)
    values: dict[Edge, Any] = field(default_factory=dict)
    before: dict[Edge, Any] = field(default_factory=dict)


class Place(NamedTuple):
    """The edge at which a tensor's gradient arrives, and the last pass that brings one there."""

    key: Edge
    run: int


def place_of(records: Sequence[Any], tensor: int) -> Place | None:
    """Return where the last pass brought a gradient of this tensor; None if none did."""
    made = (key for key, each in outputs_of_nodes(records) if each == tensor)
    keys = {Edge("leaf", tensor), *made}
    found: Place | None = None
    runs: list[int] = []
    reached: dict[int, Edge] = {}  # pass -> edge reached; counts if the pass ends without an error
    for event in records:
        match event:
            case events.BackwardStarted():
                run, edges = event.run, event.edges
                runs.append(run)
            case events.GradComputed() if event.grad is not None and runs:
                run, edges = runs[-1], (event.edge,)
            case events.BackwardFinished():
                while runs and runs.pop() != event.run:
                    pass
                found = Place(reached[event.run], event.run) if event.run in reached else found
                continue
            case _:
                continue
        for key in edges:
            if key in keys:
                reached[run] = key
    return found


def flow_of(records: Sequence[Any], run: int) -> Flow:
    """Return the boxes and wires of one pass."""
    walk = FlowReplay(records, run)
    walk.walk()
    return walk.flow


class FlowReplay(Replay):
    """Replay that collects the boxes and wires of one pass."""

    def __init__(self, records: Sequence[Any], run: int, lasting: Lasting | None = None) -> None:
        super().__init__(AsRecorded(), records, lasting=lasting)
        self.flow, self.wanted = Flow(), run
        self.visits: Counter[int] = Counter()
        self.at_work = -1  # number of the running box
        self.waiting: dict[Edge, list[Wire]] = {}
        self.outputs: dict[int, tuple[int, ...]] = {}  # node -> its output tensors
        self.made_in: dict[int, OpStep] = {}  # tensor -> the op that made it during the pass
        self.given: list[int | None] = []  # arguments of the running backward of a PyLayer
        for key, tensor in outputs_of_nodes(records):
            row = self.outputs.get(key.id, ())
            self.outputs[key.id] = (*row, *[0] * (key.slot - len(row)), tensor)

    @property
    def inside(self) -> bool:
        """Whether the current record belongs to the wanted pass, not to a pass inside it."""
        return self.run.number == self.wanted

    @property
    def running(self) -> bool:
        return any(each.number == self.wanted for each in self.passes)

    def array(self, value: Any) -> Any:
        """Return the array of a shown value in float64; None if it is unknown or complex."""
        known = None if value is None else self.numbers.arrays.get(value.occurrence)
        return widen_or_none(known)

    def add_box(self, box: Box) -> int:
        box.record = self.numbers.record
        self.flow.boxes.append(box)
        return len(self.flow.boxes) - 1

    def add_wire(self, source: int, input: int, key: Edge, grad: Any) -> None:
        """Add a gradient that leaves a box for an edge."""
        wire = Wire(source, input, Port(-1, 0), grad)
        self.flow.wires.append(wire)
        self.waiting.setdefault(key, []).append(wire)

    def end_at(self, key: Edge, port: Port, grad: Any) -> None:
        """Connect the wires of an edge to a port; add a box for gradients from before the trace."""
        brought = [wire.grad for wire in self.waiting.get(key, ())]
        if grad is not None and all(each is not None for each in brought):
            missing = grad - sum(brought)
            if size(missing) > SAME * size(grad):
                self.add_wire(self.add_box(Box("grad", "…", why="unknown")), 0, key, missing)
        for wire in self.waiting.pop(key, ()):
            wire.target = port
        self.flow.ends[key] = port

    def tensor_at(self, key: Edge) -> int:
        """Return the tensor whose gradient reaches an edge; 0 if the trace does not have it."""
        row = (key.id,) if key.kind == "leaf" else self.outputs.get(key.id, ())[key.slot :]
        return row[0] if row else 0

    # ----- records -----

    def backward_started(self, event: events.BackwardStarted) -> None:
        super().backward_started(event)
        if not self.inside:
            return
        for edge, value in zip(event.edges, event.seeds, strict=True):
            seed = self.array(value)
            box = self.add_box(Box("seed", "", tensors=(self.tensor_at(edge),)))
            self.add_wire(box, 0, edge, seed)
            self.flow.values[edge] = seed

    def node_visited(self, event: events.NodeVisited) -> None:
        super().node_visited(event)
        self.visits[event.node] += 1
        if not self.inside:
            return
        node, visit = event.node, self.visits[event.node]
        call = self.call_of(node)
        box = Box("grad", call.op.name if call and call.op else event.name, node, visit)
        box.tensors = self.outputs.get(node, ())
        box.arrived = [datum and widen_or_none(datum.array) for datum in self.run.arrived]
        box.why = "unknown"
        if call:
            needs = [edge is not None for edge in self.nodes[node].edges]
            try:
                box.map, box.why = RuleMap(call, needs), ""
            except NotLinear as reason:
                box.why = reason.why
        number = self.add_box(box)
        for slot, arrived in enumerate(box.arrived):
            self.end_at(Edge("node", node, slot), Port(number, slot), arrived)
        self.at_work = number

    def grad_computed(self, event: events.GradComputed) -> None:
        super().grad_computed(event)
        if not self.inside or event.grad is None:
            return
        key, grad = event.edge, self.array(event.grad)
        self.add_wire(self.at_work, event.index, key, grad)
        self.flow.values.setdefault(key, grad)

    def grad_accumulated(self, event: events.GradAccumulated) -> None:
        super().grad_accumulated(event)
        if not self.inside:
            return
        key = event.edge
        if event.stored:
            self.flow.before[key] = self.array(event.held)
        else:
            self.flow.values[key] = self.array(event.total)

    def hook_ran(self, event: events.HookRan) -> None:
        super().hook_ran(event)
        before, after = self.array(event.before), self.array(event.after)
        if not self.inside or same(before, after):
            return
        key = event.edge
        box = Box("hook", event.name, arrived=[before])
        try:
            box.map = OpsMap([event.given], [event.made or None], self.made_in)
        except NotLinear as reason:
            box.why = reason.why
        if not event.made:
            box.map, box.why = None, "python"
        number, target = self.add_box(box), self.flow.ends.get(key)
        coming = self.waiting.get(key) or [w for w in self.flow.wires if w.target == target]
        for wire in coming:
            wire.target = Port(number, 0)
        self.waiting.pop(key, None)
        self.add_wire(number, 0, key, after)
        self.flow.values[key] = after
        if target is not None:  # the hook ran at an input of the running box
            self.waiting.pop(key)[0].target = target
            self.flow.boxes[target.box].arrived[target.slot] = after

    def scope_entered(self, event: events.ScopeEntered) -> None:
        super().scope_entered(event)
        if event.kind == "pylayer.backward" and self.inside:
            arrived = [each is not None for each in self.flow.boxes[self.at_work].arrived]
            pairs = zip(flatten(event.inputs), arrived, strict=False)
            # Zeros that replace a missing gradient are constant.
            self.given = [seen.id if seen is not None and here else None for seen, here in pairs]

    def scope_left(self, event: events.ScopeLeft) -> None:
        super().scope_left(event)
        if event.kind != "pylayer.backward" or not self.inside:
            return
        box = self.flow.boxes[self.at_work]
        box.kind, box.name, box.why = "pylayer_grad", event.name, ""
        results = [None if seen is None else seen.id for seen in flatten(event.outputs)]
        try:
            box.map = OpsMap(self.given, results, self.made_in)
        except NotLinear as reason:
            box.map, box.why = None, reason.why

    def op_finished(self, event: events.OpFinished) -> None:
        super().op_finished(event)
        if not self.running or overwritten_by(event) is not None:
            return
        op, attrs = op_of(event.op, event.attrs)
        if op is None or attrs is None:
            return
        inputs = tuple(self.input_of(each) for each in event.inputs)
        results = tuple(seen.id for seen in event.outputs)
        step = OpStep(op.name, widen_attributes(attrs), inputs, results)
        if op.name in DRAWS_A_MASK and len(results) == 2:
            x, mask = inputs[0][1], self.tensors[results[1]].array
            known = x is not None and mask is not None
            factor = by_mask(op, attrs)(np.ones_like(x), mask)[0] if known else None
            step = OpStep("multiply", {}, (*inputs, (0, factor)), results[:1])
        self.made_in |= dict.fromkeys(step.results, step)

    def values_taken(self, event: events.ValuesTaken) -> None:
        super().values_taken(event)
        if self.running and event.way == "alias":
            source = (self.input_of(event.source),)
            self.made_in[event.tensor.id] = OpStep("", {}, source, (event.tensor.id,))

    def input_of(self, seen: Any) -> Any:
        """Return the number and the array of an op's input, or a list of such pairs."""
        if isinstance(seen, (list, tuple)):
            return [self.input_of(each) for each in seen]
        if seen is None:
            return 0, None
        datum = self.tensors.get(seen.id)
        return seen.id, None if datum is None else widen_or_none(datum.array)

    def backward_finished(self, event: events.BackwardFinished) -> None:
        if self.inside:
            for key in list(self.waiting):
                end = self.add_box(Box("end", "", tensors=(self.tensor_at(key),)))
                self.end_at(key, Port(end, 0), self.flow.values[key])
        super().backward_finished(event)


def widen_or_none(array: Any) -> Any:
    """Return the array in float64; None for unknown or complex numbers."""
    try:
        return None if array is None else widen(array)
    except NotLinear:
        return None


def same(one: Any, other: Any) -> bool:
    """Return whether both arrays are known and equal."""
    known = one is not None and other is not None
    return known and bool(np.array_equal(one, other, equal_nan=True))
