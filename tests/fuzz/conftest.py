"""`fuzz`: draw programs by a seed, a few or for some minutes, and make the one that fails small."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

ROUND = 50  # examples between two looks at the clock; it ends the search and decides nothing


class Fuzz:
    """Gives a check what a strategy draws: `examples` times, or for this test's part of the time.

    The search of one seed is always the same, but for where the time cuts it off.
    """

    def __init__(self, seconds: float, number: int) -> None:
        self.seconds = seconds
        self.number = number

    def __call__(self, check: Callable[[Any], None], drawn: Any, examples: int) -> None:
        if not self.seconds:
            return self.round(check, drawn, self.number, examples)
        end = time.monotonic() + self.seconds
        for number in itertools.count(self.number):
            self.round(check, drawn, number, ROUND)
            if time.monotonic() > end:
                return None
        return None

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
    """Each test that draws has the same part of the minutes."""
    drawing = [item for item in request.session.items if "fuzz" in item.fixturenames]
    seconds = request.config.getoption("--fuzz-minutes") * 60 / len(drawing)
    return Fuzz(seconds, request.config.getoption("--fuzz-seed"))
