"""Exercises from files: search, names, a teacher's replacement, errors of three parts."""

import json
import warnings
from pathlib import Path

import pytest

from minipaddle import exercises
from minipaddle.engine import errors

GATES = """
from minipaddle.exercises import Exercise, checks
TITLE = ("Gates", "门")
one = Exercise("one", check=checks.value(1))
two = Exercise("two", check=checks.value(2))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with exercises, which is the working folder."""
    (tmp_path / "gates.py").write_text(GATES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_beside_the_notebook_is_a_course(folder: Path) -> None:
    gates = exercises.load("gates.py")
    assert [exercise.name for exercise in gates] == ["one", "two"]
    assert len(gates) == 2
    assert gates.one is gates["one"]
    assert gates.one.course == "gates"
    assert gates.title.zh == "门"
    assert {"one", "two"} <= set(dir(gates))
    assert repr(gates) == "<Course gates: one, two>"
    assert [e.name for e in exercises.load(folder / "gates.py")] == ["one", "two"]


def test_a_teachers_file_may_build_on_another(folder: Path) -> None:
    (folder / "key").mkdir()
    (folder / "key" / "gates_teacher.py").write_text(
        "from minipaddle.exercises import load\n"
        "gates = load('../gates.py')\n"
        "gates.one.hide('is a float', lambda n: isinstance(n, float))\n"
    )
    gates = exercises.load("key/gates_teacher.py")
    assert gates.one.judge(1.0).solved
    assert "is a float" in gates.one.judge(1).reason.en


def test_a_solution_is_read_from_a_solved_notebook(folder: Path) -> None:
    cell = {"metadata": {"exercise": "one"}, "source": ["a = 1\n", "a"]}
    (folder / "solved.ipynb").write_text(json.dumps({"cells": [{"metadata": {}}, cell]}))
    assert tuple(exercises.solution_in("solved.ipynb", "one")) == ("a = 1\na", "a = 1\na")
    other = {"metadata": {"exercise": "one"}, "source": ["a = 1  # 一"]}
    (folder / "zh.ipynb").write_text(json.dumps({"cells": [other]}), encoding="utf-8")
    both = exercises.solution_in(exercises.Text("solved.ipynb", "zh.ipynb"), "one")
    assert tuple(both) == ("a = 1\na", "a = 1  # 一")
    for notebook, name, received in (
        ("solved.ipynb", "two", "no such cell"),
        ("gone.ipynb", "one", "no such notebook"),
    ):
        with pytest.raises(errors.NotFound, match="is not there") as refused:
            exercises.solution_in(notebook, name)
        assert f"received  {received}" in str(refused.value)


def test_missing_names_are_errors(folder: Path) -> None:
    gates = exercises.load("gates.py")
    with pytest.raises(AttributeError, match="gates has no exercise 'tow'") as refused:
        _ = gates.tow
    assert "expected  one of: one, two" in str(refused.value)
    assert "to do     write two" in str(refused.value)
    with pytest.raises(errors.NotFound, match=r"no file of exercises gone\.py") as missing:
        exercises.load("gone.py")
    assert f"expected  a Python file in {folder}" in str(missing.value)
    with pytest.raises(errors.NotFound, match="minipaddle has no lesson 'gone'") as lesson:
        exercises.load("gone")
    assert "one of: 01_one_tanh" in str(lesson.value)
    assert "load('gates.py')" in str(lesson.value)


def test_files_that_are_no_courses_are_errors(folder: Path) -> None:
    (folder / "empty.py").write_text("one = 1")
    with pytest.raises(errors.InvalidArgument, match=r"empty\.py has no exercises") as refused:
        exercises.load("empty.py")
    assert "docs/teaching.md" in str(refused.value)
    (folder / "twice.py").write_text(GATES.replace('"two"', '"one"'), encoding="utf-8")
    with pytest.raises(errors.InvalidArgument, match="a name of its own for each exercise"):
        exercises.load("twice.py")
    (folder / "broken.py").write_text("x = 1\nraise KeyError('mine')")
    with pytest.raises(KeyError, match="mine"):
        exercises.load("broken.py")
    assert [e.name for e in exercises.load("gates.py")] == ["one", "two"]  # nothing remains


def test_a_mistake_of_the_teacher_is_an_error_with_its_line_when_the_file_is_loaded(
    folder: Path,
) -> None:
    (folder / "slips.py").write_text(
        "from minipaddle.exercises import Exercise, Slip, checks\n"
        "it = Exercise('it', check=checks.function(lambda x: late(x)), slips=[\n"
        "    Slip('good', gives=lambda x: late(x) + 1, hint='-'),\n"
        "    Slip('bad', gives=lambda x: lost(x), hint='-'),\n"
        "])\n"
        "def late(x): return 2 * x\n"
    )
    with pytest.raises(errors.InvalidArgument, match="'bad' of it can never be") as refused:
        exercises.load("slips.py")
    assert "received  NameError: name 'lost' is not defined" in str(refused.value)
    assert str(refused.value).endswith("\n  at        slips.py:4")
    (folder / "named.py").write_text(
        "from minipaddle.exercises import Exercise, checks\n\n"
        "it = Exercise('two words', check=checks.value(1))\n"
    )
    with pytest.raises(errors.InvalidArgument, match="called 'two words'") as named:
        exercises.load("named.py")
    assert str(named.value).endswith("\n  at        named.py:3")


def test_a_variable_with_another_name_than_its_exercise_gives_a_warning(folder: Path) -> None:
    head = "from minipaddle.exercises import Exercise, checks\n"
    (folder / "typo.py").write_text(head + "hypot = Exercise('hypott', check=checks.value(1))\n")
    for _ in "ab":  # a loaded file counts as library code
        with pytest.warns(UserWarning, match="variable hypot holds the exercise 'hypott'") as told:
            exercises.load("typo.py")
        assert (Path(told[0].filename).name, told[0].lineno) == ("typo.py", 2)
        assert "judges the learner's variable hypott. Give both one name" in str(told[0].message)
    (folder / "meant.py").write_text(
        head + "def mul(): pass\n"
        "mul_exercise = Exercise('mul', check=checks.value(1))\n"
        "one = Exercise('first', answer='one', check=checks.value(1))\n"
        "two = also_two = Exercise('two', check=checks.value(1))\n"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(exercises.load("meant.py")) == 3
