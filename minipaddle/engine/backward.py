"""The backward pass: it visits each node once all of its gradients have arrived.

The order is Paddle's, also of hooks. First `count_arrivals` counts the gradients that each node
will get. Then `walk` passes gradients along the edges, and adds those that arrive at the same node.
A node whose last gradient has arrived goes to the end of the queue, a leaf to its front. None
counts as an arrival, too. A node that gets only None does not run, and passes None along all its
edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice, repeat
from typing import Any

import numpy as np

from .. import events
from ..device import namespace, place_of
from ..device.arrays import check_finite
from . import modes, refusals
from .backward_events import BackwardEvents
from .tensor import Node, OutputSlot, Tensor, array_of, as_tensor, share_version

Visit = Callable[[Any, Any], Iterable[Any]]
Add = Callable[[Any, Any, Any], Any]


def run(
    tensors: list[Any], seeds: list[Any], retain_graph: bool, given: Sequence[Any] | None = None
) -> None:
    """Start a pass at these tensors, and add to the `.grad` of every leaf it reaches.

    `seeds` are the gradients to start with; `given` the Tensors that they were copied from, if any.
    """
    if not modes.gate_open and len(tensors) == 1:
        (tensor,) = tensors
        root = tensor._node or tensor
        if type(root) is not OutputSlot:  # by far the most frequent
            walk({root: seeds[0]}, retain_graph)
            return
    roots = [t._node or t for t in tensors]
    if not modes.gate_open:
        walk(first_gradients(roots, seeds), retain_graph)
        return
    observer = BackwardEvents(tensors, seeds, retain_graph, given) if events.heard() else None
    visit, add = (observer.visit, observer.add) if observer else (None, None)
    walk(first_gradients(roots, seeds, add), retain_graph, check_for_nan(visit, retain_graph), add)
    if observer:
        observer.finish()


def walk(
    starts: dict[Any, Any],
    retain_graph: bool,
    visit: Visit | None = None,
    add: Add | None = None,
    ends: frozenset[Any] = frozenset(),
) -> None:
    """Pass gradients on, from the nodes or leaves in `starts`, until none is left.

    A node runs its hooks, is visited, and gives one gradient for each of its edges. A caller may
    replace this by its own `visit(node, grad)`, which ends in `node.hooks_and_visit`, and the sum
    of two gradients by its own `add(edge, held, more)`. The nodes in `ends` go to the front of the
    queue, as leaves do.
    """
    later = count_arrivals(starts)
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()  # (node or leaf, its gradient)
    pairs: Any
    for root, grad in starts.items():
        if root in later:
            later[root] -= 1  # the seed is the first arrival
            sums[root] = grad
        else:
            ready.append((root, grad))
    while ready:
        node, grad = ready.popleft()
        if visit is not None:
            pairs = zip(node.edges, visit(node, grad))  # noqa: B905  (strict costs 3 % of a pass)
        elif grad is None:
            pairs = zip(node.edges, repeat(None))
        else:
            if node.hooks:
                grad = node.run_hooks(grad)
            pairs = zip(node.edges, node.visit(grad, retain_graph))  # noqa: B905
        for edge, grad in pairs:
            if edge is None:
                continue
            if type(edge) is OutputSlot:
                grad = edge.grads(grad)
                edge = edge.node
            left = later.get(edge)
            if left is not None:
                held = sums.pop(edge, None)
                if grad is None:
                    grad = held
                elif held is not None:  # a new array: both summands may be shared
                    grad = held + grad if add is None else add(edge, held, grad)
                if left:
                    later[edge] = left - 1
                    sums[edge] = grad
                    continue
            if not edge.edges or (ends and edge in ends):
                ready.appendleft((edge, grad))
            else:
                ready.append((edge, grad))


def check_for_nan(visit: Visit | None, retain_graph: bool) -> Visit | None:
    """Return a visit that also checks for NaN, or `visit` itself while that check is off."""
    if not modes.here().check_nan:
        return visit

    def plain(node: Any, grad: Any) -> Iterable[Any]:
        if grad is None:
            return repeat(None)
        if isinstance(node, Tensor):
            return node.visit(grad, retain_graph)
        return node.hooks_and_visit(grad, retain_graph, False)[1]

    def visit_and_check(node: Any, grad: Any) -> Iterable[Any]:
        grads = (visit or plain)(node, grad)
        if not isinstance(node, Tensor):
            grads = list(islice(grads, len(node.edges)))
            check_finite(node.name(), [array_of(part) for part in grads if part is not None])
        return grads

    return visit_and_check


def first_gradients(
    roots: Iterable[Any], seeds: Iterable[Any], add: Add | None = None
) -> dict[Any, Any]:
    """Return the first gradient of each node or leaf; one node may have made several roots."""
    sums: dict[Any, Any] = {}
    for edge, grad in zip(roots, seeds):  # noqa: B905  (strict costs 3 % of a short pass)
        if edge.__class__ is OutputSlot:
            address, edge = edge, edge.node
            grad = address.grads(grad)
        held = sums.get(edge)
        if grad is None:
            grad = held
        elif held is not None:
            grad = held + grad if add is None else add(edge, held, grad)
        sums[edge] = grad
    return sums


def gradients(
    tensors: list[Any],
    seeds: list[Any],
    wanted: list[Any],
    create_graph: bool,
    blocked: set[Any],
    given: Sequence[Any],
) -> list[Any]:
    """Return the gradients of tensors that arrive at the edges `wanted`; change no `.grad`.

    Edges that lead to none of these get None, so that no hook or PyLayer runs there in vain.
    """
    roots = [t._node or t for t in tensors]
    way = edges_between(roots, wanted)
    way -= blocked
    observer = BackwardEvents(tensors, seeds, True, given) if events.heard() else None
    hooks_and_visit = observer.hooks_and_visit if observer else Node.hooks_and_visit
    targets = {node_behind(edge) for edge in wanted if edge is not None}
    ends = frozenset([node for node in targets if way.isdisjoint(node.edges)])
    arrived: dict[Any, Any] = {}

    def visit(node: Any, grad: Any) -> Iterable[Any]:
        grads: Iterable[Any] = repeat(None)
        if grad is not None:
            if not way.isdisjoint(node.edges):
                grad, grads = hooks_and_visit(node, grad, True, create_graph)
            elif node.hooks:
                grad = observer.run_hooks(node, grad) if observer else node.run_hooks(grad)
        if node in targets:
            arrived[node] = grad
        return [part if edge in way else None for edge, part in zip(node.edges, grads)]  # noqa: B905

    seeds = [seed if root in way else None for root, seed in zip(roots, seeds, strict=True)]
    add = observer.add if observer else None
    # Paddle adds up seeds in this order in paddle.grad, in the reverse one in backward.
    starts = first_gradients(reversed(roots), reversed(seeds), add)
    walk(starts, True, check_for_nan(visit, True), add, ends)
    came = [gradient_at(edge, arrived) for edge in wanted]
    grads = [None if grad is None else wrap_result(grad, create_graph) for grad in came]
    if observer:
        observer.finish(wanted, grads)
    return grads


def wrap_result(grad: Any, create_graph: bool) -> Tensor:
    """Return a gradient as a Tensor for paddle.grad; with create_graph it never stops gradients."""
    if not create_graph:
        return as_tensor(grad, True)
    if not grad._stop:
        return grad
    # A new Tensor, because a PyLayer may have returned one of the user's.
    result = Tensor(grad._data, False)
    result._version = share_version(grad)
    return result


def gradient_at(edge: Any, arrived: dict[Any, Any]) -> Any:
    """Return the gradient that arrived at this edge, or None if none did."""
    if edge.__class__ is not OutputSlot:
        return arrived.get(edge)
    grads = arrived.get(edge.node)
    return None if grads is None else grads.grads.get(edge.slot)


def node_behind(edge: Any) -> Any:
    """Return the node, or leaf, that is visited for this edge."""
    return edge.node if edge.__class__ is OutputSlot else edge


def count_arrivals(roots: Iterable[Any]) -> dict[Any, int]:
    """Return the number of gradients, less one, that each node or leaf gets; a seed is one, too."""
    later: dict[Any, int] = {}
    reached: set[Any] = set(roots)
    stack: list[Any] = list(reached)
    while stack:
        for edge in stack.pop().edges:
            if edge is None:
                continue
            if type(edge) is OutputSlot:  # the gradient of an output goes to its node
                edge = edge.node
            if edge in reached:
                later[edge] = later.get(edge, 0) + 1
            else:
                reached.add(edge)
                stack.append(edge)
    return later


def edges_between(edges: list[Any], wanted: list[Any]) -> set[Any]:
    """Return the edges on all paths from `edges` to `wanted`, these two among them."""
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


def make_seed(tensor: Tensor, given: Any) -> Any:
    """Return the array that backward starts with: ones, or a copy of the Tensor `given`."""
    if given is None:
        array = tensor._data
        xp = np if array.__class__ is np.ndarray else namespace(array)
        out = xp.empty(array.shape, array.dtype)
        out[...] = 1
        return out
    if given._data.shape != tensor._data.shape:
        raise refusals.seed_shape(got=given._data.shape, wanted=tensor._data.shape)
    require_same_device(tensor, given)
    return given._data.astype(tensor._data.dtype)  # astype copies: the array may become a .grad


def require_same_device(tensor: Tensor, given: Tensor) -> None:
    """Raise an error for a first gradient on another device than its tensor."""
    here, there = place_of(tensor._data), place_of(given._data)
    if here != there:
        raise refusals.seed_elsewhere(here, there)
