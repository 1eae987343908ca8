"""The backward pass: first in, first out over the nodes whose gradients have all arrived.

The order is Paddle's. A first walk counts how often each node will be reached; the second hands
gradients on, adds them up where several meet, and visits a node when its last one has come. None
counts as an arrival; a node that gets nothing but None passes None on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from .. import events
from ..device import namespace, place_of
from . import modes, naming, source_line
from .errors import CheckFailed, InvalidArgument
from .tensor import (
    Partial,
    Pick,
    Tensor,
    array_of,
    edge_noted,
    edge_seen,
    ndarray,
    node_id,
    noted,
    seen,
    tensor_id,
)

Start = list[tuple[Any, Any]]  # where backward begins (a node or leaf), with which gradient


def run(start: Start, keep: bool) -> None:
    """Add the gradients of all leaves that `start` leads to to their `.grad`."""
    if modes.gate_open and events.heard():
        run_aloud(start, keep)
        return
    later = count_arrivals([edge for edge, _ in start])
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()
    if len(start) == 1:
        ready.append(start[0])
    else:
        arrive(start, later, sums, ready)
    while ready:
        node, grad = ready.popleft()
        if grad is None:
            grads: Any = (None,) * len(node.edges)
        else:
            if node.hooks:
                grad = node.arrived(grad)
            grads = node.visit(grad, keep)
        for edge, part in zip(node.edges, grads):  # noqa: B905  (strict costs 3 % of a pass)
            if edge is None:
                continue
            if edge in later:
                if edge in sums:
                    part = add(sums[edge], part)
                if left := later[edge]:
                    later[edge] = left - 1
                    sums[edge] = part
                    continue
                sums.pop(edge, None)
            ready.append((edge, part))


def count_arrivals(edges: list[Any]) -> dict[Any, int]:
    """For every node or leaf reached more than once: how many gradients come after the first."""
    later: dict[Any, int] = {}
    reached: set[Any] = set()
    stack: list[Any] = []
    for edge in edges:
        if edge in reached:
            later[edge] = later.get(edge, 0) + 1
        else:
            reached.add(edge)
            stack.append(edge)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None:
                if edge in reached:
                    later[edge] = later.get(edge, 0) + 1
                else:
                    reached.add(edge)
                    stack.append(edge)
    return later


def hooked(node: Any, grad: Any) -> Any:
    """A gradient after the hooks of the tensor that the node made; a leaf runs its own."""
    return node.arrived(grad) if node.hooks else grad


def add(held: Any, more: Any) -> Any:
    """The sum of two gradients, either of which may be None. Out of place: they may be shared."""
    if held is None or more is None:
        return held if more is None else more
    return held + more


def _add_at(_edge: Any, held: Any, more: Any) -> Any:
    return add(held, more)


def arrive(
    grads: Start,
    later: dict[Any, int],
    sums: dict[Any, Any],
    ready: deque[tuple[Any, Any]],
    adding: Callable[[Any, Any, Any], Any] = _add_at,
) -> None:
    """Hand gradients to their nodes; a node whose last one came is ready."""
    for edge, grad in grads:
        if edge in sums:
            grad = adding(edge, sums[edge], grad)
        if later.get(edge):
            later[edge] -= 1
            sums[edge] = grad
        else:
            sums.pop(edge, None)
            ready.append((edge, grad))


# ----- the same, told to listeners ---------------------------------------------------------------


def run_aloud(start: Start, keep: bool) -> None:
    """The same pass, with a record of every step."""
    aloud = Aloud(start)
    later = count_arrivals([edge for edge, _ in start])
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()
    arrive(start, later, sums, ready)
    while ready:
        node, grad = ready.popleft()
        if node.__class__ is Tensor or isinstance(node, Tensor):
            aloud.leaf(node, grad, keep)
            continue
        for edge, part in aloud.visit(node, grad, keep)[1]:
            if edge in later:
                arrive([(edge, part)], later, sums, ready, aloud.add)
            else:
                ready.append((edge, part))
    aloud.finish()


def run_idle(root: Tensor) -> None:
    """Tell of a backward that does nothing, because its tensor wants no gradient."""
    number = naming.next_id()
    events.emit(events.BackwardStarted(number, (seen(root),), (), (), source_line.here()))
    events.emit(events.BackwardFinished(number))


class Aloud:
    """One backward pass as listeners hear it.

    `told` holds gradients on their way, by identity, with what stood for them in the note: each is
    told at least twice, where it is computed and where it arrives.
    """

    __slots__ = ("note_taker", "number", "place", "told")

    def __init__(self, start: Start) -> None:
        self.note_taker, self.place, self.number = (
            events.note_taker(),
            source_line.here(),
            naming.next_id(),
        )
        self.told: dict[int, tuple[Any, Any]] = {}
        edges: Any = tuple(edge_seen(edge) for edge, _ in start)
        seeds = tuple(events.notes.value(self.new(grad)) for _, grad in start)
        leaves = tuple(seen(edge) for edge, _ in start if isinstance(edge, Tensor))
        events.emit(events.BackwardStarted(self.number, leaves, seeds, edges, self.place))

    def finish(self) -> None:
        events.emit(events.BackwardFinished(self.number))

    def value(self, grad: Any) -> Any:
        """What stands for a gradient in a note."""
        return self.note_taker.keep(grad if grad.__class__ is ndarray else array_of(grad))

    def new(self, grad: Any) -> Any:
        """The same of a gradient that sets out."""
        value = self.note_taker.keep(grad if grad.__class__ is ndarray else array_of(grad))
        self.told[id(grad)] = grad, value
        return value

    def old(self, grad: Any) -> Any:
        """What stood for a gradient in the note when it set out."""
        found = self.told.pop(id(grad), None)
        return self.value(grad) if found is None else found[1]

    def visit(self, node: Any, grad: Any, keep: bool, graph: bool = False) -> tuple[Any, Start]:
        """Visit one node and tell what came and what it computed.

        Returns what came, after the hooks, and the gradients with their edges.
        """
        if grad is None:
            return None, [(edge, None) for edge in node.edges if edge is not None]
        if node.__class__ is Pick:
            self.told.pop(id(grad), None)
            grad = hooked(node, grad)
            return grad, [(node.edges[0], node.visit(grad, keep)[0])]
        note_taker, number, kept = self.note_taker, node.id or node_id(node), node.kept_names()
        came = (self.old(grad),) if grad.__class__ is ndarray else self.arrived(node, grad)
        note_taker.begin((events.notes.node_visited, number, node.title, *came))
        try:
            if node.hooks:
                grad = node.arrived(grad)
            grads = node.visit_graph(grad) if graph else node.visit(grad, keep)
        except BaseException as error:
            events.failed("node", number, error, self.place)
            raise
        parts: Start = []
        shown: list[Any] = []
        for index, edge in enumerate(node.edges):
            if edge is not None:
                part = grads[index]
                shown += index, *edge_noted(edge), None if part is None else self.new(part)
                parts.append((edge, part))
        note_taker.take((events.notes.node_finished, number, () if keep else kept, *shown))
        return grad, parts

    def arrived(self, node: Any, grad: Any) -> tuple[Any, ...]:
        """The gradients of a node's outputs as they stand in the note."""
        if grad.__class__ is not Partial:
            return (self.old(grad),)
        count = max(len(node.out_metas), max(grad.grads) + 1)
        return tuple(
            self.value(grad.grads[slot]) if slot in grad.grads else None for slot in range(count)
        )

    def hooked(self, node: Any, grad: Any) -> Any:
        """A gradient after the hooks at a node that is not visited; a failing one is told."""
        if not node.hooks:
            return grad
        with events.failing("node", node_id(node), self.place):
            return node.arrived(grad)

    def leaf(self, leaf: Tensor, grad: Any, keep: bool) -> None:
        """Add to a leaf's gradient and tell."""
        if grad is None:
            return
        held = leaf._grad
        with events.failing("leaf", tensor_id(leaf), self.place):  # in a hook
            leaf.visit(grad, keep)
        self.told.pop(id(grad), None)
        total = self.value(leaf._grad)
        if held is not None:
            self.sum(leaf, self.value(held), self.value(grad), total)
        self.note_taker.take(
            (events.notes.leaf_reached, total, *noted((leaf,), self.note_taker.keep))
        )

    def add(self, edge: Any, held: Any, more: Any) -> Any:
        """Add two gradients and tell, unless one of them is None."""
        total = add(held, more)
        if held is None or more is None:
            return total
        if isinstance(held, Partial):  # they meet only where both hold the same output
            for slot in held.grads.keys() & more.grads.keys():
                three = (self.value(part.grads[slot]) for part in (held, more, total))
                self.sum(Pick(edge, slot), *three)
        else:
            self.sum(edge, self.old(held), self.old(more), self.new(total))
        return total

    def sum(self, edge: Any, held: Any, added: Any, total: Any) -> None:
        """Tell of `held += added`."""
        self.note_taker.take((events.notes.grads_added, *edge_noted(edge), held, added, total))


