"""The instructions of a whole trace, cut into chapters: parts of a trace with one graph each.

Arrays of earlier chapters become leaves that are linked to the arrays' last state, so chapters that
do the same have the same instructions. Instructions whose results are not needed are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .instructions import WRITING, Instructions, with_operands


class Link(NamedTuple):
    """An array of another chapter: `array` is its number in that chapter."""

    chapter: int
    array: int


class Part(NamedTuple):
    """Instructions of a chapter; `numbers` maps arrays of the whole trace to the chapter's."""

    instructions: Instructions
    numbers: dict[int, int]
    links: dict[int, Link]  # leaf -> the array of an earlier chapter whose content it has

    @property
    def given(self) -> Iterator[tuple[int, int]]:
        """Unlinked leaves: (number in the whole trace, number in the chapter)."""
        whole = {here: number for number, here in self.numbers.items()}
        for kind, number, *_ in self.instructions.code:
            if kind == "leaf" and number not in self.links:
                yield whole[number], number


def parts_of(whole: Instructions, wanted: Iterable[Iterable[int]]) -> list[Part]:
    """Return the instructions with which each chapter computes its wanted arrays."""
    asked = [{*numbers} for numbers in wanted]
    ends = [*whole.cuts[1:], len(whole.code)]
    needed: list[set[int]] = []
    foreign: list[list[int]] = []
    kept: list[list[int]] = []
    owners = owners_of(whole)
    for chapter in reversed(range(len(ends))):
        span = range(whole.cuts[chapter], ends[chapter])
        rows, numbers = needed_rows(whole, span, asked[chapter])
        bases = {whole.base(number) for number in numbers}
        outside = sorted(base for base in bases if owners[base][0] < chapter)
        for base in outside:
            asked[owner(owners[base], chapter)].add(base)
        kept.insert(0, rows)
        needed.insert(0, numbers)
        foreign.insert(0, outside)
    parts: list[Part] = []
    earlier: dict[int, int] = {}  # view -> the instruction of an earlier chapter that made it
    for chapter, (rows, numbers, outside) in enumerate(zip(kept, needed, foreign, strict=True)):
        draft, links = Draft(whole), {}
        for base in outside:
            at = owner(owners[base], chapter)
            links[draft.leaf(base)] = Link(at, parts[at].numbers[base])
        for row in (*views_from(earlier, whole, numbers), *rows):
            draft.add(whole.code[row])
        for row in range(whole.cuts[chapter], ends[chapter]):
            if whole.code[row][0] == "view":
                earlier[whole.code[row][1]] = row
        parts.append(Part(draft.instructions, draft.numbers, links))
    return parts


def needed_rows(whole: Instructions, span: range, asked: set[int]) -> tuple[list[int], set[int]]:
    """Return a chapter's instructions on which the asked arrays depend, and all arrays in them."""
    numbers = set(asked)
    base_of = whole.bases.get
    memories = {base_of(number, number) for number in asked}
    rows: list[int] = []
    for row in reversed(span):
        kind, *what = whole.code[row]
        made = what[0]
        if kind == "view":
            if made not in numbers:
                continue
        elif base_of(made, made) not in memories:
            continue
        rows.append(row)
        reads = [made]
        with_operands(kind, what[1:], reads.append)
        numbers.update(reads)
        memories.update([base_of(number, number) for number in reads])
    rows.reverse()
    return rows, numbers | memories


def views_from(rows: Mapping[int, int], whole: Instructions, numbers: set[int]) -> list[int]:
    """Return the rows that make the views among some arrays, and the views on which they lie."""
    found: set[int] = set()
    for number in numbers:
        while (row := rows.get(number)) is not None and row not in found:
            found.add(row)
            number = whole.code[row][2]
    return sorted(found)


def owners_of(whole: Instructions) -> dict[int, list[int]]:
    """Return memory -> chapters that made or wrote it; an array's number names its memory."""
    owners: dict[int, list[int]] = {}
    ends = [*whole.cuts[1:], len(whole.code)]
    for chapter, (first, last) in enumerate(zip(whole.cuts, ends, strict=True)):
        for kind, made, *_ in whole.code[first:last]:
            if kind not in ("view", "asked"):
                known = owners.setdefault(whole.base(made), [])
                if not known or known[-1] != chapter:
                    known.append(chapter)
    return owners


def owner(chapters: list[int], before: int) -> int:
    """Return the last of some chapters, which are in order, before another chapter."""
    return chapters[bisect_left(chapters, before) - 1]


class Draft:
    """Instructions of a chapter, whose arrays are renumbered from 0."""

    def __init__(self, whole: Instructions) -> None:
        self.whole = whole
        self.instructions = Instructions()
        self.numbers: dict[int, int] = {}

    def leaf(self, number: int) -> int:
        """Add an array of another chapter as a leaf; return its number in this chapter."""
        self.add(["leaf", number, [], ""])
        return self.numbers[number]

    def add(self, instruction: list[Any]) -> None:
        """Add an instruction of the whole trace, renumbered."""
        kind, made, *what = instruction
        numbers, arrays = self.numbers, self.instructions.arrays
        if kind not in WRITING and kind != "asked":
            numbers[made] = len(arrays)
            arrays.append(self.whole.arrays[made])
        parts = with_operands(kind, what, numbers.__getitem__)
        self.instructions.code.append([kind, numbers[made], *parts])
