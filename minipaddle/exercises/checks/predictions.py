"""Pages that ask: the number of answered and of right predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine.errors import InvalidArgument
from ...errors import misfit
from ...messages import Message
from ..outcomes import SILENT, NotYet, Outcome, Right, Wrong
from ..trials import Slip
from .check import Inspection, find_slip

NO_QUIZ = Message(
    "A page that asks is wanted: what trace.quiz() or viz.bug_hunt(trace) gives. This is {got}."
)
ANSWERED = Message(
    "{answered} of {count} predictions are answered. Answer on the page; "
    "answers that a browser has exported are read with .load(path)."
)
RIGHT = Message("{right} of the predictions are right; {wanted} are asked for.")


class predictions(Inspection):
    """Check that the answer is a page with questions of which at least `count` are answered.

    At least `right` answers must be right. InvalidArgument for numbers that cannot be reached.

    >>> from minipaddle.exercises import checks
    >>> check = checks.predictions(5, right=3)
    """

    def __init__(self, count: int, right: int = 0) -> None:
        if type(count) is not int or type(right) is not int or not 0 <= right <= count or not count:
            expected = "a count of at least 1, and at most as many right ones"
            fix = "checks.predictions(5, right=3)"
            raise misfit("", expected, InvalidArgument, fix, count=count, right=right)
        self.count, self.right = count, right

    def judge(
        self,
        answer: Any,
        slips: Sequence[Slip],
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> Outcome:
        """Count all answers and the right answers; a step shown unanswered does not count."""
        try:
            answered = [row for row in answer.answers if row["given"]]
            right = sum(bool(row["right"]) for row in answered)
        except Exception:  # noqa: BLE001 - whatever has no such answers is no such page
            return Wrong(NO_QUIZ.fill(got=type(answer).__name__), slip="no_quiz")
        if len(answered) < self.count:
            return NotYet(ANSWERED.fill(answered=str(len(answered)), count=str(self.count)))
        if right < self.right:
            words = RIGHT.fill(right=str(right), wanted=str(self.right))
            return find_slip(answer, slips) or Wrong(words, slip="too_few_right")
        return Right(SILENT)
