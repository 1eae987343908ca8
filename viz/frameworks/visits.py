"""Backward passes of a framework as events: visits of grad nodes, and gradients that meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.engine.reasons import WORDINGS, Reason
from minipaddle.events import Edge, Value

from .groups import Group, Place


@dataclass(slots=True)
class Visit:
    """The visit of a group; `grads` has what its nodes have computed, `later` what follows.

    `sums` has what waited at an edge before the visit, and after each gradient of the visit.
    """

    group: Group
    grads: dict[int, list[Any]] = field(default_factory=dict)
    sums: dict[Edge, list[Any]] = field(default_factory=dict)
    later: list[Any] = field(default_factory=list)
    arrived: Any = None  # the gradient of the first output


@dataclass(slots=True)
class Pass:
    """A running backward pass; `buffers` has the sums of gradients that wait at edges."""

    retain_graph: bool
    chooses: bool  # whether only some tensors are asked for
    place: Any
    number: int = field(default_factory=events.new_number)
    visit: Visit | None = None
    visited: set[int] = field(default_factory=set)
    buffers: dict[Edge, Any] = field(default_factory=dict)
    handles: list[Any] = field(default_factory=list)
    hooked: set[Edge] = field(default_factory=set)  # edges at which a known hook ran
    unsure: set[Edge] = field(default_factory=set)  # edges to which more comes than can be seen
    arriving: dict[int, Any] = field(default_factory=dict)  # leaf -> the gradient that came
    stored: dict[int, tuple[Value, Value]] = field(default_factory=dict)  # leaf -> .grad, added
    # leaf -> its .grad when the pass has reached it, and the number of that
    reached: dict[Any, tuple[Value, int]] = field(default_factory=dict)


class Visits:
    """What all frameworks' passes share: from the gradients of nodes follow the events.

    A framework says what a gradient is: `value` returns its Value, `total` the sum of two.
    """

    things: Any
    graph: Any

    def __init__(self) -> None:
        self.ran = self.closed = False  # whether a pass has ended, and the recording
        self.running: list[Pass] = []

    def value(self, grad: Any, copy: bool = False) -> Value:
        raise NotImplementedError

    def total(self, held: Any, grad: Any) -> Any:
        raise NotImplementedError

    def kept_gradient(self, tensor: Any) -> Any:
        """Return the `.grad` of a tensor that is no leaf but retains it, else None."""
        raise NotImplementedError

    def now(self, tensor: Any) -> Value:
        """Return a copy of the values of a tensor."""
        return self.value(tensor, copy=True)

    def settle(self, run: Pass) -> None:
        """Emit what has happened in a pass; the visit that runs may go on."""
        self.finish_visit(run, goes_on=True)

    def same_memory(self, _one: Any, _other: Any) -> bool:
        """Return whether two gradients are known to be equal without a look at their values."""
        return False

    def arrive(self, run: Pass, edge: Edge, grad: Any) -> None:
        """Add a gradient to what waits at an edge, in the framework's order."""
        held = run.buffers.get(edge)
        run.buffers[edge] = grad if held is None else self.total(held, grad)

    def begin_visit(
        self, run: Pass, group: Group, arrived: dict[int, Any]
    ) -> dict[int, tuple[Any, Any]]:
        """Emit the visit of a group with the gradients that have arrived, unless it has begun.

        Return those that are others than were sent: a hook from before the recording has changed
        them.
        """
        if run.visit is not None and run.visit.group is group:
            return {}
        self.finish_visit(run)
        run.visit = Visit(group)
        if group.number in run.visited:
            return {}
        run.visited.add(group.number)
        edges = [Edge("node", group.number, slot) for slot in range(group.slots)]
        sent = {edge.slot: run.buffers.pop(edge) for edge in edges if edge in run.buffers}
        changed = {
            slot: (sent[slot], grad)
            for slot, grad in arrived.items()
            if slot in sent and self.differs(sent[slot], grad)
        }
        grads = sent | arrived | {slot: before for slot, (before, _) in changed.items()}
        run.visit.arrived = grads.get(0)
        count = max([len(group.outputs), *(slot + 1 for slot in grads)])
        values = tuple(
            None if grads.get(slot) is None else self.value(grads[slot]) for slot in range(count)
        )
        events.emit(events.NodeVisited(group.number, group.name, values))
        for slot, output in enumerate(group.outputs):
            tensor = output()
            kept = None if tensor is None else self.kept_gradient(tensor)
            if kept is not None:
                edge = Edge("node", group.number, slot)
                events.emit(events.GradientRetained(edge, self.things.give_number(kept)))
        return changed

    def report_changes(self, run: Pass, group: Group, arrived: dict[int, Any]) -> None:
        """Begin the visit of a group, and emit the hooks that were not seen at work."""
        for slot, (before, after) in self.begin_visit(run, group, arrived).items():
            edge = Edge("node", group.number, slot)
            events.emit(self.changed_by_hook(edge, before, after))
        if run.visit is not None and 0 in arrived:
            run.visit.arrived = arrived[0]

    def node_ran(self, run: Pass, place: Place, grads: Sequence[Any]) -> None:
        """Note the gradients that a node has computed for other groups, at each of its edges."""
        self.begin_visit(run, place.group, {})
        visit: Any = run.visit
        for at, index in place.exits.items():
            edge = place.group.edges[index]
            if edge is None or at >= len(grads):
                continue
            visit.grads.setdefault(index, []).append(grads[at])
            if grads[at] is not None:
                waits = visit.sums.setdefault(edge, [run.buffers.get(edge)])
                self.arrive(run, edge, grads[at])
                waits.append(run.buffers[edge])

    def finish_visit(self, run: Pass, goes_on: bool = False) -> None:
        """Emit the gradients that the visited group has computed, and where they met others.

        `goes_on`: other nodes of the group may run yet.
        """
        visit, run.visit = run.visit, None
        if visit is None:
            return
        if goes_on:
            run.visit = Visit(visit.group, arrived=visit.arrived)
        sums: dict[Edge, list[Any]] = {}
        for index, parts in sorted(visit.grads.items()):
            edge: Any = visit.group.edges[index]
            there = [part for part in parts if part is not None]
            total = None
            if there:
                total = there[0]
                for part in there[1:]:
                    total = self.total(total, part)
                sums.setdefault(edge, []).append(total)
            if total is None and run.chooses and not visit.group.tensors:
                continue  # nobody asked for this gradient
            grad = None if total is None else self.value(total)
            spread = visit.group.spread
            if spread and grad and visit.arrived is not None:
                before = spread.gradient(index, self.value(visit.arrived).data, grad.data)
                if before is not None:
                    whole = Value(before.shape, grad.dtype, before)
                    more = events.GradUnbroadcast(visit.group.number, index, whole, grad)
                    events.emit(more)
            events.emit(events.GradComputed(visit.group.number, index, edge, grad))
        if visit.group.saved and not run.retain_graph and not goes_on:
            events.emit(events.SavedReleased(visit.group.number, tuple(visit.group.saved)))
        for edge, totals in sums.items():
            held, *after = visit.sums[edge]
            for grad in totals:
                if held is None or edge in run.unsure:
                    held = grad
                else:
                    total = after[0] if len(after) == 1 else self.total(held, grad)
                    old, added, now = map(self.value, (held, grad, total))
                    events.emit(events.GradAccumulated(edge, old, added, now, stored=False))
                    held = total
        for event in visit.later:
            events.emit(event)

    def end(self, run: Pass, edges: Sequence[Edge | None], grads: Sequence[Any]) -> None:
        """Emit the end of a pass, with the gradients that were asked for at some edges."""
        self.ran = True
        numbers = [0 if each is None else self.things.give_number(each) for each in grads]
        pairs = zip(edges, numbers, strict=False)
        taken = (events.GradientTaken(edge, number) for edge, number in pairs if edge is not None)
        events.emit(events.BackwardFinished(run.number, tuple(taken)))

    def leaf_has(self, run: Pass, number: int, leaf: Any, now: Value, holder: int) -> None:
        """Note the gradient that a leaf has now, after the visit that runs."""
        happened: list[Any] = []
        if number in run.stored:
            held, added = run.stored.pop(number)
            edge = Edge("leaf", number)
            happened.append(events.GradAccumulated(edge, held, added, now, stored=True))
        seen = replace(self.things.seen(leaf), id=number)
        happened.append(events.LeafReached(seen, now, holder))
        if run.visit is not None:
            run.visit.later += happened
        else:
            for event in happened:
                events.emit(event)

    def differs(self, sent: Any, came: Any) -> bool:
        """Return whether a gradient that came is another one than was sent, rounding aside."""
        if came is None or came.shape != sent.shape:
            return came is not None
        if self.same_memory(sent, came):
            return False
        before, after = self.value(sent).data, self.value(came).data
        if isinstance(before, dict):  # statistics
            return bool(before != after)
        known = before is not None and after is not None
        return known and not np.allclose(before, after, 1e-4, 1e-7, equal_nan=True)

    def changed_by_hook(self, edge: Edge, before: Any, after: Any) -> events.HookRan:
        """Return the event of a hook that was registered before the recording."""
        values = self.value(before, copy=True), self.value(after, copy=True)
        return events.HookRan(edge, "from before the recording", *values, None)

    # ----- what the user does --------------------------------------------------------------------

    def wrapped(self, hook: Any, target: Any, unseen: Any, ignored: bool = False) -> Any:
        """Return a hook of the user's on a tensor, in a wrapper that emits an event.

        `target` is the node, and its output, to which the gradient of the tensor goes. Inside of a
        block of `unseen` no op is seen. `ignored`: what the hook returns changes nothing.
        """
        edge = None if target is None else self.graph.edge(*target)
        is_inner = edge is not None and edge.kind == "node"
        group = self.graph.place_of(target[0]).group if is_inner else None
        name = getattr(hook, "__name__", type(hook).__name__)

        def run(grad: Any) -> Any:
            if self.closed or not self.running or edge is None:
                return hook(grad)
            with unseen():
                if group is None:
                    self.settle(self.running[-1])
                else:  # the hook belongs to the visit, in events
                    self.begin_visit(self.running[-1], group, {})
                before, given = self.now(grad), self.things.give_number(grad)
            after = hook(grad)
            with unseen():
                replaces = after is not None and not ignored
                number = self.things.give_number(after) if replaces else 0
                now = self.now(grad if after is None or ignored else after)
                where = source_line.of_function(hook)
                events.emit(events.HookRan(edge, name, before, now, where, given, number))
                self.hook_ran(edge, now)
            return after

        return run

    def hook_ran(self, edge: Edge, _now: Value) -> None:
        """Note that the gradient at an edge went through a known hook."""
        self.running[-1].hooked.add(edge)

    def gradient_missed(self, tensor: Any, takes: bool, leaf: bool, maker: str) -> None:
        """Emit that the user read a `.grad` that is None, and why.

        `takes`: whether the tensor wants a gradient. `maker`: the op that made it.
        """
        reason = Reason.NOT_REACHED if self.ran else Reason.NO_BACKWARD
        if not takes:
            reason = Reason.STOP_GRADIENT
        elif not leaf:
            reason = Reason.NOT_A_LEAF
        wording, seen = WORDINGS[reason], self.things.seen(tensor)
        happened = wording.happened.fill(x="{x}", by=maker)
        texts = [(text.of("en"), text.of("zh")) for text in (happened, wording.advice)]
        place = source_line.here()
        events.emit(events.GradMissed(seen, reason.value, texts[0], texts[1], place))
