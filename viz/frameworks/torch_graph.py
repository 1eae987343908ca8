"""autograd's graph in terms of events: all nodes that one call has added are one grad node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from weakref import ref

import torch
from torch.autograd.graph import get_gradient_edge

from minipaddle import events
from minipaddle.events import Edge
from minipaddle.ops import REGISTRY

from .groups import ForeignGraph, Group, Place, Positions, flattened
from .torch_tensors import TorchThings, is_same, unseen


class Graph(ForeignGraph):
    """The part of autograd's graph that one recording knows."""

    things: TorchThings

    def __init__(self, things: TorchThings) -> None:
        super().__init__(things)
        self.key = f"minipaddle {events.new_number()}"  # of nodes' metadata

    @unseen
    def target(self, tensor: Any) -> tuple[Any, int] | None:
        """Return the node of autograd, and its output, that the gradient of a tensor goes to."""
        if not isinstance(tensor, torch.Tensor) or not tensor.requires_grad:
            return None
        if not torch.is_grad_enabled() or torch.is_inference_mode_enabled():
            return None
        if tensor.grad_fn is not None:
            return tensor.grad_fn, tensor.output_nr
        if tensor.layout is not torch.strided:  # such a leaf has no view, which PyTorch would take
            return tensor.clone().grad_fn.next_functions[0]
        return tuple(get_gradient_edge(tensor)[:2])

    def edge(self, node: Any, output: int) -> Edge:
        """Return the edge of events that leads to an output of one of autograd's nodes."""
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            number = node.metadata[self.key] = self.things.give_number(leaf)
            return Edge("leaf", number)
        place = self.place_of(node)
        slot = place.slots.get(output)
        if slot is None:
            slot = place.slots[output] = place.group.slots
            place.group.slots += 1
        return Edge("node", place.group.number, slot)

    def place_of(self, node: Any) -> Place:
        """Return the place of a node in a Group; a node from elsewhere gets a Group of its own."""
        place: Place | None = node.metadata.get(self.key)
        if place is None:
            place = Place(Group(events.new_number(), node.name(), 0, [], 0))
            node.metadata[self.key] = place
            for at, (following, output) in enumerate(node.next_functions):
                place.exits[at] = at
                edge = None if following is None else self.edge(following, output)
                place.group.edges.append(edge)
        return place

    @unseen
    def made(
        self, call: int, op: str, inputs: Sequence[Any], targets: Sequence[Any], outs: Sequence[Any]
    ) -> Group | None:
        """Emit the grad node that a call has added, with the tensors that it saved."""
        results = [ref(each) for each in outs]
        group = Group(events.new_number(), f"{op}Backward", call, results, len(results))
        stack = []
        for slot, each in enumerate(outs):
            node = each.grad_fn
            if node is None or isinstance(node.metadata.get(self.key), Place):
                if node is None or node.metadata[self.key].group is not group:
                    continue
            else:
                node.metadata[self.key] = Place(group)
                stack.append(node)
            node.metadata[self.key].slots[each.output_nr] = slot
        if not stack:
            return None
        before = {target[0] for target in targets if target is not None}
        edges = [target and self.edge(*target) for target in targets]
        places = Positions(edges, edges)
        nodes = []
        stack.reverse()
        while stack:
            node = stack.pop()
            nodes.append(node)
            place, inner = node.metadata[self.key], []
            for at, (following, output) in enumerate(node.next_functions):
                if following is None:
                    continue
                is_leaf = hasattr(following, "variable")
                known = following.metadata.get(self.key)
                if is_leaf or following in before or (known and known.group is not group):
                    edge = self.edge(following, output)
                    place.exits[at] = places.of(edge, edge)
                elif known is None:
                    following.metadata[self.key] = Place(group)
                    inner.append(following)
            stack += reversed(inner)
        group.edges = places.reached()
        made = events.GradNodeMade(group.number, group.name, call, tuple(group.edges))
        events.emit(made)
        for name, tensor in self.saved(nodes, op, flattened(inputs), outs):
            self.keep(group, name, tensor)
        return group

    def saved(
        self, nodes: Sequence[Any], op: str, inputs: Sequence[Any], outs: Sequence[Any]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the tensors of a call that its nodes have saved, with their names."""
        if torch._C._autograd._top_saved_tensors_default_hooks(True) is not None:
            return  # reading them would run the user's hooks
        record = REGISTRY.get(op)
        names = [*record.inputs] if record else []
        names = names if len(names) == len(inputs) else []
        results = [*record.outputs] if record and len(record.outputs) == len(outs) else []
        known = [
            (each, row[at] if at < len(row) else "")
            for tensors, row in ((inputs, names), (outs, results))
            for at, each in enumerate(tensors)
            if isinstance(each, torch.Tensor)
        ]
        for name, tensor in (pair for node in nodes for pair in saved_by(node)):
            alike = [pair for pair in known if is_same(pair[0], tensor)]
            for each, its_name in alike[:1]:
                yield its_name or name, each


def saved_by(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tensors that a node has saved, with their names in PyTorch."""
    for name in saved_names(node.__class__):
        try:
            value = getattr(node, name)
        except RuntimeError:  # it was freed
            continue
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, torch.Tensor):
                yield name.removeprefix("_saved_"), each


@cache
def saved_names(kind: type) -> list[str]:
    """Return the attributes in which nodes of a class have saved tensors."""
    names = (name for name in dir(kind) if name.startswith("_saved_"))
    return [name for name in names if hasattr(kind, f"_raw{name}")]
