"""Errors in three parts: what is wrong, what was expected and what came, what to do.

Each kind is also the Python class that Paddle raises for it, so `except ValueError` catches what
it would catch there.
"""

from __future__ import annotations

from . import source_line


class MinipaddleError(Exception):
    """The base of every error that minipaddle raises on purpose.

    `what` is one sentence; `expected`, `received` and `fix` are added on lines of their own, and
    so is the line of the user's code that led to it.
    """

    def __init__(
        self,
        what: str,
        *,
        expected: object = None,
        received: object = None,
        fix: str | None = None,
        at: source_line.SourceLine | None = None,
    ) -> None:
        self.what = what
        self.place = at or source_line.here()
        lines = [what]
        for label, text in (("expected", expected), ("received", received), ("to do", fix)):
            if text is not None:
                lines.append(f"  {label:<9} {text}")
        if self.place is not None:
            lines.append(f"  {'at':<9} {self.place}")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(
    kind: type[MinipaddleError], args: tuple[object, ...], state: dict[str, object]
) -> MinipaddleError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class InvalidArgument(MinipaddleError, ValueError):
    """An argument of the right type has a value that cannot be used."""


class InvalidType(MinipaddleError, TypeError):
    """An argument has the wrong type."""


class DivisionByZero(MinipaddleError, ZeroDivisionError):
    """A number that something is divided by is 0."""


class OutOfRange(MinipaddleError, IndexError):
    """An index or a label lies outside what it indexes."""


class InvalidName(MinipaddleError, KeyError):
    """A name that cannot be used."""

    __str__ = Exception.__str__  # KeyError shows its text quoted, in one line


class NoSuchKey(InvalidName):
    """A name under which a container holds nothing."""


class NotFound(MinipaddleError, RuntimeError):
    """Something was named that does not exist."""


class PermissionDenied(MinipaddleError, RuntimeError):
    """A step is refused because it would give wrong numbers."""


class PreconditionNotMet(MinipaddleError, RuntimeError):
    """Something that had to happen before has not happened."""


class AlreadyExists(MinipaddleError, RuntimeError):
    """Something was given twice that may be given once."""


class Unimplemented(MinipaddleError, NotImplementedError):
    """Something that the user must provide, or that minipaddle does not have, is missing."""


class NoSuchName(MinipaddleError, AttributeError):
    """An attribute that is not here, with the nearest thing that is."""


class NoSuchImport(MinipaddleError, ImportError):
    """A name in `from ... import` that is not here, with the nearest thing that is."""


class Fatal(MinipaddleError, SystemError):
    """Paddle's kind for a graph whose saved values are already gone."""


class External(MinipaddleError, OSError):
    """An exception inside code that the user gave to the backward pass."""


class CheckFailed(MinipaddleError, AssertionError):
    """A check that Paddle writes as an assertion."""


class WrongGradient(CheckFailed):
    """A gradient that differs from finite differences; which one is in `input` and `index`."""

    input: int
    index: tuple[int, ...]
    numbers: tuple[object, object]  # the derivative by finite differences, and what was given


class ModeError(CheckFailed):
    """A call that belongs to the other mode, static or dynamic."""


class NoSuchFile(MinipaddleError, FileNotFoundError):
    """A file that is not there."""
