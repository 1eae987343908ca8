"""The player in notebooks besides JupyterLab, and in pages made of notebooks."""

from __future__ import annotations

import importlib.util
import json
import mimetypes
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if importlib.util.find_spec("jupyterlab") is None:
    pytest.skip("JupyterLab is not installed", allow_module_level=True)

from playwright.sync_api import expect

from tests.processes import python

from ..conftest import missing
from ..notebooks import write_notebook
from ..patience import PATIENCE
from .checks import area
from .lab import ask_kernel, check_keys, run_all, running, save, widget_states

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RECORD = """\
import minipaddle as paddle, viz
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
with viz.record("squares") as trace:
    (x * x).sum().backward()
trace"""
AGAIN = "trace.show(step=2)"
FRAME = 'viz.set_output("frame")\ntrace'
STEPS = 9
NETWORK = re.compile("^https?:")


# ----- Jupyter -----------------------------------------------------------------------------------


def need(config: pytest.Config, *modules: str) -> None:
    """Skip the test if a module is missing, or fail if tests of the player are required."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            missing(config, f"{module} is not installed: pip install -e '.[fronts]'")


def test_the_player_works_in_notebook_7(
    chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """The player takes its keys, ids are unique, and a second run leaves nothing behind."""
    need(request.config, "notebook")
    jupyter = running(request, "notebook")
    file = jupyter.folder(tmp_path.name) / "squares.ipynb"
    write_notebook(file, RECORD, AGAIN)
    with jupyter.open(chromium, file) as page:
        run_all(page)
        players = page.locator(".mp-player")
        expect(players).to_have_count(2)
        expect(players.nth(1)).to_have_attribute("data-step", "2")

        first = players.first
        first.focus()
        for key in ("ArrowRight", "m", "d", "d", "ArrowRight"):
            page.keyboard.press(key)
        expect(first).to_have_attribute("data-step", "3")
        expect(first.locator(".mp-timeline")).to_have_attribute("data-rows", "")
        markers = page.evaluate("[...document.querySelectorAll('marker')].map((each) => each.id)")
        assert len(markers) == len(set(markers)) >= 6

        check_keys(page)

        save(page)
        size = file.stat().st_size
        held = len(widget_states(file))
        assert held == 4  # two players, their one story and their one code
        for _ in range(2):
            run_all(page)
        expect(players).to_have_count(2)
        save(page)
        assert len(widget_states(file)) == held
        assert file.stat().st_size == pytest.approx(size, rel=0.01)
        counted = "import ipywidgets.widgets.widget as w\nprint(len(w._instances))"
        assert ask_kernel(page, counted) == str(held)

        page.evaluate(
            "window.jupyterapp.commands.execute('apputils:change-theme',"
            " {theme: 'JupyterLab Dark'}).then(() => true)"
        )
        expect(first).to_have_attribute("data-theme", "dark")


def test_a_notebook_that_is_not_trusted(
    chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path, executed: Path
) -> None:
    lab = running(request)
    file = Path(shutil.copy(executed, lab.folder(tmp_path.name) / "foreign.ipynb"))
    with lab.open(chromium, file) as page:
        pictures = page.locator(".jp-OutputArea-output img")
        expect(pictures).to_have_count(2)
        for picture in pictures.all():
            picture.scroll_into_view_if_needed()
            assert area(picture)["width"] > 100
        assert page.locator(".mp-player, iframe").count() == 0


# ----- pages -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run and saved notebook; its first output is a player, its last one a frame."""
    file = tmp_path_factory.mktemp("executed") / "squares.ipynb"
    write_notebook(file, RECORD, FRAME)
    run("nbconvert", "--to", "notebook", "--execute", "--inplace", str(file))
    return file


def run(module: str, *arguments: str) -> None:
    done = python("-m", module, *arguments)
    assert done.returncode == 0, done.stderr


