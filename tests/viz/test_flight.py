"""The flight recorder with minipaddle, and the rounds that it keeps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.engine.errors import InvalidArgument


def train(steps: int, bad: int = -1) -> None:
    net = nn.Linear(3, 1)
    optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
    for step in range(steps):
        out = net(paddle.randn([8, 3]))
        if step == bad:
            out = paddle.log(out - 100.0)
        loss = out.square().mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()


def test_a_nan_gives_a_page_and_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with viz.flight(tmp_path) as flight:
        train(9, bad=5)
    assert flight.path == tmp_path / "nan_round_6.html"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "nan_round_6.html",
        "nan_round_6.json",
    ]
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    for part in ("nan in log", "test_flight.py:22", "round 6 (step 5)", str(flight.path)):
        assert part in said
    trace = viz.load(flight.path.with_suffix(".json"))
    assert trace.problems()[0].kind == "nan"
    assert [each.index for each in trace.rounds if each.kept] == [2, 3, 4, 5]
    page = flight.path.read_text(encoding="utf-8")
    assert f'"step": {flight.problem.step}' in page or f'"step":{flight.problem.step}' in page


def test_nothing_is_written_without_a_problem(tmp_path: Path) -> None:
    with viz.flight(tmp_path) as flight:
        train(4)
    assert flight.path is None
    assert not [*tmp_path.iterdir()]


def test_an_exception_gives_a_page_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flight = viz.flight(tmp_path)
    with pytest.raises(InvalidArgument), flight:
        paddle.tanh(paddle.ones([2, 3])) @ paddle.ones([2, 3])
    assert flight.path is not None
    assert flight.path.name.startswith("InvalidArgument_round_")
    assert "InvalidArgument in @, " in capsys.readouterr().err


def test_an_exception_outside_of_ops_names_its_line_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ZeroDivisionError), viz.flight(tmp_path):
        paddle.ones([2]) * (1 // 0)
    assert re.search(r"ZeroDivisionError in \S*test_flight\.py:", capsys.readouterr().err)


def test_a_page_that_cannot_be_written_is_no_failure_of_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    with viz.flight(tmp_path / "file" / "folder") as flight:
        train(4, bad=1)
    assert flight.path is None
    assert flight.problem.kind == "nan"
    with pytest.raises(InvalidArgument), viz.flight(tmp_path / "file" / "folder") as flight:
        paddle.ones([2, 3]) @ paddle.ones([2, 3])
    assert flight.path is None
    assert flight.problem.kind == "InvalidArgument"
    assert "could not write its page" in capsys.readouterr().err


def test_the_last_rounds_are_those_of_a_whole_recording() -> None:
    traces = []
    for last in (None, 2):
        paddle.seed(0)
        with paddle.utils.unique_name.guard(), viz.record(last=last) as trace:
            train(150)
        traces.append(trace)
    whole, part = traces
    assert [each.kept for each in part.rounds] == [False] * (len(part.rounds) - 2) + [True] * 2
    assert len(part.rounds) <= 103
    titles_apart = [each.round(-1).text().split("\n", 2)[2] for each in traces]
    assert titles_apart[0] == titles_apart[1]
    assert part.rounds[-1].loss == whole.rounds[-1].loss


@pytest.mark.parametrize("last", [0, 1.5])
def test_a_number_of_rounds_that_is_none_is_refused(last: float) -> None:
    with pytest.raises(InvalidArgument, match="last must be a whole number"):
        viz.record(last=last)  # type: ignore[arg-type]


@pytest.mark.parametrize("keep", [0, 1.5, None])
def test_a_flight_that_keeps_no_round_is_refused(keep: float) -> None:
    with pytest.raises(InvalidArgument, match=r"viz\.flight\(\): keep must be"):
        viz.flight("unused", keep=keep)  # type: ignore[arg-type]
