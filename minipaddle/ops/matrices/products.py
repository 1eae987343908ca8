"""Products of vectors and matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.dispatch import store
from ...engine.errors import PreconditionNotMet
from ...engine.meta import Meta, broadcast
from ...errors import misfit
from .. import errors
from ..arguments import meta_of, require_one_dtype, shapes_differ, sizes_differ
from ..catalog import public
from ..op_spec import Kernel, Op, internal, op
from ..record import Formula, Public, Static, sample
from ..rule_functions import GRAPH as F


def swap_axes(F: Any, x: Any) -> Any:
    """Exchange the last two axes of an array; return a vector unchanged."""
    rank = len(x.shape)
    return x if rank < 2 else F.transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2))


# ----- matmul ------------------------------------------------------------------------------------


def _matmul_infer(x: Meta, y: Meta) -> Meta:
    if not x.shape or not y.shape:
        raise errors.number_as_matrix(x, y)
    a = x.shape if len(x.shape) > 1 else (1, *x.shape)
    b = y.shape if len(y.shape) > 1 else (*y.shape, 1)
    if a[-1] != b[-2] and -1 not in (a[-1], b[-2]):
        raise errors.inner_sizes(x, y, a[-1], b[-2])
    if x.dtype != y.dtype:
        raise errors.other_dtype("matmul", x=x, y=y)
    lead = broadcast("matmul", Meta(a[:-2], x.dtype), Meta(b[:-2], y.dtype))
    rows = a[-2:-1] if len(x.shape) > 1 else ()
    columns = b[-1:] if len(y.shape) > 1 else ()
    return Meta((*lead, *rows, *columns), x.dtype)


@internal(
    infer=_matmul_infer,
    formula=Formula("z = x @ y", symbol="@"),
    samples=(
        sample((2, 3), (3, 4)),
        sample((3,), (3,)),
        sample((2, 3), (3,)),
        sample((3,), (3, 2)),
        sample((2, 2, 3), (3, 2)),
        sample((2, 1, 2, 3), (4, 3, 2)),
    ),
    static=Static("matmul_v2", extra={"trans_x": False, "trans_y": False}, prefix="matmul"),
)
def matmul_(xp: Any, x: Any, y: Any) -> Any:
    """The matrix product over the last two axes; leading axes broadcast."""
    if x.dtype != y.dtype:
        matmul_.infer(meta_of(x), meta_of(y))
    # dot computes two matrices with half of matmul's overhead.
    return x.dot(y) if x.ndim == 2 and y.ndim == 2 else xp.matmul(x, y)


@matmul_.grad
def matmul_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    if x.ndim == 2 and y.ndim == 2:
        dx = F.matmul(dout, y.T) if needs[0] else None
        return dx, F.matmul(x.T, dout) if needs[1] else None
    return _batched_grad(F, dout, x, y, needs)


@matmul_.fused
def matmul_fused(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    if x.ndim == 2 and y.ndim == 2:
        return dout.dot(y.T) if needs[0] else None, x.T.dot(dout) if needs[1] else None
    return _batched_grad(F, dout, x, y, needs)


def _batched_grad(F: Any, dout: Any, x: Any, y: Any, needs: list[bool]) -> Any:
    """Compute the gradients with vectors as matrices, and sum over broadcast axes."""
    a = F.reshape_to(x, shape=(1, x.shape[0])) if x.ndim == 1 else x
    b = F.reshape_to(y, shape=(y.shape[0], 1)) if y.ndim == 1 else y
    if x.ndim == 1:
        dout = F.unsqueeze(dout, axis=-1 if y.ndim == 1 else -2)
    if y.ndim == 1:
        dout = F.unsqueeze(dout, axis=-1)
    dx = dy = None
    if needs[0]:
        dx = F.matmul(dout, swap_axes(F, b))
        dx = F.sum_to(dx, shape=F.sizes(a))
        dx = dx if a is x else F.reshape_to(dx, shape=F.sizes(x))
    if needs[1]:
        if b.ndim == 2 < a.ndim:  # one product for the whole batch
            a, dout = (F.flatten(t, start_axis=0, stop_axis=-2) for t in (a, dout))
        dy = F.matmul(swap_axes(F, a), dout)
        dy = F.sum_to(dy, shape=F.sizes(b))
        dy = dy if b is y else F.reshape_to(dy, shape=F.sizes(y))
    return dx, dy


@public()
def matmul(
    x: Any,
    y: Any,
    transpose_x: bool = False,
    transpose_y: bool = False,
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x
    and a column of y. Both tensors need one dtype.

    >>> import minipaddle as paddle
    >>> paddle.matmul(paddle.ones([2, 3]), paddle.ones([3, 4])).shape
    paddle.Size([2, 4])
    """
    x = swap_axes(F, x) if transpose_x else x
    y = swap_axes(F, y) if transpose_y else y
    return store(out, matmul_.call(x, y), "matmul")


