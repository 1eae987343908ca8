"""Rounds of a recording: their marks, their losses and sizes, and which stay in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..document.document import Recording
from ..document.rounds import Change, RoundMark, measure
from ..document.values import host
from .event_log import EventLog, ignore

LOSSES = 100  # of so many rounds at the end the losses are kept, where only the last are wanted


class KeptRounds:
    """Marks of rounds; unwanted rounds, and rounds after the log is full, only have measures.

    `loss` is the last number from which a backward of the current round began, `changes` are the
    parameters that it has changed. If only the `latest` rounds are wanted, all before them is
    removed, and `removed` counts the rounds of which not even the marks are left. `held` returns
    the variables that hold tensors now; `ended` is called with each round that ends.
    """

    def __init__(
        self,
        recording: Recording,
        log: EventLog,
        wanted: Callable[[int], bool] | None,
        latest: int | None = None,
    ) -> None:
        self.latest, self.removed = latest, 0
        self.ended: Callable[[RoundMark], None] = ignore
        self.held: Callable[[], dict[int, str]] = dict
        self.marks, self.kept = recording.rounds, recording.log
        self.log, self.wanted = log, wanted
        self.dropping = self.full = False  # whether logging has stopped for now, or for good
        self.loss: float | None = None
        self.changes: dict[int | str, Change] = {}

    @property
    def count(self) -> int:
        """Number of rounds that have ended."""
        return self.removed + len(self.marks)

    def start(self, kind: str = "training") -> RoundMark:
        """Return the mark of a round that begins now; it is listed when it ends."""
        return RoundMark(kind, len(self.kept), copied=self.log.bytes)

    def begin(self, kind: str, sure: bool) -> RoundMark:
        """Begin a round that is found otherwise than by a search, without earlier measures."""
        self.drop(sure)
        self.loss, self.changes = None, {}
        return self.start(kind)

    def note_update(self, parameter: int | str, value: Any, grad: Any) -> None:
        """Note the sizes of a changed parameter, without references to its arrays."""
        self.changes[parameter] = measure((parameter, value, grad))

    def end(self, mark: RoundMark) -> None:
        """List a round that ends now, with its measures."""
        mark.last, mark.copied = len(self.kept), self.log.bytes - mark.copied
        mark.loss, mark.changes = self.loss, [*self.changes.values()]
        self.loss, self.changes = None, {}
        if mark.first < mark.last:
            mark.held = self.held()
        self.marks.append(mark)
        self.ended(mark)

    def take_back(self) -> RoundMark:
        """Remove the last round, of which no step is a part, from the list; keep its loss."""
        mark = self.marks.pop()
        self.loss = mark.loss if self.loss is None else self.loss
        return mark

    def drop(self, sure: bool) -> None:
        """Stop logging if the next round is surely unwanted, else continue."""
        self.dropping = self.full or (sure and not self.keeps(len(self.marks)))

    def keeps(self, index: int) -> bool:
        """Return whether the events of a round stay in the log."""
        return self.wanted is None or self.wanted(index)

    def settle(self, index: int = -1) -> tuple[int, int]:
        """Remove an unwanted round's events from the log; return their position and number."""
        index %= len(self.marks)
        if self.latest:
            return self.forget(index - self.latest)
        mark = self.marks[index]
        count = 0 if self.keeps(index) else mark.last - mark.first
        if count:
            self.log.forget(mark.first, mark.last, mark.copied)
            mark.last, mark.changes = mark.first, [*map(measure, mark.changes)]
            mark.held = {}
            for later in self.marks[index + 1 :]:
                later.first -= count
                later.last -= count
        return mark.first, count

    def forget(self, index: int) -> tuple[int, int]:
        """Remove the events up to the end of a round; return their position and number."""
        if index < 0 or not (count := self.marks[index].last):
            return 0, 0
        kept = self.marks[index + 1 :]
        self.log.forget(0, count, self.log.bytes - sum(mark.copied for mark in kept))
        for mark in self.marks[: index + 1]:
            mark.first, mark.last, mark.changes, mark.held = 0, 0, [], {}
        for mark in kept:
            mark.first, mark.last = max(0, mark.first - count), mark.last - count
        over = max(0, index + 1 - LOSSES)
        self.removed += over
        del self.marks[:over]
        return 0, count

    def let_go(self) -> None:
        """Let go of marks, log and frame at the end: they live no longer than the trace."""
        self.marks, self.kept, self.held = [], [], dict


def only_number(value: Any) -> float | None:
    """Return the only element of a floating value, or None if it has not exactly one."""
    data = value.data
    if getattr(data, "size", 0) != 1 or data.dtype.kind != "f":
        return None
    return float(host(data).reshape(()))
