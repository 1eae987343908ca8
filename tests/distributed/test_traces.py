"""Recordings of collectives on each rank."""

from functools import cache
from typing import Any

import pytest

from viz.trace import Trace

from . import scenarios
from .harness import ranks, run

pytestmark = [ranks, pytest.mark.slow]


def everything() -> tuple[Any, str]:
    return scenarios.trace(), scenarios.failed_trace()


@cache
def answers() -> list[Any]:
    return run(2, everything)


def calls(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the collectives of a trace."""
    found = (event for event in Trace(document).events if type(event).__name__ == "OpFinished")
    return [(event.op, dict(event.attrs)) for event in found if "ranks" in event.attrs]


def test_a_trace_says_which_rank_recorded_it() -> None:
    assert [(d["rank"], d["world_size"]) for d, _ in answers()] == [(0, 2), (1, 2)]


def test_calls_are_matched_by_ranks_and_number() -> None:
    common = {"ranks": [0, 1], "group": 0}
    for rank, (document, _) in enumerate(answers()):
        shared = {**common, "rank": rank}
        message = ("send", {"dst": 1}) if rank == 0 else ("recv", {"src": 0})
        found = calls(document)
        numbers = [attrs.pop("number") for _, attrs in found]
        assert found == [
            ("all_reduce", {"op": "sum", **shared}),
            ("broadcast", {"src": 1, **shared}),
            ("all_gather", shared),
            (message[0], {**message[1], **shared}),
            ("all_reduce", {"op": "sum", **shared}),
            ("all_reduce", {"op": "sum", **shared}),  # the collective of backward
            ("barrier", shared),
        ]
        first = numbers[0]
        collective = [n for n, (name, _) in zip(numbers, found, strict=True) if name != message[0]]
        assert collective == list(range(first, first + 6))
        assert numbers[3] == 1


def test_both_ranks_record_all_given_values() -> None:
    texts = [Trace(document).text() for document, _ in answers()]
    for rank, text in enumerate(texts):
        assert f"in y [2] float32: [{2 + 2 * rank}, 4]" in text
        assert "out y#2 [2] float32: [6, 8]" in text
        assert "makes the gradient of y [2] from the gradient of y#2 [2]" in text


def test_results_that_depend_on_other_ranks_are_not_recomputed() -> None:
    trace = Trace(answers()[0][0])
    assert trace.what_if({"x": [1.0, 2.0]}).stale() == {}
    changed = trace.what_if({"x": [5.0, 2.0]})
    assert changed.stale()["y#2"] == "other ranks had a part in it"
    assert changed.stale("zh")["x.grad"] == "其他 rank 也参与了它的计算"


def test_a_failed_call_is_a_step_with_its_place() -> None:
    for _, text in answers():
        assert "the ranks of a group do not call the same" in text
        assert "scenarios.py:" in text
