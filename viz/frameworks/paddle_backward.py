"""Backward passes of Paddle as events, seen by hooks that last as long as a pass.

Paddle lets a hook see what a node has computed, but not a list of gradients: a node of `concat` or
`stack` is seen by a hook on its result, and the record's rule computes what it passes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.events import Edge, Value

from .groups import Place, flattened
from .paddle_graph import LEAF, Graph
from .paddle_tensors import GRAD
from .visits import Pass, Visits

# Nodes that Paddle makes while it computes gradients. They have several outputs, and Paddle does
# not tell to which of them a gradient goes: all seem to meet at the first.
SEVERAL_OUTPUTS = ("DoubleGradNode", "TripleGradNode")


class Passes(Visits):
    """The backward passes of one recording; a gradient is a Value, copied when it is seen."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.things = graph, graph.things
        super().__init__()
        self.retaining: set[int] = set()  # tensors that keep their gradients

    def value(self, grad: Any, copy: bool = False) -> Value:  # noqa: ARG002
        # The log of a recording replaces the array of each Value.
        return Value(grad.shape, grad.dtype, grad.data)

    def total(self, held: Any, grad: Any) -> Any:
        with np.errstate(all="ignore"):
            return Value(held.shape, held.dtype, held.data + grad.data)

    def now(self, tensor: Any) -> Value:
        return self.things.value_of(tensor)

    def kept_gradient(self, tensor: Any) -> Any:
        number, grad = self.things.number_of(tensor), GRAD(tensor)
        if grad is None or number not in self.retaining:
            return None
        self.things.holders[number] = self.things.renumber(grad), state_of(grad)
        return grad

    def gradient(self, tensor: Any) -> Value | None:
        """Return the values of a gradient, None for one that was not computed."""
        known = tensor is not None and (tensor._is_initialized() or tensor.is_selected_rows())
        return self.things.value_of(tensor) if known else None

    # ----- a pass --------------------------------------------------------------------------------

    def run(
        self, engine: Callable[[], Any], roots: Sequence[Any], seeds: Sequence[Any], run: Pass,
        wanted: Sequence[Any] = (),
    ) -> Any:  # fmt: skip
        """Run a backward pass, with hooks on each node that may run, and emit its events."""
        with self.things.unseen():
            self.begin(roots, seeds, run)
            self.hook(roots, run)
            targets = [self.graph.maker(each) for each in wanted]
            edges = [None if each is None else self.graph.edge(*each) for each in targets]
        self.running.append(run)
        inside, self.things.inside = self.things.inside, 0
        try:
            grads = engine()
            self.settle(run)
        except BaseException as error:
            if run.visit is not None:
                events.failed("node", run.visit.group.number, error, run.place)
            raise
        finally:
            self.things.inside = inside
            self.running.pop()
            for remove in run.handles:
                remove()
        self.end(run, edges, grads or ())
        return grads

    def begin(self, roots: Sequence[Any], seeds: Sequence[Any], run: Pass) -> None:
        """Emit the begin of a pass."""
        self.graph.note_leaves()
        edges, values, given, leaves, loss = [], [], [], [], None
        for each, seed in zip(roots, seeds, strict=True):
            target = self.graph.maker(each)
            if target is None:
                continue
            edges.append(self.graph.edge(*target))
            value = self.things.value_of(each if seed is None else seed)
            if seed is None:
                value.data = np.ones_like(value.data)
            values.append(value)
            given.append(0 if seed is None else self.things.number_of(seed))
            leaves += [self.things.seen(each)] if edges[-1].kind == "leaf" else []
            is_number = each.size == 1 and each.is_floating_point()
            loss = float(self.things.value_of(each).data.item()) if is_number else loss
        for edge, value in zip(edges, values, strict=True):
            self.arrive(run, edge, value)
        numbers = tuple(given) if any(given) else ()
        facts = (
            tuple(leaves),
            tuple(map(self.value, values)),
            tuple(edges),
            run.place,
            numbers,
            loss,
        )
        events.emit(events.BackwardStarted(run.number, *facts))

    def hook(self, roots: Sequence[Any], run: Pass) -> None:
        """Put hooks on all nodes that can be reached, for one pass."""
        stack = [target[0] for target in map(self.graph.maker, reversed(roots)) if target]
        reached = {*stack}
        while stack:
            node = stack.pop()
            if node.node.name() == LEAF:
                continue
            place = self.graph.place_of(node)
            if not place.group.call and node.node.name().endswith(SEVERAL_OUTPUTS):
                run.unsure.add(Edge("node", place.group.number, 0))
            if not node.listed:
                hook = partial(self.node_computed, run, place, len(self.graph.follow(node)))
                handle = node.node._register_post_hook(hook)
                run.handles.append(handle.remove)
            elif not place.group.call:
                run.unsure |= {edge for edge in place.group.edges if edge is not None}
            for following in self.graph.follow(node):
                if following is not None and following not in reached:
                    reached.add(following)
                    stack.append(following)
        leaves = {node.leaf for node in reached if node.leaf}
        known = {self.things.number_of(each): each for each in self.things.alive()}
        for number, leaf in known.items():
            if number in leaves and leaf.is_leaf and not leaf.stop_gradient:
                hook = leaf._register_grad_hook(partial(self.leaf_begins, run, number, leaf))
                run.handles.append(partial(leaf._remove_grad_hook, hook))
        run.handles.append(reached.clear)  # they live until the pass is over

    def settle(self, run: Pass) -> None:
        """Finish what has begun: the visit of a node, and the leaf that a gradient has reached."""
        self.finish_visit(run)
        for number, leaf in [*run.arriving.items()]:
            del run.arriving[number]
            grad = GRAD(leaf)
            if grad is None:
                continue
            now = self.things.value_of(grad)
            holder = self.things.renumber(grad)
            self.things.holders[number] = holder, state_of(grad)
            self.leaf_has(run, number, leaf, now, holder)

    def begin_visit(self, run: Pass, group: Any, arrived: dict[int, Any]) -> Any:
        if run.visit is None or run.visit.group is not group:
            self.settle(run)
        return super().begin_visit(run, group, arrived)

    # ----- hooks ---------------------------------------------------------------------------------

    def node_computed(self, run: Pass, place: Place, count: int, grads: Any, arrived: Any) -> Any:
        """Note the gradients that a node has computed; Paddle takes those that are returned."""
        with self.things.unseen():
            computed = flattened(grads)
            memory = {each.data_ptr() for each in computed if each._is_initialized()}
            came, grads_that_came = {}, flattened(arrived)
            is_unsure = Edge("node", place.group.number, 0) in run.unsure
            if place.group.call == 0:
                place.group.slots = max(place.group.slots, len(grads_that_came))
            for at, grad in enumerate(grads_that_came):
                slot = place.slots.get(at, at if place.group.call == 0 else -1)
                edge = Edge("node", place.group.number, slot)
                # A result may lie in the memory of the gradient that came: that one is gone.
                if not grad._is_initialized() or grad.data_ptr() in memory:
                    continue
                if is_unsure or (place.group.call == 0 and len(grads_that_came) > 1):
                    run.buffers[edge] = self.gradient(grad)
                elif edge in run.buffers and edge not in run.hooked:
                    came[slot] = self.gradient(grad)
            self.report_changes(run, place.group, came)
            values = [self.gradient(each) for each in computed]
            self.node_ran(run, place, aligned(values, place, count))
        return grads

    def list_arrived(self, place: Place, rule: Any, slot: int, grad: Any) -> None:
        """Note what a node with lists of gradients gets, and what it passes on, by its rule."""
        if self.closed or not self.running or self.things.inside:
            return
        with self.things.unseen():
            run, group = self.running[-1], place.group
            came = self.gradient(grad)
            self.report_changes(run, group, {slot: came})
            if rule is not None and came is not None:
                values = [
                    None if part is None else Value(part.shape, came.dtype, part)
                    for part in rule(came.data)
                ]
                index = {at: at for at, edge in enumerate(group.edges) if edge is not None}
                self.node_ran(run, Place(group, {}, index), values)
                if not values:
                    run.unsure |= {edge for edge in group.edges if edge is not None}

    def leaf_begins(self, run: Pass, number: int, leaf: Any, grad: Any) -> None:
        """Note the gradient that a leaf holds, and the one that comes to it."""
        with self.things.unseen():
            came, edge = self.gradient(grad), Edge("leaf", number)
            sent = run.buffers.pop(edge, None)
            self.settle(run)
            is_sure = sent is not None and edge not in run.hooked | run.unsure
            if is_sure and self.differs(sent, came):
                events.emit(self.changed_by_hook(edge, sent, came))
            held = GRAD(leaf)
            if held is not None and came is not None:
                run.stored[number] = self.things.value_of(held), self.value(came)
            run.arriving[number] = leaf

    def user_hook(self, tensor: Any, hook: Any) -> Any:
        """Return a hook of the user's on a tensor, in a wrapper that emits an event."""
        target = self.graph.maker(tensor)
        is_inner = target is not None and not tensor.is_leaf
        ignored = is_inner and bool(self.graph.place_behind(tensor).group.tensors)  # at a PyLayer
        return self.wrapped(hook, target, self.things.unseen, ignored)

    def hook_ran(self, edge: Edge, now: Value) -> None:
        super().hook_ran(edge, now)
        visit = self.running[-1].visit
        if edge.kind == "node" and edge.slot == 0 and visit is not None:
            visit.arrived = now


def aligned(values: list[Any], place: Place, count: int) -> list[Any]:
    """Return computed gradients in the order of a node's edges, of which there are so many.

    A node has no edge for a tensor that never has a gradient, such as a running mean.
    """
    there = [each for each in values if each is not None]
    if len(values) == count:
        return values
    if len(there) != len(place.exits):
        return []
    rest = iter(there)
    return [next(rest) if at in place.exits else None for at in range(count)]


def state_of(grad: Any) -> tuple[int, int]:
    """Return what changes when a gradient in `.grad` is replaced or written to."""
    return (0, 0) if grad.is_selected_rows() else (grad.data_ptr(), int(grad.inplace_version))
