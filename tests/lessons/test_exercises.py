"""Lesson 1's exercises: answers that are right in other ways, what is shown, both languages."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer
from minipaddle.autograd.py_layer import once_differentiable
from minipaddle.exercises import (
    Course,
    Exercise,
    Failed,
    NotRight,
    NotYet,
    Outcome,
    Wrong,
    pictures,
)
from minipaddle.exercises.outcome_cards import OutcomeCard

from .answers import answer, solutions, source, square

# ----- verdicts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "backward",
    [
        "return ctx.saved_tensor()[0] * 2 * dy",
        "return [dy * 2 * ctx.saved_tensor()[0]]",
        "return dy * ctx.saved_tensor()[0] + dy * ctx.saved_tensor()[0]",
    ],
)
def test_another_way_to_write_it_is_right_too(lesson: Course, backward: str) -> None:
    assert lesson["square"].judge(square(backward)).solved


def test_keeping_it_as_an_attribute_of_ctx_is_right_too(lesson: Course) -> None:
    code = (
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        ctx.x = x\n        return x * x\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return dy * 2 * ctx.x\n"
    )
    assert lesson["square"].judge(answer("square", code)).solved


@pytest.mark.parametrize("backward", ['"""Nothing."""', "pass", "...", "return None"])
def test_an_empty_backward_is_not_yet_an_answer(lesson: Course, backward: str) -> None:
    assert isinstance(lesson["square"].judge(square(backward)), NotYet)


@pytest.mark.parametrize("nothing", [None, ...])
def test_nothing_is_not_yet_an_answer(lesson: Course, nothing: object) -> None:
    assert isinstance(lesson["square"].judge(nothing), NotYet)


def test_an_unknown_mistake_shows_both_arrays(lesson: Course) -> None:
    outcome = lesson["square"].judge(square("return dy * 3 * ctx.saved_tensor()[0]"))
    assert outcome.slip == ""
    [pair] = outcome.pairs
    assert pair.name == "dx"
    np.testing.assert_allclose(pair.got, pair.expected * 1.5, rtol=1e-6)


def test_a_gradient_that_fails_for_one_shape_only_is_wrong(lesson: Course) -> None:
    bad = "(x,) = ctx.saved_tensor(); return dy * 2 * x * (1 if x.ndim else 3)"
    outcome = lesson["square"].judge(square(bad))
    assert isinstance(outcome, Wrong)
    assert outcome.pairs[0].expected.shape == ()


def test_a_changed_forward_is_told_first(lesson: Course) -> None:
    layer = square("return dy * 3 * ctx.saved_tensor()[0]")
    layer.forward = staticmethod(lambda ctx, x: x * 3)
    outcome = lesson["square"].judge(layer)
    assert outcome.slip == "forward"
    assert outcome.reason.en.startswith("forward does not compute the right values.")


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("return x * x", "return x * lost", "NameError: name 'lost' is not defined"),
        ("return x * x", "return x.lost()", "AttributeError: 'Tensor' object has no attribute"),
        ("return dy", "return dy * lost", "NameError: name 'lost' is not defined"),
        ("return dy", "return dy.lost", "AttributeError: 'Tensor' object has no attribute 'lost'"),
    ],
)
def test_an_unknown_exception_is_not_taken_for_a_known_mistake(
    lesson: Course, old: str, new: str, error: str
) -> None:
    code = (
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x * x\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return dy\n"
    )
    outcome = lesson["square"].judge(answer("square", code.replace(old, new)))
    assert isinstance(outcome, Failed)
    assert outcome.error.en.startswith(error)


@pytest.mark.parametrize(
    ("backward", "keep", "en", "zh"),
    [
        ("return dy * 2 * x", "x", "and it uses x. First take back", "用到了 x，"),
        ("x, y = ctx.saved_tensor()", "x", "forward: 1; tensors taken back here: 2", "存了 1 个"),
        ("x, y = ctx.saved_tensor()", "x, x, x", "forward: 3; tensors taken", "却要取 2 个"),
        ("x = ctx.saved_tensor()[0]; return x * x ^ 2", "x", "x ** 2", "^ 是按位异或"),
        ("(x,) = ctx.saved_tensors", "x", ": (x,) = ctx.saved_tensor()", "：(x,) = ctx.saved_ten"),
        ("return dy * ctx.saved_tensor", "x", "with parentheses", "要加括号"),
        ("return dy * ctx.saved_tensor()[0]", "[x]", "ctx.save_for_backward(x)", "不要放进列表"),
        ("(x,) = ctx.saved_tensor()", "", "that forward did not save", "forward 没有保存"),
    ],
)
def test_a_known_mistake_is_told_with_its_names_and_numbers(
    lesson: Course, backward: str, keep: str, en: str, zh: str
) -> None:
    notebook = {"PyLayer": PyLayer}
    exec(source(backward, keep), notebook)
    message = lesson["square"].judge(notebook["square"]).reason
    assert en in message.en
    assert zh in message.zh
    assert not re.search(r"\{\w+\}", "".join(message))


def test_another_unpacking_is_not_taken_for_a_missing_tensor(lesson: Course) -> None:
    outcome = lesson["square"].judge(square("a, b, c = [1, 2]; return dy"))
    assert "unpack" in outcome.error.en


def test_a_list_inside_save_for_backward_that_works_is_right(lesson: Course) -> None:
    layer = square("return dy * 2 * ctx.saved_tensor()[0][0]", keep="[x]")
    assert lesson["square"].judge(layer).solved


def test_methods_that_are_not_plain_functions_are_judged_too(lesson: Course) -> None:
    layer = square("return dy * 2 * ctx.saved_tensor()[0]")
    once = once_differentiable(layer.backward)
    layer.backward = staticmethod(once)
    assert lesson["square"].judge(layer).solved
    layer.backward = functools.partial(lambda two, ctx, dy: two * dy, 2)
    assert isinstance(lesson["square"].judge(layer), Wrong)


def test_a_layer_without_backward_fails_with_the_engines_advice(lesson: Course) -> None:
    code = (
        "class square(PyLayer):\n    @staticmethod\n    def forward(ctx, x):\n        return x * x"
    )
    outcome = lesson["square"].judge(answer("square", code))
    assert isinstance(outcome, Failed)
    assert "You must implement the backward function for PyLayer" in outcome.error.en


def test_an_instance_is_no_layer(lesson: Course) -> None:
    outcome = lesson["square"].judge(3)
    assert outcome.reason.en == (
        "A class that derives from PyLayer is asked for, without parentheses. This is int."
    )


def card(exercise: Exercise, outcome: Outcome, lang: str = "en") -> OutcomeCard:
    """A card in a language."""
    exercises.set_lang(lang)
    return OutcomeCard(exercise, outcome)


# ----- what is shown -----------------------------------------------------------------------------


def test_an_exception_is_shown_with_its_line(
    lesson: Course, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "cell.py"
    file.write_text(
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x * x\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return 1 / 0 * dy\n"
    )
    notebook: dict[str, Any] = {"PyLayer": PyLayer}
    exec(compile(file.read_text(), str(file), "exec"), notebook)
    lesson.square.check(notebook["square"])
    shown = capsys.readouterr().out.splitlines()
    assert shown[:4] == [
        "✗ square: error",
        "  Your answer stopped with an exception.",
        "  ZeroDivisionError: division by zero",
        "  ----> 7 return 1 / 0 * dy",
    ]
    assert shown[4:6] == ["  It was run with:", "    x = [[ 1.15 -1.36  0.22]"]
    assert shown[-1] == "  Stuck? .hint() gives a hint, .show_solution() a solution."


def test_an_error_of_the_engine_keeps_its_advice_but_not_our_line(
    lesson: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson.square.check(square("return 3"))
    shown = capsys.readouterr().out
    assert "We can only support Tensor or None for backward output, but got int" in shown
    assert "to do     wrap NumPy arrays and numbers with paddle.to_tensor(...)" in shown
    assert "pylayer.py" not in shown
    exercises.set_lang("zh")
    lesson.square.check(square("return 3"))
    rows = [row.strip() for row in capsys.readouterr().out.splitlines()]
    assert "要求：每个输入对应一个 Tensor 或 None" in rows
    assert "实际：int" in rows
    assert "怎么办：用 paddle.to_tensor(...) 把 NumPy 数组或数转换成 Tensor" in rows


def test_a_known_mistake_shows_its_line_too(lesson: Course, tmp_path: Path) -> None:
    file = tmp_path / "cell.py"
    file.write_text(source("(x,) = ctx.saved_tensors"))
    notebook: dict[str, Any] = {"PyLayer": PyLayer}
    exec(compile(file.read_text(), str(file), "exec"), notebook)
    shown = card(lesson.square, lesson.square.judge(notebook["square"]), "zh")
    assert "\n  ----> 8 (x,) = ctx.saved_tensors\n" in repr(shown)
    assert "----&gt; 8 (x,) = ctx.saved_tensors</pre>" in shown._repr_html_()


def test_marks_and_texts_in_both_languages(
    lesson: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, marks in (
        ("en", ["○ square: not yet", "✗ square: wrong", "✓ square: right"]),
        ("zh", ["○ square：还没写", "✗ square：不对", "✓ square：正确"]),
    ):
        exercises.set_lang(lang)
        for backward, mark in zip(
            ["pass", "return dy", "return dy * 2 * ctx.saved_tensor()[0]"], marks, strict=True
        ):
            assert lesson.square.check(square(backward)) is None
            assert capsys.readouterr().out.splitlines()[0] == mark


def test_expected_and_given_numbers_stand_side_by_side(lesson: Course) -> None:
    outcome = lesson["gated_tanh"].judge(answer("gated_tanh", solved("gated_tanh", "db, da")))
    text = repr(card(lesson.gated_tanh, outcome))
    assert "  da [2, 3]\n    expected [[" in text
    assert "    yours [[" in text
    page = card(lesson.gated_tanh, outcome, "zh")._repr_html_()
    assert "应为 [2, 3]" in page
    assert page.count("<td") == (3 + 4) * 6
    assert page.count("border:2px solid #c0392b") == 2 * 6  # every number of the given ones


def solved(name: str, returned: str) -> str:
    """The solution's code with another return line."""
    return solutions("01_one_tanh")[name].replace("return da, db", f"return {returned}")


def test_what_a_learner_wrote_is_never_html(lesson: Course) -> None:
    outcome = lesson["square"].judge(square("raise ValueError('<script>alert(1)</script>')"))
    page = card(lesson.square, outcome)._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_strict_mode_raises_with_the_same_words(
    lesson: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIPADDLE_STRICT", "1")
    with pytest.raises(NotRight, match="○ square: not yet"):
        lesson.square.check(square("pass"))
    lesson.square.check(square("return dy * 2 * ctx.saved_tensor()[0]"))


def test_a_check_leaves_the_global_generator_alone(lesson: Course) -> None:
    paddle.seed(7)
    untouched = paddle.randn([3]).numpy()
    paddle.seed(7)
    outcome = lesson["square"].judge(square("paddle.seed(1); return dy * paddle.rand([])"))
    pictures.recorded(viz, outcome.record)
    np.testing.assert_array_equal(paddle.randn([3]).numpy(), untouched)
