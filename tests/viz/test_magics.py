"""`%%watch` in a real IPython shell."""

import atexit
import gc
import json
import sys
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from minipaddle.engine import modes
from viz.player import display

from ..patience import PATIENCE
from .pages import script_in

PLAYER = ["application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/html", "text/plain"]


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    """Start a shell without history whose displays are captured."""
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    InteractiveShell.clear_instance()
    program = sys.modules["__main__"]  # a shell puts a module of its own there
    shell = InteractiveShell.instance(config=config)
    shell.display_pub = CapturingDisplayPublisher()
    gc.freeze()  # a reset collects garbage
    yield shell
    gc.unfreeze()
    atexit.unregister(shell.atexit_operations)
    shell.atexit_operations()
    InteractiveShell.clear_instance()
    sys.modules["__main__"] = program


@pytest.fixture
def shell(started: Any) -> Any:
    """Return the shell, reset to the state after viz was loaded."""
    started.reset(new_session=True)
    started.execution_count = 1
    started.autoawait = True
    started.display_pub.outputs.clear()
    run(started, "import minipaddle as paddle\n%load_ext viz")
    return started


def run(shell: Any, cell: str) -> Any:
    return shell.run_cell(cell, store_history=True)


def shown(shell: Any) -> list[list[str]]:
    return [sorted(output["data"]) for output in shell.display_pub.outputs]


X = "x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n"


def test_a_cell_is_recorded_shown_and_named(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shell, f"%%watch trace --skip to_tensor\n{X}y = x * x\ny.sum().backward()").success
    trace = shell.user_ns["trace"]
    assert trace.title == "Cell [2]"
    assert "Cell [2]:3  y = x * x" in trace.text()
    assert "x.grad" in trace.text()
    assert shown(shell) == [PLAYER]
    assert modes.here() is modes.PLAIN
    run(shell, f"%%watch\n{X}x.shape")
    assert "Out[3]: paddle.Size([2])" in capsys.readouterr().out
    run(shell, f"%%watch\n{X}x.shape;")
    assert "Out[4]" not in capsys.readouterr().out


def test_the_line_magic_records_one_statement(shell: Any) -> None:
    run(shell, X)
    assert run(shell, "%watch y = paddle.tanh(x)").success
    assert "y" in shell.user_ns
    assert shown(shell) == [PLAYER]


def test_a_frame_holds_the_whole_player(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(shell, f"%%watch t --iframe\n{X}y = x * 2").success
    assert shown(shell) == [["image/svg+xml", "text/html", "text/plain"]]
    page = shell.display_pub.outputs[0]["data"]["text/html"]
    assert '<iframe title="Cell [2]" sandbox="allow-scripts"' in page
    assert "$player.mount(host, await payload, options)" in script_in(unescape(page))
    assert json.dumps(shell.display_pub.outputs[0]["data"])
    monkeypatch.setattr(display, "FRAME_BYTES", 1000)
    too_large = r"too large to be kept in a notebook.\n.*\n.* 0\.\d MB for \d+ steps"
    with pytest.raises(ValueError, match=too_large):
        shell.user_ns["t"].show(iframe=True)


def test_wrong_options_and_wrong_syntax_are_errors_before_anything_runs(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for options, told in (("3bad", "'3bad'"), ("--lang fr", "'fr'"), ("--depht 3", "--depht")):
        assert not run(shell, f"%%watch {options}\nran = 1").success
        found = capsys.readouterr()
        assert told in found.out + found.err
        assert "Traceback" not in found.out + found.err
        assert "ran" not in shell.user_ns
    error = run(shell, "%%watch trace --quiet\n\nx = = 1").error_in_exec
    assert (type(error), error.lineno) == (SyntaxError, 3)


# ----- code that awaits --------------------------------------------------------------------------

AWAITING = f"""%%watch trace
import asyncio
{X}await asyncio.sleep(0)
async def squared(x):
    await asyncio.sleep(0)
    return x * x
y = await squared(x)
await squared(y)"""


def test_a_cell_may_await(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(shell, AWAITING)
    assert result.success
    trace = shell.user_ns["trace"]
    assert [step.kind for step in trace.steps] == ["op", "save"] * 2
    assert "Cell [2]:7  return x * x" in trace.text()
    assert result.result.tolist() == [1.0, 16.0]
    assert "Out[2]: \nTensor(shape=[2]" in capsys.readouterr().out
    assert shown(shell) == [PLAYER]
    assert modes.here() is modes.PLAIN
    assert run(shell, f"%%watch t --quiet\n{X}async with asyncio.Lock():\n    z = x + x").success
    assert len(shell.user_ns["t"]) == 1
    assert run(shell, f"%%watch t --quiet\n{X}z = x * x\nz").success
    assert modes.here() is modes.PLAIN


def test_an_exception_after_an_await_shows_the_failing_step_and_passes(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(shell, f"{AWAITING}\nx @ paddle.ones([3])\nc = 1")
    assert isinstance(result.error_in_exec, ValueError)
    assert capsys.readouterr().out.count("InvalidArgument") > 0
    assert "c" not in shell.user_ns
    assert shell.user_ns["trace"].steps[-1].kind == "error"
    assert shown(shell) == [PLAYER]
    assert modes.here() is modes.PLAIN


def test_await_is_an_error_where_python_raises_one(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not run(shell, "%watch await paddle").success
    assert "%watch cannot await: write %%watch" in capsys.readouterr().err
    run(shell, "%autoawait off")
    assert isinstance(run(shell, AWAITING).error_in_exec, SyntaxError)
    assert not run(shell, "%%watch\nawait = = 1").success


@pytest.mark.slow
def test_a_cell_may_await_in_a_kernel() -> None:
    """An event loop runs already, as in every notebook."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    from nbformat import v4 as nbformat  # which nbclient brings

    after = "from minipaddle.engine import modes\nmodes.here() is modes.PLAIN, len(trace)"
    failing = AWAITING + "\nx @ paddle.ones([3])"
    cells = ["import minipaddle as paddle\n%load_ext viz", AWAITING, after, failing, after]
    notebook = nbformat.new_notebook(cells=[nbformat.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(
        notebook, timeout=PATIENCE, startup_timeout=PATIENCE, allow_errors=True
    )
    client.execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert [out.output_type for out in outputs[1]] == ["execute_result", "display_data"]
    assert "[1. , 16.]" in outputs[1][0].data["text/plain"]
    assert outputs[2][0].data["text/plain"] == "(True, 4)"
    assert [out.output_type for out in outputs[3]] == ["display_data", "error"]
    assert outputs[3][1].ename == "InvalidArgument"
    assert outputs[4][0].data["text/plain"] == "(True, 6)"


def test_a_traceback_shows_the_cell_without_frames_of_viz(
    shell: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = "paddle.ones([4, 3]) @ paddle.ones([2, 3])"
    for cell in (failing, f"%%watch --quiet\n{failing}"):
        run(shell, cell)
        told = capsys.readouterr().out
        assert "InvalidArgument" in told
        assert "fast_paths" not in told
        assert "magics.py" not in told
        assert "MINIPADDLE_TRACEBACK=full shows them" in told
    monkeypatch.setenv("MINIPADDLE_TRACEBACK", "full")
    run(shell, "%tb")
    assert "fast_paths" in capsys.readouterr().out
