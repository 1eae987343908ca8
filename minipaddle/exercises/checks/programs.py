"""Programs of static mode: their fetched values for random feeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ... import static
from ...messages import Message
from ..outcomes import Array, NotYet, Outcome, Wrong
from ..trials import SHAPES, Arrays, Inputs, Trial, attempt, draw, facts, names_of, right_values
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
        known = facts(describe_program, answer)
        if not known:
            return Wrong(NO_PROGRAM.fill(got=type(answer).__name__), slip="no_program")
        if not known["ops"]:
            return NotYet(NOTHING)
        there = known["names"]
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
            trial.run_again = partial(run, answer, {}, feed, self.fetch)
            trial.came = attempt(trial, run, answer, feed, self.fetch)
            yield trial

    def samples(self, rng: np.random.Generator) -> Iterator[tuple[Arrays, int]]:
        """Yield the feeds, and the number of fetched values."""
        for arrays in draw(self.inputs, len(self.names), rng):
            yield arrays, len(self.fetch)


def pair(answer: Any) -> tuple[Any, Any]:
    """Return the main program and the startup program; None in place of a missing one."""
    main, startup = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    return (main if isinstance(main, static.Program) else None), startup


def describe_program(answer: Any, came: dict[str, Any]) -> None:
    """Note the number of operators and the names of Variables, if the answer is a Program."""
    main, _ = pair(answer)
    if main is not None:
        block = main.global_block()
        came |= {"ops": len(block.ops), "names": list(block.vars)}


def run(answer: Any, came: dict[str, Array], feed: dict[str, Array], fetch: Sequence[str]) -> None:
    """Run a Program once in static mode and in its own scope; restore the mode."""
    main, startup = pair(answer)
    executor = static.Executor()
    with static_mode():
        if startup is not None:
            executor.run(startup)
        dtypes = {name: main.global_block().var(name).dtype.name for name in feed}
        given = {name: np.asarray(x, dtypes[name]) for name, x in feed.items()}
        made = executor.run(main, feed=given, fetch_list=list(fetch))
        came |= dict(zip(fetch, map(np.asarray, made), strict=True))
