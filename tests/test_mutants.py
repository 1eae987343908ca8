"""Deliberate faults: where they can be made, who chooses them, and who notices them."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from . import mutants
from .mutants import (
    AREAS,
    ROOT,
    Ending,
    Outcome,
    Stage,
    arrange,
    draw,
    list_tests,
    main,
    mutated,
    points,
    try_mutant,
)

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
    for name in (name for names in AREAS[area].stages.values() for name in names):
        assert (ROOT / name).exists(), name


def test_the_tests_about_a_file_come_first_then_those_about_its_package(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "viz"
    folder.mkdir(parents=True)
    for name, text in {
        "goldens": "import viz",
        "a": "import viz",
        "b": "from viz.story.ids import box",
        "c": "from viz.story import steps",
        "d": "from viz.story import tape",
        "tape": "import viz",
    }.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    stages = list_tests(tmp_path, "viz")
    costs = {file: 2.0 - ("test_c" in file) for files in stages.values() for file in files}
    arranged = arrange("viz/story/tape.py", tmp_path, stages, costs)
    assert [(stage.name, [Path(file).stem[5:] for file in stage.files]) for stage in arranged] == [
        ("near", ["d", "tape"]),
        ("goldens", ["goldens"]),
        ("viz", ["c", "b", "a"]),
    ]
    assert [stage.seconds for stage in arranged] == [20 + 3 * 4, 20 + 3 * 2, 20 + 3 * 5]


def test_a_test_that_fails_only_after_others_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "tests/test_a.py::test_it"
    asked = []

    def run_tests(_folder: Path, options: list[str], tests: list[str], *_: object) -> Ending:
        asked.append(tests)
        failed = tests == ["tests/test_a.py"] and f"--deselect={name}" not in options
        return Ending("failed" if failed else "passed", f"FAILED {name}[a case] - why", 1.0)

    monkeypatch.setattr(mutants, "run_tests", run_tests)
    (tmp_path / "half.py").write_text(SOURCE, encoding="utf-8")
    mutant = mutated("half.py", SOURCE, points(SOURCE)[0])
    stages = [Stage("near", [f"tests/test_{name}.py"], 1) for name in "ab"]
    assert try_mutant(mutant, tmp_path, [], stages) == Outcome("survived", seconds=4.0)
    assert asked == [["tests/test_a.py"], [name], ["tests/test_a.py"], ["tests/test_b.py"]]
    assert (tmp_path / "half.py").read_text(encoding="utf-8") == SOURCE


@pytest.mark.slow
def test_faults_are_caught_survive_or_never_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("resource", reason="processor time is limited on POSIX only")
    for name, text in {
        "pytest.ini": "[pytest]\nmarkers =\n  browser\n  ranks\n",
        "viz/__init__.py": "",
        "viz/counts.py": "def count(x):\n    while x:\n        x -= 1\n    return x\n",
        "tests/conftest.py": "# This conftest knows the option '--all', so no --device.\n",
        "tests/viz/test_counts.py": "from viz.counts import count\n"
        "def test_count(): assert count(4) == 0\n",
    }.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("'", '"'), encoding="utf-8")
    monkeypatch.setattr(mutants, "ROOT", tmp_path / "project")
    monkeypatch.setattr(mutants, "LEAST_SECONDS", 2)
    out = tmp_path / "out.json"
    assert main(["viz", "--seed", "1", "--least", "0.6", "--out", str(out)]) == 0
    rows = json.loads(out.read_text(encoding="utf-8"))["mutants"]
    assert {(row["change"], row["outcome"], row["stage"]) for row in rows} == {
        ("viz/counts.py:3  1  ->  2", "survived", ""),
        ("viz/counts.py:3  1  ->  0", "timeout", "near"),
        ("viz/counts.py:4  return x  ->  return None", "caught", "near"),
    }
    assert {row["test"] for row in rows} == {"", "tests/viz/test_counts.py::test_count"}
    assert "x -= 1" in path.parents[2].joinpath("viz", "counts.py").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["viz", "--list", "--survivors", str(out)]) == 0
    assert capsys.readouterr().out == "viz/counts.py:3  1  ->  2\n"
