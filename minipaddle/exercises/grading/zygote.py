"""Server inside the outer walls: it has imported all, and forks a process for each notebook.

It runs no learner's code and knows no exercise. A request is a line of JSON with two sockets: one
for the notebook's process, one for the process that watches it.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from . import kernel, sandbox
from .notebook import end_all
from .sandbox import FOLDER, Limits


def main() -> None:
    """Serve requests until there are no more."""
    server = socket.socket(fileno=int(sys.argv[1]))
    sandbox.end_with_parent()
    shell = kernel.prepared_shell()
    importlib.import_module("viz")  # before the forks

    server.send(b"ready")
    while True:
        line, sockets, *_ = socket.recv_fds(server, 2**16, 2)
        if not line:
            return
        talk, control = (socket.socket(fileno=number) for number in sockets)
        if os.fork() == 0:
            server.close()
            start(shell, talk, control, json.loads(line))
        talk.close()
        control.close()
        reap()


def reap() -> None:
    """Collect the processes that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def start(shell: Any, talk: socket.socket, control: socket.socket, about: dict[str, Any]) -> None:
    """Build the walls of one notebook, and watch it; this process ends with it."""
    sandbox.end_with_parent()
    status = 1
    try:
        status = start_in(shell, talk, control, about)
    except BaseException as error:  # noqa: BLE001 - the judge reports it
        control.sendall(f"It could not be enclosed: {error}".encode()[:500])
    finally:
        os._exit(status)


def start_in(shell: Any, talk: socket.socket, control: socket.socket, about: dict[str, Any]) -> int:
    """Fork the notebook's process inside of its walls; return its watcher's status."""
    limits, inner = Limits(**about["limits"]), about["walls"] == "inner"
    if inner:
        sandbox.own_namespaces()
        sandbox.go_on_in_child(talk, control)
        sandbox.become_first(about["work"], about["root"], about["hidden"])
    folder = FOLDER
    if about["walls"] == "none":
        folder = about["work"]
    elif not inner:
        shutil.copytree(about["work"], folder, symlinks=True, dirs_exist_ok=True)
    child = os.fork()
    if child == 0:
        control.close()
        be_notebook(shell, talk, folder, about["environment"], limits)
    talk.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    why = sandbox.watch(child, control, limits.memory, alone=inner)
    if about["walls"] == "none":
        end_all(str(Path(about["work"]).parent), child)
    control.sendall(why.encode())
    return 0


def be_notebook(
    shell: Any, talk: socket.socket, folder: str, environment: dict[str, str], limits: Limits
) -> None:
    """Serve the notebook in this process, which gives up all rights first."""
    try:
        os.setsid()
        sandbox.keep_only(talk)
        os.environ.clear()
        os.environ.update(environment)
        sandbox.limit(limits)
        sandbox.give_up_privileges()
        kernel.run(shell, talk, folder)
    except EOFError:
        pass
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
