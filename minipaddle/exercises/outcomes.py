"""Outcomes of answers: not yet, error, wrong, right; cards show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..engine.errors import as_message
from ..messages import EMPTY, SENTENCES, Message, Row, Text, languages
from ..ops.errors import require_choice

Array = np.ndarray[Any, Any]
SILENT = EMPTY


@dataclass(frozen=True)
class Pair:
    """Expected array beside the received one; `label` is its name on cards."""

    name: str
    expected: Array
    got: Array
    title: Message | None = None

    @property
    def label(self) -> Message:
        """Name on cards."""
        return self.title or Text(self.name)


@dataclass(frozen=True)
class Outcome:
    """Base of the outcomes: the reason, and the data that lets the learner see why.

    `given` are the arrays that the answer was run with; `record` runs the answer once more, and
    `model` the reference in its place. `teacher_pairs` are for the teacher's table alone. `brief`
    is the reason without numbers from which the right values follow, if it has such numbers.
    """

    verdict: ClassVar[str]
    solved: ClassVar[bool] = False

    reason: Message
    given: tuple[tuple[str, Array], ...] = ()
    pairs: tuple[Pair, ...] = ()
    line: str = ""  # line of the learner's cell that raised
    slip: str = ""  # name of the recognised mistake
    error: Message = SILENT  # exception that no slip describes
    brief: Message = SILENT
    teacher_pairs: tuple[Pair, ...] = field(default=(), compare=False, repr=False)
    record: partial[Any] | None = field(default=None, compare=False, repr=False)
    model: Callable[[], Any] | None = field(default=None, compare=False, repr=False)


class NotYet(Outcome):
    """There is no answer yet."""

    verdict = "not yet"


@dataclass(frozen=True)
class Failed(Outcome):
    """The answer raised an exception that no slip knows.

    `by_check`: the exception came from the check's own lines.
    """

    verdict = "error"
    by_check: bool = False


class Wrong(Outcome):
    """The answer ran but is not right."""

    verdict = "wrong"


class Right(Outcome):
    """All checks are passed."""

    verdict = "right"
    solved = True


# ----- language ----------------------------------------------------------------------------------


_chosen_language = "en"


def set_lang(lang: str) -> None:
    """Set the language of exercises: English ("en"), Chinese ("zh"), or another translated one.

    Errors: InvalidArgument for any other language.

    >>> from minipaddle import exercises
    >>> exercises.set_lang("en")
    """
    global _chosen_language
    require_choice("set_lang", "lang", lang, languages())
    _chosen_language = lang


def current_language() -> str:
    """Return the current language."""
    return _chosen_language


def text(words: object) -> Message:
    """Return a text in both languages: a Text unchanged, a pair of texts, or one text for both."""
    return Text(*words) if isinstance(words, tuple) and len(words) == 2 else as_message(words)


def sentences(texts: Iterable[Message]) -> Message:
    """Join sentences, without the empty ones."""
    return Row([each for each in texts if each != EMPTY], SENTENCES).message()
