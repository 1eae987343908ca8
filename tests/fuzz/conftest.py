"""`fuzz`: draw programs by a seed, a few or for some minutes, and make the one that fails small."""

from __future__ import annotations

import itertools
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

ROUND = 50  # examples between two looks at the clock, which ends the search and decides nothing


class Fuzz:
    """Gives a check what a strategy draws: so many examples, or for a part of some minutes.

    The minutes are of the processor: a busy machine searches as long as a calm one. One seed
    always draws the same.
    """

    def __init__(self, minutes: float, number: int) -> None:
        self.minutes = minutes
        self.number = number

    def __call__(
        self, check: Callable[[Any], None], drawn: Any, examples: int, part: float
    ) -> None:
        if not self.minutes:
            self.round(check, drawn, self.number, examples)
            return
        end = time.process_time() + 60 * self.minutes * part
        for number in itertools.count(self.number):
            self.round(check, drawn, number, ROUND)
            if time.process_time() > end:
                return

    def round(self, check: Callable[[Any], None], drawn: Any, number: int, examples: int) -> None:
        """So many examples of one seed; where one fails, the error is that of a small one."""
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


def failure_of(check: Callable[[Any], None], example: Any) -> Exception | None:
    """How a check fails with an example, if it does."""
    try:
        check(example)
    except Exception as error:  # noqa: BLE001  (any failure counts)
        return error
    return None


def place_of(failure: Exception | None) -> Any:
    """What tells one failure from another: its kind, and the line that raised it."""
    if failure is None:
        return None
    frame = traceback.extract_tb(failure.__traceback__)[-1]
    return type(failure), frame.filename, frame.lineno


def made_small(check: Callable[[Any], None], example: Any, place: Any) -> Any:
    """The example without the statements that the failure does not need.

    Hypothesis takes away what was drawn, and statements choose among the tensors before them: it
    has to keep the tensors that make the others' choices come out right.
    """
    for smaller in without_one(example):
        if place_of(failure_of(check, smaller)) == place:
            return made_small(check, smaller, place)
    return example


def without_one(example: Any) -> Iterator[Any]:
    """The example without one of its statements, the last ones first."""
    if hasattr(example, "without_one"):
        yield from example.without_one()
    elif isinstance(example, (list, tuple)):
        for position, part in enumerate(example):
            for smaller in without_one(part):
                yield type(example)([*example[:position], smaller, *example[position + 1 :]])


@pytest.fixture
def fuzz(request: pytest.FixtureRequest) -> Fuzz:
    """What the options say; the tests' parts of the minutes add up to one."""
    option = request.config.getoption
    return Fuzz(option("--fuzz-minutes"), option("--fuzz-seed"))
