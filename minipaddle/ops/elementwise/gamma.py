"""The logarithm of the gamma function, and its derivatives."""

from __future__ import annotations

import math
from typing import Any

from ...engine import kinds
from ...engine.dtypes import DType
from ...engine.meta import no_kernel
from ...errors import require
from ..arguments import COMPLEX, check_count, meta_of, read_number
from ..catalog import public
from ..record import sample
from .unary import unary

SIDES = (
    sample((2, 3), domain=(0.3, 6.0)),
    sample((), domain=(0.3, 3.0)),
    sample((4,), domain=(-0.9, -0.1)),
    sample((2,), domain=(12.0, 30.0)),
)
SHIFT = 12  # smallest argument for which the series below are exact
# B₂, B₄, ...: Bernoulli numbers, coefficients of these series (Abramowitz and Stegun, 6.1.40,
# 6.3.18, 6.4.11).
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)


def _widen_with_dtype(x: Any) -> tuple[Any, Any]:
    """Return x in double precision and the dtype of the result."""
    return x.astype("float64"), x.dtype if x.dtype.kind == "f" else "float64"


def _from_pole(xp: Any, x: Any) -> Any:
    """Return π times the difference to the nearest integer, with an exact sin and tan near 0."""
    return math.pi * (x - xp.rint(x))


# ----- ln |Γ(x)| ---------------------------------------------------------------------------------

# ln Γ(2 + z) = (1 − γ) z + Σ (−1)ᵏ (ζ(k) − 1) zᵏ / k, from k = 2 (Abramowitz and Stegun, 6.1.33).
SLOPE_AT_2 = 0.42278433509846713  # 1 − γ
TAYLOR_AT_2 = (
    0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986,
    0.0028905103307415234, -0.001192753911703261, 0.0005096695247430425,
    -0.00022315475845357939, 9.945751278180853e-05, -4.492623673813314e-05,
    2.050721277567069e-05, -9.439488275268397e-06, 4.374866789907488e-06,
    -2.039215753801366e-06, 9.55141213040742e-07, -4.492469198764566e-07,
    2.1207184805554665e-07, -1.0043224823968099e-07, 4.7698101693639804e-08,
    -2.2711094608943164e-08, 1.0838659214896955e-08, -5.183475041970047e-09,
    2.4836745438024785e-09, -1.1921401405860912e-09, 5.731367241678862e-10,
    -2.7595228851242334e-10, 1.330476437424449e-10, -6.4229645638381e-11,
)  # fmt: skip


def _log_gamma(xp: Any, x: Any) -> Any:
    """Compute ln |Γ(x)| in double precision, for x < ½ by Γ(x) Γ(1 − x) = π / sin πx."""
    up = xp.where(x < 0.5, 1.0 - x, x)
    positive = xp.where(up < 2.5, _log_gamma_near_zeros(xp, up), _stirling_log_gamma(xp, up))
    reflected = math.log(math.pi) - xp.log(xp.abs(xp.sin(_from_pole(xp, x)))) - positive
    out = xp.where(x < 0.5, reflected, positive)
    return xp.where(xp.isinf(x), xp.inf, out)


def _log_gamma_near_zeros(xp: Any, x: Any) -> Any:
    """Compute ln Γ(x) between ½ and 2½, exact also at 1 and 2, where it is 0."""
    below = x < 1.5
    z = xp.where(below, x - 1.0, x - 2.0)
    series = xp.zeros_like(z)
    for coefficient in reversed(TAYLOR_AT_2):
        series = (series + coefficient) * z
    out = z * (SLOPE_AT_2 + series)
    return xp.where(below, out - xp.log1p(xp.maximum(z, -0.5)), out)


def _stirling_log_gamma(xp: Any, up: Any) -> Any:
    """Compute ln Γ(x) for x ≥ ½ by Stirling's series, which is used from SHIFT on."""
    small = up < SHIFT
    product = xp.ones_like(up)
    for step in range(SHIFT):
        product = xp.where(small, product * (up + step), product)
    y = xp.where(small, up + SHIFT, up)
    inverse = 1.0 / y
    series, power = 0.0, inverse
    for k, b in enumerate(BERNOULLI, 1):
        series = series + b / (2 * k * (2 * k - 1)) * power
        power = power * inverse * inverse
    half_log = 0.5 * math.log(2.0 * math.pi)
    return (y - 0.5) * (xp.log(y) - 1.0) - 0.5 + half_log + series - xp.log(product)


@unary("y = ln |Γ(x)|", COMPLEX, samples=SIDES)
def lgamma(xp: Any, x: Any) -> Any:
    """The natural logarithm of the absolute value of the gamma function.

    >>> round(paddle.lgamma(paddle.to_tensor([5.0])).item(), 4)  # ln 24
    3.1781
    """
    wide, dtype = _widen_with_dtype(x)
    return _log_gamma(xp, wide).astype(dtype)


