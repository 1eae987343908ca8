"""What importing brings along, looked at from a fresh interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .later import hiding
from .sources import ROOT, load

HEAVY = ("matplotlib", "ipywidgets", "anywidget", "IPython", "graphviz", "asyncio", "cupy", "tqdm")
NUMPY_AND = 60  # minipaddle's own modules and the few of the standard library that they need
FOLDERS = {s.module for s in load("minipaddle") if s.is_package and len(s.tree.body) == 1}


def modules_after(statement: str) -> set[str]:
    program = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(json.loads(answer.stdout))


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    return modules_after("import minipaddle")


def test_minipaddle_loads_nothing_heavy_and_not_viz(loaded: set[str]) -> None:
    assert loaded.isdisjoint({*HEAVY, "viz", "lessons"})


def test_minipaddle_loads_few_modules_beside_numpys(loaded: set[str]) -> None:
    assert len(loaded - modules_after("import numpy") - FOLDERS) <= NUMPY_AND


def test_the_list_of_families_that_are_loaded_later_is_as_it_should_be() -> None:
    command = [sys.executable, "-m", "tests.architecture.later", "--check"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


def test_a_name_that_a_later_family_would_change_is_told() -> None:
    now = {"add": "fm", "pow": "r"}
    families = {"pairs": {"add": "f", "hypot": "fm"}, "more": {"pow": "fm"}}
    assert hiding(now, families) == ["pairs.add"]


def test_the_check_sees_what_is_loaded() -> None:
    assert "asyncio" in modules_after("import asyncio")


def test_viz_is_ours() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", "import viz; print(viz.__file__)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(answer.stdout.strip()).resolve() == ROOT / "viz" / "__init__.py"
