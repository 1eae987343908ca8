"""PyTorch programs, recorded where an interpreter has PyTorch.

The environment variable MINIPADDLE_TORCH names a Python with PyTorch and NumPy; without it the
live tests run where PyTorch can be imported.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import viz

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
HAS_TORCH = importlib.util.find_spec("torch") is not None
PYTHON = os.environ.get("MINIPADDLE_TORCH", sys.executable if HAS_TORCH else "")


def needs(python: str, reason: str) -> Callable[[Any], Any]:
    """Return a decorator of slow tests that run in a framework's Python."""

    def mark(test: Any) -> Any:
        here = pytest.mark.skipif(not python, reason=reason)
        return pytest.mark.oracle(pytest.mark.slow(here(test)))

    return mark


live = needs(PYTHON, "no PyTorch: set MINIPADDLE_TORCH to a Python with it")


def run(*arguments: str) -> Any:
    """Run the checks with PyTorch, and return what they print."""
    return run_module("torch_checks", *arguments)


def run_module(module: str, *arguments: str, python: str = PYTHON) -> Any:
    """Run a module beside this one with a framework's Python, and return what it prints."""
    command = [python, "-W", "ignore", "-m", f"tests.viz.frameworks.{module}", *arguments]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    options: dict[str, Any] = {"cwd": ROOT, "env": environ, "capture_output": True, "text": True}
    done = subprocess.run(command, check=False, **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# ----- live --------------------------------------------------------------------------------------


@live
def test_recordings_match_what_ran() -> None:
    complaints = {name: found for name, found in run().items() if found}
    assert not complaints, json.dumps(complaints, indent=1)


@live
def test_nothing_is_left_behind() -> None:
    assert run("--edges") == []


@live
def test_gradients_of_two_processes_are_averaged_in_the_picture() -> None:
    assert run_module("torch_rank_checks") == []


# ----- other frameworks --------------------------------------------------------------------------


@pytest.mark.skipif(HAS_TORCH, reason="PyTorch is installed")
def test_a_framework_that_is_not_installed() -> None:
    with pytest.raises(ImportError, match="torch"), viz.record(framework="torch"):
        pass


def test_a_framework_that_is_unknown() -> None:
    with pytest.raises(ValueError, match="framework") as raised, viz.record(framework="caffe"):
        pass
    assert "'caffe'" in str(raised.value)


# ----- The flight recorder -----------------------------------------------------------------------


@live
def test_a_planted_nan_is_named_by_round_line_and_op() -> None:
    assert run_module("flight_programs", "2", "1") == {}


@live
def test_the_recorder_leaves_the_program_alone() -> None:
    found = run_module("flight_checks")
    assert not found, json.dumps(found, indent=1)
