"""`minipaddle grade DIR`: what every notebook of a folder is worth, as a table."""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from ..engine import files
from ..engine.errors import NotFound
from ..engine.install_advice import EXTRAS, pip_install
from ..exercises.exercise import SEED
from ..exercises.grading.grade import COLUMNS, Limits, Row, grade, notebooks_in
from ..exercises.tables import csv_of


def main(arguments: list[str]) -> int:
    """Run the notebooks, print the sums, and write the tables that are asked for."""
    options = parse(arguments)
    if importlib.util.find_spec("nbclient") is None:
        raise NotFound(
            "nbclient is not installed, and it runs the notebooks.",
            fix=pip_install(EXTRAS["lab"]),
        )
    for table in (options.csv, options.json):
        if table and not table.absolute().parent.is_dir():
            raise NotFound(
                f"there is no folder for {table}.",
                expected="a file in a folder that is there",
                received=f"{table.parent}",
                fix="make the folder, or name another file",
            )
    limits = Limits(options.seconds, options.memory)
    with progress_bar(len(notebooks_in(options.folder))) as tick:
        rows = grade(
            options.folder,
            exercises=options.exercises,
            jobs=options.jobs,
            limits=limits,
            seed=options.seed,
            each=tick,
        )
    tables = [asdict(row) for row in rows]
    if options.csv:
        # Excel reads UTF-8 where a mark at the beginning says so.
        files.write({options.csv: csv_of(COLUMNS, tables).encode("utf-8-sig")})
    if options.json:
        content = json.dumps(tables, ensure_ascii=False, indent=1) + "\n"
        files.write({options.json: content.encode("utf-8")})
    print(summary(rows))
    return 0


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command's options."""
    parser = argparse.ArgumentParser(
        prog="minipaddle grade",
        description="Run each notebook of a folder in a fresh kernel and judge what it holds at "
        "its end. The notebooks are somebody else's code and run with your rights: the limits keep "
        "them from taking too long and too much memory, and from nothing else.",
    )
    parser.add_argument("folder", metavar="DIR", help="where the notebooks are")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="how many at a time")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write it as JSON")
    parser.add_argument(
        "--exercises", default="", metavar="FILE", help="your exercises, in place of the copies'"
    )
    parser.add_argument(
        "--seconds", type=float, default=Limits.seconds, help="for a notebook (default %(default)g)"
    )
    parser.add_argument(
        "--memory", type=int, default=Limits.memory, metavar="MB", help="(default %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=SEED, help="of the random inputs")
    return parser.parse_args(arguments)


class progress_bar:
    """A bar on the terminal, if there is one."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __enter__(self) -> Callable[[Path], object]:
        from tqdm import tqdm

        self.bar = tqdm(total=self.count, unit="notebook", disable=None)
        return lambda _path: self.bar.update()

    def __exit__(self, *_exception: object) -> None:
        self.bar.close()


def summary(rows: list[Row]) -> str:
    """One line for each notebook: its points, and what is not right."""
    width = max(len(row.file) for row in rows)
    lines = []
    for file in dict.fromkeys(row.file for row in rows):
        own = [row for row in rows if row.file == file]
        points, most = sum(row.points for row in own), sum(row.max for row in own)
        left = ", ".join(f"{r.exercise} {r.outcome}".strip() for r in own if r.outcome != "right")
        lines.append(f"{file:<{width}}  {points:>5g} of {most:g}  {left}".rstrip())
    return "\n".join(lines)
