"""Questions of kernels about values: plans ask them at each run, and pages know their bounds."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.errors import MinipaddleError
from tests.each import each

from ..static.world import fresh

X = np.arange(12.0, dtype="float32").reshape(4, 3)
CALLS = {  # ops whose indices choose among 4 rows
    "gather": paddle.gather,
    "index_select": paddle.index_select,
    "take_along_axis": lambda x, i: paddle.take_along_axis(x, i.reshape([-1, 1]), 0),
    "embedding": lambda x, i: paddle.nn.functional.embedding(i, x),
    "index_add": lambda x, i: paddle.index_add(x, i, 0, paddle.ones([2, 3])),
}


@each("name", CALLS)
def test_a_plan_asks_for_indices_at_each_run(name: str) -> None:
    with fresh():
        x, index = paddle.static.data("x", [4, 3]), paddle.static.data("i", [2], "int64")
        out = CALLS[name](x, index)
        executor = paddle.static.Executor()

        def run(*rows: int) -> Any:
            return executor.run(feed={"x": X, "i": np.array(rows)}, fetch_list=[out])[0]

        first = run(0, 3)
        assert [run(0, 3).tolist() for _ in range(2)] == [first.tolist()] * 2
        planned = str(executor.plan(feed={"x": X, "i": np.array([0, 3])}, fetch_list=[out]))
        assert "refuse_outside" in planned or "_check_ids" in planned
        with pytest.raises(MinipaddleError) as by_plan:
            run(0, 4)
    eager = [paddle.to_tensor(X), paddle.to_tensor(np.array([0, 4]))]
    with pytest.raises(type(by_plan.value)) as eagerly:
        CALLS[name](*eager)
    assert str(by_plan.value).splitlines()[0] == str(eagerly.value).splitlines()[0]


def test_integer_divisors_and_powers_are_asked_at_each_run() -> None:
    with fresh():
        x, y = (paddle.static.data(n, [2], "int64") for n in "xy")
        outs = [paddle.pow(x, y), paddle.floor_divide(x, y)]
        executor = paddle.static.Executor()
        for y_now, power, quotient in [((2, 3), [4, 8], [1, 0])] * 3 + [((-1, 1), [0, 2], [-2, 2])]:
            feed = {"x": np.array([2, 2]), "y": np.array(y_now)}
            got = executor.run(feed=feed, fetch_list=outs)
            assert [each.tolist() for each in got] == [power, quotient]
        with pytest.raises(MinipaddleError, match="y does not fit"):
            executor.run(feed={"x": np.array([2, 2]), "y": np.array([1, 0])}, fetch_list=outs)
