"""Deliberate faults: where they can be made, who chooses them, and who notices them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from .mutants import FOLDERS, ROOT, TESTS, draw, mutated, points, sort_tests, try_mutant

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
@pytest.mark.parametrize("area", FOLDERS)
def test_every_mutant_is_another_program_and_every_folder_has_one(area: str) -> None:
    made = draw(ROOT, area, 40, "a seed")
    assert len({mutant.source for mutant in made}) == 40
    for mutant in made:
        original = (ROOT / mutant.path).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(original)), mutant.change
    held = {path.parent for name in FOLDERS[area] for path in ROOT.glob(f"{name}/**/*.py")}
    assert {(ROOT / mutant.path).parent for mutant in made} == held
    assert len({mutant.point[0] for mutant in made}) > 6


@pytest.mark.parametrize("area", FOLDERS)
def test_the_tests_about_a_module_come_first(area: str) -> None:
    assert all((ROOT / name).exists() for name in TESTS[area])
    path = {"engine": "minipaddle/engine/naming.py", "viz": "viz/layout/route.py"}[area]
    module = path.removesuffix(".py").replace("/", ".")
    files = sort_tests(area, path, ROOT)
    named = [module in (ROOT / file).read_text(encoding="utf-8") for file in files]
    assert named == sorted(named, reverse=True)


@pytest.mark.slow
def test_faults_are_caught_survive_or_never_end(tmp_path: Path) -> None:
    source = "def count(x):\n    while x:\n        x -= 1\n    return x\n"
    for name, text in {
        "pytest.ini": "[pytest]\nmarkers =\n  browser\n  ranks\n",
        "viz/__init__.py": "",
        "viz/counts.py": source,
        "tests/viz/test_counts.py": "from viz.counts import count\n"
        "def test_count(): assert count(4) == 0\n",
        "tests/command_line/test_step.py": "",
        "tests/javascript/test_a.py": "",
        "tests/test_docstrings.py": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    ends = {m.change: try_mutant(m, "viz", tmp_path, 20) for m in draw(tmp_path, "viz", 9, "1")}
    assert {change: end.partition(" ")[0] for change, end in ends.items()} == {
        "viz/counts.py:3  1  ->  2": "survived",
        "viz/counts.py:3  1  ->  0": "timeout",
        "viz/counts.py:4  return x  ->  return None": "caught",
    }
    assert (tmp_path / "viz/counts.py").read_text(encoding="utf-8") == source
