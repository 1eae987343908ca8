"""Reading and writing parts of a tensor by position."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ..core import Tensor
from ..errors import InvalidArgument, OutOfRange
from ..meta import Meta, axis_of, broadcast, promoted
from .arguments import number
from .records import Static, sample
from .registry import op


def canonical(index: Any) -> Any:
    """An index made of ints, slices, None, Ellipsis and NumPy arrays, out of what users write."""
    if isinstance(index, tuple):
        return tuple(canonical(item) for item in index)
    if isinstance(index, Tensor):
        index = index._data
        return index if index.ndim or index.dtype == bool else int(index)
    if isinstance(index, list):
        return np.asarray([canonical(item) for item in index])
    if isinstance(index, slice):
        return slice(*(number(part) for part in (index.start, index.stop, index.step)))
    if index is None or index is Ellipsis or isinstance(index, (bool, np.ndarray)):
        return index
    if isinstance(index, (int, np.integer)):
        return int(index)
    raise InvalidArgument(
        "an index must be made of Boolean, Integers, Slices, Ellipsis, None, and lists or Tensors "
        "of Boolean and Integers.",
        expected="such an index, or a tuple of them",
        received=f"{type(index).__name__} {index!r:.40}",
        fix="convert it to int or to a Tensor of int64 first",
    )


def _check(op_name: str, x: Meta, index: Any) -> None:
    """An integer out of range is told by axis, as Paddle does."""
    items = index if isinstance(index, tuple) else (index,)
    if any(isinstance(item, np.ndarray) or item is Ellipsis or item is None for item in items):
        return
    for axis, item in enumerate(items):
        n = x.shape[axis] if axis < len(x.shape) else -1
        if type(item) is int and n != -1 and not -n <= item < n:
            raise OutOfRange(
                f"{op_name}(): The starting index {item} of slice is out of bounds in tensor "
                f"{axis}-th axis.",
                expected=f"it should be in the range of [{-n}, {n}) for x {x}",
                received=item,
                fix="count from 0, or from -1 at the end",
            )


def _getitem_infer(x: Meta, *, index: Any) -> Meta:
    _check("getitem", x, index)
    if -1 in x.shape:
        return Meta(_unknown_shape(x, index), x.dtype)
    # A view of one broadcast element costs no memory, whatever the shape.
    return Meta(np.broadcast_to(np.empty((), x.dtype), x.shape)[index].shape, x.dtype)


def _unknown_shape(x: Meta, index: Any) -> tuple[int, ...]:
    """The sizes of x[index] that are the same whatever the unknown sizes are; else -1."""
    items = index if isinstance(index, tuple) else (index,)
    lengths = {n for item in items if isinstance(item, np.ndarray) for n in item.shape}
    found = []
    for guess in sorted({1, 2, 3, 5, 2**20} | lengths):
        known = tuple(guess if n == -1 else n for n in x.shape)
        with suppress(IndexError):  # the index may need a certain size
            found.append(np.broadcast_to(np.empty((), x.dtype), known)[index].shape)
    if not found:
        raise OutOfRange(
            "getitem(): the index does not fit the tensor, whatever its unknown sizes are.",
            expected=f"an index for x {x}",
            received=index_text({"index": index}),
            fix="compare the number of indices and their range with the shape",
        )
    return tuple(sizes[0] if len(set(sizes)) == 1 else -1 for sizes in zip(*found, strict=True))


def index_text(attrs: dict[str, Any]) -> str:
    """The index as the user might write it, for pictures."""
    items = attrs["index"] if isinstance(attrs["index"], tuple) else (attrs["index"],)
    return f"[{', '.join(_item_text(item) for item in items)}]"


def _item_text(item: Any) -> str:
    if isinstance(item, slice):
        ends = [("" if end is None else str(end)) for end in (item.start, item.stop, item.step)]
        return ":".join(ends[:2]) + (f":{ends[2]}" if ends[2] else "")
    if isinstance(item, np.ndarray):
        return f"{item.dtype.name}{list(item.shape)}"
    return "..." if item is Ellipsis else str(item)


@op(
    "getitem", view=True, title="Slice", infer=_getitem_infer, saves=("x.shape",),
    canon={"index": canonical}, symbol=index_text, public=False, method=False,
    static=Static("slice", slots={"x": "Input"}, prefix="slice"),
    samples=(
        sample((3, 4), index=(1, slice(None))), sample((3, 4), index=(slice(None, None, -2),)),
        sample((3, 4), index=([2, 0, 2],)), sample((5,), index=(None, slice(1, 4))),
    ),
    formula="y = x[index]", grad_formula="dx = 0, dx[index] = dy",
)  # fmt: skip
def getitem(xp: Any, x: Any, *, index: Any) -> Any:
    """The part of x at `index`, as NumPy reads it."""
    _check("getitem", Meta(x.shape, x.dtype), index)
    return x[index]


@getitem.grad
def getitem_grad(F: Any, dout: Any, x_shape: Any, *, index: Any) -> Any:
    return F.put_at(dout, index=index, shape=x_shape)


@op(
    "put_at", infer=lambda x, *, index, shape: Meta(tuple(shape), x.dtype),
    canon={"index": canonical}, public=False, method=False,
    samples=(sample((4,), index=(1, slice(None)), shape=(3, 4)),),
    formula="y = 0, y[index] = x", grad_formula="dx = dy[index]",
)  # fmt: skip
def put_at(xp: Any, x: Any, *, index: Any, shape: Any) -> Any:
    """Zeros of `shape` with x added at `index`, as often as the index names a place."""
    out = xp.zeros(shape, x.dtype)
    items = index if isinstance(index, tuple) else (index,)
    if any(hasattr(item, "dtype") for item in items):
        xp.add.at(out, index, x)
    else:
        out[index] = x
    return out


@put_at.grad
def put_at_grad(F: Any, dout: Any, *, index: Any) -> Any:
    return F.getitem(dout, index=index)


def _set_infer(x: Meta, value: Meta, *, index: Any) -> Meta:
    part = _getitem_infer(x, index=index)
    broadcast("setitem", part, value)
    return x


@op(
    "set_at", infer=_set_infer, saves=("value.shape",), canon={"index": canonical},
    symbol=lambda attrs: f"{index_text(attrs)} =", public=False, method=False,
    static=Static("set_value", slots={"x": "Input", "value": "ValueTensor"}, prefix="set_value"),
    samples=(sample((3, 4), (4,), index=(1, slice(None))), sample((3,), (), index=(0,))),
    formula="y = x, y[index] = value",
    grad_formula="dx = dy, dx[index] = 0, dvalue = dy[index]",
)  # fmt: skip
def set_at(xp: Any, x: Any, value: Any, *, index: Any) -> Any:
    """A copy of x with `value` written at `index`."""
    _check("setitem", Meta(x.shape, x.dtype), index)
    out = x.copy()
    try:
        out[index] = value
    except ValueError as error:
        raise InvalidArgument(
            "setitem: the value does not fit into the part of the tensor that is written.",
            expected=f"a value that broadcasts to {list(out[index].shape)}",
            received=f"a value of shape {list(value.shape)}",
            fix="reshape the value",
        ) from error
    return out


@set_at.grad
def set_at_grad(F: Any, dout: Any, value_shape: Any, *, index: Any) -> Any:
    part = F.getitem(dout, index=index)
    dx = F.set_at(dout, part * 0.0, index=index)
    return dx, F.sum_to(part, shape=value_shape)


# ----- by a tensor of positions ------------------------------------------------------------------


def _gather_infer(x: Meta, index: Meta, *, axis: int) -> Meta:
    where = axis_of("gather", x, axis)
    count = index.shape if len(index.shape) == 1 else index.shape[:1] if index.shape else ()
    return Meta((*x.shape[:where], *count, *x.shape[where + 1 :]), x.dtype)


@op(
    "gather", infer=_gather_infer, saves=("x.shape", "index"), canon={"axis": number},
    static=Static("gather", slots={"index": "Index"}, prefix="gather"),
    samples=(
        sample((5, 2), (3,), ints={"index": 5}), sample((2, 4), (3,), ints={"index": 4}, axis=1),
    ),
    formula="y = x[index]", grad_formula="dx[index] += dy",
)  # fmt: skip
def gather(xp: Any, x: Any, index: Any, *, axis: int = 0) -> Any:
    """The slices of x along `axis` that `index` names, in its order."""
    n = x.shape[axis]
    if index.size and (int(index.min()) < -n or int(index.max()) >= n):
        raise OutOfRange(
            "gather(): an index is outside the axis.",
            expected=f"0 to {n - 1} for axis {axis} of x {list(x.shape)}",
            received=f"{int(index.min())} to {int(index.max())}",
            fix="check the positions",
        )
    return xp.take(x, index.reshape(-1) if index.ndim > 1 else index, axis)


@gather.grad
def gather_grad(F: Any, dout: Any, x_shape: Any, index: Any, *, axis: int) -> Any:
    return F.gather_back(dout, index, shape=x_shape, axis=axis), None


@op(
    "gather_back", infer=lambda x, index, *, shape, axis: Meta(tuple(shape), x.dtype),
    saves=("index",), public=False, method=False,
    samples=(sample((3, 2), (3,), ints={"index": 5}, shape=(5, 2)),),
    formula="y = 0, y[index] += x", grad_formula="dx = dy[index]",
)  # fmt: skip
def gather_back(xp: Any, x: Any, index: Any, *, shape: Any, axis: int = 0) -> Any:
    """Zeros of `shape` with each slice of x added where `index` says."""
    out = xp.zeros(shape, x.dtype)
    where = (slice(None),) * (axis % len(shape)) + (index.reshape(-1) if index.ndim > 1 else index,)
    xp.add.at(out, where, x)
    return out


@gather_back.grad
def gather_back_grad(F: Any, dout: Any, index: Any, *, axis: int) -> Any:
    return F.gather(dout, index, axis=axis), None


def _where_infer(condition: Meta, x: Meta, y: Meta) -> Meta:
    both = Meta(broadcast("where", x, y), promoted("where", x, y))
    return Meta(broadcast("where", condition, both), both.dtype)


@op(
    "where", infer=_where_infer, saves=("condition",), broadcasts=True, promotes=False,
    static=Static("where", slots={"condition": "Condition"}, prefix="where"), method=False,
    samples=(
        sample((2, 3), (2, 3), (2, 3), ints={"condition": 2}),
        sample((2, 3), (3,), (), ints={"condition": 2}),
    ),
    formula="z = condition · x + (1 − condition) · y",
    grad_formula="dx = dz · condition, dy = dz · (1 − condition)",
)  # fmt: skip
def where(xp: Any, condition: Any, x: Any, y: Any) -> Any:
    """Elements of x where the condition holds, of y elsewhere."""
    return xp.where(condition.astype(bool, copy=False), x, y)


@where.grad
def where_grad(F: Any, dout: Any, condition: Any) -> Any:
    zero = dout * 0.0
    return None, F.where(condition, dout, zero), F.where(condition, zero, dout)
