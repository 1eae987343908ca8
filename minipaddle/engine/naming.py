"""Names and numbers: `linear_0.w_0`, `generated_tensor_3`, and the small ids that events carry.

Names of layers and parameters come from the generator of this thread or task, which
`utils.unique_name` changes; a Program names its Variables with its own generator. Tensors are
numbered through the whole process.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from itertools import count
from threading import RLock
from typing import Any

from . import modes
from .guard import Guard

next_id: Callable[[], int] = count(1).__next__
"""A small integer never given before in this process; traces renumber them from 1."""

_lock = RLock()  # no name is given to two threads


class UniqueNameGenerator:
    """Generator of numbered names, with a count for each family and a common prefix.

    >>> fresh = UniqueNameGenerator("A_")
    >>> fresh("linear"), fresh("linear"), fresh("relu")
    ('A_linear_0', 'A_linear_1', 'A_relu_0')
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.ids: dict[str, int] = {}  # family -> number of its names so far

    def __call__(self, key: str) -> str:
        with _lock:
            number = self.ids.get(key, 0)
            self.ids[key] = number + 1
        return f"{self.prefix}{key}_{number}"

    def clone(self) -> UniqueNameGenerator:
        """Return a copy that continues with the same numbers."""
        twin = UniqueNameGenerator(self.prefix)
        twin.ids = dict(self.ids)
        return twin


_eager, _static = UniqueNameGenerator(), UniqueNameGenerator()
_tensor_counters: defaultdict[str, Iterator[int]] = defaultdict(count)
_chosen_generator: ContextVar[UniqueNameGenerator | None] = ContextVar(
    "minipaddle_names", default=None
)


def generator() -> UniqueNameGenerator:
    """Return the generator of names of this thread or task."""
    return _chosen_generator.get() or _default_generator()


def _default_generator() -> UniqueNameGenerator:
    return _static if modes.is_static() else _eager


def unique(key: str) -> str:
    """Return the next name of a family here: `unique("linear")` gives linear_0, then linear_1."""
    return generator()(key)


def tensor_name(family: str) -> str:
    """Return the next name of a family that is numbered through the whole process."""
    return f"{family}_{next(_tensor_counters[family])}"


def switch(other: UniqueNameGenerator) -> UniqueNameGenerator:
    """Take names from another generator from now on; return the previous one."""
    before = generator()
    _chosen_generator.set(None if other is _default_generator() else other)
    return before


class guard(Guard):
    """Guard that takes names from a generator, or from a new one with the given prefix."""

    def __init__(self, prefix: str | UniqueNameGenerator) -> None:
        super().__init__()
        self.prefix = prefix

    def _save(self) -> UniqueNameGenerator | None:
        return _chosen_generator.get()

    def _change(self, _saved: Any) -> None:
        new = UniqueNameGenerator(self.prefix) if isinstance(self.prefix, str) else self.prefix
        _chosen_generator.set(new)

    def _restore(self, saved: UniqueNameGenerator | None, _error: BaseException | None) -> None:
        _chosen_generator.set(saved)


def reset() -> None:
    """Start every family of names again at 0."""
    for numbers in (_eager.ids, _static.ids, _tensor_counters):
        numbers.clear()
    _chosen_generator.set(None)


def reset_static() -> None:
    """Start the families of static mode again at 0."""
    _static.ids.clear()
