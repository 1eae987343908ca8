"""Running sums, products and extremes: each result is of the elements up to its position."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import OutOfRange
from ...engine.meta import SMALL, Meta, axis_of, integers_to_float, numbers
from ..arguments import COMPLEX, index_dtype, read_axis
from ..catalog import public, publish
from ..making import creation
from ..op_spec import internal, op
from ..record import Formula, Results, Static, at_axis, of_elements, sample
from ..rule_functions import GRAPH as F
from .lines import call_along, part_of, shifted

ROWS = (
    sample((2, 3), axis=1),
    sample((4,), axis=0),
    sample((3, 2), axis=-2),
    sample((0, 2), axis=0),
)


def _cast_to(x: Any, dtype: Any) -> Any:
    if dtype is None or DType.of(dtype) is DType.of(x.dtype):
        return x
    return creation.cast.call(x, dtype=dtype)


def _is_int(x: Any) -> bool:
    return DType.of(x.dtype).numpy.kind in "iu"


# ----- sums --------------------------------------------------------------------------------------


def _sum_infer(x: Meta, *, axis: int, reverse: bool) -> Meta:
    axis_of("cumsum", x, axis, error=OutOfRange)
    numbers("cumsum", "")(x)
    return x


@internal(
    infer=_sum_infer,
    checked=True,
    canon={"axis": read_axis},
    formula=Formula(
        lambda attrs: at_axis(f"y[k] = Σ x[i], i {'≥' if attrs['reverse'] else '≤'} k")(attrs),
        lambda attrs: at_axis(f"dx[i] = Σ dy[k], k {'≤' if attrs['reverse'] else '≥'} i")(attrs),
    ),
    samples=(*ROWS, sample((2, 3), axis=1, reverse=True)),
    static=Static("cumsum", extra={"exclusive": False, "flatten": False}),
)
def _cumsum(xp: Any, x: Any, *, axis: int, reverse: bool = False) -> Any:
    """The sums of the elements up to each position (from it on if reverse)."""
    if reverse:
        return xp.flip(xp.cumsum(xp.flip(x, axis), axis, dtype=x.dtype), axis)
    return xp.cumsum(x, axis, dtype=x.dtype)


_cumsum.grad(lambda F, dout, *, axis, reverse: F.cumsum(dout, axis=axis, reverse=not reverse))


@public(inplace=True)
def cumsum(
    x: Any, axis: Any = None, dtype: Any = None, name: str | None = None, *, out: Any = None
) -> Any:
    """The sums of the elements up to each position along `axis` (of the flattened x if None).

    >>> import minipaddle as paddle
    >>> paddle.cumsum(paddle.to_tensor([1, 2, 3])).tolist()
    [1, 3, 6]
    """
    if dtype is None and _is_int(x):
        dtype = "int64"
    return store(out, call_along(F.cumsum, _cast_to(x, dtype), axis), "cumsum")


def _log_infer(x: Meta, *, axis: int) -> Meta:
    axis_of("logcumsumexp", x, axis, error=OutOfRange)
    return integers_to_float("logcumsumexp")(x)


@internal(
    infer=_log_infer,
    canon={"axis": read_axis},
    formula=Formula(
        at_axis("y[k] = ln Σ e^x[i], i ≤ k"),
        at_axis("dx[k] = Σ dy[i] · e^(x[k] − y[i]), i ≥ k"),
    ),
    samples=ROWS,
    static=Static("logcumsumexp", extra={"exclusive": False, "flatten": False, "reverse": False}),
)
def _logcumsumexp(xp: Any, x: Any, *, axis: int) -> Any:
    """The logarithm of the running sums of exponentials, without overflow."""
    expected = _log_infer(Meta(x.shape, x.dtype), axis=axis)
    return accumulate(xp, x.astype(expected.dtype), axis, xp.logaddexp)


@_logcumsumexp.grad
def _logcumsumexp_grad(F: Any, dout: Any, x: Any, out: Any, *, axis: int) -> Any:
    after = F.shifted(out, axis=axis, by=-1, fill=np.inf)  # out never decreases: no overflow
    none, zero = out == -np.inf, F.fill_like(x)  # no element so far: no gradient
    shares = F.where(none, zero, F.exp(x - out))
    factors = F.where(none, zero, F.exp(out - after))
    return shares * F.recurrence(factors, dout, axis=axis, reverse=True)


@public()
def logcumsumexp(x: Any, axis: Any = None, dtype: Any = None, name: str | None = None) -> Any:
    """The logarithm of the sum of exponentials up to each position along `axis`.

    >>> import minipaddle as paddle
    >>> paddle.logcumsumexp(paddle.zeros([2])).numpy().round(4)
    array([0.    , 0.6931], dtype=float32)
    """
    if dtype is None and _is_int(x):
        dtype = "float32"
    return call_along(F.logcumsumexp, _cast_to(x, dtype), axis)


# ----- products ----------------------------------------------------------------------------------


def _product_infer(x: Meta, *, dim: int, exclusive: bool, reverse: bool) -> Meta:
    axis_of("cumprod", x, dim)
    numbers("cumprod")(x)
    return x


PRODUCTS = {  # whether reverse, whether exclusive -> name
    (False, False): "cumprod",
    (False, True): "products_before",
    (True, False): "products_from",
    (True, True): "products_after",
}


def _product_formula(formula: str, attrs: dict[str, Any]) -> str:
    """Return a formula with the order of the elements of a product."""
    signs = "><" if attrs["exclusive"] else "≥≤"
    return at_axis(formula.replace("≤", signs[not attrs["reverse"]]), "dim")(attrs)


@internal(
    infer=_product_infer,
    checked=True,
    canon={"dim": read_axis},
    formula=Formula(
        lambda attrs: _product_formula("y[k] = Π x[i], i ≤ k", attrs),
        lambda attrs: _product_formula("dx[j] = Σ dy[k] · Π x[i], i ≤ k, i ≠ j, j ≤ k", attrs),
        symbol=lambda attrs: PRODUCTS[attrs["reverse"], attrs["exclusive"]],
    ),
    samples=(
        sample((2, 3), dim=1),
        sample((4,), dim=0),
        sample((3, 2), dim=-2, reverse=True),
        sample((2, 4), dim=1, exclusive=True),
        sample((0, 2), dim=0),
        sample((4, 2), dim=0, exclusive=True, reverse=True),
    ),
)
def _cumprod(xp: Any, x: Any, *, dim: int, exclusive: bool = False, reverse: bool = False) -> Any:
    """The products of the elements up to each position; before it if exclusive."""
    x = xp.flip(x, dim) if reverse else x
    x = shifted.kernel(xp, x, axis=dim, by=1, fill=1.0) if exclusive else x
    out = xp.cumprod(x, dim, dtype=x.dtype)
    return xp.flip(out, dim) if reverse else out


@_cumprod.grad
def _cumprod_grad(F: Any, dout: Any, x: Any, *, dim: int, exclusive: bool, reverse: bool) -> Any:
    """Compute the gradient without division, which would fail for zeros."""
    back = 1 if reverse else -1
    before = F.cumprod(x, dim=dim, exclusive=True, reverse=reverse)
    seen = F.shifted(dout, axis=dim, by=back) if exclusive else dout
    factors = F.shifted(x, axis=dim, by=back)
    return before * F.recurrence(factors, seen, axis=dim, reverse=not reverse)


@public(inplace=True)
def cumprod(
    x: Any, dim: Any = None, *, dtype: Any = None, out: Any = None, name: str | None = None
) -> Any:
    """The products of the elements up to each position along `dim` (of the flattened x if None).

    >>> import minipaddle as paddle
    >>> paddle.cumprod(paddle.to_tensor([1.0, 2.0, 3.0]), dim=0).tolist()
    [1.0, 2.0, 6.0]
    """

    def cumprod(x: Any, axis: int) -> Any:
        return F.cumprod(x, dim=axis)

    return store(out, call_along(cumprod, _cast_to(x, dtype), dim), "cumprod")


# ----- extremes ----------------------------------------------------------------------------------


def accumulate(xp: Any, x: Any, axis: int, join: Any) -> Any:
    """Combine the elements up to each position with an associative function."""
    out, step = x.copy(), 1
    while step < out.shape[axis]:
        late = part_of(axis, out.ndim, step, None)
        early = part_of(axis, out.ndim, None, -step)
        out[late] = join(out[late], out[early])
        step *= 2
    return out


def positions_along(xp: Any, x: Any, axis: int) -> Any:
    """Return the position of each element along an axis."""
    sizes = [1] * x.ndim
    sizes[axis] = -1
    return xp.arange(x.shape[axis]).reshape(sizes)


def _register_extreme(name: str, join: str, word: str, answer: str) -> None:
    kinds = numbers(name, SMALL + COMPLEX)

    def infer(x: Meta, *, axis: int, dtype: Any) -> list[Meta]:
        axis_of(name, x, axis, error=OutOfRange)
        kind = index_dtype(name, dtype)
        return [Meta(x.shape, kinds(x).dtype), Meta(x.shape, kind)]

    def kernel(xp: Any, x: Any, *, axis: int, dtype: Any = "int64") -> Any:
        out = accumulate(xp, x, axis, getattr(xp, join))
        # The last element equal to the extreme so far sets the position.
        new = (x == out) | (x != x)
        indices = accumulate(xp, xp.where(new, positions_along(xp, x, axis), 0), axis, xp.maximum)
        return out, indices.astype(index_dtype(name, dtype))

    def rule(F: Any, dout: Any, x_shape: Any, indices: Any, *, axis: int) -> Any:
        return F.along_back(dout, indices, shape=x_shape, axis=axis)

    def function(
        x: Any, axis: Any = None, dtype: Any = "int64", name: str | None = None
    ) -> tuple[Any, Any]:
        return call_along(record.call, x, axis, dtype=dtype)

    kernel.__doc__ = f"""The {word} element up to each place along `axis`, and where it stands.

    Of equal elements the last one counts.

    >>> [t.tolist() for t in paddle.{name}(paddle.to_tensor([2, 3, 1, 2]))]
    {answer}
    """
    record = op(
        name,
        infer=infer,
        checked=True,
        canon={"axis": read_axis},
        results=Results(("out", "indices"), stopped=("indices",)),
        formula=Formula(
            at_axis(f"y[k] = {name[3:]} x[i], i ≤ k"), of_elements("dx = 0, dx§ += dy@")
        ),
        samples=ROWS,
    )(kernel)
    record.grad(rule)
    publish(record, function)


_register_extreme("cummax", "maximum", "largest", "[[2, 3, 3, 3], [0, 1, 1, 1]]")
_register_extreme("cummin", "minimum", "smallest", "[[2, 2, 1, 1], [0, 0, 2, 2]]")
