"""py_func in every kind of run: interpreted, recorded, and twice by the plan.

One Executor runs the same Program four times; func and backward_func get the same arguments and may
do the same each time.
"""

import functools
import gc
import warnings
import weakref
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.each import each

from .world import X, data, declared, fresh

pytestmark = pytest.mark.usefixtures("programs")
RUNS = 4


def each_run(fetch: list[Any], feeds: list[dict[str, Any]] | None = None) -> list[Any]:
    """Return the results of four runs of one Executor."""
    executor = paddle.static.Executor(paddle.CPUPlace())
    feeds = feeds or [{"x": X * (number + 1)} for number in range(RUNS)]
    results = [executor.run(feed=feed, fetch_list=fetch) for feed in feeds]
    (steps,) = fetch[0].block.program.prepared.values()
    assert list(steps.plans[executor].values()) != [None]  # the last runs used a plan
    return results


def test_debug_calls_come_in_order_and_see_the_values_of_their_run() -> None:
    calls: list[Any] = []
    hidden = paddle.tanh(data() * 2.0)
    paddle.static.py_func(lambda h: calls.append(("first", np.array(h))), hidden, None)
    out = hidden * hidden + 1.0
    paddle.static.py_func(lambda h, o: calls.append(("second", np.array(o))), [hidden, out], None)
    runs = each_run([out])
    assert [name for name, _ in calls] == ["first", "second"] * RUNS
    for number, (value,) in enumerate(runs):
        np.testing.assert_array_equal(calls[2 * number + 1][1], value)
        np.testing.assert_array_equal(calls[2 * number][1], np.tanh(X * (number + 1) * 2))


def test_another_shape_or_dtype_than_in_earlier_runs_is_handled() -> None:
    results = [X, X, X[:1], X.astype("float64"), np.arange(3), X]
    turn = iter(results)
    out = declared(shape=[-1, 4])
    paddle.static.py_func(lambda x: next(turn), data(), out)
    doubled = out * 2.0
    executor = paddle.static.Executor()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for wanted in results:
            got, twice = executor.run(feed={"x": X}, fetch_list=[out, doubled])
            assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype)
            np.testing.assert_array_equal(got, wanted)
            np.testing.assert_allclose(twice, wanted * 2.0)
    assert [w.category for w in caught] == [paddle.static.DeclarationWarning]


class Callable:
    def __call__(self, x):
        return np.array(x) * 2

    def method(self, x, *, factor=3):
        return np.array(x) * factor

    @staticmethod
    def static(x, *rest, factor=5, **more):
        return np.array(x) * factor


@each(
    ("func", "expected"),
    [
        (Callable(), X * 2),
        (Callable().method, X * 3),
        (Callable.static, X * 5),
        (lambda x, factor=4: np.array(x) * factor, X * 4),
        (functools.partial(np.multiply, np.float32(2)), X * 2),
        (np.tanh, np.tanh(X)),
    ],
)
@fresh()
def test_every_kind_of_callable_is_called(func, expected) -> None:
    out = declared()
    paddle.static.py_func(func, data(), out)
    for (got,) in each_run([out], [{"x": X}] * RUNS):
        np.testing.assert_array_equal(got, expected)


def test_functions_are_freed_with_their_program_although_the_executor_stays() -> None:
    executor = paddle.static.Executor()
    func, backward = Callable(), Callable()
    gone = [weakref.ref(func), weakref.ref(backward)]

    def build_and_run(func, backward):
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            out = declared()
            paddle.static.py_func(func, data(needs=True), out, lambda x, o, do: backward(do))
            (dx,) = paddle.static.gradients(out, out.block.var("x"))
        for _ in range(RUNS):
            executor.run(program, feed={"x": X}, fetch_list=[out, dx])

    build_and_run(func, backward)
    del func, backward
    gc.collect()
    assert [ref() for ref in gone] == [None, None]
