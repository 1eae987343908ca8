"""What the engine remembers so that it can say why a tensor has no gradient.

Nothing here costs anything where a gradient is computed: it is written where one is cut off.
"""

from __future__ import annotations

from collections import deque
from typing import Any
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
