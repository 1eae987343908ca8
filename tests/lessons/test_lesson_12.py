"""What lesson 12 says of its trainings, their losses and its pictures is so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle

from .test_notebooks import run_here, the, told

LESSON = "12_train_for_real"


@pytest.fixture(scope="module")
def lesson_12() -> Any:
    """The variables of the solved lesson."""
    with pytest.MonkeyPatch.context() as patch:
        yield run_here("solutions", patch, LESSON)


def test_the_digits_that_were_put_aside_are_never_trained_with(lesson_12: dict[str, Any]) -> None:
    aside, rows, images = (lesson_12[name] for name in ("aside", "rows", "images"))
    assert images.shape == (1797, 1, 8, 8)
    assert (len(aside), len(rows)) == (360, 1437)
    assert not set(aside) & set(rows)
    sizes = [len(x) for x, _ in lesson_12["batches"](1)]
    assert sizes == [32] * 44 + [29]
    seen = {each.tobytes() for x, _ in lesson_12["batches"](1) for each in x}
    assert seen <= {images[row].tobytes() for row in rows}


def test_the_first_loss_is_that_of_even_guesses(lesson_12: dict[str, Any]) -> None:
    first = lesson_12["on_tape"][0]
    assert first == pytest.approx(math.log(10), abs=0.3)
    starts = the(told(lesson_12["first_round"]), "Backward of conv: from the gradient of conv(x")
    assert "the gradient of net.0.weight [6, 1, 3, 3]" in starts
    assert lesson_12["losses"][0] == pytest.approx(math.log(26), abs=0.3)
    assert len(lesson_12["CHARACTERS"]) == 26


def test_most_digits_are_read_after_six_epochs(lesson_12: dict[str, Any]) -> None:
    assert 0.9 < lesson_12["right"] < 1
    assert len(lesson_12["on_tape"]) == 6 * 45


def test_both_modes_have_one_curve(lesson_12: dict[str, Any]) -> None:
    assert len(lesson_12["in_program"]) == 270
    assert lesson_12["in_program"] == lesson_12["on_tape"]


def test_nothing_goes_back_to_where_nobody_looked(lesson_12: dict[str, Any]) -> None:
    p = lesson_12["p"].numpy()[0].round(2)
    assert p.tolist() == np.float32([[1, 0, 0], [0.99, 0.01, 0], [0.01, 0.88, 0.11]]).tolist()
    text = the(told(lesson_12["looking"]), "Backward of divide")
    assert "from the gradient of scores" in text
    q, k, v, mask = (lesson_12[name] for name in ("q", "k", "v", "mask"))
    scores = (q @ k.mT / math.sqrt(2)).detach()
    scores.stop_gradient = False
    shares = paddle.nn.functional.softmax(scores + mask)
    (shares @ v).square().mean().backward()
    above = np.triu(np.ones([3, 3]), 1) == 1
    assert not scores.grad.numpy()[0][above].any()
    assert scores.grad.numpy()[0][2, :2].all()


def test_the_attention_is_that_of_the_tape(lesson_12: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    arrays = [rng.standard_normal((2, 4, 3)) for _ in range(3)]
    mask = paddle.triu(paddle.full([4, 4], -1e9, dtype="float64"), 1)
    paddle.testing.check_grad(lambda q, k, v: lesson_12["attention"].apply(q, k, v, mask), arrays)


def test_it_learns_with_the_attention_and_hardly_without(
    lesson_12: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, peeped = np.mean(lesson_12["losses"][-20:]), np.mean(lesson_12["other_losses"][-20:])
    assert peeped < 0.25 < 0.35 < honest < 0.7
    blind = run_here("", monkeypatch, LESSON)
    assert 1 < np.mean(blind["losses"][-20:]) < 1.4
    assert blind["in_program"] == []


def test_the_attention_hands_three_gradients_back(lesson_12: dict[str, Any]) -> None:
    returns = the(told(lesson_12["one_round"]), "attention.backward returns")
    assert returns.count("the gradient of") == 3
    assert returns.count("None for mask") == 1


def test_a_pylayer_is_refused_in_a_program(lesson_12: dict[str, Any]) -> None:
    paddle.enable_static()
    try:
        x = paddle.static.data("x", [1, 3, 2])
        with pytest.raises(AssertionError, match=r"static\.py_func"):
            lesson_12["attention"].apply(x, x, x, x)
    finally:
        paddle.disable_static()
