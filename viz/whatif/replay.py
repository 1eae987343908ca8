"""Every value of a trace, computed once more from its leaves.

The records say which op was called with which tensors, which node its gradients come from, where
gradients meet and which parameter follows which gradient. So kernels and gradient rules can be
called again, in the recorded order: on other numbers, or on recording arrays, which write down what
is done to them.

What comes out of the recorded numbers must be what was recorded. Where it is not (Python did
something between two ops, an op drew at random, a hook replaced a gradient), the value is *kept* as
it was recorded, and known to depend on what it was made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from minipaddle import events
from minipaddle.engine.dispatch import namespace_of
from minipaddle.events import Edge, Seen, Value
from minipaddle.ops import REGISTRY
from minipaddle.ops.rule_functions import array_functions
from minipaddle.static.kernels import Forward, Gradient, reads_of

from .revive import attributes

Key = tuple[Any, ...]
ANYTHING: list[Any] = []  # what a value was made from that Python changed between two records


class Numbers(Protocol):
    """Where the arrays come from, and who is told which value of a record an array is."""

    def leaf(self, value: Value, seen: Seen | None) -> Any:
        """The array of a value that nothing in the trace made."""

    def kept(self, value: Value, made_from: list[Any]) -> Any:
        """The array of a value that stays as it was recorded."""

    def fits(self, array: Any, value: Value) -> bool:
        """Whether an array that was computed is this value, as far as it was recorded."""

    def shown(self, value: Value, array: Any) -> None:
        """From here on the trace shows this array as this value."""


class Replay:
    """Walks through the records of a trace."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.tensors: dict[int, Any] = {}  # what they hold now
        self.calls: dict[int, Call] = {}
        self.nodes: dict[int, events.GradNodeMade] = {}
        self.waiting: dict[Key, Any] = {}  # gradients, by the edge where they are
        self.came: dict[Key, Any] = {}  # the newest one where another waits
        self.stored: dict[Key, Any] = {}  # `.grad` of leaves
        self.arrived: list[Any] = []  # at the node that is visited
        self.computed: list[Any] = []  # the gradients that it hands on
        self.handlers: dict[type, Callable[[Any], None]] = {
            events.OpFinished: self.op_finished,
            events.GradNodeMade: self.grad_node_made,
            events.BackwardStarted: self.backward_started,
            events.NodeVisited: self.node_visited,
            events.GradUnbroadcast: self.grad_unbroadcast,
            events.GradComputed: self.grad_computed,
            events.GradAccumulated: self.grad_accumulated,
            events.LeafReached: self.leaf_reached,
            events.HookRan: self.hook_ran,
            events.ScopeEntered: self.scope_entered,
            events.ScopeLeft: self.scope_left,
            events.ParameterUpdated: self.parameter_updated,
        }

    def walk(self, records: Iterable[Any]) -> None:
        """Compute what each of them shows."""
        for record in records:
            self.handlers.get(type(record), ignore)(record)
            for name in record.tensor_fields:
                self.tensor(getattr(record, name))

    # ----- values -----

    def settle(
        self,
        value: Value | None,
        array: Any,
        made_from: list[Any] | None = None,
        seen: Seen | None = None,
    ) -> Any:
        """The array that a value of a record is: the computed one if it fits."""
        if value is None:
            return None
        if array is None or not self.numbers.fits(array, value):
            if made_from is None:
                array = self.numbers.leaf(value, seen)
            else:
                array = self.numbers.kept(value, made_from)
        self.numbers.shown(value, array)
        return array

    def tensor(self, seen: Any) -> Any:
        """What a tensor holds where a record shows it; a list for several."""
        if not isinstance(seen, Seen):
            return None if seen is None else [self.tensor(each) for each in seen]
        known = self.tensors.get(seen.id)
        array = self.settle(seen.value, known, None if known is None else ANYTHING, seen)
        self.tensors[seen.id] = array
        return array

    def made(self, seen: Seen, array: Any, made_from: Sequence[Any]) -> Any:
        """A tensor that a record makes."""
        array = self.settle(seen.value, array, made_from)
        self.tensors[seen.id] = array
        return array

    # ----- forward -----

    def op_finished(self, event: events.OpFinished) -> None:
        op = REGISTRY[event.op]
        attrs = attributes(op, event.attrs)
        inputs = [self.tensor(seen) for seen in event.inputs]
        results: Sequence[Any] = [None] * len(event.outputs)
        if not op.random:
            results = Forward(op, attrs)(*inputs)
        from_these = flat(inputs)
        outputs = [
            self.made(seen, result, from_these)
            for seen, result in zip(event.outputs, results, strict=True)
        ]
        self.calls[event.call] = Call(op, attrs, inputs, outputs)

    def grad_node_made(self, event: events.GradNodeMade) -> None:
        self.nodes[event.node] = event

    # ----- backward -----

    def backward_started(self, event: events.BackwardStarted) -> None:
        self.waiting = {
            key_of(edge): self.settle(seed, None)
            for edge, seed in zip(event.edges, event.seeds, strict=True)
        }

    def node_visited(self, event: events.NodeVisited) -> None:
        waiting = [
            self.waiting.pop(("node", event.node, slot), None)
            for slot in range(len(event.arrived))
        ]
        self.arrived = [
            self.settle(value, grad, ANYTHING) for value, grad in zip(event.arrived, waiting, strict=True)
        ]
        self.computed = []
        node = self.nodes.get(event.node)
        call = self.calls.get(node.call) if node else None
        if node and call:
            self.computed = call.gradients(self.arrived, [edge is not None for edge in node.edges])

    def part(self, index: int) -> Any:
        return self.computed[index] if index < len(self.computed) else None

    def grad_unbroadcast(self, event: events.GradUnbroadcast) -> None:
        before = self.settle(event.before, self.part(event.index), self.arrived)
        after = array_functions(namespace_of([before])).sum_to(before, shape=event.after.shape)
        after = self.settle(event.after, after, [before])
        self.computed += [None] * (event.index + 1 - len(self.computed))
        self.computed[event.index] = after

    def grad_computed(self, event: events.GradComputed) -> None:
        grad = self.settle(event.grad, self.part(event.index), self.arrived)
        key = key_of(event.edge)
        if grad is not None:
            (self.came if key in self.waiting else self.waiting)[key] = grad

    def grad_accumulated(self, event: events.GradAccumulated) -> None:
        key = key_of(event.edge)
        if event.stored:
            held, more = self.stored.get(key), self.waiting.get(key)
        else:
            held, more = self.waiting.get(key), self.came.pop(key, None)
        held = self.settle(event.held, held, ANYTHING)
        more = self.settle(event.added, more, ANYTHING)
        self.waiting[key] = self.settle(event.total, held + more, [held, more])

    def hook_ran(self, event: events.HookRan) -> None:
        key = key_of(event.edge)
        before = self.settle(event.before, self.waiting.get(key), ANYTHING)
        self.waiting[key] = self.settle(event.after, None, [before])

    def leaf_reached(self, event: events.LeafReached) -> None:
        key = "leaf", event.tensor.id, 0
        self.stored[key] = self.settle(event.grad, self.waiting.pop(key, None), ANYTHING)

    # ----- PyLayers and optimizers -----

    def scope_entered(self, event: events.ScopeEntered) -> None:
        """The gradients that the user's backward is handed are those that arrived."""
        if event.kind == "pylayer.backward":
            for seen, grad in zip(event.inputs, self.arrived, strict=False):
                if isinstance(seen, Seen):
                    self.made(seen, grad, self.arrived)

    def scope_left(self, event: events.ScopeLeft) -> None:
        if event.kind == "pylayer.backward":
            self.computed = [self.tensor(seen) for seen in event.outputs]

    def parameter_updated(self, event: events.ParameterUpdated) -> None:
        """The optimizer does not tell what it remembers: its parameter is kept."""
        seen = event.tensor
        grad = self.settle(event.grad, self.stored.get(("leaf", seen.id, 0)), ANYTHING)
        before = self.settle(event.before, self.tensors.get(seen.id), ANYTHING)
        self.made(seen, None, [grad, before])


