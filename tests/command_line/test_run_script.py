"""`minipaddle run`: scripts that import paddle, as Python itself would run them, and recorded."""

import importlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import minipaddle
import viz
from minipaddle import __main__ as command_line
from minipaddle.engine import modes
from minipaddle.paddle_names.import_alias import as_paddle
from tests.each import each

SCRIPT = """\
import sys
import paddle
import paddle.nn.functional as F
from paddle.autograd import PyLayer
from beside import ROWS


class cus_tanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return dy * (1 - paddle.square(y))


if __name__ == "__main__":
    print(sys.argv)
    net = paddle.nn.Linear(2, 2)
    x = paddle.to_tensor(ROWS)
    loss = F.relu(cus_tanh.apply(net(x))).mean()
    loss.backward()
    if "fail" in sys.argv:
        net(paddle.ones([4, 5]))
    if "leave" in sys.argv:
        sys.exit(7)
    if "text" in sys.argv:
        sys.exit("no more")
"""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beside.py").write_text("ROWS = [[1.0, 2.0]]\n")
    (tmp_path / "train.py").write_text(SCRIPT)
    sys.modules.pop("beside", None)
    return tmp_path / "train.py"


def run(*arguments: str) -> int:
    return command_line.main(["run", *arguments])


# ----- the names of Paddle -----------------------------------------------------------------------


def test_inside_the_block_paddle_is_minipaddle() -> None:
    before = {name for name in sys.modules if name.startswith("paddle")}
    with as_paddle():
        paddle = importlib.import_module("paddle")
        functional = importlib.import_module("paddle.nn.functional")
        assert paddle is minipaddle
        assert functional is minipaddle.nn.functional
        assert paddle.nn is sys.modules["paddle.nn"] is sys.modules["minipaddle.nn"]
    assert {name for name in sys.modules if name.startswith("paddle")} == before


# ----- running -----------------------------------------------------------------------------------


def test_a_script_runs_as_main_with_its_own_arguments(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv, path, main = sys.argv, sys.path[:], sys.modules["__main__"]
    assert run("train.py", "--epochs", "3") == 0
    assert capsys.readouterr().out.startswith("['train.py', '--epochs', '3']")
    assert (sys.argv, sys.path, sys.modules["__main__"]) == (argv, path, main)
    assert "paddle" not in sys.modules


def test_nothing_is_recorded_without_trace_and_viz_is_not_needed(script: Path) -> None:
    code = (
        "import sys; from minipaddle.__main__ import main; "
        "assert main(['run', 'train.py']) == 0; assert 'viz' not in sys.modules"
    )
    root = str(Path(minipaddle.__file__).parents[1])
    subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}); {code}"],
        check=True,
        cwd=script.parent,
    )


@each(("word", "status", "printed"), [("leave", 7, ""), ("text", 1, "no more")])
def test_the_exit_status_is_the_scripts(
    script: Path, capsys: pytest.CaptureFixture[str], word: str, status: int, printed: str
) -> None:
    assert run("train.py", "--trace", "out.json", word) == status
    assert printed in capsys.readouterr().err
    assert viz.load("out.json").ended is None


