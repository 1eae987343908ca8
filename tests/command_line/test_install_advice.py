"""Advice to install something names what can be installed: minipaddle stands on no index."""

import functools
import importlib.util
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from minipaddle import __main__ as command_line
from minipaddle._cli import doctor
from minipaddle.engine import install_advice
from minipaddle.engine.install_advice import EXTRAS, for_a_gpu, pip_install

from ..architecture.sources import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS_OF_THE_PROJECT = PROJECT["optional-dependencies"]


@functools.cache
def texts() -> dict[str, str]:
    """Read what users read or run: sources, pages, lessons and scripts."""
    folders = ("minipaddle", "viz", "lessons", "docs", "examples", "benchmarks")
    paths = [
        path
        for pattern in ("*.py", "*.md", "*.ipynb")
        for found in (ROOT.glob(pattern), *((ROOT / folder).rglob(pattern) for folder in folders))
        for path in found
    ]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def test_the_table_is_that_of_the_project() -> None:
    ours = ("dev", "fronts", "site", "test")  # extras of developers
    for_users = {name: those for name, those in EXTRAS_OF_THE_PROJECT.items() if name not in ours}
    assert {name: those[0] for name, those in for_users.items()} == EXTRAS


def test_commands_to_install_are_made_in_one_place() -> None:
    written = {name for name, text in texts().items() if re.search(r"\bpip install\b", text)}
    code = {"minipaddle/engine/install_advice.py", "run.py"}
    assert {name for name in written if name.endswith((".py", ".ipynb"))} <= code
    asking = r"(?:\bpip install|\binstall) [^\n]*(?<!/)\bminipaddle\["  # an index, not a folder
    assert [name for name, text in texts().items() if re.search(asking, text)] == []


def test_every_extra_that_is_named_exists() -> None:
    named = {
        (file, extra)
        for file, text in texts().items()
        for group in re.findall(r"(?:\bminipaddle|ROOT\}|\s\.|\"\.)\[([a-z0-9,]+)\]", text)
        + re.findall(r"--extra ([a-z0-9]+)", text)
        for extra in group.split(",")
    }
    assert {"run.py", "CONTRIBUTING.md"} <= {file for file, _ in named}
    assert {extra for _, extra in named} <= EXTRAS_OF_THE_PROJECT.keys()


def test_the_command_is_for_the_python_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    command = shlex.split(pip_install(EXTRAS["lab"]))
    assert command == [sys.executable, "-m", "pip", "install", "jupyterlab>=4.4"]
    monkeypatch.setattr(sys, "executable", "/my tools/python")
    assert shlex.split(pip_install("numpy"))[0] == "/my tools/python"
    for extra in ("cuda12", "cuda13"):
        assert f'"{EXTRAS[extra]}"' in for_a_gpu()


def test_the_advice_of_lessons_and_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert command_line.main(["lessons", "--dest", str(tmp_path / "mine")]) == 1
    error = capsys.readouterr().err
    assert "JupyterLab is not installed" in error
    assert f"to do     {install_advice.pip_install('jupyterlab>=4.4')}\n" in error
    monkeypatch.setattr(doctor, "distribution", lambda name: "2.4" if name == "numpy" else None)
    monkeypatch.setattr(doctor, "our_viz", lambda: "here")
    assert doctor.main([]) == 0
    report = capsys.readouterr().out
    assert f"no `minipaddle lessons`; {install_advice.pip_install('jupyterlab>=4.4')}\n" in report
    assert f"everything runs on the CPU; {for_a_gpu()}\n" in report


def test_the_engine_needs_the_packages_that_the_project_lists(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "distribution", lambda _: None)
    assert doctor.main([]) == 1
    (numpy,) = (one for one in PROJECT["dependencies"] if one.startswith("numpy"))
    assert f"numpy        {pip_install(numpy)}\n" in capsys.readouterr().out
