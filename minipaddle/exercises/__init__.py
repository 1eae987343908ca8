"""Exercises that check themselves in any notebook: hints, pictures, predictions and grades.

from minipaddle.exercises import Exercise, Slip, checks

square = Exercise(
    "square",
    check=checks.pylayer(lambda x: x * x),
    slips=[Slip("forgot_dy", gives=lambda dy, x: 2 * x, hint="Multiply it by dy.")],
    hints=["The derivative of x² is 2x.", "forward has to save x.", "return dy * 2 * x"],
)
square.check(answer)    # a card: not yet, error, wrong or right
square.judge(answer)    # the outcome as an object, without showing it

`load("gates.py")` brings the exercises of a file, `load("01_one_tanh")` those of a lesson.
`docs/teaching.md` shows how a teacher writes, hands out and grades them.
"""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ..messages import Text
from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from . import checks
from .course import Course, load, solution_in
from .exercise import Exercise, NotRight
from .outcomes import Failed, NotYet, Outcome, Pair, Right, Wrong, set_lang
from .overview import show_progress
from .predictions import Prediction
from .progress import export as export_progress
from .trials import Slip, Trial

__all__ = list(_public_names(globals(), "checks"))

_publish(globals(), __all__)
