"""Checks of recorded PyTorch programs, run by a Python that has PyTorch: prints complaints as JSON.

Each program runs twice. In the plain run another observer, written without the recorder, notes the
results of all calls, the line of each, and the gradients that autograd retains for them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from torch.overrides import TorchFunctionMode

import viz
from minipaddle import events
from viz.whatif.numbers import AsRecorded, computed_by
from viz.whatif.replay import Replay

from . import torch_programs
from .checks import (
    answer,
    computed_otherwise,
    numbers,
    renderings,
    same,
    sums_that_do_not_arrive,
)
from .torch_programs import CALLS, PROGRAMS, prepare

HERE = torch_programs.__file__
LINES = Path(HERE).read_text(encoding="utf-8").split("\n")
HIDDEN = ("__get__", "__set__", "requires_grad_", "register_hook", "backward")


class Observer(TorchFunctionMode):
    """Notes each call that returns tensors: its name, results and line."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, int, list[Any], list[Any]]] = []

    def __torch_function__(self, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        if name == "multi_head_attention_forward":  # its parts are the program's ops
            blind = patch.object(torch.nn.functional, "has_torch_function", lambda _: False)
            with blind, self:
                return func(*args, **(kwargs or {}))
        out = func(*args, **(kwargs or {}))
        row = out if isinstance(out, (list, tuple)) else [out]
        tensors = [each for each in row if isinstance(each, torch.Tensor)]
        if name == "__setitem__":
            tensors = [args[0]]
        if tensors and name not in HIDDEN:
            for each in tensors:
                if each.requires_grad and not each.is_leaf:
                    each.retain_grad()
            made = [(each, each._version) for each in tensors]
            self.calls.append((name, line_here(), [array(each) for each in tensors], made))
        return out


def line_here() -> int:
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != HERE:
        frame = frame.f_back
    return frame.f_lineno if frame else 0


def array(tensor: Any) -> Any:
    """Return a copy of a tensor's numbers."""
    with torch._C.DisableTorchFunction():
        plain = tensor.detach()
        return (plain.float() if plain.dtype is torch.bfloat16 else plain).numpy().copy()


def complaints_about(name: str) -> Iterator[str]:
    """Yield what is wrong with the recording of a program."""
    prepare()
    plain = PROGRAMS[name]()
    prepare()
    with Observer() as observer:
        PROGRAMS[name]()
    prepare()
    with viz.record(framework="torch") as trace:
        recorded = PROGRAMS[name]()
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
        if grad is None or number not in last or name == "transformer":
            continue  # the transformer clips its gradients in place
        if not same(numbers(last[number].grad), array(grad)):
            yield f"the last gradient of {key} is not its .grad"
    for key, tensor in recorded.items():
        if isinstance(tensor, torch.nn.Parameter) and not trace.number_of(tensor):
            yield f"{key} is not in the trace"
    yield from renderings(trace)
    yield from computed_otherwise(trace.events)


def compared(records: Any, observer: Observer) -> Iterator[str]:
    """Compare recorded calls, lines and gradients with the observed ones, in order."""
    calls, at = observer.calls, 0
    matched: dict[int, int] = {}
    began: Any = None
    inside = 0  # backward passes, in which the observer sees nothing
    for event in records:
        if isinstance(event, events.BackwardStarted):
            inside, began = inside + 1, event.place
            if not re.search(r"\b(backward|grad|checkpoint)\(", LINES[began.line - 1]):
                yield f"no pass begins in line {began.line}"
        inside -= isinstance(event, events.BackwardFinished)
        if inside and isinstance(event, events.OpFinished) and event.place == began:
            yield f"{event.op} is none of the program's ops in line {event.place.line}"
        if not isinstance(event, events.OpFinished) or inside:
            continue
        results = [numbers(seen.value) for seen in event.outputs]
        while at < len(calls) and not fits(calls[at], results, event):
            tensors = [each for each, _ in calls[at][3]]
            graded = any(each.requires_grad and not each.is_leaf for each in tensors)
            if graded and calls[at][0] not in ("detach", "grad"):
                yield f"{calls[at][0]} in line {calls[at][1]} is not recorded"
            at += 1
        if at == len(calls):
            yield f"{event.op} in line {event.place.line}: nothing like it ran"
            return
        matched[event.call] = at
        at += 1
    nodes = {event.node: event.call for event in records if isinstance(event, events.GradNodeMade)}
    arrived: dict[tuple[int, int], list[Any]] = {}
    for event in records:
        if isinstance(event, events.NodeVisited) and event.node in nodes:
            for slot, value in enumerate(event.arrived):
                if value is not None:
                    arrived.setdefault((nodes[event.node], slot), []).append(numbers(value))
        if isinstance(event, events.HookRan) and event.edge.kind == "node":
            arrived[nodes[event.edge.id], event.edge.slot][-1] = numbers(event.after)
    for (call, slot), values in arrived.items():
        if call in matched and len(values) == 1:
            name, line, _, tensors = calls[matched[call]]
            tensor, version = tensors[slot] if slot < len(tensors) else (None, 0)
            if tensor is None or tensor._version != version:  # then it became another result
                continue
            retained = tensor.grad if tensor.retains_grad else None
            if retained is not None and not same(values[0], array(retained)):
                yield f"gradient {slot} of {name}, line {line}: {values[0]}, not {retained}"


def fits(call: Any, results: list[Any], event: Any) -> bool:
    """Return whether an observed call has the results and the line of an event."""
    _, line, values, _ = call
    equal = len(values) <= len(results) and all(map(same, values, results))
    return equal and event.place.line == line


STORED = ("mlp", "cnn", "functions", "in_place", "double_backward", "hooks")


def of_calls() -> Iterator[str]:
    """Yield the calls that the record of their op describes otherwise than PyTorch computes."""
    for call in CALLS:
        with viz.record(framework="torch") as trace:
            made = call()
            made = made if isinstance(made, (list, tuple)) else [made]
            for each in made:
                if each.requires_grad:
                    weights = torch.linspace(1, 2, each.numel(), dtype=each.dtype)
                    (each * weights.reshape(each.shape)).sum().backward(retain_graph=True)
        line = LINES[call.__code__.co_firstlineno - 1].strip()
        yield from (f"{complaint}: {line}" for complaint in computed_otherwise(trace.events))
        yield from renderings(trace)


def edges() -> Iterator[str]:
    """Yield what is wrong at the edges: after exceptions, and where PyTorch hides its work."""
    space: dict[str, Any] = {"torch": torch, "viz": viz}
    exec("with viz.record() as trace:\n    torch.ones(2).tanh()", space)
    if space["trace"].framework != "torch":
        yield "a program with PyTorch alone is not recorded as PyTorch's"
    function, module = torch.autograd.Function, torch.nn.Module
    node = torch.autograd.function.BackwardCFunction
    patched = (
        (function, "apply"), (node, "apply"), (module, "__call__"),
        (torch.autograd, "_engine_run_backward"),
        (torch.autograd.function.FunctionCtx, "save_for_backward"),
    )  # fmt: skip
    before = [vars(owner)[name] for owner, name in patched]
    with suppress(RuntimeError), viz.record(framework="torch") as trace:
        torch_programs.failing()
    if [vars(owner)[name] for owner, name in patched] != before:
        yield "a patch is left after an exception"
    if trace.ended is None or trace.ended.error != "RuntimeError":
        yield f"the trace does not end in the exception: {trace.ended}"
    failed = [event for event in trace.events if isinstance(event, events.Failed)]
    if [event.during for event in failed] != ["op"]:
        yield f"the failing op is not recorded: {failed}"
    yield from renderings(trace)
    with viz.record(framework="torch") as outer:
        with viz.record(framework="torch") as inner:
            torch.relu(torch.ones(2))
        torch.relu(torch.ones(2))
    counts = [sum(isinstance(e, events.OpFinished) for e in each.events) for each in (outer, inner)]
    if counts != [4, 2]:
        yield f"recordings in each other have {counts} ops"
    leaf = torch.ones(2, requires_grad=True)
    hook = lambda grad: grad * 2  # noqa: E731
    with viz.record(framework="torch"):
        leaf.register_hook(hook)
        (leaf * leaf).sum().backward()
    kept = list(leaf._backward_hooks.values())
    if kept != [hook] or leaf._post_accumulate_grad_hooks:
        yield f"hooks are left: {kept}, {leaf._post_accumulate_grad_hooks}"
    leaf = torch.ones(2, requires_grad=True)
    leaf.register_hook(hook)
    square = leaf * leaf
    square.register_hook(hook)
    with viz.record(framework="torch") as trace:
        square.sum().backward()
    ran = [event.edge.kind for event in trace.events if isinstance(event, events.HookRan)]
    if ran != ["node", "leaf"]:
        yield f"hooks from before the recording are not noticed: {ran}"
    yield from renderings(trace)
    yield from of_closed_work()
    yield from of_steps_in_backward()
    yield from of_composite_names()
    yield from of_second_gradients()
    yield from of_sparse_leaves()
    yield from of_older_state()
    yield from of_calls()


def of_closed_work() -> Iterator[str]:
    """Yield what is wrong with work that PyTorch has compiled: it is one closed op."""
    scripted = torch.jit.trace(torch.nn.Linear(2, 2), torch.ones(1, 2))
    x = torch.ones(3, 2, requires_grad=True)
    with viz.record(framework="torch") as trace:
        scripted(x).sum().backward()
    ops = [event.op for event in trace.events if isinstance(event, events.OpFinished)]
    if ops != ["TopLevelTracedModule", "sum"]:
        yield f"a traced module is not one op: {ops}"
    last = [event for event in trace.events if isinstance(event, events.LeafReached)]
    if not any(same(numbers(event.grad), array(x.grad)) for event in last):
        yield "no gradient comes through a traced module"
    yield from renderings(trace)


def of_steps_in_backward() -> Iterator[str]:
    """Yield what is wrong where a user's hook takes an optimizer's step inside of backward."""
    net = torch.nn.Linear(2, 1)

    def step_by(optimizer: Any) -> Any:
        def step(_: Any) -> None:
            optimizer.step()
            optimizer.zero_grad()

        return step

    for each in net.parameters():
        step = step_by(torch.optim.SGD([each], lr=0.1))
        each.register_post_accumulate_grad_hook(step)
    with viz.record(framework="torch") as trace:
        net(torch.ones(3, 2)).sum().backward()
    kinds = [type(event).__name__ for event in trace.events]
    told = [each for each in kinds if each in ("LeafReached", "ParameterUpdated", "SavedReleased")]
    if told != ["LeafReached", "ParameterUpdated"] * 2 + ["SavedReleased"]:
        yield f"steps inside of backward are told as {told}"
    yield from renderings(trace)


def of_composite_names() -> Iterator[str]:
    """Yield the gradients of linear in which an input `x + 1` has no brackets."""
    net, x = torch.nn.Linear(2, 1), torch.ones(3, 2)
    with viz.record(framework="torch") as trace:
        net(x + 1).sum().backward()
    texts = [each.text for each in trace.steps if each.text.startswith("linear: ")]
    if len(texts) != 1 or "ᵀ @ (x + 1);" not in texts[0]:
        yield f"a sum in a product has no brackets: {texts}"


def of_second_gradients() -> Iterator[str]:
    """Yield the formulas of a node that say more than it computed, or less."""
    net, x = torch.nn.Linear(2, 1), torch.ones(1, 2, requires_grad=True)
    with viz.record(framework="torch") as trace:
        y = net(x)
        (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (slope.square().sum() + y.sum()).backward()
    texts = [(each.text, each.step.formula) for each in trace.steps if each.step.kind == "visit"]
    formulas = [formula for text, formula in texts if "linear" in text]
    if formulas != ["dx = dy @ net.weight", ""]:  # then a part of linear alone had run
        yield f"second gradients of linear have other formulas: {formulas}"


def of_sparse_leaves() -> Iterator[str]:
    """Yield what is wrong with a sparse leaf."""
    leaf, dense = torch.eye(2).to_sparse().requires_grad_(), torch.ones(2, 2)
    with viz.record(framework="torch") as trace:
        torch.sparse.mm(leaf, dense).sum().backward()
    reached = [event for event in trace.events if isinstance(event, events.LeafReached)]
    if [event.tensor.id for event in reached] != [trace.number_of(leaf)]:
        yield "no gradient reaches a sparse leaf"
    yield from renderings(trace)


def of_older_state() -> Iterator[str]:
    """Yield what is wrong with statistics and moments that began before the recording."""
    net, norm = torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2, momentum=0.3)
    optimizer, x = torch.optim.Adam(net.parameters(), 0.1), torch.randn(4, 2)
    for step in range(3):
        with viz.record(framework="torch") as trace:
            optimizer.zero_grad()
            net(norm(x)).square().sum().backward()
            optimizer.step()
        said = next(each.text for each in trace.steps if "running_mean becomes" in each.text)
        if "becomes 0.7 × " not in said:
            yield f"a momentum of 0.3 is told otherwise: {said}"
        recorded = AsRecorded()
        with computed_by("torch"):
            Replay(recorded, trace.events).walk()
        updates = [each for each in trace.events if isinstance(each, events.ParameterUpdated)]
        if any(each.tensor.value.occurrence in recorded.kept_as_recorded for each in updates):
            yield f"Adam computes an update otherwise in step {step}"


if __name__ == "__main__":
    print(answer(sys.argv[1:], "torch", PROGRAMS, complaints_about, edges, STORED, prepare))
