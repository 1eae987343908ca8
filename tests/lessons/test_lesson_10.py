"""What lesson 10 says of its Programs, their runs and its pictures is so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz

from .test_notebooks import run_here, the, told

LESSON = "10_programs"


@pytest.fixture(scope="module")
def lesson_10() -> Any:
    """The variables of the solved lesson."""
    with pytest.MonkeyPatch.context() as patch:
        yield run_here("solutions", patch, LESSON)


def phases(trace: viz.Trace) -> list[str]:
    """The phases of a recording, each once, in their order."""
    return list(dict.fromkeys(str(step.phase) for step in trace.steps))


def test_building_computes_nothing(lesson_10: dict[str, Any]) -> None:
    building, running = lesson_10["building"], lesson_10["running"]
    assert phases(building) == ["build"]
    assert len(told(building)) == 2
    assert "tanh_0.tmp_0 [?, 3]" in told(building)[1]
    assert [step.phase for step in running.steps[:3]] == ["build", "build", "run"]
    after = told(running)[told(running).index(the(told(running), "tanh runs")) :]
    assert "tmp_0 is no longer needed" in after[1]


def test_the_startup_program_comes_first(lesson_10: dict[str, Any]) -> None:
    first, *_ = told(lesson_10["started"])
    assert first.startswith("The Executor runs the startup program: 2 variables")


def test_python_runs_once_for_a_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here("", monkeypatch, LESSON)
    out = capsys.readouterr().out
    built, on_the_tape = out.split("loss: ")[0].split("how_often: not yet")
    assert built.count("Python is in net.") == 1
    losses = [line for line in built.splitlines() if line.startswith("run: ")]
    assert len(losses) == 3
    assert len(set(losses)) == 1
    assert on_the_tape.count("Python is in net.") == 1
    assert losses[0].split("(")[1].split(",")[0] == "3.572118"
    assert out.split("loss: ")[1].startswith("3.572118")


def test_append_backward_adds_eight_operators(lesson_10: dict[str, Any]) -> None:
    texts = told(lesson_10["program"])
    added = [text for text in texts if text.startswith("append_backward ")]
    assert len(added) == 8
    assert added[0].startswith("append_backward begins with fill_constant")
    assert all("_grad" in text for text in added[1:])
    assert "linear_2.w_0@GRAD from x, linear_2.w_0" in added[-1]
    for parameter, gradient in lesson_10["pairs"]:
        assert gradient.name == f"{parameter.name}@GRAD"


def test_the_tape_and_the_program_match(lesson_10: dict[str, Any]) -> None:
    twin = viz.twin(lesson_10["tape"], lesson_10["program"])
    assert twin.summary("en") == "15 boxes match."
    first, last = lesson_10["two_layers"]()
    lesson_10["net"](paddle.to_tensor(lesson_10["two_rows"]), first, last).backward()
    parameters = [*first.parameters(), *last.parameters()]
    for parameter, fetched in zip(parameters, lesson_10["gradients"], strict=True):
        np.testing.assert_allclose(fetched, parameter.grad.numpy(), rtol=1e-6)


def test_the_rounds_of_a_program_are_its_runs(lesson_10: dict[str, Any]) -> None:
    training = lesson_10["training"]
    losses = [each.loss for each in training.rounds]
    assert len(losses) == 12
    assert losses == sorted(losses, reverse=True)
    assert training.problems() == []
    runs = [text for text in told(training.round(0)) if " runs: " in text]
    assert runs[0].startswith("mul runs")
    assert [text.split()[0] for text in runs[-2:]] == ["sgd", "sgd"]


def test_each_run_trains_and_a_copy_only_looks(lesson_10: dict[str, Any]) -> None:
    exe, feed, loss = (lesson_10[name] for name in ("exe", "feed", "loss"))
    paddle.enable_static()
    try:
        with paddle.static.scope_guard(paddle.static.Scope()):
            exe.run(lesson_10["startup"])
            trained, looked_at = (
                [float(exe.run(program, feed=feed, fetch_list=[loss])[0]) for _ in range(2)]
                for program in (lesson_10["main"], lesson_10["only_forward"])
            )
    finally:
        paddle.disable_static()
    assert trained[0] > trained[1] > looked_at[0]
    assert looked_at[0] == looked_at[1]
