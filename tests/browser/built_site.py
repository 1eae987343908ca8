"""A part of the site, built and served for tests, and a browser that reaches nothing else.

MINIPADDLE_PYODIDE must name a folder with Pyodide (`tests/wasm/fetch_runtime.py`).
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from ..conftest import missing
from ..patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

ROOT = Path(__file__).resolve().parents[2]
LOAD = max(120, PATIENCE)  # seconds in which Python must be loaded on a crowded machine


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing about each request."""


def build(config: pytest.Config, part: str, folder: Path, *modules: str) -> None:
    """Build a part of the site, or skip where something is missing that it needs."""
    if not Path(os.environ.get("MINIPADDLE_PYODIDE", ""), "pyodide-lock.json").is_file():
        missing(config, "MINIPADDLE_PYODIDE names no folder with Pyodide", "--require-wasm")
    for module in ("hatchling", *modules):
        if find_spec(module) is None:
            missing(config, f"{module} is not installed: pip install -e '.[site]'")
    command = [sys.executable, "site/build.py", "--only", part, "--output", folder]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder; yield its address."""
    handler = functools.partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def visiting(
    browser: Browser, address: str, allowed: str = "no error", **options: Any
) -> Iterator[Page]:
    """Yield a page that reaches nothing but this address; fail if it asked for more or erred.

    Errors of the console that contain the text `allowed` are no failure.
    """
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    complaints: list[str] = []

    def only_here(route: Route) -> None:
        url = route.request.url
        if url.startswith((address, "data:", "blob:")):
            route.continue_()
        else:
            complaints.append(url)
            route.abort()

    context.route("**/*", only_here)
    page = context.new_page()
    page.set_default_timeout(LOAD * 1000)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    yield page
    context.close()
    assert [text for text in complaints if allowed not in text] == []
