"""Runs cases on request: a line `case repeats` in, the CPU seconds of one repeat out.

    python worker.py minipaddle

The driver asks several workers in turn, so that all of them see the same minutes of the machine.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported, anywhere in the process

import contextlib
import importlib
import io
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

HOMES = {"minipaddle": "paddle", "paddle": "paddle", "torch": "torch", "numpy": "numpy"}


def load(library: str) -> dict[str, Callable[[], Any]]:
    """The cases of one library; minipaddle's worker also has NumPy's, and recorded ones."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = importlib.import_module(f"cases_{HOMES[library]}").cases(library)
    if library == "minipaddle":
        by_hand = importlib.import_module("cases_numpy").cases()
        found.update({f"numpy {name}": case for name, case in by_hand.items()})
        found.update({f"{name} recorded": recorded(found[name]) for name in ("mlp", "chain")})
    return found


def recorded(case: Callable[[], Any]) -> Callable[[], Any]:
    """The same work while everything is recorded with its values."""
    viz = importlib.import_module("viz")

    def run() -> None:
        with viz.record():
            case()

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
