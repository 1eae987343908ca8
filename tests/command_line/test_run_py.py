"""run.py turns bad starting points into sentences, and repairs what it left unfinished."""

from __future__ import annotations

import ast
import json
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..architecture.sources import ROOT

OLD_PYTHON = "import runpy, sys; sys.version_info = (3, 8, 1); runpy.run_path('run.py')"
NO_ENSUREPIP = (
    "import importlib.util as util, runpy, sys; find = util.find_spec;"
    "util.find_spec = lambda name: None if name == 'ensurepip' else find(name);"
    "sys.argv = ['run.py', 'demo']; runpy.run_path('run.py', run_name='__main__')"
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The files that run.py looks at, in a folder of their own."""
    for name in ("run.py", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def start(clone: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=clone,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_old_pythons_can_read_it() -> None:
    ast.parse((ROOT / "run.py").read_text(), feature_version=(3, 6))


def test_an_old_python_is_told_what_is_needed(clone: Path) -> None:
    answer = start(clone, "-c", OLD_PYTHON)
    assert answer.returncode == 1
    assert answer.stderr == (
        "minipaddle needs Python 3.11 or newer.\n"
        "  received  Python 3.8\n"
        "  to do     start run.py with a newer one, for example: python3.11 run.py demo\n"
    )


def test_a_python_without_ensurepip_is_told_the_package(clone: Path) -> None:
    answer = start(clone, "-c", NO_ENSUREPIP)
    assert answer.returncode == 1
    assert "its module venv or ensurepip is missing" in answer.stderr
    assert "sudo apt install python3-venv" in answer.stderr
    assert not (clone / ".venv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"), [([], ""), (["dmeo"], "there is no command dmeo\n\n")]
)
def test_an_unknown_command_gets_the_usage(clone: Path, arguments: list[str], said: str) -> None:
    answer = start(clone, "run.py", *arguments)
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"{said}usage: python3 run.py COMMAND [options]\n")
    assert not (clone / ".venv").exists()


@pytest.mark.parametrize("word", ["--help", "-h", "help"])
def test_help_tells_what_each_command_does(clone: Path, word: str) -> None:
    answer = start(clone, "run.py", word)
    assert answer.returncode == 0
    for command in ("demo", "lessons", "test", "bench", "doctor"):
        assert f"\n  {command} " in answer.stdout
    assert not (clone / ".venv").exists()


def test_an_environment_of_somebody_else_is_left_alone(clone: Path) -> None:
    (clone / ".venv").mkdir()
    (clone / ".venv" / "precious").write_text("mine")
    answer = start(clone, "run.py", "doctor")
    assert answer.returncode == 1
    assert "was not made by run.py, so it is left alone" in answer.stderr
    assert f'-m pip install -e "{clone}[lab,dev]"' in answer.stderr
    assert [path.name for path in (clone / ".venv").iterdir()] == ["precious"]


@pytest.mark.slow
def test_a_failed_download_says_so_and_leaves_the_next_run_a_fresh_start(clone: Path) -> None:
    answer = start(clone, "run.py", "doctor", PIP_NO_INDEX="1")
    assert answer.returncode == 1
    assert "The environment could not be completed" in answer.stderr
    assert "with network and disk in order, run this again" in answer.stderr
    assert (clone / ".venv" / "made-by-run-py.txt").read_text() == ""


# ----- Which set-up steps are taken, with the sub-processes replaced -----------------------------


@pytest.fixture
def steps(clone: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Run the set-up; answer which programs it started: "venv" or "pip"."""

    def set_up() -> list[str]:
        started = []

        def run(command: list[Any], **_: Any) -> None:
            started.append(command[2])
            if command[2] == "venv":
                python = module["PYTHON"]
                python.parent.mkdir(parents=True)
                python.touch()

        monkeypatch.setattr(subprocess, "run", run)
        module = runpy.run_path(str(clone / "run.py"))
        module["set_up"]()
        return started

    return set_up


def test_nothing_is_done_twice(steps: Callable[[], list[str]]) -> None:
    assert steps() == ["venv", "pip"]
    assert steps() == []


def test_changed_requirements_are_installed_into_the_same_environment(
    clone: Path, steps: Callable[[], list[str]]
) -> None:
    steps()
    (clone / "constraints.txt").write_text("numpy==2.4.6\n")
    assert steps() == ["pip"]
    assert steps() == []


def test_scripts_of_the_environment_are_no_modules_of_the_checkout(
    clone: Path, steps: Callable[[], list[str]]
) -> None:
    assert json.loads((ROOT / "package.json").read_text("utf-8"))["type"] == "module"
    steps()
    assert json.loads((clone / ".venv" / "package.json").read_text("utf-8")) == {}


@pytest.mark.parametrize("damage", ["unfinished", "no python"])
def test_a_damaged_environment_is_made_anew(
    clone: Path, steps: Callable[[], list[str]], damage: str
) -> None:
    steps()
    (clone / ".venv" / "half-installed").mkdir()
    if damage == "unfinished":
        (clone / ".venv" / "made-by-run-py.txt").write_text("")
    else:
        shutil.rmtree(clone / ".venv" / ("Scripts" if os.name == "nt" else "bin"))
    assert steps() == ["venv", "pip"]
    assert not (clone / ".venv" / "half-installed").exists()
