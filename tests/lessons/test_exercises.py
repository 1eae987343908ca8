"""Lesson 1's exercises: cards of wrong answers; answers judged by their effects."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import exercises
from minipaddle.autograd import PyLayer
from minipaddle.exercises import (
    Course,
    Exercise,
    Failed,
    NotYet,
    Outcome,
    Right,
    Slip,
    Wrong,
    checks,
)
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


# ----- Answers that are judged by their effects --------------------------------------------------


def double(w: Any) -> None:
    """Double a tensor in place, as the exercise requires."""
    w.set_value(w * 2)


def used(answer: Callable[[Any], Any], start: Any) -> dict[str, Any]:
    """Return the Tensor after an answer has changed it."""
    w = paddle.to_tensor(start)
    returned = answer(w)
    return {"w": w, "returned value": returned}


DOUBLED = Exercise(
    "doubled",
    check=checks.experiment(
        double, inputs=lambda rng: {"start": np.round(rng.standard_normal(3), 1)}, use=used
    ),
    slips=[
        Slip("new_tensor", gives=lambda w: None, hint="w is as it was."),
        Slip("missing_name", gives=lambda w: w.lost, hint="Tensors have no lost."),
        Slip("returned", gives=lambda w: w * 2, hint="Change w itself; return nothing."),
    ],
)


def judged(answer: Any) -> Outcome:
    return DOUBLED.judge(answer)


def nothing(w: Any) -> None:
    """A stub."""


def test_a_stub_is_not_yet_an_answer_and_a_number_never_one() -> None:
    assert isinstance(judged(nothing), NotYet)
    outcome = judged(3)
    assert isinstance(outcome, Wrong)
    assert outcome.slip == "no_function"
    assert outcome.reason.en == "A function of w is asked for. This is int."


def test_a_class_is_a_stub_while_one_of_its_methods_is() -> None:
    class Given:
        @staticmethod
        def forward(w: Any) -> None:
            w.set_value(w * 2)

        @staticmethod
        def backward(w: Any) -> None:
            """Write me."""

    check = checks.experiment(double, inputs=lambda rng: {}, use=lambda answer: {})
    assert isinstance(Exercise("stub", check=check).judge(Given), NotYet)
    Given.backward = Given.forward  # type: ignore[method-assign]
    assert isinstance(Exercise("written", check=check).judge(Given), Right)


@each(
    ("answer", "slip"),
    [
        (lambda w: setattr(w, "name", "other"), "new_tensor"),
        (lambda w: w + w, "returned"),
        (lambda w: w.lost, "missing_name"),
    ],
)
def test_a_wrong_answer_is_recognized_by_its_result(answer: Any, slip: str) -> None:
    outcome = judged(answer)
    assert isinstance(outcome, Wrong)
    assert outcome.slip == slip


def test_more_results_than_expected_are_wrong() -> None:
    def both(w: Any) -> int:
        double(w)
        return 1

    outcome = judged(both)
    assert isinstance(outcome, Wrong)
    assert outcome.reason.en.endswith("There should be no returned value.")


def doubled_and_back(answer: Callable[[Any], Any], x: Any) -> dict[str, Any]:
    """Return the result and a gradient, without a check of the answer's result."""
    x = paddle.to_tensor(x, stop_gradient=False)
    y = answer(x)
    y.backward(paddle.ones([3]))
    if "stop" in y.name:
        raise LookupError("the check's own")
    return {"y": y, "dx": x.grad}


def named(tensor: Any, name: str) -> Any:
    tensor.name = name
    return tensor


BACK = Exercise(
    "back",
    check=checks.experiment(
        lambda x: x * 2, inputs=lambda rng: {"x": rng.uniform(1, 2, 3)}, use=doubled_and_back
    ),
)


@each(
    ("answer", "kind", "said"),
    [
        (lambda x: (x * 2).sum(), Wrong, "of shape []; it should be a Tensor of shape [3]"),
        (lambda x: [x * 2], Wrong, "a tuple or list of 1, the first a Tensor of shape [3]"),
        (lambda x: print(end=""), Wrong, "gives back nothing"),
        (lambda x: x.lost, Failed, "Your answer stopped"),
        (lambda x, more: x, Failed, "Your answer stopped"),
        (lambda x: named(x * 2, "stop"), Failed, "The check cannot go on"),
    ],
    ids=str,
)
def test_the_checks_own_failure_is_not_blamed_on_the_answer(
    answer: Any, kind: type[Outcome], said: str
) -> None:
    # As in a lesson, answer and check are in different files.
    answer.__code__ = answer.__code__.replace(co_filename="cell.py")
    outcome = BACK.judge(answer)
    assert isinstance(outcome, kind)
    assert said in outcome.reason.en
    assert outcome.error.en.startswith("LookupError") is ("go on" in said)
