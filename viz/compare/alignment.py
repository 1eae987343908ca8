"""Alignment of two sequences of steps."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

T = TypeVar("T")

Pair = tuple[int | None, int | None]


def align(one: Sequence[T], other: Sequence[T], *keys: Callable[[T], Hashable]) -> list[Pair]:
    """Match the items of two sequences, in order; return pairs of positions, with None for a gap.

    Items are matched by the first key; items between matches by the next key, and so on.

    >>> align("abcd", "abxd", str)
    [(0, 0), (1, 1), (2, None), (None, 2), (3, 3)]
    """

    def between(low: int, high: int, left: int, right: int, depth: int) -> Iterator[Pair]:
        if depth == len(keys) or low == high or left == right:
            yield from ((k, None) for k in range(low, high))
            yield from ((None, k) for k in range(left, right))
            return
        a, b = ([keys[depth](x) for x in part] for part in (one[low:high], other[left:right]))
        at = 0  # equal items at both ends need no search
        while at < min(len(a), len(b)) and a[at] == b[at]:
            yield low + at, left + at
            at += 1
        end = 0
        while end < min(len(a), len(b)) - at and a[-1 - end] == b[-1 - end]:
            end += 1
        x = y = at
        rest = SequenceMatcher(None, a[at : len(a) - end], b[at : len(b) - end], autojunk=False)
        for i, j, size in rest.get_matching_blocks():
            yield from between(low + x, low + at + i, left + y, left + at + j, depth + 1)
            x, y = at + i + size, at + j + size
            yield from ((low + x - k, left + y - k) for k in range(size, 0, -1))
        yield from ((high - k, right - k) for k in range(end, 0, -1))

    return list(between(0, len(one), 0, len(other), 0))
