"""Norms of vectors and matrices, and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument, InvalidType
from ...engine.meta import Meta, axes_of, broadcast, no_kernel, reduced_shape
from ...errors import misfit, require
from .. import errors
from ..arguments import float_reader, read_axes, require_one_dtype
from ..catalog import public
from ..op_spec import internal, op
from ..record import Formula, Static, sample
from ..reductions.reduction import over_axes
from ..registry import REGISTRY
from ..rule_functions import GRAPH as F
from ..widening import round_once

INF = float("inf")
ORDERS = ("fro", "nuc", 1, -1, 2, -2, INF, -INF)  # orders of matrix norms
TINY = 1e-12  # Paddle adds this to a divisor, so that 0 / 0 is 0


# ----- vectors -----------------------------------------------------------------------------------


def _norm_infer(
    x: Meta, *, porder: float = 2.0, axis: Any = None, keepdim: bool = False, name: str = "p_norm"
) -> Meta:
    if x.dtype.kind not in "fc":
        raise no_kernel(name, "x", x)
    kind = x.dtype if x.dtype.kind == "f" else np.empty(0, x.dtype).real.dtype
    return Meta(reduced_shape(name, x, axis, keepdim), kind)


def _compute_norm(xp: Any, x: Any, p: float, axis: Any, keepdim: bool) -> Any:
    if x.size == 0:
        shape = reduced_shape("norm", Meta(x.shape, x.dtype), axis, keepdim)
        return xp.zeros(shape, x.dtype)
    how = {"axis": axis, "keepdims": keepdim}
    if p == 0:
        return (x != 0).astype(x.dtype).sum(**how)
    size = xp.abs(x)
    if p in (INF, -INF):
        return size.max(**how) if p > 0 else size.min(**how)
    if p == 1:
        return size.sum(**how)
    if p == 2:
        return xp.sqrt((size * size).sum(**how))
    return xp.power(xp.power(size, p).sum(**how), 1.0 / p)


def _norm_formula(x: str, p: float) -> str:
    few = {0.0: f"Σ ({x} ≠ 0)", 1.0: f"Σ |{x}|", 2.0: f"√(Σ |{x}|²)"}
    few |= {INF: f"max |{x}|", -INF: f"min |{x}|"}
    return few.get(p, f"(Σ |{x}|^{p:g})^(1/{p:g})" if p > 0 else f"norm({x}, {p:g})")


def _norm_slope(F: Any, x: Any, out: Any, p: float, axis: Any, keepdim: bool) -> Any:
    """Return the derivative of a p-norm for each element; 0 at the origin."""
    if axis is not None and not keepdim:
        out = _restore_axes(F, out, x, axis)
    if p == 0:
        return F.sign(x) * 0.0
    if p in (INF, -INF):
        return F.sign(x) * F.cast(F.abs(x) == out, dtype=DType.of(x.dtype))
    if p == 2:
        return x / (out + TINY)
    return F.sign(x) * F.pow(F.abs(x), factor=p - 1.0) / (F.pow(out, factor=p - 1.0) + TINY)


def _restore_axes(F: Any, reduced: Any, x: Any, axis: Any) -> Any:
    """Return a reduced value with the reduced axes as axes of size 1."""
    shape = Meta(tuple(x.shape), np.dtype("float32"))
    return F.unsqueeze(reduced, axis=axes_of("norm", shape, axis))


@internal(
    infer=_norm_infer,
    checked=True,
    canon={"porder": float_reader("norm", "p"), "axis": read_axes},
    formula=Formula(
        lambda attrs: over_axes(f"y = {_norm_formula('x', attrs['porder'])}")(attrs),
        symbol=lambda attrs: "norm" if attrs["porder"] == 2 else f"norm, p={attrs['porder']:g}",
    ),
    samples=(
        sample((2, 3)),
        sample((2, 3), porder=1.0, axis=-1, domain=(0.3, 2.0)),
        sample((2, 3), porder=3.0, axis=0, keepdim=True, domain=(-2.0, -0.3)),
        sample((3, 4), porder=INF, axis=1),
        sample((3, 4), porder=-INF),
        sample((2, 3), porder=0.5, domain=(0.3, 2.0)),
        sample((2, 3, 2), axis=(0, 2)),
        sample((0, 3), axis=0),
    ),
    static=Static("p_norm", extra={"epsilon": TINY, "asvector": lambda a: a["axis"] is None}),
)
def p_norm(xp: Any, x: Any, *, porder: float = 2.0, axis: Any = None, keepdim: bool = False) -> Any:
    """The p-norm over `axis` (all axes if None); p = inf gives the largest |x|, 0 counts."""
    return _compute_norm(xp, x, porder, axis, keepdim)


@p_norm.grad
def p_norm_grad(
    F: Any, dout: Any, x: Any, out: Any, *, porder: float, axis: Any, keepdim: bool
) -> Any:
    slope = _norm_slope(F, x, out, porder, axis, keepdim)
    if axis is not None and not keepdim:
        dout = _restore_axes(F, dout, x, axis)
    return dout * slope


@internal(
    infer=lambda x, **attrs: _norm_infer(x, **attrs, name="frobenius_norm"),
    checked=True,
    canon={"axis": read_axes},
    formula=Formula(over_axes("y = √(Σ |x|²)"), "dx = dy · x / y", symbol="‖·‖"),
    samples=(sample((2, 3), axis=(0, 1)), sample((2, 3, 2), axis=(-1, 0), keepdim=True)),
    static=Static("frobenius_norm", attrs={"axis": "dim", "keepdim": "keep_dim"}),
)
def frobenius_norm(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """The root of the sum of squares over two axes."""
    return _compute_norm(xp, x, 2.0, axis, keepdim)


@frobenius_norm.grad
def frobenius_norm_grad(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
    return p_norm_grad(F, dout, x, out, porder=2.0, axis=axis, keepdim=keepdim)


def vector_norm(
    x: Any,
    p: Any = 2.0,
    axis: Any = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    """The p-norm over `axis`, over all axes if None: (Σ |x|ᵖ)^(1/p).

    Shapes: for example x [2, 2] gives [].
    Dtypes: floating kept; complex64 gives float32; complex128 gives float64.
    Errors: ValueError if x is not a Tensor, if there is no such axis; RuntimeError for integers,
    bool.

    >>> paddle.linalg.vector_norm(paddle.to_tensor([[3.0, 4.0], [0.0, 0.0]])).item()
    5.0
    """
    if not isinstance(p, (int, float)):
        fix = "use paddle.linalg.matrix_norm() for 'fro' and 'nuc'"
        raise misfit("vector_norm", "a number, also inf and -inf", InvalidArgument, fix, p=p)
    x = x if dtype is None else F.cast(x, dtype=dtype)
    norm = p_norm.call(x, porder=p, axis=axis, keepdim=keepdim)
    return store(out, norm, "vector_norm")


# ----- matrices ----------------------------------------------------------------------------------


def matrix_norm(
    x: Any, p: Any = "fro", axis: Any = (-2, -1), keepdim: bool = False, name: str | None = None
) -> Any:
    """A norm of the matrices over two axes: 'fro', 'nuc', or 1, -1, 2, -2, inf, -inf.

    Shapes: for example x [2, 2], p='nuc' gives [].
    Dtypes: float32, float64 kept.
    Errors: ValueError if there is no such axis; RuntimeError for complex, integers, bool; TypeError
    for float16.

    >>> paddle.linalg.matrix_norm(paddle.to_tensor([[3.0, 0.0], [0.0, 4.0]]), "nuc").item()
    7.0
    """
    both = read_axes(axis)
    if not isinstance(both, tuple) or len(both) != 2:
        fix = "use paddle.linalg.vector_norm() for another number of axes"
        raise misfit("matrix_norm", "two axes, as in [-2, -1]", InvalidArgument, fix, axis=axis)
    errors.require_choice("norm", "p", p, ORDERS)
    if p == "fro":
        return frobenius_norm.call(x, axis=both, keepdim=keepdim)
    rank = len(x.shape)
    rows, columns = (a % rank for a in both)
    biggest = REGISTRY["min" if isinstance(p, (int, float)) and p < 0 else "max"].call
    if p in (1, -1, INF, -INF):
        summed, searched = (rows, columns) if p in (1, -1) else (columns, rows)
        sums = p_norm.call(x, porder=1.0, axis=summed, keepdim=True)
        result = biggest(sums, axis=searched, keepdim=True)
        return result if keepdim else F.squeeze(result, axis=(rows, columns))
    others = [a for a in range(rank) if a not in (rows, columns)]
    values = F.svdvals(F.transpose(x, perm=(*others, rows, columns)))
    reduce = F.sum if p == "nuc" else biggest
    result = reduce(values, axis=-1)
    return F.unsqueeze(result, axis=tuple(sorted((rows, columns)))) if keepdim else result


@public()
def norm(
    x: Any,
    p: Any = None,
    axis: Any = None,
    keepdim: bool = False,
    out: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """The p-norm of a vector (`axis` is an axis, or None for all) or of a matrix (two axes).

    `p` is a number, inf or -inf, for a matrix also 'fro' (the default) and 'nuc'.

    Shapes: for example x [2] gives [].
    Dtypes: floating kept; complex64 gives float32; complex128 gives float64.
    Errors: ValueError if x is not a Tensor, if there is no such axis; RuntimeError for integers,
    bool.

    >>> import minipaddle as paddle
    >>> paddle.norm(paddle.to_tensor([3.0, 4.0])).item()
    5.0
    """
    x = x if dtype is None else F.cast(x, dtype=dtype)
    over = read_axes(axis)
    if p == "nuc" and over is None and len(x.shape) == 2:
        over = (0, 1)
    if isinstance(over, tuple) and len(over) == 1:
        over = over[0]
    matrix = isinstance(over, tuple) and len(over) == 2
    if isinstance(p, str) and (p not in ("fro", "nuc") or (p == "nuc" and not matrix)):
        error = InvalidType if isinstance(over, int) and p == "nuc" else InvalidArgument
        expected = "p a number or 'fro'; 'nuc' with two axes, or for a matrix"
        fix = "name the two axes of the matrix: axis=[-2, -1]"
        raise misfit("norm", expected, error, fix, p=p, axis=axis, x=x)
    if matrix:
        result = matrix_norm(x, "fro" if p is None else p, over, keepdim)
    else:
        result = p_norm.call(x, porder=2.0 if p in (None, "fro") else p, axis=over, keepdim=keepdim)
    return store(out, result, "norm")


# ----- distances ---------------------------------------------------------------------------------


def _dist_infer(x: Meta, y: Meta, *, p: float = 2.0) -> Meta:
    require_one_dtype("dist", "f", x=x, y=y)
    broadcast("dist", x, y)
    return Meta((), x.dtype)


@op(
    infer=_dist_infer,
    checked=True,
    canon={"p": float_reader("dist", "p")},
    formula=Formula(lambda attrs: f"z = {_norm_formula('x − y', attrs['p'])}", symbol="distance"),
    samples=(
        sample((2, 3), (2, 3)),
        sample((2, 3), (3,), p=1.0),
        sample((2, 1), (3,), p=3),
        sample((2, 3), (2, 3), p=INF),
    ),
)
def dist(xp: Any, x: Any, y: Any, *, p: float = 2.0) -> Any:
    """The p-norm of x - y over all elements.

    >>> paddle.dist(paddle.to_tensor([3.0, 4.0]), paddle.zeros([2])).item()
    5.0
    """
    return _compute_norm(xp, x - y, p, None, False)


@dist.grad
def dist_grad(F: Any, dout: Any, x: Any, y: Any, out: Any, *, p: float) -> Any:
    dx = dout * _norm_slope(F, x - y, out, p, None, False)
    return F.sum_to(dx, shape=tuple(x.shape)), F.sum_to(-dx, shape=tuple(y.shape))


@public()
@round_once
def cdist(
    x: Any,
    y: Any,
    p: Any = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Any:
    """The distances of all pairs of a row of x and a row of y; compute_mode changes no value.

    Shapes: for example x [1, 2], y [2, 2] gives [1, 2].
    Dtypes: floating kept; complex64 gives float32; complex128 gives float64.
    Errors: AssertionError if the shapes do not fit, for p < 0; RuntimeError for integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.cdist(paddle.to_tensor([[3.0, 4.0]]), paddle.zeros([2, 2])).tolist()
    [[5.0, 5.0]]
    """
    if len(x.shape) < 2 or len(y.shape) < 2 or x.shape[-1] != y.shape[-1]:
        fix = "reshape them; a single row is of shape [1, n]"
        raise misfit("cdist", "x [..., m, n] and y [..., k, n]", CheckFailed, fix, x=x, y=y)
    require(p >= 0, "cdist", "p >= 0", CheckFailed, p=p)
    apart = F.subtract(F.unsqueeze(x, axis=-2), F.unsqueeze(y, axis=-3))
    return p_norm.call(apart, porder=p, axis=-1)
