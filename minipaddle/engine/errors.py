"""Errors in three parts: what is wrong, what was expected and what came, what to do.

Python shows them in English; those that learners meet most carry their Chinese with them, for
pictures and exercises in that language. Each kind is also the Python class that Paddle raises for
it, so `except ValueError` catches what it would catch there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MethodType

from ..messages import Message, Text
from . import calls, source_line, tracebacks
from .python_messages import in_chinese

# How each part stands in the text of an error, below what comes before it.
LINES = {
    "expected": Message("{above}\n  expected  {part}"),
    "received": Message("{above}\n  received  {part}"),
    "fix": Message("{above}\n  to do     {part}"),
}
PLACE = Message("{above}\n  at        {place}")


class MinipaddleError(Exception):
    """The base of every error that minipaddle raises on purpose.

    `what` is one sentence; `expected`, `received` and `fix` are added on lines of their own, and
    so is the line of the user's code that led to it. A part may be a Message; one that has no
    values for its slots yet takes them from `slots`. `parts` has each by its name, and `message`
    all of them, without the place.
    """

    def __init__(
        self,
        what: str | Message,
        *,
        expected: object = None,
        received: object = None,
        fix: str | Message | None = None,
        at: source_line.SourceLine | None = None,
        slots: Mapping[str, object] | None = None,
    ) -> None:
        self.place = at or source_line.here()
        given = {"what": what, "expected": expected, "received": received, "fix": fix}
        self.parts = {
            name: _filled(part, slots) for name, part in given.items() if part is not None
        }
        self.parts["what"] = self.message = calls.naming_the_call(self.parts["what"])
        for name, line in LINES.items():
            if name in self.parts:
                self.message = line.fill(above=self.message, part=self.parts[name])
        super().__init__(message_of(self, place=True).en)

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows of it."""
        return tracebacks.render(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


def _filled(part: object, slots: Mapping[str, object] | None) -> Message:
    """Return a part as a Message; what has no translation reads the same in all languages."""
    if not isinstance(part, Message):
        return both(part)
    return part if part.slots or not slots else part.fill(**slots)


def both(words: object) -> Message:
    """Return a Message as it is, and anything else as one that reads the same in all languages."""
    return words if isinstance(words, Message) else Text(str(words))


def message_of(error: BaseException, *, place: bool = False) -> Message:
    """Return what an exception says, our own with or without its place in the user's code."""
    if not isinstance(error, MinipaddleError):
        return Text(str(error), in_chinese(str(error)))
    if error.place is None or not place:
        return error.message
    return PLACE.fill(above=error.message, place=error.place)


def instead_of_a_tensor(value: object) -> Message:
    """Return what to do about this value, which stands where a Tensor belongs."""
    kind = value if isinstance(value, type) else type(value)
    if isinstance(getattr(kind, "apply", None), MethodType):  # a PyLayer, or an object of one
        run = f"{kind.__name__}.apply(...)"
        return Message("run the layer: {run}", run=run)
    if callable(value):
        return Message("call it, and give what it returns")
    return Message("wrap it: paddle.to_tensor(...)")


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
