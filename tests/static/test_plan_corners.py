"""Plans for runs that differ from the one before: names, odd feeds, scopes."""

import gc
import linecache
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.static.plan import Plan
from tests.each import each

from .world import as_interpreted, bits, fresh

X = np.arange(12, dtype="float32").reshape(4, 3) / 7


# ----- names --------------------------------------------------------------------------------------


@each(
    "name", ["b0", "b1", "v1", "v6", "tanh", "add", "copyto", "slice", "bool", "_", "x²", "a\nb()"]
)
def test_a_feed_may_have_any_name(name: str) -> None:
    with fresh() as (main, _):
        x = paddle.static.data(name, [None, 3])
        y = paddle.tanh(paddle.tanh(x * 2.0) + paddle.exp(x)) * x
        fetch = [y, y.sum(), paddle.cumsum(y, axis=0), paddle.clip(x, -1.0, 1.0), x]
        as_interpreted(main, [{name: X + i} for i in range(4)], fetch)


# ----- feeds --------------------------------------------------------------------------------------

UNUSUAL = {
    "masked": np.ma.masked_array(X, X > 1),
    "Fortran": np.asfortranarray(X),
    "strided": np.repeat(X, 2, 1)[:, ::2],
    "backwards": X[::-1, ::-1],
    "broadcast": np.broadcast_to(X[:1], (4, 3)),
}


@each("kind", UNUSUAL)
def test_feeds_that_are_no_plain_arrays_run_by_plan(kind: str) -> None:
    with fresh() as (main, _):
        x = paddle.static.data("x", [4, 3])
        fetch = [x, x.sum(), x.reshape([-1]), x.cumsum(), x.var(), x.norm(), x.matmul(x.T)]
        unusual = {"x": UNUSUAL[kind]}
        as_interpreted(main, [{"x": X}, {"x": X}, unusual, unusual, unusual, {"x": X}], fetch)


