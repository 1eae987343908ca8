"""The tape's nodes for ops: one class per op, one kind per way of saving.

A node keeps inputs as the Tensors they were and outputs as arrays (a Tensor would make a
reference cycle), and runs the op's one gradient rule on arrays, or on Tensors when a graph of
the gradients is wanted. Un-broadcasting is done here, once, so that rules state mathematics only.
"""

from __future__ import annotations

from typing import Any, ClassVar

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
FLOAT32 = np.dtype("float32")  # asked for first: it is the usual one
new = object.__new__
NON_DIFFERENTIABLE = Reason.NON_DIFFERENTIABLE  # looked up once, as in `dispatch`
NEVER: Change = (-1, "", None)


class OpNode(Node):
    """What nodes for ops have in common. What a kind does not keep for each node, such as
    attributes, stands here for all of its nodes."""

    __slots__ = ("made", "saved")

    made: list[Rare]  # of a call that was told of: what is known of its results, saved ones too
    op: Any
    rule: Any  # for arrays; that for Tensors is the op's
    rules: Any  # by the letter of a dtype: for arrays of complex numbers, and of float16
    F: Any  # how a rule calls other ops on NumPy arrays
    functions: Any  # and on arrays of any namespace: a function of the namespace
    graph: Any  # and on Tensors
    broadcasts: bool  # whether gradients may have to be summed back to the inputs' shapes
    asks_needs: bool  # whether the rule asks which inputs want a gradient
    takes_attrs: bool  # whether it takes all attributes, and nothing else by name

    of_one: ClassVar[Any]
    of_two: ClassVar[Any]
    of_attrs: ClassVar[Any]

    saved: Any
    attrs: Any = None
    out_metas: Any = ()
    shapes: Any = None
    versions = 0
    expected = 0

    @classmethod
    def of(
        cls, edges: tuple[Any, ...], inputs: tuple[Any, ...], outs: tuple[Any, ...], attrs: Any
    ) -> OpNode:
        """Return the node of a call, by the way in which nodes of its kind are made."""
        given = *edges, *inputs, *outs
        if cls.op.defaults:
            return cls.of_attrs(*given, attrs)  # type: ignore[no-any-return]
        return (cls.of_two if len(edges) == 2 else cls.of_one)(*given)  # type: ignore[no-any-return]

    def op_name(self) -> str:
        return str(self.op.name)

    def rule_of(self, grad: Any) -> Any:
        """Return the rule for arrays of this dtype; the quick kinds below ask the same without a
        call."""
        return self.rule if grad.dtype is FLOAT32 else self.rules.get(grad.dtype.char, self.rule)

    def version_sum(self, saved: Any) -> int:
        """Return the saved inputs' versions, added up: they only grow, so an equal sum is no
        change."""
        total = 0
        for i in self.op.kept_inputs:
            kept = saved[i]
            if isinstance(kept, Tensor):
                total += kept._version
            elif kept is not None:
                total += sum([tensor._version + 0 for tensor in kept])
        return total + 0

    def tensors(self, outs: tuple[Any, ...]) -> tuple[Tensor, ...]:
        """Return the outputs, those that have a gradient connected to this node."""
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

    def kept_names(self) -> tuple[str, ...]:
        if self.saved is None:
            return ()
        return self.op.kept_slots  # type: ignore[no-any-return]

    def check(self) -> Any:
        """Return what was saved, after making sure that it is there and unchanged."""
        saved = self.saved
        if saved is None:
            raise refusals.released(self.title)
        op = self.op
        if op.kept_inputs and self.version_sum(saved) != self.versions:
            raise changed_error(self)
        if self.version != self.expected and "out" in op.saves:
            raise changed_error(self)
        return saved

    def values(self) -> Any:
        """Return what was saved as the arrays that the rule reads."""
        values = self.check()
        if self.op.kept_inputs:
            values = list(values)
            for i in self.op.kept_inputs:
                kept = values[i]
                if isinstance(kept, (list, tuple)):
                    values[i] = [tensor._data for tensor in kept]
                elif kept is not None:
                    values[i] = kept._data
        return values

    def output_moved(self, old: Any, new: Any, version: Any) -> None:
        self.version = version
        if self.op.keeps_outputs:
            self.saved = tuple([new if kept is old else kept for kept in self.saved or ()])
            self.expected = int(version)  # type: ignore[misc]

    def finish(self, grads: Any) -> tuple[Any, ...]:
        """Return one gradient per edge, each summed back to the shape that its input had."""
        if not isinstance(grads, (tuple, list)):
            grads = (grads,)
        if self.shapes is not None:
            grads, edges = list(grads), self.onward
            for i, shape in enumerate(self.shapes):
                grad = grads[i]
                if grad is not None and edges[i] is not None and grad.shape != shape:
                    if grad.__class__ is ndarray and not modes.gate_open:
                        grads[i] = self.F.sum_to(grad, shape=shape)
                    else:
                        grads[i] = unbroadcast(self, i, grad, shape)
        return tuple(grads)

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:
        saved = [
            self.output_tensor(s, slot) if slot in self.op.outputs else s
            for slot, s in zip(self.op.saves, self.check(), strict=True)
        ]
        extra = self.op.rule_attrs(self.attrs, self.edges)
        douts = self.douts(namespace_of(grad), grad, wrap=Tensor)
        return self.finish(self.op.rule_for(douts)(self.graph, *douts, *saved, **extra))

    def output_tensor(self, array: Any, slot: str) -> Tensor:
        """Return a saved output as a Tensor again, connected for its own derivative."""
        at = self.op.outputs.index(slot)
        stops, one = slot in self.op.stopped, len(self.op.graded_slots(len(self.op.outputs))) == 1
        node = None if stops else self if one else OutputSlot(self, at)
        known = getattr(self, "made", ())
        return saved_output(array, stops, node, known[at] if at < len(known) else None)

    def douts(self, xp: Any, grad: Any, wrap: Any = as_array) -> tuple[Any, ...]:
        """Return the outputs' gradients in order; zeros, or None, for one that nobody used."""
        if not isinstance(grad, GradsBySlot):
            return (grad,)
        op, given, row = self.op, grad.grads, []
        for slot in op.graded_slots(len(self.out_metas)):
            dout = given.get(slot)
            if dout is None and op.zeros_for_unused:
                dout = wrap(xp.zeros(*self.out_metas[slot]))
            row.append(dout)
        return (row,) if op.list_result else tuple(row)

    def zeros_for_hooks(self, grad: GradsBySlot) -> dict[int, Any]:
        xp, slots = namespace_of(grad), self.op.graded_slots(len(self.out_metas))
        metas = [(slot, *self.out_metas[slot]) for slot in slots if slot not in grad.grads]
        return {slot: xp.zeros(shape, dtype) for slot, shape, dtype in metas}


