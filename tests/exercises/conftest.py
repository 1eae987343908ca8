"""English, a progress file of the test's own, and no strictness unless a test asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import viz
from minipaddle import exercises


@pytest.fixture(autouse=True)
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where progress goes."""
    monkeypatch.setenv("MINIPADDLE_PROGRESS", str(tmp_path / "home" / "progress.jsonl"))
    monkeypatch.delenv("MINIPADDLE_STRICT", raising=False)
    monkeypatch.delenv("MINIPADDLE_EXERCISES", raising=False)
    yield tmp_path / "home" / "progress.jsonl"
    exercises.set_lang("en")
    viz.set_lang("")
