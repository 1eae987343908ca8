"""Who holds memory from which step to which, written down while the steps are made."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .model import Memory, Row, Stay

ORDER = ("shared", "own", "fed", "saved", "leaf", "scope")
LASTING = ("leaf", "scope")  # what is there anyway
Key = tuple[Any, ...]


@dataclass(slots=True)
class Draft:
    """A row that may get more stays; a stay is [name, bytes, first, last, box], last is open."""

    label: str
    kind: str
    stays: list[list[Any]] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """The rows by key."""

    rows: dict[Key, Draft] = field(default_factory=dict)
    holders: dict[Key, set[int]] = field(default_factory=dict)  # of what is kept for backward
    held: dict[int, list[Key]] = field(default_factory=dict)  # by holder
    programs: dict[int, int] = field(default_factory=dict)  # that ran: first, second, ...
    first_values: dict[str, int] = field(default_factory=dict)  # of a persistable: the step

    def row(self, key: Key, label: str, kind: str) -> Draft:
        return self.rows.setdefault(key, Draft(label, kind))

    def hold(self, key: Key, holder: int, row: Draft, stay: list[Any]) -> None:
        """A holder more; with the first of them a stay begins."""
        if not self.holders.setdefault(key, set()):
            row.stays.append(stay)
        self.holders[key].add(holder)
        self.held.setdefault(holder, []).append(key)

    def let_go(self, holder: int, last: int) -> None:
        """The holder holds nothing more; what nobody holds was there until step `last`."""
        for key in self.held.pop(holder, ()):
            holders = self.holders[key]
            if holder in holders:
                holders.remove(holder)
                if not holders:
                    self.rows[key].stays[-1][3] = last

    def memory(self, steps: int) -> Memory:
        """Everything, with what is open closed at the last step, and how much there is when."""
        if not steps:
            return Memory()
        rows = []
        grown = {True: [0] * (steps + 1), False: [0] * (steps + 1)}
        for draft in sorted(self.rows.values(), key=lambda row: ORDER.index(row.kind)):
            stays = []
            for name, size, first, last, box in draft.stays:
                first = min(max(first, 0), steps - 1)
                last = min(max(first, steps if last is None else last), steps - 1)
                grown[draft.kind in LASTING][first] += size
                grown[draft.kind in LASTING][last + 1] -= size
                stays.append(Stay(name, size, first, last, box))
            largest = max((stay.nbytes for stay in stays), default=0)
            rows.append(Row(draft.label, draft.kind, largest, tuple(stays)))
        return Memory(
            tuple(rows), tuple(zip(summed(grown[False]), summed(grown[True]), strict=True))
        )


def summed(changes: list[int]) -> list[int]:
    """What there is at each step."""
    found, now = [], 0
    for change in changes[:-1]:
        now += change
        found.append(now)
    return found


def bytes_of(shape: tuple[int, ...], dtype: str) -> int:
    """The size of an array.

    >>> bytes_of((2, 3), "float64"), bytes_of((), "bool")
    (48, 1)
    """
    bits = re.search(r"\d+$", dtype)
    size = int(bits[0]) // 8 if bits else 1
    for n in shape:
        size *= n
    return size
