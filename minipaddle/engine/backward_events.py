"""Events of a backward pass: `backward` runs the pass, this module reports each step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

from .. import events
from ..device.arrays import to_numpy
from . import naming, source_line
from .tensor import (
    GradsBySlot,
    OutputSlot,
    Tensor,
    array_of,
    as_edge,
    as_seen,
    cell_of,
    cells_of_edge,
    ndarray,
    node_id,
    run_hooks,
    tensor_id,
)


class BackwardEvents:
    """Observer of one backward pass, which notifies listeners.

    `in_flight` maps the id of a gradient on its way to that gradient and its value in notes: each
    gradient is reported at least twice, where it is computed and where it arrives.
    """

    __slots__ = ("in_flight", "number", "place", "retain_graph", "taker")

    def __init__(
        self,
        tensors: list[Tensor],
        seeds: list[Any],
        retain_graph: bool,
        given: Sequence[Any] | None,
    ) -> None:
        self.retain_graph = retain_graph
        self.taker, self.place = events.note_taker(), source_line.here()
        self.number = naming.next_id()
        self.in_flight: dict[int, tuple[Any, Any]] = {}
        leaves = tuple([as_seen(t) for t in tensors if t._node is None])
        values = tuple([events.notes.value(self.departing(seed)) for seed in seeds])
        edges: Any = tuple([as_edge(t._node or t) for t in tensors])
        numbers = tuple([0 if each is None else tensor_id(each) for each in given or ()])
        loss = loss_of(tensors)
        events.emit(
            events.BackwardStarted(self.number, leaves, values, edges, self.place, numbers, loss)
        )

    def finish(self, wanted: Sequence[Any] = (), grads: Sequence[Any] = ()) -> None:
        """Notify listeners that the pass is over, and which gradients the user gets."""
        taken = tuple(
            events.GradientTaken(as_edge(edge), 0 if grad is None else tensor_id(grad))  # type: ignore[arg-type]
            for edge, grad in zip(wanted, grads, strict=True)
            if edge is not None  # an input without a gradient has no edge
        )
        events.emit(events.BackwardFinished(self.number, taken))

    # ----- the steps -----

    def visit(self, node: Any, grad: Any) -> Iterable[Any]:
        """Visit a node or a leaf, notify listeners, and return the gradients that it passes on."""
        if grad is None:
            return repeat(None)
        if isinstance(node, Tensor):
            self.leaf(node, grad)
            return ()
        return self.hooks_and_visit(node, grad, self.retain_graph, False)[1]

    def hooks_and_visit(
        self, node: Any, grad: Any, retain_graph: bool, graph: bool
    ) -> tuple[Any, tuple[Any, ...]]:
        """Visit a node and notify listeners; return its gradient, and those that it passes on."""
        taker, notes, number = self.taker, events.notes, node.id or node_id(node)
        saved = () if retain_graph else node.saved_names()
        came = (self.arriving(grad),) if grad.__class__ is ndarray else self.by_slot(node, grad)
        taker.begin((notes.node_visited, number, node.title, *came))
        try:
            grad, grads = node.hooks_and_visit(grad, retain_graph, graph)
        except BaseException as error:
            events.failed("node", number, error, self.place)
            raise
        note = [notes.node_finished, number, saved]
        for index, edge in enumerate(node.edges):
            if edge is not None:
                note += index, *cells_of_edge(edge), self.departing(grads[index])
        taker.take(tuple(note))
        return grad, grads

    def run_hooks(self, node: Any, grad: Any) -> Any:
        """Return a gradient after a node's hooks, without a visit; report a failing hook."""
        with events.failing("node", node_id(node), self.place):
            return node.run_hooks(grad)

    def leaf(self, leaf: Tensor, grad: Any) -> None:
        """Add to the gradient of a leaf, and notify listeners."""
        held, record, came = leaf._grad, leaf._rare, grad
        hooks = record.hooks if record is not None else None
        changed = held is not None or bool(hooks)  # now: a hook may remove itself
        try:
            if hooks:
                grad = run_hooks(leaf, hooks, grad)
            leaf.visit(grad, self.retain_graph, hooked=True)
        except BaseException as error:  # a hook failed
            events.failed("leaf", tensor_id(leaf), error, self.place)
            raise
        departed = self.in_flight.pop(id(came), None)
        total = self.value(leaf._grad) if changed or departed is None else departed[1]
        if held is not None:
            self.added(leaf, self.value(held), self.value(grad), total, stored=True)
        taker = self.taker
        now: Any = leaf._grad
        cell = cell_of(leaf, taker.keep, taker.series)
        taker.take((events.notes.leaf_reached, total, tensor_id(now), cell))
        if record is not None and record.after is not None:
            record.after(leaf)

    def add(self, edge: Any, held: Any, more: Any) -> Any:
        """Add two gradients of one edge, and notify listeners."""
        total = held + more
        if isinstance(held, GradsBySlot):  # a sum is made only of a slot in both
            for slot in held.grads.keys() & more.grads.keys():
                before, new = (self.arriving(part.grads[slot]) for part in (held, more))
                self.added(OutputSlot(edge, slot), before, new, self.departing(total.grads[slot]))
        else:
            self.added(edge, self.arriving(held), self.arriving(more), self.departing(total))
        return total

    def added(self, edge: Any, held: Any, more: Any, total: Any, stored: bool = False) -> None:
        """Notify listeners of `held += more`; `stored`: whether `.grad` holds the sum."""
        cells = *cells_of_edge(edge), stored, held, more, total
        self.taker.take((events.notes.grads_added, *cells))

    # ----- gradients in notes -----

    def value(self, grad: Any) -> Any:
        """Return the value of a gradient in a note."""
        return self.taker.keep(grad if grad.__class__ is ndarray else array_of(grad))

    def departing(self, grad: Any) -> Any:
        """Return the value of a gradient that sets out, and remember it; None for no gradient."""
        if grad is None:
            return None
        value = self.taker.keep(grad if grad.__class__ is ndarray else array_of(grad))
        self.in_flight[id(grad)] = grad, value
        return value

    def arriving(self, grad: Any) -> Any:
        """Return the value of a gradient that arrives: the remembered one, if it set out here."""
        departed = self.in_flight.pop(id(grad), None)
        return self.value(grad) if departed is None else departed[1]

    def by_slot(self, node: Any, grad: Any) -> Iterable[Any]:
        """Return the values of a node's output gradients, slot by slot; None for a missing one."""
        if grad.__class__ is not GradsBySlot:
            return (self.arriving(grad),)
        count = max(len(node.out_metas), max(grad.grads) + 1)
        return tuple(
            self.arriving(grad.grads[slot]) if slot in grad.grads else None for slot in range(count)
        )


def emit_empty_pass(root: Tensor) -> None:
    """Notify listeners of a pass from a tensor without gradient, which visits nothing."""
    number = naming.next_id()
    place, loss = source_line.here(), loss_of([root])
    events.emit(events.BackwardStarted(number, (as_seen(root),), (), (), place, (), loss))
    events.emit(events.BackwardFinished(number))


def loss_of(tensors: Iterable[Tensor]) -> float | None:
    """Return the value of the last tensor that is a single floating number, or None."""
    arrays = [t._data for t in tensors if t._data.size == 1 and t._data.dtype.kind == "f"]
    return float(to_numpy(arrays[-1]).reshape(())) if arrays else None
