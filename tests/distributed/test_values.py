"""Results of collectives and messages on two and three ranks."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from . import lists, scenarios
from .harness import ranks, run
from .lists import JOIN
from .scenarios import OPS, drawn

pytestmark = [ranks, pytest.mark.slow]


@cache
def answers(count: int) -> list[Any]:
    return run(count, everything)


def everything() -> dict[str, Any]:
    """Run all scenarios of this module in one start."""
    asked = (scenarios.values, scenarios.messages, scenarios.objects, scenarios.tasks)
    return {function.__name__: function() for function in (*asked, scenarios.groups)}


def same(found: Any, expected: Any) -> None:
    assert len(found) == len(expected)
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-14)


@pytest.mark.parametrize("count", [2, 3])
def test_collectives_join_tensors(count: int) -> None:
    rows = np.stack([drawn(rank, 2, 3) for rank in range(count)])
    for rank, told in enumerate(answers(count)):
        for op in OPS:
            same(told["values"][f"all_reduce {op}"], JOIN[op](rows, axis=0))
        last = rank == count - 1
        same(told["values"]["reduce"], rows.sum(0) if last else rows[rank])


@pytest.mark.parametrize("count", [2, 3])
def test_tensors_are_spread_and_exchanged(count: int) -> None:
    last = count - 1
    for rank, told in enumerate(answers(count)):
        values = told["values"]
        same(values["broadcast"], drawn(last, 2, 3))
        same(values["broadcast of a view"], drawn(0, 2, 3).T)
        same(values["alltoall"], [drawn(10 * r + rank, 2) for r in range(count)])


def test_messages_arrive_unchanged() -> None:
    first, second = (told["messages"] for told in answers(2))
    assert first == {"isend": True}
    assert second["recv 0"]
    assert second["recv 1"]
    same(second["before"], drawn(1, 4))  # nothing is written before the wait
    waited, came, completed = second["irecv"]
    assert waited
    assert completed
    same(came, drawn(0, 4))
    assert second["objects"] == [1, {"a": None}]


@pytest.mark.parametrize("count", [2, 3])
def test_objects_can_be_sent(count: int) -> None:
    for rank, told in enumerate(answers(count)):
        assert told["objects"] == {
            "all_gather": ["before", *({"rank": r} for r in range(count))],
            "broadcast": [count - 1, "a"],
            "scatter": ["abcd"[rank]],
        }


@pytest.mark.parametrize("count", [2, 3])
def test_results_are_written_at_the_wait(count: int) -> None:
    first, second = (sum(drawn(at + r, 3) for r in range(count)) for at in (0, 10))
    for told in answers(count):
        tasks = told["tasks"]
        assert tasks["unchanged"]
        assert tasks["waited"] == (True, True)
        same(tasks["sums"], (first, second, first))
        assert tasks["completed"]
        assert tasks["version"] == 1


def test_groups_contain_some_ranks() -> None:
    for rank, told in enumerate(answers(3)):
        groups = told["groups"]
        inside, alone = {0: 0, 2: 1}.get(rank, -1), 0 if rank == 1 else -1
        assert groups["texts"] == (
            f"rank: {rank}, nranks: 3, id: 0, ranks: 0, 1, 2; name: _default_pg",
            f"rank: {inside}, nranks: 2, id: 10, ranks: 0, 2; name: _default_pg10",
            f"rank: {alone}, nranks: 1, id: 11, ranks: 1; name: _default_pg11",
        )
        outside = f"Current global rank {rank} is not in group _default_pg11"
        assert groups["outside"] == (None, [outside] * {0: 2, 1: 0, 2: 1}[rank])
        assert groups["sums"] == ([4.0] if inside >= 0 else [2.0], [1.0 + rank])
        assert groups["ranks"] == (inside, 2 if inside >= 0 else -1, 1)
        assert groups["same"]
        assert groups["backend"] == "MPI"
        assert groups["gone"]


def test_lists_are_right_wherever_their_memory_is() -> None:
    assert run(3, lists.everything) == [[]] * 3
