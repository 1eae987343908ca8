"""Writes of elements and slices at tensors of positions."""

from __future__ import annotations

from typing import Any

from ...engine.dispatch import store, wrong_kind
from ...engine.dtypes import DType
from ...engine.errors import InvalidArgument, InvalidType, OutOfRange
from ...engine.meta import Meta, axis_of
from ...errors import misfit
from .. import errors
from ..arguments import (
    axis_reader,
    make_operand,
    meta_of,
    metas_of,
    read_axis,
    read_integer,
    read_ints,
    shapes_differ,
)
from ..catalog import public
from ..op_spec import internal, op
from ..record import Formula, Public, Static, at_axis, sample
from ..registry import REGISTRY
from .gathering import POSITIONS, infer_nd_shape, read_coordinates, require_positions
from .join_at import add_at
from .picking import refuse_outside
from .positions import is_mask

# ----- slices of the first axis -------------------------------------------------------------------


def _scatter_infer(x: Meta, index: Meta, updates: Meta, *, overwrite: bool = True) -> Meta:
    require_positions("scatter", index)
    count = index.shape[:1]
    column = len(index.shape) == 2 and index.shape[1] in (1, -1)
    expected = (*count, *x.shape[1:])
    if len(index.shape) > 1 and not column:
        raise misfit("scatter", POSITIONS, index=index)
    if shapes_differ(updates.shape, expected):
        raise errors.shape("scatter", expected, updates=updates, x=x, index=index)
    return x


@op(
    infer=_scatter_infer,
    formula=Formula(
        lambda attrs: (
            "y = x, y[index] = updates"
            if attrs["overwrite"]
            else "y = x, y[index] = 0, y[index] += updates"
        ),
        "dx = dy, dx[index] = 0, dupdates = dy[index]",
    ),
    samples=(
        sample((3, 2), (2,), (2, 2), ints={"index": 3}),
        sample((3, 2), (5, 1), (5, 2), ints={"index": 3}),
        sample((4,), (3,), (3,), ints={"index": 2}, overwrite=False),
        sample((3, 2), (), (2,), ints={"index": 3}),
    ),
    public=Public(inplace=True),
    static=Static("scatter", slots={"index": "Ids"}),
)
def scatter(xp: Any, x: Any, index: Any, updates: Any, *, overwrite: Any = True) -> Any:
    """x with slices overwritten; without `overwrite` these slices are set to 0 first, and then
    all their updates are added.

    >>> x, index = paddle.zeros([3]), paddle.to_tensor([1, 1])
    >>> paddle.scatter(x, index, paddle.to_tensor([2.0, 3.0]), overwrite=False).tolist()
    [0.0, 5.0, 0.0]
    """
    _scatter_infer(*(Meta(a.shape, a.dtype) for a in (x, index, updates)))
    refuse_outside(xp, "scatter", index, x.shape, 0)
    out, where = x.copy(), index.reshape(-1)
    updates = updates.reshape((len(where), *x.shape[1:]))
    if overwrite:
        out[where] = updates
    else:
        out[where] = 0
        add_at(xp, out, where, updates)
    return out


@scatter.grad
def scatter_grad(F: Any, dout: Any, index: Any, updates_shape: Any, *, overwrite: bool) -> Any:
    where = [F.reshape_to(index, shape=(-1,))]
    part = F.pick(dout, where, axes=(0,))
    nothing = F.fill_like(part)
    dx = F.index_put(dout, nothing, where, axes=(0,))
    if overwrite:
        part = F.where(F.written_last(dout, where, axes=(0,)), part, nothing)
    return dx, None, F.reshape_to(part, shape=updates_shape)


# ----- coordinates --------------------------------------------------------------------------------


def _refuse_updates(op_name: str, shape: tuple[int, ...], index: Meta, updates: Meta) -> None:
    expected = infer_nd_shape(op_name, shape, index)
    if shapes_differ(expected, updates.shape):
        raise errors.shape(op_name, expected, updates=updates, index=index)


def _nd_add(xp: Any, op_name: str, out: Any, index: Any, updates: Any) -> Any:
    """Add updates to `out` at coordinates, which may repeat."""
    _refuse_updates(op_name, out.shape, *metas_of([index, updates]))
    columns = read_coordinates(xp, op_name, index, out.shape)
    if columns:
        add_at(xp, out, columns, updates)
    else:  # no coordinates: each update has the shape of x
        out += updates.reshape((-1, *out.shape)).sum(axis=0)
    return out


