"""What the benchmarks conclude from their figures; the timing itself is never a test."""

import pytest

from benchmarks.run import lower_bound


@pytest.mark.parametrize(("count", "rank"), [(4, 0), (5, 1), (8, 2), (15, 4), (21, 7)])
def test_a_bound_is_the_ratio_that_a_median_rarely_lies_below(count: int, rank: int) -> None:
    ratios = [1.0 + k / 100 for k in range(count)]
    bound = lower_bound(ratios[::-1])
    assert bound == (ratios[rank - 1] if rank else -float("inf"))
