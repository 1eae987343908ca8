"""Predictions are read as typed, locked once, and compared afterwards."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from minipaddle import exercises
from minipaddle.exercises import Prediction, Right, Wrong, progress
from minipaddle.exercises.predictions import PredictionCard
from tests.each import each


def choice(**more: Any) -> Prediction:
    given = {
        "question": ("Which runs first?", "谁先运行？"),
        "choices": ["tanh", ("the mean", "均值")],
        "truth": "the mean",
        "because": ("It starts at the loss.", "从损失开始。"),
    }
    return Prediction("first", **{**given, **more})


def test_the_first_answer_stays(capsys: pytest.CaptureFixture[str]) -> None:
    first = choice()
    first.answer("tanh")
    first.answer("the mean")
    assert first.given == "tanh"
    capsys.readouterr()
    first.compare()
    assert capsys.readouterr().out == (
        "≠ first: otherwise\n  You predicted tanh; it is the mean. It starts at the loss.\n"
    )
    assert [entry.what for entry in progress.entries()[0]] == ["tanh"]


def test_an_unreadable_prediction_locks_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    first = choice()
    for answer in ("sinh", 2):
        first.answer(answer)
        said = f"“{answer}” is none of the choices; write one of them in full.\n"
        assert said in capsys.readouterr().out
    exercises.set_lang("zh")
    first.answer(2)
    assert "“2”不是上面的任何一个选项，请完整写出其中一个。" in capsys.readouterr().out
    assert first.given is None
    assert progress.entries()[0] == []


@each(
    ("kind", "truth", "right", "wrong", "unread"),
    [
        (
            "number",
            1 / 6,
            ["1/6", "0.1667", 1 / 6, " .16667 "],
            ["1", "-1/6", 0],
            ["x", "1/0", "1/2/3", "nan", "1e999", [], True],
        ),
        ("number", -2, ["−2", "-2.0", -2], ["2"], ["", "two"]),
        ("count", 3, ["3", 3, "3.0", 3.0], ["4", 2], ["2.5", 2.5, "three", True]),
        ("shape", [2, 3], ["[2, 3]", "(2,3)", "2 x 3", "2×3", (2, 3)], ["[3, 2]"], ["a", ""]),
        ("shape", [], ["[]", "()", []], ["[1]"], ["none"]),
        ("shape", [4], ["[4]", "(4,)", "4"], ["[4, 1]"], ["-4"]),
        ("name", "dy", ["dy", "`dy`", '"dy"', " dy "], ["dx", "DY"], ["", "''"]),
    ],
)
def test_answers_are_read_as_people_type_them(
    kind: str, truth: Any, right: list[Any], wrong: list[Any], unread: list[Any]
) -> None:
    question = Prediction("it", question="?", kind=kind, truth=truth)
    assert all(isinstance(question.judge(answer), Right) for answer in right)
    assert all(isinstance(question.judge(answer), Wrong) for answer in wrong)
    assert all(question.read(answer) is None for answer in unread)


def test_nothing_is_revealed_before_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    first = choice()
    said = first.reveal("the trace")
    assert repr(said) == "First answer the question first, then run this cell again."
    first.compare()
    assert capsys.readouterr().out == "○ first: not yet\n  There is no prediction yet.\n"
    first.answer("tanh")
    assert first.reveal("the trace") == "the trace"


def test_the_card_asks_and_then_compares() -> None:
    first = choice()
    card = PredictionCard(first)
    assert card.head == "? first: predict"
    assert card.face()["question"] == {
        "prompt": "Which runs first?",
        "choices": ["tanh", "the mean"],
        "example": "",
        "send": "Lock my answer",
    }
    card.answer("the mean")
    assert card.head == "? first: locked"
    face = card.face()
    assert face["question"] is None
    assert face["buttons"] == [
        {
            "label": "Compare",
            "text": "As you predicted: the mean. It starts at the loss.",
            "code": False,
        }
    ]
    assert "the mean. Now go on and see." in face["html"]


def test_an_unreadable_answer_is_reported_on_the_card() -> None:
    card = PredictionCard(Prediction("n", question="?", kind="number", truth=1))
    card.answer("<b>one</b>")
    assert "“&lt;b&gt;one&lt;/b&gt;” cannot be read as a number; write it like 0.25." in str(
        card.face()["html"]
    )
    assert card.face()["question"] is not None


def test_an_answer_of_an_earlier_day_counts() -> None:
    before, after, other = choice(), choice(), choice()
    before.course = after.course = "01_one_tanh"
    before.answer("tanh")
    assert after.given == "tanh"
    assert other.given is None


def test_an_answer_after_other_cells_is_marked_as_late(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import IPython
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    quiet = Config({"HistoryManager": {"enabled": False}})
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    module = ModuleType("notebook")  # not __main__, which belongs to the tests
    shell = InteractiveShell(config=quiet, user_module=module)
    monkeypatch.delitem(sys.modules, "notebook")
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    soon, typed, late, again = choice(), choice(), choice(), choice()
    for question, name in ((soon, "soon"), (typed, "typed"), (late, "late"), (again, "late")):
        question.course, question.name = "01_one_tanh", name
    shell.user_ns |= {"soon": soon, "typed": typed, "late": late}
    shell.run_cell("soon.ask()", store_history=True)
    soon.lock("tanh")  # locked by the button, while no cell runs
    shell.run_cell("typed.ask()", store_history=True)
    shell.run_cell("late.ask()  # two questions in a row", store_history=True)
    shell.run_cell("typed.answer('tanh')", store_history=True)
    shell.run_cell("1 + 1", store_history=True)
    late.lock("tanh")
    assert [entry.slip for entry in progress.entries()[0]] == ["", "", "late"]
    for question, said in ((soon, False), (typed, False), (late, True), (again, True)):
        assert ("after other cells had run" in repr(PredictionCard(question))) is said


@each(
    ("more", "what"),
    [
        ({"choices": [], "kind": "colour"}, "choices=.*kind="),
        ({"choices": []}, "choices=.*kind="),
        ({"truth": "sinh"}, "is no answer to its question"),
        ({"choices": [], "kind": "number", "truth": "big"}, "is no answer to its question"),
    ],
)
def test_wrongly_defined_predictions_are_errors(more: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what) as refused:
        choice(**more)
    assert "\n  to do     " in str(refused.value)
