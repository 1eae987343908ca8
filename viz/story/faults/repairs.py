"""Repairs of a call that failed: changed calls that run, with the shapes of their results.

A repair has one change: an operand transposed, with one axis more or less, or in another dtype;
another axis; an open size of a reshape. The changed call runs as in the engine, by inference and
kernel, on the recorded numbers (or zeros). Nothing is taped, emitted or written, and a repair need
not be what the user meant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from minipaddle.ops.bound import common_dtype

from ...document.op_facts import UNFIT
from ...whatif.revive import REFUSALS, kernel_of
from .call import Argument, Array, FailedCall

ROOM = 10**6  # most elements of the arguments, and of a result
NAME = re.compile(r"[\w.#\[\]']+|\w+\([^()]*\)")  # code that needs no brackets before a method
WHOLE, REAL = "int64", "float32"  # usual dtypes of positions and of numbers
OPERATORS = {
    "matmul": "@",
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "elementwise_pow": "**",
    "equal": "==",
    "not_equal": "!=",
    "less_than": "<",
    "less_equal": "<=",
    "greater_than": ">",
    "greater_equal": ">=",
}


class Repair(NamedTuple):
    """A changed call that ran, and the shape of its result."""

    code: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of elements of the result."""
        return math.prod(self.shape)


class Operand(NamedTuple):
    """An argument of a changed call, and its code."""

    code: str
    array: Array


class Try(NamedTuple):
    """A call with one change, not yet run."""

    code: str
    operands: Sequence[Operand]
    attrs: Attrs


Attrs = dict[str, Any]
Edit = Callable[[Argument], Iterator[Operand]]  # function: argument -> changed operands


def repairs_of(call: FailedCall) -> list[Repair]:
    """Return the repairs that ran; for most ops the result is no larger than an argument."""
    sizes = [each.size for each in call.given]
    known = call.whole and all(n >= 0 for each in call.given for n in each.shape)
    if call.op is None or call.op.random or call.op.remote or not known or sum(sizes) > ROOM:
        return []
    try:
        attrs = call.op.complete({key: as_tuples(value) for key, value in call.attrs.items()})
        tried = list(tries(call, attrs))
    except REFUSALS:
        return []
    ran = (repair for each in tried if (repair := run(call.op, each)))
    usual = math.inf if call.multiplies or call.joins or call.convolves else max(*sizes, 1)
    return [repair for repair in ran if repair.size <= usual]


def as_tuples(value: Any) -> Any:
    """Return nested lists as tuples, which kernels take."""
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def run(op: Any, each: Try) -> Repair | None:
    """Return the repair if a changed call runs, else None."""
    with suppress(*REFUSALS), np.errstate(all="ignore"):
        arrays: list[Any] = [operand.array for operand in each.operands]
        if op.promotes and arrays[-2].dtype != arrays[-1].dtype:
            dtype = common_dtype(op, *arrays[-2:])
            arrays = [*arrays[:-2], *(array.astype(dtype) for array in arrays[-2:])]
        kernel = kernel_of(op, arrays, each.attrs, ROOM)
        if kernel:
            return Repair(each.code, kernel(arrays)[0].shape)
    return None


# ----- changes of a call -------------------------------------------------------------------------


def tries(call: FailedCall, attrs: Attrs) -> Iterator[Try]:
    """Yield the changed calls to try, changes of shapes first."""
    if call.multiplies:
        yield from change(call, attrs, transpose, flatten)
        x, y = map(as_given, call.given)
        yield Try(spell(call, (y, x), attrs), (y, x), attrs)
    elif call.joins:
        yield from along_others(call, attrs)
        yield from change(call, attrs, transpose, add_axis, drop_axis)
    elif call.op.broadcasts:
        yield from change(call, attrs, transpose, add_axis, drop_axis)
    elif call.name == "reshape":
        yield from open_sizes(call, attrs)
    elif call.convolves:
        yield from change(call, attrs, add_batch, channels_first, most=1)
    else:
        yield from along_others(call, attrs)
    yield from cast(call, attrs)


def change(call: FailedCall, attrs: Attrs, *edits: Edit, most: int | None = None) -> Iterator[Try]:
    """Yield the call with one of the first `most` operands changed, the last operand first."""
    for at in reversed(range(len(call.given))[:most]):
        for edit in edits:
            for operand in edit(call.given[at]):
                yield with_operand(call, attrs, at, operand)


def with_operand(call: FailedCall, attrs: Attrs, at: int, operand: Operand) -> Try:
    """Return the call with operand `at` replaced."""
    operands = [*map(as_given, call.given)]
    operands[at] = operand
    return Try(spell(call, operands, attrs), operands, attrs)


