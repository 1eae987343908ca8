"""Questions about every element by itself: bool results, no gradient."""

from __future__ import annotations

from typing import Any

from ...engine.meta import Meta, boolean, numbers
from ..op_spec import op
from ..record import Formula, Static, sample

BOOLS = "answers with bools"
ANY = (sample((2, 3)), sample(()), sample((0, 3)))
COMPLEX = "FD"  # complex64, complex128

# ----- neither numbers nor finite ----------------------------------------------------------------

_isnan = numbers("isnan")


@op(
    infer=lambda x: boolean(_isnan(x)),
    gradless=BOOLS,
    formula=Formula("y = isnan(x)"),
    samples=ANY,
    static=Static("isnan_v2"),
)
def isnan(xp: Any, x: Any) -> Any:
    """Whether each element is NaN.

    >>> paddle.isnan(paddle.to_tensor([1.0, paddle.nan])).tolist()
    [False, True]
    """
    return xp.isnan(_isnan(x))


_isinf = numbers("isinf", "")


@op(
    infer=lambda x: boolean(_isinf(x)),
    gradless=BOOLS,
    formula=Formula("y = isinf(x)"),
    samples=ANY,
    static=Static("isinf_v2"),
)
def isinf(xp: Any, x: Any) -> Any:
    """Whether each element is infinite.

    >>> paddle.isinf(paddle.to_tensor([1.0, -paddle.inf])).tolist()
    [False, True]
    """
    return xp.isinf(_isinf(x))


_isfinite = numbers("isfinite")


@op(
    infer=lambda x: boolean(_isfinite(x)),
    gradless=BOOLS,
    formula=Formula("y = isfinite(x)"),
    samples=ANY,
    static=Static("isfinite_v2"),
)
def isfinite(xp: Any, x: Any) -> Any:
    """Whether each element is neither NaN nor infinite.

    >>> paddle.isfinite(paddle.to_tensor([1.0, paddle.inf, paddle.nan])).tolist()
    [True, False, False]
    """
    return xp.isfinite(_isfinite(x))


_isposinf = numbers("isposinf", COMPLEX)


@op(
    infer=lambda x: boolean(_isposinf(x)),
    gradless=BOOLS,
    formula=Formula("y = (x = ∞)"),
    samples=ANY,
)
def isposinf(xp: Any, x: Any) -> Any:
    """Whether each element is plus infinity.

    >>> paddle.isposinf(paddle.to_tensor([1.0, float("inf")])).tolist()
    [False, True]
    """
    return _isposinf(x) == xp.inf


_isneginf = numbers("isneginf", COMPLEX)


@op(
    infer=lambda x: boolean(_isneginf(x)),
    gradless=BOOLS,
    formula=Formula("y = (x = −∞)"),
    samples=ANY,
)
def isneginf(xp: Any, x: Any) -> Any:
    """Whether each element is minus infinity.

    >>> paddle.isneginf(paddle.to_tensor([1.0, -float("inf")])).tolist()
    [False, True]
    """
    return _isneginf(x) == -xp.inf


# ----- signs and kinds ---------------------------------------------------------------------------

_signbit = numbers("signbit", COMPLEX)


def _signbit_infer(x: Meta) -> Meta:
    return boolean(_signbit(x))


@op(
    infer=_signbit_infer,
    gradless=BOOLS,
    formula=Formula("y = (x < 0 or x = −0)"),
    samples=ANY,
)
def signbit(xp: Any, x: Any) -> Any:
    """Whether each element has a minus sign; -0.0 has one.

    >>> paddle.signbit(paddle.to_tensor([2.0, -0.0])).tolist()
    [False, True]
    """
    return xp.signbit(x) if _signbit(x).dtype.kind == "f" else x < 0


@op(infer=boolean, gradless=BOOLS, formula=Formula("y = (Im x = 0)"), samples=ANY)
def isreal(xp: Any, x: Any) -> Any:
    """Whether each element is a real number, which all but complex ones are.

    >>> paddle.isreal(paddle.to_tensor([2.0])).tolist()
    [True]
    """
    return xp.isreal(x)
