"""The rounds of a recording, and which of them stay in its log."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..document.document import Recording
from ..document.rounds import RoundMark
from .event_log import EventLog
from .measures import Measures


class KeptRounds:
    """The marks of rounds; of those that nobody wants, and of all once the log is full, only the
    loss and the sizes stay.
    """

    def __init__(
        self, recording: Recording, log: EventLog, wanted: Callable[[int], bool] | None
    ) -> None:
        self.marks, self.kept = recording.rounds, recording.log
        self.log, self.wanted = log, wanted
        self.measures = Measures(self.kept)  # of the round under way
        self.unnamed: RoundMark | None = None  # a `for` has not set its variables so far
        self.dropping = self.full = False  # nothing that happens is logged

    @property
    def chooses(self) -> bool:
        """Whether some rounds are not wanted."""
        return self.wanted is not None

    def keeps(self, index: int) -> bool:
        """Whether the events of a round stay in the log."""
        return self.wanted is None or self.wanted(index)

    def begin(self, kind: str, at: int | None = None, sure: bool = True) -> RoundMark:
        """Begin a round, here or from a position in the log on."""
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
        """Remove marks that have proved to be of no rounds."""
        self.marks[:] = [mark for mark in self.marks if all(mark is not each for each in gone)]

    def drop(self, sure: bool) -> None:
        """Log nothing from now on if it is sure to belong to a next round that nobody wants."""
        self.dropping = self.full or (sure and not self.keeps(len(self.marks)))

    def fill(self) -> None:
        """Log nothing more."""
        self.full = self.dropping = True

    def forget(self, index: int, cost: int) -> tuple[int, int]:
        """Take the events of a round out of the log; return where they began, and their number."""
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
        """Let go of all when the recording is over, so that it lives no longer than its trace."""
        self.marks, self.kept, self.measures = [], [], Measures([])
