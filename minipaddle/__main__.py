"""The command line: `python -m minipaddle COMMAND`."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from .engine.errors import MinipaddleError

COMMANDS = {
    "demo": "run the documents' examples, train a small network, and write its pictures to out/",
    "lessons": "open the lessons in JupyterLab",
    "progress": "show which exercises are done, and where to go on",
    "grade": "run a folder of notebooks, and make a table of what each is worth",
    "certificate": "sign pages that say what learners have done, or check one",
    "run": "run an unmodified Paddle script on minipaddle, and record it with --trace out.html",
    "launch": "run a Paddle script on several ranks, which talk to each other over MPI",
    "step": "step through a recorded trace in the terminal",
    "problems": "print what is wrong in a recorded trace, as text or as JSON, for CI too",
    "doctor": "say which versions are found, and what is missing and costs what",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    starter = sys._getframe(1).f_code.co_filename
    parser = argparse.ArgumentParser(
        prog="minipaddle",
        description="Paddle code that you can watch.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="commands:\n" + "\n".join(f"  {name:<11} {text}" for name, text in COMMANDS.items()),
    )
    parser.add_argument("command", choices=COMMANDS, metavar="command", nargs="?")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="see `minipaddle COMMAND --help`")
    chosen = parser.parse_args(arguments)
    if chosen.command is None:
        parser.print_help(sys.stderr)
        return 2
    try:
        # Imported on use: `doctor` must not load the packages that `demo` needs.
        module = importlib.import_module(f"minipaddle._cli.{chosen.command}")
        status: int = module.main(chosen.options)
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except MinipaddleError as error:
        text = str(error)
        if error.place is not None and error.place.file == starter:
            text = text.rpartition("\n")[0]  # the place is the line that called `main`
        print(f"minipaddle {chosen.command}: {text}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the output has stopped, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # quiet exit
        return 141
    return status


if __name__ == "__main__":
    sys.exit(main())
