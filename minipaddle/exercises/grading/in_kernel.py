"""Judging inside the kernel of a notebook: answers at their checks, and at the end."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.errors import MinipaddleError
from ...engine.visible import one_line
from ..course import OVERRIDE, load, loaded_exercises
from ..exercise import Exercise, on_check
from ..outcome_cards import least_digits
from ..outcomes import Outcome, Pair
from ..predictions import Prediction
from ..trials import in_words
from . import memory

LONGEST = 1000  # characters of a reason
FEW = 4  # most numbers that are shown one by one
CHANGED = "Judged by its check in code cell {cell}: {answer} was changed later."
ABSENT = "Judged by its check in code cell {cell}: at the end there is no {answer}."


@dataclass(frozen=True)
class Checked:
    """Answer at the time of its check, and its outcome with hidden checks."""

    answer: Any
    outcome: Outcome
    cell: int


class Judge:
    """Judge of the answers of one notebook: at each check in a cell, and at the end."""

    def __init__(self, seed: int, megabytes: int) -> None:
        self.seed, self.cell = seed, 0
        self.checked: dict[str, Checked] = {}
        if os.environ.get(OVERRIDE):
            load("")  # the teacher's exercises
        on_check.append(self.note)
        memory.limit(megabytes)

    def note(self, exercise: Exercise, answer: Any, shown: Outcome) -> None:
        """Judge an answer after its check; an outcome that was shown as not right stays.

        An exercise that the notebook makes itself does not replace a loaded one of the same name.
        """
        part = loaded_exercises().get(exercise.name, exercise)
        if part.course != exercise.course:
            return
        try:
            same = part is exercise and not shown.solved
            outcome = shown if same else judge_answer(part, answer, self.seed)
        except Exception:  # noqa: BLE001 - the check's own, which the end of the notebook reports
            return
        self.checked[part.name] = Checked(answer, outcome, self.cell)

    def names(self, variables: Mapping[str, Any]) -> dict[str, float]:
        """Return the exercises of the notebook with their points."""
        return {name: part.points for name, part in graded_parts(variables).items()}

    def row(self, name: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of one answer.

        If a name holds a wrong answer at the end, but held another value at its last check, the
        check counts, since learners reuse names.
        """
        part = graded_parts(variables)[name]
        given = isinstance(part, Prediction) or part.answer in variables
        checked = None if isinstance(part, Prediction) else self.checked.get(name)
        missing = "" if given or checked else part.answer
        answer = None if isinstance(part, Prediction) else variables.get(part.answer)
        note = ""
        try:
            outcome = judge_answer(part, answer, self.seed)
        except Exception as error:  # noqa: BLE001 - the check's own: those of answers are outcomes
            what = error.parts["what"] if isinstance(error, MinipaddleError) else in_words(error)
            why = one_line(what.en.partition("\n")[0], LONGEST)
            return {"outcome": "not judged", "points": None, "reason": why, "missing": missing}
        if (
            checked is not None
            and not outcome.solved
            and (checked.outcome.solved or checked.answer is not answer)
        ):
            outcome = checked.outcome
            note = (CHANGED if given else ABSENT).format(cell=checked.cell, answer=part.answer)
        return {
            "outcome": outcome.verdict,
            "points": part.points if outcome.solved else 0,
            "reason": f"{note} {reason(outcome)}".strip(),
            "missing": missing,
        }


def judge_answer(part: Exercise | Prediction, answer: Any, seed: int) -> Outcome:
    """Return the outcome of an answer, hidden checks included."""
    if isinstance(part, Prediction):
        return part.verdict(part.given)
    return part.judge(answer, seed=seed)


def graded_parts(variables: Mapping[str, Any]) -> dict[str, Exercise | Prediction]:
    """Return all exercises that the notebook loads or makes, and its predictions with points."""
    made = {v.name: v for v in variables.values() if isinstance(v, Exercise | Prediction)}
    parts = {**made, **loaded_exercises()}
    return {name: p for name, p in parts.items() if isinstance(p, Exercise) or p.points}


def reason(outcome: Outcome) -> str:
    """Return why an answer is not right, in one line: the slip first, values last.

    Values of another shape are left out, since the reason states both shapes.
    """
    if outcome.solved:
        return ""
    slip = f"[{outcome.slip}]" if outcome.slip else ""
    alike = [pair for pair in outcome.pairs if np.shape(pair.got) == np.shape(pair.expected)]
    numbers = [describe_difference(pair) for pair in (*alike, *outcome.untold)[:1]]
    said = (slip, str(outcome.reason), str(outcome.error).partition("\n")[0], *numbers)
    return one_line(" ".join(filter(None, said)), LONGEST)


def describe_difference(pair: Pair) -> str:
    """Return expected and received values; of a large array, the element that differs most."""
    expected, got, place = np.asarray(pair.expected), np.asarray(pair.got), ""
    if max(expected.size, got.size) > FEW:
        if expected.shape != got.shape:
            wanted, there = f"shape {list(expected.shape)}", f"shape {list(got.shape)}"
            return f"{pair.name}: expected {wanted}, got {there}."
        texts = "U" in (expected.dtype.kind, got.dtype.kind)
        off = got != expected if texts else np.abs(got.astype(complex) - expected.astype(complex))
        farthest = np.argmax(np.nan_to_num(off, nan=np.inf))
        index = tuple(map(int, np.unravel_index(farthest, off.shape)))
        expected, got, place = expected[index], got[index], str(list(index))
    digits = least_digits(expected, got, 6, in_short)
    wanted, there = in_short(expected, digits), in_short(got, digits)
    return f"{pair.name}{place}: expected {wanted}, got {there}."


def in_short(array: Any, digits: int) -> str:
    """Return a few numbers, or a text, as short text."""
    return np.array2string(
        np.asarray(array), separator=", ", formatter={"float_kind": f"{{:.{digits}g}}".format}
    )
