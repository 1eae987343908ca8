"""Products of tensors over any of their axes, composed of other ops."""

from __future__ import annotations

import itertools
import string
from collections.abc import Callable
from typing import Any

from ...engine.dispatch import store
from ...engine.errors import CheckFailed
from ...engine.meta import Meta, floats_widen, no_kernel, size
from ...engine.tensor import Tensor
from ...errors import misfit, require
from .. import errors
from ..arguments import check_count, read_axes, require_one_dtype, shapes_differ, sizes_differ
from ..catalog import public
from ..op_spec import op
from ..record import Formula, Operands, Public, Static, sample, with_options
from ..rule_functions import GRAPH as F
from ..rule_functions import is_complex
from ..widening import round_once


@public()
def inner(x: Any, y: Any, name: str | None = None) -> Any:
    """The sum of products over the last axes of x and y; the product if one has a single element.

    Dtypes: all kept.
    Errors: ValueError if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> paddle.inner(paddle.ones([2, 3]), paddle.ones([4, 3])).shape
    paddle.Size([2, 4])
    """
    if 1 in (size(tuple(x.shape)), size(tuple(y.shape))):
        return F.multiply(x, y)
    if sizes_differ(x.shape[-1], y.shape[-1]):
        raise errors.shape("inner", ("...", x.shape[-1]), y=y, x=x)
    return tensordot(x, y, [[-1], [-1]])


@public()
def outer(x: Any, y: Any, name: str | None = None, *, out: Any = None) -> Any:
    """Each element of x times each element of y, as a matrix.

    Shapes: for example x [2], y [2] gives [2, 2].
    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.outer(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])).tolist()
    [[3.0, 4.0], [6.0, 8.0]]
    """
    result = F.multiply(F.reshape(x, shape=[-1, 1]), F.reshape(y, shape=[1, -1]))
    return store(out, result, "outer")


