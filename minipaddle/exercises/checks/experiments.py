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
from ...engine.source_line import is_library_code
from ...messages import Message, Text
from ..outcomes import Array, Failed, Outcome, Wrong
from ..trials import (
    DRAWS,
    Slip,
    Trial,
    are_alike,
    array_of,
    attempt,
    code_of,
    facts,
    form_of,
    in_words,
    line_of,
    names_of,
    unwrap,
)
from .check import STOPPED, Check, refuse_function
from .pylayer_slips import IN_PLACE, is_layer, watch_layer

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
    functions: dict[str, Any] = field(default_factory=dict)  # facts about the learner's

    @property
    def line(self) -> str:
        """Line of the learner's cell that raised, also if `use` returned the exception."""
        return line_of(self.error or next(iter(self.stopped), None))

    def gives(self, formula: Any) -> bool:
        """Return whether a wrong answer has the learner's effects, exceptions included."""
        try:
            came = self.work(formula)
        except Exception as error:  # noqa: BLE001 - a wrong answer may be one that raises
            # A message that came from another process has no template.
            return self.error is not None and str(in_words(unwrap(error))) == str(
                in_words(self.error)
            )
        return self.error is None and are_alike(came, self.came)


class experiment(Check):
    """Check that the answer has the effects of `reference`: changes in place, graphs, anything.

    `inputs` draws the inputs by name from a random generator. `use` gets the answer and these
    inputs, puts the answer to use, and returns by name the values to compare: Tensors, numbers,
    arrays, None for a missing value, or an exception in place of a value. `zh` translates those of
    the names that are words. Cards show inputs that are Tensors, numbers or arrays, and texts, such
    as the code of a function. A Slip's `gives` is a wrong answer.

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

        def draw_inputs() -> dict[str, Any]:
            return dict(self.inputs(np.random.default_rng(seed)))

        def work(with_answer: Any) -> dict[str, Array]:
            came: dict[str, Any] = {}
            put_to_use(with_answer, came, self.use, draw_inputs())
            return without_exceptions(came)

        def forms(of: Any) -> Forms:
            came = attempt(Trial(), note_forms, of, self.use, draw_inputs())
            return list(came["forms"])

        given = {name: array_of(value) for name, value in draw_inputs().items() if is_shown(value)}
        trial = Run(given=given, expected=work(self.reference), labels=self.labels)
        trial.work = work
        trial.run_again = functools.partial(run_once, answer, {}, self.use, draw_inputs())
        trial.run_right = functools.partial(run_once, self.reference, {}, self.use, draw_inputs())
        trial.returned = lambda: (forms(answer), forms(self.reference))
        trial.functions = facts(describe_functions, answer)
        came = attempt(trial, put_to_use, answer, self.use, draw_inputs())
        trial.stopped = [value for value in came.values() if isinstance(value, Exception)]
        if trial.error is None:
            trial.came = without_exceptions(came)
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
        named = {name.partition(".")[0] for name in trial.functions["names"]}
        called = str(trial.error).partition("(")[0].partition(".")[0]
        if isinstance(trial.error, TypeError) and called in named - {""}:
            return True
        codes = filter(None, map(code_of, (self.use, self.reference)))
        checker = {code.co_filename for code in codes}
        answers = set(trial.functions["files"])
        rows = traceback.extract_tb(trial.error.__traceback__ if trial.error else None)
        theirs = {row.filename for row in rows if not row.filename.startswith(INSTALLED)}
        return bool({file for file in theirs if not is_library_code(file)} - (checker - answers))


# ----- what an answer gives back ------------------------------------------------------------------


def put_to_use(answer: Any, came: dict[str, Any], use: Use, inputs: Mapping[str, Any]) -> None:
    """Put an answer to use; store the effects as arrays, and exceptions as they are."""
    changed: set[str] = set()
    watched = watch_layer(answer, changed) if is_layer(answer) else answer
    made = {**use(watched, **inputs)}
    if changed:
        made[CHANGED] = sorted(changed)
    for name, value in made.items():
        if value is not None:
            came[name] = value if isinstance(value, Exception) else array_of(value)


def run_once(answer: Any, _came: object, use: Use, inputs: Mapping[str, Any]) -> None:
    """Put an answer to use."""
    use(answer, **inputs)


def without_exceptions(came: Mapping[str, Any]) -> dict[str, Array]:
    """Return the effects that can be compared."""
    return {name: value for name, value in came.items() if not isinstance(value, Exception)}


def describe_functions(answer: Any, came: dict[str, Any]) -> None:
    """Note names and files of the answer, or of a class's functions."""
    functions = [*vars(answer).values()] if isinstance(answer, type) else [answer]
    came["names"] = [str(getattr(each, "__qualname__", "")) for each in functions]
    came["files"] = [code.co_filename for code in filter(None, map(code_of, functions))]


def note_forms(answer: Any, came: dict[str, Any], use: Use, inputs: Mapping[str, Any]) -> None:
    """Describe the value that each call of an answer returns while it is put to use."""
    forms: Forms = []
    came["forms"] = forms
    function = answer.apply if is_layer(answer) else answer

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        value = function(*arguments, **named)
        forms.append(Text(*form_of(value)))
        return value

    with suppress(Exception):
        watched = type(answer.__name__, (answer,), {"apply": call}) if is_layer(answer) else call
        put_to_use(watched, {}, use, inputs)


def is_shown(value: Any) -> bool:
    """Return whether learners see this input: texts, Tensors, numbers and arrays of them."""
    return isinstance(value, Tensor | str) or np.asarray(value).dtype.kind in "biuf"
