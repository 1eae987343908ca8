"""What grading asks inside the kernel of a notebook: once before its cells run, and at the end."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ..course import OVERRIDE, load, loaded
from ..exercise import Exercise
from ..outcomes import Outcome
from ..predictions import Prediction
from . import memory

MARK = "minipaddle-graded:"


def prepare(megabytes: int) -> None:
    """Set the limit of memory; load the teacher's exercises, if there are any."""
    if os.environ.get(OVERRIDE):
        load("")
    memory.limit(megabytes, for_good=True)


def tell_names(variables: Mapping[str, Any]) -> None:
    """Print the exercises that the notebook has, with their points, as one line."""
    print(MARK + json.dumps({name: part.points for name, part in graded(variables).items()}))


def tell_outcome(name: str, variables: Mapping[str, Any], seed: int) -> None:
    """Print what there is to say about one answer, as one line."""
    part = graded(variables)[name]
    if isinstance(part, Prediction):
        outcome, there = part.verdict(part.given), True
    else:
        there = part.answer in variables
        outcome = part.judge(variables.get(part.answer), seed=seed, hidden=True)
    row = {
        "outcome": outcome.verdict.en,
        "points": part.points if outcome.solved else 0,
        "reason": reason(outcome),
        "answer": "" if there else part.answer,
    }
    print("\n" + MARK + json.dumps(row))


def graded(variables: Mapping[str, Any]) -> dict[str, Exercise | Prediction]:
    """The exercises that were loaded or made in the notebook, and predictions with points."""
    made = {v.name: v for v in variables.values() if isinstance(v, Exercise | Prediction)}
    parts = {**made, **loaded()}
    return {name: p for name, p in parts.items() if isinstance(p, Exercise) or p.points}


def reason(outcome: Outcome) -> str:
    """Why it is not right, in one line; the name of a known slip first."""
    if outcome.solved:
        return ""
    slip = f"[{outcome.slip}]" if outcome.slip else ""
    said = (slip, outcome.reason.en, outcome.error.en.partition("\n")[0])
    return " ".join(" ".join(filter(None, said)).split())
