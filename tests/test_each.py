"""The looping of tests: every case runs sealed, and each that fails is named."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .architecture.sources import ROOT
from .each import each

LOOPS = """
import pytest
import minipaddle as paddle
from tests.each import each

@each("a, b", [(1, 2), (3, 3), pytest.param(4, 5, id="four"), (6, 6)])
def test_pairs(a, b, tmp_path):
    (tmp_path / "new").mkdir()
    assert a < b

@each("kind", ["one", "two"])
@each(("op", "n"), [("x", 1), ("y", 2)], per="op")
def test_groups(op, n, kind):
    assert (op, kind) != ("y", "two")

@each("n", range(10), quick=3)
def test_some(n):
    assert n not in (3, 4)
    if n == 9:
        paddle.set_default_dtype("float64")
"""


OPTIONS = """
def pytest_addoption(parser):
    parser.addoption("--all", action="store_true")
    parser.addoption("--case", default="")
"""


def failing(folder: Path, *options: str) -> list[str]:
    """Run the loops above in a process; return the names of the cases that failed."""
    folder.mkdir(exist_ok=True)
    (folder / "conftest.py").write_text(OPTIONS, encoding="utf-8")
    (folder / "test_loops.py").write_text(LOOPS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-rfs", "-p", "no:cacheprovider", *options, "."]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode < 2, done.stdout + done.stderr
    return sorted(re.findall(r"^SUBFAILED\[(.*?)\] test_loops", done.stdout, re.MULTILINE))


@pytest.mark.slow
def test_each_failing_case_is_named_and_hides_no_other(tmp_path: Path) -> None:
    assert failing(tmp_path / "few") == ["3", "3-3", "6-6", "y-2-two"]
    assert failing(tmp_path / "more", "--all") == ["3", "3-3", "4", "6-6", "9", "y-2-two"]
    assert failing(tmp_path / "one", "--case", "four") == []


def test_marks_of_a_case_are_an_error() -> None:
    with pytest.raises(TypeError, match="marks"):
        each("a", [pytest.param(1, marks=pytest.mark.slow)])


def test_a_table_without_cases_is_an_error() -> None:
    with pytest.raises(ValueError, match="a test without cases of a, b would always pass"):
        each("a, b", [])
