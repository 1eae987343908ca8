"""Ranks that disagree, come late, fail or vanish give an error with rank and place, and end."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.each import each

from . import scenarios
from .harness import ranks, run, start

pytestmark = [ranks, pytest.mark.slow]


@cache
def answers() -> list[Any]:
    return run(2, scenarios.mistakes)


ARGUMENTS = {
    "not a tensor": ("InvalidType", "all_reduce(): tensor must be Tensor, but got list."),
    "op": ("InvalidArgument", "all_reduce(): Unknown reduce_op type for 9."),
    "op as text": ("InvalidArgument", "all_reduce(): Unknown reduce_op type for 'sum'."),
    "root": ("InvalidArgument", "broadcast(): rank 7 is not in the group."),
    "no group": ("InvalidType", "all_reduce(): group must be Group, but got int."),
    "list": ("InvalidArgument", "reduce_scatter(): tensor_list has 3 tensors for 2 ranks."),
    "list of others": (
        "InvalidArgument",
        "reduce_scatter(): tensor_list[0] is float32 [2], and not float32 [1].",
    ),
    "no list": ("InvalidType", "all_gather(): tensor_list must be list, but got tuple."),
    "full list": (
        "InvalidArgument",
        "all_gather(): tensor_list[0] is float32 [2], and not float32 [1].",
    ),
    "group": ("InvalidArgument", "new_group(): there is no rank 9."),
    "static": ("ModeError", "barrier(): paddle.distributed works in dynamic mode only."),
    "objects": ("InvalidArgument", "scatter_object_list(): 9 objects for 2 ranks."),
    "complex": ("InvalidType", "all_reduce(): complex numbers have no maximum."),
    "complex parts": ("InvalidType", "reduce_scatter(): complex numbers have no minimum."),
    "complex with a gradient": ("InvalidType", "all_reduce(): complex numbers have no maximum."),
    **{
        name: ("InvalidArgument", f"{call}(): an object cannot be sent to other ranks.")
        for name, call in (
            ("pickle", "all_gather_object"),
            ("pickle a list", "broadcast_object_list"),
            ("pickle a part", "scatter_object_list"),
            ("pickle a message", "send_object_list"),
        )
    },
    "unpickle": (
        "InvalidArgument",
        "all_gather_object(): the object of rank 0 cannot be made here.",
    ),
}


@each("name", ARGUMENTS)
def test_wrong_arguments_are_errors_before_any_rank_waits(name: str) -> None:
    kind, text = ARGUMENTS[name]
    for told in answers():
        assert told[name][0] == kind
        assert told[name][1].startswith(text)
        assert "at        tests/distributed/scenarios.py:" in told[name][1]


DISAGREEMENTS = {
    "shape": ("all_reduce(float32 [2], sum)", "all_reduce(float32 [3], sum)"),
    "dtype": ("all_reduce(int32 [1], sum)", "all_reduce(float32 [1], sum)"),
    "order": ("broadcast(float32 [1], src=0)", "all_reduce(float32 [1], sum)"),
    "kind": ("all_reduce(float32 [1], sum)", "all_reduce(float32 [1], sum, sync_op=False)"),
}


@each("name", DISAGREEMENTS)
def test_all_ranks_learn_what_each_of_them_called(name: str) -> None:
    first, second = DISAGREEMENTS[name]
    for told in answers():
        kind, text = told[name]
        assert kind == "RanksDisagree"
        assert "the ranks of a group do not call the same." in text
        assert f"rank 0: {first} at tests/distributed/scenarios.py:" in text
        assert f"rank 1: {second} at tests/distributed/scenarios.py:" in text


def test_a_message_of_another_shape_is_an_error_and_its_sender_goes_on() -> None:
    sent, received = (told["letter"] for told in answers())
    assert sent == ("", "")
    assert received[0] == "RanksDisagree"
    assert "recv(): rank 0 sends float32 [100000], and the tensor is float32 [2]." in received[1]
    assert "sent at tests/distributed/scenarios.py:" in received[1]


def test_ranks_go_on_together_after_a_disagreement() -> None:
    for told in answers():
        assert told["after"] == ("", "2.0")


def test_a_rank_that_waits_too_long_learns_the_calls_of_the_others(tmp_path: Path) -> None:
    told = run(2, scenarios.one_is_missing, str(tmp_path), patience=0.5)[0]
    for name, call in (
        ("all_reduce", "all_reduce(float32 [1], sum)"),
        ("recv", "recv(float32 [1], src=1)"),
        ("send", "send(float32 [200000], dst=1)"),
    ):
        kind, text = told[name]
        assert kind == "OthersMissing"
        assert text.startswith(f"{call}: waited 0.5 s for other ranks.")
        assert "received  rank 1 is at tests/distributed/scenarios.py:" in text
        assert "PADDLE_PG_TIMEOUT" in text
    assert told["left"] == ("", "3")  # MPI still uses the memory of all three
    assert "rank 1 to call send()" in told["recv"][1]
    assert "rank 1 to call recv()" in told["send"][1]


def test_a_second_thread_may_not_call_while_the_first_one_waits(tmp_path: Path) -> None:
    (kind, _), other = run(2, scenarios.two_threads_call, str(tmp_path))
    assert (kind, other) == ("PreconditionNotMet", ("", ""))


def test_a_rank_that_waits_long_says_so_once_and_goes_on(tmp_path: Path) -> None:
    (total, said), (same, _) = run(2, scenarios.one_is_slow, str(tmp_path), patience=60.0)
    assert total == same == 3.0
    place = r"tests/distributed/scenarios\.py:\d+"
    waits = rf"rank 0 has waited 0\.2 s in all_reduce\(float32 \[1\], sum\) at {place}"
    assert re.fullmatch(rf"{waits}; rank 1 is at {place}\n", said), said


@pytest.mark.parametrize("destroys", [False, True])
def test_a_rank_that_has_ended_is_reported_as_silent(destroys: bool) -> None:
    (kind, text), other = run(2, scenarios.one_ends, destroys, patience=0.5)
    assert kind == "OthersMissing"
    assert "rank 1 gives no answer; it may have ended" in text
    assert other == ("", "")


def test_ended_groups_leave_nothing_and_may_begin_again() -> None:
    for rank, told in enumerate(run(2, scenarios.ends_and_begins)):
        assert told["among"] == told["among again"] == (rank, 2)
        assert told["alone"] == (None, None)
        assert told["freed"] == [True, True]
        assert not told["begun"]
        assert told["hooked"]
        assert told["unhooked"]
        assert told["sum"] == 3.0
        for name, group in (("old", "_default_pg"), ("old of users", "_default_pg10")):
            kind, text = told[name]
            assert kind == "PreconditionNotMet"
            assert text.startswith(f"The group {group} has ended.")


def test_a_rank_that_raises_ends_all() -> None:
    ended = start(3, scenarios.one_raises)
    assert ended.code != 0
    assert "ValueError: the second rank cannot go on" in ended.printed
    assert ended.results == [None] * 3
    assert ended.left == 0


def test_a_rank_that_waits_inside_of_mpi_ends_in_time() -> None:
    ended = start(2, scenarios.one_never_comes, patience=1.0, MINIPADDLE_RANK_CHECKS="0")
    assert ended.code != 0
    assert "OthersMissing: all_reduce(float32 [1], sum): waited 1 s for other ranks." in (
        ended.printed
    )
    assert re.search(r"received  rank 1 is at tests/distributed/scenarios\.py:\d+", ended.printed)
    assert re.search(r"at        tests/distributed/scenarios\.py:\d+", ended.printed)
    assert ended.left == 0


def test_a_rank_that_is_killed_ends_all() -> None:
    ended = start(2, scenarios.one_is_killed)
    assert ended.code != 0
    assert ended.results == [None, None]
    assert ended.left == 0


def test_no_header_is_sent_without_checks() -> None:
    assert run(2, scenarios.unchecked, MINIPADDLE_RANK_CHECKS="0") == [3.0, 6.0]
