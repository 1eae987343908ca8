"""`minipaddle progress`: the exercises that are done, and the next one."""

from __future__ import annotations

import argparse

from ..exercises import progress
from ..exercises.overview import overview
from ..messages import languages


def main(arguments: list[str]) -> int:
    """Print the overview; with --export write all entries to a file."""
    parser = argparse.ArgumentParser(
        prog="minipaddle progress",
        description="Show which exercises of the lessons are done. What you did stays in one file "
        "on this machine; nobody gets it but by --export.",
    )
    parser.add_argument("--lang", choices=languages(), default="en", help="the language")
    parser.add_argument("--export", metavar="FILE", help="write all that was noted: .csv or .json")
    options = parser.parse_args(arguments)
    print(overview(options.lang))
    if options.export:
        count = progress.export(options.export)
        print(f"{options.export}: {count} lines")
    return 0
