"""The backward pass: first in, first out over the nodes whose gradients have all arrived.

The order is Paddle's. A first walk counts how often each node will be reached; the second hands
gradients on, adds them up where several meet, and visits a node when its last one has come. None
counts as an arrival; a node that gets nothing but None passes None on.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from .. import dispatch, events, naming, places
from ..core import Partial, Pick, Tensor, edge_seen, node_id, run_hooks, seen, value_of
from ..device import namespace
from ..errors import CheckFailed

Start = list[tuple[Any, Any]]  # where backward begins (a node or leaf), with which gradient


def run(start: Start, keep: bool) -> None:
    """Add the gradients of all leaves that `start` leads to to their `.grad`."""
    if dispatch._gate is not None and events.heard():
        run_aloud(start, keep)
        return
    later = count_arrivals([edge for edge, _ in start])
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()
    arrive(start, later, sums, ready)
    while ready:
        node, grad = ready.popleft()
        grads = node.visit(grad, keep) if grad is not None else (None,) * len(node.edges)
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


def add(held: Any, more: Any) -> Any:
    """The sum of two gradients, either of which may be None. Out of place: they may be shared."""
    if held is None or more is None:
        return held if more is None else more
    return held + more


def arrive(
    grads: Start, later: dict[Any, int], sums: dict[Any, Any], ready: deque[tuple[Any, Any]]
) -> None:
    """Hand gradients to their nodes; a node whose last one came is ready."""
    for edge, grad in grads:
        if edge in sums:
            grad = add(sums[edge], grad)
        if later.get(edge):
            later[edge] -= 1
            sums[edge] = grad
        else:
            sums.pop(edge, None)
            ready.append((edge, grad))


# ----- the same, told to listeners -----------------------------------------------------------------


def run_aloud(start: Start, keep: bool) -> None:
    """The same pass, with a record of every step."""
    number = naming.next_id()
    roots = tuple(edge_seen(edge) for edge, _ in start)
    seeds = tuple(value_of(grad) for _, grad in start)
    tensors = tuple(seen(edge) for edge, _ in start if isinstance(edge, Tensor))
    events.emit(events.BackwardStarted(number, tensors, seeds, roots, places.here()))  # type: ignore[arg-type]
    later = count_arrivals([edge for edge, _ in start])
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()
    arrive(start, later, sums, ready)
    while ready:
        node, grad = ready.popleft()
        grads = visit_aloud(node, grad, keep)
        for edge, part in zip(node.edges, grads, strict=True):
            if edge is None:
                continue
            if edge in later:
                if edge in sums:
                    part = add_aloud(edge, sums[edge], part)
                if left := later[edge]:
                    later[edge] = left - 1
                    sums[edge] = part
                    continue
                sums.pop(edge, None)
            ready.append((edge, part))
    events.emit(events.BackwardFinished(number))


def visit_aloud(node: Any, grad: Any, keep: bool) -> Any:
    """Visit one node or leaf and tell what came and what it computed."""
    if grad is None:
        return (None,) * len(node.edges)
    if isinstance(node, Tensor):
        held = node._grad
        node.visit(grad, keep)
        if held is not None:
            parts = value_of(held), value_of(grad), value_of(node._grad)
            events.emit(events.GradAccumulated(edge_seen(node), *parts))  # type: ignore[arg-type]
        events.emit(events.LeafReached(seen(node), value_of(node._grad)))
        return ()
    if isinstance(node, Pick):
        return node.visit(grad, keep)
    number = node_id(node)
    events.emit(events.NodeVisited(number, node.name(), arrived(node, grad)))
    slots = tuple(getattr(node, "slot_names", ()))
    with events.failing("node", number, places.here()):
        grads = node.visit(grad, keep)
    for index, (edge, part) in enumerate(zip(node.edges, grads, strict=True)):
        if edge is not None:
            shown = None if part is None else _shown(part)
            events.emit(events.GradComputed(number, index, edge_seen(edge), shown))  # type: ignore[arg-type]
    if not keep and slots:
        events.emit(events.SavedReleased(number, slots))
    return grads


def add_aloud(edge: Any, held: Any, more: Any) -> Any:
    """Add two gradients and tell, unless one of them is None."""
    total = add(held, more)
    if held is not None and more is not None and not isinstance(edge, Pick):
        if isinstance(held, Partial):
            both = [slot for slot in held.grads if slot in more.grads]
            shown = [(p.grads[slot]) for slot in both for p in (held, more, total)]
        else:
            shown = [held, more, total]
        for i in range(0, len(shown), 3):
            parts = [value_of(part) for part in shown[i : i + 3]]
            events.emit(events.GradAccumulated(edge_seen(edge), *parts))  # type: ignore[arg-type]
    elif isinstance(edge, Pick) and held is not None and more is not None:
        parts = [value_of(part) for part in (held, more, total)]
        events.emit(events.GradAccumulated(edge_seen(edge), *parts))  # type: ignore[arg-type]
    return total


def arrived(node: Any, grad: Any) -> tuple[Any, ...]:
    """The gradients of a node's outputs as events show them."""
    if not isinstance(grad, Partial):
        return (value_of(grad),)
    count = max(len(getattr(node, "out_metas", ())), max(grad.grads) + 1)
    return tuple(
        value_of(grad.grads[slot]) if slot in grad.grads else None for slot in range(count)
    )


def _shown(part: Any) -> Any:
    return value_of(next(iter(part.grads.values())) if isinstance(part, Partial) else part)


# ----- gradients as values: paddle.grad ------------------------------------------------------------


def gradients(start: Start, wanted: list[Any], create_graph: bool, blocked: set[Any]) -> list[Any]:
    """The gradients that arrive at the edges `wanted`, without touching any `.grad`."""
    found: dict[Any, Any] = {}
    later = count_arrivals([edge for edge, _ in start])
    sums: dict[Any, Any] = {}
    ready: deque[tuple[Any, Any]] = deque()
    arrive(start, later, sums, ready)
    targets = set(wanted)
    while ready:
        node, grad = ready.popleft()
        if node in targets:
            leaf_hooks = isinstance(node, Tensor) and node._rare is not None and node._rare.hooks
            found[node] = run_hooks(node, leaf_hooks, grad) if leaf_hooks else grad
        if isinstance(node, Tensor):
            continue
        if grad is None or node in blocked:
            grads: Any = (None,) * len(node.edges)
        else:
            grads = node.visit_graph(grad) if create_graph else node.visit(grad, True)
        arrive(
            [(e, g) for e, g in zip(node.edges, grads, strict=True) if e is not None],
            later, sums, ready,
        )  # fmt: skip
    return [found.get(edge) for edge in wanted]


# ----- starting -------------------------------------------------------------------------------------


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
    return given._data.astype(tensor._data.dtype, copy=False)

