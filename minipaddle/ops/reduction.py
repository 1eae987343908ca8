"""Ops that make fewer elements of many: over all axes, or over those named."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import DType
from ..meta import Meta, axes_of, axis_of, floating, reduced_shape
from .arguments import axes
from .records import Static, sample
from .registry import op

SAMPLES = (
    sample((2, 3)), sample((2, 3), axis=1), sample((2, 3, 2), axis=(0, -1), keepdim=True),
    sample(()), sample((2, 3), axis=0, keepdim=True),
)  # fmt: skip
REDUCE = {"axis": "dim", "keepdim": "keep_dim"}


def _reduced(name: str) -> Any:
    def infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
        return Meta(reduced_shape(name, x, axis, keepdim), x.dtype)

    return infer


def _symbol(word: str) -> Any:
    return lambda attrs: word if attrs["axis"] is None else f"{word}, axis {attrs['axis']}"


def _spread(F: Any, reduced: Any, shape: tuple[int, ...], axis: Any, keepdim: bool) -> Any:
    """Repeat a reduced value along the axes that were reduced."""
    if not keepdim and axis is not None and axis != ():
        gone = axes_of("reduce", Meta(shape, np.dtype("float32")), axis)
        reduced = F.reshape(reduced, shape=[1 if i in gone else n for i, n in enumerate(shape)])
    return F.expand(reduced, shape=shape)


def _count(shape: tuple[int, ...], axis: Any) -> int:
    """How many elements each result is made of."""
    if axis is None:
        return math.prod(shape)
    gone = axes_of("reduce", Meta(shape, np.dtype("float32")), axis)
    return math.prod(shape[i] for i in gone)


def _sum_infer(x: Meta, *, axis: Any = None, dtype: Any = None, keepdim: bool = False) -> Meta:
    if dtype is not None:
        kind = DType.of(dtype).numpy
    else:
        kind = np.dtype("int64") if x.dtype.kind in "bi" else x.dtype
    return Meta(reduced_shape("sum", x, axis, keepdim), kind)


@op(
    "sum", infer=_sum_infer, saves=("x.shape",), canon={"axis": axes}, symbol=_symbol("sum"),
    static=Static("reduce_sum", attrs=REDUCE, prefix="sum"), samples=SAMPLES,
    formula="y = Σ x", grad_formula="dx = dy · 1",
)  # fmt: skip
def sum_(xp: Any, x: Any, *, axis: Any = None, dtype: Any = None, keepdim: bool = False) -> Any:
    """The sum over `axis` (all axes if None); int32 and bool give int64."""
    kind = DType.of(dtype).numpy if dtype is not None else None
    return xp.add.reduce(x, axis=None if axis == () else axis, dtype=kind, keepdims=keepdim)


@sum_.grad
def sum_grad(F: Any, dout: Any, x_shape: Any, *, axis: Any, keepdim: bool) -> Any:
    return _spread(F, dout, x_shape, axis, keepdim)


@op(
    "mean", infer=_reduced("mean"), saves=("x.shape",), canon={"axis": axes},
    symbol=_symbol("mean"), samples=SAMPLES,
    static=Static("reduce_mean", attrs=REDUCE, prefix="mean"),
    formula="y = (1/n) Σ x", grad_formula="dx = dy / n",
)  # fmt: skip
def mean(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """The arithmetic mean over `axis` (all axes if None)."""
    if axis is None and not keepdim:
        total, count = xp.add.reduce(x, None), x.size
    else:
        total = xp.add.reduce(x, axis=None if axis == () else axis, keepdims=keepdim)
        count = _count(x.shape, axis)
    return total / count if count else total * np.nan


@mean.grad
def mean_grad(F: Any, dout: Any, x_shape: Any, *, axis: Any, keepdim: bool) -> Any:
    return _spread(F, dout / max(_count(x_shape, axis), 1), x_shape, axis, keepdim)


def _extreme_grad(F: Any, dout: Any, x: Any, out: Any, axis: Any, keepdim: bool) -> Any:
    """Share the gradient equally among the elements that are the extreme one."""
    shape = tuple(x.shape)
    winners = F.cast(F.equal(x, _spread(F, out, shape, axis, keepdim)), dtype=DType.of(dout.dtype))
    ties = F.sum(winners, axis=axis, keepdim=keepdim)
    return winners * _spread(F, dout / ties, shape, axis, keepdim)


def _extreme(name: str, ufunc: str, word: str) -> None:
    def kernel(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
        where = None if axis == () else axis
        return getattr(xp, ufunc).reduce(x, axis=where, keepdims=keepdim)

    def rule(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
        return _extreme_grad(F, dout, x, out, axis, keepdim)

    kernel.__doc__ = f"The {word} element over `axis` (all axes if None); ties share the gradient."
    op(
        name, infer=_reduced(name), saves=("x", "out"), canon={"axis": axes},
        symbol=_symbol(name), samples=SAMPLES,
        static=Static(f"reduce_{name}", attrs=REDUCE, prefix=name),
        formula=f"y = {name} x", grad_formula="dx = dy · (x = y) / Σ (x = y)",
    )(kernel).grad(rule)  # fmt: skip


_extreme("max", "maximum", "largest")
_extreme("min", "minimum", "smallest")


@op(
    "prod", infer=_reduced("prod"), saves=("x", "out"), canon={"axis": axes},
    symbol=_symbol("prod"),
    samples=tuple(s._replace(domain=(0.5, 1.5)) for s in SAMPLES),
    static=Static("reduce_prod", attrs=REDUCE, prefix="prod"),
    formula="y = Π x", grad_formula="dx = dy · y / x",
)  # fmt: skip
def prod(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """The product over `axis` (all axes if None)."""
    return xp.multiply.reduce(x, axis=None if axis == () else axis, keepdims=keepdim)


@prod.grad
def prod_grad(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
    return _spread(F, dout * out, tuple(x.shape), axis, keepdim) / x


def _logsumexp_infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
    return floating(Meta(reduced_shape("logsumexp", x, axis, keepdim), x.dtype))


@op(
    "logsumexp", infer=_logsumexp_infer, saves=("x", "out"), canon={"axis": axes},
    symbol=_symbol("logsumexp"), samples=SAMPLES,
    static=Static("logsumexp", prefix="logsumexp"),
    formula="y = ln Σ eˣ", grad_formula="dx = dy · eˣ⁻ʸ",
)  # fmt: skip
def logsumexp(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """The logarithm of the sum of exponentials over `axis`, without overflow."""
    x = x.astype(floating(Meta(x.shape, x.dtype)).dtype, copy=False)
    where = None if axis == () else axis
    top = xp.maximum.reduce(x, axis=where, keepdims=True)
    total = xp.log(xp.add.reduce(xp.exp(x - top), axis=where, keepdims=True)) + top
    shape = reduced_shape("logsumexp", Meta(x.shape, x.dtype), axis, keepdim)
    return total.reshape(shape)


@logsumexp.grad
def logsumexp_grad(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
    shape = tuple(x.shape)
    weights = F.exp(x - _spread(F, out, shape, axis, keepdim))
    return weights * _spread(F, dout, shape, axis, keepdim)


# ----- questions and positions: no gradient ------------------------------------------------------


def _truth(name: str) -> Any:
    def infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
        return Meta(reduced_shape(name, x, axis, keepdim), np.dtype(bool))

    return infer


@op(
    "all", gradless="answers with bools or positions", infer=_truth("all"), canon={"axis": axes},
    samples=SAMPLES, formula="y = all(x)",
    static=Static("reduce_all", attrs=REDUCE, prefix="all"))  # fmt: skip
def all_(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Whether all elements over `axis` are true."""
    return xp.all(x, axis=None if axis == () else axis, keepdims=keepdim)


