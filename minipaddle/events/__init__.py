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

from .. import modes, naming
from ..places import Place

if TYPE_CHECKING:
    from .records import *  # noqa: F403

_modes_here = modes.here


def __getattr__(name: str) -> Any:
    """`events.OpStarted`, kept here for the next time."""
    if name.startswith("_"):
        raise AttributeError(name)
    globals()[name] = found = getattr(importlib.import_module(".records", __name__), name)
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


def speaker() -> Callable[[Any], None]:
    """`emit` for several records in a row: where one listener is there, that listener."""
    listeners = _modes_here().listeners
    return listeners[0] if len(listeners) == 1 else emit


def heard() -> bool:
    """Whether anybody listens in this context; ask before building a costly record."""
    return bool(modes.here().listeners)


@contextmanager
def listen(listener: Callable[[Any], None]) -> Iterator[None]:
    """Call `listener(record)` for everything that happens in this thread inside the block."""
    listeners = (*modes.here().listeners, listener)
    with modes.changed(listeners=listeners, hearing=naming.next_id()):
        yield


def unlisten(listener: Callable[[Any], None]) -> None:
    """Hear no more, although the block has not ended: what follows runs as if nobody listened."""
    modes.change(listeners=tuple(one for one in modes.here().listeners if one is not listener))


def failed(during: str, number: int, error: BaseException, place: Place | None) -> None:
    """Tell of an exception that leaves a step; whoever calls this raises it again."""
    record = __getattr__("Failed")
    emit(record(during, number, type(error).__name__, str(error), place))


class failing:
    """Report an exception that leaves the block, then let it go on."""

    __slots__ = ("during", "number", "place")

    def __init__(self, during: str, number: int, place: Place | None) -> None:
        self.during, self.number, self.place = during, number, place

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _where: object) -> None:
        if error is not None:
            failed(self.during, self.number, error, self.place)
