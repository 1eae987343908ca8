"""`minipaddle launch`: ranks begin, are heard, and all end, however one of them does."""

import functools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import viz
from minipaddle import __main__ as command_line
from minipaddle.distributed import launch_job
from minipaddle.distributed.launch_job import Job
from minipaddle.distributed.launch_rank import MarkedStream
from minipaddle.engine.install_advice import for_many_ranks

from ..architecture.sources import ROOT
from ..patience import PATIENCE

SCRIPT = """\
import os, sys, time
import paddle
import paddle.distributed as dist

dist.init_parallel_env()
rank, how = dist.get_rank(), sys.argv[1]
with open(f"process-{rank}", "w") as file:
    file.write(str(os.getpid()))
print(how, os.environ["OMP_NUM_THREADS"], flush=True)
x = paddle.to_tensor([1.0 + rank])
dist.all_reduce(x)
if rank == 1:
    print("and half a line", x.tolist(), end="")
    if how == "raise":
        raise ValueError("no more")
    if how == "leave":
        sys.exit(3)
    if how == "kill":
        os.kill(os.getpid(), 9)
    if how == "wait":
        print(flush=True), time.sleep(1000)
    if how == "shape":
        x = paddle.ones([3])
dist.all_reduce(x)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    return path


def command(*words: str, module: str = "minipaddle") -> list[str]:
    return [sys.executable, "-m", module, *(["launch"] if module == "minipaddle" else []), *words]


def surroundings() -> dict[str, str]:
    """An environment in which nobody has chosen a number of threads."""
    kept = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    return kept | {"PYTHONPATH": str(ROOT)}


def launch(script: Path, *words: str, module: str = "minipaddle") -> subprocess.CompletedProcess:
    return subprocess.run(
        command(*words, module=module),
        cwd=script.parent,
        env=surroundings(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def processes(script: Path) -> list[int]:
    """Those that the ranks said they are, in their order."""
    return [int(path.read_text()) for path in sorted(script.parent.glob("process-*"))]


def gone(numbers: list[int]) -> bool:
    """Whether these processes have ended, now or soon."""
    until = time.monotonic() + PATIENCE
    while any(lives(number) for number in numbers):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def lives(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


# ----- a run -------------------------------------------------------------------------------------


@pytest.mark.ranks
def test_lines_bear_the_rank_and_arguments_arrive(script: Path) -> None:
    for module in ("minipaddle", "minipaddle.distributed.launch"):
        done = launch(script, "--nproc_per_node", "2", "train.py", "well", module=module)
        assert (done.returncode, done.stderr) == (0, "")
        assert sorted(done.stdout.splitlines()) == [
            "[rank 0] well 1",  # one thread each
            "[rank 1] and half a line [3.0]",
            "[rank 1] well 1",
        ]


@pytest.mark.ranks
def test_options_after_dashes_are_mpiexecs(script: Path) -> None:
    done = launch(script, "--nproc_per_node", "1", "train.py", "--", "--no-such-option", "x")
    assert done.returncode != 0
    assert "no-such-option" in done.stdout + done.stderr
    assert "mpiexec did not start the ranks; its own lines above say why." in done.stderr


@pytest.mark.ranks
@pytest.mark.parametrize(
    ("how", "status", "first"),
    [("raise", 1, "ValueError: no more"), ("leave", 3, "ended with exit status 3")],
)
def test_all_ranks_end_when_one_fails(script: Path, how: str, status: int, first: str) -> None:
    done = launch(script, "--nproc_per_node", "3", "train.py", how)
    assert done.returncode == status
    errors = done.stderr.splitlines()
    at = errors.index(f"[rank 1] {first}")
    assert all(line.startswith("[rank 1] ") for line in errors[:at])
    first, *others = errors[at + 1 :]
    assert first == "minipaddle launch: rank 1 failed first, so all ranks were ended."
    stopped = r"  rank {}: was stopped: (all_reduce\(float32 \[1\], sum\)|computed) at train.py:\d+"
    for rank, words in zip((0, 2), others, strict=True):  # one that is slow comes less far
        assert re.fullmatch(stopped.format(rank), words)
    lines = sorted(done.stdout.splitlines(), reverse=True)
    assert lines == [f"[rank {rank}] {how} 1" for rank in (2, 1)] + [
        "[rank 1] and half a line [6.0]",
        f"[rank 0] {how} 1",
    ]
    assert len(processes(script)) == 3
    assert gone(processes(script))
    if how == "raise":
        assert errors[:2] == [
            "[rank 1] Traceback (most recent call last):",
            f'[rank 1]   File "{script}", line 15, in <module>',
        ]


@pytest.mark.ranks
def test_a_rank_that_waits_inside_of_mpi_names_its_line(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIPADDLE_RANK_CHECKS", "0")  # MPI itself waits
    script.write_text(SCRIPT.replace("raise Val", "time.sleep(1)\n        raise Val"))
    done = launch(script, "--nproc_per_node", "2", "train.py", "raise")
    assert done.returncode == 1
    assert re.search(
        r"  rank 0: was stopped: all_reduce\(float32 \[1\], sum\) at train.py:\d+", done.stderr
    )


@pytest.mark.ranks
@pytest.mark.parametrize("checks", ["1", "0"])  # 0: the other rank is inside MPI
def test_all_ranks_end_when_one_is_killed(
    script: Path, monkeypatch: pytest.MonkeyPatch, checks: str
) -> None:
    monkeypatch.setenv("MINIPADDLE_RANK_CHECKS", checks)
    done = launch(script, "--nproc_per_node", "2", "train.py", "kill")
    assert done.returncode != 0
    number = processes(script)[1]
    assert f"  rank 1: gave no sign; it was killed, or crashed (process {number})" in done.stderr
    assert "minipaddle launch: a rank was killed, or crashed, so all ranks were ended." in (
        done.stderr
    )
    assert gone(processes(script))


@pytest.mark.ranks
@pytest.mark.parametrize("how", ["well", "raise"])
def test_traces_of_all_ranks_are_joined(
    script: Path, how: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also those of a rank that fails, and of one that waits for it."""
    joined: list[viz.Trace] = []

    class Picture:
        def __init__(self, paths: Sequence[Path]) -> None:
            joined.extend(map(viz.load, paths))

        def save(self, path: Path) -> None:
            path.write_text("the picture")

    monkeypatch.setattr(viz, "ranks", Picture)
    monkeypatch.chdir(script.parent)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    words = ["--nproc_per_node", "2", "--trace", "out.html", "--skip", "reshape", "train.py", how]
    assert command_line.main(["launch", *words]) == (how == "raise")
    assert capsys.readouterr().err.endswith("2 ranks in out.html\n")
    assert sorted(path.name for path in script.parent.iterdir()) == [
        *("out.html", "process-0", "process-1", "train.py")
    ]
    assert [trace.document["rank"] for trace in joined] == [0, 1]
    ops = [[e.op for e in trace.events if hasattr(e, "attrs")] for trace in joined]
    assert [len(row) for row in ops] == [2, 2 if how == "well" else 1]
    assert {*ops[0], *ops[1]} == {"all_reduce"}


