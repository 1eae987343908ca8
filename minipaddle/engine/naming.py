"""Names and numbers: `linear_0.w_0`, `generated_tensor_3`, and the small ids that events carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

_counters: Counter[str] = Counter()

next_id: Callable[[], int] = count(1).__next__
"""A small integer never given before in this process; traces renumber them from 1."""


def unique(prefix: str) -> str:
    """The next name of a family: `unique("linear")` gives linear_0, then linear_1.

    >>> reset()
    >>> unique("linear"), unique("linear")
    ('linear_0', 'linear_1')
    """
    number = _counters[prefix]
    _counters[prefix] += 1
    return f"{prefix}_{number}"


def reset() -> None:
    """Start every family of names again at 0."""
    _counters.clear()


def counters() -> Counter[str]:
    """The counters in use; the default Program shares them with the eager world."""
    return _counters


@contextmanager
def use_counters(counters: Counter[str]) -> Iterator[None]:
    """Take names from `counters` inside the block: a Program numbers its own layers."""
    global _counters
    outer, _counters = _counters, counters
    try:
        yield
    finally:
        _counters = outer
