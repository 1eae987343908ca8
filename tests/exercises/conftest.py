"""Every test has English, its own progress file, and no strictness unless it sets it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import viz
from minipaddle import exercises


@pytest.fixture(autouse=True)
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the path of the progress file."""
    monkeypatch.setenv("MINIPADDLE_PROGRESS", str(tmp_path / "home" / "progress.jsonl"))
    monkeypatch.delenv("MINIPADDLE_STRICT", raising=False)
    yield tmp_path / "home" / "progress.jsonl"
    exercises.set_lang("en")
    viz.set_lang("")
