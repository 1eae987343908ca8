"""Real trace documents, damaged as a file, an editor or an attacker could damage them."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from . import faults, programs, round_loops

ROUNDS = (round_loops.never_cleared, round_loops.own_gradients, round_loops.second_time)

SHOWN = ("broadcast", "dead_relu", "carried_over", "not_updated", "rounded_away")
FAULTY = (faults.detached, *(faults.ON_PAGE[kind] for kind in SHOWN))

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "'\"><svg/onload=alert(1)>",
    "]]>&amp;<!--",
    "\u202eturned\u2066\u2069",
    "a\x00b\x1b[31m\x07\x7f\x85",
    "\u2028\u2029\r\n\t",
    "x" * 3000,
    "{x} {by} %s $x_1$ {{",
    "名" * 200,
    "",
)
HALVES = ("\ud800", "half a letter \udfff")  # rejected in every place
NUMBERS = (-1, 0, 1, 10**9, 2**63, 10**40, -(10**40), 10**400, 1e308, -0.0, 0.5, True)


def nested(choice: random.Random) -> Any:
    """Return nested lists or objects, some of them very deep."""
    thing: Any = choice.choice([0, "x", None])
    for _ in range(choice.choice([3, 60, 300])):
        thing = [thing] if choice.random() < 0.8 else {"a": thing}
    return thing


JUNK: tuple[Callable[[random.Random], Any], ...] = (
    lambda choice: choice.choice(HOSTILE + HALVES),
    lambda choice: choice.choice(NUMBERS),
    lambda choice: choice.choice([None, [], {}, [[]], [None], {"": ""}]),
    nested,
)


@cache
def _recorded_documents() -> tuple[str, ...]:
    whole = [*(program() for program in programs.ALL), *(make() for make in ROUNDS)]
    whole += [program(False) for program in FAULTY]
    parts = [trace.round(1) for trace in whole if trace.rounds]
    return tuple(trace.dumps() for trace in (*whole, *parts))


def document(choice: random.Random) -> dict[str, Any]:
    """Return one of the documents that the test programs record."""
    recorded: dict[str, Any] = json.loads(choice.choice(_recorded_documents()))
    return recorded


def places(thing: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container in a document with each of its keys."""
    todo = [thing]
    while todo:
        at = todo.pop()
        for key in list(at) if isinstance(at, dict) else range(len(at)):
            yield at, key
            if isinstance(at[key], (dict, list)):
                todo.append(at[key])


def damaged(choice: random.Random, hits: int) -> dict[str, Any]:
    """Return a document with `hits` places dropped, replaced, swapped or given hostile names."""
    damaged = document(choice)
    for _ in range(hits):
        everywhere = list(places(damaged))
        at, key = choice.choice(everywhere)
        other, from_there = choice.choice(everywhere)
        match choice.choice(["drop", "junk", "move", "name", "number"]):
            case "drop":
                del at[key]
            case "junk":
                at[key] = choice.choice(JUNK)(choice)
            case "move":
                at[key] = copy.deepcopy(other[from_there])
            case "name":
                texts = [(a, k) for a, k in everywhere if isinstance(a[k], str)]
                at, key = choice.choice(texts)
                at[key] = choice.choice(HOSTILE)
            case _:
                whole = [(a, k) for a, k in everywhere if type(a[k]) is int]
                at, key = choice.choice(whole)
                at[key] = choice.choice([at[key] + 1, at[key] - 1, *NUMBERS])
    return damaged


def renamed(choice: random.Random) -> dict[str, Any]:
    """Return a document in which every name, title and line of code is hostile."""
    damaged = document(choice)
    damaged["title"] = choice.choice(HOSTILE)
    for row in damaged["names"]:
        row[2] = choice.choice(HOSTILE)
    for source in damaged["sources"]:
        source["name"] = choice.choice(HOSTILE)
        source["lines"] = [choice.choice(HOSTILE).replace("\n", " ") for _ in source["lines"]]
    for at, key in list(places(damaged["events"])):
        if key in ("name", "mark", "error", "message", "optimizer", "function", "op", "type"):
            at[key] = choice.choice(HOSTILE)
    return damaged
