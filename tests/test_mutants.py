"""Deliberate faults: where they can be made, who chooses them, and who notices them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from . import mutants
from .mutants import AREAS, ROOT, draw, main, mutated, points

SOURCE = '''"""Words of a module."""
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a import B as C
__all__ = ["half"]
Kind = Literal["a", "b"]

@lru_cache(maxsize=9)
@op("half", samples=(sample((2, 3)),), formula=Formula("y = x / 2"))
def half(x: "int", more: list[str] = None) -> "float":
    """Words of a function."""
    assert x, "words for who calls it"
    if x < 0 and not more:
        print(x, "less")
    if x > 9:  # pragma: no cover
        raise ValueError("large")
    return x / 2

@dataclass(frozen=True, slots=True)
class Halves:
    __slots__ = ("all",)
'''


def test_every_kind_of_fault_is_found_where_it_can_be_seen_and_nowhere_else() -> None:
    made = [mutated("half.py", SOURCE, point) for point in points(SOURCE)]
    assert [mutant.change for mutant in made] == [
        "half.py:14  if x < 0 and (not more):  ->  if False:  (never)",
        "half.py:14  x < 0 and (not more)  ->  x < 0 or not more",
        "half.py:14  x < 0  ->  x <= 0",
        "half.py:14  x < 0  ->  x >= 0",
        "half.py:14  0  ->  1",
        "half.py:14  0  ->  -1",
        "half.py:14  not more  ->  more",
        "half.py:15  print(x, 'less')  ->  pass",
        "half.py:15  print(x, 'less')  ->  print('less', x)",
        "half.py:15  'less'  ->  'les'",
        "half.py:18  return x / 2  ->  return None",
        "half.py:18  x / 2  ->  x * 2",
        "half.py:18  2  ->  3",
        "half.py:18  2  ->  1",
        "half.py:10  'half'  ->  'hal'",
    ]


def test_a_seed_chooses_the_same_faults_again(tmp_path: Path) -> None:
    for name in ("viz", "viz/layout"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half.py").write_text(SOURCE, encoding="utf-8")
    assert draw(tmp_path, "viz", 9, "a") == draw(tmp_path, "viz", 9, "a")
    assert draw(tmp_path, "viz", 9, "a") != draw(tmp_path, "viz", 9, "b")
    assert {mutant.path for mutant in draw(tmp_path, "viz", 2, "a")} == {
        "viz/half.py",
        "viz/layout/half.py",
    }
    assert len(draw(tmp_path, "viz", 99, "a")) == 2 * len(points(SOURCE))


@pytest.mark.slow
@pytest.mark.parametrize("area", AREAS)
def test_every_mutant_is_another_program_and_every_folder_has_one(area: str) -> None:
    made = draw(ROOT, area, 40, "a seed")
    assert len({mutant.source for mutant in made}) == 40
    for mutant in made:
        original = (ROOT / mutant.path).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(original)), mutant.change
    held = {path.parent for name in AREAS[area].folders for path in ROOT.glob(f"{name}/**/*.py")}
    assert {(ROOT / mutant.path).parent for mutant in made} == held
    assert len({mutant.point[0] for mutant in made}) > 6


@pytest.mark.parametrize("area", AREAS)
def test_the_tests_that_see_an_area_are_there(area: str) -> None:
    for name in AREAS[area].tests:
        assert (ROOT / name).exists(), name


@pytest.mark.slow
def test_faults_are_caught_survive_or_never_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "pytest.ini": "[pytest]\nmarkers =\n  browser\n  ranks\n",
        "viz/__init__.py": "",
        "viz/counts.py": "def count(x):\n    while x:\n        x -= 1\n    return x\n",
        "tests/viz/test_counts.py": "from viz.counts import count\n"
        "def test_count(): assert count(4) == 0\n",
    }.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(mutants, "ROOT", tmp_path / "project")
    monkeypatch.setattr(mutants, "LEAST_SECONDS", 1)
    assert main(["viz", "--seed", "1", "--least", "0.7"]) == 1
    rows = set(re.findall(r"(?m)^(\w+) +viz/counts.py:(\d.*?)  \[(.*)\]$", capsys.readouterr().out))
    assert rows == {
        ("survived", "3  1  ->  2", ""),
        ("caught", "3  1  ->  0", "timeout"),
        ("caught", "4  return x  ->  return None", "tests/viz/test_counts.py::test_count"),
    }
    assert "x -= 1" in (tmp_path / "project/viz/counts.py").read_text(encoding="utf-8")
