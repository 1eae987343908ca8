"""`minipaddle problems`: what is wrong in a recorded trace, for people, scripts and CI."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

from ..messages import languages


def main(arguments: list[str]) -> int:
    """Print the problems of a trace; the exit status is 1 if there are any."""
    parser = argparse.ArgumentParser(
        prog="minipaddle problems",
        description="Print what is wrong in a recorded trace, as far as its records prove it. "
        "The exit status is 1 if there is a problem, and 0 if there is none.",
    )
    parser.add_argument("trace", help="a .json file that trace.save() or `run --trace` wrote")
    parser.add_argument("--json", action="store_true", help="as a JSON list, for a program to read")
    parser.add_argument("--lang", choices=languages(), default="en", help="the language of texts")
    parser.add_argument(
        "--kind",
        action="append",
        metavar="KIND",
        choices=importlib.import_module("viz.facts.problems.find").KINDS,
        help="look for this kind only, such as nan; may be given several times",
    )
    options = parser.parse_args(arguments)
    trace = importlib.import_module("viz").load(options.trace)
    rows = [row_of(trace, problem, options.lang) for problem in trace.problems()]
    rows = [row for row in rows if not options.kind or row["kind"] in options.kind]
    if options.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 1 if rows else 0
    for row in rows:
        where = ", ".join(filter(None, (f"step {row['step']}", row["place"])))
        lines = [f"{row['kind']} ({where})", row["code"], row["text"], row["todo"]]
        print("\n  ".join(filter(None, lines)))
    return 1 if rows else 0


def row_of(trace: Any, problem: Any, lang: str) -> dict[str, Any]:
    """Return a problem as JSON can hold it; `step` counts from 1, as in pages and texts."""
    chapter = trace.chapter_at(problem.step)
    story = chapter.trace.story
    place, code = story.code_at(story.steps[problem.step - chapter.first].told_line)
    return {
        "kind": problem.kind,
        "step": problem.step + 1,
        "place": place,
        "code": code,
        "text": problem.text.of(lang),
        "todo": problem.todo.of(lang),
    }
