"""Arithmetic of two tensors that broadcast."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import InvalidArgument, PreconditionNotMet
from ...engine.meta import (
    Meta,
    broadcast,
    floats_widen,
    no_kernel,
    zero_d_is_a_number,
    zero_d_widens,
)
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import SCALARS, as_list
from ..catalog import public, publish
from ..op_spec import Kernel, Op, internal, op
from ..record import Formula, Operands, Public, Rule, Static, sample
from ..rule_functions import GRAPH as F
from ..rule_functions import host_check

LARGEST = 2**63 - 1  # largest int64
AXIS = {"axis": -1}  # attribute of all elementwise operators

PAIRS = (sample((2, 3), (2, 3)), sample((2, 3), (3,)), sample((2, 1), (1, 3)), sample((), (2,)))
AWAY_FROM_0 = tuple(s._replace(domain=(0.4, 2.0)) for s in PAIRS)


def same_dtype(name: str, refused: str = "") -> Any:
    """Make the inference of an op on two tensors; the kinds in `refused` have no kernel."""

    def infer(x: Meta, y: Meta) -> Meta:
        if x.dtype.kind in refused:
            raise no_kernel(name, "x", x)
        return Meta(broadcast(name, x, y), x.dtype)

    return infer


def binary(
    paddle_type: str = "", *, promotes: Rule | None = zero_d_is_a_number, **record: Any
) -> Callable[[Kernel], Op]:
    """Register an op on two tensors that broadcast; `paddle_type` is Paddle's operator."""

    def register(kernel: Kernel) -> Op:
        usual: dict[str, Any] = {
            "infer": same_dtype(kernel.__name__),
            "operands": Operands(broadcasts=True, promotes=promotes),
            "samples": PAIRS,
            "static": Static(paddle_type, extra=AXIS) if paddle_type else None,
        }
        return op(**usual | record)(kernel)

    return register


# ----- the four operations -----------------------------------------------------------------------


@binary(
    "elementwise_add",
    numpy=np.add,
    formula=Formula("z = x + y", symbol="+"),
    public=Public(inplace=True),
)
def add(xp: Any, x: Any, y: Any) -> Any:
    """x + y, element by element.

    >>> paddle.add(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0])).tolist()
    [4.0, 5.0]
    """
    return xp.add(x, y)


add.grad(lambda F, dout: (dout, dout))


@binary(
    "elementwise_sub",
    numpy=np.subtract,
    infer=same_dtype("subtract", refused="b"),
    formula=Formula("z = x − y", symbol="−"),
    public=Public(inplace=True, aliases=("sub",)),
)
def subtract(xp: Any, x: Any, y: Any) -> Any:
    """x - y, element by element.

    >>> paddle.subtract(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0])).tolist()
    [-2.0, -1.0]
    """
    return xp.subtract(x, y)


subtract.grad(lambda F, dout: (dout, -dout))


@binary(
    "elementwise_mul",
    numpy=np.multiply,
    formula=Formula("z = x · y", symbol="×"),
    public=Public(inplace=True, aliases=("mul",)),
)
def multiply(xp: Any, x: Any, y: Any) -> Any:
    """x times y, element by element.

    >>> paddle.multiply(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0])).tolist()
    [3.0, 6.0]
    """
    return xp.multiply(x, y)


@multiply.grad
def multiply_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    return dout * y if needs[0] else None, dout * x if needs[1] else None


def _divide_infer(x: Meta, y: Meta) -> Meta:
    dtype = x.dtype if x.dtype.kind in "fc" else np.dtype("float32")
    return Meta(broadcast("divide", x, y), dtype)


@binary(
    "elementwise_div",
    numpy=np.true_divide,
    infer=_divide_infer,
    formula=Formula("z = x / y", symbol="÷"),
    samples=AWAY_FROM_0,
    public=Public(inplace=True, aliases=("div",)),
)
def divide(xp: Any, x: Any, y: Any) -> Any:
    """x / y, element by element; integers give float32.

    >>> paddle.divide(paddle.to_tensor([1, 2]), paddle.to_tensor([4])).tolist()
    [0.25, 0.5]
    """
    return xp.true_divide(x, y)


@divide.grad
def divide_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    dx = dout / y
    return dx if needs[0] else None, -dx * x / y if needs[1] else None


def _refuse_integer_zero(xp: Any, y: Any, name: str) -> None:
    if y.dtype.kind in "iu":
        _refuse_zero(xp, y, name)


@host_check(same_between=lambda y, _name: (y, 1, LARGEST))
def _refuse_zero(xp: Any, y: Any, name: str) -> None:
    if not xp.all(y):
        fix = "check the divisor, or compute in float32 where x / 0 is inf"
        raise misfit(name, "a divisor y without 0, for integers", PreconditionNotMet, fix, y=y)


