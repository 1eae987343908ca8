"""Fixtures: the exercises of lesson 1, and the program that builds notebooks."""

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
    """Set English, no strict checks and no MPI for every test."""
    monkeypatch.delenv("MINIPADDLE_STRICT", raising=False)
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    yield
    exercises.set_lang("en")
    viz.set_lang("")


@pytest.fixture
def lesson() -> exercises.Course:
    """Return the exercises of lesson 1."""
    return exercises.load("01_one_tanh", lang="en")


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return build.py as a module."""
    monkeypatch.syspath_prepend(str(LESSONS))
    return importlib.import_module("build")
