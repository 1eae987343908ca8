"""An uncaught error is shown with the user's frames and the message."""

import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import tracebacks
from minipaddle.engine.errors import MinipaddleError

SCRIPT = """
import sys
import minipaddle as paddle

class Refuses(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2.0

    @staticmethod
    def backward(ctx, dy):
        return {}["no such key"]

def train(x, w):
    return paddle.tanh(x) @ w

def own():
    raise ValueError("mine")

x = paddle.ones([4, 3])
x.stop_gradient = False
if sys.argv[1] == "shapes":
    train(x, paddle.ones([2, 3]))
elif sys.argv[1] == "backward":
    Refuses.apply(x).sum().backward()
else:
    own()
"""
FULL = "MINIPADDLE_TRACEBACK"


def output_of(folder: Path, kind: str, **environment: str) -> str:
    """Return what Python prints when a script ends with an error."""
    script = folder / "train.py"
    script.write_text(SCRIPT)
    ran = subprocess.run(
        [sys.executable, str(script), kind],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(Path(paddle.__file__).parents[1]), **environment},
    )
    assert ran.returncode == 1
    return ran.stderr


def test_a_script_shows_its_own_frames_and_the_message(tmp_path: Path) -> None:
    told = output_of(tmp_path, "shapes")
    assert told.count("Traceback") == 1
    assert "line 23, in <module>" in told
    assert "in train\n    return paddle.tanh(x) @ w" in told
    assert "site-packages" not in told
    assert "fast_paths" not in told
    assert told.count("matmul(): the last dimension of x") == 1
    assert "  to do     transpose one of them" in told
    assert told.endswith("are left out; MINIPADDLE_TRACEBACK=full shows them)\n")


def test_a_cause_in_the_users_code_is_shown(tmp_path: Path) -> None:
    told = output_of(tmp_path, "backward")
    assert "in backward\n    return {}" in told
    assert "KeyError: 'no such key'\n\nThe above exception was the direct cause" in told
    assert "pylayer" not in told.replace("PyLayer", "")


def test_the_whole_traceback_is_shown_on_demand(tmp_path: Path) -> None:
    told = output_of(tmp_path, "shapes", **{FULL: "full"})
    assert "fast_paths.py" in told
    assert "left out" not in told
    assert "not aligned" in told  # text of NumPy


def failure() -> MinipaddleError:
    with pytest.raises(MinipaddleError) as caught:
        paddle.ones([4, 3]) @ paddle.ones([2, 3])
    return caught.value


def test_showing_an_exception_does_not_change_it(capsys: pytest.CaptureFixture[str]) -> None:
    error = failure()
    whole = traceback.format_exception(error)
    trace, cause = error.__traceback__, error.__cause__
    tracebacks.hook_for(MinipaddleError)(type(error), error, trace)
    assert "fast_paths" not in capsys.readouterr().err
    assert error.__traceback__ is trace
    assert error.__cause__ is cause is not None
    assert traceback.format_exception(error) == whole


def test_an_error_while_an_exception_is_shown_leaves_it_unchanged() -> None:
    error = failure()
    trace, cause = error.__traceback__, error.__cause__
    with pytest.raises(KeyboardInterrupt), tracebacks.shorten_chain(error):
        raise KeyboardInterrupt
    assert (error.__traceback__, error.__cause__) == (trace, cause)
    assert error.__suppress_context__


def test_a_cyclic_chain_of_causes_ends() -> None:
    first, second = failure(), failure()
    first.__cause__, second.__cause__ = second, first
    assert list(tracebacks.chain_of(first)) == [first, second]
    with tracebacks.shorten_chain(first) as count:
        assert count > 0


def test_a_foreign_excepthook_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def theirs(*_error: Any) -> None: ...

    monkeypatch.setattr(sys, "excepthook", theirs)
    tracebacks.install(MinipaddleError)
    assert sys.excepthook is theirs
