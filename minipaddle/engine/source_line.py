"""Places in the user's code: the innermost frame outside of libraries, and its line."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

Span = tuple[int, int, int, int]
T = TypeVar("T")


# Library code whose loops have turns as the user's; in shown code the variables name tensors too.
TRAINING, SHOWN = 2, 3


class Ours(dict[str, int]):
    """File name -> whether it is library code: True, False, TRAINING or SHOWN; filled on demand."""

    def __missing__(self, file: str) -> int:
        ours = self[file] = is_library_code(file)
        return ours


_IS_OURS = Ours()
Loops = tuple[tuple[str, ...], ...]  # variables of each enclosing `for`, outermost first
Turn = tuple[tuple[str, "int | str"], ...]  # (variable, its value) for some of the loops
InTurn = Callable[[FrameType], "SourceLine"]
# (id of a code, instruction) -> its place, the code (kept alive, so that its id is not reused), and
# a function that returns the place with the current values of the loop variables
_PLACE_CACHE: dict[tuple[int, int], tuple[SourceLine, CodeType, InTurn | None]] = {}
_loops_around: Callable[[int, FrameType], Loops] | None = None
_code_with_caller: CodeType | None = None  # code of the function set by `set_caller_function`
_CALLER_LINES: dict[int, SourceLine | None] = {}  # id of a frame of this code -> line of its caller
# (id of a line, id of the line it led to, turn) -> line, and the two, whose ids stay valid
_LEADING: dict[tuple[int, int, Turn], tuple[LineInTurn, Any, Any]] = {}
MOST_KNOWN = 10_000
MOST_TURNS = 500  # limit for one place
SHORT = 12  # letters of a loop variable's value
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_NUMPY = os.path.dirname(os.path.abspath(np.__file__)) + os.sep
_PYTHON = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
# Beginning of a file name -> whether it is library code; the longest one that fits decides.
# Code that is shown belongs to the user's line that led there, but its variables name tensors.
# The lessons that a wheel carries inside the package are the learner's, as in a checkout.
_IS_LIBRARY = {
    "": False,
    _PACKAGE + os.sep: True,
    os.path.join(_PACKAGE, "_lessons", ""): False,
    os.path.abspath(contextlib.__file__): True,  # runs decorators such as @pause_collector()
    "<frozen ": True,
    "<plan ": True,
    os.path.join(_PACKAGE, "hapi", "model.py"): TRAINING,
    **{
        os.path.join(_PACKAGE, *path.split("/")): SHOWN
        for path in (
            "distribution/families.py",
            "nn/attention.py",
            "nn/cells.py",
            "nn/functional/activation.py",
            "nn/functional/attention.py",
            "nn/functional/common.py",
            "nn/functional/distances.py",
            "nn/functional/margins.py",
            "nn/functional/norm.py",
            "nn/rnn.py",
        )
    },
}


class SourceLine(NamedTuple):
    """A line of the user's code; `file` is the name Python compiled it under.

    `span` is the part of the code that Python's tracebacks underline: first line, last line, first
    column, last column. None if unknown.
    """

    file: str
    line: int
    function: str
    span: Span | None = None

    def __str__(self) -> str:
        return f"{display_name(self.file)}:{self.line}"


class LineInTurn(SourceLine):
    """A line in one iteration of its loops; `turn` holds the values of loop variables.

    `inner` is the line of shown library code that it led to, in the turn of all loops around.
    """

    turn: Turn = ()
    inner: LineInTurn | None = None


def here(_number: int = 0, _doing: str = "") -> SourceLine | None:
    """Return the innermost line of user code that led here, or None if there is no user code.

    Both parameters are ignored: `NoteTaker.here` has the same signature.
    """
    frame: FrameType | None = sys._getframe(1)
    shown: tuple[FrameType, ...] = ()
    while frame is not None:
        code = frame.f_code
        ours = _IS_OURS[code.co_filename]
        if not ours:
            break
        if ours is SHOWN:
            shown = frame, *shown
        elif code is _code_with_caller:
            place = _CALLER_LINES.get(id(frame))
            if place is not None:
                return _leading_to(place, shown) if shown else place
        frame = frame.f_back
    else:
        return None
    return _leading_to(at(frame), shown) if shown else at(frame)


def _leading_to(place: SourceLine, shown: tuple[FrameType, ...]) -> SourceLine:
    """Return a line with the innermost of these frames, which it led to, as `inner`."""
    lines = [at(frame) for frame in shown]
    around = getattr(place, "inner", None) or place  # has the turns of the loops outside, too
    turn = tuple([pair for line in (around, *lines) for pair in getattr(line, "turn", ())])
    key = id(place), id(lines[-1]), turn
    known = _LEADING.get(key)
    if known is None:
        if len(_LEADING) >= MOST_KNOWN:
            _LEADING.clear()
        outer, inner = (tuple.__new__(LineInTurn, line) for line in (place, lines[-1]))
        outer.turn, outer.inner, inner.turn = getattr(place, "turn", ()), inner, turn
        known = _LEADING[key] = outer, place, lines[-1]
    return known[0]


def at(frame: FrameType) -> SourceLine:
    """Return the line that a frame of user code is running."""
    code = frame.f_code
    instruction = frame.f_lasti
    known = _PLACE_CACHE.get((id(code), instruction))
    if known is None:
        if len(_PLACE_CACHE) >= MOST_KNOWN:
            _PLACE_CACHE.clear()
        span = span_of(code, instruction)
        place = SourceLine(code.co_filename, frame.f_lineno, code.co_name, span)
        known = _PLACE_CACHE[id(code), instruction] = place, code, turns_at(place, frame)
    return known[0] if known[2] is None else known[2](frame)


def turns_at(place: SourceLine, frame: FrameType) -> InTurn | None:
    """Return a function from a frame to the place with its loop iteration; None without loops."""
    loops = _loops_around(id(frame.f_code), frame) if _loops_around else ()
    known: dict[Any, LineInTurn] = {}  # values of the variables -> line
    only = loops[0][0] if len(loops) == 1 and len(loops[0]) == 1 else ""

    def in_turn(frame: FrameType) -> SourceLine:
        held = variables_of(frame)
        key: Any = held.get(only)
        turn: Turn = ((only, key),)
        if key.__class__ is not int:  # True and 1.0 as keys would equal 1
            key = turn = turn_of(loops, held)
        line = known.get(key)
        if line is None:
            if len(known) >= MOST_TURNS:
                known.clear()
            line = known[key] = tuple.__new__(LineInTurn, place)
            line.turn = turn
        return line

    return in_turn if loops else None


def variables_of(frame: FrameType) -> Mapping[str, Any]:
    """Return a frame's variables; f_locals lacks a module's own in its comprehensions (3.13)."""
    held = frame.f_locals
    if frame.f_code.co_name == "<module>" and held is not frame.f_globals:
        return {**frame.f_globals, **held}
    return held


def turn_of(loops: Loops, held: Mapping[str, Any]) -> Turn:
    """Return one variable of each loop with its value, if that is an integer or a short word."""
    turn: list[tuple[str, int | str]] = []
    for names in loops:
        for name in names:
            value: Any = held.get(name)
            if value.__class__ is int or is_short(value):
                turn.append((name, value))
                break
    return tuple(turn)


def identities(held: Mapping[str, Any], names: Iterable[str]) -> tuple[int, ...]:
    """Return the ids of the objects that variables hold now, without keeping the objects alive."""
    return tuple([id(held.get(name)) for name in names])


def is_short(value: object) -> bool:
    """Return whether a value is a short identifier."""
    return isinstance(value, str) and len(value) <= SHORT and value.isidentifier()


def set_loop_finder(function: Callable[[int, FrameType], Loops]) -> None:
    """Let a function find the `for` loops around the running line of a frame, from now on.

    Its arguments are the id of the frame's code, which it must keep alive, and the frame.
    """
    global _loops_around
    _loops_around = function
    _PLACE_CACHE.clear()


def spot(depth: int = 1) -> tuple[CodeType, int] | None:
    """Return code and instruction of the innermost user line, searched for from the caller at
    `depth` outwards; `of_spot` makes the line of them."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and _IS_OURS[frame.f_code.co_filename]:
        frame = frame.f_back
    return frame and (frame.f_code, frame.f_lasti)