@each("feed", [None, {"x": X.tolist()}, [{"x": X}], {"x": X, "unknown": X}])
def test_every_form_of_feed_has_its_plan_made_once(
    feed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    make = Plan.__init__
    monkeypatch.setattr(Plan, "__init__", lambda *args: made.append(make(*args)))
    with fresh() as (main, _):
        x = paddle.static.data("x", [None, 3]) if feed else paddle.ones([4, 3])
        executor, y = paddle.static.Executor(), paddle.tanh(x)
        for _ in range(5):
            executor.run(main, feed, [y])
    assert len(made) == 1


def test_a_fed_parameter_is_used_after_a_plan_was_made() -> None:
    with fresh() as (main, startup):
        w = paddle.static.create_parameter([3], "float32", name="w")
        y = paddle.static.data("x", [None, 3]) * w
        executor = paddle.static.Executor()
        executor.run(startup)
        feed = {"x": X, "w": np.float32([1, 2, 3])}
        executor.plan(main, feed, [y])
        for _ in range(3):
            (got,) = executor.run(main, feed, [y])
            np.testing.assert_array_equal(got, X * feed["w"])


# ----- scopes -------------------------------------------------------------------------------------


def test_erased_names_are_looked_up_again() -> None:
    with fresh() as (main, startup):
        w = paddle.static.create_parameter([3], "float32", name="w")
        y = paddle.static.data("x", [None, 3]) * w
        executor, scope = paddle.static.Executor(), paddle.static.global_scope()
        executor.run(startup)
        for _ in range(3):
            executor.run(main, {"x": X}, [y])
        scope.erase(["w"])
        with pytest.raises(RuntimeError, match="'w' has not been initialized"):
            executor.run(main, {"x": X}, [y])
        executor.run(startup)
        scope.find_var("w").get_tensor().set(np.float32([1, 2, 3]))
        (got,) = executor.run(main, {"x": X}, [y])
        np.testing.assert_array_equal(got, X * np.float32([1, 2, 3]))


def test_views_of_parameters_follow_the_values_in_the_scope() -> None:
    with fresh() as (main, startup):
        x = paddle.static.data("x", [4, 3])
        x.stop_gradient = False
        w = paddle.static.create_parameter([3, 2], "float32", name="w")
        (dx,) = paddle.static.gradients(paddle.matmul(x, w).sum(), x)
        executor, scopes = paddle.static.Executor(), [paddle.static.Scope() for _ in range(2)]
        for scope in scopes:
            executor.run(startup, scope=scope)
        source = str(executor.plan(main, {"x": X}, [dx], scope=scopes[0]))
        assert source.index(" = w.T") < source.index("def run(")
        for number in range(8):
            tensor = scopes[number % 2].find_var("w").get_tensor()
            if number > 3:
                tensor.set(np.full([3, 2], number, "float32"), None)
            (got,) = executor.run(main, {"x": X}, [dx], scope=scopes[number % 2])
            np.testing.assert_array_equal(got, np.tile(np.array(tensor).sum(1), (4, 1)))


def test_a_constant_of_a_plan_is_a_copy_of_the_scopes_value() -> None:
    """Otherwise an update in place by another Program would change the plan."""
    with fresh() as (main, startup):
        w = paddle.static.create_parameter([2], "float32", name="w")
        six = paddle.full([2], 3.0) * 2.0
        main.global_block().append_op("scale", {"X": [six]}, {"Out": [w]}, {"scale": 1.0})
        executor, scope = paddle.static.Executor(), paddle.static.global_scope()
        executor.run(startup)
        for _ in range(4):
            (got,) = executor.run(main, {}, [w])
            assert got.tolist() == [6.0, 6.0]
            scope.read("w")[...] = 0.0


def test_a_kept_view_of_a_feed_is_a_copy() -> None:
    with fresh() as (main, _):
        y = paddle.static.data("x", [4, 3]).reshape([12])
        y.persistable = True
        executor, scope = paddle.static.Executor(), paddle.static.global_scope()
        for _ in range(4):
            given = X.copy()
            executor.run(main, {"x": given}, [])
            assert not np.may_share_memory(given, scope.read(y.name))


# ----- exceptions ---------------------------------------------------------------------------------


def test_no_parameter_changes_when_a_backward_function_raises() -> None:
    """Updates run earlier, but not before a function that may raise an exception."""
    fail = []

    def backward(x: Any, out: Any, dout: Any) -> Any:
        if fail:
            raise ValueError("not today")
        return np.array(dout)

    with fresh() as (main, startup):
        first = paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 3)
        block = main.global_block()
        copy = block.create_var(name="copy", shape=[-1, 3], dtype="float32")
        paddle.static.py_func(np.array, first, copy, backward_func=backward)
        loss = paddle.mean(paddle.static.nn.fc(copy, 1))
        paddle.optimizer.SGD(0.1).minimize(loss)
        executor, scope = paddle.static.Executor(), paddle.static.global_scope()
        executor.run(startup)
        for _ in range(3):
            executor.run(main, {"x": X}, [loss])
        before = [scope.read(p.name).copy() for p in main.all_parameters()]
        fail.append(True)
        with pytest.raises(ValueError, match="not today"):
            executor.run(main, {"x": X}, [loss])
        after = [scope.read(p.name) for p in main.all_parameters()]
    assert bits(before) == bits(after)


def test_an_error_of_a_plan_names_the_users_line() -> None:
    with fresh() as (main, _):
        y = paddle.gather(paddle.ones([3]), paddle.static.data("i", [None], "int64"))
        executor, texts = paddle.static.Executor(), []
        for _ in range(4):
            executor.run(main, {"i": np.array([0, 2])}, [y])
            with pytest.raises(IndexError, match="gather") as told:
                executor.run(main, {"i": np.array([0, 7])}, [y])
            texts.append(str(told.value))
    assert texts == texts[:1] * 4
    assert "test_plan_corners.py" in texts[0]


# ----- what is left behind ------------------------------------------------------------------------


def test_the_source_of_a_plan_is_freed_with_it() -> None:
    def run() -> None:
        with fresh() as (main, _):
            y = paddle.static.data("x", [None, 3]) * 2.0
            executor = paddle.static.Executor()
            for _ in range(3):
                executor.run(main, {"x": X}, [y])

    run()
    gc.collect()
    before = len(linecache.cache)
    for _ in range(5):
        run()
    gc.collect()
    assert len(linecache.cache) <= before
