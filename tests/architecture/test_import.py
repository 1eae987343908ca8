"""What importing brings along, looked at from a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .sources import ROOT

HEAVY = ("matplotlib", "ipywidgets", "anywidget", "IPython", "graphviz", "asyncio", "cupy", "tqdm")
# Of the standard library, what takes milliseconds to load.
SLOW = {
    "argparse",
    "dataclasses",
    "decimal",
    "difflib",
    "fractions",
    "http",
    "inspect",
    "json",
    "logging",
    "multiprocessing",
    "random",
    "re",
    "socket",
    "statistics",
    "tempfile",
    "unittest",
    "urllib.request",
    "xml",
    "zipfile",
}
FAMILIES = sorted((ROOT / "minipaddle" / "ops").glob("*/[a-z]*.py"))


def modules_after(statement: str) -> set[str]:
    program = f"{statement}\nimport sys\nprint(*sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(answer.stdout.split())


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    return modules_after("import minipaddle")


def test_minipaddle_loads_nothing_heavy_and_not_viz(loaded: set[str]) -> None:
    assert loaded.isdisjoint({*HEAVY, "viz", "lessons"})


def test_minipaddle_loads_nothing_slow_but_what_numpy_loads(loaded: set[str]) -> None:
    assert (loaded - modules_after("import numpy")).isdisjoint(SLOW)


def test_minipaddle_loads_every_family_of_ops(loaded: set[str]) -> None:
    assert FAMILIES
    for family in FAMILIES:
        assert f"minipaddle.ops.{family.parent.name}.{family.stem}" in loaded


def test_the_check_sees_what_is_loaded() -> None:
    assert {"asyncio", "inspect"} <= modules_after("import asyncio")


def test_viz_is_ours() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", "import viz; print(viz.__file__)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(answer.stdout.strip()).resolve() == ROOT / "viz" / "__init__.py"
