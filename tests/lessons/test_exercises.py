"""Lesson 1's exercises: other right answers, and the cards of wrong ones."""

import functools
from pathlib import Path
from typing import Any

import pytest

from minipaddle import exercises
from minipaddle.autograd import PyLayer
from minipaddle.autograd.py_layer import once_differentiable
from minipaddle.exercises import Course, Failed, NotYet, Wrong
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
    "layer",
    [
        lambda: square("return ctx.saved_tensor()[0] * 2 * dy"),
        lambda: square("return [dy * 2 * ctx.saved_tensor()[0]]"),
        lambda: square("return dy * ctx.saved_tensor()[0] + dy * ctx.saved_tensor()[0]"),
        lambda: square("return dy * 2 * ctx.saved_tensor()[0][0]", keep="[x]"),
        lambda: answer("square", GIVEN),
    ],
    ids=["turned round", "as a list", "as a sum", "saved in a list", "kept as an attribute"],
)
def test_another_way_to_write_the_layer_is_right(layer: Any) -> None:
    assert exercises.load("01_one_tanh")["square"].judge(layer()).solved


@each("backward", ['"""Nothing."""', "pass", "...", "return None"])
def test_an_empty_backward_is_not_yet_an_answer(backward: str) -> None:
    outcome = exercises.load("01_one_tanh")["square"].judge(square(backward))
    assert isinstance(outcome, NotYet)


def test_a_gradient_that_fails_for_one_shape_only_is_wrong(lesson: Course) -> None:
    bad = "(x,) = ctx.saved_tensor(); return dy * 2 * x * (1 if x.ndim else 3)"
    outcome = lesson["square"].judge(square(bad))
    assert isinstance(outcome, Wrong)
    assert outcome.pairs[0].expected.shape == ()


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


def test_methods_that_are_not_plain_functions_are_judged(lesson: Course) -> None:
    layer = square("return dy * 2 * ctx.saved_tensor()[0]")
    layer.backward = staticmethod(once_differentiable(layer.backward))
    assert lesson["square"].judge(layer).solved
    layer.backward = functools.partial(lambda two, ctx, dy: two * dy, 2)
    assert isinstance(lesson["square"].judge(layer), Wrong)


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
