"""Guards restore what they changed, also after Ctrl-C."""

import gc
import threading
import weakref
from collections.abc import Iterator
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine import guard, modes, naming
from minipaddle.engine.guard import Guard, combine_guards, override_variable, pause_collector
from tests.each import each

variable: ContextVar[str] = ContextVar("a variable of this test", default="default")


def test_a_change_that_fails_half_way_is_restored() -> None:
    class Fails(Guard):
        def _change(self, saved: Any) -> None:
            raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        combine_guards(override_variable(variable, "mine"), Fails()),
    ):
        pass
    assert variable.get() == "default"


BLOCKS = {
    "no_grad": paddle.no_grad,
    "record": viz.record,
    "hooks": lambda: paddle.autograd.saved_tensors_hooks(lambda t: t, lambda t: t),
    "device": lambda: paddle.device.device_guard("cpu"),
    "names": paddle.utils.unique_name.guard,
    "Program": lambda: paddle.static.program_guard(paddle.static.Program()),
    "scope": lambda: paddle.static.scope_guard(paddle.static.Scope()),
}


@each("name", list(BLOCKS))
def test_ctrl_c_in_a_block_leaves_nothing_behind(name: str) -> None:
    before = condition()
    with pytest.raises(KeyboardInterrupt), BLOCKS[name]():
        raise KeyboardInterrupt
    assert condition() == before


def condition() -> list[Any]:
    """Return what the blocks change."""
    place, main = paddle.device.current_place(), paddle.static.default_main_program()
    scope, names = paddle.static.global_scope(), naming.generator()
    return [modes.here(), modes.gate_open, paddle.is_grad_enabled(), place, main, scope, names]


def test_ctrl_c_in_functions_of_the_user_leaves_nothing_behind() -> None:
    def stop(*_: Any) -> Any:
        raise KeyboardInterrupt

    class Stops(paddle.autograd.PyLayer):
        forward = staticmethod(lambda _ctx, x, where: stop() if where == "forward" else x * 2.0)
        backward = staticmethod(stop)

    x = paddle.ones([1]).requires_grad_()
    hooked = x * 2.0
    hooked.register_hook(stop)
    for work in (
        lambda: Stops.apply(x, "forward"),
        lambda: Stops.apply(x, "backward").backward(),
        hooked.backward,
    ):
        before = condition()
        with pytest.raises(KeyboardInterrupt), viz.record():
            work()
        assert condition() == before


def test_a_generator_that_ends_in_another_context_changes_nothing_there() -> None:
    def steps() -> Iterator[str]:
        with override_variable(variable, "mine"):
            yield variable.get()

    generator = steps()
    assert next(generator) == "mine"
    context = copy_context()
    context.run(variable.set, "theirs")
    context.run(generator.close)
    assert context.run(variable.get) == "theirs"
    variable.set("default")


def test_the_cycles_of_many_blocks_are_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cycle:
        own: Any
        more: Any

    monkeypatch.setattr(guard, "UNVISITED", 1000)
    ends = []
    for _ in range(12):
        with pause_collector():
            cycle = Cycle()
            cycle.own, cycle.more = cycle, [[each] for each in range(100)]
            ends.append(weakref.ref(cycle))
    assert gc.isenabled()
    assert ends[0]() is None


def test_the_collector_is_as_before_after_an_error() -> None:
    for enabled in (True, False):
        before = gc.isenabled()
        (gc.enable if enabled else gc.disable)()
        try:
            with pytest.raises(ZeroDivisionError), pause_collector():
                int(gc.isenabled()) or 1 / 0
            assert gc.isenabled() is enabled
        finally:
            (gc.enable if before else gc.disable)()


def test_a_decorated_function_runs_in_threads_at_once() -> None:
    """Each call restores the state of its own thread."""
    both_inside = threading.Barrier(2)
    seen = []

    @override_variable(variable, "inside")
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
