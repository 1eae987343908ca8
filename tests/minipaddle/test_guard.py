"""Guards put back what they changed, also when an interrupt comes while they do it."""

from __future__ import annotations

import contextlib
import gc
import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar, copy_context
from types import FrameType
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine.guard import Guard, collector_waits, held, kept, together
from tests.each import each

variable: ContextVar[str] = ContextVar("a variable of this test", default="default")


@contextlib.contextmanager
def interrupted(function: Any, skip: int = 0) -> Iterator[None]:
    """KeyboardInterrupt where this function begins, after so many calls of it."""
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


@each("method", [Guard.__enter__, Guard._leave, held._change, held._restore])
def test_an_interrupt_in_a_guard_does_not_keep_the_change(method: Callable[..., Any]) -> None:
    with pytest.raises(KeyboardInterrupt) as caught, interrupted(method), held(variable, "mine"):
        pass
    assert caught.value.__traceback__ is not None  # which holds the frames of the guard
    assert variable.get() == "default"


def test_an_error_of_the_block_does_not_hide_the_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), interrupted(held._restore), held(variable, "mine"):
        raise ValueError
    assert variable.get() == "default"


def test_of_several_guards_all_put_back() -> None:
    other: ContextVar[str] = ContextVar("another", default="default")
    both = together(held(variable, "mine"), held(other, "mine"))
    with pytest.raises(KeyboardInterrupt), interrupted(held._restore), both:
        assert (variable.get(), other.get()) == ("mine", "mine")
    assert (variable.get(), other.get()) == ("default", "default")


def test_blocks_of_one_guard_are_nested() -> None:
    guard = held(variable, "mine")
    with guard, held(variable, "between"):
        with guard:
            assert variable.get() == "mine"
        assert variable.get() == "between"
        assert guard.is_open()
    assert (variable.get(), guard.is_open()) == ("default", False)


def test_a_guard_is_entered_by_hand_and_by_a_stack() -> None:
    guard = held(variable, "mine")
    guard.__enter__()
    assert variable.get() == "mine"
    guard.__exit__(None, None, None)
    assert variable.get() == "default"
    with contextlib.ExitStack() as stack:
        stack.enter_context(guard)
        assert variable.get() == "mine"
    assert variable.get() == "default"


def test_looking_at_the_exit_ends_nothing() -> None:
    guard = held(variable, "mine")
    assert callable(guard.__exit__)
    guard.__enter__()
    assert callable(guard.__exit__)
    assert variable.get() == "mine"
    guard.__exit__(None, None, None)


def test_a_guard_decorates() -> None:
    @held(variable, "mine")
    def inside() -> str:
        """Says what holds."""
        return variable.get()

    assert (inside(), inside.__doc__, variable.get()) == ("mine", "Says what holds.", "default")


def test_a_generator_that_ends_in_another_context_changes_nothing_there() -> None:
    def steps() -> Iterator[str]:
        with held(variable, "mine"):
            yield variable.get()

    generator = steps()
    assert next(generator) == "mine"
    context = copy_context()
    context.run(variable.set, "theirs")
    context.run(generator.close)
    assert context.run(variable.get) == "theirs"
    variable.set("default")


def test_what_is_kept_comes_back() -> None:
    rows = [1]
    with kept(lambda: list(rows), lambda saved: rows.__setitem__(slice(None), saved)):
        rows.append(2)
    assert rows == [1]


@pytest.mark.parametrize("guard", [paddle.no_grad, paddle.enable_grad])
def test_gradients_are_as_before_although_the_traceback_is_kept(guard: Any) -> None:
    errors = []
    for method in (Guard._leave, guard._restore, guard._change):
        try:
            with interrupted(method), guard():
                pass
        except KeyboardInterrupt as error:
            errors.append(error)
        assert paddle.is_grad_enabled()
    assert len(errors) == 3


def test_the_collector_is_as_before_after_an_error() -> None:
    for enabled in (True, False):
        before = gc.isenabled()
        (gc.enable if enabled else gc.disable)()
        try:
            with pytest.raises(ZeroDivisionError), collector_waits():
                int(gc.isenabled()) or 1 / 0
            assert gc.isenabled() is enabled
        finally:
            (gc.enable if before else gc.disable)()


def test_a_decorated_function_runs_in_threads_at_once() -> None:
    """Each call comes back to what its own thread had."""
    both_inside = threading.Barrier(2)
    seen = []

    @held(variable, "inside")
    def work() -> None:
        both_inside.wait()
        seen.append(variable.get())
        both_inside.wait()

    def in_thread(name: str) -> None:
        variable.set(name)
        work()
        seen.append(variable.get())

    threads = [threading.Thread(target=in_thread, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == ["inside", "inside", "one", "two"]
