"""Rounds that users mark: two events around each iteration of a loop, and their listener."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from minipaddle import events
from minipaddle.engine.errors import InvalidType
from minipaddle.events.event_types import Event

from ..document.rounds import RoundMark
from .kept_rounds import KeptRounds

T = TypeVar("T")


@dataclass(slots=True)
class MarkedTurn(Event):
    """Event: an iteration of a loop over `viz.rounds` begins, or ends."""

    loop: object
    begins: bool


class rounds(Generic[T]):
    """Mark the turns of a loop as rounds: `for x, y in viz.rounds(loader):`.

    Without marks the iterations of training loops are rounds; if a loop is marked, even inside a
    layer, only its turns are rounds. Of nested marked loops the innermost counts. Outside of a
    recording the loop just iterates. len() is that of the iterable.

    Errors: TypeError for what one cannot iterate over; those of the iterable go on.

    >>> import minipaddle as paddle, viz
    >>> with viz.record() as trace:
    ...     for x in viz.rounds([1.0, 2.0]):
    ...         y = paddle.to_tensor(x) ** 2
    >>> len(viz.rounds([1.0, 2.0]))
    2
    """

    def __init__(self, iterable: Iterable[T]) -> None:
        check_iterable(iterable)
        self.iterable = iterable

    def __iter__(self) -> Iterator[T]:
        loop = object()
        for item in self.iterable:
            events.emit(MarkedTurn(loop, begins=True))
            try:
                yield item
            finally:
                events.emit(MarkedTurn(loop, begins=False))

    def __len__(self) -> int:
        return len(self.iterable)  # type: ignore[arg-type]


def check_iterable(thing: Any) -> None:
    """Raise InvalidType for an object that is not iterable, without beginning to iterate."""
    if isinstance(thing, Iterable) or hasattr(type(thing), "__getitem__"):
        return
    whole = isinstance(thing, int)
    raise InvalidType(
        "viz.rounds() marks the turns of a loop.",
        expected="what one can iterate over: a DataLoader, a list, range(10)",
        received=f"{type(thing).__name__} {thing!r:.40}",
        fix=f"write for step in viz.rounds(range({thing}))"
        if whole
        else "write for x, y in viz.rounds(loader)",
    )


class MarkedLoops:
    """Marked loops that are running while a block is recorded."""

    def __init__(self, rounds: KeptRounds) -> None:
        self.rounds = rounds
        self.exist = False  # whether there were any
        self.open: list[tuple[object, RoundMark, int]] = []  # loop, its turn, the rounds before

    def begin(self, loop: object) -> RoundMark:
        """Begin an iteration."""
        mark = self.rounds.begin("marked", sure=True)
        self.open.append((loop, mark, self.rounds.count))
        return mark

    def end(self, loop: object) -> None:
        """End an iteration of a loop, and iterations of inner loops that an error has left.

        An iteration is a round unless there were rounds in it.
        """
        while any(loop is each for each, *_ in self.open):
            _, mark, before = self.open.pop()
            if self.rounds.count == before:
                self.rounds.end(mark)
                if self.rounds.latest:
                    _, count = self.rounds.settle()
                    for _, outer, _ in self.open:
                        outer.first = max(0, outer.first - count)
        self.rounds.drop(sure=False)

    def finish(self) -> None:
        """End all iterations at the end of the recording."""
        if self.open:
            self.end(self.open[0][0])
