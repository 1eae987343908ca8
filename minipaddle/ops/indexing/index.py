"""Reads and writes of parts of a tensor: x[...] and x[...] = value.

An index is sorted into steps (see `positions`), each of them an op. A value is written through the
same steps, from the last one to the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.meta import Meta
from ...engine.tensor import Tensor
from ..op_spec import internal
from ..record import Formula, Results, Static, sample
from ..registry import REGISTRY
from .picking import drop_leading_ones, refuse_misfit, sum_back
from .positions import as_constant, as_index, basic_shape, is_basic, is_mask, plan, write_index

# ----- integers, slices, None ---------------------------------------------------------------------


def _getitem_infer(x: Meta, *, index: Any) -> Meta:
    return Meta(basic_shape("getitem", x, index), x.dtype)


def _with_index_text(text: str) -> Callable[[dict[str, Any]], str]:
    """Return a text of a record with the index of a call in place of `@`."""

    def filled(attrs: dict[str, Any]) -> str:
        index = attrs["index"]
        known = isinstance(index, str) and index[:1] == "["
        return text.replace("@", index if known else write_index(as_index(index)))

    return filled


@internal(
    infer=_getitem_infer,
    results=Results(view=True),
    canon={"index": as_index},
    formula=Formula(
        _with_index_text("y = x@"),
        _with_index_text("dx = 0, dx@ = dy"),
        symbol=_with_index_text("@"),
        node="Slice",
        written=_with_index_text("x@"),
    ),
    samples=(
        sample((3, 4), index=(1, slice(None))),
        sample((3, 4), index=(slice(None, None, -2),)),
        sample((3, 4), index=(Ellipsis, None, -1)),
        sample((5,), index=(None, slice(1, 4))),
    ),
    static=Static("slice", slots={"x": "Input"}),
)
def getitem(xp: Any, x: Any, *, index: Any) -> Any:
    """The part of x at integers and slices, which shares x's memory."""
    part = x[index]
    if not isinstance(part, np.generic):
        return part
    return x[(*index, ...) if isinstance(index, tuple) else (index, ...)]  # a view of one element


getitem.grad(lambda F, dout, x_shape, *, index: F.put_at(dout, index=index, shape=x_shape))


@internal(
    infer=lambda x, *, index, shape: Meta(tuple(shape), x.dtype),
    canon={"index": as_index},
    formula=Formula(
        _with_index_text("y = 0, y@ = x"),
        _with_index_text("dx = dy@"),
        symbol=_with_index_text("0@ ="),
    ),
    samples=(
        sample((4,), index=(1, slice(None)), shape=(3, 4)),
        sample((2, 1), index=(slice(None, None, -2), slice(0, 1)), shape=(4, 3)),
    ),
)
def put_at(xp: Any, x: Any, *, index: Any, shape: Any) -> Any:
    """Zeros in `shape` with x at integers and slices."""
    out = xp.zeros(shape, x.dtype)
    out[index] = x
    return out


put_at.grad(lambda F, dout, *, index: F.getitem(dout, index=index))


def _set_infer(x: Meta, value: Meta, *, index: Any) -> Meta:
    refuse_misfit(basic_shape("setitem", x, index), value)
    return x


@internal(
    infer=_set_infer,
    canon={"index": as_index},
    formula=Formula(
        _with_index_text("y = x, y@ = value"),
        _with_index_text("dx = dy, dx@ = 0, dvalue = dy@"),
        symbol=_with_index_text("@ ="),
        written=_with_index_text("x@ = value"),
    ),
    samples=(
        sample((3, 4), (4,), index=(1, slice(None))),
        sample((3,), (), index=(0,)),
        sample((3, 4), (1, 1, 4), index=(slice(None, None, 2),)),
    ),
    static=Static("set_value", slots={"x": "Input", "value": "ValueTensor"}),
)
def set_at(xp: Any, x: Any, value: Any, *, index: Any) -> Any:
    """A copy of x with `value` written at integers and slices."""
    out = xp.array(x)  # x may be a NumPy scalar, whose copy is one too
    out[index] = drop_leading_ones(value)
    return out


