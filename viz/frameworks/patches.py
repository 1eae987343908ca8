"""Patches of a framework: in place while any thread records, and passed through by all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Any

ABSENT: Any = object()  # an attribute that a class only inherits


class Patches:
    """The patches of one framework; `install` puts them in place, when a first thread records.

    While `stands_aside` returns True, they pass calls through.
    """

    def __init__(
        self,
        install: Callable[[Patches], None],
        stands_aside: Callable[[], bool] = lambda: False,
    ) -> None:
        self.install, self.stands_aside = install, stands_aside
        self.sources: dict[int, Any] = {}  # thread -> the source that emits events for it
        self.lock = Lock()
        self.before: list[tuple[Any, str, Any]] = []  # what the patches replace
        self.handles: list[Any] = []  # have a method `remove`

    def source_here(self) -> Any:
        """Return the source of this thread, or None."""
        return self.sources.get(get_ident())

    @contextmanager
    def emitting(self, source: Any) -> Iterator[None]:
        """Let a source see the work of this thread inside the block."""
        with self.lock:
            self.sources[get_ident()] = source
            if len(self.sources) == 1:
                self.install(self)
        try:
            yield
        finally:
            with self.lock:
                del self.sources[get_ident()]
                if not self.sources:
                    self.remove()

    def put(self, owner: Any, name: str, new: Any) -> None:
        """Replace an attribute until nobody records."""
        self.before.append((owner, name, vars(owner).get(name, ABSENT)))
        setattr(owner, name, new)

    def through(self, method: str, original: Any) -> Callable[..., Any]:
        """Return a function in whose place this thread's source runs `method(original, ...)`."""

        def run(*args: Any, **kwargs: Any) -> Any:
            source = None if self.stands_aside() else self.source_here()
            if source is None:
                return original(*args, **kwargs)
            return getattr(source, method)(original, *args, **kwargs)

        return run

    def remove(self) -> None:
        """Restore what the patches have replaced."""
        while self.before:
            owner, name, old = self.before.pop()
            if old is ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, old)
        while self.handles:
            self.handles.pop().remove()
