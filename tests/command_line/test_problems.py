"""`minipaddle problems`: what is wrong in a saved trace, as text, as JSON, and as exit status."""

import json
from pathlib import Path

import pytest

import minipaddle as paddle
import viz
from minipaddle import __main__ as command_line


@pytest.fixture
def broken(tmp_path: Path) -> viz.Trace:
    """A saved trace of an update by hand that keeps its gradient, and of a NaN."""
    w = paddle.to_tensor([[0.1], [0.2]], stop_gradient=False)
    x = paddle.ones([4, 2])
    with viz.record() as trace:
        for _ in range(3):
            (x @ w).square().mean().backward()
            with paddle.no_grad():
                w.subtract_(0.1 * w.grad)
        paddle.log(-x)
    trace.save(tmp_path / "broken.json")
    return trace


def test_problems_are_printed_as_the_trace_finds_them(
    broken: viz.Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = broken.problems()
    assert {problem.kind for problem in found} == {"carried_over", "nan"}
    path = str(tmp_path / "broken.json")
    assert command_line.main(["problems", path, "--json", "--lang", "zh"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [(row["kind"], row["step"]) for row in rows] == [(p.kind, p.step + 1) for p in found]
    assert [row["text"] for row in rows] == [problem.text.of("zh") for problem in found]
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    for row in rows:
        name, number = row["place"].rsplit(":", 1)
        assert name.endswith(Path(__file__).name)
        assert lines[int(number) - 1].strip() == row["code"]
    assert command_line.main(["problems", path]) == 1
    text = capsys.readouterr().out
    assert all(problem.todo.of("en") in text and problem.kind in text for problem in found)


def test_the_status_is_that_of_the_kinds_asked_for(
    broken: viz.Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "broken.json")
    assert command_line.main(["problems", path, "--kind", "nan"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert command_line.main(["problems", path, "--kind", "inf", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    with pytest.raises(SystemExit):
        command_line.main(["problems", path, "--kind", "none"])
