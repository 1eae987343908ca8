"""Where the lessons are, their exercises, and the program that builds their notebooks."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import viz
from minipaddle import exercises

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "lessons"


@pytest.fixture(autouse=True)
def as_at_the_start(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English, no check is strict and no MPI is there unless a test says so."""
    monkeypatch.delenv("MINIPADDLE_STRICT", raising=False)
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    yield
    exercises.set_lang("en")
    viz.set_lang("")


@pytest.fixture
def lesson() -> exercises.Course:
    """The exercises of lesson 1."""
    return exercises.load("01_one_tanh", lang="en")


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """build.py."""
    pytest.importorskip("jupytext", reason="jupytext is not installed")
    monkeypatch.syspath_prepend(str(LESSONS))
    return importlib.import_module("build")
