"""Reductions over all axes or some of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import NARROW, DType
from ...engine.meta import (
    SMALL,
    Meta,
    axes_of,
    axis_of,
    integers_to_float,
    no_kernel,
    numbers,
    other_than,
    reduced_shape,
)
from .. import errors
from ..arguments import COMPLEX, index_dtype, read_axes, read_axis
from ..catalog import publish
from ..op_spec import Kernel, Op, op
from ..record import Formula, Static, Text, at_axis, sample
from ..rule_functions import GRAPH as F
from ..widening import wider_dtype

SAMPLES = (
    sample((2, 3)),
    sample((2, 3), axis=1),
    sample((2, 3, 2), axis=(0, -1), keepdim=True),
    sample(()),
    sample((2, 3), axis=0, keepdim=True),
    sample((), axis=-1),
)
REDUCE = {"axis": "dim", "keepdim": "keep_dim"}
INT32 = DType.of("int32")


def _axis_symbol(word: str) -> Any:
    return lambda attrs: (
        word if attrs["axis"] is None else f"{word}, axis={attrs['axis']}".replace("-", "−")
    )


NAMES = {"Σ": "sum", "Π": "prod"}


def over_axes(text: str) -> Callable[[dict[str, Any]], str]:
    """Return a function that returns a formula with the axes of a call: `y = sum(x, axis=1)` for
    `y = Σ x`. An op without the attribute keepdim keeps the axes.

    >>> over_axes("dx = dy / Σ [x = y]")({"axis": 1, "keepdim": True})
    'dx = dy / sum([x = y], axis=1, keepdim=True)'
    """

    def formula(attrs: dict[str, Any]) -> str:
        if attrs["axis"] is None:
            return text
        axes = f"axis={attrs['axis']}".replace("-", "−")
        axes += ", keepdim=True" * attrs.get("keepdim", True)
        return re.sub(
            r"(Σ|Π|all|any|(?:arg)?(?:max|min)) (\([^)]*\)|\[[^]]*\]|\|x\|[^)\s]*|[^)\s]+)",
            lambda match: f"{NAMES.get(match[1], match[1])}({match[2]}, {axes})",
            text,
        )

    return formula


def reduction(forward: str, backward: Text = "", **record: Any) -> Callable[[Kernel], Op]:
    """Register an op that reduces the axes in its attribute `axis`."""

    def register(kernel: Kernel) -> Op:
        name = record.get("name") or kernel.__name__.strip("_")
        usual: dict[str, Any] = {
            "canon": {"axis": read_axes},
            "formula": Formula(over_axes(forward), backward, symbol=_axis_symbol(name)),
            "samples": SAMPLES,
            "static": Static(f"reduce_{name}", attrs=REDUCE, prefix=name),
        }
        return op(**usual | record)(kernel)

    return register


def numpy_axis(op_name: str, x: Any, axis: Any) -> Any:
    """Return the axis for NumPy: None for all axes, and for a 0-D array."""
    if axis is None or axis == ():
        return None
    if x.ndim == 0:
        axes_of(op_name, Meta(x.shape, x.dtype), axis)
        return None
    return axis


def expand_reduced(F: Any, reduced: Any, shape: tuple[int, ...], axis: Any, keepdim: bool) -> Any:
    """Repeat a reduced value along the reduced axes."""
    if not keepdim and axis is not None and axis != () and shape:
        reduced = F.unsqueeze(reduced, axis=axes_of("reduce", _meta_of(shape), axis))
    return F.expand(reduced, shape=shape)


def count_reduced(shape: tuple[int, ...], axis: Any) -> int:
    """Return the number of elements of each reduction."""
    return math.prod(reduced_sizes(shape, axis))


def reduced_sizes(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """Return the sizes of the reduced axes."""
    if axis is None:
        return shape
    reduced = axes_of("reduce", _meta_of(shape), axis)
    return tuple(n for i, n in enumerate(shape) if i in reduced)


def _meta_of(shape: tuple[int, ...]) -> Meta:
    return Meta(shape, np.dtype("float32"))


def _has_kernel(op_name: str, x: Any, refused: str = SMALL) -> None:
    """Raise an error for dtypes, by letter, without a kernel in Paddle."""
    if x.dtype.char in refused:
        raise no_kernel(op_name, "x", Meta(x.shape, x.dtype), other_than(refused), "int64")


# ----- sums and products -------------------------------------------------------------------------


def _sum_infer(x: Meta, *, axis: Any = None, dtype: Any = None, keepdim: bool = False) -> Meta:
    kind = np.dtype("int64") if x.dtype.char in "?ilq" else x.dtype
    kind = kind if dtype is None else DType.of(dtype).numpy
    return Meta(reduced_shape("sum", x, axis, keepdim), kind)


def _sum_gradient(attrs: dict[str, Any]) -> str:
    axis = attrs["axis"]
    if axis in (None, (), [], 0, (0,), [0]) or attrs["keepdim"]:
        return "dx = expand(dy)"
    return f"dx = expand(unsqueeze(dy, axis={axis}))"


@reduction(
    "y = Σ x",
    _sum_gradient,
    infer=_sum_infer,
    samples=(*SAMPLES, sample((2, 3), axis=1, dtype="float64"), sample((0, 3), axis=1)),
)
def sum_(xp: Any, x: Any, *, axis: Any = None, dtype: Any = None, keepdim: bool = False) -> Any:
    """The sum over `axis` (all axes if None); int32 and bool give int64.

    >>> paddle.sum(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), axis=0).tolist()
    [4.0, 6.0]
    """
    if NARROW and dtype is None and x.dtype.kind in "bi":
        dtype = _sum_infer(Meta(x.shape, x.dtype), axis=axis).dtype
    if dtype is not None:
        kind = DType.of(dtype).numpy
        x = x.astype(wider_dtype(kind), copy=False)
        total = xp.add.reduce(x, axis=numpy_axis("sum", x, axis), dtype=x.dtype, keepdims=keepdim)
        return total.astype(kind, copy=False)
    return xp.add.reduce(x, axis=numpy_axis("sum", x, axis), keepdims=keepdim)


@sum_.grad
def sum_grad(
    F: Any, dout: Any, x_shape: Any, x_dtype: Any, *, axis: Any, dtype: Any, keepdim: bool
) -> Any:
    dx = expand_reduced(F, dout, x_shape, axis, keepdim)
    widened = dtype is not None or x_dtype is INT32
    return F.cast(dx, dtype=x_dtype) if widened else dx


def _mean_infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
    _has_kernel("mean", x)
    return Meta(reduced_shape("mean", x, axis, keepdim), x.dtype)


def _mean_gradient(attrs: dict[str, Any]) -> str:
    if attrs["axis"] in (None, (), []):
        return "dx = dy / n"
    return _sum_gradient(attrs).replace("dy", "dy / n")


@reduction("y = (1/n) Σ x", _mean_gradient, infer=_mean_infer)
def mean(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """The arithmetic mean over `axis` (all axes if None); rounded towards 0 for integers.

    >>> paddle.mean(paddle.to_tensor([[1.0, 2.0], [3.0, 6.0]]), axis=1).tolist()
    [1.5, 4.5]
    """
    if x.dtype.kind != "f":
        _has_kernel("mean", x)
    if axis is None and not keepdim:
        total, n = xp.add.reduce(x, None), x.size
    else:
        total = xp.add.reduce(x, axis=numpy_axis("mean", x, axis), keepdims=keepdim)
        n = count_reduced(x.shape, axis)
    return total / n if n else total * np.nan


@mean.grad
def mean_grad(F: Any, dout: Any, x_shape: Any, *, axis: Any, keepdim: bool) -> Any:
    n = F.product(reduced_sizes(x_shape, axis))
    return expand_reduced(F, dout / (n or 1), x_shape, axis, keepdim)


@mean.fused
def mean_fused(F: Any, dout: Any, x_shape: Any, *, axis: Any, keepdim: bool) -> Any:
    if axis is not None or keepdim:
        return mean_grad(F, dout, x_shape, axis=axis, keepdim=keepdim)
    dx = F.xp.empty(x_shape, dout.dtype)
    return F.xp.divide(dout, math.prod(x_shape) or 1, out=dx)


def _mean(
    x: Any,
    axis: Any = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    if axis is None and not keepdim and dtype is None and out is None:
        return mean.call.direct(x, mean.defaults)  # type: ignore[attr-defined]
    x = x if dtype is None else F.cast(x, dtype=dtype)
    return store(out, mean.call(x, axis=axis, keepdim=keepdim), "mean")


publish(mean, _mean)


def _prod_infer(x: Meta, *, axis: Any = None, keepdim: bool = False, dtype: Any = None) -> Meta:
    kind = x.dtype if dtype is None else DType.of(dtype).numpy
    _has_kernel("prod", Meta(x.shape, kind), "?" + SMALL)
    return Meta(reduced_shape("prod", x, axis, keepdim), kind)


@reduction(
    "y = Π x",
    lambda attrs: (
        at_axis("dx[k] = dy · Π x[i], i ≠ k")(attrs)
        if isinstance(attrs["axis"], int)
        else "dx[k] = dy · Π x[i], i ≠ k"
    ),
    infer=_prod_infer,
    samples=(
        *SAMPLES,
        sample((2, 3, 2), axis=(2, 0)),
        sample((0, 3), axis=1),
        sample((2, 3), dtype="float64"),
    ),
)
def prod(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The product over `axis` (all axes if None).

    >>> paddle.prod(paddle.to_tensor([2.0, 3.0, 4.0])).item()
    24.0
    """
    if dtype is not None:
        x = x.astype(wider_dtype(DType.of(dtype).numpy), copy=False)
    _has_kernel("prod", x, "?" + SMALL)
    where = numpy_axis("prod", x, axis)
    product = xp.multiply.reduce(x, axis=where, dtype=x.dtype, keepdims=keepdim)
    return product if dtype is None else product.astype(DType.of(dtype).numpy, copy=False)


