"""Predictions: questions before the answer is visible; the first answer is locked."""

from __future__ import annotations

import html
import math
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ..engine.errors import InvalidArgument
from ..engine.visible import one_line
from ..errors import misfit
from ..messages import Message
from . import errors, progress
from .cards import AMBER, GREEN, Card, Words, show
from .checks.values import as_array
from .exercise import check_name, check_points
from .outcomes import SILENT, NotYet, Outcome, Right, Wrong, current_language, sentences, text

EXAMPLES = {"number": "0.25", "count": "12", "shape": "[5, 4]", "name": "dy"}
KINDS = {
    "number": Message("number"),
    "count": Message("whole number"),
    "shape": Message("shape"),
    "name": Message("name"),
    "choice": Message("choice"),
}
OPEN, LOCKED = Message("predict"), Message("locked")
LOCK, COMPARE = Message("Lock my answer"), Message("Compare")
HOW = Message("Answer with .answer({example}).")
YOURS = Message("Your answer: {given}. Now go on and see.")
LATE = Message("Your answer: {given}, after other cells had run.")
UNREADABLE = Message("“{raw}” cannot be read as a {kind}; write it like {example}.")
NO_CHOICE = Message("“{raw}” is none of the choices; write one of them in full.")
CORRECT = Message("As you predicted: {truth}.")
OTHERWISE = Message("You predicted {given}; it is {truth}.")
NONE_YET = Message("There is no prediction yet.")
# No state is red: a learner gains most from a wrong prediction.
COMPARED: dict[type[Outcome], tuple[str, Message, str]] = {
    NotYet: ("○", Message.in_context("prediction", "not yet"), AMBER),
    Right: ("✓", Message("as predicted"), GREEN),
    Wrong: ("≠", Message("otherwise"), AMBER),
}
FIRST = Message("First answer the question {name}, then run this cell again.")


# Lines of cells that show nothing of the answer.
ASKS_OR_ANSWERS = re.compile(r"(?:\s*[\w.]+\.(?:ask|answer)\(.*\))?\s*(?:#.*)?")


