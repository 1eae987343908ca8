"""Draw the pictures of the README again: `.venv/bin/python docs/make_images.py`.

It opens the player in Chromium. The pictures are the steps of the documents' PyLayer, the backward
pass of a later round of the demo's training, and the first all_reduce of two ranks that share an
MLP (which needs MPI).
"""

from __future__ import annotations

import argparse
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import viz
from minipaddle._cli import demo
from viz.trace import Trace

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "lessons" / "demo"
WIDTH, HEIGHT = 1280, 800
FRAME = 1200  # milliseconds of each picture of the GIF
FIRST_MEETING = 9  # step of the ranks' first all_reduce


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser's program")
    browser = parser.parse_args().chromium
    images = HERE / "images"
    images.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for page, steps in pages(Path(folder)):
            pictures = photographs(page, browser, steps)
            target = images / f"{page.stem}.{'gif' if len(pictures) > 1 else 'png'}"
            first, *others = pictures
            first.save(target, save_all=True, append_images=others, duration=FRAME, loop=0)
            print(f"docs/images/{target.name}  {target.stat().st_size / 1000:.0f} kB")


def pages(folder: Path) -> Iterator[tuple[Path, Sequence[int]]]:
    """Yield each page with the steps to show."""
    for name, trace, steps in recordings():
        yield trace.save(folder / f"{name}.html"), steps
    program = HERE.parent / "examples" / "tensor_parallel_mlp.py"
    command = ["launch", "--nproc_per_node", "2", "--trace", str(folder / "ranks.html")]
    subprocess.run([sys.executable, "-m", "minipaddle", *command, str(program)], check=True)
    yield folder / "ranks.html", [FIRST_MEETING]


def recordings() -> Iterator[tuple[str, Trace, Sequence[int]]]:
    """Yield names, traces and the steps to show."""
    with viz.record(title="cus_tanh") as trace:
        runpy.run_path(str(PROGRAMS / "cus_tanh.py"))
    yield "player", trace, range(len(trace))
    training = demo.record_training(PROGRAMS)
    backward = (view for view in training.steps if view.round == 50 and view.phase == "backward")
    yield "rounds", training, [next(view.index for view in backward if "matmul" in view.text)]


def photographs(page: Path, browser: str, steps: Sequence[int]) -> list[Image.Image]:
    """Photograph the player at each step, light and in English; a film has 64 colours."""
    pictures = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        view = chromium.new_page(
            viewport={"width": WIDTH, "height": HEIGHT},
            color_scheme="light",
            locale="en-US",
            reduced_motion="reduce",
        )
        for step in steps:
            view.goto(f"{page.as_uri()}#step={step + 1}")
            view.reload()
            view.locator(".mp-player").wait_for()
            view.wait_for_timeout(500)
            picture = Image.open(BytesIO(view.screenshot())).convert("RGB")
            pictures.append(picture.quantize(64 if len(steps) > 1 else 256))
        chromium.close()
    return pictures


if __name__ == "__main__":
    main()
