"""The notebooks are what build.py makes of the sources, in both languages, without outputs.

build.py also makes the list of lessons; the end of each lesson leads to the next.
"""

import io
import json
import re
import tokenize
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from minipaddle.exercises.course import lessons
from minipaddle.exercises.overview import overview
from tests.each import each

from .answers import course
from .conftest import LESSONS

HAN = re.compile(r"[\u4e00-\u9fff]")
FIELD = re.compile(r"\{[^{}]+\}")
ENGLISH = sorted(LESSONS.glob("*.ipynb"))
STUDENT = [LESSONS / place / path.name for path in ENGLISH for place in ("", "zh")]
NOTEBOOKS = [*STUDENT, *sorted((LESSONS / "solutions").rglob("*.ipynb"))]


def cells(path: Path) -> list[dict[str, Any]]:
    read = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in read]


def test_build_makes_the_notebooks(build: ModuleType) -> None:
    built = build.build_all()
    assert sorted(built) == sorted([*NOTEBOOKS, LESSONS / "README.md"])
    for path, content in built.items():
        assert path.read_bytes() == content, f"{path.name} is old: python lessons/build.py"


@each("path", NOTEBOOKS, ids=lambda p: str(p.relative_to(LESSONS)))
def test_notebooks_contain_no_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert ids == [cell["id"] for cell in cells(LESSONS / path.name)]
    assert len(set(ids)) == len(ids)


@each("path", STUDENT, ids=lambda p: str(p.relative_to(LESSONS)))
def test_a_stub_is_its_solution_with_lines_removed(path: Path) -> None:
    stubs = cells(path)
    if not any("exercise" in cell["metadata"] for cell in stubs):
        return
    solved = cells(LESSONS / "solutions" / path.relative_to(LESSONS))
    for stub, solution in zip(stubs, solved, strict=True):
        if "exercise" not in stub["metadata"]:
            assert stub == solution
            continue
        rest = iter(solution["source"].splitlines())
        assert all(line in rest for line in stub["source"].splitlines())
        assert len(stub["source"]) < len(solution["source"])


@each("of", lessons())
def test_a_notebook_has_the_cells_of_its_exercises(of: str) -> None:
    code = [cell for cell in cells(LESSONS / f"{of}.ipynb") if cell["cell_type"] == "code"]
    whole = "\n".join(cell["source"] for cell in code)
    written = [cell["metadata"]["exercise"] for cell in code if "exercise" in cell["metadata"]]
    checked, asked, compared = (
        re.findall(rf"lesson\.(\w+)\.{call}", whole) for call in ("check", "ask", "compare")
    )
    assert written == checked
    assert asked == compared
    assert sorted(part.name for part in course(of)) == sorted([*checked, *asked])


@each("path", ENGLISH, ids=lambda path: path.stem)
def test_both_languages_have_the_same_code(path: Path) -> None:
    for english, chinese in zip(cells(path), cells(path.parent / "zh" / path.name), strict=True):
        assert english["cell_type"] == chinese["cell_type"]
        if english["cell_type"] == "code":
            assert english["metadata"] == chinese["metadata"]
            assert in_english(chinese["source"], english["source"]) == english["source"]


def in_english(chinese: str, english: str) -> str:
    """Return Chinese code with its texts and comments replaced by the English ones."""
    pairs = zip(texts_of(chinese), texts_of(english), strict=True)
    for text, other in pairs:
        if HAN.search(text) or (text, other) == ('"zh"', '"en"'):
            assert not HAN.search(other)
            assert FIELD.findall(text) == FIELD.findall(other)
            chinese = chinese.replace(text, other, 1)
    return chinese


