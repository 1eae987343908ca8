"""Guards belong to a thread or task; the default Programs belong to the process."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import naming
from tests.each import each

from ..minipaddle.test_modes import ToldLock
from ..patience import PATIENCE
from .world import types

static = paddle.static


def elsewhere(call: Callable[[], Any]) -> Any:
    """Run a call in a new thread; return its result, or raise its error."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()


def its_own_programs() -> Any:
    return static.program_guard(static.Program(), static.Program())


def surroundings() -> list[Any]:
    """Return the state that guards may change."""
    both = static.default_main_program(), static.default_startup_program()
    return [*both, static.global_scope()]


def attribute(name: str) -> str:
    """Return an attribute of an operator that is built now."""
    with its_own_programs():
        paddle.enable_static()
        try:
            out = static.data("x", [2]) * 2.0
        finally:
            paddle.disable_static()
    return out.block.ops[-1].attr(name)


# Guards, each with a function whose result differs inside of the guard.
GUARDS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "program_guard": (its_own_programs, surroundings),
    "scope_guard": (lambda: static.scope_guard(static.Scope()), surroundings),
    "name_scope": (lambda: static.name_scope("outer"), lambda: attribute("op_namescope")),
    "unique_name.guard": (paddle.utils.unique_name.guard, naming.generator),
    "device_guard": (lambda: static.device_guard("cpu"), lambda: attribute("op_device")),
    "no_grad": (paddle.no_grad, paddle.is_grad_enabled),
}
each_guard = each(("guard", "ask"), GUARDS.values(), GUARDS)


@each_guard
def test_a_guard_holds_only_in_its_thread(guard, ask) -> None:
    outside = ask()
    with guard():
        assert ask() != outside
        assert elsewhere(ask) == outside
    assert ask() == outside


@each_guard
def test_tasks_have_their_own_guards(guard, ask) -> None:
    async def work(seen: list[bool]) -> None:
        outside = ask()
        with guard():
            mine = ask()
            await asyncio.sleep(0)
            seen.append(ask() == mine != outside)
        await asyncio.sleep(0)
        seen.append(ask() == outside)

    async def both() -> list[bool]:
        seen: list[bool] = []
        await asyncio.gather(work(seen), work(seen), work(seen))
        return seen

    assert elsewhere(lambda: asyncio.run(both())) == [True] * 6


def test_a_new_thread_builds_into_the_defaults_of_the_process() -> None:
    def build() -> None:
        paddle.enable_static()
        static.data("x", [2]) * 2.0

    with its_own_programs():
        elsewhere(build)
        assert types(static.default_main_program()) == []
    assert types(static.default_main_program()) == ["scale"]


class Slow(str):
    """A family of names during whose increment another thread asks for a name."""

    __slots__ = ()
    looked_up = 0
    other: Callable[[], None]

    def __hash__(self) -> int:
        Slow.looked_up += 1
        if Slow.looked_up == 2:  # the number was read, but is not yet written
            Slow.other()
        return super().__hash__()


def test_two_threads_never_get_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    held_up, names = threading.Event(), [naming.unique("k")]
    monkeypatch.setattr(naming, "_lock", ToldLock(naming._lock, held_up))

    def ask() -> None:
        names.append(naming.unique("k"))
        held_up.set()

    def other() -> None:
        thread.start()
        assert held_up.wait(PATIENCE)  # at the lock, or already past it

    thread = threading.Thread(target=ask)
    Slow.looked_up, Slow.other = 0, staticmethod(other)
    names.append(naming.unique(Slow("k")))
    thread.join(PATIENCE)
    assert sorted(names) == ["k_0", "k_1", "k_2"]
