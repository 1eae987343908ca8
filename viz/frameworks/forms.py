"""A framework's functions in terms of minipaddle's op records: what all frameworks share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from minipaddle.ops.program_ops import find_op

from .things import among

PLAIN = (bool, int, float, str, type(None))


@dataclass(slots=True)
class Form:
    """An op in events: its name, its tensors in the record's order, and its attributes."""

    op: str
    inputs: list[Any]
    attrs: dict[str, Any] = field(default_factory=dict)


class Unlike(Exception):
    """A call to which the record of its function does not apply."""


def check(fits: bool) -> None:
    """Raise Unlike if a call is not that of the record."""
    if not fits:
        raise Unlike


def is_odd(thing: Any) -> bool:
    """Return whether a thing is no tensor where a record has one."""
    if isinstance(thing, (list, tuple)):
        return any(map(is_odd, thing))
    return isinstance(thing, PLAIN) and thing is not None


def is_number(thing: Any) -> bool:
    return isinstance(thing, (int, float)) and not isinstance(thing, bool)


def unknown(framework: str, name: str, args: Any, kwargs: Any, tensor: type) -> Form:
    """Return a call as an op that has no record, with its tensors and its plain arguments."""
    attrs = {key: value for key, value in kwargs.items() if isinstance(value, PLAIN)}
    op = f"{framework}.{name}" if find_op(name) else name
    return Form(op, among((args, kwargs), tensor), attrs)
