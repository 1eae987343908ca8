# Written by docs/make_stubs.py; do not edit.

from collections.abc import Sequence
from typing import overload

from minipaddle import Tensor, _AnyTensor, _DTypeLike

def cholesky(
    x: _AnyTensor, upper: bool = False, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The lower triangle whose product with its transpose is x; or the upper one, transposed."""

def cholesky_solve(
    x: _AnyTensor, y: _AnyTensor, upper: bool = False, name: str | None = None
) -> Tensor:
    """The z for which A @ z is x, where y is A's Cholesky factor."""

def cond(x: _AnyTensor, p: float | str | None = None, name: str | None = None) -> Tensor:
    """How much solving with x can enlarge errors: a norm of x times that of its inverse."""

def corrcoef(x: _AnyTensor, rowvar: bool = True, name: str | None = None) -> Tensor:
    """The correlation of each pair of rows of x: 1 for equal courses, -1 for opposite ones."""

def cov(
    x: _AnyTensor,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: _AnyTensor | None = None,
    aweights: _AnyTensor | None = None,
    name: str | None = None,
) -> Tensor:
    """How the rows of x vary together; `fweights` says how often each column was observed, `aweights` how much it counts."""

@overload
def cross(
    x: _AnyTensor,
    y: _AnyTensor,
    axis: int = 9,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""

@overload
def cross(
    x: _AnyTensor,
    y: _AnyTensor,
    dim: int = 9,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The vector at right angles to two vectors, along the first axis of size 3, or along `axis`."""

def det(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The determinant."""

@overload
def diagonal(
    x: _AnyTensor,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""

@overload
def diagonal(
    input: _AnyTensor,
    offset: int = 0,
    dim1: int = 0,
    axis2: int = 1,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The diagonal over two axes, or the one `offset` above it, as the last axis; a view."""

def eigh(
    x: _AnyTensor, UPLO: str = "L", name: str | None = None, *, out: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The eigenvalues, smallest first, and the eigenvectors, as columns, of symmetric matrices."""

def eigvalsh(
    x: _AnyTensor, UPLO: str = "L", name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The eigenvalues of symmetric matrices, smallest first."""

def inv(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The matrix that gives the identity when it is multiplied by x."""

@overload
def matmul(
    x: _AnyTensor,
    y: _AnyTensor,
    transpose_x: bool = False,
    transpose_y: bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""

@overload
def matmul(
    input: _AnyTensor,
    other: _AnyTensor,
    transpose_x: bool = False,
    transpose_y: bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The matrix product over the last two axes; leading axes broadcast; a vector is a row of x and a column of y."""

def matrix_norm(
    x: _AnyTensor,
    p: float | str = "fro",
    axis: int | Sequence[int] = ...,
    keepdim: bool = False,
    name: str | None = None,
) -> Tensor:
    """A norm of the matrices that two axes span: 'fro', 'nuc', or 1, -1, 2, -2, inf, -inf."""

def matrix_power(
    x: _AnyTensor, n: int, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The matrix multiplied by itself n times; of a negative n, its inverse."""

def matrix_rank(
    x: _AnyTensor,
    tol: float | Tensor | None = None,
    hermitian: bool = False,
    atol: float | Tensor | None = None,
    rtol: float | Tensor | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How many singular values are larger than `tol`, or than max(atol, rtol · the largest)."""

def matrix_transpose(x: _AnyTensor, name: str | None = None) -> Tensor:
    """The last two axes exchanged."""

def multi_dot(
    x: Sequence[_AnyTensor], name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The product of several matrices, in the order that costs least."""

@overload
def norm(
    x: _AnyTensor,
    p: float | str | None = None,
    axis: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""

@overload
def norm(
    input: _AnyTensor,
    ord: float | str | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The p-norm of a vector (`axis` one axis, or None for all), or of a matrix (two axes)."""

def pinv(
    x: _AnyTensor,
    rcond: float | Tensor = 1e-15,
    hermitian: bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The pseudoinverse; singular values below rcond times the largest count as 0."""

def qr(x: _AnyTensor, mode: str = "reduced", name: str | None = None) -> tuple[Tensor, Tensor]:
    """x as q @ r: orthonormal columns times an upper triangle; `mode` 'r' gives r alone."""

def slogdet(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The sign of the determinant and the logarithm of its size, stacked."""

@overload
def solve(
    x: _AnyTensor,
    y: _AnyTensor,
    left: bool = True,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The z for which x @ z is y, or z @ x if not `left`; y may be a matrix or a vector."""

@overload
def solve(
    A: _AnyTensor,
    B: _AnyTensor,
    left: bool = True,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The z for which x @ z is y, or z @ x if not `left`; y may be a matrix or a vector."""

def svd(
    x: _AnyTensor,
    full_matrices: bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """u, s and vᵀ with x = u @ diag(s) @ vᵀ; the singular values s are sorted, largest first."""

def svdvals(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The singular values, largest first."""

def triangular_solve(
    x: _AnyTensor,
    y: _AnyTensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The z for which the upper (or lower) triangle of x, times z, is y."""

def vecdot(x: _AnyTensor, y: _AnyTensor, axis: int = -1, name: str | None = None) -> Tensor:
    """The sum of conj(x) · y along an axis; the other axes broadcast."""

@overload
def vector_norm(
    x: _AnyTensor,
    p: float | Tensor = 2.0,
    axis: int | Sequence[int] | None = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm over `axis`, over all axes if None: (Σ |x|ᵖ)^(1/p)."""

@overload
def vector_norm(
    x: _AnyTensor,
    ord: float | Tensor = 2.0,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The p-norm over `axis`, over all axes if None: (Σ |x|ᵖ)^(1/p)."""
