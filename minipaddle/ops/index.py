"""Reading and writing parts of a tensor by position: x[...] and x[...] = value.

An index is read in steps (see `positions`): each step is one op, and a value is written back
through the same steps, the last one first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import InvalidArgument, OutOfRange
from ..meta import Meta, broadcast
from .positions import basic_shape, index_text, is_basic, is_mask, plan
from .records import REGISTRY, Static, sample
from .registry import op
from .repeats import add_at

# ----- integers, slices, None ---------------------------------------------------------------------


def _getitem_infer(x: Meta, *, index: Any) -> Meta:
    return Meta(basic_shape("getitem", x, index), x.dtype)


def _symbol(attrs: dict[str, Any]) -> str:
    return index_text(attrs["index"])


@op(
    "getitem", view=True, title="Slice", infer=_getitem_infer, saves=("x.shape",),
    symbol=_symbol, public=False, method=False,
    static=Static("slice", slots={"x": "Input"}, prefix="slice"),
    samples=(
        sample((3, 4), index=(1, slice(None))), sample((3, 4), index=(slice(None, None, -2),)),
        sample((3, 4), index=(Ellipsis, None, -1)), sample((5,), index=(None, slice(1, 4))),
    ),
    formula="y = x[index]", grad_formula="dx = 0, dx[index] = dy",
)  # fmt: skip
def getitem(xp: Any, x: Any, *, index: Any) -> Any:
    """The part of x at integers and slices; it shares x's memory."""
    return x[index]


@getitem.grad
def getitem_grad(F: Any, dout: Any, x_shape: Any, *, index: Any) -> Any:
    return F.put_at(dout, index=index, shape=x_shape)


@op(
    "put_at", infer=lambda x, *, index, shape: Meta(tuple(shape), x.dtype),
    public=False, method=False,
    samples=(
        sample((4,), index=(1, slice(None)), shape=(3, 4)),
        sample((2, 1), index=(slice(None, None, -2), slice(0, 1)), shape=(4, 3)),
    ),
    formula="y = 0, y[index] = x", grad_formula="dx = dy[index]",
)  # fmt: skip
def put_at(xp: Any, x: Any, *, index: Any, shape: Any) -> Any:
    """Zeros of `shape` with x at integers and slices."""
    out = xp.zeros(shape, x.dtype)
    out[index] = x
    return out


@put_at.grad
def put_at_grad(F: Any, dout: Any, *, index: Any) -> Any:
    return F.getitem(dout, index=index)


def _refuse_misfit(part: tuple[int, ...], value: Meta) -> None:
    """A value is written if it broadcasts to the part; more axes in front are fine if of size 1."""
    lead = max(len(value.shape) - len(part), 0)
    tail = part[len(part) - len(value.shape) + lead :]
    fits = all(n in (1, -1) for n in value.shape[:lead]) and all(
        n in (1, -1, m) or m == -1 for n, m in zip(value.shape[lead:], tail, strict=True)
    )
    if not fits:
        raise InvalidArgument(
            "setitem: the value does not fit into the part of the tensor that is written.",
            expected=f"a value that broadcasts to {list(part)}",
            received=f"a value of shape {list(value.shape)}",
            fix="reshape the value",
        )


def _set_infer(x: Meta, value: Meta, *, index: Any) -> Meta:
    _refuse_misfit(basic_shape("setitem", x, index), value)
    return x


@op(
    "set_at", infer=_set_infer, saves=("value.shape",),
    symbol=lambda attrs: f"{_symbol(attrs)} =", public=False, method=False,
    static=Static("set_value", slots={"x": "Input", "value": "ValueTensor"}, prefix="set_value"),
    samples=(
        sample((3, 4), (4,), index=(1, slice(None))), sample((3,), (), index=(0,)),
        sample((3, 4), (1, 1, 4), index=(slice(None, None, 2),)),
    ),
    formula="y = x, y[index] = value",
    grad_formula="dx = dy, dx[index] = 0, dvalue = dy[index]",
)  # fmt: skip
def set_at(xp: Any, x: Any, value: Any, *, index: Any) -> Any:
    """A copy of x with `value` written at integers and slices."""
    out = x.copy()
    out[index] = value
    return out


