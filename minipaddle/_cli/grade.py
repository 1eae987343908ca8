"""`minipaddle grade DIR`: a table of the results of all notebooks of a folder."""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..engine import files
from ..engine.install_advice import EXTRAS, for_many_ranks, pip_install
from ..engine.visible import make_visible
from ..exercises.exercise import SEED
from ..exercises.grading.class_page import class_page, read_hints
from ..exercises.grading.grade import (
    COLUMNS,
    Result,
    Row,
    Stopped,
    grade,
    name_of,
    notebooks_in,
    totals,
)
from ..exercises.grading.gradebook import LAYOUTS, make_files, read_last, read_roster
from ..exercises.grading.sandbox import KINDS, Limits, strongest
from ..exercises.grading.stream import Stream, depends_on
from ..exercises.outcomes import current_language
from ..exercises.progress import csv_of
from ..messages import Message, languages
from . import errors

BY_RANKS = "mpiexec -n 5 minipaddle grade DIR --mpi"
RANKS = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK")  # variables of Open MPI and MPICH
ASKED_FOR = Message("--isolation none was asked for")
NOT_HERE = Message("they ran on another machine, or in an earlier grading")
UNWALLED = Message(
    "{count} of {all} notebooks ran without isolation: {why}. Such a notebook can read and change "
    "your files, hidden checks among them, reach the network, and start programs that outlive it."
)


def main(arguments: list[str]) -> int:
    """Run the notebooks, print a summary, and write the requested tables."""
    options = parse(arguments)
    if importlib.util.find_spec("IPython") is None:
        raise errors.not_installed("IPython", "it runs the notebooks", pip_install(EXTRAS["lab"]))
    for table in (options.csv, options.json, options.page, options.stream):
        if table and not table.absolute().parent.is_dir():
            raise errors.no_folder_for(table)
    if options.lms:  # an unreadable file is an error before anything runs
        read_roster(options.roster)
        read_last(options.csv)
    limits = Limits(options.seconds, options.memory)
    stopped = None
    try:
        with stop_on_signals(), executor_of(options.mpi) as executor:
            if executor is not None and not executor:
                return 0  # another rank, which has run notebooks
            rows = graded(options, limits, executor)
    except Stopped as error:  # write the known results before ending
        rows, stopped = error.rows, error
    tables = [asdict(row) for row in rows]
    graded_any = any(row.exercise for row in rows)
    if options.csv and (graded_any or not options.lms):
        # Excel reads UTF-8 only with a byte order mark.
        contents = {options.csv: csv_of(COLUMNS, tables).encode("utf-8-sig")}
        if options.lms:
            book = options.lms, options.roster, options.csv, options.item
            contents, reports = make_files(tables, *book)
            for each in reports:
                print(make_visible(each.of(options.lang)), file=sys.stderr)
        files.write(contents)
    if options.json:
        both = {"totals": [asdict(total) for total in totals(rows)], "rows": tables}
        content = json.dumps(both, ensure_ascii=False, indent=1) + "\n"
        files.write({options.json: content.encode("utf-8")})
    if options.page:
        page = class_page(tables, options.lang, read_hints(Path(options.folder)))
        files.write({options.page: page.encode("utf-8")})
    encoding = sys.stdout.encoding or "utf-8"
    said = "\n".join([summary(rows), *warnings(rows, options.isolation)])
    print(said.encode(encoding, "backslashreplace").decode(encoding))
    if stopped:
        raise stopped
    if not graded_any:
        raise errors.nothing_graded(rows[0].reason)
    unjudged = [(row.exercise, row.reason) for row in rows if row.points is None]
    if unjudged:
        raise errors.not_judged(Counter(": ".join(filter(None, each)) for each in unjudged))
    return 0


