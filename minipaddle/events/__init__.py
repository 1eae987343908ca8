"""Events that the engine emits while it runs, and the bus that carries them.

Events say nothing about how to draw what happened. An event's arrays are the engine's own: a
listener copies what it wants to keep before it returns, because buffers are reused.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine import modes, naming, source_line
from ..engine.errors import MinipaddleError, message_of
from ..engine.guard import Guard
from ..engine.source_line import SourceLine

if TYPE_CHECKING:
    from . import notes as notes  # loaded by the first block that listens
    from .event_types import *  # noqa: F403

_modes_here = modes.here


def __getattr__(name: str) -> Any:
    """Return a kind of event, `events.OpStarted`, kept here for the next time.

    Loaded when first asked for: few programs are listened to, and to make the classes takes a
    tenth of the time of importing NumPy.
    """
    kind = getattr(importlib.import_module(".event_types", __name__), name)
    globals()[name] = kind
    return kind


# ----- listening ---------------------------------------------------------------------------------


class listen(Guard):
    """Call `listener(event)` for everything that happens in this thread inside the block."""

    def __init__(self, listener: Callable[[Any], None]) -> None:
        super().__init__()
        self.listener = listener

    def _save(self) -> int:
        return modes.here().hearing

    def _change(self, _hearing: int) -> None:
        _listen_with((*modes.here().listeners, self.listener), hearing=naming.next_id())

    def _restore(self, hearing: int, _error: BaseException | None) -> None:
        _listen_with(_others(self.listener), hearing=hearing)


def unlisten(listener: Callable[[Any], None]) -> None:
    """Hear no more, although the block has not ended: what follows runs as if nobody listened."""
    _listen_with(_others(listener))


def _others(listener: Callable[[Any], None]) -> tuple[Callable[[Any], None], ...]:
    """Return all listeners of this context but one: recordings that take turns end in any order."""
    return tuple(one for one in modes.here().listeners if one is not listener)


def _listen_with(listeners: tuple[Callable[[Any], None], ...], **changes: Any) -> None:
    """From now on these are the listeners of this context."""
    modes.change(listeners=listeners, note_taker=_note_taker_of(listeners), **changes)


class NoteTaker:
    """Where the engine's notes go; `events.notes` says what a note is.

    `here(number, doing)` is asked before the note of an op, or of a "layer", is written: it
    gives the place in the user's code. `begin` takes a note with which an op call or the visit to
    a node begins, `enter` and `leave` those of a layer, `take` any other, and `keep(array, number)`
    gives what stands in a note for the array of the tensor with this number, or of none (0). Notes
    taken under one `series`, a number, may share what they tell of a tensor; under 0 none do.
    """

    __slots__ = ("begin", "enter", "here", "keep", "leave", "series", "take")

    def __init__(self, begin: Callable[..., None], take: Callable[..., None], keep: Any) -> None:
        self.begin, self.take, self.keep = begin, take, keep
        self.enter = self.leave = take
        self.here: Callable[..., SourceLine | None] = source_line.here
        self.series = 0

    def stop(self) -> None:
        """Take no more, although a step may still be under way."""
        self.begin = self.take = self.enter = self.leave = self.keep = lambda *_: None
        self.series = 0
        self.here = source_line.here


def new_series() -> int:
    """Return a number for notes that share nothing with those before them."""
    return naming.next_id()


def _note_taker_of(listeners: tuple[Any, ...]) -> NoteTaker | None:
    """Return the only listener's note taker, if it has one; else one that makes events at once."""
    if not listeners:
        return None
    only = listeners[0] if len(listeners) == 1 else None
    taker = getattr(only, "note_taker", None)
    if taker is not None:
        return taker  # type: ignore[no-any-return]
    from .notes import live

    hear = only or emit

    def hear_events(note: tuple[Any, ...]) -> None:
        for event in note[0](*note[1:]):
            hear(event)

    return NoteTaker(hear_events, hear_events, live)


# ----- one of many processes ---------------------------------------------------------------------


_among: tuple[int, int] | None = None


def stand_among(place: tuple[int, int] | None) -> None:
    """Note this process's rank and how many compute together; recordings say so."""
    global _among
    _among = place


def among() -> tuple[int, int] | None:
    """Return the rank of this process and how many there are; None while it is alone."""
    return _among


# ----- telling -----------------------------------------------------------------------------------


def heard() -> bool:
    """Return whether anybody listens in this context; ask before building a costly event."""
    return bool(modes.here().listeners)


def emit(event: Any) -> None:
    """Hand an event to every listener of this context."""
    for listener in _modes_here().listeners:
        listener(event)


def note_taker() -> NoteTaker:
    """Return where notes go in this context, while somebody listens."""
    return _modes_here().note_taker  # type: ignore[no-any-return]


def number_of(tensor: Any) -> int:
    """Return the id that events gave this tensor; 0 if no event has shown it."""
    record = getattr(tensor, "_rare", None)
    return getattr(record, "id", 0)


def give_number(tensor: Any) -> int:
    """Return the id by which events refer to this tensor, given now if it has none."""
    return tensor._event_id()  # type: ignore[no-any-return]


def failed(during: str, number: int, error: BaseException, place: SourceLine | None) -> None:
    """Tell of an exception that leaves a step; whoever calls this raises it again."""
    from .event_types import Failed

    if during in ("scope", "operator"):  # the line that failed in a function of the user, if any
        place = source_line.of_error(error.__cause__ or error) or place
    emit(Failed(during, number, type(error).__name__, place=place, **texts_of(error)))


def texts_of(error: BaseException) -> dict[str, Any]:
    """Return what events and documents store of an exception's text, as fields of a Failed."""
    from .event_types import ErrorPart

    parts = error.parts if isinstance(error, MinipaddleError) else {}
    return {
        "message": str(error),
        "message_zh": message_of(error).own("zh"),
        "parts": tuple(ErrorPart(name, part.en, part.own("zh")) for name, part in parts.items()),
    }


@contextmanager
def scope(
    kind: str, name: str, call: int, inputs: Any, place: SourceLine | None, parameters: Any = None
) -> Iterator[list[Any]]:
    """Notify listeners that a group of steps begins and ends; the block lists its outputs."""
    from .event_types import ScopeEntered, ScopeLeft

    number, outputs = naming.next_id(), []  # type: int, list[Any]
    emit(ScopeEntered(number, kind, name, call, tuple(inputs), place, parameters))
    with failing("scope", number, place):
        yield outputs
    emit(ScopeLeft(number, kind, name, call, tuple(outputs)))


class failing:
    """Report an exception that leaves the block, then let it go on."""

    __slots__ = ("during", "number", "place")

    def __init__(self, during: str, number: int, place: SourceLine | None) -> None:
        self.during, self.number, self.place = during, number, place

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _where: object) -> None:
        if error is not None:
            failed(self.during, self.number, error, self.place)
