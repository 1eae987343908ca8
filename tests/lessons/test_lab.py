"""Lesson 1 in a real JupyterLab, as a learner opens it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")

from playwright.sync_api import expect

from minipaddle._cli import lessons as command
from tests.browser.lab import jupyterlab, run_all

from .conftest import LESSONS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FITTED = """() => {
  const [canvas, pane] = ['.mp-svg', '.mp-viewport'].map((mark) => document.querySelector(mark));
  return canvas.clientHeight <= pane.clientHeight && canvas.clientWidth <= pane.clientWidth;
}"""
NAMES = ("square", "gated_tanh", "record")
SHOWN = {
    "01_one_tanh.ipynb": ["Forward", *(f"○ {name}: not yet" for name in NAMES)],
    "zh/01_one_tanh.ipynb": ["前向", *(f"○ {name}：还没写" for name in NAMES)],
}


def test_the_lesson_shows_the_player_and_what_is_still_to_do(
    chromium: Browser, tmp_path: Path
) -> None:
    command.copy(LESSONS, tmp_path / "mine")
    (tmp_path / "home").mkdir()
    with jupyterlab(tmp_path / "home", tmp_path / "mine") as lab:
        for notebook, (phase, *marks) in SHOWN.items():
            with lab.open(chromium, notebook) as page:
                run_all(page)
                heads = page.locator(".mp-check > b:visible")
                heads.nth(len(marks) - 1).wait_for(state="attached")
                assert heads.all_text_contents() == marks
                player = page.locator(".mp-player").first
                player.scroll_into_view_if_needed()
                page.wait_for_function(FITTED)
                player.press("ArrowRight")
                expect(player).to_have_attribute("data-step", "1")
                expect(player.locator(".mp-phase")).to_have_text(phase)
                assert (
                    page.locator('[data-mime-type="application/vnd.jupyter.stderr"]').count() == 0
                )
