"""A call that failed, and the table of its arguments' shapes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.events import Value
from minipaddle.messages import Message, Text
from minipaddle.ops import REGISTRY

from ...document.op_facts import UNFIT
from ...model import ShapeRow
from ..sentences.wording import shape

Array = np.ndarray[Any, Any]
MOST = 12  # most rows of a table


@dataclass(frozen=True, slots=True)
class Argument:
    """A tensor argument of a call: name, shape (-1 for an unknown size), dtype and numbers."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    data: Any = None  # nested lists, or None if not recorded

    def __str__(self) -> str:
        return f"{self.name} {shape(self.shape)}"

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def array(self) -> Array:
        """Return the numbers, or zeros if they were not recorded: the shape is enough."""
        if self.data is not None:
            try:
                return np.array(self.data, dtype=self.dtype).reshape(self.shape)
            except UNFIT:  # numbers of a foreign file need not fit
                pass
        return np.zeros(self.shape, self.dtype)


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A failed call; `whole`: whether `given` are all arguments up to the last that is not None."""

    name: str
    given: Sequence[Argument]
    attrs: Mapping[str, Any]
    whole: bool = True

    @property
    def op(self) -> Any:
        """Record of the op, or None for an unknown op."""
        return REGISTRY.get(self.name)

    @property
    def pair(self) -> tuple[Argument, Argument] | None:
        """Both operands of a binary op, or None for other ops."""
        op = self.op
        two = op is not None and not op.takes_list and len(op.inputs) == len(self.given) == 2
        return (self.given[0], self.given[1]) if two else None

    @property
    def multiplies(self) -> bool:
        """Whether the call is a product of matrices."""
        return self.name in ("matmul", "bmm", "mv") and self.pair is not None

    @property
    def convolves(self) -> bool:
        """Whether the call is a convolution."""
        return self.name.startswith("conv") and self.pair is not None

    @property
    def joins(self) -> bool:
        """Whether the call joins tensors along an axis."""
        return self.name in ("concat", "stack") and bool(self.given)


def argument_of(name: str, value: Value) -> Argument:
    """Return a recorded value as an argument with a name."""
    return Argument(name, tuple(value.shape), value.dtype, value.data.get("data"))


def failed_call(op: str, given: Sequence[Argument | None], attrs: Mapping[str, Any]) -> FailedCall:
    """Return the failed call of an op with these arguments, of which None are absent."""
    there = [each for each in given if each is not None]
    whole = bool(there) and None not in given[: len(there)]
    return FailedCall(op, there, attrs, whole)


# ----- tables of shapes --------------------------------------------------------------------------


def rows_of(call: FailedCall) -> tuple[ShapeRow, ...]:
    """Return a row for each tensor, with clashes, aligned as the op compares sizes."""
    given = call.given[:MOST]
    width = max((len(each.shape) for each in given), default=0)
    rows = [row_of(each, width) for each in given]
    if call.name == "reshape" and len(given) == 1:
        return rows_of_reshape(given[0], call.attrs.get("shape"))
    if call.multiplies:
        return dtypes_apart(inner_sizes(rows, given, width))
    if call.joins:
        return dtypes_apart(mark_joined(call, rows))
    if call.op is not None and call.op.broadcasts:
        return dtypes_apart(broadcast(rows, range(width)))
    for at, row in enumerate(rows):  # align the sizes to the first column
        rows[at] = row._replace(sizes=tuple(sorted(row.sizes, key=lambda size: size == "")))
    return tuple(channels(call, rows) if call.convolves else rows)


def row_of(given: Argument, width: int) -> ShapeRow:
    """Return a shape in the last of `width` columns."""
    sizes = ["?" if n < 0 else str(n) for n in given.shape]
    row = ("",) * (width - len(sizes)) + tuple(sizes)
    return ShapeRow(given.name, row, note=Text(given.dtype))


def broadcast(rows: Sequence[ShapeRow], columns: Sequence[int]) -> list[ShapeRow]:
    """Return the rows, marked in columns where two sizes differ and neither is 1."""
    clashing = [c for c in columns if len({row.sizes[c] for row in rows} - {"", "1", "?"}) > 1]
    return [mark(row, [c for c in clashing if row.sizes[c] not in ("", "1")]) for row in rows]


def mark(row: ShapeRow, columns: Sequence[int]) -> ShapeRow:
    return row._replace(clash=tuple(sorted({*row.clash, *columns})))


def inner_sizes(rows: Sequence[ShapeRow], given: Sequence[Argument], width: int) -> list[ShapeRow]:
    """Return the rows of a product, marked unless x's last size is y's last size but one."""
    lead = broadcast(rows, range(max(width - 2, 0)))
    x, y = given
    if not x.shape or not y.shape:
        return lead
    at_x, at_y = width - 1, width - min(len(y.shape), 2)
    if {x.shape[-1], y.shape[max(-2, -len(y.shape))]} - {-1} == {x.shape[-1]}:
        return lead
    return [mark(lead[0], [at_x]), mark(lead[1], [at_y])]


def mark_joined(call: FailedCall, rows: Sequence[ShapeRow]) -> list[ShapeRow]:
    """Return the rows of joined tensors, marked where sizes differ but not along the axis."""
    width = len(rows[0].sizes)
    along = axis_of(call, width)
    columns = [c for c in range(width) if call.name == "stack" or c != along]
    clashing = [c for c in columns if len({row.sizes[c] for row in rows} - {"?"}) > 1]
    marked_rows = [mark(row, [c for c in clashing if row.sizes[c]]) for row in rows]
    if call.name == "concat" and along is not None:
        sign = tuple("+" if c == along else "" for c in range(width))
        note = Message("these sizes are added")
        marked_rows.append(ShapeRow(f"axis={call.attrs.get('axis')}", sign, note=note))
    return marked_rows


def axis_of(call: FailedCall, width: int) -> int | None:
    """Return the axis of a call, counted from 0, or None if it is missing or out of range."""
    axis = call.attrs.get("axis")
    return axis % width if type(axis) is int and -width <= axis < width else None


def rows_of_reshape(given: Argument, shape: Any) -> tuple[ShapeRow, ...]:
    """Return the rows of a reshape: both shapes, with their numbers of elements."""
    if not isinstance(shape, (list, tuple)) or any(type(n) is not int for n in shape):
        return (row_of(given, len(given.shape)),)
    width = max(len(given.shape), len(shape))
    empty = ("",) * (width - len(shape))
    rows = [row_of(given, width), ShapeRow("shape", (*empty, *map(str, shape)))]
    known = math.prod(n for n in shape if n >= 0)
    held = [Message("= {n} elements", n=n) for n in (given.size, known)]
    if -1 in shape:
        held[1] = Text(f"= {known} × ?")
    return tuple(r._replace(note=n, odd=True) for r, n in zip(rows, held, strict=True))


def channels(call: FailedCall, rows: Sequence[ShapeRow]) -> list[ShapeRow]:
    """Return the rows of a convolution, marked unless x has the filter's channels per group."""
    (x, weight), groups = call.given, call.attrs.get("groups", 1)
    if min(len(x.shape), len(weight.shape)) < 2 or x.shape[1] == weight.shape[1] * groups:
        return list(rows)
    return [mark(row, [1]) for row in rows]


def dtypes_apart(rows: Sequence[ShapeRow]) -> tuple[ShapeRow, ...]:
    """Return the rows, with the dtypes marked if they differ and no size clashes."""
    given = [row for row in rows if isinstance(row.note, Text)]  # rows whose note is a dtype
    if any(row.clash for row in rows) or len({row.note for row in given}) < 2:
        return tuple(rows)
    return tuple(row._replace(odd=row in given) for row in rows)
