"""Nodes of ops on the tape: each saves what its gradient rule reads, and runs the rule.

A node saves inputs as Tensors and outputs as arrays: a Tensor of an output refers to the node, and
would make a cycle. It runs the op's one gradient rule on arrays, or on Tensors when a graph of the
gradients is wanted. Broadcasting is undone here, so that rules state mathematics only.

`OpNode` serves every op. `UnaryNode` and `BinaryNode` do the same faster for ops with one input or
two, and one output.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from .. import events
from ..device import namespace
from . import modes, refusals
from .stop_reasons import Change, Reason, stop
from .tensor import (
    GradsBySlot,
    Node,
    OutputSlot,
    Rare,
    Tensor,
    array_of,
    as_array,
    changed_since_saved,
    last_change,
    namespace_of,
    node_id,
    saved_output,
)

ndarray = np.ndarray
FLOAT32 = np.dtype("float32")  # the usual dtype, compared first
new = object.__new__
NON_DIFFERENTIABLE = Reason.NON_DIFFERENTIABLE  # a look-up in the enum takes 0.1 us
NEVER: Change = (-1, "", None)


class OpNode(Node):
    """Node of an op, with any number of inputs (also lists of tensors) and outputs.

    Each op has a subclass, which holds the op and the forms of its rule, and has a slot for each of
    `attrs`, `shapes` and `out_metas` that its nodes need.
    """

    __slots__ = ("expected", "made", "saved")

    op: Any
    rule: Any  # the gradient rule for arrays; Tensors run `op.rule`
    rules: dict[str, Any]  # letter of a dtype -> rule, for complex dtypes and float16
    F: Any  # functions by which a rule calls other ops on NumPy arrays
    functions: Any  # function of a namespace that returns these functions
    graph: Any  # the same functions for Tensors
    asks_needs: bool  # whether the rule has a parameter `needs`: which inputs need a gradient
    takes_attrs: bool  # whether the rule takes all attributes, and no other keywords

    saves_inputs: bool  # whether the rule reads inputs, and not only their shapes
    saves_output: bool  # whether the rule reads the output

    saved: Any  # values that the rule reads; None once released
    expected: int  # sum of the saved values' versions when they were saved
    made: list[Rare]  # records of the outputs, while there are listeners
    attrs: Any = None
    shapes: Any = None  # shapes of the inputs, if gradients may have to be summed to them
    out_metas: Any = ()  # shape and dtype of each output, if there are several

    def __init__(
        self, edges: tuple[Any, ...], inputs: tuple[Any, ...], outs: tuple[Any, ...], attrs: Any
    ) -> None:
        op = self.op
        self.edges = edges
        self.hooks = None
        self.id = self.version = 0
        self.saved = op.save(inputs, outs)
        self.expected = self.version_sum() if op.saved_inputs else 0
        if op.defaults:
            self.attrs = attrs
        if op.broadcasts:
            self.shapes = op.broadcast_shapes(inputs)
        if op.many:
            self.out_metas = [(out.shape, out.dtype) for out in outs]

    @classmethod
    def maker(cls) -> Callable[..., OpNode]:
        """Return a function `make(*edges, *inputs, output, attributes)` that makes a node."""
        count = len(cls.op.inputs)

        def make(*row: Any) -> OpNode:
            *tensors, out, attrs = row
            return cls(tuple(tensors[:count]), tuple(tensors[count:]), (out,), attrs)

        return make

    def op_name(self) -> str:
        return str(self.op.name)

    def version_sum(self) -> int:
        """Return the sum of the saved values' versions, which only grow: an equal sum means that
        nothing has changed."""
        total = int(self.version) if self.saves_output else 0
        for i in self.op.saved_inputs:
            kept = self.saved[i]
            if isinstance(kept, Tensor):
                total += int(kept._version)
            elif kept is not None:
                total += sum([int(tensor._version) for tensor in kept])
        return total

    def tensors(self, outs: tuple[Any, ...]) -> tuple[Tensor, ...]:
        """Return the outputs as Tensors; those that have a gradient are connected to this node."""
        op = self.op
        graded = op.graded_slots(len(outs))
        one = len(graded) == 1 and not op.list_result
        made: list[Tensor] = []
        for slot, out in enumerate(outs):
            if slot in graded:
                made.append(Tensor(out, False, self if one else OutputSlot(self, slot)))
            else:
                made.append(Tensor(out, stop(NON_DIFFERENTIABLE, op.name)))
        return tuple(made)

    def saved_names(self) -> tuple[str, ...]:
        return () if self.saved is None else self.op.saved_slots

    def check(self) -> Any:
        """Return the saved values, after making sure that they are there and unchanged."""
        if self.saved is None:
            raise refusals.released(self.op_name())
        if self.version_sum() != self.expected:
            raise changed_error(self)
        return self.saved

    def output_moved(self, old: Any, new: Any, version: Any) -> None:
        if self.saves_output:
            self.saved = tuple([new if kept is old else kept for kept in self.saved or ()])
            self.expected += int(version) - int(self.version)
        self.version = version

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        op, values = self.op, list(self.check())
        for i in op.saved_inputs:
            kept = values[i]
            if isinstance(kept, (list, tuple)):
                values[i] = [tensor._data for tensor in kept]
            elif kept is not None:
                values[i] = kept._data
        extra = op.rule_attrs(self.attrs, self.edges)
        xp = namespace_of(grad)
        douts = self.douts(xp, grad)
        rule = self.rules.get(op.letter_of(douts), self.rule)
        grads = rule(self.functions(xp), *douts, *values, **extra)
        if not retain_graph:
            self.saved = None
        return separate_memory(self.edges, self.finish(grads))

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:
        saved = [
            self.output_tensor(s, slot) if slot in self.op.outputs else s
            for slot, s in zip(self.op.saves, self.check(), strict=True)
        ]
        extra = self.op.rule_attrs(self.attrs, self.edges)
        douts = self.douts(namespace_of(grad), grad, wrap=Tensor)
        return self.finish(self.op.rule_for(douts)(self.graph, *douts, *saved, **extra))

    def finish(self, grads: Any) -> tuple[Any, ...]:
        """Return one gradient per edge, each summed to the shape of its input."""
        if not isinstance(grads, (tuple, list)):
            grads = (grads,)
        if self.shapes is not None:
            grads, edges = list(grads), self.edges
            for i, shape in enumerate(self.shapes):
                grad = grads[i]
                if grad is not None and edges[i] is not None and grad.shape != shape:
                    if grad.__class__ is ndarray and not modes.gate_open:
                        grads[i] = self.F.sum_to(grad, shape=shape)
                    else:
                        grads[i] = unbroadcast(self, i, grad, shape)
        return tuple(grads)

    def output_tensor(self, array: Any, slot: str) -> Tensor:
        """Return a saved output as a Tensor, connected for its own derivative."""
        at = self.op.outputs.index(slot)
        stops, one = slot in self.op.stopped, len(self.op.graded_slots(len(self.op.outputs))) == 1
        node = None if stops else self if one else OutputSlot(self, at)
        known = getattr(self, "made", ())
        return saved_output(array, stops, node, known[at] if at < len(known) else None)

    def douts(self, xp: Any, grad: Any, wrap: Any = as_array) -> tuple[Any, ...]:
        """Return the outputs' gradients in order; zeros or None for an unused output."""
        if not isinstance(grad, GradsBySlot):
            return (grad,)
        op, arrived, row = self.op, grad.grads, []
        for slot in op.graded_slots(len(self.out_metas)):
            dout = arrived.get(slot)
            if dout is None and op.zeros_for_unused:
                dout = wrap(xp.zeros(*self.out_metas[slot]))
            row.append(dout)
        return (row,) if op.list_result else tuple(row)

    def zeros_for_hooks(self, grad: GradsBySlot) -> dict[int, Any]:
        xp, slots = namespace_of(grad), self.op.graded_slots(len(self.out_metas))
        metas = [(slot, *self.out_metas[slot]) for slot in slots if slot not in grad.grads]
        return {slot: xp.zeros(shape, dtype) for slot, shape, dtype in metas}