def along_others(call: FailedCall, attrs: Attrs) -> Iterator[Try]:
    """Yield the call with each other axis, or with `perm` as all axes reversed."""
    operands, axis, perm = [*map(as_given, call.given)], attrs.get("axis"), attrs.get("perm")
    rank = max((len(each.shape) for each in call.given), default=0)
    within = type(axis) is int and -rank <= axis < rank
    if type(axis) in (int, tuple) and call.name != "stack" and (call.joins or not within):
        for other in range(rank):
            changed = {**attrs, "axis": other}
            yield Try(spell(call, operands, changed), operands, changed)
    if isinstance(perm, (list, tuple)) and sorted(perm) != list(range(rank)):
        changed = {**attrs, "perm": tuple(reversed(range(rank)))}
        yield Try(spell(call, operands, changed), operands, changed)


def open_sizes(call: FailedCall, attrs: Attrs) -> Iterator[Try]:
    """Yield a reshape with one of its sizes left open."""
    operands, shape = [*map(as_given, call.given)], list(attrs["shape"])
    for at in range(len(shape)):
        changed = {**attrs, "shape": (*shape[:at], -1, *shape[at + 1 :])}
        if -1 not in shape:
            yield Try(spell(call, operands, changed), operands, changed)


def cast(call: FailedCall, attrs: Attrs) -> Iterator[Try]:
    """Yield the call with one operand in another operand's dtype, or in a usual dtype."""
    for at, given in enumerate(call.given):
        others = {each.dtype for each in call.given} - {given.dtype}
        usual = WHOLE if given.dtype.startswith("float") else REAL
        for dtype in sorted({*others, usual}):
            code = f"{as_given(given).code}.astype('{dtype}')"
            yield with_operand(call, attrs, at, Operand(code, given.array().astype(dtype)))


# ----- changes of an operand ---------------------------------------------------------------------


def as_given(given: Argument) -> Operand:
    """Return an argument unchanged, with code on which a method can be called."""
    name = given.name if NAME.fullmatch(given.name) else f"({given.name})"
    return Operand(name, given.array())


def transpose(given: Argument) -> Iterator[Operand]:
    """Yield an operand with its last two axes exchanged."""
    rank = len(given.shape)
    if rank == 2:
        yield Operand(f"{as_given(given).code}.t()", given.array().T)
    elif rank > 2:
        yield permute(given, [*range(rank - 2), rank - 1, rank - 2])


def channels_first(given: Argument) -> Iterator[Operand]:
    """Yield an operand with its last axis, the channels of most pictures, behind the first."""
    rank = len(given.shape)
    if rank > 2:
        yield permute(given, [0, rank - 1, *range(1, rank - 1)])


def permute(given: Argument, perm: list[int]) -> Operand:
    return Operand(f"{as_given(given).code}.transpose({perm})", given.array().transpose(perm))


def flatten(given: Argument) -> Iterator[Operand]:
    """Yield an operand with one row for each example, as a linear layer takes it."""
    if len(given.shape) > 2:
        rows = given.array().reshape(given.shape[0], math.prod(given.shape[1:]))
        yield Operand(f"{as_given(given).code}.flatten(1)", rows)


def add_axis(given: Argument) -> Iterator[Operand]:
    """Yield an operand with one more axis of size 1, at each position."""
    code, array = as_given(given)
    for axis in range(len(given.shape) + 1):
        yield Operand(f"{code}.unsqueeze({axis})", np.expand_dims(array, axis))


def add_batch(given: Argument) -> Iterator[Operand]:
    """Yield an operand as a batch of one."""
    yield next(add_axis(given))


def drop_axis(given: Argument) -> Iterator[Operand]:
    """Yield an operand without one of its axes of size 1."""
    code, array = as_given(given)
    for axis, size in enumerate(given.shape):
        if size == 1:
            yield Operand(f"{code}.squeeze({axis})", array.squeeze(axis))


# ----- code of a call ----------------------------------------------------------------------------


def spell(call: FailedCall, operands: Sequence[Operand], attrs: Attrs) -> str:
    """Return the code of a call with these arguments."""
    names = [operand.code for operand in operands]
    if call.name in OPERATORS and len(names) == 2:
        return f" {OPERATORS[call.name]} ".join(names)
    if call.name in ("reshape", "transpose"):
        (sizes,) = attrs.values()
        return f"{names[0]}.{call.name}({list(sizes)})"
    listed = [f"[{', '.join(names)}]"] if call.op.takes_list else names
    more = (f"{key}={value!r}" for key, value in attrs.items() if is_unusual(call.op, key, value))
    return f"{call.name}({', '.join([*listed, *more])})"


def is_unusual(op: Any, key: str, value: Any) -> bool:
    """Return whether an attribute's value is not the default."""
    with suppress(*UNFIT):
        return not bool(value == op.defaults[key])
    return True
