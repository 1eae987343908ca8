"""Names and numbers: `linear_0.w_0`, `generated_tensor_3`, and the small ids that events carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from itertools import count
from threading import RLock

from .guard import held

_of_the_process: Counter[str] = Counter()
_counters: ContextVar[Counter[str]] = ContextVar("minipaddle_names", default=_of_the_process)
_lock = RLock()  # two threads never get one name

next_id: Callable[[], int] = count(1).__next__
"""A small integer never given before in this process; traces renumber them from 1."""


def unique(prefix: str) -> str:
    """The next name of a family: `unique("linear")` gives linear_0, then linear_1.

    >>> reset()
    >>> unique("linear"), unique("linear")
    ('linear_0', 'linear_1')
    """
    taken = _counters.get()
    with _lock:
        number = taken[prefix]
        taken[prefix] += 1
    return f"{prefix}_{number}"


def reset() -> None:
    """Start every family of names again at 0."""
    _of_the_process.clear()
    _counters.set(_of_the_process)


def counters() -> Counter[str]:
    """The counters in use; the default Program shares them with the eager world."""
    return _counters.get()


def use_counters(counters: Counter[str]) -> held[Counter[str]]:
    """Take names from `counters` inside the block: a Program numbers its own layers."""
    return held(_counters, counters)
