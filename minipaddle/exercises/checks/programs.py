"""Programs of static mode: their fetched values for random feeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ... import static
from ...messages import Message
from ..outcomes import Array, NotYet, Outcome, Wrong
from ..trials import SHAPES, Arrays, Inputs, Trial, attempt, draw, names_of, right_values
from ..workbench import static_mode
from .check import NOTHING, Check

NO_PROGRAM = Message(
    "A Program is asked for, or a pair: the main program and the startup program. This is {got}."
)
NO_VARIABLE = Message("The Program has no variable {name!r}; it has {there}.")


class program(Check):
    """Check that the answer is a Program, or a pair of main and startup program.

    The arguments of `reference` have the names of the feeds; it returns the values of the Variables
    named in `fetch`, such as "y" or "x@GRAD".

    >>> from minipaddle.exercises import checks
    >>> check = checks.program(lambda x: 2 * x, fetch="y", inputs=[(4, 3)])
    """

    def __init__(
        self, reference: Callable[..., Any], fetch: str | Sequence[str], inputs: Inputs = SHAPES
    ) -> None:
        self.reference, self.inputs, self.names = reference, inputs, names_of(reference)
        self.fetch = (fetch,) if isinstance(fetch, str) else tuple(fetch)

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that lacks a named Variable or is no Program, or None."""
        main, _ = pair(answer)
        if main is None:
            return Wrong(NO_PROGRAM.fill(got=type(answer).__name__), slip="no_program")
        if not main.global_block().ops:
            return NotYet(NOTHING)
        there = main.global_block().vars
        for name in (*self.names, *self.fetch):
            if name not in there:
                words = NO_VARIABLE.fill(name=name, there=", ".join(there))
                return Wrong(words, slip="no_variable")
        return None

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterator[Trial]:
        """Yield a trial for each draw of feeds."""
        for arrays in draw(self.inputs, len(self.names), rng):
            feed = dict(zip(self.names, arrays, strict=True))
            wanted = dict(zip(self.fetch, right_values(self.reference, arrays), strict=True))
            trial = Trial(arrays, feed, wanted, compared=self.fetch)
            trial.run_again = again = partial(run, answer, feed, self.fetch)
            attempt(trial, partial(self.note, trial, again))
            yield trial

    def samples(self, rng: np.random.Generator) -> Iterator[tuple[Arrays, int]]:
        """Yield the feeds, and the number of fetched values."""
        for arrays in draw(self.inputs, len(self.names), rng):
            yield arrays, len(self.fetch)

    def note(self, trial: Trial, again: Callable[[], list[Array]]) -> None:
        """Run the Program, and store the fetched values by name."""
        trial.came = dict(zip(self.fetch, again(), strict=True))


def pair(answer: Any) -> tuple[Any, Any]:
    """Return the main program and the startup program; None in place of a missing one."""
    main, startup = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    return (main if isinstance(main, static.Program) else None), startup


def run(answer: Any, feed: dict[str, Array], fetch: Sequence[str]) -> list[Array]:
    """Run a Program once in static mode and in its own scope; restore the mode."""
    main, startup = pair(answer)
    executor = static.Executor()
    with static_mode():
        if startup is not None:
            executor.run(startup)
        dtypes = {name: main.global_block().var(name).dtype.name for name in feed}
        given = {name: np.asarray(x, dtypes[name]) for name, x in feed.items()}
        return [np.asarray(x) for x in executor.run(main, feed=given, fetch_list=list(fetch))]
