"""The notebooks are what build.py makes of the sources, in both languages, with nothing run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from .conftest import LESSONS

HAN = re.compile(r"[\u4e00-\u9fff]")
STUDENT = [LESSONS / place / "01_one_tanh.ipynb" for place in ("", "zh")]
NOTEBOOKS = STUDENT + [LESSONS / "solutions" / p.relative_to(LESSONS) for p in STUDENT]


def cells(path: Path) -> list[dict[str, Any]]:
    read = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in read]


def test_the_notebooks_are_what_build_makes(build: ModuleType) -> None:
    built = build.build_all()
    assert sorted(built) == sorted(NOTEBOOKS)
    for path, content in built.items():
        assert path.read_bytes() == content, f"{path.name} is old: python lessons/build.py"


def test_building_twice_changes_nothing(
    build: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    build.main()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: str(p.relative_to(LESSONS)))
def test_nothing_is_left_of_a_run(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert ids == [cell["id"] for cell in cells(NOTEBOOKS[0])]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("path", STUDENT, ids=["en", "zh"])
def test_a_stub_is_its_solution_with_lines_removed(path: Path) -> None:
    solved = cells(LESSONS / "solutions" / path.relative_to(LESSONS))
    shorter = 0
    for stub, solution in zip(cells(path), solved, strict=True):
        if "exercise" not in stub["metadata"]:
            assert stub == solution
            continue
        rest = iter(solution["source"].splitlines())
        assert all(line in rest for line in stub["source"].splitlines())
        assert len(stub["source"]) < len(solution["source"])
        shorter += 1
    assert shorter == 3


def test_every_text_is_in_its_language() -> None:
    for english, chinese in zip(*map(cells, STUDENT), strict=True):
        assert not HAN.search(english["source"])
        if english["cell_type"] == "markdown":
            assert HAN.search(chinese["source"])
        assert " | " not in english["source"] + chinese["source"]
        names = [re.findall(r"`([^`]+)`", cell["source"]) for cell in (english, chinese)]
        assert sorted(set(names[0])) == sorted(set(names[1]))


def test_a_line_break_in_a_chinese_sentence_is_joined(build: ModuleType) -> None:
    assert build.prose("# 题\n\n前一半，\n后一半\n又一段。\n- 一\n  二", "zh") == (
        "# 题\n\n前一半，后一半又一段。\n- 一二"
    )


def test_code_is_cut_to_one_language(build: ModuleType) -> None:
    code = 'print("yes | 是", ["a", "b"])  # one | 一\n"""Do. | 做。"""\nx = 1 | 2'
    assert build.in_language(code, "en") == (
        'print("yes", ["a", "b"])  # one\n"""Do."""\nx = 1 | 2'
    )
    assert build.in_language(code, "zh") == ('print("是", ["a", "b"])  # 一\n"""做。"""\nx = 1 | 2')


@pytest.mark.parametrize(
    "text",
    [
        '# %% [markdown] lang="en"\n# Alone\n',
        '# %% [markdown] lang="zh"\n# 反了\n\n# %% [markdown] lang="en"\n# Turned round\n',
        "# %% [markdown]\n# No language\n\n# %% [markdown]\n# None either\n",
    ],
)
def test_a_text_without_its_translation_is_refused(
    build: ModuleType, tmp_path: Path, text: str
) -> None:
    (tmp_path / "09_half.py").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"09_half\.py: a text cell lacks its translation"):
        build.read_cells(tmp_path / "09_half.py")


def test_a_wrong_answer_that_fits_no_line_is_refused(build: ModuleType) -> None:
    assert build.spoil("    a\n    b\nc", "- a\n+ d\n- b") == "    d\nc"
    with pytest.raises(ValueError, match="'z' stands 0 times in the solution"):
        build.spoil("a", "- z")
