"""A part of the site, built and served for tests, and a browser that reaches nothing else.

MINIPADDLE_PYODIDE must name a folder with Pyodide (`tests/wasm/fetch_runtime.py`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..conftest import missing
from ..patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

Factory = pytest.TempPathFactory
ROOT = Path(__file__).resolve().parents[2]
LOAD = max(120, PATIENCE)  # seconds in which Python must be loaded on a crowded machine


def build(config: pytest.Config, factory: Factory, part: str, *modules: str) -> Path:
    """Return the folder of a built part of the site; skip where something is missing for it."""
    if not Path(os.environ.get("MINIPADDLE_PYODIDE", ""), "pyodide-lock.json").is_file():
        missing(config, "MINIPADDLE_PYODIDE names no folder with Pyodide", "--require-wasm")
    need(config, "hatchling", *modules)
    command = [sys.executable, "site/build.py", "--only", part, "--output"]
    return made_once(
        factory, part, lambda folder: subprocess.run([*command, folder], cwd=ROOT, check=True)
    )


def need(config: pytest.Config, *modules: str) -> None:
    """Skip where a module is missing that a part of the site needs."""
    for module in modules:
        if find_spec(module) is None:
            reason = f"{module} is not installed: pip install -e '.[site]'"
            missing(config, reason, "--require-extras")


def made_once(factory: Factory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that the first of all workers fills; the others wait for it."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, ended = base / f"site-{name}", base / f"site-{name}-ended"
    try:
        folder.mkdir()
    except FileExistsError:
        while not ended.exists():
            time.sleep(0.2)
    else:
        try:
            make(folder)
        finally:
            ended.touch()
    return folder


def serving(folder: Path) -> AbstractContextManager[str]:
    """Serve a folder during the block, as the site's own command does; yield its address."""
    spec = spec_from_file_location("serve_of_site", ROOT / "site/serve.py")
    assert spec is not None
    assert spec.loader is not None
    serve = module_from_spec(spec)
    spec.loader.exec_module(serve)
    return serve.serving(folder, 0)


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
