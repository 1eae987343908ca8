"""The public function that the user called, found by the name of its frame.

A public function may call others, one of which raises the error. The error still names the function
in the user's line. Nothing is stored while a call runs: each public function has its own code
object, and an error looks for it in the frames above.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from ..messages import Message, Row, Text
from .source_line import is_library_code


class Call(NamedTuple):
    """A public function: its name here, the op's own name, and the names of its arguments."""

    name: str
    op: str
    parameters: Collection[str]
    tensors: Collection[str]  # names of tensor arguments, as far as known


_CALL_OF_CODE: dict[CodeType, Call] = {}


def rename_frames(
    function: Any,
    name: str,
    *,
    op: str = "",
    parameters: Collection[str] = (),
    tensors: Collection[str] = (),
) -> Any:
    """Return a twin of a function whose frames carry the name `name`.

    >>> rename_frames(lambda: sys._getframe().f_code.co_name, "tanh")()
    'tanh'
    """
    code = function.__code__.replace(co_name=name, co_qualname=name)
    _CALL_OF_CODE[code] = Call(name, op or name, parameters, tensors)
    defaults, closure = function.__defaults__, function.__closure__
    twin = FunctionType(code, function.__globals__, name, defaults, closure)
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__dict__.update(function.__dict__)
    twin.__doc__, twin.__module__ = function.__doc__, function.__module__
    return twin


def has_renamed_frames(function: Any) -> bool:
    """Return whether a function was made by `rename_frames`."""
    return getattr(function, "__code__", None) in _CALL_OF_CODE


def _public_calls() -> tuple[list[Call], bool]:
    """Return the public calls below the user's innermost line, the innermost first.

    The flag says whether the user's line called the outermost one itself, not through a layer.
    """
    found: list[Call] = []
    direct = False
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_library_code(frame.f_code.co_filename):
        if direct := frame.f_code in _CALL_OF_CODE:
            found.append(_CALL_OF_CODE[frame.f_code])
        frame = frame.f_back
    return found, direct and frame is not None


class _RenamedStep(NamedTuple):
    """A sentence that begins with `step()`, and the name that replaces `step` there."""

    what: Message
    step: str
    name: Message

    def of(self, lang: str) -> str:
        return self.what.of(lang).replace(f"{self.step}()", f"{self.name.of(lang)}()", 1)


def name_the_call(what: Message) -> Message:
    """Let a sentence about a wrong call begin with the name of the function that was called.

    The inner function that found the fault is named too if only it has the arguments in question.
    """
    calls, direct = _public_calls()
    if not calls:
        return what
    outer, (step, called, _) = calls[-1], what.en.partition("()")
    if not called or not step.isidentifier():
        first = what.en.partition(" ")[0]  # T_0 is an argument, no beginning of a sentence
        plain = first.startswith(outer.name) or (first[:1].isupper() and "_" not in first)
        return what if plain else Message("{call}(): {what}", call=outer.name, what=what)
    if not direct or step == outer.name:
        return what
    inner = next((call for call in calls if step in (call.name, call.op)), outer)
    if inner.op == outer.op or {*inner.tensors} <= {*outer.parameters}:
        name: Message = Text(outer.name)
    else:
        name = Message("{call}(), in {step}", call=outer.name, step=step)
    return Row([_RenamedStep(what, step, name)]).message()
