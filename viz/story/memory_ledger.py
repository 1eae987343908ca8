"""Who holds memory from which step to which, written down while the steps are made."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ..model import Memory, Row, Stay
from .draft import StepDraft

ORDER = ("shared", "own", "fed", "saved", "leaf", "scope")
LASTING = ("leaf", "scope")  # what is there anyway
Key = tuple[Any, ...]


@dataclass(slots=True)
class Held:
    """A value in memory, from its first step to its last one, or to the one before `until`."""

    name: str
    nbytes: int
    first: StepDraft | None
    last: StepDraft | None = None  # if `until` is None as well: to the end
    until: StepDraft | None = None
    box: str | None = None


@dataclass(slots=True)
class Draft:
    """A row that may get more stays."""

    label: str
    kind: str
    stays: list[Held] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """The rows by key."""

    rows: dict[Key, Draft] = field(default_factory=dict)
    holders: dict[Key, set[int]] = field(default_factory=dict)  # of what is kept for backward
    held: dict[int, list[Key]] = field(default_factory=dict)  # by holder
    programs: dict[int, int] = field(default_factory=dict)  # that ran: first, second, ...
    first_values: dict[str, StepDraft | None] = field(default_factory=dict)  # of persistables
    fetched: list[Held] = field(default_factory=list)  # goes when the run finishes

    def row(self, key: Key, label: str, kind: str) -> Draft:
        return self.rows.setdefault(key, Draft(label, kind))

    def hold(self, key: Key, holder: int, row: Draft, stay: Held) -> None:
        """A holder more; with the first of them a stay begins."""
        if not self.holders.setdefault(key, set()):
            row.stays.append(stay)
        self.holders[key].add(holder)
        self.held.setdefault(holder, []).append(key)

    def let_go(self, holder: int, until: StepDraft) -> None:
        """In this step the holder holds nothing more, nor does memory what nobody else holds."""
        for key in self.held.pop(holder, ()):
            holders = self.holders[key]
            if holder in holders:
                holders.remove(holder)
                if not holders:
                    self.rows[key].stays[-1].until = until

    def finish(self, last: StepDraft) -> None:
        """A run finishes in this step."""
        for stay in self.fetched:
            stay.last = last
        self.fetched = []

    def memory(self, steps: list[StepDraft]) -> Memory:
        """Everything by the numbers of its steps, and how much there is at each of them."""
        if not steps:
            return Memory()
        for i, step in enumerate(steps):
            step.number = i
        grown = {True: [0] * (len(steps) + 1), False: [0] * (len(steps) + 1)}
        rows = []
        for draft in sorted(self.rows.values(), key=lambda row: ORDER.index(row.kind)):
            stays = tuple(numbered(held, len(steps) - 1) for held in draft.stays)
            for stay in stays:
                grown[draft.kind in LASTING][stay.first] += stay.nbytes
                grown[draft.kind in LASTING][stay.last + 1] -= stay.nbytes
            largest = max((stay.nbytes for stay in stays), default=0)
            rows.append(Row(draft.label, draft.kind, largest, stays))
        live = zip(summed(grown[False]), summed(grown[True]), strict=True)
        return Memory(tuple(rows), tuple(live))


def numbered(held: Held, end: int) -> Stay:
    """The stay with the numbers of its steps; a step that was taken back has none."""
    first = max(held.first.number, 0) if held.first else 0
    last = end
    if held.last is not None and held.last.number >= 0:
        last = held.last.number
    if held.until is not None and held.until.number >= 0:
        last = held.until.number - 1
    return Stay(held.name, held.nbytes, first, max(first, last), held.box)


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
