"""Traces of ranks that did not do the same: the records of one are changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import viz
from viz.many_ranks.ranks import Ranks
from viz.trace import Trace

Change = Callable[[dict[str, Any]], None]


def changed(traces: list[Trace], rank: int, change: Change) -> Ranks:
    """The view of these ranks, one of which recorded something else."""
    document = json.loads(traces[rank].dumps())
    change(document)
    found: Ranks = viz.ranks([*traces[:rank], Trace(document), *traces[rank + 1 :]])
    return found


def calls(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The records of collectives."""
    return [e for e in document["events"] if e["event"] == "OpFinished" and "ranks" in attrs(e)]


def attrs(event: dict[str, Any]) -> dict[str, Any]:
    return dict(event.get("attrs", []))


def set_attr(event: dict[str, Any], name: str, value: Any) -> None:
    """Let a call have been made with another argument."""
    event["attrs"] = [[n, value if n == name else v] for n, v in event["attrs"]]


def another_op(document: dict[str, Any]) -> None:
    """The first collective is a broadcast."""
    call = calls(document)[0]
    call["op"] = "broadcast"
    call["attrs"] = [["src", 0], *([n, v] for n, v in call["attrs"] if n != "op")]


def another_way(document: dict[str, Any]) -> None:
    """The second collective takes the maximum."""
    set_attr(calls(document)[1], "op", "max")


def another_order(document: dict[str, Any]) -> None:
    """The two collectives come in the other order."""
    for call in calls(document):
        set_attr(call, "number", 3 - attrs(call)["number"])


def ends_early(document: dict[str, Any]) -> None:
    """The trace ends before the first collective."""
    first = document["events"].index(calls(document)[0])
    document["events"] = document["events"][:first]


def other_group(document: dict[str, Any]) -> None:
    """The first collective is of this rank and one whose trace is not there."""
    set_attr(calls(document)[0], "ranks", [1, 7])
