"""A recorded PyTorch program, as a source of the engine's events.

A TorchFunctionMode sees each call of PyTorch's public functions; one call is one op, and all nodes
that it adds to autograd's graph are one grad node. Hooks on these nodes report a backward pass, and
last only as long as the pass. Modules, Functions and optimizers are seen through patches, which
last as long as the recording.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import get_ident
from typing import Any
from weakref import ref

import numpy as np
import torch
from torch.autograd.graph import get_gradient_edge
from torch.overrides import TorchFunctionMode
from torch.utils import checkpoint as checkpointing
from torch.utils.weak import WeakTensorKeyDictionary

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.engine.reasons import WORDINGS, Reason
from minipaddle.events import Edge, Value
from minipaddle.ops import REGISTRY
from minipaddle.ops.bound import Gradient, functions_on, reads_of

from .torch_ops import form_of, unknown
from .torch_optimizers import update_rule_of
from .torch_patches import emitting, source_here
from .torch_tensors import (
    TorchThings,
    is_same,
    memory_of,
    refuse_unreadable,
    tensors_in,
    unseen,
    value_of,
    version_of,
)

HOME = str(Path(torch.__file__).resolve().parent) + os.sep
# Files of PyTorch whose ops are no work of the user's program.
BEHIND = tuple(
    HOME + each.replace("/", os.sep)
    for each in (
        "optim/", "autograd/", "utils/data/", "nn/init.py", "_tensor_str.py", "_functorch/",
    )
)  # fmt: skip
NO_OPS = (
    "backward register_hook register_post_accumulate_grad_hook retain_grad requires_grad_ size dim "
    "stride numel __len__ __repr__ __format__ __bool__ __float__ __int__ item tolist numpy "
    "__array__ __set__ __contains__ __iter__ __deepcopy__ __reduce_ex__ _set_grad_enabled "
    "set_grad_enabled data_ptr storage untyped_storage __dlpack__ __hash__ is_contiguous"
)
NO_OP = frozenset(NO_OPS.split())
# Files through which a call of a public function passes.
PASSED = {HOME + name for name in ("overrides.py", "_tensor.py", "functional.py")}
PASSED.add(os.path.join(HOME, "nn", "functional.py"))  # noqa: PTH118
PROPERTIES = ("T", "mT", "H", "mH", "real", "imag")  # properties that are ops
STOPS = getattr(checkpointing, "_StopRecomputationError", ())  # raised once enough is computed
INIT = "torch.nn.init"
ALIASES = ("detach", "detach_", "data")
FACTORIES = ("tensor", "as_tensor", "from_numpy", "asarray", "empty", "empty_like")


@dataclass(slots=True)
class Spread:
    """A call that broadcasts: its record, attributes, and arrays by the record's names."""

    record: Any
    attrs: dict[str, Any]
    arrays: dict[str, Any]

    def gradient(self, index: int, dout: Any, like: Any) -> Any:
        """Return the gradient of an input before its sum over broadcast axes, else None.

        PyTorch sums inside of its node, so the record's rule computes it; the sum must be
        PyTorch's gradient, `like`.
        """
        reads = reads_of(self.record)
        needs = [at == index for at in range(len(self.record.inputs))]
        values = (*(self.arrays[name] for name in reads), dout)
        with np.errstate(all="ignore"):
            functions = functions_on([dout])
            rule = Gradient(self.record, self.attrs, reads, needs)
            before = rule.before_sums(functions, values)[index]
            if before is None or before.shape == like.shape:
                return None
            total = functions.sum_to(before, shape=like.shape)
        return before if np.allclose(total, like, 1e-4, 1e-6, equal_nan=True) else None


@dataclass(slots=True)
class Group:
    """A grad node of events: the nodes of autograd that one call has added.

    `edges` belong to the call's tensors in order, then come those to other tensors; `outputs` are
    weak references to the results, by slot.
    """

    number: int
    name: str
    call: int
    outputs: list[Any]
    slots: int
    edges: list[Edge | None] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    spread: Spread | None = None
    tensors: list[bool] = field(default_factory=list)  # of a Function: which arguments are some
    kept: list[tuple[Any, int]] = field(default_factory=list)  # of a Function: memory, number


