"""Where in the user's code something happened: the innermost frame that is no library's."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

Span = tuple[int, int, int, int]
T = TypeVar("T")


class Ours(dict[str, bool]):
    """Whether the file of a name is library code, once somebody has asked."""

    def __missing__(self, file: str) -> bool:
        ours = self[file] = is_ours(file)
        return ours


_OURS = Ours()
Loops = tuple[tuple[str, ...], ...]  # the variables of each `for` around, the outermost first
Turn = tuple[tuple[str, "int | str"], ...]  # what some of these variables hold
InTurn = Callable[[FrameType], "SourceLine"]
# (id of a code, instruction) -> its place, the code, which thus lives as long as its id, and what
# gives the place in a turn of the loops around it
_KNOWN: dict[tuple[int, int], tuple[SourceLine, CodeType, InTurn | None]] = {}
_loops_around: Callable[[int, FrameType], Loops] | None = None
_knowing: CodeType | None = None  # the code of the function that knows its caller
_CALLERS: dict[int, SourceLine | None] = {}  # of frames of this code, by their numbers
MOST_KNOWN = 10_000
MOST_TURNS = 500  # known of one place
SHORT = 12  # letters
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_NUMPY = os.path.dirname(os.path.abspath(np.__file__)) + os.sep
_PYTHON = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
# Whether files whose names begin so are library code; the longest beginning that fits decides.
# The lessons that a wheel carries inside the package are the learner's, as in a checkout.
_PLACES = {
    "": False,
    _PACKAGE + os.sep: True,
    os.path.join(_PACKAGE, "_lessons", ""): False,
    "<frozen ": True,
    "<plan ": True,
}


class SourceLine(NamedTuple):
    """A line of the user's code; `file` is the name Python compiled it under.

    `span` says which part of the code it is, as Python's own tracebacks do: first line, last
    line, first column, last column. None where it is not known.
    """

    file: str
    line: int
    function: str
    span: Span | None = None

    def __str__(self) -> str:
        return f"{display_name(self.file)}:{self.line}"


class LineInTurn(SourceLine):
    """The same line in one turn of the loops around it."""

    turn: Turn = ()


def here(_number: int = 0, _doing: str = "") -> SourceLine | None:
    """Return the innermost line of user code that led here, None if minipaddle runs by itself.

    What a `NoteTaker` is given besides does not matter.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        if not _OURS[file]:
            break
        if code is _knowing:
            place = _CALLERS.get(id(frame))
            if place is not None:
                return place
        frame = frame.f_back
    else:
        return None
    return at(frame)


def at(frame: FrameType) -> SourceLine:
    """Return where a frame of user code stands."""
    code = frame.f_code
    instruction = frame.f_lasti
    known = _KNOWN.get((id(code), instruction))
    if known is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        span = span_of(code, instruction)
        place = SourceLine(code.co_filename, frame.f_lineno, code.co_name, span)
        known = _KNOWN[id(code), instruction] = place, code, turns_at(place, frame)
    return known[0] if known[2] is None else known[2](frame)


def turns_at(place: SourceLine, frame: FrameType) -> InTurn | None:
    """Return what gives a place in the turn in which a frame is, as far as variables of loops tell
    it."""
    loops = _loops_around(id(frame.f_code), frame) if _loops_around else ()
    known: dict[Any, LineInTurn] = {}  # by what the variables hold
    only = loops[0][0] if len(loops) == 1 and len(loops[0]) == 1 else ""

    def in_turn(frame: FrameType) -> SourceLine:
        held = frame.f_locals
        key: Any = held.get(only)
        turn: Turn = ((only, key),)
        if key.__class__ is not int:  # True and 1.0 are equal to 1
            key = turn = turn_of(loops, held)
        line = known.get(key)
        if line is None:
            if len(known) >= MOST_TURNS:
                known.clear()
            line = known[key] = tuple.__new__(LineInTurn, place)
            line.turn = turn
        return line

    return in_turn if loops else None


def turn_of(loops: Loops, held: Mapping[str, Any]) -> Turn:
    """Return what one variable of each loop holds, where it is a whole number or a word."""
    turn: list[tuple[str, int | str]] = []
    for names in loops:
        for name in names:
            value: Any = held.get(name)
            if value.__class__ is int or is_short(value):
                turn.append((name, value))
                break
    return tuple(turn)


