"""Backward passes of autograd as events, seen by hooks that last as long as a pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from threading import get_ident
from typing import Any
from weakref import ref

import numpy as np
import torch
from torch.autograd.graph import get_gradient_edge

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.events import Edge, Value

from .torch_graph import Graph, Group, Place
from .torch_tensors import same_values, unseen, value_of


@dataclass(slots=True)
class Visit:
    """The visit of a group; `grads` has what its nodes have computed, `later` what follows."""

    group: Group
    grads: dict[int, list[Any]] = field(default_factory=dict)
    held: dict[Edge, Any] = field(default_factory=dict)
    later: list[Any] = field(default_factory=list)
    arrived: Any = None  # the gradient of the first output


@dataclass(slots=True)
class Pass:
    """A running backward pass; `buffers` has the sums of gradients that wait at edges."""

    retain_graph: bool
    chooses: bool  # whether only some tensors are asked for
    place: Any
    number: int = field(default_factory=events.new_number)
    visit: Visit | None = None
    visited: set[int] = field(default_factory=set)
    buffers: dict[Edge, Any] = field(default_factory=dict)
    handles: list[Any] = field(default_factory=list)
    hooked: set[Edge] = field(default_factory=set)  # edges at which a known hook ran
    arriving: dict[int, Any] = field(default_factory=dict)  # leaf -> the gradient that came
    stored: dict[int, tuple[Value, Value]] = field(default_factory=dict)  # leaf -> .grad, added


class Passes:
    """The backward passes of one recording."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.things = graph, graph.things
        self.ran = self.closed = False  # whether a pass has ended, and the recording
        self.running: list[Pass] = []
        self.hooks: list[tuple[Any, Any]] = []  # handles of the user's hooks, with these hooks

    def close(self) -> None:
        """Let the user's hooks be as they were before."""
        self.closed = True
        for handle, hook in self.hooks:
            known = handle.hooks_dict_ref()
            if known is not None and handle.id in known:
                known[handle.id] = hook

    def run(
        self, engine: Any, outputs: Any, seeds: Any, retain: bool, *args: Any, **kwargs: Any
    ) -> Any:
        """Run a backward pass, with hooks on each node that may run, and emit its events."""
        wanted = args[1] if len(args) > 1 else ()
        roots = [(each, *start_of(each)) for each in outputs]
        run = self.begin(roots, seeds, Pass(bool(retain), bool(wanted), source_line.here()))
        self.running.append(run)
        try:
            self.hook([node for _, node, _ in roots], run)
            grads = engine(outputs, seeds, retain, *args, **kwargs)
            self.finish_visit(run)
        except BaseException as error:
            if run.visit is not None:
                events.failed("node", run.visit.group.number, error, run.place)
            raise
        finally:
            self.running.pop()
            for handle in run.handles:
                handle.remove()
        self.ran = True
        stored = not wanted or kwargs.get("accumulate_grad", True)
        numbers = [0 if each is None else self.things.give_number(each) for each in grads or ()]
        taken = () if stored else zip(wanted, numbers, strict=True)
        results = [events.GradientTaken(self.graph.edge(*start_of(x)), n) for x, n in taken]
        events.emit(events.BackwardFinished(run.number, tuple(results)))
        return grads

    @unseen
    def begin(self, roots: Sequence[Any], seeds: Sequence[Any], run: Pass) -> Pass:
        """Emit the begin of a pass; a root is a tensor with its node and the node's output."""
        edges = tuple(self.graph.edge(node, output) for _, node, output in roots)
        begun = (each for each, node, _ in roots if hasattr(node, "variable"))
        leaves = tuple(map(self.things.seen, begun))
        values = tuple(value_of(seed, copy=True) for seed in seeds)
        given = tuple(self.things.number_of(seed) for seed in seeds)
        given = given if any(given) else ()
        loss = next((each.detach().item() for each, *_ in reversed(roots) if is_number(each)), None)
        facts = leaves, values, edges, run.place, given, loss
        events.emit(events.BackwardStarted(run.number, *facts))
        for edge, seed in zip(edges, seeds, strict=True):
            self.arrive(run, edge, seed)
        return run

    @unseen
    def hook(self, roots: list[Any], run: Pass) -> None:
        """Put hooks on all nodes that can be reached, for one pass."""
        reached, stack, callback = set(roots), list(reversed(roots)), self.callback()
        while stack:
            node = stack.pop()
            leaf = getattr(node, "variable", None)
            if leaf is not None:
                number = node.metadata.get(self.graph.key) or self.graph.edge(node, 0).id
                after = partial(self.leaf_reached, run, number)
                handle = leaf.register_post_accumulate_grad_hook(callback(after))
                leaf._post_accumulate_grad_hooks.move_to_end(handle.id, last=False)
                before = partial(self.leaf_begins, run, number, ref(leaf))
                run.handles += [handle, node.register_prehook(callback(before))]
                continue
            place = self.graph.place_of(node)
            after = partial(self.node_ran, run, place, [each for each, _ in node.next_functions])
            enter = partial(self.node_begins, run, place)
            run.handles.append(node.register_prehook(callback(enter)))
            run.handles.append(node.register_hook(callback(after)))
            for following, _ in node.next_functions:
                if following is not None and following not in reached:
                    reached.add(following)
                    stack.append(following)

    def callback(self) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Return what makes a hook of a function; on another device it runs in another thread."""
        thread, context = get_ident(), copy_context()

        def made(function: Callable[..., None]) -> Callable[..., None]:
            def run(*args: Any) -> None:
                if get_ident() == thread:
                    function(*args)
                else:
                    context.run(function, *args)

            return unseen(run)

        return made

    def arrive(self, run: Pass, edge: Edge, grad: Any) -> None:
        """Add a gradient to what waits at an edge, in PyTorch's order."""
        held = run.buffers.get(edge)
        with torch.no_grad():
            run.buffers[edge] = grad.detach() if held is None else held + grad.detach()

    def node_begins(self, run: Pass, place: Place, grads: Sequence[Any]) -> None:
        """Begin the visit of a group, unless it has begun."""
        arrived = {place.slots[i]: g for i, g in enumerate(grads) if i in place.slots}
        for slot, (before, after) in self.begin_visit(run, place.group, arrived).items():
            edge = Edge("node", place.group.number, slot)
            events.emit(changed_by_hook(edge, before, after))
        if run.visit is not None and 0 in arrived:
            run.visit.arrived = arrived[0]

    def begin_visit(
        self, run: Pass, group: Group, arrived: dict[int, Any]
    ) -> dict[int, tuple[Any, Any]]:
        """Emit the visit of a group with the gradients that have arrived, unless it has begun.

        Return those that are others than were sent: a hook from before the recording has changed
        them.
        """
        if run.visit is not None and run.visit.group is group:
            return {}
        self.finish_visit(run)
        run.visit = Visit(group)
        if group.number in run.visited:
            return {}
        run.visited.add(group.number)
        edges = [Edge("node", group.number, slot) for slot in range(group.slots)]
        sent = {edge.slot: run.buffers.pop(edge) for edge in edges if edge in run.buffers}
        changed = {
            slot: (sent[slot], grad)
            for slot, grad in arrived.items()
            if slot in sent and differs(sent[slot], grad)
        }
        grads = sent | arrived | {slot: before for slot, (before, _) in changed.items()}
        run.visit.arrived = grads.get(0)
        count = max([len(group.outputs), *(slot + 1 for slot in grads)])
        values = tuple(
            None if grads.get(slot) is None else value_of(grads[slot]) for slot in range(count)
        )
        events.emit(events.NodeVisited(group.number, group.name, values))
        for slot, output in enumerate(group.outputs):
            tensor = output()
            if tensor is not None and tensor.retains_grad and tensor.grad is not None:
                edge = Edge("node", group.number, slot)
                number = self.things.give_number(tensor.grad)
                events.emit(events.GradientRetained(edge, number))
        return changed

    def node_ran(
        self, run: Pass, place: Place, following: Sequence[Any], grads: Sequence[Any], _: Any
    ) -> None:
        """Note the gradients that a node has computed for other groups."""
        self.begin_visit(run, place.group, {})
        visit: Any = run.visit
        for at, index in place.exits.items():
            edge = place.group.edges[index]
            if following[at] is None or edge is None or at >= len(grads):
                continue
            visit.grads.setdefault(index, []).append(grads[at])
            if grads[at] is not None:
                visit.held.setdefault(edge, run.buffers.get(edge))
                self.arrive(run, edge, grads[at])

    @unseen
    def finish_visit(self, run: Pass) -> None:
        """Emit the gradients that the visited group has computed, and where they met others."""
        visit, run.visit = run.visit, None
        if visit is None:
            return
        sums: dict[Edge, list[Any]] = {}
        for index, parts in sorted(visit.grads.items()):
            edge: Any = visit.group.edges[index]
            there = [part for part in parts if part is not None]
            total = None
            if there:
                total = there[0]
                for part in there[1:]:
                    total = total.detach() + part.detach()
                sums.setdefault(edge, []).append(total.detach())
            if total is None and run.chooses and not visit.group.tensors:
                continue  # nobody asked for this gradient
            grad = None if total is None else value_of(total)
            spread = visit.group.spread
            if spread and grad and visit.arrived is not None:
                before = spread.gradient(index, value_of(visit.arrived).data, grad.data)
                if before is not None:
                    whole = Value(before.shape, grad.dtype, before)
                    more = events.GradUnbroadcast(visit.group.number, index, whole, grad)
                    events.emit(more)
            events.emit(events.GradComputed(visit.group.number, index, edge, grad))
        if visit.group.saved and not run.retain_graph:
            events.emit(events.SavedReleased(visit.group.number, tuple(visit.group.saved)))
        for edge, totals in sums.items():
            held = visit.held.get(edge)
            for grad in totals:
                if held is None:
                    held = grad
                else:
                    total = held + grad
                    old, added, now = map(value_of, (held, grad, total))
                    events.emit(events.GradAccumulated(edge, old, added, now, stored=False))
                    held = total
        for event in visit.later:
            events.emit(event)

    def leaf_begins(self, run: Pass, number: int, leaf: Any, grads: Sequence[Any]) -> None:
        """Note the gradient that a leaf holds, and the one that comes to it."""
        edge, tensor = Edge("leaf", number), leaf()
        sent = run.buffers.pop(edge, None)
        if sent is not None and edge not in run.hooked and differs(sent, grads[0]):
            happened = changed_by_hook(edge, sent, grads[0])
            self.finish_visit(run)
            events.emit(happened)
        run.arriving[number] = grads[0]
        if tensor is not None and tensor.grad is not None and grads[0] is not None:
            run.stored[number] = value_of(tensor.grad, copy=True), value_of(grads[0], copy=True)

    def leaf_reached(self, run: Pass, number: int, leaf: Any) -> None:
        """Note the gradient that a leaf has now."""
        if leaf.grad is None:
            return
        arrived = run.arriving.pop(number, None)
        if number not in run.stored and arrived is not None:
            same_values(leaf.grad, arrived)
        now = value_of(leaf.grad, copy=True)
        happened: list[Any] = []
        if number in run.stored:
            held, added = run.stored.pop(number)
            edge = Edge("leaf", number)
            happened.append(events.GradAccumulated(edge, held, added, now, stored=True))
        seen, holder = self.things.seen(leaf), self.things.give_number(leaf.grad)
        seen.id = number
        happened.append(events.LeafReached(seen, now, holder))
        if run.visit is not None:
            run.visit.later += happened
        else:
            for event in happened:
                events.emit(event)

    # ----- hooks of the user ---------------------------------------------------------------------

    def register_hook(self, func: Any, tensor: Any, hook: Any) -> Any:
        """Register a hook of the user's on a tensor, in a wrapper that emits an event."""
        target = self.graph.target(tensor)
        edge = None if target is None else self.graph.edge(*target)
        is_inner = target is not None and edge is not None and edge.kind == "node"
        group = self.graph.place_of(target[0]).group if target and is_inner else None
        name = getattr(hook, "__name__", type(hook).__name__)

        def run(grad: Any) -> Any:
            if self.closed or not self.running or edge is None:
                return hook(grad)
            with torch._C.DisableTorchFunction():
                if group is None:
                    self.finish_visit(self.running[-1])
                else:  # the hook belongs to the visit, in events
                    self.begin_visit(self.running[-1], group, {})
                before, given = value_of(grad, copy=True), self.things.give_number(grad)
            after = hook(grad)
            with torch._C.DisableTorchFunction():
                made = grad if after is None else after
                number = 0 if after is None else self.things.give_number(made)
                where = source_line.of_function(hook)
                now = value_of(made)
                events.emit(events.HookRan(edge, name, before, now, where, given, number))
                self.running[-1].hooked.add(edge)
            return after

        handle = func(tensor, run)
        self.hooks.append((handle, hook))
        return handle