class Prediction:
    """Question whose first answer is locked, to compare it with the result.

    `choices` are the texts to choose from; without them `kind` is the kind of the typed answer:
    "number" (right if it differs by at most `within`), "count" (an int), "shape" or "name".
    `because` explains the truth once the answer is locked. Texts are in one language or in two.
    InvalidArgument for wrong arguments.

    >>> from minipaddle.exercises import Prediction
    >>> first = Prediction("first", question="Which runs first?", choices=["tanh", "mean"],
    ...                    truth="mean", because="Backward starts at the loss.")
    >>> first.answer("tanh")
    ? first: locked
      Which runs first?
      Your answer: tanh. Now go on and see.
    >>> first.compare()
    ≠ first: otherwise
      You predicted tanh; it is mean. Backward starts at the loss.
    """

    def __init__(
        self,
        name: str,
        *,
        question: Any,
        truth: Any,
        choices: Sequence[Any] = (),
        kind: str = "",
        because: Any = "",
        within: float = 1e-3,
        points: float = 0,
    ) -> None:
        check_name(self, name, "A prediction")
        check_points(name, points)
        self.name, self.points, self.course = name, points, ""
        self.course_title = SILENT
        self.question, self.because, self.within = text(question), text(because), within
        self.choices = tuple(map(text, choices))
        self.kind = "choice" if choices else kind
        if self.kind not in KINDS:
            expected = 'choices=[...], or kind="number", "count", "shape" or "name"'
            given = {"kind": kind, "choices": choices}
            raise misfit("Prediction", expected, InvalidArgument, 'kind="number"', **given)
        self.truth = self.read(truth)
        if self.truth is None:
            raise errors.no_truth(name, truth, self.kind, self.choices)
        self._given: Any = None
        self._late = False
        self._asked_at = 0

    def __repr__(self) -> str:
        return f"<Prediction {self.name}>"

    # ----- asking and answering ------------------------------------------------------------------

    def ask(self) -> None:
        """Show the question, or the prediction if there is one."""
        self._asked_at = len(cells_run())
        show(PredictionCard(self))

    def answer(self, value: Any) -> None:
        """Lock an answer, unless one is locked, and show the card."""
        refusal = self.lock(value, cells=1)  # the cell with this call does not count
        show(PredictionCard(self, refusal))

    def lock(self, value: Any, cells: int = 0) -> str:
        """Lock the first readable answer; return why this answer is not locked, or "".

        An answer is late if a cell that shows something has run since the question; the last
        `cells` cells do not count.
        """
        if self.given is not None:
            return ""
        read = self.read(value)
        if read is None:
            words = NO_CHOICE if self.choices else UNREADABLE
            slots = {"kind": KINDS[self.kind], "example": EXAMPLES.get(self.kind, "")}
            return words.fill(raw=one_line(value, 80), **slots).of(current_language())
        self._given = read
        ran = cells_run()
        since = ran[self._asked_at : len(ran) - cells] if self._asked_at else []
        self._late = any(
            not all(map(ASKS_OR_ANSWERS.fullmatch, cell.splitlines())) for cell in since
        )
        progress.note(self, "predict", str(self.words_for(read)), slip="late" if self._late else "")
        return ""

    @property
    def given(self) -> Any:
        """Locked answer, also of an earlier session; None before."""
        if self._given is None and self.course:
            wanted = (self.course, self.name, "predict")
            for entry in progress.entries()[0]:
                if (entry.course, entry.exercise, entry.did) == wanted:
                    self._given, self._late = self.read(entry.what), entry.slip == "late"
                    break
        return self._given

    def read(self, value: Any) -> Any:
        """Return an answer as a value of its kind (a choice in English), None if unreadable."""
        if value is None:
            return None
        if self.kind == "choice":
            wanted = {*text(value).by_language().values()}
            fits = (c for c in self.choices if wanted & {*c.by_language().values()})
            return next(map(str, fits), None)
        return READERS[self.kind](value)

    def words_for(self, value: Any, digits: int = 6) -> Message:
        """Return an answer as a text for cards."""
        if self.kind == "choice":
            return next(choice for choice in self.choices if str(choice) == value)
        if self.kind == "shape":
            return text(str(list(value)))
        return text(f"{value:.{digits}g}" if self.kind == "number" else value)

    # ----- what follows --------------------------------------------------------------------------

    def judge(self, answer: Any) -> Outcome:
        """Return whether an answer is right, without showing or locking it."""
        return self.verdict(self.read(answer))

    def verdict(self, read: Any) -> Outcome:
        """Return whether a read answer is right; None is no answer."""
        if read is None:
            return NotYet(NONE_YET)
        near = self.kind == "number" and abs(read - self.truth) <= self.within
        if near or read == self.truth:
            said = CORRECT.fill(truth=self.words_for(self.truth))
            return Right(sentences([said, self.because]))
        said = OTHERWISE.fill(**self.distinguish(read))
        return Wrong(sentences([said, self.because]))

    def distinguish(self, read: Any) -> dict[str, Message]:
        """Return an answer and the truth with the least number of digits at which they differ."""
        for digits in range(6, 18):
            given, truth = self.words_for(read, digits), self.words_for(self.truth, digits)
            if given != truth:
                break
        return {"given": given, "truth": truth}

    def compare(self) -> None:
        """Show the prediction beside the truth, or that there is none."""
        show(ComparisonCard(self))

    def reveal(self, thing: Any) -> Any:
        """Return something for the cell to show; before a prediction is locked, a reminder."""
        if self.given is None:
            return Words(FIRST.fill(name=self.name).of(current_language()))
        return thing


