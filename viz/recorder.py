"""Recording: listen to the engine, keep events and copies of small arrays, look at them later.

While the block runs, an event costs an append and a copy; numbering, statistics and texts wait
until somebody looks at the trace. What is larger than 4096 elements is summarised at once,
because buffers are reused and copies of them would be dear.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any
from weakref import ref

from minipaddle import events, places
from minipaddle.events import Seen, Value, records

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
    """Which tensor each variable of the recording frame holds; the shortest name wins.

    The parameters of a layer are called as one reaches them: `net.0.weight`.
    """
    found: list[tuple[str, Any]] = []
    for name, thing in variables.items():
        if name.startswith("_"):
            continue
        parameters = getattr(thing, "named_parameters", None)
        if callable(parameters) and not isinstance(thing, type):
            found += [(f"{name}.{path}", value) for path, value in parameters()]
        else:
            found.append((name, thing))
    names: dict[int, str] = {}
    for name, thing in sorted(found, key=lambda pair: (len(pair[0]), pair[0])):
        number = events.number_of(thing)
        if number:
            names.setdefault(number, name)
    return names


# ----- the listener ------------------------------------------------------------------------------


def listener_of(recording: Recording) -> Callable[[Any], None]:
    """The function that keeps an event: one append, and a copy of each array not yet copied."""
    log = recording.log
    keeper = Keeper()
    quick, keep_any = keeper.quick(), keeper.keep_any

    def listener(event: Any) -> None:
        kind = event.__class__
        quick.get(kind, keep_any)(event)
        if kind is events.OpFinished and log and is_start(log[-1], event.call):
            log[-1] = event  # it says all that the start said
        else:
            log.append(event)

    return listener


class Keeper:
    """Puts copies, or the statistics of what is large, in the place of the engine's arrays.

    A record's values serve nobody but listeners, so they are changed where they stand: nothing
    is quicker, and no large array stays alive.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], tuple[Any, Any]] = {}  # (tensor, version): array, kept

    def keep_seen(self, seen: Seen) -> None:
        """A tensor that did not change since it was last seen is not copied again."""
        value = seen.value
        data = value.data
        found = self.known.get((seen.id, seen.version))
        if found is not None:
            array, kept = found
            if kept is data:
                return
            if (array() if array.__class__ is ref else array) is data:
                value.data = kept
                return
        if data is not None and data.__class__ is not dict:
            large = data.size > SMALL
            value.data = summary(data) if large else data.copy()
            self.known[seen.id, seen.version] = (ref(data) if large else data), value.data

    def keep_tensors(self, tensors: Any) -> None:
        for tensor in tensors:
            if tensor.__class__ is Seen:
                self.keep_seen(tensor)
            elif tensor is not None:
                self.keep_tensors(tensor)

    def keep_any(self, event: Any) -> None:
        """Whatever the record's annotations say that it holds."""
        tensors, values = KEPT[event.__class__]
        for name in tensors:
            thing = getattr(event, name)
            self.keep_tensors(thing if isinstance(thing, tuple) else (thing,))
        for name in values:
            keep_values(values_in(getattr(event, name)))

    # ----- what happens most often, without any search -----

    def quick(self) -> dict[type, Callable[[Any], None]]:
        return {
            events.OpStarted: self.op_started,
            events.OpFinished: self.op_finished,
            events.GradNodeMade: nothing,
            events.TensorSaved: self.tensor_saved,
            events.NodeVisited: node_visited,
            events.GradComputed: grad_computed,
            events.GradAccumulated: grad_accumulated,
            events.SavedReleased: nothing,
            events.ScopeEntered: lambda e: self.keep_tensors(e.inputs),
            events.ScopeLeft: lambda e: self.keep_tensors(e.outputs),
            events.ParameterUpdated: self.parameter_updated,
        }

    def op_started(self, event: events.OpStarted) -> None:
        """Only an in-place op changes its inputs before OpFinished shows them."""
        if event.op[-1] == "_":
            self.keep_tensors(event.inputs)

    def op_finished(self, event: events.OpFinished) -> None:
        self.keep_tensors(event.inputs)
        self.keep_tensors(event.outputs)

    def tensor_saved(self, event: events.TensorSaved) -> None:
        self.keep_seen(event.tensor)

    def parameter_updated(self, event: events.ParameterUpdated) -> None:
        """Some optimizers change the array and no version."""
        self.known.pop((event.tensor.id, event.tensor.version), None)
        self.keep_seen(event.tensor)
        keep_values((event.grad, event.before))


def keep_values(values: Iterable[Value | None]) -> None:
    for value in values:
        if value is not None:
            data = value.data
            if data is not None and data.__class__ is not dict:
                value.data = data.copy() if data.size <= SMALL else summary(data)


def node_visited(event: events.NodeVisited) -> None:
    keep_values(event.arrived)


def grad_computed(event: events.GradComputed) -> None:
    keep_values((event.grad,))


def grad_accumulated(event: events.GradAccumulated) -> None:
    keep_values((event.held, event.added, event.total))


def nothing(event: Any) -> None:
    """This record holds no values."""


def is_start(event: Any, call: int) -> bool:
    """Whether this is the start of the very call that has just finished."""
    return event.__class__ is events.OpStarted and event.call == call


def _kept(kind: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which fields of a record hold tensors, and which hold bare values."""
    found: tuple[list[str], list[str]] = [], []
    for f in dataclasses.fields(kind):
        if "Seen" in str(f.type) or "Argument" in str(f.type):
            found[0].append(f.name)
        elif "Value" in str(f.type):
            found[1].append(f.name)
    return tuple(found[0]), tuple(found[1])


KEPT = {
    kind: _kept(kind)
    for kind in vars(records).values()
    if dataclasses.is_dataclass(kind) and isinstance(kind, type)
}


def values_in(thing: Any) -> Iterator[Value]:
    """Every bare value inside tuples and mappings."""
    if isinstance(thing, Value):
        yield thing
    elif thing is not None and not isinstance(thing, str):
        for item in thing.values() if isinstance(thing, dict) else thing:
            yield from values_in(item)
