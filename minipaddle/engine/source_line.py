"""Where in the user's code something happened: the innermost frame that is no library's."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable, Iterator
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
# (id of a code, instruction) -> its place, and the code, which thus lives as long as its id
_KNOWN: dict[tuple[int, int], tuple[SourceLine, CodeType]] = {}
_knowing: CodeType | None = None  # the code of the function that knows its caller
_CALLERS: dict[int, SourceLine | None] = {}  # of frames of this code, by their numbers
MOST_KNOWN = 10_000
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


def here(above: int = 1, _number: int = 0, _doing: str = "") -> SourceLine | None:
    """The innermost line of user code that led here, or None when minipaddle runs by itself.

    So many frames `above` this one the search begins; all below are known to be our own. What
    else a `NoteTaker` is told does not matter.
    """
    frame: FrameType | None = sys._getframe(above)
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
    instruction = frame.f_lasti
    known = _KNOWN.get((id(code), instruction))
    if known is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        span = span_of(code, instruction)
        place = SourceLine(file, frame.f_lineno, code.co_name, span)
        known = _KNOWN[id(code), instruction] = place, code
    return known[0]


def spot(above: int) -> tuple[CodeType, int] | None:
    """Return what `of_spot` makes the same place of: cheaper, where it is seldom asked for."""
    frame: FrameType | None = sys._getframe(above)
    while frame is not None:
        code = frame.f_code
        if not _OURS[code.co_filename]:
            return code, frame.f_lasti
        frame = frame.f_back
    return None


def of_spot(code: CodeType, instruction: int) -> SourceLine:
    """Return the place of an instruction."""
    span = span_of(code, instruction)
    line = span[0] if span else code.co_firstlineno
    return SourceLine(code.co_filename, line, code.co_name, span)


def knows_its_caller(function: Any) -> None:
    """This function says first of all where it was called from, so that `here` ends at it."""
    global _knowing
    _knowing = function.__code__


def came_from(place: SourceLine | None) -> None:
    """The function that `knows_its_caller` was called from this line of the user's, if any."""
    if len(_CALLERS) >= MOST_KNOWN:
        _CALLERS.clear()
    _CALLERS[id(sys._getframe(1))] = place


def user_frames() -> Iterator[tuple[int, FrameType]]:
    """The frames of user code that led here, the innermost first, each with its number.

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
    above: int = 1,
) -> list[tuple[int, T]]:
    """Where these frames stand, up to one of them: its number, and what is known of its place.

    `known` are places by the number of the code and the last instruction; `learn(number, frame)`
    gives what is not there, and keeps the code alive. `above` as in `here`.
    """
    spots = []
    frame: FrameType | None = sys._getframe(above)
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
    """The part of the code that an instruction was made from; None if Python has not kept it."""
    span = next(islice(code.co_positions(), instruction // 2, None), (None,))
    return None if None in span else cast(Span, span)


def is_ours(file: str) -> bool:
    """Whether the file of this name is library code."""
    return _PLACES[max(filter(file.startswith, _PLACES), key=len)]


def stacklevel() -> int:
    """How far above its caller the user's line is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _is_computing(file: str) -> bool:
    """Whether the file of this name is library code, or NumPy's."""
    return file.startswith(_NUMPY) or is_ours(file)


def of_error(error: BaseException) -> SourceLine | None:
    """The innermost line of user code that an exception has passed through."""
    place, trace = None, error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not _is_computing(code.co_filename):
            span = span_of(code, trace.tb_lasti)
            place = SourceLine(code.co_filename, trace.tb_lineno, code.co_name, span)
        trace = trace.tb_next
    return place


def raised_by_user(error: BaseException) -> bool:
    """Whether an error comes from the user's code that minipaddle has called, and not from here."""
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
    """Where a Python function was defined; None for builtins and objects without code."""
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    return code and SourceLine(code.co_filename, code.co_firstlineno, code.co_name)


def code_at(place: SourceLine) -> str:
    """Return the text of a line of code; "" where there is no source."""
    return linecache.getline(place.file, place.line).strip()


def folder() -> str:
    """The working folder; "" where it has been removed."""
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
