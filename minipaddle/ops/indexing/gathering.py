"""Reads of elements and slices at tensors of positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import DType, as_positions
from ...engine.errors import CheckFailed, InvalidArgument, OutOfRange, PreconditionNotMet
from ...engine.meta import Meta, axis_of
from ...errors import misfit, require
from .. import errors
from ..arguments import meta_of, metas_of, read_axis
from ..catalog import public
from ..op_spec import internal, op
from ..record import Formula, Static, at_axis, of_elements, sample
from ..registry import REGISTRY
from ..shapes.repeating import expand_
from .join_at import add_at, add_to_zeros
from .picking import refuse_outside

POSITIONS = "positions of shape [n], [n, 1] or []"


def require_positions(op_name: str, index: Meta, argument: str = "index") -> None:
    """Raise an error for positions of other dtypes than int32 and int64."""
    if index.dtype not in (np.int32, np.int64):
        raise errors.dtype(op_name, ("int32", "int64"), InvalidArgument, **{argument: index})


def _read_axis(axis: Any) -> int:
    """Return the axis of gather, by default the first one."""
    return 0 if axis is None else read_axis(axis)


# ----- slices along one axis ----------------------------------------------------------------------


def _gather_infer(x: Meta, index: Meta, *, axis: int) -> Meta:
    require_positions("gather", index)
    where = axis_of("gather", x, axis, error=OutOfRange)
    if len(index.shape) > 2 or (len(index.shape) == 2 and index.shape[1] not in (1, -1)):
        raise misfit("gather", POSITIONS, index=index)
    return Meta((*x.shape[:where], *index.shape[:1], *x.shape[where + 1 :]), x.dtype)


def _flatten(index: Any) -> Any:
    return index.reshape(-1) if index.ndim > 1 else index


@op(
    infer=_gather_infer,
    canon={"axis": _read_axis},
    formula=Formula(at_axis("y = x[index]"), at_axis("dx = 0, dx[index] += dy")),
    samples=(
        sample((5, 2), (3,), ints={"index": 5}),
        sample((2, 4), (3,), ints={"index": 4}, axis=1),
        sample((3, 2), (4, 1), ints={"index": 3}),
        sample((3, 2), (), ints={"index": 2}, axis=-1),
    ),
)
def gather(xp: Any, x: Any, index: Any, *, axis: Any = None) -> Any:
    """The slices of x along `axis` at the positions in `index`.

    >>> paddle.gather(paddle.to_tensor([5, 6, 7]), paddle.to_tensor([2, 0])).tolist()
    [7, 5]
    """
    _gather_infer(Meta(x.shape, x.dtype), Meta(index.shape, index.dtype), axis=axis)
    refuse_outside(xp, "gather", index, x.shape, axis % x.ndim)
    return xp.take(x, as_positions(_flatten(index)), axis)


@internal(
    infer=lambda x, index, *, shape, axis: Meta(tuple(shape), x.dtype),
    formula=Formula(at_axis("y = 0, y[index] += x")),
    samples=(
        sample((3, 2), (3,), ints={"index": 5}, shape=(5, 2)),
        sample((2, 3), (3, 1), ints={"index": 5}, shape=(2, 5), axis=-1),
    ),
)
def gather_back(xp: Any, x: Any, index: Any, *, shape: Any, axis: int = 0) -> Any:
    """Zeros in `shape` with the slices of x added at the positions in `index`."""
    where = (slice(None),) * (axis % len(shape)) + (_flatten(index),)
    return add_to_zeros(xp, shape, where, x)


gather_back.grad(lambda F, dout, index, *, axis: (F.gather(dout, index, axis=axis), None))


def _select_infer(x: Meta, index: Meta, *, axis: int) -> Meta:
    require_positions("index_select", index)
    where = axis_of("index_select", x, axis, error=OutOfRange)
    shape = index.shape
    if not shape or len(shape) > 2 or (len(shape) == 2 and shape[1] not in (1, -1)):
        raise errors.rank("index_select", 1, 1, index=index)
    return Meta((*x.shape[:where], shape[0], *x.shape[where + 1 :]), x.dtype)


@op(
    infer=_select_infer,
    canon={"axis": read_axis},
    formula=Formula(at_axis("y = x[index]"), at_axis("dx = 0, dx[index] += dy")),
    samples=(
        sample((5, 2), (3,), ints={"index": 5}),
        sample((2, 4), (5,), ints={"index": 4}, axis=-1),
    ),
    static=Static("index_select", attrs={"axis": "dim"}),
)
def index_select(xp: Any, x: Any, index: Any, *, axis: Any = 0) -> Any:
    """The slices of x along `axis` at a vector of positions.

    >>> paddle.index_select(paddle.to_tensor([5, 6, 7]), paddle.to_tensor([2, 0])).tolist()
    [7, 5]
    """
    _select_infer(Meta(x.shape, x.dtype), Meta(index.shape, index.dtype), axis=axis)
    refuse_outside(xp, "index_select", index, x.shape, axis % x.ndim, InvalidArgument)
    return xp.take(x, as_positions(_flatten(index)), axis)


@gather.grad
@index_select.grad
def gather_grad(F: Any, dout: Any, x_shape: Any, index: Any, *, axis: int) -> Any:
    return F.gather_back(dout, index, shape=x_shape, axis=axis), None


# ----- elements by coordinates --------------------------------------------------------------------


def infer_nd_shape(op_name: str, x: tuple[int, ...], index: Meta) -> tuple[int, ...]:
    """Return the shape of the parts of x at coordinates in the last axis of index."""
    require_positions(op_name, index)
    depth = index.shape[-1] if index.shape else 0
    if depth == -1:
        raise errors.unknown_size(op_name, -1, index=index)
    if not index.shape or depth > len(x):
        expected = f"rows of at most {len(x)} coordinates, one for each axis of x"
        raise misfit(op_name, expected, index=index)
    return (*index.shape[:-1], *x[depth:])


def read_coordinates(
    xp: Any, op_name: str, index: Any, shape: Any, kind: Any = OutOfRange
) -> tuple[Any, ...]:
    """Return the coordinates as an index of NumPy; raise an error for those out of range."""
    columns = tuple(index[..., i] for i in range(index.shape[-1]))
    for axis, column in enumerate(columns):
        refuse_outside(xp, op_name, column, shape, axis, kind)
    return columns


def _nd_infer(x: Meta, index: Meta) -> Meta:
    return Meta(infer_nd_shape("gather_nd", x.shape, index), x.dtype)


@op(
    infer=_nd_infer,
    formula=Formula("yᵢ = x[indexᵢ]", "dx = 0, dx[indexᵢ] += dyᵢ"),
    samples=(
        sample((3, 4), (5, 2), ints={"index": 3}),
        sample((3, 4), (2, 1), ints={"index": 3}),
        sample((3, 2, 2), (2,), ints={"index": 2}),
        sample((3,), (2, 0), ints={"index": 2}),
    ),
)
def gather_nd(xp: Any, x: Any, index: Any) -> Any:
    """The element of x at each row of coordinates, or a slice for fewer coordinates.

    >>> paddle.gather_nd(paddle.to_tensor([[1, 2], [3, 4]]), paddle.to_tensor([[1, 0]])).tolist()
    [3]
    """
    shape = infer_nd_shape("gather_nd", x.shape, Meta(index.shape, index.dtype))
    picked = x[read_coordinates(xp, "gather_nd", index, x.shape, InvalidArgument)]
    return xp.broadcast_to(picked, shape).copy() if picked.shape != shape else picked


gather_nd.grad(lambda F, dout, x_shape, index: (F.scatter_nd(index, dout, shape=x_shape), None))


# ----- a position for each element of the result --------------------------------------------------


def index_along(xp: Any, index: Any, axis: int) -> tuple[Any, ...]:
    """Return NumPy's index for positions along an axis; it enumerates all other axes."""
    rank = index.ndim
    rows = [
        xp.arange(n).reshape((1,) * i + (n,) + (1,) * (rank - 1 - i))
        for i, n in enumerate(index.shape)
    ]
    rows[axis % rank] = index
    return tuple(rows)


