"""Count the calls behind one line of code, and their changes of file: `python benchmarks/walk.py`.

For each part of the work it prints

    calls    calls of functions that minipaddle or viz define
    files    files that define these functions
    changes  calls of a function in another file than the function called before

Parts of `y = tanh(x); y.backward()`, each counted alone:

    tanh(x)    the op, without a listener
    backward   y.backward(), without a listener
    recorded   both, inside `with viz.record()`
    document   the recording as plain JSON values
    story      reading the document back, then the graph and the steps with their sentences
    scene      the graph with every box and wire in its place
    page       the offline page of this recording

Parts of a Program of tanh and its gradient, and of an exercise:

    check      exercise.check of a right answer
    run        Executor.run, after it was planned
    observed   Executor.run, inside `with viz.record()`

Everything runs once before it is counted, so imports and caches do not count. No clock is read, so
the numbers are the same on every machine.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.exercises import Exercise, checks
from viz.layout.scene import scene_of

FOLDERS = tuple(f"{Path(package.__file__).parent}/" for package in (paddle, viz))


@dataclass
class Walk:
    """Calls of one part, counted by a profile function."""

    calls: int = 0
    changes: int = 0
    files: set[str] = field(default_factory=set)
    at: str = ""

    def step(self, frame: FrameType, event: str, _argument: Any) -> None:
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(FOLDERS):
            return
        self.calls += 1
        self.changes += file != self.at
        self.files.add(file)
        self.at = file


def count_calls(part: Callable[[], Any]) -> Walk:
    """Count the calls of a part, which has run before."""
    walk = Walk()
    gc.collect()
    gc.disable()  # the garbage collector would call functions at random times
    sys.setprofile(walk.step)
    try:
        part()
    finally:
        sys.setprofile(None)
        gc.enable()
    return walk


def leaf() -> paddle.Tensor:
    return paddle.to_tensor([0.5], stop_gradient=False)


def record_training_of(x: paddle.Tensor) -> viz.Trace:
    with viz.record() as trace:
        paddle.tanh(x).backward()
    return trace


def trace_with_document() -> viz.Trace:
    """Return a recording whose document exists and whose story does not."""
    trace = record_training_of(leaf())
    trace.document  # noqa: B018  (made when first asked for)
    return trace


def runner() -> Callable[[], Any]:
    """Turn static mode on; return a function that runs a Program of tanh and its gradient."""
    paddle.enable_static()
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        x = paddle.static.data("x", [1], "float32")
        x.stop_gradient = False
        wanted = paddle.static.gradients(paddle.tanh(x), x)
    feed = {"x": np.array([0.5], "float32")}
    return lambda: paddle.static.Executor().run(program, feed=feed, fetch_list=wanted)


def record_run(run: Callable[[], Any]) -> None:
    with viz.record():
        run()


def page_of(trace: viz.Trace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        trace.save(f"{folder}/a.html")


def check_answer() -> None:
    exercise = Exercise("slope", title="The slope of tanh at 0", check=checks.value(1.0))
    exercise.check(1.0)


def walks() -> dict[str, Walk]:
    """Count the calls of every part."""
    graph = trace_with_document().story.graph
    scene_of(graph)
    x, y, fresh = leaf(), paddle.tanh(leaf()), record_training_of(leaf())
    for_story, for_page = trace_with_document(), trace_with_document()
    page_of(trace_with_document())
    page_of(for_page)
    check_answer()
    found = {
        "tanh(x)": count_calls(lambda: paddle.tanh(x)),
        "backward": count_calls(y.backward),
        "recorded": count_calls(lambda: record_training_of(x)),
        "document": count_calls(lambda: fresh.document),
        "story": count_calls(lambda: for_story.story),
        "scene": count_calls(lambda: scene_of(graph)),
        "page": count_calls(lambda: page_of(for_page)),
        "check": count_calls(check_answer),
    }
    run = runner()
    for _ in range(3):
        run()
    found["run"] = count_calls(run)
    record_run(run)
    found["observed"] = count_calls(lambda: record_run(run))
    return found


def main() -> None:
    os.environ["MINIPADDLE_PROGRESS"] = ""  # the check stores no progress
    print(f"{'':10}{'calls':>8}{'files':>8}{'changes':>9}")
    for name, walk in walks().items():
        print(f"{name:10}{walk.calls:8}{len(walk.files):8}{walk.changes:9}")


if __name__ == "__main__":
    main()