@op(
    "any", gradless="answers with bools or positions", infer=_truth("any"), canon={"axis": axes},
    samples=SAMPLES, formula="y = any(x)",
    static=Static("reduce_any", attrs=REDUCE, prefix="any"))  # fmt: skip
def any_(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Whether any element over `axis` is true."""
    return xp.any(x, axis=None if axis == () else axis, keepdims=keepdim)


def _arg_infer(x: Meta, *, axis: Any = None, keepdim: bool = False, dtype: Any = "int64") -> Meta:
    if axis is not None:
        axis = axis_of("argmax", x, axis)
    return Meta(reduced_shape("argmax", x, axis, keepdim), DType.of(dtype).numpy)


def _arg(name: str, word: str) -> None:
    def kernel(
        xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False, dtype: Any = "int64"
    ) -> Any:
        found = getattr(xp, name)(x, axis=axis, keepdims=keepdim)
        return xp.asarray(found).astype(DType.of(dtype).numpy)

    kernel.__doc__ = f"The position of the {word} element along `axis`; the first one of ties."
    op(
        name, infer=_arg_infer, gradless="answers with positions", canon={"axis": axes},
        symbol=_symbol(name),
        static=Static("arg_" + name[3:], attrs={"keepdim": "keepdims"}, prefix=name),
        samples=(sample((3, 4), axis=1), sample((5,)), sample((2, 3), axis=0, keepdim=True)),
        formula=f"y = {name} x",
    )(kernel)  # fmt: skip


_arg("argmax", "largest")
_arg("argmin", "smallest")