@pytest.mark.ranks
def test_traces_stay_where_no_picture_can_be_made(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(viz, "ranks", fails)
    monkeypatch.chdir(script.parent)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with pytest.raises(ZeroDivisionError):
        command_line.main(["launch", "--nproc_per_node", "2", "--trace", "a.svg", "train.py", ""])
    (folder,) = script.parent.glob("ranks-*")
    assert f"the traces of the ranks are in {folder}\n" in capsys.readouterr().err
    assert [viz.load(path).document["rank"] for path in sorted(folder.iterdir())] == [0, 1]


@pytest.fixture
def waiting(script: Path) -> Iterator[tuple[subprocess.Popen, list[int]]]:
    """A launcher, one of whose ranks sleeps, and the processes of its ranks."""
    heeding = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    launcher = subprocess.Popen(
        command("--nproc_per_node", "2", "train.py", "wait"),
        cwd=script.parent,
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heeding,  # noqa: PLW1509  (a shell's `&` ignores Ctrl-C)
    )
    for _ in range(3):  # a line of each rank, and one of the sleeper after both met
        launcher.stdout.readline()
    ranks = processes(script)
    yield launcher, ranks
    if launcher.poll() is None:
        launcher.kill()
    launcher.communicate()
    for number in filter(lives, ranks):
        os.kill(number, signal.SIGKILL)


@pytest.mark.ranks
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_all(waiting: tuple[subprocess.Popen, list[int]], number: int) -> None:
    launcher, ranks = waiting
    assert len(ranks) == 2
    launcher.send_signal(number)
    _, errors = launcher.communicate(timeout=PATIENCE)
    assert launcher.returncode == 130
    assert errors.startswith("minipaddle launch: all ranks were ended.\n  rank 0: was stopped: ")
    assert gone(ranks)


@pytest.mark.ranks
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell of a parent's end")
def test_a_killed_launcher_leaves_nothing(waiting: tuple[subprocess.Popen, list[int]]) -> None:
    launcher, ranks = waiting
    launcher.kill()
    assert gone(ranks)


# ----- without ranks -----------------------------------------------------------------------------


def test_launch_without_mpi_says_what_to_install(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch_job.shutil, "which", lambda *_, **__: None)
    assert command_line.main(["launch", str(script)]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("minipaddle launch: several ranks need MPI, which is not installed.")
    assert "  received  no mpiexec\n" in errors or "no mpi4py, no mpiexec\n" in errors
    assert f"  to do     {for_many_ranks()}\n" in errors


def test_mistakes_are_errors_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "none.py"
    assert command_line.main(["launch", "--nproc_per_node", "2", str(missing)]) == 1
    assert f"there is no script {missing}." in capsys.readouterr().err
    for words, text in (
        (["--nproc_per_node", "0", "a.py"], "a whole number from 1 on is expected, not 0"),
        ([], "name the script to run, or -m and a module"),
        (["--depth", "1", "a.py"], "name a file with --trace"),
        (["--trace", "out.gif", "a.py"], "out.gif: a picture of several ranks ends in .html .svg"),
    ):
        with pytest.raises(SystemExit):
            command_line.main(["launch", *words])
        assert text in capsys.readouterr().err


def test_open_mpi_is_told_of_root_and_of_few_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch_job, "path", lambda: "/bin/mpiexec")
    monkeypatch.setattr(launch_job.importlib.util, "find_spec", lambda _: True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(launch_job, "version", lambda _: "mpiexec (Open MPI) 5.0.11")
    assert launch_job.find() == ["/bin/mpiexec", "--allow-run-as-root", "--oversubscribe"]
    monkeypatch.setattr(os, "geteuid", lambda: 1)
    assert launch_job.find() == ["/bin/mpiexec", "--oversubscribe"]
    monkeypatch.setattr(launch_job, "version", lambda _: "HYDRA build details")
    assert launch_job.find() == ["/bin/mpiexec"]


def test_lines_are_written_whole() -> None:
    ours, theirs = os.pipe()
    marked = MarkedStream(theirs, "<1>")
    marked.write(b"one\ntw")
    marked.write(b"o\n10 %\r20 %\r30 %")
    assert os.read(ours, 100) == b"<1>one\n<1>two\n"
    marked.end_line()
    assert os.read(ours, 100) == b"<1>30 %\n"
    marked.write(b"a\r\na\rb\r\n\n")
    assert os.read(ours, 100) == b"<1>a\n<1>b\n<1>\n"
    os.close(ours)
    os.close(theirs)


SIGNALLED = """\
import os, signal
from minipaddle.distributed.launch_rank import run_rank

class Slow(Exception):
    def __str__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        return "shown whole"

def fail():
    raise Slow

run_rank(fail)
"""


def test_a_rank_writes_its_error_to_the_end(capsys: pytest.CaptureFixture) -> None:
    """Another rank failed at the same time, so that this one is asked to end meanwhile."""
    with Job([sys.executable, "-c", SIGNALLED], 1) as job:
        while job.failed is None and job.pipes.get_map():
            job.poll()
    assert job.failed == 0
    assert job.first_error().endswith("Slow: shown whole\n")
    assert "Stopped" not in capsys.readouterr().err
