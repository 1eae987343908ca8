"""Assignment of values to shared blocks of memory, so that nothing is overwritten too early.

A value is born when an instruction makes it, and dies after the last instruction that reads it or
a view of it. A block of memory holds one value after the other. The result of an elementwise
instruction may take over the memory of an operand that dies there, so copying a dying value costs
no call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from operator import attrgetter

from .recording import Instruction, Known, Values, refs_in


@dataclass
class Block:
    """Piece of memory, and the values that it holds one after the other."""

    number: int
    size: int = 0  # bytes of the block
    holds: list[int] = field(default_factory=list)


@dataclass
class Arrangement:
    """Assignment of values to blocks; other values get memory of their own in each run."""

    blocks: list[Block]
    block_of: dict[int, Block]
    born: dict[int, int]  # value -> instruction
    dies: dict[int, int]

    @property
    def used(self) -> int:
        """Bytes of all blocks."""
        return sum(block.size for block in self.blocks)


def nbytes(known: Known) -> int:
    return prod(known.shape) * known.dtype.itemsize


def arrange(values: Values, kept: set[int]) -> Arrangement:
    """Assign a block to every value that an instruction can write into given memory.

    `kept` values are read after the last instruction.
    """
    known, instructions = values.known, values.instructions
    born, dies = lifetimes(known, instructions, kept)
    plan = Arrangement([], {}, born, dies)
    free: list[Block] = []
    ends: dict[int, list[int]] = {}
    for value, end in dies.items():
        ends.setdefault(end, []).append(value)
    for position, instruction in enumerate(instructions):
        dying = [v for v in ends.get(position, ()) if v in plan.block_of]
        for value in instruction.makes:
            if value < 0 or not instruction.fills or value in values.private or known[value].inside:
                continue
            block = _find_dying(known, instruction, value, dying, plan.block_of)
            block = block or _take_free(free, nbytes(known[value]))
            if block is None:
                block = Block(len(plan.blocks))
                plan.blocks.append(block)
            block.size = max(block.size, nbytes(known[value]))
            block.holds.append(value)
            plan.block_of[value] = block
        for value in ends.get(position, ()):
            dead = plan.block_of.get(value)
            if dead is not None and dead.holds[-1] == value:
                free.append(dead)
    return plan


def lifetimes(
    known: list[Known], instructions: list[Instruction], kept: set[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return for each value the instruction that makes it, and the last that needs its memory."""
    born: dict[int, int] = {}
    dies: dict[int, int] = {}
    for position, instruction in enumerate(instructions):
        for value in instruction.makes:
            if value >= 0:
                born[value] = dies[value] = position
        for value in refs_in((instruction.args, instruction.kwargs)):
            dies[value] = position
        for value in instruction.exit.needs if instruction.exit else ():
            dies[value] = position  # the interpreter may run this operator again
    for value in kept:
        dies[value] = len(instructions)
    for value in sorted(dies, reverse=True):  # views come after their base
        for outer in known[value].inside:
            dies[outer] = max(dies.get(outer, -1), dies[value])
    return born, dies


def _find_dying(
    known: list[Known],
    instruction: Instruction,
    value: int,
    dying: list[int],
    block_of: dict[int, Block],
) -> Block | None:
    """Return the block of an operand that dies here and has the layout of the result."""
    if not instruction.elementwise and instruction.name != ".copy":
        return None
    layout = known[value][:3]
    for operand in refs_in(instruction.args):
        if operand in dying and known[operand][:3] == layout:
            block = block_of[operand]
            if block.holds[-1] == operand:
                return block
    return None


def _take_free(free: list[Block], size: int) -> Block | None:
    """Take the smallest free block that is large enough, else the largest one, which grows."""
    if not free:
        return None
    large = [block for block in free if block.size >= size]
    size_of = attrgetter("size")
    block = min(large, key=size_of) if large else max(free, key=size_of)
    free.remove(block)
    return block
