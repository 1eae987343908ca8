"""The notebooks are what build.py makes of the sources, in both languages, with nothing run.

The list of lessons is made too; the ends of the lessons lead from each to the next.
"""

from __future__ import annotations

import io
import json
import re
import tokenize
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from minipaddle import exercises
from minipaddle.exercises.course import lessons
from minipaddle.exercises.overview import overview
from tests.each import each

from .conftest import LESSONS

HAN = re.compile(r"[\u4e00-\u9fff]")
FIELD = re.compile(r"\{[^{}]+\}")
ENGLISH = sorted(LESSONS.glob("*.ipynb"))
STUDENT = [LESSONS / place / path.name for path in ENGLISH for place in ("", "zh")]
NOTEBOOKS = [*STUDENT, *sorted((LESSONS / "solutions").rglob("*.ipynb"))]
IN_ENGLISH = pytest.mark.parametrize("path", ENGLISH, ids=lambda path: path.stem)


def cells(path: Path) -> list[dict[str, Any]]:
    read = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in read]


def test_the_notebooks_are_what_build_makes(build: ModuleType) -> None:
    built = build.build_all()
    assert sorted(built) == sorted([*NOTEBOOKS, LESSONS / "README.md"])
    for path, content in built.items():
        assert path.read_bytes() == content, f"{path.name} is old: python lessons/build.py"


def test_building_twice_changes_nothing(
    build: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    build.main()
    assert capsys.readouterr().out == ""


@each("path", NOTEBOOKS, ids=lambda p: str(p.relative_to(LESSONS)))
def test_nothing_is_left_of_a_run(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert ids == [cell["id"] for cell in cells(LESSONS / path.name)]
    assert len(set(ids)) == len(ids)


@IN_ENGLISH
def test_a_stub_is_its_solution_with_lines_removed(path: Path) -> None:
    for place in ("", "zh") if has_exercises(path) else ():
        solved = cells(LESSONS / "solutions" / place / path.name)
        for stub, solution in zip(cells(LESSONS / place / path.name), solved, strict=True):
            if "exercise" not in stub["metadata"]:
                assert stub == solution
                continue
            rest = iter(solution["source"].splitlines())
            assert all(line in rest for line in stub["source"].splitlines())
            assert len(stub["source"]) < len(solution["source"])


@IN_ENGLISH
def test_what_is_written_in_a_notebook_is_what_its_exercises_ask_for(path: Path) -> None:
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    written = [cell["metadata"]["exercise"] for cell in code if "exercise" in cell["metadata"]]
    checked = re.findall(r"lesson\.(\w+)\.check", "\n".join(cell["source"] for cell in code))
    asked = re.findall(r"lesson\.(\w+)\.ask", "\n".join(cell["source"] for cell in code))
    compared = re.findall(r"lesson\.(\w+)\.compare", "\n".join(cell["source"] for cell in code))
    assert written == checked
    assert asked == compared
    if has_exercises(path):
        course = exercises.load(path.stem)
        named = [part.name for part in course]
        assert sorted(named) == sorted([*checked, *asked])


def has_exercises(path: Path) -> bool:
    """Whether there is something to write in it."""
    return any("exercise" in cell["metadata"] for cell in cells(path))


@IN_ENGLISH
def test_both_languages_have_the_same_code(path: Path) -> None:
    for english, chinese in zip(cells(path), cells(path.parent / "zh" / path.name), strict=True):
        assert english["cell_type"] == chinese["cell_type"]
        if english["cell_type"] == "code":
            assert english["metadata"] == chinese["metadata"]
            assert in_english(chinese["source"], english["source"]) == english["source"]


def in_english(chinese: str, english: str) -> str:
    """Chinese code with the texts and comments of the English one in their places."""
    pairs = zip(texts_of(chinese), texts_of(english), strict=True)
    for text, other in pairs:
        if HAN.search(text) or (text, other) == ('"zh"', '"en"'):
            assert not HAN.search(other)
            assert FIELD.findall(text) == FIELD.findall(other)
            chinese = chinese.replace(text, other, 1)
    return chinese


def texts_of(code: str) -> list[str]:
    """The strings and comments of some code, in their order."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type in (tokenize.STRING, tokenize.COMMENT)]


@IN_ENGLISH
def test_every_text_is_in_its_language(path: Path) -> None:
    for english, chinese in zip(cells(path), cells(path.parent / "zh" / path.name), strict=True):
        assert not HAN.search(english["source"])
        if english["cell_type"] == "markdown":
            assert HAN.search(chinese["source"])
        assert " | " not in without_tables(english["source"] + "\n" + chinese["source"])
        names = [re.findall(r"`([^`]+)`", cell["source"]) for cell in (english, chinese)]
        assert sorted(set(names[0])) == sorted(set(names[1]))


def without_tables(text: str) -> str:
    """A text cell without the rows of its tables."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("|"))


def test_a_lesson_is_called_the_same_on_its_first_line_and_in_the_progress() -> None:
    for of in lessons():
        title = exercises.load(of).title
        for place, heading in (
            ("", f"# Lesson {int(of[:2])}: {title.en}"),
            ("zh", f"# 第 {int(of[:2])} 课：{title.zh}"),
        ):
            assert cells(LESSONS / place / f"{of}.ipynb")[0]["source"].split("\n")[0] == heading


@each("path", STUDENT, ids=lambda p: str(p.relative_to(LESSONS)))
def test_the_end_of_a_lesson_names_the_next_one(path: Path) -> None:
    number = int(path.stem[:2])
    following = [each.stem for each in ENGLISH if number and int(each.stem[:2]) == number + 1]
    assert next_of(path) == following


@pytest.mark.parametrize(("place", "lang"), [("", "en"), ("zh", "zh")])
def test_the_first_page_the_ends_and_the_progress_lead_through_the_same_lessons(
    place: str, lang: str
) -> None:
    first_page = "\n".join(cell["source"] for cell in cells(LESSONS / place / "00_start.ipynb"))
    rows = re.findall(r"^\| \[(.+?)\]\((\w+)\.ipynb\) \| .+ \|$", first_page, re.MULTILINE)
    listed = [(row.title.of(lang), row.name) for row in overview(lang).rows]
    assert rows == listed
    assert [path.stem for path in ENGLISH] == ["00_start", *lessons()]
    way = [rows[0][1]]
    while following := next_of(LESSONS / place / f"{way[-1]}.ipynb"):
        way += following
    assert way == [name for _, name in rows]


def next_of(path: Path) -> list[str]:
    """The notebooks that the end of a lesson names."""
    return re.findall(r"`(\w+)\.ipynb`", cells(path)[-1]["source"])


def test_a_row_gets_the_title_of_its_lesson_once_there_is_one(build: ModuleType) -> None:
    text = "| x | y |\n|---|---|\n| 99_later | soon |\n| 01_one_tanh | now |\n| 98_too | soon |"
    title = exercises.load("01_one_tanh").title
    assert build.prose(text, "en") == (
        f"| x | y |\n|---|---|\n| [Lesson 1: {title.en}](01_one_tanh.ipynb) | now |"
    )
    assert f"| [第 1 课：{title.zh}](01_one_tanh.ipynb) | now |" in build.prose(text, "zh")


def test_a_line_break_in_a_chinese_sentence_is_joined(build: ModuleType) -> None:
    assert build.prose("# 题\n\n前一半，\n后一半\n又一段。\n- 一\n  二", "zh") == (
        "# 题\n\n前一半，后一半又一段。\n- 一二"
    )
    assert build.prose("1. 一。\n2. 二", "zh") == "1. 一。\n2. 二"


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
