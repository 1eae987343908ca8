"""Experiments: answers that are judged by what becomes of things when they are put to work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

from ... import Tensor
from ...engine.bilingual import Text
from ...engine.source_line import raised_by_user
from ..outcomes import Array, NotYet, Outcome, Wrong
from ..trials import DRAWS, Trial, attempt, in_words, is_stub, kind_of, names_of, own, same
from .check import NO_FUNCTION, NOTHING, Check

UNLIKE = Text(
    "The function gives back {got}; it should give back {wanted}.",
    "这个函数返回的是{got}，应返回{wanted}。",
)
Drawn = Callable[[np.random.Generator], Mapping[str, Any]]
Use = Callable[..., Mapping[str, Any]]


@dataclass
class Run(Trial):
    """A trial whose slips are answers themselves: `work` puts one to work as the learner's."""

    work: Callable[[Any], dict[str, Array]] = dict

    @property
    def right(self) -> bool:
        """Whether just what was expected came."""
        return self.error is None and alike(self.came, self.expected)

    def gives(self, formula: Any) -> bool:
        """Whether a wrong answer comes out just like the learner's, its exception included."""
        try:
            came = self.work(formula)
        except Exception as error:  # noqa: BLE001 - a wrong answer may be one that raises
            return self.error is not None and in_words(own(error)) == in_words(self.error)
        return self.error is None and alike(came, self.came)


class Experiment(Check):
    """An answer that makes the same of things as another one."""

    def __init__(
        self, reference: Callable[..., Any], inputs: Drawn, use: Use, zh: Mapping[str, str]
    ) -> None:
        self.reference, self.inputs, self.use, self.zh = reference, inputs, use, zh

    def refuse(self, answer: Any) -> Outcome | None:
        """Only what can be called can be put to work."""
        if not callable(answer):
            names = ", ".join(names_of(self.reference))
            words = NO_FUNCTION.fill(names=names, got=type(answer).__name__)
            return Wrong(words, slip="no_function")
        return NotYet(NOTHING) if is_stub(answer) else None

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[Trial]:
        """One for each draw of inputs, which are drawn anew for each use of an answer."""
        for seed in rng.integers(2**32, size=DRAWS):
            yield self.tried(answer, int(seed))

    def tried(self, answer: Any, seed: int) -> Trial:
        """Put the answer to work once, on the inputs of this seed."""

        def drawn() -> Mapping[str, Any]:
            return self.inputs(np.random.default_rng(seed))

        def work(with_answer: Any) -> dict[str, Array]:
            made = self.use(with_answer, **drawn())
            return {name: array_of(value) for name, value in made.items() if value is not None}

        given = {name: array_of(value) for name, value in drawn().items() if is_shown(value)}
        returned: list[Any] = []
        wanted: list[Any] = []
        expected = work(noting(self.reference, wanted))
        functions = tuple(vars(answer).values()) if isinstance(answer, type) else (answer,)
        trial = Run(given=given, expected=expected, chinese=self.zh, functions=functions)
        trial.work, trial.run_again = work, lambda: work(answer)
        attempt(trial, lambda: trial.came.update(work(noting(answer, returned))))
        if trial.error is not None and not raised_by_user(trial.error):
            trial.unfit = unlike(returned, wanted)
        return trial


def noting(answer: Any, returned: list[Any]) -> Any:
    """The same function, which also notes what it gives back; anything else as it is."""
    if not isinstance(answer, FunctionType):
        return answer

    @wraps(answer)
    def noted(*args: Any, **options: Any) -> Any:
        returned.append(answer(*args, **options))
        return returned[-1]

    return noted


def unlike(returned: list[Any], wanted: list[Any]) -> Text | None:
    """How the last thing that an answer gave back differs in kind from the reference's."""
    pairs = [tuple(map(kind_of, pair)) for pair in zip(returned, wanted, strict=False)]
    off = [pair for pair in pairs if pair[0] != pair[1]]
    return UNLIKE.fill(got=off[-1][0], wanted=off[-1][1]) if off else None


def alike(came: Mapping[str, Array], others: Mapping[str, Array]) -> bool:
    """Whether the same names came, with the same values."""
    return came.keys() == others.keys() and all(same(came[name], others[name]) for name in came)


def array_of(value: Any) -> Array:
    """A Tensor, number or array as an array of its own."""
    return value.numpy() if isinstance(value, Tensor) else np.array(value)


def is_shown(value: Any) -> bool:
    """Whether learners see this input: Tensors, numbers and arrays of them."""
    return isinstance(value, Tensor) or np.asarray(value).dtype.kind in "biuf"


def experiment(
    reference: Callable[..., Any],
    *,
    inputs: Drawn,
    use: Use,
    zh: Mapping[str, str] = MappingProxyType({}),
) -> Check:
    """The answer makes the same of things as `reference`: changes in place, graphs, anything.

    `inputs` draws what is needed from a random generator, by name. `use` takes the answer and these
    inputs, puts it to work, and gives back by name what is compared: Tensors, numbers, arrays, or
    None for what is missing. `zh` says in Chinese those of these names that are words. A Slip's
    `gives` is a wrong answer.

    >>> from minipaddle.exercises import checks
    >>> check = checks.experiment(
    ...     lambda numbers: numbers.sort(),
    ...     inputs=lambda rng: {"numbers": list(rng.permutation(5))},
    ...     use=lambda answer, numbers: (answer(numbers), {"numbers": numbers})[1],
    ... )
    """
    return Experiment(reference, inputs, use, zh)
