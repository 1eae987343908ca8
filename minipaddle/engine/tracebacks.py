"""Short tracebacks of uncaught errors of minipaddle: the user's frames and the message.

The exception keeps everything: `error.__traceback__`, debuggers, pytest and `except` blocks have
every frame. Only the printed traceback leaves out the frames inside minipaddle, and
a cause raised by library code alone, such as NumPy's message for the same mistake.
MINIPADDLE_TRACEBACK=full in the environment, read each time, shows everything.

Python prints an uncaught exception by `sys.excepthook`. Importing minipaddle sets a hook there
unless another one is set; it passes errors of other libraries to Python's hook. IPython calls the
method `_render_traceback_` of the exception, so notebooks need no hook.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import TracebackType
from typing import Any

from .source_line import is_library_code, raised_by_user

VARIABLE = "MINIPADDLE_TRACEBACK"


def install(kind: type[BaseException]) -> None:
    """Shorten Python's display of uncaught errors of a kind, unless `sys.excepthook` is taken."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = hook_for(kind)


def hook_for(kind: type[BaseException]) -> Callable[..., None]:
    """Return an excepthook that shortens errors of a kind and passes on others."""

    def show(
        error_type: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, kind) or not shortens():
            sys.__excepthook__(error_type, error, trace)
            return
        with shorten_chain(error) as count:
            sys.__excepthook__(error_type, error, error.__traceback__)
        if count:
            print(removal_note(count), file=sys.stderr)

    return show


def render(error: BaseException) -> list[str]:
    """Return the lines that IPython shows of an error."""
    shell: Any = sys.modules["IPython"].get_ipython()
    show = shell.InteractiveTB.structured_traceback
    if not shortens():
        return list(show(type(error), error, error.__traceback__))
    with shorten_chain(error) as count:
        lines = list(show(type(error), error, error.__traceback__))
    return [*lines, removal_note(count)] if count else lines


def shortens() -> bool:
    """Return whether frames inside minipaddle are to be left out."""
    return os.environ.get(VARIABLE, "").lower() != "full"


def removal_note(count: int) -> str:
    """Return the remark that frames were left out, and how to see them."""
    return f"({count} frames inside minipaddle are left out; {VARIABLE}=full shows them)"


@contextmanager
def shorten_chain(error: BaseException) -> Iterator[int]:
    """Leave out frames of an exception and its causes in a block; yield their number."""
    chain = list(chain_of(error))
    saved = [(each, each.__traceback__, each.__cause__) for each in chain]
    hidden = [each.__suppress_context__ for each in chain]
    try:
        count = sum(shorten(each) for each in chain)
        for each, before in pairwise(chain):
            if not raised_by_user(before):
                each.__cause__ = None  # hides its context too: `each` has better words
        yield count
    finally:
        for (each, trace, cause), suppressed in zip(saved, hidden, strict=True):
            each.__traceback__, each.__cause__ = trace, cause
            each.__suppress_context__ = suppressed


def chain_of(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception, then its cause or context, and so on, as far as Python shows them."""
    seen: list[BaseException] = []
    each: BaseException | None = error
    while each is not None and not any(each is other for other in seen):
        seen.append(each)
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def shorten(error: BaseException) -> int:
    """Leave only the user's frames, if any, in a traceback; return the number of removed ones."""
    frames = list(frames_of(error))
    kept = [each for each in frames if not is_library_code(each.tb_frame.f_code.co_filename)]
    if not kept:
        return 0
    trace: TracebackType | None = None
    for each in reversed(kept):
        trace = TracebackType(trace, each.tb_frame, each.tb_lasti, each.tb_lineno)
    error.__traceback__ = trace
    return len(frames) - len(kept)


def frames_of(error: BaseException) -> Iterator[TracebackType]:
    """Yield the entries of an exception's traceback, the outermost first."""
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next
