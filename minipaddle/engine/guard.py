"""Blocks that restore what they change, also after an exception or Ctrl-C."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar, Token
from copy import copy
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

UNVISITED = 4_000_000  # objects made under `pause_collector`, after which the collector visits all


class Guard:
    """Base of context managers that save something, change it, and restore it.

    Blocks of one Guard may be nested. `_restore` also runs where `_change` fails half-way.
    """

    def __init__(self) -> None:
        self._saved: list[Any] = []  # saved values of the open blocks, the innermost last

    def _save(self) -> Any:
        """Return the value to restore; change nothing yet."""

    def _change(self, saved: Any) -> Any:
        """Make the change; return the value of `as`."""

    def _restore(self, saved: Any, error: BaseException | None) -> None:
        """Restore the saved value; `error` is the exception that ended the block, or None."""

    def __enter__(self) -> Any:
        self._saved.append(self._save())
        try:
            return self._change(self._saved[-1])
        except BaseException as error:
            self.__exit__(type(error), error)
            raise

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object = None) -> None:
        self._restore(self._saved.pop(), error)

    def __call__(self, function: Callable[P, T]) -> Callable[P, T]:
        """Return a function whose calls run inside such a block."""

        @wraps(function)
        def inside(*args: P.args, **kwargs: P.kwargs) -> T:
            block = copy(self)  # a copy for each call: calls may run in parallel threads
            block._saved = []
            with block:
                return function(*args, **kwargs)

        return inside

    def is_open(self) -> bool:
        """Return whether some block of this guard is still running."""
        return bool(self._saved)


class override_variable(Guard, Generic[T]):
    """Guard that gives a context variable another value."""

    def __init__(self, variable: ContextVar[T], value: T) -> None:
        super().__init__()
        self.variable, self.value = variable, value

    def _save(self) -> list[Token[T]]:
        return []

    def _change(self, saved: list[Token[T]]) -> None:
        saved.append(self.variable.set(self.value))

    def _restore(self, saved: list[Token[T]], _error: BaseException | None) -> None:
        for token in saved:
            with suppress(ValueError):  # raised if a generator ends in another context
                self.variable.reset(token)


class restore_value(Guard):
    """Guard that calls `put` at the end with the value that `get` returned at the beginning."""

    def __init__(self, get: Callable[[], T], put: Callable[[T], Any]) -> None:
        super().__init__()
        self.get, self.put = get, put

    def _save(self) -> Any:
        return self.get()

    def _restore(self, saved: Any, _error: BaseException | None) -> None:
        self.put(saved)


class override_attribute(Guard):
    """Guard that gives an attribute of an object another value."""

    def __init__(self, owner: Any, name: str, value: Any) -> None:
        super().__init__()
        self.owner, self.name, self.value = owner, name, value

    def _save(self) -> Any:
        return getattr(self.owner, self.name)

    def _change(self, _saved: Any) -> None:
        setattr(self.owner, self.name, self.value)

    def _restore(self, saved: Any, _error: BaseException | None) -> None:
        setattr(self.owner, self.name, saved)


class combine_guards(Guard):
    """Several guards as one; the first is entered first and left last."""

    def __init__(self, *guards: Guard) -> None:
        super().__init__()
        self.guards = guards

    def _save(self) -> list[Any]:
        return [guard._save() for guard in self.guards]

    def _change(self, saved: list[Any]) -> None:
        for guard, before in zip(self.guards, saved, strict=True):
            guard._change(before)

    def _restore(self, saved: list[Any], error: BaseException | None) -> None:
        for guard, before in zip(self.guards[::-1], saved[::-1], strict=True):
            guard._restore(before, error)


class _Joined:
    """Number of objects that joined the old ones since the collector visited all."""

    count = 0


@contextmanager
def pause_collector() -> Iterator[None]:
    """Switch the collector of cycles off while a block makes many objects that stay.

    It would visit all of them again and again, which takes up to half of the time of a long story.
    At the end they are put among the old objects, unless the process has frozen objects of its own.
    The collector does not count these moves, so a block runs it after many of them.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():
                _Joined.count += gc.get_count()[0]
                gc.freeze()
                gc.unfreeze()
            gc.enable()
            if _Joined.count > UNVISITED:
                _Joined.count = 0
                gc.collect()
