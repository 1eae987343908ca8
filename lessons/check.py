"""Checks for the exercises: `check.square(square)`, `check.hint("square")`, and the solution.

A check shows a mark and never stops the notebook. With MINIPADDLE_STRICT=1 in the environment it
raises `NotRight` instead, so that tests can run the lessons.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exercises import one_tanh, pylayer
from exercises.outcomes import Outcome, Shown
from exercises.words import Say
from IPython.display import display

from minipaddle.engine.errors import InvalidArgument, NotFound

__all__ = ["NotRight", "hint", "judge", "lang", "solution"]

HERE = Path(__file__).resolve().parent
EXERCISES = {**one_tanh.EXERCISES}
HINTS = {**one_tanh.HINTS}

lang = "en"  # the notebook's first cell sets it
_given: dict[str, int] = {}  # how many hints each exercise has had

HINT = Say("Hint {n} of 3 for {name}: ", "{name} 的提示（{n}/3）：")
MORE = Say(
    'Run check.hint("{name}") again for the next one.', '再运行一次 check.hint("{name}") 看下一条。'
)
LAST = Say(
    'That was the last hint. check.solution("{name}") shows a solution.',
    '提示到此为止。check.solution("{name}") 会给出参考答案。',
)
UNKNOWN = Say(
    "There is no exercise {name!r}. There are: {known}.", "没有叫“{name}”的练习。可用：{known}。"
)
NAMELESS = Say("Name an exercise. There are: {known}.", "请写上练习的名字。可用：{known}。")


class NotRight(AssertionError):
    """In strict mode: an exercise that is not solved."""


class Words:
    """A text that notebooks show without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def judge(name: str, answer: Any) -> Outcome:
    """What the check thinks of an answer, without showing it."""
    return pylayer.judge(exercise(name), answer)


def hint(which: Any = None) -> None:
    """Show the next of three hints; after the third, the third again."""
    name = exercise_name(which)
    if not name:
        return
    hints = HINTS[name]
    number = _given[name] = min(_given.get(name, 0) + 1, len(hints))
    head = HINT.fill(n=number, name=name)
    tail = (MORE if number < len(hints) else LAST).fill(name=name)
    said = hints[number - 1]
    display(Words("\n".join([head.of(spoken()) + said.of(spoken()), tail.of(spoken())])))


def solution(which: Any = None) -> None:
    """Show the solution, as it stands in the folder `solutions`."""
    name = exercise_name(which)
    if not name:
        return
    folder = HERE / "solutions" / ("zh" if spoken() == "zh" else "")
    for path in sorted(folder.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["metadata"].get("exercise") == name:
                display(Words("".join(cell["source"])))
                return
    raise NotFound(
        f"The solution of {name} is not there.",
        expected=f"a notebook with it in {folder}",
        received="none",
        fix="copy the lessons anew: minipaddle lessons --dest another-folder",
    )


def exercise_name(which: Any) -> str:
    """The name of an exercise, given as text or as the class; shows one line where it is none."""
    name = which if isinstance(which, str) else getattr(which, "__name__", "")
    if name in HINTS:
        return str(name)
    known = ("、" if spoken() == "zh" else ", ").join(HINTS)
    display(Words((UNKNOWN if name else NAMELESS).fill(name=name, known=known).of(spoken())))
    return ""


def exercise(name: str) -> pylayer.Exercise:
    """The exercise of that name."""
    if name not in EXERCISES:
        raise NotFound(
            f"There is no exercise {name!r}.",
            expected=f"one of: {', '.join(EXERCISES)}",
            received=repr(name),
            fix="write the name as the lesson does",
        )
    return EXERCISES[name]


def spoken() -> str:
    """The language of the messages."""
    if lang not in ("en", "zh"):
        raise InvalidArgument(
            f"The checks do not speak {lang!r}.",
            expected='"en" or "zh"',
            received=repr(lang),
            fix='set check.lang = "en" or check.lang = "zh"',
        )
    return lang


def _check(name: str, answer: Any) -> None:
    """Show what there is to say; in strict mode, raise unless the answer is right."""
    outcome = judge(name, answer)
    shown = Shown(outcome, spoken())
    display(shown)
    if os.environ.get("MINIPADDLE_STRICT") == "1" and not outcome.solved:
        raise NotRight(repr(shown))


def __getattr__(name: str) -> Callable[[Any], None]:
    if name.startswith("_") or name not in EXERCISES:
        raise AttributeError(
            f"check has no exercise {name!r}; it has: {', '.join(EXERCISES)}", name=name
        )
    return functools.partial(_check, name)
