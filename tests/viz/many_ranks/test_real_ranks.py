"""Traces of real processes, which communicated over MPI, make one picture."""

from functools import cache
from typing import Any

import pytest

import viz
from tests.distributed.harness import ranks, run
from tests.viz.many_ranks.on_ranks import everything
from viz.many_ranks.ranks import Ranks
from viz.trace import Trace

pytestmark = [ranks, pytest.mark.slow]


@cache
def answers() -> list[dict[str, dict[str, Any]]]:
    """Return the recordings of three ranks."""
    return run(3, everything)


def view(name: str) -> Ranks:
    found: Ranks = viz.ranks([Trace(answer[name]) for answer in answers()])
    return found


def test_collectives_of_all_ranks_are_matched() -> None:
    found = view("all")
    assert found.mismatches == ()
    everyone = (0, 1, 2)
    assert [(each.name, each.ranks) for each in found.collectives] == [
        ("reduce", everyone),
        ("all_reduce", everyone),
        ("all_gather", everyone),
        ("scatter", everyone),
        ("gather", everyone),
        ("reduce_scatter", everyone),
        ("alltoall", everyone),
        ("send", (0, 1)),
        ("barrier", everyone),
    ]
    assert found.folded == ((0,), (1,), (2,))


def test_each_rank_shows_what_it_sent_and_received() -> None:
    found = view("all")
    assert found.headline("en") == "3 ranks, 8 collectives and 1 send"
    told = {each.name: each for each in found.collectives}
    assert told["scatter"].nbytes == {0: 24, 1: 0, 2: 0}
    assert told["send"].nbytes == {0: 8, 1: 0}
    assert told["barrier"].nbytes == {0: 0, 1: 0, 2: 0}
    assert [call.gets for call in told["reduce"].calls.values()] == [True, False, False]
    assert [call.gets for call in told["gather"].calls.values()] == [False, True, False]
    assert found.say(told["send"]) == (
        "send: rank 0 sends out [2] to rank 1. Bytes given: 8 B from rank 0."
    )


def test_ops_that_run_during_a_collective_are_named() -> None:
    found = view("late")
    assert found.folded == ((0, 1, 2),)
    assert found.say(found.collectives[0]).endswith(
        "It begins 1 step before it is waited for; meanwhile run: tanh."
    )


def test_the_gradient_of_a_collective_is_a_collective_of_backward() -> None:
    found = view("true")
    assert [each.name for each in found.collectives] == ["all_reduce", "all_reduce"]
    rows = [found.score.parts[0].at(found.score.row_of(each)) for each in found.collectives]
    assert [step and step.phase for step in rows] == ["forward", "backward"]


def test_tensors_changed_by_a_call_are_not_named_after_its_result() -> None:
    text = Trace(answers()[0]["wrapped"]).text()
    assert "DataParallel net" in text or "net(" in text
    assert "net.grad" not in text
