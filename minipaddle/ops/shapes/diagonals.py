"""Diagonals of the matrices in a tensor: read, written, summed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...engine.errors import OutOfRange
from ...engine.meta import Meta, axis_of
from ...errors import require
from .. import errors
from ..arguments import shapes_differ
from ..catalog import public
from ..op_spec import internal, op
from ..record import Formula, Results, Static, sample

# ----- shapes -------------------------------------------------------------------------------------


def _matrix_axes(op_name: str, x: Meta, axis1: int, axis2: int) -> tuple[int, int]:
    """Return the two axes of the matrices, counted from 0."""
    errors.require_rank(op_name, 2, None, OutOfRange, x=x)
    one, other = (axis_of(op_name, x, axis, error=OutOfRange) for axis in (axis1, axis2))
    require(one != other, op_name, "two different axes", axis1=axis1, axis2=axis2)
    return one, other


def diagonal_length(rows: int, columns: int, offset: int) -> int:
    """Return the number of elements of a diagonal."""
    if -1 in (rows, columns):
        return -1
    return max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)


def _diagonal_shape(op_name: str, x: Meta, offset: int, axis1: int, axis2: int) -> tuple[int, ...]:
    one, other = _matrix_axes(op_name, x, axis1, axis2)
    rest = [n for i, n in enumerate(x.shape) if i not in (one, other)]
    return (*rest, diagonal_length(x.shape[one], x.shape[other], offset))


def _diagonal_view(xp: Any, x: Any, offset: int, axis1: int, axis2: int) -> Any:
    """Return the diagonal as a writable view."""
    x = xp.moveaxis(x, (axis1, axis2), (-2, -1))
    count = diagonal_length(x.shape[-2], x.shape[-1], offset)
    down, right = x.strides[-2:]
    corner = x[..., max(-offset, 0) :, max(offset, 0) :][..., :count, :count]
    return xp.lib.stride_tricks.as_strided(
        corner, (*x.shape[:-2], count), (*x.strides[:-2], down + right)
    )


def _formula(text: str) -> Callable[[Mapping[str, Any]], str]:
    """Return a function that puts the places of the diagonal into a formula, for @."""

    def of_offset(attrs: Mapping[str, Any]) -> str:
        offset = attrs["offset"]
        places = f"[i, i + {offset}]" if offset > 0 else f"[i + {-offset}, i]"
        return text.replace("@", places if offset else "ᵢᵢ")

    return of_offset


# ----- read ---------------------------------------------------------------------------------------


def _diagonal_infer(x: Meta, *, offset: int, axis1: int, axis2: int) -> Meta:
    return Meta(_diagonal_shape("diagonal", x, offset, axis1, axis2), x.dtype)


@op(
    infer=_diagonal_infer,
    results=Results(view=True),
    formula=Formula(_formula("yᵢ = x@"), _formula("dx = 0, dx@ = dyᵢ")),
    samples=(
        sample((3, 4)),
        sample((3, 4), offset=-1),
        sample((2, 3, 2), offset=1, axis1=-1, axis2=1),
        sample((2, 2), offset=5),
    ),
    static=Static("diagonal", slots={"x": "Input"}),
)
def diagonal(xp: Any, x: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonal over two axes, or the one `offset` above it, as the last axis; a view.

    >>> paddle.diagonal(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """
    one, other = _matrix_axes("diagonal", Meta(x.shape, x.dtype), axis1, axis2)
    return _diagonal_view(xp, x, offset, one, other)


