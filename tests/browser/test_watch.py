"""`%%watch` in a real JupyterLab, and a notebook that keeps its player without a kernel."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
if importlib.util.find_spec("jupyterlab") is None:
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

from playwright.sync_api import expect

from ..patience import PATIENCE
from .lab import jupyterlab, save, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IMPORTS = "import minipaddle as paddle\n%load_ext viz"
CELL = """\
%%watch trace --iframe
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = x * x
y.sum().backward()"""
FAILING = """\
%%watch trace
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = paddle.tanh(x)
y @ paddle.ones([3])"""
AFTER = "print('not reached')"


def run_until_it_fails(page: Page) -> None:
    """Run all cells; the last one that ran has an error among its outputs."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").wait_for()


def test_an_exception_is_shown_at_its_node(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "notebooks").mkdir()
    write_notebook(tmp_path / "notebooks" / "watch.ipynb", IMPORTS, FAILING, AFTER)
    server = jupyterlab(tmp_path, tmp_path / "notebooks")
    with server as lab, lab.open(chromium, "watch.ipynb") as page:
        run_until_it_fails(page)
        player = page.locator(".mp-player")
        player.wait_for()  # it opens where the run failed
        expect(page.locator(".mp-say")).to_contain_text("It stops here in matmul with InvalidArg")
        expect(page.locator(".mp-source").first).to_have_text("Cell [2]")
        expect(page.locator(".mp-line[aria-current='step']")).to_contain_text(
            "y @ paddle.ones([3])"
        )
        failed = page.locator("[data-node][data-state='active']", has_text="error")
        expect(failed).to_contain_text("@")
        save(page)
    cells = json.loads((tmp_path / "notebooks" / "watch.ipynb").read_text("utf-8"))["cells"]
    kinds = [output["output_type"] for output in cells[1]["outputs"]]
    assert kinds == ["display_data", "error"]
    assert cells[2]["outputs"] == []  # Run All stopped at the exception


def test_a_saved_notebook_plays_without_a_kernel(chromium: Browser, tmp_path: Path) -> None:
    """Through nbconvert, which shows what is saved and runs nothing afterwards."""
    notebook = tmp_path / "kept.ipynb"
    write_notebook(notebook, IMPORTS, CELL)
    root = str(Path(__file__).parents[2])
    convert = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", str(notebook)]
    subprocess.run(
        convert, check=True, capture_output=True, env=environment(tmp_path, root), timeout=PATIENCE
    )
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.route("http*://**", lambda route: route.abort())
    page.goto((tmp_path / "kept.html").as_uri(), wait_until="domcontentloaded")
    player = page.frame_locator("iframe").locator(".mp-player")
    player.wait_for()
    steps = int(player.get_attribute("data-steps") or 0)
    assert steps > 5
    player.locator("[data-action=last]").click()
    expect(player).to_have_attribute("data-step", str(steps - 1))
    expect(player.locator(".mp-say")).to_contain_text("The gradient has reached x")
    context.close()


def environment(home: Path, root: str) -> dict[str, str]:
    import os

    own = {
        name: str(home / name)
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    return {**os.environ, **own, "PYTHONPATH": root}
