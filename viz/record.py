"""Recording: listen to the engine, keep events and copies of small arrays, look at them later.

While the block runs, an event costs an append and a copy; numbering, statistics and texts wait
until somebody looks at the trace. What is larger than 4096 elements is summarised at once,
because buffers are reused and copies of them would be dear.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any
from weakref import ref

from minipaddle import events, places
from minipaddle.events import Seen, Value

from .trace import Ended, Recording, Trace
from .values import SMALL, summary


class record:
    """Record everything that minipaddle does in this thread inside the block, as a `Trace`.

    The trace is complete when the block ends, also when an exception ends it: then it stops at
    the failing step, and the exception goes on. As a decorator it records each call; the latest
    trace is the function's attribute `trace`.

    >>> import minipaddle as paddle
    >>> with record(title="a square") as trace:
    ...     y = paddle.to_tensor([3.0]) * paddle.to_tensor([3.0])
    >>> trace.title
    'a square'
    """

    def __init__(self, title: str = "") -> None:
        self.title = title
        self._open: list[tuple[AbstractContextManager[None], Recording, FrameType]] = []

    def __enter__(self) -> Trace:
        recording = Recording(self.title)
        block = events.listen(listener_of(recording))
        block.__enter__()
        self._open.append((block, recording, sys._getframe(1)))
        return Trace(recording=recording)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        block, recording, frame = self._open.pop()
        block.__exit__(None, None, None)
        recording.names = names_of(frame.f_locals)
        if error is not None:
            recording.ended = Ended(type(error).__name__, str(error), failing_line(traceback))
        recording.closed = True

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            with record(self.title or function.__name__) as trace:
                recorded.trace = trace  # type: ignore[attr-defined]
                return function(*args, **kwargs)

        return recorded


def failing_line(traceback: TracebackType | None) -> places.Place | None:
    """The innermost line of user code that an exception passed through."""
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if "minipaddle" not in traceback.tb_frame.f_globals.get("__name__", "").split("."):
            found = places.Place(code.co_filename, traceback.tb_lineno, code.co_name)
        traceback = traceback.tb_next
    return found


def names_of(variables: dict[str, Any]) -> dict[int, str]:
    """Which tensor each variable of the recording frame holds; the shortest name wins."""
    names: dict[int, str] = {}
    for name in sorted(variables, key=lambda name: (len(name), name)):
        number = 0 if name.startswith("_") else events.number_of(variables[name])
        if number:
            names.setdefault(number, name)
    return names


# ----- the listener ------------------------------------------------------------------------------


def listener_of(recording: Recording) -> Callable[[Any], None]:
    """The function that keeps an event: one append, and a copy of each array not yet copied."""
    append, copies = recording.log.append, recording.copies
    known: dict[tuple[int, int], tuple[Any, Any]] = {}  # (tensor, version): its array, what we kept

    def keep(value: Value) -> bool:
        """Keep what one value holds; is it large?"""
        data = value.data
        if data is None:
            return False
        large = data.size > SMALL
        copies[id(value)] = summary(data) if large else data.copy()
        return bool(large)

    def keep_seen(seen: Seen) -> bool:
        value = seen.value
        key = (seen.id, seen.version)
        if key in known:
            array, kept = known[key]
            if array is value.data:
                copies[id(value)] = kept
                return False
            if array.__class__ is ref and array() is value.data:
                copies[id(value)] = kept
                return True
        large = keep(value)
        if value.data is not None:
            known[key] = (ref(value.data) if large else value.data), copies[id(value)]
        return large

    def listener(event: Any) -> None:
        kind = event.__class__
        if kind is events.ParameterUpdated:  # some optimizers change the array and no version
            known.pop((event.tensor.id, event.tensor.version), None)
        large = False
        many, one = KEPT[kind]
        for name in many:
            for thing in getattr(event, name):
                if thing.__class__ is Seen:
                    large |= keep_seen(thing)
                elif thing is not None:
                    large |= keep_deep(thing, keep_seen, keep)
        for name in one:
            thing = getattr(event, name)
            if thing.__class__ is Seen:
                large |= keep_seen(thing)
            elif thing is not None:
                large |= keep_deep(thing, keep_seen, keep)
        append(light(event, copies) if large else event)

    return listener


def _kept(kind: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which fields of a record hold collections of values, and which hold one value."""
    many: list[str] = []
    one: list[str] = []
    for f in dataclasses.fields(kind):
        if any(word in str(f.type) for word in ("Seen", "Value", "Argument")):
            (many if str(f.type).startswith("tuple") else one).append(f.name)
    return tuple(many), tuple(one)


KEPT = {
    kind: _kept(kind)
    for kind in vars(events).values()
    if dataclasses.is_dataclass(kind) and isinstance(kind, type)
}


def keep_deep(thing: Any, keep_seen: Any, keep: Any) -> bool:
    """Keep what stands inside tuples and mappings."""
    if isinstance(thing, Value):
        return bool(keep(thing))
    if isinstance(thing, Seen):
        return bool(keep_seen(thing))
    if isinstance(thing, dict):
        thing = tuple(thing.values())
    if isinstance(thing, tuple):
        return sum(keep_deep(item, keep_seen, keep) for item in thing) > 0  # every one, so not any()
    return False


def light(thing: Any, copies: dict[int, Any]) -> Any:
    """The same record with its statistics in the place of every large array."""
    if isinstance(thing, Value):
        kept = copies.get(id(thing))
        return Value(thing.shape, thing.dtype, kept) if type(kept) is dict else thing
    if isinstance(thing, dict):
        return {key: light(item, copies) for key, item in thing.items()}
    if type(thing) is tuple:
        return tuple(light(item, copies) for item in thing)
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [f.name for f in dataclasses.fields(thing)]
        return dataclasses.replace(
            thing, **{name: light(getattr(thing, name), copies) for name in names}
        )
    return thing
