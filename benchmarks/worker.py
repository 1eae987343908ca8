"""Worker of the benchmarks: reads lines `case repeats`, prints the CPU seconds of one repeat.

    python worker.py minipaddle

The driver alternates between several workers, so that all are measured under equal load.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # must be set before any import of NumPy

import contextlib
import importlib
import inspect
import io
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

HOMES = {
    "minipaddle": "paddle",
    "paddle": "paddle",
    "torch": "torch",
    "numpy": "numpy",
    "minipaddle static": "static",
    "paddle static": "static",
}


def load(library: str) -> dict[str, Callable[[], Any]]:
    """Return the cases of a library; minipaddle's worker also has NumPy's and recorded cases."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = importlib.import_module(f"cases_{HOMES[library]}").cases(library.partition(" ")[0])
    if library == "minipaddle":
        by_hand = importlib.import_module("cases_numpy").cases()
        found.update({f"numpy {name}": case for name, case in by_hand.items()})
        found.update({f"{name} recorded": record_case(found[name]) for name in ("mlp", "chain")})
        to_static = importlib.import_module("minipaddle").jit.to_static
        steps = ("mlp", "wide mlp", "lenet", "transformer")
        found |= {f"{name} compiled": to_static(found[name], full_graph=True) for name in steps}
        found |= {"add gated": add_call(gated=True), "add ungated": add_call(gated=False)}
    return found


def record_case(case: Callable[[], Any]) -> Callable[[], Any]:
    """Return the case while everything is recorded with its values."""
    viz = importlib.import_module("viz")

    def run() -> None:
        with viz.record():
            case()

    return run


def add_call(*, gated: bool) -> Callable[[], Any]:
    """Return the case `add(x, y)`, with or without the closure's check for listeners."""
    fast_paths = importlib.import_module("minipaddle.engine.fast_paths")
    ops = importlib.import_module("minipaddle.ops")
    paddle = importlib.import_module("minipaddle")
    source = inspect.getsource(fast_paths.binary)
    question = (
        "        if modes.gate_open and asks:\n"
        "            return slow(op, (x, None if y is MISSING else y), NO_ATTRS)\n"
    )
    assert question in source
    names = dict(vars(fast_paths))
    exec(source if gated else source.replace(question, ""), names)
    add = names["binary"](ops.REGISTRY["add"])
    x, y = (paddle.ones([2, 3]) for _ in range(2))
    x.stop_gradient = y.stop_gradient = False

    def run() -> None:
        add(x, y)

    return run


def main(library: str) -> None:
    cases = load(library)
    print("ready", flush=True)
    for line in sys.stdin:
        name, _, repeats = line.strip().rpartition(" ")
        case, count = cases[name], int(repeats)
        began = time.process_time()
        for _ in range(count):
            case()
        print((time.process_time() - began) / count, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
