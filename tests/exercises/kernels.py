"""Kernels of notebooks for tests, and what they need."""

import os
import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from minipaddle.exercises import load
from minipaddle.exercises.grading import kernel, sandbox
from minipaddle.exercises.grading.judge import Judge
from minipaddle.exercises.grading.sandbox import Limits

from ..conftest import missing
from ..patience import PATIENCE


def need(walls: str, config: pytest.Config) -> None:
    """Skip the test if walls of this kind cannot be built here; fail if only a program lacks."""
    if walls == "none" or sandbox.works(walls):
        return
    if walls == "bubblewrap" and shutil.which("bwrap") is None:
        missing(config, "bubblewrap is not installed", "--require-extras")
    pytest.skip(f"this system lets nobody isolate a process by {walls}")


@contextmanager
def judge_of(folder: Path, teacher: str = "", *, limited: bool = False) -> Iterator[Judge]:
    """Return a judge of a kernel that is a fork of this process."""
    parts = (
        {part.name: part for part in load(str((folder / teacher).resolve()))} if teacher else None
    )
    talk, theirs = socket.socketpair()
    control, watching = socket.socketpair()
    if (child := os.fork()) == 0:
        try:
            talk.close()
            control.close()
            if limited:
                sandbox.limit(Limits(memory=1024))
            kernel.run(kernel.prepared_shell(), theirs, str(folder))
        finally:
            os._exit(0)
    theirs.close()

    def interrupt() -> None:
        while watching.recv(1):
            os.kill(child, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with talk, control:
        judge = Judge(talk, control, Limits(10 * PATIENCE), 7, folder, parts)
        judge.loaded = dict(parts or {})
        judge.end = float("inf")
        if not limited:
            assert judge.reply(PATIENCE)[0] == "ready"
        yield judge
    thread.join()
    watching.close()
    os.waitpid(child, 0)
