"""What stays of every round, also of one that is not kept: its loss, and sizes of parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.events import Seen, Value, notes

from ..document.rounds import Change, RoundMark, size_of
from ..document.values import host

MOST_NUMBERS = 1000  # a pass begins from one of the last


class Measures:
    """The loss of the round under way, and the parameters that it has changed.

    The loss is the last number that a backward began from. `numbers` are those of rounds that
    are not kept; others are looked up in the log.
    """

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.loss: float | None = None
        self.numbers: dict[int, float] = {}  # by node, and by -call before there is one
        self.changes: dict[int | str, Change] = {}

    def begin(self) -> None:
        """Nothing that was before belongs to the round."""
        self.loss, self.changes = None, {}

    def end(self, mark: RoundMark) -> None:
        """All that was measured belongs to this round, which is over."""
        mark.loss = self.loss if mark.kind != "evaluation" else None
        mark.changes = list(self.changes.values())
        self.begin()
        self.numbers.clear()

    def backward_started(self, event: events.BackwardStarted) -> None:
        """A pass begins."""
        losses = [only_number(root.value) for root in event.roots]
        losses += [self.loss_at(edge.id) for edge in event.edges if edge.kind == "node"]
        self.loss = next((loss for loss in reversed(losses) if loss is not None), self.loss)

    def returned(self, call: int, outputs: Any) -> None:
        """Notice the result of a call, whose node follows."""
        if len(outputs) == 1 and isinstance(outputs[0], Seen):
            self.may_be_loss(-call, outputs[0].value)

    def node_made(self, event: events.GradNodeMade) -> None:
        """The node of a call."""
        if -event.call in self.numbers:
            self.numbers[event.node] = self.numbers.pop(-event.call)

    def may_be_loss(self, number: int, value: Any) -> None:
        """A pass may begin from here: only a number that is not in the log has to be kept."""
        found = only_number(value)
        if found is not None:
            self.numbers[number] = found
            if len(self.numbers) > MOST_NUMBERS:
                del self.numbers[next(iter(self.numbers))]

    def loss_at(self, node: int) -> float | None:
        """The one number that the call of a node gave."""
        if node in self.numbers:
            return self.numbers[node]
        for note in reversed(self.log):
            if note.__class__ is tuple and note[0] is notes.op_finished and note[3] == node:
                outputs = note[6 + 2 * note[5] :]
                return number_in(outputs[0][2]) if is_one(outputs) else None
        return None

    def logged(self, first: int) -> None:
        """The step of an optimizer is over that began here in the log."""
        for note in self.log[first:]:
            if note.__class__ is tuple and note[0] is notes.parameter_updated:
                number, _, after, *_ = note[9]
                self.changes[number] = number, after, note[2]

    def updated(self, parameter: int | str, value: Any, grad: Any) -> None:
        """A parameter has changed, and its arrays will not stay."""
        self.changes[parameter] = parameter, size_of(value), size_of(grad)


def is_one(outputs: Any) -> bool:
    """Whether cells of a note tell of one tensor and nothing else."""
    return len(outputs) == 1 and outputs[0].__class__ is tuple


def only_number(value: Value) -> float | None:
    """The element of a floating value that has only one."""
    data = value.data
    if getattr(data, "size", 0) != 1 or data.dtype.kind != "f":
        return None
    return float(host(data).reshape(()))


def number_in(cell: Any) -> float | None:
    """Return the one floating number in a cell of a note, usually the bytes of a small array."""
    if cell.__class__ is tuple and cell[1].kind == "f":
        _, dtype, content = cell
        return float(np.frombuffer(content, dtype)[0]) if len(content) == dtype.itemsize else None
    return only_number(notes.value(cell))
