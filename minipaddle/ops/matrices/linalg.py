"""Linear algebra of square matrices: inverses, determinants, linear systems, Cholesky factors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.errors import CheckFailed, InvalidArgument, MinipaddleError
from ...engine.meta import Meta, broadcast, no_kernel
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import read_integer, require_one_dtype, shapes_differ, sizes_differ
from ..catalog import public
from ..op_spec import Kernel, Op, internal, op
from ..record import Formula, Public, Sample, Static, sample
from ..rule_functions import GRAPH as F
from .products import swap_axes


def make_well_conditioned(arrays: list[Any]) -> list[Any]:
    """Prepare the first sample array: matrices far from singular."""
    x, *others = arrays
    return [x + 3.0 * np.eye(x.shape[-1], dtype=x.dtype), *others]


def make_positive_definite(arrays: list[Any]) -> list[Any]:
    """Prepare the first sample array: symmetric positive definite matrices."""
    x, *others = arrays
    return [x @ x.swapaxes(-1, -2) + np.eye(x.shape[-1], dtype=x.dtype), *others]


def prepare_samples(
    prepare: Callable[[list[Any]], list[Any]], *samples: Sample
) -> tuple[Sample, ...]:
    """Return the samples with this function for the field `prepare`."""
    return tuple(one._replace(prepare=prepare) for one in samples)


def require_precise(name: str, x: Meta, kinds: str) -> None:
    """Raise an error for kinds without a kernel, and for float16, which LAPACK lacks."""
    if x.dtype.kind not in kinds or x.dtype == np.float16:
        wanted = Message("a tensor of float32 or float64")
        raise no_kernel(name, "x", x, wanted)


def require_square(
    name: str, x: Meta, kinds: str = "fc", error: type[MinipaddleError] = InvalidArgument
) -> None:
    """Raise an error for other inputs than square matrices of floats."""
    require_precise(name, x, kinds)
    if len(x.shape) < 2 or sizes_differ(x.shape[-1], x.shape[-2]):
        fix = "check which axes hold the matrix, or use paddle.linalg.pinv()"
        raise misfit(name, "square matrices, [..., n, n]", error, fix, x=x)


def square_op(
    result: Callable[[Meta], Any] = lambda x: x,
    kinds: str = "fc",
    error: type[MinipaddleError] = InvalidArgument,
    **record: Any,
) -> Callable[[Kernel], Op]:
    """Register an op on square matrices; `result` returns shape and dtype."""

    def register(kernel: Kernel) -> Op:
        def infer(x: Meta, **_attrs: Any) -> Any:
            require_square(kernel.__name__, x, kinds, error)
            return result(x)

        return op(infer=infer, checked=True, **record)(kernel)

    return register


def compute_or_refuse(name: str, problem: str, compute: Callable[..., Any], *arrays: Any) -> Any:
    """Return the result of a NumPy function, or raise our error for its error."""
    try:
        return compute(*arrays)
    except np.linalg.LinAlgError as error:
        fix = "look at paddle.linalg.det(x) or paddle.linalg.matrix_rank(x)"
        expected = f"another matrix: {problem}"
        raise misfit(name, expected, InvalidArgument, fix, x=arrays[0]) from error


@square_op(
    public=None,
    gradless="does not depend on the values of x",
    formula=Formula("y = I"),
    samples=(sample((2, 2)), sample((2, 3, 3))),
)
def identity_like(xp: Any, x: Any) -> Any:
    """The identity matrix, for each matrix of x."""
    return xp.zeros_like(x) + xp.eye(x.shape[-1], dtype=x.dtype)


# ----- inverse and determinant -------------------------------------------------------------------


@square_op(
    formula=Formula("y = x⁻¹", symbol="⁻¹"),
    samples=prepare_samples(make_well_conditioned, sample((3, 3)), sample((2, 2, 2))),
    static=Static("inverse", slots={"x": "Input", "out": "Output"}),
)
def inverse(xp: Any, x: Any) -> Any:
    """The inverse matrix: its product with x is the identity.

    >>> paddle.inverse(paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return compute_or_refuse("inverse", "the matrix is singular", xp.linalg.inv, x)


@inverse.grad
def inverse_grad(F: Any, dout: Any, out: Any) -> Any:
    turned = swap_axes(F, out)
    return -F.matmul(F.matmul(turned, dout), turned)


@square_op(
    lambda x: Meta(x.shape[:-2], x.dtype),
    public=None,
    formula=Formula("y = det x", "dx = dy · y · x⁻ᵀ · [y ≠ 0]", symbol="det"),
    samples=(sample((3, 3)), sample((2, 2, 2))),
    static=Static("determinant", slots={"x": "Input"}),
)
def det(xp: Any, x: Any) -> Any:
    """The determinant of each matrix.

    >>> paddle.linalg.det(paddle.to_tensor([[2.0, 1.0], [0.0, 4.0]])).item()
    8.0
    """
    return xp.linalg.det(x)


def _on_matrices(F: Any, values: Any) -> Any:
    return F.unsqueeze(F.unsqueeze(values, axis=-1), axis=-1)


def _transposed_inverse(F: Any, x: Any, singular: Any) -> Any:
    """Return the transposed inverse; the identity for singular matrices."""
    safe = F.where(_on_matrices(F, singular), F.identity_like(x), x)
    return swap_axes(F, F.inverse(safe))


@det.grad
def det_grad(F: Any, dout: Any, x: Any, out: Any) -> Any:
    return _on_matrices(F, dout * out) * _transposed_inverse(F, x, out == 0.0)


@square_op(
    lambda x: Meta((2, *x.shape[:-2]), x.dtype),
    formula=Formula("y = (sign det x, ln |det x|)", "dx = dy[1] · x⁻ᵀ"),
    samples=(sample((3, 3)), sample((2, 2, 2))),
    public=Public(function=False),
    static=Static("slogdeterminant", slots={"x": "Input"}),
)
def slogdet(xp: Any, x: Any) -> Any:
    """The sign of the determinant and the logarithm of its absolute value, stacked.

    >>> paddle.linalg.slogdet(paddle.to_tensor([[-1.0, 0.0], [0.0, 1.0]])).tolist()
    [-1.0, 0.0]
    """
    return xp.stack(xp.linalg.slogdet(x))


@slogdet.grad
def slogdet_grad(F: Any, dout: Any, x: Any, out: Any) -> Any:
    sign = out[0]
    size = dout[1] * sign / sign  # NaN for the determinant 0, whose logarithm is -inf
    return _on_matrices(F, size) * _transposed_inverse(F, x, sign == 0.0)


# ----- linear systems ----------------------------------------------------------------------------


def _is_vector(x: tuple[int, ...], y: tuple[int, ...]) -> bool:
    """Return whether y is a vector, or a vector for each matrix of a batch."""
    return len(y) == 1 or not shapes_differ(y, x[:-1])


def _system_infer(name: str, x: Meta, y: Meta, vector: bool) -> Meta:
    require_square(name, x)
    require_one_dtype(name, "biufc", x=x, y=y)
    shape = (*y.shape, 1) if vector else y.shape
    if len(shape) < 2 or sizes_differ(shape[-2], x.shape[-1]):
        raise errors.shape(name, ("...", x.shape[-1], "k"), y=y, x=x)
    lead = broadcast(name, Meta(x.shape[:-2], x.dtype), Meta(shape[:-2], x.dtype))
    rows = x.shape[-1] if shape[-2] < 0 else shape[-2]
    return Meta((*lead, rows) if vector else (*lead, rows, shape[-1]), x.dtype)


@internal(
    infer=lambda x, y: _system_infer("solve", x, y, _is_vector(x.shape, y.shape)),
    checked=True,
    formula=Formula("z = x⁻¹ @ y"),
    samples=prepare_samples(
        make_well_conditioned,
        sample((3, 3), (3, 2)),
        sample((3, 3), (3,)),
        sample((2, 2, 2), (2, 2)),
        sample((2, 2), (3, 2, 1)),
        sample((2, 1, 2, 2), (1, 3, 2, 1)),
    ),
)
def solve_(xp: Any, x: Any, y: Any) -> Any:
    """The z for which x @ z is y: a matrix, a vector, or one vector per matrix of a batch."""
    vector = _is_vector(x.shape, y.shape)
    out = compute_or_refuse(
        "solve", "the matrix is singular", xp.linalg.solve, x, y[..., None] if vector else y
    )
    return out[..., 0] if vector else out


@solve_.grad
def solve_grad(F: Any, dout: Any, x: Any, y_shape: Any, out: Any) -> Any:
    if vector := _is_vector(tuple(x.shape), tuple(y_shape)):
        dout, out = F.unsqueeze(dout, axis=-1), F.unsqueeze(out, axis=-1)
    dy = F.solve(swap_axes(F, x), dout)
    dx = F.sum_to(-F.matmul(dy, swap_axes(F, out)), shape=tuple(x.shape))
    return dx, F.sum_to(F.squeeze(dy, axis=-1) if vector else dy, shape=tuple(y_shape))


@public(function=False)
def solve(x: Any, y: Any, left: bool = True, name: str | None = None, *, out: Any = None) -> Any:
    """The z for which x @ z is y, or z @ x if not `left`; y may be a matrix or a vector.

    >>> x = paddle.to_tensor([[2.0, 0.0], [0.0, 4.0]])
    >>> paddle.linalg.solve(x, paddle.to_tensor([1.0, 1.0])).tolist()
    [0.5, 0.25]
    """
    if left:
        solution = solve_.call(x, y)
    else:
        solution = swap_axes(F, solve_.call(swap_axes(F, x), swap_axes(F, y)))
    return store(out, solution, "solve")


@internal(
    infer=lambda x, y, **_attrs: _system_infer("triangular_solve", x, y, vector=False),
    checked=True,
    formula=Formula(
        lambda attrs: (
            f"z = {'triu' if attrs['upper'] else 'tril'}(x)"
            f"{'⁻ᵀ' if attrs['transpose'] else '⁻¹'} @ y"
        )
    ),
    samples=prepare_samples(
        make_well_conditioned,
        sample((3, 3), (3, 2)),
        sample((3, 3), (3, 1), upper=False),
        sample((2, 3, 3), (3, 2), transpose=True),
        sample((3, 3), (2, 3, 1), unitriangular=True),
        sample((3, 3), (3, 2), upper=False, transpose=True, unitriangular=True),
    ),
)
def triangular_solve(
    xp: Any,
    x: Any,
    y: Any,
    *,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> Any:
    """The z for which the upper (or lower) triangle of x, times z, is y.

    `transpose` transposes the triangle first; `unitriangular` takes its diagonal to be 1.

    >>> x = paddle.to_tensor([[1.0, 1.0], [0.0, 2.0]])
    >>> paddle.linalg.triangular_solve(x, paddle.to_tensor([[3.0], [4.0]])).tolist()
    [[1.0], [2.0]]
    """
    part = xp.triu if upper else xp.tril
    triangle = part(x, (1 if upper else -1) * unitriangular)
    if unitriangular:
        triangle = triangle + xp.eye(x.shape[-1], dtype=x.dtype)
    triangle = triangle.swapaxes(-1, -2) if transpose else triangle
    problem = "the triangle has a 0 on its diagonal"
    return compute_or_refuse("triangular_solve", problem, xp.linalg.solve, triangle, y)


@triangular_solve.grad
def triangular_solve_grad(
    F: Any, dout: Any, x: Any, y_shape: Any, out: Any, *, transpose: bool, **how: Any
) -> Any:
    dy = F.triangular_solve(x, dout, transpose=not transpose, **how)
    dx = -F.matmul(dy, swap_axes(F, out))
    dx = swap_axes(F, dx) if transpose else dx
    part, off = (F.triu, 1) if how["upper"] else (F.tril, -1)
    dx = part(dx, diagonal=off if how["unitriangular"] else 0)
    return F.sum_to(dx, shape=tuple(x.shape)), F.sum_to(dy, shape=tuple(y_shape))


# ----- powers ------------------------------------------------------------------------------------


@square_op(
    canon={"n": partial(read_integer, what="matrix_power(): n")},
    formula=Formula(
        lambda attrs: (
            f"y = {' @ '.join('x' * attrs['n'])}"
            if 1 < attrs["n"] < 5
            else "y = matrix_power(x, n)"
        ),
        symbol=lambda attrs: f"^ {attrs['n']}",
    ),
    samples=prepare_samples(
        make_well_conditioned,
        sample((3, 3), n=3),
        sample((2, 2, 2), n=-2),
        sample((2, 2), n=1),
        sample((2, 2), n=0),
    ),
    public=Public(function=False),
)
def matrix_power(xp: Any, x: Any, *, n: int) -> Any:
    """The n-th power of a matrix; for negative n a power of its inverse.

    >>> paddle.linalg.matrix_power(paddle.to_tensor([[1.0, 1.0], [0.0, 1.0]]), 3).tolist()
    [[1.0, 3.0], [0.0, 1.0]]
    """
    power = xp.linalg.matrix_power
    return compute_or_refuse("matrix_power", "the matrix is singular", lambda a: power(a, n), x)


@matrix_power.grad
def matrix_power_grad(F: Any, dout: Any, x: Any, *, n: int) -> Any:
    if n == 0:
        return dout * 0.0
    base = swap_axes(F, F.inverse(x) if n < 0 else x)
    total, right = dout, dout
    for _ in range(abs(n) - 1):  # multiply all terms by base, add the next one
        right = F.matmul(right, base)
        total = F.matmul(base, total) + right
    return -F.matmul(F.matmul(base, total), base) if n < 0 else total


# ----- Cholesky ----------------------------------------------------------------------------------


@square_op(
    kinds="f",
    error=CheckFailed,
    formula=Formula(
        lambda attrs: "x = outᵀ @ out" if attrs["upper"] else "x = out @ outᵀ",
        lambda attrs: (
            "dx = (P + Pᵀ) / 4, "
            + (
                "P = out⁻¹ @ (tril(M) + tril(M, −1)) @ out⁻ᵀ, M = out @ doutᵀ"
                if attrs["upper"]
                else "P = out⁻ᵀ @ (tril(M) + tril(M, −1)) @ out⁻¹, M = outᵀ @ dout"
            )
        ),
        symbol="cholesky",
    ),
    samples=prepare_samples(make_positive_definite, sample((3, 3)), sample((2, 2, 2), upper=True)),
)
def cholesky(xp: Any, x: Any, *, upper: bool = False) -> Any:
    """The lower triangle L with L @ Lᵀ = x, or its transpose if `upper`.

    x must be symmetric and positive definite.

    >>> paddle.linalg.cholesky(paddle.to_tensor([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    problem = "the matrix is not positive definite"
    out = compute_or_refuse("cholesky", problem, xp.linalg.cholesky, symmetrize(x))
    return out.swapaxes(-1, -2) if upper else out


def symmetrize(x: Any) -> Any:
    """Return the Hermitian part of an array, without rounding a Hermitian one."""
    turned = x.swapaxes(-1, -2)
    return (x + (turned.conj() if x.dtype.kind == "c" else turned)) * 0.5


@cholesky.grad
def cholesky_grad(F: Any, dout: Any, out: Any, *, upper: bool) -> Any:
    lower, dout = (swap_axes(F, out), swap_axes(F, dout)) if upper else (out, dout)
    inner = F.matmul(swap_axes(F, lower), dout)
    half = (F.tril(inner) + F.tril(inner, diagonal=-1)) * 0.5
    left = F.triangular_solve(lower, half, upper=False, transpose=True)
    both = F.triangular_solve(lower, swap_axes(F, left), upper=False, transpose=True)
    return (both + swap_axes(F, both)) * 0.5


@public(function=False)
def cholesky_solve(x: Any, y: Any, upper: bool = False, name: str | None = None) -> Any:
    """The z for which A @ z is x, with the Cholesky factor y of A.

    Shapes: for example x [2, 1], y [2, 2] gives [2, 1].
    Dtypes: complex, float32, float64 kept.
    Errors: ValueError if x is not a Tensor, if the shapes do not fit; RuntimeError for integers,
    bool; TypeError for float16.

    >>> factor = paddle.to_tensor([[2.0, 0.0], [0.0, 1.0]])
    >>> paddle.linalg.cholesky_solve(paddle.to_tensor([[4.0], [3.0]]), factor).tolist()
    [[1.0], [3.0]]
    """
    half = triangular_solve.call(y, x, upper=upper, transpose=upper)
    return triangular_solve.call(y, half, upper=upper, transpose=not upper)