def infer_along(op_name: str, arr: Meta, indices: Meta, axis: int) -> int:
    """Return the axis after a check of ranks and dtype."""
    require_positions(op_name, indices, "indices")
    if len(arr.shape) != len(indices.shape):
        raise errors.rank(op_name, len(arr.shape), len(arr.shape), indices=indices, arr=arr)
    where = axis_of(op_name, arr, axis, error=CheckFailed)
    for i, (m, n) in enumerate(zip(arr.shape, indices.shape, strict=True)):
        if i != where and n > m != -1:
            expected = f"indices of at most {m} on axis {i}, as arr has"
            pairs = {"arr": arr, "indices": indices}
            raise misfit(op_name, expected, PreconditionNotMet, **pairs)
    return where


def _take_along_infer(arr: Meta, indices: Meta, *, axis: int) -> Meta:
    infer_along("take_along_axis", arr, indices, axis)
    return Meta(indices.shape, arr.dtype)


@internal(
    infer=_take_along_infer,
    canon={"axis": read_axis},
    formula=Formula(of_elements("y@ = arr§"), of_elements("darr = 0, darr§ += dy@")),
    samples=(
        sample((3, 4), (3, 2), ints={"indices": 4}, axis=1),
        sample((3, 4), (5, 2), ints={"indices": 3}, axis=-2),
    ),
    static=Static(
        "take_along_axis",
        slots={"arr": "Input", "indices": "Index", "out": "Result"},
        attrs={"axis": "Axis"},
    ),
)
def take_along_axis_(xp: Any, arr: Any, indices: Any, *, axis: Any) -> Any:
    """For each element of indices, the element of arr at that position along the axis."""
    sizes, places = metas_of([arr, indices])
    where = infer_along("take_along_axis", sizes, places, axis)
    refuse_outside(xp, "take_along_axis", indices, arr.shape, where)
    return arr[index_along(xp, indices, where)]


