"""Shapes that broadcasting made fit, and that were hardly meant to: [n, 1] with [n]."""

from __future__ import annotations

import math
from collections.abc import Iterator

from minipaddle.events import Seen
from minipaddle.messages import Message, Text

from ...model import Problem
from .reading import Call, Reading

PAIRWISE = frozenset({"add", "subtract", "multiply", "divide", "maximum", "minimum"})
WHOLE = frozenset({"mean", "sum"})

CROSSED = Message(
    "{one} {left} and {other} {right} were broadcast to {out}, and {reduce} takes all {count} "
    "numbers: each of the {n} rows was paired with all {n} numbers, not with its own."
)
SAME_SHAPE = Message(
    "Give both one shape: {column}.squeeze(1), or {row}.unsqueeze(1). If all "
    "pairs are meant, write {row}.unsqueeze(0)."
)


def find_crossed_shapes(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first column and row that were broadcast and reduced to one number.

    Exactly one of both wants a gradient: one is a prediction, the other a target.
    """
    for call in reading.calls:
        pair = column_and_row(call)
        if pair is None:
            continue
        reduced = reducing_op(call, reading.readers)
        if reduced is None:
            continue
        one, other = call.inputs
        pairs = zip((one.id, other.id), reading.called(call.at), strict=False)
        names = {number: Text(name) for number, name in pairs}
        out, n = list(call.event.outputs[0].value.shape), pair[1].value.shape[0]
        column, row = (names[x.id] for x in pair)
        text = CROSSED.fill(
            one=names[one.id], other=names[other.id], reduce=reduced,
            left=str(list(one.value.shape)), right=str(list(other.value.shape)),
            out=str(out), count=str(n * n), n=str(n),
        )  # fmt: skip
        yield reading.problem("broadcast", call.at, text, SAME_SHAPE.fill(column=column, row=row))
        return


def column_and_row(call: Call) -> tuple[Seen, Seen] | None:
    """Return the inputs [n, 1] and [n] of a pairwise op if exactly one of them wants a gradient."""
    if call.event.op not in PAIRWISE or len(call.inputs) != 2:
        return None
    one, other = call.inputs
    if one.stop_gradient == other.stop_gradient:
        return None
    column, row = (one, other) if len(one.value.shape) == 2 else (other, one)
    n = math.prod(row.value.shape)
    fits = tuple(column.value.shape) == (n, 1) and tuple(row.value.shape) == (n,) and n > 1
    return (column, row) if fits else None


def reducing_op(call: Call, readers: dict[int, list[Call]]) -> str | None:
    """Return the op that reduces the result of a call to one number, or None if there is none.

    Elementwise ops may lie between the two.
    """
    todo, shape = [call.event.outputs[0].id], tuple(call.event.outputs[0].value.shape)
    known = set(todo)
    for number in todo:
        for reader in readers.get(number, ()):
            (out, *_rest) = reader.event.outputs
            if reader.event.op in WHOLE and math.prod(out.value.shape) == 1:
                return reader.event.op
            if tuple(out.value.shape) == shape and out.id not in known:
                known.add(out.id)
                todo.append(out.id)
    return None
