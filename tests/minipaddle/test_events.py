"""Events of the engine: the records, their order and their numbers."""

import subprocess
import sys
from dataclasses import fields
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine import modes
from minipaddle.events import event_types
from minipaddle.events.event_types import Argument, Seen, Value
from tests.each import each
from tests.samples import pylayer

KINDS = [
    kind
    for kind in vars(event_types).values()
    if isinstance(kind, type)
    and issubclass(kind, event_types.Event)
    and kind is not event_types.Event
]


def types_in(hint: Any) -> set[Any]:
    """Return every type inside of a field's type."""
    if hint == Argument:
        return {Seen}
    return {hint}.union(*(types_in(part) for part in get_args(hint)))


@each("kind", KINDS)
def test_every_kind_declares_the_fields_that_hold_tensors_and_values(kind: Any) -> None:
    """An undeclared field would be stored without a copy, and change afterwards."""
    hints = get_type_hints(kind, include_extras=True)
    inside = {field.name: types_in(hints[field.name]) for field in fields(kind)}
    tensors = {name for name, types in inside.items() if Seen in types}
    values = {name for name, types in inside.items() if Value in types}
    assert set(kind.tensor_fields) == tensors
    assert set(kind.value_fields) == values


def test_events_are_loaded_when_the_first_listener_needs_them() -> None:
    """Otherwise `import minipaddle` would be slower."""
    program = (
        "import sys, minipaddle\n"
        "modules = {'minipaddle.events.event_types', 'minipaddle.events.notes', 'dataclasses'}\n"
        "assert modules.isdisjoint(sys.modules)\n"
        "assert minipaddle.events.OpStarted is vars(minipaddle.events)['OpStarted']\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def listen_to(program: Any) -> list[Any]:
    heard: list[Any] = []
    with events.listen(heard.append):
        program()
    return heard


def story(heard: list[Any]) -> list[str]:
    """Describe each record in a few words, with ids numbered from 1 in order of occurrence."""
    numbers: dict[int, int] = {}

    def told(event: Any) -> str:
        words = [type(event).__name__]
        for name in ("op", "name"):
            if isinstance(getattr(event, name, None), str):
                words.append(getattr(event, name))
        for name in ("index", "slot", "slots"):
            if hasattr(event, name):
                words.append(str(getattr(event, name)))
        target = getattr(event, "edge", None)
        if target is not None:
            words.append(f"{target.kind}{numbers.setdefault(target.id, len(numbers) + 1)}")
        return " ".join(words)

    return [told(event) for event in heard]


def test_a_diamond_is_recorded_in_call_order_and_backward_in_queue_order() -> None:
    """x feeds two branches that meet: forward in call order, backward first in first out."""
    x = paddle.to_tensor(2.0, stop_gradient=False)

    def program() -> None:
        a = paddle.tanh(x)
        (a * a).backward()

    assert story(listen_to(program)) == [
        "OpStarted tanh",
        "OpFinished tanh",
        "GradNodeMade TanhGradNode",
        "TensorSaved out",
        "OpStarted multiply",
        "OpFinished multiply",
        "GradNodeMade MultiplyGradNode",
        "TensorSaved x",
        "TensorSaved y",
        "BackwardStarted",
        "NodeVisited MultiplyGradNode",
        "GradComputed 0 node1",
        "GradComputed 1 node1",
        "SavedReleased ('x', 'y')",
        "GradAccumulated node1",
        "NodeVisited TanhGradNode",
        "GradComputed 0 leaf2",
        "SavedReleased ('out',)",
        "LeafReached",
        "BackwardFinished",
    ]


def test_sums_over_broadcast_axes_and_hooks_are_recorded() -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)

    def tenfold(grad: Any) -> Any:
        return grad * 10

    x.register_hook(tenfold)
    heard = listen_to(lambda: (x * paddle.ones([3])).sum().backward())
    (summed,) = [e for e in heard if isinstance(e, events.GradUnbroadcast)]
    assert (summed.before.shape, summed.after.shape, summed.after.data.tolist()) == (
        (3,),
        (1,),
        [3.0],
    )
    (hook,) = [e for e in heard if isinstance(e, events.HookRan)]
    assert hook.name == "tenfold"
    assert (hook.before.data.tolist(), hook.after.data.tolist()) == ([3.0], [30.0])
    assert hook.place is not None
    assert hook.place.file == __file__


def test_a_failing_op_and_the_end_are_recorded() -> None:
    heard: list[Any] = []
    with pytest.raises(ValueError, match="Broadcast"), events.listen(heard.append):
        _ = paddle.ones([2]) + paddle.ones([3])
    assert isinstance(heard[-1], events.Failed)
    started = heard[-2]
    assert (heard[-1].during, heard[-1].id) == ("op", started.call)
    assert heard[-1].error == "InvalidArgument"
    assert "Broadcast dimension mismatch" in heard[-1].message
    what, expected, received, fix = heard[-1].parts
    assert (what.name, expected.name, fix.name) == ("what", "expected", "fix")
    assert (received.text, received.text_zh[:2]) == (
        "x float32 [2] and y float32 [3]: 2 against 3",
        "x ",
    )
    assert not events.heard()


def test_a_saved_output_is_recorded_as_the_output_itself() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        y = paddle.to_tensor(np.tanh(x.numpy()))
        ctx.save_for_backward(y)
        return y

    x = paddle.to_tensor([1.0], stop_gradient=False)
    heard = listen_to(lambda: pylayer(forward).apply(x))
    (left,) = (e for e in heard if isinstance(e, events.ScopeLeft))
    (saved,) = (e for e in heard if isinstance(e, events.TensorSaved))
    assert saved.tensor.id == left.outputs[0].id


def test_a_failing_node_is_recorded() -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    h = x * 1
    y = paddle.square(h)
    h.zero_()
    heard: list[Any] = []
    with pytest.raises(RuntimeError, match="modified"), events.listen(heard.append):
        y.backward()
    assert [type(e).__name__ for e in heard][-2:] == ["NodeVisited", "Failed"]
    assert (heard[-1].during, heard[-1].error) == ("node", "PermissionDenied")


def test_a_removed_listener_receives_nothing() -> None:
    heard: list[Any] = []

    def once(event: Any) -> None:
        heard.append(event)
        if isinstance(event, events.OpFinished):
            events.unlisten(once)

    with events.listen(once):
        x = paddle.ones([2]) * 2.0
        assert modes.here() is modes.PLAIN
        x * 3.0
    assert [type(event) for event in heard] == [events.OpStarted, events.OpFinished]
    assert modes.here() is modes.PLAIN


def test_a_gradient_is_one_value_from_its_computation_to_its_leaf() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)

    def program() -> None:
        y = paddle.tanh(x)
        (y * y + y).sum().backward()

    heard = listen_to(program)
    computed = [event.grad for event in heard if isinstance(event, events.GradComputed)]
    accumulated = [event for event in heard if isinstance(event, events.GradAccumulated)]
    visited = [event for event in heard if isinstance(event, events.NodeVisited)]
    assert len(visited) > 3
    assert visited[0].name == "SumGradNode"
    for event in visited[1:]:
        [came] = event.arrived
        assert any(came is value for value in (*computed, *(e.total for e in accumulated)))
    to_nodes = [event for event in accumulated if event.edge.kind == "node"]
    assert len(to_nodes) > 1
    for event in to_nodes:
        assert any(event.added is value for value in computed)
