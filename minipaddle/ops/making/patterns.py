"""Matrices with patterns: identity, diagonals, triangles; and coordinates of grids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...engine import dtypes
from ...engine.dtypes import DType
from ...engine.errors import InvalidArgument, InvalidType
from ...engine.meta import Meta, no_kernel, no_kernel_giving
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import (
    check_memory,
    fill_in_sizes,
    find_open_sizes,
    metas_of,
    read_integer,
    read_number,
)
from ..catalog import public
from ..op_spec import Kernel, Op, internal, op
from ..record import Formula, Operands, Public, Results, Static, sample, with_options
from ..shapes.diagonals import diagonal_length
from .creation import ALL_OPTIONS, infer_open, publish_creation

# ----- from sizes --------------------------------------------------------------------------------


def _read_count(op_name: str, name: str, value: Any) -> int:
    """Read a number of rows or columns."""
    value = read_number(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise misfit(op_name, f"{name}, an int of at least 0", InvalidType, **{name: value})
    return check_memory((value,))[0]


def _eye_symbol(attrs: Mapping[str, Any]) -> str:
    rows, columns = attrs["num_rows"], attrs["num_columns"]
    return f"eye({rows})" if rows == columns else f"eye({rows}, {columns})"


@internal(
    infer=lambda *, num_rows, num_columns, dtype: Meta((num_rows, num_columns), dtype.numpy),
    gradless="has no input",
    canon={"dtype": DType.of},
    formula=Formula("yᵢⱼ = [j = i]", symbol=_eye_symbol),
    samples=(
        sample(num_rows=2, num_columns=3, dtype="float32"),
        sample(num_rows=0, num_columns=0, dtype="int64"),
    ),
)
def eye_(xp: Any, *, num_rows: Any, num_columns: Any, dtype: Any) -> Any:
    """A matrix with ones on its diagonal, else zeros."""
    return xp.eye(num_rows, num_columns, dtype=dtype.numpy)


@internal(
    infer=infer_open,
    operands=Operands(takes_list=True),
    gradless="the sizes are numbers",
    canon={"dtype": DType.of},
    formula=Formula("yᵢⱼ = [j = i]", symbol="eye"),
    samples=(sample([()], ints={"sizes": 4}, shape=(None, 3), dtype="float32"),),
    static=Static("eye"),
)
def eye_by(xp: Any, sizes: list[Any], *, shape: Any, dtype: Any) -> Any:
    """A matrix with ones on its diagonal, of which some sizes are tensors."""
    rows, columns = fill_in_sizes(shape, sizes)
    return eye_.kernel(xp, num_rows=rows, num_columns=columns, dtype=dtype)


@publish_creation(*ALL_OPTIONS)
def eye(num_rows: Any, num_columns: Any = None, dtype: Any = None, name: str | None = None) -> Any:
    """The identity matrix, or a matrix with ones on its diagonal.

    Shapes: [num_rows, num_columns]. Dtypes: float32 unless `dtype` says otherwise.
    Errors: TypeError for a size that is not an int, or negative.

    >>> import minipaddle as paddle
    >>> paddle.eye(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    kind = dtype or dtypes.get_default()
    shape = (num_rows, num_rows if num_columns is None else num_columns)
    unknown = find_open_sizes(shape)
    if unknown is not None:
        return eye_by.call(unknown[1], shape=unknown[0], dtype=kind)
    rows, columns = map(_read_count, ("eye", "eye"), ("num_rows", "num_columns"), shape)
    return eye_.call(num_rows=rows, num_columns=columns, dtype=kind)


def _corner_size(rows: int, columns: int, offset: int, upper: bool) -> int:
    """Return the number of positions in a matrix on one side of a diagonal."""
    first = min(max(-offset, 0), rows)  # rows before it have no position, rows from `full` on all
    full = min(max(columns - offset - 1, first), rows)
    below = (full - first) * (first + full + 2 * offset + 1) // 2 + (rows - full) * columns
    return below if not upper else rows * columns - below


def _indices_inference(upper: bool) -> Any:
    def infer(*, rows: int, cols: int, offset: int, dtype: Any) -> Meta:
        return Meta((2, _corner_size(rows, cols, offset - upper, upper)), dtype.numpy)

    return infer


CORNER = (
    sample(rows=2, cols=3, offset=0, dtype="int64"),
    sample(rows=3, cols=3, offset=-1, dtype="int32"),
    sample(rows=2, cols=2, offset=5, dtype="int64"),
    sample(rows=0, cols=2, offset=0, dtype="int64"),
)


@internal(
    infer=_indices_inference(upper=False),
    gradless="has no input",
    canon={"dtype": DType.of},
    formula=Formula("(i, j), j ≤ i + offset"),
    samples=CORNER,
)
def tril_indices_(xp: Any, *, rows: Any, cols: Any, offset: int, dtype: Any) -> Any:
    """Row and column of each position on or below a diagonal."""
    return xp.stack(xp.nonzero(xp.tri(rows, cols, offset))).astype(dtype.numpy)


@internal(
    infer=_indices_inference(upper=True),
    gradless="has no input",
    canon={"dtype": DType.of},
    formula=Formula("(i, j), j ≥ i + offset"),
    samples=CORNER,
    static=Static("triu_indices", attrs={"rows": "row", "cols": "col"}),
)
def triu_indices_(xp: Any, *, rows: Any, cols: Any, offset: int, dtype: Any) -> Any:
    """Row and column of each position on or above a diagonal."""
    above = xp.tri(rows, cols, offset - 1) == 0
    return xp.stack(xp.nonzero(above)).astype(dtype.numpy)


def _corner_indices(record: Any, row: Any, col: Any, offset: Any, dtype: Any) -> Any:
    rows = _read_count(record.name, "row", row)
    columns = rows if col is None else _read_count(record.name, "col", col)
    check_memory((rows, columns))
    offset = read_integer(offset, f"{record.name}(): offset")
    kind = DType.of(dtype)
    if kind.name not in ("int32", "int64"):
        wanted = Message("int32 or int64")
        raise no_kernel_giving(record.name, kind.name, wanted, "int64")
    return record.call(rows=rows, cols=columns, offset=offset, dtype=kind)


@publish_creation()
def tril_indices(row: int, col: int, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column indices of the lower triangle of a matrix, as a [2, n] tensor.

    Dtypes: int32, or int64 as by default.
    Errors: TypeError for a size that is not an int, or negative.

    >>> import minipaddle as paddle
    >>> paddle.tril_indices(2, 2).tolist()
    [[0, 1, 1], [0, 0, 1]]
    """
    return _corner_indices(tril_indices_, row, col, offset, dtype)


@publish_creation()
def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column indices of the upper triangle of a matrix, as a [2, n] tensor.

    Dtypes: int32, or int64 as by default.
    Errors: TypeError for a size that is not an int, or negative.

    >>> import minipaddle as paddle
    >>> paddle.triu_indices(2).tolist()
    [[0, 0, 1], [0, 1, 1]]
    """
    return _corner_indices(triu_indices_, row, col, offset, dtype)


# ----- triangles ---------------------------------------------------------------------------------


TRIANGLES = (
    sample((3, 4)),
    sample((2, 3, 3), diagonal=1),
    sample((3, 2), diagonal=-1),
    sample((0, 3)),
)


def _triangle_op(sign: str) -> Callable[[Kernel], Op]:
    """Register an op that keeps the elements with `j {sign} i + diagonal`."""

    def formula(attrs: Mapping[str, Any]) -> str:
        k = attrs["diagonal"]
        shift = f" + {k}" if k > 0 else f" − {-k}" if k < 0 else ""
        return f"yᵢⱼ = xᵢⱼ · [j {sign} i{shift}]"

    def register(kernel: Kernel) -> Op:
        name = kernel.__name__

        def infer(x: Meta, *, diagonal: Any) -> Meta:
            errors.require_rank(name, 2, None, x=x)
            return x

        def symbol(attrs: Mapping[str, Any]) -> str:
            return f"{name}, diagonal={attrs['diagonal']}" if attrs["diagonal"] else name

        return op(
            infer=infer,
            checked=True,
            formula=Formula(formula, symbol=symbol),
            samples=TRIANGLES,
            public=Public(inplace=True),
            static=Static("tril_triu", extra={"lower": sign == "≤"}),
        )(kernel)

    return register


@_triangle_op("≤")
def tril(xp: Any, x: Any, *, diagonal: int = 0) -> Any:
    """x with zeros above a diagonal: the main one, or the k-th above it.

    >>> paddle.tril(paddle.ones([2, 2])).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return xp.tril(x, diagonal)


tril.grad(lambda F, dout, *, diagonal: F.tril(dout, diagonal=diagonal))


@_triangle_op("≥")
def triu(xp: Any, x: Any, *, diagonal: int = 0) -> Any:
    """x with zeros below a diagonal: the main one, or the k-th above it.

    >>> paddle.triu(paddle.ones([2, 2])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return xp.triu(x, diagonal)


triu.grad(lambda F, dout, *, diagonal: F.triu(dout, diagonal=diagonal))


# ----- diagonals ---------------------------------------------------------------------------------


def _diag_infer(x: Meta, *, offset: int, padding_value: Any) -> Meta:
    if len(x.shape) > 2:
        raise errors.rank("diag", 1, 2, InvalidArgument, "paddle.diagonal(x)", x=x)
    if x.dtype.kind == "b":
        raise no_kernel("diag", "x", x, Message("numbers"), "int32")
    if len(x.shape) == 2:
        return Meta((diagonal_length(*x.shape, offset),), x.dtype)
    n = x.shape[0] if x.shape else 1
    side = -1 if n == -1 else n + abs(offset)
    return Meta((side, side), x.dtype)


def _of_diagonal(matrix: str, values: str, offset: int) -> str:
    """Return the formula of a matrix with these values on a diagonal."""
    if offset < 0:
        return f"{matrix}ᵢⱼ = {values}ⱼ · [i = j + {-offset}]"
    return f"{matrix}ᵢⱼ = {values}ᵢ · [j = i{f' + {offset}' if offset else ''}]"


def _write_diagonal(xp: Any, values: Any, matrix: Any, offset: int) -> Any:
    """Return a matrix with these values on a diagonal."""
    i = xp.arange(values.size)
    matrix[i + max(-offset, 0), i + max(offset, 0)] = values
    return matrix


@op(
    infer=_diag_infer,
    formula=Formula(
        with_options("y = diag(x)", offset=0, padding_value=0),
        lambda attrs: _of_diagonal("dx", "dy", attrs["offset"]) if attrs["rank"] == 2 else "",
    ),
    samples=(
        sample((3,)),
        sample((2,), offset=-1, padding_value=3.0),
        sample((2, 3), offset=1),
        sample((3, 2), offset=-1),
        sample((2, 2), offset=4),
        sample(()),
        sample((0,)),
    ),
    static=Static("diag_v2"),
)
def diag(xp: Any, x: Any, *, offset: int = 0, padding_value: Any = 0) -> Any:
    """A matrix with the vector x on a diagonal, or a diagonal of the matrix x.

    >>> paddle.diag(paddle.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    meta = _diag_infer(metas_of(x), offset=offset, padding_value=padding_value)
    if x.ndim == 2:
        return x.diagonal(offset).copy()
    return _write_diagonal(xp, x.reshape(-1), xp.full(meta.shape, padding_value, x.dtype), offset)


@diag.grad
def diag_grad(F: Any, dout: Any, x_shape: Any, *, offset: int) -> Any:
    if len(x_shape) == 2:
        return F.on_diagonal(dout, shape=x_shape, offset=offset)
    return F.reshape_to(F.diag(dout, offset=offset), shape=x_shape)


@internal(
    infer=lambda x, *, shape, offset: Meta(tuple(shape), x.dtype),
    formula=Formula(lambda attrs: _of_diagonal("y", "x", attrs["offset"])),
    samples=(sample((2,), shape=[2, 3], offset=1),),
)
def on_diagonal(xp: Any, x: Any, *, shape: Any, offset: int) -> Any:
    """A matrix of this shape with the values x on a diagonal, else 0."""
    return _write_diagonal(xp, x, xp.zeros(shape, x.dtype), offset)


on_diagonal.grad(lambda F, dout, *, offset: F.diag(dout, offset=offset))


@public()
def diagflat(x: Any, offset: int = 0, name: str | None = None) -> Any:
    """A matrix with the elements of x on a diagonal.

    Shapes: for example x [1, 2], offset=1 gives [3, 3].
    Dtypes: floating, complex, integers kept.
    Errors: RuntimeError for bool.

    >>> import minipaddle as paddle
    >>> paddle.diagflat(paddle.to_tensor([[1, 2]]), 1).tolist()
    [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    """
    return diag.call(x if len(x.shape) == 1 else x.flatten(), offset=offset)


# ----- grids -------------------------------------------------------------------------------------


def _grid_infer(inputs: list[Meta]) -> list[Meta]:
    for i, x in enumerate(inputs):
        if len(x.shape) > 1:
            raise errors.rank("meshgrid", 0, 1, **{f"tensors[{i}]": x})
        if x.dtype != inputs[0].dtype:
            raise errors.other_dtype("meshgrid", **{"tensors[0]": inputs[0], f"tensors[{i}]": x})
    shape = tuple(x.shape[0] if x.shape else 1 for x in inputs)
    return [Meta(shape, inputs[0].dtype) for _ in inputs]


@internal(
    infer=_grid_infer,
    operands=Operands(takes_list=True),
    results=Results(("outs",), is_list=True),
    formula=Formula("[y₁, y₂, …] = meshgrid(x₁, x₂, …)"),
    samples=(sample([(2,), (3,)]), sample([(2,), (), (3,)]), sample([(4,)])),
    static=Static("meshgrid", slots={"inputs": "X"}),
)
def meshgrid_(xp: Any, inputs: list[Any]) -> Any:
    """Each vector repeated over the axes of all others."""
    shapes = _grid_infer(metas_of(inputs))
    return [
        xp.broadcast_to(x.reshape(-1, *[1] * (len(inputs) - 1 - k)), meta.shape).copy()
        for k, (x, meta) in enumerate(zip(inputs, shapes, strict=True))
    ]


@meshgrid_.grad
def meshgrid_grad(F: Any, douts: Any, inputs_shape: Any) -> Any:
    count = len(inputs_shape)
    return [
        F.reshape_to(F.sum(dout, axis=tuple(a for a in range(count) if a != k)), shape=shape)
        if count > 1
        else F.reshape_to(dout, shape=shape)
        for k, (dout, shape) in enumerate(zip(douts, inputs_shape, strict=True))
    ]


@public(method=False)
def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """Coordinates of a grid: one tensor per vector, each with one axis for every vector.

    The vectors are passed one by one or in a list; `indexing="xy"` swaps the first two axes.

    Shapes: for example [2] and [3] gives [2, 3] and [2, 3].
    Dtypes: all kept.
    Errors: ValueError for anything but tensors, or more than one axis.

    >>> import minipaddle as paddle
    >>> x, y = paddle.meshgrid(paddle.arange(2), paddle.arange(3))
    >>> x.tolist(), y.tolist()
    ([[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]])
    """
    indexing = kwargs.pop("indexing", "ij")
    kwargs.pop("name", None)
    if kwargs or indexing not in ("ij", "xy"):
        expected = "meshgrid(x, y, ..., indexing='ij' or 'xy')"
        raise misfit("meshgrid", expected, **kwargs, indexing=indexing)
    tensors = list(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args)
    if indexing == "ij" or len(tensors) < 2:
        return list(meshgrid_.call(tensors))
    second, first, *others = meshgrid_.call([tensors[1], tensors[0], *tensors[2:]])
    return [first, second, *others]
