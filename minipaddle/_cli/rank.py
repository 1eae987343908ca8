"""One rank of `minipaddle launch`: `python -m minipaddle._cli.rank FOLDER WORDS`.

WORDS are the launcher's arguments. With a FOLDER the rank is recorded, and its trace is written
into the folder, even if the rank fails or is stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ..distributed import launch_rank
from ..distributed.groups import rank_and_size
from ..paddle_names.import_alias import as_paddle
from . import launch, run


def main(folder: str, words: list[str]) -> int:
    """Run the script or module as `minipaddle run` would; return its exit status."""
    parser = launch.parser_of_options()
    ours, target, theirs = run.split_arguments(parser, words)
    options = parser.parse_args(ours)
    with as_paddle(), run.Prepared(target, theirs) as module:
        if not folder:
            return status_of(module)
        place = Path(folder) / f"rank-{rank_and_size()[0]:06}.json"
        trace = None
        try:
            with run.recording(options, target, module) as trace:
                return status_of(module)
        finally:
            if trace is not None:
                place.parent.mkdir(exist_ok=True)  # the folder is missing on other machines
                trace.save(place)


def status_of(module: run.Module) -> int:
    """Run a module; return its exit status, or raise its error."""
    try:
        module.run()
    except SystemExit as leaving:
        return run.exit_status(leaving)
    finally:
        launch_rank.ignore_termination()
    return 0


if __name__ == "__main__":
    launch_rank.run_rank(lambda: main(sys.argv[1], sys.argv[2:]))
