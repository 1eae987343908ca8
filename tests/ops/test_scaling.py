"""Counters of Programs, and scales that are Variables."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import static
from tests.static.world import fresh

# ----- increment ---------------------------------------------------------------------------------


def test_increment_counts_the_runs_of_a_program() -> None:
    with fresh():
        counter = static.create_global_var([1], 0.0, "float32", persistable=True, name="runs")
        assert paddle.increment(counter, 2.0) is counter
        (op,) = static.default_main_program().global_block().ops
        assert (op.type, op.input("X"), op.output("Out")) == ("increment", ["runs"], ["runs"])
        assert op.attr("step") == 2.0
        executor = static.Executor()
        executor.run(static.default_startup_program())
        runs = [executor.run(fetch_list=[counter])[0].tolist() for _ in range(3)]
    assert runs == [[2.0], [4.0], [6.0]]


def test_increment_of_a_variable_that_needs_a_gradient_is_an_error() -> None:
    with fresh():
        x = static.data("x", [1], "float32")
        x.stop_gradient = False
        with pytest.raises(AssertionError, match="stop_gradient True"):
            paddle.increment(x)
        big = static.data("big", [3], "float32")
        with pytest.raises(ValueError, match="one element"):
            paddle.increment(big)


def test_scale_takes_a_variable() -> None:
    with fresh():
        x, factor = static.data("x", [2], "float32"), static.data("factor", [1], "float64")
        outs = [paddle.scale(x, factor, 1.0), paddle.scale(x, factor, 1.0, False)]
        feed = {"x": np.array([1.0, 2.0], "float32"), "factor": np.array([3.0])}
        after, before = static.Executor().run(feed=feed, fetch_list=outs)
    assert (after.tolist(), before.tolist()) == ([4.0, 7.0], [6.0, 9.0])
