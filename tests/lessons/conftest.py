"""The lessons' own modules, as a notebook finds them: by the folder beside it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import viz

ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "lessons"


@pytest.fixture(autouse=True)
def in_the_lessons(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in the folder of the lessons; no check is strict unless a test says so."""
    monkeypatch.chdir(LESSONS)
    monkeypatch.syspath_prepend(str(LESSONS))
    monkeypatch.delenv("MINIPADDLE_STRICT", raising=False)
    yield
    viz.set_lang("")


@pytest.fixture
def check(in_the_lessons: None) -> Iterator[ModuleType]:
    """check.py in its first state."""
    module = importlib.import_module("check")
    module.lang = "en"
    module._given.clear()
    yield module
    module.lang = "en"
    module._given.clear()


@pytest.fixture
def build(in_the_lessons: None) -> ModuleType:
    """build.py."""
    pytest.importorskip("jupytext", reason="jupytext is not installed")
    return importlib.import_module("build")
