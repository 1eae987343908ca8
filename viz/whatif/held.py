"""Arrays of a replay, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from minipaddle.ops.bound import reads_of

# What is known of numbers beside which rounding may have decided.
BENT = 1  # one of them lies where a derivative jumps
UNSURE = 2  # they depend on a decision between numbers that rounding may have parted


class Held:
    """An array of the replay, None where its numbers were not kept.

    `moved`: it is not what was recorded. `stale` says why it cannot be known. Tensors in one memory
    share `memory`, and with it what makes them stale.
    """

    __slots__ = ("array", "copied", "memory", "moved")

    def __init__(self, array: Any, stale: str = "", memory: Memory | None = None) -> None:
        self.array = array
        self.memory = memory or Memory(stale)
        self.moved = False
        self.copied: tuple[int, Any] = (-1, None)  # the last copy, and of which version

    def copy(self) -> Any:
        """What the array holds now; the same copy until something is written."""
        if self.copied[0] != self.memory.version:
            self.copied = self.memory.version, self.array.copy()
        return self.copied[1]

    def twin(self) -> Held:
        """The same numbers in a memory of its own."""
        twin = Held(None if self.array is None else self.array.copy(), self.stale)
        twin.memory.mark, twin.moved = self.memory.mark, self.moved
        return twin

    @property
    def stale(self) -> str:
        return self.memory.stale

    @property
    def differs(self) -> bool:
        """Whether it is, or may be, other than recorded."""
        return self.moved or bool(self.memory.stale)


class Memory:
    """What tensors in one memory have in common; `version` counts what was written into it, `mark`
    is BENT and UNSURE."""

    __slots__ = ("mark", "stale", "version")

    def __init__(self, stale: str = "") -> None:
        self.stale = stale
        self.version = self.mark = 0


def other_number() -> Held:
    """What stands among sources for a number of an op that is not as it was recorded."""
    held = Held(())
    held.moved = True
    return held


def shape_alone(held: Any) -> Any:
    """What is held where only its shape and dtype count: other numbers there change nothing."""
    if isinstance(held, (list, tuple)):
        return [shape_alone(each) for each in held]
    if held is None or held.stale in ("", "size"):
        return held
    return Held(held.array)


def read_for(op: Any, known: Mapping[str, Any]) -> list[Any]:
    """What the gradient rule of an op reads, by the names of its record."""
    rows = ((name, known.get(name)) for name in reads_of(op))
    return [held if name in op.saves else shape_alone(held) for name, held in rows]


def arrays_of(held: Any) -> Any:
    if isinstance(held, (list, tuple)):
        return [arrays_of(each) for each in held]
    return None if held is None else held.array


def flat(inputs: Iterable[Any]) -> list[Held]:
    """What is held, out of lists and without absent ones."""
    found: list[Held] = []
    for each in inputs:
        found += flat(each) if isinstance(each, (list, tuple)) else [] if each is None else [each]
    return found


def flat_arrays(values: Iterable[Any]) -> list[Any]:
    """The same of arrays."""
    found: list[Any] = []
    for each in values:
        nested = isinstance(each, (list, tuple))
        found += flat_arrays(each) if nested else [] if each is None else [each]
    return found


def one(results: Sequence[Held | None]) -> Held | None:
    """The first result, None where there is none."""
    return results[0] if results else None
