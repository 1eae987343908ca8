"""What the benchmarks conclude from their figures; the timing itself is never a test."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.mark.parametrize(("count", "rank"), [(4, 0), (5, 1), (8, 2), (15, 4), (21, 7)])
def test_a_bound_is_the_ratio_that_a_median_rarely_lies_below(
    count: int, rank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)  # they are scripts beside each other
    bound = importlib.import_module("run").lower_bound
    ratios = [1.0 + k / 100 for k in range(count)]
    assert bound(ratios[::-1]) == (ratios[rank - 1] if rank else -float("inf"))
