"""Events that the engine emits while it runs, and the bus that carries them.

Events say nothing about drawing. The arrays of an event are the engine's own: a listener must copy
them before it returns, because buffers are reused.
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
    from . import notes as notes  # loaded by the first `listen` block
    from .event_types import *  # noqa: F403

_modes_here = modes.here


def __getattr__(name: str) -> Any:
    """Return a kind of event, such as `events.OpStarted`, imported on first use.

    Few programs are recorded, and making the classes takes a tenth of the time of importing NumPy.
    """
    kind = getattr(importlib.import_module(".event_types", __name__), name)
    globals()[name] = kind
    return kind


# ----- listening ---------------------------------------------------------------------------------


class listen(Guard):
    """Call `listener(event)` for each event of this thread or task inside the block."""

    def __init__(self, listener: Callable[[Any], None]) -> None:
        super().__init__()
        self.listener = listener

    def _save(self) -> int:
        return modes.here().hearing

    def _change(self, _hearing: int) -> None:
        _listen_with((*modes.here().listeners, self.listener), hearing=naming.next_id())

    def _restore(self, hearing: int, _error: BaseException | None) -> None:
        _listen_with(_without_listener(self.listener), hearing=hearing)


def unlisten(listener: Callable[[Any], None]) -> None:
    """Remove a listener before its block ends: later code runs as if it never listened."""
    _listen_with(_without_listener(listener))


def _without_listener(listener: Callable[[Any], None]) -> tuple[Callable[[Any], None], ...]:
    """Return all listeners but one; overlapping recordings may end in any order."""
    return tuple(one for one in modes.here().listeners if one is not listener)


def _listen_with(listeners: tuple[Callable[[Any], None], ...], **changes: Any) -> None:
    """Set the listeners of this context."""
    modes.change(listeners=listeners, note_taker=_note_taker_of(listeners), **changes)


class NoteTaker:
    """Receiver of the engine's notes, which `events.notes` defines.

    `here(number, doing)` returns the place in the user's code before the note of an op, or of a
    "layer" (`doing`), is made. `begin` receives the first note of an op call or of a visit to a
    node, `enter` and `leave` those of a layer, `take` any other. `keep(array, number)` converts the
    array of the tensor with this number (0: of no tensor) for a note. Notes of one `series`, a
    number, may share the cell of an unchanged tensor; notes of series 0 share none.
    """

    __slots__ = ("begin", "enter", "here", "keep", "leave", "series", "take")

    def __init__(self, begin: Callable[..., None], take: Callable[..., None], keep: Any) -> None:
        self.begin, self.take, self.keep = begin, take, keep
        self.enter = self.leave = take
        self.here: Callable[..., SourceLine | None] = source_line.here
        self.series = 0

    def stop(self) -> None:
        """Ignore all further notes, also of a step that is still running."""
        self.begin = self.take = self.enter = self.leave = self.keep = lambda *_: None
        self.series = 0
        self.here = source_line.here


def new_series() -> int:
    """Return a new number of a series, whose notes share no cell with earlier ones."""
    return naming.next_id()


def _note_taker_of(listeners: tuple[Any, ...]) -> NoteTaker | None:
    """Return a sole listener's own note taker, if any, else one that makes events at once."""
    if not listeners:
        return None
    only = listeners[0] if len(listeners) == 1 else None
    taker = getattr(only, "note_taker", None)
    if taker is not None:
        return taker
    from .notes import live

    hear = only or emit

    def hear_events(note: tuple[Any, ...]) -> None:
        for event in note[0](*note[1:]):
            hear(event)

    return NoteTaker(hear_events, hear_events, live)


# ----- one of many processes ---------------------------------------------------------------------


_rank_and_size: tuple[int, int] | None = None


def stand_among(place: tuple[int, int] | None) -> None:
    """Set the rank of this process and the number of ranks, for recordings; None for a lone one."""
    global _rank_and_size
    _rank_and_size = place


def among() -> tuple[int, int] | None:
    """Return the rank of this process and the number of ranks; None for a lone process."""
    return _rank_and_size


# ----- emitting ----------------------------------------------------------------------------------


def heard() -> bool:
    """Return whether anybody listens in this context; ask before building a costly event."""
    return bool(modes.here().listeners)


def emit(event: Any) -> None:
    """Hand an event to every listener of this context."""
    for listener in _modes_here().listeners:
        listener(event)


def note_taker() -> NoteTaker:
    """Return the note taker of this context; None while nobody listens."""
    return _modes_here().note_taker


def number_of(tensor: Any) -> int:
    """Return the id that events gave this tensor; 0 if no event has shown it."""
    record = getattr(tensor, "_rare", None)
    return getattr(record, "id", 0)


def give_number(tensor: Any) -> int:
    """Return the id by which events refer to this tensor, given now if it has none."""
    return tensor._event_id()


def new_number() -> int:
    """Return a number for a tensor, call, node or scope of a source of events beside the engine."""
    return naming.next_id()


def failed(during: str, number: int, error: BaseException, place: SourceLine | None) -> None:
    """Emit a Failed for an exception that leaves a step; the caller raises it again."""
    from .event_types import Failed

    if during in ("scope", "operator"):  # a line in the user's function comes first
        place = source_line.of_error(error.__cause__ or error) or place
    emit(Failed(during, number, type(error).__name__, place=place, **texts_of(error)))


def texts_of(error: BaseException) -> dict[str, Any]:
    """Return the texts of an exception as fields of a Failed."""
    from .event_types import ErrorPart

    parts = error.parts if isinstance(error, MinipaddleError) else {}
    return {
        "message": str(error),
        "message_zh": message_of(error).own("zh"),
        "parts": tuple(ErrorPart(name, part.en, part.own("zh")) for name, part in parts.items()),
    }


@contextmanager
def scope(
    kind: str, name: str, call: int, inputs: Any, place: SourceLine | None, **more: Any
) -> Iterator[list[Any]]:
    """Notify listeners of the begin and end of a group of steps; the block fills in its outputs."""
    from .event_types import ScopeEntered, ScopeLeft

    number, outputs = naming.next_id(), []  # type: int, list[Any]
    emit(ScopeEntered(number, kind, name, call, tuple(inputs), place, **more))
    with failing("scope", number, place):
        yield outputs
    emit(ScopeLeft(number, kind, name, call, tuple(outputs)))


class failing:
    """Context manager that reports an exception leaving the block, and lets it pass."""

    __slots__ = ("during", "number", "place")

    def __init__(self, during: str, number: int, place: SourceLine | None) -> None:
        self.during, self.number, self.place = during, number, place

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _where: object) -> None:
        if error is not None:
            failed(self.during, self.number, error, self.place)
