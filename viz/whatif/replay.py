"""Every value of a trace, computed once more from its leaves.

The records say which op was called with which tensors, which node its gradients come from, where
gradients meet and which parameter follows which gradient. So kernels and gradient rules can be
called again, in the recorded order, on other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.events import Edge, Seen, Value
from minipaddle.engine.dispatch import namespace_of
from minipaddle.ops import REGISTRY
from minipaddle.ops.rule_functions import array_functions
from minipaddle.static.kernels import Forward, Gradient, reads_of

from .revive import attributes

Key = tuple[Any, ...]


class Replay:
    """Walks through records; `array_of` says what any value in them is now."""

    def __init__(self, given: Callable[[Seen | None, Value], Any]) -> None:
        self.given = given  # the array of a leaf, or of a value that cannot be computed
        self.arrays: dict[int, Any] = {}  # a value in a record -> its array
        self.tensors: dict[Key, Any] = {}  # (tensor, version)
        self.calls: dict[int, tuple[Any, ...]] = {}
        self.nodes: dict[int, events.GradNodeMade] = {}
        self.on_the_way: dict[Key, Any] = {}  # gradients by the edge where they wait
        self.came: dict[Key, Any] = {}  # the newest at an edge where others wait
        self.grads: dict[Key, Any] = {}  # of leaves
        self.computed: Any = ()
        self.unbroadcast: dict[int, Any] = {}
        self.scopes: dict[int, Any] = {}
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
            events.ParameterUpdated: self.parameter_updated,
            events.ScopeEntered: self.scope_entered,
            events.ScopeLeft: self.scope_left,
        }

    def walk(self, records: Iterable[Any]) -> None:
        for event in records:
            handle = self.handlers.get(type(event))
            if handle is not None:
                handle(event)
            for name in event.tensor_fields:
                self.see(getattr(event, name))

    # ----- values -----

    def see(self, tensors: Any) -> None:
        """What tensors hold where a record shows them."""
        if isinstance(tensors, Seen):
            self.tensor(tensors)
        elif tensors is not None:
            for tensor in tensors:
                self.see(tensor)

    def settle(self, value: Value | None, array: Any, seen: Seen | None = None) -> Any:
        """A value of a record is this array now; one that is not computed is given."""
        if value is None:
            return None
        known = recorded(value)
        if array is None or (known is not None and not alike(array, known)):
            array = self.given(seen, value)
        self.arrays[id(value)] = array.copy()
        return array

    def tensor(self, seen: Any) -> Any:
        """What a tensor is at this moment; a list of tensors, a list."""
        if seen is None or not isinstance(seen, Seen):
            return None if seen is None else [self.tensor(item) for item in seen]
        key = seen.id, seen.version
        array = self.settle(seen.value, self.tensors.get(key), seen)
        self.tensors[key] = array
        return array

    def made(self, seen: Seen, array: Any) -> None:
        self.tensors[seen.id, seen.version] = self.settle(seen.value, array, seen)

    # ----- forward -----

    def op_finished(self, event: events.OpFinished) -> None:
        op = REGISTRY[event.op]
        inputs = [self.tensor(seen) for seen in event.inputs]
        attrs = attributes(op, event.attrs)
        outs: Any = [None] * len(event.outputs)
        if not op.random:
            outs = list(Forward(op, attrs)(*inputs))
        for seen, out in zip(event.outputs, outs, strict=False):
            self.made(seen, out)
        outs = [self.tensor(seen) for seen in event.outputs]
        self.calls[event.call] = op, attrs, inputs, outs

    def grad_node_made(self, event: events.GradNodeMade) -> None:
        self.nodes[event.node] = event

    # ----- backward -----

    def backward_started(self, event: events.BackwardStarted) -> None:
        self.on_the_way = {}
        for edge, seed in zip(event.edges, event.seeds, strict=True):
            self.arrives(key_of(edge), self.settle(seed, None))

    def arrives(self, key: Key, grad: Any) -> None:
        """A gradient is at its edge; where one waits, the next record adds them."""
        if key in self.on_the_way:
            self.came[key] = grad
        else:
            self.on_the_way[key] = grad

    def node_visited(self, event: events.NodeVisited) -> None:
        keys = [("node", event.node, slot) for slot in range(len(event.arrived))]
        arrived = [self.settle(v, self.on_the_way.pop(k, None)) for k, v in zip(keys, event.arrived, strict=True)]
        node = self.nodes.get(event.node)
        known = self.calls.get(node.call) if node else None
        self.computed = ()
        self.visited = event.node
        if node is not None and known is not None:
            op, attrs, inputs, outs = known
            if op.list_result:
                return
            by_name = dict(zip(op.inputs, inputs, strict=False)) | dict(zip(op.outputs, outs, strict=False))
            reads = reads_of(op)
            needs = [edge is not None for edge in node.edges]
            douts = [arrived[slot] if slot < len(arrived) else None for slot in range(len(outs)) if slot not in op.stopped]
            self.computed = Gradient(op, attrs, reads, needs).before_sums(
                array_functions(namespace_of(inputs)), (*[by_name[n] for n in reads], *douts), plainly=True
            )
        self.came_to_node = arrived

    def grad_unbroadcast(self, event: events.GradUnbroadcast) -> None:
        before = self.settle(event.before, self.part(event.index))
        self.computed[event.index] = self.settle(
            event.after, array_functions(namespace_of([before])).sum_to(before, shape=event.after.shape)
        )

    def part(self, index: int) -> Any:
        return self.computed[index] if index < len(self.computed) else None

    def grad_computed(self, event: events.GradComputed) -> None:
        grad = self.settle(event.grad, self.part(event.index))
        if grad is not None:
            self.arrives(key_of(event.edge), grad)

    def grad_accumulated(self, event: events.GradAccumulated) -> None:
        key = key_of(event.edge)
        if event.stored:
            held, more = self.grads.get(key), self.on_the_way.get(key)
        else:
            held, more = self.on_the_way.get(key), self.came.pop(key, None)
        held, more = self.settle(event.held, held), self.settle(event.added, more)
        self.on_the_way[key] = self.settle(event.total, held + more)

    def hook_ran(self, event: events.HookRan) -> None:
        key = key_of(event.edge)
        self.settle(event.before, self.on_the_way.get(key))
        self.on_the_way[key] = self.settle(event.after, None)

    def leaf_reached(self, event: events.LeafReached) -> None:
        key = "leaf", event.tensor.id, 0
        self.grads[key] = self.settle(event.grad, self.on_the_way.pop(key, None))

    # ----- PyLayers and optimizers -----

    def scope_entered(self, event: events.ScopeEntered) -> None:
        if event.kind == "pylayer.backward":
            for seen, grad in zip(event.inputs, self.came_to_node, strict=False):
                if isinstance(seen, Seen):
                    self.made(seen, grad)

    def scope_left(self, event: events.ScopeLeft) -> None:
        if event.kind == "pylayer.backward":
            self.computed = [self.tensor(seen) for seen in event.outputs]

    def parameter_updated(self, event: events.ParameterUpdated) -> None:
        self.settle(event.grad, None)
        self.settle(event.before, None)
        self.tensors.pop((event.tensor.id, event.tensor.version), None)


def key_of(edge: Edge) -> Key:
    return edge.kind, edge.id, edge.slot


def recorded(value):
    data = value.data["data"]
    return None if data is None else np.asarray(data, dtype=value.dtype).reshape(value.shape)


def alike(a, b):
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind not in "fc" or not a.size:
        return bool(np.array_equal(a, b))
    slack = 1e-5 if a.dtype.itemsize <= 4 else 1e-12
    finite = b[np.isfinite(b)]
    size = np.sqrt(np.mean(np.square(finite, dtype=float))) if finite.size else 0
    return bool(np.allclose(a, b, slack, slack * size, equal_nan=True))
