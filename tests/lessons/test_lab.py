"""Lessons in a real JupyterLab, as a learner has them: players, cards, buttons, predictions."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
if importlib.util.find_spec("jupyterlab") is None:
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

from playwright.sync_api import expect

from minipaddle._cli import lessons as command
from tests.browser.lab import jupyterlab, run_all, save, shut_down_kernel

from .conftest import LESSONS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FITTED = """() => {
  const [canvas, pane] = ['.mp-svg', '.mp-viewport'].map((mark) => document.querySelector(mark));
  return canvas.clientHeight <= pane.clientHeight && canvas.clientWidth <= pane.clientWidth;
}"""
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
SLOW_DOWN_RETURNS_X = """class slow_down(PyLayer):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.factor
"""
RECOMPUTE_UNDETACHED = """class recompute(PyLayer):
    @staticmethod
    def forward(ctx, segment, x):
        ctx.segment = segment
        ctx.save_for_backward(x)
        return segment(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        with paddle.enable_grad():
            y = ctx.segment(x)
        y.backward(dy)
        return x.grad
"""
TRAINS_WITHOUT_CLEARING = """def train_rounds(loss_of, optimizer, count):
    losses = []
    for _ in range(count):
        loss = loss_of()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses
"""
POLAR_GRADIENTS_FIRST = """def polar_grad(*given):
    dr, da, x, y, r, a = map(np.array, given)
    return dr * x / r - da * y / r**2, dr * y / r + da * x / r**2
"""
SIZES = [{"width": 1280, "height": 900}, {"width": 800, "height": 900}]
LESSON_1 = {
    "01_one_tanh.ipynb": ["Forward", "○ {}: not yet"],
    "zh/01_one_tanh.ipynb": ["前向", "○ {}：还没写"],
}


def card(page: Page, about: str) -> Locator:
    """The card of an exercise or prediction."""
    return page.locator(".mp-card:visible", has=page.locator(f'b:has-text("{about}")')).first


@contextmanager
def opened(chromium: Browser, folder: Path, notebook: str, **options: Any) -> Iterator[Page]:
    """The page of a lesson whose cells have all run."""
    command.copy(LESSONS, folder / "mine")
    (folder / "home").mkdir()
    with (
        jupyterlab(folder / "home", folder / "mine") as lab,
        lab.open(chromium, notebook, **options) as page,
    ):
        run_all(page)
        yield page


def predict(page: Page, name: str, choice: str, said: str) -> None:
    """Lock a choice; comparing it says this."""
    asked = card(page, f"{name}: predict")
    asked.get_by_label(choice).check()
    asked.get_by_role("button", name="Lock my answer").click()
    locked = card(page, f"{name}: locked")
    locked.get_by_role("button", name="Compare").click()
    expect(locked).to_contain_text(said)


def answer(page: Page, name: str, code: str, hint: str, verdict: str = ": wrong") -> None:
    """Write a wrong answer; its card says this."""
    page.evaluate(ANSWER, [name, code])
    expect(card(page, f"{name}{verdict}")).to_contain_text(hint)


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
def test_lesson_1_shows_the_player_and_what_is_still_to_do(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    command.copy(LESSONS, tmp_path / "mine")
    (tmp_path / "home").mkdir()
    with jupyterlab(tmp_path / "home", tmp_path / "mine") as lab:
        for notebook, (phase, not_yet) in LESSON_1.items():
            with lab.open(chromium, notebook, viewport=size) as page:
                run_all(page)
                for name in ("square", "gated_tanh", "record"):
                    card(page, not_yet.format(name)).wait_for(state="attached")
                player = page.locator(".mp-player").first
                player.scroll_into_view_if_needed()
                if size["width"] > 1000:  # a narrow picture is scrolled, not shrunk
                    page.wait_for_function(FITTED)
                player.press("ArrowRight")
                expect(player).to_have_attribute("data-step", "1")
                expect(player.locator(".mp-phase")).to_have_text(phase)
                assert (
                    page.locator('[data-mime-type="application/vnd.jupyter.stderr"]').count() == 0
                )


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
def test_lesson_4_is_predicted_tried_and_helped_with(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    with opened(chromium, tmp_path, "04_order_and_sums.ipynb", viewport=size) as page:
        predict(page, "order", "d, b, c, a", "You predicted d, b, c, a; it is d, c, b, a.")

        exercise = card(page, "sum_back: not yet")
        exercise.get_by_role("button", name="Hint 1").click()
        expect(exercise).to_contain_text("First make both shapes equally long")

        answer(page, "sum_back", SUM_BACK_BY_MEAN, "The shapes are right, but this is the mean.")

        answer(page, "x_tanh_x", X_TANH_X_HALF, "x also acts through tanh: add that part.")
        cell = page.locator(".jp-CodeCell", has=page.locator('b:has-text("x_tanh_x: wrong")'))
        expect(cell.locator(".mp-player")).to_have_count(1)


def test_lesson_6_is_predicted_tried_and_helped_with(chromium: Browser, tmp_path: Path) -> None:
    with opened(chromium, tmp_path, "zh/06_context.ipynb") as page:
        expect(page.locator(".mp-player")).to_have_count(6)

        asked = card(page, "taken_over：先预测")
        asked.get_by_role("textbox").fill("22")
        asked.get_by_role("button", name="锁定我的答案").click()
        locked = card(page, "taken_over：已锁定")
        locked.get_by_role("button", name="对照答案").click()
        expect(locked).to_contain_text("你预测的是 22，实际是 40。")

        answer(
            page,
            "slow_down",
            SLOW_DOWN_RETURNS_X,
            "forward 返回的是 x 自己，于是接管了它",
            "：不对",
        )


def test_lesson_8_is_predicted_tried_and_helped_with(chromium: Browser, tmp_path: Path) -> None:
    with opened(chromium, tmp_path, "08_in_the_wild.ipynb") as page:
        expect(page.locator(".mp-player")).to_have_count(9)

        predict(page, "too_large", "inf", "You predicted inf; it is nan.")

        answer(page, "recompute", RECOMPUTE_UNDETACHED, "dx is twice as large as it should be")


def test_lesson_9_is_trained_again_with_other_rates(chromium: Browser, tmp_path: Path) -> None:
    with opened(chromium, tmp_path, "09_training.ipynb") as page:
        expect(page.locator(".mp-player")).to_have_count(11)

        predict(page, "rate_one", "a rise without end", "it is a level line at 9.")

        player = page.locator(".mp-player").first
        player.scroll_into_view_if_needed()
        player.press("End")
        player.locator(".mp-value[data-name=lr] .mp-cell").dblclick()
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.type("1.1")
        page.keyboard.press("Enter")
        expect(player.locator(".mp-say")).to_contain_text("from 0 to 6.6")
        expect(player.locator(".mp-round-range")).to_contain_text("496.9")

        answer(
            page,
            "train_rounds",
            TRAINS_WITHOUT_CLEARING,
            "Call optimizer.clear_grad() in every round.",
        )


def test_lesson_11_is_predicted_tried_and_helped_with(chromium: Browser, tmp_path: Path) -> None:
    with opened(chromium, tmp_path, "11_py_func.ipynb") as page:
        expect(page.locator(".mp-player")).to_have_count(4)

        predict(page, "which_layer", "0, 1, 2", "You predicted 0, 1, 2; it is 2, 2, 2.")

        skipping = page.locator(".mp-player").nth(2)
        skipping.scroll_into_view_if_needed()
        skipping.press("m")
        expect(skipping.locator(".mp-lane-names")).to_contain_text("tmp_0")

        answer(
            page, "polar_grad", POLAR_GRADIENTS_FIRST, "Here they come last: x, y, r, a, dr, da."
        )


def test_a_lesson_saved_after_running_shows_players_without_a_kernel(
    chromium: Browser, tmp_path: Path
) -> None:
    with opened(chromium, tmp_path, "02_leaves.ipynb") as page:
        expect(page.locator(".mp-player")).to_have_count(2)
        save(page)
        shut_down_kernel(page)
        page.reload(wait_until="domcontentloaded")
        page.wait_for_function("window.jupyterapp?.restored.then(() => true)")
        player = page.locator(".mp-player").first
        player.wait_for(state="attached")
        player.scroll_into_view_if_needed()
        player.press("ArrowRight")
        expect(player.locator(".mp-say")).to_contain_text("x [3] is multiplied by 2")