class UnaryNode(OpNode):
    """Quick node of an op with one input and one output, whose rule reads at most one value."""

    __slots__ = ()

    @classmethod
    def maker(cls) -> Callable[..., OpNode]:
        """Return a function that makes a node, in a third of the time of a call of the class."""
        saves_input, saves_output = cls.saves_inputs, cls.saves_output
        parts, has_attrs = [part for _, _, part in cls.op.plan], cls.op.defaults

        def make(edge: Any, x: Tensor, out: Any, attrs: Any) -> OpNode:
            node = new(cls)
            node.edges = (edge,)
            node.hooks = None
            node.id = node.version = node.expected = 0
            if saves_output:
                node.saved = (out,)
            elif saves_input:
                node.saved, node.expected = (x,), x._version + 0
            else:
                node.saved = tuple([part(x) for part in parts]) if parts else ()
            if has_attrs:
                node.attrs = attrs
            return node

        return specialized(make)

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        saved = self.saved
        if saved is None:
            raise refusals.released(self.op_name())
        if self.saves_inputs:
            (x,) = saved
            if x._version != self.expected:
                raise changed_error(self)
            saved = (x._data,)
        elif self.version != self.expected and self.saves_output:
            raise changed_error(self)
        if not retain_graph:
            self.saved = None
        F = self.F if grad.__class__ is ndarray else self.functions(namespace(grad))
        rule = self.rule if grad.dtype is FLOAT32 else self.rules.get(grad.dtype.char, self.rule)
        if not self.attrs:
            return (rule(F, grad, *saved),)
        attrs = self.attrs if self.takes_attrs else self.op.rule_attrs(self.attrs, self.edges)
        return (rule(F, grad, *saved, **attrs),)


