"""Arithmetic with the options of Paddle's functions: a factor, a rounding, numbers, `out`.

The operators of tensors call the ops directly.
"""

from __future__ import annotations

from typing import Any

from ...engine.dispatch import store
from .. import errors
from ..arguments import SCALARS
from ..catalog import options, public, publish, publish_with_number
from ..rule_functions import GRAPH as F
from . import arithmetic


def _scale_by(y: Any, alpha: Any) -> Any:
    return y if alpha == 1 else y * alpha


@options(arithmetic.add)
def add(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1, out: Any = None) -> Any:
    return store(out, arithmetic.add.call(x, _scale_by(y, alpha)), "add")


@options(arithmetic.subtract)
def subtract(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1, out: Any = None) -> Any:
    return store(out, arithmetic.subtract.call(x, _scale_by(y, alpha)), "subtract")


@options(arithmetic.divide)
def divide(
    x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Any = None
) -> Any:
    errors.require_choice("divide", "rounding_mode", rounding_mode, (None, "trunc", "floor"))
    quotient = arithmetic.divide.call(x, y) if rounding_mode != "floor" else _floor_divide(x, y)
    if rounding_mode == "trunc":
        quotient = F.trunc(quotient).astype(_floor_divide(x, y).dtype)
        quotient.stop_gradient = True  # constant pieces, as with "floor"
    return store(out, quotient, "divide")


def _floor_divide(x: Any, y: Any) -> Any:
    return arithmetic.floor_divide.call(x, y)


def floor_divide(x: Any, y: Any, name: str | None = None, *, out: Any = None) -> Any:
    return store(out, x // y if isinstance(y, SCALARS) else _floor_divide(x, y), "floor_divide")


publish(arithmetic.floor_divide, floor_divide)
publish_with_number(arithmetic.remainder)


@public()
def true_divide(input: Any, other: Any, *, out: Any = None) -> Any:
    """x / y; another name of divide.

    Shapes: for example input [2], other [1] gives [2].
    Dtypes: floating, complex kept; integers, bool give float32.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit.

    >>> paddle.true_divide(paddle.to_tensor([1, 2]), paddle.to_tensor([4])).tolist()
    [0.25, 0.5]
    """
    return store(out, arithmetic.divide.call(input, other), "divide")
