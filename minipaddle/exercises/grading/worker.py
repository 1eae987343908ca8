"""Runs one notebook in a fresh kernel and says what came of it: `python -m ...worker JOB`.

A job is JSON. Cells that raise or take too long do not end the run: what the notebook holds after
its last cell is judged, exercise by exercise, inside the kernel. After each of these steps a line
of JSON goes to the process that waits: all that is known so far. The last line counts.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from subprocess import DEVNULL
from typing import Any

import nbformat
from jupyter_client.kernelspec import NATIVE_KERNEL_NAME
from jupyter_client.manager import KernelManager

from ...engine.visible import one_line
from .processes import ENDING, ROUNDS, STARTING, end_all, nothing

SHARE = 0.5  # of the time that is left: the most that one cell gets
LEAST = 1.0
INTERRUPTED = 2.0  # seconds for a cell to end once it is interrupted
PR_SET_CHILD_SUBREAPER = 36
LOOK = 0.2  # seconds between two looks at whether the kernel still lives
QUESTION = "minipaddle_grade"
KERNEL = f"--IPKernelApp.kernel_class={__package__}.kernel.GradedKernel"


class Ended(Exception):
    """The kernel is no more."""


class Unprepared(Exception):
    """The kernel could not load what it needs before the first cell."""


@dataclass
class Job:
    """What is to be done."""

    notebook: str
    folder: str  # which the notebook has to itself
    exercises: str
    seconds: float
    memory: int
    seed: int


class Run:
    """One notebook in its kernel."""

    def __init__(self, job: Job, tell: Callable[[dict[str, Any]], object]) -> None:
        self.job, self.tell = job, tell
        self.result = nothing("")
        notebook = nbformat.read(job.notebook, as_version=4)
        code = (cell.source for cell in notebook.cells if cell.cell_type == "code")
        self.cells = [source for source in code if source.strip()]
        self.start = self.end = 0.0  # of the time for cells

    def everything(self) -> dict[str, Any]:
        """The exercises and their outcomes, the cells' errors, and what ended the run, if that."""
        at = "the start"
        try:
            with self.kernel():
                self.start = time.monotonic()
                self.end = self.start + self.job.seconds
                self.tell(self.result | {"begun": True})
                for number, source in enumerate(self.cells, 1):
                    at = f"code cell {number}"
                    if time.monotonic() > self.end:
                        self.result["errors"].append(f"{at} and what follows: no time was left")
                        break
                    self.run(source, at)
                    self.tell(self.result)
                at = "grading"
                self.end += ENDING
                self.result["max"] = self.ask("names").get("answer", {})
                for name in self.result["max"]:
                    self.result["rows"][name] = self.row(name)
                    self.tell(self.result)
        except Unprepared as error:
            self.result["problem"] = f"The kernel could not be prepared: {error}"
        except Ended:
            self.result["problem"] = f"The kernel ended in {at}: exit(), a crash, or no memory."
        except TimeoutError as error:
            self.result["problem"] = f"Stopped in {at}, which took too long: {error}"
        self.tell(self.result | {"done": True})
        return self.result

    # ----- the kernel ----------------------------------------------------------------------------

    @contextmanager
    def kernel(self) -> Iterator[None]:
        """A kernel that is ready for the first cell.

        One that ends on the way there, as on a busy machine, has lost nothing: another is started.
        """
        end = time.monotonic() + STARTING
        with ExitStack() as started:
            try:
                self.launch(started, end)
            except Ended:
                started.close()
                self.launch(started, end)
            yield

    def launch(self, started: ExitStack, end: float) -> None:
        """Start a kernel, and let it prepare itself for grading."""
        self.manager = KernelManager(
            kernel_name=NATIVE_KERNEL_NAME,  # the Python that grades, whatever the notebook says
            **way_to_the_kernel(tempfile.gettempdir()),
        )
        # Nothing reads what it prints: the grader asks, and a reply has a channel of its own.
        nowhere = {"stdin": DEVNULL, "stdout": DEVNULL, "stderr": DEVNULL}
        self.manager.start_kernel(extra_arguments=[KERNEL], cwd=self.job.folder, **nowhere)
        started.callback(self.manager.shutdown_kernel, now=True)
        self.client = self.manager.client()
        self.client.start_channels(iopub=False, stdin=False, hb=False, control=False)
        started.callback(self.client.stop_channels)
        about = {"seed": self.job.seed, "memory": self.job.memory}
        question = {"what": "prepared", "about": about}
        reply, _ = self.reply(QUESTION, question, end - time.monotonic())
        if "raised" in reply:
            raise Unprepared(reply["raised"])

    def run(self, source: str, name: str) -> None:
        """Run one cell of the learner's; note its exception."""
        content = {
            "code": source,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        reply, stopped = self.reply("execute_request", content, self.time_left())
        if stopped:
            self.result["errors"].append(f"{name}: took too long, stopped after {stopped}")
        elif reply.get("status") == "error":
            first = reply.get("evalue", "")
            self.result["errors"].append(f"{name}: {reply['ename']}{first and f': {first}'}")

    def ask(self, what: str, **about: Any) -> dict[str, Any]:
        """Ask the kernel something of our own: its "answer", or what was "raised" instead."""
        reply, stopped = self.reply(QUESTION, {"what": what, "about": about}, self.time_left())
        if stopped and "answer" not in reply:
            reply["raised"] = f"The check took too long, and was stopped after {stopped}."
        return dict(reply)

    def time_left(self) -> float:
        """Half of what is left, so that a cell that never ends leaves time for the others."""
        return max(LEAST, (self.end - time.monotonic()) * SHARE)

    def reply(self, kind: str, content: dict[str, Any], seconds: float) -> tuple[Any, str]:
        """Send a request; return its reply, and after how long it was interrupted, if it was."""
        message = self.client.session.msg(kind, content)
        self.client.shell_channel.send(message)
        began, interrupted = time.monotonic(), ""
        while True:
            with suppress(Empty):
                reply = self.client.get_shell_msg(timeout=LOOK)
                if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                    return reply["content"], interrupted
            took = time.monotonic() - began
            if not self.manager.is_alive():
                raise Ended
            if took > seconds + INTERRUPTED:
                raise TimeoutError(f"it was killed after {took:.1f} seconds.")
            if took > seconds and not interrupted:
                interrupted = f"{took:.1f} seconds"
                self.manager.interrupt_kernel()

    def row(self, name: str) -> dict[str, Any]:
        """The outcome of one exercise; an answer that is not there is told by what went wrong."""
        if time.monotonic() > self.end:
            return {"outcome": "error", "points": 0, "reason": "No time was left for its check."}
        reply = self.ask("row", name=name)
        if "answer" not in reply:
            return {"outcome": "error", "points": 0, "reason": reply["raised"]}
        row = dict(reply["answer"])
        if row["missing"]:
            row["reason"] = f"The notebook has no {row['missing']}."
            if errors := self.result["errors"]:
                row |= {"outcome": "error", "reason": f"{row['reason']} {errors[0]}"}
        return row


def main(job: str) -> None:
    """Do the job that is described."""
    # Nothing that a library prints, and no process of the notebook's, may write between our lines.
    lines = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    given = Job(**json.loads(job))
    end = threading.Thread(target=end_with_the_grading, daemon=True)
    end.start()
    adopt_orphans()
    os.environ["MINIPADDLE_PROGRESS"] = ""
    os.environ.pop("MINIPADDLE_STRICT", None)
    if given.exercises:
        os.environ["MINIPADDLE_EXERCISES"] = given.exercises

    def tell(result: dict[str, Any]) -> None:
        with suppress(BrokenPipeError):  # nobody waits any longer: the other thread ends it all
            print(json.dumps(result), file=lines, flush=True)

    try:
        run = Run(given, tell)
    except Exception as error:  # noqa: BLE001 - whatever a file holds that is no notebook
        tell(nothing(f"This is no notebook: {one_line(error, 200)}") | {"done": True})
    else:
        run.everything()
    end.join()  # until whoever waits has seen what this process has adopted, and ends all


def adopt_orphans() -> None:
    """Become the parent of processes that lose theirs, so that none gets out of sight (Linux)."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_the_grading() -> None:
    """End, with all that was started, once the process that waits for the result is no more."""
    while os.read(0, 1):  # not sys.stdin, whose lock this thread would hold at Python's end
        pass
    folder = tempfile.gettempdir()
    end_all(folder)
    for _ in range(ROUNDS):  # the main thread may be at work in there
        shutil.rmtree(folder, ignore_errors=True)
        if not Path(folder).exists():
            break
    os._exit(1)


def way_to_the_kernel(folder: str) -> dict[str, str]:
    """Settings for sockets that are files of this folder, if it can have any.

    Between the choice of a free port and its use, another process can take it. Jupyter has nothing
    but ports where the system, its limit for the length of paths, or the disk knows no such files.
    """
    name = str(Path(folder, "kernel"))
    try:
        with socket.socket(socket.AF_UNIX) as trial:
            trial.bind(f"{name}-as-long")  # as any name that Jupyter makes of it
    except (AttributeError, OSError):
        return {}
    return {"transport": "ipc", "ip": name}


if __name__ == "__main__":
    main(sys.argv[1])
