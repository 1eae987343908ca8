"""Records of tensors: why one has no gradient, how often its memory changed.

A reason is recorded only where a gradient is cut off: tensors with a gradient cost nothing.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from types import CodeType
from typing import Any, Self
from weakref import ref


class Reason(StrEnum):
    """Reasons why a tensor has no gradient; the texts are in `engine/reasons.py`."""

    HAS_GRADIENT = "has gradient"
    STOP_GRADIENT = "stop_gradient"
    INTEGER = "integer"
    NO_GRAD = "no_grad"
    DETACHED = "detached"
    GRADLESS_OP = "gradless op"
    NON_DIFFERENTIABLE = "non-differentiable"
    NOT_A_LEAF = "not a leaf"
    OVERWRITTEN = "overwritten"
    NO_BACKWARD = "no backward"
    CLEARED = "cleared"
    NOT_REACHED = "not reached"
    RETURNED_NONE = "returned None"
    INTERRUPTED = "interrupted"
    ZERO = "zero"


class Stop:
    """Record of why a tensor has no gradient, in `_stop` in place of True.

    `reason`: NO_GRAD, DETACHED, GRADLESS_OP or NON_DIFFERENTIABLE; `by`: the op or the layer.
    """

    __slots__ = ("by", "reason")

    def __init__(self, reason: Reason, by: str) -> None:
        self.reason = reason
        self.by = by


DETACHED = Stop(Reason.DETACHED, "detach")
_stops: dict[tuple[Reason, str], Stop] = {}


def stop(reason: Reason, by: str) -> Stop:
    """Return the Stop of a reason and an op or layer; equal arguments give the same object."""
    record = _stops.get((reason, by))
    if record is None:
        record = _stops[reason, by] = Stop(reason, by)
    return record


class Passes:
    """Number of backward passes so far, and the tensors that the last one started from."""

    __slots__ = ("number", "roots")

    def __init__(self) -> None:
        self.number = 0
        self.roots: tuple[ref[Any], ...] = ()


passes = Passes()
cut_results: deque[ref[Any]] = deque(maxlen=64)  # results whose last use gives no gradient


# An in-place change: its number among all changes, the op, and the spot in the user's code.
Change = tuple[int, str, tuple[CodeType, int] | None]


class Version:
    """Number of in-place changes of memory that several tensors share; adds up like an int.

    `uncounted` is the number of further changes that raise no error in backward, as in Paddle.
    """

    __slots__ = ("changed", "count", "uncounted")

    def __init__(self, count: int) -> None:
        self.count = count
        self.uncounted = 0
        self.changed: Change | None = None

    def __add__(self, other: Any) -> int:
        return self.count + int(other)

    __radd__ = __add__

    def __iadd__(self, more: int) -> Self:  # type: ignore[misc]  # in place, unlike +
        self.count += more
        return self

    def __int__(self) -> int:
        return self.count

    def __eq__(self, other: object) -> bool:
        return self.count == int(other)  # type: ignore[call-overload]

    __hash__ = None  # type: ignore[assignment]
