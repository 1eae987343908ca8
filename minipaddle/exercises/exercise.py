"""Exercise: a task with its checks, hints and solution."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from keyword import iskeyword
from typing import Any

import numpy as np

from ..engine.errors import CheckFailed, InvalidArgument, InvalidType
from ..engine.source_line import SourceLine, of_function
from ..errors import misfit, require
from ..messages import Message
from ..ops.arguments import as_list
from . import errors, progress
from .cards import Words, show
from .checks.check import NOTHING, Check, FunctionCheck
from .outcome_cards import OutcomeCard
from .outcomes import SILENT, Failed, NotYet, Outcome, Right, Wrong, current_language, text
from .trials import Slip, in_words, plain_modes

SEED = 2023
GIVEN = ("@", "class", "def", "import", "from")  # beginnings of lines that solve nothing
HIDDEN = Message("A check that was not handed out fails: {name}.")
HINT = Message("Hint {n} of {count} for {name}: ")
MORE = Message("Call .hint() again for the next one.")
LAST = Message("That was the last hint.")
LAST_AND_SOLUTION = Message("That was the last hint; .show_solution() shows a solution.")
NO_HINT = Message("{name} has no hints.")
NO_SOLUTION = Message("{name} comes without a solution.")
HOW_TO_CHECK = "write for example check=checks.value(0.5)"

# Under grading: a function of an exercise and an answer that lets another process judge it; False
# if it does not know the exercise.
elsewhere: list[Callable[[Exercise, Any], bool]] = []


class NotRight(CheckFailed):
    """An answer is not right, in strict mode."""


class Exercise:
    """Task in a notebook that judges its own answers.

    `check` is one of `exercises.checks`, a function of the answer, or a list of these. Texts are in
    one language, or in two: ("English", "中文"). `answer` is the name of the graded variable, by
    default the exercise's name. InvalidArgument and InvalidType for wrong arguments.

    >>> from minipaddle.exercises import Exercise, checks
    >>> double = Exercise(
    ...     "double",
    ...     check=checks.function(lambda x: 2 * x),
    ...     hints=["Add x to itself.", "return x + x"],
    ... )
    >>> double.check(lambda x: 3 * x)  # doctest: +ELLIPSIS
    ✗ double: wrong
      It runs, but not everything comes out as it should. y is 1.5 times too large...
    """

    def __init__(
        self,
        name: str,
        *,
        check: Any,
        title: Any = "",
        points: float = 1,
        slips: Sequence[Slip] = (),
        hints: Sequence[Any] = (),
        solution: Any = "",
        praise: Any = "",
        answer: str = "",
    ) -> None:
        check_name(self, name, "An exercise")
        check_points(name, points)
        self.name, self.points, self.answer = name, points, answer or name
        self.title, self.solution, self.praise = text(title), text(solution), text(praise)
        self.checks = as_checks(name, check)
        self.slips = tuple(slips)
        names = [slip.name for slip in slips]
        if twice := sorted({each for each in names if names.count(each) > 1}):
            expected = f"a name of its own for each slip of {name}"
            fix = Message("rename one of them")
            raise misfit("Exercise", expected, InvalidArgument, fix, slips=twice)
        for slip in slips:
            if any(each.accepts(slip) for each in self.checks):
                raise errors.slip_is_right(name, slip.name, slip.gives)
        self.hints = tuple(map(text, hints))
        self.hidden: dict[str, tuple[Check, ...]] = {}
        self.course = ""  # name of the exercise's file
        self.course_title = SILENT
        self.shows_answer = True
        self._hints_given = 0
        self._slips_tried = False
        made = sys._getframe(2)  # frame that calls the wrapped constructor
        self.place = SourceLine(made.f_code.co_filename, made.f_lineno, made.f_code.co_name)

    def __repr__(self) -> str:
        return f"<Exercise {self.name}>"

    # ----- judging -------------------------------------------------------------------------------

    def judge(self, answer: Any, *, seed: int = SEED, hidden: bool = True) -> Outcome:
        """Return the outcome of an answer without showing it, as grading does.

        Hidden checks are run too, unless `hidden` is False.
        """
        self.try_slips()
        if answer is None or answer is ...:
            return NotYet(NOTHING)
        rng = np.random.default_rng(seed)
        with plain_modes():
            for check in self.checks:
                outcome = check.judge(answer, self.slips, rng)
                if not outcome.solved:
                    return outcome
            for name, checks in self.hidden.items() if hidden else ():
                if not all(self._passes(check, name, answer, rng) for check in checks):
                    return Wrong(HIDDEN.fill(name=name), slip="hidden")
            return Right(self.praise)

    def _passes(self, check: Check, name: str, answer: Any, rng: np.random.Generator) -> bool:
        """Return whether a hidden check is passed; raise an error if the check itself fails."""
        try:
            outcome = check.judge(answer, self.slips, rng)
        except Exception as error:
            raise errors.broken_check(self.name, name, in_words(error)) from error
        if isinstance(outcome, Failed) and outcome.by_check:
            raise errors.broken_check(self.name, name, outcome.error)
        return outcome.solved

    def check(self, answer: Any) -> None:
        """Show the outcome of an answer, and store it in the progress.

        Hidden checks are not run. With MINIPADDLE_STRICT=1 in the environment a wrong answer raises
        NotRight.
        """
        if any(judge(self, answer) for judge in elsewhere):
            return
        outcome = self.judge(answer, hidden=False)
        progress.note(self, "check", outcome.verdict, slip=outcome.slip)
        card = OutcomeCard(self, outcome)
        show(card)
        if os.environ.get("MINIPADDLE_STRICT") == "1" and not outcome.solved:
            raise NotRight(repr(card))

    def hide(self, name: str, check: Any) -> None:
        """Add a check for grading alone; a failure shows only its name.

        Call it in a file that learners do not get.
        """
        self.hidden[name] = as_checks(self.name, check)

    def keep_answer(self) -> None:
        """Show no expected values, no solution, and no hint that gives the solution away.

        That is the last of several hints, and each that has half of the solution's lines.
        """
        code = [remove_spaces(line.partition("#")[0]) for line in str(self.solution).splitlines()]
        lines = [line for line in code if line and not line.startswith(GIVEN)]
        hints = self.hints[:-1] if len(self.hints) > 1 else self.hints
        self.hints = tuple(
            hint
            for hint in hints
            if 2 * sum(line in remove_spaces(str(hint)) for line in lines) < max(len(lines), 1)
        )
        self.shows_answer, self.solution = False, SILENT

    def try_slips(self) -> None:
        """Raise an error for a slip whose formula never works, so that no answer can show it.

        This waits until the exercise is used, since a formula may need names defined later in its
        file.
        """
        if self._slips_tried:
            return
        for slip in self.slips:
            with plain_modes():
                faults = [each.fault(slip, np.random.default_rng(SEED)) for each in self.checks]
            if all(faults):
                place = of_function(slip.gives) or self.place
                raise errors.useless_slip(self.name, slip.name, faults[0], place)
        self._slips_tried = True

    # ----- help ----------------------------------------------------------------------------------

    def hint(self) -> None:
        """Show the next hint, or the last one again."""
        lang = current_language()
        if not self.hints:
            show(Words(NO_HINT.fill(name=self.name).of(lang)))
            return
        count = len(self.hints)
        self._hints_given = number = min(self._hints_given + 1, count)
        progress.note(self, "hint", number)
        head = HINT.fill(n=str(number), count=str(count), name=self.name)
        said = head.of(lang) + self.hints[number - 1].of(lang)
        last = LAST_AND_SOLUTION if self.solution.of(lang) else LAST
        show(Words(f"{said}\n{(MORE if number < count else last).of(lang)}"))

    def note_help(self, number: int) -> None:
        """Note that a hint, or after the last one the solution, was opened by its button."""
        if number <= len(self.hints):
            progress.note(self, "hint", number)
        elif self.solution.of(current_language()):
            progress.note(self, "solution", "asked")

    def show_solution(self) -> None:
        """Show the solution, and note that it was asked for."""
        solution = self.solution.of(current_language())
        if solution:
            progress.note(self, "solution", "asked")
        show(Words(solution or NO_SOLUTION.fill(name=self.name).of(current_language())))


def remove_spaces(text: str) -> str:
    """Return a text without its spaces."""
    return "".join(text.split())


# ----- what an exercise is made of ---------------------------------------------------------------


def check_name(of: object, name: Any, what: str) -> None:
    """Raise an error for a name that no variable can have, or that `of` or a course uses."""
    variable = isinstance(name, str) and name.isidentifier() and not iskeyword(name)
    if not variable or name.startswith("_"):
        raise errors.no_name(what, name)
    if hasattr(type(of), name) or name == "title":  # an attribute of courses
        raise errors.name_taken(what, name)


def check_points(name: str, points: Any) -> None:
    """Raise an error unless points are a number from 0 to below a million."""
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points < 1e6:
        expected, fix = f"a number from 0 on for {name}", "write for example points=2"
        raise misfit("", expected, InvalidArgument, fix, points=points)


def as_checks(name: str, given: Any) -> tuple[Check, ...]:
    """Return a check, a function or a list of these as checks."""
    checks = as_list(given)
    for each in checks:
        if not (isinstance(each, Check) or callable(each)):
            kinds = "one of exercises.checks, a function of the answer, or a list of them"
            raise misfit("", f"{kinds}, for {name}", InvalidType, HOW_TO_CHECK, check=each)
    require(checks, "", f"a check for {name}", InvalidArgument, HOW_TO_CHECK, check=given)
    return tuple(each if isinstance(each, Check) else FunctionCheck(each) for each in checks)
