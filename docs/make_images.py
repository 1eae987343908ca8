"""Draw the pictures of the README again: `.venv/bin/python docs/make_images.py`.

It records the documents' PyLayer, opens the player in Chromium and steps into the middle of the
backward pass, inside the user's own `backward`.
"""

from __future__ import annotations

import argparse
import runpy
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import viz

HERE = Path(__file__).parent
PROGRAM = HERE.parent / "lessons" / "demo" / "cus_tanh.py"
WIDTH, HEIGHT = 1280, 800
SAYS = "are multiplied element by element"  # the step to show


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser's program")
    browser = parser.parse_args().chromium
    with viz.record(title="cus_tanh") as trace:
        runpy.run_path(str(PROGRAM))
    step = next(view.index for view in trace.steps if SAYS in view.text)
    with tempfile.TemporaryDirectory() as folder:
        page = trace.save(Path(folder) / "cus_tanh.html")
        picture = photograph(page, browser, step)
    images = HERE / "images"
    images.mkdir(exist_ok=True)
    (images / "player.png").write_bytes(picture)
    print(f"docs/images/player.png  {len(picture) / 1000:.0f} kB")


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
        view.goto(page.as_uri())
        for _ in range(step):
            view.keyboard.press("ArrowRight")
        view.wait_for_timeout(500)
        picture = view.screenshot()
        chromium.close()
    return picture


if __name__ == "__main__":
    main()