def without_state(notebook: Path, copy: Path) -> Path:
    saved = json.loads(notebook.read_text(encoding="utf-8"))
    del saved["metadata"]["widgets"]
    copy.write_text(json.dumps(saved), encoding="utf-8")
    return copy


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Yield a page without a network."""
    context = chromium.new_context(color_scheme="light", locale="en-US")
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.route(NETWORK, lambda route: route.abort())
    yield page
    context.close()


def check_frame(page: Page, start: int = 0) -> None:
    """Check that the player in the only frame plays, and has not taken the focus."""
    frame = page.locator("iframe")
    frame.scroll_into_view_if_needed()
    player = page.frame_locator("iframe").locator(".mp-player")
    expect(player).to_have_attribute("data-step", str(start))
    assert page.evaluate("document.activeElement === document.body")
    player.locator("[data-action=last]").click()
    expect(player).to_have_attribute("data-step", str(STEPS - 1))


def check_picture(page: Page) -> None:
    """Check that the first picture of the page is drawn, without a wall of text."""
    drawn = "document.images[0].complete && document.images[0].naturalWidth > 200"
    page.wait_for_function(drawn)
    assert "gradient has reached" not in page.locator("body").inner_text()


def test_a_saved_notebook_has_a_picture_that_becomes_a_page(
    page: Page, executed: Path, tmp_path: Path
) -> None:
    cells = json.loads(executed.read_text(encoding="utf-8"))["cells"]
    [player], [frame] = ([output["data"] for output in cell["outputs"]] for cell in cells)
    for data in (player, frame):
        assert {"text/html", "image/svg+xml", "text/plain"} <= set(data)
        assert "".join(data["text/plain"]) == f"<Trace of squares: {STEPS} steps>"
    assert len(json.dumps(player)) < 40_000

    bare = without_state(executed, tmp_path / "bare.ipynb")
    state = Path(shutil.copy(executed, tmp_path / "state.ipynb"))
    run("nbconvert", "--to", "html", str(bare), str(state))
    page.goto(bare.with_suffix(".html").as_uri(), wait_until="domcontentloaded")
    check_picture(page)
    check_frame(page)
    page.goto(state.with_suffix(".html").as_uri(), wait_until="domcontentloaded")
    assert page.locator(".mp-player").count() == 0  # scripts are removed, so the frame is used
    check_frame(page)


def test_the_player_works_in_myst_nb_with_furo(
    page: Page, executed: Path, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    need(pytestconfig, "myst_nb", "furo")
    settings = 'extensions = ["myst_nb"]\nhtml_theme = "furo"\nnb_execution_mode = "off"\n'
    (tmp_path / "conf.py").write_text(settings)
    shutil.copy(executed, tmp_path / "index.ipynb")
    run("sphinx", "-q", "-b", "html", str(tmp_path), str(tmp_path / "out"))
    page.goto((tmp_path / "out" / "index.html").as_uri(), wait_until="domcontentloaded")
    check_frame(page)


def test_the_player_works_in_marimo(
    page: Page, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    need(pytestconfig, "marimo")
    import marimo

    cells = [RECORD, "trace", "trace.show(iframe=True, step=3)"]
    (tmp_path / "squares.py").write_text(marimo_notebook(cells))
    made = tmp_path / "squares.html"
    run("marimo", "export", "html", str(tmp_path / "squares.py"), "-o", str(made))
    static = Path(marimo.__file__).parent / "_static"
    page.route(NETWORK, lambda route: own_files(route, static))
    page.goto(made.as_uri())
    players = page.locator(".mp-player")
    expect(players).to_have_count(2)
    players.first.press("ArrowRight")
    expect(players.first).to_have_attribute("data-step", "2")
    expect(players.first).to_have_css("display", "flex")  # the style sheet is loaded
    expect(players.nth(1)).to_have_attribute("data-step", "0")
    page.evaluate("document.activeElement.blur()")
    page.locator("iframe").scroll_into_view_if_needed()
    inner = page.frame_locator("iframe").locator(".mp-player")
    expect(inner).to_have_attribute("data-step", "3")


def marimo_notebook(cells: list[str]) -> str:
    """Return cells as a marimo notebook; `trace` goes from the first to the others."""
    first, *others = (cell.replace("\n", "\n    ") for cell in cells)
    parts = [f"@app.cell\ndef _():\n    {first}\n    return (trace,)"]
    parts += [f"@app.cell\ndef _(trace):\n    {cell}\n    return" for cell in others]
    return "\n\n".join(["import marimo", "app = marimo.App()", *parts]) + "\n"


def own_files(route: Any, static: Path) -> None:
    """Serve files that marimo's page loads from a network from the package instead."""
    file = static / route.request.url.partition("/dist/")[2].partition("?")[0]
    if file.is_file():
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        allowed = {"access-control-allow-origin": "*"}
        route.fulfill(path=str(file), content_type=kind, headers=allowed)
    else:
        route.abort()