@prod.grad
def prod_grad(F: Any, dout: Any, x: Any, *, axis: Any, keepdim: bool, dtype: Any) -> Any:
    shape = F.sizes(x)
    dx = expand_reduced(F, dout, shape, axis, keepdim)
    dx = dx if dtype is None else F.cast(dx, dtype=DType.of(x.dtype))
    return dx if 0 in x.shape or not shape else dx * _product_of_others(F, x, axis)


def _prod(
    x: Any,
    axis: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
    out: Any = None,
    name: str | None = None,
) -> Any:
    return store(out, prod.call(x, axis=axis, keepdim=keepdim, dtype=dtype), "prod")


publish(prod, _prod)


def _product_of_others(F: Any, x: Any, axis: Any) -> Any:
    """Return for each element the product of all others."""
    shape = tuple(x.shape)
    reduced = axes_of("prod", _meta_of(shape), axis)
    order = [i for i in range(len(shape)) if i not in reduced] + list(reduced)
    moved = [shape[i] for i in order]
    if len(reduced) > 1:  # the reduced axes become one last axis
        rest = moved[: -len(reduced)]
        x = F.reshape_to(F.transpose(x, perm=order), shape=[*rest, math.prod(moved[len(rest) :])])
    dim = reduced[0] if len(reduced) == 1 else -1
    product = F.cumprod(x, dim=dim, exclusive=True)
    product = product * F.cumprod(x, dim=dim, exclusive=True, reverse=True)
    if len(reduced) > 1:
        back = [order.index(i) for i in range(len(shape))]
        product = F.transpose(F.reshape_to(product, shape=moved), perm=back)
    return product


