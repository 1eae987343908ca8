"""Timings side by side: minipaddle, NumPy by hand, and Paddle and PyTorch if they are installed.

    python3 run.py bench                                  # minipaddle against NumPy
    MINIPADDLE_ORACLE=python-with-paddle MINIPADDLE_TORCH=python-with-torch python3 run.py bench
    python3 run.py bench --json                           # figures as JSON
    python3 run.py bench --against ../before              # beside another checkout of minipaddle

One block of repeats goes to each worker, then the next; a figure is the median CPU time of the
blocks, and a ratio the median ratio of neighbouring blocks. Workers have one thread. With --against
a row fails if its ratio lies above SLOWER with a probability of at least 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, NamedTuple

import imports
import numpy as np

HERE = Path(__file__).resolve().parent
INTERPRETERS = {
    "minipaddle": sys.executable,
    "paddle": os.environ.get("MINIPADDLE_ORACLE", ""),
    "torch": os.environ.get("MINIPADDLE_TORCH", ""),
    "minipaddle static": sys.executable,
    "paddle static": os.environ.get("MINIPADDLE_ORACLE", ""),
}
REPEATS = {
    "pylayer": 200,
    "chain": 40,
    "add": 2000,
    "mlp": 60,
    "mlp adam": 40,
    "wide mlp": 10,
    "lenet": 2,
    "conv and batch norm": 1,
    "transformer": 1,
    "embedding": 10,
    "index": 10,
    "100 ops": 20,
    "100000 ops": 1,
    "mlp recorded": 20,
    "chain recorded": 10,
    "add gated": 5000,
    "add ungated": 5000,
    "static mlp": 100,
    "static wide mlp": 10,
    "py_func 1": 300,
    "py_func 11": 100,
    "np.add": 5000,
    "mlp compiled": 60,
    "wide mlp compiled": 10,
    "lenet compiled": 2,
    "transformer compiled": 1,
}
NETWORKS = ("mlp", "mlp adam", "wide mlp", "lenet", "conv and batch norm", "transformer")
EAGER = ("pylayer", "chain", "add", *NETWORKS, "embedding", "index")
BY_HAND = ("pylayer", "chain", "add", "mlp", "wide mlp", "np.add")
CASES = ("pylayer", "chain", "mlp", "add", "mlp recorded", "chain recorded", "mlp compiled")
STATIC = ("static mlp", "static wide mlp", "py_func 1", "py_func 11")
COMPILED = ("mlp compiled", "wide mlp compiled", "lenet compiled", "transformer compiled")
OWN = (
    *COMPILED,
    "mlp recorded",
    "chain recorded",
    "add gated",
    "add ungated",
    "100 ops",
    "100000 ops",
)
SLOWER = 1.03  # largest allowed ratio to another checkout
# Numerators and denominators of the ratios that the project limits, with the limits.
AIMS = [
    ("PyLayer forward and backward / Paddle", "pylayer", ("paddle", "pylayer"), 1.0),
    ("PyLayer forward and backward / PyTorch", "pylayer", ("torch", "pylayer"), 0.55),
    ("41-op chain / PyTorch", "chain", ("torch", "chain"), 0.6),
    ("small MLP step / NumPy by hand", "mlp", ("minipaddle", "numpy mlp"), 2.2),
    ("small MLP step / PyTorch", "mlp", ("torch", "mlp"), 0.65),
    ("the same with Adam / PyTorch", "mlp adam", ("torch", "mlp adam"), 0.8),
    ("MLP step of MNIST's size / PyTorch", "wide mlp", ("torch", "wide mlp"), 1.0),
    ("LeNet step / PyTorch", "lenet", ("torch", "lenet"), 1.15),
    (
        "convolution, batch norm, ReLU / PyTorch",
        "conv and batch norm",
        ("torch", "conv and batch norm"),
        1.4,
    ),
    ("transformer step / PyTorch", "transformer", ("torch", "transformer"), 1.2),
    ("embedding / Paddle", "embedding", ("paddle", "embedding"), 1.0),
    ("index by a tensor / Paddle", "index", ("paddle", "index"), 1.0),
    (
        "op call while nobody records / without gate",
        "add gated",
        ("minipaddle", "add ungated"),
        1.01,
    ),
    ("recorded small MLP step / NumPy by hand", "mlp recorded", ("minipaddle", "numpy mlp"), 8.0),
    ("small MLP step, static / NumPy by hand", "static mlp", ("minipaddle", "numpy mlp"), 0.8),
    ("MLP step, static / NumPy by hand", "static wide mlp", ("minipaddle", "numpy wide mlp"), 0.97),
    ("small MLP step, to_static / NumPy by hand", "mlp compiled", ("minipaddle", "numpy mlp"), 0.9),
    (
        "MLP step, to_static / NumPy by hand",
        "wide mlp compiled",
        ("minipaddle", "numpy wide mlp"),
        0.97,
    ),
    ("LeNet step, to_static / PyTorch", "lenet compiled", ("torch", "lenet"), 0.9),
    (
        "transformer step, to_static / PyTorch",
        "transformer compiled",
        ("torch", "transformer"),
        1.0,
    ),
    ("small MLP step, static / Paddle", "static mlp", ("paddle static", "static mlp"), 0.083),
]


class Worker:
    """Process that runs the cases of one library, from a checkout's worker.py."""

    def __init__(self, library: str, checkout: Path = HERE.parent) -> None:
        home = checkout / HERE.name
        environment = {
            **os.environ,
            "PYTHONPATH": str(checkout),
            "OMP_NUM_THREADS": "1",
            "FLAGS_enable_pir_api": "0",  # Programs as in Paddle's documents of py_func
        }
        self.process = subprocess.Popen(
            [INTERPRETERS[library], "-W", "ignore", home / "worker.py", library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            cwd=home,
        )
        for line in self.output:
            if line.strip() == "ready":
                return
        raise SystemExit(f"the worker for {library} did not start: {INTERPRETERS[library]}")

    @property
    def output(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def seconds(self, case: str) -> float:
        """Return the CPU seconds of one repeat, averaged over a block."""
        assert self.process.stdin is not None
        repeats = REPEATS.get(case) or REPEATS[case.removeprefix("numpy ")]
        self.process.stdin.write(f"{case} {repeats}\n")
        self.process.stdin.flush()
        return float(self.output.readline())

    def close(self) -> None:
        self.process.communicate()


def cases_of(libraries: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of a library and a case to measure."""
    eager = [name for name in libraries if "static" not in name]
    rows = [(library, case) for case in EAGER for library in eager]
    rows += [(name, case) for case in STATIC for name in libraries if "static" in name]
    rows += [("minipaddle", f"numpy {case}") for case in BY_HAND]
    return rows + [("minipaddle", case) for case in OWN]


def measure(
    workers: dict[str, Worker], rows: list[tuple[str, str]], blocks: int
) -> dict[tuple[str, str], list[float]]:
    """Measure blocks of each case on its worker in turn, every other time in reverse order."""
    found: dict[tuple[str, str], list[float]] = {row: [] for row in rows}
    try:
        for block in range(blocks + 1):
            for name, case in rows[:: 1 if block % 2 else -1]:
                seconds = workers[name].seconds(case)
                if block:  # the first block warms up
                    found[name, case].append(seconds)
    finally:
        for worker in workers.values():
            worker.close()
    return found


def ratio(above: list[float], below: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


class Row(NamedTuple):
    """Case: microseconds by library, and minipaddle's time divided by that of each."""

    case: str
    us: dict[str, float]
    ratios: dict[str, float]


def table(found: dict[tuple[str, str], list[float]]) -> list[Row]:
    """Return the figures of each case."""
    rows = []
    for case in (*EAGER, *STATIC, *OWN):
        kind = " static" if case in STATIC else ""
        blocks = {
            "minipaddle": found.get((f"minipaddle{kind}", case)),
            "NumPy": found.get(("minipaddle", f"numpy {case.removeprefix('static ')}")),
            "Paddle": found.get((f"paddle{kind}", case)),
            "PyTorch": found.get(("torch", case)),
        }
        there = {name: row for name, row in blocks.items() if row}
        us = {name: 1e6 * statistics.median(row) for name, row in there.items()}
        ours = there.pop("minipaddle")
        rows.append(Row(case, us, {name: ratio(ours, row) for name, row in there.items()}))
    return rows


def conclusions(found: dict[tuple[str, str], list[float]]) -> list[tuple[str, float, float]]:
    """Return the project's ratios: label, measured value, limit."""
    rows = []
    for label, case, other, aim in AIMS:
        ours = "minipaddle static" if case in STATIC else "minipaddle"
        if other in found and (ours, case) in found:
            rows.append((label, ratio(found[ours, case], found[other]), aim))
    deep, short = found["minipaddle", "100000 ops"], found["minipaddle", "100 ops"]
    rows.append(("an op of a chain of 100,000 / of 100", ratio(deep, short) / 1000, 1.3))
    one, many = (found["minipaddle static", f"py_func {n}"] for n in (1, 11))
    calls = [(b - a) / 10 for a, b in zip(one, many, strict=True)]
    rows.append(("a py_func call / np.add", ratio(calls, found["minipaddle", "numpy np.add"]), 6.0))
    return rows


LIBRARIES = ("minipaddle", "NumPy", "Paddle", "PyTorch")


def report(rows: list[Row], concluded: list[tuple[str, float, float]]) -> None:
    """Print the table, then the ratios beside their limits."""
    heads = [*LIBRARIES, *(f"/ {name}" for name in LIBRARIES[1:])]
    print(f"{'us per call':<22}" + "".join(f"{head:>12}" for head in heads))
    for row in rows:
        cells = [f"{row.us[n]:.1f}" if n in row.us else "-" for n in LIBRARIES]
        cells += [f"{row.ratios[n]:.2f}" if n in row.ratios else "-" for n in LIBRARIES[1:]]
        print(f"{row.case:<22}" + "".join(f"{cell:>12}" for cell in cells))
    print(f"\n{'ratio':<44}{'measured':>10}{'aim':>10}")
    for label, measured, aim in concluded:
        print(f"{label:<44}{measured:>10.2f}{f'<= {aim}':>10}")


def machine() -> dict[str, str]:
    """Describe the machine and the versions."""
    versions = {"Python": platform.python_version(), "NumPy": np.__version__}
    return {"machine": f"{platform.machine()}, {os.cpu_count()} CPUs", **versions}


def lower_bound(ratios: list[float]) -> float:
    """Return the number that the median of such ratios exceeds with a probability of at least 95 %.

    The number of n independent ratios below their median is binomial, as n throws of a coin.
    """
    count, rank, below = len(ratios), 0, 0.0
    while (below := below + math.comb(count, rank) / 2**count) <= 0.05:
        rank += 1
    return sorted(ratios)[rank - 1] if rank else -math.inf


def compare(before: Path, blocks: int) -> bool:
    """Compare each case with another checkout, block by block; return whether none is slower."""
    rows = [("minipaddle", case) for case in CASES]
    rows += [("minipaddle static", case) for case in STATIC]
    workers = {name: Worker(name) for name in ("minipaddle", "minipaddle static")}
    workers |= {f"{name} before": Worker(name, before) for name in workers}
    pairs = [(each, case) for name, case in rows for each in (name, f"{name} before")]
    found = measure(workers, pairs, blocks)
    ratios = {
        case: [a / b for a, b in zip(found[name, case], found[f"{name} before", case], strict=True)]
        for name, case in rows
    }
    print(f"{'here / ' + before.name:<28}{'ratio':>8}{'at least':>10}")
    for case, row in ratios.items():
        least = lower_bound(row)
        verdict = f"  slower than {SLOWER}" if least > SLOWER else ""
        print(f"{case:<28}{statistics.median(row):>8.3f}{least:>10.3f}{verdict}")
    return all(lower_bound(row) <= SLOWER for row in ratios.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=15, help="blocks per case (default 15)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    options = parser.parse_args()
    if options.against:
        raise SystemExit(not compare(options.against.resolve(), options.blocks))
    workers = {name: Worker(name) for name, python in INTERPRETERS.items() if python}
    found = measure(workers, cases_of(workers), options.blocks)
    rows, concluded = table(found), conclusions(found)
    if options.json:
        ratios = [dict(zip(("ratio", "measured", "aim"), row, strict=True)) for row in concluded]
        whole = {**machine(), "cases": [row._asdict() for row in rows], "ratios": ratios}
        print(json.dumps(whole, indent=1))
        return
    report(rows, concluded)
    imports.report()
    for name, variable in (("paddle", "MINIPADDLE_ORACLE"), ("torch", "MINIPADDLE_TORCH")):
        if name not in workers:
            print(f"\n{name} was not measured: set {variable} to a Python that has it.")


if __name__ == "__main__":
    main()
