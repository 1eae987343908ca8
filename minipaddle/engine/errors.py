"""Errors in four parts: what is wrong, what was expected, what was received, what to do.

Python shows them in English; the errors that learners meet most carry Chinese texts too, for
pictures and exercises in that language. Each kind is also a subclass of the class that Paddle
raises, so `except ValueError` catches the same errors as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MethodType

from ..messages import Message, Text
from . import calls, source_line, tracebacks
from .python_messages import in_chinese

# The line of each part in the text of an error, below the lines before it.
LINES = {
    "expected": Message("{above}\n  expected  {part}"),
    "received": Message("{above}\n  received  {part}"),
    "fix": Message("{above}\n  to do     {part}"),
}
PLACE = Message("{above}\n  at        {place}")


class MinipaddleError(Exception):
    """The base of every error that minipaddle raises on purpose.

    `what` is one sentence; `expected`, `received`, `fix` and the line of the user's code that led
    to the error stand on lines of their own. A part may be a Message; one without values for its
    slots takes them from `slots`. `parts` maps names to parts; `message` is the whole text without
    the line of code.
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
            name: _fill_slots(part, slots) for name, part in given.items() if part is not None
        }
        self.parts["what"] = self.message = calls.name_the_call(self.parts["what"])
        for name, line in LINES.items():
            if name in self.parts:
                self.message = line.fill(above=self.message, part=self.parts[name])
        super().__init__(message_of(self, place=True).en)

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows."""
        return tracebacks.render(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle_error, (type(self), self.args, self.__dict__)


def _fill_slots(part: object, slots: Mapping[str, object] | None) -> Message:
    """Return a part as a Message; plain text reads the same in all languages."""
    if not isinstance(part, Message):
        return as_message(part)
    return part if part.slots or not slots else part.fill(**slots)


def as_message(words: object) -> Message:
    """Return a Message unchanged; wrap other words in one that is the same in all languages."""
    return words if isinstance(words, Message) else Text(str(words))


def message_of(error: BaseException, *, place: bool = False) -> Message:
    """Return the text of an exception; `place` adds the line of the user's code to our own."""
    if not isinstance(error, MinipaddleError):
        return Text(str(error), in_chinese(str(error)))
    if error.place is None or not place:
        return error.message
    return PLACE.fill(above=error.message, place=error.place)


def instead_of_a_tensor(value: object) -> Message:
    """Return the advice for a value that was given where a Tensor belongs."""
    kind = value if isinstance(value, type) else type(value)
    if isinstance(getattr(kind, "apply", None), MethodType):  # a PyLayer, or an object of one
        run = f"{kind.__name__}.apply(...)"
        return Message("run the layer: {run}", run=run)
    if callable(value):
        return Message("call it, and give what it returns")
    return Message("wrap it: paddle.to_tensor(...)")


def _unpickle_error(
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
    """A divisor is 0."""


class OutOfRange(MinipaddleError, IndexError):
    """An index or a label is outside its axis, its table or its classes."""


class InvalidName(MinipaddleError, KeyError):
    """A name cannot be used."""

    __str__ = Exception.__str__  # KeyError would show the text quoted, in one line


class NoSuchKey(InvalidName):
    """A container holds nothing under a name."""


class NotFound(MinipaddleError, RuntimeError):
    """A named object, or a kernel for a dtype, does not exist."""


class PermissionDenied(MinipaddleError, RuntimeError):
    """A step would give wrong numbers."""


class PreconditionNotMet(MinipaddleError, RuntimeError):
    """A step that must come first has not happened."""


class AlreadyExists(MinipaddleError, RuntimeError):
    """An object was given twice that may be given once."""


class Unimplemented(MinipaddleError, NotImplementedError):
    """A part that the user must provide is missing, or minipaddle lacks a feature."""


class NoSuchName(MinipaddleError, AttributeError):
    """An attribute does not exist; the message names the nearest one."""


class NoSuchImport(MinipaddleError, ImportError):
    """A name in `from ... import` does not exist; the message names the nearest one."""


class Fatal(MinipaddleError, SystemError):
    """The saved values of a graph are already released."""


class External(MinipaddleError, OSError):
    """The user's code in a backward pass has raised an exception."""


class CheckFailed(MinipaddleError, AssertionError):
    """A check failed that Paddle writes as an assertion."""


class WrongGradient(CheckFailed):
    """A gradient differs from finite differences, at element `index` of input `input`."""

    input: int
    index: tuple[int, ...]
    numbers: tuple[object, object]  # (finite differences, the gradient under test)


class ModeError(CheckFailed):
    """A call belongs to the other mode, static or dynamic."""


class NoSuchFile(MinipaddleError, FileNotFoundError):
    """A file does not exist."""
