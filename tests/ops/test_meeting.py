"""A collective's kernel takes the exchange that is laid down for it, and is alone otherwise."""

from __future__ import annotations

import pytest

from minipaddle.engine.errors import Unimplemented
from minipaddle.ops.ranks.meeting import meet, meeting


def test_a_kernel_takes_what_is_laid_down_and_nothing_after_the_block() -> None:
    with meeting(lambda: "outer"):
        with meeting(lambda: "inner"):
            assert meet("all_reduce", [0, 1], lambda: "alone") == "inner"
        assert meet("all_reduce", [0, 1], lambda: "alone") == "outer"
    assert meet("all_reduce", [0], lambda: "alone") == "alone"
    with pytest.raises(Unimplemented, match=r"all_reduce.*\n.*\[0, 1\]"):
        meet("all_reduce", [0, 1], lambda: "alone")


def test_an_error_inside_lays_nothing_down() -> None:
    with pytest.raises(ZeroDivisionError), meeting(lambda: 1 // 0):
        meet("broadcast", [0, 1], lambda: "alone")
    assert meet("broadcast", [0], lambda: "alone") == "alone"
