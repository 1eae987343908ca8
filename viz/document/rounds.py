"""Where rounds begin in a recording, and one round cut out of it with numbers of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class SizeMark(NamedTuple):
    """The root mean square of a parameter's new value and of its gradient."""

    tensor: int | str  # in a Program its name
    value: float
    grad: float


@dataclass(slots=True)
class RoundMark:
    """A round as it is found while a block is recorded.

    kind: training, evaluation, run or marked; names: of integer loop variables, with their values.
    `first` and `last` are positions in the log, the last one excluded; equal where the events of
    the round were not kept.
    """

    kind: str
    first: int
    last: int | None = None  # None while it goes on
    names: tuple[tuple[str, int], ...] = ()
    loss: float | None = None
    sizes: list[SizeMark] = field(default_factory=list)
