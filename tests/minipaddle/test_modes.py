"""Modes of a thread or task, and the gate for their listeners."""

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import modes

from ..patience import PATIENCE


def test_a_change_holds_for_the_block() -> None:
    with modes.override(check_nan=True):
        assert modes.here().check_nan
        with modes.override(listeners=(print,)):
            assert modes.here() == modes.here()
            assert (modes.here().check_nan, modes.here().listeners) == (True, (print,))
        assert modes.here().listeners == ()
    assert modes.here() is modes.PLAIN


class SlowlyCounted(list[Any]):
    """Another thread becomes busy while the busy threads are counted as none."""

    other: Callable[[], None] = staticmethod(lambda: None)

    def __len__(self) -> int:
        count = super().__len__()
        if not count:
            self.other()
        return count


class ToldLock:
    """A lock that reports when a thread waits for it."""

    def __init__(self, lock: Any, held_up: threading.Event) -> None:
        self.lock, self.held_up = lock, held_up

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.held_up.set()
            self.lock.acquire()

    def __exit__(self, *_error: object) -> None:
        self.lock.release()


def test_a_gate_is_not_closed_on_a_thread_that_just_became_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, busy, held_up = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        modes.change(check_nan=True)
        busy.set()
        held_up.set()
        done.wait(PATIENCE)

    def get_busy() -> None:
        thread.start()
        assert held_up.wait(PATIENCE)  # at the lock, or already past it

    thread = threading.Thread(target=work)
    held = SlowlyCounted()
    monkeypatch.setattr(modes, "_unusual", held)
    monkeypatch.setattr(modes, "_lock", ToldLock(modes._lock, held_up))
    try:
        with modes.override(listeners=(print,)):
            held.other = get_busy
        held.other = lambda: None
        assert busy.wait(PATIENCE)
        assert modes.gate_open
    finally:
        done.set()
        thread.join(PATIENCE)
        monkeypatch.undo()
        modes.change()


def test_a_thread_that_ends_while_busy_closes_the_gate() -> None:
    def work() -> None:
        modes.change(check_nan=True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(PATIENCE)
    del thread
    gc.collect()
    assert not modes.here().check_nan
    assert [held for held in modes._unusual if held() is not None] == []


def test_modes_are_read_only() -> None:
    with pytest.raises(AttributeError):
        modes.PLAIN.check_nan = True  # type: ignore[misc]
    assert not modes.is_static()


def test_no_grad_holds_inside_a_generator_and_not_while_it_waits() -> None:
    log: list[Any] = []

    @paddle.no_grad()
    def numbers() -> Any:
        try:
            got = yield paddle.is_grad_enabled()
            log.append((got, paddle.is_grad_enabled()))
            try:
                yield 2
            except KeyError:
                log.append(("caught", paddle.is_grad_enabled()))
            yield 3
        finally:
            log.append(("closed", paddle.is_grad_enabled()))

    running = numbers()
    assert (next(running), paddle.is_grad_enabled()) == (False, True)
    assert (running.send("sent"), paddle.is_grad_enabled()) == (2, True)
    assert running.throw(KeyError()) == 3
    running.close()
    assert log == [("sent", False), ("caught", False), ("closed", False)]
    assert paddle.is_grad_enabled()


def test_a_generator_may_end_in_another_thread() -> None:
    def numbers() -> Any:
        with paddle.no_grad():
            yield 1
            yield 2

    running, rest = numbers(), []
    assert next(running) == 1
    thread = threading.Thread(target=lambda: rest.extend(running))
    thread.start()
    thread.join(PATIENCE)
    paddle.set_grad_enabled(True)
    assert rest == [2]
