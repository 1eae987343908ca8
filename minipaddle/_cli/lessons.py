"""`minipaddle lessons`: JupyterLab, opened on a lesson."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from ..engine import files
from ..engine.install_advice import EXTRAS, pip_install
from ..folders import lessons_folder
from ..messages import languages
from . import errors

MARK = ".minipaddle-lessons"
QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "source", "build.py")


def main(arguments: list[str]) -> int:
    """Find or copy the lessons, and run JupyterLab on one of them until it ends."""
    options = parse(arguments)
    folder = own_copy(options.dest)
    notebook = find_lesson(folder, options.lesson, options.lang)
    if importlib.util.find_spec("jupyterlab") is None:
        raise errors.not_installed(
            "JupyterLab", "the lessons open in it", pip_install(EXTRAS["lab"])
        )
    return serve(notebook, folder, options)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command's options."""
    parser = argparse.ArgumentParser(
        prog="minipaddle lessons", description="Open the lessons in JupyterLab."
    )
    parser.add_argument("--lesson", type=int, metavar="N", help="default: the first page")
    parser.add_argument("--lang", choices=languages(), default="en", help="its language")
    parser.add_argument(
        "--dest", type=Path, help="where your copy is, or goes (default minipaddle-lessons)"
    )
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--no-open", action="store_true", help="print the address, open no browser")
    parser.add_argument("jupyter", nargs="*", help="after --: options for JupyterLab itself")
    return parser.parse_args(arguments)


# ----- The folder -----


def own_copy(dest: Path | None) -> Path:
    """Return the folder to work in, a copy of the lessons that is made on first use."""
    dest = (dest or Path("minipaddle-lessons")).absolute()
    if (dest / MARK).exists():
        print(f"Your copy of the lessons is in {dest}", flush=True)
    else:
        copy(lessons_folder(), dest)
    return dest


def copy(source: Path, dest: Path) -> None:
    """Copy the lessons to a new or empty folder, completely or not at all."""
    if dest.exists() and not (dest.is_dir() and not any(dest.iterdir())):
        raise errors.not_a_copy(dest, MARK)
    try:
        dest.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{dest.name}-", dir=dest.parent) as new:
            shutil.copytree(source, Path(new, dest.name), ignore=LEFT_OUT)
            Path(new, dest.name, MARK).write_text("Made by `minipaddle lessons`.\n")
            if dest.exists():
                dest.rmdir()
            Path(new, dest.name).rename(dest)
    except OSError as error:
        raise errors.not_copied(error) from error
    print(f"The lessons are in {dest}", flush=True)


def find_lesson(folder: Path, number: int | None, lang: str) -> Path:
    """Return the notebook of a lesson in a language, or for None the first notebook."""
    place = folder / lang if lang != "en" else folder
    notebooks = sorted(place.glob("[0-9]*.ipynb" if number is None else f"{number:02d}_*.ipynb"))
    if not notebooks:
        there = ", ".join(path.stem for path in sorted(place.glob("*.ipynb"))) or "none"
        raise errors.no_lesson(number, place, there)
    return notebooks[0]


# ----- The server -----


def ask_nothing(environment: Path) -> None:
    """Turn off JupyterLab's question about news, which would cover the first picture.

    Only a virtual environment without settings of its own is changed.
    """
    file = environment / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    if (environment / "pyvenv.cfg").is_file() and not file.exists():
        with suppress(OSError):  # JupyterLab asks if the file cannot be written
            content = json.dumps(QUIET, indent=2) + "\n"
            files.write({file: content.encode("utf-8")}, make_folders=True)


def serve(notebook: Path, folder: Path, options: argparse.Namespace) -> int:
    """Run JupyterLab until it ends or is interrupted."""
    ask_nothing(Path(sys.prefix))
    port = free_port(options.port)
    token = secrets.token_hex(16)
    command = [
        *(sys.executable, "-m", "jupyterlab", str(notebook)),
        *(f"--ServerApp.root_dir={folder}", "--ServerApp.ip=127.0.0.1"),
        *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--JupyterApp.answer_yes=True"),
        # JupyterLab makes no requests to the network: no news, updates or list of extensions.
        *("--LabApp.news_url=None", "--LabApp.extension_manager=readonly"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--Application.log_level=WARN",
        *(["--no-browser"] if options.no_open else []),
        *(["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
        *options.jupyter,
    ]
    page = notebook.relative_to(folder).as_posix()
    print(f"JupyterLab: http://127.0.0.1:{port}/lab/tree/{page}?token={token}")
    print("It answers in a few seconds. Ctrl-C here ends it.", flush=True)
    # SIGTERM counts as Ctrl-C, so that the server never outlives this command.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = subprocess.Popen(command, env={**os.environ, "JUPYTER_TOKEN": token})
    try:
        status = server.wait()
    except KeyboardInterrupt:
        end(server)
        print("\nJupyterLab has ended; the notebooks stay where they are.")
        return 0
    if status:
        raise errors.lab_failed(status)
    return 0


def free_port(wanted: int) -> int:
    """Return the wanted port if it is free; for 0 any free one."""
    with socket.socket() as probe:
        if os.name == "posix":  # makes ports usable that were closed just now
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except (OSError, OverflowError) as error:
            raise errors.port_taken(wanted, error) from error
        return probe.getsockname()[1]


def end(server: subprocess.Popen[bytes]) -> None:
    """Ask the server to stop, which ends its kernels; kill it after a while."""
    server.terminate()
    try:
        server.wait(15)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