def _logsumexp_infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
    kind = integers_to_float("logsumexp", COMPLEX)(x).dtype
    return Meta(reduced_shape("logsumexp", x, axis, keepdim), kind)


@reduction("y = ln Σ eˣ", infer=_logsumexp_infer, static=Static("logsumexp"))
def logsumexp(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
    """The logarithm of the sum of exponentials over `axis`, without overflow.

    >>> paddle.logsumexp(paddle.to_tensor([1000.0, 1000.0])).item()
    1000.6931762695312
    """
    expected = _logsumexp_infer(Meta(x.shape, x.dtype), axis=axis, keepdim=keepdim)
    x = x.astype(expected.dtype, copy=False)
    where = numpy_axis("logsumexp", x, axis)
    top = x.max(axis=where, keepdims=True) if count_reduced(x.shape, axis) else 0.0
    total = xp.log(xp.add.reduce(xp.exp(x - top), axis=where, keepdims=True)) + top
    return total.reshape(expected.shape)


@logsumexp.grad
def logsumexp_grad(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
    shape = F.sizes(x)
    weights = F.exp(x - expand_reduced(F, out, shape, axis, keepdim))
    return weights * expand_reduced(F, dout, shape, axis, keepdim)


# ----- extremes ----------------------------------------------------------------------------------


def share_gradient(F: Any, dout: Any, winners: Any, axis: Any, keepdim: bool) -> Any:
    """Share the gradient of each result equally among the marked elements."""
    shape = F.sizes(winners)
    winners = F.cast(winners, dtype=DType.of(dout.dtype))
    makers = F.sum(winners, axis=axis, keepdim=keepdim)
    return winners * expand_reduced(F, dout / makers, shape, axis, keepdim)


def require_elements(op_name: str, x: Any, axis: Any) -> None:
    """Raise an error for the extreme of no elements."""
    if count_reduced(x.shape, axis) == 0 and 0 not in reduced_shape(op_name, x, axis, False):
        raise errors.empty(op_name, axis, x=x, axis=axis)


def _register_extreme(name: str, word: str, answer: str) -> None:
    check = numbers(name, SMALL + COMPLEX)

    def infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
        require_elements(name, x, axis)
        return Meta(reduced_shape(name, x, axis, keepdim), check(x).dtype)

    def kernel(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
        check(x)
        return getattr(x, name[-3:])(axis=numpy_axis(name, x, axis), keepdims=keepdim)

    def rule(F: Any, dout: Any, x: Any, out: Any, *, axis: Any, keepdim: bool) -> Any:
        winners = F.equal(x, expand_reduced(F, out, F.sizes(x), axis, keepdim))
        return share_gradient(F, dout, winners, axis, keepdim)

    kernel.__doc__ = f"""The {word} element over `axis` (all axes if None); ties share the gradient.

    >>> paddle.{name}(paddle.to_tensor([[1.0, 5.0], [3.0, 2.0]]), axis=1).tolist()
    {answer}
    """
    reduction(f"y = {name[-3:]} x", name=name, infer=infer)(kernel).grad(rule)


_register_extreme("max", "largest", "[5.0, 3.0]")
_register_extreme("min", "smallest", "[1.0, 2.0]")
_register_extreme("amax", "largest", "[5.0, 3.0]")
_register_extreme("amin", "smallest", "[1.0, 2.0]")


# ----- predicates and positions: no gradient -----------------------------------------------------


def _register_truth(name: str, word: str, answer: str) -> None:
    def infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
        _has_kernel(name, x)
        return Meta(reduced_shape(name, x, axis, keepdim), np.dtype(bool))

    def kernel(xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False) -> Any:
        _has_kernel(name, x)
        return getattr(xp, name)(x, axis=numpy_axis(name, x, axis), keepdims=keepdim)

    kernel.__doc__ = f"""True if {word} over `axis` (all axes if None) is true, that is not 0.

    >>> paddle.{name}(paddle.to_tensor([[True, False], [True, True]]), axis=1).tolist()
    {answer}
    """
    reduction(f"y = {name} x", name=name, infer=infer, gradless="answers with bools")(kernel)


_register_truth("all", "every element", "[False, True]")
_register_truth("any", "any element", "[True, True]")


def _register_arg(name: str, word: str, least: float, answer: int) -> None:
    check = numbers(name, "b" + COMPLEX)

    def infer(x: Meta, *, axis: Any, keepdim: bool, dtype: Any) -> Meta:
        if axis is not None:
            axis = axis_of(name, x, axis)
        check(x)
        require_elements(name, x, axis)
        return Meta(reduced_shape(name, x, axis, keepdim), index_dtype(name, dtype))

    def kernel(
        xp: Any, x: Any, *, axis: Any = None, keepdim: bool = False, dtype: Any = "int64"
    ) -> Any:
        expected = infer(Meta(x.shape, x.dtype), axis=axis, keepdim=keepdim, dtype=dtype)
        if x.dtype.kind == "f":
            x = xp.where(xp.isnan(x), x.dtype.type(least), x)
        positions = getattr(xp, name)(x, axis=numpy_axis(name, x, axis), keepdims=keepdim)
        return xp.asarray(positions).astype(expected.dtype)

    kernel.__doc__ = f"""The position of the {word} element along `axis`; the first one of ties.

    NaN is passed over.

    >>> paddle.{name}(paddle.to_tensor([5.0, 9.0, 2.0])).item()
    {answer}
    """
    reduction(
        f"y = {name} x",
        name=name,
        infer=infer,
        gradless="answers with positions",
        canon={"axis": read_axis},
        samples=(
            sample((3, 4), axis=1),
            sample((5,)),
            sample((2, 3), axis=0, keepdim=True),
            sample((), axis=0),
        ),
        static=Static("arg_" + name[3:], attrs={"keepdim": "keepdims"}, prefix=name),
    )(kernel)


_register_arg("argmax", "largest", -np.inf, 1)
_register_arg("argmin", "smallest", np.inf, 2)
