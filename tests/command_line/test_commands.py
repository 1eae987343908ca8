"""`python -m minipaddle`: exit statuses, the doctor's report, and the lessons' folder."""

import functools
import importlib.metadata
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import minipaddle as paddle
import viz
from minipaddle import __main__ as command_line
from minipaddle._cli import doctor, lessons
from minipaddle.engine import errors
from tests.processes import python

from ..patience import PATIENCE


def test_an_expected_error_is_text_and_a_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    status = command_line.main(["lessons", "--dest", str(tmp_path)])
    error = capsys.readouterr().err
    assert status == 1
    assert error.startswith(
        "minipaddle lessons: The folder for the lessons holds something else, so nothing was copied"
    )
    assert f"received  {tmp_path}" in error
    assert "to do     name another folder with --dest" in error
    assert "Traceback" not in error


@pytest.mark.slow
@pytest.mark.parametrize("named", ["start.py", "./start.py", "{folder}/start.py"])
def test_the_starting_script_is_not_user_code(tmp_path: Path, named: str) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    start = "import sys\nfrom minipaddle.__main__ import main\nsys.exit(main())"
    (tmp_path / "start.py").write_text(start)
    answer = python(named.format(folder=tmp_path), "lessons", "--dest", ".", cwd=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr.splitlines()[-1] == "  to do     name another folder with --dest"


def test_an_unknown_command_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command_line.main(["lesons"])
    assert stopped.value.code == 2
    assert "invalid choice: 'lesons'" in capsys.readouterr().err


def test_all_commands_are_shown_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main([]) == 2
    shown = capsys.readouterr().err
    for command in command_line.COMMANDS:
        assert f"\n  {command} " in shown


def test_ctrl_c_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "main", interrupted)
    assert command_line.main(["doctor"]) == 130
    assert capsys.readouterr().err == "\nStopped.\n"


# ----- doctor ------------------------------------------------------------------------------------


def test_the_doctor_names_versions(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["doctor"]) == 0
    report = capsys.readouterr().out
    assert f"found    numpy        {importlib.metadata.version('numpy')}\n" in report
    assert "found    viz " in report
    assert report.endswith("\nThe engine works. What is missing is optional.\n")


def test_a_foreign_viz_is_not_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "viz.py").write_text("")
    monkeypatch.delitem(sys.modules, "viz", raising=False)
    assert doctor.our_viz() is not None
    monkeypatch.syspath_prepend(tmp_path)
    assert doctor.our_viz() is None


# ----- lessons: the folder -----------------------------------------------------------------------


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small folder of lessons."""
    for name in ("01_one_tanh.ipynb", "zh/01_one_tanh.ipynb", "__pycache__/x.pyc"):
        (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "source" / name).write_text("{}")
    return tmp_path / "source"


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_lessons_are_copied_to_a_new_or_empty_folder(source: Path) -> None:
    (source.parent / "empty").mkdir()
    for dest in (source.parent / "new", source.parent / "empty"):
        lessons.copy(source, dest)
        assert files(dest) == [".minipaddle-lessons", "01_one_tanh.ipynb", "zh/01_one_tanh.ipynb"]
    assert sorted(p.name for p in source.parent.iterdir()) == ["empty", "new", "source"]


def test_a_file_in_the_way_is_not_overwritten(source: Path) -> None:
    dest = source.parent / "mine"
    dest.write_text("a file")
    with pytest.raises(errors.AlreadyExists, match="holds something else, so nothing was copied"):
        lessons.copy(source, dest)
    assert dest.read_text() == "a file"


def test_a_copy_that_fails_leaves_nothing_behind(source: Path) -> None:
    dest = source.parent / "mine"
    with pytest.raises(errors.PreconditionNotMet, match="could not be copied, so nothing was"):
        lessons.copy(source / "missing", dest)
    assert sorted(p.name for p in source.parent.iterdir()) == ["source"]


def test_work_in_an_earlier_copy_is_preserved(source: Path) -> None:
    dest = source.parent / "mine"
    lessons.copy(source, dest)
    (dest / "01_one_tanh.ipynb").write_text("solved")
    assert lessons.own_copy(dest) == dest
    assert (dest / "01_one_tanh.ipynb").read_text() == "solved"


def test_jupyterlab_of_our_environment_asks_nothing_about_news(tmp_path: Path) -> None:
    settings = tmp_path / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    lessons.ask_nothing(tmp_path)
    assert not settings.exists()  # the folder is no environment of its own
    (tmp_path / "pyvenv.cfg").write_text("")
    lessons.ask_nothing(tmp_path)
    assert json.loads(settings.read_text()) == lessons.QUIET
    settings.write_text("{}")
    lessons.ask_nothing(tmp_path)
    assert settings.read_text() == "{}"  # somebody's own choice stays


def test_a_lesson_is_found_by_number_and_language(source: Path) -> None:
    assert lessons.find_lesson(source, 1, "en") == source / "01_one_tanh.ipynb"
    assert lessons.find_lesson(source, 1, "zh") == source / "zh" / "01_one_tanh.ipynb"
    with pytest.raises(
        errors.NotFound, match=r"no lesson 7 in .*\n  expected  one of: 01_one_tanh"
    ):
        lessons.find_lesson(source, 7, "en")
    (source / "00_start.ipynb").write_text("{}")
    assert lessons.find_lesson(source, None, "en") == source / "00_start.ipynb"
    with pytest.raises(errors.NotFound, match=r"There is no lesson in "):
        lessons.find_lesson(source.parent / "nowhere", None, "en")


# ----- lessons: the server -----------------------------------------------------------------------


def test_a_port_in_use_is_an_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(errors.PreconditionNotMet) as refused:
            lessons.free_port(port)
    assert f"Port {port} cannot be used." in str(refused.value)
    assert "choose another one with --port" in str(refused.value)
    assert lessons.free_port(port) == port


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            return bool(page.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a console's Ctrl-C cannot be sent to one process")
def test_jupyterlab_starts_with_a_token_and_ends_on_ctrl_c(source: Path) -> None:
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    lessons.copy(source, dest := source.parent / "mine")
    command = [sys.executable, "-m", "minipaddle", "lessons", "--no-open", "--dest", str(dest)]
    # A test process in the background ignores Ctrl-C, and what it starts would inherit that.
    heeding = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=heeding,  # noqa: PLW1509
    ) as running:
        assert running.stdout is not None
        try:
            assert running.stdout.readline() == f"Your copy of the lessons is in {dest}\n"
            address = running.stdout.readline().removeprefix("JupyterLab: ").strip()
            assert "/lab/tree/01_one_tanh.ipynb?token=" in address
            status = address.replace("/lab/tree/01_one_tanh.ipynb", "/api/status")
            end = time.monotonic() + PATIENCE
            while not answers(status) and time.monotonic() < end:
                time.sleep(0.1)
            assert answers(status)
            assert not answers(status.partition("?")[0])
            running.send_signal(signal.SIGINT)
            assert running.wait(PATIENCE) == 0
            assert "JupyterLab has ended" in running.stdout.read()
        finally:
            running.terminate()
    assert not answers(status)


# ----- problems ----------------------------------------------------------------------------------


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
