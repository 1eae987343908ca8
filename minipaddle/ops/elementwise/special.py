"""The error function and its inverse, which NumPy lacks."""

from __future__ import annotations

import math
from typing import Any

from ..arguments import COMPLEX
from ..record import sample
from .unary import ANY, UNIT, unary


def _evaluate_polynomial(coefficients: tuple[float, ...], x: Any) -> Any:
    """Evaluate a polynomial, with the coefficient of the highest power first."""
    total = coefficients[0]
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


def _evaluate_ratio(polynomials: Any, x: Any) -> Any:
    above, below = polynomials
    return _evaluate_polynomial(above, x) / _evaluate_polynomial(below, x)


# ----- erf ---------------------------------------------------------------------------------------

# W. J. Cody, "Rational Chebyshev Approximations for the Error Function", Mathematics of
# Computation 23 (1969), 631-637. Near 0, erf x = x · P(x²) / Q(x²).
ERF_NEAR = (
    (1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2,
     3.77485237685302021e2, 3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3,
     2.84423683343917062e3),
)  # fmt: skip
# Beyond it, 1 - erf x = exp(-x²) · P(x) / Q(x). Cody uses a third formula from 4 on; for erf this
# one is exact there too, as 1 - erf x is below 2e-8.
ERF_FAR = (
    (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
     6.61191906371416295e1, 2.98635138197400131e2, 8.81952221241769090e2,
     1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3),
    (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2,
     1.62138957456669019e3, 3.29079923573345963e3, 4.36261909014324716e3,
     3.43936767414372164e3, 1.23033935480374942e3),
)  # fmt: skip
BORDER = 0.46875


@unary("y = erf x", COMPLEX, samples=(*ANY, sample((3, 4), domain=(-6.0, 6.0))))
def erf(xp: Any, x: Any) -> Any:
    """The error function: the probability that a normal number is within x · √2 of its mean.

    >>> paddle.erf(paddle.to_tensor([0.0, 6.0])).tolist()
    [0.0, 1.0]
    """
    wide = x.astype("float64")
    size = xp.minimum(xp.abs(wide), 6.0)  # beyond 6, erf is 1 in all digits
    squared = size * size
    near = wide * _evaluate_ratio(ERF_NEAR, squared)
    rest = xp.exp(-squared) * _evaluate_ratio(ERF_FAR, size)
    out = xp.where(size <= BORDER, near, xp.copysign(1.0 - rest, wide))
    return out.astype(x.dtype if x.dtype.kind == "f" else "float64")


erf.grad(lambda F, dout, x: dout * (2.0 / math.sqrt(math.pi)) * F.exp(-F.square(x)))


# ----- its inverse -------------------------------------------------------------------------------

# By M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied
# Statistics 37 (1988), 477-484, in the middle, and with r = √(-ln(tail probability)) outside.
MIDDLE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
     45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
     133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061,
     21213.794301586595867, 5394.1960214247511077, 687.1870074920579083,
     42.313330701600911252, 1.0),
)  # fmt: skip
TAIL = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
     1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
     4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
     0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
     2.05319162663775882187, 1.0),
)  # fmt: skip
FAR_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
     0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
     5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
     7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
     0.59983220655588793769, 1.0),
)  # fmt: skip


@unary("y = erf⁻¹ x", COMPLEX, samples=UNIT)
def erfinv(xp: Any, x: Any) -> Any:
    """The number whose erf is x; infinite where x is 1 or more, or -1 or less.

    >>> paddle.erfinv(paddle.to_tensor([0.0, 1.0])).tolist()
    [0.0, inf]
    """
    half = x.astype("float64") * 0.5
    share = 0.5 - xp.abs(half)  # probability of the tail
    r = xp.sqrt(-xp.log(xp.maximum(share, 1e-300)))
    middle = 0.180625 - half * half
    out = xp.where(
        share >= 0.075,
        half * _evaluate_ratio(MIDDLE, middle),
        xp.sign(half)
        * xp.where(r <= 5.0, _evaluate_ratio(TAIL, r - 1.6), _evaluate_ratio(FAR_TAIL, r - 5.0)),
    )
    out = xp.where(share > 0.0, out * math.sqrt(0.5), xp.sign(half) * xp.inf)
    out = xp.where(xp.isnan(half), half, out)
    return out.astype(x.dtype if x.dtype.kind == "f" else "float64")


erfinv.grad(lambda F, dout, out: dout * (math.sqrt(math.pi) / 2.0) * F.exp(F.square(out)))
