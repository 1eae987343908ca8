"""Lessons in a real JupyterLab: players, cards, buttons, predictions."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
if importlib.util.find_spec("jupyterlab") is None:
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

from playwright.sync_api import expect

from minipaddle._cli import lessons as command
from tests.browser.lab import run_all, running

from .conftest import LESSONS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Opened = Callable[[str], AbstractContextManager["Page"]]

# Replaces the code of an exercise's cell and runs the notebook from there.
ANSWER = """async ([name, code]) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  const at = notebook.widgets.findIndex((cell) => cell.model.getMetadata('exercise') === name);
  notebook.widgets[at].model.sharedModel.setSource(code);
  notebook.deselectAll();
  notebook.activeCellIndex = at;
  await window.jupyterapp.commands.execute('notebook:run-all-below');
}"""
SUM_BACK_BY_MEAN = """def sum_back(dy, shape):
    for axis, size in enumerate([1] * (dy.ndim - len(shape)) + list(shape)):
        if size == 1:
            dy = dy.mean(axis=axis, keepdim=True)
    return dy.reshape(shape)
"""
X_TANH_X_HALF = """class x_tanh_x(PyLayer):
    @staticmethod
    def forward(ctx, x):
        t = paddle.tanh(x)
        ctx.save_for_backward(x, t)
        return x * t

    @staticmethod
    def backward(ctx, dy):
        x, t = ctx.saved_tensor()
        return dy * t
"""


def card(page: Page, about: str) -> Locator:
    """Return the card of an exercise or prediction."""
    return page.locator(".mp-card:visible", has=page.locator(f'b:has-text("{about}")')).first


@pytest.fixture
def opened(chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """`with opened(notebook) as page` opens a lesson and runs all of its cells."""
    lab = running(request)
    mine = lab.folder(tmp_path.name) / "mine"

    @contextmanager
    def open(notebook: str) -> Iterator[Page]:
        command.copy(LESSONS, mine)
        with lab.open(chromium, mine / notebook) as page:
            run_all(page)
            yield page

    return open


def answer(page: Page, name: str, code: str, hint: str, verdict: str = ": wrong") -> None:
    """Write a wrong answer; its card says this."""
    page.evaluate(ANSWER, [name, code])
    expect(card(page, f"{name}{verdict}")).to_contain_text(hint)


def test_lesson_4_in_english_is_predicted_tried_and_helped_with(opened: Opened) -> None:
    with opened("04_order_and_sums.ipynb") as page:
        asked = card(page, "order: predict")
        asked.get_by_label("d, b, c, a").check()
        asked.get_by_role("button", name="Lock my answer").click()
        locked = card(page, "order: locked")
        locked.get_by_role("button", name="Compare").click()
        expect(locked).to_contain_text("You predicted d, b, c, a; it is d, c, b, a.")

        exercise = card(page, "sum_back: not yet")
        exercise.get_by_role("button", name="Hint 1").click()
        expect(exercise).to_contain_text("First make both shapes equally long")

        answer(page, "sum_back", SUM_BACK_BY_MEAN, "The shapes are right, but this is the mean.")

        answer(page, "x_tanh_x", X_TANH_X_HALF, "x also acts through tanh: add that part.")
        cell = page.locator(".jp-CodeCell", has=page.locator('b:has-text("x_tanh_x: wrong")'))
        expect(cell.locator(".mp-player")).to_have_count(1)
