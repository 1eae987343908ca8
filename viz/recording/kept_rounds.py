"""Rounds of a recording: those that stay in its log, and measures of the others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.events import Seen, Value, notes

from ..document.document import Recording
from ..document.rounds import Change, RoundMark, size_of
from ..document.values import host
from .event_log import EventLog

MOST_NUMBERS = 1000  # a pass begins from one of the last


class KeptRounds:
    """Marks of rounds; of unwanted rounds, and of all after the log is full, only the loss and the
    sizes stay.
    """

    def __init__(
        self, recording: Recording, log: EventLog, wanted: Callable[[int], bool] | None
    ) -> None:
        self.marks, self.kept = recording.rounds, recording.log
        self.log, self.wanted = log, wanted
        self.measures = Measures(self.kept)  # of the round under way
        self.unnamed: RoundMark | None = None  # a round whose `for` has not set its variables yet
        self.dropping = self.full = False  # whether logging has stopped, for now or for good

    def keeps(self, index: int) -> bool:
        """Return whether the events of a round stay in the log."""
        return self.wanted is None or self.wanted(index)

    def begin(self, kind: str, at: int | None = None, sure: bool = True) -> RoundMark:
        """Begin a round, here or at a position in the log."""
        mark = self.unnamed = RoundMark(kind, len(self.kept) if at is None else at)
        self.drop(sure)
        self.marks.append(mark)
        return mark

    def end(self, mark: RoundMark) -> None:
        """End a round here."""
        mark.last = len(self.kept)
        self.measures.end(mark)
        if self.unnamed is mark:
            self.unnamed = None

    def remove(self, gone: Collection[RoundMark | None]) -> None:
        """Remove the marks of turns that are no rounds."""
        self.marks[:] = [mark for mark in self.marks if all(mark is not each for each in gone)]

    def drop(self, sure: bool) -> None:
        """Stop logging if the next round is surely unwanted; else go on."""
        self.dropping = self.full or (sure and not self.keeps(len(self.marks)))

    def fill(self) -> None:
        """Stop logging for good."""
        self.full = self.dropping = True

    def forget(self, index: int, cost: int) -> tuple[int, int]:
        """Remove the events of a round from the log; return its position and their number."""
        mark = self.marks[index]
        first, last = mark.first, mark.last or 0
        mark.measure()
        if first < last:
            self.log.forget(first, last, cost)
        mark.last = first
        for later in self.marks[index + 1 :]:
            later.first -= last - first
            later.last = None if later.last is None else later.last - (last - first)
        return first, last - first

    def let_go(self) -> None:
        """Free everything at the end of the recording, so that it lives no longer than
        its trace.
        """
        self.marks, self.kept, self.measures = [], [], Measures([])


class Measures:
    """The loss of the current round, and the parameters that it has changed.

    The loss is the last number from which a backward began. `numbers` are those of rounds that are
    not kept; others are found in the log.
    """

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.loss: float | None = None
        self.numbers: dict[int, float] = {}  # by node, and by -call before there is one
        self.changes: dict[int | str, Change] = {}

    def begin(self) -> None:
        """Begin a round: earlier measures do not belong to it."""
        self.loss, self.changes = None, {}

    def end(self, mark: RoundMark) -> None:
        """Store the measures in the mark of the round that ends."""
        mark.loss = self.loss if mark.kind != "evaluation" else None
        mark.changes = list(self.changes.values())
        self.begin()

    def backward_started(self, event: events.BackwardStarted) -> None:
        """Note the loss from which a pass begins."""
        losses = [only_number(root.value) for root in event.roots]
        losses += [self.loss_at(edge.id) for edge in event.edges if edge.kind == "node"]
        self.loss = next((loss for loss in reversed(losses) if loss is not None), self.loss)

    def returned(self, call: int, outputs: Any) -> None:
        """Note the result of a call, whose node follows."""
        if len(outputs) == 1 and isinstance(outputs[0], Seen):
            self.may_be_loss(-call, outputs[0].value)

    def node_made(self, event: events.GradNodeMade) -> None:
        """Note the node of a call."""
        if -event.call in self.numbers:
            self.numbers[event.node] = self.numbers.pop(-event.call)

    def may_be_loss(self, number: int, value: Any) -> None:
        """Note a number that is not in the log, since a pass may begin from it."""
        found = only_number(value)
        if found is not None:
            self.numbers[number] = found
            if len(self.numbers) > MOST_NUMBERS:
                del self.numbers[next(iter(self.numbers))]

    def loss_at(self, node: int) -> float | None:
        """Return the only number that the call of a node gave."""
        if node in self.numbers:
            return self.numbers[node]
        for note in reversed(self.log):
            if note.__class__ is tuple and note[0] is notes.op_finished and note[3] == node:
                outputs = note[6 + 2 * note[5] :]
                return number_in(outputs[0][2]) if is_one(outputs) else None
        return None

    def note_updates(self, first: int) -> None:
        """Note the updates in an optimizer's step, which began at this position in the log."""
        for note in self.log[first:]:
            if note.__class__ is tuple and note[0] is notes.parameter_updated:
                number, _, after, *_ = note[9]
                self.changes[number] = number, after, note[2]

    def updated(self, parameter: int | str, value: Any, grad: Any) -> None:
        """Note the sizes of a changed parameter, whose arrays will not stay."""
        self.changes[parameter] = parameter, size_of(value), size_of(grad)


def is_one(outputs: Any) -> bool:
    """Return whether cells of a note hold one tensor and nothing else."""
    return len(outputs) == 1 and outputs[0].__class__ is tuple


def only_number(value: Value) -> float | None:
    """Return the element of a floating value that has only one."""
    data = value.data
    if getattr(data, "size", 0) != 1 or data.dtype.kind != "f":
        return None
    return float(host(data).reshape(()))


def number_in(cell: Any) -> float | None:
    """Return the only floating number in a cell of a note, usually the bytes of a small array."""
    if cell.__class__ is tuple and cell[1].kind == "f":
        _, dtype, content = cell
        return float(np.frombuffer(content, dtype)[0]) if len(content) == dtype.itemsize else None
    return only_number(notes.value(cell))
