"""Errors of writing, loading and grading exercises: each function makes one."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from pathlib import Path

from ..engine.errors import (
    AlreadyExists,
    InvalidArgument,
    InvalidType,
    NoSuchName,
    NotFound,
    PermissionDenied,
    Unimplemented,
)
from ..engine.source_line import SourceLine
from ..messages import Message

# ----- courses and their files -------------------------------------------------------------------


def no_exercise(course: str, name: str, known: Collection[str]) -> NoSuchName:
    what, near = f"{course} has no exercise {name!r}.", difflib.get_close_matches(name, known, 1)
    fix = f"write {near[0]}" if near else "write the name as the notebook does"
    return NoSuchName(what, expected=f"one of: {', '.join(known)}", received=repr(name), fix=fix)


def no_file_beside(file: str, folder: Path) -> NotFound:
    what = f"There is no file of exercises {file}."
    fix = "put it beside the notebook, or give its whole path"
    return NotFound(what, expected=f"a Python file in {folder}", received="none", fix=fix)


def no_lesson(name: str, known: list[str]) -> NotFound:
    what = f"minipaddle has no lesson {name!r}."
    fix = "for a file of your own write its ending too: load('gates.py')"
    return NotFound(what, expected=f"one of: {', '.join(known)}", received=repr(name), fix=fix)


def no_exercises(file: Path) -> InvalidArgument:
    what = f"{file.name} has no exercises."
    expected = 'variables that hold them, such as square = Exercise("square", ...)'
    fix = "see docs/teaching.md for an example"
    return InvalidArgument(what, expected=expected, received="none at the end of the file", fix=fix)


def no_solution(name: str, file: Path, cells: bool) -> NotFound:
    what = Message("The solution of {name} is not there.", name=name)
    expected = Message(
        'a cell with the metadata "exercise": "{name}" in {file}', name=name, file=str(file)
    )
    received = Message("no such cell") if cells else Message("no such notebook")
    fix = Message(
        "copy the lessons anew: {copy}; in a checkout of the source, run {build}",
        copy="minipaddle lessons --dest another-folder",
        build="lessons/build.py",
    )
    return NotFound(what, expected=expected, received=received, fix=fix)


# ----- exercises ---------------------------------------------------------------------------------


def no_name(what: str, name: object) -> InvalidArgument:
    return InvalidArgument(
        f"{what} cannot be called {name!r}.",
        expected="a name that a variable can have, with no _ before it: square, fan_in",
        received=repr(name),
        fix="put the words that learners read into title=",
    )


def name_taken(what: str, name: str) -> InvalidArgument:
    return InvalidArgument(
        f"{what} cannot be called {name!r}.",
        expected="a name that hides nothing of minipaddle.exercises",
        received=repr(name),
        fix=f"write for example my_{name}",
    )


def slip_is_right(exercise: str, slip: str, gives: object) -> InvalidArgument:
    what = f"The slip {slip!r} of {exercise} is no mistake: the check takes it for right."
    fix = "correct gives=, or the check"
    return InvalidArgument(what, expected="a wrong value", received=f"gives={gives!r}", fix=fix)


# ----- slips -------------------------------------------------------------------------------------


def slip_without_way(name: str, options: dict[str, bool]) -> InvalidArgument:
    what, expected = f"The slip {name!r} cannot be recognised.", "one of gives=, raises= and seen="
    received = " and ".join(option for option, there in options.items() if there) or "none"
    fix = "give the value or the formula that the mistake leads to: gives=lambda dy, x: 2 * x"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def useless_slip(name: str, slip: str, why: str, at: SourceLine) -> InvalidArgument:
    what = f"The slip {slip!r} of {name} can never be recognised."
    expected = (
        "a gives= that works for what the check draws (a formula gets Tensors, so it needs"
        " paddle's functions, not NumPy's), or a raises= where the answer is run"
    )
    fix = "mend the slip, or recognise the mistake with seen="
    return InvalidArgument(what, expected=expected, received=why, fix=fix, at=at)


# ----- predictions -------------------------------------------------------------------------------


def no_truth(name: str, truth: object, kind: str, choices: Collection[object]) -> InvalidArgument:
    what = f"The truth of {name} is no answer to its question."
    expected = f"one of: {', '.join(map(str, choices))}" if choices else f"a {kind}"
    fix = "give the truth as a learner would answer"
    return InvalidArgument(what, expected=expected, received=repr(truth), fix=fix)


# ----- checks ------------------------------------------------------------------------------------


def says_nothing(name: str, said: object) -> InvalidType:
    what = f"The check {name} gave back something that says neither right nor wrong."
    expected = "None or True for right; False, or a text that says what is wrong"
    fix = "end the check with assert, or return a text"
    return InvalidType(what, expected=expected, received=type(said).__name__, fix=fix)


def broken_check(name: str, check: str, error: Message) -> InvalidArgument:
    why = str(error).partition("\n")[0]
    what = f"The hidden check {check!r} of {name} fails by itself: {why}"
    expected = "a check that judges every answer which passes those handed out"
    fix = "mend the check, and grade again"
    return InvalidArgument(what, expected=expected, received="an exception", fix=fix)


# ----- trials ------------------------------------------------------------------------------------


def not_finite() -> InvalidArgument:
    what = "The reference of an exercise gives numbers that are not finite."
    expected = "finite numbers for all inputs that are drawn"
    fix = "draw inputs for which it is defined: inputs=lambda rng: (rng.uniform(1, 2, [3]),)"
    return InvalidArgument(what, expected=expected, received="nan or inf", fix=fix)


# ----- grading -----------------------------------------------------------------------------------


def no_folder(folder: Path) -> NotFound:
    what = f"There is no folder {folder}."
    received = "a file" if folder.exists() else "nothing of that name"
    fix = "name the folder that the copies are in"
    return NotFound(what, expected="a folder with notebooks", received=received, fix=fix)


def no_notebooks(folder: Path) -> NotFound:
    what = f"There are no notebooks in {folder}."
    expected = "files that end in .ipynb, there or in folders inside"
    fix = "name the folder that the copies are in"
    return NotFound(what, expected=expected, received="none", fix=fix)


def no_teachers_file(file: Path) -> NotFound:
    what, expected = f"There is no file of exercises {file}.", "a Python file that makes them"
    fix = "name the file with --exercises"
    return NotFound(what, expected=expected, received="nothing of that name", fix=fix)


def no_roster(file: Path, needed: Collection[str], received: str) -> InvalidArgument:
    what, expected = f"{file} is no roster.", f"a CSV file with the columns {', '.join(needed)}"
    fix = "make a row for each learner; file is the name of the learner's notebook or folder"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def twice_in_roster(
    roster: Path, column: str, value: str, names: Collection[str]
) -> InvalidArgument:
    what = f"{roster} gives several learners the same {column}."
    expected, received = f"another {column} for each learner", f"{value} for {', '.join(names)}"
    fix = "correct these rows; a learner needs one row alone"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def no_written(file: Path, table: Path) -> InvalidArgument:
    what = f"{file} cannot be read."
    expected = f"what the last grading wrote into {table.name}, as JSON"
    fix = f"remove it: then every grade in {table.name} counts as yours, and stays"
    return InvalidArgument(what, expected=expected, received="something else", fix=fix)


def no_utf_8(file: Path) -> InvalidArgument:
    what, expected = f"{file} cannot be read.", "a CSV file in UTF-8"
    fix = "save it once more as “CSV UTF-8”"
    return InvalidArgument(what, expected=expected, received="another encoding", fix=fix)


def not_python(file: Path) -> InvalidArgument:
    what, ending = f"{file.name} is no Python file.", f"a file that ends in {file.suffix!r}"
    expected = "the Python file that makes the exercises, such as gates_teacher.py"
    received = "a notebook" if file.suffix == ".ipynb" else ending
    fix = "name the file with --exercises"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def unreadable(file: Path, error: Message, line: str, at: SourceLine | None) -> InvalidArgument:
    what = f"{file.name} cannot be loaded: {error}"
    expected, fix = "a Python file that runs and makes exercises", "mend this line"
    return InvalidArgument(what, expected=expected, received=line, fix=fix, at=at)


def results_there(file: Path) -> AlreadyExists:
    what, expected = f"{file} has results already.", "a new file, or --resume"
    fix = "go on with --resume, or remove the file"
    return AlreadyExists(what, expected=expected, received="another grading", fix=fix)


def other_results(file: Path, there: object, wanted: object) -> InvalidArgument:
    what = f"{file} does not hold results of this grading."
    fix = "repeat the options of the first command, or write to another file"
    return InvalidArgument(what, expected=wanted, received=there, fix=fix)


# ----- certificates ------------------------------------------------------------------------------


def no_key(file: Path) -> NotFound:
    what, expected = f"There is no key {file}.", "the file that holds your key"
    fix = "name the key that signed the page; --new-key FILE makes one to sign with from now on"
    return NotFound(what, expected=expected, received="nothing of that name", fix=fix)


def weak_key(file: Path, least: int, there: int) -> InvalidArgument:
    what, expected = f"{file} is no key.", f"at least {least} bytes that nobody can guess"
    fix = "make one with minipaddle certificate --new-key FILE"
    return InvalidArgument(what, expected=expected, received=f"{there} bytes", fix=fix)


def key_there(file: Path) -> AlreadyExists:
    what, expected = f"{file} is there already, and stays as it is.", "the name of a new file"
    fix = "use it as your key, or name another file"
    return AlreadyExists(what, expected=expected, received="a file", fix=fix)


def no_grades(file: Path) -> InvalidArgument:
    what, expected = f"{file} has no grades.", "the JSON of minipaddle grade"
    received = "something else" if file.is_file() else "nothing of that name"
    fix = "grade with --json grades.json, and name that file"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def no_page(file: Path) -> NotFound:
    what, expected = f"There is no page {file}.", "a certificate"
    fix = "name the file that the learner sent"
    return NotFound(what, expected=expected, received="nothing of that name", fix=fix)


def no_certificate(file: Path) -> InvalidArgument:
    what, expected = f"{file} is no certificate.", "a page with one signature of minipaddle"
    fix = "ask for the file as it was handed out"
    return InvalidArgument(what, expected=expected, received="a file without one", fix=fix)


def other_key(file: Path) -> InvalidArgument:
    what, expected = f"{file} was not signed with this key.", "a signature of this key"
    fix = "check it with the key that signed it, if there is another; else it proves nothing"
    return InvalidArgument(what, expected=expected, received="that of another key", fix=fix)


def altered_page(file: Path) -> InvalidArgument:
    what, expected = f"{file} was altered after it was signed.", "the page as this key signed it"
    fix = "ask for the file itself, since a browser that saves a page alters it too"
    return InvalidArgument(what, expected=expected, received="another page", fix=fix)


# ----- walls -------------------------------------------------------------------------------------


def no_walls_for(file: str) -> PermissionDenied:
    what = f"{file} came with the notebook, and is not run here."
    expected = "namespaces for the judge, too, where bubblewrap alone may make them"
    fix = "name your own file with --exercises"
    return PermissionDenied(what, expected=expected, received="none", fix=fix)


def no_fork() -> Unimplemented:
    what = "Grading forks a process for each notebook, and this system cannot fork."
    fix = "grade on Linux or macOS, on Windows in WSL, the Windows Subsystem for Linux"
    return Unimplemented(what, expected="Linux or macOS", received="another system", fix=fix)
