"""Running ranks: their lines are forwarded, and when one fails or is killed, all of them end."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TextIO

from . import errors
from .launch_rank import LINE, MARK, REPORT, end_with_parent

# ----- mpiexec -----------------------------------------------------------------------------------

NAMES = ("mpiexec", "mpirun")
VERSION_TIMEOUT = 60  # seconds for `mpiexec --version`
OPEN_MPI = "Open MPI"  # text in the version of Open MPI
# Without these options Open MPI refuses to run as root, and to start more ranks than cores.
ROOT, FEW_CORES = "--allow-run-as-root", "--oversubscribe"
# Open MPI kills ranks one second after asking them to end, while they may write their traces.
SECONDS_TO_END = {"PRTE_MCA_odls_base_sigkill_timeout": "10"}
# On one machine ranks share memory and need no network. These variables turn off Open MPI's TCP,
# and leave UCX and libfabric, which MPICH uses, only the loopback interface.
LOOPBACK = "lo" if sys.platform == "linux" else "lo0"
ON_ONE_MACHINE = {"OMPI_MCA_btl": "^tcp", "UCX_NET_DEVICES": LOOPBACK, "FI_TCP_IFACE": LOOPBACK}


def path() -> str | None:
    """Return the mpiexec beside this Python, else the first on the PATH.

    Packages of MPI install it beside the Python of their environment, which need not be active.
    """
    beside = str(Path(sys.executable).parent)
    found = [shutil.which(name, path=beside) for name in NAMES] + [*map(shutil.which, NAMES)]
    return next(filter(None, found), None)


def find() -> list[str]:
    """Return the command that starts ranks: mpiexec with the options that it always needs.

    Errors: NotFound, with what to install.
    """
    mpiexec = path()
    lacking = [] if importlib.util.find_spec("mpi4py") else ["mpi4py"]
    lacking += [] if mpiexec else [NAMES[0]]
    if mpiexec is None or lacking:
        raise errors.mpi_missing(lacking)
    if OPEN_MPI not in version(mpiexec):
        return [mpiexec]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [mpiexec, *([ROOT] if is_root else []), FEW_CORES]


def version(mpiexec: str) -> str:
    """Return the output of `mpiexec --version`, "" if it fails."""
    command = [mpiexec, "--version"]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=VERSION_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout + answer.stderr


def environment(on_one_machine: bool = True) -> dict[str, str]:
    """Return the environment of ranks: one thread of arithmetic each, unless chosen otherwise.

    Ranks on one machine listen on no interface but loopback.
    """
    apart = ON_ONE_MACHINE if on_one_machine else {}
    return {"OMP_NUM_THREADS": "1", **SECONDS_TO_END, **apart, **os.environ}


# ----- the job -----------------------------------------------------------------------------------


MARKED = re.compile(f"{MARK}([0-9]+)([{LINE}{REPORT}])")
POLL_INTERVAL = 0.1  # seconds between two checks for new lines
REPORT_SECONDS = 20.0  # time for the other ranks to report, once a rank has failed
END_SECONDS = 15.0  # further time for mpiexec to end the remaining ranks


@dataclass
class RankState:
    """Last known state of a rank."""

    process: int = 0  # process number, if it runs on this machine
    ended: frozenset[int] = frozenset()  # streams on which the rank has reported its end
    words: str = ""  # error of the rank, or the line where it was stopped
    status: int = 0  # exit status


class Job:
    """Ranks from their start to their end; the `with` block ends them."""

    def __init__(self, command: list[str], ranks: int, on_one_machine: bool = True) -> None:
        self.ranks = [RankState() for _ in range(ranks)]
        self.failed: int | None = None  # the rank that failed first
        self.ending_since = 0.0  # time when the ranks were asked to end, 0 before
        self.terminated = False  # whether mpiexec was asked to end
        self.partial_lines = {"stdout": b"", "stderr": b""}
        self.mpiexec = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(on_one_machine),
            start_new_session=True,  # Ctrl-C reaches only this process, which ends the ranks
            preexec_fn=end_with_parent(signal.SIGTERM),  # noqa: PLW1509  (one call of C)
        )
        self.pipes = selectors.DefaultSelector()
        self.pipes.register(self.mpiexec.stdout, selectors.EVENT_READ, "stdout")  # type: ignore[arg-type]
        self.pipes.register(self.mpiexec.stderr, selectors.EVENT_READ, "stderr")  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """End all processes."""
        if self.mpiexec.poll() is None:
            self.mpiexec.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.mpiexec.wait(END_SECONDS)
        self.kill()
        self.pipes.close()
        self.mpiexec.stdout.close()  # type: ignore[union-attr]
        self.mpiexec.stderr.close()  # type: ignore[union-attr]

    def wait(self) -> None:
        """Forward lines until all ranks have ended."""
        while self.pipes.get_map():
            self.poll()
        self.mpiexec.wait()

    def poll(self) -> None:
        """Forward new lines; once the ranks are ending, enforce the time limits."""
        for key, _ in self.pipes.select(POLL_INTERVAL):
            data = os.read(key.fd, 1 << 16)
            if data:
                self.receive(key.data, data)
            else:
                self.receive(key.data, b"\n" if self.partial_lines[key.data] else b"")
                self.pipes.unregister(key.fileobj)
        if not self.ending_since:
            return
        waited = time.monotonic() - self.ending_since
        all_ended = all(len(rank.ended) == 2 or not rank.process for rank in self.ranks)
        if not self.terminated and (all_ended or waited > REPORT_SECONDS):
            self.terminated = True
            self.mpiexec.terminate()
        if waited > REPORT_SECONDS + END_SECONDS:
            self.kill()

    # ----- lines -----

    def receive(self, name: str, data: bytes) -> None:
        lines = (self.partial_lines[name] + data).split(b"\n")
        self.partial_lines[name] = lines.pop()
        for line in lines:
            self.forward(getattr(sys, name), line.decode("utf-8", "replace"))

    def forward(self, stream: TextIO, text: str) -> None:
        """Forward a line of a rank or of mpiexec, or read a rank's report."""
        mark = MARKED.search(text)
        own = text if mark is None else text[: mark.start()]
        # mpiexec's own lines add nothing once a rank has reported why it failed.
        if (own or mark is None) and self.failed is None:
            print(own, file=stream, flush=True)
        if mark is None:
            return
        rank, rest = int(mark[1]), text[mark.end() :]
        if mark[2] == LINE:
            print(f"[rank {rank}] {rest}", file=stream, flush=True)
        else:
            with contextlib.suppress(json.JSONDecodeError):  # the rank was killed while reporting
                self.read_report(rank, json.loads(rest))

    def read_report(self, rank: int, report: dict[str, Any]) -> None:
        state = self.ranks[rank]
        if "began" in report:
            state.process = report["began"] if report["host"] == socket.gethostname() else 0
            return
        state.ended |= {report["stream"]}
        state.status = report.get("status", 0)
        state.words = report.get("failed") or report.get("stopped", "")
        if "failed" in report and self.failed is None:
            self.failed = rank
            for text in state.words.splitlines():
                print(f"[rank {rank}] {text}", file=sys.stderr, flush=True)
            self.end()

    # ----- the end -----

    def end(self) -> None:
        """Ask all ranks to end; each reports where it was and writes its trace."""
        self.ending_since = self.ending_since or time.monotonic()
        self.signal(signal.SIGTERM, lambda rank: not rank.ended)

    def signal(self, number: int, which: Callable[[RankState], bool] = lambda _: True) -> None:
        for rank in self.ranks:
            if rank.process and which(rank):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(rank.process, number)

    def kill(self) -> None:
        """Kill the remaining processes."""
        if self.mpiexec.poll() is None:
            self.mpiexec.kill()
            self.mpiexec.wait()
            self.signal(signal.SIGKILL)

    def describe_ends(self) -> list[str]:
        """Describe the end of each rank; an empty list if all ended well."""
        if self.failed is not None:
            first = [f"rank {self.failed} failed first, so all ranks were ended."]
        elif self.ending_since:
            first = ["all ranks were ended."]
        elif self.mpiexec.returncode == 0:
            return []
        elif not any(rank.process for rank in self.ranks):
            return ["mpiexec did not start the ranks; its own lines above say why."]
        else:
            first = ["a rank was killed, or crashed, so all ranks were ended."]
        return first + [
            f"  rank {rank}: {self.describe_end(state)}"
            for rank, state in enumerate(self.ranks)
            if rank != self.failed
        ]

    def describe_end(self, state: RankState) -> str:
        """Describe the end of a rank, in a line or with its error."""
        if not state.ended:
            if self.ending_since:
                return f"gave no sign when it was asked to end (process {state.process})"
            alone = sum(not each.ended for each in self.ranks) == 1
            why = "; it was killed, or crashed" if alone else " of how it ended"
            return f"gave no sign{why} (process {state.process})"
        if not state.words:
            return "had done its work"
        if not state.status:
            return f"was stopped: {state.words}"
        mine, first = (words.strip().splitlines() for words in (state.words, self.first_error()))
        same = mine[-1] == first[-1]
        return "failed with the same error" if same else "\n    ".join(["failed, too", *mine])

    def first_error(self) -> str:
        return "" if self.failed is None else self.ranks[self.failed].words

    @property
    def status(self) -> int:
        """Exit status of the rank that failed first, else of mpiexec."""
        if self.failed is not None:
            return self.ranks[self.failed].status
        number = self.mpiexec.returncode
        return 128 - number if number < 0 else number
