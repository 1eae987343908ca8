"""Cost of the first visit to the playground, beside a bare Pyodide with NumPy and JupyterLite.

`MINIPADDLE_PYODIDE=<a folder> python benchmarks/browser.py [SITE]` serves the built site (out/site)
and opens each page in a new Chromium, without any cache. It prints the bytes that the page asked
for, the seconds until it has its first result, and the memory of all processes of the browser.
`MINIPADDLE_MARIMO=<a folder>` adds a marimo notebook, which benchmarks/marimo_page.py made there.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
BARE = """<!doctype html><title>wait</title><script type="module">
import { loadPyodide } from "./pyodide/pyodide.mjs";
const pyodide = await loadPyodide({ packages: ["numpy"] });
pyodide.runPython("import numpy; numpy.tanh(numpy.ones(3))");
document.title = "done";
</script>"""
LESSON = "notebooks/index.html?path=01_one_tanh.ipynb"
PATIENCE = 300_000  # milliseconds


def run_playground(page: Any) -> None:
    """Run the first example, and wait for its player."""
    page.locator("body[data-state=ready]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Run", exact=True).click()
    page.frame_locator("#player").locator(".mp-player").wait_for(timeout=PATIENCE)


def wait_for_title(page: Any) -> None:
    page.wait_for_function("document.title === 'done'", timeout=PATIENCE)


def run_first_cell(page: Any) -> None:
    """Run the first cell of code in JupyterLite."""
    cell = page.locator(".jp-CodeCell").first
    cell.locator(".cm-content").click(timeout=PATIENCE)
    page.keyboard.press("Shift+Enter")
    cell.get_by_text("[1]:").wait_for(timeout=PATIENCE)


def wait_for_marimo(page: Any) -> None:
    """Wait for the first cell, which marimo runs by itself; it prints what only a browser has."""
    page.locator(".output", has_text="emscripten").first.wait_for(timeout=PATIENCE)


PAGES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "Pyodide with NumPy alone": ("bare.html", wait_for_title),
    "playground, to the first picture": ("play/", run_playground),
    "JupyterLite, to the first cell of a lesson": (f"lab/{LESSON}", run_first_cell),
}


class Handler(SimpleHTTPRequestHandler):
    """Serve files, and count their bytes."""

    sent = 0
    lock = Lock()  # without it, some files that are sent at the same time are not counted

    def copyfile(self, source: Any, outputfile: Any) -> None:
        size = os.fstat(source.fileno()).st_size
        with Handler.lock:
            Handler.sent += size
        super().copyfile(source, outputfile)

    def log_message(self, *_: Any) -> None:
        pass


def memory_of_children() -> float:
    """Return the memory in MB of all processes that this one has started, shared parts once."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        found = re.search(r"PPid:\s+(\d+)", status.read_text())
        parents[int(status.parent.name)] = int(found[1]) if found else 0
    total = 0
    for process in parents:
        ancestor = process
        while ancestor not in (0, os.getpid()):
            ancestor = parents.get(ancestor, 0)
        if ancestor and process != os.getpid():
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
            total += int(re.search(r"Pss:\s+(\d+)", rollup)[1])  # type: ignore[index]
    return total / 1024


def measure(address: str, path: str, wait: Callable[[Any], None]) -> tuple[float, float, float]:
    """Return megabytes, seconds and megabytes of memory of a first visit."""
    Handler.sent = 0
    with sync_playwright() as playwright:
        path_of_browser = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path_of_browser, args=["--no-sandbox"])
        page = browser.new_page()
        began = time.perf_counter()
        page.goto(address + path)
        wait(page)
        seconds = time.perf_counter() - began
        memory = memory_of_children()
        browser.close()
    return Handler.sent / 1e6, seconds, memory


def main() -> None:
    site = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "out/site"
    (site / "bare.html").write_text(BARE, encoding="utf-8")
    marimo = site / "marimo"
    if folder := os.environ.get("MINIPADDLE_MARIMO"):
        marimo.unlink(missing_ok=True)
        marimo.symlink_to(Path(folder).resolve())
        PAGES["marimo, to the first cell with NumPy"] = ("marimo/", wait_for_marimo)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    print(f"{'first visit':<44}{'MB':>8}{'seconds':>9}{'memory, MB':>12}")
    for name, (path, wait) in PAGES.items():
        cost = measure(f"http://127.0.0.1:{server.server_port}/", path, wait)
        print("{:<44}{:>8.1f}{:>9.1f}{:>12.0f}".format(name, *cost))
    (site / "bare.html").unlink()
    marimo.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
