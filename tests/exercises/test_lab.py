"""Cards in a real JupyterLab: buttons, a prediction, themes, a narrow window, a saved file."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
if importlib.util.find_spec("jupyterlab") is None:
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

from playwright.sync_api import expect

from minipaddle.exercises import progress
from tests.browser.lab import ask_kernel, run_all, running, save
from tests.contrast import contrast
from tests.notebooks import write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CELLS = (
    """
import os
os.environ["MINIPADDLE_PROGRESS"] = PROGRESS
import minipaddle as paddle
from minipaddle.autograd import PyLayer
from minipaddle.exercises import Exercise, Prediction, checks

square = Exercise(
    "square",
    check=checks.pylayer(lambda x: x * x),
    hints=["Think of one element.", "<b>2x</b>", "return dy * 2 * x"],
    solution="return dy * 2 * x  # solved",
)
first = Prediction(
    "first", question="Which runs first?", choices=["tanh", "mean"], truth="mean"
)
size = Prediction("size", question="What shape?", kind="shape", truth=[2, 3])


class layer(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 3 * x
""",
    "square.check(layer)",
    "first.ask()",
    "size.ask()",
    "first.reveal('the trace')",
)


def test_a_card_helps_and_a_prediction_is_locked(
    chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path, noted: Path
) -> None:
    lab = running(request)
    file = lab.folder(tmp_path.name) / "cards.ipynb"
    write_notebook(file, f"PROGRESS = {str(noted)!r}", *CELLS)
    with lab.open(chromium, file) as page:
        run_all(page)
        wrong = page.locator(".mp-card", has_text="✗ square: wrong")
        expect(wrong).to_contain_text("dx is 1.5 times too large.")
        hints = [wrong.get_by_role("button", name=f"Hint {n}") for n in (1, 2, 3)]
        solution = wrong.get_by_role("button", name="Solution")
        expect(hints[1]).to_be_disabled()
        hints[0].click()
        expect(hints[0]).to_have_attribute("aria-expanded", "true")
        expect(wrong.get_by_text("Think of one element.")).to_be_visible()
        hints[0].press("Enter")  # JupyterLab does not intercept the key
        expect(wrong.get_by_text("Think of one element.")).to_be_hidden()
        hints[1].click()
        expect(wrong.get_by_text("<b>2x</b>")).to_be_visible()
        hints[2].click()
        solution.click()
        expect(wrong.get_by_text("return dy * 2 * x  # solved")).to_be_visible()

        player = page.locator(".mp-player").first
        expect(player.locator(".mp-say")).to_have_text(
            "layer.backward returns the gradient of x [2, 3]."
        )

        question = page.locator(".mp-card", has_text="first: predict")
        expect(question.get_by_text("Which runs first?")).to_have_count(1)
        question.get_by_role("radio", name="tanh").check()
        question.get_by_role("button", name="Lock my answer").click()
        locked = page.locator(".mp-card", has_text="first: locked")
        expect(locked).to_contain_text("Your answer: tanh")
        locked.get_by_role("button", name="Compare").click()
        expect(locked.get_by_text("You predicted tanh; it is mean.")).to_be_visible()
        expect(locked.get_by_role("radio")).to_have_count(0)

        typed = page.locator(".mp-card", has_text="size: predict")
        typed.get_by_role("textbox", name="What shape?").fill("two")
        typed.get_by_role("textbox").press("Enter")
        expect(typed).to_contain_text("“two” cannot be read as a shape; write it like [5, 4].")
        typed.get_by_role("textbox").fill("2 x 3")
        typed.get_by_role("textbox").press("Enter")
        expect(page.locator(".mp-card", has_text="size: locked")).to_contain_text("[2, 3]")
        assert ask_kernel(page, "print(first.given, size.given)") == "tanh (2, 3)"
        save(page)

        hints[0].click()
        page.set_viewport_size({"width": 800, "height": 900})
        for theme in ("Light", "Dark"):
            page.evaluate(THEME, f"JupyterLab {theme}")
            for part in (wrong.locator("td").first, wrong.get_by_text("Think of one"), wrong):
                assert contrast(*part.evaluate(COLOURS)) >= 4.5
            assert wrong.evaluate("card => card.scrollWidth <= card.clientWidth")

    forget_widgets(file)
    with lab.open(chromium, file) as page:  # the card is shown without a run
        card = page.locator(".mp-check:visible", has_text="✗ square: wrong")
        card.first.scroll_into_view_if_needed()
        expect(card.first).to_contain_text("dx is 1.5 times too large.")

    done = [(entry.exercise, entry.did, entry.what) for entry in progress.entries()[0]]
    assert done == [
        ("square", "check", "wrong"),
        *[("square", "hint", n) for n in "123"],
        ("square", "solution", "asked"),
        ("first", "predict", "tanh"),
        ("size", "predict", "[2, 3]"),
    ]


THEME = """theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })
  .then(() => true)"""
COLOURS = """part => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const grounds = [];
  for (let at = part; at; at = at.parentElement)
    grounds.unshift(getComputedStyle(at).backgroundColor);
  for (const ground of ['#fff', ...grounds]) {
    canvas.fillStyle = ground;
    canvas.fillRect(0, 0, 1, 1);
  }
  const ground = [...canvas.getImageData(0, 0, 1, 1).data];
  canvas.fillStyle = getComputedStyle(part).color;
  canvas.fillRect(0, 0, 1, 1);
  return [[...canvas.getImageData(0, 0, 1, 1).data], ground];
}"""


def forget_widgets(file: Path) -> None:
    """Remove the saved widgets from a notebook."""
    content = json.loads(file.read_text(encoding="utf-8"))
    del content["metadata"]["widgets"]
    file.write_text(json.dumps(content), encoding="utf-8")
