"""Hints and solutions of lesson 1: in order, in both languages, and solutions that are right."""

from __future__ import annotations

import pytest

from minipaddle import exercises
from minipaddle.exercises import Course

from .answers import answer


def test_hints_come_one_by_one(lesson: Course, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(4):
        lesson.square.hint()
        shown.append(capsys.readouterr().out)
    assert [text.split(":")[0] for text in shown] == [
        f"Hint {n} of 3 for square" for n in (1, 2, 3, 3)
    ]
    assert "Call .hint() again for the next one." in shown[0]
    assert ".show_solution() shows a solution." in shown[2]
    exercises.set_lang("zh")
    lesson.gated_tanh.hint()
    assert capsys.readouterr().out.startswith("gated_tanh 的提示（1/3）：一次只看一个输入")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["square", "gated_tanh"])
def test_the_solution_that_is_shown_is_right(
    lesson: Course, capsys: pytest.CaptureFixture[str], name: str, lang: str
) -> None:
    exercises.set_lang(lang)
    lesson[name].show_solution()
    assert lesson[name].judge(answer(name, capsys.readouterr().out)).solved


def test_the_recording_has_a_solution(lesson: Course, capsys: pytest.CaptureFixture[str]) -> None:
    lesson.record.show_solution()
    assert "gated_tanh.apply(a, b).mean().backward()" in capsys.readouterr().out
