"""Slips: classic wrong answers, each with a hint of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.errors import InvalidArgument
from .language import text
from .trials import Trial


class Slip:
    """A classic mistake: how it is recognised, and what to say about it.

    `gives` is what an answer with this mistake comes out with: a value, or a function of what the
    check draws (of a PyLayer dy and the inputs, of a function its inputs). `seen` looks at the
    trial itself. `facts` fills the names in braces of the hint. `not_yet` is for the scaffold that
    was handed out, where it computes something: its outcome is "not yet" in place of "wrong".
    InvalidArgument where there is neither `gives` nor `seen`.

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
        seen: Callable[[Any], bool] | None = None,
        facts: Callable[[Any], dict[str, Any]] | None = None,
        not_yet: bool = False,
    ) -> None:
        if (gives is None) == (seen is None):
            raise InvalidArgument(
                f"The slip {name!r} cannot be recognised.",
                expected="gives= or seen=, one of the two",
                received="neither" if gives is None else "both",
                fix="give the value or the formula that the mistake leads to: "
                "gives=lambda dy, x: 2 * x",
            )
        self.name, self.hint = name, text(hint)
        self.gives, self.seen, self.facts, self.not_yet = gives, seen, facts, not_yet

    def fits(self, trial: Trial) -> bool:
        """Whether a trial shows this mistake."""
        return self.seen(trial) if self.seen is not None else trial.gives(self.gives)