@set_at.grad
def set_at_grad(F: Any, dout: Any, value_shape: Any, *, index: Any) -> Any:
    part = F.getitem(dout, index=index)
    return F.set_at(dout, F.fill_like(part), index=index), sum_back(F, part, value_shape)


# ----- x[...] and x[...] = value ------------------------------------------------------------------

KINDS = (np.dtype("int64"), np.dtype("int32"), np.dtype("bool"))


class BasicStep:
    """A step by integers, slices and None."""

    def __init__(self, index: Any) -> None:
        self.index = index

    def read(self, x: Any) -> Any:
        return REGISTRY["getitem"].call.direct(x, {"index": self.index})

    def write(self, x: Any, value: Any) -> Any:
        return REGISTRY["set_at"].call(x, value, index=self.index)


class PositionStep:
    """A step by tensors of positions and masks."""

    def __init__(self, positions: list[Any], axes: tuple[int, ...]) -> None:
        self.positions = positions
        self.axes = axes

    def read(self, x: Any) -> Any:
        first = self.positions[0]
        if is_mask(first) and list(first.shape) == list(x.shape):
            return REGISTRY["masked_select"].call(x, first)
        return REGISTRY["pick"].call.direct((x, self.positions), {"axes": self.axes})

    def write(self, x: Any, value: Any) -> Any:
        return REGISTRY["index_put"].call(x, value, self.positions, axes=self.axes)


def steps_of(op_name: str, x: Any, item: Any) -> list[BasicStep | PositionStep]:
    """Return the steps of an index."""
    if is_basic(item):
        return [BasicStep(item)]
    if (sole := find_sole_position(x, item)) is not None:  # the second most frequent case
        return [PositionStep([sole], (0,))]
    sorted_item = plan(op_name, x, item)
    made: list[BasicStep | PositionStep] = []
    if any(i.__class__ is not slice or i != slice(None) for i in sorted_item.basic):
        made.append(BasicStep(sorted_item.basic))
    view = made[0].read(x) if made and sorted_item.ranges else x
    for axis, ends in sorted_item.ranges:
        bounds = [_as_tensor(end) for end in (ends.start, ends.stop, ends.step)]
        positions = REGISTRY["slice_positions"].call(view, *bounds, axis=axis)
        made.append(PositionStep([positions], (axis,)))
    for some in (sorted_item.single, sorted_item.arrays):
        if some:
            made.append(PositionStep([item for _, item in some], tuple(axis for axis, _ in some)))
    return made


def find_sole_position(x: Any, item: Any) -> Tensor | None:
    """Return an index that is a single tensor of positions or mask, None for other indices."""
    if item.__class__ is list and item and all(i.__class__ is int for i in item):
        item = as_constant(x, np.array(item))
    elif item.__class__ is np.ndarray:
        item = as_constant(x, item.copy())
    if item.__class__ is not Tensor:
        return None
    fits = 0 < item._data.ndim <= (len(x.shape) if item._data.dtype == bool else bool(x.shape))
    return item if item._data.dtype in KINDS and fits else None


def _as_tensor(end: Any) -> Any:
    """Return an end of a slice as a tensor."""
    if end is None or hasattr(end, "stop_gradient"):
        return end
    return REGISTRY["full"].call(shape=(), fill_value=end, dtype="int64")


def read(x: Any, item: Any) -> Any:
    """Return x[item]."""
    for step in steps_of("getitem", x, item):
        x = step.read(x)
    return x


def write(x: Any, item: Any, value: Any) -> Any:
    """Return a copy of x with a tensor written at `item`."""
    row = steps_of("setitem", x, item)
    parts = [x]
    for step in row[:-1]:
        parts.append(step.read(parts[-1]))
    for step, part in zip(reversed(row), reversed(parts), strict=True):
        value = step.write(part, value)
    return value
