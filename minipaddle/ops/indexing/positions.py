"""Indices in the brackets of x[...], sorted into steps for ops.

The first step is a view of x by integers, slices, None and the ellipsis. The next ones, on that
view, are slices with Variables as ends, then integers that are Variables, and at last all lists,
arrays, Tensors and masks together, which broadcast.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...device import beside
from ...engine.dtypes import DType
from ...engine.errors import InvalidArgument, OutOfRange
from ...engine.meta import Meta
from ...engine.tensor import Tensor
from ...errors import misfit, wrong_type
from ...messages import Message
from .. import errors

PLAIN = (int, type(None), type(Ellipsis))
END = (int, type(None))


class Plan(NamedTuple):
    """The steps of an index: `basic` on x, the others on axes of its result."""

    basic: tuple[Any, ...]
    ranges: list[tuple[int, slice]]  # (axis, slice with Variables for ends)
    single: list[tuple[int, Any]]  # (axis, Variable of one integer)
    arrays: list[tuple[int, Any]]  # (axis, Tensor or Variable of integers, or a mask)


def is_basic(index: Any) -> bool:
    """Return whether an index has only integers, slices, None and the ellipsis."""
    if index.__class__ is tuple:
        return all(map(_is_plain, index))
    return _is_plain(index)


def _is_plain(item: Any) -> bool:
    if item.__class__ is slice:
        return all(end.__class__ in END for end in (item.start, item.stop, item.step))
    return item.__class__ in PLAIN


def plan(op: str, x: Any, index: Any) -> Plan:
    """Sort an index of the Tensor or Variable x into steps."""
    row = index if isinstance(index, tuple) else (index,)
    items = expand_ellipsis(op, len(x.shape), tuple(_read_item(x, item) for item in row))
    basic: list[Any] = []
    ranges: list[Any] = []
    single: list[Any] = []
    arrays: list[Any] = []
    place = 0  # axis of the view that the item indexes
    for item in items:
        kind = item.__class__
        if kind is int:
            basic.append(item)
            continue
        if _is_plain(item):
            basic.append(item)
            place += 1
        elif kind is slice:
            basic.append(slice(None))
            ranges.append((place, item))
            place += 1
        elif is_mask(item) and not len(item.shape):
            basic.append(None)
            arrays.append((place, item.reshape([1])))
            place += 1
        else:
            basic += [slice(None)] * _count_axes(item)
            (arrays if len(item.shape) else single).append((place, item))
            place += _count_axes(item)
    left = [(axis - sum(gone < axis for gone, _ in single), item) for axis, item in arrays]
    return Plan(tuple(basic), ranges, single, left)


def expand_ellipsis(op: str, rank: int, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the items with slices in place of the ellipsis, which is at the end by default."""
    dots = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise misfit(op, "at most one ellipsis, '...'", index=write_index(items))
    used = 0
    for item in items:
        used += _count_axes(item)
        if used > rank:
            kind = OutOfRange if item.__class__ is int else InvalidArgument
            bounds = Message(
                "at most {n} {n:index|indices}; a mask counts for each of its axes", n=rank
            )
            row = {"indices": sum(map(_count_axes, items)), "index": write_index(items)}
            raise misfit(op, bounds, kind, **row)
    where = dots[0] if dots else len(items)
    filling = (slice(None),) * (rank - used)
    return (*items[:where], *filling, *items[where + 1 :])


def _count_axes(item: Any) -> int:
    """Return the number of axes of x for an item."""
    if item is None or item is Ellipsis:
        return 0
    return len(item.shape) if is_mask(item) else 1


def is_mask(item: Any) -> bool:
    """Return whether an item is a Tensor or Variable of bools."""
    if isinstance(item, Tensor):
        return bool(item._data.dtype == np.bool_)
    return hasattr(item, "stop_gradient") and DType.of(item.dtype).name == "bool"


