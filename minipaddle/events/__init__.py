"""What the engine tells while it runs: small records, and the bus that carries them.

Records say nothing about how to draw what happened. A record's arrays are the engine's own: a
listener copies what it wants to keep before it returns, because buffers are reused. The classes
of the records are loaded when the first of them is made: few programs are listened to.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine import modes, naming
from ..engine.source_line import SourceLine

if TYPE_CHECKING:
    from . import notes as notes
    from .event_types import *  # noqa: F403

_modes_here = modes.here


def __getattr__(name: str) -> Any:
    """`events.OpStarted`, kept here for the next time; `events.notes`."""
    if name.startswith("_"):
        raise AttributeError(name)
    if name == "notes":
        return importlib.import_module(".notes", __name__)
    globals()[name] = found = getattr(importlib.import_module(".event_types", __name__), name)
    return found


# ----- names -------------------------------------------------------------------------------------


def number_of(tensor: Any) -> int:
    """The id by which events told of this tensor; 0 for one that they never told of."""
    record = getattr(tensor, "_rare", None)
    return getattr(record, "id", 0)


# ----- the bus -----------------------------------------------------------------------------------


def emit(event: Any) -> None:
    """Hand a record to every listener of this context."""
    for listener in _modes_here().listeners:
        listener(event)


class Speaker:
    """How the engine tells in notes: see `events.notes`.

    `step` takes a note with which an op call or the visit to a node begins, `tell` any other, and
    `keep(array, tensor's number, version)` gives what stands in a note for an array.
    """

    __slots__ = ("keep", "step", "tell")

    def __init__(self, step: Callable[..., None], tell: Callable[..., None], keep: Any) -> None:
        self.step, self.tell, self.keep = step, tell, keep

    def hush(self) -> None:
        """Tell no more, although a step may still be under way."""
        self.step = self.tell = self.keep = lambda *_: None


def speaker() -> Speaker:
    """The speaker of this context, where somebody listens."""
    return _modes_here().speaker  # type: ignore[no-any-return]


def _speaker_to(listeners: tuple[Any, ...]) -> Speaker:
    """That of the only listener, if it has one; else one that makes records at once."""
    only = listeners[0] if len(listeners) == 1 else None
    hear, own = only or emit, getattr(only, "speaker", None)

    def tell(note: tuple[Any, ...]) -> None:
        for record in note[0](*note[1:]):
            hear(record)

    return own or Speaker(tell, tell, __getattr__("notes").live)


def heard() -> bool:
    """Whether anybody listens in this context; ask before building a costly record."""
    return bool(modes.here().listeners)


@contextmanager
def listen(listener: Callable[[Any], None]) -> Iterator[None]:
    """Call `listener(record)` for everything that happens in this thread inside the block."""
    before = modes.here()
    listeners = (*before.listeners, listener)
    hearing, own = naming.next_id(), _speaker_to(listeners)
    modes.change(listeners=listeners, hearing=hearing, speaker=own)
    try:
        yield
    finally:
        unlisten(listener)  # recordings in generators that take turns end in any order
        modes.change(hearing=before.hearing)


def unlisten(listener: Callable[[Any], None]) -> None:
    """Hear no more, although the block has not ended: what follows runs as if nobody listened."""
    left = tuple(one for one in modes.here().listeners if one is not listener)
    modes.change(listeners=left, speaker=_speaker_to(left))


def failed(during: str, number: int, error: BaseException, place: SourceLine | None) -> None:
    """Tell of an exception that leaves a step; whoever calls this raises it again."""
    record = __getattr__("Failed")
    emit(record(during, number, type(error).__name__, str(error), place))


class failing:
    """Report an exception that leaves the block, then let it go on."""

    __slots__ = ("during", "number", "place")

    def __init__(self, during: str, number: int, place: SourceLine | None) -> None:
        self.during, self.number, self.place = during, number, place

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _where: object) -> None:
        if error is not None:
            failed(self.during, self.number, error, self.place)
