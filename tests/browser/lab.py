"""A real JupyterLab for tests, with its own folders and a token, and a browser that opens it.

`running` starts JupyterLab once for all tests, or Jupyter Notebook, which has the same commands but
handles keys differently. Each test works in its own folder.

    lab = running(request)
    with lab.open(chromium, lab.folder(tmp_path.name) / "lesson.ipynb") as page:
        run_all(page)
        page.locator(".mp-player").first.wait_for()

`open` checks at its end that no page error happened and that no request left this machine.
"""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Request, expect

from ..patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
}
_SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyter-widgets/jupyterlab-manager/plugin": {"saveState": True},
}
_THEME = "settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings"
SIZE = {"width": 1280, "height": 900}
_OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--LabApp.expose_app_in_browser=True",
    "--JupyterNotebookApp.expose_app_in_browser=True",
    "--LabApp.extension_manager=readonly",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
)
_KERNEL = "window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel"
_CELLS = """window.jupyterapp.shell.currentWidget.content.widgets
    .filter((cell) => cell.model.type === 'code' && cell.model.sharedModel.getSource().trim())"""

_CELLS_NOW = """() => {
  const { mode, widgets } = window.jupyterapp.shell.currentWidget.content;
  return [mode, ...widgets.map(({ model }) => [model.executionCount, model.type])];
}"""


@dataclass(frozen=True)
class Lab:
    """A running server; `token` opens it."""

    address: str
    token: str
    path: str  # path of a notebook's page
    home: Path
    pages: list[Page] = field(default_factory=list)

    @property
    def notebooks(self) -> Path:
        return self.home / "notebooks"

    def folder(self, name: str) -> Path:
        """Make a folder for the notebooks of one test."""
        folder = self.notebooks / name
        folder.mkdir()
        return folder

    @contextmanager
    def open(
        self, browser: Browser, notebook: Path, viewport: dict[str, int] = SIZE
    ) -> Iterator[Page]:
        """Open a notebook, and wait for its kernel.

        The page is reused for the next notebook: a new page would compile JupyterLab again.
        """
        page = self.pages.pop() if self.pages else browser.new_context(locale="en-US").new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        (self.home / _THEME).unlink(missing_ok=True)
        here = (self.address, self.address.replace("http", "ws", 1), "data:", "blob:")
        strayed: list[str] = []
        errors: list[str] = []

        def stray(call: Request) -> None:
            if not call.url.startswith(here):
                strayed.append(call.url)

        def fail(error: Error) -> None:
            if not _is_notebooks_own(error):
                errors.append(str(error))

        page.on("request", stray)
        page.on("pageerror", fail)
        where = notebook.relative_to(self.notebooks).as_posix()
        try:
            page.goto(
                f"{self.address}/{self.path}/{where}?reset&token={self.token}",
                wait_until="domcontentloaded",
            )
            restored(page)
            wait_for(page, f"{_KERNEL}?.status === 'idle'")
            yield page
            page.evaluate("window.jupyterapp.serviceManager.sessions.shutdownAll()")
            assert errors == []
            assert strayed == []
        except BaseException as error:
            error.add_note(f"page errors: {errors}\noutputs: {_outputs(page)}")
            page.context.close()
            raise
        page.remove_listener("request", stray)
        page.remove_listener("pageerror", fail)
        self.pages.append(page)


def _outputs(page: Page) -> list[str]:
    """Return what the cells show, for the message of a failing test."""
    try:
        return page.locator(".jp-OutputArea-output").all_inner_texts()
    except Error as gone:
        return [gone.message]


def _is_notebooks_own(error: Error) -> bool:
    """Say whether an error is Notebook's: 7.6 requests the schema of missing settings at start."""
    return "reading 'schema'" in error.message and "/static/notebook/" in (error.stack or "")


_RUNNING = pytest.StashKey[dict[str, Lab]]()
_PATHS = {"jupyterlab": "lab/tree", "notebook": "notebooks"}


def running(request: pytest.FixtureRequest, module: str = "jupyterlab") -> Lab:
    """Return the server of a module, which is started for the first test that needs it.

    Fixtures of three folders call this; a fixture of the session would start three servers.
    """
    labs = request.config.stash.setdefault(_RUNNING, {})
    if module not in labs:
        home: Path = request.getfixturevalue("tmp_path_factory").mktemp(module)
        stack = ExitStack()
        labs[module] = stack.enter_context(_serve(module, home))
        request.config.add_cleanup(stack.close)
    return labs[module]


@contextmanager
def _serve(module: str, home: Path) -> Iterator[Lab]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), _PATHS[module], home)
    lab.notebooks.mkdir()
    here = (f"--ServerApp.port={port}", f"--ServerApp.root_dir={lab.notebooks}")
    log = home / f"{module}.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", module, *_OPTIONS, *here],
            env=_environment(home, lab.token),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(lab, server, log)
            yield lab
        finally:
            server.terminate()
            server.wait(PATIENCE)