# ----- gradients as values: paddle.grad ----------------------------------------------------------


def gradients(start: Start, wanted: list[Any], create_graph: bool, blocked: set[Any]) -> list[Any]:
    """The gradients that arrive at the edges `wanted`, without touching any `.grad`."""
    aloud = Aloud(start) if events.heard() else None
    found: dict[Any, Any] = {}
    later = count_on_the_way([edge for edge, _ in start], wanted)
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()
    adding = aloud.add if aloud else _add_at
    targets = set(wanted)
    arrive([(edge, grad) for edge, grad in start if edge in later], later, sums, ready, adding)
    while ready:
        node, grad = ready.popleft()
        parts: Start = [(edge, None) for edge in node.edges if edge in later]
        if grad is not None and parts and node not in blocked:
            if aloud:
                grad, given = aloud.visit(node, grad, True, create_graph)
            else:
                grad, given = _visited(node, grad, create_graph)
            parts = [(edge, part) for edge, part in given if edge in later]
        elif grad is not None:
            grad = aloud.hooked(node, grad) if aloud else hooked(node, grad)
        if node in targets:
            found[node] = grad
        arrive(parts, later, sums, ready, adding)
    if aloud:
        aloud.finish()
    return [found.get(edge) for edge in wanted]


def _visited(node: Any, grad: Any, graph: bool) -> tuple[Any, Start]:
    """The gradient after the hooks, and those that the node computes, with their edges."""
    grad = hooked(node, grad)
    grads = node.visit_graph(grad) if graph else node.visit(grad, True)
    return grad, list(zip(node.edges, grads, strict=True))


