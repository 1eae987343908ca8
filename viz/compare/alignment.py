"""Two sequences of steps side by side: what in one is the same place in the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

T = TypeVar("T")

Pair = tuple[int | None, int | None]


def align(one: Sequence[T], other: Sequence[T], *keys: Callable[[T], Hashable]) -> list[Pair]:
    """Positions in both, in order; None where one side has nothing.

    Items are matched by the first key; what stays between matches by the next one, and so on.

    >>> align("abcd", "abxd", str)
    [(0, 0), (1, 1), (2, None), (None, 2), (3, 3)]
    """
    return _between(one, other, 0, len(one), 0, len(other), keys)


def _between(
    one: Sequence[T],
    other: Sequence[T],
    low: int,
    high: int,
    left: int,
    right: int,
    keys: Sequence[Callable[[T], Hashable]],
) -> list[Pair]:
    first: list[Pair] = []
    last: list[Pair] = []
    if keys and low < high and left < right:
        key = keys[0]
        a, b = [key(x) for x in one[low:high]], [key(x) for x in other[left:right]]
        at = 0  # what is equal at both ends costs no search
        while at < min(len(a), len(b)) and a[at] == b[at]:
            first.append((low + at, left + at))
            at += 1
        end = 0
        while end < min(len(a), len(b)) - at and a[-1 - end] == b[-1 - end]:
            end += 1
        last = [(high - end + k, right - end + k) for k in range(end)]
        a, b = a[at : len(a) - end], b[at : len(b) - end]
        low, high, left, right = low + at, high - end, left + at, right - end
        middle: list[Pair] = []
        x, y = low, left
        for i, j, size in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
            middle += _between(one, other, x, low + i, y, left + j, keys[1:])
            middle += [(low + i + k, left + j + k) for k in range(size)]
            x, y = low + i + size, left + j + size
        return [*first, *middle, *last]
    return [*((k, None) for k in range(low, high)), *((None, k) for k in range(left, right))]
