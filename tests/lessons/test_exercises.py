"""Lesson 1's exercises: other right answers, and the cards of wrong ones."""

from pathlib import Path
from typing import Any

import pytest

from minipaddle import exercises
from minipaddle.autograd import PyLayer
from minipaddle.exercises import Course, Failed
from minipaddle.exercises.outcome_cards import OutcomeCard
from tests.each import each

from .answers import answer, answer_in, solutions, source, square

GIVEN = (
    "class square(PyLayer):\n"
    "    @staticmethod\n    def forward(ctx, x):\n        ctx.x = x\n        return x * x\n"
    "    @staticmethod\n    def backward(ctx, dy):\n        return dy * 2 * ctx.x\n"
)

# ----- verdicts ----------------------------------------------------------------------------------


@each(
    ("old", "new", "error"),
    [
        ("return x * x", "return x * lost", "NameError: name 'lost' is not defined"),
        ("return x * x", "return x.lost()", "AttributeError: 'Tensor' object has no attribute"),
        ("return dy", "return lost", "NameError: name 'lost' is not defined"),
        ("return dy", "a, b, c = [1, 2]; return dy", "ValueError: not enough values to unpack"),
    ],
)
def test_an_unknown_exception_is_not_taken_for_a_known_mistake(
    old: str, new: str, error: str
) -> None:
    outcome = exercises.load("01_one_tanh")["square"].judge(
        answer("square", GIVEN.replace(old, new))
    )
    assert isinstance(outcome, Failed)
    assert outcome.error.en.startswith(error)


@each(
    ("keep", "en", "zh"),
    [
        ("x", "forward: 1; tensors taken back here: 2", "存了 1 个"),
        ("x, x, x", ": 3; ", "要取 2 个"),
    ],
)
def test_a_hint_counts_what_was_saved_and_taken(keep: str, en: str, zh: str) -> None:
    layer = square("x, y = ctx.saved_tensor()", keep)
    message = exercises.load("01_one_tanh")["square"].judge(layer).reason
    assert en in message.en
    assert zh in message.zh


# ----- what is shown -----------------------------------------------------------------------------


def in_a_file(file: Path, code: str) -> Any:
    """Return the layer that a cell with a file makes."""
    file.write_text(code)
    notebook: dict[str, Any] = {"PyLayer": PyLayer}
    exec(compile(code, str(file), "exec"), notebook)
    return notebook["square"]


def test_an_exception_and_a_known_mistake_are_shown_with_their_line(
    lesson: Course, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code = GIVEN.replace("return dy", "return 1 / 0 * dy")
    lesson.square.check(in_a_file(tmp_path / "cell.py", code))
    shown = capsys.readouterr().out.splitlines()
    assert shown[2:4] == [
        "  ZeroDivisionError: division by zero",
        "  ----> 8 return 1 / 0 * dy * 2 * ctx.x",
    ]
    layer = in_a_file(tmp_path / "other.py", source("(x,) = ctx.saved_tensors"))
    card = OutcomeCard(lesson.square, lesson.square.judge(layer))
    assert "\n  ----> 8 (x,) = ctx.saved_tensors\n" in repr(card)
    assert "----&gt; 8 (x,) = ctx.saved_tensors</pre>" in card._repr_html_()


def test_expected_and_given_numbers_are_side_by_side(lesson: Course) -> None:
    code = solutions("01_one_tanh")["gated_tanh"].replace("return da, db", "return db, da")
    turned = answer_in("01_one_tanh", "gated_tanh", "gated_tanh", code)
    card = OutcomeCard(lesson.gated_tanh, lesson["gated_tanh"].judge(turned))
    assert "  da [2, 3]\n    expected [[" in repr(card)
    assert "    yours [[" in repr(card)
    page = card._repr_html_()
    assert page.count("<td") == (3 + 4) * 6
    assert page.count("border:2px solid #c0392b") == 2 * 6  # every given number


def test_hints_come_one_by_one(lesson: Course, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(4):
        lesson.square.hint()
        shown.append(capsys.readouterr().out.split(":")[0])
    assert shown == [f"Hint {n} of 3 for square" for n in (1, 2, 3, 3)]
    exercises.set_lang("zh")
    lesson.gated_tanh.hint()
    assert capsys.readouterr().out.startswith("gated_tanh 的提示（1/3）：")
