"""Activations along an axis: softmax, and its logarithm."""

from __future__ import annotations

from typing import Any

from ...engine.meta import Meta, axis_of, floats_only
from ..arguments import number
from ..catalog import public
from ..making.convert import cast
from ..op_spec import internal
from ..record import Formula, sample
from ..reductions.reduction import over_axes

SHORT = 16  # elements of a row
ROWS = (sample((2, 3)), sample((3, 4), axis=0), sample((2, 3, 2), axis=1))


def _along_inference(name: str) -> Any:
    floats = floats_only(name)

    def infer(x: Meta, *, axis: int) -> Meta:
        axis_of(name, x, axis)
        return floats(x)

    return infer


def largest(xp: Any, x: Any, axis: int = -1) -> Any:
    """Return the maxima along `axis`, which keeps size 1.

    NumPy compares the elements of a row one by one, which is slow. For many short rows comparing
    whole columns takes a tenth of the time; for long rows argmax takes half of it.
    """
    row = x.shape[axis]
    few = 32 * row if row <= SHORT else 4096
    if x.size < few or axis not in (-1, x.ndim - 1) or row < 2:
        return x.max(axis=axis, keepdims=True)
    if row <= SHORT:
        return x.reshape(-1, row).T.copy().max(axis=0).reshape(*x.shape[:-1], 1)
    places = x.reshape(-1, row).argmax(axis=-1) + xp.arange(0, x.size, row)
    return x.reshape(-1).take(places).reshape(*x.shape[:-1], 1)


@internal(
    infer=_along_inference("softmax"),
    canon={"axis": number},
    formula=Formula(over_axes("y = eˣ / Σ eˣ"), over_axes("dx = y · (dy − Σ (dy · y))")),
    samples=ROWS,
)
def softmax_(xp: Any, x: Any, *, axis: int = -1) -> Any:
    """Positive numbers that sum to 1 along `axis`, in the ratios of exp(x)."""
    if not (x.ndim and x.size):
        return xp.ones_like(x)
    e = x - largest(xp, x, axis)  # no overflow, same ratios
    xp.exp(e, out=e)
    e /= xp.add.reduce(e, axis=axis, keepdims=True)
    return e


@softmax_.grad
def softmax_grad(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    weighted = dout * out
    if not out.ndim:
        return weighted * 0.0
    return weighted - out * F.sum(weighted, axis=axis, keepdim=True)


@softmax_.fused
def softmax_fused(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    weighted = dout * out
    if not out.ndim:
        return weighted * 0.0
    weighted -= out * F.sum(weighted, axis=axis, keepdim=True)
    return weighted


@internal(
    infer=_along_inference("log_softmax"),
    canon={"axis": number},
    formula=Formula(over_axes("y = x − ln Σ eˣ")),
    samples=ROWS,
)
def log_softmax_(xp: Any, x: Any, *, axis: int = -1) -> Any:
    """The logarithm of softmax along `axis`, without overflow."""
    if not (x.ndim and x.size):
        return xp.zeros_like(x)
    shifted = x - largest(xp, x, axis)
    return shifted - xp.log(xp.add.reduce(xp.exp(shifted), axis=axis, keepdims=True))


@log_softmax_.grad
def log_softmax_grad(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    if not out.ndim:
        return dout * 0.0
    return dout - F.exp(out) * F.sum(dout, axis=axis, keepdim=True)


@public()
def softmax(input: Any, dim: int | None = None, dtype: Any = None, *, out: Any = None) -> Any:
    """Positive numbers that sum to 1 along `dim`, by default the first axis of a tensor with 0, 1
    or 3 axes, the second of others. In `nn.functional.softmax` the last axis is the default.

    Shapes: for example input [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: RuntimeError for integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.softmax(paddle.zeros([2])).tolist()
    [0.5, 0.5]
    """
    axis = int(len(input.shape) not in (0, 1, 3)) if dim is None else dim
    x = input if dtype is None else cast.call(input, dtype)
    return softmax_.call(x, axis=axis, out=out)
