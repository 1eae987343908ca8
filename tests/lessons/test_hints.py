"""check.hint and check.solution: in order, in both languages, and for names that do not exist."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from minipaddle.engine import errors

from .answers import answer, square


def test_hints_come_one_by_one(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(4):
        check.hint("square")
        shown.append(capsys.readouterr().out)
    assert [text.split(":")[0] for text in shown] == [
        *(f"Hint {n} of 3 for square" for n in (1, 2, 3, 3)),
    ]
    assert 'Run check.hint("square") again for the next one.' in shown[0]
    assert 'check.solution("square") shows a solution.' in shown[2]
    check.lang = "zh"
    check.hint("gated_tanh")
    assert capsys.readouterr().out.startswith("gated_tanh 的提示（1/3）：一次只看一个输入")


def test_the_recording_has_hints_and_a_solution(
    check: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, words in (
        ("en", ["Section 4 ends with the pattern", "stop_gradient=False", "Inside the with: "]),
        ("zh", ["第 4 节最后有现成的写法", "stop_gradient=False", "with 里面写："]),
    ):
        check.lang = lang
        check._given.clear()
        for word in words:
            check.hint("record")
            assert word in capsys.readouterr().out
    check.solution("record")
    assert "gated_tanh.apply(a, b).mean().backward()" in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["square", "gated_tanh"])
def test_the_solution_that_is_shown_is_right(
    check: ModuleType, capsys: pytest.CaptureFixture[str], name: str, lang: str
) -> None:
    check.lang = lang
    check.solution(name)
    assert check.judge(name, answer(name, capsys.readouterr().out)).solved


@pytest.mark.parametrize("ask", ["hint", "solution"])
def test_an_unknown_name_is_answered_in_one_line(
    check: ModuleType, capsys: pytest.CaptureFixture[str], ask: str
) -> None:
    for which, en, zh in (
        (("sqare",), "There is no exercise 'sqare'.", "没有叫“sqare”的练习。"),
        ((int,), "There is no exercise 'int'.", "没有叫“int”的练习。"),
        ((), "Name an exercise.", "请写上练习的名字。"),
        ((["square"],), "Name an exercise.", "请写上练习的名字。"),
    ):
        for lang, said in (
            ("en", f"{en} There are: square, gated_tanh, record.\n"),
            ("zh", f"{zh}可用：square、gated_tanh、record。\n"),
        ):
            check.lang = lang
            getattr(check, ask)(*which)
            assert capsys.readouterr().out == said


def test_the_class_names_its_exercise(
    check: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    check.hint(square("pass"))
    assert capsys.readouterr().out.startswith("Hint 1 of 3 for square: ")


def test_unknown_names_are_refused(check: ModuleType) -> None:
    with pytest.raises(errors.NotFound, match=r"There is no exercise 'sqare'\.") as caught:
        check.judge("sqare", None)
    assert "one of: square, gated_tanh" in str(caught.value)
    with pytest.raises(AttributeError, match="check has no exercise 'sqare'; it has: square, "):
        check.sqare(None)
    check.lang = "fr"
    with pytest.raises(errors.InvalidArgument, match="The checks do not speak 'fr'"):
        check.hint("square")


def test_a_missing_solution_is_told(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(check, "HERE", tmp_path)
    with pytest.raises(errors.NotFound, match=r"The solution of square is not there\."):
        check.solution("square")
