"""`minipaddle run`: an unmodified Paddle script on minipaddle, recorded if wanted."""

from __future__ import annotations

import argparse
import builtins
import importlib
import importlib.util
import io
import os
import re
import sys
import tempfile
from contextlib import suppress
from functools import partial
from importlib.machinery import ModuleSpec
from itertools import islice
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

from ..engine import files
from ..engine.errors import MinipaddleError, NotFound
from ..paddle_names.import_alias import as_paddle
from . import errors

LIMIT = 20_000
USAGE = """minipaddle run [options] SCRIPT [options] [--] [arguments of the script]
       minipaddle run [options] -m MODULE [options] [--] [arguments of the module]"""


def main(arguments: list[str]) -> int:
    """Run a script or module as Python would, with minipaddle under the name of Paddle."""
    parser = parser_of_options("run", USAGE, __doc__)
    ours, target, theirs = split_arguments(parser, arguments)
    options = parser.parse_args(ours)
    check_target(parser, target)
    wanted = files_of(parser, options)
    with as_paddle(), Prepared(target, theirs) as module:
        if not wanted:
            return status_of(module)
        return run_and_write(module, recording(options, target, module), wanted)


def check_target(parser: argparse.ArgumentParser, target: list[str]) -> None:
    """Raise an error unless the target is a script, or -m and a module."""
    if not target:
        parser.error("name the script to run, or -m and a module")
    if target[0] == "-m" and len(target) == 1:
        parser.error("-m: name the module to run")


