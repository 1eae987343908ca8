"""A plan computes what the interpreter computes, bit for bit, in less memory.

An Executor's first run of a kind is interpreted, its second is recorded, its third uses the plan.
A new Executor for every run is therefore the reference.
"""

import threading
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.ops.recording_arrays import RECORDING, record_with
from minipaddle.ops.rule_functions import host_check
from minipaddle.static.plan import Plan
from minipaddle.static.plan.recording import Recorder
from tests.each import each
from tests.ops.drawing import call, draw, flat, sampled

from .test_same_as_eager import variables_of
from .world import as_interpreted, bits, fresh

SAMPLES = [pytest.param(op, sample, id=name) for op, sample, name in sampled()]


# ----- every op ----------------------------------------------------------------------------------


@each(("op", "sample"), SAMPLES, quick=300)
def test_a_plan_computes_every_op_and_its_gradient(op: Any, sample: Any) -> None:
    with fresh() as (main, _):
        inputs, names = variables_of(draw(op, sample, 1, "float32"))
        outs = call(op, inputs, sample)
        targets = [(out * out).sum() for out in outs if not out.stop_gradient]
        sources = [var for var in flat(inputs) if not var.stop_gradient]
        grads = paddle.static.gradients(targets, sources) if targets and sources else []
        drawn = [flat(draw(op, sample, seed, "float32")) for seed in (1, 2, 3, 4)]
        feeds = [dict(zip(names, arrays, strict=True)) for arrays in drawn]
        as_interpreted(main, feeds, [*outs, *(g for g in grads if g is not None)])


# ----- networks ----------------------------------------------------------------------------------


def mlp(sizes: list[int], optimizer: Any, activation: str = "tanh") -> Any:
    """Build a network with a cross entropy and its updates; return the loss."""
    x = paddle.static.data("x", [None, sizes[0]])
    label = paddle.static.data("label", [None, 1], "int64")
    for size in sizes[1:-1]:
        x = paddle.static.nn.fc(x, size, activation=activation)
    logits = paddle.static.nn.fc(x, sizes[-1])
    loss = paddle.nn.functional.cross_entropy(logits, label)
    optimizer.minimize(loss)
    return loss


def batch(seed: int, sizes: list[int], rows: int = 5) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, sizes[0])).astype("float32")
    return {"x": x, "label": rng.integers(0, sizes[-1], (rows, 1))}


OPTIMIZERS = {
    "SGD": lambda: paddle.optimizer.SGD(0.1),
    "decay": lambda: paddle.optimizer.SGD(0.1, weight_decay=0.01),
    "Momentum": lambda: paddle.optimizer.Momentum(0.1, 0.9, use_nesterov=True),
    "Adam": lambda: paddle.optimizer.Adam(0.01),
    "AdamW": lambda: paddle.optimizer.AdamW(0.01, weight_decay=0.1),
    "clip": lambda: paddle.optimizer.SGD(0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.1)),
    "amsgrad": lambda: paddle.optimizer.Adam(0.01, amsgrad=True),
    "centered": lambda: paddle.optimizer.RMSProp(0.01, momentum=0.5, centered=True),
    **{
        kind: lambda kind=kind: getattr(paddle.optimizer, kind)(learning_rate=0.01)
        for kind in ("Adagrad", "Adadelta", "Adamax", "Lamb", "NAdam", "RAdam", "ASGD", "Rprop")
    },
}


@each("name", OPTIMIZERS)
@each("activation", ["tanh", "relu"], quick=12)
def test_training_by_plan_gives_the_interpreters_bits(name: str, activation: str) -> None:
    sizes = [4, 6, 3]
    found = []
    for by_plan in (False, True):
        with fresh() as (main, startup):
            loss = mlp(sizes, OPTIMIZERS[name](), activation)
            paddle.seed(3)
            executor = paddle.static.Executor()
            executor.run(startup)
            losses = []
            for step in range(6):
                runner = executor if by_plan else paddle.static.Executor()
                losses += runner.run(main, batch(step, sizes), [loss])
            scope = paddle.static.global_scope()
            state = [np.array(scope.find_var(n).get_tensor()) for n in scope.local_var_names()]
            found.append((bits(losses), bits(state)))
    assert found[0] == found[1]


# ----- when a run is not like the recorded one ----------------------------------------------------


def test_a_check_is_repeated_after_its_values_were_written() -> None:
    positive = host_check(lambda _xp, x: bool((x > 0).all()))
    recorder = Recorder()
    with record_with(recorder):
        x = recorder.value(np.ones(3))
        answers = [positive(RECORDING, x), positive(RECORDING, x)]
        RECORDING.subtract(x[1:], 4.0, out=x[1:])
        answers.append(positive(RECORDING, x))
    assert answers == [True, True, False]
    assert [step.expected for step in recorder.instructions if step.exit] == [True, False]


