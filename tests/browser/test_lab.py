"""The player in a real JupyterLab, used as a person would."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if importlib.util.find_spec("jupyterlab") is None:
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

from playwright.sync_api import expect

from ..javascript.composing import unpacked
from ..notebooks import write_notebook
from ..viz.pages import inflate
from .checks import area, settled, walk
from .fixture import CODE
from .lab import (
    ask_kernel,
    check_keys,
    run_all,
    running,
    save,
    shut_down_kernel,
    wait_for_saved_widget,
    widget_states,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOM = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer"
PLAYER = """from viz.player.widget import Code, Player, Told
player = Player(Code(), Told(trace), step=0, lang='zh')
player"""
LAYER, RUN = CODE.split("\n\ndata = ")
CELLS = [
    "import minipaddle as paddle, viz\nfrom minipaddle.autograd import PyLayer",
    LAYER,
    "data = " + RUN.split("\n", 1)[0].removeprefix("data = ") + "\ndata.stop_gradient = False",
    "with viz.record() as trace:\n    z = cus_tanh.apply(data)\n    z.mean().backward()\ntrace",
]


def payload_in(notebook: Path) -> dict[str, Any]:
    """Return the payload of the only player in a saved notebook."""
    [packed] = [state["payload"] for state in widget_states(notebook) if "payload" in state]
    payload = json.loads(inflate(packed))
    [only] = unpacked(payload)
    return {**only, "open": payload["graphs"][0]["open"]}


def test_a_recorded_pylayer_plays_in_jupyterlab(
    chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    lab = running(request)
    file = lab.folder(tmp_path.name) / "tanh.ipynb"
    write_notebook(file, *CELLS[:-1], CELLS[-1].removesuffix("\ntrace"), PLAYER)
    with lab.open(chromium, file) as page:
        run_all(page)
        player = page.locator(".mp-player")
        player.wait_for()
        player.locator("[data-action=next]").click()
        expect(player).to_have_attribute("data-step", "1")
        player.evaluate("(e) => e.scrollIntoView({ block: 'start' })")
        settled(page)
        whole, room = (area(page.locator(mark)) for mark in (".mp-player", ROOM))
        assert whole["height"] <= room["height"]  # the controls and the picture are visible at once
        canvas, pane = (area(page.locator(f".mp-{part}")) for part in ("svg", "viewport"))
        assert canvas["width"] <= pane["width"]
        assert canvas["height"] <= pane["height"]

        # The kernel knows the step and the language, and can set the step.
        expect(page.locator(".mp-phase")).to_have_text("前向")
        assert ask_kernel(page, "print(player.step)") == "1"
        ask_kernel(page, "player.step = 6")
        expect(player).to_have_attribute("data-step", "6")
        player.locator(".mp-more").click()
        player.get_by_role("button", name="Switch to English").click()
        expect(page.locator(".mp-phase")).to_have_text("Backward")
        assert ask_kernel(page, "print(player.lang)") == "en"

        save(page)
        payload = payload_in(file)
        phases = [step["phase"] for step in payload["steps"]]
        assert phases.count("forward") >= 4
        assert phases.count("backward") >= 7
        opened = "+".join(payload["open"])
        walk(page, payload, key=opened)
        player.locator("[data-action=next]").press("Enter")
        expect(player).to_have_attribute("data-step", "1")
        expect(page.locator(".mp-source").first).to_have_text("Cell [2]")
        check_keys(page)

        shut_down_kernel(page)
        walk(page, payload, key=opened)
        page.get_by_role("button", name="Close cus_tanh", exact=True).click()
        walk(page, payload, follow=False)  # boxes closed by hand stay closed

    with lab.open(chromium, file) as page:  # the player is shown without a run
        wait_for_saved_widget(page, ".mp-player")
        walk(page, payload, key=opened)