def _add_infer(x: Meta, index: Meta, updates: Meta) -> Meta:
    if x.dtype != updates.dtype:
        raise errors.other_dtype("scatter_nd_add", InvalidType, x=x, updates=updates)
    _refuse_updates("scatter_nd_add", x.shape, index, updates)
    return x


@op(
    infer=_add_infer,
    formula=Formula("y = x, y[indexᵢ] += updatesᵢ", "dx = dy, dupdatesᵢ = dy[indexᵢ]"),
    samples=(
        sample((3, 4), (5, 2), (5,), ints={"index": 3}),
        sample((3, 2), (4, 1), (4, 2), ints={"index": 3}),
        sample((2,), (3, 0), (3, 2), ints={"index": 2}),
    ),
)
def scatter_nd_add(xp: Any, x: Any, index: Any, updates: Any) -> Any:
    """x with updates added at rows of coordinates.

    >>> x, index = paddle.zeros([3]), paddle.to_tensor([[1], [1]])
    >>> paddle.scatter_nd_add(x, index, paddle.to_tensor([2.0, 3.0])).tolist()
    [0.0, 5.0, 0.0]
    """
    _add_infer(*(Meta(a.shape, a.dtype) for a in (x, index, updates)))
    return _nd_add(xp, "scatter_nd_add", x.copy(), index, updates)


scatter_nd_add.grad(lambda F, dout, index: (dout, None, F.gather_nd(dout, index)))


def _nd_infer(index: Meta, updates: Meta, *, shape: tuple[int, ...]) -> Meta:
    _refuse_updates("scatter_nd", tuple(shape), index, updates)
    return Meta(tuple(shape), updates.dtype)


@op(
    infer=_nd_infer,
    canon={"shape": read_ints},
    formula=Formula("y = 0, y[indexᵢ] += updatesᵢ", "dupdatesᵢ = dy[indexᵢ]"),
    samples=(
        sample((5, 2), (5,), ints={"index": 3}, shape=(3, 4)),
        sample((4, 1), (4, 2), ints={"index": 3}, shape=(3, 2)),
    ),
)
def scatter_nd(xp: Any, index: Any, updates: Any, *, shape: Any) -> Any:
    """Zeros in `shape` with updates added at rows of coordinates.

    >>> index = paddle.to_tensor([[1], [1]])
    >>> paddle.scatter_nd(index, paddle.to_tensor([2.0, 3.0]), [3]).tolist()
    [0.0, 5.0, 0.0]
    """
    return _nd_add(xp, "scatter_nd", xp.zeros(shape, updates.dtype), index, updates)


scatter_nd.grad(lambda F, dout, index: (None, F.gather_nd(dout, index)))


# ----- slices along any axis ----------------------------------------------------------------------


def _index_add_infer(x: Meta, index: Meta, value: Meta, *, axis: int) -> Meta:
    require_positions("index_add", index)
    where = axis_of("index_add", x, axis, error=OutOfRange)
    expected = (*x.shape[:where], *index.shape, *x.shape[where + 1 :])
    errors.require_rank("index_add", 1, 1, index=index)
    if shapes_differ(expected, value.shape):
        raise errors.shape("index_add", expected, value=value, index=index)
    return x


@internal(
    infer=_index_add_infer,
    canon={"axis": read_axis},
    formula=Formula(at_axis("y = x, y[index] += value")),
    samples=(
        sample((3, 2), (5,), (5, 2), ints={"index": 3}, axis=0),
        sample((2, 4), (2,), (2, 2), ints={"index": 4}, axis=-1),
    ),
    static=Static("index_add", slots={"value": "AddValue"}),
)
def index_add_(xp: Any, x: Any, index: Any, value: Any, *, axis: Any) -> Any:
    """x with slices added at positions along an axis, which may repeat."""
    _index_add_infer(*(Meta(a.shape, a.dtype) for a in (x, index, value)), axis=axis)
    where = axis % x.ndim
    refuse_outside(xp, "index_add", index, x.shape, where, InvalidArgument)
    out = x.copy()
    add_at(xp, out, ((slice(None),) * where + (index,)), value)
    return out


@index_add_.grad
def index_add_grad(F: Any, dout: Any, index: Any, *, axis: int) -> Any:
    return dout, None, F.index_select(dout, index, axis=axis)