def test_a_number_is_read_again_after_its_array_was_written() -> None:
    recorder = Recorder()
    with record_with(recorder):
        rate, x = recorder.value(np.array(2.0)), recorder.value(np.ones(3))
        before = rate.item()
        RECORDING.multiply(x, before, out=x)
        RECORDING.add(rate, 1.0, out=rate)
        RECORDING.multiply(x, before, out=x)  # the value before
        RECORDING.multiply(x, rate.item(), out=x)  # the value now
    assert x._array.tolist() == [12.0] * 3
    operands = [step.args[1] for step in recorder.instructions if step.name == "np.multiply"]
    assert len(operands) == 3
    assert operands[0] == operands[1] == (before._number,) != operands[2]


def test_unread_values_are_not_computed() -> None:
    recorder = Recorder()
    with record_with(recorder):
        x = recorder.value(np.ones(3))
        unread, read = x + 1.0, x * 2.0
        unread * 2.0
        view = read.reshape(3, 1)
        view[0] = 7.0  # changes a value that is read
        recorder.drop_unread({read._number})
    assert [step.name for step in recorder.instructions] == ["np.multiply", ".reshape", "[]="]


def test_an_error_for_a_bad_label_has_the_line_that_built_the_operator() -> None:
    with fresh():
        logits = paddle.static.data("logits", [None, 3])
        label = paddle.static.data("label", [None, 1], "int64")
        loss = paddle.nn.functional.cross_entropy(logits, label)
        executor = paddle.static.Executor()
        feed = {"logits": np.zeros([1, 3], "float32"), "label": np.array([[1]])}
        for _ in range(3):
            executor.run(feed=feed, fetch_list=[loss])
        with pytest.raises(errors.OutOfRange, match="label value") as caught:
            executor.run(feed={**feed, "label": np.array([[7]])}, fetch_list=[loss])
        assert "softmax_with_cross_entropy" in caught.value.__notes__[0]
        assert "test_plan.py" in caught.value.__notes__[0]
        executor.run(feed=feed, fetch_list=[loss])  # the Executor works again


def test_a_parameter_of_another_dtype_or_scope_gets_a_new_plan() -> None:
    with fresh() as (main, startup):
        x = paddle.static.data("x", [None, 2])
        out = paddle.static.nn.fc(x, 2)
        executor = paddle.static.Executor()
        feed = {"x": np.ones([1, 2], "float32")}
        scopes = [paddle.static.Scope(), paddle.static.Scope()]
        for scope in scopes:
            executor.run(startup, scope=scope)
        for _ in range(4):
            for scope in scopes:
                w = np.array(scope.find_var("fc_0.w_0").get_tensor())
                (got,) = executor.run(main, feed, [out], scope=scope)
                np.testing.assert_array_equal(got[0], w[0] + w[1])
        scopes[0].find_var("fc_0.w_0").get_tensor().set(np.eye(2), None)
        (got,) = executor.run(main, feed, [out], scope=scopes[0])
        np.testing.assert_array_equal(got, [[1.0, 1.0]])


# ----- memory, order, text ------------------------------------------------------------------------


def kept_bytes(plan: Plan) -> int:
    """Return the bytes of one array per value, as if every value were retained."""
    return int(str(plan).split("one array per value: ")[1].split(".")[0].replace(",", ""))


def test_twenty_layers_need_a_quarter_of_the_memory() -> None:
    sizes = [32] * 20 + [8]
    with fresh() as (main, startup):
        loss = mlp(sizes, paddle.optimizer.SGD(0.1))
        executor = paddle.static.Executor()
        executor.run(startup)
        plan = executor.plan(main, batch(0, sizes, 32), [loss])
    assert plan.memory.used * 4 <= kept_bytes(plan)


def test_a_plan_has_a_readable_source() -> None:
    with fresh() as (main, _):
        y = paddle.tanh(paddle.static.data("x", [None, 2]) * 2.0)
        plan = paddle.static.Executor().plan(main, {"x": np.ones([1, 2], "float32")}, [y])
    lines = [line.strip() for line in str(plan).splitlines()]
    assert "# x: float32 [1, 2]" in lines
    assert "#   b0  8 bytes: tmp_0, tanh_0.tmp_0" in lines
    assert "tanh(b0, b0)" in lines
    assert any(
        line.startswith("# tanh -> tanh_0.tmp_0   tests/static/test_plan.py") for line in lines
    )


# ----- several at once ----------------------------------------------------------------------------


def test_executors_in_threads_do_not_affect_each_other() -> None:
    sizes = [4, 6, 3]
    with fresh() as (main, startup):
        loss = mlp(sizes, paddle.optimizer.SGD(0.1))
        scopes = [paddle.static.Scope() for _ in range(4)]
        shared = paddle.static.Executor()
        for scope in scopes:
            paddle.seed(3)
            shared.run(startup, scope=scope)
    losses: dict[int, list[Any]] = {}

    def train(number: int) -> None:
        paddle.enable_static()
        runner = shared if number % 2 else paddle.static.Executor()
        losses[number] = [
            runner.run(main, batch(step, sizes), [loss], scope=scopes[number])[0].tobytes()
            for step in range(30)
        ]

    threads = [threading.Thread(target=train, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert losses[0] == losses[1] == losses[2] == losses[3]
