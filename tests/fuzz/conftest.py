"""`fuzz` draws programs by a seed, a few or for some minutes, and shrinks a failing one."""

import gc
import itertools
import os
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

ROUND = 25  # examples between two looks at the clock, which only ends the search


class Fuzz:
    """A source of examples for a test: a few, or as many as fit into its part of some minutes.

    The minutes are of the processor, here and in processes that were waited for: a busy machine
    searches as long as a calm one. One seed always draws the same.
    """

    def __init__(self, minutes: float, number: int) -> None:
        self.minutes = minutes
        self.number = number

    def __call__(
        self, check: Callable[[Any], None], drawn: Any, examples: int, part: float
    ) -> None:
        """Run a check on examples of a strategy."""
        for number in self.some(itertools.count(self.number), 1, part):
            self.round(check, drawn, number, ROUND if self.minutes else examples)

    def some(self, row: Iterable[Any], few: int, part: float) -> Iterator[Any]:
        """Yield the first items of a row: a few, or as long as there is time; at least one."""
        if not self.minutes:
            yield from itertools.islice(row, few)
            return
        end = processor_seconds() + 60 * self.minutes * part
        for one in row:
            yield one
            if processor_seconds() > end:
                return

    def round(self, check: Callable[[Any], None], drawn: Any, number: int, examples: int) -> None:
        """Check examples of one seed; raise the error of a shrunk example if one fails."""
        print(f"hypothesis draws {examples} examples by the seed {number}")
        failing: list[Any] = []

        @seed(number)
        @settings(
            max_examples=examples,
            derandomize=False,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )
        @given(drawn)
        def one(example: Any) -> None:
            try:
                check(example)
            except Exception:
                failing[:] = [example]
                raise

        try:
            one()
        except Exception:
            failure = failure_of(check, failing[0]) if failing else None
            if failure is None:  # another one's, or it comes and goes
                raise
        else:
            return
        small = made_small(check, failing[0], place_of(failure))
        failure = failure_of(check, small) or failure
        failure.add_note(f"the program, made small:{small!r}")
        raise failure


def processor_seconds() -> float:
    return sum(os.times()[:4])


def failure_of(check: Callable[[Any], None], example: Any) -> Exception | None:
    """Return the error of a check with an example, or None."""
    try:
        check(example)
    except Exception as error:  # noqa: BLE001  (any failure counts)
        return error
    return None


def place_of(failure: Exception | None) -> Any:
    """Return the identity of a failure: its class, and the line that raised it."""
    if failure is None:
        return None
    frame = traceback.extract_tb(failure.__traceback__)[-1]
    return type(failure), frame.filename, frame.lineno


def made_small(check: Callable[[Any], None], example: Any, place: Any) -> Any:
    """Return the example without the statements that the failure does not need.

    Hypothesis only removes draws. Statements choose among earlier tensors, so it must retain the
    tensors on which other choices depend.
    """
    for smaller in without_one(example):
        if place_of(failure_of(check, smaller)) == place:
            return made_small(check, smaller, place)
    return example


def without_one(example: Any) -> Iterator[Any]:
    """Yield the example without one of its statements, the last ones first."""
    if hasattr(example, "without_one"):
        yield from example.without_one()
    elif isinstance(example, (list, tuple)):
        for position, part in enumerate(example):
            for smaller in without_one(part):
                yield type(example)([*example[:position], smaller, *example[position + 1 :]])


@pytest.fixture(autouse=True, scope="module")
def collected_before() -> Iterator[None]:
    """Freeze the suite's objects, so that a thousand garbage collections are fast."""
    gc.collect()
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        # Each recording asks whether there are frozen objects, and Python counts a million.
        patch.setattr(gc, "get_freeze_count", lambda: 1)
        yield
    gc.unfreeze()


@pytest.fixture
def fuzz(request: pytest.FixtureRequest) -> Fuzz:
    """Return `fuzz` for the given options; the parts of all tests in this folder add up to one."""
    option = request.config.getoption
    minutes = option("--fuzz-minutes")
    if minutes is None:
        minutes = 0.5 if option("--all") else 0.0
    return Fuzz(minutes, option("--fuzz-seed"))
