"""The events while a Program is built, differentiated and run."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events

from .world import X, data, declared, run, start

pytestmark = pytest.mark.usefixtures("programs")


def heard(action):
    records = []
    with events.listen(records.append):
        action()
    return records


def test_every_operator_is_recorded_when_it_is_added() -> None:
    records = heard(lambda: paddle.mean(data(needs=True) * 2.0))
    assert [(e.index, e.type, e.op, e.role, e.mode) for e in records] == [
        (0, "scale", "scale", "forward", "build"),
        (1, "reduce_mean", "mean", "forward", "build"),
    ]
    (declared_x,) = records[0].inputs["X"]
    assert declared_x == events.Declared("x", (2, 4), "float32", False, False, "data")
    assert records[0].outputs["Out"][0].kind == "variable"
    assert records[0].place.file == __file__


def test_gradient_operators_name_their_forward_operator() -> None:
    hidden = paddle.static.nn.fc(data(), 3, activation="tanh")
    loss = paddle.mean(hidden)
    records = heard(lambda: paddle.optimizer.SGD(0.1).minimize(loss))
    main = [e for e in records if e.program == loss.block.program.number]
    assert [(e.index, e.mode) for e in main[:4]] == [(i, "build") for i in range(4)]
    main = main[4:]  # a new listener first receives the existing operators
    assert [(e.type, e.role, e.forward_of, e.mode) for e in main] == [
        ("fill_constant", "backward", None, "minimize"),
        ("reduce_mean_grad", "backward", 3, "minimize"),
        ("tanh_grad", "backward", 2, "minimize"),
        ("elementwise_add_grad", "backward", 1, "minimize"),
        ("mul_grad", "backward", 0, "minimize"),
        ("sgd", "optimize", None, "minimize"),
        ("sgd", "optimize", None, "minimize"),
    ]
    assert main[2].op == "tanh"


def test_each_new_listener_receives_each_operator_once() -> None:
    first = data() * 2.0
    records: list[object] = []
    with events.listen(records.append):
        run(first)
        second = first + 1.0
        run(second)
        run(second)
    told = [e.index for e in records if isinstance(e, events.OperatorAppended)]
    assert told == [0, 1]
    again = [e.index for e in heard(lambda: run(second)) if isinstance(e, events.OperatorAppended)]
    assert again == [0, 1]


def test_calls_of_py_func_are_recorded_with_their_arguments_in_order() -> None:
    def func(x):
        return np.tanh(x)

    def backward(y, dy):
        return np.array(dy) * (1 - np.square(np.array(y)))

    x, out = data(needs=True), declared()
    paddle.static.py_func(func, x, out, backward, x)
    grads = paddle.static.gradients(out, x)
    calls = [e for e in heard(lambda: run(*grads)) if isinstance(e, events.PyFuncCalled)]
    assert [(e.direction, e.function, e.skipped) for e in calls] == [
        ("forward", "func", ("x",)),
        ("backward", "backward", ("x",)),
    ]
    assert [[name for name, _ in e.arguments] for e in calls] == [["x"], ["o", "o@GRAD"]]
    assert [[name for name, _ in e.results] for e in calls] == [["o"], ["x@GRAD"]]
    assert calls[0].defined.line == func.__code__.co_firstlineno


def test_a_py_funcs_gradient_that_is_one_part_of_several_is_recorded_by_its_name() -> None:
    x, out = data(needs=True), declared()
    paddle.static.py_func(np.tanh, x, out, lambda x, y, dy: np.array(dy))
    grads = paddle.static.gradients([out, paddle.mean(x)], x)
    calls = [e for e in heard(lambda: run(*grads)) if isinstance(e, events.PyFuncCalled)]
    (name,) = (name for name, _ in calls[-1].results)
    assert name.startswith("x@GRAD@RENAME@block0@")


def test_an_update_in_place_is_recorded_with_the_values_before_and_after() -> None:
    weight = paddle.static.create_parameter([4, 3], "float32", name="w")
    paddle.optimizer.SGD(0.5).minimize(paddle.mean(data() @ weight))
    executor = start()
    told = heard(lambda: executor.run(feed={"x": X}))
    update = [e for e in told if isinstance(e, events.OperatorExecuted)][-1]
    step = 0.5 * update.inputs["w@GRAD"].data
    assert step.any()
    np.testing.assert_allclose(update.outputs["w"].data, update.inputs["w"].data - step, rtol=1e-6)