def files_of(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[Path, Path]:
    """Return the requested pictures with absolute paths, since the script may change the folder."""
    chosen = options.only, options.skip, options.depth, options.rounds, options.every
    if not options.trace and any(choice not in (None, []) for choice in chosen):
        parser.error(
            "--only, --skip, --depth, --rounds and --every choose what is recorded; "
            "name a file with --trace"
        )
    for path in options.trace:  # a wrong path raises its error before the work
        importlib.import_module("viz.export").check(path)
        try:
            files.try_target(path)
        except OSError as error:
            raise errors.cannot_save(path, error) from error
    return {path: path.absolute() for path in options.trace}


def recording(options: argparse.Namespace, target: list[str], module: Module) -> Any:
    """Return the block that records a module as the options say."""
    return importlib.import_module("viz").record(
        options.title or target[-1].replace("\\", "/").rpartition("/")[2],
        only=options.only,
        skip=options.skip,
        depth=options.depth,
        limit=options.limit or None,
        rounds=options.rounds,
        every=options.every,
        variables=module.variables,
    )


def parser_of_options(
    command: str, usage: str, about: str | None, endings: str = ".html .json .txt .svg .png ..."
) -> argparse.ArgumentParser:
    """Return the parser of a command that runs a script and may record it into such files."""
    parser = argparse.ArgumentParser(
        prog=f"minipaddle {command}",
        usage=usage,
        allow_abbrev=False,
        description=about,
        epilog="Everything that is none of these options goes to the script; all after -- does.",
    )
    parser.add_argument(
        "--trace",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=f"record, and write a picture; its ending chooses: {endings}; may be given several "
        "times",
    )
    for name, text in (("--only", "record only"), ("--skip", "do not record")):
        parser.add_argument(
            name,
            action="append",
            default=[],
            metavar="NAME",
            help=f"{text} this op, layer, PyLayer, file or module; * stands for anything; "
            "may be given several times",
        )
    parser.add_argument(
        "--depth", type=count, metavar="N", help="how many layers deep to look; 0: layers are boxes"
    )
    parser.add_argument(
        "--limit",
        type=count,
        default=LIMIT,
        metavar="N",
        help=f"record at most so many events (default {LIMIT}; 0: all); the script runs on",
    )
    parser.add_argument(
        "--rounds",
        type=numbers,
        metavar="NUMBERS",
        help="keep only these rounds, such as steps of training: 0:100:10 as in range(0, 100, 10), "
        "or 0,1,99; of the others the loss stays, and how large parameters and gradients are",
    )
    parser.add_argument(
        "--every", type=count_from_one, metavar="N", help="keep every Nth round: 0, N, 2N, ..."
    )
    parser.add_argument("--title", default="", help="the title of the picture")
    return parser


def count(text: str, least: int = 0) -> int:
    """Read a whole number from the command line."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"a whole number from {least} on is expected, not {text}")
    return int(text)


count_from_one = partial(count, least=1)


def numbers(text: str) -> range | list[int]:
    """Read numbers of rounds (training iterations): 0:100:10, 0:5 or 0,1,99."""
    if re.fullmatch(r"\d+:\d+(:0*[1-9]\d*)?", text):
        return range(*map(int, text.split(":")))
    if re.fullmatch(r"\d+(,\d+)*", text):
        return [int(part) for part in text.split(",")]
    raise argparse.ArgumentTypeError(
        f"numbers of rounds are expected, 0:100:10, 0:5 or 0,1,99, not {text}"
    )


def split_arguments(
    parser: argparse.ArgumentParser, arguments: list[str]
) -> tuple[list[str], list[str], list[str]]:
    """Return our options, the script (or -m and the module), and the script's arguments."""
    known = {text for action in parser._actions for text in action.option_strings}
    ours, target, theirs = list[str](), list[str](), list[str]()
    rest = iter(arguments)
    for word in rest:
        name, equals, _ = word.partition("=")
        if word == "--" and target:
            return ours, target, [*theirs, *rest]
        if name in known and not (target and name in ("-h", "--help")):
            takes_next = not equals and name not in ("-h", "--help")
            ours += [word, *islice(rest, int(takes_next))]
        elif target:
            theirs.append(word)
        elif word == "-m":
            target += [word, *islice(rest, 1)]
        elif word.startswith("-") and word != "-":
            ours.append(word)  # the parser rejects it
        else:
            target.append(word)
    return ours, target, theirs


# ----- running -----------------------------------------------------------------------------------


class Module:
    """Script or module, ready to run as `__main__`."""

    def __init__(self, file: str, code: CodeType | str | bytes, spec: ModuleSpec | None) -> None:
        self.file, self.code = file, code
        self.main = ModuleType("__main__")
        self.variables = vars(self.main)
        self.variables.update(__builtins__=builtins, __file__=file, __spec__=spec)
        if spec is not None:
            self.main.__package__ = spec.parent
            self.main.__loader__ = spec.loader

    def run(self) -> None:
        """Run the module; compile a script only here, so that its errors count as the script's."""
        code = self.code
        if not isinstance(code, CodeType):
            code = compile(code, self.file, "exec", dont_inherit=True)
        exec(code, self.variables)


class Prepared:
    """Block in which `sys` is as if Python itself ran the script or module."""

    def __init__(self, target: list[str], arguments: list[str]) -> None:
        self.target, self.arguments = target, arguments
        self.before = sys.argv, sys.path[:], sys.modules["__main__"]

    def __enter__(self) -> Module:
        named, name = self.target[0] == "-m", self.target[-1]
        sys.path.insert(0, "" if named else str(Path(name).resolve().parent))
        try:
            module = module_of(name) if named else script_of(name)
        except BaseException as error:
            self.__exit__()
            if isinstance(error, (NotFound, KeyboardInterrupt, SystemExit)):
                raise
            complain(error)  # the import of a package has failed
            raise SystemExit(1) from None
        sys.argv = [module.file if named else name, *self.arguments]
        sys.modules["__main__"] = module.main
        return module

    def __exit__(self, *_error: object) -> None:
        sys.argv, sys.path[:], sys.modules["__main__"] = self.before


def script_of(name: str) -> Module:
    """Return a script by its path."""
    path = Path(name)
    if not path.is_file():
        raise errors.no_script(name, path.is_dir())
    file = str(path.absolute())
    try:
        with io.open_code(file) as text:
            return Module(file, text.read(), None)
    except OSError as error:
        raise errors.unreadable(name, error) from error


def module_of(name: str) -> Module:
    """Return a module by its name; for a package return its `__main__`."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ImportError as error:
        if error.name and not f"{name}.".startswith(f"{error.name}."):
            raise  # an import in the package failed
        spec = None
    code = getattr(spec and spec.loader, "get_code", lambda _: None)(spec and spec.name)
    if spec is None or code is None:
        raise errors.no_module(name)
    return Module(spec.origin or name, code, spec)


def status_of(module: Module) -> int:
    """Run a module; return its exit status as Python would."""
    try:
        module.run()
    except SystemExit as leaving:
        return exit_status(leaving)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  (as at Python's own top level)
        complain(error)
        return 1
    return 0


def exit_status(leaving: SystemExit) -> int:
    """Return the status that sys.exit asks for; print the text, if sys.exit has one."""
    if leaving.code is None or isinstance(leaving.code, int):
        return int(leaving.code or 0)
    print(leaving.code, file=sys.stderr)
    return 1


def complain(error: BaseException) -> None:
    """Print the traceback as Python would: from the user's first line on."""
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None and (
        traceback.tb_frame.f_code.co_filename.startswith((__file__, "<frozen importlib"))
    ):
        traceback = traceback.tb_next
    error.__traceback__ = traceback
    sys.excepthook(type(error), error, traceback)


def run_and_write(module: Module, block: Any, wanted: dict[Path, Path]) -> int:
    """Run the module inside the block, then write the pictures, even after an error.

    A process that the script forks also returns from here, but only the first process writes.
    """
    failure: BaseException | None = None
    began = os.getpid()
    status = 0
    trace: Any = None
    try:
        with block as trace:
            try:
                module.run()
            except SystemExit as leaving:  # the recorded work has not failed
                status = exit_status(leaving)
    except KeyboardInterrupt as error:
        failure = error
    except BaseException as error:  # noqa: BLE001  (as at Python's own top level)
        complain(error)
        status = 1
    if os.getpid() == began and not write(trace, wanted):
        status = status or 1
    if failure is not None:
        raise failure
    return status


def write(trace: Any, wanted: dict[Path, Path]) -> bool:
    """Save the trace to every file, and print the results; return whether all succeeded.

    After a failure the recording is saved elsewhere, since a run may have taken hours.
    """
    said: list[object] = []
    kept = True
    for path, place in wanted.items():
        try:
            trace.save(place)
        except (OSError, MinipaddleError) as error:
            said.append(f"cannot save to {path}: {getattr(error, 'strerror', None) or error}")
            kept = False
        else:
            said.append(f"{len(trace)} steps in {path}")
    if not kept:
        said.append(rescue(trace))
    if trace.rounds:
        said.append(importlib.import_module("viz.story.chapters").in_short(trace.rounds))
    if trace.cut:
        said.append(trace.chapters[-1].trace.story.note or "")
    said.append(importlib.import_module("viz.facts.problems.find").in_short(trace.problems()))
    print(*filter(None, map(str, said)), sep="\n", file=sys.stderr)
    return kept


def rescue(trace: Any) -> str:
    """Save a recording to another folder, and return a message that names it."""
    for folder in (tempfile.gettempdir(), Path.home(), "/dev/shm"):
        with suppress(OSError, MinipaddleError):
            place = Path(tempfile.mkdtemp(prefix="minipaddle-", dir=folder), "recording.json")
            trace.save(place)
            return f"the recording is in {place}; `minipaddle step` shows it, viz.load() reads it"
    return "the recording is lost: no folder for temporary files has room for it"
