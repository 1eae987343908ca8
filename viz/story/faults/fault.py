"""What there is to see of an error: its message in parts, the shapes that met, tried repairs."""

from __future__ import annotations

from collections.abc import Iterator

from minipaddle.engine.errors import parts
from minipaddle.messages import Message, Text

from ...model import Fault
from ..sentences.wording import shape
from .given import FailedCall
from .misfit import rows_of
from .repairs import Repair, repairs_of

# How the parts of a message are called here, in the order in which they are read.
PARTS = {"expected": "expected", "received": "received", "to do": "todo"}
GIVES = Message("{code} gives {shape}")


def fault_of(message: Message, call: FailedCall | None = None) -> Fault:
    """The fault of a message, and of the call that could not run, if it was one."""
    told = [*told_by(message)]
    if call is None:
        return Fault((), tuple(told))
    told += [("tried", said(repair)) for repair in repairs_of(call)]
    return Fault(rows_of(call), tuple(told))


def told_by(message: Message) -> Iterator[tuple[str, Message]]:
    """What a message of minipaddle says after its sentence."""
    english, chinese = parts(message.en), parts(message.zh)
    for label, kind in PARTS.items():
        if label in english:
            yield kind, Text(english[label], chinese.get(label, english[label]))


def said(repair: Repair) -> Message:
    """`h @ w.t() gives [4, 2]`: it ran, and nothing more is said."""
    return GIVES.fill(code=repair.code, shape=shape(repair.shape))
