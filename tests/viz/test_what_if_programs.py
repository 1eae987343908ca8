"""Changed runs of Programs (feeds, parameters, rates) equal those of the Executor."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from tests.each import each
from tests.static.world import fresh
from viz.whatif.numbers import array_of

from .test_what_if import Changes, agree, numbers

static = paddle.static
X = np.array([[0.5, 0.3], [0.2, -0.7]], "float32")


def trained(
    changes: Changes, minimize: Callable[[Any], Any], rounds: int = 3, width: int = 3
) -> viz.Trace:
    """Record runs of a Program that trains a weight w with a feed x."""
    with fresh() as (main, startup):
        paddle.seed(1)
        x, attr = static.data("x", [None, 2]), paddle.ParamAttr(name="w")
        hidden = static.nn.fc(x, width, activation="tanh", weight_attr=attr)
        loss = paddle.mean((paddle.nn.functional.dropout(hidden, 0.3) - 0.25) ** 2)
        minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        if "w" in changes:
            tensor = static.global_scope().find_var("w").get_tensor()
            tensor.set(changes["w"], paddle.CPUPlace())
        with viz.record() as trace:
            for number in range(rounds):
                feed = changes.get("x", X) if number != 1 else changes.get("x#2", -X)
                executor.run(main, feed={"x": feed}, fetch_list=[loss])
    return trace


OPTIMIZERS = ("SGD", "Momentum", "Adam", "AdamW", "Adagrad", "RMSProp", "Lamb")


@each("kind", OPTIMIZERS, quick=3)
def test_all_runs_follow_a_change(kind: str) -> None:
    def build(changes: Changes) -> viz.Trace:
        make = getattr(paddle.optimizer, kind)
        return trained(changes, lambda loss: make(changes.get("lr", 0.1)).minimize(loss))

    agree(build, {"w": numbers(2, 3), "x#2": X * 0.3})
    agree(build, {"x": X * 1.5, "lr": 0.5})


def test_clips_penalties_and_factors_are_operators_that_follow() -> None:
    def minimize(loss: Any) -> None:
        parameter = loss.block.program.all_parameters()[0]
        parameter.optimize_attr["learning_rate"] = 0.5
        clip = paddle.nn.ClipGradByGlobalNorm(0.05)
        decay = paddle.regularizer.L2Decay(0.01)
        paddle.optimizer.Momentum(0.1, grad_clip=clip, weight_decay=decay).minimize(loss)

    changed = agree(lambda changes: trained(changes, minimize), {"w": numbers(2, 3)})
    assert changed.what_if({"lr": 0.0}).rounds[0].loss == pytest.approx(changed.rounds[0].loss)


def test_changed_rates_of_a_run_and_of_a_schedule_follow() -> None:
    def minimize(loss: Any) -> None:
        paddle.optimizer.SGD(paddle.optimizer.lr.StepDecay(0.5, 1)).minimize(loss)

    trace = trained({}, minimize)
    changed = trace.what_if({("lr", 1): 0.0})
    was, now = ([weight(t, k) for k in range(3)] for t in (trace, changed))
    assert np.array_equal(was[0], now[0])
    assert np.array_equal(now[0], now[1])
    assert not np.array_equal(now[1], now[2])
    assert changed.stale() == {}


def weight(trace: viz.Trace, number: int) -> Any:
    """Return the value of w after the run of this number."""
    ran = [e for e in trace.round(number).events if isinstance(e, events.OperatorExecuted)]
    return array_of(next(e.outputs["w"] for e in reversed(ran) if "w" in e.outputs))


def test_variables_of_a_startup_program_can_be_changed() -> None:
    with fresh() as (main, startup), viz.record() as trace:
        x = static.data("x", [2, 2])
        out = static.nn.fc(x, 3, weight_attr=paddle.ParamAttr(name="w"))
        executor = static.Executor()
        executor.run(startup)
        executor.run(main, feed={"x": X}, fetch_list=[out])
    changed = trace.what_if({"w": np.ones((2, 3))})
    assert changed.stale() == {}
    last = changed.events[-1].fetched[out.name]
    np.testing.assert_allclose(array_of(last), X @ np.ones((2, 3), "float32"), 1e-6)


def with_py_func(x: Any) -> Any:
    block = x.block
    out = block.create_var(name="out", dtype="float32", shape=[2, 2])
    return static.py_func(np.tanh, x, out, lambda a, b, c: np.array(c) * (1 - np.array(b) ** 2))


def test_a_result_of_py_func_is_stale_only_after_a_change_of_its_inputs() -> None:
    with fresh() as (main, _):
        x, b = static.data("x", [2, 2]), static.data("b", [2])
        x.stop_gradient = False
        loss = paddle.mean(with_py_func(x) * 2.0 + b)
        static.append_backward(loss)
        with viz.record() as trace:
            feed = {"x": X, "b": np.ones(2, "float32")}
            static.Executor().run(main, feed=feed, fetch_list=[loss])
    assert trace.what_if({"b": [3.0, 4.0]}).stale() == {}
    stale = trace.what_if({"x": X * 2}).stale()
    assert {"out", "x@GRAD", loss.name} <= set(stale)
    assert "out@GRAD" not in stale
    assert "x" not in stale


def test_a_variable_that_python_set_is_stale_after_a_change() -> None:
    with fresh() as (main, startup):
        x = static.data("x", [2, 2])
        loss = paddle.mean(static.nn.fc(x, 3, weight_attr=paddle.ParamAttr(name="w")))
        paddle.optimizer.SGD(0.1).minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        with viz.record() as trace:
            executor.run(main, feed={"x": X})
            tensor = static.global_scope().find_var("w").get_tensor()
            tensor.set(np.array(tensor) * 0.5, paddle.CPUPlace())
            executor.run(main, feed={"x": X})
    changed = trace.what_if({"x": X * 2})
    assert changed.round(0).stale() == {}
    assert "w" in changed.round(1).stale()


def test_operators_that_were_left_out_make_results_stale() -> None:
    with fresh() as (main, _):
        x = static.data("x", [2, 2])
        out = paddle.tanh(x * 2.0) + 1.0
        with viz.record(skip="tanh") as trace:
            static.Executor().run(main, feed={"x": X}, fetch_list=[out])
    assert out.name in trace.what_if({"x": X * 2}).stale()


def test_changes_of_programs_go_by_variable_names() -> None:
    trace = trained({}, lambda loss: paddle.optimizer.SGD(0.1).minimize(loss))
    with pytest.raises(ValueError, match="nothing in this trace is called 'v'") as caught:
        trace.what_if({"v": 1.0})
    assert "one of lr, x, w, " in str(caught.value)
    with pytest.raises(ValueError, match=r"fc_0\.tmp_2 is computed from other values"):
        trace.what_if({"fc_0.tmp_2": 1.0})
    with pytest.raises(ValueError, match="there is no such round"):
        trace.what_if({("lr", 3): 1.0})


def test_an_older_trace_has_no_kernels_of_operators() -> None:
    trace = trained({}, lambda loss: paddle.optimizer.SGD(0.1).minimize(loss))
    rows = [{k: v for k, v in row.items() if k != "kernel"} for row in trace.document["events"]]
    old = viz.Trace({**trace.document, "events": rows})
    assert old.what_if({}).stale() == {}
    assert "w" in old.what_if({"x": X * 2}).stale()
