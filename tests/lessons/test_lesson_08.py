"""What lesson 8 says of its numbers, rounds, pictures and memory is so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle

from .test_lesson_06 import badges, wires
from .test_notebooks import run_here, the, told

LESSON = "08_in_the_wild"


@pytest.fixture
def lesson_8(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The variables of the solved lesson."""
    return run_here("solutions", monkeypatch, LESSON)


def test_what_the_cells_print_is_what_the_text_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here("solutions", monkeypatch, LESSON)
    out = capsys.readouterr().out
    for words in (
        "1 w = 0.4, loss = 1, w.grad = -2\n2 w = 0.6, loss = 0, w.grad = 0\n",
        "w = 10.4  loss = 1.0\n",
        "v.grad: 12.0  w.grad: -24.0\n",
        "loss: nan  logits.grad: [nan nan]\n",
        "[0.   0.69 3.05]\n",
        "x.grad: 12.0\n",
    ):
        assert words in out


def test_the_loop_has_four_rounds_and_rounding_lets_its_gradient_through(
    lesson_8: dict[str, Any],
) -> None:
    learning = lesson_8["learning"]
    assert len(learning.rounds) == 4
    texts = told(learning)
    assert texts[0].startswith("rounded.forward is called with x = w = 0.2")
    assert "rounded.forward returns round(x) = 0" in texts[2]
    [called, returns] = [text for text in texts if text.startswith("rounded.backward")][:2]
    assert "dy = −2" in called
    assert "the gradient of x, which is −2" in returns


def test_outside_the_limit_there_is_no_gradient(lesson_8: dict[str, Any]) -> None:
    x = paddle.to_tensor([-1.7, -0.8, 0.1, 0.4, 1.3], stop_gradient=False)
    y = lesson_8["quantize"].apply(x, 0.5, 1.0)
    ((y - 0.25) ** 2).sum().backward()
    assert y.tolist() == [-1.0, -1.0, 0.0, 0.5, 1.0]
    assert x.grad.tolist() == [0.0, -2.5, -0.5, 0.5, 0.0]


def test_what_the_picture_of_the_reversal_shows(lesson_8: dict[str, Any]) -> None:
    texts = told(lesson_8["turned"])
    assert "dy = 12" in the(texts, "reverse.backward is called")
    assert "which is −12" in the(texts, "reverse.backward returns")
    assert ("multiply backward", "v.grad") in [wire[:2] for wire in wires(lesson_8["turned"])]


def test_what_all_three_learn(lesson_8: dict[str, Any]) -> None:
    texts = told(lesson_8["three"])
    meeting = the(texts, "(+=)")
    assert "= −10" in meeting
    for words in ("w.grad is now −20", "a.grad is now 4", "b.grad is now 12"):
        the(texts, words)


def test_where_infinity_and_nan_begin(lesson_8: dict[str, Any]) -> None:
    assert [each.kind for each in lesson_8["overflow"].problems()] == ["inf", "nan"]
    texts = told(lesson_8["overflow"])
    assert "the first Inf appears" in the(texts, "The exponential of logits")
    assert "the first NaN appears" in the(texts, "exps [2] is divided by")
    assert len(str(int(math.exp(100)))) == 44


def test_the_fused_loss_is_paddles_and_its_gradient_as_told(lesson_8: dict[str, Any]) -> None:
    logits, target = lesson_8["logits"], lesson_8["target"]
    np.testing.assert_allclose(logits.grad.sum(axis=1).numpy(), 0, atol=1e-6)
    np.testing.assert_allclose(logits.grad.numpy()[:, 0], [0, -0.5, -0.953], atol=1e-3)
    ready = paddle.nn.functional.cross_entropy(logits, target, soft_label=True, reduction="none")
    np.testing.assert_allclose(ready.numpy(), lesson_8["losses"].numpy(), atol=1e-6)
    assert not badges(lesson_8["fused"])


def test_sixteen_results_or_eight(lesson_8: dict[str, Any]) -> None:
    kept, hills = lesson_8["kept"], lesson_8["hills"]
    assert "16 KiB kept for backward" in kept.text()
    assert "8 KiB kept for backward, of which 1 KiB are inputs" in hills.text()
    for trace, times in ((kept, 16), (hills, 32)):
        assert len([text for text in told(trace) if text.startswith("tanh squashes")]) == times


def test_what_the_picture_without_detach_shows(lesson_8: dict[str, Any]) -> None:
    found = [wire[:2] for wire in wires(lesson_8["doubled"])]
    assert ("x.grad", "dx") in found
    assert ("x.grad", "+=") in found
    assert "6 + 6 = 12" in the(told(lesson_8["doubled"]), "6 + 6")


def test_of_data_recompute_runs_no_backward_and_weights_inside_get_none(
    lesson_8: dict[str, Any],
) -> None:
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    recompute = lesson_8["recompute"]
    assert recompute.apply(lambda h: h * w, paddle.ones([2])).stop_gradient
    x = paddle.ones([2])
    x.stop_gradient = False
    recompute.apply(lambda h: h * w, x).sum().backward()
    assert w.grad.tolist() == [1.0, 1.0]