def differs(sent: Any, came: Any) -> bool:
    """Return whether a gradient that came is another one than was sent, rounding aside."""
    if came is None or came.shape != sent.shape:
        return came is not None
    if sent.layout is came.layout is torch.strided and sent.data_ptr() == came.data_ptr() != 0:
        return False
    before, after = value_of(sent).data, value_of(came).data
    if isinstance(before, dict):  # statistics
        return before != after
    known = before is not None and after is not None
    return known and not np.allclose(before, after, 1e-4, 1e-7, equal_nan=True)


def changed_by_hook(edge: Edge, before: Any, after: Any) -> events.HookRan:
    """Return the event of a hook that was registered before the recording."""
    values = value_of(before, copy=True), value_of(after, copy=True)
    return events.HookRan(edge, "from before the recording", *values, None)


def start_of(tensor: Any) -> tuple[Any, int]:
    """Return the node of autograd, and its output, at which backward of a tensor begins."""
    edge = tensor if isinstance(tensor, tuple) else get_gradient_edge(tensor)
    return edge[0], edge[1]


def is_number(tensor: Any) -> bool:
    """Return whether a root is a single floating number."""
    is_tensor = isinstance(tensor, torch.Tensor)
    return is_tensor and tensor.numel() == 1 and tensor.is_floating_point()
