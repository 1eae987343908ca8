"""Notes: a recording without other listeners is the same, keeps its values, and frees the rest."""

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.engine import naming
from minipaddle.events import notes
from tests.each import each
from viz.recorder import listener_of
from viz.trace import Recording, dumps, encode

from . import programs


def network() -> None:
    """Run layers, a list of tensors, several outputs, and a clipped step of Adam."""
    paddle.seed(0)
    net = paddle.nn.Sequential(
        paddle.nn.Linear(3, 20), paddle.nn.Tanh(), paddle.nn.Linear(20, 4), paddle.nn.Softmax()
    )
    clip = paddle.nn.ClipGradByGlobalNorm(0.1)
    adam = paddle.optimizer.Adam(0.01, parameters=net.parameters(), grad_clip=clip)
    for _ in range(2):
        left, right = paddle.split(net(paddle.ones([20, 3])), 2, axis=1)
        (paddle.concat([left, right], axis=1) * left.sum()).mean().backward()
        adam.step()
        adam.clear_grad()


def pylayer() -> None:
    """Run hooks, two outputs, one without a gradient, and a second pass over a kept graph."""
    x = programs.leaf()
    y = programs.leaf()
    x.register_hook(lambda grad: grad * 2.0)
    product, rest = programs.TwoWays.apply(programs.cus_tanh.apply(x), y)
    product.retain_grads()
    product.sum().backward(retain_graph=True)
    (product * rest).mean().backward()


def changes() -> None:
    """Change tensors in place, also through views, of 20 x 20 and 80 x 80 elements."""
    for size in (3, 20, 80):
        x = paddle.ones([size, size])
        view = x.reshape([size * size])
        x.add_(x)
        y = x * 3.0
        x.zero_()
        (view + y.reshape([size * size])).fill_(2.0)


def higher() -> None:
    """Run gradients of gradients, broadcasting, and a diamond."""
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = paddle.tanh(x) * paddle.ones([3, 2])
    (slope,) = paddle.grad((y * y).sum(), [x], create_graph=True)
    (slope * slope).sum().backward()


def failing() -> None:
    """Run an op that fails, and a node that fails."""
    x = paddle.to_tensor([1.0], stop_gradient=False)
    with pytest.raises(ValueError, match="Broadcast"):
        _ = paddle.ones([2]) + paddle.ones([3])
    h = x * 1.0
    y = paddle.square(h)
    h.zero_()
    with pytest.raises(RuntimeError, match="modified"):
        y.backward()


PROGRAMS = [network, pylayer, changes, higher, failing]


def recorded(program: Callable[[], None], *others: Any) -> Recording:
    """Record a program beside other listeners. Parameters are numbered from 0 each time."""
    naming.reset()
    kept = Recording()
    with contextlib.ExitStack() as block:
        for listener in (listener_of(kept), *others):
            block.enter_context(events.listen(listener))
        program()
    return kept


def document(kept: Recording) -> str:
    return dumps(encode(kept)[0])


@each("program", PROGRAMS)
def test_notes_give_the_same_document_as_events(program: Callable[[], None]) -> None:
    """Beside another listener the log receives events instead of notes."""
    heard: list[Any] = []
    apart, beside = recorded(program), recorded(program, heard.append)
    assert any(event.__class__ is tuple for event in apart.log)
    assert not any(event.__class__ is tuple for event in (*beside.log, *heard))
    assert document(apart) == document(beside)
    made = list(notes.records_of(apart.log))
    finished = {e.call for e in made if isinstance(e, events.OpFinished)}
    twice = sum(isinstance(e, events.OpStarted) and e.call in finished for e in made)
    turns = sum(isinstance(e, events.LoopTurn) for e in made)
    assert notes.count(apart.log) == len(made) - twice - turns


def test_later_changes_in_place_change_no_recorded_value() -> None:
    memory = np.ones(3, "float32")
    x = paddle.to_tensor(memory)
    with viz.record() as trace:
        y = x * 2.0
        y.fill_(7.0)
        y.set_value(np.full(3, 8.0, "float32"))
        z = y + x
    y._data[...] = 9.0  # a change that no user can make
    x._data[...] = 9.0
    z._data[...] = 9.0
    seen = [e for e in trace.events if isinstance(e, events.OpFinished)]
    first, last = seen[0], seen[-1]
    assert first.inputs[0].value.data["data"] == [1.0, 1.0, 1.0]
    assert first.outputs[0].value.data["data"] == [2.0, 2.0, 2.0]
    assert last.inputs[0].value.data["data"] == [8.0, 8.0, 8.0]
    assert last.outputs[0].value.data["data"] == [9.0, 9.0, 9.0]


@pytest.fixture
def frozen() -> Iterator[None]:
    """Freeze old objects, so that garbage collection is fast."""
    gc.freeze()
    yield
    gc.unfreeze()


def test_values_live_as_long_as_their_trace(frozen: None) -> None:
    """Reference counts alone free them, without a garbage collection of every recording."""

    def record(**settings: Any) -> None:
        with viz.record(**settings) as trace:
            many(200)
        assert len(trace._recording.log) >= 30

    for settings in ({}, {"only": "tanh"}, {"depth": 0}, {"limit": 50}):
        record(**settings)
        gc.collect()
        gc.disable()
        try:
            record(**settings)
            # The filters stay; nothing grows with the log.
            assert gc.collect() < 100, settings
        finally:
            gc.enable()


def many(count: int) -> None:
    x = paddle.to_tensor([[1.0, 2.0, 3.0]] * 2, stop_gradient=False)
    for _ in range(count):
        x = paddle.tanh(x)
    x.sum().backward()


def test_an_unchanged_tensor_shares_its_cell() -> None:
    """Other values, another name and another flag each make a new cell."""
    x = paddle.to_tensor([1.0, 2.0])

    def program() -> None:
        for change in (
            lambda: None,
            x.zero_,
            lambda: setattr(x, "name", "given"),
            lambda: setattr(x, "stop_gradient", False),
        ):
            change()
            for _ in range(2):
                paddle.tanh(x)

    log = recorded(program).log
    ends = [note for note in log if note.__class__ is tuple and note[0] is notes.op_finished]
    given = [note[1][5] for note in ends if note[1][2] == "tanh"]
    assert all(first is second for first, second in zip(given[::2], given[1::2], strict=True))
    told = [(name, array[2], stop) for _, name, array, stop, *_ in given[::2]]
    before, zeros = (np.array(row, "float32").tobytes() for row in ([1, 2], [0, 0]))
    unnamed = given[0][1]
    assert told == [
        (unnamed, before, True),
        (unnamed, zeros, True),
        ("given", zeros, True),
        ("given", zeros, False),
    ]
