"""What the benchmarks conclude from their figures; the timing itself is never a test."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.each import each

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@each(("count", "rank"), [(4, 0), (5, 1), (8, 2), (15, 4), (21, 7)])
def test_a_bound_is_the_ratio_that_a_median_rarely_lies_below(
    count: int, rank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)  # they are scripts beside each other
    bound = importlib.import_module("run").lower_bound
    ratios = [1.0 + k / 100 for k in range(count)]
    assert bound(ratios[::-1]) == (ratios[rank - 1] if rank else -float("inf"))


@pytest.mark.slow
@pytest.mark.parametrize("library", ["minipaddle", "minipaddle static"])
def test_every_case_runs(library: str) -> None:
    program = f"""
import worker
cases = worker.load({library!r})
for run in cases.values():
    run()
print(len(cases))
"""
    command = [sys.executable, "-W", "ignore", "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(BENCHMARKS.parent)}
    done = subprocess.run(
        command, cwd=BENCHMARKS, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) >= 4
