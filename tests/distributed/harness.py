"""Run functions on several ranks by MPI's own starter, and return the results of all ranks.

A start takes a second or two, so a test module needs only one for many answers. No process is left
behind: every rank has the name of its start's folder among its arguments.
"""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from minipaddle.distributed import launch_job

from ..patience import PATIENCE

ROOT = Path(__file__).parents[2]
ranks = pytest.mark.ranks


class Ended(NamedTuple):
    """The end of a start: the ranks' results (None if missing), and the printed text."""

    results: list[Any]
    code: int
    printed: str
    left: int  # number of processes that still ran


def start(
    count: int, function: Callable[..., Any], *args: Any, patience: float = 60.0, **more: str
) -> Ended:
    """Run a module's function on `count` ranks; `patience` limits how long ranks wait."""
    where = f"{function.__module__}:{function.__name__}"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "args").write_bytes(pickle.dumps(args))
        program = [sys.executable, "-m", __name__, where, folder]
        command = [*launch_job.find(), "-n", str(count), *program]
        settings = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": str(ROOT),
            "PADDLE_PG_TIMEOUT": str(int(patience * 1000)),
            **more,
        }
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        try:
            printed, _ = process.communicate(timeout=PATIENCE)
            wait_for_all_with(folder)
        finally:
            left = end_all_with(folder)
            process.wait()
        files = [Path(folder, str(rank)) for rank in range(count)]
        results = [pickle.loads(file.read_bytes()) if file.exists() else None for file in files]
    return Ended(results, process.returncode, printed, left)


def all_with(argument: str) -> list[int]:
    """List the processes that were started with this argument and still run."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in listed.splitlines() if argument in line]
    return [int(pid) for pid, state, _ in rows if not state.startswith("Z")]


def wait_for_all_with(argument: str) -> None:
    """Wait until ranks that were signalled or killed have ended."""
    end = time.monotonic() + PATIENCE
    while all_with(argument) and time.monotonic() < end:
        time.sleep(0.05)


def end_all_with(argument: str) -> int:
    """End the processes that were started with an argument; return their number."""
    alive = all_with(argument)
    for pid in alive:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(alive)


def run(count: int, function: Callable[..., Any], *args: Any, **options: Any) -> list[Any]:
    """Run a function on all ranks; return the result of each, or raise if one has none."""
    ended = start(count, function, *args, **options)
    assert ended.code == 0, ended.printed
    assert None not in ended.results, ended.printed
    assert ended.left == 0
    return ended.results


def on_this_rank(where: str, folder: str) -> None:
    """Run the function on one rank, and write down what it returns."""
    import importlib

    import minipaddle as paddle

    module, _, name = where.partition(":")
    args = pickle.loads(Path(folder, "args").read_bytes())
    paddle.distributed.init_parallel_env()
    result = getattr(importlib.import_module(module), name)(*args)
    Path(folder, str(paddle.distributed.get_rank())).write_bytes(pickle.dumps(result))


if __name__ == "__main__":
    on_this_rank(*sys.argv[1:])
