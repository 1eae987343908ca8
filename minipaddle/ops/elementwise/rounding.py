"""Absolute value, sign, rounding and predicates; most are step functions with gradient 0."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.meta import SMALL, Meta, boolean, numbers, unchanged
from ..arguments import COMPLEX
from ..catalog import public
from ..op_spec import Kernel, Op, internal, op
from ..record import Formula, Static, sample
from ..rule_functions import is_complex
from .unary import ANY, AWAY_FROM_0, accept_only, unary

BETWEEN_STEPS = (sample((2, 3), domain=(0.1, 0.4)), sample((4,), domain=(-0.9, -0.6)))


# ----- absolute value and sign -------------------------------------------------------------------


def _abs_infer(x: Any) -> Any:
    if x.dtype.kind == "c":
        return Meta(x.shape, np.dtype("float32" if x.dtype.char == "F" else "float64"))
    return numbers("abs")(x)


@unary("y = |x|", infer=_abs_infer, samples=AWAY_FROM_0)
def abs(xp: Any, x: Any) -> Any:
    """The absolute value of every element.

    >>> paddle.abs(paddle.to_tensor([-3, 2])).tolist()
    [3, 2]
    """
    return xp.abs(x if x.dtype.kind in "fc" else _abs_infer(x))


abs.grad(lambda F, dout, x: dout * F.sign(x))


@op(infer=unchanged, formula=Formula("y = conj x"), samples=AWAY_FROM_0)
def conj(xp: Any, x: Any) -> Any:
    """The complex conjugate of every element; real numbers stay.

    >>> paddle.conj(paddle.to_tensor([1 + 2j])).tolist()
    [(1-2j)]
    """
    return xp.conj(x) if x.dtype.kind == "c" else x.copy()


conj.grad(lambda F, dout: F.conj(dout))


@op(infer=numbers("sign", ""), formula=Formula("y = sign x"), samples=AWAY_FROM_0)
def sign(xp: Any, x: Any) -> Any:
    """The sign of every element: -1, 0 or 1.

    >>> paddle.sign(paddle.to_tensor([-3.0, 0.0, 2.0])).tolist()
    [-1.0, 0.0, 1.0]
    """
    return xp.sign(x)


@op(
    infer=accept_only("sgn", "float32", "float64", "complex64", "complex128"),
    checked=True,
    formula=Formula("y = x / |x|"),
    samples=AWAY_FROM_0,
)
def sgn(xp: Any, x: Any) -> Any:
    """The sign of real elements, or complex ones divided by their absolute value; 0 for 0.

    >>> paddle.sgn(paddle.to_tensor([-2.5, 0.0])).tolist()
    [-1.0, 0.0]
    """
    return xp.sign(x)


@sgn.grad
def sgn_grad(F: Any, dout: Any, x: Any, out: Any) -> Any:
    if not is_complex(out):
        return dout * 0.0
    turned = dout * out  # dout is conjugated, and the result will be
    along = (turned + F.conj(turned)) * 0.5  # the direction of x does not depend on |x|
    size = F.abs(x)
    size = F.where(size == 0.0, F.fill_like(size, value=1.0), size)
    return (dout * F.abs(out) - F.conj(out) * along) / size


# ----- rounding ----------------------------------------------------------------------------------


@unary("y = ⌊x⌋", infer=numbers("floor", COMPLEX), samples=BETWEEN_STEPS)
def floor(xp: Any, x: Any) -> Any:
    """The largest integer not above every element.

    >>> paddle.floor(paddle.to_tensor([1.7, -1.2])).tolist()
    [1.0, -2.0]
    """
    return xp.floor(x) if x.dtype.kind == "f" else floor.infer(x).copy()


@unary("y = ⌈x⌉", infer=numbers("ceil", COMPLEX), samples=BETWEEN_STEPS)
def ceil(xp: Any, x: Any) -> Any:
    """The smallest integer not below every element.

    >>> paddle.ceil(paddle.to_tensor([1.2, -1.7])).tolist()
    [2.0, -1.0]
    """
    return xp.ceil(x) if x.dtype.kind == "f" else ceil.infer(x).copy()


def _round_formula(attrs: dict[str, Any]) -> str:
    power = attrs["decimals"]
    return f"y = round(x · 10^{power}) / 10^{power}" if power else "y = round x"


@unary(
    _round_formula,
    infer=numbers("round"),
    samples=(*BETWEEN_STEPS, sample((2, 2), domain=(0.51, 0.54), decimals=1)),
)
def round(xp: Any, x: Any, *, decimals: int = 0) -> Any:
    """Every element rounded to this number of decimals, halves to the even digit.

    >>> paddle.round(paddle.to_tensor([2.5, 1.26]), decimals=1).tolist()
    [2.5, 1.2999999523162842]
    """
    if x.dtype.kind not in "fc":
        return round.infer(x).copy()
    if decimals == 0:
        return xp.rint(x)
    factor = x.dtype.type(10.0 ** builtins.abs(decimals))
    return xp.rint(x * factor) / factor if decimals > 0 else xp.rint(x / factor) * factor


for _step in (sign, floor, ceil, round):
    _step.grad(lambda F, dout: dout * 0.0)


@internal(
    infer=numbers("trunc", SMALL + COMPLEX),
    formula=Formula("y = sign x · ⌊|x|⌋"),
    samples=BETWEEN_STEPS,
)
def trunc_(xp: Any, x: Any) -> Any:
    """Every element rounded towards 0."""
    return xp.trunc(x) if x.dtype.kind == "f" else trunc_.infer(x).copy()


trunc_.grad(lambda F, dout: F.fill_like(dout))


@public(inplace=True)
def trunc(input: Any, name: str | None = None) -> Any:
    """Every element rounded towards 0.

    Shapes: for example input [2] gives [2].
    Dtypes: floating, int32, int64 kept.
    Errors: ValueError if input is not a Tensor; RuntimeError for complex, bool, uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.trunc(paddle.to_tensor([1.7, -1.7])).tolist()
    [1.0, -1.0]
    """
    return trunc_.call(input)


@unary(
    "y = x − sign x · ⌊|x|⌋",
    infer=accept_only("frac", "int32", "int64", "float32", "float64"),
    checked=True,
    samples=BETWEEN_STEPS,
)
def frac(xp: Any, x: Any) -> Any:
    """The fractional part of every element, with its sign.

    >>> paddle.frac(paddle.to_tensor([1.5, -1.25])).tolist()
    [0.5, -0.25]
    """
    return x - xp.trunc(x)


frac.grad(lambda F, dout: dout)


# ----- predicates --------------------------------------------------------------------------------


def predicate(formula: str, refused: str, static: str = "") -> Callable[[Kernel], Op]:
    """Register a predicate; bools and the dtypes in `refused` have no kernel."""

    def register(kernel: Kernel) -> Op:
        check = numbers(kernel.__name__, refused)

        @functools.wraps(kernel)
        def checked(xp: Any, x: Any) -> Any:
            return kernel(xp, check(x))

        return op(
            infer=lambda x: boolean(check(x)),
            gradless="answers with bools",
            formula=Formula(formula),
            samples=ANY,
            static=Static(static) if static else None,
        )(checked)

    return register


# ----- NaN and infinity --------------------------------------------------------------------------


@predicate("y = isnan(x)", SMALL, "isnan_v2")
def isnan(xp: Any, x: Any) -> Any:
    """True for each element that is NaN.

    >>> paddle.isnan(paddle.to_tensor([1.0, paddle.nan])).tolist()
    [False, True]
    """
    return xp.isnan(x)


@predicate("y = isinf(x)", "", "isinf_v2")
def isinf(xp: Any, x: Any) -> Any:
    """True for each element that is infinite.

    >>> paddle.isinf(paddle.to_tensor([1.0, -paddle.inf])).tolist()
    [False, True]
    """
    return xp.isinf(x)


@predicate("y = isfinite(x)", SMALL, "isfinite_v2")
def isfinite(xp: Any, x: Any) -> Any:
    """True for each element that is neither NaN nor infinite.

    >>> paddle.isfinite(paddle.to_tensor([1.0, paddle.inf, paddle.nan])).tolist()
    [True, False, False]
    """
    return xp.isfinite(x)


@predicate("y = (x = ∞)", COMPLEX)
def isposinf(xp: Any, x: Any) -> Any:
    """True for each element that is plus infinity.

    >>> paddle.isposinf(paddle.to_tensor([1.0, float("inf")])).tolist()
    [False, True]
    """
    return x == xp.inf


@predicate("y = (x = −∞)", COMPLEX)
def isneginf(xp: Any, x: Any) -> Any:
    """True for each element that is minus infinity.

    >>> paddle.isneginf(paddle.to_tensor([1.0, -float("inf")])).tolist()
    [False, True]
    """
    return x == -xp.inf


# ----- signs and kinds ---------------------------------------------------------------------------


@predicate("y = (copysign(1, x) < 0)", COMPLEX)
def signbit(xp: Any, x: Any) -> Any:
    """True for each element with a minus sign, also for -0.0.

    >>> paddle.signbit(paddle.to_tensor([2.0, -0.0])).tolist()
    [False, True]
    """
    return xp.signbit(x) if x.dtype.kind == "f" else x < 0


@op(infer=boolean, gradless="answers with bools", formula=Formula("y = (Im x = 0)"), samples=ANY)
def isreal(xp: Any, x: Any) -> Any:
    """True for each element that is a real number, without an imaginary part.

    >>> paddle.isreal(paddle.to_tensor([2.0])).tolist()
    [True]
    """
    return xp.isreal(x)
