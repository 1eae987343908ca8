"""Recordings: the steps that they must contain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...messages import Message
from ..language import text
from ..outcomes import SILENT, NotYet, Outcome, Right, Wrong
from ..slips import Slip
from .check import NOTHING, Looked, find_slip

NO_TRACE = Message(
    "A recording is asked for: the name after `with viz.record() as`. This is {got}."
)


class trace(Looked):
    """Check that the answer is a recording with certain steps.

    `steps` maps texts to hints. A text is found if the English sentence of some step contains it;
    the hint of a missing one is shown.

    >>> from minipaddle.exercises import checks
    >>> check = checks.trace({"tanh.backward is called": "Call .backward() inside the with."})
    """

    def __init__(self, steps: Mapping[str, Any]) -> None:
        self.steps = {phrase: text(hint) for phrase, hint in steps.items()}

    def judge(
        self,
        answer: Any,
        slips: Sequence[Slip],
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> Outcome:
        """Return the hint of the first text that no step contains."""
        try:
            said = [str(step.text) for step in answer.steps]
        except Exception:  # noqa: BLE001 - whatever has no such steps is no recording
            return Wrong(NO_TRACE.fill(got=type(answer).__name__), slip="no_trace")
        if not said:
            return NotYet(NOTHING)
        for phrase, hint in self.steps.items():
            if not any(phrase in each for each in said):
                return find_slip(answer, slips) or Wrong(hint, slip=f"no step: {phrase}")
        return Right(SILENT)
