"""What grading asks inside the kernel of a notebook: once before its cells run, and at the end."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine.errors import MinipaddleError
from ..course import OVERRIDE, load, loaded
from ..exercise import Exercise
from ..outcomes import Outcome, Pair
from ..predictions import Prediction
from ..trials import in_words
from . import memory

MARK = "minipaddle-graded:"
FEW = 4  # numbers that are told one by one


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
    missing = "" if isinstance(part, Prediction) or part.answer in variables else part.answer
    row: dict[str, Any]
    try:
        outcome = judged(part, variables, seed)
    except Exception as error:  # noqa: BLE001 - the check's own: those of answers are outcomes
        what = error.what if isinstance(error, MinipaddleError) else in_words(error).en
        why = what.partition("\n")[0]
        row = {"outcome": "not judged", "points": None, "reason": why}
    else:
        points = part.points if outcome.solved else 0
        row = {"outcome": outcome.verdict, "points": points, "reason": reason(outcome)}
    print("\n" + MARK + json.dumps({**row, "missing": missing}))


def judged(part: Exercise | Prediction, variables: Mapping[str, Any], seed: int) -> Outcome:
    """What there is to say about an answer, hidden checks included."""
    if isinstance(part, Prediction):
        return part.verdict(part.given)
    return part.judge(variables.get(part.answer), seed=seed)


def graded(variables: Mapping[str, Any]) -> dict[str, Exercise | Prediction]:
    """The exercises that were loaded or made in the notebook, and predictions with points."""
    made = {v.name: v for v in variables.values() if isinstance(v, Exercise | Prediction)}
    parts = {**made, **loaded()}
    return {name: p for name, p in parts.items() if isinstance(p, Exercise) or p.points}


def reason(outcome: Outcome) -> str:
    """Why it is not right, in one line: the name of a known slip first, what came last.

    Where a shape is another one, its sentence has told both.
    """
    if outcome.solved:
        return ""
    slip = f"[{outcome.slip}]" if outcome.slip else ""
    alike = [pair for pair in outcome.pairs if np.shape(pair.got) == np.shape(pair.expected)]
    numbers = [came_instead(pair) for pair in (*alike, *outcome.untold)[:1]]
    said = (slip, outcome.reason.en, outcome.error.en.partition("\n")[0], *numbers)
    return " ".join(" ".join(filter(None, said)).split())


def came_instead(pair: Pair) -> str:
    """What was expected and what came, of a large array the element that is farthest off."""
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
    return f"{pair.name}{place}: expected {in_short(expected)}, got {in_short(got)}."


def in_short(array: Any) -> str:
    """A few numbers, or a text."""
    return np.array2string(array, separator=", ", formatter={"float_kind": "{:.6g}".format})