def of_spot(code: CodeType, instruction: int) -> SourceLine:
    """Return the place of an instruction."""
    span = span_of(code, instruction)
    line = span[0] if span else code.co_firstlineno
    return SourceLine(code.co_filename, line, code.co_name, span)


def set_caller_function(function: Any) -> None:
    """Let `here` stop at this function, which reports the line of its caller to
    `record_caller`."""
    global _code_with_caller
    _code_with_caller = function.__code__


def record_caller(place: SourceLine | None) -> None:
    """Record the line that called the running function, the one that `set_caller_function` set."""
    if len(_CALLER_LINES) >= MOST_KNOWN:
        _CALLER_LINES.clear()
    _CALLER_LINES[id(sys._getframe(1))] = place


def user_frames() -> Iterator[tuple[int, FrameType]]:
    """Yield the frames of user code, and of training loops of the library, that led here with
    their ids, the innermost first.

    A later frame may reuse the id of one that has ended.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _IS_OURS[frame.f_code.co_filename] is not True:
            yield id(frame), frame
        frame = frame.f_back


def user_spots(
    known: dict[tuple[int, int], T],
    learn: Callable[[int, FrameType], T],
    outermost: int = 0,
) -> list[tuple[int, T]]:
    """Return (id, place) of the frames that `user_frames` yields, up to the id `outermost`.

    `known` maps (id of a code, instruction) to a place; `learn(id of the code, frame)` makes a
    missing one, and must keep the code alive.
    """
    spots = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if _IS_OURS[code.co_filename] is not True:
            at = id(code), frame.f_lasti
            place = known.get(at)
            if place is None:
                place = known[at] = learn(at[0], frame)
            number = id(frame)
            spots.append((number, place))
            if number == outermost:
                break
        frame = frame.f_back
    return spots


def span_of(code: CodeType, instruction: int) -> Span | None:
    """Return the part of the source that an instruction comes from, or None if unknown."""
    span = next(islice(code.co_positions(), instruction // 2, None), (None,))
    return None if None in span else cast(Span, span)


def is_library_code(file: str) -> int:
    """Return whether a file is library code: True, False, TRAINING or SHOWN."""
    return _IS_LIBRARY[max(filter(file.startswith, _IS_LIBRARY), key=len)]


def stacklevel() -> int:
    """Return the `stacklevel` with which its caller's `warnings.warn` names the user's line."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_library_code(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _is_computing(file: str) -> int:
    """Return whether a file is library code or part of NumPy."""
    return file.startswith(_NUMPY) or is_library_code(file)