def graded(options: argparse.Namespace, limits: Limits, executor: Executor | None) -> list[Row]:
    """Run the notebooks, and write each result to the file of `--stream` as it comes."""
    stream = None
    if options.stream:
        about = depends_on(options.exercises, limits, options.seed)
        stream = Stream(options.stream, about, resume=options.resume)
    known = stream.known if stream else {}
    files = {name_of(path.relative_to(options.folder)) for path in notebooks_in(options.folder)}
    with progress(len(files - {*known})) as tick:

        def each(file: str, result: Result) -> None:
            if stream and result[0]["judged"]:  # --resume tries the others again
                stream.add(file, result)
            tick()

        return grade(
            options.folder,
            exercises=options.exercises,
            jobs=options.jobs,
            limits=limits,
            seed=options.seed,
            walls=options.isolation,
            known=known,
            each=each,
            executor=executor,
        )


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command's options."""
    parser = argparse.ArgumentParser(
        prog="minipaddle grade",
        description="Run each notebook of a folder in a fresh kernel and judge what it holds at "
        "its end. The notebooks are somebody else's code: they run inside of walls, by bubblewrap "
        "or Linux's namespaces, and are judged outside. Where neither works, the table says so.",
    )
    parser.add_argument("folder", metavar="DIR", help="where the notebooks are")
    at_once = parser.add_mutually_exclusive_group()
    at_once.add_argument(
        "-j", "--jobs", type=int, default=1, metavar="N", help="how many at a time (%(default)s)"
    )
    at_once.add_argument(
        "--mpi",
        action="store_true",
        help=f"let the other ranks of an mpiexec run them, one each at a time: {BY_RANKS}",
    )
    parser.add_argument(
        "--stream", type=Path, metavar="FILE", help="write each result as it comes, as JSON lines"
    )
    parser.add_argument(
        "--resume", action="store_true", help="run only the notebooks that --stream FILE lacks"
    )
    parser.add_argument(
        "--isolation",
        choices=KINDS,
        default="",
        help="kind of walls around a notebook (default: the first of these that works)",
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write it as JSON")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="write a page of the class: its common mistakes"
    )
    parser.add_argument(
        "--lang", choices=languages(), default="en", help="language of the page and of reports"
    )
    parser.add_argument(
        "--lms", choices=list(LAYOUTS), help="write --csv as the table that this system imports"
    )
    parser.add_argument(
        "--roster", type=Path, metavar="FILE", help="with --lms: CSV of name, id, email, file"
    )
    parser.add_argument(
        "--item", default="", metavar="NAME", help="with --lms: one column, with the sums"
    )
    parser.add_argument(
        "--exercises", default="", metavar="FILE", help="your exercises, in place of the copies'"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=Limits.seconds,
        metavar="S",
        help="for a notebook (%(default)g); one cell gets at most half of what is left",
    )
    parser.add_argument(
        "--memory",
        type=int,
        default=Limits.memory,
        metavar="MB",
        help="beyond what an empty kernel has (%(default)s); Linux only",
    )
    parser.add_argument(
        "--seed", type=int, default=SEED, metavar="N", help="of the random inputs (%(default)s)"
    )
    options = parser.parse_args(arguments)
    if options.resume and not options.stream:
        parser.error("--resume needs the --stream FILE of the grading that it continues")
    if options.lms and not (options.csv and options.roster):
        parser.error("--lms needs a --roster FILE, and the --csv FILE that it writes")
    if not options.lms and (options.roster or options.item):
        parser.error("--roster and --item belong to --lms")
    return options


def executor_of(mpi: bool) -> AbstractContextManager[Any]:
    """Return the executor that sends the notebooks to the other ranks; None for this process.

    On another rank the block begins when there are no more notebooks, and gets False.
    """
    if not mpi:
        return nullcontext()
    if importlib.util.find_spec("mpi4py") is None:
        raise errors.not_installed("mpi4py", "it reaches the other ranks", for_many_ranks())
    if "mpi4py.futures" in sys.orig_argv:
        from mpi4py.futures import MPIPoolExecutor

        return MPIPoolExecutor()
    if not {*RANKS} & {*os.environ}:
        raise errors.no_other_ranks(BY_RANKS)
    return ranks()


@contextmanager
def ranks() -> Iterator[Any]:
    """Let all ranks but the first run what that hands out."""
    from mpi4py import MPI
    from mpi4py.futures import MPICommExecutor

    if MPI.COMM_WORLD.Get_size() < 2:
        raise errors.no_other_ranks(BY_RANKS)
    with MPICommExecutor(MPI.COMM_WORLD, root=0) as executor:
        yield executor or False


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Let SIGTERM end the grading as Ctrl-C does: known results are written, and kernels end.

    A second signal does not interrupt the writing.
    """

    def stop(number: int, _frame: object) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt(number)

    before = {}
    if threading.current_thread() is threading.main_thread():  # others may set no handlers
        before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def progress(count: int) -> Iterator[Callable[[], object]]:
    """Print the progress to stderr: a bar on a terminal, elsewhere at most ten lines."""
    from tqdm import tqdm

    with tqdm(total=count, unit="notebook", disable=None, **room()) as bar:
        ended = itertools.count(1)

        def tick() -> None:
            done = next(ended)
            bar.update()
            if bar.disable and done * 10 // count > (done - 1) * 10 // count:
                print(f"{done} of {count} notebooks", file=sys.stderr)

        yield tick


def room() -> dict[str, int]:
    """Return a size if the terminal does not know its own, as in a container: tqdm needs one."""
    try:
        known = os.get_terminal_size(sys.stderr.fileno()).columns > 0
    except (AttributeError, OSError, ValueError):  # stderr is no terminal
        known = True
    return {} if known else {"ncols": 80, "nrows": 24}


def summary(rows: list[Row]) -> str:
    """Return a line for each notebook: its points, wrong answers, and errors of its cells."""
    width = max(len(row.file) for row in rows)
    lines = []
    for total in totals(rows):
        own = [row for row in rows if row.file == total.file]
        left = [in_short(row) for row in own if row.outcome != "right" or row.reason]
        notes = [f"({total.notes})"] if total.notes and own[0].exercise else []
        said = " ".join([", ".join(left), *notes]).strip()
        lines.append(f"{total.file:<{width}}  {total.points:>5g} of {total.max:g}  {said}".rstrip())
    return "\n".join(lines)


def warnings(rows: list[Row], asked: str) -> list[str]:
    """Return a warning of notebooks that ran without isolation, and what is missing for it."""
    files = {row.file: row.isolation for row in rows}
    count = sum(walls == "none" for walls in files.values())
    kind, missing = strongest()
    why = ASKED_FOR if asked == "none" else missing if kind == "none" else NOT_HERE
    words = UNWALLED.fill(count=count, all=len(files), why=why)
    return [words.of(current_language())] if count else []


def in_short(row: Row) -> str:
    """Describe the result of one exercise; `at its check` if the answer changed after it."""
    if not row.exercise:
        return row.reason
    return f"{row.exercise} {row.outcome}{' at its check' if row.outcome == 'right' else ''}"
