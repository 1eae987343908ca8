"""Notebooks for grading, made of cells, and their exercises."""

from pathlib import Path

import pytest

from minipaddle.exercises.grading.grade import Row, grade

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = """
from minipaddle.exercises import Exercise, Prediction, Slip, checks
one = Exercise("one", points=2, check=checks.value(1), slips=[Slip("zero", gives=0, hint="Not 0.")])
double = Exercise("double", check=checks.function(lambda x: 2 * x))
guess = Prediction("guess", question="?", kind="number", truth=3, points=0.5)
asked = Prediction("asked", question="?", kind="number", truth=3)
"""
TEACHER = """
from minipaddle.exercises import load
gates = load("gates.py")
gates.one.hide("a whole number", lambda n: isinstance(n, int))
"""
LOAD = 'from minipaddle import exercises\ngates = exercises.load("gates.py")'
ONE, DOUBLE = "one = 1", "def double(x):\n    return x + x"
GUESS = "gates.guess.answer(3)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with exercises and a place for copies."""
    (tmp_path / "gates.py").write_text(EXERCISES, encoding="utf-8")
    (tmp_path / "teacher.py").write_text(TEACHER, encoding="utf-8")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "gates.py").write_text(EXERCISES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def graded(folder: Path, **options: object) -> dict[str, dict[str, Row]]:
    """Return the rows by file and exercise."""
    return table_of(grade(folder / "copies", jobs=2, **options))  # type: ignore[arg-type]


def table_of(rows: list[Row]) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row.file, {})[row.exercise] = row
    return found


def outcomes(rows: dict[str, Row]) -> list[str]:
    return [row.outcome for row in rows.values()]
