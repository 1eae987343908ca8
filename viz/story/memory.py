"""Memory: what the values of a run share, and what is kept for backward and let go of.

In eager mode nothing tells when a tensor goes: what is told is what the tape holds on to.
"""

from __future__ import annotations

from collections.abc import Iterator

from minipaddle import events

from .memory_ledger import Held, bytes_of
from .program_boxes import ProgramBoxes, program_of
from .state import World

NAMES = 3  # of one value that are told

# ----- eager -------------------------------------------------------------------------------------


def tensor_saved(world: World, event: events.TensorSaved) -> None:
    """A node of the tape holds on to a tensor."""
    tape, seen = world.tape.get(event.node), event.tensor
    if tape is None or tape.keeping is None:
        return
    ledger, key = world.memory, ("saved", seen.id, seen.version)
    call = world.calls.get(tape.call)
    name = world.inner_thing(call, seen, event.slot).called
    row = ledger.row(key, name, "leaf" if seen.id in world.leaves else "saved")
    size = bytes_of(seen.value.shape, seen.value.dtype)
    held = Held(name, size, tape.keeping, box=world.saved_source(call, seen))
    ledger.hold(key, event.node, row, held)


def saved_released(world: World, event: events.SavedReleased) -> None:
    """It lets go, which is the last step by now."""
    if world.draft.steps:
        world.memory.let_go(event.node, world.draft.steps[-1])


# ----- Programs ----------------------------------------------------------------------------------


def planned(world: World, event: events.MemoryPlanned) -> None:
    """A run is over: who held which block from step to step, and what its sentences add."""
    if event.program in world.startup:
        return
    program, ledger = program_of(world, event.program), world.memory
    number = ledger.programs.setdefault(event.program, len(ledger.programs) + 1)
    blocks = list(labelled(event, f"·{number}" if number > 1 else ""))
    for label, block in blocks:
        kind = "shared" if label else block.kind
        for stay, before in zip(block.stays, (None, *block.stays), strict=False):
            name = called(stay)
            row = ledger.row((event.program, kind, label or name), label or name, kind)
            held = Held(name, max(stay.nbytes, 0), program.began, box=box_of(program, stay))
            held.first = program.ran.get(stay.born, program.began)
            if kind == "scope":
                held.first = ledger.first_values.setdefault(name, held.first)
            elif stay.freed < 0:
                held.last = held.first
            else:
                held.last = program.ran.get(stay.freed)
                ledger.fetched += [held] if held.last is None else []
            if kind != "scope" or not row.stays:
                row.stays.append(held)
            born = program.ran.get(stay.born)
            if kind == "shared" and born is not None:
                told = name, label, called(before) if before else ""
                born.facts.setdefault("memory", []).append(told)
    fates(program, blocks)


def called(stay: events.Stay) -> str:
    """The Variables that lie there."""
    more = "…" if len(stay.names) > NAMES else ""
    return " & ".join(stay.names[:NAMES]) + more


def box_of(program: ProgramBoxes, stay: events.Stay) -> str | None:
    """The box of a value in the picture."""
    tables = program.makers, program.leaves
    return next((table[n] for n in stay.names for table in tables if n in table), None)


def fates(program: ProgramBoxes, blocks: list[tuple[str, events.MemoryBlock]]) -> None:
    """What becomes of the memory of each variable that is freed."""
    where: dict[str, list[tuple[events.Stay, str, events.Stay | None]]] = {}
    for label, block in blocks:
        for stay, after in zip(block.stays, (*block.stays, None)[1:], strict=True):
            for name in stay.names:
                where.setdefault(name, []).append((stay, label, after))
    for operator, step in program.frees.items():
        found: list[tuple[str, str, str]] = []
        for name in step.facts["names"]:
            for stay, label, after in where.get(name, ()):
                if stay.born <= operator <= stay.freed:
                    found.append(fate(name, operator, stay, label, after))
        step.facts["memory"] = list(dict.fromkeys(found))


def labelled(event: events.MemoryPlanned, tag: str) -> Iterator[tuple[str, events.MemoryBlock]]:
    """Blocks with their names; memory that is not shared has none."""
    blocks = 0
    for block in event.blocks:
        shared = block.kind not in ("own", "fed", "scope")
        yield (f"b{blocks}{tag}" if shared else ""), block
        blocks += shared


def fate(
    name: str, operator: int, stay: events.Stay, label: str, after: events.Stay | None
) -> tuple[str, str, str]:
    """What becomes of it: (stays, name, for whom), (over, block, to whom), (free, block, "")."""
    if stay.freed > operator:
        return "stays", name, ", ".join(n for n in stay.names if n != name)
    if not label:
        return "gone", name, ""
    if after is not None and after.born == operator:
        return "over", label, called(after)
    return "free", label, ""
