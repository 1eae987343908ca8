"""Names count up per family; ids are never used twice."""

from __future__ import annotations

from collections import Counter

from minipaddle.engine import naming


def test_each_family_counts_by_itself() -> None:
    names = [naming.unique(prefix) for prefix in ("linear", "relu", "linear")]
    assert names == ["linear_0", "relu_0", "linear_1"]


def test_reset_starts_the_names_again_but_not_the_ids() -> None:
    before = naming.next_id()
    naming.unique("a")
    naming.reset()
    assert naming.unique("a") == "a_0"
    assert naming.next_id() == before + 1


def test_a_block_may_count_with_its_own_counters() -> None:
    naming.unique("fc")
    own: Counter[str] = Counter(fc=7)
    with naming.use_counters(own):
        assert naming.unique("fc") == "fc_7"
        assert naming.counters() is own
    assert naming.unique("fc") == "fc_1"
    assert own == {"fc": 8}