@public(inplace=True)
def index_add(
    x: Any,
    index: Any,
    axis: int,
    value: Any,
    alpha: float = 1,
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """x with alpha · value added to slices at positions along an axis, which may repeat.

    >>> x, index = paddle.zeros([3]), paddle.to_tensor([1, 1])
    >>> paddle.index_add(x, index, 0, paddle.to_tensor([2.0, 3.0])).tolist()
    [0.0, 5.0, 0.0]
    """
    result = index_add_.call(x, index, value if alpha == 1 else value * alpha, axis=axis)
    return store(out, result, "index_add")


@public(inplace=True, changes=3)
def index_fill(x: Any, index: Any, axis: int, value: Any, name: str | None = None) -> Any:
    """x with one value in the slices at positions along an axis.

    Shapes: for example x [3], index [2], axis=0, value=7.0 gives [3].
    Dtypes: all kept.
    Errors: ValueError if there is no such axis.

    >>> paddle.index_fill(paddle.zeros([3]), paddle.to_tensor([0, 2]), 0, 7.0).tolist()
    [7.0, 0.0, 7.0]
    """
    meta = Meta(tuple(x.shape), DType.of(x.dtype).numpy)
    where = axis_of("index_fill", meta, read_axis(axis))
    value = value if hasattr(value, "stop_gradient") else make_operand(value, x)
    return REGISTRY["index_put"].call(x, value, [index], axes=(where,))


@public(inplace=True)
def index_put(
    x: Any, indices: Any, value: Any, accumulate: bool = False, name: str | None = None
) -> Any:
    """x with `value` written or added at tensors of positions, one for each axis.

    Shapes: for example x [2, 2], indices [2] and [2], value [2] gives [2, 2].
    Dtypes: all kept.
    Errors: ValueError if the shapes do not fit.

    >>> x, i, j = paddle.zeros([2, 2]), paddle.to_tensor([0, 1]), paddle.to_tensor([1, 1])
    >>> paddle.index_put(x, (i, j), paddle.to_tensor([3.0, 4.0])).tolist()
    [[0.0, 3.0], [0.0, 4.0]]
    """
    if not isinstance(indices, (list, tuple)) or not indices:
        raise wrong_kind("index_put", "indices", 1, indices)
    axes, axis = [], 0
    for item in indices:
        axes.append(axis)
        axis += len(item.shape) if is_mask(item) else 1
    if axis > len(x.shape):
        expected = f"indices for at most {len(x.shape)} axes"
        raise misfit("index_put", expected, axes=axis, x=x)
    put = REGISTRY["index_put"].call
    return put(x, value, list(indices), axes=tuple(axes), accumulate=bool(accumulate))


# ----- whole slices -------------------------------------------------------------------------------


@public()
def select_scatter(x: Any, values: Any, axis: int, index: int, name: str | None = None) -> Any:
    """x with the slice at `index` along an axis replaced.

    Shapes: for example x [2, 2], values [2], axis=0, index=1 gives [2, 2].
    Dtypes: all kept.
    Errors: ValueError if there is no such axis, if the shapes do not fit.

    >>> paddle.select_scatter(paddle.zeros([2, 2]), paddle.ones([2]), 0, 1).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    axis = axis_reader("select_scatter")(axis)
    index = read_integer(index, "select_scatter(): index")
    where = axis_of("select_scatter", meta_of(x), axis)
    expected = [n for i, n in enumerate(x.shape) if i != where]
    if list(values.shape) != expected:
        raise errors.shape("select_scatter", expected, values=values)
    return REGISTRY["set_at"].call(x, values, index=(*[slice(None)] * where, index))


@public()
def slice_scatter(
    x: Any, value: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None
) -> Any:
    """x with the part x[start:end:stride, ...] replaced.

    Shapes: for example x [2, 3], value [2, 1], axes=[1], starts=[1], ends=[2], strides=[1] gives
    [2, 3].
    Dtypes: all kept.
    Errors: ValueError if the shapes do not fit.

    >>> part = paddle.ones([2, 1])
    >>> paddle.slice_scatter(paddle.zeros([2, 3]), part, [1], [1], [2], [1]).tolist()
    [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    """
    index: list[Any] = [slice(None)] * len(x.shape)
    for axis, start, end, stride in zip(
        *map(read_ints, (axes, starts, ends, strides)), strict=True
    ):
        index[axis] = slice(start, end, stride)
    return REGISTRY["set_at"].call(x, value, index=tuple(index))