@take_along_axis_.grad
def take_along_axis_grad(F: Any, dout: Any, arr_shape: Any, indices: Any, *, axis: int) -> Any:
    return F.along_back(dout, indices, shape=arr_shape, axis=axis), None


@internal(
    infer=lambda x, indices, *, shape, axis: Meta(tuple(shape), x.dtype),
    formula=Formula(of_elements("y = 0, y§ += x@"), of_elements("dx@ = dy§")),
    samples=(
        sample((3, 2), (3, 2), ints={"indices": 4}, shape=(3, 4), axis=1),
        sample((5, 2), (5, 2), ints={"indices": 3}, shape=(3, 4), axis=-2),
    ),
)
def along_back(xp: Any, x: Any, indices: Any, *, shape: Any, axis: int) -> Any:
    """Zeros in `shape` with the elements of x added at positions along an axis."""
    out = xp.zeros(shape, x.dtype)
    add_at(xp, out, index_along(xp, indices, axis), x)
    return out


@along_back.grad
def along_back_grad(F: Any, dout: Any, indices: Any, *, axis: int) -> Any:
    return F.take_along_axis(dout, indices, axis=axis), None


def broadcast_except(op_name: str, arr: Any, indices: Any, axis: int) -> tuple[Any, Any]:
    """Return arr and indices, broadcast to each other along all axes except one."""
    where = axis_of(op_name, meta_of(arr), axis, error=CheckFailed)
    metas = [Meta(tuple(t.shape), DType.of(t.dtype).numpy) for t in (arr, indices)]
    shapes = [list(meta.shape) for meta in metas]
    common = [n if m == 1 else m for m, n in zip(*shapes, strict=True)]
    targets = [
        [n if i == where else c for i, (n, c) in enumerate(zip(s, common, strict=True))]
        for s in shapes
    ]
    positions = [
        t if s == w else expand_.call(t, shape=w)
        for t, s, w in zip((arr, indices), shapes, targets, strict=True)
    ]
    return positions[0], positions[1]


@public(aliases=("take_along_dim",))
def take_along_axis(
    arr: Any, indices: Any, axis: int, broadcast: bool = True, *, out: Any = None
) -> Any:
    """For each element of indices, the element of arr at that position along the axis; with
    `broadcast` the other axes of both broadcast.

    >>> x = paddle.to_tensor([[5, 6], [7, 8]])
    >>> paddle.take_along_axis(x, paddle.to_tensor([[1], [0]]), 1).tolist()
    [[6], [7]]
    """
    if broadcast and len(arr.shape) == len(indices.shape):
        arr, indices = broadcast_except("take_along_axis", arr, indices, axis)
    result = take_along_axis_.call(arr, indices, axis=axis)
    return store(out, result, "take_along_axis")


@public(method=False)
def multiplex(inputs: Any, index: Any, name: str | None = None) -> Any:
    """Row i of the tensor whose number stands in row i of index [n, 1].

    Shapes: for example two inputs [2, 3], index [2, 1] gives [2, 3].
    Dtypes: all kept; int32, int64 for index.
    Errors: ValueError for fewer than two inputs, other shapes or dtypes; IndexError for a number
    that no tensor has.

    >>> x, y = paddle.to_tensor([[1.0], [2.0]]), paddle.to_tensor([[3.0], [4.0]])
    >>> paddle.multiplex([x, y], paddle.to_tensor([[1], [0]])).tolist()
    [[3.0], [2.0]]
    """
    count = len(inputs) if isinstance(inputs, (list, tuple)) else 0
    require(count > 1, "multiplex", "a list of at least 2 tensors", inputs=inputs)
    require_positions("multiplex", meta_of(index))
    shape = tuple(inputs[0].shape)
    errors.require_rank("multiplex", 2, None, inputs=inputs[0])
    errors.require_rank("multiplex", 2, 2, PreconditionNotMet, index=index)
    (n, width), most = index.shape, shape[0]
    fits = width == 1 and (most < 0 or n <= most)
    expected = f"index [n, 1] with n <= {most}, the rows of the inputs"
    require(fits, "multiplex", expected, PreconditionNotMet, index=index)
    rows = REGISTRY["stack"].call(list(inputs), axis=0)
    rows = rows if n in (-1, most) else rows[:, :n]
    numbers = REGISTRY["reshape"].call(index, shape=(1, -1, *[1] * (len(shape) - 1)))
    return REGISTRY["squeeze"].call(take_along_axis(rows, numbers, 0), axis=0)


