"""Work that is reported to listeners as one op, whatever ops it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .. import events
from . import modes, naming
from .tensor import Tensor, cells_of_tensors

T = TypeVar("T")


def report_as_one_op(
    name: str, work: Callable[[], T], parts_of: Callable[[T], dict[str, Tensor]], **attrs: Any
) -> T:
    """Do some work and return its result; report an op that makes the tensors in the result.

    `parts_of` finds these tensors, by the text that reaches each from the result: `[0]`,
    `['label']`. Nothing is reported if there is none.
    """
    if not events.heard() or modes.is_static():
        return work()
    try:
        with modes.override(listeners=(), note_taker=None, hearing=0):
            result = work()
    except Exception as error:
        started = note_of_start(name, attrs)
        events.note_taker().begin(started)
        events.failed("op", started[1], error, started[4])
        raise
    if made := parts_of(result):
        taker, started = events.note_taker(), note_of_start(name, {"parts": list(made), **attrs})
        taker.begin(started)
        cells = cells_of_tensors(made.values(), taker.keep, taker.series)
        taker.take((events.notes.op_finished, started, (), 0, "", 0, *cells))
    return result


def note_of_start(name: str, attrs: dict[str, Any]) -> tuple[Any, ...]:
    """Return the note that an op without inputs begins here."""
    call = naming.next_id()
    return events.notes.op_started, call, name, attrs, events.note_taker().here(call)