class Call:
    """A call of an op, of which the gradients are asked for later."""

    def __init__(self, op: Any, attrs: dict[str, Any], inputs: list[Any], outs: list[Any]) -> None:
        self.op, self.attrs, self.inputs, self.outs = op, attrs, inputs, outs

    def gradients(self, arrived: list[Any], needs: list[bool]) -> list[Any]:
        """By the gradient rule as it is written, before anything is summed back to its shape."""
        op = self.op
        outs = [self.outs] if op.list_result else self.outs
        known = dict(zip(op.inputs, self.inputs, strict=False))
        known |= dict(zip(op.outputs, outs, strict=False))
        graded = op.graded_slots(len(self.outs))
        came: list[Any] = [
            arrived[slot] if slot < len(arrived) and arrived[slot] is not None
            else array_functions(namespace_of(flat(self.inputs))).fill_like(self.outs[slot], value=0.0)
            for slot in graded
        ]
        reads = reads_of(op)
        values = (*[known[name] for name in reads], *([came] if op.list_result else came))
        F = array_functions(namespace_of(flat(self.inputs)))
        return Gradient(op, self.attrs, reads, needs).before_sums(F, values, plainly=True)


def flat(inputs: Iterable[Any]) -> list[Any]:
    """Arrays out of arrays and lists of arrays, without absent ones."""
    found: list[Any] = []
    for each in inputs:
        found += flat(each) if isinstance(each, list) else [] if each is None else [each]
    return found


def ignore(_record: Any) -> None:
    """What is done for a record that computes nothing."""


def key_of(edge: Edge) -> Key:
    return edge.kind, edge.id, edge.slot


# ----- arrays of numbers -----


class Recorded:
    """Numbers as they were recorded, but for those of some leaves."""

    def __init__(self, instead: Callable[[Value, Seen | None], Any] = lambda _value, _seen: None):
        self.instead = instead
        self.arrays: dict[int, Any] = {}  # by identity of the value, which a record holds
        self.leaves = 0
        self.pinned: list[Value] = []

    def leaf(self, value: Value, seen: Seen | None) -> Any:
        self.leaves += 1
        other = self.instead(value, seen)
        return recorded(value) if other is None else other

    def kept(self, value: Value, made_from: Sequence[Any]) -> Any:  # noqa: ARG002
        self.pinned.append(value)
        return recorded(value)

    def fits(self, array: Any, value: Value) -> bool:
        known = recorded(value)
        return tuple(array.shape) == value.shape if known is None else alike(array, known)

    def shown(self, value: Value, array: Any) -> None:
        self.arrays[id(value)] = array.copy()


def recorded(value: Value) -> Any:
    """The array of a value, None where only its statistics were kept."""
    data = value.data["data"]
    return None if data is None else np.asarray(data, value.dtype).reshape(value.shape)


def alike(one: Any, other: Any) -> bool:
    """Whether two arrays are equal up to rounding."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind not in "fc" or not one.size:
        return bool(np.array_equal(one, other))
    slack = 1e-5 if one.dtype.itemsize <= 4 else 1e-12
    finite = other[np.isfinite(other)]
    size = np.sqrt(np.mean(np.square(np.abs(finite), dtype=float))) if finite.size else 0.0
    return bool(np.allclose(one, other, slack, slack * size, equal_nan=True))
