"""The comparison of answers notices each kind of disagreement."""

import numpy as np
import pytest

from tests.each import each

from . import harness
from .spread import spread


def answers(value: object) -> dict:
    return {"it": harness.encode(value)}


@each(
    ("expected", "received"),
    [
        (1, True),
        (1, 2),
        (None, 0),
        ("a", "b"),
        (0.1, 0.1000001),
        ([1, 2], (1, 2)),
        ([1, 2], [1, 2, 3]),
        (np.float32([1, 2]), np.float64([1, 2])),
        (np.float32([1, 2]), np.float32([[1, 2]])),
        (np.float32([1, 2]), np.float32([1, 2 + 2e-6])),
        (np.float32([1, np.nan]), np.float32([1, 2])),
        (np.float32([1, np.inf]), np.float32([1, -np.inf])),
        (np.int64([1, 2]), np.int64([1, 3])),
    ],
)
def test_a_difference_is_found(expected: object, received: object) -> None:
    found = harness.differences(answers(expected), answers(received), ulps=4)
    assert len(found) == 1
    assert found[0].startswith("it: expected ")


@pytest.mark.parametrize(
    ("expected", "received"),
    [
        (np.float32([1, 2]), np.float32([1, 2 + 4e-7])),
        (np.float32([np.nan, np.inf]), np.float32([np.nan, np.inf])),
        (np.zeros([0, 3]), np.zeros([0, 3])),
        ((1, [0.5, None]), (1, [0.5, None])),
    ],
)
def test_equal_answers_pass(expected: object, received: object) -> None:
    assert harness.differences(answers(expected), answers(received), ulps=4) == []


def test_a_missing_label_is_found() -> None:
    assert harness.differences({"a": 1}, {"b": 1}, ulps=4) == [
        "a: expected 1, received nothing",
        "b: expected nothing, received 1",
    ]


@pytest.mark.parametrize("values", [(1, 1), (object(),)])
def test_a_case_that_uses_the_harness_wrongly_is_no_answer(values: tuple) -> None:
    wrong = harness.Case("wrong", lambda _, show: [show("a", value) for value in values])
    with pytest.raises(harness.WrongCase, match=r"'a' is shown twice|cannot show a object"):
        harness.play(wrong, None, static=False)


def test_an_error_is_named_by_its_builtin_class() -> None:
    class Special(KeyError):
        pass

    show = harness.Show()
    show.raises("bad", lambda: {}[0])
    show.raises("good", lambda: 0)
    assert show.answers == {"bad": "KeyError", "good": "no error"}
    assert harness.builtin_class(Special()) == "KeyError"


def test_spread_numbers_are_exact_and_differ() -> None:
    numbers = np.concatenate([spread(20, 50, part=part).ravel() for part in (1, 2)])
    assert np.unique(numbers.astype("float32")).size == 2000
    assert -2 < numbers.min() < -1.99
    assert 1.99 < numbers.max() < 2
    assert (numbers * 2.0**29 % 1 == 0).all()
