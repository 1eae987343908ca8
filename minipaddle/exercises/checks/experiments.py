"""Experiments: an answer is put to use, and the effects are compared."""

from __future__ import annotations

import functools
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from ... import Tensor
from ...engine.errors import MinipaddleError
from ...engine.pylayer.pylayer import PyLayer
from ...engine.source_line import is_ours
from ...messages import Message, Text
from ..outcomes import Array, Failed, Outcome, Wrong
from ..trials import (
    DRAWS,
    Slip,
    Trial,
    alike,
    array_of,
    attempt,
    code_of,
    form_of,
    in_words,
    names_of,
    plain_modes,
    unwrap,
)
from .check import STOPPED, Check, refuse_function
from .pylayer_slips import IN_PLACE, watch_layer

RETURNED = Message("Your answer gives back {got}; it should be {wanted}.")
CHANGED = "changed in place"
INSTALLED = tuple(sysconfig.get_paths()[each] for each in ("stdlib", "purelib", "platlib"))

Drawn = Callable[[np.random.Generator], Mapping[str, Any]]
Use = Callable[..., Mapping[str, Any]]
Forms = list[Message]


@dataclass
class Run(Trial):
    """Trial whose slips are answers, which `work` puts to use like the learner's answer."""

    work: Callable[[Any], dict[str, Array]] = dict
    returned: Callable[[], tuple[Forms, Forms]] = lambda: ([], [])
    stopped: list[Exception] = field(default_factory=list)
    functions: tuple[Any, ...] = ()  # the learner's functions, which may have raised the exception

    def gives(self, formula: Any) -> bool:
        """Return whether a wrong answer has the learner's effects, exceptions included."""
        try:
            came = self.work(formula)
        except Exception as error:  # noqa: BLE001 - a wrong answer may be one that raises
            return self.error is not None and in_words(unwrap(error)) == in_words(self.error)
        return self.error is None and alike(came, self.came)


class experiment(Check):
    """Check that the answer has the effects of `reference`: changes in place, graphs, anything.

    `inputs` draws the inputs by name from a random generator. `use` gets the answer and these
    inputs, puts the answer to use, and returns by name the values to compare: Tensors, numbers,
    arrays, None for a missing value, or an exception in place of a value. `zh` translates those of
    the names that are words. A Slip's `gives` is a wrong answer.

    >>> from minipaddle.exercises import checks
    >>> check = checks.experiment(
    ...     lambda numbers: numbers.sort(),
    ...     inputs=lambda rng: {"numbers": list(rng.permutation(5))},
    ...     use=lambda answer, numbers: (answer(numbers), {"numbers": numbers})[1],
    ... )
    """

    slips = (
        Slip(
            "in_place",
            seen=lambda trial: CHANGED in trial.came,
            hint=IN_PLACE,
            facts=lambda trial: {"changed": ", ".join(trial.came[CHANGED].tolist())},
        ),
    )

    def __init__(
        self,
        reference: Callable[..., Any],
        *,
        inputs: Drawn,
        use: Use,
        zh: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.reference, self.inputs, self.use = reference, inputs, use
        self.labels = {name: Text(name, words) for name, words in zh.items()}

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that cannot be called, else None."""
        return refuse_function(answer, names_of(self.reference))

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[Trial]:
        """Yield a trial for each seed; each use of an answer draws its own inputs."""
        for seed in rng.integers(2**32, size=DRAWS):
            yield self.run_trial(answer, int(seed))

    def run_trial(self, answer: Any, seed: int) -> Trial:
        """Put the answer to use once, on the inputs of this seed."""

        def draw_inputs() -> Mapping[str, Any]:
            return self.inputs(np.random.default_rng(seed))

        stopped: list[Exception] = []

        def work(with_answer: Any) -> dict[str, Array]:
            changed: set[str] = set()
            if is_layer(with_answer):
                with_answer = watch_layer(with_answer, changed)
            made = {**self.use(with_answer, **draw_inputs())}
            if changed:
                made[CHANGED] = sorted(changed)
            stopped[:] = [value for value in made.values() if isinstance(value, Exception)]
            made = {name: x for name, x in made.items() if not isinstance(x, Exception | None)}
            return {name: array_of(value) for name, value in made.items()}

        given = {name: array_of(value) for name, value in draw_inputs().items() if is_shown(value)}
        expected = work(self.reference)
        functions = tuple(vars(answer).values()) if isinstance(answer, type) else (answer,)
        trial = Run(given=given, expected=expected, labels=self.labels, functions=functions)
        trial.work, trial.run_again = work, lambda: self.use(answer, **draw_inputs())
        trial.returned = lambda: (forms_of(work, answer), forms_of(work, self.reference))
        attempt(trial, lambda: trial.came.update(work(answer)))
        trial.stopped = [*stopped]
        return trial

    def difference_outcome(self, trials: list[Trial]) -> Outcome:
        """Return the outcome of an exception that `use` returned, or of values that differ."""
        for trial in trials:
            if isinstance(trial, Run) and trial.stopped:
                trial.error = trial.stopped[0]
        return super().exception_outcome(trials) or super().difference_outcome(trials)

    def exception_outcome(self, trials: list[Trial]) -> Outcome | None:
        """Return the outcome of an exception, which a wrong return value may have caused."""
        outcome = super().exception_outcome(trials)
        if not isinstance(outcome, Failed):
            return outcome
        trial = next(trial for trial in trials if trial.error is not None)
        assert isinstance(trial, Run)
        if self.raised_by(trial):
            return outcome
        outcome = replace(outcome, line="")
        for got, wanted in zip(*trial.returned(), strict=False):
            if got != wanted:
                words = RETURNED.fill(got=got, wanted=wanted)
                return Wrong(words, outcome.given, record=outcome.record)
        if isinstance(trial.error, MinipaddleError):  # the error's message explains the mistake
            return outcome
        return replace(outcome, reason=STOPPED, by_check=True)

    def raised_by(self, trial: Run) -> bool:
        """Return whether the learner's code raised an exception, or a wrong call of it did."""
        named = {getattr(each, "__qualname__", "").partition(".")[0] for each in trial.functions}
        called = str(trial.error).partition("(")[0].partition(".")[0]
        if isinstance(trial.error, TypeError) and called in named - {""}:
            return True
        codes = filter(None, map(code_of, (self.use, self.reference)))
        checker = {code.co_filename for code in codes}
        answers = {code.co_filename for code in filter(None, map(code_of, trial.functions))}
        rows = traceback.extract_tb(trial.error.__traceback__ if trial.error else None)
        theirs = {row.filename for row in rows if not row.filename.startswith(INSTALLED)}
        return bool({file for file in theirs if not is_ours(file)} - (checker - answers))


# ----- what an answer gives back ------------------------------------------------------------------


def is_layer(answer: Any) -> bool:
    """Return whether an answer is a PyLayer."""
    return isinstance(answer, type) and issubclass(answer, PyLayer)


def forms_of(work: Callable[[Any], object], answer: Any) -> Forms:
    """Describe the value that each call of an answer in `work` returned."""
    forms: Forms = []
    function = answer.apply if is_layer(answer) else answer

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        value = function(*arguments, **named)
        forms.append(form_of(value))
        return value

    with suppress(Exception), plain_modes():
        work(type(answer.__name__, (answer,), {"apply": call}) if is_layer(answer) else call)
    return forms


def is_shown(value: Any) -> bool:
    """Return whether learners see this input: Tensors, numbers and arrays of them."""
    return isinstance(value, Tensor) or np.asarray(value).dtype.kind in "biuf"
