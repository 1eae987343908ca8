"""Run Paddle's own guides on minipaddle: `python benchmarks/guides.py REPOSITORY [PATTERN]`.

REPOSITORY is a git directory of PaddlePaddle/docs. The Python cells of one guide run from first to
last in one process, in a folder with small random data instead of downloads; a cell that fails
stops only itself. A row has the cells that ran and the first failure, or first refusal of
minipaddle. Where MINIPADDLE_ORACLE names a Python that has Paddle, guides run on Paddle too, and
cells that fail there count as the guide's fault. `benchmarks/guides.txt` keeps the rows.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from guide_data import make_data

from tests.oracle.example_worker import Console, parts

ROOT = Path(__file__).resolve().parent.parent
OUTCOMES = Path(__file__).with_suffix(".txt")
FOLDERS = ["docs/guides/beginner", "docs/guides/custom_op/new_python_op_cn.md", "docs/practices"]
FENCE = re.compile(r"^```[ \t]*[Pp]ython[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^(\s*)[!%]\s*[a-z].*$", re.MULTILINE)  # what a notebook gives to the shell
DATA_SETS = ["vision.datasets.mnist", "vision.datasets.cifar"]
FETCH = {  # by package: the function that downloads a file, the modules that call it
    "minipaddle": ("fetch", [*DATA_SETS, "text.datasets"]),
    "paddle": (
        "_check_exists_and_download",
        [*DATA_SETS, "text.datasets.imdb", "text.datasets.uci_housing"],
    ),
}
NEEDS = {  # in an error: what the guide needs and this machine lacks
    r"No module named '(\w+)'": r"needs \1",
    r"FileNotFound|such file|not found|to load model not exists": "needs its data",
    r"no end after": "needs more time",
    r"gpu:|CUDA|Pinned": "needs a GPU",
}


def git(repository: Path, *command: str) -> str:
    return subprocess.check_output(["git", "-C", repository, *command], encoding="utf-8")


def cells(repository: Path, path: str) -> list[str]:
    """Return the Python cells of a guide; a line for the shell does nothing."""
    text = git(repository, "show", f"HEAD:{path}")
    if path.endswith(".ipynb"):
        kept = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        found = ["".join(cell["source"]) for cell in kept]
    else:
        found = FENCE.findall(text)
    consoles = [[part["source"] for part in parts(cell)] or [cell] for cell in found]
    return [SHELL.sub(r"\1pass", source) for sources in consoles for source in sources]


def work(package: str) -> None:
    """Run the cells in this process; each outcome is written before the next cell starts."""
    console, here = Console(), Path.cwd()
    if package == "minipaddle":
        importlib.import_module("minipaddle.paddle_names.import_alias").stay_paddle()
    fetch, modules = FETCH[package]
    for name in modules:
        module = importlib.import_module(f"paddle.{name}")
        setattr(module, fetch, lambda _name, url, *_rest: here / url.rpartition("/")[2])
    numpy, paddle = map(importlib.import_module, ("numpy", "paddle"))
    console.names |= {"np": numpy, "paddle": paddle}  # some guides leave these imports out
    for number, source in enumerate(json.loads(Path("given.json").read_text(encoding="utf-8")), 1):
        Path(f"cell_{number}.py").write_text(source, encoding="utf-8")  # for `inspect`
        answer = console.run(source, f"cell_{number}.py", set())
        with Path("taken.jsonl").open("a", encoding="utf-8") as out:
            out.write(json.dumps({k: answer[k] for k in ("text", "way") if k in answer}) + "\n")


def play(python: str, package: str, sources: list[str], seconds: float) -> list[dict[str, str]]:
    """Return an outcome for each cell; "text" is the error."""
    with tempfile.TemporaryDirectory() as name:
        folder, paths = Path(name), os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        make_data(folder)
        (folder / "given.json").write_text(json.dumps(sources), encoding="utf-8")
        (folder / "taken.jsonl").touch()
        settings = {"HOME": name, "MPLBACKEND": "Agg", "PYTHONPATH": paths}
        settings |= {"FLAGS_enable_pir_api": "0"}  # Paddle's Programs as its guides describe them
        command = [python, "-W", "ignore", __file__, "--worker", package]
        given: Any = {"cwd": folder, "env": {**os.environ, **settings}, "timeout": seconds}
        try:
            done = subprocess.run(command, check=False, capture_output=True, **given)
            ending = f"the process ended with {done.returncode}"
        except subprocess.TimeoutExpired:
            ending = f"no end after {seconds:g} s"
        lines = (folder / "taken.jsonl").read_text(encoding="utf-8").splitlines()
    outcomes = [json.loads(line) for line in lines]
    return outcomes + [{"text": ending}] * (len(sources) - len(outcomes))


def need(text: str) -> str:
    """Return what an error says that the guide needs, or "" if it is a failure."""
    kinds = ((re.search(pattern, text), words) for pattern, words in NEEDS.items())
    return next((found.expand(words) for found, words in kinds if found), "")


def measure(repository: Path, path: str, seconds: float, verbose: bool) -> dict[str, Any]:
    """Return the row of one guide."""
    sources = cells(repository, path)
    ours = play(sys.executable, "minipaddle", sources, seconds)
    row: dict[str, Any] = {"guide": path.removeprefix("docs/"), "cells": len(sources)}
    row["ran"] = sum("text" not in outcome for outcome in ours)
    theirs: list[dict[str, str]] = [{}] * len(ours)
    if oracle := os.environ.get("MINIPADDLE_ORACLE"):
        theirs = play(oracle, "paddle", sources, seconds)
        row["ran on Paddle"] = sum("text" not in outcome for outcome in theirs)
    errors = {
        number: (outcome["text"].split("\n")[0][:160], outcome.get("way", ""))
        for number, (outcome, other) in enumerate(zip(ours, theirs, strict=True), 1)
        if outcome and not other
    }
    if verbose:
        print(*(f"-- cell {n}: {text}\n{way}" for n, (text, way) in errors.items()), sep="\n")
    known = vars(importlib.import_module("minipaddle.engine.errors"))
    refused = [n for n, (text, _) in errors.items() if text.partition(":")[0] in known]
    for number in ([n for n in refused if not need(errors[n][0])] or list(errors))[:1]:
        text = errors[number][0]
        row |= {"cell": number, "error": text, "outcome": need(text) or "fails"}
    return {"outcome": "runs", **row}


def main() -> None:
    """Run the command that the module's docstring describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("pattern", nargs="?", default="", help="a part of the guides' paths")
    parser.add_argument("--seconds", type=float, default=120, help="the limit of one guide")
    parser.add_argument("--verbose", action="store_true", help="print every error")
    options = parser.parse_args()
    listed = git(options.repository, "ls-tree", "-r", "--name-only", "HEAD", *FOLDERS)
    known = OUTCOMES.read_text(encoding="utf-8").splitlines() if OUTCOMES.exists() else []
    rows = {row["guide"]: row for row in map(json.loads, known)}
    for path in listed.splitlines():
        if re.search(options.pattern, path) and path.endswith((".ipynb", ".md")):
            try:
                row = measure(options.repository, path, options.seconds, options.verbose)
            except subprocess.CalledProcessError:
                print(path, "is absent from this copy of the repository")
                continue
            rows[row["guide"]] = row
            print(*row.values(), sep=" | ", flush=True)
            lines = [json.dumps(rows[guide], ensure_ascii=False) for guide in sorted(rows)]
            OUTCOMES.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        work(sys.argv[2])
    else:
        main()
