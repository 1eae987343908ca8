"""spawn runs a function on several ranks: its results and errors."""

import atexit
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.distributed.errors import RankFailed
from tests.processes import python

from ..architecture.sources import ROOT
from ..patience import PATIENCE

spawn = paddle.distributed.spawn
SCRIPT = """\
import paddle


def train(start, how=""):
    paddle.distributed.init_parallel_env()
    rank = paddle.distributed.get_rank()
    x = paddle.to_tensor([start + rank])
    paddle.distributed.all_reduce(x)
    return x.tolist()


if __name__ == "__main__":
    context = paddle.distributed.spawn(train, args=(10.0,), nprocs=2)
    print([queue.get() for queue in context.return_queues])
"""


def act(how: str) -> Any:
    """End this rank in some way, if its number is 1."""
    paddle.distributed.init_parallel_env()
    if paddle.distributed.get_rank() == 1:
        match how:
            case "raise":
                raise ValueError("no more")
            case "leave":
                sys.exit(3)
            case "kill":
                os.kill(os.getpid(), 9)
            case "give":
                return lambda: None
            case "wait":
                time.sleep(PATIENCE)
    return paddle.distributed.get_rank() * 10


@pytest.mark.ranks
@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "text"),
    [
        ("raise", "ValueError: no more"),
        ("leave", "ended with exit status 3"),
        ("kill", "rank 1: gave no sign; it was killed, or crashed (process "),
        ("give", "Can't pickle"),
    ],
)
def test_a_failing_rank_is_an_error_in_the_caller(how: str, text: str) -> None:
    with pytest.raises(RankFailed, match=r"spawn\(\): (rank 1 failed first|a rank was)") as caught:
        spawn(act, (how,), nprocs=2)
    assert text in str(caught.value)


def leave_begun(folder: Path) -> None:
    """Begin reductions of large tensors without waiting; at exit, note which are done."""
    tasks: list[Any] = []

    def note() -> None:
        done = [task._exchange.request.Test() for task in tasks]
        (folder / f"done-{os.getpid()}").write_text(repr(done))

    atexit.register(note)  # runs after the hook of init_parallel_env
    paddle.distributed.init_parallel_env()
    for _ in range(8):
        x = paddle.ones([300_000])
        tasks.append(paddle.distributed.all_reduce(x, sync_op=False))


@pytest.mark.ranks
@pytest.mark.slow
def test_unawaited_calls_are_done_before_their_memory_is_freed(tmp_path: Path) -> None:
    spawn(leave_begun, (tmp_path,), nprocs=2)
    assert [each.read_text() for each in tmp_path.iterdir()] == [repr([True] * 8)] * 2


def listens() -> set[str]:
    """Return the addresses, in hexadecimal, on which only this process listens."""
    paddle.distributed.init_parallel_env()
    paddle.distributed.barrier()
    files = Path("/proc/self/fd").iterdir()
    links = [str(each.readlink()) for each in files if each.is_symlink()]
    rows = [
        row.split()
        for name in ("tcp", "tcp6")
        for row in Path(f"/proc/self/net/{name}").read_text().splitlines()[1:]
    ]
    own = [row for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in links]
    return {row[1].partition(":")[0] for row in own}


@pytest.mark.ranks
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_rank_listens_on_no_network() -> None:
    context = spawn(listens, nprocs=2)
    for queue in context.return_queues:
        assert queue.get() <= {"0100007F"}  # 127.0.0.1


@pytest.mark.ranks
@pytest.mark.slow
def test_spawn_can_be_joined_later() -> None:
    context = spawn(act, ("well",), nprocs=2, join=False)
    assert context.join()
    assert context.join(timeout=0)
    assert [queue.get() for queue in context.return_queues] == [0, 10]


@pytest.mark.ranks
@pytest.mark.slow
def test_ctrl_c_ends_the_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    context = spawn(act, ("wait",), nprocs=2, join=False)
    assert not context.join(timeout=0.01)
    waits, join = [], threading.Thread.join

    def interrupted(thread: threading.Thread, timeout: float | None = None) -> None:
        waits.append(timeout)
        if len(waits) == 1:
            raise KeyboardInterrupt
        join(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        context.join()
    assert not context._thread.is_alive()


@pytest.mark.ranks
@pytest.mark.slow
def test_functions_of_a_script_are_found(tmp_path: Path) -> None:
    """An unmodified script of Paddle works, too."""
    (tmp_path / "train.py").write_text(SCRIPT)
    done = python("-m", "minipaddle", "run", "train.py", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("[[21.0], [21.0]]\n", "")


@pytest.mark.ranks
def test_a_function_that_cannot_be_sent_is_an_error_before_the_start() -> None:
    def inside() -> None:
        """A local function, which cannot be sent."""

    for function, name in ((inside, "inside"), (lambda: None, "<lambda>")):
        with pytest.raises(ValueError, match="other processes cannot find the function") as caught:
            spawn(function, nprocs=2)
        assert name in str(caught.value)
        assert "  to do     write it into a file, train.py, and import it" in str(caught.value)
    with pytest.raises(ValueError, match="an argument cannot be sent to other processes") as caught:
        spawn(act, (threading.Lock(),), nprocs=2)
    assert "  received  TypeError: cannot pickle '_thread.lock' object\n" in str(caught.value)
    with pytest.raises(TypeError, match="func must be a function"):
        spawn(3, nprocs=2)


def test_spawn_takes_paddles_options() -> None:
    with pytest.raises(ValueError, match=r"option \(foo\) of `paddle.distributed.spawn` is not su"):
        spawn(act, ("well",), nprocs=2, foo=1)
    for wrong in (0, -2, 1.5):
        with pytest.raises(ValueError, match="nprocs is not a number of ranks"):
            spawn(act, ("well",), nprocs=wrong)


@pytest.mark.ranks
@pytest.mark.slow
def test_an_mpiexec_of_another_library_is_an_error() -> None:
    """The starter's text is unknown to this process's MPI."""
    code = "import warnings; warnings.simplefilter('ignore'); import minipaddle.distributed as d; "
    started = {"PMI_RANK": "0", "PMI_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
    started["OMPI_COMM_WORLD_SIZE"] = "2"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}d.init_parallel_env()"],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | started,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert "mpiexec belongs to another MPI library than the one that mpi4py has" in done.stderr
    assert "  expected  2 ranks, as mpiexec says\n  received  1 in " in done.stderr
