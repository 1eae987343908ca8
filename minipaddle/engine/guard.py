"""Blocks that put back what they change, whatever ends them: an exception, or Ctrl-C anywhere.

Python raises KeyboardInterrupt where a function begins, where a call returns, and where a loop
goes round: inside `__enter__`, `__exit__` and `finally` too. Hence two habits. A function saves
what is there, changes it inside `try`, and puts it back by the first call of `finally`, which is
one of C (`ContextVar.set`) or an assignment; nothing comes between. And what stands in a `with`
statement is a Guard.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar, Token
from copy import copy
from functools import partial, wraps
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import ref

P = ParamSpec("P")
T = TypeVar("T")
Leave = Callable[..., None]


class Exit:
    """The `__exit__` of a Guard: an object of its own for each `with` statement."""

    def __get__(self, guard: Guard | None, kind: type[Guard]) -> Leave:
        if guard is None:
            return kind._leave
        leave = partial(guard._leave)
        guard._loaded = ref(leave, guard._lost)
        return leave


class Guard:
    """A context manager that says what to save, how to change it, and how to put it back.

    A `with` statement loads `__exit__` before it calls `__enter__`, and holds it until the block
    is left. Nobody else holds it: not the traceback of an interrupt inside this class, either. If
    it goes while the block still counts as open, its call was interrupted, and `_restore` runs
    again; so it must bear to run twice. Blocks of one Guard may be nested.
    """

    _loaded: ref[Leave] | None = None

    def __init__(self) -> None:
        self._open: list[tuple[Any, ref[Leave] | None]] = []  # what each saved; the innermost last

    def _save(self) -> Any:
        """What to come back to; nothing is changed yet."""

    def _change(self, saved: Any) -> Any:
        """Make the change; the value of `as`."""

    def _restore(self, saved: Any, error: BaseException | None) -> None:
        """Put back what was saved; `error` ended the block, or interrupted its end."""

    def __enter__(self) -> Any:
        loaded, self._loaded = self._loaded, None
        saved = self._save()
        self._open.append((saved, loaded))
        return self._change(saved)

    __exit__ = Exit()

    def _leave(
        self,
        _kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        _traceback: Any = None,
    ) -> None:
        self._restore(self._open[-1][0], error)
        self._open.pop()

    def _lost(self, loaded: ref[Leave]) -> None:
        """The `with` statement is over, and has not called its `__exit__` to the end."""
        for saved, held in self._open:
            if held is loaded:
                self._restore(saved, KeyboardInterrupt())
        self._open = [entry for entry in self._open if entry[1] is not loaded]

    def __call__(self, function: Callable[P, T]) -> Callable[P, T]:
        """As a decorator: a function whose calls run inside such a block."""

        @wraps(function)
        def inside(*args: P.args, **kwargs: P.kwargs) -> T:
            block = copy(self)  # a call may run in another thread beside this one
            block._open = []
            with block:
                return function(*args, **kwargs)

        return inside

    def is_open(self) -> bool:
        """Whether some block of this guard is still running."""
        return any(loaded is None or loaded() is not None for _, loaded in self._open)


class held(Guard, Generic[T]):
    """Let a variable of this context have a value for the length of a block."""

    def __init__(self, variable: ContextVar[T], value: T) -> None:
        super().__init__()
        self.variable, self.value = variable, value

    def _save(self) -> list[Any]:
        return [self.variable.get(), None]

    def _change(self, saved: list[Any]) -> None:
        saved[1] = self.variable.set(self.value)

    def _restore(self, saved: list[Any], _error: BaseException | None) -> None:
        value, token = saved
        if not isinstance(token, Token):
            self.variable.set(value)
            return
        # A generator may end in another context, which has its own; and it may be reset already.
        with suppress(ValueError, RuntimeError):
            self.variable.reset(token)


class kept(Guard):
    """Put back at the end of a block what `get` gave at its beginning."""

    def __init__(self, get: Callable[[], T], put: Callable[[T], Any]) -> None:
        super().__init__()
        self.get, self.put = get, put

    def _save(self) -> Any:
        return self.get()

    def _restore(self, saved: Any, _error: BaseException | None) -> None:
        self.put(saved)


class collector_waits(Guard):
    """Let the collector of cycles wait while a block makes many objects that stay.

    It would look at all of them again and again: up to half of the time of a long story.
    """

    def _save(self) -> bool:
        return gc.isenabled()

    def _change(self, _saved: Any) -> None:
        gc.disable()

    def _restore(self, saved: bool, _error: BaseException | None) -> None:
        if saved:
            gc.enable()


class together(Guard):
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
