"""What there is to see of an error: its message in parts, the shapes that met, tried repairs."""

from __future__ import annotations

from collections.abc import Iterable

from minipaddle.events.event_types import ErrorPart
from minipaddle.messages import Message, Text

from ...model import Fault
from ..sentences.wording import shape
from .given import FailedCall
from .misfit import rows_of
from .repairs import Repair, repairs_of

# What the parts of a message are called here; the sentence itself stands elsewhere.
KINDS = {"expected": "expected", "received": "received", "fix": "todo"}
GIVES = Message("{code} gives {shape}")


def fault_of(parts: Iterable[ErrorPart], call: FailedCall | None = None) -> Fault:
    """The fault of a message, and of the call that could not run, if it was one."""
    told: list[tuple[str, Message]] = [
        (KINDS[part.name], Text(part.text, part.text_zh or part.text))
        for part in parts
        if part.name in KINDS
    ]
    if call is None:
        return Fault((), tuple(told))
    told += [("tried", said(repair)) for repair in repairs_of(call)]
    return Fault(rows_of(call), tuple(told))


def said(repair: Repair) -> Message:
    """`h @ w.t() gives [4, 2]`: it ran, and nothing more is said."""
    return GIVES.fill(code=repair.code, shape=shape(repair.shape))
