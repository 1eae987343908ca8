"""`minipaddle launch`: a Paddle script on several ranks, which talk to each other over MPI."""

from __future__ import annotations

import argparse
import importlib
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..distributed.launch_job import Job, find
from ..engine.errors import External
from . import run

ENDINGS = (".html", ".svg", ".png", ".pdf", ".txt")
USAGE = """minipaddle launch [options] SCRIPT [options] [arguments of the script]
                         [-- options of mpiexec]
       minipaddle launch [options] -m MODULE [options] [arguments of the module]
                         [-- options of mpiexec]"""
EPILOG = (
    "Everything that is none of these options goes to the script; all after -- goes to mpiexec, "
    "such as --host a:4,b:4 for more than one machine."
)


def main(arguments: list[str]) -> int:
    """Start the ranks, forward their output, and join their traces."""
    words, extra = split_at_dashes(arguments)
    parser = parser_of_options()
    ours, target, _ = run.split_arguments(parser, words)
    options = parser.parse_args(ours)
    run.check_target(parser, target)
    files = run.files_of(parser, options)
    if strange := [path for path in files if path.suffix.lower() not in ENDINGS]:
        parser.error(f"{strange[0]}: a picture of several ranks ends in {' '.join(ENDINGS)}")
    if target[0] != "-m":
        run.script_of(target[0])  # one error now is better than one from each rank
    mpiexec, count = find(), options.nproc_per_node * options.nnodes
    with Traces(next(iter(files.values()), None)) as folder:
        program = [sys.executable, "-m", "minipaddle._cli.rank", folder, *words]
        on_one_machine = options.nnodes == 1 and not extra
        command = [*mpiexec, "-n", str(count), *extra, *program]
        with Job(command, count, on_one_machine) as job:
            status = wait_for_end(job)
        for text in job.describe_ends():
            print(f"minipaddle launch: {text}" if text[0] != " " else text, file=sys.stderr)
        if files:
            join(sorted(Path(folder).glob("*.json")), files)
    return status


class Traces:
    """Folder for the ranks' traces, beside the picture, where other machines can write too.

    The folder is removed at the end, unless making the picture failed.
    """

    def __init__(self, picture: Path | None) -> None:
        self.picture, self.folder = picture, ""

    def __enter__(self) -> str:
        if self.picture is not None:
            self.folder = tempfile.mkdtemp(prefix="ranks-", dir=self.picture.parent)
        return self.folder

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if self.folder and error is not None and any(Path(self.folder).iterdir()):
            print(f"the traces of the ranks are in {self.folder}", file=sys.stderr)
        elif self.folder:
            shutil.rmtree(self.folder)


def wait_for_end(job: Job) -> int:
    """Wait until all ranks have ended; Ctrl-C or a request to terminate ends them."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        job.wait()
    except KeyboardInterrupt:
        job.end()
        job.wait()
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)
    return job.status


def join(traces: Sequence[Path], files: dict[Path, Path]) -> None:
    """Make one picture of the ranks' traces, and write it to each file."""
    if not traces:
        print("no rank has recorded anything, so there is no picture", file=sys.stderr)
        return
    picture = importlib.import_module("viz").ranks(traces)
    for path, place in files.items():
        try:
            picture.save(place)
        except OSError as error:
            raise External(f"cannot save to {path}: {error.strerror}.") from error
        print(f"{len(traces)} rank{'s' * (len(traces) != 1)} in {path}", file=sys.stderr)


def parser_of_options() -> argparse.ArgumentParser:
    """Return the parser of the launcher's options, which each rank reads, too."""
    parser = run.parser_of_options("launch", USAGE, __doc__, " ".join(ENDINGS))
    parser.epilog = EPILOG
    parser.add_argument(
        "--nproc_per_node",
        type=run.count_from_one,
        default=1,
        metavar="N",
        help="how many ranks to start on a machine (default 1)",
    )
    parser.add_argument(
        "--nnodes",
        type=run.count_from_one,
        default=1,
        metavar="N",
        help="on how many machines (default 1), which options of mpiexec name",
    )
    return parser


def split_at_dashes(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments before "--" (ours and the script's), and after it (mpiexec's)."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1 :]
