"""A quiz asks questions at steps of a trace, and stores the answers."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, InvalidType
from tests.each import each

from ..contract.refusal import refuses

ROW = {"step": 4, "round": None, "number": 3, "ask": "sign", "of": "dx", "given": "positive"}
ANSWER = {**ROW, "truth": "positive", "right": True, "hints": 0, "tries": 1}


@cache
def recorded() -> viz.Trace:
    x = paddle.to_tensor([[0.5, -1.0]], stop_gradient=False)
    w = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
    with viz.record() as trace:
        (paddle.tanh(x * w) + w).sum().backward()
    return trace


# ----- steps -------------------------------------------------------------------------------------


def kinds(trace: viz.Trace, quiz: Any) -> list[str]:
    return [f"{trace.steps[at].phase} {trace.steps[at].kind}" for at in quiz.steps]


def test_every_step_of_backward_with_a_result_has_a_question() -> None:
    trace = recorded()
    told = kinds(trace, trace.quiz())
    assert set(told) == {"backward visit", "backward unbroadcast", "backward accumulate"}
    wanted = {"visit", "unbroadcast", "accumulate"}
    assert len(told) == sum(step.kind in wanted for step in trace.steps)


def test_the_seed_draws_the_given_number_of_steps() -> None:
    trace = recorded()
    drawn = [trace.quiz(2, seed=seed).steps for seed in range(8)]
    assert drawn[0] == trace.quiz(2, seed=0).steps
    assert len(set(drawn)) > 1
    assert all(set(steps) <= set(trace.quiz().steps) and len(steps) == 2 for steps in drawn)
    assert trace.quiz(1000).steps == trace.quiz().steps


def test_steps_can_be_given_by_number() -> None:
    trace = recorded()
    steps = trace.quiz().steps
    assert trace.quiz([steps[2], steps[0], steps[2]]).steps == (steps[0], steps[2])
    assert trace.quiz(range(steps[0], steps[0] + 1)).steps == steps[:1]


def test_a_quiz_prints_the_steps_of_its_questions(capsys: pytest.CaptureFixture[str]) -> None:
    quiz = recorded().quiz("tanh")
    steps = ", ".join(str(step + 1) for step in quiz.steps)
    assert all("tanh" in recorded().steps[at].text for at in quiz.steps)
    assert quiz.title in quiz.text()
    assert steps in quiz.text()
    assert steps in quiz.text("zh")
    quiz.show()
    assert capsys.readouterr().out == quiz.text()
    assert repr(quiz) == f"<Quiz on {quiz.title}: 2 questions>"


# ----- answers -----------------------------------------------------------------------------------


def test_answers_are_saved_and_loaded(tmp_path: Path) -> None:
    quiz = recorded().quiz()
    quiz.heard([ANSWER])
    again = recorded().quiz()
    again.load(quiz.export(tmp_path / "a.json"))
    assert again.answers == quiz.answers == (ANSWER,)


def test_damaged_answers_of_a_page_are_ignored() -> None:
    quiz = recorded().quiz()
    quiz.heard([ANSWER, 3, {"step": "4"}, {**ANSWER, "right": "yes"}, None])
    assert quiz.answers == (ANSWER,)
    quiz.heard("nothing")
    assert quiz.answers == ()


def test_the_answers_of_another_quiz_are_an_error(tmp_path: Path) -> None:
    quiz, other = recorded().quiz(seed=1), recorded().quiz(seed=2)
    with refuses(InvalidArgument, "are not to this page", quiz.key, other.key):
        quiz.load(other.export(tmp_path / "other.json"))
    assert quiz.answers == ()


@each("content", [b"", b"{", b"\xff\xfe", None, b"[]", b"{}", b'{"format": "something"}', b"3"])
def test_a_file_without_answers_is_an_error(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidArgument, match=r"a\.json"):
        recorded().quiz().load(file)


def test_a_widget_reports_the_answers() -> None:
    from viz.player import places

    quiz = recorded().quiz()
    quiz.heard([ANSWER])
    player = places.player(quiz, 0, "")
    assert player.answers == [ANSWER]
    player.answers = [{**ANSWER, "step": 5}, {**ANSWER, "step": 6}]
    assert [row["step"] for row in quiz.answers] == [5, 6]


# ----- errors ------------------------------------------------------------------------------------


@each(
    ("arguments", "kind", "told"),
    [
        *(({"seed": seed}, InvalidType, "a seed must be a whole") for seed in (-1, 0.5, None)),
        *(
            ({"ask": ask}, InvalidArgument, "this cannot be asked")
            for ask in ("colour", [], ["sign", "size"])
        ),
        ({"at": "sigmoid"}, InvalidArgument, "no step of this trace computes 'sigmoid'"),
        *(({"at": at}, InvalidArgument, "nothing is computed at one") for at in ([0, 999], [-1])),
        *(
            ({"at": at}, InvalidType, "not clear which steps")
            for at in (None, 0, -3, True, 1.5, [1.5], ["a"])
        ),
    ],
)
def test_wrong_options_of_a_quiz_are_refused(arguments: Any, kind: Any, told: str) -> None:
    with pytest.raises(kind, match=told):
        recorded().quiz(**arguments)


def test_a_trace_without_backward_needs_named_ops() -> None:
    with viz.record() as trace:
        paddle.tanh(paddle.to_tensor([1.0]))
    with pytest.raises(InvalidArgument, match="there is nothing to ask"):
        trace.quiz()
    assert trace.quiz("tanh").steps == (0,)
