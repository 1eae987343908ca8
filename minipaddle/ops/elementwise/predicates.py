"""Predicates of every element, with bool results and without gradients."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...engine.meta import SMALL, boolean, numbers
from ..arguments import COMPLEX
from ..op_spec import Kernel, Op, op
from ..record import Formula, Static
from .unary import ANY


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


@predicate("y = (x < 0 or x = −0)", COMPLEX)
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
