"""Run of one notebook in a fresh kernel, within limits and without leftovers.

Cells that raise or take too long do not end the run: after the last cell the kernel judges the
notebook's variables, exercise by exercise.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from subprocess import DEVNULL
from typing import Any

from ...engine.visible import one_line
from ...folders import CHECKOUT
from ..course import OVERRIDE

STARTING = 180  # seconds for a kernel and its imports on a busy machine
ENDING = 5  # seconds for the checks of a notebook that has used all of its time
INTERRUPTED = 2.0  # seconds for an interrupted cell to end
SHARE = 0.5  # largest part of the remaining time for one cell
LEAST = 1.0  # seconds that every cell may take
LOOK = 0.2  # seconds between two checks whether the kernel is alive
ROUNDS = 20  # searches for processes, since others may start meanwhile
QUESTION = "minipaddle_grade"
KERNEL = f"--IPKernelApp.kernel_class={__package__}.kernel.GradedKernel"
OF_MPI = ("OMPI_", "PMI_", "PMIX_", "PRTE_")  # prefixes of variables of Open MPI and MPICH

STOPPED = threading.Event()  # event that ends all runs


class Ended(Exception):
    """The kernel has ended."""


class Unprepared(Exception):
    """The kernel could not load the exercises or set its limits before the first cell."""


@dataclass(frozen=True)
class Limits:
    """Limits of a notebook: seconds, and megabytes above those of an empty kernel."""

    seconds: float = 60.0
    memory: int = 2048


def run(notebook: Path, exercises: str, limits: Limits, seed: int) -> tuple[dict[str, Any], float]:
    """Return the result of a notebook, and the seconds of its run.

    The notebook runs in its own folder, which is removed afterwards. Every failure is part of this
    notebook's result alone.
    """
    start = time.monotonic()
    try:
        if not notebook.is_file():
            result = nothing(f"This is no notebook: {kind_of(notebook)}.")
        else:
            with tempfile.TemporaryDirectory(
                prefix="minipaddle-grade-", ignore_cleanup_errors=True
            ) as folder:
                copy_beside(notebook, Path(folder, "work"))
                run = Run(notebook, folder, exercises, limits, seed)
                result = asyncio.run(run.everything())
    except Exception as error:  # noqa: BLE001 - a full disk, too many processes
        result = nothing(f"It could not be run: {one_line(error, 200)}")
    return result, round(time.monotonic() - start, 1)


def nothing(problem: str) -> dict[str, Any]:
    """Return the result of a notebook that could not be run."""
    return {"max": {}, "rows": {}, "errors": [], "problem": problem}


class Run:
    """Run of one notebook in its kernel."""

    def __init__(
        self, notebook: Path, folder: str, exercises: str, limits: Limits, seed: int
    ) -> None:
        self.notebook, self.folder, self.exercises = notebook, folder, exercises
        self.limits, self.seed = limits, seed
        self.result = nothing("")
        self.end = 0.0  # time when cells must have ended

    async def everything(self) -> dict[str, Any]:
        """Return exercises and outcomes, errors of cells, and the reason of an early end."""
        try:
            cells = cells_of(self.notebook)
        except Exception as error:  # noqa: BLE001 - whatever a file holds that is no notebook
            return nothing(f"This is no notebook: {one_line(error, 200)}")
        at = "the start"
        try:
            async with self.kernel():
                self.end = time.monotonic() + self.limits.seconds
                for number, source in enumerate(cells, 1):
                    at = f"code cell {number}"
                    if time.monotonic() > self.end:
                        self.result["errors"].append(f"{at} and what follows: no time was left")
                        break
                    await self.run(source, at)
                at = "grading"
                self.end += ENDING
                names = await self.ask("names")
                self.result["max"] = names.get("answer", {})
                for name in self.result["max"]:
                    self.result["rows"][name] = await self.row(name)
        except Unprepared as error:
            self.result["problem"] = f"The kernel could not be prepared: {error}"
        except Ended:
            self.result["problem"] = f"The kernel ended in {at}: exit(), a crash, or no memory."
        except TimeoutError as error:
            self.result["problem"] = f"Stopped in {at}, which took too long: {error}"
        return self.result

    @asynccontextmanager
    async def kernel(self) -> AsyncIterator[None]:
        """Start a kernel that is ready for the first cell; at the end kill it and its processes."""
        from jupyter_client.kernelspec import NATIVE_KERNEL_NAME
        from jupyter_client.manager import AsyncKernelManager

        self.manager = AsyncKernelManager(
            kernel_name=NATIVE_KERNEL_NAME,  # this Python, whichever kernel the notebook names
            connection_file=str(Path(self.folder, "kernel.json")),
            **socket_settings(self.folder),
        )
        await self.manager.start_kernel(
            extra_arguments=[KERNEL],
            cwd=str(Path(self.folder, "work")),
            env=environment_of_run(self.folder, self.exercises),
            # Nothing reads the output; replies to the grader have their own channel.
            **dict.fromkeys(("stdin", "stdout", "stderr"), DEVNULL),
        )
        self.client = self.manager.client()
        try:
            self.client.start_channels(iopub=False, stdin=False, hb=False, control=False)
            about = {"seed": self.seed, "memory": self.limits.memory}
            reply, _ = await self.reply(QUESTION, {"what": "prepared", "about": about}, STARTING)
            if "raised" in reply:
                raise Unprepared(reply["raised"])
            yield
        finally:
            self.client.stop_channels()
            provisioner: Any = self.manager.provisioner
            end_all(self.folder, provisioner.pid)
            await self.manager.shutdown_kernel(now=True)

    async def run(self, source: str, name: str) -> None:
        """Run one cell of the learner; store its exception."""
        content = {"code": source, "silent": False, "stop_on_error": False}
        reply, stopped = await self.reply("execute_request", content, self.time_left())
        if stopped:
            self.result["errors"].append(f"{name}: took too long, stopped after {stopped}")
        elif reply.get("status") == "error":
            first = reply.get("evalue", "")
            self.result["errors"].append(f"{name}: {reply['ename']}{first and f': {first}'}")

    async def ask(self, what: str, **about: Any) -> dict[str, Any]:
        """Ask the kernel a question of the grader; return its "answer", or what it "raised"."""
        reply, stopped = await self.reply(
            QUESTION, {"what": what, "about": about}, self.time_left()
        )
        if stopped and "answer" not in reply:
            reply["raised"] = f"The check took too long, and was stopped after {stopped}."
        return dict(reply)

    def time_left(self) -> float:
        """Return half of the remaining seconds, so that an endless cell leaves some for others."""
        return max(LEAST, (self.end - time.monotonic()) * SHARE)

    async def reply(self, kind: str, content: dict[str, Any], seconds: float) -> tuple[Any, str]:
        """Send a request; return its reply, and after what time it was interrupted ("" if not)."""
        message = self.client.session.msg(kind, content)
        self.client.shell_channel.send(message)
        began, interrupted = time.monotonic(), ""
        while True:
            with suppress(Empty):
                reply = await self.client.get_shell_msg(timeout=LOOK)
                if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                    return reply["content"], interrupted
            took = time.monotonic() - began
            if STOPPED.is_set() or not await self.manager.is_alive():
                raise Ended
            if took > seconds + INTERRUPTED:
                raise TimeoutError(f"it was killed after {took:.1f} seconds.")
            if took > seconds and not interrupted:
                interrupted = f"{took:.1f} seconds"
                await self.manager.interrupt_kernel()

    async def row(self, name: str) -> dict[str, Any]:
        """Return the outcome of one exercise; for a missing answer the first error of a cell."""
        if time.monotonic() > self.end:
            return {"outcome": "error", "points": 0, "reason": "No time was left for its check."}
        reply = await self.ask("row", name=name)
        if "answer" not in reply:
            return {"outcome": "error", "points": 0, "reason": reply["raised"]}
        row = dict(reply["answer"])
        if row["missing"]:
            row["reason"] = f"The notebook has no {row['missing']}."
            if errors := self.result["errors"]:
                row |= {"outcome": "error", "reason": f"{row['reason']} {errors[0]}"}
        return row


def cells_of(notebook: Path) -> list[str]:
    """Return the code cells of a notebook that are not empty."""
    import nbformat

    cells = nbformat.read(notebook, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "code" and cell.source.strip()]


# ----- what is around a kernel -------------------------------------------------------------------


def socket_settings(folder: str) -> dict[str, str]:
    """Return settings for sockets that are files in this folder, none if they are impossible.

    Jupyter uses ports if the system has no such sockets, or the path is too long.
    """
    name = str(Path(folder, "kernel"))
    try:
        with socket.socket(socket.AF_UNIX) as trial:
            trial.bind(f"{name}-as-long")  # longer than any name that Jupyter makes of it
    except (AttributeError, OSError):
        return {}
    return {"transport": "ipc", "ip": name}


def environment_of_run(folder: str, exercises: str) -> dict[str, str]:
    """Return the environment of a notebook: no settings, no history, one thread.

    Temporary files are in the notebook's folder. The variables of MPI are left out, since with them
    a notebook would wait for ever for the other ranks of the grading job.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(OF_MPI) and name != "MINIPADDLE_STRICT"
    }
    own = {
        "IPYTHONDIR": str(Path(folder, "ipython")),
        "TMPDIR": folder,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH")))),
        "MINIPADDLE_PROGRESS": "",
    }
    return {**kept, **own, **({OVERRIDE: exercises} if exercises else {})}