def cells_run() -> list[str]:
    """Return the cells that the notebook has run, the current one included; outside of one []."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return list(shell.history_manager.input_hist_parsed) if shell is not None else []


# ----- the card ----------------------------------------------------------------------------------


class PredictionCard(Card):
    """Question, or the locked answer with a button that compares it."""

    def __init__(self, prediction: Prediction, refusal: str = "") -> None:
        super().__init__(prediction.name)
        self.prediction, self.refusal = prediction, refusal

    def state(self) -> tuple[str, Message]:
        """Return the mark and the word of an open or a locked question."""
        return "?", OPEN if self.prediction.given is None else LOCKED

    def body(self) -> list[str]:
        """Return the question, its choices, and how to answer it; or the answer."""
        prediction, lang = self.prediction, self.lang
        rows = [prediction.question.of(lang)]
        if prediction.given is not None:
            given = prediction.words_for(prediction.given)
            return [*rows, (LATE if prediction._late else YOURS).fill(given=given).of(lang)]
        rows += [f"- {choice.of(lang)}" for choice in prediction.choices]
        first = repr(prediction.choices[0].of(lang)) if prediction.choices else ""
        example = first or {"name": '"dy"'}.get(prediction.kind, EXAMPLES.get(prediction.kind, ""))
        return [*rows, self.refusal, HOW.fill(example=example).of(lang)]

    def face(self) -> dict[str, Any]:
        """Return the question as a form, or after the answer a button that compares it."""
        prediction, lang = self.prediction, self.lang
        if prediction.given is not None:
            said = prediction.verdict(prediction.given).reason.of(lang)
            button = {"label": COMPARE.of(lang), "text": said, "code": False}
            return {**super().face(), "buttons": [button]}
        question = {
            "prompt": prediction.question.of(lang),
            "choices": [choice.of(lang) for choice in prediction.choices],
            "example": EXAMPLES.get(prediction.kind, ""),
            "send": LOCK.of(lang),
        }
        refusal = self.page([f"<div>{html.escape(self.refusal)}</div>"] if self.refusal else [])
        return {"html": refusal, "buttons": [], "question": question}

    def answer(self, value: Any) -> None:
        """Lock the answer of the form."""
        self.refusal = self.prediction.lock(value)


class ComparisonCard(Card):
    """Prediction beside the truth."""

    def __init__(self, prediction: Prediction) -> None:
        super().__init__(prediction.name)
        self.outcome = prediction.verdict(prediction.given)
        *_, self.colour = COMPARED[type(self.outcome)]

    def state(self) -> tuple[str, Message]:
        """Return whether the prediction was right."""
        mark, word, _ = COMPARED[type(self.outcome)]
        return mark, word

    def body(self) -> list[str]:
        """Return the prediction, the truth, and the reason."""
        return [self.outcome.reason.of(self.lang)]


# ----- typed answers -----------------------------------------------------------------------------


def number_in(value: Any) -> float | None:
    """Read a finite number, or a quotient such as 1/6; return None for other values."""
    if isinstance(value, str):
        top, slash, bottom = value.replace("−", "-").partition("/")
        try:
            number = float(top) / float(bottom) if slash else float(top)
        except (ValueError, ZeroDivisionError):
            return None
    else:
        array = as_array(value)
        if array is None or array.shape != () or array.dtype.kind not in "iuf":
            return None
        number = float(array)
    return number if math.isfinite(number) else None


def count_in(value: Any) -> int | None:
    """Read an int; return None for other values."""
    number = number_in(value)
    return None if number is None or not number.is_integer() else int(number)


def shape_in(value: Any) -> tuple[int, ...] | None:
    """Read sizes: [2, 3], (2, 3), 2 x 3 or 2×3; [] is the shape of a single number."""
    if isinstance(value, list | tuple):
        value = str(list(value))
    inner = str(value).strip().strip("[]()").strip()
    parts = re.split(r"\s*[,x×，]\s*|\s+", inner.rstrip(",")) if inner else []
    fits = all(part.isdecimal() for part in parts)
    return tuple(map(int, parts)) if fits and (parts or str(value).strip()) else None


def name_in(value: Any) -> str | None:
    """Read a name, with or without quotes."""
    return str(value).strip().strip("`'\"“”‘’").strip() or None


READERS: dict[str, Callable[[Any], Any]] = {
    "number": number_in,
    "count": count_in,
    "shape": shape_in,
    "name": name_in,
}
