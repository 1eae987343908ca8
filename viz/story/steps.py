"""What all kinds of steps have in common; each has a class in `sentences`, with its sentence."""

from __future__ import annotations

from typing import ClassVar, Literal

from minipaddle.messages import Message

from ..model import Fault

Phase = Literal["forward", "backward", "optimize", "build", "run"]


class Facts:
    """What one kind of step tells: exactly what its sentence says."""

    __slots__ = ()
    kind: ClassVar[str]

    def sentence(self) -> Message:
        """The step in words."""
        raise NotImplementedError

    @property
    def of_memory(self) -> bool:
        """Whether the step tells of memory alone."""
        return False

    @property
    def fault(self) -> Fault | None:
        """What there is to see of an error, beside its sentence."""
        return None
