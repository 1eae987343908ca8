"""Memory: blocks that the values of a run share, and tensors saved for backward until release.

In eager mode no event reports when a tensor is freed: only tensors that the tape holds are known.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import prod

from minipaddle import events
from minipaddle.ops import REGISTRY

from ..model import Live, Memory, Row, Stay
from .draft import AnyStep, Draft
from .programs import Program, Programs
from .sentences.programs import BlockUse, ExecuteStep, Fate
from .tape import Tape
from .tensors import Tensors

NAMES = 3  # most names of one value that are listed
ORDER = ("shared", "own", "fed", "saved", "leaf", "scope")
LASTING = ("leaf", "scope")  # kinds of memory that is not freed

# ----- holders of memory -------------------------------------------------------------------------


@dataclass(slots=True)
class StayDraft:
    """A value in memory, from its first step to its last one, or to the one before `until`."""

    name: str
    nbytes: int
    first: AnyStep | None
    last: AnyStep | None = None  # None, and `until` None: the value stays to the end
    until: AnyStep | None = None
    box: str | None = None


@dataclass(slots=True)
class RowDraft:
    """A row of memory to which stays are added."""

    label: str
    kind: str
    stays: list[StayDraft] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """Rows of memory by key, and the holders of saved tensors."""

    rows: dict[Hashable, RowDraft] = field(default_factory=dict)
    holders: dict[Hashable, set[int]] = field(default_factory=dict)  # row -> grad nodes holding it
    held: dict[int, list[Hashable]] = field(default_factory=dict)  # grad node -> rows that it holds

    def row(self, key: Hashable, label: str, kind: str) -> RowDraft:
        return self.rows.setdefault(key, RowDraft(label, kind))

    def hold(self, key: Hashable, holder: int, row: RowDraft, stay: StayDraft) -> None:
        """Add a holder of a row; the first holder begins a stay."""
        if not self.holders.setdefault(key, set()):
            row.stays.append(stay)
        self.holders[key].add(holder)
        self.held.setdefault(holder, []).append(key)

    def let_go(self, holder: int, until: AnyStep) -> None:
        """Release a holder's rows in step `until`; a row without other holders ends its stay."""
        for key in self.held.pop(holder, ()):
            holders = self.holders[key]
            if holder in holders:
                holders.remove(holder)
                if not holders:
                    self.rows[key].stays[-1].until = until

    def memory(self, steps: list[AnyStep]) -> Memory:
        """Return the rows with step indices, and the bytes at each step."""
        if not steps:
            return Memory()
        for i, step in enumerate(steps):
            step.number = i
        grown = {True: [0] * (len(steps) + 1), False: [0] * (len(steps) + 1)}
        rows = []
        for draft in sorted(self.rows.values(), key=lambda row: ORDER.index(row.kind)):
            stays = tuple(number_stay(held, len(steps) - 1) for held in draft.stays)
            for stay in stays:
                grown[draft.kind in LASTING][stay.first] += stay.nbytes
                grown[draft.kind in LASTING][stay.last + 1] -= stay.nbytes
            pairs = pairwise(stays) if draft.kind == "shared" else ()
            for stay, after in pairs:  # two stays in one block overlap in a step: count it once
                twice = min(stay.nbytes, after.nbytes) if after.first <= stay.last else 0
                grown[draft.kind in LASTING][after.first] -= twice
                grown[draft.kind in LASTING][stay.last + 1] += twice
            largest = max((stay.nbytes for stay in stays), default=0)
            rows.append(Row(draft.label, draft.kind, largest, stays))
        live = map(Live, *(accumulate(grown[lasting][:-1]) for lasting in (False, True)))
        is_open = any(self.holders.values())  # no event says when Python frees these graphs
        return Memory(tuple(rows), tuple(live), is_open)


