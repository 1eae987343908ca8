"""Runs one notebook in a fresh kernel and writes what came of it: `python -m ...worker JOB`.

A job is a JSON file. Cells that raise or take too long do not end the run: what the notebook holds
after its last cell is judged, exercise by exercise, inside the kernel.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
from jupyter_client.kernelspec import NATIVE_KERNEL_NAME
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from traitlets.config import Config

from . import memory
from .grade import PREPARING, STARTING, nothing
from .in_kernel import MARK

SHARE = 0.5  # of the time that is left: the most that one cell gets
LEAST = 1.0
PRINTED = 800  # megabytes for what a cell prints, which waits in a queue on a busy machine


@dataclass
class Job:
    """What is to be done."""

    notebook: str
    result: str
    exercises: str
    seconds: float
    memory: int
    seed: int


class Client(NotebookClient):
    """Keeps a cell's exceptions; what it prints only where that is read."""

    reads = False

    def output(self, outs: Any, msg: Any, display_id: Any, cell_index: Any) -> Any:
        if self.reads or msg["msg_type"] == "error":
            return super().output(outs, msg, display_id, cell_index)
        return None


class Run:
    """One notebook in its kernel."""

    def __init__(self, job: Job) -> None:
        self.job, self.errors = job, list[str]()  # of the learner's cells
        self.raised = ""  # by the last line of our own
        self.notebook = nbformat.read(job.notebook, as_version=4)
        code = (cell for cell in self.notebook.cells if cell.cell_type == "code")
        self.cells = [cell for cell in code if cell.source.strip()]
        self.end = 0.0  # of the time for cells
        self.client = Client(
            self.notebook,
            kernel_name=NATIVE_KERNEL_NAME,  # the Python that grades, whatever the notebook says
            config=Config(KernelManager=way_to_the_kernel(tempfile.gettempdir())),
            allow_errors=True,
            timeout_func=lambda _cell: self.time_for_a_cell(),
            interrupt_on_timeout=True,
            store_widget_state=False,
        )

    def time_for_a_cell(self) -> float:
        """Half of what is left, so that a cell that never ends leaves time for the others."""
        return max(LEAST, (self.end - time.monotonic()) * SHARE)

    def everything(self) -> dict[str, Any]:
        """The exercises and their outcomes, the cells' errors, and what ended the run, if that."""
        result = nothing("")
        at = "the start"
        try:
            with self.kernel():
                memory.limit(PRINTED, for_good=False)  # not before, or the kernel would have it too
                if self.raised:
                    return nothing(f"The kernel could not be prepared: {self.raised}")
                self.end = time.monotonic() + self.job.seconds
                for number, cell in enumerate(self.cells, 1):
                    at = f"code cell {number}"
                    self.run(cell, at)
                at = "grading"
                result["max"] = self.ask(f"{ASK}.tell_names(globals())") or {}
                for name in result["max"]:
                    result["rows"][name] = self.row(name)
        except DeadKernelError:
            result["problem"] = f"The kernel ended in {at}: exit(), a crash, or no memory."
        except CellTimeoutError:
            result["problem"] = f"Stopped in {at}, which took too long."
        except RuntimeError as error:  # of a kernel that never answered
            result["problem"] = f"The kernel failed in {at}: {first_line(error)}"
        return result | {"errors": self.errors}

    @contextmanager
    def kernel(self) -> Iterator[None]:
        """A kernel that is ready for the first cell.

        One that ends on the way there, as on a busy machine, has lost nothing: another is started.
        """
        end = time.monotonic() + STARTING
        with ExitStack() as started:
            try:
                self.start(started, end)
            except RuntimeError:
                started.close()
                self.start(started, end)
            yield

    def start(self, started: ExitStack, end: float) -> None:
        """Start a kernel and prepare it; a RuntimeError says that it ended, or never answered."""
        self.client.startup_timeout = max(1, int(end - time.monotonic()))
        folder = str(Path(self.job.notebook).parent)
        started.enter_context(self.client.setup_kernel(cwd=folder))
        self.end = time.monotonic() + PREPARING / SHARE
        self.ask(self.preparation())

    def preparation(self) -> str:
        """What runs before the first cell."""
        return f"{ASK}.prepare({self.job.memory})"

    def run(self, cell: Any, name: str) -> None:
        """Run one cell of the learner's; note its exception."""
        self.client.execute_cell(cell, self.notebook.cells.index(cell))
        for output in cell.outputs:
            if output.output_type == "error":
                stopped = "took too long" if output.ename == "KeyboardInterrupt" else output.ename
                first = str(output.evalue).partition("\n")[0]
                self.errors.append(f"{name}: {stopped}{first and f': {first}'}")
        cell.outputs = []

    def ask(self, code: str) -> Any:
        """Run a line of our own, and read what it tells."""
        cell = nbformat.v4.new_code_cell(code)
        self.notebook.cells.append(cell)
        self.client.reads = True
        self.client.execute_cell(cell, len(self.notebook.cells) - 1)
        self.client.reads = False
        printed = "".join(o.text for o in cell.outputs if o.output_type == "stream")
        lines = [row for row in printed.splitlines() if row.startswith(MARK)]
        raised = [f"{o.ename}: {o.evalue}" for o in cell.outputs if o.output_type == "error"]
        self.raised = raised[0] if raised else ""
        return json.loads(lines[-1].removeprefix(MARK)) if lines else None

    def row(self, name: str) -> dict[str, Any]:
        """The outcome of one exercise; an answer that is not there is told by what went wrong."""
        start = time.monotonic()
        row = self.ask(f"{ASK}.tell_outcome({name!r}, globals(), {self.job.seed})")
        if row is None:
            why = self.raised or "The check printed no outcome."
            if why.startswith("KeyboardInterrupt"):
                after = time.monotonic() - start
                why = f"The check took too long, and was stopped after {after:.1f} seconds."
            return {"outcome": "error", "points": 0, "reason": why}
        if row["missing"]:
            row["reason"] = f"The notebook has no {row['missing']}."
            if self.errors:
                row |= {"outcome": "error", "reason": f"{row['reason']} {self.errors[0]}"}
        return dict(row)


# An expression, which leaves no name behind that a learner's code could find.
ASK = f"__import__('{__package__}.in_kernel', fromlist=['prepare'])"


def main(file: str) -> None:
    """Do the job that a file describes."""
    threading.Thread(target=end_with_the_grading, daemon=True).start()
    job = Job(**json.loads(Path(file).read_text(encoding="utf-8")))
    os.environ["MINIPADDLE_PROGRESS"] = ""
    os.environ.pop("MINIPADDLE_STRICT", None)
    if job.exercises:
        os.environ["MINIPADDLE_EXERCISES"] = job.exercises
    try:
        run = Run(job)
    except Exception as error:  # noqa: BLE001 - whatever a file holds that is no notebook
        result = nothing(f"This is no notebook: {first_line(error)}")
    else:
        result = run.everything()
    Path(job.result).write_text(json.dumps(result), encoding="utf-8")


def end_with_the_grading() -> None:
    """End, with the kernel, once the process that waits for the result is no more."""
    while os.read(0, 1):  # not sys.stdin, whose lock this thread would hold at Python's end
        pass
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            each.kill()
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


def first_line(error: Exception) -> str:
    """What an exception says, in short."""
    return str(error).strip().partition("\n")[0][:200]


if __name__ == "__main__":
    main(sys.argv[1])