def _environment(home: Path, token: str) -> dict[str, str]:
    for name, values in _SETTINGS.items():
        file = home / "settings" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    own = {variable: str(home / folder) for variable, folder in _FOLDERS.items()}
    quiet = {"JUPYTER_NO_CONFIG": "1", "JUPYTER_TOKEN": token, "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own, **quiet, "MINIPADDLE_PROGRESS": ""}


def _wait(lab: Lab, server: subprocess.Popen[bytes], log: Path) -> None:
    status, end = f"{lab.address}/api/status?token={lab.token}", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(status, timeout=PATIENCE).close()
        except (urllib.error.URLError, OSError):
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"Jupyter did not start:\n{log.read_text()}")


# ----- what a person does in it ------------------------------------------------------------------


def wait_for(page: Page, condition: str) -> None:
    """Wait until a condition holds. A check in each frame would slow the page down."""
    page.wait_for_function(condition, polling=50)


def restored(page: Page) -> None:
    """Wait until JupyterLab shows the notebook."""
    wait_for(page, "window.jupyterapp?.restored.then(() => true)")
    page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell")


def run_all(page: Page) -> None:
    """Run every cell and wait until the kernel is idle again."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    wait_for(
        page,
        f"{_CELLS}.every((cell) => cell.model.executionCount !== null)"
        f" && {_KERNEL}.status === 'idle'",
    )


def shut_down_kernel(page: Page) -> None:
    """Shut down the kernel of the notebook, as the menu does."""
    page.evaluate(
        "window.jupyterapp.shell.currentWidget.sessionContext.shutdown().then(() => true)"
    )


def ask_kernel(page: Page, code: str) -> str:
    """Run code in the notebook's kernel, and return its output."""
    return str(
        page.evaluate(
            """async ([code]) => {
              const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
              let printed = '';
              const future = kernel.requestExecute({ code });
              future.onIOPub = (message) => { printed += message.content.text ?? ''; };
              await future.done;
              return printed.trim();
            }""",
            [code],
        )
    )


def save(page: Page) -> None:
    """Save the notebook, widgets included."""
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save').then(() => true)")


def wait_for_saved_widget(page: Page, selector: str) -> None:
    """Wait until JupyterLab shows a widget from the notebook's file, without a run.

    The widget manager may give the widget up: where the kernel connects before the manager has
    read the file, it reports "model not found" and does not look again (ipywidgets, issue 3231).
    The page is then loaded again, as a user would do.
    """
    found = page.locator(selector).first
    given_up = page.get_by_text("Error displaying widget: model not found")
    for _ in range(5):
        expect(found.or_(given_up).first).to_be_visible()
        if found.is_visible():
            return
        page.reload(wait_until="domcontentloaded")
        restored(page)
    raise AssertionError("JupyterLab finds no saved widget in five loads")


def widget_states(notebook: Path) -> list[dict[str, Any]]:
    """Return the states of the widgets that were saved with a notebook."""
    saved = json.loads(notebook.read_text(encoding="utf-8"))
    widgets = saved["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]
    return [model["state"] for model in widgets["state"].values()]


def check_keys(page: Page) -> None:
    """Check that no key deletes, moves, leaves or runs a cell, whatever has the focus."""
    before = page.evaluate(_CELLS_NOW)
    player = page.locator(".mp-player").first
    for mark in ("[data-action=next]", ".mp-speed", ".mp-viewport", ".mp-cell"):
        player.locator(mark).first.focus()
        for key in ("d", "d", "x", "b", "z", "Shift+M", "y"):
            page.keyboard.press(key)
        assert page.evaluate(_CELLS_NOW) == before, mark
    player.press("/")
    page.locator(".mp-query").first.press_sequentially("dd")
    assert page.evaluate(_CELLS_NOW) == before

    player.press("Home")
    number = player.locator(".mp-value[data-editable] .mp-cell").first
    was = number.get_attribute("data-number")
    number.focus()
    for key in ("Enter", "Enter", "ArrowUp", "ControlOrMeta+A", "Delete", "4", "Enter"):
        page.keyboard.press(key)
    expect(player).to_have_attribute("data-changed", "1")
    expect(number).to_have_attribute("data-number", "4")
    for key in ("Enter", "r", "q", "d", "d", "Control+Enter", "Shift+Enter", "Escape", "r"):
        page.keyboard.press(key)
    expect(player).to_have_attribute("data-changed", "0")
    expect(number).to_have_attribute("data-number", str(was))
    assert page.evaluate(_CELLS_NOW) == before
