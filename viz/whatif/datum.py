"""Values of a replay: arrays, and whether they moved, are stale or bent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from minipaddle.ops.bound import names_read

# Marks of an array that rounding may have decided.
BENT = 1  # an element is at a point where a derivative jumps
UNSURE = 2  # the array depends on a decision between numbers that rounding may have swapped


class Datum:
    """An array of the replay, or None if its numbers were not stored.

    `moved`: whether the array differs from the recorded one. `stale`: the reason why the array
    cannot be computed, or "". Tensors that share memory share `memory`, which holds the reason.
    """

    __slots__ = ("array", "copied", "memory", "moved")

    def __init__(self, array: Any, stale: str = "", memory: Memory | None = None) -> None:
        self.array = array
        self.memory = memory or Memory(stale)
        self.moved = False
        self.copied: tuple[int, Any] = (-1, None)  # version and content of the last copy

    def copy(self) -> Any:
        """Return a copy of the array, the same copy for one version of the memory."""
        if self.copied[0] != self.memory.version:
            self.copied = self.memory.version, self.array.copy()
        return self.copied[1]

    def duplicate(self) -> Datum:
        """Return a datum with the same numbers and marks in its own memory."""
        twin = Datum(None if self.array is None else self.array.copy(), self.stale)
        twin.memory.mark, twin.moved = self.memory.mark, self.moved
        return twin

    @property
    def stale(self) -> str:
        return self.memory.stale

    @property
    def differs(self) -> bool:
        """Whether the array differs, or may differ, from the recorded one."""
        return self.moved or bool(self.memory.stale)


class Memory:
    """Facts about memory, shared by the tensors in it.

    `version` counts the writes; `mark` combines BENT and UNSURE.
    """

    __slots__ = ("mark", "stale", "version")

    def __init__(self, stale: str = "") -> None:
        self.stale = stale
        self.version = self.mark = 0


def changed_number() -> Datum:
    """Return a moved datum, as a source in place of an attribute that was changed."""
    number = Datum(())
    number.moved = True
    return number


def map_nested(function: Callable[[Any], Any], values: Any) -> Any:
    """Return nested lists of a function's results for each value; None stays None."""
    if isinstance(values, (list, tuple)):
        return [map_nested(function, each) for each in values]
    return None if values is None else function(values)


def arrays_of(values: Any) -> Any:
    """Return the arrays of values, in equally nested lists."""
    return map_nested(lambda value: value.array, values)


def flat(values: Iterable[Any]) -> list[Any]:
    """Return the values in nested lists as one list, without None."""
    found: list[Any] = []
    for each in values:
        found += flat(each) if isinstance(each, (list, tuple)) else [] if each is None else [each]
    return found


def by_name(op: Any, inputs: Sequence[Any], outputs: Any) -> dict[str, Any]:
    """Return a call's inputs and outputs by their names in the op's record."""
    known = dict(zip(op.inputs, inputs, strict=False))
    return known | dict(zip(op.outputs, [outputs] if op.list_result else outputs, strict=False))


def read_for(op: Any, known: Mapping[str, Any]) -> list[Any]:
    """Return the values that the gradient rule of an op reads.

    Where the rule reads only a shape or a dtype, stale numbers do not matter, unless of other size.
    """

    def shape_alone(value: Datum) -> Datum:
        return value if value.stale in ("", "size") else Datum(value.array)

    rows = ((name, known.get(name)) for name in names_read(op))
    return [value if name in op.saves else map_nested(shape_alone, value) for name, value in rows]


def first(results: Sequence[Datum | None]) -> Datum | None:
    """Return the first result, or None if there is none."""
    return results[0] if results else None