class BinaryNode(OpNode):
    """Quick node of an op with two inputs, which may broadcast, and one output."""

    __slots__ = ()

    @classmethod
    def maker(cls) -> Callable[..., OpNode]:
        """Return a function that makes a node, in a third of the time of a call of the class."""
        saves_inputs, broadcasts = cls.saves_inputs, cls.op.broadcasts

        def make(ex: Any, ey: Any, x: Tensor, y: Tensor, out: Any, attrs: Any) -> OpNode:  # noqa: ARG001
            node = new(cls)
            node.edges = ex, ey
            node.hooks = None
            node.id = node.version = node.expected = 0
            if saves_inputs:
                node.saved, node.expected = (x, y), x._version + y._version
            else:
                node.saved = ()
            if broadcasts:
                a, b = x._data.shape, y._data.shape
                node.shapes = None if a == b else (a, b)
            return node

        return specialized(make)

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        saved = self.saved
        if saved is None:
            raise refusals.released(self.op_name())
        if saved and saved[0]._version + saved[1]._version != self.expected:
            raise changed_error(self)
        if not retain_graph:
            self.saved = None
        F = self.F if grad.__class__ is ndarray else self.functions(namespace(grad))
        rule = self.rule if grad.dtype is FLOAT32 else self.rules.get(grad.dtype.char, self.rule)
        if self.attrs:
            extra = self.op.rule_attrs(self.attrs, self.edges)
            grads = rule(F, grad, *[each._data for each in saved], **extra)
        elif not saved:
            grads = rule(F, grad)
        elif self.asks_needs:
            (x, y), (ex, ey) = saved, self.edges
            grads = rule(F, grad, x._data, y._data, needs=(ex is not None, ey is not None))
        else:
            x, y = saved
            grads = rule(F, grad, x._data, y._data)
        if self.shapes is not None:
            grads = self.finish(grads)
        return separate_memory(self.edges, grads) if grads[0] is grads[1] else grads


def specialized(function: Any) -> Any:
    """Return a copy of a function that has its own code object.

    Python specializes bytecode for the classes that it runs with. The copy serves one op, and so
    runs with one class, which is quicker.
    """
    code, closure = function.__code__.replace(), function.__closure__
    return FunctionType(code, function.__globals__, function.__name__, None, closure)


def separate_memory(edges: tuple[Any, ...], grads: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the gradients of two inputs in separate memory: either may be changed in place."""
    if len(edges) == 2 and grads[0] is grads[1] and edges[0] is not None is not edges[1]:
        return grads[0], grads[1] if grads[1] is None else grads[1].copy()
    return grads


def unbroadcast(node: OpNode, index: int, grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient over the axes along which its input was repeated by broadcasting."""
    if isinstance(grad, Tensor):
        result: Any = node.graph.sum_to(grad, shape=shape)
    else:
        F = node.F if grad.__class__ is ndarray else node.functions(namespace(grad))
        result = F.sum_to(grad, shape=shape)
    if modes.gate_open and events.heard():
        taker = events.note_taker()
        arrays = taker.keep(array_of(grad)), taker.keep(array_of(result))
        taker.take((events.notes.grad_unbroadcast, node_id(node), index, *arrays))
    return result


def changed_error(node: OpNode) -> Exception:
    """Make the error of an in-place change between forward and backward."""
    saved = node.saved
    rows = [each if isinstance(each, (list, tuple)) else (each,) for each in saved]
    kept: list[Any] = [t for row in rows for t in row if isinstance(t, Tensor) and t._version]
    kept += [node.version] if node.saves_output else []
    # The value with the latest change was surely changed after it was saved.
    holder = max(kept, key=lambda each: last_change(each) or NEVER)
    version = int(holder._version if isinstance(holder, Tensor) else holder)
    changes = (node.version_sum() - node.expected) // sum(each is holder for each in kept)
    then = max(0, version - changes)
    return changed_since_saved(holder, then, node.op.name, "", getattr(saved[-1], "shape", ()))
