"""Folded layers: a layer deeper than wanted is recorded as one op.

`record(depth=1)` shows the inside of a layer, and the layers in it as ops. Such an op has the
layer's arguments and parameters as inputs, and the grad node of the layer's first result. Gradients
inside the layer are not recorded; gradients that leave the layer are recorded as the op's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from minipaddle import events
from minipaddle.events import Edge, Seen

from ..document.values import flatten
from ..document.variable_names import tensors_of
from .filters import AT_EDGES, OF_NODES

LAYERS = ("layer", "pylayer.forward")


@dataclass(slots=True)
class Box:
    """A layer that is recorded as an op."""

    entered: events.ScopeEntered
    parameters: dict[int, Seen] = field(default_factory=dict)
    nodes: dict[int, events.GradNodeMade] = field(default_factory=dict)
    node: int = 0  # grad node of the first result, recorded in place of all inside
    slots: dict[tuple[int, int], int] = field(default_factory=dict)  # (node, slot) -> result
    edges: list[Edge | None] = field(default_factory=list)

    @property
    def call(self) -> int:
        """Call number of the op."""
        return self.entered.call or self.entered.scope

    @property
    def name(self) -> str:
        """Name of the op: `Linear` for the layer `Linear hidden`, `Net` for `Net_0`."""
        name = self.entered.name.partition(" ")[0]
        head, _, number = name.rpartition("_")
        return head if head and number.isdigit() else name


class DepthLimit:
    """Listener that passes on shallow events, and ops in place of deeper layers."""

    def __init__(self, depth: int, tell: Callable[[Any], None]) -> None:
        self.depth, self.tell = depth, tell
        self.level = 0
        self.box: Box | None = None  # the layer that is being folded
        self.silent = 0  # scope of a folded PyLayer's backward, in which nothing is passed on
        self.makers: dict[int, tuple[int, int]] = {}  # tensor -> its grad node and output index
        self.calls: dict[int, tuple[Any, ...]] = {}  # call without a grad node so far -> outputs
        self.boxes: dict[int, Box] = {}  # grad node -> the box that contains it
        self.folded_calls: set[int] = set()  # calls of folded PyLayers
        self.visited: set[int] = set()  # grad nodes of boxes that the current backward visited

    def __call__(self, event: Any) -> None:
        """Pass on an event, or its replacement."""
        HANDLERS.get(event.__class__, DepthLimit.pass_on)(self, event)

    def pass_on(self, event: Any) -> None:
        if self.box is None and not self.silent:
            self.tell(event)

    # ----- forward -----

    def on_entered(self, event: events.ScopeEntered) -> None:
        self.level += event.kind != "control"
        deep = self.level > self.depth
        if event.kind == "pylayer.forward" and deep:
            self.folded_calls.add(event.call)
        if self.box is not None or self.silent:
            return
        if event.kind in LAYERS and deep:
            self.box = Box(event)
        elif event.kind == "pylayer.backward" and event.call in self.folded_calls:
            self.silent = event.scope
        else:
            self.tell(event)

    def on_left(self, event: events.ScopeLeft) -> None:
        self.level -= event.kind != "control"
        if event.kind == "pylayer.forward":
            self.calls[event.call] = event.outputs  # the call's grad node follows
        if self.silent:
            self.silent = 0 if self.silent == event.scope else self.silent
        elif self.box is None:
            self.tell(event)
        elif self.box.entered.scope == event.scope:
            box, self.box = self.box, None
            layer = event.kind == "layer"  # the scope's events give names to the tensors inside
            if layer:
                self.tell(box.entered)
            self.close(box, flatten(event.outputs))
            if layer:
                self.tell(event)

    def on_op_finished(self, event: events.OpFinished) -> None:
        box = self.box
        if box is not None:
            self.calls[event.call] = event.outputs
            for seen in tensors_of(event.inputs):
                if seen.kind == "parameter":
                    box.parameters.setdefault(seen.id, seen)
        elif not self.silent:
            self.calls[event.call] = event.outputs
            self.tell(event)

    def on_node_made(self, event: events.GradNodeMade) -> None:
        for slot, seen in enumerate(flatten(self.calls.pop(event.call, ()))):
            if seen is not None:
                self.makers[seen.id] = event.node, slot
        if self.box is not None:
            self.box.nodes[event.node] = event
            self.boxes[event.node] = self.box
        elif not self.silent:
            self.tell(replace(event, edges=tuple(self.edge(edge) for edge in event.edges)))

    def close(self, box: Box, outputs: tuple[Any, ...]) -> None:
        """Pass on a box as an op, with its grad node if it has one."""
        entered, name = box.entered, box.name
        inputs = tuple(tensors_of(entered.inputs))
        ids = {seen.id for seen in inputs}
        inputs += tuple(seen for seen in box.parameters.values() if seen.id not in ids)
        results = tuple(seen for seen in outputs if seen is not None)
        self.tell(events.OpFinished(box.call, name, inputs, results, {}, entered.place))
        if entered.kind == "pylayer.forward":
            return
        for number, seen in enumerate(results):
            maker = self.makers.get(seen.id)
            if maker is not None and maker[0] in box.nodes:
                box.slots.setdefault(maker, number)
                box.node = box.node or maker[0]
        if not box.node:
            return
        box.edges = [self.edge(edge) for edge in self.leaving(box, inputs)]
        self.tell(events.GradNodeMade(box.node, name, box.call, tuple(box.edges)))

    def leaving(self, box: Box, inputs: tuple[Seen, ...]) -> Iterator[Edge | None]:
        """Yield the edges on which gradients leave the box: one, or None, for each input, then
        those to other tensors.
        """
        inside = [edge for node_made in box.nodes.values() for edge in node_made.edges]
        out = [e for e in inside if e is not None and (e.kind == "leaf" or e.id not in box.nodes)]
        for seen in inputs:
            node, slot = self.makers.get(seen.id, (0, 0))
            target = Edge("node", node, slot) if node else Edge("leaf", seen.id)
            yield target if target in out else None
            out = [edge for edge in out if edge != target]
        yield from (edge for at, edge in enumerate(out) if edge not in out[:at])

    def edge(self, edge: Edge | None) -> Edge | None:
        """Return an edge; an edge to a node inside a box becomes an edge to the box's node."""
        box = self.boxes.get(edge.id) if edge is not None and edge.kind == "node" else None
        if edge is None or box is None or not box.node:
            return edge
        return Edge("node", box.node, box.slots.get((edge.id, edge.slot), -1))

    # ----- backward -----

    def on_backward_started(self, event: events.BackwardStarted) -> None:
        self.visited.clear()
        edges: Any = tuple(self.edge(edge) for edge in event.edges)
        self.pass_on(replace(event, edges=edges))

    def on_node_visited(self, event: events.NodeVisited) -> None:
        box = self.boxes.get(event.node)
        if box is None:
            self.pass_on(event)
        elif box.node not in self.visited:
            self.visited.add(box.node)
            by_output = {box.slots.get((event.node, i)): v for i, v in enumerate(event.arrived)}
            arrived = tuple(by_output.get(i) for i in range(max(box.slots.values(), default=0) + 1))
            self.pass_on(events.NodeVisited(box.node, box.name, arrived))

    def on_grad_computed(self, event: events.GradComputed) -> None:
        box = self.boxes.get(event.node)
        edge: Any = self.edge(event.edge)
        if box is None:
            self.pass_on(event if edge is event.edge else replace(event, edge=edge))
        elif edge in box.edges:
            self.pass_on(events.GradComputed(box.node, box.edges.index(edge), edge, event.grad))

    def on_edge(
        self, event: events.GradAccumulated | events.HookRan | events.GradientRetained
    ) -> None:
        """Pass on an event at an edge, unless the edge leads to an inner node of a box."""
        edge = self.edge(event.edge)
        if edge is event.edge:
            self.pass_on(event)
        elif edge is not None and edge.slot >= 0:
            self.pass_on(replace(event, edge=edge))

    def on_node(self, event: Any) -> None:
        if event.node not in self.boxes:
            self.pass_on(event)

    # ----- errors -----

    def on_failed(self, event: events.Failed) -> None:
        """Pass on an error; an error inside a box becomes an error of the box's op or node."""
        if event.during == "scope":
            self.level -= 1
        box = self.box
        if box is None:
            inner = self.boxes.get(event.id) if event.during == "node" else None
            if not self.silent:
                self.tell(replace(event, id=inner.node) if inner else event)
            elif event.during == "scope" and event.id == self.silent:
                self.silent = 0
        elif event.during == "scope" and event.id == box.entered.scope:
            self.box = None
            inputs, place = flatten(box.entered.inputs), box.entered.place
            self.tell(events.OpStarted(box.call, box.name, inputs, {}, place))
            self.tell(replace(event, during="op", id=box.call))


HANDLERS: dict[type, Callable[[DepthLimit, Any], None]] = {
    events.ScopeEntered: DepthLimit.on_entered,
    events.ScopeLeft: DepthLimit.on_left,
    events.OpFinished: DepthLimit.on_op_finished,
    events.GradNodeMade: DepthLimit.on_node_made,
    events.BackwardStarted: DepthLimit.on_backward_started,
    events.NodeVisited: DepthLimit.on_node_visited,
    **dict.fromkeys(AT_EDGES, DepthLimit.on_edge),
    **dict.fromkeys(OF_NODES, DepthLimit.on_node),
    events.GradComputed: DepthLimit.on_grad_computed,
    events.Failed: DepthLimit.on_failed,
}