def _read_item(x: Any, item: Any) -> Any:
    """Convert an item into an int, slice, None, Ellipsis, or a Tensor or Variable of positions."""
    if item is None or item is Ellipsis or item.__class__ is int:
        return item
    if isinstance(item, slice):
        return slice(*(_slice_bound(end) for end in (item.start, item.stop, item.step)))
    if isinstance(item, (bool, np.bool_)):
        return as_constant(x, np.asarray(item))
    if isinstance(item, np.integer):
        return int(item)
    if isinstance(item, (list, tuple, range)):
        array = np.asarray([_as_numbers(i) for i in item])
        item = as_constant(x, array if array.size else array.astype(np.int64))
    elif isinstance(item, np.ndarray):
        item = as_constant(x, item.copy())
    if not hasattr(item, "stop_gradient"):
        what = "an index must be made of ints, slices, None, ..., and lists or Tensors of these."
        fix = "convert it to int or to a Tensor of int64 first"
        raise wrong_type(what, item, "such an index, or a tuple of them", fix, InvalidArgument)
    if DType.of(item.dtype).name not in ("bool", "int32", "int64"):
        raise errors.dtype("getitem", ("bool", "int32", "int64"), InvalidArgument, index=item)
    if isinstance(item, Tensor) and not item._data.ndim and item._data.dtype != bool:
        return int(item._data)
    return item


def _as_numbers(value: Any) -> Any:
    """Convert an element of a list: a number, a list of them or a one-element Tensor."""
    if isinstance(value, (list, tuple)):
        return [_as_numbers(item) for item in value]
    return value._data.tolist() if isinstance(value, Tensor) else value


def as_constant(x: Any, array: Any) -> Tensor:
    """Return an array as a Tensor on the device of x."""
    return Tensor(beside(array, x._data) if isinstance(x, Tensor) else array)


def _slice_bound(end: Any) -> Any:
    """Convert an end of a slice into None, an int or a Variable."""
    if end is None or end.__class__ is int:
        return end
    if isinstance(end, (np.integer, bool)):
        return int(end)
    whole = hasattr(end, "stop_gradient") and DType.of(end.dtype).numpy.kind in "iu"
    if whole and isinstance(end, Tensor):
        return int(end._data.item())
    if whole:
        return end
    what, fix = "an end of a slice must be an integer.", "convert it: int(...)"
    raise wrong_type(what, end, "None, an int, or a Tensor of one integer", fix, InvalidArgument)


# ----- shapes ------------------------------------------------------------------------------------


def basic_shape(op: str, x: Meta, index: Any) -> tuple[int, ...]:
    """Return the shape of a view by integers, slices and None; errors name the axis."""
    items = index if isinstance(index, tuple) else (index,)
    shape, axis = [], 0
    for item in expand_ellipsis(op, len(x.shape), items):
        if item is None:
            shape.append(1)
            continue
        n = x.shape[axis]
        if item.__class__ is slice:
            shape.append(_slice_size(op, item, n))
        elif n != -1 and not -n <= item < n:
            raise errors.index_outside(op, item, axis, x)
        axis += 1
    return tuple(shape)


def _slice_size(op: str, item: slice, n: int) -> int:
    if item.step == 0:
        raise misfit(op, "a step other than 0", slice=_item_text(item))
    if n == -1:
        everything = item.start is None and item.stop is None and item.step in (None, 1, -1)
        return -1 if not everything else n
    return len(range(*item.indices(n)))


# ----- texts -------------------------------------------------------------------------------------


def as_index(index: Any) -> Any:
    """Return an index for NumPy, also from its form in a document: `[":", 0]`."""
    if index.__class__ is list:
        return tuple(map(as_index, index))
    if index.__class__ is not str:
        return index
    if index == "...":
        return Ellipsis
    return slice(*(int(end) if end else None for end in index.split(":")))


def write_index(items: Any) -> str:
    """Return the text of an index in Python."""
    items = items if isinstance(items, tuple) else (items,)
    return f"[{', '.join(_item_text(item) for item in items)}]"


def _item_text(item: Any) -> str:
    if isinstance(item, slice):
        ends = [("" if end is None else _item_text(end)) for end in (item.start, item.stop)]
        return ":".join(ends) + (f":{_item_text(item.step)}" if item.step is not None else "")
    if hasattr(item, "stop_gradient"):
        return f"{DType.of(item.dtype).name}{list(item.shape)}"
    return "..." if item is Ellipsis else str(item)
