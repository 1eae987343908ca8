"""`minipaddle step`: a recorded trace in the terminal, step by step."""

from __future__ import annotations

import argparse
import importlib

from ..messages import languages


def main(arguments: list[str]) -> int:
    """Load a trace and step through it; without a terminal its transcript is printed."""
    parser = argparse.ArgumentParser(
        prog="minipaddle step",
        description="Step through a recorded trace with the arrow keys; ? shows all keys, q ends. "
        "Where there is no terminal the whole transcript is printed.",
    )
    parser.add_argument("trace", help="a .json file that trace.save() or `run --trace` wrote")
    parser.add_argument("--lang", choices=languages(), default="en", help="the language")
    parser.add_argument("--step", type=int, metavar="N", help="where to begin, counted from 1")
    parser.add_argument(
        "--round", type=int, metavar="N", help="the round to begin in; --step then counts in it"
    )
    options = parser.parse_args(arguments)
    if options.round is not None and options.round < 1:
        parser.error("--round counts from 1")
    trace = importlib.import_module("viz").load(options.trace)
    step = None if options.step is None else options.step - 1
    if options.round is not None:
        trace.round(options.round - 1)  # raises an error for a missing round
        step = (step or 0) + trace.rounds[options.round - 1].first
    importlib.import_module("viz.terminal.screen").play(trace, options.lang, step)
    return 0
