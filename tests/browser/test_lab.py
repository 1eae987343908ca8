"""The player in a real JupyterLab, used as a person would."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
if importlib.util.find_spec("jupyterlab") is None:
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

from playwright.sync_api import expect

from ..javascript.composing import unpacked
from .checks import settled, walk
from .fixture import CODE
from .lab import (
    Lab,
    ask_kernel,
    jupyterlab,
    run_all,
    save,
    shut_down_kernel,
    widget_states,
    write_notebook,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOM = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer"
LAYER, RUN = CODE.split("\n\ndata = ")
CELLS = [
    "import minipaddle as paddle, viz\nfrom minipaddle.autograd import PyLayer",
    LAYER,
    "data = " + RUN.split("\n", 1)[0].removeprefix("data = ") + "\ndata.stop_gradient = False",
    "with viz.record() as trace:\n    z = cus_tanh.apply(data)\n    z.mean().backward()\ntrace",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Lab]:
    with jupyterlab(tmp_path_factory.mktemp("lab"), folder) as server:
        yield server


def payload_in(notebook: Path) -> dict[str, Any]:
    """What the one player in a saved notebook was given."""
    [payload] = [state["payload"] for state in widget_states(notebook) if "payload" in state]
    [only] = unpacked(payload)
    return only


def test_a_recorded_pylayer_in_jupyterlab(chromium: Browser, lab: Lab, folder: Path) -> None:
    write_notebook(folder / "tanh.ipynb", *CELLS)
    with lab.open(chromium, "tanh.ipynb") as page:
        run_all(page)
        player = page.locator(".mp-player")
        player.wait_for()
        save(page)
        payload = payload_in(folder / "tanh.ipynb")
        phases = [step["phase"] for step in payload["steps"]]
        assert phases.count("forward") >= 4
        assert phases.count("backward") >= 7

        player.locator("[data-action=next]").click()
        expect(player).to_have_attribute("data-step", "1")
        player.evaluate("(e) => e.scrollIntoView({ block: 'start' })")
        settled(page)
        area, room = (page.locator(mark).bounding_box() for mark in (".mp-player", ROOM))
        assert area is not None
        assert room is not None
        assert area["height"] <= room["height"]  # it is seen at once, and so is the picture
        canvas, pane = (page.locator(f".mp-{part}").bounding_box() for part in ("svg", "viewport"))
        assert canvas is not None
        assert pane is not None
        assert canvas["width"] <= pane["width"]
        assert canvas["height"] <= pane["height"]
        walk(page, payload, key="+".join(payload["open"]))
        player.locator("[data-action=next]").press("Enter")
        expect(player).to_have_attribute("data-step", "1")
        player.press("/")
        page.locator(".mp-query").press_sequentially("dd")  # would delete the cell
        assert page.locator(".jp-CodeCell").count() == len(CELLS)
        expect(page.locator(".mp-source").first).to_have_text("Cell [2]")

        shut_down_kernel(page)
        walk(page, payload, key="+".join(payload["open"]))
        page.get_by_role("button", name="Close cus_tanh", exact=True).click()
        walk(page, payload, follow=False)  # what was closed by hand stays closed


def test_the_kernel_knows_the_step_and_can_set_it(
    chromium: Browser, lab: Lab, folder: Path
) -> None:
    show = "from viz.player.widget import Code, Player, Told\n"
    show += "player = Player(Code(), Told(trace), step=0, lang='zh')\nplayer"
    write_notebook(folder / "step.ipynb", *CELLS[:-1], CELLS[-1].removesuffix("\ntrace"), show)
    with lab.open(chromium, "step.ipynb") as page:
        run_all(page)
        player = page.locator(".mp-player")
        player.locator("[data-action=next]").click()
        expect(player).to_have_attribute("data-step", "1")
        expect(page.locator(".mp-phase")).to_have_text("前向")
        assert ask_kernel(page, "print(player.step)") == "1"
        ask_kernel(page, "player.step = 6")
        expect(player).to_have_attribute("data-step", "6")
        player.locator(".mp-more").click()
        player.get_by_role("button", name="Switch to English").click()
        expect(page.locator(".mp-phase")).to_have_text("Backward")
        assert ask_kernel(page, "print(player.lang)") == "en"


def test_the_theme_of_jupyterlab_is_followed(chromium: Browser, lab: Lab, folder: Path) -> None:
    write_notebook(folder / "dark.ipynb", *CELLS)
    with lab.open(chromium, "dark.ipynb") as page:
        run_all(page)
        player = page.locator(".mp-player")
        expect(player).to_have_attribute("data-theme", "light")
        page.evaluate(
            "window.jupyterapp.commands.execute('apputils:change-theme',"
            " {theme: 'JupyterLab Dark'}).then(() => true)"
        )
        expect(player).to_have_attribute("data-theme", "dark")


def test_a_saved_player_is_drawn_without_a_kernel(
    chromium: Browser, lab: Lab, folder: Path
) -> None:
    write_notebook(folder / "again.ipynb", *CELLS)
    with lab.open(chromium, "again.ipynb") as page:
        run_all(page)
        page.locator(".mp-player").wait_for()
        save(page)
        shut_down_kernel(page)
    payload = payload_in(folder / "again.ipynb")
    with lab.open(chromium, "again.ipynb") as page:
        walk(page, payload, key="+".join(payload["open"]))
    assert json.loads((folder / "again.ipynb").read_text(encoding="utf-8"))["cells"]
