"""Backward passes of autograd as events, seen by hooks that last as long as a pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from threading import get_ident
from typing import Any
from weakref import ref

import torch
from torch.autograd.graph import get_gradient_edge

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.events import Edge, Value

from .groups import Place
from .torch_graph import Graph
from .torch_ranks import Collectives
from .torch_tensors import same_values, unseen, value_of
from .visits import Pass, Visits


class Passes(Visits):
    """The backward passes of one recording."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.things = graph, graph.things
        super().__init__()
        self.collectives = Collectives(self.things)
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
        stored = not wanted or kwargs.get("accumulate_grad", True)
        edges = [] if stored else [self.graph.edge(*start_of(each)) for each in wanted]
        self.end(run, edges, grads or ())
        self.collectives.average(run.reached, run.place)
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
                hooks = leaf._post_accumulate_grad_hooks
                others = [(key, hooks.pop(key)) for key in [*hooks] if key != handle.id]
                hooks.update(others)  # the user's may change the gradient, or delete it
                before = partial(self.leaf_begins, run, number, ref(leaf))
                run.handles += [handle, node.register_prehook(callback(before))]
                continue
            place = self.graph.place_of(node)
            after = partial(self.node_ended, run, place)
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
                with torch._C.DisableTorchFunction():
                    if get_ident() == thread:
                        function(*args)
                    else:
                        context.run(function, *args)

            return run

        return made

    # ----- gradients -----------------------------------------------------------------------------

    def value(self, grad: Any, copy: bool = False) -> Value:
        return value_of(grad, copy)

    def total(self, held: Any, grad: Any) -> Any:
        with torch.no_grad():
            return held.detach() + grad.detach()

    def kept_gradient(self, tensor: Any) -> Any:
        return tensor.grad if tensor.retains_grad else None

    def same_memory(self, one: Any, other: Any) -> bool:
        strided = one.layout is torch.strided is other.layout
        return strided and one.data_ptr() == other.data_ptr() != 0

    def arrive(self, run: Pass, edge: Edge, grad: Any) -> None:
        super().arrive(run, edge, grad.detach() if grad.requires_grad else grad)

    finish_visit = unseen(Visits.finish_visit)

    def node_begins(self, run: Pass, place: Place, grads: Sequence[Any]) -> None:
        """Begin the visit of a group, unless it has begun."""
        arrived = {place.slots[i]: g for i, g in enumerate(grads) if i in place.slots}
        self.report_changes(run, place.group, arrived)

    def node_ended(self, run: Pass, place: Place, grads: Sequence[Any], _: Any) -> None:
        """Note the gradients that a node has computed."""
        self.node_ran(run, place, grads)

    def leaf_begins(self, run: Pass, number: int, leaf: Any, grads: Sequence[Any]) -> None:
        """Note the gradient that a leaf holds, and the one that comes to it."""
        edge, tensor = Edge("leaf", number), leaf()
        sent = run.buffers.pop(edge, None)
        if sent is not None and edge not in run.hooked and self.differs(sent, grads[0]):
            happened = self.changed_by_hook(edge, sent, grads[0])
            self.settle(run)
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
        now, holder = value_of(leaf.grad, copy=True), self.things.give_number(leaf.grad)
        run.reached[leaf] = now, holder
        self.leaf_has(run, number, leaf, now, holder)

    # ----- hooks of the user ---------------------------------------------------------------------

    def register_hook(self, func: Any, tensor: Any, hook: Any) -> Any:
        """Register a hook of the user's on a tensor, in a wrapper that emits an event."""
        target, unseen = self.graph.target(tensor), torch._C.DisableTorchFunction
        handle = func(tensor, self.wrapped(hook, target, unseen))
        self.hooks.append((handle, hook))
        return handle


def start_of(tensor: Any) -> tuple[Any, int]:
    """Return the node of autograd, and its output, at which backward of a tensor begins."""
    edge = tensor if isinstance(tensor, tuple) else get_gradient_edge(tensor)
    return edge[0], edge[1]


def is_number(tensor: Any) -> bool:
    """Return whether a root is a single floating number."""
    is_tensor = isinstance(tensor, torch.Tensor)
    return is_tensor and tensor.numel() == 1 and tensor.is_floating_point()
