"""Judging of answers: run trials, find classic slips, describe differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...engine.source_line import raised_by_user
from ...messages import Message
from .. import errors
from ..outcomes import SILENT, Failed, NotYet, Outcome, Right, Wrong, sentences, text
from ..trials import (
    A_NUMBER,
    Arrays,
    Slip,
    Trial,
    facts,
    form_of,
    in_words,
    is_stub,
    is_to_be_written,
    unwrap,
    values_of,
)

RAISED = Message("Your answer stopped with an exception.")
STOPPED = Message("The check cannot go on with your answer.")
NOTHING = Message("There is no answer yet.")
NO_FUNCTION = Message("A function of {names} is asked for. This is {got}.")
NUMBERS = Message("It runs, but not everything comes out as it should.")
SHAPE = Message("{name} has the shape {got}; it should be {wanted}.")
KIND = Message("{name} is {got}; it should be {wanted}.")
NUMBERS_OF = Message("numbers in the shape {shape}")
ABSENT = Message("{name} is missing.")
UNASKED = Message("There should be no {name}.")
ZERO = Message("{name} is zero everywhere.")
ZERO_ALONE = Message("{name} is 0.")  # of a single number
SIGN = Message("{name} has the wrong sign.")
LARGE = Message("{name} is {factor} times too large.")
SMALL = Message("{name} is {factor} times too small.")
UNKNOWN = "k"  # factor that is not shown
LARGE_SIGN = Message("{name} has the wrong sign and is {factor} times too large.")
SMALL_SIGN = Message("{name} has the wrong sign and is {factor} times too small.")


class Check:
    """Base of the checks, each of which judges one kind of answer."""

    slips: tuple[Slip, ...] = ()  # classic mistakes of this kind of answer
    wrong: Message = NUMBERS

    def refuse(self, answer: Any) -> Outcome | None:
        """Return the outcome of an answer that cannot be tried at all, else None."""
        raise NotImplementedError

    def trials(self, answer: Any, rng: np.random.Generator) -> Iterable[Trial]:
        """Yield trials, each of which has run the answer."""
        raise NotImplementedError

    def first(self, trial: Trial) -> Outcome | None:  # noqa: ARG002 - for those that override it
        """Return the outcome of a mistake that is checked before the slips, else None."""
        return None

    def facts(self, trial: Trial) -> dict[str, Any]:  # noqa: ARG002
        """Return values for the slots of the slips' hints."""
        return {}

    def judge(self, answer: Any, slips: Sequence[Slip], rng: np.random.Generator) -> Outcome:
        """Judge an answer; an exception of the answer is an outcome too."""
        if refused := self.refuse(answer):
            return refused
        trials = list(self.trials(answer, rng))
        if any(is_to_be_written(trial.error) for trial in trials):
            return NotYet(NOTHING)
        first = next(filter(None, map(self.first, trials)), None)
        if first is None and all(trial.right for trial in trials):
            return Right(SILENT)
        return (
            self.find_known_slip(trials, [slip for slip in slips if slip.not_yet])
            or first
            or self.find_known_slip(trials, [*slips, *self.slips])
            or self.exception_outcome(trials)
            or self.difference_outcome(trials)
        )

    def accepts(self, slip: Slip) -> bool:  # noqa: ARG002
        """Return whether the wrong answer of a slip is right; False if only a run can show it."""
        return False

    def samples(self, rng: np.random.Generator) -> Iterable[tuple[Arrays, int]]:  # noqa: ARG002
        """Yield arguments of a slip's formula, with the number of values that it must return."""
        return ()

    def fault(self, slip: Slip, rng: np.random.Generator) -> str:
        """Return why the formula of a slip never works, or "" if it does."""
        if not callable(slip.gives):
            return ""
        why = ""
        for arguments, count in self.samples(rng):
            try:
                came = len(values_of(slip.gives, arguments))
            except Exception as error:  # noqa: BLE001 - it may not fit every shape
                why = str(in_words(error)).partition("\n")[0]
            else:
                if came == count:
                    return ""
                why = f"gives= gives {came}, where {count} are compared"
        return why

    def find_known_slip(self, trials: list[Trial], slips: Sequence[Slip]) -> Outcome | None:
        """Return the outcome of a classic mistake that every trial shows, else None."""
        shown = next((trial for trial in trials if not trial.right), trials[0])
        for slip in slips:
            if all(slip.fits(trial) for trial in trials):
                facts = self.facts(shown) | (slip.facts(shown) if slip.facts else {})
                hint = slip.hint.fill(**facts) if facts else slip.hint
                if slip.not_yet:
                    return NotYet(hint, slip=slip.name)
                return self.wrong_outcome(shown, hint, slip.name)
        return None

    def exception_outcome(self, trials: list[Trial]) -> Outcome | None:
        """Return the outcome of an exception that no slip describes."""
        for trial in trials:
            if trial.error is not None:
                words = in_words(trial.error)
                given, again = tuple(trial.given.items()), trial.run_again
                reason = RAISED if raised_by_user(trial.error) else STOPPED
                return Failed(reason, given, (), trial.line, error=words, record=again)
        return None

    def difference_outcome(self, trials: list[Trial]) -> Outcome:
        """Return the outcome of values that differ from the expected ones."""
        shown = next(trial for trial in trials if not trial.right)
        reason, brief = (
            sentences([self.wrong, *differences(shown, trials, factors)])
            for factors in (True, False)
        )
        return replace(self.wrong_outcome(shown, reason), brief=brief)

    def wrong_outcome(self, trial: Trial, reason: Message, slip: str = "") -> Outcome:
        """Return the outcome of a wrong answer, with the data of the trial."""
        given = tuple(trial.given.items())
        again, right = trial.run_again, trial.run_right
        return Wrong(reason, given, trial.pairs, trial.line, slip, record=again, model=right)


