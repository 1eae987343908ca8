"""`fuzz`: draw programs by a seed, a few or for some minutes, and make the one that fails small."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
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
        """So many examples of one seed."""
        print(f"hypothesis draws {examples} examples by the seed {number}")

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
            check(example)

        one()


@pytest.fixture
def fuzz(request: pytest.FixtureRequest) -> Fuzz:
    """What the options say; the tests' parts of the minutes add up to one."""
    option = request.config.getoption
    return Fuzz(option("--fuzz-minutes"), option("--fuzz-seed"))