def kind_of(path: Path) -> str:
    """Describe what is at a path that is no file."""
    if path.is_dir():
        return "a folder"
    return "a link that leads to no file" if path.is_symlink() else "not a regular file"


def copy_beside(notebook: Path, own: Path) -> None:
    """Copy the files beside a notebook, without other notebooks and folders that have some.

    A link to a folder stays a link; unreadable files are skipped.
    """
    own.mkdir()
    with os.scandir(notebook.parent) as entries:
        for entry in entries:
            source, target = Path(entry.path), own / entry.name
            if source.suffix == ".ipynb" and source.name != notebook.name:
                continue
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    if next(source.rglob("*.ipynb"), None) is None:
                        copy_beside(source / notebook.name, target)
                elif entry.is_dir():
                    target.symlink_to(source.resolve(), target_is_directory=True)
                elif entry.is_file():
                    shutil.copy(source, target)


# ----- the end -----------------------------------------------------------------------------------


def end_all(folder: str, kernel: int) -> None:
    """Kill a kernel and all processes that it started, also orphans.

    Such processes have the kernel's folder for temporary files, or are in the kernel's session.
    """
    import psutil  # installed with ipykernel

    def belongs(process: Any) -> bool:
        try:
            if process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
                return False
            return process.environ().get("TMPDIR") == folder or os.getsid(process.pid) == kernel
        except Exception:  # noqa: BLE001 - psutil's own, and what systems raise for others' processes
            return False

    for _ in range(ROUNDS):
        alive = [each for each in psutil.process_iter() if belongs(each)]
        if not alive:
            break
        for each in alive:
            with suppress(psutil.Error):
                each.kill()
        psutil.wait_procs(alive, 1.0)
