"""Some hundred damaged files are loaded at each run, more with `--fuzz-minutes`."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from . import damaged_files
from .conftest import Fuzz

pytestmark = pytest.mark.slow

FEW, MANY = 200, 600  # files of one test
ROOT = Path(__file__).parents[2]


def test_a_damaged_file_loads_its_content_or_ends_in_a_clear_error(fuzz: Fuzz) -> None:
    files = MANY if fuzz.minutes else FEW
    for first in fuzz.some(itertools.count(1_000_000 * fuzz.number, files), 1, part=0.12):
        run = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.damaged_files", str(first), str(files)],
            check=False,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stdout + run.stderr


def test_the_damage_is_reproducible_and_changes_the_content() -> None:
    assert damaged_files.damaged(7) == damaged_files.damaged(7)
    answers = [loads(*damaged_files.damaged(seed)) for seed in range(150)]
    assert 0.05 < sum(answers) / len(answers) < 0.95


def loads(kind: str, data: bytes) -> bool:
    if kind == "trace":
        return False
    try:
        damaged_files.pickles.loads(data, "the file")
    except damaged_files.MinipaddleError:
        return False
    return True


def test_a_harmful_file_is_found(capfd, monkeypatch) -> None:
    def check(kind: str, data: bytes) -> None:
        assert b"last_epoch" not in data

    monkeypatch.setattr(damaged_files, "check", check)
    kind, data = "pickle", b"(" * 40 + b"last_epoch" + b")" * 30
    assert damaged_files.does_harm(lambda: check(kind, data))
    assert "AssertionError" in capfd.readouterr().out
