"""The steps of all ranks in one order: rows, as in a musical score; ranks that meet share a row.

The number of a row is Lamport's logical clock: one more than that of the rank's step before, and,
if ranks meet, one more than the last row of all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..model import Shown, Step, Story
from ..story.sentences.wording import NUMBER
from .collectives import Call, Collective, group_ranks


@dataclass(frozen=True)
class Part:
    """One rank: its number, its story, and its visible steps with their rows."""

    rank: int
    story: Story
    steps: tuple[Step, ...]
    rows: tuple[int, ...]
    calls: Mapping[int, Call]  # step -> its call

    def at(self, row: int) -> Step | None:
        """Return the rank's step in a row."""
        return self.by_row.get(row)

    @cached_property
    def by_row(self) -> dict[int, Step]:
        """Row -> step."""
        return dict(zip(self.rows, self.steps, strict=True))


@dataclass(frozen=True)
class Score:
    """All ranks: their parts, their collectives in the order of rows, and equal ranks.

    `folded` groups the ranks: those of one tuple have the same steps, lines, names and shapes, and
    differ in numbers only.
    """

    parts: Mapping[int, Part]
    collectives: tuple[Collective, ...]
    folded: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """Number of rows."""
        return 1 + max((row for part in self.parts.values() for row in part.rows), default=-1)

    def meanwhile(self, call: Call) -> tuple[Step, ...]:
        """Return the steps of a rank between the beginning of its call and the wait for it."""
        if call.begun is None:
            return ()
        steps = self.parts[call.rank].steps
        return tuple(step for step in steps if call.begun < step.index < call.step)

    def stopped(self) -> dict[int, Step]:
        """Map ranks to the step in which an exception outside of collectives ended their trace."""
        last = {rank: part.steps[-1] for rank, part in self.parts.items() if part.steps}
        return {
            rank: step
            for rank, step in last.items()
            if step.kind == "error" and step.index not in self.parts[rank].calls
        }

    def opens_at(self) -> int:
        """Return the row at which the page opens: the first with a mismatch or an error, or 0."""
        rows = [self.row_of(each) for each in self.collectives if each.trouble]
        rows += [self.parts[rank].rows[-1] for rank in self.stopped()]
        return min(rows, default=0)

    def row_of(self, collective: Collective) -> int:
        """Return the row in which the ranks meet, or in which the first rank arrives."""
        rows = []
        for rank, call in collective.calls.items():
            part = self.parts[rank]
            rows += [r for r, s in zip(part.rows, part.steps, strict=True) if s.index == call.step]
        return min(rows)


def score_of(
    stories: Mapping[int, Story], calls: Mapping[int, Sequence[Call]], found: Sequence[Collective]
) -> Score:
    """Return the score of some ranks."""
    steps = {r: [s for s in story.steps if not s.of_memory] for r, story in stories.items()}
    own = {rank: {call.step: call for call in calls[rank]} for rank in stories}
    meeting = {(r, c.step): each for each in found for r, c in each.calls.items()}
    rows, waiting = rows_of({r: [s.index for s in row] for r, row in steps.items()}, meeting)
    parts = {
        rank: Part(rank, stories[rank], tuple(steps[rank]), tuple(rows[rank]), own[rank])
        for rank in sorted(stories)
    }
    collectives = tuple(replace(each, waits=each.id in waiting) for each in found)
    return Score(parts, collectives, fold_ranks(parts))


def rows_of(
    steps: Mapping[int, Sequence[int]], meeting: Mapping[tuple[int, int], Collective]
) -> tuple[dict[int, list[int]], set[str]]:
    """Map ranks to the rows of their steps; return also the ids of collectives that would deadlock.

    >>> rows_of({0: [5, 6], 1: [7]}, {})
    ({0: [0, 1], 1: [0]}, set())
    """
    rows: dict[int, list[int]] = {rank: [] for rank in steps}
    alone: set[str] = set()

    def clock(rank: int) -> int:
        return rows[rank][-1] + 1 if rows[rank] else 0

    def due(rank: int) -> int | None:
        return steps[rank][len(rows[rank])] if len(rows[rank]) < len(steps[rank]) else None

    def come(rank: int, each: Collective) -> bool:
        return due(rank) == each.calls[rank].step

    while any(due(rank) is not None for rank in steps):
        moved = False
        for rank in steps:
            while (step := due(rank)) is not None:
                each = meeting.get((rank, step))
                if each is None or each.id in alone:
                    rows[rank].append(clock(rank))
                elif all(come(other, each) for other in each.calls):
                    row = max(clock(other) for other in each.calls)
                    for other in each.calls:
                        rows[other].append(row)
                else:
                    break
                moved = True
        if not moved:  # all ranks wait: continue without the earliest collective
            blocked = min((r for r in steps if due(r) is not None), key=clock)
            alone.add(meeting[blocked, steps[blocked][len(rows[blocked])]].id)
    return rows, alone


# ----- ranks with equal work ---------------------------------------------------------------------


def fold_ranks(parts: Mapping[int, Part]) -> tuple[tuple[int, ...], ...]:
    """Return the ranks grouped by equal work, in the order of their numbers."""
    same = group_ranks({rank: work_of(part) for rank, part in parts.items()})
    return tuple(map(tuple, same.values()))


def work_of(part: Part) -> tuple[Any, ...]:
    """Return a key of all steps of a rank, without the numbers that it computes."""
    return tuple(
        (
            row,
            step.kind,
            step.nodes,
            part.story.code_at(step.told_line)[0],
            forms(step),
            part_in(part, step),
        )
        for row, step in zip(part.rows, part.steps, strict=True)
    )


def forms(step: Step) -> tuple[Any, ...]:
    """Return names, roles and forms of a step's values, without numbers as in `rows[3]`."""
    return tuple((NUMBER.sub("0", each.name), each.role, form(each)) for each in step.shown)


def form(shown: Shown) -> Any:
    return shown.value and (tuple(shown.value["shape"]), shown.value["dtype"])


def part_in(part: Part, step: Step) -> Any:
    """Return a key of a rank's part in a collective: group, options, giving and getting."""
    call = part.calls.get(step.index)
    return call and (call.key, call.op, call.how, call.gives, call.gets, call.begun)