def refuse_function(answer: Any, names: Iterable[str]) -> Outcome | None:
    """Return the outcome of an answer that cannot be called or is still empty, else None."""
    known = facts(describe_function, answer)
    if not known["called"]:
        words = NO_FUNCTION.fill(names=", ".join(names), got=type(answer).__name__)
        return Wrong(words, slip="no_function")
    return NotYet(NOTHING) if known["empty"] else None


def describe_function(answer: Any, came: dict[str, Any]) -> None:
    """Note whether an answer can be called, and whether it is still empty."""
    came["called"] = callable(answer)
    came["empty"] = came["called"] and is_stub(answer)


# ----- differences in words ----------------------------------------------------------------------


def differences(shown: Trial, trials: list[Trial], factors: bool) -> list[Message]:
    """Describe the difference of each wrong name in a trial, without `factors` not by how much.

    Gradients are skipped if a value has the wrong shape, since then nothing flows back from it.
    """
    pairs = ((shown.came.get(name), shown.expected[name]) for name in shown.compared)
    fits = all(got is not None and got.shape == wanted.shape for got, wanted in pairs)
    names = shown.expected if fits else shown.compared
    said = [difference(name, shown, trials, factors) for name in names]
    unasked = [UNASKED.fill(name=shown.label(n)) for n in shown.came if n not in shown.expected]
    return [*filter(None, said), *unasked]


def difference(name: str, shown: Trial, trials: list[Trial], factors: bool) -> Message | None:
    """Describe the difference of one name; None if only the numbers differ."""
    expected, got, label = shown.expected[name], shown.came.get(name), shown.label(name)
    if got is None:
        return ABSENT.fill(name=label)
    if got.dtype.kind in "OU" and got.shape == () and expected.dtype.kind in "biufc":
        wanted = NUMBERS_OF.fill(shape=str([*expected.shape])) if expected.shape else A_NUMBER
        return KIND.fill(name=label, got=form_of(got.item()), wanted=wanted)
    if got.shape != expected.shape:
        return SHAPE.fill(name=label, got=str(list(got.shape)), wanted=str(list(expected.shape)))
    factor = constant_factor(name, trials)
    if factor is None or np.isclose(factor, 1.0, rtol=1e-4):
        return None
    if factor == 0:
        return (ZERO if expected.size > 1 else ZERO_ALONE).fill(name=label)
    if np.isclose(factor, -1.0, rtol=1e-4):
        return SIGN.fill(name=label)
    large, size = abs(factor) > 1, max(abs(factor), 1 / abs(factor))
    words = (LARGE if large else SMALL) if factor > 0 else (LARGE_SIGN if large else SMALL_SIGN)
    return words.fill(name=label, factor=f"{size:.4g}" if factors else UNKNOWN)


def constant_factor(name: str, trials: list[Trial]) -> float | None:
    """Return the factor between the answer's and the right values in all trials, or None."""
    pairs = [(t.came.get(name), t.expected[name]) for t in trials if name in t.expected]
    if any(got is None or got.shape != wanted.shape for got, wanted in pairs):
        return None
    got = np.concatenate([np.ravel(g) for g, _ in pairs if g is not None])
    wanted = np.concatenate([np.ravel(w) for _, w in pairs])
    # A factor between counts or booleans has no meaning.
    if wanted.dtype.kind != "f" or got.dtype.kind not in "biuf" or not np.any(wanted):
        return None
    factor = float(np.vdot(wanted, got) / np.vdot(wanted, wanted))
    fits = np.allclose(got, factor * wanted, rtol=1e-4, atol=1e-7)
    return (factor if np.any(got) else 0.0) if fits else None


class Inspection(Check):
    """Base of the checks that look at an answer without running it."""

    def fault(self, slip: Slip, rng: np.random.Generator) -> str:  # noqa: ARG002
        """Return why a slip without `seen` never fits: it needs a run of the answer; else ""."""
        used = "raises=" if slip.raises else "gives="
        return f"{used}, where the check only looks at the answer" if slip.seen is None else ""


def find_slip(answer: Any, slips: Sequence[Slip]) -> Outcome | None:
    """Return the outcome of the first slip whose `seen` recognises the answer, else None."""
    for slip in slips:
        if slip.seen is not None and slip.seen(answer):
            return (NotYet if slip.not_yet else Wrong)(slip.hint, slip=slip.name)
    return None


# ----- a plain function as a check ---------------------------------------------------------------


class FunctionCheck(Inspection):
    """Check by a function of the answer: its assert or its return value decides."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def judge(
        self,
        answer: Any,
        slips: Sequence[Slip],
        rng: np.random.Generator,  # noqa: ARG002 - it draws what it needs itself
    ) -> Outcome:
        """Return Right for None and True; a text or an AssertionError names the mistake."""
        try:
            said = self.function(answer)
        except AssertionError as error:
            said = str(error) or False
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it is an outcome
            if is_to_be_written(unwrap(error)):
                return NotYet(NOTHING)
            line = Trial(error=error).line
            by_check = not raised_by_user(error)
            reason = STOPPED if by_check else RAISED
            return Failed(reason, line=line, error=in_words(error), by_check=by_check)
        if said is None or (isinstance(said, bool | np.bool_) and said):
            return Right(SILENT)
        if slip := find_slip(answer, slips):
            return slip
        if isinstance(said, bool | np.bool_):
            return Wrong(Message("It is not right yet."))
        if isinstance(said, str | Message):
            return Wrong(text(said))
        raise errors.says_nothing(getattr(self.function, "__name__", "of an exercise"), said)
