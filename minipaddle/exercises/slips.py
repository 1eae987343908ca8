"""Slips: classic wrong answers with their hints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import errors
from .language import text
from .trials import Trial


class Slip:
    """Classic mistake: how to recognise it, and its hint.

    `gives` is the wrong answer: a value, or a function of the inputs that the check draws (dy and
    the inputs of a PyLayer, the inputs of a function). `raises` is the message of its exception, or
    a part of it. `seen` is a predicate of the trial. `facts` computes the slots of the hint.
    `not_yet` marks a scaffold that computes something: its outcome is "not yet" instead of "wrong".
    InvalidArgument without one of `gives`, `raises` and `seen`.

    >>> from minipaddle.exercises import Slip
    >>> Slip("forgot_dy", gives=lambda dy, x: 2 * x, hint="Multiply it by dy.").name
    'forgot_dy'
    """

    def __init__(
        self,
        name: str,
        *,
        hint: Any,
        gives: Any = None,
        raises: str = "",
        seen: Callable[[Any], bool] | None = None,
        facts: Callable[[Any], dict[str, Any]] | None = None,
        not_yet: bool = False,
    ) -> None:
        options = {"gives=": gives is not None, "raises=": bool(raises), "seen=": seen is not None}
        if sum(options.values()) != 1:
            raise errors.slip_without_way(name, options)
        self.name, self.hint = name, text(hint)
        self.gives, self.raises, self.seen = gives, raises, seen
        self.facts, self.not_yet = facts, not_yet

    def fits(self, trial: Trial) -> bool:
        """Return whether a trial shows this mistake."""
        if self.seen is not None:
            return self.seen(trial)
        if self.raises:
            return trial.error is not None and self.raises in str(trial.error)
        return trial.gives(self.gives)
