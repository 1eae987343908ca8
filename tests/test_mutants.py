"""Deliberate faults: where they can be made, that they are faults, and who notices them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from . import mutants
from .mutants import ROOT, Mutant, drawn, files, mutated, outcome, points

SOURCE = '''"""Words of a module."""
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a import B as C
__all__ = ["half"]

def half(x: "int", more: list[str] = None) -> "float":
    """Words of a function."""
    assert x, "words for who calls it"
    if x < 0 and not more:
        print(x, "less")
    return x / 2
'''


def test_every_kind_of_fault_is_found_where_it_can_be_seen_and_nowhere_else() -> None:
    made = [mutated("half.py", SOURCE, point) for point in points(SOURCE)]
    assert [mutant.change for mutant in made] == [
        "half.py:11  if x < 0 and (not more):  ->  if False:  (never)",
        "half.py:11  x < 0 and (not more)  ->  x < 0 or not more",
        "half.py:11  x < 0  ->  x <= 0",
        "half.py:11  x < 0  ->  x >= 0",
        "half.py:11  0  ->  1",
        "half.py:11  0  ->  -1",
        "half.py:11  not more  ->  more",
        "half.py:12  print(x, 'less')  ->  pass",
        "half.py:12  print(x, 'less')  ->  print('less', x)",
        "half.py:12  'less'  ->  'les'",
        "half.py:13  return x / 2  ->  return None",
        "half.py:13  x / 2  ->  x * 2",
        "half.py:13  2  ->  3",
        "half.py:13  2  ->  1",
    ]


def test_every_mutant_is_another_program_and_the_original_stays() -> None:
    assert all(files(ROOT))
    paths = [path for area in files(ROOT) for path in area]
    assert len(set(paths)) == len(paths)
    before = {path: path.read_bytes() for path in paths}
    made = drawn(ROOT, 40, 5)
    assert len({mutant.source for mutant in made}) == 40
    for mutant in made:
        original = before[ROOT / mutant.path].decode("utf-8")
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(original)), mutant.change
    assert {path: path.read_bytes() for path in paths} == before
    assert len({mutant.path for mutant in made}) > 10
    assert len({mutant.kind for mutant in made}) == 9


def test_a_seed_gives_the_same_faults_again(tmp_path: Path) -> None:
    folder = tmp_path / "viz" / "layout"
    folder.mkdir(parents=True)
    (folder / "half.py").write_text(SOURCE, encoding="utf-8")
    assert drawn(tmp_path, 9, 3) == drawn(tmp_path, 9, 3)
    assert drawn(tmp_path, 9, 3) != drawn(tmp_path, 9, 4)
    assert len(drawn(tmp_path, 99, 3)) == len(points(SOURCE))


@pytest.mark.slow
def test_faults_are_caught_survive_or_never_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("resource", reason="processor time is limited on POSIX only")
    monkeypatch.setattr(mutants, "STAGES", (["test_first.py"], ["test_second.py"]))
    code = "def one():\n    return 1\n\ndef two():\n    return 2\n"
    (tmp_path / "code_here.py").write_text(code, encoding="utf-8")
    (tmp_path / "test_first.py").write_text(
        "import code_here\ndef test_one(): assert code_here.one() == 1\n", encoding="utf-8"
    )
    (tmp_path / "test_second.py").write_text("def test_it(): pass\n", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  browser\n")
    ends = []
    for old, new, seconds in (
        ("1", "3", mutants.CALM),
        ("2", "3", mutants.CALM),
        ("return 1", "while True: pass", 2),
    ):
        mutant = Mutant("code_here.py", "", "", code.replace(old, new))
        ends.append(outcome(mutant, tmp_path, [seconds, seconds]))
        assert (tmp_path / "code_here.py").read_text(encoding="utf-8") == code
    assert ends == ["caught", "survived", "timeout"]


def test_a_copy_is_one(tmp_path: Path) -> None:
    (tmp_path / "from" / ".git").mkdir(parents=True)
    (tmp_path / "from" / "viz.py").write_text("x = 1\n", encoding="utf-8")
    copy = mutants.copied(tmp_path / "from", tmp_path / "to")
    assert [path.name for path in copy.iterdir() if path.suffix] == ["viz.py"]
    assert (copy / "viz.py").read_text(encoding="utf-8") == "x = 1\n"