@diagonal.grad
def diagonal_grad(F: Any, dout: Any, x_shape: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    return F.diagonal_back(dout, shape=x_shape, offset=offset, axis1=axis1, axis2=axis2)


@internal(
    infer=lambda x, *, shape, offset, axis1, axis2: Meta(tuple(shape), x.dtype),
    formula=Formula(_formula("y = 0, y@ = xᵢ"), _formula("dxᵢ = dy@")),
    samples=(
        sample((3,), shape=(3, 4)),
        sample((2, 1), shape=(3, 2, 2), offset=1, axis1=0, axis2=-1),
    ),
)
def diagonal_back(
    xp: Any, x: Any, *, shape: Any, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Any:
    """Zeros in `shape` with x on a diagonal."""
    out = xp.zeros(shape, x.dtype)
    _diagonal_view(xp, out, offset, axis1, axis2)[...] = x
    return out


@diagonal_back.grad
def diagonal_back_grad(F: Any, dout: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    return F.diagonal(dout, offset=offset, axis1=axis1, axis2=axis2)


# ----- written -----------------------------------------------------------------------------------


def _embed_infer(input: Meta, *, offset: int, dim1: int, dim2: int) -> Meta:
    meta = Meta((*input.shape, 1), input.dtype)
    one, other = _matrix_axes("diag_embed", meta, dim1, dim2)
    n = input.shape[-1]
    side = n if n == -1 else n + abs(offset)
    shape = list(input.shape[:-1])
    for axis in sorted((one, other)):
        shape.insert(axis, side)
    return Meta(tuple(shape), input.dtype)


@op(
    infer=_embed_infer,
    formula=Formula(_formula("y = 0, y@ = xᵢ"), _formula("dxᵢ = dy@")),
    samples=(
        sample((3,)),
        sample((2, 3), offset=1),
        sample((2, 2), offset=-1, dim1=0, dim2=2),
        sample((2, 2), dim1=2, dim2=0, offset=1),
    ),
)
def diag_embed(xp: Any, input: Any, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Matrices over two new axes, with the last axis of input on a diagonal.

    >>> paddle.diag_embed(paddle.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    shape = _embed_infer(Meta(input.shape, input.dtype), offset=offset, dim1=dim1, dim2=dim2).shape
    out = xp.zeros(shape, input.dtype)
    _diagonal_view(xp, out, offset, dim1 % len(shape), dim2 % len(shape))[...] = input
    return out


@diag_embed.grad
def diag_embed_grad(F: Any, dout: Any, *, offset: int, dim1: int, dim2: int) -> Any:
    return F.diagonal(dout, offset=offset, axis1=dim1, axis2=dim2)


def _scatter_infer(x: Meta, y: Meta, *, offset: int, axis1: int, axis2: int) -> Meta:
    expected = _diagonal_shape("diagonal_scatter", x, offset, axis1, axis2)
    if shapes_differ(expected, y.shape):
        raise errors.shape("diagonal_scatter", expected, y=y)
    return x


@op(
    infer=_scatter_infer,
    formula=Formula(_formula("z = x, z@ = yᵢ"), _formula("dx = dz, dx@ = 0, dyᵢ = dz@")),
    samples=(sample((3, 4), (3,)), sample((2, 3, 2), (3, 1), offset=1, axis1=0, axis2=-1)),
)
def diagonal_scatter(
    xp: Any, x: Any, y: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Any:
    """x with y on a diagonal over two axes.

    >>> x = paddle.zeros([2, 2])
    >>> paddle.diagonal_scatter(x, paddle.to_tensor([1.0, 2.0])).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    metas = Meta(x.shape, x.dtype), Meta(y.shape, y.dtype)
    _scatter_infer(*metas, offset=offset, axis1=axis1, axis2=axis2)
    out = x.copy()
    plane = _matrix_axes("diagonal_scatter", metas[0], axis1, axis2)
    _diagonal_view(xp, out, offset, *plane)[...] = y
    return out


@diagonal_scatter.grad
def diagonal_scatter_grad(F: Any, dout: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    part = F.diagonal(dout, offset=offset, axis1=axis1, axis2=axis2)
    nothing = F.fill_like(part)
    dx = F.diagonal_scatter(dout, nothing, offset=offset, axis1=axis1, axis2=axis2)
    return dx, part


@public(function=False, inplace=True)
def fill_diagonal_tensor(
    x: Any, y: Any, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None
) -> Any:
    """x with y on a diagonal over two axes, where as in Paddle y gets no gradient.

    `paddle.diagonal_scatter` gives y its gradient.

    Shapes: for example x [2, 3], y [2] gives [2, 3].
    Dtypes: all kept. Errors: ValueError for y of another shape, IndexError for axes that x lacks.

    >>> paddle.zeros([2, 2]).fill_diagonal_tensor(paddle.to_tensor([1.0, 2.0])).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    values = y.detach() if hasattr(y, "stop_gradient") else y
    return diagonal_scatter.call(x, values, offset=offset, axis1=dim1, axis2=dim2)


# ----- summed -------------------------------------------------------------------------------------


def _trace_infer(x: Meta, *, offset: int, axis1: int, axis2: int) -> Meta:
    return Meta(_diagonal_shape("trace", x, offset, axis1, axis2)[:-1], x.dtype)


@op(
    infer=_trace_infer,
    formula=Formula(_formula("y = Σ x@"), _formula("dx = 0, dx@ = dy")),
    samples=(
        sample((3, 4)),
        sample((3, 4), offset=-1),
        sample((2, 3, 2), offset=1, axis1=-1, axis2=1),
    ),
    static=Static("trace", slots={"x": "Input"}),
)
def trace(xp: Any, x: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The sum of the diagonal over two axes.

    >>> paddle.trace(paddle.to_tensor([[1, 2], [3, 4]])).item()
    5
    """
    one, other = _matrix_axes("trace", Meta(x.shape, x.dtype), axis1, axis2)
    return _diagonal_view(xp, x, offset, one, other).sum(axis=-1, dtype=x.dtype)


@trace.grad
def trace_grad(F: Any, dout: Any, x_shape: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    x = Meta(tuple(x_shape), np.dtype("float32"))
    shape = _diagonal_shape("trace", x, offset, axis1, axis2)
    row = F.expand(F.unsqueeze(dout, axis=-1), shape=shape)
    return F.diagonal_back(row, shape=x_shape, offset=offset, axis1=axis1, axis2=axis2)
