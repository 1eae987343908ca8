"""How far a reader walks through the code behind one op: `python benchmarks/walk.py`.

For each way that `y = tanh(x); y.backward()` is taken it prints

    calls    of functions that stand in minipaddle or viz
    files    in which these functions stand
    changes  of file: calls of a function in another file than that of the call before

The ways, each counted alone and from where the one before ends:

    tanh(x)    the op, with nobody listening
    backward   y.backward(), with nobody listening
    recorded   both, inside `with viz.record()`
    document   what was recorded as plain JSON values
    story      from the document: read back, then the graph and the steps with their sentences
    scene      the graph with every box and wire in its place

Everything has run once before it is counted, so that imports and caches do not count; there is no
clock, so the numbers are the same wherever the code is.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import minipaddle as paddle
import viz
from viz.layout.scene import scene_of

FOLDERS = tuple(f"{Path(package.__file__).parent}/" for package in (paddle, viz))


@dataclass
class Walk:
    """The calls of one way, as `sys.setprofile` tells of them."""

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


def walked(way: Callable[[], Any]) -> Walk:
    """The calls behind a way, which runs once before it is counted."""
    walk = Walk()
    gc.collect()
    gc.disable()  # what is freed by chance calls functions too
    sys.setprofile(walk.step)
    try:
        way()
    finally:
        sys.setprofile(None)
        gc.enable()
    return walk


def leaf() -> paddle.Tensor:
    return paddle.to_tensor([0.5], stop_gradient=False)


def trained(x: paddle.Tensor) -> None:
    y = paddle.tanh(x)
    y.backward()


def recorded(x: paddle.Tensor) -> viz.Trace:
    with viz.record() as trace:
        trained(x)
    return trace


def told() -> viz.Trace:
    """A recording whose document is there and whose story is not."""
    trace = recorded(leaf())
    trace.document  # noqa: B018  (made when first asked for)
    return trace


def ways() -> dict[str, Walk]:
    """Every way, counted."""
    graph = told().story.graph
    scene_of(graph)
    x, y, fresh, trace = leaf(), paddle.tanh(leaf()), recorded(leaf()), told()
    return {
        "tanh(x)": walked(lambda: paddle.tanh(x)),
        "backward": walked(y.backward),
        "recorded": walked(lambda: recorded(x)),
        "document": walked(lambda: fresh.document),
        "story": walked(lambda: trace.story),
        "scene": walked(lambda: scene_of(graph)),
    }


def main() -> None:
    print(f"{'':10}{'calls':>8}{'files':>8}{'changes':>9}")
    for name, walk in ways().items():
        print(f"{name:10}{walk.calls:8}{len(walk.files):8}{walk.changes:9}")


if __name__ == "__main__":
    main()
