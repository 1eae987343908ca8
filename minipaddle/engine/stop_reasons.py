"""Records of tensors: why one has no gradient, how often its memory changed.

The first costs nothing where a gradient is computed: it is written where one is cut off.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from types import CodeType
from typing import Any, Self
from weakref import ref


class Reason(StrEnum):
    """What keeps a gradient from a tensor; what is said of it stands in `engine/reasons.py`."""

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
    """Why a tensor has no gradient: stands in `_stop` for True where the engine knows more.

    reason: NO_GRAD, DETACHED, GRADLESS_OP or NON_DIFFERENTIABLE; `by` is the op or the layer.
    """

    __slots__ = ("by", "reason")

    def __init__(self, reason: Reason, by: str) -> None:
        self.reason = reason
        self.by = by


DETACHED = Stop(Reason.DETACHED, "detach")
_stops: dict[tuple[Reason, str], Stop] = {}


def stop(reason: Reason, by: str) -> Stop:
    """Return the one record of this reason and this op or layer."""
    record = _stops.get((reason, by))
    if record is None:
        record = _stops[reason, by] = Stop(reason, by)
    return record


class Passes:
    """The backward passes so far: how many, and the tensors that the last one started from."""

    __slots__ = ("number", "roots")

    def __init__(self) -> None:
        self.number = 0
        self.roots: tuple[ref[Any], ...] = ()


passes = Passes()
cut_results: deque[ref[Any]] = deque(maxlen=64)  # results that were used where none comes from


# The last in-place change that counts: its turn among all changes, the op, and the spot in the
# user's code.
Change = tuple[int, str, tuple[CodeType, int] | None]


class Version:
    """A count of in-place changes shared by tensors that share memory; adds up like an int.

    `uncounted` are the changes that, as in Paddle, whoever saved the values does not hear of.
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
        return self.count == int(other)  # type: ignore[call-overload, no-any-return]

    __hash__ = None  # type: ignore[assignment]
