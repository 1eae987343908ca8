"""Draw the pictures of the README again: `.venv/bin/python docs/make_images.py`.

It opens the player in Chromium: of the documents' PyLayer in the middle of the user's own
`backward`, of the demo's training in the backward pass of a later round, and of two ranks that
share an MLP, where they first meet (for which MPI must be installed).
"""

from __future__ import annotations

import argparse
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

import viz
from minipaddle._cli import demo
from viz.trace import Trace

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "lessons" / "demo"
WIDTH, HEIGHT = 1280, 800
FIRST_MEETING = 9  # the step of the ranks' first all_reduce


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser's program")
    browser = parser.parse_args().chromium
    images = HERE / "images"
    images.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for page, step in pages(Path(folder)):
            picture = photograph(page, browser, step)
            (images / f"{page.stem}.png").write_bytes(picture)
            print(f"docs/images/{page.stem}.png  {len(picture) / 1000:.0f} kB")


def pages(folder: Path) -> Iterator[tuple[Path, int]]:
    """The pages, and of each the step to show."""
    for name, trace, step in recordings():
        yield trace.save(folder / f"{name}.html"), step
    program = HERE.parent / "examples" / "tensor_parallel_mlp.py"
    command = ["launch", "--nproc_per_node", "2", "--trace", str(folder / "ranks.html")]
    subprocess.run([sys.executable, "-m", "minipaddle", *command, str(program)], check=True)
    yield folder / "ranks.html", FIRST_MEETING


def recordings() -> Iterator[tuple[str, Trace, int]]:
    """Their names, what is recorded, and the step to show."""
    with viz.record(title="cus_tanh") as trace:
        runpy.run_path(str(PROGRAMS / "cus_tanh.py"))
    texts = ((view.index, view.text) for view in trace.steps)
    yield "player", trace, next(k for k, text in texts if "multiplied element by element" in text)
    training = demo.record_training(PROGRAMS)
    steps = (view for view in training.steps if view.round == 50 and view.phase == "backward")
    yield "rounds", training, next(v.index for v in steps if "Backward of matmul" in v.text)


def photograph(page: Path, browser: str, step: int) -> bytes:
    """The player at one step, light and in English."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        view = chromium.new_page(
            viewport={"width": WIDTH, "height": HEIGHT},
            color_scheme="light",
            locale="en-US",
            reduced_motion="reduce",
        )
        view.goto(f"{page.as_uri()}#step={step + 1}")
        view.locator(".mp-player").wait_for()
        view.wait_for_timeout(500)
        picture = view.screenshot()
        chromium.close()
    return picture


if __name__ == "__main__":
    main()
