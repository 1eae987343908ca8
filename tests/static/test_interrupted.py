"""An interrupt while a Program is built or runs leaves Program and mode unchanged."""

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any
from weakref import ref

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import static
from minipaddle.engine import modes
from minipaddle.engine.errors import PermissionDenied
from minipaddle.engine.guard import Guard
from minipaddle.static.block import Block
from minipaddle.static.executor import Executor
from minipaddle.static.mode import Running
from minipaddle.static.operator import Operator

X = {"x": np.ones([1, 2], "float32")}


@contextlib.contextmanager
def interrupted(function: Any, skip: int = 0) -> Iterator[None]:
    """Raise KeyboardInterrupt when a function begins, after `skip` calls of it."""
    calls = itertools.count()

    def look(frame: FrameType, event: str, _what: Any) -> None:
        wanted = event == "call" and frame.f_code is function.__code__
        if wanted and next(calls) == skip:
            raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def calls(function: Callable[[Any], Any]) -> Any:
    """Build a Program that calls a function; return its fetch."""
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x = static.data("x", [1, 2])
        out = main.current_block().create_var(name="out", shape=[1, 2], dtype="float32")
        static.py_func(function, x, out)
    return main, out


@pytest.mark.parametrize("method", [Executor._context_of_run, modes.override._save])
def test_static_mode_ends_although_a_run_was_interrupted(method: Callable[..., Any]) -> None:
    main, out = calls(np.array)
    executor = static.Executor()
    with pytest.raises(KeyboardInterrupt), interrupted(method):
        executor.run(main, X, [out])
    paddle.disable_static()
    assert paddle.in_dynamic_mode()
    assert (paddle.ones([1]) + 1.0).tolist() == [2.0]


def test_static_mode_ends_although_two_interrupts_have_kept_a_run_open() -> None:
    running, run = Running(), modes.override()
    running.run = ref(run)
    modes.change(builder=running)
    with run, pytest.raises(PermissionDenied):
        paddle.disable_static()
    paddle.disable_static()
    assert paddle.in_dynamic_mode()


def test_static_mode_cannot_end_inside_of_a_py_func() -> None:
    def func(given: Any) -> Any:
        with pytest.raises(PermissionDenied, match="disable_static"):
            paddle.disable_static()
        return np.array(given)

    main, out = calls(func)
    assert static.Executor().run(main, X, [out])[0].tolist() == [[1.0, 1.0]]


def test_a_plan_whose_run_was_interrupted_runs_again() -> None:
    main, out = calls(np.array)
    executor = static.Executor()
    plan = executor.plan(main, X, [out])
    for method in (type(plan).run, Executor._context_of_run, Guard.__enter__):
        with pytest.raises(KeyboardInterrupt), interrupted(method):
            executor.run(main, X, [out])
        assert plan.at_work is None
    assert executor.run(main, X, [out])[0].tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize("method", [Block.append, Operator.__init__, static.Program.drop_runs])
def test_an_interrupted_optimizer_adds_nothing(method: Callable[..., Any]) -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        loss = paddle.mean(static.nn.fc(static.data("x", [1, 2]), 1))
        pairs = static.append_backward(loss)
        before = str(main), str(startup), main.optimizer_notes()
        adam = paddle.optimizer.Adam(0.1)
        for skipped in (0, 1, 3, 5):
            with pytest.raises(KeyboardInterrupt), interrupted(method, skip=skipped):
                adam.apply_gradients(pairs)
            assert (str(main), str(startup), main.optimizer_notes()) == before
        adam.apply_gradients(pairs)


def contents(program: static.Program) -> Any:
    """Return the operators and Variables of a Program."""
    block = program.global_block()
    return [op.type for op in block.ops], list(block.vars)


def test_an_interrupted_minimize_adds_no_gradients() -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        loss = paddle.mean(static.nn.fc(static.data("x", [1, 2]), 1))
        before = contents(main), contents(startup)
        for skipped in (0, 2, 4, 8):
            with pytest.raises(KeyboardInterrupt), interrupted(Block.append, skip=skipped):
                paddle.optimizer.Adam(0.1).minimize(loss)
            assert (contents(main), contents(startup)) == before
        paddle.optimizer.Adam(0.1).minimize(loss)
    static.Executor().run(startup)
    static.Executor().run(main, X, [loss])