lgamma.grad(lambda F, dout, x: dout * F.digamma(x))


@public(inplace=True)
def gammaln(x: Any, name: str | None = None) -> Any:
    """The natural logarithm of the absolute value of the gamma function, only for floats.

    Shapes: for example x [2] gives [2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.gammaln(paddle.to_tensor([1.0, 2.0])).tolist()
    [0.0, 0.0]
    """
    if not DType.of(x.dtype).is_floating:
        raise no_kernel("gammaln", "x", meta_of(x))
    return lgamma.call(x)


# ----- its derivatives ---------------------------------------------------------------------------


def _cot(xp: Any, angle: Any) -> Any:
    """Compute the cotangent between -π/2 and π/2, exact also at these bounds, where it is 0."""
    size = xp.abs(angle)
    outer = xp.copysign(xp.tan(0.5 * math.pi - size), angle)
    return xp.where(size < 0.25 * math.pi, 1.0 / xp.tan(angle), outer)


def _cotangent_derivative(order: int) -> list[float]:
    """Return the derivative of this order of π cot πx as a polynomial in cot πx, constant first."""
    polynomial = [0.0, math.pi]
    for _ in range(order):  # cot' = −π (1 + cot²)
        slope = [-math.pi * k * c for k, c in enumerate(polynomial)][1:]
        polynomial = [
            (slope[k] if k < len(slope) else 0.0) + (slope[k - 2] if k >= 2 else 0.0)
            for k in range(len(slope) + 2)
        ]
    return polynomial


def _psi_derivative(xp: Any, x: Any, order: int) -> Any:
    """Compute the derivative of this order of ψ, in double precision."""
    up = xp.where(x < 0.5, 1.0 - x, x)
    small = up < SHIFT
    total = xp.zeros_like(up)
    for step in range(SHIFT):
        total = xp.where(small, total + (up + step) ** -(order + 1.0), total)
    y = xp.where(small, up + SHIFT, up)
    positive = (
        _asymptotic_derivative(xp, y, order) - (-1.0) ** order * math.factorial(order) * total
    )
    cot = _cot(xp, _from_pole(xp, x))
    turned = xp.zeros_like(up)
    for coefficient in reversed(_cotangent_derivative(order)):
        turned = turned * cot + coefficient
    out = xp.where(x < 0.5, (-1.0) ** order * positive - turned, positive)
    if order == 0:  # poles, with different infinities on both sides
        pole = xp.where(x < 0.0, xp.nan, -xp.copysign(xp.inf, x))
    else:
        pole = (-1.0) ** (order + 1) * xp.inf
    return xp.where((x <= 0.0) & (xp.rint(x) == x), pole, out)


def _asymptotic_derivative(xp: Any, y: Any, order: int) -> Any:
    """Compute the derivative of ln y − 1/(2y) − Σ B₂ₖ / (2k y²ᵏ)."""
    sign = (-1.0) ** (order + 1)
    if order == 0:
        first = xp.log(y) - 0.5 / y
    else:
        first = sign * (
            math.factorial(order - 1) * y ** -float(order)
            + 0.5 * math.factorial(order) * y ** -(order + 1.0)
        )
    for k, b in enumerate(BERNOULLI, 1):
        factor = b * math.factorial(2 * k + order - 1) / math.factorial(2 * k)
        first = first + sign * factor * y ** -float(2 * k + order)
    return first


@unary("y = Γ′(x) / Γ(x)", COMPLEX, samples=SIDES)
def digamma(xp: Any, x: Any) -> Any:
    """The derivative of lgamma; NaN at the negative integers, infinite at 0.

    >>> round(paddle.digamma(paddle.to_tensor([1.0])).item(), 4)  # minus Euler's number γ
    -0.5772
    """
    wide, dtype = _widen_with_dtype(x)
    return _psi_derivative(xp, wide, 0).astype(dtype)


digamma.grad(lambda F, dout, x: dout * F.polygamma(x, n=1))


def _read_order(n: Any) -> int:
    n = read_number(n)
    if not isinstance(n, int):
        raise kinds.misfit("polygamma", "n", kinds.INT, n)
    require(n >= 0, "polygamma", "n >= 0", n=n)
    return check_count(n, "n", 1000)


@unary(
    "y = polygamma(n, x)",
    canon={"n": _read_order},
    samples=tuple(one._replace(attrs={"n": n}) for n, one in enumerate(SIDES)),
)
def polygamma(xp: Any, x: Any, *, n: int) -> Any:
    """The n-th derivative of digamma.

    >>> round(paddle.polygamma(paddle.to_tensor([1.0]), 1).item(), 4)  # π² / 6
    1.6449
    """
    wide, dtype = _widen_with_dtype(x)
    return _psi_derivative(xp, wide, n).astype(dtype)


polygamma.grad(lambda F, dout, x, *, n: dout * F.polygamma(x, n=n + 1))
