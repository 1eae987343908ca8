"""The true gradients of collectives, and check_grad across ranks; tests/oracle has Paddle's."""

from functools import cache
from typing import Any

import pytest

from . import scenarios
from .harness import ranks, run

pytestmark = [ranks, pytest.mark.slow]


def everything() -> dict[str, Any]:
    """Run all scenarios of this module on two ranks in one start."""
    asked = (scenarios.true_gradients, scenarios.second_derivative, scenarios.wrong_gradients)
    return {function.__name__: function() for function in asked}


@cache
def answers() -> list[Any]:
    return run(2, everything)


@pytest.mark.parametrize("count", [2, 3])
def test_the_true_gradients_are_those_of_finite_differences(count: int) -> None:
    told = answers() if count == 2 else None
    for one in told or run(count, scenarios.true_gradients):
        found = one["true_gradients"] if told else one
        assert len(found) == 16
        assert all(text.startswith("right: the gradients of") for text in found.values()), found


def test_the_true_gradient_can_be_differentiated_again() -> None:
    # y = 1 + 4, the loss of both ranks is 2 y^2, and the gradient of x is 2 * 2 y * 2 x. The sum
    # of these gradients is f(x0, x1) = 8 y (x0 + x1).
    (first, again), (second, more) = (told["second_derivative"] for told in answers())
    assert (first, second) == (40.0, 80.0)
    assert (again, more) == (8 * 5 + 16 * 1 * 3, 8 * 5 + 16 * 2 * 3)


def test_check_grad_names_the_rank_with_the_wrong_gradient() -> None:
    for told in answers():
        kind, text = told["wrong_gradients"]["default"]
        assert kind == "WrongGradient"
        assert "The gradient of default on rank 0 is wrong at input 0, element [0]." in text
        assert "the losses of all ranks need the sum over ranks" in text
        kind, text = told["wrong_gradients"]["twice"]
        assert "The gradient of Twice on rank 1 is wrong at input 0, element [0]." in text
        assert "the right one is 0.5 times as large" in text
        assert "1 of them at a kink" in told["wrong_gradients"]["kink"]
