"""The page of a class names its commonest mistakes, and is safe to open."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from minipaddle import __main__ as command_line
from minipaddle.exercises.grading.class_page import (
    class_page,
    hardest_exercise,
    learners_of,
    read_hints,
)

from ..notebooks import write_notebook
from .notebooks import DOUBLE, LOAD, ONE, folder

__all__ = ["folder"]


def row(file: str, exercise: str, outcome: str, **more: Any) -> dict[str, Any]:
    points = float(outcome == "right")
    about = {"file": file, "exercise": exercise, "outcome": outcome, "points": points, "max": 1.0}
    return {**about, "reason": "", "slip": "", "hint": {}, "code": "", **more}


def wrong(file: str, exercise: str, slip: str, code: str = "") -> dict[str, Any]:
    hint = {"en": f"Mind {slip}.", "zh": f"注意{slip}。"}
    return row(file, exercise, "wrong", slip=slip, hint=hint, code=code)


def thirty() -> list[dict[str, Any]]:
    """Results of thirty learners with planted mistakes: 12, 9, 5 and 1 times."""
    rows = []
    for n in range(30):
        file = f"learner{n:02}.ipynb"
        cube = wrong(file, "cube", "dy", f"cube = {n}") if n < 12 else row(file, "cube", "right")
        slope = row(file, "slope", "right")
        if n >= 21:
            slope = wrong(file, "slope", "sign")
        elif n < 5:
            slope = wrong(file, "slope", "scale")
        shape = wrong(file, "shape", "rare") if n == 7 else row(file, "shape", "not yet")
        rows += [cube, slope, shape]
    return rows


def items(page: str) -> list[str]:
    return re.findall(r"<li>(.*?)</li>", page, re.DOTALL)


def test_exported_progress_tells_how_many_saw_a_hint(tmp_path: Path) -> None:
    head, time = "when,course,exercise,did,what,slip,title\n", "2026-01-02T03:04:05,gates"
    seen = f"{time},cube,hint,1,,\n{time},cube,hint,2,,\n{time},slope,check,right,,\n"
    texts = {
        "a.csv": head + seen,
        "b/b.csv": "\ufeff" + head + f"{time},cube,hint,1,,\n{time},shape,hint,1,,\n",
        "c.csv": head + f"{time},<i>,hint,1,,\n",  # no exercise of the grading
        "grades.csv": "file,points\nada.ipynb,3\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "d.csv").write_bytes(b"\xff\xfe")
    hints = read_hints(tmp_path)
    assert hints == [{"cube"}, {"cube", "shape"}, {"<i>"}]
    page = class_page(thirty(), "en", hints)
    _, _, section = page.partition("<h2>Hints seen</h2>")
    section, _, _ = section.partition("<h2>")
    assert "As 3 files of progress" in section
    told = re.findall(r"<b>(.+?)</b><span>(.+?)</span>", section)
    assert told == [("cube", "2 learners"), ("shape", "1 learner")]
    assert "Hints seen" not in class_page(thirty(), "en")


def test_the_commonest_mistakes_come_first() -> None:
    page = class_page(thirty(), "en")
    said = [(re.findall(r"<p>(.+?)</p>", item)[0], item) for item in items(page)]
    assert [words for words, _ in said] == ["Mind dy.", "Mind sign.", "Mind scale.", "Mind rare."]
    for count, (_, item) in zip(
        ("12 learners", "9 learners", "5 learners", "1 learner"), said, strict=True
    ):
        assert f"<span>{count}</span>" in item
    assert "<pre>cube = 0</pre>" in said[0][1]
    assert "<pre>" not in said[1][1]  # the result holds no code
    assert page.count("<tr>") == 32
    assert "<td>18 / 30</td><td>16 / 30</td><td>0 / 30</td>" in page


def test_the_exercise_with_the_largest_share_of_wrong_answers_is_taught_first() -> None:
    assert hardest_exercise(thirty()) == ("slope", 14, 30)
    assert "slope: 14 of 30 answers are wrong." in class_page(thirty(), "en")
    assert "slope：30 份答案中有 14 份不对。" in class_page(thirty(), "zh")
    assert hardest_exercise([row("a.ipynb", "cube", "right")]) is None
    assert "No answer is wrong." in class_page([row("a.ipynb", "cube", "right")], "en")


def test_the_chinese_page_has_the_chinese_hints() -> None:
    page = class_page(thirty(), "zh")
    assert '<html lang="zh">' in page
    assert "注意dy。" in page
    assert "Mind" not in page
    assert not re.search(r">[^<]*(?:learner |wrong|done|points)[^<]*<", page.split("<body>")[1])


def test_names_and_code_are_escaped() -> None:
    evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    rows = [wrong(f"{evil}.ipynb", evil, evil, evil), row("b.ipynb", evil, evil)]
    for lang in ("en", "zh"):
        page = class_page(rows, lang)
        assert "<script" not in page
        assert "<img" not in page
        assert page.count("&lt;script&gt;") >= 5
        assert not re.search(r"(?:src|href)=", page.replace("src=x onerror", ""))


def test_an_example_names_no_learner() -> None:
    rows = [
        wrong("cube_ada.ipynb", "cube", "dy", "cube = 3  # Ada"),
        wrong("cube_bo.ipynb", "x", "y"),
    ]
    assert "<pre>" not in class_page(rows, "en")
    rows.append(wrong("cube_张三.ipynb", "cube", "dy", "cube = 'hw', 'adapt', 333"))
    rows.append(wrong("cube_cy.ipynb", "cube", "dy", "cube = '张三'"))
    assert re.findall("<pre>(.+?)</pre>", class_page(rows, "en")) == [
        "cube = &#x27;hw&#x27;, &#x27;adapt&#x27;, 333"
    ]


def test_a_page_shows_twelve_mistakes_and_counts_the_others() -> None:
    rows = [wrong("a.ipynb", f"e{n}", "dy") for n in range(14)]
    page = class_page(rows, "en")
    assert len(items(page)) == 12
    assert "… and 2 others, which fewer learners gave." in page


def test_a_folder_is_one_learner_unless_an_exercise_is_in_it_twice() -> None:
    rows = [row("ada/1.ipynb", "a", "right"), row("ada/2.ipynb", "b", "right")]
    assert list(learners_of(rows)) == ["ada"]
    rows.append(row("ada/3.ipynb", "a", "right"))
    assert list(learners_of(rows)) == ["ada/1", "ada/2", "ada/3"]
    assert list(learners_of([row("a.ipynb", "a", "right")])) == ["a"]


def test_real_notebooks_give_hints_and_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, one in (("a", ONE), ("b", "one = 0  # zero"), ("c", "one = 0\none: int")):
        write_notebook(folder / "copies" / f"{name}.ipynb", LOAD, DOUBLE, one)
    words = ["--csv", "t.csv", "--json", "t.json", "--page", "class.html", "-j", "2"]
    assert command_line.main(["grade", "copies", *words]) == 0
    rows = json.loads((folder / "t.json").read_text(encoding="utf-8"))["rows"]
    found = [each for each in rows if each["slip"] == "zero"]
    assert [(each["code"], each["hint"]["en"]) for each in found] == [("one = 0", "Not 0.")] * 2
    assert {each["course"]["zh"] for each in rows} == {"gates"}  # the file has no title
    assert "hint" not in (folder / "t.csv").read_text("utf-8-sig").partition("\n")[0]
    page = (folder / "class.html").read_text(encoding="utf-8")
    assert "<p>Not 0.</p>" in page
    assert "<span>2 learners</span>" in page
    assert "<pre>one = 0</pre>" in page
