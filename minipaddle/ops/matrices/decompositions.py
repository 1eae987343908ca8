"""Matrix decompositions: QR, singular values, eigenvalues, and functions of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.meta import Meta
from ...errors import misfit
from .. import errors
from ..arguments import meta_of, read_number, tolerance_reader
from ..catalog import public
from ..op_spec import Kernel, Op, op
from ..record import Formula, Public, Results, sample
from ..rule_functions import GRAPH as F
from ..rule_functions import conjugate
from .linalg import prepare_samples, require_precise, require_square, square_op, symmetrize
from .norms import ORDERS, norm
from .products import swap_axes


def separate_values(arrays: list[Any]) -> list[Any]:
    """Prepare samples with well separated singular values and eigenvalues."""
    x = arrays[0]
    diagonal = np.eye(*x.shape[-2:]) * (2.0 * np.arange(1, x.shape[-1] + 1))
    return [(x * 0.4 + diagonal).astype(x.dtype)]


def separate_symmetric_values(arrays: list[Any]) -> list[Any]:
    """Prepare symmetric samples with well separated eigenvalues."""
    return [symmetrize(x) for x in separate_values(arrays)]


DISTINCT = prepare_samples(separate_values, sample((3, 3)), sample((4, 2)), sample((2, 2, 3)))
SYMMETRIC = prepare_samples(separate_symmetric_values, sample((3, 3)), sample((2, 2, 2), UPLO="U"))


def matrix_op(
    sizes: Callable[[int, int, int], Any], kinds: str = "f", **record: Any
) -> Callable[[Kernel], Op]:
    """Register an op on matrices of floats, or of these kinds.

    `sizes(m, n, k)` returns the last sizes of the result, or a list for several results, for
    matrices of m rows and n columns; k is the smaller number.
    """

    def register(kernel: Kernel) -> Op:
        name = kernel.__name__.strip("_")

        def infer(x: Meta, **_attrs: Any) -> Any:
            require_precise(name, x, kinds)
            errors.require_rank(name, 2, None, x=x)
            *lead, m, n = x.shape
            k = -1 if -1 in (m, n) else min(m, n)
            last = sizes(m, n, k)
            if isinstance(last, list):
                return [Meta((*lead, *each), x.dtype) for each in last]
            return Meta((*lead, *last), x.dtype)

        usual = {"public": None, "samples": DISTINCT}
        return op(infer=infer, checked=True, **{**usual, **record})(kernel)

    return register


# ----- QR ----------------------------------------------------------------------------------------


@matrix_op(
    lambda m, n, k: [(m, k), (k, n)],
    results=Results(("q", "r")),
    formula=Formula(
        "x = q @ r",
        "dx = (dq + q @ (tril(M) + tril(M, −1)ᵀ)) @ r⁻ᵀ, M = r @ drᵀ − dqᵀ @ q",
        symbol="q, r",
    ),
    samples=prepare_samples(separate_values, sample((3, 3)), sample((4, 2)), sample((2, 2, 4))),
)
def qr_(xp: Any, x: Any) -> Any:
    """A matrix of orthonormal columns and an upper triangle with the product x."""
    return tuple(xp.linalg.qr(x))


@qr_.grad
def qr_grad(F: Any, dq: Any, dr: Any, x: Any, q: Any, r: Any) -> Any:
    m, n = F.sizes(x)[-2:]
    if m >= n:
        return _tall_qr_grad(F, dq, dr, q, r)
    # x = [a, b] with a = q @ r1 square, and r2 = qᵀ @ b.
    b, dr2 = x[..., m:], dr[..., m:]
    dq = dq + F.matmul(b, swap_axes(F, dr2))
    da = _tall_qr_grad(F, dq, dr[..., :m], q, r[..., :m])
    return F.concat([da, F.matmul(q, dr2)], axis=-1)


def _tall_qr_grad(F: Any, dq: Any, dr: Any, q: Any, r: Any) -> Any:
    inner = F.matmul(r, swap_axes(F, dr)) - F.matmul(swap_axes(F, dq), q)
    mirrored = F.tril(inner) + swap_axes(F, F.tril(inner, diagonal=-1))
    right = dq + F.matmul(q, mirrored)
    return swap_axes(F, F.triangular_solve(r, swap_axes(F, right)))


@matrix_op(
    lambda m, n, _: [(m, m), (m, n)],
    gradless="the columns that complete q are arbitrary",
    results=Results(("q", "r")),
    formula=Formula("x = q @ r", symbol="q, r"),
    samples=prepare_samples(separate_values, sample((3, 2)), sample((2, 2, 3))),
)
def qr_complete(xp: Any, x: Any) -> Any:
    """qr with a square q."""
    return tuple(xp.linalg.qr(x, "complete"))


@public(function=False)
def qr(x: Any, mode: str = "reduced", name: str | None = None) -> Any:
    """x as q @ r: orthonormal columns times an upper triangle; `mode` 'r' gives r alone.

    'complete' gives a square q, which has no gradient.

    >>> q, r = paddle.linalg.qr(paddle.to_tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> bool(paddle.allclose(q @ r, paddle.to_tensor([[3.0, 1.0], [4.0, 2.0]]), atol=1e-5))
    True
    """
    errors.require_choice("qr", "mode", mode, ("reduced", "complete", "r"))
    factors = (qr_complete if mode == "complete" else qr_).call(x)
    return factors[1] if mode == "r" else factors


# ----- singular values ---------------------------------------------------------------------------


# Formulas of the gradient, and of the one from the values alone.
SVD_SLOPE = (
    "dx = u @ M @ vh + (du − u @ P) @ diag(1 / s) @ vh + u @ diag(1 / s) @ (dvh − Qᵀ @ vh), "
    "M = diag(ds) + (E · (P − Pᵀ)) @ diag(s) + diag(s) @ (E · (Q − Qᵀ)), "
    "P = uᵀ @ du, Q = vh @ dvhᵀ, Eᵢⱼ = 1 / (sⱼ² − sᵢ²), Eᵢᵢ = 0"
)
OF_SINGULAR_VALUES = "dx = u @ diag(ds) @ vh"
EIGH_SLOPE = (
    "dx = (t + tᵀ) / 2, t = v @ (diag(dw) + E · (vᵀ @ dv)) @ vᵀ, Eᵢⱼ = 1 / (wⱼ − wᵢ), Eᵢᵢ = 0"
)
GENERAL_SLOPE = (
    "dx = v⁻ᵀ @ (diag(dw) + E · (P − vᵀ @ v @ diag(Pᵢᵢ))) @ vᵀ, P = vᵀ @ dv, "
    "Eᵢⱼ = 1 / (wⱼ − wᵢ), Eᵢᵢ = 0"
)
OF_EIGENVALUES = "dx = v @ diag(dw) @ vᵀ"


@matrix_op(
    lambda m, n, k: [(m, k), (k,), (k, n)],
    results=Results(("u", "s", "vh")),
    formula=Formula(
        "x = u @ diag(s) @ vh",
        lambda attrs: (
            OF_SINGULAR_VALUES if attrs.get("arrived") == (False, True, False) else SVD_SLOPE
        ),
        symbol="u, s, vᵀ",
    ),
)
def svd_(xp: Any, x: Any) -> Any:
    """Orthonormal columns, singular values and orthonormal rows with the product x."""
    return tuple(xp.linalg.svd(x, full_matrices=False))


@svd_.grad
def svd_grad(F: Any, du: Any, ds: Any, dvh: Any, u: Any, s: Any, vh: Any) -> Any:
    v, dv, row = swap_axes(F, vh), swap_axes(F, dvh), F.unsqueeze(s, axis=-2)
    apart = _inverse_gaps(F, row * row)
    inner_u, inner_v = F.matmul(swap_axes(F, u), du), F.matmul(vh, dv)
    turned = (inner_u - swap_axes(F, inner_u)) * apart * row
    turned = turned + F.unsqueeze(s, axis=-1) * (inner_v - swap_axes(F, inner_v)) * apart
    middle = turned + F.identity_like(turned) * F.unsqueeze(ds, axis=-2)
    dx = F.matmul(F.matmul(u, middle), vh)
    out_of_u = (du - F.matmul(u, inner_u)) / row
    out_of_v = (dv - F.matmul(v, inner_v)) / row
    return dx + F.matmul(out_of_u, vh) + F.matmul(u, swap_axes(F, out_of_v))


def _hermitian_part(F: Any, x: Any) -> Any:
    return (x + conjugate(F, swap_axes(F, x))) * 0.5


def _inverse_gaps(F: Any, row: Any) -> Any:
    """Return 1 / (valueⱼ − valueᵢ) for each row of values, 0 for i = j."""
    differences = row - swap_axes(F, row)
    diagonal = F.identity_like(differences)
    return 1.0 / (differences + diagonal) - diagonal


@matrix_op(
    lambda m, n, k: [(m, m), (k,), (n, n)],
    gradless="the vectors beyond the rank are arbitrary",
    results=Results(("u", "s", "vh")),
    formula=Formula("x = u @ diag(s) @ vh", symbol="u, s, vᵀ"),
    samples=prepare_samples(separate_values, sample((3, 2)), sample((2, 2, 3))),
)
def svd_full(xp: Any, x: Any) -> Any:
    """svd with square u and v."""
    return tuple(xp.linalg.svd(x, full_matrices=True))


def svd(x: Any, full_matrices: bool = False, name: str | None = None, *, out: Any = None) -> Any:
    """u, s and vᵀ with x = u @ diag(s) @ vᵀ; the singular values s are sorted, largest first.

    With `full_matrices` u and v are square, and there is no gradient.

    >>> u, s, vh = paddle.linalg.svd(paddle.to_tensor([[3.0, 0.0], [0.0, 4.0]]))
    >>> s.tolist()
    [4.0, 3.0]
    """
    return store(out, (svd_full if full_matrices else svd_).call(x), "svd")


@matrix_op(
    lambda m, n, k: (k,),
    formula=Formula("y = svdvals(x)", symbol="s"),
)
def svdvals(xp: Any, x: Any) -> Any:
    """The singular values, largest first.

    >>> paddle.linalg.svdvals(paddle.to_tensor([[3.0, 0.0], [0.0, 4.0]])).tolist()
    [4.0, 3.0]
    """
    return xp.linalg.svd(x, compute_uv=False)


@svdvals.grad
def svdvals_grad(F: Any, dout: Any, x: Any) -> Any:
    u, _, vh = F.svd(x)
    return F.matmul(u * F.unsqueeze(dout, axis=-2), vh)


# ----- eigenvalues of symmetric matrices ---------------------------------------------------------


def _triangle_name(value: Any) -> Any:
    if not isinstance(value, str) or value not in ("L", "U"):
        raise errors.choice("eigh", "UPLO", value, ("L", "U"))
    return value


def _eigenvalues_infer(x: Meta) -> Meta:
    return Meta(x.shape[:-1], np.empty(0, x.dtype).real.dtype)


@square_op(
    lambda x: [_eigenvalues_infer(x), x],
    public=None,
    canon={"UPLO": _triangle_name},
    results=Results(("w", "v")),
    formula=Formula(
        lambda attrs: f"x = v @ diag(w) @ v{'ᴴ' if attrs.get('complex') else 'ᵀ'}",
        lambda attrs: OF_EIGENVALUES if attrs.get("arrived") == (True, False) else EIGH_SLOPE,
        symbol="w, v",
    ),
    samples=SYMMETRIC,
)
def eigh(xp: Any, x: Any, *, UPLO: str = "L") -> Any:
    """The eigenvalues, smallest first, and the eigenvectors, as columns, of Hermitian matrices.

    >>> w, v = paddle.linalg.eigh(paddle.to_tensor([[2.0, 1.0], [1.0, 2.0]]))
    >>> bool(paddle.allclose(w, paddle.to_tensor([1.0, 3.0])))
    True
    """
    return tuple(xp.linalg.eigh(symmetrize(x), UPLO))


@eigh.grad
def eigh_grad(F: Any, dw: Any, dv: Any, w: Any, v: Any) -> Any:
    turned = swap_axes(F, v)
    inner = F.matmul(turned, dv) * _inverse_gaps(F, F.unsqueeze(w, axis=-2))
    middle = inner + F.identity_like(inner) * F.unsqueeze(dw, axis=-2)
    dx = F.matmul(F.matmul(conjugate(F, v), middle), turned)
    return _hermitian_part(F, dx)


@square_op(
    _eigenvalues_infer,
    canon={"UPLO": _triangle_name},
    formula=Formula("y = eigvalsh(x)", symbol="w"),
    samples=SYMMETRIC,
)
def eigvalsh(xp: Any, x: Any, *, UPLO: str = "L") -> Any:
    """The eigenvalues of Hermitian matrices, smallest first.

    >>> paddle.eigvalsh(paddle.to_tensor([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    return xp.linalg.eigvalsh(symmetrize(x), UPLO)


@eigvalsh.grad
def eigvalsh_grad(F: Any, dout: Any, x: Any) -> Any:
    _, v = F.eigh(x)
    return F.matmul(v * F.unsqueeze(dout, axis=-2), conjugate(F, swap_axes(F, v)))


# ----- eigenvalues of any matrices ---------------------------------------------------------------


def _complex(x: Meta) -> np.dtype[Any]:
    return np.result_type(x.dtype, np.complex64)


@square_op(
    lambda x: [Meta(x.shape[:-1], _complex(x)), Meta(x.shape, _complex(x))],
    public=Public(function=False),
    results=Results(("w", "v")),
    formula=Formula("x = v @ diag(w) @ v⁻¹", GENERAL_SLOPE, symbol="w, v"),
    samples=prepare_samples(separate_values, sample((3, 3)), sample((2, 2, 2))),
)
def eig(xp: Any, x: Any) -> Any:
    """The eigenvalues and the eigenvectors, as columns of length 1, of square matrices.

    They are complex and in no order; each eigenvector may be turned by any phase.

    >>> w, v = paddle.linalg.eig(paddle.to_tensor([[0.0, -1.0], [1.0, 0.0]]))
    >>> w.tolist()
    [1j, -1j]
    """
    made, kind = xp.linalg.eig(x), _complex(Meta(x.shape, x.dtype))
    return tuple(each.astype(kind) for each in made)


@eig.grad
def eig_grad(F: Any, dw: Any, dv: Any, x_dtype: Any, w: Any, v: Any) -> Any:
    turned = swap_axes(F, v)
    overlap = F.matmul(turned, dv)
    lengths = F.diagonal(overlap + conjugate(F, overlap), axis1=-2, axis2=-1) * 0.5
    inner = overlap - F.matmul(turned, conjugate(F, v)) * F.unsqueeze(lengths, axis=-2)
    middle = inner * _inverse_gaps(F, F.unsqueeze(w, axis=-2))
    middle = middle + F.identity_like(middle) * F.unsqueeze(dw, axis=-2)
    dx = F.matmul(F.inverse(turned), F.matmul(middle, turned))
    return dx if DType.of(x_dtype).numpy.kind == "c" else F.real(dx)


@square_op(
    lambda x: Meta(x.shape[:-1], _complex(x)),
    public=Public(function=False),
    gradless="paddle.linalg.eig has one",
    formula=Formula("y = eigvals(x)", symbol="w"),
    samples=prepare_samples(separate_values, sample((3, 3)), sample((2, 2, 2))),
)
def eigvals(xp: Any, x: Any) -> Any:
    """The eigenvalues of square matrices, complex and in no order; as in Paddle without a gradient.

    >>> paddle.linalg.eigvals(paddle.to_tensor([[0.0, -1.0], [1.0, 0.0]])).tolist()
    [1j, -1j]
    """
    turned = x.swapaxes(-1, -2)  # for real Paddle's order
    return xp.linalg.eigvals(turned).astype(_complex(Meta(x.shape, x.dtype)))


# ----- pinv, rank, condition ---------------------------------------------------------------------


@matrix_op(
    lambda m, n, _: (n, m),
    kinds="fc",
    canon={"rcond": read_number},
    formula=Formula("y = x⁺", symbol="⁺"),
    samples=(*DISTINCT, *prepare_samples(separate_values, sample((3, 3), hermitian=True))),
    public=Public(function=False),
)
def pinv(xp: Any, x: Any, *, rcond: Any = 1e-15, hermitian: bool = False) -> Any:
    """The pseudoinverse; singular values below rcond times the largest count as 0.

    `hermitian` takes the Hermitian part of x.

    >>> paddle.linalg.pinv(paddle.to_tensor([[2.0], [0.0]])).tolist()
    [[0.5, 0.0]]
    """
    if hermitian:
        require_square("pinv", Meta(x.shape, x.dtype), "fc")
        x = symmetrize(x)
    return xp.linalg.pinv(x, rcond)


@pinv.grad
def pinv_grad(F: Any, dout: Any, x: Any, out: Any, *, hermitian: bool) -> Any:
    if hermitian:
        x = _hermitian_part(F, x)
    turned, dturned = swap_axes(F, out), conjugate(F, swap_axes(F, dout))
    x, out = conjugate(F, x), conjugate(F, out)
    within = F.matmul(F.matmul(turned, dout), turned)
    left = F.matmul(dturned, F.matmul(out, turned))
    left = left - F.matmul(x, F.matmul(out, left))
    right = F.matmul(F.matmul(turned, out), dturned)
    right = right - F.matmul(F.matmul(right, out), x)
    dx = left + right - within
    return _hermitian_part(F, dx) if hermitian else dx


def matrix_rank(
    x: Any,
    tol: Any = None,
    hermitian: bool = False,
    atol: Any = None,
    rtol: Any = None,
    name: str | None = None,
) -> Any:
    """The number of singular values above `tol`, or above max(atol, rtol · the largest).

    Each limit is a number, or a Tensor that is broadcast against the batch of matrices.

    Shapes: for example x [3, 2] gives []; x [2, 3, 3], tol [2] gives [2].
    Dtypes: float32, float64 give int64.
    Errors: ValueError if x is not a Tensor, for a `tol` beside `atol` or `rtol`; RuntimeError for
    complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.linalg.matrix_rank(paddle.to_tensor([[1.0, 2.0], [2.0, 4.0]])).item()
    1
    """
    if tol is not None and (atol is not None or rtol is not None):
        raise misfit("matrix_rank", "tol, or atol and rtol", tol=tol, atol=atol, rtol=rtol)
    if hermitian:  # one triangle counts
        x = F.tril(x) + swap_axes(F, F.tril(x, diagonal=-1))
    values = F.abs(eigvalsh.call(x)) if hermitian else svdvals.call(x)
    if tol is None and atol is None and rtol is None:
        sizes = meta_of(x).shape[-2:]
        if -1 in sizes:
            raise misfit("matrix_rank", "matrices of known sizes, or a tol", x=x)
        rtol = max(sizes) * float(np.finfo(DType.of(values.dtype).numpy).eps)
    limits = [_limit(key, n) for key, n in (("tol", tol), ("atol", atol)) if n is not None]
    if rtol is not None:
        limits += [F.max(values, axis=-1, keepdim=True) * _limit("rtol", rtol)]
    return F.sum(functools.reduce(F.logical_and, [values > n for n in limits]), axis=-1)


def _limit(key: str, limit: Any) -> Any:
    """Return a limit of `matrix_rank` for comparison with the values of each matrix."""
    if hasattr(limit, "stop_gradient"):
        return F.unsqueeze(limit, axis=-1)
    return tolerance_reader("matrix_rank", key)(limit)


@public(function=False)
def cond(x: Any, p: Any = None, name: str | None = None) -> Any:
    """The condition number: a norm of x times that of its inverse.

    Shapes: for example x [2, 2] gives [].
    Dtypes: float32, float64 kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool; TypeError for
    float16.

    >>> paddle.linalg.cond(paddle.to_tensor([[4.0, 0.0], [0.0, 2.0]])).item()
    2.0
    """
    errors.require_choice("cond", "p", p, (None, *ORDERS))
    if p in (None, 2, -2):
        values = svdvals.call(x)
        first, last = values[..., 0], values[..., -1]
        return F.divide(*((last, first) if p == -2 else (first, last)))
    require_square("cond", meta_of(x))
    axes = [-2, -1]
    return norm(x, p, axes) * norm(F.inverse(x), p, axes)
