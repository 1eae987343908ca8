"""Errors of the commands: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..engine.errors import AlreadyExists, NotFound, PermissionDenied, PreconditionNotMet

# ----- demo and certificate ----------------------------------------------------------------------


def file_in_the_way(folder: Path, of: str) -> AlreadyExists:
    what = f"the folder for the {of} cannot be made: a file has its name."
    fix = "name another folder with --out"
    return AlreadyExists(what, expected="a folder, or nothing yet", received=folder, fix=fix)


# ----- grade -------------------------------------------------------------------------------------


def not_installed(package: str, use: str, advice: str) -> NotFound:
    return NotFound(f"{package} is not installed, and {use}.", fix=advice)


def no_folder_for(table: Path) -> NotFound:
    what, expected = f"there is no folder for {table}.", "a file in a folder that is there"
    fix = "make the folder, or name another file"
    return NotFound(what, expected=expected, received=f"{table.parent}", fix=fix)


def no_other_ranks(command: str) -> PreconditionNotMet:
    what = "There are no other ranks that would run the notebooks."
    expected = "a rank 0 that hands them out, and ranks that wait for them"
    received, fix = "minipaddle grade --mpi, started by itself", f"start it with {command}"
    return PreconditionNotMet(what, expected=expected, received=received, fix=fix)


def nothing_graded(why: str) -> NotFound:
    return NotFound(
        "No notebook has loaded any exercises, so nothing was graded.",
        expected="exercises that the notebooks load, or a file of yours",
        received=why,
        fix="name your file with --exercises gates.py; or put the file that the notebooks load "
        "into the folder of each",
    )


def not_judged(found: Mapping[str, int]) -> PreconditionNotMet:
    what = "Some answers were not judged: they have neither points nor a zero."
    expected = "notebooks that can be run, and checks that judge every answer"
    received = "".join(f"\n    {n} × {why}" for why, n in found.items())
    fix = "mend what this names, and grade again"
    return PreconditionNotMet(what, expected=expected, received=received, fix=fix)


# ----- lessons -----------------------------------------------------------------------------------


def not_a_copy(folder: Path, mark: str) -> AlreadyExists:
    what = "The folder for the lessons holds something else, so nothing was copied."
    expected = f"a new or empty folder, or one that holds {mark}"
    fix = "name another folder with --dest"
    return AlreadyExists(what, expected=expected, received=folder, fix=fix)


def not_copied(error: OSError) -> PreconditionNotMet:
    what = "The lessons could not be copied, so nothing was."
    expected, fix = "a folder that can be written to", "name another folder with --dest"
    return PreconditionNotMet(what, expected=expected, received=error, fix=fix)


def no_lesson(number: int | None, place: Path, there: str) -> NotFound:
    what = f"There is no lesson {'' if number is None else f'{number} '}in {place}."
    received = "none" if number is None else number
    fix = "choose one with --lesson; if the folder is damaged, copy anew with --dest"
    return NotFound(what, expected=f"one of: {there}", received=received, fix=fix)


def lab_failed(status: int) -> PreconditionNotMet:
    fix = "see its own lines above; `minipaddle doctor` shows the versions"
    return PreconditionNotMet("JupyterLab did not run.", received=f"exit status {status}", fix=fix)


def port_taken(port: int, error: Exception) -> PreconditionNotMet:
    what = f"Port {port} cannot be used."
    expected = "a port between 1024 and 65535 where nobody listens"
    fix = "choose another one with --port, or leave the option out"
    return PreconditionNotMet(what, expected=expected, received=error, fix=fix)


# ----- run ---------------------------------------------------------------------------------------


def cannot_save(path: Path, error: OSError) -> PermissionDenied:
    what, expected = f"cannot save to {path}: {error.strerror}.", "a file that can be written"
    fix = "name one in a folder of your own with --trace"
    return PermissionDenied(what, expected=expected, received=f"{error.filename}", fix=fix)


def no_script(name: str, folder: bool) -> NotFound:
    what = f"there is no script {name}."
    received = "a folder" if folder else "nothing of that name"
    fix = "for a module write -m and its name"
    return NotFound(what, expected="the path of a Python file", received=received, fix=fix)


def unreadable(name: str, error: OSError) -> NotFound:
    what, fix = f"the script {name} cannot be read.", "ask for the right to read it, or copy it"
    return NotFound(what, expected="a file that you may read", received=error, fix=fix)


def no_module(name: str) -> NotFound:
    what = f"there is no module {name} that can be run."
    expected = "a module of Python code, or a package with a module __main__"
    fix = "check the name; modules are looked for in the working folder first"
    return NotFound(what, expected=expected, received=name, fix=fix)
