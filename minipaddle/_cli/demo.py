"""`minipaddle demo`: the documents' examples, a network that learns, and their pictures."""

from __future__ import annotations

import argparse
import importlib
import os
import runpy
import sys
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import seed
from ..exercises.workbench import static_mode
from ..folders import lessons_folder
from . import errors

ENDINGS = (".html", ".svg", ".png", ".txt", ".json")


def main(arguments: list[str]) -> int:
    """Run the examples, then record them and write the pictures."""
    parser = argparse.ArgumentParser(prog="minipaddle demo", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the pictures")
    parser.add_argument("--no-open", action="store_true", help="open no browser at the end")
    options = parser.parse_args(arguments)
    out = prepare_folder(options.out)
    demo = lessons_folder() / "demo"
    heading("A PyLayer: the gradients of cus_tanh")
    runpy.run_path(str(demo / "cus_tanh.py"))
    heading("The same PyLayer inside a network that reads digits")
    learn(demo / "digits.py")
    heading("py_func in a static Program")
    print("Four layers; `hidden:` is what a py_func without output saw; then the loss. And a sum.")
    for name in ("py_func_net.py", "py_func_add.py"):
        with static_mode():
            runpy.run_path(str(demo / name), run_name="__main__")
    heading("Recording, so that you can step through it")
    written = [
        save(out, "cus_tanh", record_cus_tanh(demo)),
        save(out, "digits", record_training(demo)),
        save(out, "py_func_net", record_py_func(demo)),
    ]
    print(f"\nOpen {written[0]} in a browser and press the right arrow key.")
    if not options.no_open:
        show(written[0])
    return 0


def prepare_folder(out: Path) -> Path:
    """Make the folder for the pictures, or use an existing folder."""
    if out.exists() and not out.is_dir():
        raise errors.file_in_the_way(out, "pictures")
    out.mkdir(parents=True, exist_ok=True)
    return out


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def learn(program: Path) -> None:
    """Train the digit reader with a progress bar; print its accuracy."""
    tqdm = importlib.import_module("tqdm").tqdm
    digits = runpy.run_path(str(program))

    def bar(epochs: Any) -> Any:
        return tqdm(epochs, desc="training", unit="epoch", file=sys.stdout)

    began = time.perf_counter()
    share = digits["train"](progress=bar)
    seconds = time.perf_counter() - began
    print(f"{share:.1%} of the held-out images are read right, after {seconds:.1f} s")


# ----- recording ---------------------------------------------------------------------------------


def record_run(title: str, run: Callable[[], Any]) -> Any:
    """Return the trace of a run."""
    viz = importlib.import_module("viz")
    with viz.record(title=title) as trace:
        run()
    return trace


def record_cus_tanh(demo: Path) -> Any:
    return record_run("cus_tanh", lambda: runpy.run_path(str(demo / "cus_tanh.py")))


def record_training(demo: Path) -> Any:
    """Record three epochs of the digit reader, with the steps of every tenth round."""
    viz = importlib.import_module("viz")
    train = runpy.run_path(str(demo / "digits.py"))["train"]
    with viz.record(title="digits", every=10) as trace:
        train(epochs=3)
    return trace


def record_py_func(demo: Path) -> Any:
    """Record example 1: construction and run of a Program with gradient operators."""
    program = runpy.run_path(str(demo / "py_func_net.py"))
    seed(1107)
    with static_mode():
        return record_run("py_func", lambda: program["run"](program["build"](with_gradients=True)))


def save(out: Path, name: str, trace: Any) -> Path:
    """Write a trace in every format, and print the files; return the page."""
    for ending in ENDINGS:
        trace.save(out / f"{name}{ending}")
    print(f"{len(trace):>4} steps  {out / name}{{{','.join(ENDINGS)}}}")
    return out / f"{name}.html"


def show(page: Path) -> None:
    """Open the player, if there is a screen."""
    on_screen = os.name == "nt" or sys.platform == "darwin" or os.environ.get("DISPLAY")
    if on_screen or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(page.resolve().as_uri())