@set_at.grad
def set_at_grad(F: Any, dout: Any, value_shape: Any, *, index: Any) -> Any:
    part = F.getitem(dout, index=index)
    return F.set_at(dout, F.fill_like(part), index=index), _back_to(F, part, value_shape)


def _back_to(F: Any, part: Any, shape: Any) -> Any:
    """The gradient of a written part, summed to the value's shape, which may have more axes."""
    lead = len(shape) - len(part.shape)
    if lead <= 0:
        return F.sum_to(part, shape=shape)
    return F.reshape(F.sum_to(part, shape=shape[lead:]), shape=shape)


# ----- tensors of positions, and masks ------------------------------------------------------------


def _full_index(rank: int, positions: list[Any], axes: tuple[int, ...]) -> tuple[Any, ...]:
    """NumPy's index: each tensor at its axis, slices at the others."""
    index: list[Any] = [slice(None)] * rank
    for item, axis in zip(positions, axes, strict=True):
        index[axis] = item
    masks = {
        axis + more
        for item, axis in zip(positions, axes, strict=True) if item.dtype == bool
        for more in range(1, item.ndim)
    }  # fmt: skip
    return tuple(item for axis, item in enumerate(index) if axis not in masks)


def _checked(op_name: str, x: Any, positions: list[Any], axes: tuple[int, ...]) -> tuple[Any, ...]:
    """The full index, after a look at the values: not every library refuses wrong ones."""
    for item, axis in zip(positions, axes, strict=True):
        if item.dtype != bool and item.size:
            refuse_outside(op_name, item, x.shape, axis)
    return _full_index(x.ndim, positions, axes)


def refuse_outside(
    op_name: str, index: Any, shape: Any, axis: int, kind: Any = OutOfRange,
    least: int | None = None,
) -> None:  # fmt: skip
    """Tell an index outside its axis."""
    n = shape[axis]
    low, high = (int(index.min()), int(index.max())) if index.size else (0, -1)
    least = -n if least is None else least
    if high >= n or low < least:
        wrong = high if high >= n else low
        raise kind(
            f"{op_name}(): the index {wrong} is out of bounds for axis {axis} with size {n}.",
            expected=f"it should be in the range of [{least}, {n}) for shape {list(shape)}",
            received=f"{wrong}, among {index.size} positions",
            fix="check the positions",
        )


def _picked_shape(
    op_name: str, x: Meta, positions: list[Meta], axes: tuple[int, ...]
) -> tuple[int, ...]:
    """The positions' common shape where they stand, or in front if they stand apart."""
    used: list[int] = []
    common = Meta((), x.dtype)
    for item, axis in zip(positions, axes, strict=True):
        if item.dtype == bool:
            _refuse_mask(op_name, x, item, axis)
            used += range(axis, axis + len(item.shape))
            item = Meta((-1,), item.dtype)  # as many as hold
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
            raise OutOfRange(
                f"{op_name}(): The shape of boolean index {n} did not match indexed tensor "
                f"{x.shape[axis + i]} along axis {axis + i}.",
                expected=f"a mask with the sizes of x {x} from axis {axis} on",
                received=f"a mask of shape {list(mask.shape)}",
                fix="compute the mask from x, for example x > 0",
            )


def _axes_text(attrs: dict[str, Any]) -> str:
    """[i], [:, i], [i, :, j]: which axes the tensors of positions stand for."""
    letters = iter("ijklmnopq")
    last = max(attrs["axes"])
    return f"[{', '.join(next(letters) if a in attrs['axes'] else ':' for a in range(last + 1))}]"


