"""`minipaddle run` and scripts that start processes: each finds paddle, one writes the trace."""

import multiprocessing
import os
import subprocess
from pathlib import Path

import pytest

import viz
from tests.processes import python

WORK = """\
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
import paddle
import paddle.nn.functional as F


def work(number):
    from paddle.optimizer import SGD

    assert SGD.__module__.startswith("minipaddle.")
    return F.relu(paddle.to_tensor([float(number), -1.0])).tolist()


"""
START = """\
context = multiprocessing.get_context(sys.argv[1])
with context.Pool(2) as pool:
    print(pool.map(work, [1, 2]))
with ProcessPoolExecutor(1, mp_context=context) as executor:
    print(list(executor.map(work, [3])))
process = context.Process(target=work, args=(4,))
process.start()
process.join()
print(process.exitcode)
y = paddle.tanh(paddle.ones([2]))
"""
DONE = "[[1.0, 0.0], [2.0, 0.0]]\n[[3.0, 0.0]]\n0\n"
GUARDED = (
    WORK + 'if __name__ == "__main__":\n' + "".join(f"    {line}\n" for line in START.split("\n"))
)
EXECUTOR = """\
with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(sys.argv[1])) as executor:
    print(list(executor.map(work, [3])))
"""
METHODS = multiprocessing.get_all_start_methods()
pytestmark = pytest.mark.slow


def start(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "minipaddle", "run", *arguments, cwd=folder)


@pytest.mark.parametrize("method", METHODS)
def test_workers_of_every_kind_find_paddle(tmp_path: Path, method: str) -> None:
    (tmp_path / "train.py").write_text(GUARDED)
    done = start(tmp_path, "train.py", "--trace", "out.json", method)
    assert (done.stdout, done.stderr) == (DONE, "2 steps in out.json\n")
    assert len(viz.load(tmp_path / "out.json")) == 2
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["out.json", "train.py"]


def test_workers_of_a_module_find_paddle(tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "__init__.py").write_text("")
    (tmp_path / "course" / "train.py").write_text(GUARDED)
    done = start(tmp_path, "-m", "course.train", "spawn")
    assert (done.stdout, done.stderr) == (DONE, "")


def test_a_script_without_a_guard_that_spawns_ends_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WORK + EXECUTOR)
    done = start(tmp_path, "train.py", "--trace", "out.json", "spawn")
    assert done.returncode == 1
    assert "if __name__ == '__main__':" in done.stderr  # Python's own advice, from the worker
    assert "BrokenProcessPool" in done.stderr
    assert done.stderr.count("steps in out.json") == 1
    assert viz.load(tmp_path / "out.json").ended.error == "BrokenProcessPool"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("ending", ["", "raise ValueError('of the child')"])
def test_only_one_process_writes_the_trace_after_a_fork(tmp_path: Path, ending: str) -> None:
    (tmp_path / "train.py").write_text(
        "import os, sys, paddle\n"
        "x = paddle.ones([2])\n"
        "child = os.fork()\n"
        "if child:\n"
        "    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)\n"
        "    print(sorted(os.listdir()))\n"
        "    y = paddle.tanh(x)\n"
        "else:\n"
        "    z = paddle.exp(x)\n"
        f"    {ending}\n"
    )
    done = start(tmp_path, "train.py", "--trace", "out.json", "--trace", "out.txt")
    assert done.stdout == f"{int(bool(ending))}\n['train.py']\n"
    steps = len(viz.load(tmp_path / "out.json"))
    assert done.stderr.endswith(f"{steps} steps in out.json\n{steps} steps in out.txt\n")
    assert done.stderr.count("steps in") == 2
    assert ("of the child" in done.stderr) is ("raise" in ending)
    text = (tmp_path / "out.txt").read_text(encoding="utf-8")
    assert "tanh" in text
    assert "exp" not in text
