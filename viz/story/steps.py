"""The base of all kinds of steps; each has a class in `sentences`, with its sentence."""

from __future__ import annotations

from typing import ClassVar, Literal

from minipaddle.messages import Message

from ..model import Fault

Phase = Literal["forward", "backward", "optimize", "build", "run"]


class Facts:
    """Facts of one kind of step: exactly what its sentence says."""

    __slots__ = ()
    kind: ClassVar[str]

    def sentence(self) -> Message:
        """Return the step in words."""
        raise NotImplementedError

    @property
    def of_memory(self) -> bool:
        """Whether the step is about memory alone."""
        return False

    @property
    def fault(self) -> Fault | None:
        """The parts of an error that are shown beside its sentence."""
        return None
