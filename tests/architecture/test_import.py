"""Importing minipaddle loads all of it, and nothing that takes long to load."""

import subprocess
import sys
from types import ModuleType

import pytest

import minipaddle as paddle
from minipaddle.paddle_names import absent

from .sources import ROOT

HEAVY = ("matplotlib", "ipywidgets", "anywidget", "IPython", "graphviz", "asyncio", "cupy")
HEAVY += ("tqdm", "PIL")
# Of the standard library, what takes milliseconds to load.
SLOW = {
    "argparse", "dataclasses", "decimal", "difflib", "fractions", "http", "inspect", "json",
    "logging", "multiprocessing", "random", "re", "socket", "statistics", "tempfile", "unittest",
    "urllib.request", "xml", "zipfile",
}  # fmt: skip
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


def test_minipaddle_loads_nothing_slow_but_what_numpy_loads(loaded: set[str]) -> None:
    assert loaded.isdisjoint({*HEAVY, "viz", "lessons"})
    assert (loaded - modules_after("import numpy")).isdisjoint(SLOW)


def test_a_recording_and_images_load_nothing_that_they_do_not_use() -> None:
    used = modules_after("import minipaddle, viz; viz.record; viz.Trace; minipaddle.vision")
    assert used.isdisjoint(HEAVY)
    recording = modules_after("import viz; viz.record; viz.Trace")
    assert recording.isdisjoint({f"minipaddle.{each}" for each in ("distributed", "hapi", "io")})


def test_minipaddle_loads_every_family_of_ops(loaded: set[str]) -> None:
    assert len(FAMILIES) > 20
    for family in FAMILIES:
        assert f"minipaddle.ops.{family.parent.name}.{family.stem}" in loaded


def test_dir_lists_no_module_but_paddles_packages() -> None:
    listed = {name for name in dir(paddle) if isinstance(getattr(paddle, name), ModuleType)}
    assert {"io", "linalg", "nn", "optimizer", "static"} <= listed
    assert {
        f"paddle.{name}" for name in listed - {"base", "dataset", "testing"}
    } <= absent.record().keys()


def test_dir_lists_what_star_imports_and_what_paddle_has_and_nothing_private() -> None:
    listed = set(dir(paddle))
    assert set(paddle.__all__) <= listed
    assert {"tanh", "tanh_", "float32", "pi", "to_tensor", "no_grad", "save", "summary"} <= listed
    assert [name for name in listed if name.startswith("_")] == ["__version__"]