def texts_of(code: str) -> list[str]:
    """List the strings and comments of some code, in their order."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type in (tokenize.STRING, tokenize.COMMENT)]


@each("path", ENGLISH, ids=lambda path: path.stem)
def test_every_text_is_in_its_language(path: Path) -> None:
    for english, chinese in zip(cells(path), cells(path.parent / "zh" / path.name), strict=True):
        assert not HAN.search(english["source"])
        if english["cell_type"] == "markdown":
            assert HAN.search(chinese["source"])
        for text in (english["source"], chinese["source"]):  # the languages are separated
            rows = [line for line in text.splitlines() if not line.startswith("|")]
            assert not any(" | " in row for row in rows)
        names = [re.findall(r"`([^`]+)`", cell["source"]) for cell in (english, chinese)]
        assert sorted(set(names[0])) == sorted(set(names[1]))


@pytest.mark.parametrize(("place", "lang"), [("", "en"), ("zh", "zh")])
def test_titles_ends_and_progress_lead_through_the_same_lessons(place: str, lang: str) -> None:
    first_page = "\n".join(cell["source"] for cell in cells(LESSONS / place / "00_start.ipynb"))
    rows = re.findall(r"^\| \[(.+?)\]\((\w+)\.ipynb\) \| .+ \|$", first_page, re.MULTILINE)
    assert rows == [(row.title.of(lang), row.name) for row in overview(lang).rows]
    assert [name for _, name in rows] == lessons() == [path.stem for path in ENGLISH][1:]
    for number, (title, of) in enumerate(rows, 1):
        pages = cells(LESSONS / place / f"{of}.ipynb")
        heading = {"en": f"# Lesson {number}: ", "zh": f"# 第 {number} 课："}[lang]
        assert pages[0]["source"].split("\n")[0] == f"{heading}{course(of).title.of(lang)}"
        assert title.endswith(course(of).title.of(lang))
        assert re.findall(r"`(\w+)\.ipynb`", pages[-1]["source"]) == lessons()[number:][:1]


# ----- build.py itself ---------------------------------------------------------------------------


def test_a_row_gets_the_title_of_its_lesson_once_there_is_one(build: ModuleType) -> None:
    text = "| x | y |\n|---|---|\n| 99_later | soon |\n| 01_one_tanh | now |\n| 98_too | soon |"
    title = course("01_one_tanh").title
    assert build.prose(text, "en") == (
        f"| x | y |\n|---|---|\n| [Lesson 1: {title.en}](01_one_tanh.ipynb) | now |"
    )


def test_text_and_code_are_reduced_to_one_language(build: ModuleType) -> None:
    assert build.prose("# 题\n\n前一半，\n后一半\n又一段。\n- 一\n  二", "zh") == (
        "# 题\n\n前一半，后一半又一段。\n- 一二"
    )
    assert build.prose("1. 一。\n2. 二", "zh") == "1. 一。\n2. 二"
    code = 'print("yes | 是", ["a", "b"])  # one | 一\n"""Do. | 做。"""\nx = 1 | 2'
    assert build.in_language(code, "en") == (
        'print("yes", ["a", "b"])  # one\n"""Do."""\nx = 1 | 2'
    )
    assert build.in_language(code, "zh") == ('print("是", ["a", "b"])  # 一\n"""做。"""\nx = 1 | 2')


@each(
    "text",
    [
        '# %% [markdown] lang="en"\n# Alone\n',
        '# %% [markdown] lang="zh"\n# 反了\n\n# %% [markdown] lang="en"\n# Turned round\n',
        "# %% [markdown]\n# No language\n\n# %% [markdown]\n# None either\n",
    ],
)
def test_a_text_without_its_translation_is_an_error(
    build: ModuleType, tmp_path: Path, text: str
) -> None:
    (tmp_path / "09_half.py").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"09_half\.py: a text cell lacks its translation"):
        build.read_cells(tmp_path / "09_half.py")


def test_a_wrong_answer_that_fits_no_line_is_an_error(build: ModuleType) -> None:
    assert build.spoil("    a\n    b\nc", "- a\n+ d\n- b") == "    d\nc"
    with pytest.raises(ValueError, match="'z' stands 0 times in the solution"):
        build.spoil("a", "- z")