def is_underneath(file: str) -> bool:
    """Return whether a file belongs to minipaddle, NumPy or Python's own library."""
    pythons = file.startswith(_PYTHON) and "site-packages" not in file
    return bool(pythons or file.startswith("numpy/") or _is_computing(file))


def of_error(error: BaseException) -> SourceLine | None:
    """Return the innermost line of user code that an exception has passed through."""
    place, trace = None, error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not _is_computing(code.co_filename):
            span = span_of(code, trace.tb_lasti)
            place = SourceLine(code.co_filename, trace.tb_lineno, code.co_name, span)
        trace = trace.tb_next
    return place


def raised_by_user(error: BaseException) -> bool:
    """Return whether a frame outside of minipaddle, NumPy and Python is in an error's traceback."""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not is_underneath(file):
            return True
        trace = trace.tb_next
    return False


def mark_library(place: str) -> None:
    """Count a folder or a file as library code from now on, so that `here` skips it."""
    place = os.path.abspath(place) + (os.sep if os.path.isdir(place) else "")
    if not _IS_LIBRARY.get(place):
        _IS_LIBRARY[place] = True
        _IS_OURS.clear()


def of_function(function: Any) -> SourceLine | None:
    """Return where a Python function was defined; None for builtins and objects without code."""
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    return code and SourceLine(code.co_filename, code.co_firstlineno, code.co_name)


def of_user(function: Any) -> SourceLine | None:
    """Return where the user's function was defined, or the line that led to another function."""
    place = of_function(function)
    return here() if place is None or is_library_code(place.file) else place


def code_at(place: SourceLine) -> str:
    """Return the source of a line, or "" if there is none."""
    return linecache.getline(place.file, place.line).strip()


def folder() -> str:
    """Return the working folder, or "" if it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def display_name(file: str, start: str | None = None) -> str:
    """Return `Cell [n]` for a notebook cell, else a path relative to `start` (default: the working
    folder), or the bare name of a file that is elsewhere or installed.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if shell is not None:
        number = getattr(shell.compile, "_filename_map", {}).get(file)
        if number is not None:
            return f"Cell [{number}]"
    if file.startswith("<"):
        return file
    relative = file
    if os.path.isabs(file):
        try:
            relative = os.path.relpath(file, start or folder() or os.sep)
        except ValueError:  # the file is on another drive
            relative = ".."
    parts = relative.split(os.sep)
    return parts[-1] if parts[0] == ".." or "site-packages" in parts else "/".join(parts)