class AnyNode(OpNode):
    """Any way of saving: the values that the rule names, in its order."""

    __slots__ = ("attrs", "expected", "out_metas", "shapes", "versions")

    def __init__(
        self, edges: tuple[Any, ...], inputs: tuple[Any, ...], outs: tuple[Any, ...], attrs: Any
    ) -> None:
        self.onward = edges
        self.hooks = None
        self.id = self.version = self.expected = 0
        self.attrs = attrs
        op = self.op
        self.saved = op.save(inputs, outs)
        self.versions = self.version_sum(self.saved) if op.kept_inputs else 0
        self.shapes = op.broadcast_shapes(inputs) if op.broadcasts else None
        many = len(outs) > 1 or op.list_result
        self.out_metas = [(out.shape, out.dtype) for out in outs] if many else ()

    @classmethod
    def of(
        cls, edges: tuple[Any, ...], inputs: tuple[Any, ...], outs: tuple[Any, ...], attrs: Any
    ) -> OpNode:
        return cls(edges, inputs, outs, attrs)

    @classmethod
    def of_one(cls, edge: Any, x: Tensor, out: Any) -> Node:
        """Return the node of a call with one input and no attributes."""
        return cls((edge,), (x,), (out,), None)

    @classmethod
    def of_two(cls, ex: Any, ey: Any, x: Tensor, y: Tensor, out: Any) -> Node:
        """Return the node of a call with two inputs and no attributes."""
        return cls((ex, ey), (x, y), (out,), None)

    @classmethod
    def of_attrs(cls, edge: Any, x: Tensor, out: Any, attrs: Any) -> Node:
        """Return the node of a call with one input and attributes."""
        return cls((edge,), (x,), (out,), attrs)

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        op, values = self.op, self.values()
        extra = op.rule_attrs(self.attrs, self.onward)
        if grad.__class__ is ndarray and not op.list_result:
            grads = self.rule_of(grad)(self.F, grad, *values, **extra)
        else:
            xp = namespace_of(grad)
            douts = self.douts(xp, grad)
            rule = self.rules.get(op.letter_of(douts), self.rule)
            grads = rule(self.functions(xp), *douts, *values, **extra)
        if not retain_graph:
            self.saved = None
        if len(self.onward) == 1 and self.shapes is None and not isinstance(grads, (tuple, list)):
            return (grads,)
        return apart(self.onward, self.finish(grads))


