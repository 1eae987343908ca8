"""The formula of a step, filled with the numbers of one element."""

import math
import re
from typing import Any

import pytest

import minipaddle as paddle
import viz
from viz.player.payload import payload_of

from .checks import through
from .conftest import Show

_LINE = """() => {
  const [cell] = [...document.querySelectorAll('.mp-cell[data-index="1"]')].slice(-1);
  if (!cell) return '';
  const shown = (mark) => [...document.querySelectorAll(mark)].find((e) => e.checkVisibility());
  if (!shown('.mp-element')) cell.click();
  return shown('.mp-filled')?.innerText ?? '';
}"""
FUNCTIONS = {"tanh": math.tanh, "exp": math.exp, "sqrt": math.sqrt}


def recorded() -> Any:
    x = paddle.to_tensor([0.3, -2.0], stop_gradient=False)
    w = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    with viz.record() as trace:
        y = paddle.tanh(x)
        z = y * x - x / 2.0
        loss = (paddle.square(z) + w @ z).mean()
        loss.backward()
    return trace


def value(text: str) -> float:
    """Compute one side of a filled formula."""
    spelling = text.replace("−", "-").replace("·", "*").replace("²", "**2").replace("×", "*")
    spelling = re.sub(r"(tanh|exp|sqrt) (-?[\d.e-]+)", r"\1(\2)", spelling)
    return float(eval(spelling, {"__builtins__": {}}, FUNCTIONS))


def test_every_filled_formula_is_true(show: Show) -> None:
    trace = recorded()
    page = show(payload_of(trace.story))
    page.locator(".mp-player").press("m")  # shows the steps of memory
    lines = {step: line for step, line in enumerate(through(page, _LINE)) if line}
    told = " | ".join(lines.values())
    assert "−0.964 = tanh −2" in told
    assert " | −0.964 · (−2) | " in told  # a result without a name
    assert "2.928 = 1.928 − (−1)" in told
    assert {trace.steps[step].phase for step in lines} == {"forward", "backward"}
    assert len(lines) >= 9
    for step, text in lines.items():
        for part in filter(lambda part: " = " in part, text.split(", ")):
            left, right = part.split(" = ")
            assert value(left) == pytest.approx(value(right), rel=2e-3), (step, text)
    formulas = [trace.steps[step].formula for step in lines]
    assert "w @ z" not in formulas  # products of matrices and sums are not filled
    assert not [f for f in formulas if "Σ" in f]


def test_the_numbers_follow_the_chosen_element(show: Show) -> None:
    page = show(payload_of(recorded().story))
    line = page.locator(".mp-filled")
    assert not line.is_visible()
    page.locator('.mp-cell[data-index="0"]').first.click()
    assert line.inner_text() == "0.2913 = tanh 0.3"
    page.locator('.mp-cell[data-index="1"]').first.click()
    assert line.inner_text() == "−0.964 = tanh −2"
    page.locator('.mp-cell[data-index="1"]').first.click()
    assert not line.is_visible()
