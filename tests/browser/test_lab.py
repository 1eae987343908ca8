"""The player in a real JupyterLab, used as a person would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")

from playwright.sync_api import expect

from .checks import walk
from .fixture import tanh
from .lab import Lab, ask_kernel, jupyterlab, run_all, save, shut_down_kernel, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = """\
import json
from viz.player import Player
player = Player(json.load(open("payload.json")))
player"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Lab]:
    with jupyterlab(tmp_path_factory.mktemp("lab"), folder) as server:
        yield server


def test_the_player_in_jupyterlab(chromium: Browser, lab: Lab, folder: Path) -> None:
    (folder / "payload.json").write_text(json.dumps(tanh()), encoding="utf-8")
    write_notebook(folder / "hand.ipynb", SHOW, "1 + 1")
    with lab.open(chromium, "hand.ipynb") as page:
        run_all(page)
        player = page.locator(".mp-player")
        player.wait_for()
        player.get_by_role("button", name="Next step", exact=True).click()
        expect(player).to_have_attribute("data-step", "1")
        walk(page, tanh())
        player.get_by_role("button", name="Next step", exact=True).press("Enter")
        expect(player).to_have_attribute("data-step", "1")
        page.locator(".mp-query").press_sequentially("dd")  # deletes a cell where it escapes
        assert page.locator(".jp-CodeCell").count() == 2
        assert ask_kernel(page, "print(player.step)") == "1"
        ask_kernel(page, "player.step = 5")
        expect(player).to_have_attribute("data-step", "5")

        save(page)
        shut_down_kernel(page)
        walk(page, tanh())
        page.locator("[data-node='cus_tanh'] .mp-toggle").click()
        walk(page, tanh(), key="cus_tanh")
    saved = json.loads((folder / "hand.ipynb").read_text(encoding="utf-8"))
    state = saved["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    assert any("payload" in model["state"] for model in state.values())


def test_the_theme_of_jupyterlab_is_followed(chromium: Browser, lab: Lab, folder: Path) -> None:
    (folder / "payload.json").write_text(json.dumps(tanh()), encoding="utf-8")
    write_notebook(folder / "dark.ipynb", SHOW)
    with lab.open(chromium, "dark.ipynb") as page:
        run_all(page)
        player = page.locator(".mp-player")
        expect(player).to_have_attribute("data-theme", "light")
        page.evaluate(
            "window.jupyterapp.commands.execute('apputils:change-theme',"
            " {theme: 'JupyterLab Dark'}).then(() => true)"
        )
        expect(player).to_have_attribute("data-theme", "dark")
