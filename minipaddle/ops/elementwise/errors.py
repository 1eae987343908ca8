"""Errors of wrong arguments that only the ops of this folder raise."""

from __future__ import annotations

from typing import Any

from ...engine.errors import (
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    ModeError,
    NoSuchName,
    PreconditionNotMet,
)
from ..errors import *  # noqa: F403


def integers_by_zero(op: str) -> PreconditionNotMet:
    """Make the error of an integer divisor that is 0."""
    return PreconditionNotMet(
        f"{op}(): Integer division by zero encountered.",
        expected="a divisor without zeros, for integers",
        received="at least one 0 in y",
        fix="check the divisor, or compute in float32 where x / 0 is inf",
    )


def negative_power(y: object) -> InvalidArgument:
    """Make the error of an integer to a negative power."""
    return InvalidArgument(
        "pow(): Integers to negative integer powers are not allowed.",
        expected="a power of at least 0, for integers",
        received=y,
        fix="convert the tensor to float32 first: x.astype('float32')",
    )


def unlike(position: int, other: Any, first: Any) -> InvalidArgument:
    """Make the error of a summed tensor whose shape or dtype is not that of the first."""
    return InvalidArgument(
        "add_n(): the tensors must have one shape and one dtype.",
        expected=f"inputs[{position}] like inputs[0], {first}",
        received=f"inputs[{position}] {other}",
        fix="cast or reshape it first",
    )


def no_activation(act: object) -> NoSuchName:
    """Make the error of an activation that does not exist."""
    return NoSuchName(
        f"scale(): there is no activation {act!r}.",
        expected="the name of an op of one input: relu, tanh, sigmoid, ...",
        received=f"act={act!r}",
        fix="call the function yourself on the result",
    )


def limits(low: object, high: object) -> InvalidArgument:
    """Make the error of a lower limit above the upper one."""
    return InvalidArgument(
        "clip(): max should be greater than or equal to min.",
        expected="min <= max",
        received=f"min={low}, max={high}",
        fix="exchange the limits",
    )


def no_counter(x: Any) -> MinipaddleError:
    """Make the error of a counter that wants a gradient."""
    return ModeError(
        "increment(): a Variable that wants a gradient is not changed in place.",
        expected="a counter, with stop_gradient True",
        received=f"{x!r:.80}",
        fix="use x + value, which makes a new Variable",
    )


def no_sign(op: str, x: Any) -> InvalidType:
    """Make the error of a bool tensor where signs are asked for."""
    return InvalidType(
        f"{op}(): a bool tensor has no sign.",
        expected="a tensor of numbers",
        received=f"x bool {list(x.shape)}",
        fix="cast it first: x.astype('int64')",
    )


def several(x: Any) -> InvalidArgument:
    """Make the error of a counter of several elements."""
    return InvalidArgument(
        "increment(): x must have one element.",
        expected="shape [1] or []",
        received=f"shape {list(x.shape)}",
        fix="use x + value, which makes a new tensor",
    )