# The quick kinds: one output, and one way of saving each.


class OneNode(OpNode):
    """One input, and a rule that reads only the gradient."""

    __slots__ = ()

    def values(self) -> Any:
        return self.check() if self.saved is None else self.saved

    @classmethod
    def of_one(cls, edge: Any, x: Tensor, out: Any) -> OpNode:  # noqa: ARG003
        """Make the node of a call with one input and no attributes."""
        node = new(cls)
        node.onward = edge
        node.hooks = None
        node.id = node.version = 0
        node.saved = ()
        return node

    def visit(self, grad: Any, retain_graph: bool) -> Any:
        values = self.values()
        if not retain_graph:
            self.saved = None
        F = self.F if grad.__class__ is ndarray else self.functions(namespace(grad))
        rule = self.rule if grad.dtype is FLOAT32 else self.rules.get(grad.dtype.char, self.rule)
        return rule(F, grad, *values)


class OfInput(OneNode):
    """One input, which the rule reads."""

    __slots__ = ("versions",)

    @classmethod
    def of_one(cls, edge: Any, x: Tensor, out: Any) -> OpNode:  # noqa: ARG003
        node = new(cls)
        node.onward = edge
        node.hooks = None
        node.id = node.version = 0
        node.saved, node.versions = (x,), x._version + 0
        return node

    def values(self) -> Any:
        if self.saved is None:
            raise refusals.released(self.title)
        (x,) = self.saved
        if x._version != self.versions:
            raise changed_error(self)
        return (x._data,)


class OfOutput(OneNode):
    """One input, and a rule that reads the output."""

    __slots__ = ("expected",)

    @classmethod
    def of_one(cls, edge: Any, x: Tensor, out: Any) -> OpNode:  # noqa: ARG003
        node = new(cls)
        node.onward = edge
        node.hooks = None
        node.id = node.version = node.expected = 0
        node.saved = (out,)
        return node

    def values(self) -> Any:
        if self.saved is None or self.version != self.expected:
            return self.check()
        return self.saved


class TwoNode(OpNode):
    """Two inputs that may broadcast, and a rule that reads only the gradient."""

    __slots__ = ("shapes",)

    @classmethod
    def of_two(cls, ex: Any, ey: Any, x: Tensor, y: Tensor, out: Any) -> OpNode:  # noqa: ARG003
        """Make the node of a call with two inputs and no attributes."""
        node = new(cls)
        node.onward = (ex, ey)
        node.hooks = None
        node.id = node.version = 0
        node.saved = ()
        a, b = x._data.shape, y._data.shape
        node.shapes = None if a == b else (a, b)
        return node

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        if self.saved is None:
            raise refusals.released(self.title)
        if not retain_graph:
            self.saved = None
        F = self.F if grad.__class__ is ndarray else self.functions(namespace(grad))
        grads: tuple[Any, ...] = self.rule(F, grad)
        if self.shapes is not None:
            grads = self.finish(grads)
        return apart(self.onward, grads) if grads[0] is grads[1] else grads