def count_on_the_way(edges: list[Any], wanted: list[Any]) -> dict[Any, int]:
    """For every node between here and what is wanted: how many gradients come after the first.

    Nodes that lead nowhere wanted are not in it: their user's code must not run for nothing.
    """
    above: dict[Any, list[Any]] = {}
    stack = [(None, edge) for edge in edges]
    while stack:
        source, edge = stack.pop()
        if edge in above:
            above[edge].append(source)
        elif edge is not None:
            above[edge] = [source]
            stack.extend([(edge, following) for following in edge.edges])
    later: dict[Any, int] = {}
    back = [edge for edge in wanted if edge in above]
    while back:
        edge = back.pop()
        if edge is not None and edge not in later:
            later[edge] = len(above[edge]) - 1
            back.extend(above[edge])
    return later


# ----- starting ----------------------------------------------------------------------------------


def seed_of(tensor: Tensor, given: Any) -> Any:
    """The gradient that backward starts with: ones, or what the user gave."""
    xp = namespace(tensor._data)
    if given is None:
        out = xp.empty(tensor._data.shape, tensor._data.dtype)
        out[...] = 1
        return out
    if given._data.shape != tensor._data.shape:
        raise CheckFailed(
            "backward(): Tensor shape not match: the gradient to start with does not have the "
            "tensor's shape.",
            expected=f"shape {list(tensor._data.shape)}",
            received=f"shape {list(given._data.shape)}",
            fix="give one gradient element for every element of the tensor",
        )
    same_place(tensor, given)
    return given._data.astype(tensor._data.dtype)  # a copy: it may become somebody's .grad


def same_place(tensor: Tensor, given: Tensor) -> None:
    """A gradient starts on the device of its tensor."""
    here, there = place_of(tensor._data), place_of(given._data)
    if here != there:
        raise InvalidArgument(
            "backward(): the tensor and the gradient to start with are on different devices.",
            expected=f"a gradient on {here}, as the tensor is",
            received=f"a gradient on {there}",
            fix=f"move it: grad_tensor.to('{here.text}')",
        )
