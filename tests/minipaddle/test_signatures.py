"""Every function and class takes Paddle's parameters, in Paddle's order, with Paddle's defaults.

`tests/oracle/names.py` makes the record. `DIFFERENT` lists intended differences.
"""

import inspect
import json
from pathlib import Path
from typing import Any

import minipaddle
from minipaddle.ops.op_spec import Op
from tests.each import each
from tests.oracle.names import read

RECORD = Path(__file__).parents[1] / "data" / "signatures.json"
PADDLES = json.loads(RECORD.read_text(encoding="utf-8"))["signatures"]

DIFFERENT = {  # name -> why it takes other arguments
    "paddle.Tensor.new_full": "takes size and fill_value; Paddle's record counts no self",
    "paddle.nn.Layer": "dtype None is the default dtype, which parameters have in Paddle as well",
    "paddle.nn.RNNCellBase": "as paddle.nn.Layer",
    "paddle.static.Variable": "is made by static.data and Block.create_var, not by hand",
}


def found(name: str) -> Any:
    """Return minipaddle's object under a name of Paddle, or None."""
    place: Any = minipaddle
    for step in name.split(".")[1:]:
        place = getattr(place, step, None)
    return place


def parameters(value: Any) -> list[Any] | None:
    """Return a signature in the form of the record; an op's comes from its kernel."""
    record = getattr(value, "op", None)
    if not isinstance(record, Op) or record.call is not value:
        return read(value)
    if record.options:
        return read(next(iter(record.options.values())))
    kernel = read(record.kernel)[1:]
    return [row for row in kernel if row != ["*"]] + [["name", None], ["*"], ["out", None]]


def differences(paddles: list[Any], ours: list[Any], method: bool) -> list[str]:
    """List the differences that break a call written for Paddle."""
    open_ended = {row[0] for row in ours if row[0].startswith("*") and row != ["*"]}
    if {"*args", "**kwargs"} <= open_ended or any(row[0] == "*args" for row in paddles):
        return []
    wanted, theirs = split(paddles)
    given, extra = split(ours)
    complaints = []
    for position, row in enumerate(wanted):
        if position == 0 and method:
            continue
        if position >= len(given):
            if row[0] not in {r[0] for r in extra} and "**kwargs" not in open_ended:
                complaints.append(f"lacks {row[0]}")
        elif row[0] != given[position][0]:
            complaints.append(f"argument {position + 1} is {given[position][0]}, not {row[0]}")
        elif row[1:] != given[position][1:]:
            complaints.append(f"{row[0]} is {default(given[position])}, not {default(row)}")
    required = [row[0] for row in given[len(wanted) :] if len(row) == 1 and row[0][0] != "*"]
    complaints += [f"needs {name} too" for name in required]
    here = {row[0] for row in (*given, *extra)}
    complaints += [f"lacks keyword {row[0]}" for row in theirs if row[0] not in here]
    return complaints


def split(rows: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return parameters by position, and keyword-only parameters."""
    names = [row[0] for row in rows]
    star = next((i for i, name in enumerate(names) if name[0] == "*"), len(rows))
    return rows[:star], [row for row in rows[star:] if row[0][0] != "*"]


def default(row: list[Any]) -> str:
    return f"{row[1]!r} by default" if len(row) > 1 else "required"


def complaints(name: str) -> list[str]:
    value = found(name)
    ours = parameters(value) if callable(value) else None
    if ours is None:
        return []
    return differences(PADDLES[name], ours, method=name.startswith("paddle.Tensor."))


SHARED = [name for name in PADDLES if found(name) is not None]


@each("name", SHARED)
def test_a_callable_has_paddles_arguments(name: str) -> None:
    told = complaints(name)
    if name in DIFFERENT:
        assert told, f"{name} is as in Paddle now: take it out of DIFFERENT"
    else:
        assert not told, f"{name}: {'; '.join(told)}"


@each(
    ("ours", "complaint"),
    [
        ([["x"], ["axis", None], ["name", None]], "lacks keyword out"),
        ([["x"], ["dim", None], ["name", None], ["*"], ["out", None]], "argument 2 is dim"),
        ([["x"], ["axis", 0], ["name", None], ["*"], ["out", None]], "axis is 0 by default"),
        ([["x"], ["axis", None], ["*"], ["out", None]], "lacks name"),
        ([["x"], ["axis"], ["name", None], ["*"], ["out", None]], "axis is required"),
        ([["x"], ["axis", None], ["name", None], ["y"], ["out", None]], "needs y too"),
    ],
)
def test_a_difference_is_noticed(ours: list[Any], complaint: str) -> None:
    paddles = [["x"], ["axis", None], ["name", None], ["*"], ["out", None]]
    assert complaint in "; ".join(differences(paddles, ours, method=False))
    assert differences(paddles, paddles, method=False) == []


def test_many_names_are_compared() -> None:
    told = [name for name in SHARED if parameters(found(name)) is not None]
    assert len(told) > 300
    assert inspect.isfunction(found("paddle.tanh"))
