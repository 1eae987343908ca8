"""Base class of all kinds of steps, whose classes are in `sentences`."""

from __future__ import annotations

from typing import ClassVar, Literal

from minipaddle.messages import Message

from ..model import Fault

Phase = Literal["forward", "backward", "optimize", "build", "run"]


class Facts:
    """Facts of a step: exactly what the step's sentence says."""

    __slots__ = ()
    kind: ClassVar[str]

    def sentence(self) -> Message:
        """Return the sentence of the step."""
        raise NotImplementedError

    @property
    def of_memory(self) -> bool:
        """Whether the step reports memory alone."""
        return False

    @property
    def fault(self) -> Fault | None:
        """Details of an error that are shown beside the sentence, or None."""
        return None