def _sample_infer(x: Meta, index: Meta) -> Meta:
    require_positions("index_sample", index)
    if (
        len(x.shape) != 2
        or len(index.shape) != 2
        or (x.shape[0] != index.shape[0] and -1 not in (x.shape[0], index.shape[0]))
    ):
        expected = "x of shape [n, m] and index of shape [n, k]"
        raise misfit("index_sample", expected, x=x, index=index)
    return Meta((max(x.shape[0], index.shape[0]), index.shape[1]), x.dtype)


@op(
    infer=_sample_infer,
    formula=Formula("yᵢⱼ = x[i, indexᵢⱼ]", "dx = 0, dx[i, indexᵢⱼ] += dyᵢⱼ"),
    samples=(sample((3, 4), (3, 2), ints={"index": 4}), sample((1, 3), (1, 5), ints={"index": 3})),
)
def index_sample(xp: Any, x: Any, index: Any) -> Any:
    """For each row of x, its elements at the positions in that row of index.

    >>> x = paddle.to_tensor([[5, 6], [7, 8]])
    >>> paddle.index_sample(x, paddle.to_tensor([[1, 1], [0, 1]])).tolist()
    [[6, 6], [7, 8]]
    """
    _sample_infer(Meta(x.shape, x.dtype), Meta(index.shape, index.dtype))
    refuse_outside(xp, "index_sample", index, x.shape, 1, InvalidArgument, 0)
    return x[index_along(xp, index, 1)]


@index_sample.grad
def index_sample_grad(F: Any, dout: Any, x_shape: Any, index: Any) -> Any:
    return F.along_back(dout, index, shape=x_shape, axis=1), None


# ----- elements of the flattened tensor -----------------------------------------------------------


@internal(
    infer=lambda x, index, *, mode: Meta(index.shape, np.dtype("int64")),
    gradless="positions have no gradient",
    formula=Formula(
        lambda attrs: (
            "y = index mod numel(x)"
            if attrs["mode"] == "wrap"
            else "y = min(max(index, 0), numel(x) − 1)"
        )
    ),
    samples=(
        sample((2, 3), (4,), ints={"index": 9}, mode="wrap"),
        sample((2, 3), (2, 2), ints={"index": 9}, mode="clip"),
    ),
)
def flat_positions(xp: Any, x: Any, index: Any, *, mode: str) -> Any:
    """Positions in the range of the flattened x."""
    index = index.astype("int64")
    return index % x.size if mode == "wrap" else xp.clip(index, 0, x.size - 1)


@public()
def take(x: Any, index: Any, mode: str = "raise", name: str | None = None) -> Any:
    """The elements of the flattened x at the positions in index; `mode` for positions outside is
    'raise', 'wrap' (around) or 'clip' (to the nearest).

    Shapes: for example x [2, 2], index [2] gives [2].
    Dtypes: all kept; index int32 or int64.
    Errors: ValueError if x is not a Tensor; TypeError if index is not int32 or int64; IndexError
    for a position outside x.

    >>> paddle.take(paddle.to_tensor([[5, 6], [7, 8]]), paddle.to_tensor([3, 0])).tolist()
    [8, 5]
    """
    errors.require_choice("take", "mode", mode, ("raise", "wrap", "clip"))
    if not hasattr(index, "stop_gradient"):
        raise errors.no_tensor("take", "index", index)
    if DType.of(index.dtype).name not in ("int32", "int64"):
        raise errors.dtype("take", ("int32", "int64"), index=index)
    if mode != "raise":
        index = flat_positions.call(x, index, mode=mode)
    row, places = (REGISTRY["reshape"].call(part, shape=(-1,)) for part in (x, index))
    return REGISTRY["reshape"].call(index_select.call(row, places), shape=tuple(index.shape))
