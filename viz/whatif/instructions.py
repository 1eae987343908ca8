"""Instructions of the page's small machine, and the arrays that they make.

`player/web/whatif` runs the instructions. FIELDS is the one table of their fields, which the page
receives, too. An instruction is a list: its kind, then the fields. An operand is the number of an
array, or [a plain number]. A list of numbers may have [first, step, count] in place of a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from minipaddle.ops.recording_arrays import Traced, TracedNumber, Untraceable

Array = np.ndarray[Any, Any]
Operand = int | list[Any]
State = tuple[int, int]  # an array's number, number of writes into its memory so far

NAMES = ("bool", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")
DTYPES = {np.dtype(name): name for name in NAMES}  # NumPy takes microseconds for a dtype's name
FIELDS: dict[str, tuple[str, ...]] = {
    "leaf": ("made", "sources", "why"),  # given numbers, stale once a source has changed
    "constant": ("made", "numbers"),  # numbers that never change
    "view": ("made", "of", "offset", "strides"),  # other strides into the memory of an array
    "map": ("made", "ufunc", "operands"),  # an elementwise function
    "into": ("target", "ufunc", "operands"),  # an elementwise function, into an array's memory
    "reduce": ("made", "ufunc", "of", "axes"),  # a reduction over axes
    "running": ("made", "ufunc", "of", "axis"),  # cumulative sums or products
    "contract": ("made", "operands", "axes", "left"),  # products, summed over axes not in `left`
    "order": ("made", "which", "of", "axis"),  # argmax, argmin, argsort or sort
    "pick": ("made", "of", "indices", "at"),  # elements at indices that arrays hold
    "put": ("target", "indices", "at", "value", "ufunc"),  # writes, or adds, at such indices
    "places": ("made", "sources", "places"),  # elements from places that never change
    "asked": ("of", "least", "most"),  # a comparison, with the range in which its answer holds
}
OPERAND = {  # kind -> places of the fields with one operand, after the first field
    kind: [at for at, name in enumerate(names[1:]) if name in ("value", "of")]
    for kind, names in FIELDS.items()
}
OPERANDS = {  # kind -> places of the fields with a list of operands
    kind: [at for at, name in enumerate(names[1:]) if name in ("sources", "operands", "indices")]
    for kind, names in FIELDS.items()
}
WRITING = frozenset(("into", "put"))  # kinds that write into the memory of an array
SHORTEST_RUN = 4  # integers in the shortest run that is abbreviated


class Instructions:
    """A list of instructions, and the arrays of the recorded numbers.

    `cuts` are the positions in the code at which chapters begin, the first one 0.
    """

    def __init__(self) -> None:
        self.code: list[list[Any]] = []
        self.arrays: list[Array] = []
        self.cuts = [0]
        self.bases: dict[int, int] = {}  # view -> the array that owns its memory
        self.writes: Counter[int] = Counter()  # array -> number of writes into its memory
        self.copied: dict[int, State] = {}  # copy -> state of its source when it was copied
        self.snapshots: dict[tuple[State, int], int] = {}  # (state, number of chapters) -> array

    def packed(self) -> dict[str, Any]:
        """Return what `as_json` returns, with distances in place of numbers of arrays.

        An instruction's own array is as far from that of the one before, an operand as far before
        it, wherever in the program an op stands: such rows deflate well.
        """
        rows, last = [], -1
        for kind, made, *parts in self.code:
            rows.append([kind, made - last, *with_operands(kind, parts, made.__sub__)])
            last = made
        return {**self.as_json(), "code": rows}

    def as_json(self) -> dict[str, Any]:
        """Return the instructions, the fields of each kind, and each array's dtype and shape."""
        arrays = [[DTYPES[a.dtype], list(a.shape)] for a in self.arrays]
        kinds = sorted({kind for kind, *_ in self.code})
        return {"arrays": arrays, "code": self.code, "fields": {k: FIELDS[k] for k in kinds}}

    # ----- arrays -----

    def make(self, kind: str, array: Any, *what: Any) -> Traced:
        """Add an instruction that makes an array; return the array in C order, traced."""
        array = np.asarray(array, order="C")
        if array.dtype not in DTYPES:
            raise Untraceable(f"arrays of {array.dtype.name}")
        self.arrays.append(array)
        self.code.append([kind, len(self.arrays) - 1, *what])
        return Traced(array, len(self.arrays) - 1)

    def leaf(self, array: Any) -> Traced:
        """Add an array that the machine receives."""
        return self.kept(array, [], "")

    def kept(self, array: Any, made_from: Iterable[Traced], why: str = "python") -> Traced:
        """Add an array that stays as recorded, although it depends on other arrays."""
        sources = dict.fromkeys(each._number for each in made_from)
        return self.make("leaf", np.array(array), [*sources], why)

    def constant(self, array: Any) -> Traced:
        """Add an array that does not depend on leaves."""
        array = np.array(array)
        numbers = plain_numbers(array.astype("int8") if array.dtype == bool else array)
        if numbers and numbers.count(numbers[0]) == len(numbers):
            return self.make("map", array, "copy", [numbers[:1]])
        return self.make("constant", array, in_runs(numbers))

    def view(self, of: Traced, array: Any) -> Traced:
        """Add an array that is a view into the memory of another array."""
        base = of._array
        if array.dtype != base.dtype:
            raise Untraceable("the bytes of an array as another dtype")
        start, first = (a.__array_interface__["data"][0] for a in (array, base))
        offset = (start - first) // array.itemsize if array.size else 0
        self.arrays.append(array)
        number = len(self.arrays) - 1
        self.bases[number] = self.base(of._number)
        strides = [stride // array.itemsize for stride in array.strides]  # unit: elements
        self.code.append(["view", number, of._number, offset, strides])
        return Traced(array, number)

    def write(self, kind: str, target: Traced, *what: Any) -> None:
        """Add an instruction that writes into the memory of an array."""
        self.writes[self.base(target._number)] += 1
        self.code.append([kind, target._number, *what])

    def base(self, number: int) -> int:
        """Return the array that owns the memory of an array, perhaps itself."""
        return self.bases.get(number, number)

    def state(self, of: Traced) -> State:
        """Return a key of an array's present content; a copy has the key of its source."""
        number = of._number
        written = self.writes[self.base(number)]
        return (number, written) if written else self.copied.get(number, (number, 0))

    def snapshot(self, of: Traced) -> int:
        """Return the number of a copy that preserves an array's present content.

        Each chapter makes its own copy, in memory of that chapter.
        """
        key = self.state(of), len(self.cuts)
        if key not in self.snapshots:
            self.snapshots[key] = self.make("map", of._array.copy(), "copy", [of._number])._number
        return self.snapshots[key]

    # ----- operands -----

    def operand(self, thing: Any, dtype: Any = None) -> Operand:
        """Return the number of an array, or [a plain number], rounded to `dtype` if given."""
        if isinstance(thing, Traced):
            return thing._number
        array = np.asarray(thing)
        if array.dtype == object:
            raise Untraceable("a list of arrays")
        if array.ndim:
            return self.constant(array)._number
        return plain_numbers(array if dtype is None else array.astype(dtype))

    def operands(self, things: Any) -> list[Operand]:
        """Return the operands of one function; among float32 arrays, Python's numbers are rounded
        to float32.
        """
        plainly: list[Operand] = [t._number for t in things if t.__class__ is Traced]
        if len(plainly) == len(things):
            return plainly
        kinds = [t.dtype for t in things if hasattr(t, "dtype") and not isinstance(t, TracedNumber)]
        if not kinds or np.result_type(*kinds) != np.float32:
            return [self.operand(thing) for thing in things]
        return [self._round_operand(thing) for thing in things]

    def _round_operand(self, thing: Any) -> Operand:
        if isinstance(thing, TracedNumber):
            single = np.asarray(thing._array, "float32")
            return self.make("map", single, "copy", [thing._number])._number
        return self.operand(thing, "float32" if type(thing) in (float, int) else None)


def with_operands(kind: str, parts: list[Any], function: Callable[[int], Any]) -> list[Any]:
    """Return an instruction's parts, with a function applied to the array of each operand.

    parts: the instruction without its kind and first field.
    """
    made = [*parts]
    for at in OPERAND[kind]:
        if made[at].__class__ is int:
            made[at] = function(made[at])
    for at in OPERANDS[kind]:
        made[at] = [function(each) if each.__class__ is int else each for each in made[at]]
    return made


def plain_numbers(array: Any) -> list[Any]:
    """Return the elements as a flat list for JSON; NaN and infinity become texts."""
    numbers = np.ravel(array).tolist()
    return [str(n) if isinstance(n, float) and not np.isfinite(n) else n for n in numbers]


def in_runs(numbers: list[Any]) -> list[Any]:
    """Return a list of integers with [first, step, count] in place of its runs.

    >>> in_runs([7, 0, 1, 2, 3, 4, 9])
    [7, [0, 1, 5], 9]
    """
    if not all(type(number) is int for number in numbers):
        return numbers
    shorter: list[Any] = []
    at = 0
    while at < len(numbers):
        step = numbers[at + 1] - numbers[at] if at + 1 < len(numbers) else 0
        end = at + 1
        while end < len(numbers) and numbers[end] - numbers[end - 1] == step:
            end += 1
        if end - at >= SHORTEST_RUN:
            shorter.append([numbers[at], step, end - at])
            at = end
        else:
            shorter.append(numbers[at])
            at += 1
    return shorter