@binary(
    "elementwise_floordiv",
    promotes=zero_d_widens,
    infer=same_dtype("floor_divide", refused="bc"),
    gradless="a step function without a gradient in Paddle",
    formula=Formula("z = ⌊x / y⌋", symbol="//"),
    samples=AWAY_FROM_0,
    public=Public(inplace=True),
)
def floor_divide(xp: Any, x: Any, y: Any) -> Any:
    """The floor of x / y, element by element.

    >>> paddle.floor_divide(paddle.to_tensor([7, -7]), paddle.to_tensor([2])).tolist()
    [3, -4]
    """
    _refuse_integer_zero(xp, y, "floor_divide")
    return xp.floor_divide(x, y)


@binary(
    "elementwise_mod",
    infer=same_dtype("remainder", refused="bc"),
    formula=Formula("z = x − y · ⌊x / y⌋", symbol="mod"),
    samples=AWAY_FROM_0,
    public=Public(inplace=True, aliases=("mod", "floor_mod")),
)
def remainder(xp: Any, x: Any, y: Any) -> Any:
    """The remainder of x divided by y, with the sign of y.

    >>> paddle.remainder(paddle.to_tensor([7, -7]), paddle.to_tensor([3])).tolist()
    [1, 2]
    """
    _refuse_integer_zero(xp, y, "remainder")
    return xp.remainder(x, y)


remainder.grad(lambda F, dout, x, y: (dout, -dout * F.floor(x / y)))


# ----- powers ------------------------------------------------------------------------------------


@binary(
    infer=same_dtype("elementwise_pow", refused="b"),
    formula=Formula("z = xʸ", "dx = dz · y · xʸ⁻¹, dy = dz · z · ln x", symbol="^"),
    samples=AWAY_FROM_0,
    public=None,
)
def elementwise_pow(xp: Any, x: Any, y: Any) -> Any:
    """x to the power of y, element by element; 1 / xⁿ of integers is rounded towards 0."""
    if x.dtype.kind in "iu" and y.dtype.kind == "i" and _some_negative(xp, y):
        inverse = xp.power(x.astype("float64"), y)
        return xp.where(y < 0, xp.trunc(inverse).astype(x.dtype), xp.power(x, xp.abs(y)))
    return xp.power(x, y)


@host_check(same_between=lambda y: (y, 0, LARGEST))
def _some_negative(xp: Any, y: Any) -> bool:
    return bool((y < 0).any())


@elementwise_pow.grad
def elementwise_pow_grad(F: Any, dout: Any, x: Any, y: Any, out: Any, *, needs: list[bool]) -> Any:
    """Compute the gradients; those of 0⁰, and that of 0ʸ for y, are 0 instead of 0 · inf."""
    dx = dy = None
    if needs[0]:
        lower = F.where((x == 0.0) & (y == 0.0), y, y - 1.0)
        dx = dout * y * F.elementwise_pow(x, lower)
    if needs[1]:
        dy = dout * out * F.log(F.where((x == 0.0) & (y >= 0.0), x + 1.0, x))
    return dx, dy


@public(inplace=True)
def pow(x: Any, y: Any, name: str | None = None, *, out: Any = None) -> Any:
    """x to the power of y, a number or a tensor.

    >>> import minipaddle as paddle
    >>> paddle.pow(paddle.to_tensor([2.0, 3.0]), 2).tolist()
    [4.0, 9.0]
    """
    if not isinstance(y, SCALARS):
        if not hasattr(y, "stop_gradient"):
            raise errors.no_tensor("pow", "y", y, Message("a number or a Tensor"))
        return store(out, elementwise_pow.call(x, y), "pow")
    if DType.of(x.dtype).numpy.kind in "iu" and float(y) < 0:
        fix = "convert the tensor to float32 first: x.astype('float32')"
        raise misfit("pow", "y >= 0, for integers", InvalidArgument, fix, y=y)
    return store(out, F.pow(x, factor=y), "pow")


# ----- the larger and the smaller ----------------------------------------------------------------


def _split_with_ties(F: Any, dout: Any, x: Any, y: Any) -> Any:
    """Split the gradient: to x where x > y, to y where x < y, half to each where they are equal."""
    dtype = DType.of(dout.dtype)
    ties = 0.5 * F.cast(x == y, dtype=dtype)
    return dout * (F.cast(x > y, dtype=dtype) + ties), dout * (F.cast(x < y, dtype=dtype) + ties)


def _split_gradient(F: Any, dout: Any, first: Any) -> Any:
    """Split the gradient: to x where `first` is true, else to y."""
    zero = dout * 0.0
    return F.where(first, dout, zero), F.where(first, zero, dout)