@public()
def mm(input: Any, mat2: Any, name: str | None = None) -> Any:
    """The matrix product; another name of matmul.

    Shapes: for example input [2, 3], mat2 [3, 4] gives [2, 4].
    Dtypes: all kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> paddle.mm(paddle.ones([2, 3]), paddle.ones([3, 4])).shape
    paddle.Size([2, 4])
    """
    return matmul_.call(input, mat2)


# ----- dot, bmm, mv, addmm -----------------------------------------------------------------------


def _dot_infer(x: Meta, y: Meta) -> Meta:
    require_one_dtype("dot", "iufc", x=x, y=y)
    if len(x.shape) not in (1, 2) or shapes_differ(x.shape, y.shape):
        need = "two vectors of one shape, or two rows of vectors of one shape"
        raise misfit("dot", need, PreconditionNotMet, x=x, y=y)
    return Meta(x.shape[:-1], x.dtype)


@op(
    infer=_dot_infer,
    checked=True,
    formula=Formula("z = Σ xᵢ · yᵢ", symbol="·"),
    samples=(sample((3,), (3,)), sample((2, 3), (2, 3))),
)
def dot(xp: Any, x: Any, y: Any) -> Any:
    """The inner product of two vectors, or of each pair of rows of two matrices.

    >>> paddle.dot(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])).item()
    11.0
    """
    return x.dot(y) if x.ndim == 1 else xp.add.reduce(x * y, axis=-1)


@dot.grad
def dot_grad(F: Any, dout: Any, x: Any, y: Any) -> Any:
    dout = F.unsqueeze(dout, axis=-1)
    return dout * y, dout * x


def _bmm_infer(x: Meta, y: Meta) -> Meta:
    require_one_dtype("bmm", "f", x=x, y=y)
    fits = len(x.shape) == 3 == len(y.shape)
    if not fits or sizes_differ(x.shape[0], y.shape[0]) or sizes_differ(x.shape[2], y.shape[1]):
        raise misfit("bmm", "x of shape [b, m, k] and y of shape [b, k, n]", x=x, y=y)
    return Meta((x.shape[0] if y.shape[0] < 0 else y.shape[0], x.shape[1], y.shape[2]), x.dtype)


@op(
    infer=_bmm_infer,
    checked=True,
    formula=Formula("z = x @ y", symbol="@"),
    samples=(sample((2, 2, 3), (2, 3, 2)),),
)
def bmm(xp: Any, x: Any, y: Any) -> Any:
    """The product of each pair of matrices of two batches.

    >>> paddle.bmm(paddle.ones([5, 2, 3]), paddle.ones([5, 3, 4])).shape
    paddle.Size([5, 2, 4])
    """
    return xp.matmul(x, y)


bmm.grad(lambda F, dout, x, y: (F.bmm(dout, swap_axes(F, y)), F.bmm(swap_axes(F, x), dout)))


def _mv_infer(x: Meta, vec: Meta) -> Meta:
    require_one_dtype("mv", "f", x=x, vec=vec)
    if (len(x.shape), len(vec.shape)) != (2, 1) or sizes_differ(x.shape[1], vec.shape[0]):
        raise misfit("mv", "x of shape [m, n] and vec of shape [n]", x=x, vec=vec)
    return Meta(x.shape[:1], x.dtype)


