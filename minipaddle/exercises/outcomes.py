"""Outcomes of answers: not yet, error, wrong, right. Nothing here shows anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..messages import EMPTY, Message, Text

Array = np.ndarray[Any, Any]
SILENT = EMPTY


@dataclass(frozen=True)
class Pair:
    """One array that was expected, beside the one that came; `label` is what cards call it."""

    name: str
    expected: Array
    got: Array
    title: Message | None = None

    @property
    def label(self) -> Message:
        """Name on cards."""
        return self.title or Text(self.name)


@dataclass(frozen=True)
class Outcome:
    """The base: a reason, and what lets the learner see why.

    `given` are the arrays that the answer was run with; `record` runs it once more in a recording
    and gives back the trace. `untold` are pairs that a teacher's table has, and no card.
    """

    verdict: ClassVar[str]
    solved: ClassVar[bool] = False

    reason: Message
    given: tuple[tuple[str, Array], ...] = ()
    pairs: tuple[Pair, ...] = ()
    line: str = ""  # of the learner's cell, where an exception came from
    slip: str = ""  # the name of the classic mistake, where it was recognised
    error: Message = SILENT  # an exception that is not known
    untold: tuple[Pair, ...] = field(default=(), compare=False, repr=False)
    record: Callable[[], Any] | None = field(default=None, compare=False, repr=False)


class NotYet(Outcome):
    """Nothing was written so far."""

    verdict = "not yet"


@dataclass(frozen=True)
class Failed(Outcome):
    """The answer raised an exception that is not known.

    `by_check` says that the exception came from a check's own lines, not from the answer's.
    """

    verdict = "error"
    by_check: bool = False


class Wrong(Outcome):
    """The answer ran and is not right."""

    verdict = "wrong"


class Right(Outcome):
    """Every check agrees."""

    verdict = "right"
    solved = True