class OfInputs(TwoNode):
    """Two inputs, which the rule reads both."""

    __slots__ = ("versions",)

    @classmethod
    def of_two(cls, ex: Any, ey: Any, x: Tensor, y: Tensor, out: Any) -> OpNode:  # noqa: ARG003
        node = new(cls)
        node.onward = (ex, ey)
        node.hooks = None
        node.id = node.version = 0
        node.saved, node.versions = (x, y), x._version + y._version
        a, b = x._data.shape, y._data.shape
        node.shapes = None if a == b or not cls.broadcasts else (a, b)
        return node

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:
        if self.saved is None:
            raise refusals.released(self.title)
        x, y = self.saved
        if x._version + y._version != self.versions:
            raise changed_error(self)
        if not retain_graph:
            self.saved = None
        F = self.F if grad.__class__ is ndarray else self.functions(namespace(grad))
        rule = self.rule if grad.dtype is FLOAT32 else self.rules.get(grad.dtype.char, self.rule)
        if self.asks_needs:
            ex, ey = self.onward
            grads = rule(F, grad, x._data, y._data, needs=(ex is not None, ey is not None))
        else:
            grads = rule(F, grad, x._data, y._data)
        if self.shapes is not None:
            grads = self.finish(grads)
        return apart(self.onward, grads) if grads[0] is grads[1] else grads


class WithAttrs(OneNode):
    """One input and attributes, and a rule that reads shapes and dtypes at most."""

    __slots__ = ("attrs",)

    @classmethod
    def of_attrs(cls, edge: Any, x: Tensor, out: Any, attrs: Any) -> OpNode:  # noqa: ARG003
        """Make the node of a call with one input and attributes."""
        node = new(cls)
        node.onward = edge
        node.hooks = None
        node.id = node.version = 0
        node.attrs = attrs
        node.saved = cls.op.save((x,), ())
        return node

    def visit(self, grad: Any, retain_graph: bool) -> Any:
        values = self.values()
        if not retain_graph:
            self.saved = None
        F = self.F if grad.__class__ is ndarray else self.functions(namespace(grad))
        rule = self.rule if grad.dtype is FLOAT32 else self.rules.get(grad.dtype.char, self.rule)
        attrs = self.attrs if self.takes_attrs else self.op.rule_attrs(self.attrs, self.edges)
        return rule(F, grad, *values, **attrs)


class OfShape(WithAttrs):
    """One input and attributes, and a rule that reads the input's shape."""

    __slots__ = ()

    @classmethod
    def of_attrs(cls, edge: Any, x: Tensor, out: Any, attrs: Any) -> OpNode:  # noqa: ARG003
        node = new(cls)
        node.onward = edge
        node.hooks = None
        node.id = node.version = 0
        node.attrs = attrs
        node.saved = (x._data.shape,)
        return node


def apart(edges: tuple[Any, ...], grads: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the gradients of two inputs, not in one memory: either may be changed in place."""
    if len(edges) == 2 and grads[0] is grads[1] and edges[0] is not None is not edges[1]:
        return grads[0], grads[1] if grads[1] is None else grads[1].copy()
    return grads


def unbroadcast(node: Node, index: int, grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient over the axes along which its input was repeated by broadcasting."""
    if isinstance(grad, Tensor):
        result: Any = node.graph.sum_to(grad, shape=shape)  # type: ignore[attr-defined]
    else:
        F = node.F if grad.__class__ is ndarray else node.functions(namespace(grad))  # type: ignore[attr-defined]
        result = F.sum_to(grad, shape=shape)
    if modes.gate_open and events.heard():
        taker = events.note_taker()
        told = node_id(node), index, taker.keep(array_of(grad)), taker.keep(array_of(result))
        taker.take((events.notes.grad_unbroadcast, *told))
    return result


def changed_error(node: OpNode) -> Exception:
    """Make the error of an in-place change between forward and backward."""
    saved = node.saved if isinstance(node.saved, tuple) else (node.saved,)
    rows = [each if isinstance(each, (list, tuple)) else (each,) for each in saved]
    kept = [t for row in rows for t in row if isinstance(t, Tensor) and t._version]
    now, then = sum(int(t._version) for t in kept), int(node.versions)
    if kept and now > then:
        # The tensor that was changed last was surely changed after it was saved.
        tensor = max(kept, key=lambda t: last_change(t) or NEVER)
        then = max(0, int(tensor._version) - (now - then) // sum(t is tensor for t in kept))
        return changed_since_saved(tensor, then, node.op.name)
    shape = saved[-1].shape
    return changed_since_saved(node.version, int(node.expected), node.op.name, "", shape)
