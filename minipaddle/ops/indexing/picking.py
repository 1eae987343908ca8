"""Reads and writes of elements at tensors of positions and masks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import prod
from typing import Any

import numpy as np

from ...engine.errors import OutOfRange
from ...engine.meta import Meta, broadcast
from ...errors import misfit
from .. import errors
from ..op_spec import internal
from ..record import Formula, Operands, Static, sample
from ..rule_functions import host_check
from .join_at import add_at, add_to_zeros

# ----- written values -----------------------------------------------------------------------------


def refuse_misfit(part: tuple[int, ...], value: Meta) -> None:
    """Raise an error unless a value broadcasts to the part; leading axes of size 1 are allowed."""
    lead = max(len(value.shape) - len(part), 0)
    tail = part[len(part) - len(value.shape) + lead :]
    fits = all(n in (1, -1) for n in value.shape[:lead]) and all(
        n in (1, -1, m) or m == -1 for n, m in zip(value.shape[lead:], tail, strict=True)
    )
    if not fits:
        raise misfit("setitem", f"a value that broadcasts to {list(part)}", value=value)


def drop_leading_ones(value: Any) -> Any:
    """Drop leading axes of size 1, for which NumPy may raise an error."""
    lead = 0
    while lead < value.ndim and value.shape[lead] == 1:
        lead += 1
    return value.reshape(value.shape[lead:]) if lead else value


def sum_back(F: Any, part: Any, shape: Any) -> Any:
    """Sum the gradient of a written part to the shape of the value, which may have more axes."""
    lead = len(shape) - len(part.shape)
    if lead <= 0:
        return F.sum_to(part, shape=shape)
    return F.reshape_to(F.sum_to(part, shape=shape[lead:]), shape=shape)


# ----- tensors of positions, and masks ------------------------------------------------------------


def _full_index(rank: int, positions: list[Any], axes: tuple[int, ...]) -> tuple[Any, ...]:
    """Return NumPy's index: tensors at their axes, slices at the others."""
    if axes == (0,):
        return (positions[0],)
    index: list[Any] = [slice(None)] * rank
    for item, axis in zip(positions, axes, strict=True):
        index[axis] = item
    masks = {
        axis + more
        for item, axis in zip(positions, axes, strict=True) if item.dtype == bool
        for more in range(1, item.ndim)
    }  # fmt: skip
    return tuple(item for axis, item in enumerate(index) if axis not in masks)


def _check_index(
    xp: Any, op_name: str, x: Any, positions: list[Any], axes: tuple[int, ...]
) -> tuple[Any, ...]:
    """Return the full index; raise an error for positions out of range."""
    for item, axis in zip(positions, axes, strict=True):
        if item.dtype != bool and item.size:
            refuse_outside(xp, op_name, item, x.shape, axis)
    return _full_index(x.ndim, positions, axes)


def _index_limits(
    _op_name: str, index: Any, shape: Any, axis: int, _kind: Any = None, least: int | None = None
) -> tuple[Any, int, int]:
    return index, -shape[axis] if least is None else least, shape[axis] - 1


@host_check(same_between=_index_limits)
def refuse_outside(
    xp: Any,
    op_name: str,
    index: Any,
    shape: Any,
    axis: int,
    kind: Any = OutOfRange,
    least: int | None = None,
) -> None:
    """Raise an error for a position outside its axis."""
    n = shape[axis]
    low, high = (int(index.min()), int(index.max())) if index.size else (0, -1)
    least = -n if least is None else least
    if high >= n or low < least:
        wrong = high if high >= n else low
        raise errors.outside_axis(op_name, axis, shape, wrong, least, index.size, kind)


