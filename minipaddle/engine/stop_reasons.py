"""What the engine remembers of tensors: why one has no gradient, how often its memory changed.

The first costs nothing where a gradient is computed: it is written where one is cut off.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Self
from weakref import ref


class Stop:
    """Why a tensor has no gradient: stands in `_stop` for True where the engine knows more.

    reason: no_grad, detached, gradless_op or non_differentiable; `by` is the op or the layer.
    """

    __slots__ = ("by", "reason")

    def __init__(self, reason: str, by: str) -> None:
        self.reason = reason
        self.by = by


DETACHED = Stop("detached", "detach")
_known: dict[tuple[str, str], Stop] = {}


def stop(reason: str, by: str) -> Stop:
    """The one record of this reason and this op or layer."""
    found = _known.get((reason, by))
    if found is None:
        found = _known[reason, by] = Stop(reason, by)
    return found


class Passes:
    """The backward passes so far: how many, and the tensors that the last one started from."""

    __slots__ = ("number", "roots")

    def __init__(self) -> None:
        self.number = 0
        self.roots: tuple[ref[Any], ...] = ()


passes = Passes()
cut_results: deque[ref[Any]] = deque(maxlen=64)  # results that were used where none comes from


class Version:
    """A count of in-place changes shared by tensors that share memory; adds up like an int."""

    __slots__ = ("count",)

    def __init__(self, count: int) -> None:
        self.count = count

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
