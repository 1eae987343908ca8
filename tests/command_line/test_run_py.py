"""run.py turns bad starting points into sentences, and repairs what it left unfinished."""

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.each import each

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


def test_an_old_python_gets_the_required_version(clone: Path) -> None:
    answer = start(clone, "-c", OLD_PYTHON)
    assert answer.returncode == 1
    assert answer.stderr == (
        "minipaddle needs Python 3.11 or newer.\n"
        "  received  Python 3.8\n"
        "  to do     start run.py with a newer one, for example: python3.11 run.py demo\n"
    )


def test_a_python_without_ensurepip_gets_the_name_of_the_package(clone: Path) -> None:
    answer = start(clone, "-c", NO_ENSUREPIP)
    assert answer.returncode == 1
    assert "its module venv or ensurepip is missing" in answer.stderr
    assert "sudo apt install python3-venv" in answer.stderr
    assert not (clone / ".venv").exists()


@each(
    ("arguments", "status", "said"),
    [
        ([], 2, ""),
        (["dmeo"], 2, "there is no command dmeo\n\n"),
        *(([word], 0, "") for word in ("--help", "-h", "help")),
    ],
)
def test_usage_names_the_commands(
    tmp_path: Path, arguments: list[str], status: int, said: str
) -> None:
    shutil.copy(ROOT / "run.py", tmp_path)
    answer = start(tmp_path, "run.py", *arguments)
    assert answer.returncode == status
    shown = answer.stderr if status else answer.stdout
    assert shown.startswith(f"{said}usage: python3 run.py COMMAND [options]\n")
    for command in ("demo", "lessons", "test", "bench", "doctor"):
        assert f"\n  {command} " in shown
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("is_link", [False, True])
def test_an_environment_of_somebody_else_is_left_alone(clone: Path, is_link: bool) -> None:
    environment = clone / ("other" if is_link else ".venv")
    environment.mkdir()
    (environment / "precious").write_text("mine")
    if is_link:  # to the environment of another checkout
        (environment / "made-by-run-py.txt").write_text("fingerprint dev")
        (clone / ".venv").symlink_to(environment)
    before = {path: path.read_text() for path in environment.iterdir()}
    answer = start(clone, "run.py", "doctor")
    assert answer.returncode == 1
    assert "was not made by run.py, so it is left alone" in answer.stderr
    assert f'-m pip install -e "{clone}[' in answer.stderr
    assert {path: path.read_text() for path in environment.iterdir()} == before


@pytest.mark.slow
def test_a_failed_download_says_so_and_leaves_the_next_run_a_fresh_start(clone: Path) -> None:
    answer = start(clone, "run.py", "doctor", PIP_NO_INDEX="1")
    assert answer.returncode == 1
    assert "The environment could not be completed" in answer.stderr
    assert "with network and disk in order, run this again" in answer.stderr
    assert (clone / ".venv" / "made-by-run-py.txt").read_text() == ""


# ----- What is installed, with the sub-processes replaced ----------------------------------------

Steps = Callable[..., list[str]]


@pytest.fixture
def steps(clone: Path, monkeypatch: pytest.MonkeyPatch) -> Steps:
    """Run a command; return what its set-up makes and installs: "venv", ".[lab]"."""

    def run(*words: str) -> list[str]:
        made = []

        def start(command: list[Any], **_: Any) -> None:
            if command[2] == "venv":
                made.append("venv")
                python = module["PYTHON"]
                python.parent.mkdir(parents=True)
                python.touch()
            else:
                made.append(command[-1])

        def execute(_path: str, command: list[str]) -> None:
            raise SystemExit(command)

        monkeypatch.chdir(clone)
        monkeypatch.setattr(subprocess, "run", start)
        monkeypatch.setattr(subprocess, "call", lambda command: execute("", command))
        monkeypatch.setattr(os, "execv", execute)
        monkeypatch.setattr(sys, "argv", ["run.py", *words])
        module = runpy.run_path(str(clone / "run.py"))
        with pytest.raises(SystemExit) as started:
            module["main"]()
        assert started.value.code == [
            *(str(module["PYTHON"]), *module["COMMANDS"][words[0]], *words[1:])
        ]
        return made

    return run


def test_a_command_installs_what_it_needs_once(steps: Steps) -> None:
    assert steps("doctor") == ["venv", "."]
    assert steps("demo", "--fast") == []
    assert steps("lessons") == [".[lab]"]
    assert steps("test") == [".[lab,test]"]  # installed extras stay
    assert steps("lessons", "--lang", "zh") == []
    assert steps("test", "--all") == [".[dev,lab,test]"]
    assert steps("test") == []


def test_changed_requirements_are_installed_into_the_same_environment(
    clone: Path, steps: Steps
) -> None:
    steps("lessons")
    (clone / "constraints.txt").write_text("numpy==2.4.6\n")
    assert steps("demo") == [".[lab]"]
    assert steps("demo") == []


@pytest.mark.parametrize("damage", ["unfinished", "no python"])
def test_a_damaged_environment_is_made_anew(clone: Path, steps: Steps, damage: str) -> None:
    steps("demo")
    (clone / ".venv" / "half-installed").mkdir()
    if damage == "unfinished":
        (clone / ".venv" / "made-by-run-py.txt").write_text("")
    else:
        shutil.rmtree(clone / ".venv" / ("Scripts" if os.name == "nt" else "bin"))
    assert steps("demo") == ["venv", "."]
    assert not (clone / ".venv" / "half-installed").exists()