@dataclass(slots=True)
class Place:
    """The place of one of autograd's nodes in a Group, stored in the node's metadata.

    `slots` maps its outputs to slots of the group, `exits` its edges to positions in `edges`.
    """

    group: Group
    slots: dict[int, int] = field(default_factory=dict)
    exits: dict[int, int] = field(default_factory=dict)


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

    number: int
    place: Any
    retain_graph: bool
    chooses: bool  # whether only some tensors are asked for
    visit: Visit | None = None
    visited: set[int] = field(default_factory=set)
    buffers: dict[Edge, Any] = field(default_factory=dict)
    handles: list[Any] = field(default_factory=list)
    hooked: set[Edge] = field(default_factory=set)  # edges at which a known hook ran
    stored: dict[int, tuple[Value, Value]] = field(default_factory=dict)  # leaf -> .grad, added


class Torch(TorchThings):
    """PyTorch, as one recording knows it."""

    def emitting(self) -> Any:
        """Return the block inside which PyTorch emits events."""
        source_line.is_library(HOME)
        source = source_here()
        shares = source is not None and source.things is self
        return nullcontext() if shares else Source(self).running()


def torch_here() -> Torch:
    """Return PyTorch for a new recording: as another recording of this thread knows it, if any."""
    source = source_here()
    return Torch() if source is None else source.things