def _index_shape(
    op_name: str, x: Meta, positions: list[Meta], axes: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the shape of the result: the common shape of the positions replaces their axes, or
    is in front if they are not adjacent."""
    used: list[int] = []
    common = Meta((), x.dtype)
    for item, axis in zip(positions, axes, strict=True):
        if item.dtype == bool:
            _refuse_mask(op_name, x, item, axis)
            used += range(axis, axis + len(item.shape))
            item = Meta((-1,), item.dtype)  # the number of true elements
        else:
            used.append(axis)
        common = Meta(broadcast(op_name, common, item), x.dtype)
    together = used == list(range(used[0], used[0] + len(used)))
    where = used[0] if together else 0
    kept = [n for axis, n in enumerate(x.shape) if axis not in used]
    return (*kept[:where], *common.shape, *kept[where:])


def _refuse_mask(op_name: str, x: Meta, mask: Meta, axis: int) -> None:
    for i, n in enumerate(mask.shape):
        if n != x.shape[axis + i] and -1 not in (n, x.shape[axis + i]):
            expected = f"a mask with the sizes of x from axis {axis} on"
            raise misfit(op_name, expected, OutOfRange, mask=mask, x=x)


LETTERS = "ijklmnopq"  # positions


def _with_axes(text: str) -> Callable[[dict[str, Any]], str]:
    """Return a text of a record with the axes of the positions in place of `@`: [i], [:, i]."""

    def fill(attrs: dict[str, Any]) -> str:
        axes, letters = attrs["axes"], iter(LETTERS)
        row = [next(letters) if axis in axes else ":" for axis in range(max(axes) + 1)]
        return text.replace("@", f"[{', '.join(row)}]")

    return fill


def _with_positions(*inputs: str) -> Callable[[dict[str, Any]], tuple[str, ...]]:
    """Return the names of the inputs of a call, with a letter for each tensor of positions."""
    return lambda attrs: (*inputs, *LETTERS[: len(attrs["axes"])])


@internal(
    infer=lambda x, positions, *, axes: Meta(_index_shape("getitem", x, positions, axes), x.dtype),
    operands=Operands(takes_list=True),
    formula=Formula(
        _with_axes("y = x@"),
        _with_axes("dx = 0, dx@ += dy"),
        symbol=_with_axes("@"),
        node="IndexElementwiseGet",
        written=_with_axes("x@"),
        inputs=_with_positions("x"),
    ),
    samples=(
        sample((3, 4), [(2,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4, 2), [(3, 1), (2,)], ints={"positions": 2}, axes=(0, 2)),
        sample((2, 3, 3), [(2, 2), ()], ints={"positions": 3}, axes=(1, 2)),
    ),
    static=Static("index_elementwise_get", prefix="index_get"),
)
def pick(xp: Any, x: Any, positions: list[Any], *, axes: Any) -> Any:
    """The elements of x at tensors of positions or masks; a copy."""
    if xp is np and axes == (0,):  # NumPy checks the values itself
        with suppress(IndexError):
            return x[positions[0]]
    return x[_check_index(xp, "getitem", x, positions, axes)]


@pick.grad
def pick_grad(F: Any, dout: Any, x_shape: Any, positions: Any, *, axes: Any) -> Any:
    dx = F.pick_back(dout, list(positions), shape=x_shape, axes=axes)
    return dx, *[None for _ in positions]


@internal(
    infer=lambda x, positions, *, shape, axes: Meta(tuple(shape), x.dtype),
    operands=Operands(takes_list=True),
    formula=Formula(
        _with_axes("y = 0, y@ += x"),
        _with_axes("dx = dy@"),
        symbol=_with_axes("0@ +="),
        inputs=_with_positions("x"),
    ),
    samples=(
        sample((5, 4), [(5,)], ints={"positions": 3}, shape=(3, 4), axes=(0,)),
        sample((3, 2, 4), [(3, 1), (2,)], ints={"positions": 2}, shape=(3, 4, 2), axes=(0, 2)),
    ),
)
def pick_back(xp: Any, x: Any, positions: list[Any], *, shape: Any, axes: Any) -> Any:
    """Zeros in `shape` with x added at the positions, which may repeat."""
    index = _full_index(len(shape), positions, axes)
    if not all(item.dtype == bool for item in positions):
        return add_to_zeros(xp, shape, index, x)
    out = xp.zeros(shape, x.dtype)
    out[index] = x  # masks have no repeated position
    return out


@pick_back.grad
def pick_back_grad(F: Any, dout: Any, positions: Any, *, axes: Any) -> Any:
    return F.pick(dout, list(positions), axes=axes), *[None for _ in positions]


def _put_infer(x: Meta, value: Meta, positions: list[Meta], *, axes: Any, accumulate: bool) -> Meta:
    refuse_misfit(_index_shape("setitem", x, positions, axes), value)
    return x


def _put_text(text: str, accumulating: str) -> Callable[[dict[str, Any]], str]:
    """Return the text of a call of index_put, which writes or adds."""
    return lambda attrs: _with_axes(accumulating if attrs.get("accumulate") else text)(attrs)


@internal(
    infer=_put_infer,
    operands=Operands(takes_list=True),
    formula=Formula(
        _put_text("y = x, y@ = value", "y = x, y@ += value"),
        _put_text("dx = dy, dx@ = 0, dvalue = dy@", "dx = dy, dvalue = dy@"),
        symbol=_put_text("@ =", "@ +="),
        written=_put_text("x@ = value", "x@ += value"),
        inputs=_with_positions("x", "value"),
    ),
    samples=(
        sample((3, 4), (2, 4), [(2,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4), (1, 1, 4), [(7,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4), (6,), [(6,), ()], ints={"positions": 3}, axes=(0, 1), accumulate=True),
    ),
)
def index_put_(
    xp: Any, x: Any, value: Any, positions: list[Any], *, axes: Any, accumulate: bool = False
) -> Any:
    """A copy of x with `value` written at tensors of positions, or added."""
    index = _check_index(xp, "setitem", x, positions, axes)
    out = xp.array(x)
    try:
        if accumulate:
            add_at(xp, out, index, value)
        else:
            out[index] = drop_leading_ones(value)
    except ValueError:  # a mask: its values determine the shape of the part
        refuse_misfit(x[index].shape, Meta(value.shape, value.dtype))
        raise
    return out


@index_put_.grad
def index_put_grad(
    F: Any, dout: Any, value_shape: Any, positions: Any, *, axes: Any, accumulate: bool
) -> Any:
    positions = list(positions)
    part = F.pick(dout, positions, axes=axes)
    rest = [None for _ in positions]
    if accumulate:
        return dout, sum_back(F, part, value_shape), *rest
    nothing = F.fill_like(part)
    stayed = F.where(F.written_last(dout, positions, axes=axes), part, nothing)
    dx = F.index_put(dout, nothing, positions, axes=axes)
    return dx, sum_back(F, stayed, value_shape), *rest


@internal(
    infer=lambda x, positions, *, axes: Meta(
        _index_shape("setitem", x, positions, axes), np.dtype(bool)
    ),
    operands=Operands(takes_list=True),
    gradless="positions have no gradient",
    formula=Formula("y = last(positions)"),
    samples=(
        sample((3, 4), [(7,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4), [(4, 1), (3,)], ints={"positions": 3}, axes=(0, 1)),
    ),
)
def written_last(xp: Any, x: Any, positions: list[Any], *, axes: Any) -> Any:
    """True for each element that x[i, j, …] = value leaves in x, the last at its position."""
    return find_last_written(xp, x.shape, _full_index(x.ndim, positions, axes))


def find_last_written(xp: Any, shape: tuple[int, ...], index: Any) -> Any:
    """Return where a value written at `index` into an array of this shape stays, as the last."""
    number = xp.zeros(shape, "int64")
    part = number[index].shape
    order = xp.arange(prod(part)).reshape(part)
    number[index] = order
    return number[index] == order


# ----- slices with ends known only at run time ---------------------------------------------------


@internal(
    infer=lambda x, *ends, axis: Meta((-1,), np.dtype("int64")),
    gradless="positions have no gradient",
    formula=Formula("y = (start, start + step, …)"),
    samples=(
        sample((7, 2), (), (), None, ints={"start": 3, "stop": 7}, axis=0),
        sample((2, 7), None, (1,), None, ints={"stop": 7}, axis=1),
    ),
)
def slice_positions(
    xp: Any, x: Any, start: Any = None, stop: Any = None, step: Any = None, *, axis: int
) -> Any:
    """The positions of start:stop:step along an axis of x."""
    ends = [None if end is None else int(end.reshape(-1)[0]) for end in (start, stop, step)]
    return xp.arange(x.shape[axis], dtype="int64")[slice(*ends)]
