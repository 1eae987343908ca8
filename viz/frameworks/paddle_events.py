"""A recorded Paddle program, as a source of the engine's events.

Patches see each call of an operator of Paddle's library in C++, whatever public function leads to
it; hooks on the nodes of its graph report a backward pass, and last only as long as the pass.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import paddle
from paddle import _C_ops
from paddle.base import libpaddle

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.engine.errors import Unimplemented
from minipaddle.events import Value
from minipaddle.ops.bound import Gradient, functions_for, names_read
from minipaddle.ops.program_ops import find_op

from ..document.values import SMALL
from .code import settings_of
from .forms import Form
from .groups import Spread, flattened
from .paddle_backward import Passes, state_of
from .paddle_graph import Graph
from .paddle_ops import arrays_of, computes, form_of, unknown
from .paddle_optimizers import groups_of, update_rule_of
from .paddle_patches import PATCHES
from .paddle_tensors import GRAD, PaddleThings, Tensor, tensors_in
from .updates import Followed
from .visits import Pass

HOME = str(Path(paddle.__file__).resolve().parent) + os.sep
# Files of Paddle whose ops are no work of the user's program.
BEHIND = tuple(
    HOME + each.replace("/", os.sep)
    for each in (
        "optimizer/", "nn/initializer/", "nn/clip.py", "io/", "metric/", "regularizer.py",
        "tensor/to_string.py", "framework/", "autograd/backward_mode.py",
    )
)  # fmt: skip
# Functions of Paddle, and the operators in them that only prepare numbers.
PREPARING = {
    "arange": {"full"}, "linspace": {"full"}, "logspace": {"full"},
    "binary_cross_entropy_with_logits": {"full"},
}  # fmt: skip
DISCARDING = {"cross_entropy", "softmax_with_cross_entropy"}  # zero the labels to be ignored
# Operators that Paddle runs as several, each with a node of its own.
PARTS: dict[str, Callable[..., Any]] = {
    "linear": lambda x, weight, bias=None: (
        _C_ops.matmul(x, weight) if bias is None else _C_ops.add(_C_ops.matmul(x, weight), bias)
    ),
}


class Paddle(PaddleThings):
    """Paddle, as one recording knows it."""

    def emitting(self) -> Any:
        """Return the block inside which Paddle emits events."""
        source_line.mark_library(HOME)
        source = PATCHES.source_here()
        shares = source is not None and source.things is self
        return nullcontext() if shares else Source(self).running()


def paddle_here() -> Paddle:
    """Return Paddle for a new recording: as another recording of this thread knows it, if any."""
    if not hasattr(getattr(libpaddle, "GradNodeBase", None), "_register_post_hook"):
        raise Unimplemented(
            "viz.record() cannot watch this version of Paddle.",
            expected="Paddle 3.3, whose grad nodes take hooks",
            received=f"Paddle {paddle.__version__}",
        )
    source = PATCHES.source_here()
    return Paddle() if source is None else source.things


class Source:
    """Emits events for what Paddle does."""

    def __init__(self, things: PaddleThings) -> None:
        self.things, self.graph = things, Graph(things)
        self.passes = Passes(self.graph)
        self.saving: list[list[Any]] = []  # of running PyLayers: context, saved, place, call
        self.stepping = False  # whether an optimizer's step runs
        self.rules: dict[str, Any] = {}  # name of a parameter -> its rule in the last step
        self.neutral: set[int] = set()  # numbers of masks that discard nothing
        self.compared: set[Any] = set()  # ops, attributes and shapes of which the record is true

    @contextmanager
    def running(self) -> Iterator[None]:
        """Emit events inside the block; after it Paddle is as before."""
        try:
            with PATCHES.emitting(self):
                yield
        finally:
            self.passes.closed = True

    # ----- ops -----------------------------------------------------------------------------------

    def op(self, name: str, original: Any, args: Any, kwargs: Any) -> Any:
        """Call an operator of Paddle as an op, and emit its events."""
        callers = callers_of(sys._getframe(2))
        if callers is not None and name in PARTS and paddle.in_dynamic_mode():
            return PARTS[name](*args, **kwargs)
        with self.things.unseen():
            if callers is None or not paddle.in_dynamic_mode():
                return original(*args, **kwargs)
            if any(name in PREPARING.get(each, ()) for each in callers):
                return original(*args, **kwargs)
            if callers & DISCARDING and self.discards_nothing(name, args):
                return self.take_over(name, original(*args, **kwargs), args)
            return self.call(name, original, args, kwargs)

    def discards_nothing(self, name: str, args: Any) -> bool:
        """Return whether an operator leaves labels as they are: no label is to be ignored."""
        if name == "__ne__":
            return bool((self.things.value_of(args[0]).data != args[1]).all())
        return name in ("cast", "__mul__") and self.things.number_of(args[0]) in self.neutral

    def take_over(self, name: str, out: Any, args: Any) -> Any:
        """Count a product with a mask of ones as the tensor itself, and return it."""
        if name == "__mul__":
            self.things.renumber(out, self.things.give_number(args[1]))
        else:
            self.neutral.add(self.things.renumber(out))
        return out

    def call(self, name: str, original: Any, args: Any, kwargs: Any) -> Any:
        given, given_args = tensors_in((args, kwargs)), args
        changed = args[:1] if is_in_place(name) else tensors_in(kwargs.get("out"))
        form, place = form_of(name, args, kwargs), source_line.here()
        inputs = self.things.seen_all(form.inputs)
        targets = [self.graph.target(each) for each in flattened(form.inputs)]
        before = [(each, each.inplace_version) for each in given]
        call = events.new_number()
        listed = any(isinstance(each, (list, tuple)) and tensors_in(each) for each in args)
        record = find_op(form.op)
        listed = listed and any(targets) and name != "_getitem_dygraph"
        if listed and (record is None or record.rule is None or record.list_result):
            args = aliased(args)  # a node for each gradient, which a hook can see
        try:
            out = original(*args, **kwargs)
        except BaseException as error:
            events.emit(events.OpStarted(call, form.op, inputs, form.attrs, place))
            events.failed("op", call, error, place)
            raise
        outs = [*changed] if changed else tensors_in(out)
        if not changed:
            outs = [each for each in outs if not any(each is one for one in given)]
            if record is not None and not record.list_result:
                outs = outs[: 1 if form.attrs.get("is_test") else len(record.outputs)]
        if not outs:
            return out
        values = [self.things.value_of(each) for each in outs]
        if find_op(form.op) is not None and not self.is_true(form, inputs, values):
            form = Form(unknown(name, args, kwargs).op, form.inputs)
        old = [self.things.give_number(each) for each in changed]
        for each in outs:
            if changed or not self.things.number_of(each):
                self.things.renumber(each)
        results, arrays = self.things.seen_all(outs), [*map(arrays_of, inputs)]
        events.emit(events.OpStarted(call, form.op, inputs, form.attrs, place))
        events.emit(events.OpFinished(call, form.op, inputs, results, form.attrs, place))
        group = self.graph.made(call, form, targets, outs, listed)
        record = find_op(form.op)
        rule = None
        if group is not None and record is not None:
            known = dict(zip(record.inputs, arrays, strict=False))
            known |= dict(zip(record.outputs, (value.data for value in values), strict=False))
            rule = follow_rule(group, record, form.attrs, known)
        if group is not None and listed:
            self.watch_list(outs, None if args is not given_args else rule)
        for each, number, seen in zip(outs, old, results, strict=False):
            if each.grad_fn is None or each.stop_gradient:  # others may share its memory
                taken = replace(self.things.seen(each), id=number)
                events.emit(events.ValuesTaken(taken, seen, "result"))
        for each, version in before:
            if name == "batch_norm" and each.inplace_version != version:
                source = results[1 if each is args[1] else 2]
                events.emit(events.ValuesTaken(self.things.seen(each), source, "copy"))
        for each, seen in zip(changed, results, strict=True) if changed else ():
            self.views_changed(each, seen)
        return out

    def is_true(self, form: Form, inputs: Any, values: list[Value]) -> bool:
        """Return whether a record computes what Paddle did; of large calls the first counts."""
        size = max(np.size(value.data) for value in values)
        kinds = [(each.value.shape, each.value.dtype) for each in flattened(inputs) if each]
        key = form.op, repr(form.attrs), repr(kinds)
        if size > SMALL and key in self.compared:
            return True
        fits = computes(form, inputs, values)
        if fits:
            self.compared.add(key)
        return fits

    def watch_list(self, outs: Any, rule: Any) -> None:
        """Let a hook on each result see the gradient that comes to a node with lists."""
        for slot, each in enumerate(outs):
            if not each.stop_gradient:
                place = self.graph.place_behind(each)
                each._register_grad_hook(partial(self.passes.list_arrived, place, rule, slot))

    def views_changed(self, tensor: Any, seen: Any) -> None:
        """Emit the values of the tensors in whose memory an in-place op has written."""
        for each in self.things.alive():
            known = self.things.facts(each)
            if known and each is not tensor and each._is_shared_buffer_with(tensor):
                self.things.note(each, replace(known, number=events.new_number()))
                events.emit(events.ValuesTaken(self.things.seen(each), seen, "computed"))

    def detach(self, original: Any, tensor: Any) -> Any:
        """Detach a tensor, and emit an event."""
        out = original(tensor)
        if not self.things.inside and callers_of(sys._getframe(2)) is not None:
            with self.things.unseen():
                seen, source = map(self.things.seen, (out, tensor))
            events.emit(events.ValuesTaken(seen, source, "alias", source_line.here()))
        return out

    def share(self, original: Any, tensor: Any, *args: Any) -> Any:
        """Return another object for the same tensor, of which the same is known."""
        out = original(tensor, *args)
        self.things.give_number(tensor)
        self.things.note(out, self.things.facts(tensor))
        return out

    def set_value(self, original: Any, tensor: Any, value: Any) -> Any:
        """Set a tensor's values, and emit the op that would do the same."""
        if self.things.inside or callers_of(sys._getframe(2)) is None:
            return original(tensor, value)
        with self.things.unseen():
            is_tensor = isinstance(value, Tensor)
            inputs = self.things.seen_all([tensor, value if is_tensor else paddle.to_tensor(value)])
            out = original(tensor, value)
            call, attrs, place = events.new_number(), {"index": ...}, source_line.here()
            results = self.things.seen_all([tensor])
            events.emit(events.OpStarted(call, "set_at", inputs, attrs, place))
            events.emit(events.OpFinished(call, "set_at", inputs, results, attrs, place))
        return out

    def read_grad(self, get: Any, tensor: Any) -> Any:
        """Read the `.grad` of a tensor, and emit an event if it is None."""
        grad = get(tensor)
        if self.things.inside:
            return grad
        number = self.things.number_of(tensor)
        if grad is not None:
            holder, state = self.things.holders.get(number, (0, None))
            if holder and state == state_of(grad):
                self.things.renumber(grad, holder)
            return grad
        with self.things.unseen():
            maker = "" if tensor.is_leaf else self.graph.place_behind(tensor).group.name
            facts = not tensor.stop_gradient, tensor.is_leaf, maker.removesuffix("GradNode")
            self.passes.gradient_missed(tensor, *facts)
        return grad

    def retain_grads(self, original: Any, tensor: Any) -> Any:
        """Keep the gradient of a tensor that is no leaf, and note it."""
        self.passes.retaining.add(self.things.give_number(tensor))
        return original(tensor)

    def register_hook(self, original: Any, tensor: Any, hook: Any) -> Any:
        """Register a hook of the user's on a tensor, in a wrapper that emits an event."""
        if self.things.inside or tensor.stop_gradient:
            return original(tensor, hook)
        with self.things.unseen():
            return original(tensor, self.passes.user_hook(tensor, hook))

    # ----- PyLayers ------------------------------------------------------------------------------

    def begin_context(self, context: Any) -> None:
        """Note the context of the PyLayer that is called."""
        if self.saving and self.saving[-1][0] is None:
            self.saving[-1][0] = context

    def apply(self, original: Any, cls: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a PyLayer's forward, open inside, and emit its events."""
        if self.things.inside:
            return original(cls, *args, **kwargs)
        with self.things.unseen():
            given = tensors_in((args, kwargs))
            targets = [self.graph.target(each) for each in given]
            inputs = self.things.seen_all(given)
        call, place, name = events.new_number(), source_line.here(), cls.__name__
        how = settings_of(cls.forward, (None, *args), kwargs, 1, tensors_in)
        self.saving.append([None, (), None, call])
        try:
            with events.scope("pylayer.forward", name, call, inputs, place, settings=how) as made:
                out = original(cls, *args, **kwargs)
                with self.things.unseen():
                    outs = tensors_in(out)
                    made += self.things.seen_all(outs)
        finally:
            context, saved, at, _ = self.saving.pop()
        with self.things.unseen():
            group = self.graph.made(call, Form("", given), targets, outs)
            if group is not None:
                group.tensors = [True] * len(given)
                made_here = next(each for each in outs if not each.stop_gradient)
                context._recorded = self, self.graph.place_behind(made_here)
                for k, tensor in enumerate(saved):
                    if isinstance(tensor, Tensor):
                        self.graph.keep(group, f"saved[{k}]", tensor, at)
        return out

    def save(self, original: Any, context: Any, *tensors: Any) -> None:
        """Save tensors for a PyLayer's backward, and note them."""
        if self.saving:
            self.saving[-1][1:3] = tensors, source_line.here()
        original(context, *tensors)

    def mark(self, original: Any, context: Any, *given: Any, **named: Any) -> None:
        """Mark the context of a PyLayer, and emit an event."""
        if self.saving:
            with self.things.unseen():
                tensors = self.things.seen_all(tensors_in(given))
            value = None if tensors else next(iter((*given, *named.values())), None)
            call, name, place = self.saving[-1][3], original.__name__, source_line.here()
            events.emit(events.ContextMarked(call, name, tensors, value, place))
        original(context, *given, **named)

    def apply_backward(self, original: Any, context: Any, *grads: Any) -> Any:
        """Call a PyLayer's backward, open inside."""
        source, place = getattr(context, "_recorded", (None, None))
        if self.things.inside or not self.passes.running or source is not self or place is None:
            return original(context, *grads)
        run, name, group = self.passes.running[-1], context._forward_cls.__name__, place.group
        with self.things.unseen():
            came = {
                at: self.things.value_of(each)
                for at, each in enumerate(grads)
                if each is not None and events.Edge("node", group.number, at) in run.buffers
                and events.Edge("node", group.number, at) not in run.hooked
            }  # fmt: skip
            self.passes.report_changes(run, group, came)
            given = self.things.seen_all(grads)
        where = source_line.of_function(inspect.unwrap(context._forward_cls.backward))
        with events.scope("pylayer.backward", name, group.call, given, where) as made:
            out = original(context, *grads)
            with self.things.unseen():
                row = out if isinstance(out, (list, tuple)) else [out]
                made += self.things.seen_all(row)
                values = [None if each is None else self.things.value_of(each) for each in row]
        self.passes.node_ran(run, place, values)  # no hook would see them
        return out

    # ----- layers --------------------------------------------------------------------------------

    def call_layer(self, original: Any, layer: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a layer, and emit events at its begin and end."""
        if self.things.inside or not paddle.in_dynamic_mode():
            return original(layer, *args, **kwargs)
        with self.things.unseen():
            inputs = self.things.seen_all(tensors_in((args, kwargs)))
            name, members = self.things.name_of(layer), self.things.members(layer)
        number, place, training = events.new_number(), source_line.here(), bool(layer.training)
        facts = "layer", name, 0, inputs, place, members, training
        events.emit(events.ScopeEntered(number, *facts))
        with events.failing("scope", number, place), self.watched_hooks(layer, number):
            out = original(layer, *args, **kwargs)
        with self.things.unseen():
            outputs = self.things.seen_all(tensors_in(out))
        events.emit(events.ScopeLeft(number, "layer", name, 0, outputs))
        return out

    @contextmanager
    def watched_hooks(self, layer: Any, scope: int) -> Iterator[None]:
        """Return a block in which the hooks of a layer emit events."""
        held = ("before", layer._forward_pre_hooks), ("after", layer._forward_post_hooks)
        before = [(hooks, key, hook) for _, hooks in held for key, hook in hooks.items()]
        for when, hooks in held:
            for key, hook in [*hooks.items()]:
                hooks[key] = partial(self.layer_hook, scope, when, hook)
        try:
            yield
        finally:
            for hooks, key, hook in before:
                if key in hooks:
                    hooks[key] = hook

    def layer_hook(self, scope: int, when: str, hook: Any, layer: Any, *given: Any) -> Any:
        """Call a hook of a layer, and emit an event."""
        made = hook(layer, *given)
        with self.things.unseen():
            shown = self.things.seen_all(tensors_in(given[-1] if when == "after" else given[0]))
            replaced = None if made is None else self.things.seen_all(tensors_in(made))
        name, where = getattr(hook, "__name__", type(hook).__name__), source_line.of_function(hook)
        events.emit(events.LayerHookRan(scope, name, when, shown, replaced, where))
        return made

    # ----- backward ------------------------------------------------------------------------------

    def backward(
        self, engine: Any, roots: Any, seeds: Any, retain: bool = False, *more: Any, **kwargs: Any
    ) -> Any:
        """Run a backward pass, in which the user's code is seen."""
        values = seeds or [None] * len(roots)
        run = Pass(bool(retain), False, source_line.here())
        call = partial(engine, roots, seeds, retain, *more, **kwargs)
        return self.passes.run(call, roots, values, run)

    def partial_backward(
        self, engine: Any, roots: Any, wanted: Any, seeds: Any, retain: bool, *more: Any
    ) -> Any:
        """Run the backward pass of `paddle.grad`."""
        values = seeds or [None] * len(roots)
        run = Pass(bool(retain), True, source_line.here())
        call = partial(engine, roots, wanted, seeds, retain, *more)
        return self.passes.run(call, roots, values, run, wanted)

    # ----- optimizers ----------------------------------------------------------------------------

    def step(self, original: Any, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Take an optimizer's step, and emit the updates of its parameters."""
        if self.things.inside or self.stepping:
            return original(optimizer, *args, **kwargs)
        name, number, place = type(optimizer).__name__, events.new_number(), source_line.here()
        with self.things.unseen():
            rows = groups_of(optimizer)
            lacking = [p for _, _, p in rows if GRAD(p) is None and not p.stop_gradient]
            keys = {str(k): param.name for k, param in enumerate(lacking)}
            events.emit(events.ScopeEntered(number, "optimizer", name, 0, (), place, keys))
            before: list[tuple[Any, Value, Value | None, Followed]] = []
            for index, group, param in rows:
                if not param.stop_gradient:
                    rule = update_rule_of(optimizer, group, index, param, self.things.value_of)
                    grad = self.passes.gradient(GRAD(param))
                    before.append((param, self.things.value_of(param), grad, rule))
        self.stepping = True  # its own ops are not the program's, but those of a closure are
        try:
            with events.failing("scope", number, place):
                out = original(optimizer, *args, **kwargs)
        finally:
            self.stepping = False
        with self.things.unseen():
            for param, value, known_grad, rule in before:
                grad = known_grad or self.passes.gradient(GRAD(param))  # a closure computes it
                if grad is not None:
                    seen = self.things.seen(param)
                    rule.emit(self.rules, param.name, name, seen, grad, value, place)
            events.emit(events.ScopeLeft(number, "optimizer", name, 0, ()))
        return out


# ----- parts -------------------------------------------------------------------------------------


def callers_of(frame: Any) -> set[str] | None:
    """Return the functions of Paddle that called an operator, None if it is no program's work."""
    names: set[str] = set()
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(BEHIND):
            return None
        if not source_line.is_library_code(file):
            return names
        if file.startswith(HOME + "nn") and frame.f_code.co_name == "__init__":
            return None  # a layer makes its parameters
        names.add(frame.f_code.co_name)
        frame = frame.f_back
    return names


def is_in_place(name: str) -> bool:
    """Return whether an operator with this name changes its first argument."""
    return name == "_setitem_dygraph" or (name.endswith("_") and not name.endswith("__"))


def aliased(args: Any) -> list[Any]:
    """Return arguments with a copy of each tensor in place of it."""
    return [
        _C_ops.assign(each) if isinstance(each, Tensor) and not each.stop_gradient
        else aliased(each) if isinstance(each, (list, tuple)) and tensors_in(each)
        else each
        for each in args
    ]  # fmt: skip


def follow_rule(group: Any, record: Any, attrs: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """Return the rule of a call's record, for the gradients that no hook can see."""
    if record.broadcasts and len({np.shape(array) for array in arrays.values()}) > 1:
        group.spread = Spread(record, attrs, arrays)
    return partial(gradients, record, attrs, arrays, group)


def gradients(
    record: Any, attrs: dict[str, Any], arrays: dict[str, Any], group: Any, dout: Any
) -> list[Any]:
    """Return the gradients of a call's tensors, one by one, by the rule of its record."""
    reads, needs = names_read(record), [edge is not None for edge in group.edges]
    rule = Gradient(record, attrs, reads, needs)
    try:
        with np.errstate(all="ignore"):
            found = rule.apply(functions_for([dout]), (*(arrays[name] for name in reads), dout))
    except Exception:  # noqa: BLE001  (then these gradients are not shown)
        return []
    pairs = zip(flattened(found), needs, strict=False)
    return [np.asarray(each) if needed and each is not None else None for each, needed in pairs]
