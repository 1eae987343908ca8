"""Process that judges notebooks one after another; each judge is a fork of it.

It has loaded the teacher's exercises, and starts the zygote, whose forks run the notebooks. A judge
or a kernel that dies costs its notebook alone.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...engine.visible import one_line
from ...folders import lessons_folder
from .. import course
from ..trials import in_words
from . import sandbox, wire
from .judge import INTERRUPTED, STARTING, Judge, Parts, empty_result
from .notebook import cells_of, end_all, environment_of_run
from .sandbox import Limits

JUDGE = 4096  # megabytes of memory for a judge


class Worker:
    """Judging of notebooks, with one zygote at a time."""

    def __init__(self, line: socket.socket, about: dict[str, Any]) -> None:
        self.line = line
        self.kind, self.hidden = about["walls"], tuple(about["hidden"])
        self.limits, self.seed = Limits(**about["limits"]), about["seed"]
        self.folder = about["folder"]  # of the copies of notebooks
        self.parts: Parts | None = None
        if about["exercises"]:
            self.parts = {part.name: part for part in course.read(Path(about["exercises"]))}
        self.process: subprocess.Popen[bytes] | None = None
        self.zygote: socket.socket | None = None
        # Whether each notebook gets walls of its own inside of the zygote's.
        self.inner = self.kind != "none" and sandbox.works("namespaces")

    def start_zygote(self) -> socket.socket:
        """Start the process whose forks run notebooks, unless it runs."""
        if self.zygote is not None and self.process is not None and self.process.poll() is None:
            return self.zygote
        self.end_zygote()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = theirs.fileno()
            command = [sys.executable, "-m", f"{__package__}.zygote", str(number)]
            if self.kind == "bubblewrap":
                command = [
                    *sandbox.bubblewrap(self.hidden, self.folder, inner=self.inner),
                    *command,
                ]
            home = "/tmp" if self.kind == "bubblewrap" else self.folder
            self.process = subprocess.Popen(
                command,
                pass_fds=[number],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment_of_run(home),
                cwd="/",
            )
        self.zygote = ours
        ours.settimeout(STARTING)
        if ours.recv(16) != b"ready":
            self.end_zygote()
            raise OSError("the process that starts notebooks could not be started")
        return ours

    def end_zygote(self) -> None:
        """End the zygote with all that it started."""
        if self.zygote is not None:
            self.zygote.close()
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.zygote = self.process = None

    def judge(self, about: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a notebook, which a fork of this process makes."""
        zygote, began = self.start_zygote(), time.monotonic()
        talk, theirs = socket.socketpair()
        control, watching = socket.socketpair()
        root = str(Path(about["staged"], "root"))
        Path(root).mkdir()
        walls = "inner" if self.inner else "none" if self.kind == "none" else "outer"
        request = {
            "walls": walls,
            "work": about["work"],
            "root": sandbox.ROOT if self.kind == "bubblewrap" else root,
            "hidden": self.hidden,
            "limits": asdict(self.limits),
            "environment": environment_of_run("/tmp" if walls != "none" else about["staged"]),
        }
        with theirs, watching:
            line = json.dumps(request).encode()
            socket.send_fds(zygote, [line], [theirs.fileno(), watching.fileno()])
        ours, its = socket.socketpair()
        child = os.fork()
        if child == 0:
            status = 1
            with suppress(BaseException):
                self.be_judge(about, talk, control, its, began)
                status = 0
            os._exit(status)
        for each in (talk, control, its):
            each.close()
        most = STARTING + self.limits.seconds * 2 + 60
        try:
            if self.line in select.select([ours, self.line], [], [], most)[0]:
                raise SystemExit  # the grading has ended
            ours.settimeout(INTERRUPTED)
            return dict(json.loads(wire.receive(ours)))
        except (EOFError, OSError, ValueError):
            return {}  # the judge died
        finally:
            ours.close()
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            if walls == "none":
                end_all(about["staged"])
            elif not self.inner:
                self.end_zygote()

    def be_judge(
        self,
        about: dict[str, Any],
        talk: socket.socket,
        control: socket.socket,
        result: socket.socket,
        began: float,
    ) -> None:
        """Judge one notebook in this process, which ends with it."""
        sandbox.end_with_parent()
        sandbox.keep_only(talk, control, result)  # not the lines to the grading and to the zygote
        own = Path(about["work"])
        may_run = self.inner or self.kind == "none"
        if self.parts is None and self.inner:  # the copies' own exercises are the learner's code
            own = self.enclose_judge(about)
        else:
            sandbox.limit_memory(JUDGE)
        try:
            cells = cells_of(own / about["name"])
        except Exception as error:  # noqa: BLE001 - whatever a file holds that is no notebook
            said = empty_result(f"This is no notebook: {one_line(error, 200)}", judged=True)
        else:
            judge = Judge(talk, control, self.limits, self.seed, own, self.parts, may_run)
            judge.began = began
            said = judge.judge_notebook(cells)
        wire.send(result, json.dumps(said).encode("ascii"))

    def enclose_judge(self, about: dict[str, Any]) -> Path:
        """Build walls around this judge, and give up all rights; return the notebook's folder.

        A grandchild goes on. Its parent, the first process of the namespaces, ends all in there.
        """
        root = Path(about["staged"], "judge")
        root.mkdir()
        sandbox.own_namespaces()
        sandbox.go_on_in_child()
        sandbox.become_first(about["work"], str(root), self.hidden, [str(lessons_folder())])
        sandbox.go_on_in_child()
        sandbox.limit(Limits(memory=JUDGE))
        sandbox.give_up_privileges()
        return Path(sandbox.FOLDER)


def main() -> None:
    """Judge the notebooks that requests name, until there are no more; remove their folder."""
    line, folder = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - a check's prints
    try:
        serve(line)
    except (EOFError, OSError, SystemExit):  # the grading has ended
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def serve(line: socket.socket) -> None:
    """Judge the notebooks that come through a socket."""
    import nbformat  # noqa: F401 - before the forks

    importlib.import_module("viz")
    about = json.loads(wire.receive(line))
    try:
        worker = Worker(line, about)
    except Exception as error:  # noqa: BLE001 - a teacher's file may raise anything
        why = f"The kernel could not be prepared: {one_line(in_words(error), 300)}"
        wire.send(line, json.dumps({"problem": why}).encode("ascii"))
        return
    wire.send(line, json.dumps({"ready": True}).encode("ascii"))
    try:
        while True:
            request = json.loads(wire.receive(line))
            try:
                answer = worker.judge(request)
            except OSError as error:
                answer = empty_result(f"It could not be run: {one_line(error, 200)}")
            wire.send(line, json.dumps(answer).encode("ascii"))
    finally:
        worker.end_zygote()


if __name__ == "__main__":
    main()
