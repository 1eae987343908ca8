"""Values and shapes of answers, and their traces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.random import default_rng

from ... import Tensor
from ...messages import Message
from ..outcomes import SILENT, Array, NotYet, Outcome, Right, Wrong, text
from ..trials import Slip, Trial, same
from .check import NOTHING, Check, Inspection, find_slip

NO_SHAPE = Message("A shape is asked for: a list of sizes, such as [2, 3]. This is {got}.")
NO_NUMBERS = Message("Numbers are asked for, or a Tensor of them. This is {got}.")
NO_TEXT = Message("A text is asked for, in quotes. This is {got}.")
LARGEST = 2**63 - 1  # no array has more elements on an axis
NOT_IT = Message("This is not the value that is asked for.")
OTHER_SHAPE = Message("Every number is right, but the shape is {got}; it should be {wanted}.")
NOT_THIS_SHAPE = Message("This is not the shape that is asked for.")


class Single(Trial):
    """Trial of one value, compared as a whole: a tuple is a shape, not several values."""

    def gives(self, formula: Any) -> bool:
        """Return whether the answer is this value."""
        wanted, [name] = as_array(formula), self.compared
        return wanted is not None and same(self.came[name], wanted)


class Secret(Check):
    """Check that does not show the expected value, which the learner is to find."""

    def accepts(self, slip: Slip) -> bool:
        """Return whether the wrong answer of a slip is judged right."""
        return slip.gives is not None and self.judge(slip.gives, (), default_rng(0)).solved

    def fault(self, slip: Slip, rng: np.random.Generator) -> str:  # noqa: ARG002
        """Return why a slip never fits: values are compared, without formulas or exceptions."""
        if slip.raises:
            return "raises=, where a wrong value is compared"
        return "a function, where a wrong value is compared" if callable(slip.gives) else ""

    def difference_outcome(self, trials: list[Trial]) -> Outcome:
        """Return the reason alone."""
        return self.wrong_outcome(trials[0], self.wrong)

    def wrong_outcome(self, trial: Trial, reason: Message, slip: str = "") -> Outcome:
        """Return the reason alone, without the expected value."""
        return Wrong(reason, slip=slip, teacher_pairs=trial.pairs)


class value(Secret):
    """Check that the answer is a number, array, Tensor or text; numbers may differ by `within`.

    The expected value is not shown. A Slip's `gives` is a wrong value.

    >>> from minipaddle.exercises import checks
    >>> check = checks.value(1 / 6)
    """

    wrong = NOT_IT

    def __init__(self, expected: Any, within: float = 1e-4) -> None:
        self.expected, self.within = as_array(expected), within

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of a text in place of numbers or the reverse, else None."""
        got = as_array(answer)
        if got is not None and (got.dtype.kind == "U") == (self.expected.dtype.kind == "U"):
            return None
        words = NO_TEXT if self.expected.dtype.kind == "U" else NO_NUMBERS
        return Wrong(words.fill(got=type(answer).__name__), slip="no_value")

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[Trial]:  # noqa: ARG002
        """Yield one trial, since nothing is random."""
        got, expected = as_array(answer), self.expected
        if expected.dtype.kind != "U" and got.shape == expected.shape:
            near = np.isclose(got, expected, rtol=0.0, atol=self.within, equal_nan=True)
            got = np.where(near, expected, got)
        yield Single(expected={"value": expected}, came={"value": got}, compared=("value",))

    def difference_outcome(self, trials: list[Trial]) -> Outcome:
        """Return the outcome of a wrong value; it says so if only the shape is wrong."""
        [trial] = trials
        got, wanted = trial.came["value"], trial.expected["value"]
        if got.shape == wanted.shape or not self.has_its_numbers(got):
            return super().difference_outcome(trials)
        shapes = {"got": str(list(got.shape)), "wanted": str(list(wanted.shape))}
        return Wrong(OTHER_SHAPE.fill(**shapes), pairs=trial.pairs)

    def has_its_numbers(self, got: Array) -> bool:
        """Return whether these are the expected numbers, reshaped, transposed or broadcast."""
        if "U" in (got.dtype.kind, self.expected.dtype.kind) or not got.size:
            return False
        shape, forms = self.expected.shape, [got]
        if got.size == self.expected.size:
            forms = [got.reshape(shape), got.T.reshape(shape)]
        with suppress(ValueError):  # the shapes may not broadcast
            return any(np.allclose(form, self.expected, 0, self.within, True) for form in forms)
        return False


class shape(Secret):
    """Check that the answer is a shape, a list or tuple of ints; the expected one is not shown.

    >>> from minipaddle.exercises import checks
    >>> check = checks.shape([2, 3])
    """

    wrong = NOT_THIS_SHAPE

    def __init__(self, expected: Sequence[int]) -> None:
        self.expected = tuple(expected)

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that is no list or tuple of ints, else None."""
        sizes = isinstance(answer, list | tuple) and all(isinstance(n, int) for n in answer)
        return None if sizes else Wrong(NO_SHAPE.fill(got=type(answer).__name__), slip="no_shape")

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[Trial]:  # noqa: ARG002
        """Yield one trial, since nothing is random."""
        sizes = [max(-LARGEST, min(LARGEST, size)) for size in answer]
        expected, got = (np.asarray(each, "int64") for each in (self.expected, sizes))
        yield Single(expected={"shape": expected}, came={"shape": got}, compared=("shape",))


def as_array(value: Any) -> Any:
    """Return numbers and texts as an array, None for other values."""
    if isinstance(value, Tensor):
        return value.numpy()
    try:
        array = np.array(value)  # copied, since later cells may change the answer
    except ValueError:  # rows have different lengths
        return None
    return array if array.dtype.kind in "biufcU" else None


# ----- traces ------------------------------------------------------------------------------------


NO_TRACE = Message(
    "A recording is asked for: the name after `with viz.record() as`. This is {got}."
)


class trace(Inspection):
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
