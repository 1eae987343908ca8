"""A real JupyterLab for a test: its own folders, a token, no news, and a browser that opens it.

`notebook7` starts Jupyter Notebook instead, which has the same commands but takes keys otherwise.

    with jupyterlab(tmp_path, notebooks) as lab, lab.open(chromium, "lesson.ipynb") as page:
        run_all(page)
        page.locator(".mp-player").first.wait_for()

`open` checks at its end that no page error happened and that no request left this machine.
"""

from __future__ import annotations

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
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page

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


@dataclass(frozen=True)
class Lab:
    """A running server; `token` opens it."""

    address: str
    token: str
    folder: str = "lab/tree"

    @contextmanager
    def open(self, browser: Browser, notebook: str, **context: Any) -> Iterator[Page]:
        """The notebook with its kernel ready, in a browser window of its own."""
        size = {"width": 1280, "height": 900}
        window = browser.new_context(**{"viewport": size, "locale": "en-US", **context})
        page = window.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        here = (self.address, self.address.replace("http", "ws", 1), "data:", "blob:")
        strayed: list[str] = []
        errors: list[str] = []
        page.on("request", lambda call: call.url.startswith(here) or strayed.append(call.url))
        page.on("pageerror", lambda error: _of_notebook(error) or errors.append(str(error)))
        try:
            page.goto(
                f"{self.address}/{self.folder}/{notebook}?reset&token={self.token}",
                wait_until="domcontentloaded",
            )
            page.wait_for_function("window.jupyterapp?.restored.then(() => true)")
            page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell")
            page.wait_for_function(f"{_KERNEL}?.status === 'idle'")
            yield page
            assert errors == []
            assert strayed == []
        finally:
            window.close()


def _of_notebook(error: Error) -> bool:
    """Whether the error is Notebook's: at its start 7.6 asks for the schema of missing settings."""
    return "reading 'schema'" in error.message and "/static/notebook/" in (error.stack or "")


def jupyterlab(home: Path, notebooks: Path) -> AbstractContextManager[Lab]:
    """Start `python -m jupyterlab` on a folder; everything it writes stays under `home`."""
    return _served("jupyterlab", "lab/tree", home, notebooks)


def notebook7(home: Path, notebooks: Path) -> AbstractContextManager[Lab]:
    """The same with `python -m notebook`."""
    return _served("notebook", "notebooks", home, notebooks)


@contextmanager
def _served(module: str, folder: str, home: Path, notebooks: Path) -> Iterator[Lab]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    here = (f"--ServerApp.port={port}", f"--ServerApp.root_dir={notebooks}")
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), folder)
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
    return {**os.environ, **own, **quiet}


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


def write_notebook(file: Path, *cells: str) -> None:
    """A notebook with these code cells."""
    code = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": text,
        }
        for number, text in enumerate(cells)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": code, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    file.write_text(json.dumps(notebook), encoding="utf-8")


def run_all(page: Page) -> None:
    """Run every cell and wait until the kernel is idle again."""
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(
        f"{_CELLS}.every((cell) => cell.model.executionCount !== null)"
        f" && {_KERNEL}.status === 'idle'"
    )


def shut_down_kernel(page: Page) -> None:
    """End the kernel of the notebook, as the menu does."""
    page.evaluate(
        "window.jupyterapp.shell.currentWidget.sessionContext.shutdown().then(() => true)"
    )


def ask_kernel(page: Page, code: str) -> str:
    """What this code prints in the notebook's kernel."""
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


def widget_states(notebook: Path) -> list[dict[str, Any]]:
    """The states of the widgets that were saved with a notebook."""
    saved = json.loads(notebook.read_text(encoding="utf-8"))
    widgets = saved["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]
    return [model["state"] for model in widgets["state"].values()]
