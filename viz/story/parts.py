"""The inside of an operator that runs Programs of its own, such as cond and while.

A branch is drawn with its operator; the turns of a loop are drawn as they run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from minipaddle import events

BRANCHES = ("true_fn", "false_fn")
TEST, BODY = "cond", "body"  # what a loop runs in each turn


@dataclass(slots=True)
class Parts:
    """All parts of a recording: by their operators, and the operators of each."""

    of: dict[tuple[int, int], dict[int, events.PartAppended]] = field(default_factory=dict)
    operators: dict[int, dict[int, events.OperatorAppended]] = field(default_factory=dict)


def parts_of(records: Sequence[object]) -> Parts:
    """Return the parts of a recording."""
    parts = Parts()
    for event in records:
        if isinstance(event, events.PartAppended):
            parts.of.setdefault((event.program, event.index), {})[event.part] = event
            parts.operators.setdefault(event.part, {})
    for event in records:
        if isinstance(event, events.OperatorAppended) and event.program in parts.operators:
            parts.operators[event.program].setdefault(event.index, event)
    return parts