@op(
    infer=_mv_infer,
    checked=True,
    formula=Formula("z = x @ vec", "dx = dz ⊗ vec, dvec = xᵀ @ dz", symbol="@"),
    samples=(sample((2, 3), (3,)),),
)
def mv(xp: Any, x: Any, vec: Any) -> Any:
    """A matrix times a vector.

    >>> paddle.mv(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.ones([2])).tolist()
    [3.0, 7.0]
    """
    return x.dot(vec)


mv.grad(lambda F, dout, x, vec: (F.unsqueeze(dout, axis=1) * vec, F.mv(swap_axes(F, x), dout)))


def _added_product(rank: int, **record: Any) -> Callable[[Kernel], Op]:
    """Register an op beta · input + alpha · x @ y, of matrices or of batches."""

    def register(kernel: Kernel) -> Op:
        name = kernel.__name__

        def infer(input: Meta, x: Meta, y: Meta, **_attrs: Any) -> Meta:
            require_one_dtype(name, "f", input=input, x=x, y=y)
            fits = len(x.shape) == rank == len(y.shape)
            fits = fits and not sizes_differ(x.shape[-1], y.shape[-2])
            if not fits or any(map(sizes_differ, x.shape[:-2], y.shape[:-2])):
                need = "x of shape [m, k], y of shape [k, n]" + ", in batches" * (rank > 2)
                raise misfit(name, need, input=input, x=x, y=y)
            shape = (*x.shape[:-1], y.shape[-1])
            pairs = zip(input.shape[::-1], shape[::-1], strict=False)
            spreads = all(m == 1 or not sizes_differ(m, n) for m, n in pairs)
            if len(input.shape) not in (rank, rank - 1) or not spreads:
                need = f"input that broadcasts to {list(shape)}"
                raise misfit(name, need, input=input, x=x, y=y)
            return Meta(shape, x.dtype)

        formula = Formula("z = β · input + α · x @ y", symbol="+ @")
        public = Public(inplace=True)
        return op(infer=infer, checked=True, formula=formula, public=public, **record)(kernel)

    return register


@_added_product(
    2,
    samples=(
        sample((2, 4), (2, 3), (3, 4)),
        sample((4,), (2, 3), (3, 4), beta=0.5, alpha=2.0),
        sample((2, 1), (2, 3), (3, 4)),
    ),
    static=Static("addmm", attrs={"beta": "Beta", "alpha": "Alpha"}),
)
def addmm(xp: Any, input: Any, x: Any, y: Any, *, beta: float = 1.0, alpha: float = 1.0) -> Any:
    """beta · input + alpha · x @ y, where input may broadcast.

    >>> paddle.addmm(paddle.ones([2, 2]), paddle.eye(2), paddle.eye(2), beta=2.0).tolist()
    [[3.0, 2.0], [2.0, 3.0]]
    """
    return beta * input + alpha * xp.matmul(x, y)


@_added_product(
    3,
    samples=(
        sample((2, 2, 4), (2, 2, 3), (2, 3, 4)),
        sample((2, 4), (2, 2, 3), (2, 3, 4), beta=0.5, alpha=2.0),
    ),
)
def baddbmm(xp: Any, input: Any, x: Any, y: Any, *, beta: float = 1.0, alpha: float = 1.0) -> Any:
    """beta · input + alpha · x @ y, for batches of matrices.

    >>> paddle.baddbmm(paddle.ones([5, 2, 4]), paddle.ones([5, 2, 3]), paddle.ones([5, 3, 4])).shape
    paddle.Size([5, 2, 4])
    """
    return beta * input + alpha * xp.matmul(x, y)


@addmm.grad
@baddbmm.grad
def added_grad(
    F: Any, dout: Any, input_shape: Any, x: Any, y: Any, *, beta: float, alpha: float
) -> Any:
    scaled = dout * alpha
    return (
        F.sum_to(dout * beta, shape=input_shape),
        F.matmul(scaled, swap_axes(F, y)),
        F.matmul(swap_axes(F, x), scaled),
    )
