"""Time of `import minipaddle` beside `import numpy`: `python benchmarks/imports.py`.

It measures whole processes, from start to exit, in pairs; the figure is the median of the pairs'
ratios, so that load on the machine affects it little.
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
    """Return the seconds in which a fresh interpreter imports a module and ends."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {module}"], env=environment, check=True)
    return time.perf_counter() - began


def ratios() -> list[float]:
    """Return minipaddle's time over NumPy's for each pair."""
    for module in ("numpy", "minipaddle"):
        seconds(module)  # the first run writes the bytecode
    return [seconds("minipaddle") / seconds("numpy") for _ in range(PAIRS)]


def report() -> None:
    measured = statistics.median(ratios())
    print(f"{'import minipaddle / import numpy':<44}{measured:>10.2f}{f'<= {AIM}':>10}")


if __name__ == "__main__":
    report()
