"""The backward pass: first in, first out over the nodes whose gradients have all arrived.

The order is Paddle's. A first look at the graph counts how often each node will be reached; then
`walk` hands gradients on, adds them up where several meet, and visits a node when its last one has
come. None counts as an arrival; a node that gets nothing but None passes None on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any

from .. import events
from ..device import namespace, place_of
from . import modes
from .backward_events import BackwardEvents
from .errors import CheckFailed, InvalidArgument
from .tensor import Node, Tensor


def run(roots: list[Any], seeds: list[Any], retain_graph: bool) -> None:
    """From these nodes or leaves and their gradients, add to the `.grad` of every leaf behind."""
    if modes.gate_open and events.heard():
        teller = BackwardEvents(roots, seeds, retain_graph)
        walk(roots, seeds, retain_graph, teller.visit, teller.add)
        teller.finish()
    else:
        walk(roots, seeds, retain_graph)


def plus(_edge: Any, held: Any, more: Any) -> Any:
    """The sum of two gradients that meet at an edge. Out of place: they may be shared."""
    return held + more


def walk(
    edges: Sequence[Any],
    grads: Iterable[Any],
    retain_graph: bool,
    visit: Callable[[Any, Any], Iterable[Any]] | None = None,
    add: Callable[[Any, Any, Any], Any] = plus,
) -> None:
    """Hand gradients on, from these edges to the nodes behind them, until none is left.

    A node runs its hooks, is visited, and gives one gradient for each of its edges; who wants more
    than that gives a `visit(node, grad)` of its own, and an `add(edge, held, more)`.
    """
    later = count_arrivals(edges)
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()
    while True:
        for edge, grad in zip(edges, grads):  # noqa: B905  (strict costs 3 % of a pass)
            if edge is None:
                continue
            if edge in later:
                if edge in sums:
                    held = sums.pop(edge)
                    if held is not None:
                        grad = held if grad is None else add(edge, held, grad)
                if left := later[edge]:
                    later[edge] = left - 1
                    sums[edge] = grad
                    continue
            ready.append((edge, grad))
        if not ready:
            return
        node, grad = ready.popleft()
        edges = node.edges
        if visit is not None:
            grads = visit(node, grad)
        elif grad is None:
            grads = repeat(None)
        else:
            if node.hooks:
                grad = node.run_hooks(grad)
            grads = node.visit(grad, retain_graph)


def gradients(
    roots: list[Any], seeds: list[Any], wanted: list[Any], create_graph: bool, blocked: set[Any]
) -> list[Any]:
    """The gradients that arrive at the edges `wanted`, without touching any `.grad`.

    What leads nowhere wanted gets None, so that the user's code does not run there for nothing.
    """
    way = on_the_way(roots, wanted)
    teller = BackwardEvents(roots, seeds, retain_graph=True) if events.heard() else None
    hooks_and_visit = teller.hooks_and_visit if teller else Node.hooks_and_visit
    targets = set(wanted)
    arrived: dict[Any, Any] = {}

    def visit(node: Any, grad: Any) -> Iterable[Any]:
        grads: Iterable[Any] = repeat(None)
        if grad is not None:
            if node not in blocked and not way.isdisjoint(node.edges):
                grad, grads = hooks_and_visit(node, grad, True, create_graph)
            elif node.hooks:
                grad = teller.run_hooks(node, grad) if teller else node.run_hooks(grad)
        if node in targets:
            arrived[node] = grad
        return [part if edge in way else None for edge, part in zip(node.edges, grads)]  # noqa: B905

    seeds = [seed if root in way else None for root, seed in zip(roots, seeds, strict=True)]
    walk(roots, seeds, True, visit, teller.add if teller else plus)
    if teller:
        teller.finish()
    return [arrived.get(edge) for edge in wanted]


def count_arrivals(edges: Iterable[Any]) -> dict[Any, int]:
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


def on_the_way(edges: list[Any], wanted: list[Any]) -> set[Any]:
    """The nodes and leaves between here and what is wanted, both ends included."""
    above: dict[Any, list[Any]] = {}
    stack = [(None, edge) for edge in edges]
    while stack:
        source, edge = stack.pop()
        if edge in above:
            above[edge].append(source)
        elif edge is not None:
            above[edge] = [source]
            stack.extend([(edge, following) for following in edge.edges])
    way: set[Any] = set()
    back = [edge for edge in wanted if edge in above]
    while back:
        edge = back.pop()
        if edge is not None and edge not in way:
            way.add(edge)
            back.extend(above[edge])
    return way


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
