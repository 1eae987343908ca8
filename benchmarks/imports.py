"""What `import minipaddle` costs beside `import numpy`: `python benchmarks/imports.py`.

Whole processes, from start to exit, in pairs one after the other; the figure is the median of the
pairs' ratios, so that a machine that is busy for a while does not move it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAIRS = 9
AIM = 1.6


def seconds(module: str) -> float:
    """The time of a fresh interpreter that imports a module and ends."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {module}"], env=environment, check=True)
    return time.perf_counter() - began


def ratios(pairs: int = PAIRS) -> list[float]:
    """minipaddle's time over NumPy's, pair by pair."""
    for module in ("numpy", "minipaddle"):
        seconds(module)  # the first one writes the bytecode
    return [seconds("minipaddle") / seconds("numpy") for _ in range(pairs)]


def report() -> None:
    measured = statistics.median(ratios())
    print(f"{'import minipaddle / import numpy':<44}{measured:>10.2f}{f'<= {AIM}':>10}")


if __name__ == "__main__":
    report()
