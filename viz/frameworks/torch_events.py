"""A recorded PyTorch program, as a source of the engine's events.

A TorchFunctionMode sees each call of PyTorch's public functions; one call is one op, and all nodes
that it adds to autograd's graph are one grad node. Hooks on these nodes report a backward pass, and
last only as long as the pass. Modules, Functions and optimizers are seen through patches, which
last as long as the recording.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import checkpoint as checkpointing

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.ops import REGISTRY

from .code import settings_of
from .groups import Place, Spread, flattened
from .torch_backward import Passes
from .torch_graph import Graph
from .torch_ops import form_of, unknown
from .torch_optimizers import update_rule_of
from .torch_patches import PATCHES
from .torch_ranks import SINK, rank_and_size
from .torch_tensors import (
    TorchThings,
    Weak,
    is_written_elsewhere,
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
SHARING = {"numpy", "__array__", "__dlpack__", "data_ptr", "storage", "untyped_storage"}
# Files through which a call of a public function passes.
PASSED = {HOME + name for name in ("overrides.py", "_tensor.py", "functional.py")}
PASSED.add(os.path.join(HOME, "nn", "functional.py"))  # noqa: PTH118
PROPERTIES = ("T", "mT", "H", "mH", "real", "imag")  # properties that are ops
STOPS = getattr(checkpointing, "_StopRecomputationError", ())  # raised once enough is computed
INIT = "torch.nn.init"
ALIASES = ("detach", "detach_", "data")
FACTORIES = ("tensor", "as_tensor", "from_numpy", "asarray", "empty", "empty_like")
OPEN = "multi_head_attention_forward"  # written in Python, of functions that are ops


class Torch(TorchThings):
    """PyTorch, as one recording knows it."""

    def emitting(self) -> Any:
        """Return the block inside which PyTorch emits events."""
        source_line.mark_library(HOME)
        source = PATCHES.source_here()
        shares = source is not None and source.things is self
        return nullcontext() if shares else Source(self).running()

    def ranks(self) -> tuple[int, int] | None:
        return rank_and_size()

    def can_stop(self) -> bool:
        source = PATCHES.source_here()
        modes = torch.overrides._get_current_function_mode_stack()
        return source is None or bool(modes and modes[-1] is source and not source.again)


def torch_here() -> Torch:
    """Return PyTorch for a new recording: as another recording of this thread knows it, if any."""
    source = PATCHES.source_here()
    return Torch() if source is None else source.things


class Source(TorchFunctionMode):  # type: ignore[misc]
    """Emits events for what PyTorch does."""

    def __init__(self, things: TorchThings) -> None:
        super().__init__()
        self.things, self.graph = things, Graph(things)
        self.passes = Passes(self.graph)
        self.inside = 0  # calls of PyTorch that run now, while the mode is off
        self.again = 0  # backward passes in which the mode runs a second time
        self.blind = 0  # calls of scripted modules that run now
        self.saving: list[list[Any]] = []  # of running Functions: the saved tensors, the place
        self.steps: list[Any] = []  # running steps of optimizers
        self.rules = Weak()  # parameter -> its rule in the last step

    @contextmanager
    def running(self) -> Iterator[None]:
        """Emit events inside the block; after it PyTorch is as before."""
        # What torch.compile has compiled runs as it was written, so that its ops are seen.
        dynamo = "torch._dynamo" in sys.modules
        eager = torch.compiler.set_stance("force_eager") if dynamo else nullcontext()
        try:
            with PATCHES.emitting(self), eager, self:
                yield
        finally:
            self.passes.close()

    # ----- ops -----------------------------------------------------------------------------------

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if torch._C._are_functorch_transforms_active():
            return func(*args, **kwargs)  # its tensors are no values
        if name == OPEN and not self.inside and {*types} <= {torch.Tensor, torch.nn.Parameter}:
            with self:
                return opened(func)(*args, **kwargs)
        if name == "__get__":
            name = getattr(getattr(func, "__self__", None), "__name__", "")
            seen = name in PROPERTIES or name == "data"
        else:
            seen = name not in NO_OP
        self.inside += 1
        try:
            if name == "register_hook":
                return self.passes.register_hook(func, *args, **kwargs)
            if name == "grad" and not seen and not from_torch(sys._getframe(1)):
                return self.read_grad(func, *args)
            if name in SHARING:
                is_written_elsewhere(args[0])
            if not seen or not name or is_behind(name, func, caller_of(sys._getframe(1))):
                return func(*args, **kwargs)
            return self.call(name, func, args, kwargs)
        finally:
            self.inside -= 1

    def call(self, name: str, func: Any, args: Any, kwargs: Any) -> Any:
        """Call a function of PyTorch as an op, and emit its events."""
        given = tensors_in((args, kwargs))
        refuse_unreadable(given)
        if name in FACTORIES or (not given and is_internal(sys._getframe(2))):
            return func(*args, **kwargs)
        changes = is_in_place(name, kwargs)
        form = form_of(name, args, kwargs)
        base = base_of(args[0], self.things) if changes and args else None
        if base is not None:  # the call changes two tensors: a view, and the one it belongs to
            form = unknown(name, (*args, base), kwargs)
        place = source_line.here()
        inputs = self.things.seen_all(form.inputs, copy=changes or name == "batch_norm")
        targets = [self.graph.target(each) for each in flattened(form.inputs)]
        values = [getattr(each, "value", None) for each in inputs]
        before = [(each, version_of(each)) for each in given]
        call = events.new_number()
        try:
            out = func(*args, **kwargs)
        except BaseException as error:
            if not isinstance(error, STOPS):
                events.emit(events.OpStarted(call, form.op, inputs, form.attrs, place))
                events.failed("op", call, error, place)
            raise
        outs = tensors_in(out)
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
            if name == "data":
                is_written_elsewhere(given[0])
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
        group = self.graph.made(call, form.op, form.inputs, targets, outs)
        record = REGISTRY.get(form.op)
        if group is not None and record is not None and record.broadcasts:
            shapes = {value.shape for value in values if value and value.data is not None}
            if shapes - {tuple(outs[0].shape)}:
                arrays = (value and value.data for value in values)
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
            maker = self.graph.place_of(tensor.grad_fn).group.name if tensor.grad_fn else ""
            facts = tensor.requires_grad, tensor.is_leaf, maker.removesuffix("Backward")
            self.passes.gradient_missed(tensor, *facts)
        return grad

    # ----- Functions of the user -----------------------------------------------------------------

    def apply(self, original: Any, cls: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a Function's forward, open inside, and emit its events."""
        if self.inside:
            return original(cls, *args, **kwargs)
        given = [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]
        if cls.__name__ == SINK:  # it copies the results of a module
            name = "clone" if len(given) == 1 else "DistributedDataParallel"
            return self.call_whole(name, partial(original, cls, args[0]), args[1:], kwargs)
        targets = [self.graph.target(each) for each in given]
        call, place, name = events.new_number(), source_line.here(), cls.__name__
        inputs = self.things.seen_all(given)
        takes_context = cls.setup_context is torch.autograd.Function.setup_context
        all_args = (None, *args) if takes_context else args
        how = settings_of(cls.forward, all_args, kwargs, int(takes_context), tensors_in)
        self.saving.append([(), None])
        try:
            with events.scope("pylayer.forward", name, call, inputs, place, settings=how) as made:
                out = original(cls, *args, **kwargs)
                outs = tensors_in(out)
                made += self.things.seen_all(outs)
        finally:
            saved, at = self.saving.pop()
        group = self.graph.made(call, name, given, targets, outs)
        if group is not None:
            group.tensors = [isinstance(each, torch.Tensor) for each in args]
            for k, tensor in enumerate(saved):
                if isinstance(tensor, torch.Tensor):
                    self.graph.keep(group, f"saved[{k}]", tensor, at)
                    group.kept.append((memory_of(tensor), self.things.give_number(tensor)))
        return out

    def save(self, original: Any, context: Any, *tensors: Any) -> None:
        """Save tensors for a Function's backward, and note them."""
        if self.saving:
            self.saving[-1] = [tensors, source_line.here()]
        original(context, *tensors)

    def apply_backward(self, original: Any, node: Any, *grads: Any) -> Any:
        """Call a Function's backward, open inside."""
        place = node.metadata.get(self.graph.key)
        if self.inside or not self.passes.running or not isinstance(place, Place):
            return original(node, *grads)
        cls, group = node._forward_cls, place.group
        if cls.__name__ == SINK:
            return original(node, *grads)
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
        given = tensors_in((args, kwargs))
        refuse_unreadable(given)
        if isinstance(module, torch.jit.ScriptModule):
            return self.call_closed(original, module, args, kwargs)
        self.passes.collectives.expect(module)
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
            self.blind += 1
            try:
                return original(module, *given, **named)
            finally:
                self.blind -= 1

        return self.call_whole(type(module).__name__, call, (args, [*module.parameters()]), kwargs)

    def call_whole(self, name: str, func: Any, args: Any, kwargs: Any) -> Any:
        """Call a function as one op, inside of which nothing is seen."""
        self.inside += 1
        try:
            with torch._C.DisableTorchFunction():
                return self.call(name, func, args, kwargs)
        finally:
            self.inside -= 1

    def backward(self, engine: Any, outputs: Any, seeds: Any, *args: Any, **kwargs: Any) -> Any:
        """Run a backward pass, in which the user's code is seen."""
        many = any(map(torch._C._functorch.is_legacy_batchedtensor, seeds))
        if self.blind or many:
            return engine(outputs, seeds, *args, **kwargs)
        inside, self.inside = self.inside, 0
        self.again += 1
        try:
            with self if inside else nullcontext():
                return self.passes.run(engine, outputs, seeds, *args, **kwargs)
        finally:
            self.inside = inside
            self.again -= 1

    @unseen
    def collective(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a function of torch.distributed as an op of many ranks, and emit its events."""
        if self.inside:
            return original(*args, **kwargs)
        return self.passes.collectives.call(original, *args, **kwargs)

    @unseen
    def unseen_collective(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a function of torch.distributed that is not shown."""
        return self.passes.collectives.call_unseen(original, *args, **kwargs)

    @unseen
    def wait(self, original: Any, work: Any, *args: Any, **kwargs: Any) -> Any:
        """Wait for a collective that has begun, which is an op here."""
        return self.passes.collectives.wait(original, work, *args, **kwargs)

    # ----- optimizers ----------------------------------------------------------------------------

    @unseen
    def step_begins(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """Emit the begin of an optimizer's step, and remember the parameters."""
        for run in self.passes.running[-1:]:  # a hook takes the step inside of backward
            self.passes.settle(run)
        name, number, place = type(optimizer).__name__, events.new_number(), source_line.here()
        rows = [(group, each) for group in optimizer.param_groups for each in group["params"]]
        computes = any(map(callable, (*args[1:], *kwargs.values())))  # gradients, by a closure
        lacking = [p for _, p in rows if p.grad is None and p.requires_grad and not computes]
        keys = {str(k): self.things.key_of(param) for k, param in enumerate(lacking)}
        events.emit(events.ScopeEntered(number, "optimizer", name, 0, (), place, keys))
        updates = [
            (param, value_of(param, copy=True), update_rule_of(optimizer, group, param))
            for group, param in rows
            if param.grad is not None or computes
        ]
        self.steps.append((optimizer, number, place, updates))

    @unseen
    def step_ends(self, optimizer: Any, _args: Any, _kwargs: Any) -> None:
        """Emit the updates of an optimizer's step, and its end."""
        while self.steps:  # a step that failed has not ended
            one, number, place, updates = self.steps.pop()
            if one is optimizer:
                break
        else:
            return
        name = type(optimizer).__name__
        for param, before, rule in updates:
            if param.grad is not None:
                seen, grad = self.things.seen(param), value_of(param.grad)
                rule.emit(self.rules, param, name, seen, grad, before, place)
        events.emit(events.ScopeLeft(number, "optimizer", name, 0, ()))


# ----- parts -------------------------------------------------------------------------------------


@unseen
def base_of(tensor: Any, things: TorchThings) -> Any:
    """Return the tensor of the recording that a view is a part of, if any."""
    base = tensor._base if isinstance(tensor, torch.Tensor) and tensor._is_view() else None
    return base if base is not None and things.number_of(base) else None


def caller_of(frame: Any) -> Any:
    """Return the frame that called a public function, which may be written in Python itself."""
    while frame.f_code.co_filename in PASSED and frame.f_back is not None:
        frame = frame.f_back
    return frame


def is_behind(name: str, func: Any, caller: Any) -> bool:
    """Return whether PyTorch calls a function for itself: this is no work of the program."""
    file, inside = caller.f_code.co_filename, caller.f_code.co_name
    if getattr(func, "__module__", "") == INIT or (file.startswith(BEHIND) and name != "grad"):
        return True
    makes = inside == "__init__" or inside.startswith("reset_")
    counts = name == "add_" and file.endswith("batchnorm.py")  # its batches
    return file.startswith(HOME) and (makes or counts)


def from_torch(frame: Any) -> bool:
    """Return whether code of PyTorch runs in a frame."""
    return bool(frame.f_code.co_filename.startswith(HOME))


def is_internal(frame: Any) -> bool:
    """Return whether code of PyTorch runs in a frame, except that of a module's forward."""
    return from_torch(frame) and frame.f_code.co_name != "forward"


@cache
def opened(func: Any) -> Any:
    """Return a function of PyTorch without its check for modes, which would see it as one op."""
    names = {**func.__globals__, "has_torch_function": lambda _: False}
    inner = FunctionType(func.__code__, names, func.__name__, func.__defaults__)
    inner.__kwdefaults__ = func.__kwdefaults__
    return inner


def is_in_place(name: str, kwargs: Any) -> bool:
    """Return whether a function with this name changes its first argument."""
    changes = name.endswith("_") and not name.endswith("__")
    has_out = kwargs.get("out") is not None
    return changes or name == "__setitem__" or bool(kwargs.get("inplace")) or has_out
