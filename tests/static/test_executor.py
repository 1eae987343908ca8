"""Executor and Scope: feeds, fetches, values between runs, errors."""

import contextlib
import weakref

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events
from tests.contract.refusal import refuses
from tests.each import each

from .world import X, data, fresh, run, start

pytestmark = pytest.mark.usefixtures("programs")


def layer():
    return paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3)


# ----- feeds --------------------------------------------------------------------------------------


@each(
    ("value", "error", "word"),
    [
        (np.ones([2, 5], "float32"), ValueError, "[2, 5]"),
        ([[10**400, 1, 1, 1]], ValueError, "too large"),
        ("text", TypeError, "str"),
    ],
)
@fresh()
def test_feeds_are_checked_before_anything_runs(value, error, word) -> None:
    ran = []
    out = layer()
    paddle.static.py_func(lambda x: ran.append(1), out, None)
    executor = start()
    with refuses(error, "Executor.run", "'x'", "expected", "received", "to do", word):
        executor.run(feed={"x": value}, fetch_list=[out])
    assert ran == []


@each(
    ("declared_as", "fed"),
    [([None, 1], [3]), ([-1, 1], [3]), ([3, 1], [3]), ([None, 1, 2], [3, 2])],
)
def test_a_feed_may_lack_axes_of_1(declared_as, fed) -> None:
    with fresh():
        (value,) = run(paddle.static.data("x", declared_as) * 2, x=np.ones(fed, "float32"))
    assert (value.size, value.ndim) == (int(np.prod(fed)), len(declared_as))


def test_an_error_for_a_missing_feed_names_the_variable_and_the_given_feeds() -> None:
    out = data() + data("y")
    with refuses(ValueError, "feed for 'y' is missing", "float32 [2, 4]", "feeds for x", "to do"):
        run(out, x=X)


# ----- programs and executors ---------------------------------------------------------------------


def test_parameters_must_be_initialized() -> None:
    out = layer()
    with refuses(RuntimeError, "'fc_0.w_0' has not been initialized", "param", "startup"):
        run(out)


def test_programs_run_only_on_existing_devices() -> None:
    with refuses(ValueError, "No available device found", "received", "gpu:99", "CPUPlace()"):
        paddle.static.Executor(paddle.CUDAPlace(99))
    for place in ("cpu", "CPU", None):
        assert paddle.static.Executor(place).place == paddle.CPUPlace()
    for name in ("foo", "cpu:0", "gpu:99", "Place(cpu)"):
        with refuses(ValueError, "device", "expected", "'cpu'", "received", name):
            paddle.static.Executor(name)
    for wrong in (3, ["cpu"]):
        with refuses(TypeError, "'place'", "CPUPlace()", "received", "Executor('cpu')"):
            paddle.static.Executor(wrong)


def test_an_error_names_the_line_that_built_the_operator() -> None:
    out = paddle.gather(data(), data("i", [1], "int64"))  # the line in the error
    with pytest.raises(IndexError, match="out of bounds for axis 0") as caught:
        run(out, x=X, i=np.array([7]))
    (note,) = caught.value.__notes__
    assert "while 'gather' ran" in note
    assert note.endswith(f"test_executor.py:{out.block.ops[0].place.line}")


# ----- scopes -------------------------------------------------------------------------------------


def test_an_empty_variable_of_a_scope_has_no_value() -> None:
    variable = paddle.static.Scope().var("w")
    with refuses(RuntimeError, "not initialized", "set(array, place)"):
        np.array(variable.get_tensor())


# ----- how long values live -----------------------------------------------------------------------


def test_a_temporary_is_freed_after_its_last_reader() -> None:
    x = data()
    a = x * 2.0
    b = a + 1.0
    c = b * a
    heard = []
    with events.listen(heard.append):
        run(c)
    story = [
        (type(e).__name__, getattr(e, "name", None) or getattr(e, "index", None))
        for e in heard
        if isinstance(e, (events.OperatorExecuted, events.VariableFreed))
    ]
    assert story == [
        ("OperatorExecuted", 0),
        ("VariableFreed", "x"),
        ("OperatorExecuted", 1),
        ("OperatorExecuted", 2),
        ("VariableFreed", a.name),
        ("VariableFreed", b.name),
    ]


@pytest.mark.parametrize("told", [False, True])
def test_the_memory_of_a_temporary_is_freed_also_while_events_are_recorded(told) -> None:
    def first(x):
        watched.append(weakref.ref(x.array))

    def later(x):
        watched.append(watched[0]() is None)

    watched = []
    hidden = data() * 2.0
    paddle.static.py_func(first, hidden, None)
    paddle.static.py_func(later, hidden + 1.0, None)
    with events.listen(lambda record: None) if told else contextlib.nullcontext():
        run()
    assert watched[1] is True
