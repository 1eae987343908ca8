"""Random programs in several threads at once: each gets what it gets alone."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from hypothesis import strategies as st

import viz
from tests.conftest import leaks, start_afresh

from .programs import EAGER, Program, programs
from .running import Outcome, outcome_of, same

LIMIT = 120  # seconds until a thread counts as stuck; none takes one


def recorded(program: Program) -> Outcome:
    with viz.record() as trace:
        result = outcome_of(program)
    assert trace.text()
    return result


@contextmanager
def often_interrupted() -> Any:
    """Threads take turns after a few operations."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def at_once(tasks: list[Callable[[], Any]]) -> list[Any]:
    """The results of the tasks, each in a thread of its own; an exception is a result too."""
    results: list[Any] = [None] * len(tasks)
    start = threading.Barrier(len(tasks))

    def work(number: int) -> None:
        start.wait(LIMIT)
        try:
            results[number] = tasks[number]()
        except BaseException as error:  # noqa: BLE001  (told by the test)
            results[number] = error

    threads = [
        threading.Thread(target=work, args=(number,), daemon=True) for number in range(len(tasks))
    ]
    with often_interrupted():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
            assert not thread.is_alive(), "a thread is stuck"
    return results


def check(work: list[tuple[Callable, Any]]) -> None:
    start_afresh()
    alone = [run(program) for run, program in work]
    start_afresh()
    together = at_once([lambda run=run, p=p: run(p) for run, p in work])
    for one, other in zip(alone, together, strict=True):
        if isinstance(other, BaseException):
            raise other
        same(one, other)
    assert not leaks(), leaks()


def test_eager_programs_at_once_give_what_each_gives_alone(fuzz: Callable) -> None:
    eager = st.tuples(st.sampled_from([outcome_of, recorded]), programs(EAGER))
    fuzz(check, st.lists(eager, min_size=2, max_size=4), 30, part=0.1)