def _extreme_op(formula: Formula, static: Static) -> Callable[[Kernel], Op]:
    def register(kernel: Kernel) -> Op:
        infer = same_dtype(kernel.__name__, refused="bc")
        return binary(promotes=floats_widen, infer=infer, formula=formula, static=static)(kernel)

    return register


def _refuse_unordered(x: Any, name: str) -> None:
    """Raise an error for bools and complex numbers, for which Paddle has no kernel."""
    if x.dtype.kind in "bc":
        raise no_kernel(name, "x", Meta(x.shape, x.dtype))


@_extreme_op(Formula("z = max(x, y)"), Static("elementwise_max", extra=AXIS))
def maximum(xp: Any, x: Any, y: Any) -> Any:
    """The larger of x and y, element by element; equal elements share the gradient.

    >>> paddle.maximum(paddle.to_tensor([1.0, 5.0]), paddle.to_tensor([3.0])).tolist()
    [3.0, 5.0]
    """
    _refuse_unordered(x, "maximum")
    return xp.maximum(x, y)


maximum.grad(_split_with_ties)


@_extreme_op(Formula("z = min(x, y)"), Static("elementwise_min", extra=AXIS))
def minimum(xp: Any, x: Any, y: Any) -> Any:
    """The smaller of x and y, element by element; equal elements share the gradient.

    >>> paddle.minimum(paddle.to_tensor([1.0, 5.0]), paddle.to_tensor([3.0])).tolist()
    [1.0, 3.0]
    """
    _refuse_unordered(x, "minimum")
    return xp.minimum(x, y)


minimum.grad(lambda F, dout, x, y: _split_with_ties(F, dout, y, x))


@_extreme_op(
    Formula("z = fmax(x, y)", "dx = dz · [x ≥ y], dy = dz · [y > x]", symbol="fmax"),
    Static("elementwise_fmax"),
)
def fmax(xp: Any, x: Any, y: Any) -> Any:
    """The larger of x and y, without NaN if one is NaN. Of equal elements x gets the gradient.

    >>> paddle.fmax(paddle.to_tensor([1.0, float("nan")]), paddle.to_tensor([3.0])).tolist()
    [3.0, 3.0]
    """
    _refuse_unordered(x, "fmax")
    return xp.fmax(x, y)


fmax.grad(lambda F, dout, x, y: _split_gradient(F, dout, (x >= y) | (y != y)))


@_extreme_op(
    Formula("z = fmin(x, y)", "dx = dz · [x ≤ y], dy = dz · [y < x]", symbol="fmin"),
    Static("elementwise_fmin"),
)
def fmin(xp: Any, x: Any, y: Any) -> Any:
    """The smaller of x and y, without NaN if one is NaN. Of equal elements x gets the gradient.

    >>> paddle.fmin(paddle.to_tensor([1.0, float("nan")]), paddle.to_tensor([3.0])).tolist()
    [1.0, 3.0]
    """
    _refuse_unordered(x, "fmin")
    return xp.fmin(x, y)


fmin.grad(lambda F, dout, x, y: _split_gradient(F, dout, (x <= y) | (y != y)))


# ----- sums of lists -----------------------------------------------------------------------------


def _add_n_infer(inputs: list[Meta]) -> Meta:
    first = inputs[0]
    if first.dtype.kind == "b":
        raise no_kernel("add_n", "inputs[0]", first)
    for position, other in enumerate(inputs):
        pairs = list(zip(first.shape, other.shape, strict=False))
        fits = all(m == n or -1 in (m, n) for m, n in pairs)
        if other.dtype != first.dtype or len(other.shape) != len(first.shape) or not fits:
            mismatch = {f"inputs[{position}]": other}
            raise misfit("add_n", f"the shape and dtype of inputs[0], {first}", **mismatch)
    return first


@internal(
    infer=_add_n_infer,
    operands=Operands(takes_list=True),
    checked=True,
    formula=Formula("y = x₁ + x₂ + …", symbol="Σ"),
    samples=(sample([(2, 3), (2, 3), (2, 3)]), sample([()])),
    static=Static("sum", slots={"inputs": "X"}, prefix="add_n"),
)
def add_n_(xp: Any, inputs: list[Any]) -> Any:
    """The sum of a list of tensors of one shape.

    >>> paddle.add_n([paddle.ones([1]), paddle.ones([1])]).tolist()
    [2.0]
    """
    return functools.reduce(xp.add, inputs) if len(inputs) > 1 else inputs[0].copy()


add_n_.grad(lambda F, dout, inputs_shape: (dout, *(F.assign(dout) for _ in inputs_shape[1:])))


def add_n(inputs: Any, name: str | None = None) -> Any:
    return add_n_.call(as_list(inputs))


publish(add_n_, add_n)
