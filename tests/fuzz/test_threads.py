"""Random programs in several threads at once give what each gives alone."""

import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import strategies as st

import minipaddle as paddle
import viz
from tests.sealing import leaks, start_afresh

from ..patience import PATIENCE
from .programs import EAGER, Program, programs
from .running import Outcome, nothing_left, outcome_of, same, same_bits
from .static_programs import BATCH, FIXED, StaticProgram, static_programs

pytestmark = pytest.mark.slow


def recorded(program: Program) -> Outcome:
    with viz.record() as trace:
        result = outcome_of(program)
    assert trace.text()
    return result


def built_and_run(program: StaticProgram) -> dict[str, Any]:
    """Return a Program's values of two runs: by the interpreter and by a plan."""
    with program.built() as (results, grads):
        executor = paddle.static.Executor()
        fetch = [*results.values(), *grads.values()]
        for _ in range(3):
            values = executor.run(feed=program.arrays(BATCH), fetch_list=fetch) if fetch else []
    return dict(zip([*results, *(f"{name}@GRAD" for name in grads)], values, strict=True))


@contextmanager
def often_interrupted() -> Any:
    """Let threads alternate after a few operations."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def at_once(tasks: list[Callable[[], Any]]) -> list[Any]:
    """Run each task in its own thread; return the results or exceptions."""
    results: list[Any] = [None] * len(tasks)
    start = threading.Barrier(len(tasks))

    def work(number: int) -> None:
        start.wait(PATIENCE)
        try:
            results[number] = tasks[number]()
        except BaseException as error:  # noqa: BLE001  (the test reports it)
            results[number] = error

    threads = [
        threading.Thread(target=work, args=(number,), daemon=True) for number in range(len(tasks))
    ]
    with often_interrupted():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "a thread is stuck"
    return results


def check(work: list[tuple[Callable, Any]]) -> None:
    start_afresh()
    alone = [run(program) for run, program in work]
    start_afresh()
    together = at_once([lambda run=run, p=p: run(p) for run, p in work])
    for (_, program), one, other in zip(work, alone, together, strict=True):
        if isinstance(other, BaseException):
            raise other
        if isinstance(one, Outcome):
            same(one, other)
            nothing_left(program, one)
            nothing_left(program, other)
        else:
            assert one.keys() == other.keys()
            for name, value in one.items():
                same_bits(name, value, other[name])
    assert not leaks(), leaks()


SOME = {"min_size": 2, "max_size": 4}


def test_eager_programs_at_once_give_what_each_gives_alone(fuzz: Callable) -> None:
    eager = st.tuples(st.sampled_from([outcome_of, recorded]), programs(EAGER))
    fuzz(check, st.lists(eager, **SOME), 10, part=0.04)


def test_programs_built_and_run_at_once_give_what_each_gives_alone(fuzz: Callable) -> None:
    eager = st.tuples(st.just(outcome_of), programs(EAGER))
    static = st.tuples(st.just(built_and_run), static_programs(FIXED))
    fuzz(check, st.lists(st.one_of(eager, static, static), **SOME), 10, part=0.04)
