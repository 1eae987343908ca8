"""A collective's kernel takes the exchange prepared for it, and otherwise runs as one rank."""

import pytest

from minipaddle.engine.errors import Unimplemented
from minipaddle.ops.ranks.collectives import meet, meeting


def test_a_kernel_takes_the_prepared_exchange_only_inside_of_the_block() -> None:
    with meeting(lambda: "outer"):
        with meeting(lambda: "inner"):
            assert meet("all_reduce", [0, 1], lambda: "alone") == "inner"
        assert meet("all_reduce", [0, 1], lambda: "alone") == "outer"
    assert meet("all_reduce", [0], lambda: "alone") == "alone"
    with pytest.raises(Unimplemented, match=r"all_reduce.*\n.*\[0, 1\]"):
        meet("all_reduce", [0, 1], lambda: "alone")


def test_no_exchange_stays_after_an_error_in_the_block() -> None:
    with pytest.raises(ZeroDivisionError), meeting(lambda: 1 // 0):
        meet("broadcast", [0, 1], lambda: "alone")
    assert meet("broadcast", [0], lambda: "alone") == "alone"