def is_short(value: object) -> bool:
    """Return whether it is a word that may stand in a name."""
    return isinstance(value, str) and len(value) <= SHORT and value.isidentifier()


def looks_for_loops(function: Callable[[int, FrameType], Loops]) -> None:
    """From now on this function says which `for` loops are around where a frame stands.

    It is given the number of the frame's code, too, and keeps that alive.
    """
    global _loops_around
    _loops_around = function
    _KNOWN.clear()


def user_frame() -> FrameType | None:
    """Return the innermost frame of user code."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _OURS[frame.f_code.co_filename]:
        frame = frame.f_back
    return frame


def spot() -> tuple[CodeType, int] | None:
    """Return what `of_spot` makes the same place of: cheaper, where it is seldom asked for."""
    frame = user_frame()
    return frame and (frame.f_code, frame.f_lasti)


def of_spot(code: CodeType, instruction: int) -> SourceLine:
    """Return the place of an instruction."""
    span = span_of(code, instruction)
    line = span[0] if span else code.co_firstlineno
    return SourceLine(code.co_filename, line, code.co_name, span)


def knows_its_caller(function: Any) -> None:
    """Let `here` end at this function, which first says where it was called from."""
    global _knowing
    _knowing = function.__code__


def came_from(place: SourceLine | None) -> None:
    """Note from which line the function that `knows_its_caller` was called."""
    if len(_CALLERS) >= MOST_KNOWN:
        _CALLERS.clear()
    _CALLERS[id(sys._getframe(1))] = place


def user_frames() -> Iterator[tuple[int, FrameType]]:
    """Return the frames of user code that led here, the innermost first, each with its number.

    Numbers are those of what lives: the next frame may get that of one that is gone.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not _OURS[frame.f_code.co_filename]:
            yield id(frame), frame
        frame = frame.f_back


def user_spots(
    known: dict[tuple[int, int], T],
    learn: Callable[[int, FrameType], T],
    outermost: int = 0,
    frame: FrameType | None = None,
) -> list[tuple[int, T]]:
    """Return where these frames stand, up to one of them: its number, and what is known of its
    place.

    `known` are places by the number of the code and the last instruction; `learn(number, frame)`
    gives what is not there, and keeps the code alive. The search begins at `frame`.
    """
    spots = []
    frame = frame or sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not _OURS[code.co_filename]:
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
    """Return the part of the code that an instruction was made from; None if Python has not kept
    it."""
    span = next(islice(code.co_positions(), instruction // 2, None), (None,))
    return None if None in span else cast(Span, span)


def is_ours(file: str) -> bool:
    """Return whether the file of this name is library code."""
    return _PLACES[max(filter(file.startswith, _PLACES), key=len)]


def stacklevel() -> int:
    """Return how far above its caller the user's line is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _is_computing(file: str) -> bool:
    """Return whether the file of this name is library code, or NumPy's."""
    return file.startswith(_NUMPY) or is_ours(file)


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
    """Return whether an error comes from the user's code that minipaddle has called, and not from
    here."""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        pythons = file.startswith(_PYTHON) and "site-packages" not in file
        if not pythons and not file.startswith("numpy/") and not _is_computing(file):
            return True
        trace = trace.tb_next
    return False


def is_library(place: str) -> None:
    """Count a folder or a file as library code from now on, so that `here` looks behind it."""
    place = os.path.abspath(place) + (os.sep if os.path.isdir(place) else "")
    if not _PLACES.get(place):
        _PLACES[place] = True
        _OURS.clear()


def of_function(function: Any) -> SourceLine | None:
    """Return where a Python function was defined; None for builtins and objects without code."""
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    return code and SourceLine(code.co_filename, code.co_firstlineno, code.co_name)


def code_at(place: SourceLine) -> str:
    """Return the text of a line of code; "" where there is no source."""
    return linecache.getline(place.file, place.line).strip()


def folder() -> str:
    """Return the working folder; "" where it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def display_name(file: str, start: str | None = None) -> str:
    """`Cell [n]` for a notebook cell, else a path from the working folder, or the bare name of
    what is elsewhere or installed.

    `start` is the folder to count from, where it is not the working folder of now.
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
        except ValueError:  # on another drive
            relative = ".."
    parts = relative.split(os.sep)
    return parts[-1] if parts[0] == ".." or "site-packages" in parts else "/".join(parts)