class Source(TorchFunctionMode):  # type: ignore[misc]
    """Emits events for what PyTorch does."""

    def __init__(self, things: TorchThings) -> None:
        super().__init__()
        self.things = things
        self.key = f"minipaddle {events.new_number()}"  # of nodes' metadata
        self.closed = False
        self.inside = 0  # calls of PyTorch that run now, while the mode is off
        self.blind = 0  # calls of scripted modules that run now
        self.ran = False  # whether a backward pass has ended
        self.passes: list[Pass] = []
        self.saving: list[list[Any]] = []  # of running Functions: the saved tensors, the place
        self.steps: list[Any] = []  # running steps of optimizers
        self.rules: Any = WeakTensorKeyDictionary()  # parameter -> its rule in the last step
        self.hooks: list[tuple[Any, Any]] = []  # handles of the user's hooks, with these hooks

    # ----- beginning and end ---------------------------------------------------------------------

    @contextmanager
    def running(self) -> Iterator[None]:
        """Emit events inside the block; after it PyTorch is as before."""
        # What torch.compile has compiled runs as it was written, so that its ops are seen.
        dynamo = "torch._dynamo" in sys.modules
        eager = torch.compiler.set_stance("force_eager") if dynamo else nullcontext()
        try:
            with emitting(self), eager, self:
                yield
        finally:
            self.closed = True
            for handle, hook in self.hooks:
                known = handle.hooks_dict_ref()
                if known is not None and handle.id in known:
                    known[handle.id] = hook

    # ----- ops -----------------------------------------------------------------------------------

    def __torch_function__(self, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if torch._C._are_functorch_transforms_active():
            return func(*args, **kwargs)  # its tensors are no values
        if name == "__get__":
            name = getattr(getattr(func, "__self__", None), "__name__", "")
            seen = name in PROPERTIES or name == "data"
        else:
            seen = name not in NO_OP
        self.inside += 1
        try:
            if name == "register_hook" and not self.closed:
                return self.register_hook(func, *args, **kwargs)
            if name == "grad" and not seen and not from_torch(sys._getframe(1)):
                return self.read_grad(func, *args)
            file = caller_of(sys._getframe(1)).f_code.co_filename
            counts = name == "add_" and file.endswith("batchnorm.py")  # its batches
            behind = counts or file.startswith(BEHIND)
            if not seen or not name or behind or getattr(func, "__module__", "") == INIT:
                return func(*args, **kwargs)
            return self.call(name, func, args, kwargs)
        finally:
            self.inside -= 1

    def call(self, name: str, func: Any, args: Any, kwargs: Any) -> Any:
        """Call a function of PyTorch as an op, and emit its events."""
        given = list(tensors_in((args, kwargs)))
        refuse_unreadable(given)
        if name in FACTORIES or (not given and from_torch(sys._getframe(2))):
            return func(*args, **kwargs)
        changes = is_in_place(name, kwargs)
        form = form_of(name, args, kwargs)
        base = base_of(args[0], self.things) if changes and args else None
        if base is not None:  # the call changes two tensors: a view, and the one it belongs to
            form = unknown(name, (*args, base), kwargs)
        place = source_line.here()
        inputs = self.things.seen_all(form.inputs, copy=changes or name == "batch_norm")
        targets = [self.target(each) for each in flattened(form.inputs)]
        arrays = [getattr(getattr(each, "value", None), "data", None) for each in inputs]
        before = [(each, version_of(each)) for each in given]
        call = events.new_number()
        try:
            out = func(*args, **kwargs)
        except BaseException as error:
            if not isinstance(error, STOPS):
                events.emit(events.OpStarted(call, form.op, inputs, form.attrs, place))
                events.failed("op", call, error, place)
            raise
        outs = list(tensors_in(out))
        changed = [each for each, version in before if version_of(each) != version]
        if changes:  # of tensors in one memory, it is the first argument that the call names
            first = kwargs["out"] if kwargs.get("out") is not None else (args or given)[0]
            outs = [each for each in tensors_in(first) if any(each is one for one in changed)]
            outs += [] if base is None or not outs else [base]
        elif not (outs := [each for each in outs if not any(each is one for one in given)]):
            return out
        if not outs or (name == "grad" and not any(each.requires_grad for each in outs)):
            return out
        for each in outs:
            if not self.things.number_of(each):
                self.things.renumber(each)
        if name in ALIASES and outs[0] is not given[0]:
            seen, source = map(self.things.seen, (outs[0], given[0]))
            asked = None if from_torch(sys._getframe(2)) else place
            events.emit(events.ValuesTaken(seen, source, "alias", asked))
            return out
        old = [self.things.give_number(each) for each in outs] if changes else []
        for each in outs if changes else ():
            self.things.renumber(each)
        results = self.things.seen_all(outs)
        events.emit(events.OpStarted(call, form.op, inputs, form.attrs, place))
        events.emit(events.OpFinished(call, form.op, inputs, results, form.attrs, place))
        group = self.made(call, form.op, form.inputs, targets, outs)
        record = REGISTRY.get(form.op)
        if group is not None and record is not None and record.broadcasts:
            shapes = {array.shape for array in arrays if array is not None}
            if shapes - {tuple(outs[0].shape)}:
                known = dict(zip(record.inputs, arrays, strict=False))
                known |= {record.outputs[0]: value_of(outs[0]).data}
                group.spread = Spread(record, form.attrs, known)
        for each, number, seen in zip(outs, old, results, strict=False):
            if each.grad_fn is None:  # others may share its memory
                taken = replace(self.things.seen(each), id=number)
                events.emit(events.ValuesTaken(taken, seen, "result"))
        return out

    def read_grad(self, func: Any, tensor: Any) -> Any:
        """Read the `.grad` of a tensor, and emit an event if it is None."""
        grad = func(tensor)
        if grad is None:
            reason = Reason.NOT_REACHED if self.ran else Reason.NO_BACKWARD
            if not tensor.requires_grad:
                reason = Reason.STOP_GRADIENT
            elif not tensor.is_leaf:
                reason = Reason.NOT_A_LEAF
            wording, seen = WORDINGS[reason], self.things.seen(tensor)
            maker = self.place_of(tensor.grad_fn).group.name if tensor.grad_fn else ""
            happened = wording.happened.fill(x="{x}", by=maker.removesuffix("Backward"))
            texts = [(text.of("en"), text.of("zh")) for text in (happened, wording.advice)]
            place = source_line.here()
            events.emit(events.GradMissed(seen, reason.value, texts[0], texts[1], place))
        return grad

    # ----- the graph -----------------------------------------------------------------------------

    @unseen
    def target(self, tensor: Any) -> tuple[Any, int] | None:
        """Return the node of autograd, and its output, that the gradient of a tensor goes to."""
        if not isinstance(tensor, torch.Tensor) or not tensor.requires_grad:
            return None
        if not torch.is_grad_enabled() or torch.is_inference_mode_enabled():
            return None
        if tensor.grad_fn is not None:
            return tensor.grad_fn, tensor.output_nr
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
        places = Positions([target and self.edge(*target) for target in targets])
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
                    place.exits[at] = places.of(self.edge(following, output))
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

    def keep(self, group: Group, slot: str, tensor: Any, place: Any = None) -> None:
        """Emit that a group has saved a tensor."""
        if slot not in group.saved:
            group.saved.append(slot)
            seen = self.things.seen(tensor)
            events.emit(events.TensorSaved(group.number, slot, seen, place))

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

    # ----- Functions of the user -----------------------------------------------------------------

    def apply(self, original: Any, cls: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a Function's forward, open inside, and emit its events."""
        if self.inside:
            return original(cls, *args, **kwargs)
        given = [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]
        targets = [self.target(each) for each in given]
        call, place, name = events.new_number(), source_line.here(), cls.__name__
        inputs = self.things.seen_all(given)
        how = settings_of(cls, args, kwargs)
        self.saving.append([(), None])
        try:
            with events.scope("pylayer.forward", name, call, inputs, place, settings=how) as made:
                out = original(cls, *args, **kwargs)
                outs = list(tensors_in(out))
                made += self.things.seen_all(outs)
        finally:
            saved, at = self.saving.pop()
        group = self.made(call, name, given, targets, outs)
        if group is not None:
            group.tensors = [isinstance(each, torch.Tensor) for each in args]
            for k, tensor in enumerate(saved):
                if isinstance(tensor, torch.Tensor):
                    self.keep(group, f"saved[{k}]", tensor, at)
                    group.kept.append((memory_of(tensor), self.things.give_number(tensor)))
        return out

    def save(self, original: Any, context: Any, *tensors: Any) -> None:
        """Save tensors for a Function's backward, and note them."""
        if self.saving:
            self.saving[-1] = [tensors, source_line.here()]
        original(context, *tensors)

    def apply_backward(self, original: Any, node: Any, *grads: Any) -> Any:
        """Call a Function's backward, open inside."""
        place = node.metadata.get(self.key)
        if self.inside or not self.passes or not isinstance(place, Place):
            return original(node, *grads)
        cls, group = node._forward_cls, place.group
        given = self.things.seen_all(grads)
        where = source_line.of_function(inspect.unwrap(cls.backward))
        self.things.coming = [*group.kept, *self.things.coming]
        try:
            with events.scope("pylayer.backward", cls.__name__, group.call, given, where) as made:
                out = original(node, *grads)
                row = out if isinstance(out, (list, tuple)) else [out]
                if len(row) >= len(group.tensors):  # one for each argument: those of tensors count
                    row = [each for each, takes in zip(row, group.tensors, strict=False) if takes]
                made += self.things.seen_all(row)
        finally:
            self.things.coming = self.things.coming[len(group.kept) :]
        return out

    # ----- modules -------------------------------------------------------------------------------

    def call_module(self, original: Any, module: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a module, and emit events at its begin and end."""
        if self.inside:
            return original(module, *args, **kwargs)
        given = list(tensors_in((args, kwargs)))
        refuse_unreadable(given)
        if isinstance(module, torch.jit.ScriptModule):
            return self.call_closed(original, module, args, kwargs)
        name = self.things.name_of(module)
        members = {"parameters": self.things.members(module), "training": module.training}
        inputs = self.things.seen_all(given)
        with events.scope("layer", name, 0, inputs, source_line.here(), **members) as made:
            stop = None
            try:
                out = original(module, *args, **kwargs)
            except STOPS as error:  # no failure of the module
                stop = error
            else:
                made += self.things.seen_all(tensors_in(out))
        if stop is not None:
            raise stop
        return out

    def call_closed(self, original: Any, module: Any, args: Any, kwargs: Any) -> Any:
        """Call a scripted or traced module, whose inner work PyTorch does not show, as one op."""

        def call(given: Any, _parameters: Any, **named: Any) -> Any:
            self.inside, self.blind = self.inside + 1, self.blind + 1
            try:
                with torch._C.DisableTorchFunction():
                    return original(module, *given, **named)
            finally:
                self.inside, self.blind = self.inside - 1, self.blind - 1

        return self.call(type(module).__name__, call, (args, [*module.parameters()]), kwargs)

    # ----- backward passes -----------------------------------------------------------------------

    def backward(
        self, engine: Any, outputs: Any, seeds: Any, retain: bool, *args: Any, **kwargs: Any
    ) -> Any:
        """Run a backward pass, with hooks on each node that may run, and emit its events."""
        many = any(map(torch._C._functorch.is_legacy_batchedtensor, seeds))
        if self.blind or many:
            return engine(outputs, seeds, retain, *args, **kwargs)
        wanted = args[1] if len(args) > 1 else ()
        roots = [(each, *start_of(each)) for each in outputs]
        edges = tuple(self.edge(node, output) for _, node, output in roots)
        run = Pass(events.new_number(), source_line.here(), bool(retain), bool(wanted))
        leaves = tuple(
            self.things.seen(each) for each, node, _ in roots if hasattr(node, "variable")
        )
        values = tuple(value_of(seed, copy=True) for seed in seeds)
        given = tuple(self.things.number_of(seed) for seed in seeds)
        loss = next((each.detach().item() for each, *_ in reversed(roots) if is_number(each)), None)
        given = given if any(given) else ()
        started = events.BackwardStarted(run.number, leaves, values, edges, run.place, given, loss)
        events.emit(started)
        for edge, seed in zip(edges, seeds, strict=True):
            self.arrive(run, edge, seed)
        self.passes.append(run)
        inside, self.inside = self.inside, 0
        try:
            self.hook([node for _, node, _ in roots], run)
            if inside:
                with self:
                    grads = engine(outputs, seeds, retain, *args, **kwargs)
            else:
                grads = engine(outputs, seeds, retain, *args, **kwargs)
            self.finish_visit(run)
        except BaseException as error:
            if run.visit is not None:
                events.failed("node", run.visit.group.number, error, run.place)
            raise
        finally:
            self.inside = inside
            self.passes.pop()
            for handle in run.handles:
                handle.remove()
        self.ran = True
        taken: tuple[events.GradientTaken, ...] = ()
        if wanted and not kwargs.get("accumulate_grad", True):
            taken = tuple(
                events.GradientTaken(
                    self.edge(*start_of(each)), 0 if grad is None else self.things.give_number(grad)
                )
                for each, grad in zip(wanted, grads, strict=True)
            )
        events.emit(events.BackwardFinished(run.number, taken))
        return grads

    def hook(self, roots: list[Any], run: Pass) -> None:
        """Put hooks on all nodes that can be reached, for one pass."""
        reached, stack, callback = set(roots), list(reversed(roots)), self.callback()
        while stack:
            node = stack.pop()
            leaf = getattr(node, "variable", None)
            if leaf is not None:
                number = node.metadata.get(self.key) or self.edge(node, 0).id
                after = partial(self.leaf_reached, run, number)
                handle = leaf.register_post_accumulate_grad_hook(callback(after))
                leaf._post_accumulate_grad_hooks.move_to_end(handle.id, last=False)
                before = partial(self.leaf_begins, run, number, ref(leaf))
                run.handles += [handle, node.register_prehook(callback(before))]
                continue
            place = self.place_of(node)
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

    def finish_visit(self, run: Pass) -> None:
        """Emit the gradients that the visited group has computed, and where they met others."""
        visit, run.visit = run.visit, None
        if visit is None:
            return
        sums: dict[Edge, list[Any]] = {}
        for index, parts in sorted(visit.grads.items()):
            edge: Any = visit.group.edges[index]
            there = [part.detach() for part in parts if part is not None]
            total = None
            if there:
                total = there[0]
                for part in there[1:]:
                    total = total + part
                sums.setdefault(edge, []).append(total)
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
        if tensor is not None and tensor.grad is not None and grads[0] is not None:
            run.stored[number] = value_of(tensor.grad, copy=True), value_of(grads[0], copy=True)

    def leaf_reached(self, run: Pass, number: int, leaf: Any) -> None:
        """Note the gradient that a leaf has now."""
        if leaf.grad is None:
            return
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
        target = self.target(tensor)
        edge = None if target is None else self.edge(*target)
        is_inner = target is not None and edge is not None and edge.kind == "node"
        group = self.place_of(target[0]).group if target and is_inner else None
        name = getattr(hook, "__name__", type(hook).__name__)

        def run(grad: Any) -> Any:
            if self.closed or not self.passes or edge is None:
                return hook(grad)
            with torch._C.DisableTorchFunction():
                if group is None:
                    self.finish_visit(self.passes[-1])
                else:  # the hook belongs to the visit, in events
                    self.begin_visit(self.passes[-1], group, {})
                before, given = value_of(grad, copy=True), self.things.give_number(grad)
            after = hook(grad)
            with torch._C.DisableTorchFunction():
                made = grad if after is None else after
                number = 0 if after is None else self.things.give_number(made)
                where = source_line.of_function(hook)
                now = value_of(made)
                events.emit(events.HookRan(edge, name, before, now, where, given, number))
                self.passes[-1].hooked.add(edge)
            return after

        handle = func(tensor, run)
        self.hooks.append((handle, hook))
        return handle

    # ----- optimizers ----------------------------------------------------------------------------

    def step_begins(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """Emit the begin of an optimizer's step, and remember the parameters."""
        name, number, place = type(optimizer).__name__, events.new_number(), source_line.here()
        rows = [(group, each) for group in optimizer.param_groups for each in group["params"]]
        computes = any(map(callable, (*args[1:], *kwargs.values())))  # gradients, by a closure
        lacking = [p for _, p in rows if p.grad is None and p.requires_grad and not computes]
        keys = {str(k): self.things.key_of(param) for k, param in enumerate(lacking)}
        events.emit(events.ScopeEntered(number, "optimizer", name, 0, (), place, keys))
        updates = [
            (param, group, value_of(param, copy=True), update_rule_of(optimizer, group, param))
            for group, param in rows
            if param.grad is not None or computes
        ]
        self.steps.append((optimizer, number, place, updates))

    def step_ends(self, optimizer: Any, _args: Any, _kwargs: Any) -> None:
        """Emit the updates of an optimizer's step, and its end."""
        while self.steps:  # a step that failed has not ended
            one, number, place, updates = self.steps.pop()
            if one is optimizer:
                break
        else:
            return
        name = type(optimizer).__name__
        for param, group, before, rule in updates:
            if param.grad is None:
                continue
            seen, grad, rate = self.things.seen(param), value_of(param.grad), float(group["lr"])
            known = self.rules.get(param) == rule.follows
            how = rule.formula, rate, *((None, None) if known else rule[1:])
            self.rules[param] = rule.follows
            events.emit(events.ParameterUpdated(name, seen, grad, before, place, *how))
        events.emit(events.ScopeLeft(number, "optimizer", name, 0, ()))


class Positions:
    """Edges of a call's tensors, and the positions to which its nodes' edges belong."""

    def __init__(self, edges: list[Edge | None]) -> None:
        self.edges = edges
        self.free: dict[Edge, list[int]] = {}
        self.last: dict[Edge, int] = {}
        self.used: set[int] = set()
        for at, edge in enumerate(edges):
            if edge is not None:
                self.free.setdefault(edge, []).append(at)

    def of(self, edge: Edge) -> int:
        """Return the next position of an edge: its last one if all have been returned."""
        if free := self.free.get(edge):
            self.last[edge] = free.pop(0)
        elif edge not in self.last:
            self.last[edge] = len(self.edges)
            self.edges.append(edge)
        self.used.add(self.last[edge])
        return self.last[edge]

    def reached(self) -> list[Edge | None]:
        """Return the edges, None for tensors that no gradient reaches."""
        return [edge if at in self.used else None for at, edge in enumerate(self.edges)]


# ----- parts -------------------------------------------------------------------------------------


@unseen
def base_of(tensor: Any, things: TorchThings) -> Any:
    """Return the tensor of the recording that a view is a part of, if any."""
    base = tensor._base if isinstance(tensor, torch.Tensor) and tensor._is_view() else None
    return base if base is not None and things.number_of(base) else None


def differs(sent: Any, came: Any) -> bool:
    """Return whether a gradient that came is another one than was sent, rounding aside."""
    if came is None or came.shape != sent.shape:
        return came is not None
    before, after = value_of(sent).data, value_of(came).data
    known = before is not None and after is not None
    return known and not np.allclose(before, after, 1e-4, 1e-7, equal_nan=True)


def changed_by_hook(edge: Edge, before: Any, after: Any) -> events.HookRan:
    """Return the event of a hook that was registered before the recording."""
    values = value_of(before, copy=True), value_of(after, copy=True)
    return events.HookRan(edge, "from before the recording", *values, None)


def caller_of(frame: Any) -> Any:
    """Return the frame that called a public function, which may be written in Python itself."""
    while frame.f_code.co_filename in PASSED and frame.f_back is not None:
        frame = frame.f_back
    return frame


def from_torch(frame: Any) -> bool:
    """Return whether code of PyTorch runs in a frame."""
    return bool(frame.f_code.co_filename.startswith(HOME))


def is_in_place(name: str, kwargs: Any) -> bool:
    """Return whether a function with this name changes its first argument."""
    changes = name.endswith("_") and not name.endswith("__")
    has_out = kwargs.get("out") is not None
    return changes or name == "__setitem__" or bool(kwargs.get("inplace")) or has_out


def flattened(things: Sequence[Any]) -> list[Any]:
    """Return things in one list, those of inner lists one by one."""
    flat: list[Any] = []
    for thing in things:
        flat += flattened(thing) if isinstance(thing, (list, tuple)) else [thing]
    return flat


def start_of(tensor: Any) -> tuple[Any, int]:
    """Return the node of autograd, and its output, at which backward of a tensor begins."""
    edge = tensor if isinstance(tensor, tuple) else get_gradient_edge(tensor)
    return edge[0], edge[1]


def is_number(tensor: Any) -> bool:
    """Return whether a root is a single floating number."""
    is_tensor = isinstance(tensor, torch.Tensor)
    return is_tensor and tensor.numel() == 1 and tensor.is_floating_point()


def saved_by(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tensors that a node has saved, with their names in PyTorch."""
    for name in saved_names(type(node)):
        try:
            value = getattr(node, name)
        except RuntimeError:  # it was freed
            continue
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, torch.Tensor):
                yield name.removeprefix("_saved_"), each


NAMES: dict[type, list[str]] = {}


def saved_names(kind: type) -> list[str]:
    """Return the attributes in which nodes of a class have saved values."""
    if kind not in NAMES:
        NAMES[kind] = [name for name in dir(kind) if name.startswith("_saved_")]
    return NAMES[kind]


def settings_of(cls: Any, args: Any, kwargs: Any) -> dict[str, str] | None:
    """Map parameters of a Function's forward to the arguments without tensors, as code."""
    with_context = cls.setup_context is torch.autograd.Function.setup_context
    try:
        signature = inspect.signature(cls.forward)
        bound = signature.bind(*((None, *args) if with_context else args), **kwargs)
    except (TypeError, ValueError):
        return None
    named = list(bound.arguments.items())[with_context:]
    plain = ((name, value) for name, value in named if not list(tensors_in([value])))
    return {name: spelled(value) for name, value in plain} or None


def spelled(value: Any) -> str:
    """Return a value as code; an object without such code by its name or class."""
    text = repr(value)
    if re.search(r" at 0x[0-9a-fA-F]+", text):
        return str(getattr(value, "__name__", type(value).__name__))
    return f"{text:.60}"
