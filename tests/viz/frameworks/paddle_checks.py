"""Checks of recorded Paddle programs, run by a Python that has Paddle: prints complaints as JSON.

Each program runs twice in Paddle. In the plain run another observer, written without the recorder,
notes the results of all operators, the line of each, what it saves, and the gradients that arrive.
Then minipaddle runs the same program: the two recordings must tell the same.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import paddle
from paddle import _C_ops

import minipaddle
import viz
from minipaddle import events
from minipaddle.ops.program_ops import find_op
from viz.frameworks.groups import flattened

from . import paddle_programs
from .checks import answer, computed_otherwise, numbers, renderings, same, sums_that_do_not_arrive
from .paddle_programs import CALLS, PROGRAMS, called

HERE = paddle_programs.__file__
LINES = Path(HERE).read_text(encoding="utf-8").split("\n")
Tensor = paddle.Tensor
RUNS = {name: partial(run, paddle) for name, run in PROGRAMS.items()}
# Programs that minipaddle runs in other steps than Paddle, and why.
OTHERWISE = {
    "lstm": "Paddle has one operator for the whole LSTM",
    "double_backward": "Paddle's second gradient is a part of its C++ library",
    "recomputed": "Paddle's recomputation is a PyLayer of its own",
    "recurrent": "Paddle's cells multiply by a transposed matrix at once",
}


# Paddle also saves numbers as tensors, running statistics, and some that it does not return.
SAVES_MORE = ("__rtruediv__", "__rpow__", "layer_norm", "batch_norm")
# Ops of which minipaddle makes other steps.
IN_OTHER_STEPS = {"linear", "matmul_transposed", "not_equal", "numel"}


class Observer:
    """Notes each operator that returns tensors: its name, line, results, gradients, saved."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int, list[Any], list[list[Any]], list[Any]]] = []
        self.busy = False

    def watched(self, name: str, function: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            if self.busy or not line_here():
                return function(*args, **kwargs)
            self.busy, kept = True, []

            def pack(tensor: Any) -> Any:
                kept.append(array(tensor))
                return tensor

            with paddle.autograd.saved_tensors_hooks(pack, lambda tensor: tensor):
                out = function(*args, **kwargs)
            tensors = [each for each in flattened([out]) if isinstance(each, Tensor)]
            if name == "_setitem_dygraph":
                tensors = [args[0]]
            arrived: list[list[Any]] = [[] for _ in tensors]
            for each, grads in zip(tensors, arrived, strict=True):
                if not each.stop_gradient and not each.is_leaf:
                    each.register_hook(partial(note, grads))
            if tensors:
                self.calls.append((name, line_here(), [*map(array, tensors)], arrived, kept))
            self.busy = False
            return out

        return run

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch all operators inside the block."""
        known = {id(f): n for n, f in vars(_C_ops).items() if type(f) is types.BuiltinFunctionType}
        places: list[tuple[Any, str, Any]] = [
            (module, key, value)
            for name, module in [*sys.modules.items()]
            if name.startswith("paddle.") and "libpaddle" not in name
            for key, value in [*vars(module).items()]
            if type(value) is types.BuiltinFunctionType and id(value) in known
        ]
        methods = [n for n in vars(Tensor) if n.startswith("__") or n.endswith("item_dygraph")]
        for name in (*methods, "clone"):
            if type(vars(Tensor)[name]).__name__ == "method_descriptor":
                places.append((Tensor, name, vars(Tensor)[name]))
        for owner, name, old in places:
            setattr(owner, name, self.watched(known.get(id(old), name), old))
        try:
            yield
        finally:
            for owner, name, old in places:
                setattr(owner, name, old)


def note(grads: list[Any], grad: Any) -> None:
    if grad is not None:
        grads.append(array(grad))


def line_here() -> int:
    """Return the line of the program that runs, 0 in a layer's `__init__` or in an optimizer."""
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != HERE:
        if re.search(r"/optimizer/|/nn/clip|/initializer/", frame.f_code.co_filename):
            return 0
        frame = frame.f_back
    return frame.f_lineno if frame else 0


def array(tensor: Any) -> Any:
    """Return a copy of a tensor's numbers."""
    return np.array(tensor.numpy())


def close(one: Any, other: Any) -> bool:
    return one.shape == other.shape and np.allclose(one, other, 1e-4, 1e-5, equal_nan=True)


def complaints_about(name: str) -> Iterator[str]:
    """Yield what is wrong with the recording of a program."""
    plain = RUNS[name]()
    observer = Observer()
    with observer.watching():
        RUNS[name]()
    with viz.record(framework="paddle") as trace:
        recorded = RUNS[name]()
    for key, tensor in plain.items():
        if not same(array(tensor), array(recorded[key])):
            yield f"the recorded run changed {key}"
    yield from compared(trace.events, observer)
    yield from sums_that_do_not_arrive(trace.events)
    last = {
        event.tensor.id: event for event in trace.events if isinstance(event, events.LeafReached)
    }
    for key, tensor in recorded.items():
        number, grad = trace.number_of(tensor), recorded.get(f"{key}.grad")
        if not number:
            if "grad" not in key:
                yield f"{key} is not in the trace"
        elif grad is None or number not in last or name == "transformer":
            continue  # the transformer clips its gradients in place
        elif not same(numbers(last[number].grad), array(grad)):
            yield f"the last gradient of {key} is not its .grad"
    yield from renderings(trace)
    yield from computed_otherwise(trace.events)
    if name not in OTHERWISE:
        with viz.record() as ours:
            PROGRAMS[name](minipaddle)
        yield from differences(told(ours), told(trace))


def compared(records: Any, observer: Observer) -> Iterator[str]:
    """Compare recorded calls, lines, saved tensors and gradients with the observed ones."""
    calls, at, inside = observer.calls, 0, 0
    matched: dict[int, int] = {}
    for event in records:
        if isinstance(event, events.BackwardStarted):
            inside += 1
            if not re.search(r"\b(backward|grad)\(", LINES[event.place.line - 1]):
                yield f"no pass begins in line {event.place.line}"
        inside -= isinstance(event, events.BackwardFinished)
        if not isinstance(event, events.OpFinished) or LINES[event.place.line - 1].count(
            "set_value("
        ):
            continue
        results = [numbers(seen.value) for seen in event.outputs]
        start = at
        while at < len(calls) and not fits(calls[at], results, event):
            at += 1
        if at == len(calls):
            if event.op == "matmul":  # the first part of `linear`
                matched[event.call] = at = start
                continue
            yield f"{event.op} in line {event.place.line}: nothing like it ran"
            return
        for skipped in calls[start:at]:
            if any(skipped[3]):
                yield f"{skipped[0]} in line {skipped[1]} is not recorded"
        matched[event.call] = at
        at += 1
    nodes = {event.node: event.call for event in records if isinstance(event, events.GradNodeMade)}
    arrived: dict[tuple[int, int], list[Any]] = {}
    saved: dict[int, list[Any]] = {call: [] for call in nodes.values()}
    for event in records:
        if isinstance(event, events.NodeVisited) and event.node in nodes:
            for slot, value in enumerate(event.arrived):
                if value is not None:
                    arrived.setdefault((nodes[event.node], slot), []).append(numbers(value))
        if isinstance(event, events.TensorSaved):
            saved[nodes[event.node]].append(numbers(event.tensor.value))
    for (call, slot), values in arrived.items():
        if call in matched:
            name, line, _, grads, _ = calls[matched[call]]
            ran = grads[slot] if slot < len(grads) else []
            if len(ran) != len(values) or not all(map(close, ran, values)):
                yield f"gradient {slot} of {name}, line {line}: {values}, not {ran}"
    told: dict[int, list[Any]] = {}
    for call, kept in saved.items():
        told.setdefault(matched.get(call, -1), []).extend(kept)
    told.pop(-1, None)
    for place, kept in told.items():
        name, line, _, _, ran = calls[place]
        lacking = [each for each in kept if not any(close(each, one) for one in ran)]
        more = [one for one in ran if not any(close(each, one) for each in kept)]
        if lacking or (kept and more and name not in SAVES_MORE):
            yield f"{name}, line {line} saves {len(more)} more, and not {lacking}"


def fits(call: Any, results: list[Any], event: Any) -> bool:
    """Return whether an observed call has the results and the line of an event."""
    _, line, values, _, _ = call
    return event.place.line == line and all(map(same, values[: len(results)], results))


# ----- beside minipaddle -------------------------------------------------------------------------


def told(trace: Any) -> list[tuple[str, Any]]:
    """List the ops, nodes, gradients and updates of a recording, in order."""
    rows: list[tuple[str, Any]] = []
    calls: dict[int, str] = {}
    nodes: dict[int, str] = {}
    names: dict[int, str] = {}
    for event in trace.events:
        if isinstance(event, events.OpFinished):
            calls[event.call] = f"{event.op} in line {event.place.line}"
            rows.append((calls[event.call], numbers(event.outputs[0].value)))
        elif isinstance(event, events.ScopeEntered):
            calls[event.call] = f"{event.kind} {re.sub(r'_[0-9]+$', '', event.name)}"
            rows.append((calls[event.call], None))
        elif isinstance(event, events.GradNodeMade):
            nodes[event.node] = calls[event.call]
            rows.append((f"node of {calls[event.call]}", None))
        elif isinstance(event, events.NodeVisited):
            rows.append((f"visit of {nodes[event.node]}", None))
            rows += [("gradient", numbers(each)) for each in event.arrived if each is not None]
        elif isinstance(event, events.GradComputed) and event.grad is not None:
            rows.append((f"gradient {event.index}", numbers(event.grad)))
        elif isinstance(event, events.LeafReached):
            names.setdefault(event.tensor.id, f"leaf {len(names)}")
            rows.append((names[event.tensor.id], numbers(event.grad)))
        elif isinstance(event, events.ParameterUpdated):
            rows.append((f"update {event.formula}", numbers(event.tensor.value)))
        elif isinstance(event, events.LayerHookRan):
            rows.append((f"hook {event.name} {event.when}, {event.made is None}", None))
        elif isinstance(event, events.HookRan):
            rows.append(("hook", numbers(event.after)))
    return rows


def differences(ours: list[Any], theirs: list[Any]) -> Iterator[str]:
    """Yield the first difference of two recordings."""
    for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        known = one[1] is not None and other[1] is not None
        if one[0] != other[0] or (known and not close(one[1], other[1])):
            around = [row[0] for row in ours[max(0, at - 3) : at]]
            yield f"after {around} minipaddle has {one}, Paddle {other}"
            return
    if len(ours) != len(theirs):
        yield f"{len(ours)} and {len(theirs)} records"


STORED = ("mlp", "cnn", "py_layers", "in_place", "double_backward", "lstm")


def of_calls() -> Iterator[str]:
    """Yield the calls whose record differs from Paddle's computation or minipaddle's record."""
    for call in CALLS:
        observer = Observer()
        with observer.watching():
            called(paddle, call)
        with viz.record(framework="paddle") as trace:
            called(paddle, call)
        with viz.record() as ours:
            called(minipaddle, call)
        complaints = [*computed_otherwise(trace.events), *renderings(trace)]
        complaints += compared(trace.events, observer)
        ops = {event.op for event in trace.events if isinstance(event, events.OpFinished)}
        if not ops & IN_OTHER_STEPS and all(map(find_op, ops)):
            complaints += differences(told(ours), told(trace))
        line = LINES[call.__code__.co_firstlineno - 1].strip()
        yield from (f"{complaint}: {line}" for complaint in complaints)


def places() -> list[Any]:
    """Return all that patches replace."""
    eager, layer = paddle.base.core.eager, paddle.autograd.py_layer
    owners = (
        _C_ops, Tensor, paddle.nn.Layer, layer.PyLayer, layer.PyLayerContext, eager,
        layer.PyLayerBackward, paddle.optimizer.Optimizer, paddle.optimizer.Adam,
        sys.modules["paddle.tensor.math"], sys.modules["paddle.tensor.linalg"],
    )  # fmt: skip
    return [{key: id(value) for key, value in vars(owner).items()} for owner in owners]


def edges() -> Iterator[str]:
    """Yield what is wrong at the edges: after exceptions, and where Paddle hides its work."""
    before = places()
    with suppress(ValueError), viz.record(framework="paddle") as trace:
        paddle_programs.failing(paddle)
    if places() != before:
        yield "a patch is left after an exception"
    if trace.ended is None or trace.ended.error != "ValueError":
        yield f"the trace does not end in the exception: {trace.ended}"
    failed = [event for event in trace.events if isinstance(event, events.Failed)]
    if [event.during for event in failed] != ["op"]:
        yield f"the failing op is not recorded: {failed}"
    yield from renderings(trace)
    one = paddle.ones([2])
    with viz.record(framework="paddle") as outer:
        with viz.record(framework="paddle") as inner:
            paddle.exp(one)
        paddle.exp(one)
    counts = [sum(isinstance(e, events.OpFinished) for e in each.events) for each in (outer, inner)]
    if counts != [2, 1]:
        yield f"recordings in each other have {counts} ops"
    seen: list[Any] = []
    leaf = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    square = leaf * leaf
    for each in (leaf, square):
        each.register_hook(lambda grad: seen.append(grad) or grad * 2)
    with viz.record(framework="paddle") as trace:
        square.sum().backward(retain_graph=True)
    ran = [event.edge.kind for event in trace.events if isinstance(event, events.HookRan)]
    if ran != ["node", "leaf"]:
        yield f"hooks from before the recording are not noticed: {ran}"
    yield from renderings(trace)
    square.sum().backward()
    if len(seen) != 4:
        yield f"the hooks have run {len(seen)} times"
    double = leaf * 2
    joined = paddle.concat([double, double * 3])
    with viz.record(framework="paddle") as trace:
        (joined.sum() + double.sum() + leaf.sum()).backward()
    visits = {e.name: e.arrived for e in trace.events if isinstance(e, events.NodeVisited)}
    if any(
        isinstance(event, events.HookRan) and event.edge.kind == "node" for event in trace.events
    ):
        yield "gradients that no hook can see are told as those of a hook"
    if not any(numbers(value).tolist() == [5, 5] for value in visits["ScaleGradNode"] if value):
        yield f"the gradients after a node with lists are {visits}"
    yield from of_failing_backward()
    yield from of_second_gradients()
    yield from of_two_objects()
    yield from of_rows()
    yield from of_threads()
    yield from of_calls()


def of_failing_backward() -> Iterator[str]:
    """Yield what is wrong with an exception in a PyLayer's backward."""

    class Wrong(paddle.autograd.PyLayer):
        @staticmethod
        def forward(_ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(_ctx: Any, _dy: Any) -> Any:
            raise KeyError("no gradient")

    with suppress(OSError), viz.record(framework="paddle") as trace:
        x = paddle.to_tensor([1.0], stop_gradient=False)
        Wrong.apply(x).sum().backward()
    failed = [event for event in trace.events if isinstance(event, events.Failed)]
    if [event.error for event in failed][:1] != ["KeyError"]:
        yield f"the exception in backward is told as {failed}"
    yield from renderings(trace)


def of_second_gradients() -> Iterator[str]:
    """Yield the steps at Paddle's own nodes of a second derivative that did not happen."""
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record(framework="paddle") as trace:
        (slope,) = paddle.grad((paddle.exp(x) * x).sum(), x, create_graph=True)
        slope.sum().backward()
    if any(isinstance(event, events.HookRan) for event in trace.events):
        yield "gradients of several outputs are told as those of a hook"
    visits = {e.name: e for e in trace.events if isinstance(e, events.NodeVisited)}
    product = visits["MultiplyDoubleGradNode"]
    met = [event.edge for event in trace.events if isinstance(event, events.GradAccumulated)]
    if events.Edge("node", product.node) in met:
        yield "gradients of several outputs are told as a sum"
    came = [numbers(value).tolist() for value in product.arrived if value]
    if [1, 1] not in came or len(came) != 2:
        yield f"the gradients of a product's two outputs are {came}"
    yield from renderings(trace)


def of_two_objects() -> Iterator[str]:
    """Yield what is wrong with a tensor that has a second object in Python."""
    image = paddle.to_tensor(np.ones((1, 1, 2, 2), "float32"), stop_gradient=False)
    with viz.record(framework="paddle") as trace:
        paddle.nn.functional.adaptive_avg_pool2d(image, 1).sum().backward()
    reached = [event for event in trace.events if isinstance(event, events.LeafReached)]
    if [event.tensor.id for event in reached] != [trace.number_of(image)]:
        yield "the gradient of an image reaches another tensor"


def of_rows() -> Iterator[str]:
    """Yield what is wrong with the gradient of a sparse embedding."""
    table = paddle.nn.Embedding(5, 3, sparse=True)
    with viz.record(framework="paddle") as trace:
        table(paddle.to_tensor([1, 2, 1])).sum().backward()
    last = [event for event in trace.events if isinstance(event, events.LeafReached)]
    if [numbers(event.grad)[:, 0].tolist() for event in last] != [[0, 2, 1, 0, 0]]:
        yield "the rows of a sparse gradient are lost"
    yield from renderings(trace)


def of_threads() -> Iterator[str]:
    """Yield what is wrong with the work of another thread, which no recording shows."""
    with viz.record(framework="paddle") as trace:
        other = Thread(target=lambda: PROGRAMS["mlp"](paddle))
        other.start()
        other.join()
    if len(trace.events):
        yield f"another thread is recorded: {trace.events[:2]}"


if __name__ == "__main__":
    seed = partial(paddle.seed, 3)
    print(answer(sys.argv[1:], "paddle", RUNS, complaints_about, edges, STORED, seed))
