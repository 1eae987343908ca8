"""What ranks on one machine read of each other before a collective, in one process here."""

from __future__ import annotations

import mmap
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle.distributed.headers import WORD, Board


def boards(count: int) -> list[Board]:
    """Those of several ranks, who share one memory."""
    memory = mmap.mmap(-1, 2 * WORD.size * count)
    nothing = lambda: None  # noqa: E731
    return [
        Board(SimpleNamespace(rank=rank, size=count, Iprobe=nothing), memory)
        for rank in range(count)
    ]


def test_another_kind_is_seen_by_all_ranks() -> None:
    first, second = boards(2)
    first.put(1, 7)
    second.put(1, 8)
    for board in (first, second):
        assert board.Test()
        assert not board.agree()


def test_mpi_goes_on_while_a_rank_waits() -> None:
    first, _ = boards(2)
    asked = []
    first.carrier.Iprobe = lambda: asked.append("asked")
    first.put(1, 7)
    assert not first.Test()
    assert asked == ["asked"]


@pytest.mark.parametrize("begin", [1, 2**32 - 3])
@given(order=st.lists(st.integers(0, 2), max_size=60))
def test_a_rank_never_takes_the_word_of_one_call_for_that_of_another(
    begin: int, order: list[int]
) -> None:
    """Ranks act in any order; a call ends once all have put its word, however far some went on."""
    ranks, calls, put = boards(3), [begin] * 3, [False] * 3
    for rank in order:
        board = ranks[rank]
        if not put[rank]:
            board.put(calls[rank], calls[rank] % 5)
            put[rank] = True
        here = all(
            calls[other] > calls[rank] or (calls[other] == calls[rank] and put[other])
            for other in range(3)
        )
        assert board.Test() == here
        if here:
            assert board.agree()
            calls[rank] += 1
            put[rank] = False
