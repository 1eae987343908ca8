"""Outcomes of answers: not yet, error, wrong, right; cards show them."""

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
    """Expected array beside the received one; `label` is its name on cards."""

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
    """Base of the outcomes: the reason, and the data that lets the learner see why.

    `given` are the arrays that the answer was run with; `record` runs the answer once more in a
    recording and returns the trace. `untold` are pairs for the teacher's table alone.
    """

    verdict: ClassVar[str]
    solved: ClassVar[bool] = False

    reason: Message
    given: tuple[tuple[str, Array], ...] = ()
    pairs: tuple[Pair, ...] = ()
    line: str = ""  # line of the learner's cell that raised
    slip: str = ""  # name of the recognised mistake
    error: Message = SILENT  # exception that no slip describes
    untold: tuple[Pair, ...] = field(default=(), compare=False, repr=False)
    record: Callable[[], Any] | None = field(default=None, compare=False, repr=False)


class NotYet(Outcome):
    """There is no answer yet."""

    verdict = "not yet"


@dataclass(frozen=True)
class Failed(Outcome):
    """The answer raised an exception that no slip knows.

    `by_check`: the exception came from the check's own lines.
    """

    verdict = "error"
    by_check: bool = False


class Wrong(Outcome):
    """The answer ran but is not right."""

    verdict = "wrong"


class Right(Outcome):
    """All checks are passed."""

    verdict = "right"
    solved = True
