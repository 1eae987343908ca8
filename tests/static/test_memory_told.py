"""The record of a run's memory: the values in each block, from operator to operator."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events

from .world import X, data, run, start

pytestmark = pytest.mark.usefixtures("programs")


def planned(*fetches, feed=None, executor=None):
    """Return the last memory record of a run, and the operators that ran."""
    records = []
    with events.listen(records.append):
        if executor is None:
            run(*fetches)
        else:
            executor.run(feed={"x": X} if feed is None else feed, fetch_list=list(fetches))
    (told,) = [e for e in records if isinstance(e, events.MemoryPlanned)]
    assert isinstance(records[-1], events.RunFinished)
    assert records[-2] is told
    return told


def blocks(told, kind):
    return [block for block in told.blocks if block.kind == kind]


def stays(block):
    return [(stay.names, stay.nbytes, stay.born, stay.freed) for stay in block.stays]


def test_a_block_holds_one_value_after_another() -> None:
    a = paddle.tanh(data())
    b = paddle.exp(a)
    c = paddle.exp(b)
    told = planned(c)
    first, second = blocks(told, "shared")
    assert stays(first) == [((a.name,), 32, 0, 1), ((c.name,), 32, 2, 3)]
    assert stays(second) == [((b.name,), 32, 1, 2)]
    (fed,) = blocks(told, "fed")
    assert stays(fed) == [(("x",), 32, -1, 0)]


def test_a_broadcasting_op_reuses_the_memory_of_an_operand_that_it_reads_last() -> None:
    a = paddle.tanh(data())
    b = a + data("y")
    (block,) = blocks(planned(b, feed={"x": X, "y": X}, executor=start()), "shared")
    assert stays(block) == [((a.name,), 32, 0, 1), ((b.name,), 32, 1, 2)]


def test_a_view_is_recorded_in_the_block_of_its_base() -> None:
    a = paddle.tanh(data())
    view = paddle.reshape(a, [8])
    b = paddle.exp(view)
    c = paddle.exp(b)
    first, second = blocks(planned(c), "shared")
    assert stays(first) == [((a.name, view.name), 32, 0, 2), ((c.name,), 32, 3, 4)]
    assert stays(second) == [((b.name,), 32, 2, 3)]


def test_arguments_of_a_py_func_share_no_memory() -> None:
    a = paddle.tanh(data())
    out = (
        paddle.static.default_main_program()
        .global_block()
        .create_var(name="out", shape=[2, 4], dtype="float32")
    )
    paddle.static.py_func(np.tanh, a, out)
    told = planned(paddle.exp(out))
    (own,) = blocks(told, "own")
    assert stays(own) == [((a.name,), 32, 0, 1)]


def test_no_two_values_are_in_a_block_at_once() -> None:
    hidden = data()
    for _ in range(4):
        hidden = paddle.tanh(paddle.static.nn.fc(hidden, 4)) + hidden
    loss = paddle.mean(hidden)
    paddle.optimizer.Adam(0.1).minimize(loss)
    told = planned(loss, executor=start())
    shared = blocks(told, "shared")
    assert len(shared) < sum(len(block.stays) for block in shared)
    for block in shared:
        assert block.nbytes == max(stay.nbytes for stay in block.stays)
        for earlier, later in zip(block.stays, block.stays[1:], strict=False):
            assert earlier.freed <= later.born


def test_a_failed_run_records_no_memory() -> None:
    def func(x):
        raise KeyError("mine")

    paddle.static.py_func(func, data() * 2.0, None)
    records = []
    with pytest.raises(KeyError), events.listen(records.append):
        run()
    assert not any(isinstance(e, events.MemoryPlanned) for e in records)
