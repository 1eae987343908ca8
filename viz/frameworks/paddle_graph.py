"""Paddle's graph in terms of events: all nodes that one call has added are one grad node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import ref

import paddle

from minipaddle import events
from minipaddle.events import Edge, Seen
from minipaddle.ops.program_ops import find_op

from .forms import Form
from .groups import ForeignGraph, Group, Place, Positions, flattened
from .paddle_tensors import Node, PaddleThings, Tensor

LEAF = "GradNodeAccumulation"
# Nodes that compute a list of gradients. Paddle cannot read the list that a hook returns.
LISTS = (
    "Concat", "Stack", "AddN", "Rnn", "Einsum", "Meshgrid", "BroadcastTensors", "MultiDot",
    "Multiplex", "CudnnLstm", "SyncBatch", "Warp", "ArrayTo", "Deformable", "FusedAttention",
)  # fmt: skip
# What Paddle's nodes keep for backward, by the names of minipaddle's records: of other ops nothing
# is told.
KEPT = {
    "x": "pow clip abs square log log1p sin cos gelu leaky_relu softplus hardswish swish cumsum",
    "out": "softmax log_softmax sqrt exp tanh sigmoid relu rsqrt reciprocal",
    "x y": "multiply matmul matmul_transposed bmm dot maximum minimum elementwise_pow",
    "x out": "max amax min amin prod logsumexp p_norm silu elu max_pool2d avg_pool2d",
    "x label": "binary_cross_entropy_with_logits binary_cross_entropy",
    "index": "gather index_select", "x y out": "divide", "input x y": "addmm", "x indices": "topk",
    "x y weight out": "lerp", "label": "kl_div", "x weight": "conv2d linear", "condition": "where",
    "label softmax": "softmax_with_cross_entropy", "positions": "pick", "mask": "masked_select",
    "x scale": "layer_norm", "x scale saved_mean saved_variance": "batch_norm", "value": "set_at",
}  # fmt: skip
KEEPS = {op: names.split() for names, ops in KEPT.items() for op in ops.split()}
Target = tuple[Node, int]


class Graph(ForeignGraph):
    """The part of Paddle's graph that one recording knows."""

    things: PaddleThings

    def target(self, tensor: Any) -> Target | None:
        """Return the node, and its output, that the gradient of a tensor goes to."""
        if not isinstance(tensor, Tensor) or tensor.stop_gradient or not paddle.is_grad_enabled():
            return None
        return self.maker(tensor)

    def maker(self, tensor: Any) -> Target | None:
        """Return the node that has made a tensor, and the output; that of a leaf accumulates."""
        made = tensor.grad_fn
        if made is None:
            return None
        node, number = self.things.node_of(made), self.things.give_number(tensor)
        known = self.things.facts(tensor)
        if made.name() == LEAF:
            node.leaf = number
        if known is not None:
            slot = known.slot if known.node is node else 0
            known.node = node
            return node, slot
        return node, 0

    def note_leaves(self) -> None:
        """Note for the known leaves the nodes that add to their `.grad`."""
        for each in self.things.alive():
            if each.is_leaf and not each.stop_gradient:
                self.maker(each)

    def edge(self, node: Node, output: int) -> Edge:
        """Return the edge of events that leads to an output of a node."""
        if node.node.name() == LEAF:
            node.leaf = node.leaf or events.new_number()
            return Edge("leaf", node.leaf)
        group = self.place_of(node).group
        group.slots = max(group.slots, output + 1)
        return Edge("node", group.number, output)

    def place_of(self, node: Node) -> Place:
        """Return the place of a node in a Group; a node from elsewhere gets a Group of its own."""
        if node.place is None:
            self.note_leaves()
            node.place = Place(Group(events.new_number(), node.node.name(), 0, [], 0))
            node.listed = node.node.name().startswith(LISTS)
            for at, following in enumerate(self.follow(node)):
                node.place.exits[at] = at
                edge = None if following is None else self.edge(following, 0)
                node.place.group.edges.append(edge)
        return node.place

    def place_behind(self, tensor: Any) -> Place:
        """Return the place of the node that has made a tensor."""
        target = self.maker(tensor)
        assert target is not None
        return self.place_of(target[0])

    def follow(self, node: Node) -> list[Node | None]:
        """Return the nodes to which the gradients of a node go, and keep them with it."""
        if not node.following:
            following = node.node.next_functions
            node.following = [each and self.things.node_of(each) for each in following]
        return node.following

    def made(
        self, call: int, form: Form, targets: Sequence[Target | None], outs: Sequence[Any],
        listed: bool = False,
    ) -> Group | None:  # fmt: skip
        """Emit the grad node that a call has added, with the tensors that it saved."""
        stack: list[Node] = []
        group = Group(events.new_number(), "", call, [ref(each) for each in outs], len(outs))
        for slot, each in enumerate(outs):
            made = None if each.stop_gradient or each.is_leaf else each.grad_fn
            if made is None:
                continue
            node, known = self.things.node_of(made), self.things.facts(each)
            if node.place is None:
                node.place, node.listed = Place(group), listed
                group.name = group.name or made.name()
                stack.append(node)
            if node.place.group is group and known is not None:
                known.node, known.slot = node, slot
                node.place.slots[slot] = slot
        if not stack:
            return None
        edges = [target and self.edge(*target) for target in targets]
        makers = [target and target[0] for target in targets]
        positions = Positions(edges, makers)
        while stack:
            node = stack.pop()
            assert node.place is not None
            inner = []
            for at, following in enumerate(self.follow(node)):
                if following is None:
                    continue
                is_known = following in makers or following.place or following.node.name() == LEAF
                if not is_known:
                    following.place = Place(group, {0: 0})
                    inner.append(following)
                    continue
                if following.place is not None and following.place.group is group:
                    continue
                node.place.exits[at] = positions.of(following, self.edge(following, 0))
            stack += reversed(inner)
        group.edges = positions.reached()
        made_now = events.GradNodeMade(group.number, group.name, call, tuple(group.edges))
        events.emit(made_now)
        for name, tensor in saved(form, outs):
            self.keep(group, name, tensor)
        return group


def saved(form: Form, outs: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the tensors that the node of a call keeps, with their names in the record."""
    record = find_op(form.op)
    if record is None or (form.op == "divide" and isinstance(form.inputs[1], Seen)):
        return  # Paddle multiplies by a number's inverse, and keeps nothing
    known = dict(zip(record.inputs, form.inputs, strict=False))
    known |= dict(zip(record.outputs, outs, strict=False))
    for name in KEEPS.get(form.op, ()):
        for tensor in flattened([known.get(name)]):
            if isinstance(tensor, Tensor):
                yield name, tensor
