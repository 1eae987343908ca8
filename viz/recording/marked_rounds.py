"""Rounds marked by hand: two events around each turn of a loop, and their listener."""

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
    """Event: a turn of a loop over `viz.rounds` begins, or ends."""

    loop: object
    begins: bool


class rounds(Generic[T]):
    """Mark the turns of a loop as rounds: `for x, y in viz.rounds(loader):`.

    Recordings find rounds by themselves; one in which a loop is marked has its turns instead, and
    no others, also where it is marked inside of a layer. Of loops in each other the innermost
    counts. Outside of a recording it is just the iterable, with its length.

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
        return len(self.iterable)  # type: ignore[arg-type]  # which says so itself


def check_iterable(thing: Any) -> None:
    """Raise an error for an object that `for` would refuse, without beginning to iterate."""
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
        self.open: list[tuple[object, RoundMark]] = []

    def begin(self, loop: object) -> None:
        """Begin a turn; the loop around it contains rounds, so its turns are none."""
        if self.open:
            self.rounds.remove([self.open[-1][1]])
        self.rounds.measures.begin()
        self.open.append((loop, self.rounds.begin("marked")))

    def end_turn(self, loop: object) -> None:
        """End a turn, and the turns of inner loops that an error has left."""
        while any(loop is each for each, _ in self.open):
            self.rounds.end(self.open.pop()[1])
        self.rounds.drop(sure=False)

    def finish(self) -> None:
        """End all turns, since the recording ends."""
        for _, mark in self.open:
            self.rounds.end(mark)