def number_stay(held: StayDraft, end: int) -> Stay:
    """Return a stay with the indices of its steps; steps that are not in the story have none."""
    first = max(held.first.number, 0) if held.first else 0
    last = end
    if held.last is not None and held.last.number >= 0:
        last = held.last.number
    if held.until is not None and held.until.number >= 0:
        last = held.until.number - 1
    return Stay(held.name, held.nbytes, first, max(first, last), held.box)


def bytes_of(shape: tuple[int, ...], dtype: str) -> int:
    """Return the size of an array in bytes.

    >>> bytes_of((2, 3), "float64"), bytes_of((), "bool")
    (48, 1)
    """
    bits = re.search(r"\d+$", dtype)
    return prod(shape) * (int(bits[0]) // 8 if bits else 1)


# ----- handlers of events ------------------------------------------------------------------------


@dataclass(slots=True)
class MemoryKeeper:
    """Notes which values are in memory, by the steps that the other builders make."""

    draft: Draft
    tape: Tape
    tensors: Tensors
    programs: Programs
    ledger: Ledger = field(default_factory=Ledger)
    order: dict[int, int] = field(default_factory=dict)  # program that ran -> 1, 2, ...
    # Persistable variable -> the step in which it got its first value.
    first_values: dict[str, AnyStep | None] = field(default_factory=dict)
    owners: dict[int, events.Seen] = field(default_factory=dict)  # view -> owner of its memory
    fetched: list[StayDraft] = field(default_factory=list)  # stays that end when the run finishes

    def op_finished(self, event: events.OpFinished) -> None:
        """Note the owner of a view's memory."""
        record = REGISTRY.get(event.op)
        if record is not None and record.view and event.inputs:
            for seen in event.outputs:
                if isinstance(event.inputs[0], events.Seen):
                    whole = event.inputs[0]
                    self.owners[seen.id] = self.owners.get(whole.id, whole)

    def values_taken(self, event: events.ValuesTaken) -> None:
        """Note the owner of a detached tensor's memory, and of an in-place op's result."""
        source, seen = event.source, event.tensor
        if event.way == "alias":
            self.owners[seen.id] = self.owners.get(source.id, source)
        elif event.way == "result":
            self.owners[source.id] = self.owners.get(seen.id, seen)

    def tensor_saved(self, event: events.TensorSaved) -> None:
        """Note that a grad node holds a tensor; a view keeps the whole memory that it shows."""
        node, seen = self.tape.nodes.get(event.node), event.tensor
        if node is None or node.keeping is None:
            return
        saved, owner = node.saved[-1], self.owners.get(seen.id, seen)
        name, box = saved.name, saved.source
        size = bytes_of(owner.value.shape, owner.value.dtype)
        if owner.id != seen.id:
            name = self.tensors.thing(owner).called
            box = self.tensors.produced.get(owner.id, box)
        key = ("saved", owner.id)
        kind = "leaf" if owner.id in self.tensors.leaves else "saved"
        if kind == "leaf":  # not the parameter of a PyLayer's forward
            name = self.tensors.outer_name(owner) or name
        row = self.ledger.row(key, name, kind)
        held = StayDraft(name, size, node.keeping, box=box)
        self.ledger.hold(key, event.node, row, held)

    def saved_released(self, event: events.SavedReleased) -> None:
        """Note that a grad node released its tensors in the last step."""
        if self.draft.steps:
            self.ledger.let_go(event.node, self.draft.steps[-1])

    def run_finished(self, event: events.RunFinished) -> None:
        """End the stays of fetched values; note the first values from a startup program."""
        step = self.draft.steps[-1]
        if event.program in self.programs.startup:
            for name in self.programs.program(event.program).run.made:
                self.first_values.setdefault(name, step)
            return
        for held in self.fetched:
            held.last = step
        self.fetched = []

    def planned(self, event: events.MemoryPlanned) -> None:
        """Note the stays of values in a run's blocks, and complete the sentences of its steps."""
        if event.program in self.programs.startup or not event.blocks:
            return
        program = self.programs.program(event.program)
        number = self.order.setdefault(event.program, len(self.order) + 1)
        blocks = list(labelled_blocks(event, f"·{number}" if number > 1 else ""))
        for label, block in blocks:
            kind = "shared" if label else block.kind
            for stay, before in zip(block.stays, (None, *block.stays), strict=False):
                name = variables_of(stay)
                row = self.ledger.row((event.program, kind, label or name), label or name, kind)
                if kind != "scope" or not row.stays:
                    row.stays.append(self._draft_stay(program, stay, kind))
                born = program.run.ran.get(stay.born)
                if kind == "shared" and born is not None:
                    was = variables_of(before) if before else ""
                    born.facts.memory.append(BlockUse(name, label, was))
        add_fates(program, blocks)

    def _draft_stay(self, program: Program, stay: events.Stay, kind: str) -> StayDraft:
        """Return the stay of a run's value."""
        name = variables_of(stay)
        held = StayDraft(name, max(stay.nbytes, 0), program.run.began, box=box_of(program, stay))
        held.first = program.run.ran.get(stay.born, program.run.began)
        if kind == "scope":
            held.first = self.first_values.setdefault(name, held.first)
        elif stay.freed < 0:
            held.last = held.first
        else:
            held.last = program.run.ran.get(stay.freed)
            self.fetched += [held] if held.last is None else []
        return held

    def memory(self) -> Memory:
        return self.ledger.memory(self.draft.steps)


def variables_of(stay: events.Stay) -> str:
    """Return the names of the Variables in a stay, at most three."""
    more = "…" if len(stay.names) > NAMES else ""
    return " & ".join(stay.names[:NAMES]) + more


def box_of(program: Program, stay: events.Stay) -> str | None:
    """Return the box of a stay's value in the picture, or None."""
    tables = program.makers, program.leaves
    return next((table[n] for n in stay.names for table in tables if n in table), None)


def add_fates(program: Program, blocks: list[tuple[str, events.MemoryBlock]]) -> None:
    """Add the fate of freed memory to each step that frees variables."""
    where: dict[str, list[tuple[events.Stay, str, events.Stay | None]]] = {}
    for label, block in blocks:
        for stay, after in zip(block.stays, (*block.stays, None)[1:], strict=True):
            for name in stay.names:
                where.setdefault(name, []).append((stay, label, after))
    gone, made = set[str](), dict[str, int]()
    for operator, ran in program.run.ran.items():
        if isinstance(ran.facts, ExecuteStep):
            made = dict.fromkeys([thing.called for thing in ran.facts.outputs], operator) | made
    for operator, step in program.run.frees.items():
        gone.update(step.facts.names)
        unborn = {name for name, born in made.items() if born > operator}
        lines = [
            fate(name, operator, stay, label, after, gone | unborn)
            for name in step.facts.names
            for stay, label, after in where.get(name, ())
            if stay.born <= operator <= stay.freed
        ]
        step.facts.memory[:] = dict.fromkeys(lines)


def labelled_blocks(
    event: events.MemoryPlanned, tag: str
) -> Iterator[tuple[str, events.MemoryBlock]]:
    """Yield the blocks with their labels, "" for memory that is not shared."""
    blocks = 0
    for block in event.blocks:
        shared = block.kind not in ("own", "fed", "scope")
        yield (f"b{blocks}{tag}" if shared else ""), block
        blocks += shared


def fate(
    name: str,
    at: int,
    stay: events.Stay,
    label: str,
    after: events.Stay | None,
    gone: AbstractSet[str],
) -> Fate:
    """Return what becomes of a value's memory after operator `at`; `gone` are needed no longer, or
    not made yet."""
    if stay.freed > at:
        others = [n for n in stay.names if n != name]
        needed = [n for n in others if n not in gone]
        return Fate("stays", name, ", ".join(needed or others))
    if not label:
        return Fate("gone", name)
    if after is not None and after.born == at < after.freed:
        return Fate("over", label, variables_of(after))
    return Fate("free", label)
