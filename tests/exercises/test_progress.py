"""Progress: notes, damaged files, and the overview."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from minipaddle import __main__ as command_line
from minipaddle import exercises
from minipaddle.exercises import Exercise, checks, progress
from minipaddle.exercises.course import lessons
from minipaddle.exercises.overview import overview
from minipaddle.exercises.progress import Entry, State
from tests.each import each

ENTRY = {
    "when": "2026-11-23T10:00:00+01:00", "course": "01_one_tanh", "exercise": "square",
    "did": "check", "what": "right", "slip": "", "title": "",
}  # fmt: skip


def line(**more: str) -> bytes:
    return json.dumps({**ENTRY, **more}).encode()


@each(
    "damaged",
    [
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"3",
        b'{"when": 3}',
        line(what="right")[:-5],
        json.dumps({**ENTRY, "what": 3}).encode(),
        json.dumps({**ENTRY, "more": "x"}).encode(),
        b"[" * 100_000,
    ],
)
def test_a_damaged_line_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: bytes
) -> None:
    file = tmp_path / "progress.jsonl"
    monkeypatch.setenv("MINIPADDLE_PROGRESS", str(file))
    file.write_bytes(b"\n".join([line(), damaged, line(exercise="gated_tanh")]))
    read, count = progress.entries()
    assert [entry.exercise for entry in read] == ["square", "gated_tanh"]
    assert count == 1


def test_an_exercise_that_was_right_once_stays_right() -> None:
    def entry(did: str, what: str) -> Entry:
        return Entry("", "c", "e", did, what)

    doings = [("check", "wrong"), ("hint", "2"), ("hint", "1"), ("solution", "asked")]
    doings += [("check", "right"), ("check", "wrong"), ("hint", "odd"), ("new", "thing")]
    [state] = progress.states(entry(*doing) for doing in doings).values()
    assert state == State("right", checks=3, hints=2, solution=True)
    assert state.done
    assert not any(State(outcome).tried for outcome in ("", "not yet"))
    assert all(each.tried for each in (State("wrong"), State(hints=1), State(solution=True)))


def test_the_picture_has_a_mark_for_each_exercise_and_prediction(noted: Path) -> None:
    noted.parent.mkdir()
    parts = [(name, part) for name in lessons() for part in exercises.load(name)]
    asked = sum(isinstance(part, exercises.Prediction) for _, part in parts)
    entries = [line(), line(exercise="gated_tanh", what="error"), line(course="own", exercise="x")]
    entries += [line(exercise="what_dy", did="predict", what="2")]
    noted.write_bytes(b"\n".join(entries))
    shown = overview()
    totals = f"Done: 2 of {len(parts) - asked + 1} exercises, 1 of {asked} predictions."
    assert totals in repr(shown)
    assert "  ✓ what_dy?  ○ of_minus_two?  ✓ square  ◐ gated_tanh  ○ record\n" in repr(shown)
    svg = re.findall(r"<svg.+?</svg>", shown._repr_html_(), re.DOTALL)[0]
    assert f'aria-label="{totals}"' in svg
    marks = dict(re.findall(r"<title>([^<]+)</title>(.+?)</g>", svg))
    assert len(marks) == len(parts) + 1
    names = "square", "gated_tanh", "record", "what_dy?", "of_minus_two?"
    looks = [marks[f"Lesson 1: One tanh, forwards and backwards · {name}"] for name in names]
    kinds = [("<path" in look, 'fill="none"' in look, 'rx="7"' in look) for look in looks]
    full, half, empty = (False, False), (True, True), (False, True)
    assert kinds == [(*full, False), (*half, False), (*empty, False), (*full, True), (*empty, True)]
    ET.fromstring(svg)


def test_the_overview_names_the_next_exercise(noted: Path) -> None:
    noted.parent.mkdir()
    shown = overview()
    [first, *_] = exercises.load(lessons()[0])
    assert shown.next is not None
    assert shown.next.name == lessons()[0]
    assert repr(shown).splitlines()[0].startswith("Lesson 1: One tanh, forwards and backwards  (0")
    assert f"Go on with {first.name} in Lesson 1: " in repr(shown)
    done = [
        line(course=name, exercise=part.name) for name in lessons() for part in exercises.load(name)
    ]
    noted.write_bytes(b"\n".join(done))
    assert repr(overview()).endswith("Everything is done.")
    assert repr(overview("zh")).endswith("全部完成。")


def test_a_teachers_course_has_its_title(noted: Path, tmp_path: Path) -> None:
    (tmp_path / "week5.py").write_text(
        "from minipaddle.exercises import Exercise, Prediction, checks\n"
        "TITLE = ('Numerical stability', '数值稳定性')\n"
        "one = Exercise('one', check=checks.value(1), solution='one = 1')\n"
        "how = Prediction('how', question='?', kind='number', truth=1)\n",
        encoding="utf-8",
    )
    week5 = exercises.load(tmp_path / "week5.py")
    week5.one.check(2)
    week5.how.answer(2)
    assert "\nNumerical stability  (1 of 2)\n  ◐ one  ✓ how?\n" in repr(overview())
    with noted.open("ab") as file:  # a line of the time before titles
        old = {key: value for key, value in ENTRY.items() if key != "title"}
        file.write(json.dumps({**old, "course": "week4"}).encode())
    assert "\nweek4  (1 of 1)\n" in repr(overview())
    exercises.set_lang("zh")
    week5.one.check(1)
    assert "\n数值稳定性  (2 题中完成 2 题)\n" in repr(overview())
    assert {part.course for part in week5} == {"week5"}


def test_the_page_links_to_the_lessons(noted: Path) -> None:
    noted.parent.mkdir()
    noted.write_bytes(line(course="<b>", exercise="<i>") + b"\n" + line(did="hint", what="2"))
    page = overview()._repr_html_()
    assert f'<a href="{lessons()[0]}.ipynb">Lesson 1: ' in page
    assert "<b>" not in page
    assert "<i>" not in page
    assert 'title="square (hints: 2)"' in page


def test_the_command_prints_and_exports(
    noted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noted.parent.mkdir()
    noted.write_bytes(line() + b"\n" + line(what="=1+1", exercise="x"))
    assert command_line.main(["progress", "--lang", "zh"]) == 0
    assert "✓ square" in capsys.readouterr().out
    for name in ("out.csv", "out.json"):
        assert command_line.main(["progress", "--export", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out.endswith(f"{tmp_path / name}: 2 lines\n")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == ENTRY
    assert rows[1]["what"] == "'=1+1"  # the quote prevents a spreadsheet formula
    assert json.loads((tmp_path / "out.json").read_text())[0] == ENTRY
    assert command_line.main(["progress", "--export", "out.txt"]) == 1
    error = capsys.readouterr().err
    assert "a file that ends in .csv or .json" in error
    assert "expected  a file that ends in .csv or .json" in error


def test_nothing_is_noted_when_notes_are_switched_off(
    noted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIPADDLE_PROGRESS", "")
    progress.note(Exercise("x", check=checks.value(1)), "check", "right")
    assert progress.entries() == ([], 0)
    assert not noted.exists()
    monkeypatch.delenv("MINIPADDLE_PROGRESS")
    assert progress.path() == Path.home() / ".minipaddle" / "progress.jsonl"


@pytest.mark.slow
def test_two_processes_may_note_at_once(noted: Path) -> None:
    program = (
        "from minipaddle.exercises import Exercise, checks, progress\n"
        "x = Exercise('x', check=checks.value(1))\n"
        "for n in range(200): progress.note(x, 'hint', n)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = [subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in "ab"]
    assert [process.wait() for process in running] == [0, 0]
    read, damaged = progress.entries()
    assert (len(read), damaged) == (400, 0)
