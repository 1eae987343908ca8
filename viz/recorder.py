"""Recording: listen to the engine while a block or a function runs, and make a Trace of it."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any

from minipaddle import events, places
from minipaddle.errors import InvalidArgument, InvalidType

from .folding import Folding
from .keeper import Keeper, Listener
from .sieve import Sieve, patterns
from .trace import Cut, Ended, Recording, Trace

LIMIT = 100_000  # events; an op and its backward make eight
MEGABYTES = 1000


class record:
    """Record what minipaddle does in this thread inside the block, as a `Trace`.

    The trace is complete when the block ends, also when an exception ends it: then it stops at
    the failing step, and the exception goes on. As a decorator it records each call; the latest
    trace is the function's attribute `trace`.

    `only` and `skip` choose by the names of ops, layers, PyLayers, files or modules, `*` stands
    for anything; `depth` is how many layers deep one looks: 0 shows layers as boxes. `limit` is
    about how many events are kept, `megabytes` how much of values; then the rest runs unheard.
    Variables name the tensors: those of the block's frame unless `variables` are given.

    >>> import minipaddle as paddle
    >>> with record("a square", skip="mean") as trace:
    ...     y = (paddle.to_tensor([3.0]) * paddle.to_tensor([3.0])).mean()
    >>> trace.title, len(trace)
    ('a square', 1)
    """

    def __init__(
        self,
        title: str = "",
        *,
        only: str | Iterable[str] = (),
        skip: str | Iterable[str] = (),
        depth: int | None = None,
        limit: int | None = LIMIT,
        megabytes: float | None = MEGABYTES,
        variables: Mapping[str, Any] | None = None,
    ) -> None:
        self.title = title
        self.only, self.skip = patterns("only", only), patterns("skip", skip)
        self.depth = None if depth is None else whole("depth", depth, 0)
        self.limit = float("inf") if limit is None else whole("limit", limit, 1)
        self.megabytes = float("inf") if megabytes is None else megabytes
        self.variables = variables
        self._open: list[tuple[AbstractContextManager[None], Recording, FrameType]] = []

    def __enter__(self) -> Trace:
        recording = Recording(self.title)
        block = events.listen(listener_of(recording, self))
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
        recording.names = names_of(self.variables or frame.f_locals)
        if error is not None:
            recording.ended = Ended(type(error).__name__, str(error), failing_line(traceback))
        recording.closed = True
        recording.release()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise InvalidType(
                f"viz.record() cannot decorate {function.__name__}: it is a generator.",
                expected="a function that runs from its call to its return",
                received="a generator function, which runs in pieces",
                fix="put `with viz.record() as trace:` around the loop that uses it",
            )

        def begun(args: Any, kwargs: Any) -> record:
            block = record(self.title or function.__name__)
            given = inspect.signature(function).bind(*args, **kwargs).arguments
            vars(block).update({**vars(self), "title": block.title, "_open": []})
            block.variables = self.variables or given
            return block

        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            with begun(args, kwargs) as trace:
                recorded.trace = trace  # type: ignore[attr-defined]
                try:
                    return function(*args, **kwargs)
                finally:
                    recorded.trace = trace  # type: ignore[attr-defined]  # a call inside had its own

        @functools.wraps(function)
        async def recorded_async(*args: Any, **kwargs: Any) -> Any:
            with begun(args, kwargs) as trace:
                recorded_async.trace = trace  # type: ignore[attr-defined]
                return await function(*args, **kwargs)

        return recorded_async if inspect.iscoroutinefunction(function) else recorded


def whole(name: str, number: Any, least: int) -> int:
    """A whole number that is not too small."""
    if type(number) is not int or number < least:
        raise InvalidArgument(
            f"viz.record(): {name} must be a whole number.",
            expected=f"a number from {least} on, or None for no bound",
            received=repr(number),
        )
    return number


def listener_of(recording: Recording, settings: record | None = None) -> Listener:
    """The function that keeps events in a recording, as far as the settings want them."""
    settings = settings or record()

    def full(what: str, place: places.Place | None) -> None:
        number = settings.limit if what == "events" else settings.megabytes
        recording.cut = Cut(what, number, place)
        events.unlisten(listener)

    most = settings.limit, settings.megabytes * 1e6
    keeper = Keeper(recording.log, full, *most)
    recording.release = keeper.release
    listener: Listener = keeper
    if settings.only or settings.skip:
        listener = Sieve(settings.only, settings.skip, listener).listener()
    if settings.depth is not None:
        listener = Folding(settings.depth, listener).listener()
    return listener


def failing_line(traceback: TracebackType | None) -> places.Place | None:
    """The innermost line of user code that an exception passed through."""
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if "minipaddle" not in traceback.tb_frame.f_globals.get("__name__", "").split("."):
            found = places.Place(code.co_filename, traceback.tb_lineno, code.co_name)
        traceback = traceback.tb_next
    return found


def names_of(variables: Mapping[str, Any]) -> dict[int, str]:
    """Which tensor each variable holds; the shortest name wins.

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