@op(
    "pick", title="IndexElementwiseGet", saves=("x.shape", "positions"), symbol=_axes_text,
    infer=lambda x, positions, *, axes: Meta(_picked_shape("getitem", x, positions, axes), x.dtype),
    static=Static("index_elementwise_get", prefix="index_get"), public=False, method=False,
    samples=(
        sample((3, 4), [(2,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4, 2), [(3, 1), (2,)], ints={"positions": 2}, axes=(0, 2)),
        sample((2, 3, 3), [(2, 2), ()], ints={"positions": 3}, axes=(1, 2)),
    ),
    formula="y = x[i, j, …]", grad_formula="dx = 0, dx[i, j, …] += dy",
)  # fmt: skip
def pick(xp: Any, x: Any, positions: list[Any], *, axes: Any) -> Any:
    """The elements of x at tensors of positions, or where masks hold; a copy."""
    return x[_checked("getitem", x, positions, axes)]


@pick.grad
def pick_grad(F: Any, dout: Any, x_shape: Any, positions: Any, *, axes: Any) -> Any:
    dx = F.pick_back(dout, list(positions), shape=x_shape, axes=axes)
    return dx, *[None for _ in positions]


@op(
    "pick_back", infer=lambda x, positions, *, shape, axes: Meta(tuple(shape), x.dtype),
    saves=("positions",), public=False, method=False,
    samples=(
        sample((5, 4), [(5,)], ints={"positions": 3}, shape=(3, 4), axes=(0,)),
        sample((3, 2, 4), [(3, 1), (2,)], ints={"positions": 2}, shape=(3, 4, 2), axes=(0, 2)),
    ),
    formula="y = 0, y[i, j, …] += x", grad_formula="dx = dy[i, j, …]",
)  # fmt: skip
def pick_back(xp: Any, x: Any, positions: list[Any], *, shape: Any, axes: Any) -> Any:
    """Zeros of `shape` with x added at the positions, as often as they name a place."""
    out = xp.zeros(shape, x.dtype)
    index = _full_index(len(shape), positions, axes)
    if all(item.dtype == bool for item in positions):  # no place is named twice
        out[index] = x
    else:
        add_at(xp, out, index, x)
    return out


@pick_back.grad
def pick_back_grad(F: Any, dout: Any, positions: Any, *, axes: Any) -> Any:
    return F.pick(dout, list(positions), axes=axes), *[None for _ in positions]


def _put_infer(x: Meta, value: Meta, positions: list[Meta], *, axes: Any, accumulate: bool) -> Meta:
    _refuse_misfit(_picked_shape("setitem", x, positions, axes), value)
    return x


@op(
    "index_put", infer=_put_infer, saves=("value.shape", "positions"),
    symbol=lambda attrs: f"{_axes_text(attrs)} {'+=' if attrs['accumulate'] else '='}",
    static=Static("index_put", prefix="index_put"), public=False, method=False,
    samples=(
        sample((3, 4), (2, 4), [(2,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4), (1, 1, 4), [(7,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4), (6,), [(6,), ()], ints={"positions": 3}, axes=(0, 1), accumulate=True),
    ),
    formula="y = x, y[i, j, …] = value",
    grad_formula="dx = dy, dx[i, j, …] = 0, dvalue = dy[i, j, …] where it stayed",
)  # fmt: skip
def index_put_(
    xp: Any, x: Any, value: Any, positions: list[Any], *, axes: Any, accumulate: bool = False
) -> Any:
    """A copy of x with `value` written at tensors of positions, or added there."""
    index = _checked("setitem", x, positions, axes)
    out = x.copy()
    if accumulate:
        add_at(xp, out, index, value)
    else:
        out[index] = value
    return out


@index_put_.grad
def index_put_grad(
    F: Any, dout: Any, value_shape: Any, positions: Any, *, axes: Any, accumulate: bool
) -> Any:
    positions = list(positions)
    part = F.pick(dout, positions, axes=axes)
    rest = [None for _ in positions]
    if accumulate:
        return dout, _back_to(F, part, value_shape), *rest
    nothing = F.fill_like(part)
    stayed = F.where(F.written_last(dout, positions, axes=axes), part, nothing)
    dx = F.index_put(dout, nothing, positions, axes=axes)
    return dx, _back_to(F, stayed, value_shape), *rest


@op(
    "written_last", gradless="positions have no gradient", public=False, method=False,
    infer=lambda x, positions, *, axes: Meta(
        _picked_shape("setitem", x, positions, axes), np.dtype(bool)
    ),
    samples=(
        sample((3, 4), [(7,)], ints={"positions": 3}, axes=(0,)),
        sample((3, 4), [(4, 1), (3,)], ints={"positions": 3}, axes=(0, 1)),
    ),
    formula="yₖ = (no later place is place k)",
)  # fmt: skip
def written_last(xp: Any, x: Any, positions: list[Any], *, axes: Any) -> Any:
    """Where x[i, j, …] = value leaves the value: a place named twice keeps the last."""
    index = _full_index(x.ndim, positions, axes)
    number = xp.zeros(x.shape, "int64")
    shape = number[index].shape
    order = xp.arange(_count(shape)).reshape(shape)
    number[index] = order
    return number[index] == order


def _count(shape: tuple[int, ...]) -> int:
    total = 1
    for n in shape:
        total *= n
    return total


# ----- slices whose ends are known only at run time ------------------------------------------


@op(
    "slice_positions", gradless="positions have no gradient", public=False, method=False,
    infer=lambda x, *ends, axis: Meta((-1,), np.dtype("int64")),
    samples=(
        sample((7, 2), (), (), None, ints={"start": 3, "stop": 7}, axis=0),
        sample((2, 7), None, (1,), None, ints={"stop": 7}, axis=1),
    ),
    formula="y = (start, start + step, …)",
)  # fmt: skip
def slice_positions(
    xp: Any, x: Any, start: Any = None, stop: Any = None, step: Any = None, *, axis: int
) -> Any:
    """The positions of start:stop:step along an axis of x."""
    ends = [None if end is None else int(end.reshape(-1)[0]) for end in (start, stop, step)]
    return xp.arange(x.shape[axis])[slice(*ends)]


# ----- x[...] and x[...] = value ------------------------------------------------------------------


class Basic(NamedTuple):
    """A step by integers, slices and None."""

    index: Any

    def read(self, x: Any) -> Any:
        return REGISTRY["getitem"].call(x, index=self.index)

    def write(self, x: Any, value: Any) -> Any:
        return REGISTRY["set_at"].call(x, value, index=self.index)


class Picked(NamedTuple):
    """A step by tensors of positions and masks."""

    positions: list[Any]
    axes: tuple[int, ...]

    def read(self, x: Any) -> Any:
        first = self.positions[0]
        if is_mask(first) and list(first.shape) == list(x.shape):
            return REGISTRY["masked_select"].call(x, first)
        return REGISTRY["pick"].call(x, self.positions, axes=self.axes)

    def write(self, x: Any, value: Any) -> Any:
        return REGISTRY["index_put"].call(x, value, self.positions, axes=self.axes)


def steps(op_name: str, x: Any, item: Any) -> list[Basic | Picked]:
    """The steps of an index."""
    if is_basic(item):
        return [Basic(item)]
    found = plan(op_name, x, item)
    made: list[Basic | Picked] = []
    if any(i.__class__ is not slice or i != slice(None) for i in found.basic):
        made.append(Basic(found.basic))
    view = made[0].read(x) if made and found.ranges else x
    for axis, ends in found.ranges:
        given = [_as_tensor(end) for end in (ends.start, ends.stop, ends.step)]
        made.append(Picked([REGISTRY["slice_positions"].call(view, *given, axis=axis)], (axis,)))
    for some in (found.single, found.arrays):
        if some:
            made.append(Picked([item for _, item in some], tuple(axis for axis, _ in some)))
    return made


def _as_tensor(end: Any) -> Any:
    """An end of a slice as a tensor."""
    if end is None or hasattr(end, "stop_gradient"):
        return end
    return REGISTRY["full"].call(shape=(), fill_value=end, dtype="int64")


def read(x: Any, item: Any) -> Any:
    """x[item]."""
    for step in steps("getitem", x, item):
        x = step.read(x)
    return x


def written(x: Any, item: Any, value: Any) -> Any:
    """A copy of x with a tensor written at `item`."""
    row = steps("setitem", x, item)
    parts = [x]
    for step in row[:-1]:
        parts.append(step.read(parts[-1]))
    for step, part in zip(reversed(row), reversed(parts), strict=True):
        value = step.write(part, value)
    return value
