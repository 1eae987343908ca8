"""A trace that asks: where, what, and what becomes of the answers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument, InvalidType
from tests.each import each
from viz.player.book import book_of

F = paddle.nn.functional
ROW = {"step": 4, "round": None, "number": 3, "ask": "sign", "of": "dx", "given": "positive"}
ANSWER = {**ROW, "truth": "positive", "right": True, "hints": 0, "tries": 1}


@cache
def recorded() -> viz.Trace:
    x = paddle.to_tensor([[0.5, -1.0]], stop_gradient=False)
    w = paddle.to_tensor([2.0, 3.0], stop_gradient=False)
    with viz.record() as trace:
        (paddle.tanh(x * w) + w).sum().backward()
    return trace


@cache
def training() -> viz.Trace:
    paddle.seed(0)
    net = paddle.nn.Linear(2, 2)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    with viz.record() as trace:
        for _ in range(3):
            net(paddle.ones([1, 2])).sum().backward()
            sgd.step()
            sgd.clear_grad()
    return trace


# ----- which steps -------------------------------------------------------------------------------


def kinds(trace: viz.Trace, quiz: Any) -> list[str]:
    return [f"{trace.steps[at].phase} {trace.steps[at].kind}" for at in quiz.steps]


def test_every_step_of_backward_that_gives_something_asks() -> None:
    trace = recorded()
    told = kinds(trace, trace.quiz())
    assert set(told) == {"backward visit", "backward unbroadcast", "backward accumulate"}
    wanted = {"visit", "unbroadcast", "accumulate"}
    assert len(told) == sum(step.kind in wanted for step in trace.steps)


def test_an_op_asks_forward_and_backward() -> None:
    trace = recorded()
    assert kinds(trace, trace.quiz("tanh")) == ["forward op", "backward visit"]
    assert all("tanh" in trace.steps[at].text for at in trace.quiz("tanh").steps)


def test_an_op_asks_in_every_round() -> None:
    trace = training()
    rounds = [trace.steps[at].round for at in trace.quiz("sum").steps]
    assert rounds == [0, 0, 1, 1, 2, 2]


def test_a_number_of_steps_is_drawn_with_the_seed() -> None:
    trace = recorded()
    drawn = [trace.quiz(2, seed=seed).steps for seed in range(8)]
    assert drawn[0] == trace.quiz(2, seed=0).steps
    assert len(set(drawn)) > 1
    assert all(set(steps) <= set(trace.quiz().steps) and len(steps) == 2 for steps in drawn)
    assert trace.quiz(1000).steps == trace.quiz().steps


def test_steps_can_be_named() -> None:
    trace = recorded()
    steps = trace.quiz().steps
    assert trace.quiz([steps[2], steps[0], steps[2]]).steps == (steps[0], steps[2])
    assert trace.quiz(range(steps[0], steps[0] + 1)).steps == steps[:1]


def test_what_is_asked_can_be_chosen() -> None:
    trace = recorded()
    assert trace.quiz().asks == ("value", "sign", "shape", "next")
    assert trace.quiz(ask="sign").asks == ("sign",)
    assert trace.quiz(ask=["shape", "next"]).asks == ("shape", "next")


def test_the_page_knows_what_to_ask() -> None:
    quiz = recorded().quiz(2, ask="sign", seed=7)
    assert book_of(quiz)["ask"] == {
        "kind": "quiz",
        "steps": [*quiz.steps],
        "asks": ["sign"],
        "seed": 7,
        "key": quiz.key,
    }
    assert "ask" not in book_of(recorded())


def test_it_says_where_it_asks(capsys: pytest.CaptureFixture[str]) -> None:
    quiz = recorded().quiz("tanh")
    steps = ", ".join(map(str, quiz.steps))
    assert all("tanh" in recorded().steps[at].text for at in quiz.steps)
    assert quiz.text() == f"{quiz.title}\nQuestions at these of trace.steps: {steps}.\n"
    assert quiz.text("zh") == f"{quiz.title}\n在 trace.steps 的这些步骤提问：{steps}。\n"
    quiz.show()
    assert capsys.readouterr().out == quiz.text()
    assert repr(quiz) == f"<Quiz on {quiz.title}: 2 questions>"


# ----- answers -----------------------------------------------------------------------------------


def test_answers_go_into_a_file_and_come_back(tmp_path: Path) -> None:
    quiz = recorded().quiz()
    quiz.heard([ANSWER])
    again = recorded().quiz()
    again.load(quiz.export(tmp_path / "a.json"))
    assert again.answers == quiz.answers == (ANSWER,)


def test_what_is_no_answer_is_passed_by() -> None:
    quiz = recorded().quiz()
    quiz.heard([ANSWER, 3, {"step": "4"}, {**ANSWER, "right": "yes"}, None])
    assert quiz.answers == (ANSWER,)
    quiz.heard("nothing")
    assert quiz.answers == ()


def test_the_answers_of_another_quiz_are_refused(tmp_path: Path) -> None:
    quiz, other = recorded().quiz(seed=1), recorded().quiz(seed=2)
    file = other.export(tmp_path / "other.json")
    with pytest.raises(InvalidArgument) as error:
        quiz.load(file)
    assert "the answers in other.json are not to this page." in str(error.value)
    assert f"with the key {quiz.key}" in str(error.value)
    assert f"the key {other.key!r}" in str(error.value)
    assert "export them from the page" in str(error.value)
    assert quiz.answers == ()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", None])
def test_a_damaged_file_is_refused(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    if content is not None:
        file.write_bytes(content)
    quiz = recorded().quiz()
    with pytest.raises(InvalidArgument) as error:
        quiz.load(file)
    assert "no answers can be read from a.json." in str(error.value)
    assert "the button Export answers" in str(error.value)
    assert "export it again" in str(error.value)


@pytest.mark.parametrize("told", [[], {}, {"format": "something"}, 3])
def test_a_file_of_another_kind_is_refused(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(InvalidArgument) as error:
        recorded().quiz().load(file)
    assert "a.json has no answers." in str(error.value)
    assert "another kind of file" in str(error.value)


def test_a_notebook_tells_what_was_answered() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from viz.player import places

    quiz = recorded().quiz()
    quiz.heard([ANSWER])
    player = places.player(quiz, 0, "")
    assert player.answers == [ANSWER]
    player.answers = [{**ANSWER, "step": 5}, {**ANSWER, "step": 6}]
    assert [row["step"] for row in quiz.answers] == [5, 6]


# ----- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, 0.5, None])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(InvalidType) as error:
        recorded().quiz(seed=seed)
    assert "quiz(): a seed must be a whole number." in str(error.value)
    assert "an int that is not negative" in str(error.value)
    assert "trace.quiz(seed=1)" in str(error.value)


@pytest.mark.parametrize("ask", ["colour", [], ["sign", "size"]])
def test_what_cannot_be_asked(ask: Any) -> None:
    with pytest.raises(InvalidArgument) as error:
        recorded().quiz(ask=ask)
    assert "quiz(): this cannot be asked." in str(error.value)
    assert 'one or several of "value", "sign", "shape", "next"' in str(error.value)
    assert f"ask={ask!r}" in str(error.value)


def test_an_op_that_is_not_there() -> None:
    with pytest.raises(InvalidArgument) as error:
        recorded().quiz("sigmoid")
    assert "quiz(): no step of this trace computes 'sigmoid'." in str(error.value)
    assert '"backward", or an op: add, multiply, sum, tanh' in str(error.value)


@pytest.mark.parametrize("steps", [[0, 999], [-1]])
def test_steps_that_give_nothing(steps: Any) -> None:
    with pytest.raises(InvalidArgument) as error:
        recorded().quiz(steps)
    assert "quiz(): nothing is computed at one of these steps." in str(error.value)
    assert f"at={steps!r}" in str(error.value)
    assert "choose among " in str(error.value)


@each("at", [None, 0, -3, True, 1.5, [1.5], ["a"]])
def test_what_names_no_steps(at: Any) -> None:
    with pytest.raises(InvalidType) as error:
        recorded().quiz(at)
    assert "quiz(): it is not clear which steps are meant." in str(error.value)
    assert f"at={at!r}" in str(error.value)
    assert 'trace.quiz("tanh")' in str(error.value)


def test_a_trace_without_backward() -> None:
    with viz.record() as trace:
        paddle.tanh(paddle.to_tensor([1.0]))
    with pytest.raises(InvalidArgument) as error:
        trace.quiz()
    assert "quiz(): there is nothing to ask." in str(error.value)
    assert "1 steps, none of which computes a gradient" in str(error.value)
    assert trace.quiz("tanh").steps == (0,)
