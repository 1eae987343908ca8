"""Rounds of a recording: their marks, their losses and sizes, and which stay in the log."""

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

MOST_NUMBERS = 1000  # latest results that are stored, of which backward begins from one


class KeptRounds:
    """Marks of rounds; unwanted rounds, and rounds after the log is full, only have measures."""

    def __init__(
        self, recording: Recording, log: EventLog, wanted: Callable[[int], bool] | None
    ) -> None:
        self.marks, self.kept = recording.rounds, recording.log
        self.log, self.wanted = log, wanted
        self.measures = Measures(self.kept)  # measures of the current round
        self.unnamed: RoundMark | None = None  # a round whose `for` has not set its variables yet
        self.dropping = self.full = False  # whether logging has stopped for now, or for good

    def keeps(self, index: int) -> bool:
        """Return whether the events of a round stay in the log."""
        return self.wanted is None or self.wanted(index)

    def begin(self, kind: str, at: int | None = None, sure: bool = True) -> RoundMark:
        """Return the mark of a new round, which begins now or at a position in the log."""
        mark = self.unnamed = RoundMark(kind, len(self.kept) if at is None else at)
        self.drop(sure)
        self.marks.append(mark)
        return mark

    def end(self, mark: RoundMark) -> None:
        """End a round at the end of the log."""
        mark.last = len(self.kept)
        self.measures.end(mark)
        if self.unnamed is mark:
            self.unnamed = None

    def remove(self, gone: Collection[RoundMark | None]) -> None:
        """Remove the marks of iterations that turned out to be no rounds."""
        self.marks[:] = [mark for mark in self.marks if all(mark is not each for each in gone)]

    def drop(self, sure: bool) -> None:
        """Stop logging if the next round is surely unwanted, else continue."""
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
        """Let go of marks and log at the end, so that they live no longer than the trace."""
        self.marks, self.kept, self.measures = [], [], Measures([])


class Measures:
    """The loss of the current round, and the parameters that it has changed.

    The loss is the last number from which a backward began. `numbers` are results that are not in
    the log.
    """

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.loss: float | None = None
        self.numbers: dict[int, float] = {}  # grad node, or -call before there is one -> result
        self.changes: dict[int | str, Change] = {}

    def begin(self) -> None:
        """Begin a round, without earlier measures."""
        self.loss, self.changes = None, {}

    def end(self, mark: RoundMark) -> None:
        """Store the measures in the mark of the round, which ends, and begin anew."""
        mark.loss = self.loss if mark.kind != "evaluation" else None
        mark.changes = list(self.changes.values())
        self.begin()

    def backward_started(self, event: events.BackwardStarted) -> None:
        """Note the loss from which a backward begins, if that is a single number."""
        losses = [only_number(root.value) for root in event.roots]
        losses += [self.loss_at(edge.id) for edge in event.edges if edge.kind == "node"]
        self.loss = next((loss for loss in reversed(losses) if loss is not None), self.loss)

    def returned(self, call: int, outputs: Any) -> None:
        """Note the result of a call, for the grad node that follows."""
        if len(outputs) == 1 and isinstance(outputs[0], Seen):
            self.may_be_loss(-call, outputs[0].value)

    def node_made(self, event: events.GradNodeMade) -> None:
        """Assign the result of a call to the call's grad node."""
        if -event.call in self.numbers:
            self.numbers[event.node] = self.numbers.pop(-event.call)

    def may_be_loss(self, number: int, value: Any) -> None:
        """Store a result that is not in the log, if it is a number, as a possible loss."""
        found = only_number(value)
        if found is not None:
            self.numbers[number] = found
            if len(self.numbers) > MOST_NUMBERS:
                del self.numbers[next(iter(self.numbers))]

    def loss_at(self, node: int) -> float | None:
        """Return the result of a grad node's call if that is a single number, else None."""
        if node in self.numbers:
            return self.numbers[node]
        for note in reversed(self.log):
            if note.__class__ is tuple and note[0] is notes.op_finished and note[3] == node:
                outputs = note[6 + 2 * note[5] :]
                return number_in(outputs[0][2]) if is_one(outputs) else None
        return None

    def note_updates(self, first: int) -> None:
        """Note the parameters that are updated in the log from position `first` on."""
        for note in self.log[first:]:
            if note.__class__ is tuple and note[0] is notes.parameter_updated:
                number, _, after, *_ = note[9]
                self.changes[number] = number, after, note[2]

    def updated(self, parameter: int | str, value: Any, grad: Any) -> None:
        """Note the sizes of a changed parameter, without references to its arrays."""
        self.changes[parameter] = parameter, size_of(value), size_of(grad)


def is_one(outputs: Any) -> bool:
    """Return whether a note's cells hold exactly one tensor."""
    return len(outputs) == 1 and outputs[0].__class__ is tuple


def only_number(value: Value) -> float | None:
    """Return the only element of a floating value, or None if it has not exactly one."""
    data = value.data
    if getattr(data, "size", 0) != 1 or data.dtype.kind != "f":
        return None
    return float(host(data).reshape(()))


def number_in(cell: Any) -> float | None:
    """Return the only floating number in a note's cell (bytes, array or Value), or None."""
    if cell.__class__ is tuple and cell[1].kind == "f":
        _, dtype, content = cell
        return float(np.frombuffer(content, dtype)[0]) if len(content) == dtype.itemsize else None
    return only_number(notes.value(cell))