def test_every_ending_is_written(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train.py", "--trace", "a.html", "--trace=b.txt", "--trace", "c.json") == 0
    assert (script.parent / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    text = (script.parent / "b.txt").read_text(encoding="utf-8")
    trace = viz.load("c.json")
    assert text == trace.text()
    assert trace.title == "train.py"
    assert "train.py:25  loss = F.relu(cus_tanh.apply(net(x))).mean()" in text
    assert "net.weight" in text
    assert f"{len(trace)} steps in a.html" in capsys.readouterr().err
    assert modes.here() is modes.PLAIN


def test_run_reports_problems_of_the_recording(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script.write_text("import paddle\ny = paddle.log(paddle.to_tensor([-1.0]))\n")
    assert run("train.py", "--trace", "a.json") == 0
    (problem,) = viz.load("a.json").problems()
    told = f"1 problem, at step {problem.step + 1}: {problem.text.en} {problem.todo.en}\n"
    assert told in capsys.readouterr().err


@pytest.mark.skipif(
    not Path("/proc/version").exists(),
    reason="this system has no /proc, a folder that takes no files",
)
def test_a_target_is_tried_before_the_script_runs(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("train.py", "--trace", "/proc/a.html") == 1
    found = capsys.readouterr()
    assert found.out == ""
    assert "/proc/a.html" in found.err
    assert "to do" in found.err
    assert sorted(path.name for path in script.parent.iterdir()) == ["beside.py", "train.py"]


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="this system has no /dev/full, a disk that is full"
)
def test_a_recording_that_cannot_be_written_is_saved_elsewhere(
    script: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = script.parent / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    Path("full.html").symlink_to("/dev/full")
    assert run("train.py", "--trace", "full.html", "--trace", "a.txt") == 1
    told = capsys.readouterr().err
    assert "cannot save to full.html: No space left on device" in told
    (kept,) = room.glob("*/*.json")
    assert f"the recording is in {kept};" in told
    assert viz.load(kept).text() == Path("a.txt").read_text(encoding="utf-8")


def test_a_failing_script_leaves_a_traceback_and_a_trace(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("train.py", "fail", "--trace", "out.json") == 1
    error = capsys.readouterr().err
    last = error.rpartition("Traceback (most recent call last):\n")[2]
    assert last.startswith(f'  File "{script}", line 28, in <module>\n')
    assert "matmul(): the last dimension of x" in error
    steps = viz.load("out.json").steps
    assert steps[-1].kind == "error"
    assert steps[-1].text.startswith("InvalidArgument is raised in matmul")


def test_a_module_runs_by_its_name(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = script.parent / "course"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rows.py").write_text("ROWS = [1.0]\n")
    (package / "__main__.py").write_text(
        "import sys, paddle\nfrom .rows import ROWS\nprint(sys.argv[1:], __name__, __package__)\n"
        "y = paddle.tanh(paddle.to_tensor(ROWS))\n"
    )
    assert run("--trace", "out.txt", "-m", "course", "a") == 0
    assert capsys.readouterr().out == "['a'] __main__ course\n"
    assert "course/__main__.py:4" in (script.parent / "out.txt").read_text(encoding="utf-8")
    assert run("-m", "no_such_course") == 1
    assert "there is no module no_such_course that can be run" in capsys.readouterr().err


@each("options", [[], ["--trace", "out.json"]])
def test_no_exception_of_the_script_is_ours(
    script: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    script.write_text("import paddle\ny = paddle.ones([1])\nraise GeneratorExit\n")
    assert run("train.py", *options) == 1
    error = capsys.readouterr().err
    assert error.startswith(f'Traceback (most recent call last):\n  File "{script}", line 3')
    assert ("steps in out.json" in error) is bool(options)


def test_a_script_that_goes_elsewhere_is_recorded_where_it_began(script: Path) -> None:
    script.write_text(
        "import os, tempfile, paddle\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    os.chdir(folder)\n"
        "    y = paddle.to_tensor([1.0]) * 2\n"
    )
    try:
        assert run("train.py", "--trace", "out.json") == 0
    finally:
        os.chdir(script.parent)  # the folder where the script left us is gone
    (source,) = viz.load("out.json").sources
    assert source.name == "train.py"


def test_an_interrupted_script_leaves_its_trace(script: Path) -> None:
    script.write_text(
        "import signal, paddle\n"
        "y = paddle.to_tensor([1.0]) * 2\n"
        "signal.raise_signal(signal.SIGINT)\n"
    )
    heeding = signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
    try:
        assert run("train.py", "--trace", "out.json") == 130
    finally:
        signal.signal(signal.SIGINT, heeding)
    trace = viz.load("out.json")
    assert [view.kind for view in trace.steps] == ["op", "error"]
    assert trace.story.note.en == "KeyboardInterrupt"


# ----- options -----------------------------------------------------------------------------------


@each(
    ("words", "message"),
    [
        (["train.py", "--trace", "o.foo"], "the ending .foo is not known"),
        (["train.py", "--trace", "none/o.html"], "its folder does not exist"),
        (["nowhere.py"], "there is no script nowhere.py"),
    ],
)
def test_mistakes_are_errors_before_anything_runs(
    script: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert run(*words) == 1
    found = capsys.readouterr()
    assert found.out == ""
    assert message in found.err
    assert "contextlib" not in found.err


TRAINING = """\
import paddle

net = paddle.nn.Linear(2, 1)
opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())
for step in range(6):
    loss = net(paddle.ones([3, 2])).mean()
    loss.backward()
    opt.step()
    opt.clear_grad()
"""


@each(
    ("words", "kept"),
    [
        ((), [0, 1, 2, 3, 4, 5]),
        (("--rounds", "0:6:2"), [0, 2, 4]),
        (("--rounds=1:3",), [1, 2]),
        (("--rounds", "5,1"), [1, 5]),
        (("--every", "3"), [0, 3]),
        (("--every", "3", "--rounds", "4"), [0, 3, 4]),
    ],
)
def test_rounds_are_chosen(script: Path, words: tuple[str, ...], kept: list[int]) -> None:
    Path("steps.py").write_text(TRAINING)
    assert run("steps.py", "--trace", "o.json", *words) == 0
    rounds = viz.load("o.json").rounds
    assert [item.names for item in rounds] == [{"step": n} for n in range(6)]
    assert [item.index for item in rounds if item.kept] == kept
    assert all(item.loss is not None for item in rounds)


@each(
    ("words", "message"),
    [
        ([], "name the script to run"),
        (["--only", "tanh", "train.py"], "name a file with --trace"),
        (["--trcae", "o.html", "train.py"], "unrecognized arguments: --trcae"),
        (["-m"], "name the module to run"),
        (["train.py", "--trace", "o.json", "--depth", "-1"], "a whole number from 0 on"),
        (["--rounds", "0:9", "train.py"], "name a file with --trace"),
        (["train.py", "--trace", "o.json", "--every", "0"], "a whole number from 1 on"),
        (["train.py", "--trace", "o.json", "--rounds", "0:9:0"], "0:100:10, 0:5 or 0,1,99, not"),
    ],
)
def test_wrong_usage_is_an_error(
    script: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*words)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_a_script_that_cannot_be_read_is_an_error(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(name: str) -> None:
        raise PermissionError(13, "Permission denied", name)

    monkeypatch.setattr("io.open_code", refuse)
    assert run("train.py") == 1
    error = capsys.readouterr().err
    assert "the script train.py cannot be read" in error
    assert "Permission denied" in error


def test_a_syntax_error_looks_as_in_python(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script.write_text("x = = 1\n")
    assert run("train.py") == 1
    error = capsys.readouterr().err
    assert error.startswith(f'  File "{script}", line 1')
    assert "SyntaxError: invalid syntax" in error
