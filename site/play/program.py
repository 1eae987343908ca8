"""Run programs of the playground in the browser: recorded, each in a fresh engine."""

from __future__ import annotations

import base64
import importlib
import io
import json
import linecache
import os
import sys
import traceback
from pathlib import Path
from typing import Any

PROGRAM = Path("program.py").absolute()
ENGINE = ("minipaddle", "viz", "paddle")
os.environ["MPLBACKEND"] = "agg"  # a worker has no page to draw on
sys.dont_write_bytecode = False  # Pyodide sets it; the next fresh start would compile all again


def start_afresh() -> None:
    """Import engine and viz anew, so that a program finds what a new process has."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in ENGINE:
            del sys.modules[name]
    linecache.clearcache()
    for name in ("minipaddle._cli.run", "viz.recorder"):
        importlib.import_module(name)


def print_error(_kind: Any, error: BaseException, trace: Any) -> None:
    """Print an error with the lines of the program alone."""
    frames = [frame for frame in traceback.extract_tb(trace) if frame.filename == str(PROGRAM)]
    lines = traceback.format_list(frames) + traceback.format_exception_only(error)
    text = "".join(lines).replace(str(PROGRAM), PROGRAM.name)
    print("Traceback (most recent call last):\n" * bool(frames) + text, end="", file=sys.stderr)


def figures() -> list[str]:
    """Return the open figures of Matplotlib as PNG in base64, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    found = []
    for number in pyplot.get_fignums() if pyplot else ():
        file = io.BytesIO()
        pyplot.figure(number).savefig(file, format="png", bbox_inches="tight")
        found.append(base64.b64encode(file.getvalue()).decode())
    if pyplot:
        pyplot.close("all")
    return found


def run(code: str, lang: str) -> str:
    """Run a program; return whether it failed, its page and its figures as JSON.

    The page is empty if the program computed nothing.
    """
    PROGRAM.write_text(code, encoding="utf-8")
    command, viz = sys.modules["minipaddle._cli.run"], sys.modules["viz"]
    viz.set_lang(lang)
    sys.excepthook = print_error
    failed = False
    with command.as_paddle(), command.Prepared([PROGRAM.name], []) as module:
        try:
            with viz.record(PROGRAM.name, limit=command.LIMIT, variables=module.variables) as trace:
                try:
                    module.run()
                except SystemExit as leaving:
                    failed = command.exit_status(leaving) != 0
        except BaseException as error:  # noqa: BLE001  (as at Python's own top level)
            command.complain(error)
            failed = True
    page = ""
    if len(trace) or trace.rounds:
        page = trace.save("page.html").read_text(encoding="utf-8")
    return json.dumps({"failed": failed, "page": page, "figures": figures()})
