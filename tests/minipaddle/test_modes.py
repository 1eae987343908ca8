"""What holds here and now: modes of one thread or task, and who is told."""

from __future__ import annotations

import asyncio
import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import modes


def test_a_change_holds_for_the_block() -> None:
    with modes.changed(check_nan=True):
        assert modes.here().check_nan
        with modes.changed(listeners=(print,)):
            assert modes.here() == modes.here()
            assert (modes.here().check_nan, modes.here().listeners) == (True, (print,))
        assert modes.here().listeners == ()
    assert modes.here() is modes.PLAIN


def test_only_what_was_changed_is_put_back() -> None:
    with modes.changed(listeners=(print,)):
        modes.change(check_nan=True)
    assert modes.here().check_nan
    modes.change(check_nan=False)
    assert modes.here() is modes.PLAIN


def test_watchers_hear_whether_any_context_is_busy() -> None:
    heard: list[bool] = []
    modes.on_change(heard.append)
    try:
        with modes.changed(check_nan=True), modes.changed(listeners=(print,)):
            pass
    finally:
        modes._watchers.remove(heard.append)
    assert heard[0] is True
    assert heard[-1] is False


def test_a_gate_is_not_closed_on_a_thread_that_just_became_busy() -> None:
    done, heard = threading.Event(), list[bool]()

    def work() -> None:
        modes.change(check_nan=True)
        started.set()
        done.wait(5)

    def slow(busy: bool) -> None:
        if not busy:
            thread.start()
            started.wait(0.05)  # the other change comes while this one is being told
        heard.append(busy)

    started, thread = threading.Event(), threading.Thread(target=work)
    modes.on_change(slow)
    try:
        with modes.changed(listeners=(print,)):
            pass
        assert started.wait(5)
        assert heard == [True, False, True]
    finally:
        modes._watchers.remove(slow)
        done.set()
        thread.join(5)


def test_a_thread_that_ends_while_busy_closes_the_gate() -> None:
    def work() -> None:
        modes.change(check_nan=True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(5)
    del thread
    gc.collect()
    assert not modes.here().check_nan
    assert list(modes._held) == []


def test_tasks_have_their_own_modes() -> None:
    async def quiet(started: asyncio.Event, seen: list[bool]) -> None:
        with paddle.no_grad():
            started.set()
            await asyncio.sleep(0)
            seen.append(paddle.is_grad_enabled())

    async def both() -> list[bool]:
        started, seen = asyncio.Event(), []
        task = asyncio.create_task(quiet(started, seen))
        await started.wait()
        seen.append(paddle.is_grad_enabled())
        await task
        return seen

    # A thread of its own: the browser tests leave an event loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: asyncio.run(both())).result() == [True, False]


def test_a_mode_cannot_be_changed_behind_ones_back() -> None:
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
    thread.join(5)
    paddle.set_grad_enabled(True)
    assert rest == [2]