@public(method=False)
@round_once
def vecdot(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """The sum of conj(x) · y along an axis; the other axes broadcast.

    Shapes: for example x [2, 3], y [3] gives [2].
    Dtypes: floating, complex, uint8, int8, int16, int64 kept; bool, int32 give int64.
    Errors: ValueError if x is not a Tensor, if there is no such axis, if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> paddle.vecdot(paddle.ones([2, 3]), paddle.ones([3])).tolist()
    [3.0, 3.0]
    """
    x = F.conj(x) if is_complex(x) else x
    return F.sum(F.multiply(x, y), axis=axis)


# ----- tensordot ---------------------------------------------------------------------------------


def _pairs_of_axes(axes: Any, rank: int) -> tuple[list[int], list[int]]:
    """Return the axes of x and of y to sum over, from any form of `axes`."""
    if isinstance(axes, Tensor):
        axes = axes.tolist()  # type: ignore[attr-defined]
    if isinstance(axes, int):
        require(axes >= 0, "tensordot", "axes >= 0", CheckFailed, axes=axes)
        check_count(axes, "axes", 100)
        return list(range(rank - axes, rank)), list(range(axes))
    row = list(axes)
    if not row or isinstance(row[0], int):
        one = list(read_axes(row))
        return one, list(one)
    x_axes, *others = (list(read_axes([part] if isinstance(part, int) else part)) for part in row)
    y_axes = others[0] if others else []
    # The shorter list of axes is completed from the longer one.
    return x_axes + y_axes[len(x_axes) :], y_axes + x_axes[len(y_axes) :]


@public()
def tensordot(x: Any, y: Any, axes: Any = 2, name: str | None = None) -> Any:
    """The sum of products over some axes of x and as many of y.

    `axes` is a number n (the last n of x, the first n of y), a list of axes of both, or two lists.

    Shapes: for example x [2, 3, 4], y [4, 3, 5], axes=[[1, 2], [1, 0]] gives [2, 5].
    Dtypes: all kept.
    Errors: AssertionError if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> paddle.tensordot(paddle.ones([2, 3, 4]), paddle.ones([4, 3, 5]), [[1, 2], [1, 0]]).shape
    paddle.Size([2, 5])
    """
    x_axes, y_axes = _pairs_of_axes(axes, len(x.shape))
    x_axes, y_axes = [a % len(x.shape) for a in x_axes], [a % len(y.shape) for a in y_axes]
    for a, b in zip(x_axes, y_axes, strict=True):
        m, n = x.shape[a], y.shape[b]
        if m != n and 1 in (m, n):  # a size of 1 broadcasts
            if m == 1:
                y = F.sum(y, axis=b, keepdim=True)
            else:
                x = F.sum(x, axis=a, keepdim=True)
        elif sizes_differ(m, n):
            expected = f"the size of axis {a} of x for axis {b} of y, or 1"
            fix = "name the axes: axes=[[axes of x], [axes of y]]"
            raise misfit("tensordot", expected, CheckFailed, fix, x=x, y=y, axes=axes)
    left = [a for a in range(len(x.shape)) if a not in x_axes]
    right = [b for b in range(len(y.shape)) if b not in y_axes]
    shape = [x.shape[a] for a in left] + [y.shape[b] for b in right]
    if shape.count(-1) > 1:  # reshape allows only one unknown size
        letters = string.ascii_letters
        of_x = letters[: len(x.shape)]
        of_y = list(letters[len(x.shape) : len(x.shape) + len(y.shape)])
        for a, b in zip(x_axes, y_axes, strict=True):
            of_y[b] = of_x[a]
        rest = "".join([of_x[a] for a in left] + [of_y[b] for b in right])
        return F.einsum([x, y], equation=f"{of_x},{''.join(of_y)}->{rest}")
    m, n = size(tuple(shape[: len(left)])), size(tuple(shape[len(left) :]))
    summed = size(tuple(x.shape[a] for a in x_axes))
    rows = F.reshape_to(F.transpose(x, perm=(*left, *x_axes)), shape=[m, summed])
    columns = F.reshape_to(F.transpose(y, perm=(*y_axes, *right)), shape=[summed, n])
    return F.reshape_to(F.matmul(rows, columns), shape=shape)


# ----- kron --------------------------------------------------------------------------------------


def _kron_infer(x: Meta, y: Meta) -> Meta:
    require_one_dtype("kron", "iufc", x=x, y=y)
    rank = max(len(x.shape), len(y.shape))
    a = (1,) * (rank - len(x.shape)) + x.shape
    b = (1,) * (rank - len(y.shape)) + y.shape
    return Meta(tuple(-1 if -1 in (m, n) else m * n for m, n in zip(a, b, strict=True)), x.dtype)


@op(
    infer=_kron_infer,
    checked=True,
    formula=Formula(
        "z = x ⊗ y",
        "dx[i] = Σⱼ dz[i · shape(y) + j] · y[j], dy[j] = Σᵢ dz[i · shape(y) + j] · x[i]",
        symbol="⊗",
    ),
    samples=(
        sample((2, 3), (3, 2)),
        sample((2,), (2, 3)),
        sample((2, 1, 2), (3,)),
        sample((), (2,)),
    ),
)
def kron(xp: Any, x: Any, y: Any) -> Any:
    """The Kronecker product: blocks of y times each element of x.

    >>> paddle.kron(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])).tolist()
    [3.0, 4.0, 6.0, 8.0]
    """
    return xp.kron(x, y)


@kron.grad
def kron_grad(F: Any, dout: Any, x: Any, y: Any) -> Any:
    """Split every axis of dout into one of x and one of y, and sum over one of them."""
    rank = len(dout.shape)
    a = (1,) * (rank - len(x.shape)) + tuple(x.shape)
    b = (1,) * (rank - len(y.shape)) + tuple(y.shape)
    apart = F.reshape_to(dout, shape=tuple(n for pair in zip(a, b, strict=True) for n in pair))
    of_x = F.reshape_to(x, shape=tuple(n for m in a for n in (m, 1)))
    of_y = F.reshape_to(y, shape=tuple(n for m in b for n in (1, m)))
    dx = F.sum(apart * of_y, axis=tuple(range(1, 2 * rank, 2))) if rank else apart * of_y
    dy = F.sum(apart * of_x, axis=tuple(range(0, 2 * rank, 2))) if rank else apart * of_x
    return F.reshape_to(dx, shape=tuple(x.shape)), F.reshape_to(dy, shape=tuple(y.shape))


# ----- cross -------------------------------------------------------------------------------------


def _cross_axis(x: Meta, axis: int) -> int:
    """Return the axis, for Paddle's default 9 the first one of size 3."""
    rank = len(x.shape)
    if axis == 9:
        where = next((i for i, n in enumerate(x.shape) if n in (3, -1)), rank)
    else:
        where = axis + rank if axis < 0 else axis
    if not 0 <= where < rank or sizes_differ(x.shape[where], 3):
        chosen = {} if axis == 9 else {"axis": axis}
        raise misfit("cross", "an axis of size 3: the vectors' components", x=x, **chosen)
    return where


def _cross_infer(x: Meta, y: Meta, *, axis: int = 9) -> Meta:
    if shapes_differ(x.shape, y.shape):
        raise errors.shape("cross", x.shape, y=y, x=x)
    if x.dtype.kind not in "iuf":
        raise no_kernel("cross", "x", x)
    _cross_axis(x, axis)
    return x


@op(
    infer=_cross_infer,
    checked=True,
    operands=Operands(promotes=floats_widen),
    formula=Formula(with_options("z = cross(x, y)", axis=9)),
    samples=(sample((2, 3), (2, 3)), sample((3, 3), (3, 3), axis=-1), sample((3,), (3,), axis=0)),
    static=Static("cross", attrs={"axis": "dim"}),
)
def cross(xp: Any, x: Any, y: Any, *, axis: int = 9) -> Any:
    """The cross product of vectors along `axis`, by default the first axis of size 3.

    >>> e1, e2 = paddle.to_tensor([1.0, 0.0, 0.0]), paddle.to_tensor([0.0, 1.0, 0.0])
    >>> paddle.cross(e1, e2).tolist()
    [0.0, 0.0, 1.0]
    """
    return xp.cross(x, y, axis=_cross_axis(Meta(x.shape, x.dtype), axis))


@cross.grad
def cross_grad(F: Any, dout: Any, x: Any, y: Any, *, axis: int) -> Any:
    return F.cross(y, dout, axis=axis), F.cross(dout, x, axis=axis)


# ----- multi_dot ---------------------------------------------------------------------------------


def _chain_infer(x: list[Meta]) -> Meta:
    require_one_dtype("multi_dot", "f", **{f"x[{i}]": meta for i, meta in enumerate(x)})
    ends = (0, len(x) - 1)
    ranks = (
        all(len(m.shape) == 2 or (len(m.shape) == 1 and i in ends) for i, m in enumerate(x))
        and len(x) > 1
    )
    fits = ranks and not any(
        sizes_differ(a.shape[-1], b.shape[0]) for a, b in itertools.pairwise(x)
    )
    if not fits:
        expected = "matrices, each with as many rows as the one before has columns"
        pairs = {f"x[{i}]": meta for i, meta in enumerate(x)}
        raise misfit("multi_dot", f"two or more {expected}; vectors at the ends", **pairs)
    return Meta(x[0].shape[:-1] + x[-1].shape[1:], x[0].dtype)


def _cheapest_splits(sizes: list[int]) -> list[list[int]]:
    """Return the split of each run of matrices with the fewest multiplications."""
    count = len(sizes) - 1
    cost = [[0] * count for _ in range(count)]
    cut = [[0] * count for _ in range(count)]
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i][j], cut[i][j] = min(
                (cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                for k in range(i, j)
            )
    return cut


def _multiply_chain(matmul: Callable[[Any, Any], Any], row: list[Any]) -> Any:
    """Multiply matrices in the cheapest order."""
    cut = _cheapest_splits([row[0].shape[0], *(m.shape[1] for m in row)])

    def product(i: int, j: int) -> Any:
        if i == j:
            return row[i]
        k = cut[i][j]
        return matmul(product(i, k), product(k + 1, j))

    return product(0, len(row) - 1)


def _as_matrices(unsqueeze: Callable[..., Any], row: Any) -> list[Any]:
    """Return the factors as matrices: a first vector as a row, a last one as a column."""
    matrices = list(row)
    if len(matrices[0].shape) == 1:
        matrices[0] = unsqueeze(matrices[0], axis=0)
    if len(matrices[-1].shape) == 1:
        matrices[-1] = unsqueeze(matrices[-1], axis=1)
    return matrices


@op(
    infer=_chain_infer,
    checked=True,
    operands=Operands(takes_list=True),
    formula=Formula("y = x₁ @ x₂ @ … @ xₙ"),
    samples=(
        sample([(2, 3), (3, 4), (4, 2)]),
        sample([(3,), (3, 2), (2,)]),
        sample([(2, 3), (3,)]),
    ),
    public=Public(function=False),
)
def multi_dot(xp: Any, x: list[Any]) -> Any:
    """The product of several matrices, computed in the cheapest order.

    >>> row = [paddle.ones([2, 3]), paddle.ones([3, 4]), paddle.ones([4, 1])]
    >>> paddle.linalg.multi_dot(row).tolist()
    [[12.0], [12.0]]
    """
    product = _multiply_chain(xp.matmul, _as_matrices(xp.expand_dims, x))
    return product.reshape(x[0].shape[:-1] + x[-1].shape[1:])


@multi_dot.grad
def multi_dot_grad(F: Any, dout: Any, x: Any, *, needs: list[bool]) -> Any:
    row = _as_matrices(F.unsqueeze, x)
    dout = F.reshape_to(dout, shape=(row[0].shape[0], row[-1].shape[1]))
    turned = [F.transpose(m, perm=(1, 0)) for m in row]
    # dxᵢ = (factors before xᵢ)ᵀ · dy · (factors after xᵢ)ᵀ
    return tuple(
        F.reshape_to(
            _multiply_chain(F.matmul, [*turned[:i][::-1], dout, *turned[i + 1 :][::-1]]),
            shape=tuple(one.shape),
        )
        if needs[i]
        else None
        for i, one in enumerate(x)
    )
