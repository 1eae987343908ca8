"""A quiz page as an exercise needs a number of answers, and a number of right ones."""

from types import SimpleNamespace
from typing import Any

import pytest

from minipaddle.engine.errors import InvalidArgument
from minipaddle.exercises import Exercise, checks
from tests.each import each


def page(*right: bool, shown: int = 0) -> Any:
    rows = [{"given": "plus", "right": each} for each in right]
    return SimpleNamespace(answers=(*rows, *[{"given": "", "right": False}] * shown))


def judged(count: int, right: int, answer: Any, **more: Any) -> Any:
    return Exercise("it", check=checks.predictions(count, right), **more).judge(answer)


def test_a_page_with_too_few_right_answers_is_not_right() -> None:
    wrong = judged(2, 2, page(True, False))
    assert (wrong.verdict, wrong.slip) == ("wrong", "too_few_right")
    assert "1 of the predictions are right; 2 are asked for." in wrong.reason.en
    assert judged(2, 2, page(True, False, True)).solved


def test_an_answer_that_is_no_page_is_reported() -> None:
    wrong = judged(1, 0, 3)
    assert (wrong.verdict, wrong.slip) == ("wrong", "no_quiz")
    assert "This is int." in wrong.reason.en


@each(("count", "right"), [(0, 0), (2, 3), (2, -1), ("2", 0), (True, 0)])
def test_wrong_counts_of_predictions_are_errors(count: Any, right: Any) -> None:
    with pytest.raises(InvalidArgument) as error:
        checks.predictions(count, right)
    assert "a count of at least 1" in str(error.value)
    assert f"count={count!r}, right={right!r}" in str(error.value)
