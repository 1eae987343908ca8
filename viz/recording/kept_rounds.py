"""The rounds of a recording, and which of them stay in its log."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..document.document import Recording
from ..document.rounds import RoundMark
from .event_log import EventLog
from .loop_names import Naming
from .measures import Measures
from .turns import Around


class KeptRounds:
    """The marks of rounds; of those that nobody wants, and of all once the log is full, only the
    loss and the sizes stay.
    """

    def __init__(self, recording: Recording, log: EventLog, wanted: Callable[[int], bool]) -> None:
        self.marks, self.kept = recording.rounds, recording.log
        self.log, self.wanted = log, wanted
        self.measures = Measures(self.kept)  # of the round under way
        self.naming = Naming()
        self.dropping = self.full = False  # nothing that happens is logged

    def begin(
        self, kind: str, at: int | None = None, loop: Around | None = None, sure: bool = True
    ) -> RoundMark:
        """A round begins, here or from a position in the log on."""
        mark = RoundMark(kind, len(self.kept) if at is None else at)
        self.marks.append(mark)
        self.naming.begin(mark, loop)
        self.drop(sure and not self.wanted(len(self.marks) - 1))
        return mark

    def end(self, mark: RoundMark) -> None:
        """A round ends here."""
        mark.last = len(self.kept)
        self.measures.end(mark)
        self.naming.end(mark)

    def remove(self, gone: Collection[RoundMark]) -> None:
        """These have proved to be no rounds."""
        self.marks[:] = [mark for mark in self.marks if all(mark is not each for each in gone)]

    def drop(self, dropping: bool) -> None:
        """Whether what happens from now on is dropped."""
        self.dropping = dropping or self.full

    def fill(self) -> None:
        """Nothing more is logged."""
        self.full = True
        self.drop(True)

    def forget(self, index: int, cost: int) -> tuple[int, int]:
        """Take the events of a round out of the log; which they were."""
        mark = self.marks[index]
        first, last = mark.first, mark.last or 0
        mark.measure()
        self.log.forget(first, last, cost)
        mark.last = first
        for later in self.marks[index + 1 :]:
            later.first -= last - first
            later.last = None if later.last is None else later.last - (last - first)
        return first, last

    def let_go(self) -> None:
        """The recording is over; nothing of it lives longer than its trace."""
        self.marks, self.kept, self.measures = [], [], Measures([])
