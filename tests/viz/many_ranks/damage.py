"""Traces of ranks that differ: the records of one rank are changed."""

import json
from collections.abc import Callable
from typing import Any

import viz
from viz.many_ranks.ranks import Ranks
from viz.trace import Trace

Change = Callable[[dict[str, Any]], None]


def changed(traces: list[Trace], rank: int, change: Change) -> Ranks:
    """Return the view of these ranks after a change of one rank's records."""
    document = json.loads(traces[rank].dumps())
    change(document)
    found: Ranks = viz.ranks([*traces[:rank], Trace(document), *traces[rank + 1 :]])
    return found


def calls(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of collectives."""
    return [e for e in document["events"] if e["event"] == "OpFinished" and "ranks" in attrs(e)]


def attrs(event: dict[str, Any]) -> dict[str, Any]:
    return dict(event.get("attrs", []))


def set_attr(event: dict[str, Any], name: str, value: Any) -> None:
    """Change an argument of a recorded call."""
    event["attrs"] = [[n, value if n == name else v] for n, v in event["attrs"]]


def another_op(document: dict[str, Any]) -> None:
    """Make the first collective a broadcast."""
    call = calls(document)[0]
    call["op"] = "broadcast"
    call["attrs"] = [["src", 0], *([n, v] for n, v in call["attrs"] if n != "op")]


def another_way(document: dict[str, Any]) -> None:
    """Make the second collective take the maximum."""
    set_attr(calls(document)[1], "op", "max")


def another_order(document: dict[str, Any]) -> None:
    """Exchange the two collectives."""
    for call in calls(document):
        set_attr(call, "number", 3 - attrs(call)["number"])


def ends_early(document: dict[str, Any]) -> None:
    """End the trace before the first collective."""
    first = document["events"].index(calls(document)[0])
    document["events"] = document["events"][:first]


def other_group(document: dict[str, Any]) -> None:
    """Give the first collective a group of this rank and one without a trace."""
    set_attr(calls(document)[0], "ranks", [1, 7])
